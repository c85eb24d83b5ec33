"""Attention against a plain double loop, and what it can and cannot see."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracles import attention_by_loop

from posenc import angular_frequencies, shift_matrix, sinusoidal
from posenc.attention import dot_product_attention, self_attention, softmax


def random_inputs(seed=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))


# --- softmax ---


@given(
    hnp.arrays(float, hnp.array_shapes(max_dims=3, max_side=5), elements=st.floats(-1e300, 1e300)),
    st.floats(-100, 100),
)
def test_softmax_gives_weights(scores, constant):
    weights = softmax(scores)
    assert weights.shape == scores.shape
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    near = scores % 10
    np.testing.assert_allclose(softmax(near + constant), softmax(near), rtol=1e-12)


def test_softmax_is_the_formula():
    exponentials = [math.exp(x) for x in (-1, 0, 2.5)]
    expected = [e / sum(exponentials) for e in exponentials]
    np.testing.assert_allclose(softmax([-1, 0, 2.5]), expected, rtol=1e-15)


def test_softmax_does_not_overflow():
    assert softmax([1000, 0]).tolist() == [1, 0]
    assert softmax([-1000, -1000]).tolist() == [0.5, 0.5]


def test_softmax_of_minus_infinity_is_zero():
    assert softmax([[-np.inf, 3, -np.inf], [0, -np.inf, 0]]).tolist() == [[0, 1, 0], [0.5, 0, 0.5]]


def test_softmax_takes_fractions_and_integers_beyond_64_bits():
    assert softmax([Fraction(1, 2), 0.5]).tolist() == [0.5, 0.5]
    assert softmax([10**30, 10**29]).tolist() == [1, 0]


def test_softmax_of_no_rows_is_empty():
    assert softmax(np.empty((0, 3))).shape == (0, 3)
    assert softmax(np.empty((0, 0))).shape == (0, 0)


# --- attention ---


def test_attention_is_the_double_loop():
    inputs = random_inputs()
    for result, expected in zip(dot_product_attention(*inputs), attention_by_loop(*inputs)):
        np.testing.assert_allclose(result, expected, rtol=1e-13)


def test_mask_says_who_may_attend():
    inputs = random_inputs()
    mask = np.random.default_rng(6).random((4, 5)) < 0.6
    mask[:, 2] = True
    output, weights = dot_product_attention(*inputs, mask=mask)
    expected = attention_by_loop(*inputs, mask)
    np.testing.assert_allclose(output, expected[0], rtol=1e-13)
    np.testing.assert_allclose(weights, expected[1], rtol=1e-13)
    assert (weights[~mask] == 0).all()
    assert (weights[mask] > 0).all()


def test_masked_values_do_not_leak():
    queries, keys, values = random_inputs()
    mask = [[True, True, True, True, False]] * 4
    before, _ = dot_product_attention(queries, keys, values, mask=mask)
    keys[4], values[4] = 100, 1e6
    after, _ = dot_product_attention(queries, keys, values, mask=mask)
    np.testing.assert_array_equal(before, after)


def test_rows_of_the_weights_are_queries():
    _, weights = dot_product_attention(*random_inputs())
    assert weights.shape == (4, 5)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)


def test_self_attention_asks_itself():
    x = np.random.default_rng(7).normal(size=(6, 4))
    causal = np.tri(6, dtype=bool)
    for mask in (None, causal):
        for result, expected in zip(
            self_attention(x, mask=mask), dot_product_attention(x, x, x, mask=mask)
        ):
            np.testing.assert_array_equal(result, expected)


def test_self_attention_permutes_with_its_input():
    rng = np.random.default_rng(8)
    x, order = rng.normal(size=(7, 4)), rng.permutation(7)
    output, weights = self_attention(x)
    permuted_output, permuted_weights = self_attention(x[order])
    np.testing.assert_allclose(permuted_output, output[order], rtol=1e-12)
    np.testing.assert_allclose(permuted_weights, weights[np.ix_(order, order)], rtol=1e-12)


def test_twins_differ_only_with_positions():
    words = np.random.default_rng(9).normal(size=(5, 16))
    words[3] = words[1]
    _, weights = self_attention(words)
    np.testing.assert_allclose(weights[1], weights[3], rtol=1e-14)
    _, weights = self_attention(words + sinusoidal(5, 16))
    assert abs(weights[1] - weights[3]).max() > 0.01


def test_shift_matrix_looks_back():
    table, back = sinusoidal(40, 64), 3
    looking = table @ shift_matrix(angular_frequencies(64), -back).T
    _, weights = dot_product_attention(50 * looking, table, table)
    assert (weights.argmax(axis=1)[back:] == np.arange(40 - back)).all()


def test_self_attention_of_no_tokens_is_empty():
    output, weights = self_attention(np.empty((0, 4)))
    assert output.shape == (0, 4)
    assert weights.shape == (0, 0)


def test_inputs_are_left_alone():
    inputs = random_inputs()
    mask = np.ones((4, 5), dtype=bool)
    before = [x.copy() for x in inputs]
    dot_product_attention(*inputs, mask=mask)
    for x, y in zip(inputs, before):
        np.testing.assert_array_equal(x, y)
    assert mask.all()


# --- bad input ---


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([0, np.nan], ValueError, "scores must not hold NaN or plus infinity, got nan"),
        (
            [[0], [np.inf]],
            ValueError,
            "scores must not hold NaN or plus infinity, got inf in row 1",
        ),
        (
            [[[0], [0]], [[0], [np.nan]]],
            ValueError,
            "scores must not hold NaN or plus infinity, got nan in row 1, 1",
        ),
        (
            [[0, 1], [-np.inf, -np.inf]],
            ValueError,
            "scores must have a finite number in each row, got none in row 1",
        ),
        ([], ValueError, "scores must have a finite number in each row, got none"),
        (3.0, ValueError, "scores must be an array with an axis, got 3.0"),
        (
            [1, -(10**400)],
            ValueError,
            f"scores must be finite as float64, got -1{16 * '0'}...{19 * '0'}",
        ),
        ("abc", TypeError, "scores must be real numbers, got 'abc'"),
    ],
)
def test_softmax_says_what_is_wrong_with_the_scores(scores, error, message):
    with pytest.raises(error) as raised:
        softmax(scores)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"queries": [1.0, 2.0]},
            ValueError,
            "queries must have shape (n, width) with at least one column, got shape (2,)",
        ),
        (
            {"keys": np.zeros((5, 0))},
            ValueError,
            "keys must have shape (n, width) with at least one column, got shape (5, 0)",
        ),
        (
            {"keys": np.zeros((0, 3)), "values": np.zeros((0, 2))},
            ValueError,
            "keys must have at least one row for the queries to attend to, got shape (0, 3)",
        ),
        (
            {"queries": [[1, 0, 0], [0, 1e200, 0]], "keys": [[1, 1, 1]] * 4 + [[0, 1e200, 0]]},
            ValueError,
            "queries and keys must have products that float64 can hold, "
            "got inf for query 1 and key 4",
        ),
        (
            {"keys": np.zeros((5, 4))},
            ValueError,
            "keys must be as wide as the queries, 3, got shape (5, 4)",
        ),
        (
            {"values": np.zeros((4, 2))},
            ValueError,
            "values must have one row for each key, 5, got shape (4, 2)",
        ),
        ({"values": [[np.nan]] * 5}, ValueError, "values must be finite, got nan"),
        ({"queries": [["a"]]}, TypeError, "queries must be real numbers, got [['a']]"),
        (
            {"mask": [[1, 0]]},
            TypeError,
            "mask must be boolean, True = may attend, got [[1, 0]]",
        ),
        (
            {"mask": [[True], [True, False]]},
            ValueError,
            "mask must be a regular array of booleans, got rows of different lengths: "
            "[[True], [True, False]]",
        ),
        (
            {"mask": np.ones((5, 4), bool)},
            ValueError,
            "mask must have shape (queries, keys) = (4, 5), got (5, 4)",
        ),
        (
            {"mask": [[True] * 5, [True] * 5, [False] * 5, [True] * 5]},
            ValueError,
            "mask must let each query attend to a key, got only False in row 2",
        ),
    ],
)
def test_attention_names_the_argument_that_is_wrong(change, error, message):
    queries, keys, values = random_inputs()
    arguments = {"queries": queries, "keys": keys, "values": values} | change
    with pytest.raises(error) as raised:
        dot_product_attention(**arguments)
    assert str(raised.value) == message


def test_self_attention_names_the_argument_that_is_wrong():
    shape = r"^x must have shape \(n, width\) with at least one column, got shape \(3,\)$"
    with pytest.raises(ValueError, match=shape):
        self_attention([1.0, 2.0, 3.0])
    with pytest.raises(
        TypeError, match=r"^mask must be boolean, True = may attend, got \[\[1\]\]$"
    ):
        self_attention([[1.0]], mask=[[1]])


def test_large_inputs_whose_products_are_finite_are_taken():
    # One product could be beyond float64, had the two not their numbers in different columns.
    _, weights = dot_product_attention([[1e200, 0]], [[0, 1e200], [1e-200, 0]], [[1.0], [2.0]])
    np.testing.assert_allclose(weights, softmax([[0, 1 / math.sqrt(2)]]), rtol=1e-15)


def test_products_that_are_infinity_minus_infinity_are_refused():
    queries, keys = [[0, 1, 1], [1e200, 1e200, 1]], [[1, 1, 1], [1e200, -1e200, 1]]
    # Which of the two the sum becomes depends on how a machine adds.
    message = r"^queries and keys must have products .*, got (nan|-?inf) for query 1 and key 1$"
    with pytest.raises(ValueError, match=message):
        dot_product_attention(queries, keys, [[1.0], [2.0]])
