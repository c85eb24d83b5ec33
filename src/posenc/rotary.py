r"""Rotary position embeddings: queries and keys are turned by their positions, nothing is added.

A query q at position s and a key x at position t are turned and then compared:

.. math:: (M(s)\, q)^\top (M(t)\, x) = q^\top M(t - s)\, x

The score depends only on the offset. As one complex number for each pair,
:math:`z = \text{sine} + i\, \text{cosine}`, a turn by t is a product with
:math:`e^{-i \omega_k t}`. Turned queries and keys, and values as they are, go to
`posenc.attention.dot_product_attention`.

**The layout** is the course's: columns 2k and 2k + 1 are pair k, the sine first. RoFormer has the
same pairs, but the cosine first, and so turns the same two numbers the other way: its result for
the row at t is ``apply_rotary(x, frequencies, positions=-t)``. Matrices that were trained with one
sense, or one way to pair the columns, need the same again; some programs pair column k with column
k + d/2.

The turning is from J. Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position
Embedding, section 3.2 and equation 34, arXiv:2104.09864.
"""

import numpy as np

from posenc._validation import PAIRS, array, first_position, number


def apply_rotary(x, frequencies, *, start=0, positions=None):
    r"""Rotate each row by its position: row t by M(start + t), or by M(positions[t]).

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
    pairs = len(frequencies)
    x = array("x", x, (..., None, 2 * pairs), why=f"for {pairs} frequencies")
    length = x.shape[-2]
    if positions is None:
        positions = first_position(start, length) + np.arange(length)
    elif number("start", start) != 0:
        raise ValueError(f"start must stay 0 where positions are given, got {start}")
    positions = array("positions", positions, (length,), why="to fit the rows")
    phases = np.exp(-1j * np.outer(positions, frequencies))
    return (x.view(complex) * phases).view(float)
