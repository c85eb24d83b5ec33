"""The encodings against the formula in 40 digits, a double loop, and their own laws."""

import math

import mpmath
import numpy as np
import pytest
from cost import peak_memory, transcendental_values
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_close, exact_frequencies, largest_error, table_by_loop

from posenc.encodings import (
    angular_frequencies,
    binary,
    clock,
    sinusoidal,
    sinusoidal_by_definition,
)

BOTH = pytest.mark.parametrize("encode", [sinusoidal, sinusoidal_by_definition])


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
def test_table_is_the_double_loop(encode, length, width, base, start):
    table = encode(length, width, base=base, start=start)
    assert table.flags.c_contiguous
    # angles up to 1e4 are off by a few of their last places, 1.8e-12
    assert_close(table, table_by_loop(length, width, base, start), 1e-11)


@BOTH
@pytest.mark.parametrize("start", [0, 1e6, -1e6, 999_999.7, 1e9, -1e12, 2.0**52 - 300])
@pytest.mark.parametrize("width", [100, 512])
def test_the_error_grows_with_the_position_alone(encode, start, width):
    table = encode(300, width, start=start)
    pairs = [*range(24), width // 4, width // 2 - 1]
    farthest = max(abs(start), abs(start + 299))
    # An angle t w is off by half a unit for the product, a whole one for the power, and by that of
    # the exponent, w ln(1/w) / 2 <= 0.2 units: in all 1.7 units of 2**-53, which are 1.9e-16 t.
    assert largest_error(table, [0, 1, 127, 128, 299], pairs, start=start) <= (
        1.9e-16 * farthest + 2e-15
    )


@BOTH
@pytest.mark.parametrize("start", [2.0**52 - 8, 2.0**51 + 0.3, -(2.0**52), 0.1])
def test_neighbors_differ_as_far_as_a_start_may_lie(encode, start):
    apart = np.linalg.norm(np.diff(encode(8, 2, start=start), axis=0), axis=1)
    # up there a position may be rounded by a quarter
    assert np.abs(apart - 2 * math.sin(0.5)).max() < 0.26


def test_doubling_is_more_accurate_than_the_definition():
    rows = np.random.default_rng(1).integers(15_000, 30_000, 200)
    by_doubling = largest_error(sinusoidal(30_000, 64), rows, range(8))
    assert by_doubling < largest_error(sinusoidal_by_definition(30_000, 64), rows, range(8))


@pytest.mark.parametrize("length", [1, 2, 3, 100, 1024, 1025])
def test_doubling_needs_few_exponentials(length, monkeypatch):
    doublings = math.ceil(math.log2(length))
    # sine and cosine of row 0, then one row a step
    assert transcendental_values(monkeypatch, sinusoidal, length, 16) == 8 * (2 + doublings)


@pytest.mark.parametrize(("length", "width"), [(200, 256), (1000, 500), (4096, 256)])
def test_doubling_needs_little_memory_beside_the_table(length, width):
    table, peak = peak_memory(sinusoidal, length, width)
    # A row of exponentials for each doubling, and what they are made from: much only for few rows.
    exponentials = 16 * (width // 2) * math.ceil(math.log2(length))
    buffer = 16 * np.getbufsize()  # NumPy multiplies in portions of this many complex numbers
    assert peak <= 1.05 * table.nbytes + 2.5 * exponentials + buffer


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
