"""Rotating queries and keys, compared with one rotation at a time, and by its laws.

`test_peers.py` compares with other programs.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_close, attention_by_loop, turned_in_polar_form

from posenc.attention import dot_product_attention
from posenc.encodings import angular_frequencies
from posenc.rotary import apply_rotary
from posenc.shifts import shift_matrix

W8 = angular_frequencies(8)
widths = st.integers(1, 10).map(lambda pairs: 2 * pairs)
places = st.floats(-1000, 1000)


def rows(*shape, seed=0):
    return np.random.default_rng([9, seed]).normal(size=shape)


@given(widths, st.lists(places, max_size=5), st.booleans())
def test_turning_is_adding_to_the_angle_of_each_pair(width, positions, consecutive):
    frequencies, x = angular_frequencies(width), rows(len(positions), width)
    if consecutive and positions:
        positions = [positions[0] + t for t in range(len(positions))]
        rotated = apply_rotary(x, frequencies, start=positions[0])
    else:
        rotated = apply_rotary(x, frequencies, positions=positions)
    # angles up to 1000 are rounded by up to 1.1e-13, and rows are less than 5 long
    assert_close(rotated, turned_in_polar_form(x, frequencies, positions), 1e-12)


def test_leading_axes_are_free_and_share_the_positions():
    x, positions = rows(2, 3, 5, 8), [4, -1, 2.5, 4, 0]
    whole = apply_rotary(x, W8, positions=positions)
    for i, j in np.ndindex(2, 3):
        alone = apply_rotary(x[i, j], W8, positions=positions)
        np.testing.assert_array_equal(whole[i, j], alone, strict=True)
    assert apply_rotary(np.zeros((2, 0, 8)), W8).shape == (2, 0, 8)


def test_what_goes_in_stays_as_it_is_whatever_its_type_and_strides():
    x = rows(3, 16).astype(np.float32)[:, ::2]
    original = x.copy()
    rotated = apply_rotary(x, W8)
    expected = turned_in_polar_form(x.astype(float), W8, range(3))
    assert_close(rotated, expected, 1e-14)
    np.testing.assert_array_equal(x, original)
    assert not np.shares_memory(apply_rotary(rotated, W8), rotated)


@pytest.mark.parametrize("start", [0, 2.5, -7, 1000])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_that_of_a_matrix_for_each_pair_of_places(start, masked):
    queries, keys, values = rows(5, 8), rows(7, 8, seed=1), rows(7, 3, seed=2)
    mask = np.tri(5, 7, 1, dtype=bool) if masked else None
    rotated = (apply_rotary(x, W8, start=start) for x in (queries, keys))
    results = dot_product_attention(*rotated, values, mask=mask)
    for s, query in enumerate(queries):
        # to the query at s, the key at t is M(t - s) x
        shifted = np.array([shift_matrix(W8, t - s) @ key for t, key in enumerate(keys)])
        row = None if mask is None else mask[s : s + 1]
        expected = attention_by_loop(query[None], shifted, values, row)
        for result, alone in zip(results, expected):
            assert_close(result[s], alone[0], 1e-12)
