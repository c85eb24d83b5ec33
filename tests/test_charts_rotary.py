"""The chart of notebook 09 draws the score that turned vectors have, and the pairs' parts."""

import json

import numpy as np
import pytest
from chart_parts import compiled, fields, labels, marks, moved, sliders, svg_root, svg_text

from posenc import charts
from posenc.charts.rotary import FARTHEST
from posenc.encodings import angular_frequencies, sinusoidal_by_definition
from posenc.rotary import apply_rotary

PE = sinusoidal_by_definition(13, 16)
ONE, OTHER = np.random.default_rng(0).normal(size=(2, 16))
VECTORS = {"one": ONE, "the other's": OTHER, "PE[0]": PE[0], "PE[12]": PE[12]}
STATES = [
    {"query": "one", "key": "the other's"},
    {"query": "the other's", "key": "one", "distance": 50},
    {"query": "one", "key": "one", "distance": 0, "exponent": 2},
    {"query": "PE[0]", "key": "PE[12]", "distance": 12},
    {"query": "one", "key": "PE[12]", "first": 2, "last": 5, "distance": 200},
    {"query": "one", "key": "PE[12]", "first": 5, "last": 2, "exponent": 6},
]


@pytest.fixture
def spec():
    return charts.turned_score(VECTORS).to_dict()


def parts(state, distances):
    """Return each pair's part of the score, a row for each distance."""
    state = {"distance": 3, "first": 0, "last": 7, "exponent": 4} | state
    query, key = (VECTORS[state[name]].round(2) for name in ("query", "key"))
    speeds = angular_frequencies(16, base=10.0 ** state["exponent"])
    k = np.arange(8)
    speeds = np.where((k >= state["first"]) & (k <= state["last"]), speeds, 0)
    rows = apply_rotary(np.tile(query, (len(distances), 1)), speeds, positions=distances)
    return (rows * key).reshape(len(distances), 8, 2).sum(axis=-1) / 4


def test_it_says_what_it_shows_and_asks_for_nothing_from_elsewhere(spec):
    assert len(spec["description"]) > 200
    assert "slider" in spec["description"].lower()
    assert not [data for data in compiled(spec)["data"] if "url" in data]
    assert "://" in spec.pop("$schema")
    assert "://" not in json.dumps(spec)


@pytest.mark.parametrize("state", STATES)
def test_the_curve_is_the_score_of_turned_vectors(spec, state):
    drawn = moved(spec, **state)
    (line,) = marks(drawn, "line")
    x, y = np.array([[point["x"], point["y"]] for point in line]).T
    assert np.allclose(x, np.linspace(0, 430, FARTHEST + 1))
    scores = parts(state, np.arange(FARTHEST + 1)).sum(axis=1)
    # Heights are the scores on a scale that Vega has chosen: fit it, and nothing is left over.
    scale = np.stack([scores, np.ones_like(scores)], axis=1)
    slope = np.linalg.lstsq(scale, y)[0]
    assert slope[0] < 0 or np.ptp(scores) < 1e-9
    assert np.allclose(scale @ slope, y, atol=1e-6)
    distance = state.get("distance", 3)
    words = f"distance {distance}: score {scores[distance]:.2f}".replace("-", "−")
    assert words in svg_text(drawn)


@pytest.mark.parametrize("state", STATES)
def test_the_bars_are_the_pairs_parts_and_fit(spec, state):
    drawn = moved(spec, **state)
    found, color = {}, {}
    told = [fields(label) for label in labels(svg_root(drawn), "bar")]
    for bar in told:
        found[int(bar["pair k"])] = float(bar["part"])
        color[int(bar["pair k"])] = bar["turned"]
    expected = parts(state, [state.get("distance", 3)])[0]
    assert np.allclose([found[k] for k in range(8)], expected, atol=1e-6)
    first, last = state.get("first", 0), state.get("last", 7)
    turns = {k: "turns" if first <= k <= last else "stands" for k in range(8)}
    assert color == turns
    (bars,) = (group for group in marks(drawn, "rect") if len(group) == 8)
    for bar in bars:
        assert -1e-9 <= bar["y"] <= bar["y"] + bar["height"] <= 110 + 1e-9


def test_hands_that_meet_give_the_largest_score(spec):
    scores = parts({"query": "PE[0]", "key": "PE[12]"}, np.arange(FARTHEST + 1)).sum(axis=1)
    assert scores.argmax() == 12
    drawn = moved(spec, query="PE[0]", key="PE[12]", distance=12)
    assert f"score {scores.max():.2f}" in svg_text(drawn)


def test_every_slider_reaches_its_ends_and_time_runs_in_one(spec):
    found = sliders(spec)
    assert set(found) == {"distance", "first", "last", "exponent"}
    assert found["last"]["bind"]["max"] == found["first"]["bind"]["max"] == 7
    assert list(spec["usermeta"]["motion"]) == ["distance"]


def test_vectors_of_zeros_are_drawn():
    spec = charts.turned_score({"zero": np.zeros(4), "one": np.ones(4)}).to_dict()
    assert "score 0.00" in svg_text(spec)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ({}, "^vectors must hold at least two vectors, got 0$"),
        ({"a": [0, 1]}, "^vectors must hold at least two vectors, got 1$"),
        ({"a": [0, 1, 2], "b": [0, 1, 2]}, r"^vectors\['a'\] must have shape"),
        ({"a": [0, 1], "b": [0, 1, 2, 3]}, r"^vectors\['b'\] must have shape"),
        ({"a": [0, 1], "b": [0, np.nan]}, r"^vectors\['b'\] must be finite, got nan"),
        ({"a": [], "b": [0, 1]}, r"^vectors\['a'\] must have shape"),
        ({"a": 3, "b": [0, 1]}, r"^vectors\['a'\] must have shape"),
    ],
)
def test_what_is_no_set_of_vectors_is_refused(vectors, message):
    with pytest.raises(ValueError, match=message):
        charts.turned_score(vectors)
