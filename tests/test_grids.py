"""Places in a picture and real numbers: against loops, 40 digits, and the laws of the products."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import exact_product, table_by_loop

from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, binary, sinusoidal
from posenc.grids import fourier_features, sinusoidal_2d
from posenc.shifts import shift_matrix


def place_by_loop(x, y, width, base=10_000.0):
    """Return the encoding of one place, one number at a time: x first, then y."""
    numbers, half = [], width // 2
    for coordinate in (x, y):
        for k in range(half // 2):
            angle = coordinate / base ** (2 * k / half)
            numbers += [math.sin(angle), math.cos(angle)]
    return numbers


# --- the picture ---


@pytest.mark.parametrize("base", [10_000.0, 20.0])
@pytest.mark.parametrize(
    ("rows", "columns", "width"), [(1, 1, 4), (2, 3, 4), (5, 2, 8), (4, 7, 20), (1, 9, 12)]
)
def test_the_rows_of_the_picture_follow_each_other(rows, columns, width, base):
    table = sinusoidal_2d(rows, columns, width, base=base)
    expected = [place_by_loop(x, y, width, base) for y in range(rows) for x in range(columns)]
    assert table.dtype == np.float64
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-14)


def test_a_single_row_or_column_is_the_table_of_half_the_width():
    np.testing.assert_allclose(sinusoidal_2d(1, 9, 16)[:, :8], table_by_loop(9, 8), atol=1e-14)
    np.testing.assert_allclose(sinusoidal_2d(9, 1, 16)[:, 8:], table_by_loop(9, 8), atol=1e-14)


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (0, 3), (3, 0)])
def test_an_empty_picture_is_an_empty_table(rows, columns):
    assert sinusoidal_2d(rows, columns, 8).shape == (0, 8)


@given(
    st.tuples(*[st.integers(0, 11)] * 4), st.integers(1, 6).map(lambda n: 4 * n), st.floats(2, 1e5)
)
def test_products_add(places, width, base):
    x, y, x2, y2 = places
    table = sinusoidal_2d(12, 12, width, base=base)
    frequencies = angular_frequencies(width // 2, base=base)
    product = table[12 * y + x] @ table[12 * y2 + x2]
    expected = exact_product(x2 - x, frequencies) + exact_product(y2 - y, frequencies)
    assert abs(product - float(expected)) < 1e-12


def test_a_shift_turns_the_halves():
    frequencies = angular_frequencies(8)
    table = sinusoidal_2d(6, 7, 16).reshape(6, 7, 16)
    M = np.zeros((16, 16))
    M[:8, :8], M[8:, 8:] = shift_matrix(frequencies, 2), shift_matrix(frequencies, 3)
    np.testing.assert_allclose(table[:-3, :-2] @ M.T, table[3:, 2:], rtol=0, atol=1e-13)


@pytest.mark.parametrize("width", [0, 2, 6, 10, -4])
def test_a_width_that_two_axes_cannot_share_is_refused(width):
    with pytest.raises(ValueError, match=rf"^width must be a positive multiple of 4, got {width}$"):
        sinusoidal_2d(2, 2, width)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((-1, 2, 4), ValueError, "^rows must be a non-negative integer, got -1"),
        ((2, -1, 4), ValueError, "^columns must be a non-negative integer, got -1"),
        ((2.0, 2, 4), TypeError, r"^rows must be a non-negative integer, got 2\.0"),
        ((2, True, 4), TypeError, "^columns must be a non-negative integer, got True"),
        ((2, 2, 4.0), TypeError, r"^width must be a positive multiple of 4, got 4\.0"),
    ],
)
def test_what_is_no_picture_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        sinusoidal_2d(*arguments)


def test_a_base_of_one_is_refused():
    with pytest.raises(ValueError, match=r"^base must be a number above 1, got 1\.0"):
        sinusoidal_2d(2, 2, 4, base=1)


# --- frequencies of one's choice ---


def test_the_clocks_frequencies_give_the_clocks_table():
    for start in (0, -3.25):
        table = fourier_features(start + np.arange(20), angular_frequencies(12))
        np.testing.assert_allclose(table, sinusoidal(20, 12, start=start), rtol=0, atol=1e-13)


def test_every_shape_of_numbers_keeps_its_axes():
    frequencies = [1.0, 0.5, 0.25]
    for shape in ((), (1,), (4,), (2, 3), (0,), (3, 0)):
        assert fourier_features(np.zeros(shape), frequencies).shape == (*shape, 6)
    directions = np.ones((5, 2))
    for shape in ((2,), (4, 2), (3, 4, 2), (0, 2)):
        assert fourier_features(np.zeros(shape), directions).shape == (*shape[:-1], 10)


def test_features_are_sine_and_cosine_of_the_angle_in_many_digits():
    rng = np.random.default_rng(0)
    points, frequencies = rng.normal(size=(7, 3)), rng.normal(0, 5, size=(4, 3))
    features = fourier_features(points, frequencies)
    with mpmath.workdps(40):
        for point, row in zip(points, features):
            for k, frequency in enumerate(frequencies):
                angle = mpmath.fsum(mpmath.mpf(a) * mpmath.mpf(b) for a, b in zip(point, frequency))
                assert abs(mpmath.sin(angle) - row[2 * k]) < 1e-14
                assert abs(mpmath.cos(angle) - row[2 * k + 1]) < 1e-14


def test_axes_alone_give_the_picture():
    columns, rows = np.meshgrid(np.arange(5), np.arange(4))
    points = np.stack([columns.ravel(), rows.ravel()], axis=1)
    one = angular_frequencies(8)
    frequencies = np.concatenate([np.outer(one, [1, 0]), np.outer(one, [0, 1])])
    np.testing.assert_allclose(
        fourier_features(points, frequencies), sinusoidal_2d(4, 5, 16), rtol=0, atol=1e-14
    )


def test_products_depend_on_the_offset_alone():
    rng = np.random.default_rng(1)
    frequencies, points = rng.normal(size=(30, 2)), rng.normal(0, 9, size=(2, 2))
    features = fourier_features(points, frequencies)
    expected = sum(math.cos(w @ (points[0] - points[1])) for w in frequencies)
    assert features[0] @ features[1] == pytest.approx(expected, abs=1e-12)
    line = fourier_features([3.5, -2.0], frequencies[:, 0])
    assert line[0] @ line[1] == pytest.approx(dot_product_at(5.5, frequencies[:, 0]), abs=1e-12)


def test_normal_frequencies_make_a_normal_kernel():
    # Without randomness: the quantiles of the normal distribution.
    sigma, pairs = 0.3, 4000
    steps = (np.arange(pairs) + 0.5) / pairs
    frequencies = sigma * np.array([math.sqrt(2) * float(mpmath.erfinv(2 * q - 1)) for q in steps])
    offsets = np.linspace(0, 12, 25)
    features = fourier_features(offsets, frequencies)
    kernel = features @ features[0] / pairs
    np.testing.assert_allclose(kernel, np.exp(-((sigma * offsets) ** 2) / 2), atol=2e-3)


def test_bits_are_signs_of_doubling_sines():
    places = (np.arange(1024) + 0.5) / 1024
    features = fourier_features(places, np.pi * 2.0 ** np.arange(1, 11))
    assert np.array_equal(features[:, 0::2] < 0, binary(1024)[:, ::-1] == 1)


@pytest.mark.parametrize(
    ("positions", "frequencies", "message"),
    [
        ([1.0], [], r"^frequencies must have shape \(pairs,\) or .*, got shape \(0,\)"),
        ([1.0], 2.0, r"^frequencies must have shape .*, got shape \(\)"),
        ([1.0], np.ones((1, 1, 1)), r"^frequencies must have shape .*, got shape \(1, 1, 1\)"),
        ([1.0], np.ones((3, 0)), r"^frequencies must have shape .*, got shape \(3, 0\)"),
        ([1.0], np.ones((3, 2)), r"^positions must have shape \(\.\.\., 2\) .*, got shape \(1,\)"),
        (1.0, np.ones((3, 2)), r"^positions must have shape \(\.\.\., 2\) .*, got shape \(\)"),
        ([1e10], [1e300], r"^frequency times offset must be an angle that float64 can hold"),
        ([[1e154, 1e154]], np.full((1, 2), 1.7e154), "^frequency times offset must be an angle"),
    ],
)
def test_what_does_not_fit_is_refused(positions, frequencies, message):
    with pytest.raises(ValueError, match=message):
        fourier_features(positions, frequencies)
