r"""Products and distances of positions, from the closed forms.

Both depend only on the offset :math:`\varphi` of two positions, as notebook 06 derives from the
addition theorem of the cosine. So a matrix for n positions holds n different numbers only, each on
a pair of diagonals: it is a symmetric Toeplitz matrix.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from posenc._validation import PAIRS, array, integer


def dot_product_at(offsets, frequencies):
    r"""Compute the dot product of two encodings from the offset of their positions.

    .. math:: PE[t] \cdot PE[t + \varphi] = \sum_k \cos \omega_k \varphi

    Parameters
    ----------
    offsets : float or array_like, any shape
        Positions from one to the other; negative and fractional too.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.

    Returns
    -------
    float or ndarray, of the shape of `offsets`
        The product: d/2 at offset 0, and the same before as after.

    Examples
    --------
    >>> dot_product_at([0, 1, -1], [np.pi / 3, np.pi]).round(4)
    array([ 2. , -0.5, -0.5])
    """
    offsets, frequencies = array("offsets", offsets), array("frequencies", frequencies, PAIRS)
    return sum(np.cos(frequency * offsets) for frequency in frequencies)


def distance_at(offsets, frequencies):
    r"""Compute the distance of two encodings from the offset of their positions.

    .. math:: \lVert PE[t + \varphi] - PE[t] \rVert = 2 \sqrt{\sum_k \sin^2(\omega_k \varphi / 2)}

    Each pair is a point on a circle, and two points of a circle are a chord of length
    :math:`2 |\sin(\omega_k \varphi / 2)|` apart. Nothing is subtracted here, so tiny offsets keep
    all their digits, unlike in :math:`\sqrt{d - 2 \, PE[s] \cdot PE[t]}`.

    Parameters
    ----------
    offsets : float or array_like, any shape
        Positions from one to the other; negative and fractional too.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.

    Returns
    -------
    float or ndarray, of the shape of `offsets`
        The distance: 0 at offset 0, and the same before as after.

    Examples
    --------
    >>> distance_at([0, 1, -1], [np.pi]).round(4)  # half a turn: opposite ends of a diameter
    array([0., 2., 2.])
    """
    offsets, frequencies = array("offsets", offsets), array("frequencies", frequencies, PAIRS)
    return 2 * np.sqrt(sum(np.sin(frequency * offsets / 2) ** 2 for frequency in frequencies))


def dot_product_matrix(length, frequencies):
    r"""Compute the dot products of all pairs of positions.

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.

    Returns
    -------
    ndarray, shape (n, n)
        ``PE @ PE.T``, exactly symmetric, with d/2 on the diagonal.

    Examples
    --------
    >>> dot_product_matrix(3, [np.pi / 3, np.pi]).round(4)
    array([[ 2. , -0.5,  0.5],
           [-0.5,  2. , -0.5],
           [ 0.5, -0.5,  2. ]])
    """
    return _toeplitz(dot_product_at(np.arange(integer("length", length)), frequencies))


def distance_matrix(length, frequencies):
    r"""Compute the distances of all pairs of positions.

    Parameters
    ----------
    length : int
        Number of positions, n; at least 0.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.

    Returns
    -------
    ndarray, shape (n, n)
        Exactly symmetric, with exactly 0 on the diagonal.

    Examples
    --------
    >>> distance_matrix(3, [np.pi]).round(4)
    array([[0., 2., 0.],
           [2., 0., 2.],
           [0., 2., 0.]])
    """
    return _toeplitz(distance_at(np.arange(integer("length", length)), frequencies))


def _toeplitz(profile):
    """Return the matrix whose entry (s, t) is ``profile[abs(t - s)]``."""
    length = len(profile)
    mirrored = np.concatenate([profile[:0:-1], profile])
    return sliding_window_view(mirrored, length)[:length][::-1].copy()
