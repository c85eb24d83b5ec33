"""Pairs and halves: the two orders of an encoding's columns, and tables of other programs.

The course writes sine and cosine of a pair side by side. Many programs write all first columns of
the pairs and then all second ones. What is turned in pairs, queries and keys, has the same choice,
and with it the rows of the matrices that make them.

A ``TypeError`` or a ``ValueError`` names an argument that is not as described.
"""

from importlib.resources import files

import numpy as np

from posenc._validation import array, integer

_LARGEST_BFLOAT16 = (2 - 2**-7) * 2.0**127


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

    Examples
    --------
    >>> half_order(6)
    array([0, 2, 4, 1, 3, 5])
    """
    columns = np.arange(integer("width", width, least=2, step=2))
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

    Examples
    --------
    >>> pair_order(6)
    array([0, 3, 1, 4, 2, 5])
    """
    width = integer("width", width, least=2, step=2)
    return np.arange(width).reshape(2, -1).T.ravel()


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
    bits = numbers.astype(np.float32).view(np.uint32)
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
