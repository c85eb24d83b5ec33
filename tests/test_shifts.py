"""The five shifts against the table itself, and the laws of the rotation."""

import mpmath
import numpy as np
import pytest
from cost import lines_executed, peak_memory, transcendental_values
from hypothesis import given
from hypothesis import strategies as st
from oracles import shifted_by_polar_form, table_by_loop

from posenc import (
    angular_frequencies,
    packed_factors,
    rotation,
    shift_by_loop,
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
    sinusoidal_by_definition,
    swap_factors,
)
from posenc.shifts import continue_by_doubling, phase_factors

SHIFTS = [shift_by_loop, shift_by_matrix, shift_by_packing, shift_by_swapping, shift_by_phase]
EACH = pytest.mark.parametrize("shift", SHIFTS)

offsets = st.floats(-1000, 1000)
widths = st.integers(1, 10).map(lambda pairs: 2 * pairs)


@pytest.fixture
def table():
    return sinusoidal_by_definition(12, 10)


@pytest.fixture
def frequencies():
    return angular_frequencies(10)


# --- rotations and matrices ---


@given(st.floats(-10, 10), offsets)
def test_rotation_is_the_printed_matrix(frequency, offset):
    with mpmath.workdps(40):
        cosine, sine = map(float, mpmath.cos_sin(mpmath.mpf(frequency) * mpmath.mpf(offset)))
    # an angle up to 1e4 is rounded by up to 9.1e-13
    np.testing.assert_allclose(
        rotation(frequency, offset), [[cosine, sine], [-sine, cosine]], rtol=0, atol=1e-12
    )


def test_shift_matrix_has_the_rotations_on_its_diagonal():
    matrix = shift_matrix([1, 0.1], 3)
    np.testing.assert_array_equal(matrix[:2, :2], rotation(1, 3))
    np.testing.assert_array_equal(matrix[2:, 2:], rotation(0.1, 3))
    assert not matrix[:2, 2:].any()
    assert not matrix[2:, :2].any()


def test_shift_matrix_acts_on_columns():
    frequencies = angular_frequencies(8)
    now, later = sinusoidal_by_definition(6, 8)[[1, 5]]
    np.testing.assert_allclose(shift_matrix(frequencies, 4) @ now, later, rtol=0, atol=1e-15)


@given(widths, offsets, offsets)
def test_shifts_add_up(width, first, second):
    frequencies = angular_frequencies(width)
    product = shift_matrix(frequencies, first) @ shift_matrix(frequencies, second)
    # the three angles, up to 2000, are rounded by 1.1e-13 each, and so is their sum
    np.testing.assert_allclose(
        product, shift_matrix(frequencies, first + second), rtol=0, atol=1e-12
    )


@given(widths, offsets)
def test_shift_matrix_is_orthogonal(width, offset):
    frequencies = angular_frequencies(width)
    matrix = shift_matrix(frequencies, offset)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(width), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(matrix.T, shift_matrix(frequencies, -offset))


def test_packed_factors_are_the_rows_of_the_rotations(frequencies):
    to_sine, to_cosine = packed_factors(frequencies, 2.5)
    assert to_sine.shape == to_cosine.shape == (2, 5)
    for k, frequency in enumerate(frequencies):
        matrix = rotation(frequency, 2.5)
        np.testing.assert_allclose(to_sine[:, k], matrix[0], rtol=0, atol=1e-15)
        np.testing.assert_allclose(to_cosine[:, k], matrix[1], rtol=0, atol=1e-15)


def test_swap_factors_alternate_in_sign():
    a, b = swap_factors(angular_frequencies(256), 1)
    assert a.shape == b.shape == (256,)
    assert (b[0::2] > 0).all()  # every angle lies between 0 and 1
    assert (b[1::2] < 0).all()
    np.testing.assert_array_equal(b[0::2], -b[1::2])
    np.testing.assert_array_equal(a[0::2], a[1::2])


# --- the five shifts ---


