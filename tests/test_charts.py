"""What holds for every chart: how it is shown, its words, controls, letters and colors."""

import base64
import io
import json
import re

import altair as alt
import numpy as np
import pytest
import vl_convert
from chart_parts import ARGUMENTS, MAPS, NAMES, drawn, marks, shown, specification, units
from colors import DAY, ENOUGH, ENOUGH_IF_LARGE, NIGHT, by_night, contrast
from PIL import Image
from PIL.ImageColor import getrgb

from posenc import charts
from posenc.charts import rendering
from posenc.palette import COLORS, INK

# On a dial or a cell of its own ground, besides the colors of the course.
ON_OWN_GROUND = {INK, f"{COLORS[0]}50", "transparent"}
# What stands for time, a position or an offset runs by itself, at a pace to watch.
RUNS = re.compile(r"\b(let it run|position|offset|distance|training|doublings)\b")
EYE, WIDE = np.eye(2), np.ones((20, 4))
LATER = dict.fromkeys((0, 60, 120), np.ones((4, 4)) / 4)

every_chart = pytest.mark.parametrize("name", NAMES)


def pixels(png):
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGB"), float)


@every_chart
def test_a_chart_is_shown_live_as_a_picture_and_in_words_the_same_each_time(name):
    spec = specification(name)
    bundle = shown(name)
    assert set(bundle) == {rendering.MIME_TYPE, "image/png", "text/plain"}
    assert json.dumps(bundle[rendering.MIME_TYPE]) == json.dumps(spec)
    assert spec["usermeta"]["embedOptions"] == {"actions": False, "renderer": "svg"}
    assert bundle["text/plain"] == spec["description"]
    assert min(pixels(base64.b64decode(bundle["image/png"])).shape[:2]) > 200
    # It asks for nothing from elsewhere, and draws few enough marks to move quickly.
    assert '"url"' not in json.dumps(spec)
    assert json.dumps(spec).count("://") == spec["$schema"].count("://") == 1
    kinds = [it["kind"] for it in marks(spec)]
    assert sum(map(kinds.count, ("rect", "symbol", "rule", "text"))) < 2600


def test_a_picture_is_the_same_each_time():
    assert charts.to_png(specification("odometer")) == charts.to_png(specification("odometer"))


@every_chart
def test_a_chart_says_in_words_what_it_shows_and_what_moves_it(name):
    spec = specification(name)
    assert len(spec["description"]) > 200
    kinds = {it["name"]: it["bind"]["input"] for it in spec["params"] if "bind" in it}
    for kind, word in {"range": "slider", "select": "list"}.items():
        assert kind not in kinds.values() or word in spec["description"].lower()
    assert {"range"} >= {kinds[name] for name in spec["usermeta"].get("motion", {})}


def test_a_chart_without_words_is_refused():
    charts.odometer()
    chart = alt.Chart(alt.sequence(0, 3, as_="t")).mark_point().encode(x="t:Q")
    with pytest.raises(ValueError, match="description of the chart is missing"):
        chart._repr_mimebundle_()


@every_chart
def test_every_control_is_named_reaches_its_ends_and_changes_what_is_drawn(name):
    spec = specification(name)
    for param in (it for it in spec["params"] if "bind" in it and "value" in it):
        bind, value, label = param["bind"], param["value"], param["bind"]["name"].strip()
        assert len(label) >= 3
        assert param["name"] not in ("width", "height"), "which Vega keeps for the view"
        others = [it for it in bind.get("options", [not value]) if it != value]
        if bind["input"] == "range":
            low, high, step = bind["min"], bind["max"], bind["step"]
            steps = np.array([value - low, high - value]) / step
            np.testing.assert_allclose(steps, steps.round())
            assert low <= value <= high
            others = [value + step if value < high else value - step]
            per_second = spec["usermeta"].get("motion", {}).get(param["name"])
            assert bool(per_second) == bool(RUNS.search(label))
            # Twelve hours take their time.
            longest = 360 if param["name"] == "run" else 40
            assert not per_second or 5 <= (high - low) / per_second <= longest
        for other in others:
            assert marks(specification(name, **{param["name"]: other})) != marks(spec), label


@every_chart
def test_tooltips_tell_what_is_computed(name):
    spec = specification(name)
    for unit, columns in zip(units(spec), drawn(spec)):
        for it in unit["encoding"].get("tooltip") or ():
            column = columns[f"datum.{it['field']}"]
            assert not {None, "undefined"} & {*column}
            assert column.dtype == object or not np.isnan(column).any()
            assert it["type"] != "quantitative" or column.dtype == float


