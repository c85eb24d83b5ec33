"""Pairs and halves: which convention a table or a rotary program has, and how to change it.

The course writes sine and cosine of a pair side by side. Many programs write all first columns of
the pairs and then all second ones. What is turned in pairs, queries and keys, has the same choice,
and with it the rows of the matrices that make them. From the shell, ``python -m posenc.layouts
table.npy`` describes a table.

A ``TypeError`` or a ``ValueError`` names an argument that is not as described.
"""

import argparse
import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from posenc._descriptions import RotaryDescription
from posenc._tables import described, described_picture, rounded_to_bfloat16, rounding
from posenc._validation import array, integer

_LARGEST_BFLOAT16 = (2 - 2**-7) * 2.0**127


def to_halves(weights, heads, *, turned=None):
    """Put what makes queries or keys in pairs into the order of halves.

    Parameters
    ----------
    weights : array or tensor, shape (heads * width, ...)
        A matrix as PyTorch keeps it, where each row makes one number, or a bias, or, with one head,
        the gains of a norm over each head. Values stay as they are.
    heads : int
        Number of heads in `weights`, one after another. Keys may have fewer than queries.
    turned : int, optional
        How many numbers at the beginning of each head are turned, if not all. The others stay.

    Returns
    -------
    array or tensor
        The same rows; in each head first the even ones, then the odd ones.

    Examples
    --------
    >>> to_halves(np.arange(12), 2).tolist()
    [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    """
    return weights[_order(weights, heads, turned, (-1, 2))]


def to_pairs(weights, heads, *, turned=None):
    """Put what makes queries or keys in halves into the order of pairs: `to_halves` undone.

    Parameters and result are those of `to_halves`.

    Examples
    --------
    >>> to_pairs(np.arange(8), 1, turned=4).tolist()
    [0, 2, 1, 3, 4, 5, 6, 7]
    """
    return weights[_order(weights, heads, turned, (2, -1))]


def _order(weights, heads, turned, parts):
    heads, rows = integer("heads", heads, least=1), len(weights)
    if rows % heads:
        raise ValueError(f"heads must divide the {rows} rows of weights, got {heads}")
    order = np.arange(rows).reshape(heads, -1)
    width = order.shape[1]
    turned = integer("turned", width if turned is None else turned, least=2, step=2)
    if turned > width:
        raise ValueError(f"turned must be at most {width}, the width of a head, got {turned}")
    order[:, :turned] = order[:, :turned].reshape(heads, *parts).swapaxes(1, 2).reshape(heads, -1)
    return order.ravel()


def describe(table, *, grid=None):
    r"""Say what a table of sinusoids is made of, from its numbers alone.

    Angles of pair k in row t are to be :math:`f\, r^{-k} (t + s)`. Slopes of the unwrapped angles
    give f and r, the slowest pair gives the start s, and all pairs sharpen the three.

    Parameters
    ----------
    table : array_like of float, shape (n, d), (1, n, d) or (n, 1, d)
        At least 8 rows that are not zero, of at least 4 columns, in any precision; bfloat16 as
        float32. A last column of zeros that fills an odd width is left out. Speeds are below π
        radians a row, and row 0 stands at most 4200 rows before and 10 000 after position zero. If
        positions that rise and such that fall explain the table alike, they rise.
    grid : (int, int), optional
        Rows and columns of a picture, where the table has a row for each place, row by row.

    Returns
    -------
    Description
        Layout, first of sine and cosine, speeds, start and errors, also in print. A ValueError
        says what was looked for and not found.

    Examples
    --------
    >>> from posenc.encodings import sinusoidal
    >>> print(describe(sinusoidal(100, 16, base=500, start=5).astype(np.float16)))
    pairs, sine first, 8 pairs of length 1.0000 ± 0.0005
    speed of pair 0: 1.00000 ± 3e-05 radians a row
    speed over that of the next pair: 2.17456 ± 9e-05
    base 500.0 ± 0.2 if 1/base is the next speed (P = 8)
    base 229.93 ± 0.07 if 1/base is the last speed (P = 7)
    position of row 0: 5.000 ± 0.002
    in order: pairs
    such order and base: none of those that were asked
    """
    table = array("table", table, "(n, d) or (1, n, d) or (n, 1, d)")
    table = table.reshape(-1, table.shape[-1])
    filled = bool(table.shape[1] % 2 and not table[:, -1:].any())
    table = table[:, : table.shape[1] - filled]
    told = table.any(axis=1)
    rows, blank = np.flatnonzero(told), tuple(np.flatnonzero(~told).tolist())
    width = table.shape[1]
    if len(rows) < 8 or width < 4 or width % 2:
        raise ValueError(
            "table must have at least 8 rows that are not zero, and an even number of columns, at "
            f"least 4; it has {len(rows)} and {width}"
        )
    if grid is None:
        return replace(described(table[rows], rows, blank, rounding(table)), filled=filled)
    grid = tuple(integer("grid", side, least=3) for side in grid)
    if np.prod(grid) != len(rows) or len(grid) != 2 or width % 4:
        raise ValueError(
            f"grid must have {len(rows)} places, one for each row that is not zero, and table a "
            f"multiple of 4 columns; got {grid} and {width}"
        )
    return replace(described_picture(table[rows], grid, blank, rounding(table)), filled=filled)


