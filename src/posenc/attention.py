r"""Scaled dot-product attention, which sees positions only if they are in its input.

**What the functions share.** A row of `queries`, shape (n, d_k), is a token that asks; one of
`keys`, shape (m, d_k), a token that is asked, at least one if there are queries; and the same row
of `values`, shape (m, d_v), what that token answers. A `mask` of booleans, shape (n, m), is True
where a query may attend to a key; each query needs such a key. A ``TypeError`` or a ``ValueError``
names an argument that is not like this, not finite, or does not fit the others.

**Where it is from.** Vaswani et al. (2017), Attention Is All You Need, section 3.2.1,
arXiv:1706.03762.
"""

import numpy as np

from posenc._validation import array


def softmax(scores):
    r"""Turn scores into weights that are positive and sum to 1 along the last axis.

    .. math:: \operatorname{softmax}(x)_j = \frac{e^{x_j - \max x}}{\sum_i e^{x_i - \max x}}

    The maximum cancels in the fraction. It is subtracted so that no exponential overflows.

    Parameters
    ----------
    scores : array_like, shape (..., m)
        Real numbers, with a finite maximum in each row. Minus infinity gets the weight 0.

    Returns
    -------
    ndarray, shape (..., m)
        The weights.

    Examples
    --------
    >>> softmax([1000, 1000, -np.inf])
    array([0.5, 0.5, 0. ])
    """
    scores = array("scores", scores, "(..., m)", finite=False)
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    if not np.isfinite(largest).all():
        found = largest[~np.isfinite(largest)][0]
        raise ValueError(f"scores must have a finite maximum in each row, got {found}")
    exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def dot_product_attention(queries, keys, values, *, mask=None):
    r"""Mix the values, for each query, by how well the keys fit it.

    .. math:: \operatorname{softmax}\left( \frac{Q K^\top}{\sqrt{d_k}} \right) V

    Parameters
    ----------
    queries, keys, values : array_like, shapes (n, d_k), (m, d_k) and (m, d_v)
        Who asks, who is asked, and what is answered.
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
    >>> output, weights = dot_product_attention([[0.0]], [[5.0], [7.0]], [[1.0], [3.0]])
    >>> weights
    array([[0.5, 0.5]])
    >>> output
    array([[2.]])
    """
    queries = array("queries", queries, "(n, d_k > 0)")
    count = "m > 0" if len(queries) else "m"
    keys = array("keys", keys, f"({count}, {queries.shape[1]}), as wide as the queries")
    values = array("values", values, f"({len(keys)}, d_v > 0), a row for each key")
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    if mask is not None:
        mask = array("mask", mask, f"({len(queries)}, {len(keys)}), queries by keys", dtype=bool)
        if not mask.any(axis=1).all():
            row = mask.any(axis=1).argmin()
            raise ValueError(f"mask must let each query attend to a key, got no True in row {row}")
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ values, weights


def self_attention(x, *, mask=None):
    """Let each row of a table attend to all rows of the same table.

    The rows are the queries, the keys and the values of `dot_product_attention`; nothing is
    learned.

    Parameters
    ----------
    x : array_like, shape (n, d)
        One row for each token.
    mask : array_like of bool, shape (n, n), optional

    Returns
    -------
    output : ndarray, shape (n, d)
    weights : ndarray, shape (n, n)

    Examples
    --------
    >>> causal = np.tri(2, dtype=bool)  # no token sees a later one
    >>> output, weights = self_attention([[0.0], [0.0]], mask=causal)
    >>> weights
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    x = array("x", x, "(n, d > 0)")
    return dot_product_attention(x, x, x, mask=mask)
