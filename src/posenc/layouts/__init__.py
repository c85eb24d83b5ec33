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

_REORDERED = {"q": True, "k": True, "v": False, "gate": False}


def to_halves(weights, heads, *, turned=None, width=None, groups=1):
    """Put what makes queries or keys in pairs into the order of halves.

    Parameters
    ----------
    weights : array or tensor, shape (groups * heads * width, ...)
        A matrix as PyTorch keeps it, where each row makes one number, or a bias, or scales of rows,
        or, with one head, the gains of a norm.
    heads : int or dict of int
        Number of heads in `weights`, one after another. Keys may have fewer than queries. Of a
        fused matrix its parts in order, as in ``{"q": 32, "k": 8, "v": 8}``: "q" and "k" are
        reordered, "v" and "gate" stay.
    turned : int or array of int, optional
        Which numbers of each head are turned, if not all: so many at the beginning, or these
        columns, or `RotaryDescription.pairs` of either program.
    width : int, optional
        Numbers of a head. If it is given, other sizes of `weights` are refused.
    groups : int, optional
        How many times the parts are repeated, as in GPT-NeoX, which has all three of each head.

    Returns
    -------
    array or tensor
        The same rows. In each head those that are turned come in the order of halves, in the places
        that they have as a group; the others stay.

    Examples
    --------
    >>> to_halves(np.arange(12), 2, turned=range(2, 6)).tolist()
    [0, 1, 2, 4, 3, 5, 6, 7, 8, 10, 9, 11]
    >>> to_halves(np.arange(12), {"q": 1, "k": 1, "v": 1}).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7, 8, 9, 10, 11]
    """
    return weights[_order(len(weights), heads, turned, width, groups, True)]


def to_pairs(weights, heads, *, turned=None, width=None, groups=1):
    """Put what makes queries or keys in halves into the order of pairs: `to_halves` undone.

    >>> to_pairs(np.arange(8), 1, turned=4).tolist()
    [0, 2, 1, 3, 4, 5, 6, 7]
    """
    return weights[_order(len(weights), heads, turned, width, groups, False)]


def _order(rows, heads, turned, width, groups, halves):
    """Return which row comes to stand in each place."""
    parts = heads if isinstance(heads, dict) else {"q": heads}
    if not parts or not _REORDERED.keys() >= parts.keys():
        raise ValueError(f"heads must be of {', '.join(_REORDERED)}, got {', '.join(parts)}")
    counts = [integer("heads", count, least=1) for count in parts.values()]
    count = sum(counts) * integer("groups", groups, least=1)
    if rows % count or width not in (None, rows // count):
        words = f"weights must have {count} heads, {count} * {width or 'width'} rows, got {rows}"
        raise ValueError(
            f"{words}; of a fused matrix name all parts in order, as in heads="
            '{"q": 32, "k": 8, "v": 8}, or give the rows that make queries or keys, and no others'
        )
    columns, sources = _turned(rows // count, turned, halves)
    order, moved = np.arange(rows).reshape(count, -1), [_REORDERED[part] for part in parts]
    moved = np.flatnonzero(np.tile(np.repeat(moved, counts), groups))[:, None]
    order[moved, columns] = order[moved, sources]
    return order.ravel()


def _turned(width, turned, halves):
    """Return of one head which columns are turned, and which of them comes to stand in each."""
    if turned is None or np.ndim(turned) == 0:
        turned = integer("turned", width if turned is None else turned, least=2, step=2)
        if turned > width:
            raise ValueError(f"turned must be at most {width}, the width of a head, got {turned}")
        turned = range(turned)
    given, columns = np.asarray(turned), np.unique(turned)
    if given.dtype.kind not in "iu" or not 0 < given.size == len(columns) or given.size % 2:
        raise ValueError(f"turned must be an even number of columns, each once, got {turned}")
    least, most = columns[[0, -1]]
    if least < 0 or most >= width:
        raise ValueError(f"turned must be columns from 0 to {width - 1}, got {least} to {most}")
    neighbors, apart = columns.reshape(-1, 2), columns.reshape(2, -1).T
    if given.ndim > 1 and not any(np.array_equal(given, pairs) for pairs in (neighbors, apart)):
        raise ValueError(
            "turned must pair neighbors, or columns half of those that turn apart; if pairs turn "
            "by several axes, reorder axis by axis, as with turned=found.pairs[found.axes == 0]"
        )
    return columns, (neighbors.T if halves else apart).ravel()
