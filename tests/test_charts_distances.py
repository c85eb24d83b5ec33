"""The chart of notebook 06 adds up the same products and distances as `posenc`."""

import numpy as np
import pytest
from chart_parts import fields, marks, moved, specification

from posenc.charts.distances import DISTANCE, LAST_OFFSET, LAW, PRODUCT
from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies

OFFSETS = np.arange(LAST_OFFSET + 1)
SETTINGS = [(64, 4), (2, 4), (128, 4), (256, 4), (8, 1), (32, 2), (64, 6)]


@pytest.fixture
def spec():
    return specification("profile")


def curves(spec, width, exponent):
    """Return {curve: array of (offset, height)} as drawn."""
    found = {}
    for line in marks(moved(spec, columns=width, exponent=exponent), "line"):
        points = [fields(item["description"]) for item in line]
        (name,) = {point["curve"] for point in points}
        found[name] = np.array(
            [[float(value) for key, value in point.items() if key != "curve"] for point in points]
        )
    return found


def label_of_first_rise(spec, width, exponent):
    ((point,),) = marks(moved(spec, columns=width, exponent=exponent), "symbol")
    return fields(point["description"])["label"]


def test_the_chart_says_in_words_what_it_shows(spec):
    for words in ("product", "distance", "law", "slider of the width", "slider of the base"):
        assert words in spec["description"]


def test_the_sliders_are_named_in_words(spec):
    params = {param["name"]: param for param in spec["params"]}
    assert params["columns"]["value"] == 64
    assert params["exponent"]["value"] == 4
    assert params["columns"]["bind"] == {
        "input": "range",
        "min": 2,
        "max": 256,
        "step": 2,
        "name": "width d ",
    }
    assert params["exponent"]["bind"]["name"] == "base b = 10 to the power of "


@pytest.mark.parametrize(("width", "exponent"), SETTINGS)
def test_the_curves_are_those_of_the_package(spec, width, exponent):
    base = 10.0**exponent
    frequencies = angular_frequencies(width, base=base)
    drawn = curves(spec, width, exponent)

    offsets, heights = drawn[PRODUCT].T
    assert np.array_equal(offsets, OFFSETS)
    assert np.allclose(heights, dot_product_at(OFFSETS, frequencies) / (width / 2), atol=1e-9)

    offsets, heights = drawn[DISTANCE].T
    assert np.array_equal(offsets, OFFSETS)
    assert heights[0] == 0
    assert np.allclose(heights, distance_at(OFFSETS, frequencies) / np.sqrt(width), atol=1e-9)

    offsets, heights = drawn[LAW].T
    law = 1 - (np.euler_gamma + np.log(OFFSETS[1:])) / np.log(base)
    assert np.array_equal(offsets, OFFSETS[1:][law >= 0])
    assert np.allclose(heights, law[law >= 0], atol=1e-9)


@pytest.mark.parametrize(("width", "exponent"), SETTINGS)
def test_the_point_marks_the_first_rise(spec, width, exponent):
    frequencies = angular_frequencies(width, base=10.0**exponent)
    rises = np.flatnonzero(np.diff(dot_product_at(OFFSETS, frequencies)) > 0)
    ending = f"after offset {rises[0]}"
    assert label_of_first_rise(spec, width, exponent).endswith(ending)


@pytest.mark.parametrize(("field", "closed_form"), [
    ("product", dot_product_at),
    ("distance", distance_at),
])  # fmt: skip
def test_the_tooltips_tell_the_numbers_themselves(spec, field, closed_form):
    pointer = spec["layer"][3]["encoding"]["tooltip"]
    assert field in [tooltip["field"] for tooltip in pointer]
    # A drawn chart does not tell its tooltips: let a curve draw what they show.
    spec["layer"][1]["encoding"]["y"]["field"] = field
    heights = curves(spec, 64, 4)[PRODUCT][:, 1]
    assert np.allclose(heights, closed_form(OFFSETS, angular_frequencies(64)), atol=1e-9)


def test_one_invisible_rule_for_each_offset_waits_for_the_pointer(spec):
    (rules,) = marks(spec, "rule")
    assert len(rules) == len(OFFSETS)
    assert {rule["opacity"] for rule in rules} == {0}


def test_there_are_few_enough_marks_to_draw_quickly(spec):
    # Lines are one element each, whatever the number of their points.
    widest = moved(spec, columns=256)
    count = sum(len(group) for kind in ("rule", "symbol") for group in marks(widest, kind))
    assert count < 2500
