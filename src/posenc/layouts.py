"""Pairs and halves: the two orders of an encoding's columns, and tables of other programs.

The course writes sine and cosine of a pair side by side. Many programs write all first columns of
the pairs and then all second ones. What is turned in pairs, queries and keys, has the same choice,
and with it the rows of the matrices that make them.
"""

from importlib.resources import files

import numpy as np

from posenc._validation import as_bfloat16_source, as_columns, as_width


def half_order(width):
    """Return the columns of a layout in pairs, in the order in which halves have them.

    ``table[:, half_order(width)]`` takes a table from pairs to halves. PyTorch's weights make one
    number from each row, so ``weight[half_order(width)]`` does the same for what they make.

    Parameters
    ----------
    width : int
        Number of columns, d; positive and even.

    Returns
    -------
    ndarray of int, shape (d,)
        The even numbers and then the odd ones.

    Raises
    ------
    TypeError, ValueError
        If `width` is not a positive even integer.

    Examples
    --------
    >>> half_order(6)
    array([0, 2, 4, 1, 3, 5])
    """
    columns = np.arange(as_width(width))
    return np.concatenate([columns[0::2], columns[1::2]])


def pair_order(width):
    """Return the columns of a layout in halves, in the order in which pairs have them.

    ``table[:, pair_order(width)]`` takes a table from halves to pairs.

    Parameters
    ----------
    width : int
        Number of columns, d; positive and even.

    Returns
    -------
    ndarray of int, shape (d,)
        Column k of the first half, column k of the second, and so on.

    Raises
    ------
    TypeError, ValueError
        If `width` is not a positive even integer.

    Examples
    --------
    >>> pair_order(6)
    array([0, 3, 1, 4, 2, 5])
    """
    return np.arange(as_width(width)).reshape(2, -1).T.ravel()


def interleave(halves):
    """Return vectors in pairs that come in halves.

    Parameters
    ----------
    halves : array_like, shape (..., d)
        Real numbers; all first numbers of the pairs, then all second ones.

    Returns
    -------
    ndarray, shape (..., d)
        A copy of the same type in which columns 2k and 2k+1 are a pair.

    Raises
    ------
    TypeError, ValueError
        If `halves` does not hold real numbers, or its last axis is not of positive even length.

    Examples
    --------
    >>> interleave([1, 3, 2, 4])
    array([1, 2, 3, 4])
    """
    halves = as_columns("halves", halves)
    return halves[..., pair_order(halves.shape[-1])]


def deinterleave(pairs):
    """Return vectors in halves that come in pairs.

    Parameters
    ----------
    pairs : array_like, shape (..., d)
        Real numbers; columns 2k and 2k+1 are a pair.

    Returns
    -------
    ndarray, shape (..., d)
        A copy of the same type with all first numbers of the pairs, then all second ones.

    Raises
    ------
    TypeError, ValueError
        If `pairs` does not hold real numbers, or its last axis is not of positive even length.

    Examples
    --------
    >>> deinterleave([1, 2, 3, 4])
    array([1, 3, 2, 4])
    """
    pairs = as_columns("pairs", pairs)
    return pairs[..., half_order(pairs.shape[-1])]


def bfloat16(numbers):
    """Round numbers to bfloat16, the upper half of a float32, ties to even.

    Parameters
    ----------
    numbers : array_like
        Finite real numbers that a float32 can hold.

    Returns
    -------
    ndarray of float32
        The nearest numbers of eight binary digits.

    Raises
    ------
    TypeError, ValueError
        If `numbers` are not real, not finite, or too large.

    Examples
    --------
    >>> bfloat16([256, 257, 258])
    array([256., 256., 258.], dtype=float32)
    """
    bits = as_bfloat16_source("numbers", numbers).view(np.uint32)
    # Half of what is dropped, less a trifle if the kept part is even already.
    bits = bits + (0x7FFF + (bits >> 16 & 1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def load_tables():
    """Return the six tables of notebook 12 without their labels.

    They are what other people's programs return; the data's README says which. `make peers` made
    them.

    Returns
    -------
    dict of ndarray
        From the letters A to F.

    Examples
    --------
    >>> {name: table.shape for name, table in load_tables().items()}["A"]
    (40, 32)
    """
    with (files("posenc") / "data" / "tables.npz").open("rb") as file, np.load(file) as tables:
        return dict(tables)
