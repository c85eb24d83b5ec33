"""The charts of notebook 08 draw what they are given: a training, and matrices W."""

import json
import re

import numpy as np
import pytest
from chart_parts import compiled, fields, labels, marks, moved, sliders, svg_root, svg_text

from posenc import charts
from posenc.charts.learning import FIRST, LAST, OFFSETS
from posenc.encodings import angular_frequencies, sinusoidal_by_definition
from posenc.shifts import shift_matrix

WIDTH = 8
EIGHT = angular_frequencies(WIDTH)
MATRICES = {
    "a rotation": 3 * shift_matrix(EIGHT, 3),
    "anything": np.random.default_rng(0).normal(size=(WIDTH, WIDTH)),
}


def causal(seed, size=4):
    weights = np.tril(np.random.default_rng(seed).random((size, size)))
    return weights / weights.sum(axis=1, keepdims=True)


SNAPSHOTS = {0: causal(0), 20: causal(1), 40: causal(2)}
LOSSES = np.linspace(2.1, 0.1, 40)


@pytest.fixture
def training():
    return charts.head_in_training(LOSSES, SNAPSHOTS).to_dict()


@pytest.fixture
def scores():
    return charts.score_by_offset(MATRICES).to_dict()


@pytest.mark.parametrize("name", ["training", "scores"])
def test_a_chart_says_what_it_shows_and_asks_for_nothing_from_elsewhere(name, request):
    spec = request.getfixturevalue(name)
    assert len(spec["description"]) > 200
    assert "slider" in spec["description"].lower()
    assert not [data for data in compiled(spec)["data"] if "url" in data]
    assert "://" in spec.pop("$schema")
    assert "://" not in json.dumps(spec)


@pytest.mark.parametrize("step", SNAPSHOTS)
def test_the_weights_are_those_of_the_step(training, step):
    (cells,) = marks(moved(training, step=step), "rect")
    assert len(cells) == 10
    for cell in cells:
        told = fields(cell["description"])
        s, t = (int(told[name]) for name in ("position s of the query", "position t of the key"))
        assert abs(float(told["weight"]) - SNAPSHOTS[step][s, t]) <= 0.005 + 1e-9
        # Queries run downwards, keys to the right.
        assert np.isclose(cell["x"], t * cell["width"])
        assert np.isclose(cell["y"], s * cell["height"])


def test_the_loss_is_drawn_and_marked_at_the_step(training):
    (line,) = marks(training, "line")
    assert len(line) == len(LOSSES)
    heights = np.array([point["y"] for point in line])
    assert np.allclose(np.diff(heights), np.diff(heights)[0], atol=0.1)
    assert heights[-1] > heights[0]
    at = [marks(moved(training, step=step), "rule")[0][0]["x"] for step in (0, 20, 40)]
    assert np.allclose(at, [0, 150, 300])
    assert "after 20 steps of training" in "".join(svg_root(moved(training, step=20)).itertext())


def test_a_guess_is_a_dashed_line_at_its_loss():
    spec = charts.head_in_training(LOSSES, SNAPSHOTS, guess=LOSSES[10]).to_dict()
    (line,) = marks(spec, "line")
    rules = [rule for group in marks(spec, "rule") for rule in group]
    (dashed,) = [rule for rule in rules if rule.get("strokeDash")]
    assert np.isclose(dashed["y"], line[10]["y"], atol=0.1)
    assert "guessing" in svg_text(spec)
    assert f"guessing, at {LOSSES[10]:.2f}" in spec["description"]
    without = charts.head_in_training(LOSSES, SNAPSHOTS).to_dict()
    assert "guessing" not in svg_text(without) + without["description"]


def test_the_slider_goes_from_snapshot_to_snapshot(training):
    bind = sliders(training)["step"]["bind"]
    assert (bind["min"], bind["max"], bind["step"]) == (0, 40, 20)


