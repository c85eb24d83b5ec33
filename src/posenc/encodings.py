"""Three ways to write a position as a vector: sinusoids, the hands of a clock, and bits.

A table has a row for each position: `length` rows, an integer of at least 0. A ``TypeError`` or a
``ValueError`` names an argument that is not as described.

**Where the sinusoids are from.** Vaswani et al. (2017), Attention Is All You Need, section 3.5,
arXiv:1706.03762.
"""

import numpy as np

from posenc._validation import array, first_position, integer, number
from posenc.shifts import continue_by_doubling

CLOCK_PERIODS = (60.0, 3600.0, 43_200.0)
"""Seconds in which the second, the minute and the hour hand of a clock turn once."""


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

    Examples
    --------
    >>> angular_frequencies(4)
    array([1.  , 0.01])
    """
    width, base = integer("width", width, least=2, step=2), number("base", base, above=1)
    return base ** (-np.arange(0, width, 2) / width)


def sinusoidal_by_definition(length, width, *, base=10_000.0, start=0):
    """Return the sinusoidal positional encoding, computed as the formula of `sinusoidal` says.

    Parameters
    ----------
    length, width, base, start
        As in `sinusoidal`.

    Returns
    -------
    ndarray, shape (n, d)
        One row for each position.

    Examples
    --------
    >>> sinusoidal_by_definition(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    length, frequencies = integer("length", length), angular_frequencies(width, base=base)
    positions = first_position(start, length) + np.arange(length)
    angles = positions[:, None] * frequencies
    table = np.empty((length, width))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def sinusoidal(length, width, *, base=10_000.0, start=0):
    r"""Return the sinusoidal positional encoding, built by doubling.

    .. math:: PE[t, 2k] = \sin(\omega_k t), \qquad PE[t, 2k+1] = \cos(\omega_k t)

    Only the first row is computed from the formula. A shift by m positions turns every pair by
    :math:`\omega_k m`, so m finished rows, turned, are the next m rows: see
    `posenc.shifts.continue_by_doubling`.

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    width : int
        Numbers in one encoding, d; positive and even.
    base : float
        Base of the angular frequencies; above 1.
    start : float
        The first position. The rows are positions start, start + 1, ..., start + n - 1. All of
        them must lie between -2**52 and 2**52, where float64 tells neighbors apart.

    Returns
    -------
    ndarray, shape (n, d)
        One row for each position.

    Notes
    -----
    A table of 1000 x 500 is built about ten times as fast as by `sinusoidal_by_definition`; one of
    8 x 8 takes about three times as long. Since angles and frequencies are rounded, the error of
    either grows with the position t, to about 4e-16 t at most. In a long table that begins at 0 it
    is smaller here, since each step's :math:`\omega_k m` is exact: m is a power of 2.

    Examples
    --------
    >>> sinusoidal(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    length, frequencies = integer("length", length), angular_frequencies(width, base=base)
    start = first_position(start, length)
    first_row = sinusoidal_by_definition(1, width, base=base, start=start)[0]
    return continue_by_doubling(first_row, frequencies, length)


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

    Examples
    --------
    >>> clock(15)[:2].round(4)  # the second hand points right
    array([1., 0.])
    """
    seconds = array("seconds", seconds)[..., None]
    angles = 2 * np.pi * (seconds % CLOCK_PERIODS / CLOCK_PERIODS)
    tips = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return tips.reshape(*seconds.shape[:-1], 6)


def binary(length, *, bits=None):
    r"""Return the positions as binary numbers, the least significant bit first.

    .. math:: B[t, i] = \lfloor t / 2^i \rfloor \bmod 2

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

    Examples
    --------
    >>> binary(4)
    array([[0, 0],
           [1, 0],
           [0, 1],
           [1, 1]], dtype=int8)
    """
    length = integer("length", length)
    fewest = max(1, (length - 1).bit_length())
    bits = fewest if bits is None else integer("bits", bits, least=fewest)
    octets = np.arange(length, dtype="<u8")[:, None].view(np.uint8)  # the least significant first
    return np.unpackbits(octets, axis=1, count=bits, bitorder="little").view(np.int8)
