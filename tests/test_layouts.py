"""Weights are reordered by the columns that turn, and bfloat16 rounds to nearest."""

import math
from fractions import Fraction

import numpy as np
import pytest

from posenc.layouts import bfloat16, to_halves, to_pairs

LARGEST = (2 - 2**-7) * 2.0**127
RNG = np.random.default_rng(0)

# --- weights -----------------------------------------------------------------


def test_orders_say_where_each_row_comes_from():
    assert to_halves(np.arange(8), 1).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert to_pairs(np.arange(8), 1).tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert to_halves(np.arange(12), 2).tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert to_pairs(np.arange(12), 2, turned=4).tolist() == [0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11]


@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("turned", [None, 2, 6])
def test_orders_undo_each_other(heads, turned):
    for weights in (RNG.normal(size=(heads * 8, 5)).astype(np.float32), np.arange(heads * 8)):
        there = to_halves(weights, heads, turned=turned)
        assert there.dtype == weights.dtype
        assert np.array_equal(to_pairs(there, heads, turned=turned), weights)
        assert np.array_equal(there, weights) == (turned == 2)


def test_reordered_weights_give_the_scores_of_the_other_program():
    x, start = RNG.normal(size=(5, 12)), np.arange(5)
    queries, keys = RNG.normal(size=(2, 8, 12))
    speeds = np.array([1.0, 0.1, 0.01, 0.001])

    def turned(rows, apart):
        result = np.empty_like(rows)
        for k, speed in enumerate(speeds):
            i, j = (2 * k, 2 * k + 1) if apart == 1 else (k, k + apart)
            cosine, sine = np.cos(start * speed), np.sin(start * speed)
            result[:, i] = cosine * rows[:, i] - sine * rows[:, j]
            result[:, j] = sine * rows[:, i] + cosine * rows[:, j]
        return result

    ours = turned(x @ queries.T, 1) @ turned(x @ keys.T, 1).T
    queries, keys = to_halves(queries, 1), to_halves(keys, 1)
    assert np.allclose(turned(x @ queries.T, 4) @ turned(x @ keys.T, 4).T, ours)
    assert not np.allclose(turned(x @ queries.T, 1) @ turned(x @ keys.T, 1).T, ours)


@pytest.mark.parametrize(
    ("heads", "turned", "words"),
    [
        (5, None, "weights must have 5 heads, 5 \\* width rows, got 12; "),
        ({"query": 2}, None, "heads must be of q, k, v, gate, got query"),
        (2, [[0, 3], [1, 2]], "turned must pair neighbors, or columns half of those"),
        (0, None, "heads must be a positive integer, got 0"),
        (2, 8, "turned must be at most 6, the width of a head, got 8"),
        (2, 3, "turned must be a positive even integer, got 3"),
        (2, [4, 6], "turned must be columns from 0 to 5, got 4 to 6"),
        (2, [1, 1], r"turned must be an even number of columns, each once, got \[1, 1\]"),
    ],
)
def test_orders_name_what_does_not_fit(heads, turned, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        to_pairs(np.arange(12), heads, turned=turned)


def test_pairs_may_be_those_of_either_program():
    neighbors, apart = np.array([[0, 1], [6, 7]]), np.array([[0, 6], [1, 7]])
    for turned in (neighbors, apart, [0, 1, 6, 7]):
        there = to_halves(np.arange(12), 1, turned=turned)
        assert there.tolist() == [0, 6, 2, 3, 4, 5, 1, 7, 8, 9, 10, 11]
        assert to_pairs(there, 1, turned=turned).tolist() == list(range(12))


def test_fused_weights_are_reordered_by_parts():
    q, k, v = RNG.normal(size=(32, 3)), RNG.normal(size=(16, 3)), RNG.normal(size=(16, 3))
    stacked, parts = np.concatenate([q, k, v]), {"q": 4, "k": 2, "v": 2}
    expected = np.concatenate([to_halves(q, 4), to_halves(k, 2), v])
    assert np.array_equal(to_halves(stacked, parts, width=8), expected)
    assert np.array_equal(to_pairs(expected, parts, width=8), stacked)


def test_fused_weights_may_have_their_parts_head_by_head():
    q, k, v = RNG.normal(size=(3, 4, 8))  # four heads of eight numbers
    parts = {"q": 1, "k": 1, "v": 1}
    by_heads = np.stack([q, k, v], axis=1).ravel()
    ordered = [to_halves(part.ravel(), 4).reshape(4, 8) for part in (q, k)]
    expected = np.stack([*ordered, v], axis=1).ravel()
    assert np.array_equal(to_halves(by_heads, parts, width=8, groups=4), expected)


def test_fused_weights_are_refused_if_the_width_is_told():
    assert len(to_halves(np.arange(32), 4, width=8)) == 32
    words = r"weights must have 4 heads, 4 \* 8 rows, got 96; of a fused matrix name all parts"
    for parts in (4, {"q": 4}, {"q": 2, "k": 2}):
        with pytest.raises(ValueError, match=words):
            to_halves(np.arange(96), parts, width=8)


def test_last_columns_turn_in_matrices_of_latent_attention():
    queries = to_halves(np.arange(2 * 12), 2, width=12, turned=range(8, 12))
    assert queries.tolist()[8:14] == [8, 10, 9, 11, 12, 13]
    compressed = to_halves(np.arange(20), 1, turned=range(16, 20))
    assert compressed.tolist() == [*range(16), 16, 18, 17, 19]


# --- bfloat16 ----------------------------------------------------------------


def nearest(number):
    """Return the nearest number of eight binary digits, by fractions, ties to even."""
    if not number:
        return 0.0
    step = Fraction(2) ** (max(math.frexp(number)[1], -125) - 8)
    return float(round(Fraction(number) / step) * step)


def test_bfloat16_is_the_nearest_number_of_eight_digits():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=500) * 10.0 ** rng.uniform(-30, 30, size=500)
    whole = [*range(-1100, 1100), 5000, 4997, 65_535, 2**24 + 2, LARGEST]
    for values in (numbers.astype(np.float32), np.float32(whole)):
        rounded = bfloat16(values)
        assert rounded.dtype == np.float32
        assert rounded.tolist() == [nearest(float(value)) for value in values]


def test_bfloat16_takes_empty_lists_and_single_numbers():
    assert bfloat16([]).shape == (0,)
    assert bfloat16(-257) == -256
