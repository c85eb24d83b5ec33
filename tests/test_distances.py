"""Products and distances of positions against the table and against 40 digits."""

import mpmath
import numpy as np
import pytest
from cost import peak_memory
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_close, exact_distance, exact_frequencies, exact_product, table_by_loop

from posenc.distances import distance_at, distance_matrix, dot_product_at, dot_product_matrix
from posenc.encodings import angular_frequencies, encode

MATRICES = pytest.mark.parametrize("matrix", [dot_product_matrix, distance_matrix])
AT = pytest.mark.parametrize("at", [dot_product_at, distance_at])


@given(st.integers(1, 10), st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_products_depend_on_the_offset_only(pairs, start, offset):
    frequencies = angular_frequencies(2 * pairs)
    here, there = encode([start, start + offset], frequencies)
    # up to 10 pairs, each angle up to 2000 and rounded by up to 1.1e-13 a few times
    assert dot_product_at(offset, frequencies) == pytest.approx(here @ there, abs=5e-12)
    expected = np.linalg.norm(here - there)
    assert distance_at(offset, frequencies) == pytest.approx(expected, abs=5e-12)


@AT
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 1, 4)])
def test_offsets_of_any_shape_before_as_after(at, shape):
    frequencies, offsets = angular_frequencies(6), np.full(shape, 2.5)
    expected = np.full(shape, at(2.5, frequencies))
    np.testing.assert_array_equal(at(offsets, frequencies), expected)
    np.testing.assert_array_equal(at(-offsets, frequencies), expected)


@pytest.mark.parametrize("offset", [0, 1e-150, 1e-20, 1e-12, -1e-9, 1e-6, 1e-3, 1.0])
def test_tiny_offsets_keep_their_digits(offset):
    frequencies = angular_frequencies(16)
    with mpmath.workdps(350):  # the cosine of 1e-150 differs from 1 after 300 digits
        exact = float(exact_distance(offset, frequencies))
    assert distance_at(offset, frequencies) == pytest.approx(exact, rel=1e-14, abs=0)


@MATRICES
@pytest.mark.parametrize("length", [0, 1, 2, 3, 65])
def test_matrix_is_that_of_the_table(matrix, length):
    width = 20
    table = table_by_loop(length, width)
    if matrix is dot_product_matrix:
        expected = table @ table.T
    else:
        expected = np.linalg.norm(table[:, None] - table[None, :], axis=-1)
    result = matrix(length, angular_frequencies(width))
    # angles up to 65
    assert_close(result, expected, 1e-13)
    result[:1] = 99  # it may be written to, one number at a time
    assert (result[1:] != 99).all()


@MATRICES
def test_matrix_is_exactly_symmetric_and_toeplitz(matrix):
    result = matrix(100, angular_frequencies(64))
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_array_equal(result[1:, 1:], result[:-1, :-1])
    assert result[0, 0] == (32 if matrix is dot_product_matrix else 0)


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=10), st.integers(1, 40))
def test_distances_of_any_frequencies_are_the_closed_form(frequencies, length):
    # Where the encodings nearly meet again, 1 - cos would keep half of the digits only.
    expected = distance_at(np.arange(length), frequencies)
    # angles up to 160 are rounded by 1.4e-14, and a square of at least 1/50 halves few digits
    assert_close(distance_matrix(length, frequencies)[0], expected, 2e-12)


def test_distances_keep_the_digits_of_slow_pairs_and_of_positions_that_meet_again():
    result = distance_matrix(4, [1e-9])  # a chord is as long as its angle up to 1e-18
    np.testing.assert_allclose(result[0], [0, 1e-9, 2e-9, 3e-9], rtol=1e-14)
    for turns in (1, 3):
        result = distance_matrix(8, [2 * np.pi * turns / 7])
        assert result[0, 7] == pytest.approx(0, abs=1e-14)


@MATRICES
@pytest.mark.parametrize("length", [1000, 4096])
def test_large_matrix_against_forty_digits(matrix, length):
    row = matrix(length, angular_frequencies(512))[0]
    exactly = exact_product if matrix is dot_product_matrix else exact_distance
    for offset in [1, 2, 100, length // 2 + 3, length - 1]:
        with mpmath.workdps(40):
            exact = float(exactly(offset, exact_frequencies(512)))
        # Angles up to 4096 are rounded by 4.5e-13; 256 such terms add up at random.
        assert abs(row[offset] - exact) <= 1e-12


@MATRICES
@pytest.mark.parametrize("slowness", [1, 1e-9])
def test_a_matrix_needs_little_memory_beside_itself(matrix, slowness):
    result, peak = peak_memory(matrix, 1000, slowness * angular_frequencies(8192))
    # The encodings of all positions would be 66 MB.
    assert peak < 1.05 * result.nbytes
