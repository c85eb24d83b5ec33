"""The encodings against the formula in 40 digits, a double loop, and their own laws."""

import math

import mpmath
import numpy as np
import pytest
from cost import peak_memory
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_close, exact_frequencies, largest_error, table_by_loop

from posenc.encodings import (
    angular_frequencies,
    binary,
    clock,
    encode,
    grow,
    sinusoidal,
    sinusoidal_2d,
)


def encoded(length, width, *, base=10_000.0, start=0):
    return encode(start + np.arange(length), angular_frequencies(width, base=base))


BOTH = pytest.mark.parametrize("make", [sinusoidal, encoded])


@pytest.mark.parametrize(("width", "base"), [(2, 10_000), (6, 10_000), (500, 10_000), (64, 1.5)])
def test_frequencies_are_the_formula(width, base):
    frequencies = angular_frequencies(width, base=base)
    assert frequencies[0] == 1
    with mpmath.workdps(40):
        for frequency, exact in zip(frequencies, exact_frequencies(width, base), strict=True):
            # half a unit for the power and, times ln(base), half a unit for the exponent
            assert abs(mpmath.mpf(float(frequency)) / exact - 1) < 2e-15


@BOTH
@given(
    length=st.integers(0, 70),
    width=st.integers(1, 12).map(lambda pairs: 2 * pairs),
    base=st.floats(1.01, 1e6),
    start=st.floats(-1e4, 1e4),
)
def test_table_is_the_double_loop(make, length, width, base, start):
    table = make(length, width, base=base, start=start)
    assert table.flags.c_contiguous
    # angles up to 1e4 are off by a few of their last places, 1.8e-12
    assert_close(table, table_by_loop(length, width, base, start), 1e-11)


@BOTH
@pytest.mark.parametrize("start", [0, 1e6, -1e6, 999_999.7, 1e9, -1e12, 2.0**52 - 300])
@pytest.mark.parametrize("width", [100, 512])
def test_the_error_grows_with_the_position_alone(make, start, width):
    table = make(300, width, start=start)
    pairs = [*range(24), width // 4, width // 2 - 1]
    farthest = max(abs(start), abs(start + 299))
    # An angle t w is off by half a unit for the product, a whole one for the power, and by that of
    # the exponent, w ln(1/w) / 2 <= 0.2 units: in all 1.7 units of 2**-53, which are 1.9e-16 t.
    assert largest_error(table, [0, 1, 127, 128, 299], pairs, start=start) <= (
        1.9e-16 * farthest + 2e-15
    )


@BOTH
@pytest.mark.parametrize("start", [2.0**52 - 8, 2.0**51 + 0.3, -(2.0**52), 0.1])
def test_neighbors_differ_as_far_as_a_start_may_lie(make, start):
    apart = np.linalg.norm(np.diff(make(8, 2, start=start), axis=0), axis=1)
    # up there a position may be rounded by a quarter
    assert np.abs(apart - 2 * math.sin(0.5)).max() < 0.26


def test_doubling_is_more_accurate_than_the_definition():
    rows = np.random.default_rng(1).integers(15_000, 30_000, 200)
    by_doubling = largest_error(sinusoidal(30_000, 64), rows, range(8))
    assert by_doubling < largest_error(encoded(30_000, 64), rows, range(8))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5, 13])
@pytest.mark.parametrize("start", [0, -30, 7.5])
def test_a_table_grows_from_any_row(length, start):
    (first_row,) = table_by_loop(1, 6, start=start)
    before = first_row.copy()
    table = grow(first_row, angular_frequencies(6), length)
    assert_close(table, table_by_loop(length, 6, start=start), 1e-14)
    np.testing.assert_array_equal(first_row, before)


@pytest.mark.parametrize(("length", "width"), [(200, 256), (1000, 500), (4096, 256)])
def test_doubling_needs_little_memory_beside_the_table(length, width):
    table, peak = peak_memory(sinusoidal, length, width)
    # A row of exponentials for each doubling, and what they are made from: much only for few rows.
    exponentials = 16 * (width // 2) * math.ceil(math.log2(length))
    buffer = 16 * np.getbufsize()  # NumPy multiplies in portions of this many complex numbers
    assert peak <= 1.05 * table.nbytes + 2.5 * exponentials + buffer


@pytest.mark.parametrize("base", [10_000.0, 20.0])
@pytest.mark.parametrize(
    ("rows", "columns", "width"),
    [(1, 1, 4), (2, 3, 4), (5, 2, 8), (4, 7, 20), (1, 9, 12), (0, 0, 4), (0, 3, 8), (3, 0, 8)],
)
def test_the_rows_of_the_picture_follow_each_other(rows, columns, width, base):
    table = sinusoidal_2d(rows, columns, width, base=base)
    x, y = (table_by_loop(n, width // 2, base) for n in (columns, rows))
    expected = [[*x[column], *y[row]] for row in range(rows) for column in range(columns)]
    assert_close(table, np.reshape(expected, (rows * columns, width)), 1e-14)


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3), (0,), (3, 0)])
def test_every_shape_of_numbers_and_of_points_keeps_its_axes(shape):
    assert encode(np.zeros(shape), [1.0, 0.5, 0.25]).shape == (*shape, 6)
    assert encode(np.zeros((*shape, 2)), np.ones((5, 2))).shape == (*shape, 10)


def test_points_are_encoded_by_their_angles_in_forty_digits():
    rng = np.random.default_rng(0)
    points, frequencies = rng.normal(size=(7, 3)), rng.normal(0, 5, size=(4, 3))
    rows = encode(points, frequencies)
    with mpmath.workdps(40):
        for point, row in zip(points, rows):
            for k, frequency in enumerate(frequencies):
                angle = mpmath.fsum(mpmath.mpf(a) * mpmath.mpf(b) for a, b in zip(point, frequency))
                assert abs(mpmath.sin(angle) - row[2 * k]) < 1e-14
                assert abs(mpmath.cos(angle) - row[2 * k + 1]) < 1e-14


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 1, 4)])
def test_clock_is_six_numbers_for_each_time(shape):
    times = clock(np.zeros(shape))
    assert times.shape == (*shape, 6)
    assert (times == [0, 1, 0, 1, 0, 1]).all()


@given(st.floats(-1e6, 1e6))
def test_clock_is_the_formula(seconds):
    angles = [2 * math.pi * seconds / period for period in (60, 3600, 12 * 3600)]
    expected = [number for angle in angles for number in (math.sin(angle), math.cos(angle))]
    assert_close(clock(seconds), expected, 1e-10)


@given(st.integers(-(10**9), 10**9))
def test_clock_repeats_exactly_after_twelve_hours(seconds):
    np.testing.assert_array_equal(clock(seconds), clock(seconds + 43_200))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 8, 9, 257, 513, 1000, 70_000])
@pytest.mark.parametrize("spare", [None, 1, 70])
def test_binary_is_python_s(length, spare):
    fewest = len(f"{max(length - 1, 0):b}")
    bits = fewest + (spare or 0)
    table = binary(length, bits=None if spare is None else bits)
    assert table.shape == (length, bits)
    assert table.dtype == np.int8  # signed, so that 2 * table - 1 holds -1 and +1
    for t in {0, 1, 7, 8, 255, 256, length // 2, length - 1} & set(range(length)):
        assert "".join(map(str, table[t, ::-1])) == format(t, f"0{bits}b")


def test_binary_needs_the_table_and_the_positions():
    table, peak = peak_memory(binary, 100_000)
    assert peak < 1.01 * (table.nbytes + 8 * len(table))
