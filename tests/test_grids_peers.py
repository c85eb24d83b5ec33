"""What other people's programs compute for pictures and steps is what `posenc.grids` computes.

Each program arranges the same sines and cosines in its own way; each test names the arrangement.
The programs work in float32, unless it says otherwise: an angle of t radians is then off by up to
t · 2⁻²⁴, and so is it by its frequency; and the sine is rounded to 2⁻²⁴ once more.
"""

import numpy as np
import pytest
from test_peers import recorded

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features, sinusoidal_2d

ROWS, COLUMNS, WIDTH = 4, 6, 32
ROUNDING = 7 * 2.0**-23  # positions up to 6, where they begin at 1
EXACT = 1e-12  # of programs that compute in float64


def parts(table):
    """Return sines and cosines of x, then of y."""
    x, y = np.split(table, 2, axis=-1)
    return x[..., 0::2], x[..., 1::2], y[..., 0::2], y[..., 1::2]


def arranged(table, order):
    """Return a table of the course in another order, such as "sin x, cos x, sin y, cos y"."""
    names = dict(zip(("sin x", "cos x", "sin y", "cos y"), parts(table)))
    return np.concatenate([names[name] for name in order.split(", ")], axis=-1)


@pytest.fixture
def picture():
    return sinusoidal_2d(ROWS, COLUMNS, WIDTH)


@pytest.mark.parametrize(
    ("package", "name", "order", "atol"),
    [
        ("timm", "grid", "sin y, sin x, cos y, cos x", ROUNDING),
        ("timm", "grid_interleaved", "sin y, cos y, sin x, cos x", ROUNDING),
        ("transformers", "mae_grid", "sin y, cos y, sin x, cos x", EXACT),
    ],
)
def test_row_by_row(picture, package, name, order, atol):
    table = recorded(package)[name]
    np.testing.assert_allclose(table, arranged(picture, order), rtol=0, atol=atol)
    # Nothing else fits: the order is told by the numbers.
    for other in ("sin x, cos x, sin y, cos y", "sin y, cos y, sin x, cos x"):
        if other != order:
            assert np.abs(table - arranged(picture, other)).max() > 0.5


def test_timm_reversed_goes_column_by_column(picture):
    places = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS).T.ravel()
    expected = arranged(picture[places], "sin x, sin y, cos x, cos y")
    table = recorded("timm")["grid_reversed"]
    np.testing.assert_allclose(table, expected, rtol=0, atol=ROUNDING)


def test_diffusers_has_x_first():
    expected = arranged(sinusoidal_2d(4, 4, WIDTH), "sin x, cos x, sin y, cos y")
    np.testing.assert_allclose(recorded("diffusers")["grid"], expected, rtol=0, atol=EXACT)


def test_positional_encodings_has_pairs_and_y_first(picture):
    x, y = np.split(picture, 2, axis=-1)
    table = recorded("positional-encodings")["grid"].reshape(-1, WIDTH)
    np.testing.assert_allclose(table, np.concatenate([y, x], axis=-1), rtol=0, atol=ROUNDING)


def test_detr_has_pairs_and_y_first_and_counts_from_one():
    x, y = np.split(sinusoidal_2d(ROWS + 1, COLUMNS + 1, WIDTH), 2, axis=-1)
    expected = np.concatenate([y, x], axis=-1).reshape(ROWS + 1, COLUMNS + 1, WIDTH)[1:, 1:]
    grid = np.moveaxis(recorded("transformers")["detr_grid"], 0, -1)
    np.testing.assert_allclose(grid, expected, rtol=0, atol=EXACT)


def test_detr_normalized_goes_once_around_the_picture():
    frequencies = angular_frequencies(WIDTH // 2)
    axes = []
    for n in (ROWS, COLUMNS):
        # It divides by n + 1e-6, so as not to divide by 0.
        axes.append(fourier_features(2 * np.pi * np.arange(1, n + 1) / (n + 1e-6), frequencies))
    y, x = np.repeat(axes[0], COLUMNS, axis=0), np.tile(axes[1], (ROWS, 1))
    expected = np.concatenate([y, x], axis=1).reshape(ROWS, COLUMNS, WIDTH)
    grid = np.moveaxis(recorded("transformers")["detr_grid_normalized"], 0, -1)
    np.testing.assert_allclose(grid, expected, rtol=0, atol=EXACT)


def test_steps_of_a_diffusion_between_whole_ones():
    # As DiT and Flux: all cosines, then all sines.
    features = fourier_features(np.linspace(0, 1, 11), angular_frequencies(WIDTH))
    expected = np.concatenate([features[:, 1::2], features[:, 0::2]], axis=1)
    moments = recorded("diffusers")["moments"]
    np.testing.assert_allclose(moments, expected, rtol=0, atol=2.0**-22)


def test_steps_of_a_diffusion_with_the_slowest_pair_at_the_base():
    # As DDPM: all sines, then all cosines, and the exponent is divided by half − 1.
    half = WIDTH // 2
    features = fourier_features(np.arange(40), 10_000.0 ** (-np.arange(half) / (half - 1)))
    expected = np.concatenate([features[:, 0::2], features[:, 1::2]], axis=1)
    steps = recorded("diffusers")["steps"]
    np.testing.assert_allclose(steps, expected, rtol=0, atol=40 * 2.0**-23)
    assert np.abs(steps[:, 1] - sinusoidal(40, WIDTH)[:, 2]).max() > 0.5