@EACH
@given(widths, offsets, offsets, st.integers(0, 5))
def test_every_row_is_the_encoding_of_the_later_position(shift, width, start, offset, length):
    frequencies = angular_frequencies(width)
    table = sinusoidal_by_definition(length, width, start=start)
    expected = sinusoidal_by_definition(length, width, start=start + offset)
    shifted = shift(table, frequencies, offset)
    assert shifted.shape == (length, width)
    # start, offset and their sum give angles up to 2005, each rounded by up to 1.1e-13, twice
    np.testing.assert_allclose(shifted, expected, rtol=0, atol=2e-12)


@EACH
@pytest.mark.parametrize("offset", [0, 1, 100, -3, 0.5, -2.5])
def test_any_table_is_turned_alike(shift, offset):
    rng = np.random.default_rng(3)
    encoding, frequencies = rng.normal(size=(9, 8)), rng.normal(size=4)
    expected = shifted_by_polar_form(encoding, frequencies, offset)
    # an angle of up to 300 is rounded by up to 2.8e-14 and moves points that are up to 3 from 0
    np.testing.assert_allclose(shift(encoding, frequencies, offset), expected, rtol=0, atol=1e-13)


@EACH
def test_offset_zero_changes_nothing(shift, table, frequencies):
    np.testing.assert_array_equal(shift(table, frequencies, 0), table)


@EACH
def test_input_is_left_alone(shift, table, frequencies):
    before = table.copy(), frequencies.copy()
    shifted = shift(table, frequencies, 3)
    np.testing.assert_array_equal(table, before[0])
    np.testing.assert_array_equal(frequencies, before[1])
    assert not np.shares_memory(shifted, table)


@EACH
def test_lists_float32_and_strided_tables_are_taken(shift, table, frequencies):
    expected = shift(table, frequencies, 3)
    np.testing.assert_array_equal(shift(table.tolist(), list(frequencies), 3), expected)
    single = table.astype(np.float32)
    shifted = shift(single, frequencies, 3)
    assert shifted.dtype == np.float64
    np.testing.assert_allclose(shifted, expected, rtol=0, atol=1e-7)  # float32 holds 6e-8
    strided = np.asfortranarray(table)[::2]
    np.testing.assert_allclose(shift(strided, frequencies, 3), expected[::2], rtol=0, atol=1e-15)


@EACH
def test_empty_table(shift, frequencies):
    assert shift(np.empty((0, 10)), frequencies, 3).shape == (0, 10)


@pytest.mark.parametrize(
    ("shift", "outputs"),
    [(shift_by_phase, 1.1), (shift_by_packing, 2.1), (shift_by_swapping, 4.1)],
)
def test_peak_memory(shift, outputs):
    table, frequencies = sinusoidal_by_definition(1000, 256), angular_frequencies(256)
    _, peak = peak_memory(shift, table, frequencies, 100)
    assert peak <= outputs * table.nbytes


@EACH
@pytest.mark.parametrize("length", [1, 50])
def test_a_shift_needs_one_sine_and_one_cosine_a_pair(shift, length, frequencies, monkeypatch):
    table = sinusoidal_by_definition(length, 10)
    found = transcendental_values(monkeypatch, shift, table, frequencies, 3)
    # one complex exponential is a sine and a cosine
    assert found == len(frequencies) * (1 if shift is shift_by_phase else 2)


@EACH
def test_only_the_loop_takes_a_step_for_each_row(shift, frequencies):
    few, many = (
        lines_executed(shift, sinusoidal_by_definition(length, 10), frequencies, 3)
        for length in (10, 1000)
    )
    further_pairs = 990 * len(frequencies)
    assert (many - few >= further_pairs) if shift is shift_by_loop else (many == few)


# --- bad input ---


