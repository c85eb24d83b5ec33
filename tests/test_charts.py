"""What holds for every chart: how it is shown, its words, its controls, and legible letters."""

import base64
import io
import re
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest
import vl_convert
from chart_parts import ARGUMENTS, NAMES, compiled, specification
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
    rendering.enable()
    chart = alt.Chart(alt.sequence(0, 3, as_="t")).mark_point().encode(x="t:Q")
    with pytest.raises(ValueError, match="description of the chart is missing"):
        chart._repr_mimebundle_()


@every_chart
def test_every_control_is_named_and_its_steps_lead_from_end_to_end(name):
    # In the book, a browser moves the sliders.
    for control in (entry for entry in specification(name)["params"] if "bind" in entry):
        bind, value = control["bind"], control["value"]
        assert len(bind["name"].strip()) >= 3
        if bind["input"] == "range":
            steps = np.array([value - bind["min"], bind["max"] - value]) / bind["step"]
            np.testing.assert_allclose(steps, steps.round())
        else:
            assert value in bind["options"]


@every_chart
def test_a_second_look_reads_what_the_first_one_read(name):
    # A control runs the same steps again on the same rows, so no step may write over what an
    # earlier one reads, unless it has just been written anew.
    for data in compiled(name)["data"]:
        read, written = set(), set()
        for step in data.get("transform", []):
            if step["type"] == "formula":
                read |= {*re.findall(r"datum\.(\w+)", step["expr"])}
                assert step["as"] not in read - written, step
                written.add(step["as"])


def hidden_letters(node, origin=0):
    """Hide the letters of a picture in SVG, and yield where their middles are and their color."""
    if moved := re.match(r"translate\((.+?),(.+?)\)", node.get("transform", "")):
        origin += complex(*map(float, moved.groups()))
    if node.tag.endswith("}text") and [*node.itertext()]:
        node.set("opacity", "0")
        yield origin - 0.35j * float(node.get("font-size").removesuffix("px")), node.get("fill")
    for part in node:
        yield from hidden_letters(part, origin)


@every_chart
def test_letters_stand_out_by_day_and_by_night(name):
    drawing = ElementTree.fromstring(vl_convert.vega_to_svg(compiled(name)))
    letters = [*hidden_letters(drawing)]
    picture = pixels(vl_convert.svg_to_png(ElementTree.tostring(drawing, "unicode")))
    for place, fill in letters:
        across, down = round(place.real), round(place.imag)
        around = picture[max(down - 4, 0) : down + 5, max(across - 4, 0) : across + 5]
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
