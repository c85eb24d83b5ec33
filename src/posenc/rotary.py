r"""Rotary position embeddings: queries and keys are turned by their positions, nothing is added.

A query q at position s and a key x at position t are turned as if the position zero in each moved
to its place, and then compared:

.. math:: (M(s)\, q)^\top (M(t)\, x) = q^\top M(t - s)\, x

The score depends on the positions through their difference alone. As one complex number for each
pair, :math:`z = \text{sine} + i\, \text{cosine}`, a turn by t is a product with
:math:`e^{-i \omega_k t}`, and the score is the sum of

.. math:: \operatorname{Re} \bigl( z_q \bar z_x\, e^{-i \omega_k (s - t)} \bigr)
    = A_k \cos\bigl( \omega_k (s - t) - \delta_k \bigr), \qquad
    A_k e^{i \delta_k} = z_q \bar z_x

**The layout** is the course's: columns 2k and 2k + 1 are pair k, the sine first. RoFormer has the
same pairs, but the cosine first, and so turns the same two numbers the other way: what it makes of
the row at t is ``apply_rotary(x, frequencies, positions=-t)``. Matrices that were trained with one
sense, or one way to pair the columns, want the same again; some programs pair column k with column
k + d/2.

A ``TypeError`` or a ``ValueError`` names an argument that is not as described.

**Where it is from.** J. Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position
Embedding, section 3.2 and, for the turning, equation 34, arXiv:2104.09864.
"""

import numpy as np

from posenc._validation import PAIRS, array, first_position, number
from posenc.attention import dot_product_attention


def apply_rotary(x, frequencies, *, start=0, positions=None):
    r"""Turn each row by its position: row t by M(start + t), or by M(positions[t]).

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        Queries or keys, a row for each position. Every leading index, of a head or of a text of
        a batch, has the same positions.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    start : float, default: 0
        Position of the first row, where the others follow one by one.
    positions : array_like, shape (n,), optional
        The positions themselves, where they do not follow one by one: any real numbers. `start`
        then stays 0.

    Returns
    -------
    ndarray, shape (..., n, d)
        The turned rows, as long as they were.

    Examples
    --------
    >>> apply_rotary([[0.0, 1.0], [0.0, 1.0]], [np.pi / 6]).round(4)
    array([[0.   , 1.   ],
           [0.5  , 0.866]])
    """
    frequencies = array("frequencies", frequencies, PAIRS)
    x = array("x", x, _rows(frequencies))
    positions = _positions(positions, start, x.shape[-2])
    phases = np.exp(-1j * np.outer(positions, frequencies))
    return (x.view(complex) * phases).view(float)


def rotary_attention(queries, keys, values, frequencies, *, start=0, mask=None):
    r"""Mix the values, for each query, by how well the keys fit it at their distance.

    .. math:: \operatorname{softmax}\left( \frac{
        q_s^\top M(t - s)\, x_t}{\sqrt{d_k}} \right) V

    Queries and keys are turned after the learned matrices that made them; values are not.

    Parameters
    ----------
    queries, keys, values : array_like, shapes (n, d_k), (m, d_k) and (m, d_v)
        Who asks, who is asked, and what is answered, as in `posenc.attention`.
    frequencies : array_like, shape (d_k/2,)
        Angular frequencies of the pairs, in radians per position.
    start : float, default: 0
        Position of the first query and of the first key. The result does not depend on it.
    mask : array_like of bool, shape (n, m), optional
        True where a query may attend to a key.

    Returns
    -------
    output : ndarray, shape (n, d_v)
        One mixture of the values for each query.
    weights : ndarray, shape (n, m)
        Rows are queries, columns are keys; each row sums to 1.

    Examples
    --------
    >>> rows = [[0.0, 4.0], [0.0, 4.0]]  # twins
    >>> output, weights = rotary_attention(rows, rows, rows, [np.pi / 3])
    >>> weights.round(3)
    array([[0.997, 0.003],
           [0.003, 0.997]])
    """
    queries = array("queries", queries, _rows(frequencies))
    keys = array("keys", keys, _rows(frequencies))
    queries = apply_rotary(queries, frequencies, start=start)
    keys = apply_rotary(keys, frequencies, start=start)
    return dot_product_attention(queries, keys, values, mask=mask)


def _rows(frequencies):
    """Return what shape rows have that fit the frequencies."""
    pairs = len(array("frequencies", frequencies, PAIRS))
    return f"(..., n, {2 * pairs}) for {pairs} frequencies"


def _positions(positions, start, length):
    """Return the positions of `length` rows."""
    if positions is None:
        return first_position(start, length) + np.arange(length)
    if number("start", start) != 0:
        raise ValueError(f"start must stay 0 where positions are given, got {start}")
    return array("positions", positions, f"({length},), one for each row")