@pytest.mark.parametrize(
    ("losses", "snapshots", "message"),
    [
        ([], SNAPSHOTS, r"^losses must be one number for each step, got shape \(0,\)"),
        ([[1.0]], SNAPSHOTS, r"^losses must be one number for each step, got shape \(1, 1\)"),
        ([np.nan], SNAPSHOTS, "^losses must be finite, got nan"),
        (LOSSES, {}, r"^snapshots must be taken at evenly spaced steps from 0, got \[\]"),
        (LOSSES, {0: causal(0)}, r"^snapshots must be taken .*, got \[0\]"),
        (LOSSES, {0: causal(0), 1: causal(1), 5: causal(2)}, r", got \[0, 1, 5\]"),
        (LOSSES, {1: causal(0), 2: causal(1)}, r", got \[1, 2\]"),
        (LOSSES, {0: causal(0), 1: causal(1, 5)}, r"^snapshots must hold square .* at step 1"),
        (LOSSES, {0: causal(0, 33), 1: causal(1, 33)}, "at most 32, got shape"),
        (LOSSES, {0: causal(0), 1: causal(1).T}, "^snapshots must hide later keys, .* at step 1"),
    ],
)
def test_what_is_no_training_is_refused(losses, snapshots, message):
    with pytest.raises(ValueError, match=message):
        charts.head_in_training(losses, snapshots)


def expected_scores(W, query):
    pe = sinusoidal_by_definition(query + 1, WIDTH)
    return (pe[query] @ W @ pe[::-1].T / np.sqrt(WIDTH))[:OFFSETS]


@pytest.mark.parametrize("query", [FIRST, 51, LAST])
@pytest.mark.parametrize("name", MATRICES)
def test_the_curve_is_the_score_of_positions_alone(scores, name, query):
    root = svg_root(moved(scores, matrix=name, query=query))
    drawn = {}
    for label in labels(root, "point"):
        told = fields(label)
        if "score" in told:
            back = int(told["how far back the key stands, s − t".replace("−", "-")])
            drawn[back] = float(told["score"])
    expected = expected_scores(MATRICES[name].round(2), query)
    assert sorted(drawn) == list(range(min(query + 1, OFFSETS)))
    assert np.allclose([drawn[back] for back in sorted(drawn)], expected, atol=0.001)


def test_the_largest_score_is_named(scores):
    for query in (FIRST, 131, 1031):
        words = f"largest 3 back, score {3 * 4 / np.sqrt(8):.1f}"
        assert words in svg_text(moved(scores, matrix="a rotation", query=query))
    expected = expected_scores(MATRICES["anything"].round(2), 231)
    text = svg_text(moved(scores, matrix="anything", query=231))
    assert re.search(rf"largest {expected.argmax()} back, score {expected.max():.1f}", text)


def test_every_curve_fits_into_the_picture(scores):
    (low, high), width = scores["layer"][0]["encoding"]["y"]["scale"]["domain"], 1 / np.sqrt(WIDTH)
    assert low == -high
    pe = sinusoidal_by_definition(LAST + 1, WIDTH)
    for W in MATRICES.values():
        all_of_them = pe @ W @ pe.T * width
        seen = [np.diagonal(all_of_them, -back) for back in range(OFFSETS)]
        assert max(np.abs(it).max() for it in seen) <= high


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ({}, "^matrices must hold at least one matrix, got none"),
        ({"a": np.eye(2), "b": np.eye(4)}, r"got shape \(4, 4\) for 'b'"),
        ({"a": np.ones((2, 3))}, r"got shape \(2, 3\) for 'a'"),
        ({"a": np.eye(3)}, r"of even width and of one size, got shape \(3, 3\)"),
        ({"a": np.full((2, 2), np.inf)}, r"^matrices\['a'\] must be finite"),
    ],
)
def test_what_is_no_set_of_matrices_is_refused(matrices, message):
    with pytest.raises(ValueError, match=message):
        charts.score_by_offset(matrices)
