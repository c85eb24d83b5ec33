"""The chart of notebook 11 draws the weights that the package's own tables give."""

import numpy as np
import pytest
from chart_parts import fields, marks, moved, specification, svg_root, texts

from posenc.charts.grids import AXES, FARTHEST, ROUND
from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features, sinusoidal_2d

SETTINGS = [(1, 4, 64), (16, 4, 64), (0.5, 1, 4), (3, 6, 16), (2, 2.25, 32)]
SIZE = 2 * FARTHEST + 1


@pytest.fixture
def spec():
    return specification("nearness")


def set_to(spec, sharpness, exponent, pairs, kind=AXES):
    return moved(spec, sharpness=sharpness, exponent=exponent, pairs=pairs, kind=kind)


def drawn(spec):
    """Return the weights as drawn, by rows and columns."""
    (cells,) = marks(spec, "rect")
    assert len(cells) == SIZE**2
    found = np.full((SIZE, SIZE), np.nan)
    for cell in cells:
        told = fields(cell["description"])
        row, column = int(told["rows away"]) + FARTHEST, int(told["columns away"]) + FARTHEST
        # Rows run downwards, columns to the right.
        assert (cell["x"], cell["y"]) == (9 * column, 9 * row)
        (weight,) = (float(value) for name, value in told.items() if name.startswith("weight,"))
        found[row, column] = weight
    return found


def relative_weights(table, sharpness):
    middle = table[len(table) // 2]
    scores = sharpness * (table @ middle - middle @ middle) / np.sqrt(table.shape[1])
    return np.exp(scores).reshape(SIZE, SIZE)


@pytest.mark.parametrize(("sharpness", "exponent", "pairs"), SETTINGS)
def test_the_map_is_that_of_the_packages_table(spec, sharpness, exponent, pairs):
    table = sinusoidal_2d(SIZE, SIZE, 4 * pairs, base=10.0**exponent)
    found = drawn(set_to(spec, sharpness, exponent, pairs))
    np.testing.assert_allclose(found, relative_weights(table, sharpness), rtol=1e-6, atol=1e-9)


def test_the_round_map_is_what_normal_frequencies_approach(spec):
    step = (np.cos(angular_frequencies(128)).sum() / 64 + 1) / 2
    sigma = np.sqrt(-2 * np.log(step))
    every = np.arange(SIZE) - FARTHEST
    points = np.stack(np.meshgrid(every, every), axis=-1).reshape(-1, 2)
    frequencies = np.random.default_rng(0).normal(0, sigma, size=(4000, 2))
    table = fourier_features(points, frequencies) * np.sqrt(128 / 4000)
    exponents = np.log(relative_weights(table, 1)) * np.sqrt(8000 / 256)
    found = drawn(set_to(spec, 1, 4, 64, ROUND))
    # A mean of 4000 cosines is off by 0.016; times 8 for d = 256.
    np.testing.assert_allclose(np.log(found), exponents, atol=0.5)


def test_the_round_map_is_round_and_agrees_with_the_other_at_the_neighbors(spec):
    star, round_one = (drawn(set_to(spec, 2, 3, 32, kind)) for kind in (AXES, ROUND))
    middle = FARTHEST
    for row, column in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        place = middle + row, middle + column
        assert np.isclose(star[place], round_one[place], rtol=1e-9)
    for a, b in (((3, 4), (0, 5)), ((5, 12), (13, 0)), ((8, 6), (-10, 0))):
        first, second = (round_one[middle + y, middle + x] for x, y in (a, b))
        assert np.isclose(first, second, rtol=1e-9)


@pytest.mark.parametrize("sharpness", [1, 6, 16])
def test_the_two_places_are_named_with_their_weights(spec, sharpness):
    for kind in (AXES, ROUND):
        here = set_to(spec, sharpness, 4, 64, kind)
        weights = drawn(here)
        written = texts(svg_root(here))
        along, aslant = weights[FARTHEST, -1], weights[FARTHEST + 7, FARTHEST + 7]
        for words, weight in (("20 columns", along), ("7 columns and 7 rows", aslant)):
            (told,) = [text for text in written if text and text.startswith(f"{words} away: ")]
            assert np.isclose(float(told.rpartition(" ")[2]), weight, rtol=0.06)
        assert (along > aslant) == (kind == AXES)


def test_the_marks_stand_in_the_middle_of_their_places(spec):
    circle, square = sorted(marks(spec, "symbol")[0], key=lambda mark: -mark["x"])
    assert (circle["shape"], square["shape"]) == ("circle", "square")
    assert (circle["x"], circle["y"]) == (9 * 40 + 4.5, 9 * 20 + 4.5)
    assert (square["x"], square["y"]) == (9 * 27 + 4.5, 9 * 27 + 4.5)


def test_there_are_few_enough_marks_to_draw_quickly(spec):
    assert sum(len(group) for kind in ("rect", "symbol") for group in marks(spec, kind)) < 2500


def test_the_chart_says_in_words_what_it_shows(spec):
    for words in ("star", "slider of the sharpness", "number of pairs", "round", "circle marks"):
        assert words in spec["description"]
