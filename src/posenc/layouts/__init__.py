"""Pairs and halves: which convention a table or a rotary program has, and how to change it.

The course writes sine and cosine of a pair side by side. Many programs write all first columns of
the pairs and then all second ones. What is turned in pairs, queries and keys, has the same choice,
and with it the rows of the matrices that make them. A ``TypeError`` or a ``ValueError`` names an
argument that is not as described.
"""

import numpy as np

from posenc._records import load_field_guide, load_tables
from posenc._validation import integer
from posenc.layouts.programs import RotaryDescription, probe_rotary
from posenc.layouts.tables import Description, bfloat16, describe

__all__ = ["Description", "RotaryDescription", "bfloat16", "describe", "probe_rotary"]
__all__ += ["load_field_guide", "load_tables", "to_halves", "to_pairs"]


def to_halves(weights, heads, *, turned=None, width=None):
    """Put what makes queries or keys in pairs into the order of halves.

    Parameters
    ----------
    weights : array or tensor, shape (heads * width, ...)
        A matrix as PyTorch keeps it, where each row makes one number, or a bias, or, with one head,
        the gains of a norm. Values stay as they are: split them off first if they are in it.
    heads : int
        Number of heads in `weights`, one after another. Keys may have fewer than queries.
    turned : int or array of int, optional
        Which numbers of each head are turned, if not all: so many at the beginning, or these
        columns, in pairs or halves as they stand, or shape (m, 2), as in `RotaryDescription.pairs`.
    width : int, optional
        Numbers of a head. If it is given, other sizes of `weights` are refused.

    Returns
    -------
    array or tensor
        The same rows. In each head those that are turned come in the order of halves, in the places
        that they have as a group; the others stay.

    Examples
    --------
    >>> to_halves(np.arange(12), 2, turned=range(2, 6)).tolist()
    [0, 1, 2, 4, 3, 5, 6, 7, 8, 10, 9, 11]
    """
    return weights[_order(weights, heads, turned, width, True)]


def to_pairs(weights, heads, *, turned=None, width=None):
    """Put what makes queries or keys in halves into the order of pairs: `to_halves` undone.

    >>> to_pairs(np.arange(8), 1, turned=4).tolist()
    [0, 2, 1, 3, 4, 5, 6, 7]
    """
    return weights[_order(weights, heads, turned, width, False)]


def _order(weights, heads, turned, width, halves):
    """Return which row comes to stand in each place."""
    heads, rows = integer("heads", heads, least=1), len(weights)
    if rows % heads:
        raise ValueError(f"heads must divide the {rows} rows of weights, got {heads}")
    if width is not None and rows != heads * integer("width", width, least=2):
        words = f"weights must have {heads} * {width} = {heads * width} rows, got {rows}"
        raise ValueError(f"{words}; if they make keys or values as well, split them first")
    width = rows // heads
    if turned is None or np.ndim(turned) == 0:
        turned = integer("turned", width if turned is None else turned, least=2, step=2)
        if turned > width:
            raise ValueError(f"turned must be at most {width}, the width of a head, got {turned}")
        turned = range(turned)
    pairs, columns = np.asarray(turned), np.unique(turned)
    if pairs.dtype.kind not in "iu" or not 0 < pairs.size == len(columns) or pairs.size % 2:
        raise ValueError(f"turned must be an even number of columns, each once, got {turned}")
    least, most = columns[[0, -1]]
    if least < 0 or most >= width:
        raise ValueError(f"turned must be columns from 0 to {width - 1}, got {least} to {most}")
    if pairs.ndim == 1:  # the partners, where they stand now
        pairs = columns.reshape(-1, 2) if halves else columns.reshape(2, -1).T
    order = np.arange(rows).reshape(heads, width)
    order[:, columns] = order[:, (pairs.T if halves else pairs).ravel()]
    return order.ravel()
