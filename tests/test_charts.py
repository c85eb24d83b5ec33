"""How every chart is shown: live, as a picture and in words, the same way each time."""

import base64
import inspect
import io
import json

import altair as alt
import pytest
from chart_parts import compiled
from PIL import Image

from posenc import charts
from posenc.charts.rendering import MIME_TYPE

DRAWN = {
    name: function
    for name, function in inspect.getmembers(charts, inspect.isfunction)
    if name not in ("enable_renderer", "to_png")
}


@pytest.fixture(autouse=True)
def _course_charts():
    charts.enable_renderer()
    yield
    alt.renderers.enable("default")
    alt.theme.enable("default")


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


@pytest.mark.parametrize(
    "name", [name for name, function in DRAWN.items() if name not in ("attention_maps",)]
)
def test_every_chart_asks_for_nothing_from_elsewhere(name):
    spec = DRAWN[name]().to_dict()
    schema = spec.pop("$schema")
    assert "://" in schema
    assert "://" not in json.dumps(spec)
    assert len(spec["description"]) > 60
    # Vega-Lite accepts it, version for version what the book ships.
    assert compiled(spec)["marks"]