def probe_rotary(turn, width):
    r"""Say how a function turns queries and keys, from what it makes of unit vectors.

    At position 1 the unit vector of a column keeps the cosine of its speed, and puts the sine, with
    a sign, into the column that turns with it.

    Parameters
    ----------
    turn : callable
        ``turn(x, positions)`` takes an array of shape (n, width) and n integers, and returns the
        turned rows as an array of that shape.
    width : int
        Columns of a head; at least 2.

    Returns
    -------
    RotaryDescription
        A ValueError says if the map is not linear, changes lengths or position 0, or does not turn
        columns two by two, all in one sense.

    Examples
    --------
    >>> from posenc.rotary import apply_rotary
    >>> def turn(x, positions):
    ...     return apply_rotary(x, [1.0, 0.1], positions=positions)
    >>> print(probe_rotary(turn, 4))
    pairs, 4 of 4 columns turned, the first of two away from the second
    speeds 1 to 0.1 radians a position
    """
    width = integer("width", width, least=2)

    def turned(x, position):
        found = turn(x.copy(), np.full(len(x), position))
        return array("turn(x, positions)", found, f"({len(x)}, {width})")

    step = turned(np.eye(width), 1)
    x = np.random.default_rng(0).normal(size=(8, width))
    found, size = turned(x, 1), np.linalg.norm(x, axis=1)
    change = np.linalg.norm(found, axis=1) / size
    # What bfloat16 does to a few products and sums stays below a fiftieth.
    if (np.linalg.norm(found - x @ step, axis=1) > size / 50).any():
        raise ValueError("turn must be linear in x, which it is not")
    if np.abs(change - 1).max() > 1 / 50:
        raise ValueError(f"turn must keep lengths; it multiplies them by {change[0]:.3g}")
    if np.abs(turned(x, 0) - x).max() > size.max() / 50:
        raise ValueError("turn must leave position 0 as it is, which it does not")
    sines = np.where(np.abs(step) > 1e-12, step, 0) * (1 - np.eye(width))
    first = np.flatnonzero(np.triu(sines).any(axis=1))
    second = np.abs(sines[first]).argmax(axis=1)
    sines, others = sines[first, second], np.count_nonzero(sines) - 2 * len(first)
    if others or len(set(second)) < max(len(first), 1):
        raise ValueError("turn must turn columns two by two, which it does not")
    if len(set(np.sign(sines))) > 1:
        raise ValueError("turn must turn all pairs in one sense, which it does not")
    apart = set(second - first)
    return RotaryDescription(
        layout=None if len(apart) > 1 else "pairs" if apart == {1} else "halves",
        sense=int(np.sign(sines[0])),
        width=width,
        pairs=np.stack([first, second], axis=1),
        speeds=np.arctan2(np.abs(sines), step[first, first]),
    )


def bfloat16(numbers):
    """Round numbers to bfloat16, the upper half of a float32, ties to even.

    Parameters
    ----------
    numbers : array_like
        Finite real numbers of at most 3.39e38 in size, which is the largest bfloat16.

    Returns
    -------
    ndarray of float32
        The nearest numbers of eight binary digits.

    Examples
    --------
    >>> bfloat16([256, 257, 258])
    array([256., 256., 258.], dtype=float32)
    """
    numbers = array("numbers", numbers)
    largest = np.abs(numbers).max(initial=0)
    if largest > _LARGEST_BFLOAT16:
        raise ValueError(f"numbers must be at most {_LARGEST_BFLOAT16:.3g} in size, got {largest}")
    return rounded_to_bfloat16(numbers)


def load_tables():
    """Return the tables of notebook 12 without their labels.

    They are what other people's programs return; the data's README says which. `make peers` made
    them.

    Returns
    -------
    dict of ndarray
        From the letters A to F.

    Examples
    --------
    >>> {name: table.shape for name, table in load_tables().items()}["C"]
    (40, 32)
    """
    with (files("posenc") / "data" / "tables.npz").open("rb") as file, np.load(file) as tables:
        return dict(tables)


def load_field_guide():
    """Return what `make peers` recorded for the field guide.

    Returns
    -------
    dict
        ``"rows"``, one for each family of models that was asked, ``"not asked"``, the others with
        the reason, and ``"versions"`` of the packages.

    Examples
    --------
    >>> [row["kind"] for row in load_field_guide()["rows"] if row["name"] == "llama"]
    ['turned']
    """
    path = files("posenc") / "data" / "families.json"
    return json.loads(path.read_text(encoding="utf-8"))


def _main(arguments=None):
    """Describe a table in a file; `arguments` are those of the command line."""
    parser = argparse.ArgumentParser(
        "python -m posenc.layouts", description="Say what a table of sinusoids is made of."
    )
    parser.add_argument("file", type=Path, help="table.npy, or model.safetensors")
    parser.add_argument("--tensor", help="which tensor of model.safetensors")
    parser.add_argument(
        "--grid", type=int, nargs=2, help="of a picture", metavar=("ROWS", "COLUMNS")
    )
    given = parser.parse_args(arguments)
    try:
        print(describe(_read(given.file, given.tensor), grid=given.grid))
    except (OSError, TypeError, ValueError) as error:
        parser.exit(1, f"{error}\n")


def _read(path, tensor):
    if path.suffix == ".npy":
        return np.load(path)
    from safetensors import safe_open

    with safe_open(path, "numpy") as tensors:
        names = tensors.keys()
        if tensor not in names:
            raise ValueError(f"--tensor must be one of {', '.join(names)}, got {tensor}")
        return tensors.get_tensor(tensor)


if __name__ == "__main__":
    _main()
