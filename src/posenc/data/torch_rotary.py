"""The turning of queries and keys as a module of PyTorch; `make peers` tests it."""

import torch


class Rotary(torch.nn.Module):
    """Turn queries or keys (..., tokens, width) by the positions of tokens."""

    def __init__(self, width, *, base=10_000, layout="halves", turned=None):
        super().__init__()
        turned = width if turned is None else turned
        if layout not in ("halves", "pairs"):
            raise ValueError(f'layout must be "halves" or "pairs", got {layout!r}')
        if turned % 2 or not 0 < turned <= width:
            allowed = f"even, 2 to {width} (by default the width)"
            raise ValueError(f"turned must be {allowed}, got {turned}")
        self.width, self.turned = width, turned
        self.layout, self.base = layout, base

    def forward(self, x, positions):
        """Return x turned by whole positions, (tokens,) or (batch, tokens)."""
        tokens = x.shape[-2:-1]
        if x.shape[-1] != self.width:
            raise ValueError(f"x must have {self.width} columns, got {x.shape[-1]}")
        if positions.shape not in (tokens, x.shape[:-2][:1] + tokens):
            allowed = f"(tokens,) or (batch, tokens) of x, {tuple(x.shape)}"
            shape = tuple(positions.shape)
            raise ValueError(f"positions must be {allowed}, got {shape}")
        if positions.is_floating_point():
            raise ValueError(f"positions must be whole, got {positions.dtype}")
        # Made anew each time: a buffer of speeds would be rounded by model.half().
        kind = torch.float32 if x.device.type == "mps" else torch.float64
        k = torch.arange(0, self.turned, 2, dtype=kind, device=x.device)
        angles = positions[..., None] * self.base ** (-k / self.turned)
        if positions.ndim == 2:  # all heads of a text have the same
            angles = angles.unflatten(0, (-1, *[1] * (x.ndim - 3)))
        kind = torch.promote_types(x.dtype, torch.float32)
        cosine, sine = angles.cos().to(kind), angles.sin().to(kind)
        split, rest = x[..., : self.turned], x[..., self.turned :]
        if self.layout == "halves":
            a, b = split.chunk(2, dim=-1)
        else:
            a, b = split[..., 0::2], split[..., 1::2]
        both = [a * cosine - b * sine, a * sine + b * cosine]
        if self.layout == "halves":
            split = torch.cat(both, dim=-1)
        else:
            split = torch.stack(both, dim=-1).flatten(-2)
        return torch.cat([split.to(x.dtype), rest], dim=-1)
