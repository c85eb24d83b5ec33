"""The five shifts against the table itself, and the laws of the rotation."""

import mpmath
import numpy as np
import pytest
from cost import peak_memory
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_close, turned_in_polar_form

from posenc.encodings import angular_frequencies, encode, sinusoidal
from posenc.shifts import (
    packed_factors,
    rotation,
    shift_by_loop,
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
)

SHIFTS = [shift_by_loop, shift_by_matrix, shift_by_packing, shift_by_swapping, shift_by_phase]
EACH = pytest.mark.parametrize("shift", SHIFTS)

offsets = st.floats(-1000, 1000)
widths = st.integers(1, 10).map(lambda pairs: 2 * pairs)


@given(st.floats(-10, 10), offsets)
def test_rotation_is_the_printed_matrix(frequency, offset):
    with mpmath.workdps(40):
        cosine, sine = map(float, mpmath.cos_sin(mpmath.mpf(frequency) * mpmath.mpf(offset)))
    # an angle up to 1e4 is rounded by up to 9.1e-13
    assert_close(rotation(frequency, offset), [[cosine, sine], [-sine, cosine]], 1e-12)


def test_shift_matrix_has_the_rotations_on_its_diagonal_and_acts_on_columns():
    frequencies = angular_frequencies(8)
    matrix = shift_matrix(frequencies, 4)
    for k in range(4):
        block = slice(2 * k, 2 * k + 2)
        np.testing.assert_array_equal(matrix[block, block], rotation(frequencies[k], 4))
        matrix[block, block] = 0
    assert not matrix.any()
    now, later = encode(range(6), frequencies)[[1, 5]]
    assert_close(shift_matrix(frequencies, 4) @ now, later, 1e-15)


@given(st.lists(st.floats(-4, 4), min_size=1, max_size=5), offsets)
def test_factors_are_the_numbers_of_the_rotations(frequencies, offset):
    to_sine, to_cosine = packed_factors(frequencies, offset)
    for k, frequency in enumerate(frequencies):
        (cosine, sine), bottom = rotation(frequency, offset)
        assert_close([*to_sine[:, k], *to_cosine[:, k]], [cosine, sine, *bottom], 1e-15)


@EACH
@given(widths, offsets, offsets, st.integers(0, 5))
def test_every_row_is_the_encoding_of_the_later_position(shift, width, start, offset, length):
    frequencies = angular_frequencies(width)
    positions = start + np.arange(length)
    table, expected = encode([positions, positions + offset], frequencies)
    # start, offset and their sum give angles up to 2005, each rounded by up to 1.1e-13, twice
    assert_close(shift(table, frequencies, offset), expected, 2e-12)


@EACH
@pytest.mark.parametrize("offset", [0, 1, 100, -3, 0.5, -2.5])
def test_any_table_of_any_type_and_strides_is_turned_alike(shift, offset):
    rng = np.random.default_rng(3)
    encoding, frequencies = rng.normal(size=(18, 8)).astype(np.float32)[::2], rng.normal(size=4)
    before = encoding.copy(), frequencies.copy()
    shifted = shift(encoding, frequencies, offset)
    expected = turned_in_polar_form(encoding.astype(float), frequencies, [offset] * 9)
    # an angle of up to 300 is rounded by up to 2.8e-14 and moves points that are up to 3 from 0
    assert_close(shifted, expected, 1e-13)
    # What goes in stays as it is, and is no part of what comes out.
    np.testing.assert_array_equal(encoding, before[0])
    np.testing.assert_array_equal(frequencies, before[1])
    assert not np.shares_memory(shift(shifted, frequencies, offset), shifted)
    if offset == 0:
        np.testing.assert_array_equal(shifted, encoding)


@pytest.mark.parametrize(
    ("shift", "outputs"), [(shift_by_phase, 1.1), (shift_by_packing, 2.1), (shift_by_swapping, 4.1)]
)
def test_a_shift_needs_few_tables(shift, outputs):
    table, frequencies = sinusoidal(1000, 256), angular_frequencies(256)
    _, peak = peak_memory(shift, table, frequencies, 100)
    assert peak <= outputs * table.nbytes
