"""The chart of notebook 01 draws the numbers of the formula, whatever its sliders say."""

import re

import pytest
from chart_parts import moved, specification, svg_text

from posenc.encodings import angular_frequencies, sinusoidal_by_definition

SVG_NUMBER = {"k": 1e3, "M": 1e6, "": 1}
PI = 3.141592653589793


def draw(**sliders):
    """Draw the chart with its sliders moved and return the SVG's text."""
    return svg_text(moved(specification("wave"), **sliders))


def drawn_waves(svg):
    """Return the value at each position that the dots of the sine and of the cosine show."""
    dots = re.findall(r'label="position t: (\d+); value: ([−\d.e]+); wave: (\w+)', svg)
    values = {"sine": {}, "cosine": {}}
    for position, value, wave in dots:
        values[wave][int(position)] = float(value.replace("−", "-"))
    return values


def drawn_wavelengths(svg):
    """Return the wavelengths that the lower view shows, in order; the last is the chosen one."""
    dots = re.findall(r'label="pair k: (\d+); wavelength \(positions\): ([\d.]+)([kM]?)', svg)
    return [(int(pair), float(number) * SVG_NUMBER[unit]) for pair, number, unit in dots]


def test_the_chart_describes_itself_and_its_sliders():
    spec = specification("wave")
    words = set(re.findall(r"\w+", spec["description"]))
    assert {"sine", "cosine", "wavelength", "pair", "width", "base", "sliders"} <= words
    sliders = [param for param in spec["params"] if "bind" in param]
    assert [param["name"] for param in sliders] == ["pair", "columns", "exponent"]
    assert [param["bind"]["name"].split()[0] for param in sliders] == ["pair", "width", "base:"]
    pairs, columns = (param["bind"]["max"] for param in sliders[:2])
    assert pairs == columns / 2 - 1, "every pair of the widest table"


@pytest.mark.parametrize(
    ("pair", "columns", "exponent"), [(6, 64, 4), (0, 2, 1), (63, 128, 6), (20, 40, 2.5)]
)
def test_waves_are_the_columns_of_the_table(pair, columns, exponent):
    svg = draw(pair=pair, columns=columns, exponent=exponent)
    shown = min(pair, columns // 2 - 1)
    table = sinusoidal_by_definition(101, columns, base=10.0**exponent)
    waves = drawn_waves(svg)
    for wave, column in (("sine", 2 * shown), ("cosine", 2 * shown + 1)):
        assert sorted(waves[wave]) == list(range(101))
        # A "~g" axis shows six digits.
        drawn = [waves[wave][position] for position in range(101)]
        assert drawn == pytest.approx(table[:, column], abs=1e-6)


@pytest.mark.parametrize(("pair", "columns", "exponent"), [(6, 64, 4), (3, 8, 1), (63, 128, 6)])
def test_wavelengths_are_those_of_all_pairs(pair, columns, exponent):
    *every, chosen = drawn_wavelengths(draw(pair=pair, columns=columns, exponent=exponent))
    expected = 2 * PI / angular_frequencies(columns, base=10.0**exponent)
    assert [k for k, _ in every] == list(range(columns // 2))
    # A "~s" axis shows six digits.
    assert [value for _, value in every] == pytest.approx(expected, rel=1e-5)
    assert chosen == every[pair]


@pytest.mark.parametrize(
    ("sliders", "words"),
    [
        ({}, "Pair 6 of 0 … 31, base 10,000 Wavelength: 35.33 positions"),
        ({"pair": 31}, "Pair 31 of 0 … 31, base 10,000 Wavelength: 47,117 positions"),
        ({"columns": 40}, "Pair 6 of 0 … 19, base 10,000 Wavelength: 99.58 positions"),
        (
            {"pair": 40},
            "Pair 31 (the last at this width), base 10,000 Wavelength: 47,117 positions",
        ),
        (
            {"columns": 8},
            "Pair 3 (the last at this width), base 10,000 Wavelength: 6,283 positions",
        ),
        ({"exponent": 1}, "Pair 6 of 0 … 31, base 10 Wavelength: 9.676 positions"),
    ],
)
def test_the_title_tells_the_pair_and_its_wavelength(sliders, words):
    assert f"'{words}'" in draw(**sliders)


@pytest.mark.parametrize(("pair", "end"), [(0, 2 * PI), (6, 35.3326), (20, 100), (31, 100)])
def test_the_bar_is_one_wavelength_long_or_an_arrow(pair, end):
    svg = draw(pair=pair)
    [drawn] = re.findall(r'label="start: 0; height: 1.25; end: ([\d.]+)"', svg)
    assert float(drawn) == pytest.approx(end, abs=1e-3)
    markers = re.findall(r'label="(end: [^"]*)"', svg)
    assert ["crest" in marker for marker in markers] == [end < 100]
