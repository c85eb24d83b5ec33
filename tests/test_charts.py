"""How every chart is shown: live, as a picture and in words, the same way each time."""

import base64
import inspect
import io
import json

import altair as alt
import pytest
from chart_parts import compiled, moved, scene, sliders, specification
from PIL import Image

from posenc import charts
from posenc.charts.rendering import MIME_TYPE

# The charts that need no argument.
NAMES = [
    name
    for name, function in inspect.getmembers(charts, inspect.isfunction)
    if name not in ("enable_renderer", "to_png")
    and all(it.default is not it.empty for it in inspect.signature(function).parameters.values())
]


def simple_chart(**properties):
    data = alt.sequence(0, 3, 1, as_="t")
    return alt.Chart(data).mark_point().encode(x="t:Q").properties(**properties)


def test_a_chart_is_shown_live_as_a_picture_and_in_words():
    bundle = simple_chart(description="Three points in a row.")._repr_mimebundle_()
    assert set(bundle) == {MIME_TYPE, "image/png", "text/plain"}
    assert bundle["text/plain"] == "Three points in a row."
    assert bundle[MIME_TYPE]["usermeta"]["embedOptions"] == {"actions": False, "renderer": "svg"}
    with Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))) as picture:
        assert picture.format == "PNG"
        assert picture.width > 100


def test_a_chart_without_words_is_refused():
    with pytest.raises(ValueError, match="description of the chart is missing"):
        simple_chart()._repr_mimebundle_()


def test_the_same_chart_is_the_same_output():
    first, second = (
        json.dumps(simple_chart(description="Three points.")._repr_mimebundle_()) for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_asks_for_nothing_from_elsewhere(name):
    spec = specification(name)
    assert "://" in spec.pop("$schema")
    assert "://" not in json.dumps(spec)
    # Vega-Lite accepts it, version for version what the book ships.
    vega = compiled(spec)
    assert vega["marks"]
    assert not [data for data in vega["data"] if "url" in data]


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_the_same_each_time_and_says_what_it_shows(name):
    spec = specification(name)
    assert getattr(charts, name)().to_dict() == spec
    assert len(spec["description"]) > 200
    assert "slider" in spec["description"].lower()


@pytest.mark.parametrize("name", NAMES)
def test_every_slider_has_a_name_and_reaches_its_ends_by_whole_steps(name):
    found = sliders(specification(name))
    assert found
    for slider in found.values():
        bind = slider["bind"]
        assert len(bind["name"].strip()) > 3
        for end in (bind["min"], bind["max"]):
            assert ((end - slider["value"]) / bind["step"]).is_integer(), bind["name"]
        assert bind["min"] <= slider["value"] <= bind["max"]
        # Vega keeps these names for the size of the view.
        assert slider["name"] not in ("width", "height")


@pytest.mark.parametrize("name", NAMES)
def test_every_slider_changes_what_is_drawn(name):
    spec = specification(name)
    for slider, param in sliders(spec).items():
        bind = param["bind"]
        step = bind["step"] if param["value"] < bind["max"] else -bind["step"]
        assert scene(moved(spec, **{slider: param["value"] + step})) != scene(spec), bind["name"]
