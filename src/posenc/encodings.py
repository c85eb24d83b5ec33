"""Three ways to write a position as a vector: sinusoids, the hands of a clock, and bits."""

import numpy as np

from posenc._validation import (
    as_base,
    as_bits,
    as_finite,
    as_length,
    as_real,
    as_table_dtype,
    as_width,
)
from posenc.shifts import continue_by_doubling, phase_factors, whole_rows

CLOCK_PERIODS = (60.0, 3600.0, 43_200.0)
"""Seconds in which the second, the minute and the hour hand of a clock turn once."""

BYTES_AS_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
"""The numbers 0 to 255 as the eight bits that the computer holds, the least significant first."""


def angular_frequencies(width, *, base=10_000.0):
    r"""Return how fast each pair of the encoding turns.

    .. math:: \omega_k = \text{base}^{-2k/d}, \qquad k = 0, \dots, d/2 - 1

    Parameters
    ----------
    width : int
        Numbers in one encoding, d; positive and even.
    base : float
        Sets the slowest pair; above 1.

    Returns
    -------
    ndarray, shape (d/2,)
        Angular frequencies in radians per position, from 1 downwards.

    Raises
    ------
    TypeError, ValueError
        If `width` is not a positive even integer or `base` is not a number above 1.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> angular_frequencies(4)
    array([1.  , 0.01])
    """
    width, base = as_width(width), as_base(base)
    return base ** (-np.arange(0, width, 2) / width)


def sinusoidal_by_definition(length, width, *, base=10_000.0, start=0):
    r"""Return the sinusoidal positional encoding, computed as the formula is printed.

    .. math:: PE[t, 2k] = \sin(\omega_k t), \qquad PE[t, 2k+1] = \cos(\omega_k t)

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    width : int
        Numbers in one encoding, d; positive and even.
    base : float
        Base of the angular frequencies; above 1.
    start : float
        The first position. The rows are positions start, start + 1, ..., start + n - 1.

    Returns
    -------
    ndarray, shape (n, d)
        One row for each position.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    sinusoidal : The same table, faster and more accurate.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> sinusoidal_by_definition(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    positions = as_real("start", start) + np.arange(as_length(length))
    angles = positions[:, None] * angular_frequencies(width, base=base)
    table = np.empty((length, width))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def sinusoidal(length, width, *, base=10_000.0, start=0, dtype=float):
    r"""Return the sinusoidal positional encoding, built by doubling.

    .. math:: PE[t, 2k] = \sin(\omega_k t), \qquad PE[t, 2k+1] = \cos(\omega_k t)

    Only the first row is computed from the formula. A shift by m positions is a rotation of
    every pair by :math:`\omega_k m`, so m finished rows, rotated, are the next m rows. About
    log2(n) rotations fill the float64 table, in place. Each :math:`\omega_k m` is exact, because m
    is a power of two, so the angles are more accurate than in `sinusoidal_by_definition`.

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    width : int
        Numbers in one encoding, d; positive and even.
    base : float
        Base of the angular frequencies; above 1.
    start : float
        The first position. The rows are positions start, start + 1, ..., start + n - 1.
    dtype : {float64, float32}
        Type of the table. All is computed in float64; float32 is rounded once, at the end.

    Returns
    -------
    ndarray, shape (n, d)
        One row for each position.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    sinusoidal_by_definition : The same table, from the formula alone.
    posenc.shifts.continue_by_doubling : The loop that doubles the table.
    posenc.shifts.shift_by_phase : The same rotation, of any table.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.5, arXiv:1706.03762.

    Examples
    --------
    >>> sinusoidal(50, 16).shape  # 50 positions, 8 pairs x 2
    (50, 16)
    >>> sinusoidal(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    if as_table_dtype(dtype) == np.float32:
        return _sinusoidal_float32(length, width, base=base, start=start)
    frequencies = angular_frequencies(width, base=base)
    table = np.empty((as_length(length), width))
    first_row = sinusoidal_by_definition(1, width, base=base, start=start)
    table[:1] = first_row[:length]
    return continue_by_doubling(table, frequencies)


def _sinusoidal_float32(length, width, *, base, start):
    """Return the float32 table: a small float64 block walks along it and is rounded into place.

    Each step adds about one rounding of float64, 1e-16. So even after the 4096 steps of a million
    rows the block is thousands of times more exact than float32, whose rounding is 3e-8.
    """
    frequencies = angular_frequencies(width, base=base)
    table = np.empty((as_length(length), width), dtype=np.float32)
    block = sinusoidal(min(256, length // 4 + 1), width, base=base, start=start)
    pairs, phases = block.view(complex), phase_factors(frequencies, len(block))
    table[: len(block)] = block[:length]
    with whole_rows(pairs):
        for first in range(len(block), length, len(block)):
            np.multiply(pairs, phases, out=pairs)
            rows = table[first : first + len(block)]
            rows[:] = block[: len(rows)]
    return table


def clock(seconds):
    r"""Return the hands of a clock as six numbers.

    .. math:: \sin(2\pi s / T), \ \cos(2\pi s / T), \qquad T = 60, \ 3600, \ 43\,200

    Parameters
    ----------
    seconds : float or array_like
        Seconds after midnight or noon, s, of any shape; negative and fractional too.

    Returns
    -------
    ndarray, shape (..., 6)
        Sine and cosine of the second hand, then of the minute hand, then of the hour hand. The
        cosine is how far the tip of the hand points up, the sine how far it points right.

    Raises
    ------
    TypeError, ValueError
        If `seconds` are not finite real numbers.

    Examples
    --------
    >>> clock(15)[:2].round(4)  # the second hand points right
    array([1., 0.])
    >>> clock([0, 43_200])[:, 1::2]  # after twelve hours all hands point up again
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    seconds = as_finite("seconds", seconds)[..., None]
    angles = 2 * np.pi * (seconds % CLOCK_PERIODS / CLOCK_PERIODS)
    tips = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return tips.reshape(*seconds.shape[:-1], 6)


def binary(length, *, bits=None):
    r"""Return the positions as binary numbers, the least significant bit first.

    .. math:: B[t, i] = \lfloor t / 2^i \rfloor \bmod 2

    The computer itself holds the numbers 0 to 255 as eight bits. From there the table doubles:
    the rows :math:`2^i` to :math:`2^{i+1} - 1` are all the rows before them, with
    bit i set.

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    bits : int, optional
        Number of bits; by default as few as n positions need, and at least 1.

    Returns
    -------
    ndarray of int8, shape (n, bits)
        One row of zeros and ones for each position. Bit i has the period :math:`2^{i+1}`. The
        type is signed, so that ``2 * binary(n) - 1`` holds -1 and +1.

    Raises
    ------
    TypeError, ValueError
        If `length` is not a non-negative integer or `bits` are too few to count so far.

    Examples
    --------
    >>> binary(4)
    array([[0, 0],
           [1, 0],
           [0, 1],
           [1, 1]], dtype=int8)
    """
    length = as_length(length)
    table = np.zeros((length, as_bits(bits, length)), np.int8)
    table[:256, :8] = BYTES_AS_BITS[:length, : table.shape[1]]
    for bit in range(8, (length - 1).bit_length()):
        rows = table[1 << bit : 2 << bit]
        rows[:] = table[: len(rows)]  # all rows so far once more,
        rows[:, bit] = 1  # with the next bit set
    return table
