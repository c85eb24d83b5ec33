r"""Places in a picture and real numbers: an encoding for each axis, frequencies of one's choice.

A place in a picture has two coordinates, the column x and the row y. Each gets half of the width:

.. math:: PE(x, y) = [PE_{d/2}(x),\ PE_{d/2}(y)]

So products add, :math:`PE(x, y) \cdot PE(x', y') = f(x' - x) + f(y' - y)` with the product f of
width d/2, and a shift by (a, b) turns the two halves: diag(M(a), M(b)).

A ``TypeError`` or a ``ValueError`` names an argument that is not as described.
"""

import numpy as np

from posenc._validation import array, integer
from posenc.encodings import sinusoidal


def sinusoidal_2d(rows, columns, width, *, base=10_000.0):
    r"""Return the encodings of all places of a picture, row by row.

    .. math:: PE(x, y) = [PE_{d/2}(x),\ PE_{d/2}(y)]

    Parameters
    ----------
    rows, columns : int
        Size of the picture, in patches or pixels; at least 0.
    width : int
        Numbers in one encoding, d; a positive multiple of 4. The frequencies are those of width
        d/2.
    base : float
        Base of the angular frequencies; above 1.

    Returns
    -------
    ndarray, shape (rows * columns, d)
        Row ``y * columns + x`` holds the encoding of column x, then that of row y, both
        interleaved.

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


def fourier_features(positions, frequencies):
    r"""Return sine and cosine of any frequencies at any positions.

    .. math::

        \sin(\omega_k \cdot p), \ \cos(\omega_k \cdot p)

    Parameters
    ----------
    positions : array_like
        Real numbers of any shape (...), or points of shape (..., axes).
    frequencies : array_like
        Radians per unit, of shape (pairs,) for numbers, or (pairs, axes) for points: then
        :math:`\omega_k \cdot p` is a dot product, and the direction of :math:`\omega_k` is that
        in which pair k turns.

    Returns
    -------
    ndarray, shape (..., 2 * pairs)
        In columns 2k and 2k + 1 sine and cosine of pair k.

    References
    ----------
    Tancik et al. (2020), Fourier Features Let Networks Learn High Frequency Functions in Low
    Dimensional Domains, arXiv:2006.10739, draw the frequencies from a normal distribution.

    Examples
    --------
    >>> fourier_features([0, 0.25], [2 * np.pi]).round(4)  # one turn for each unit
    array([[0., 1.],
           [1., 0.]])
    >>> fourier_features([[3, 4]], [[1, 0], [0, 1], [1, 1]]).shape  # one point, three pairs
    (1, 6)
    """
    positions = array("positions", positions)
    frequencies = array("frequencies", frequencies, "(pairs > 0,) or (pairs > 0, axes > 0)")
    if frequencies.ndim == 1:
        positions, frequencies = positions[..., None], frequencies[:, None]
    positions = array("positions", positions, f"(..., {frequencies.shape[1]})")
    angles = positions @ frequencies.T
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*angles.shape[:-1], 2 * len(frequencies))
