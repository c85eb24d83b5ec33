"""The encoding as a module of PyTorch, which `make peers` tests."""

import torch

from posenc.encodings import sinusoidal


class Positions(torch.nn.Module):
    """Scale embeddings (batch, sequence, width) and add positions to them."""

    def __init__(self, width, longest=4096, dropout=0.1):
        super().__init__()
        table = torch.from_numpy(sinusoidal(longest, width)).float()
        self.register_buffer("table", table, persistent=False)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x, start=0):
        """Return what goes into the first layer, in the type of `x`."""
        rows = self.table[start : start + x.shape[1]]
        if len(rows) < x.shape[1]:
            raise ValueError(f"the table ends at position {len(self.table) - 1}")
        return self.dropout(x * x.shape[2] ** 0.5 + rows.to(x.dtype))
