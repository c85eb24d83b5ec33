"""Scaled dot-product attention, which sees positions only if they are in its input."""

import numpy as np

from posenc._validation import as_attention_inputs, as_mask, as_scores, as_vectors


def softmax(scores):
    r"""Turn scores into weights that are positive and sum to 1 along the last axis.

    .. math:: \operatorname{softmax}(x)_j = \frac{e^{x_j - \max x}}{\sum_i e^{x_i - \max x}}

    The maximum cancels in the fraction. It is subtracted so that no exponential overflows.

    Parameters
    ----------
    scores : array_like, shape (..., m)
        Real numbers. A score of minus infinity gets the weight 0.

    Returns
    -------
    ndarray, shape (..., m)
        The weights.

    Raises
    ------
    TypeError, ValueError
        If the scores are not real numbers, hold NaN or plus infinity, or have no axis, or if a
        row has no score above minus infinity.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, arXiv:1706.03762.

    Examples
    --------
    >>> softmax([1000, 1000, -np.inf])
    array([0.5, 0.5, 0. ])
    """
    scores = as_scores(scores)
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def dot_product_attention(queries, keys, values, *, mask=None):
    r"""Mix the values, for each query, by how well the keys fit it.

    .. math:: \operatorname{softmax}\left( \frac{Q K^\top}{\sqrt{d_k}} \right) V

    Parameters
    ----------
    queries : array_like, shape (n, d_k)
        One row for each token that asks.
    keys : array_like, shape (m, d_k)
        One row for each token that is asked, at least one if there are queries.
    values : array_like, shape (m, d_v)
        What each of those tokens answers.
    mask : array_like of bool, shape (n, m), optional
        True where a query may attend to a key. Each query needs at least one such key.

    Returns
    -------
    output : ndarray, shape (n, d_v)
        One mixture of the values for each query.
    weights : ndarray, shape (n, m)
        Rows are queries, columns are keys; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, the shapes do not fit each other, or a product of a
        query and a key is beyond float64.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, arXiv:1706.03762.

    Examples
    --------
    >>> output, weights = dot_product_attention([[0.0]], [[5.0], [7.0]], [[1.0], [3.0]])
    >>> weights
    array([[0.5, 0.5]])
    >>> output
    array([[2.]])
    """
    queries, keys, values = as_attention_inputs(queries, keys, values)
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    if mask is not None:
        scores = np.where(as_mask(mask, scores.shape), scores, -np.inf)
    weights = softmax(scores)
    return weights @ values, weights


def self_attention(x, *, mask=None):
    r"""Let each row of a table attend to all rows of the same table.

    .. math:: \operatorname{softmax}\left( \frac{X X^\top}{\sqrt{d}} \right) X

    The rows are the queries, the keys and the values; nothing is learned.

    Parameters
    ----------
    x : array_like, shape (n, d)
        One row for each token.
    mask : array_like of bool, shape (n, n), optional
        True where a query may attend to a key. Each query needs at least one such key.

    Returns
    -------
    output : ndarray, shape (n, d)
        One mixture of the rows for each row.
    weights : ndarray, shape (n, n)
        Rows are queries, columns are keys; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a product of two rows is beyond float64.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, arXiv:1706.03762.

    Examples
    --------
    >>> causal = np.tri(2, dtype=bool)  # no token sees a later one
    >>> output, weights = self_attention([[0.0], [0.0]], mask=causal)
    >>> weights
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    x = as_vectors("x", x)
    return dot_product_attention(x, x, x, mask=mask)