@EACH
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"encoding": np.zeros((3, 4))},
            ValueError,
            "encoding must have shape (n, 10) to match 5 frequencies, got shape (3, 4)",
        ),
        (
            {"encoding": np.zeros(10)},
            ValueError,
            "encoding must have shape (n, 10) to match 5 frequencies, got shape (10,)",
        ),
        ({"encoding": "row"}, TypeError, "encoding must be real numbers, got 'row'"),
        (
            {"encoding": np.zeros((2, 10), complex)},
            TypeError,
            "encoding must be real numbers, got an array of shape (2, 10) and type complex128",
        ),
        (
            {"frequencies": [[1.0]]},
            ValueError,
            "frequencies must have shape (d/2,) with at least one pair, got shape (1, 1)",
        ),
        (
            {"frequencies": []},
            ValueError,
            "frequencies must have shape (d/2,) with at least one pair, got shape (0,)",
        ),
        ({"frequencies": [1, np.nan]}, ValueError, "frequencies must be finite, got nan"),
        ({"offset": np.nan}, ValueError, "offset must be finite, got nan"),
        ({"offset": -np.inf}, ValueError, "offset must be finite, got -inf"),
        ({"offset": None}, TypeError, "offset must be a real number, got None"),
        ({"offset": [1, 2]}, TypeError, "offset must be a real number, got [1, 2]"),
    ],
)
def test_bad_arguments(shift, table, frequencies, change, error, message):
    arguments = {"encoding": table, "frequencies": frequencies, "offset": 1} | change
    with pytest.raises(error) as raised:
        shift(**arguments)
    assert str(raised.value) == message


# --- doubling ---


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5, 13])
@pytest.mark.parametrize("start", [0, -30, 7.5])
def test_doubling_goes_on_from_any_row(length, start):
    expected = table_by_loop(length, 6, start=start)
    (first_row,) = table_by_loop(1, 6, start=start)
    before = first_row.copy()
    table = continue_by_doubling(first_row, angular_frequencies(6), length)
    assert table.shape == (length, 6)
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(first_row, before)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"first_row": [[0.0, 1.0]]},
            ValueError,
            "first_row must have shape (2,) to match 1 frequencies, got shape (1, 2)",
        ),
        ({"first_row": [0, np.nan]}, ValueError, "first_row must be finite, got nan"),
        ({"length": 2.0}, TypeError, "length must be a non-negative integer, got 2.0"),
        ({"frequencies": [np.nan]}, ValueError, "frequencies must be finite, got nan"),
    ],
)
def test_bad_arguments_of_doubling(change, error, message):
    arguments = {"first_row": [0, 1], "frequencies": [1.0], "length": 3} | change
    with pytest.raises(error) as raised:
        continue_by_doubling(**arguments)
    assert str(raised.value) == message


# --- bad input of the factors ---

FACTORS = pytest.mark.parametrize(
    "function", [shift_matrix, packed_factors, swap_factors, phase_factors]
)


@FACTORS
def test_bad_arguments_of_the_factors(function):
    with pytest.raises(ValueError, match=r"^offset must be finite, got nan$"):
        function([1.0], np.nan)
    with pytest.raises(ValueError, match=r"^frequencies must be finite, got inf$"):
        function([np.inf], 1)


def test_bad_arguments_of_a_rotation():
    with pytest.raises(ValueError, match=r"^frequency must be finite, got nan$"):
        rotation(np.nan, 1)
    with pytest.raises(TypeError, match=r"^frequency must be a real number, got \[1.0, 2.0\]$"):
        rotation([1.0, 2.0], 1)


BEYOND = (
    r"^frequency times offset must be an angle that float64 can hold, got 1e\+200 times 1e\+200$"
)


@FACTORS
@pytest.mark.parametrize("offset", [1e200, -1e200])
def test_an_angle_beyond_float64_is_refused(function, offset):
    with pytest.raises(ValueError, match=BEYOND):
        function([1.0, -1e200], offset)
    with pytest.raises(ValueError, match=BEYOND):
        rotation(-1e200, offset)


@EACH
def test_a_shift_by_an_angle_beyond_float64_is_refused(shift):
    with pytest.raises(ValueError, match=BEYOND):
        shift(np.zeros((2, 2)), [1e200], 1e200)
    # The largest angles are still angles.
    assert np.isfinite(shift(np.ones((2, 2)), [1e200], 1e108)).all()


def test_doubling_to_an_angle_beyond_float64_is_refused():
    with pytest.raises(ValueError, match=r"^frequency times offset must be .* 1e\+308 times 4$"):
        continue_by_doubling([0, 1], [1e308], 4)
