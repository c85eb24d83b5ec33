"""Attention against a plain double loop, and what softmax does at the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracles import attention_by_loop

from posenc.attention import dot_product_attention, self_attention, softmax


def random_inputs():
    rng = np.random.default_rng(5)
    return rng.normal(size=(4, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))


@given(
    hnp.arrays(float, hnp.array_shapes(max_dims=3, max_side=5), elements=st.floats(-1e300, 1e300)),
    st.floats(-100, 100),
)
def test_softmax_gives_weights_that_a_constant_does_not_change(scores, constant):
    weights = softmax(scores)
    assert weights.shape == scores.shape
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    near = scores % 10
    np.testing.assert_allclose(softmax(near + constant), softmax(near), rtol=1e-12)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        (np.log([1, 2, 5]), np.array([1, 2, 5]) / 8),
        ([1000, 0], [1, 0]),  # the exponential of 1000 is beyond float64
        ([-1000, -1000], [0.5, 0.5]),
        ([[-np.inf, 3, -np.inf], [0, -np.inf, 0]], [[0, 1, 0], [0.5, 0, 0.5]]),
        (np.empty((0, 3)), np.empty((0, 3))),
        (np.empty((0, 0)), np.empty((0, 0))),
    ],
)
def test_softmax_at_the_edges(scores, weights):
    np.testing.assert_allclose(softmax(scores), weights, rtol=1e-14)  # exp may miss the last digit
    assert softmax(scores).shape == np.shape(weights)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_the_double_loop(masked):
    inputs, mask = random_inputs(), None
    if masked:
        mask = np.random.default_rng(6).random((4, 5)) < 0.6
        mask[:, 2] = True
    before = [x.copy() for x in inputs]
    output, weights = dot_product_attention(*inputs, mask=mask)
    expected = attention_by_loop(*inputs, mask)
    np.testing.assert_allclose(output, expected[0], rtol=1e-13)
    np.testing.assert_allclose(weights, expected[1], rtol=1e-13)
    if masked:
        assert (weights[~mask] == 0).all()  # exactly: what is hidden does not leak
    for x, y in zip(inputs, before):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize(("tokens", "mask"), [(6, None), (6, np.tri(6, dtype=bool)), (0, None)])
def test_self_attention_asks_itself(tokens, mask):
    x = np.random.default_rng(7).normal(size=(tokens, 4))
    for result, expected in zip(
        self_attention(x, mask=mask), dot_product_attention(x, x, x, mask=mask)
    ):
        np.testing.assert_array_equal(result, expected, strict=True)
    assert result.shape == (tokens, tokens)
