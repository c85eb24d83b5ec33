"""The encoding as a module of PyTorch, which `make peers` tests."""

import torch


class Positions(torch.nn.Module):
    """Scale embeddings (batch, tokens, width) and add positions to them."""

    def __init__(self, width, dropout=0.1):
        super().__init__()
        if width % 2 or width < 2:
            raise ValueError(f"width must be even and at least 2, got {width}")
        self.width = width
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x, start=0):
        """Return what goes into the first layer, in the type of `x`."""
        if x.ndim != 3 or x.shape[2] != self.width:
            allowed = f"(batch, tokens, {self.width})"
            raise ValueError(f"x must be {allowed}, got {tuple(x.shape)}")
        # Made anew each time, so there's no table to lose, to round or to outgrow.
        kind = torch.float32 if x.device.type == "mps" else torch.float64
        positions = start + torch.arange(x.shape[1], dtype=kind, device=x.device)
        k = torch.arange(0, self.width, 2, dtype=kind, device=x.device)
        angles = positions[:, None] * 10_000 ** (-k / self.width)
        rows = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
        return self.dropout(x * self.width**0.5 + rows.to(x.dtype))
