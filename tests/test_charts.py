"""What holds for every chart: how it is shown, its words, its controls, and legible letters."""

import base64
import io
import re

import altair as alt
import numpy as np
import pytest
import vl_convert
from chart_parts import ARGUMENTS, NAMES, drawn, marks, specification, units
from colors import ENOUGH, by_night, contrast
from PIL import Image
from PIL.ImageColor import getrgb

from posenc import charts
from posenc.charts import rendering

# Specifications and drawings are kept for both files.
pytestmark = pytest.mark.xdist_group("charts")
every_chart = pytest.mark.parametrize("name", NAMES)


def pixels(png):
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"), float)


def test_a_chart_is_shown_live_as_a_picture_and_in_words():
    shown = charts.odometer()._repr_mimebundle_()
    spec = specification("odometer")
    assert shown[rendering.MIME_TYPE] == spec, "the same each time"
    assert shown["text/plain"] == spec["description"]
    assert min(pixels(base64.b64decode(shown["image/png"])).shape[:2]) > 200


def test_a_chart_without_words_is_refused():
    charts.odometer()
    chart = alt.Chart(alt.sequence(0, 3, as_="t")).mark_point().encode(x="t:Q")
    with pytest.raises(ValueError, match="description of the chart is missing"):
        chart._repr_mimebundle_()


@every_chart
def test_every_control_is_named_and_changes_what_is_drawn(name):
    # In the book, a browser moves the sliders.
    for param in (it for it in specification(name)["params"] if "bind" in it and "value" in it):
        bind, value = param["bind"], param["value"]
        assert len(bind["name"].strip()) >= 3
        if bind["input"] == "range":
            steps = np.array([value - bind["min"], bind["max"] - value]) / bind["step"]
            np.testing.assert_allclose(steps, steps.round())
        else:
            other = next(it for it in bind.get("options", [not value]) if it != value)
            changed = marks(specification(name, **{param["name"]: other}))
            assert changed != marks(specification(name)), bind["name"]


@every_chart
def test_a_second_look_reads_what_the_first_one_read(name):
    # A control runs the same steps again on the same rows, so no step may write over what an
    # earlier one reads, unless it has just been written anew.
    chart = vl_convert.vegalite_to_vega(specification(name), vl_version=rendering.VEGALITE_VERSION)
    for data in chart["data"]:
        read, written = set(), set()
        for step in data.get("transform", []):
            if step["type"] == "formula":
                read |= {*re.findall(r"datum\.(\w+)", step["expr"])}
                assert step["as"] not in read - written, step
                written.add(step["as"])


def middles(texts):
    """Return where the middles of letters are, from their anchors."""
    half = np.array(texts.get("fontSize", 12), float) / 2
    sides = {"bottom": -1, "top": 1}
    down = [sides.get(side, 0) for side in texts.get("baseline", [None] * len(texts["at"]))]
    return texts["at"] + 1j * (np.array(texts.get("dy", 0), float) + half * down)


@every_chart
def test_letters_stand_out_by_day_and_by_night(name):
    letters, without = [], specification(name)
    for unit, columns in zip(units(without), drawn(specification(name))):
        if unit["mark"].get("type") == "text" and "fill" in columns:
            letters += zip(middles(columns), columns["fill"])
            unit["mark"]["opacity"] = 0
            unit["encoding"].pop("opacity", None)
    picture = pixels(vl_convert.vegalite_to_png(without, vl_version=rendering.VEGALITE_VERSION))
    for at, fill in letters:
        across, down = round(at.real), round(at.imag)
        around = picture[down - 4 : down + 5, across - 4 : across + 5]
        ground = np.median(around, axis=(0, 1))
        assert contrast(getrgb(fill), ground) >= ENOUGH
        assert contrast(by_night(getrgb(fill)), by_night(ground)) >= ENOUGH


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("asking_words", {"tokens": ["dog"]}, "tokens must be 2 to 12 words, got 1"),
        ("shy_head", {"text": "ab"}, "text must have 3 to 24 letters, got 2"),
        ("longer_text", {"rule": "yarn"}, "rule must be one of as trained, .*, got yarn"),
    ],
)
def test_what_a_reader_may_edit_is_refused_with_its_name(name, bad, message):
    with pytest.raises(ValueError, match=message):
        getattr(charts, name)(**(ARGUMENTS.get(name, {}) | bad))