@every_chart
def test_letters_are_large_enough_and_stand_out_from_a_ground_of_their_own(name):
    spec = specification(name)
    assert min(it["fontSize"] for it in marks(spec) if it["kind"] == "text") >= 10
    letters, without = [], specification(name)
    for unit, columns in zip(units(without), drawn(spec)):
        own = {"color", "fill"} & {*unit["mark"], *unit["encoding"]}
        if own and unit["mark"].get("type") == "text":
            letters += zip(columns["at"], columns["fill"])
            unit["mark"]["opacity"] = 0
            unit["encoding"].pop("opacity", None)
    if letters:
        picture = pixels(vl_convert.vegalite_to_png(without, vl_version=rendering.VEGALITE_VERSION))
    for at, fill in letters:
        across, down = round(at.real), round(at.imag)
        around = picture[down - 4 : down + 5, across - 4 : across + 5]
        ground = np.median(around, axis=(0, 1))
        assert contrast(getrgb(fill), ground) >= ENOUGH
        assert contrast(by_night(getrgb(fill)), by_night(ground)) >= ENOUGH


@every_chart
def test_marks_have_the_colors_of_the_course_which_stand_out_by_day_and_by_night(name):
    spec = specification(name)
    for unit, columns in zip(units(spec), drawn(spec)):
        if unit["mark"].get("opacity") == 0:
            assert unit["mark"]["aria"] is False, "it only makes room"
        elif unit["mark"]["type"] not in ("rect", "bar", "text"):
            found = {*columns.get("stroke", ()), *columns.get("fill", ())} - ON_OWN_GROUND
            assert found <= {*COLORS[:3], "#808080"}
            for color in map(getrgb, found):
                assert contrast(color, DAY) >= ENOUGH_IF_LARGE
                assert contrast(by_night(color), NIGHT) >= ENOUGH_IF_LARGE


@pytest.mark.parametrize(
    ("name", "bad", "error", "message"),
    [
        ("attention_maps", {"tokens": []}, ValueError, "tokens must be 1 to 20 words, got 0"),
        ("attention_maps", {"tokens": ["a"] * 21}, ValueError, "1 to 20 words, got 21"),
        ("attention_maps", {"words": EYE}, ValueError, r"words must have shape \(20, 20\)"),
        ("attention_maps", {"both": 2 * MAPS["both"]}, ValueError, "both must .* and a sum of 2$"),
        ("attention_maps", {"both": 2 * np.eye(20) - MAPS["both"]}, ValueError, "a sum of 1$"),
        ("head_in_training", {"losses": []}, ValueError, r"losses must .* got shape \(0,\)"),
        ("head_in_training", {"losses": [1, 2]}, ValueError, r"for the steps .* \[0, 60, 120\]"),
        ("head_in_training", {"offset": [1, 2]}, TypeError, "offset must be a real number"),
        ("head_in_training", {"weights": [EYE, EYE]}, TypeError, "weights must be a dict from"),
        ("head_in_training", {"weights": {"a": EYE}}, TypeError, "weights must be a dict from"),
        ("head_in_training", {"weights": {0: EYE}}, ValueError, "at least 2 arrays, got 1"),
        ("head_in_training", {"weights": {1: EYE, 2: EYE}}, ValueError, r"from 0, got \[1, 2\]"),
        ("head_in_training", {"weights": {-1: EYE, 0: EYE}}, ValueError, r"got \[-1, 0\]"),
        ("head_in_training", {"weights": {0: EYE, 1: EYE}}, ValueError, "for the steps of mat"),
        ("head_in_training", {"weights": dict.fromkeys([0, 1], np.eye(33))}, ValueError, "32"),
        ("head_in_training", {"weights": LATER}, ValueError, "later .* at step 0"),
        ("head_in_training", {"matrices": {0: EYE, 1: EYE}}, ValueError, "at least 12, got"),
        ("turned_hands", {"vectors": {"a": WIDE[:, 0]}}, ValueError, "at least 2 arrays, got 1"),
        (
            "turned_hands",
            {"vectors": {"a": WIDE[:, 0], "b": [1]}},
            ValueError,
            r"vectors\['b'\] must",
        ),
        ("turned_hands", {"vectors": {"a": [0, 1], "b": [1, 0]}}, ValueError, r"shape \(2,\)"),
        ("match_table", {"tables": {"a": WIDE[:7]}}, ValueError, r"shape \(7, 4\)"),
        ("match_table", {"tables": {"a": WIDE[:, 1:]}}, ValueError, r"shape \(20, 3\)"),
        ("match_table", {"tables": {"a": WIDE[:, 2:]}}, ValueError, r"shape \(20, 2\)"),
    ],
)
def test_bad_input_is_refused_with_its_name(name, bad, error, message):
    with pytest.raises(error, match=message):
        getattr(charts, name)(**(ARGUMENTS[name] | bad))
