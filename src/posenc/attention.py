r"""Scaled dot-product attention, which sees positions only if they are in its input.

`dot_product_attention` is from Vaswani et al. (2017), Attention Is All You Need, section 3.2.1,
arXiv:1706.03762.
"""

import numpy as np

from posenc._validation import SOME, array


def softmax(scores):
    r"""Compute the softmax along the last axis: positive weights that sum to 1.

    .. math:: \operatorname{softmax}(x)_j = \frac{e^{x_j - \max x}}{\sum_i e^{x_i - \max x}}

    The maximum cancels in the fraction. It's subtracted to keep exponentials from overflowing.

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
    scores = array("scores", scores, (..., None), finite=False)
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    if not np.isfinite(largest).all():
        value = largest[~np.isfinite(largest)][0]
        raise ValueError(f"scores must have a finite maximum in each row, got {value}")
    exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def dot_product_attention(queries, keys, values, *, mask=None):
    r"""Compute scaled dot-product attention.

    .. math:: \operatorname{softmax}\left( \frac{Q K^\top}{\sqrt{d_k}} \right) V

    Parameters
    ----------
    queries : array_like, shape (n, d_k)
        A row for each token that asks.
    keys : array_like, shape (m, d_k)
        A row for each token that is asked; at least one if there are queries.
    values : array_like, shape (m, d_v)
        What each of these tokens answers.
    mask : array_like of bool, shape (n, m), optional
        True where a query may attend to a key. Each query needs such a key.

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
    queries = array("queries", queries, (None, SOME))
    count = SOME if len(queries) else None
    keys = array("keys", keys, (count, queries.shape[1]), why="to fit the queries")
    values = array("values", values, (len(keys), SOME), why="to fit the keys")
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    if mask is not None:
        mask = array("mask", mask, scores.shape, why="for queries by keys", dtype=bool)
        if not mask.any(axis=1).all():
            row = mask.any(axis=1).argmin()
            raise ValueError(f"mask must let each query attend to a key, got no True in row {row}")
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ values, weights


def self_attention(x, *, mask=None):
    """Compute self-attention over the rows of a table.

    The rows are the queries, the keys and the values of `dot_product_attention`; nothing is
    learned.

    Parameters
    ----------
    x : array_like, shape (n, d)
        One row for each token.
    mask : array_like of bool, shape (n, n), optional
        True where a row may attend to another. Each row needs one.

    Returns
    -------
    output : ndarray, shape (n, d)
        One mixture of the rows for each row.
    weights : ndarray, shape (n, n)
        Each row sums to 1.

    Examples
    --------
    >>> causal = np.tri(2, dtype=bool)  # no token sees a later one
    >>> output, weights = self_attention([[0.0], [0.0]], mask=causal)
    >>> weights
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    x = array("x", x, (None, SOME))
    return dot_product_attention(x, x, x, mask=mask)
