"""The encodings against the formula in 40 digits, a double loop, and their own laws."""

import math

import mpmath
import numpy as np
import pytest
from cost import lines_executed, peak_memory, transcendental_values
from hypothesis import given
from hypothesis import strategies as st
from oracles import exact_frequencies, largest_error, table_by_loop

from posenc import angular_frequencies, binary, clock, sinusoidal, sinusoidal_by_definition

BOTH = pytest.mark.parametrize("encode", [sinusoidal, sinusoidal_by_definition])


# --- angular frequencies ---


def test_frequencies_are_the_formula():
    for width, base in [(2, 10_000), (6, 10_000), (512, 10_000), (500, 10_000), (64, 1.5)]:
        frequencies = angular_frequencies(width, base=base)
        assert frequencies.shape == (width // 2,)
        assert frequencies[0] == 1
        with mpmath.workdps(40):
            for frequency, exact in zip(frequencies, exact_frequencies(width, base), strict=True):
                # half a unit for the power and, times ln(base), half a unit for the exponent
                assert abs(mpmath.mpf(float(frequency)) / exact - 1) < 2e-15


def test_longest_wavelength_is_the_papers():
    wavelengths = 2 * np.pi / angular_frequencies(512)
    assert wavelengths[0] == pytest.approx(2 * np.pi)
    assert round(wavelengths[-1]) == 60_611


# --- the sinusoidal table ---


@BOTH
@pytest.mark.parametrize("start", [0, 7, -3, 0.25, -11.75])
@pytest.mark.parametrize(("length", "width"), [(1, 2), (2, 4), (3, 6), (17, 10), (64, 32)])
def test_table_is_the_double_loop(encode, length, width, start):
    table = encode(length, width, start=start)
    assert table.dtype == np.float64
    assert table.flags.c_contiguous
    # angles up to 80: a few units of 2**-53 each
    np.testing.assert_allclose(table, table_by_loop(length, width, start=start), atol=3e-14)


@BOTH
def test_base_is_honored(encode):
    np.testing.assert_allclose(
        encode(9, 8, base=100), table_by_loop(9, 8, base=100), rtol=0, atol=1e-14
    )


@BOTH
def test_no_positions_give_an_empty_table(encode):
    assert encode(0, 6).shape == (0, 6)


@BOTH
def test_first_row_is_sine_and_cosine_of_zero(encode):
    assert encode(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


@given(
    length=st.integers(0, 70),
    width=st.integers(1, 12).map(lambda pairs: 2 * pairs),
    base=st.floats(1.01, 1e6),
    start=st.floats(-1e4, 1e4),
)
def test_doubling_and_definition_agree(length, width, base, start):
    # angles up to 1e4 are off by a few of their last places, 1.8e-12
    np.testing.assert_allclose(
        sinusoidal(length, width, base=base, start=start),
        sinusoidal_by_definition(length, width, base=base, start=start),
        rtol=0,
        atol=1e-11,
    )


def test_arguments_may_be_numpy_scalars():
    table = sinusoidal(np.int64(3), np.int32(4), base=np.float32(100), start=np.float64(2))
    np.testing.assert_array_equal(table, sinusoidal(3, 4, base=100, start=2))


def test_large_table_in_float64():
    """Error, memory and work at 131 072 x 1024, built once."""
    length, width = 131_072, 1024
    table, peak = peak_memory(sinusoidal, length, width)
    assert peak <= 1.1 * table.nbytes
    rng = np.random.default_rng(0)
    rows = [length - 1, length // 2, length // 2 - 1, *rng.integers(0, length, 300)]
    pairs = [0, 1, 2, 3, 5, 8, 13, 21, 55, 144, 511]
    assert largest_error(table, rows, pairs) <= 2e-11


@BOTH
@pytest.mark.parametrize("start", [0, 1e6, -1e6, 999_999.7, 123_457, 1e9, -1e12, 2.0**52 - 300])
@pytest.mark.parametrize("width", [100, 500, 512])
def test_the_error_grows_with_the_position_alone(encode, start, width):
    table = encode(300, width, start=start)
    pairs = [*range(24), width // 4, width // 2 - 1]
    farthest = max(abs(start), abs(start + 299))
    # An angle t w is off by half a unit for the product, a whole one for the power, and by that of
    # the exponent, w ln(1/w) / 2 <= 0.2 units: in all 1.7 units of 2**-53, which are 1.9e-16 t.
    assert largest_error(table, [0, 1, 127, 128, 299], pairs, start=start) <= (
        1.9e-16 * farthest + 2e-15
    )


@pytest.mark.parametrize("encode", [sinusoidal, sinusoidal_by_definition])
def test_neighbors_differ_as_far_as_a_start_may_lie(encode):
    for start in (2.0**52 - 8, 2.0**51 + 0.3, -(2.0**52), 0.1):
        table = encode(8, 2, start=start)
        np.testing.assert_allclose(
            np.linalg.norm(np.diff(table, axis=0), axis=1), 2 * math.sin(0.5), rtol=0, atol=0.26
        )


def test_doubling_is_more_accurate_than_the_definition():
    length, width = 30_000, 64
    rows = np.random.default_rng(1).integers(length // 2, length, 200)
    by_doubling = largest_error(sinusoidal(length, width), rows, range(8))
    by_formula = largest_error(sinusoidal_by_definition(length, width), rows, range(8))
    assert by_doubling < by_formula


@pytest.mark.parametrize("length", [1, 2, 3, 100, 1024, 1025])
def test_doubling_needs_few_exponentials(length, monkeypatch):
    doublings = math.ceil(math.log2(length))
    # sine and cosine of row 0, then one row a step
    assert transcendental_values(monkeypatch, sinusoidal, length, 16) == 8 * (2 + doublings)


def test_a_table_takes_one_more_round_of_steps_each_time_it_doubles():
    steps = [lines_executed(sinusoidal, 2**power, 16) for power in (9, 10, 11, 12)]
    (more,) = set(np.diff(steps).tolist())
    assert 0 < more < 100


@pytest.mark.parametrize(("length", "width"), [(200, 256), (1000, 500), (4096, 256)])
def test_peak_memory(length, width):
    table, peak = peak_memory(sinusoidal, length, width)
    # A row of exponentials for each doubling, and what they are made from: much only for few rows.
    exponentials = 16 * (width // 2) * math.ceil(math.log2(length))
    buffer = 16 * np.getbufsize()  # NumPy multiplies in portions of this many complex numbers
    assert peak <= 1.05 * table.nbytes + 2.5 * exponentials + buffer


# --- the clock ---


def test_clock_is_six_numbers_per_time():
    assert clock(0).tolist() == [0, 1, 0, 1, 0, 1]
    assert clock([1, 2, 3]).shape == (3, 6)
    assert clock(np.zeros((2, 1, 4))).shape == (2, 1, 4, 6)
    assert clock([]).shape == (0, 6)


@given(st.floats(-1e6, 1e6))
def test_clock_is_the_formula(seconds):
    expected = []
    for period in (60, 3600, 12 * 3600):
        angle = 2 * math.pi * seconds / period
        expected += [math.sin(angle), math.cos(angle)]
    np.testing.assert_allclose(clock(seconds), expected, rtol=0, atol=1e-10)


@given(st.integers(-(10**9), 10**9))
def test_clock_repeats_exactly_after_twelve_hours(seconds):
    np.testing.assert_array_equal(clock(seconds), clock(seconds + 43_200))


def test_clock_lies_about_distance_when_it_wraps():
    just_after, before, later = clock([1, 11 * 3600 + 59 * 60 + 59, 5 * 60 + 1])
    assert np.linalg.norm(before - just_after) == pytest.approx(0.209, abs=5e-4)
    assert np.linalg.norm(later - just_after) == pytest.approx(0.519, abs=5e-4)


# --- bits ---


@pytest.mark.parametrize("length", [0, 1, 2, 3, 8, 9, 257, 513, 1000, 70_000])
def test_binary_is_python_s(length):
    table = binary(length)
    bits = max(1, (length - 1).bit_length())
    assert table.shape == (length, bits)
    assert table.dtype == np.int8
    for t in {0, 1, 7, 8, 255, 256, length // 2, length - 1} & set(range(length)):
        assert "".join(map(str, table[t, ::-1])) == format(t, f"0{bits}b")


def test_binary_counts_flips():
    flips = np.abs(np.diff(binary(64), axis=0)).sum(axis=0)
    assert flips.tolist() == [63, 31, 15, 7, 3, 1]


def test_binary_may_have_spare_bits():
    table = binary(5, bits=70)
    assert table.shape == (5, 70)
    np.testing.assert_array_equal(table[:, :3], binary(5))
    assert not table[:, 3:].any()


def test_binary_as_plus_and_minus_one():
    assert set(np.unique(2 * binary(9) - 1)) == {-1, 1}


# --- bad input ---


@BOTH
@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((3, 7), {}, ValueError, "width must be a positive even integer, got 7"),
        ((3, 0), {}, ValueError, "width must be a positive even integer, got 0"),
        ((3, -2), {}, ValueError, "width must be a positive even integer, got -2"),
        ((3, 4.0), {}, TypeError, "width must be a positive even integer, got 4.0"),
        ((3, "4"), {}, TypeError, "width must be a positive even integer, got '4'"),
        ((-1, 4), {}, ValueError, "length must be a non-negative integer, got -1"),
        ((3.0, 4), {}, TypeError, "length must be a non-negative integer, got 3.0"),
        ((True, 4), {}, TypeError, "length must be a non-negative integer, got True"),
        ((None, 4), {}, TypeError, "length must be a non-negative integer, got None"),
        ((3, 4), {"base": 1}, ValueError, "base must be a number above 1, got 1.0"),
        ((3, 4), {"base": -2.5}, ValueError, "base must be a number above 1, got -2.5"),
        ((3, 4), {"base": np.nan}, ValueError, "base must be finite, got nan"),
        ((3, 4), {"base": "e"}, TypeError, "base must be a real number, got 'e'"),
        ((3, 4), {"base": [2, 3]}, TypeError, "base must be a real number, got [2, 3]"),
        ((3, 4), {"start": np.inf}, ValueError, "start must be finite, got inf"),
        ((3, 4), {"start": 1j}, TypeError, "start must be a real number, got 1j"),
        *(
            (
                (length, 4),
                {"start": start},
                ValueError,
                "start must keep all positions between -2**52 and 2**52, where float64 tells "
                f"neighbors apart, got {start} for {length} positions",
            )
            for length, start in [(3, 1e17), (0, -1e17), (9, 2.0**52 - 8), (1, 2.0**53)]
        ),
    ],
)
def test_bad_arguments_of_the_table(encode, arguments, options, error, message):
    with pytest.raises(error) as raised:
        encode(*arguments, **options)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: angular_frequencies(np.int64(3)),
            ValueError,
            "width must be a positive even integer, got 3",
        ),
        (lambda: clock(np.nan), ValueError, "seconds must be finite, got nan"),
        (lambda: clock([0, -np.inf]), ValueError, "seconds must be finite, got -inf"),
        (lambda: clock("noon"), TypeError, "seconds must be real numbers, got 'noon'"),
        (lambda: clock(True), TypeError, "seconds must be real numbers, got True"),
        (
            lambda: clock([[1], [2, 3]]),
            ValueError,
            "seconds must be a regular array of real numbers, "
            "got rows of different lengths: [[1], [2, 3]]",
        ),
        (lambda: binary(-1), ValueError, "length must be a non-negative integer, got -1"),
        (
            lambda: binary(1000, bits=9),
            ValueError,
            "bits must be an integer of at least 10 to count 1000 positions, got 9",
        ),
        (
            lambda: binary(4, bits=2.0),
            TypeError,
            "bits must be an integer of at least 2 to count 4 positions, got 2.0",
        ),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value) == message
