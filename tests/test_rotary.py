"""Turning queries and keys: against one rotation at a time, and the laws that it is made for."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import attention_by_loop, shifted_by_polar_form
from test_peers import recorded

from posenc import (
    angular_frequencies,
    apply_rotary,
    rotary_attention,
    shift_matrix,
    sinusoidal_by_definition,
)
from posenc.learning import turned

W8 = angular_frequencies(8)
widths = st.integers(1, 10).map(lambda pairs: 2 * pairs)
places = st.floats(-1000, 1000)


def rows(*shape, seed=0):
    return np.random.default_rng([9, seed]).normal(size=shape)


# --- turning rows ---


def test_each_row_is_turned_by_its_own_matrix():
    x = rows(5, 8)
    expected = [shift_matrix(W8, 7 + t) @ row for t, row in enumerate(x)]
    np.testing.assert_allclose(apply_rotary(x, W8, start=7), expected, rtol=0, atol=1e-14)


@given(widths, places, st.integers(0, 5))
def test_turning_is_adding_to_the_angle_of_each_pair(width, start, length):
    frequencies, x = angular_frequencies(width), rows(length, width)
    expected = [
        shifted_by_polar_form(row[None], frequencies, start + t)[0] for t, row in enumerate(x)
    ]
    # angles up to 1000 are rounded by up to 1.1e-13, and rows are less than 5 long
    np.testing.assert_allclose(
        apply_rotary(x, frequencies, start=start),
        np.reshape(expected, (length, width)),
        rtol=0,
        atol=1e-12,
    )


def test_entries_are_those_of_forty_digits():
    x, positions = rows(3, 6, seed=1), [0.0, 12.5, 70_000.0]
    found = apply_rotary(x, angular_frequencies(6), positions=positions)
    for row, before, position in zip(found, x, positions):
        for k, frequency in enumerate(angular_frequencies(6)):
            with mpmath.workdps(40):
                cosine, sine = mpmath.cos_sin(mpmath.mpf(float(frequency)) * position)
                first, second = (mpmath.mpf(float(it)) for it in before[2 * k : 2 * k + 2])
                pair = cosine * first + sine * second, cosine * second - sine * first
            # the angle 70 000 is rounded by up to 7.3e-12
            np.testing.assert_allclose(row[2 * k : 2 * k + 2], np.array(pair, float), atol=3e-11)


def test_it_is_what_the_head_of_notebook_8_learns_through():
    x = rows(2, 3, 6, 32)
    expected = turned(x, 100 + np.arange(6))
    np.testing.assert_allclose(
        apply_rotary(x, angular_frequencies(32), start=100), expected, rtol=0, atol=1e-14
    )


def test_position_zero_turned_is_the_table():
    zero = np.tile(sinusoidal_by_definition(1, 8), (20, 1))
    table = sinusoidal_by_definition(20, 8, start=3)
    np.testing.assert_allclose(apply_rotary(zero, W8, start=3), table, rtol=0, atol=1e-14)


def test_leading_axes_are_free_and_share_the_positions():
    x = rows(2, 3, 5, 8)
    whole = apply_rotary(x, W8, positions=[4, -1, 2.5, 4, 0])
    assert whole.shape == x.shape
    for i in range(2):
        for j in range(3):
            one = apply_rotary(x[i, j], W8, positions=[4, -1, 2.5, 4, 0])
            np.testing.assert_array_equal(whole[i, j], one)
    for row, position in zip(np.moveaxis(x, 2, 0), [4, -1, 2.5, 4, 0]):
        np.testing.assert_allclose(
            apply_rotary(row[..., None, :], W8, start=position)[..., 0, :],
            row @ shift_matrix(W8, position).T,
            atol=1e-14,
        )


def test_a_start_is_positions_one_by_one():
    x = rows(4, 8)
    np.testing.assert_array_equal(
        apply_rotary(x, W8, start=-2.5), apply_rotary(x, W8, positions=[-2.5, -1.5, -0.5, 0.5])
    )
    np.testing.assert_array_equal(
        apply_rotary(x, W8), apply_rotary(x, W8, start=0, positions=range(4))
    )


@pytest.mark.parametrize("width", [2, 6, 8, 100])
def test_lengths_stay(width):
    x = rows(50, width)
    found = apply_rotary(x, angular_frequencies(width), start=1e6)
    lengths = [np.linalg.norm(it, axis=1) for it in (x, found)]
    np.testing.assert_allclose(*lengths, rtol=1e-14)


def test_turning_back_and_turning_twice():
    x = rows(6, 8)
    back = apply_rotary(apply_rotary(x, W8, start=9), W8, positions=-9 - np.arange(6))
    np.testing.assert_allclose(back, x, rtol=0, atol=1e-14)
    twice = apply_rotary(apply_rotary(x, W8, start=9), W8, start=2)
    at_once = apply_rotary(x, W8, positions=11 + 2 * np.arange(6))
    np.testing.assert_allclose(twice, at_once, rtol=0, atol=1e-14)


def test_what_goes_in_stays_as_it_is_whatever_its_type():
    x = rows(3, 8).astype(np.float32)
    kept = x.copy()
    found = apply_rotary(x, W8, start=5)
    np.testing.assert_array_equal(x, kept)
    assert found.dtype == np.float64
    assert not np.shares_memory(apply_rotary(x.astype(float), W8), x)
    np.testing.assert_array_equal(apply_rotary(x.tolist(), W8.tolist(), start=5), found)
    backwards = np.ascontiguousarray(x[:, ::-1])
    np.testing.assert_array_equal(apply_rotary(x[:, ::-1], W8), apply_rotary(backwards, W8))
    assert apply_rotary(np.zeros((2, 0, 8)), W8).shape == (2, 0, 8)


# --- scores ---


def scores(queries, keys, frequencies, start):
    turned = [apply_rotary(it, frequencies, start=start) for it in (queries, keys)]
    return turned[0] @ turned[1].T


@given(widths, places)
def test_a_score_is_the_sum_of_turned_hands(width, start):
    frequencies, (queries, keys) = angular_frequencies(width), rows(2, 4, width)
    expected = np.zeros((4, 4))
    for s in range(4):
        for t in range(4):
            for k, frequency in enumerate(frequencies):
                q = complex(*queries[s, 2 * k : 2 * k + 2])
                x = complex(*keys[t, 2 * k : 2 * k + 2])
                product = q * x.conjugate()
                angle = np.angle(product)
                expected[s, t] += abs(product) * np.cos(frequency * (s - t) - angle)
    # both angles are rounded by up to 1.1e-13, each of up to 20 numbers of a row less than 5
    np.testing.assert_allclose(
        scores(queries, keys, frequencies, start), expected, rtol=0, atol=1e-11
    )


def test_scores_know_the_offset_alone():
    q, x = rows(2, 1, 8)
    products = {
        s: (apply_rotary(q, W8, start=s) @ apply_rotary(x, W8, start=s - 6).T).item()
        for s in (6, 50, 1000)
    }
    np.testing.assert_allclose(list(products.values()), products[6], rtol=0, atol=1e-12)
    np.testing.assert_allclose(products[6], (q @ shift_matrix(W8, -6) @ x.T).item(), atol=1e-13)


# --- attention ---


@pytest.mark.parametrize("start", [0, 2.5, -7, 1000])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_that_of_a_matrix_for_each_pair_of_places(start, masked):
    queries, keys, values = rows(5, 8), rows(7, 8, seed=1), rows(7, 3, seed=2)
    mask = np.tri(5, 7, 1, dtype=bool) if masked else None
    found = rotary_attention(queries, keys, values, W8, start=start, mask=mask)
    for s, query in enumerate(queries):
        # the key at t stands before the query as M(t - s) x does
        seen = np.array([shift_matrix(W8, t - s) @ key for t, key in enumerate(keys)])
        rule = None if mask is None else mask[s : s + 1]
        expected = attention_by_loop(query[None], seen, values, rule)
        for got, wanted in zip(found, expected):
            np.testing.assert_allclose(got[s], wanted[0], rtol=0, atol=1e-12)


def test_equal_words_are_told_apart_by_weights_and_not_by_what_they_get():
    twins = np.tile(rows(1, 8), (6, 1))
    output, weights = rotary_attention(twins, twins, twins, W8)
    assert np.ptp(weights, axis=0).min() > 0.01
    np.testing.assert_allclose(output, twins, rtol=0, atol=1e-14)


# --- other people's programs, which put the cosine first ---


def exchanged(pairs):
    """Return vectors of pairs with the two numbers of each pair exchanged."""
    return pairs.reshape(*pairs.shape[:-1], -1, 2)[..., ::-1].reshape(pairs.shape)


def from_halves(x):
    """Return vectors whose column k goes with column k + d/2 as pairs, the second number first."""
    return np.stack(np.split(x, 2, axis=-1)[::-1], axis=-1).reshape(x.shape)


@pytest.mark.parametrize("start", [0, 5])
@pytest.mark.parametrize("name", ["queries", "keys"])
def test_it_is_what_llama_computes_in_float64(name, start):
    found = recorded("transformers")
    np.testing.assert_allclose(
        apply_rotary(from_halves(found[name]), angular_frequencies(16), start=start),
        from_halves(found[f"llama_{name}_from_{start}"]),
        rtol=0,
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("package", "start"),
    [("rotary-embedding-torch", 0), ("rotary-embedding-torch", 5), ("x-transformers", 5)],
)
def test_it_is_what_others_compute_with_their_frequencies(package, start):
    found = recorded(package)
    queries, turned_there = found["queries"], found[f"queries_from_{start}"]
    # They round the frequencies to float32, and turn by them in float64.
    frequencies = found["frequencies"]
    np.testing.assert_allclose(frequencies, angular_frequencies(16), rtol=2.0**-23, atol=0)
    np.testing.assert_allclose(
        apply_rotary(exchanged(queries), frequencies, start=start),
        exchanged(turned_there),
        rtol=0,
        atol=1e-12,
    )
    # The cosine first is the other sense of turning.
    np.testing.assert_allclose(
        apply_rotary(queries, frequencies, positions=-start - np.arange(6)),
        turned_there,
        rtol=0,
        atol=1e-12,
    )


def test_it_is_what_gptj_computes_by_its_table_in_float32():
    found = recorded("transformers")
    np.testing.assert_allclose(
        apply_rotary(exchanged(found["queries"]), angular_frequencies(16), start=5),
        exchanged(found["gptj_queries_from_5"]),
        rtol=0,
        # at position 10 a sine may be off by 10 · 2⁻²³, and two of them meet queries of up to 4
        atol=8 * 11 * 2.0**-23,
    )


# --- what is refused ---


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (([1.0, 2.0], [1.0]), {}, r"^x must have shape \(\.\.\., n, 2\) to match 1 .*\(2,\)$"),
        (([[1.0, 2.0, 3.0]], [1.0]), {}, r"^x must have shape .* got shape \(1, 3\)$"),
        (([[1.0, 2.0]], [1.0, 0.1]), {}, r"^x must .* to match 2 frequencies, got shape \(1, 2\)"),
        (([[np.nan, 2.0]], [1.0]), {}, "^x must be finite, got nan$"),
        (([[1.0, 2.0]], []), {}, "^frequencies must have shape"),
        (([[1.0, 2.0]], [[1.0]]), {}, r"^frequencies must have shape \(d/2,\)"),
        (([[1.0, 2.0]], [1.0]), {"start": np.inf}, "^start must be finite, got inf"),
        (([[1.0, 2.0]], [1.0]), {"start": 2**53}, "^start must keep all positions between"),
        (([[1.0, 2.0]], [1.0]), {"positions": [1, 2]}, r"^positions .* \(1,\), one .* \(2,\)$"),
        (([[1.0, 2.0]], [1.0]), {"positions": 3}, r"^positions must have shape \(1,\)"),
        (([[1.0, 2.0]], [1.0]), {"positions": [np.nan]}, "^positions must be finite, got nan"),
        (
            ([[1.0, 2.0]], [1.0]),
            {"start": 5, "positions": [1]},
            "^start must stay 0 where positions are given, got 5$",
        ),
        (([[1.0, 2.0]], [1e300]), {"positions": [1e300]}, "^frequency times offset must be"),
    ],
)
def test_what_cannot_be_turned_is_refused_by_name(arguments, named, message):
    with pytest.raises(ValueError, match=message):
        apply_rotary(*arguments, **named)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, np.ones((2, 4)), r"^queries must have shape \(\.\.\., n, 8\) .* got shape \(2, 4\)$"),
        (1, np.ones(8), r"^keys must have shape .* got shape \(8,\)$"),
        (0, np.ones((1, 2, 8)), r"^queries must have shape \(n, width\) .* \(1, 2, 8\)$"),
        (2, np.ones((3, 8)), "^values must have one row for each key, 2"),
        (1, np.ones((0, 8)), "^keys must have at least one row"),
    ],
)
def test_attention_names_what_does_not_fit(place, value, message):
    arguments = [np.ones((2, 8)), np.ones((2, 8)), np.ones((2, 8))]
    arguments[place] = value
    with pytest.raises(ValueError, match=message):
        rotary_attention(*arguments, W8)
