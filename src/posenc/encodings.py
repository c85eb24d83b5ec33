r"""Ways to write a position as a vector: sinusoids, the hands of a clock, and bits.

The sinusoids are those of Vaswani et al. (2017), Attention Is All You Need, section 3.5,
arXiv:1706.03762. `encode` is their formula, for any numbers or points and any frequencies.
"""

import numpy as np

from posenc._validation import PAIRS, SOME, array, first_position, integer, number

CLOCK_PERIODS = (60.0, 3600.0, 43_200.0)
"""Seconds in which the second, the minute and the hour hand of a clock turn once."""


def angular_frequencies(width, *, base=10_000.0):
    r"""Return the angular frequency of each pair.

    .. math:: \omega_k = \text{base}^{-2k/d}, \qquad k = 0, \dots, d/2 - 1

    Parameters
    ----------
    width : int
        Numbers in one encoding, d; positive and even.
    base : float, default: 10000
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


def encode(positions, frequencies):
    r"""Encode positions as sines and cosines: the formula of positional encoding.

    .. math:: PE[t, 2k] = \sin(\omega_k \cdot t), \qquad PE[t, 2k+1] = \cos(\omega_k \cdot t)

    Parameters
    ----------
    positions : array_like
        Real numbers of any shape (...), or points of shape (..., axes).
    frequencies : array_like
        Radians per unit, of shape (d/2,) for numbers, or (d/2, axes) for points. For points
        :math:`\omega_k \cdot t` is a dot product, and :math:`\omega_k` points in the direction
        in which pair k turns.

    Returns
    -------
    ndarray, shape (..., d)
        Sine and cosine of pair k in columns 2k and 2k + 1.

    References
    ----------
    Vaswani et al. (2017), section 3.5, arXiv:1706.03762. Tancik et al. (2020), Fourier Features
    Let Networks Learn High Frequency Functions in Low Dimensional Domains, arXiv:2006.10739, draw
    the frequencies at random.

    Examples
    --------
    >>> encode([0, 1], angular_frequencies(4)).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    >>> encode([[3, 4]], [[1, 0], [0, 1], [1, 1]]).shape  # one point, three pairs
    (1, 6)
    """
    positions = array("positions", positions)
    frequencies = array("frequencies", frequencies, PAIRS, (SOME, SOME))
    if frequencies.ndim == 1:
        angles = positions[..., None] * frequencies
    else:
        positions = array("positions", positions, (..., frequencies.shape[1]))
        angles = positions @ frequencies.T
    encoding = np.empty((*angles.shape[:-1], 2 * len(frequencies)))
    np.sin(angles, out=encoding[..., 0::2])
    np.cos(angles, out=encoding[..., 1::2])
    return encoding


def grow(first_row, frequencies, length):
    """Grow a table from its first row, by doubling.

    Shifted by its own length, a table is what comes next: a shift by m positions turns every pair
    by the same angle in each row. So each row is the first one, turned at most log2(n) times by
    exact multiples of the frequency, and roundings don't add up from row to row.

    Parameters
    ----------
    first_row : array_like, shape (d,)
        The encoding of some position t.
    frequencies : array_like, shape (d/2,)
        Radians per position.
    length : int
        Number of rows, n; at least 0.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t, t + 1, ..., t + n - 1.

    Examples
    --------
    >>> grow([0.0, 1.0], [np.pi], 3).round(4) + 0
    array([[ 0.,  1.],
           [ 0., -1.],
           [ 0.,  1.]])
    """
    frequencies = array("frequencies", frequencies, PAIRS)
    first_row = array("first_row", first_row, (2 * len(frequencies),))
    table = np.empty((integer("length", length), len(first_row)))
    pairs = table.view(complex)  # sine + i cosine, which exp(-i angle) turns
    pairs[:1] = first_row.view(complex)
    filled = 1
    while filled < length:
        rows = pairs[filled : 2 * filled]
        phases = np.exp(-1j * frequencies * filled)
        np.multiply(pairs[: len(rows)], phases, out=rows)
        filled *= 2
    return table


def sinusoidal(length, width, *, base=10_000.0, start=0):
    r"""Return `encode` for positions 0, 1, 2, …, grown by doubling.

    .. math:: PE[t, 2k] = \sin(\omega_k t), \qquad PE[t, 2k+1] = \cos(\omega_k t)

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    width : int
        Numbers in one encoding, d; positive and even.
    base : float, default: 10000
        Base of the angular frequencies; above 1.
    start : float, default: 0
        The first position; the others follow one by one. All must lie between -2**52 and 2**52,
        where float64 tells neighbors apart.

    Returns
    -------
    ndarray, shape (n, d)
        One row for each position.

    See Also
    --------
    grow : How the table comes out of its first row.

    Notes
    -----
    A table of 1000 x 500 is built about ten times as fast as by `encode`. Since angles and
    frequencies are rounded, the error of either grows with the position t, to about 4e-16 t at
    most. In a long table that begins at 0 it is smaller here, since the steps of the doublings are
    powers of 2, and so their angles are exact multiples of the frequencies.

    Examples
    --------
    >>> sinusoidal(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    length, frequencies = integer("length", length), angular_frequencies(width, base=base)
    return grow(encode(first_position(start, length), frequencies), frequencies, length)


def sinusoidal_2d(rows, columns, width, *, base=10_000.0):
    r"""Encode all places of a picture, row by row.

    .. math:: PE(x, y) = [PE_{d/2}(x),\ PE_{d/2}(y)]

    Products add, :math:`PE(x, y) \cdot PE(x', y') = f(x' - x) + f(y' - y)` with the product f of
    width d/2, and a shift by (a, b) turns the two halves: diag(M(a), M(b)).

    Parameters
    ----------
    rows, columns : int
        Size of the picture, in patches or pixels; at least 0.
    width : int
        Numbers in one encoding, d; a positive multiple of 4. The frequencies are those of width
        d/2.
    base : float, default: 10000
        Base of the angular frequencies; above 1.

    Returns
    -------
    ndarray, shape (rows * columns, d)
        Row ``y * columns + x`` holds the encoding of column x, then that of row y.

    References
    ----------
    The halves stand in this order, with other layouts inside, in `get_2d_sincos_pos_embed` of MAE
    (github.com/facebookresearch/mae, util/pos_embed.py).

    Examples
    --------
    >>> sinusoidal_2d(2, 2, 4).round(2)  # two rows of two
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.  , 1.  ],
           [0.  , 1.  , 0.84, 0.54],
           [0.84, 0.54, 0.84, 0.54]])
    """
    rows, columns = integer("rows", rows), integer("columns", columns)
    half = integer("width", width, least=4, step=4) // 2
    x, y = sinusoidal(columns, half, base=base), sinusoidal(rows, half, base=base)
    return np.hstack([np.tile(x, (rows, 1)), np.repeat(y, columns, axis=0)])


def clock(seconds):
    r"""Encode moments as the hands of a clock, six numbers each.

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
    turns = array("seconds", seconds)[..., None] % CLOCK_PERIODS / CLOCK_PERIODS
    return encode(turns, 2 * np.pi * np.eye(3))  # an axis for each hand


def binary(length, *, bits=None):
    r"""Encode positions in binary, the least significant bit first.

    .. math:: B[t, j] = \lfloor t / 2^j \rfloor \bmod 2

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    bits : int, optional
        Number of bits; by default as few as n positions need, and at least 1.

    Returns
    -------
    ndarray of int8, shape (n, bits)
        One row of zeros and ones for each position. Bit j has the period :math:`2^{j+1}`. The
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
