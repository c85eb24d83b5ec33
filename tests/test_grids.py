"""Places in a picture and real numbers: against loops, 40 digits, and the laws of the products."""

import mpmath
import numpy as np
import pytest
from oracles import assert_close, table_by_loop

from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features, sinusoidal_2d


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


@pytest.mark.parametrize("start", [0, -3.25])
def test_the_clocks_frequencies_give_the_clocks_table(start):
    table = fourier_features(start + np.arange(20), angular_frequencies(12))
    assert_close(table, table_by_loop(20, 12, start=start), 1e-13)


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3), (0,), (3, 0)])
def test_every_shape_of_numbers_and_of_points_keeps_its_axes(shape):
    assert fourier_features(np.zeros(shape), [1.0, 0.5, 0.25]).shape == (*shape, 6)
    assert fourier_features(np.zeros((*shape, 2)), np.ones((5, 2))).shape == (*shape, 10)


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
