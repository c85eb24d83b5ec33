"""The charts of notebook 07 draw the weights they are given, or that the package computes."""

import copy
import re

import numpy as np
import pytest
from chart_parts import compiled, fields, marks, moved, places, specification, svg_text
from colors import ENOUGH, contrast

from posenc import charts
from posenc.attention import self_attention, softmax
from posenc.charts.attention import MOST_TOKENS, TOKENS
from posenc.embeddings import load_glove
from posenc.encodings import sinusoidal

SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
HALVES = [[0.5, 0.5], [0.5, 0.5]]
MAPS = ("words", "positions", "both", "difference")


@pytest.fixture(scope="module")
def weights():
    words = load_glove().lookup(SENTENCE)
    positions = sinusoidal(len(SENTENCE), 100)
    return [self_attention(x)[1] for x in (words, positions, words + positions)]


@pytest.fixture(scope="module")
def drawn_maps(weights):
    return charts.attention_maps(SENTENCE, *weights).to_dict()


@pytest.fixture
def maps(drawn_maps):
    return copy.deepcopy(drawn_maps)


def test_maps_say_in_words_what_they_show(maps):
    for words in ("“the dog is is playing with the cat”", "Rows are queries", "centered on zero"):
        assert words in maps["description"]


def test_maps_are_the_same_each_time_and_load_nothing(weights, maps):
    assert charts.attention_maps(SENTENCE, *weights).to_dict() == maps
    assert not [data for data in compiled(maps)["data"] if "url" in data]


def test_maps_embed_only_rounded_numbers_in_the_order_of_the_sentence(weights, maps):
    rows = maps["data"]["values"]
    labels = [f"{position} {token}" for position, token in enumerate(SENTENCE)]
    assert [row["query"] for row in rows[::8]] == labels
    assert [row["key"] for row in rows[:8]] == labels
    words, positions, both = weights
    for name, matrix in zip(MAPS, (words, positions, both, both - words)):
        embedded = np.array([row[name] for row in rows]).reshape(8, 8)
        assert np.abs(embedded - matrix).max() <= 0.5e-4 + 1e-12
        assert np.array_equal(embedded, embedded.round(4))


def views(maps):
    return {
        view.get("name", "difference"): view for row in maps["vconcat"] for view in row["hconcat"]
    }


def test_each_map_shows_the_weights_that_its_title_names(maps):
    assert list(views(maps)) == list(MAPS)
    titles = ["words only", "positions only", "words + positions", "difference: both − words only"]
    for (name, view), title in zip(views(maps).items(), titles):
        view = view["layer"][0] if "layer" in view else view
        assert view["title"] == title
        assert view["encoding"]["color"]["field"] == name
        assert [view["encoding"][axis]["title"] for axis in "xy"] == ["key", "query"]


def test_tokens_stand_in_the_order_of_the_sentence_on_both_axes():
    tokens = [f"w{number}" for number in range(12)]
    equal = np.full((12, 12), 1 / 12)
    svg = svg_text(charts.attention_maps(tokens, equal, equal, equal).to_dict())
    # Sorted as text, "10 w10" would come before "2 w2".
    drawn = re.findall(r">(\d+) w\d+<", svg)
    assert drawn == [str(number) for number in range(12)] * 8


def test_three_maps_share_a_scale_and_the_fourth_is_centered_on_zero(weights, maps):
    words, positions, both, difference = views(maps).values()
    scales = [view["encoding"]["color"]["scale"] for view in (words, positions, both)]
    assert scales[0] == scales[1] == scales[2]
    low, high = scales[0]["domain"]
    assert low == 0
    assert max(matrix.max() for matrix in weights) <= high <= 1
    low, high = difference["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert low == -high
    assert high == np.abs(weights[2] - weights[0]).max().round(4), "no digit of the machine's own"


def test_a_sign_stands_in_each_cell_that_changed_visibly(weights, maps):
    (signs,) = marks(maps, "text")
    difference = (weights[2] - weights[0]).round(4)
    assert [sign["text"] for sign in signs] == [
        "+" if value > 0 else "−" for value in difference.flat if abs(value) >= 0.005
    ]


def test_every_sign_stands_out_from_its_cell():
    # Differences from minus the largest to the largest, in small steps.
    words = np.full((MOST_TOKENS, MOST_TOKENS), 1 / MOST_TOKENS)
    both = words + np.outer(np.linspace(0, 1, MOST_TOKENS), np.linspace(-1, 1, MOST_TOKENS)) / 20
    maps = charts.attention_maps([*"abcdefghijklmnopqrst"], words, words, both).to_dict()
    cells, (signs,) = marks(maps, "rect")[3], marks(maps, "text")
    middles = places(cells) + cells[0]["width"] / 2
    assert len(signs) > 200
    for sign in signs:
        cell = cells[np.hypot(*(middles - places([sign])).T).argmin()]
        assert contrast(rgb(sign["fill"]), rgb(cell["fill"])) >= ENOUGH


def rgb(color):
    """Read a color as Vega writes it."""
    names = {"white": [255] * 3, "black": [0] * 3}
    return names.get(color) or [int(part) for part in re.findall(r"\d+", color)]


def test_no_sign_stands_where_nothing_changed():
    spec = charts.attention_maps(["a", "b"], HALVES, HALVES, HALVES).to_dict()
    assert not any(marks(spec, "text"))


def test_pointing_at_a_query_or_choosing_it_keeps_its_row_in_all_maps(maps):
    (chosen,) = maps["params"]
    assert chosen["name"] == "query"
    assert chosen["views"] == list(MAPS)
    assert chosen["select"]["fields"] == ["query"]
    assert chosen["bind"]["options"][:3] == [None, "0 the", "1 dog"]
    assert all(item.get("opacity", 1) == 1 for items in marks(maps, "rect") for item in items)
    # What the pointer does, done beforehand.
    chosen["value"] = [{"query": "3 is"}]
    groups = marks(maps, "rect")
    assert [len(items) for items in groups] == [64] * 4
    for items in groups:
        kept = [item["description"] for item in items if item.get("opacity", 1) == 1]
        assert [fields(words)["query"] for words in kept] == ["3 is"] * 8


def test_tooltips_tell_the_query_the_key_and_all_four_numbers(maps):
    for view in views(maps).values():
        for layer in view.get("layer", [view]):
            tooltip = layer["encoding"]["tooltip"]
            assert [part["field"] for part in tooltip] == ["query", "key", *MAPS]
            assert {part.get("format") for part in tooltip[2:]} == {".4f"}


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("a b", HALVES, HALVES, HALVES), TypeError, "tokens must be a list of words"),
        ((3, HALVES, HALVES, HALVES), TypeError, "tokens must be a list of words"),
        ((["a", 1], HALVES, HALVES, HALVES), TypeError, "tokens must hold strings only"),
        (([], HALVES, HALVES, HALVES), ValueError, "1 to 20 words, got 0"),
        ((["a"] * 21, HALVES, HALVES, HALVES), ValueError, "1 to 20 words, got 21"),
        ((["a"], HALVES, HALVES, HALVES), ValueError, r"words must have shape \(1, 1\)"),
        ((["a", "b"], HALVES, [1, 2], HALVES), ValueError, "positions must have shape"),
        (
            (["a", "b"], HALVES, HALVES, [[0.5, 0.5], [0.5, 0.25]]),
            ValueError,
            "both must hold weights whose rows sum to 1, got 0.75 in row 1$",
        ),
        ((["a", "b"], [[0.5, 0.5], [0.9, 0.9]], HALVES, HALVES), ValueError, "got 1.8 in row 1$"),
        (
            (["a", "b"], [[2, -1], [0, 1]], HALVES, HALVES),
            ValueError,
            "words must hold weights of at least 0, got -1.0$",
        ),
        ((["a"], [["x"]], [[1]], [[1]]), TypeError, r"words must be real numbers, got \[\['x'\]\]"),
        ((["a"], [[1]], [[1j]], [[1]]), TypeError, "positions must be real numbers"),
        ((["a"], [[1]], [[1]], [[np.nan]]), ValueError, "both must be finite, got nan"),
        ((["a", "b"], [[1], [1, 0]], HALVES, HALVES), ValueError, "words must be a regular array"),
    ],
)
def test_maps_refuse_what_is_no_sentence_or_no_weights(arguments, error, words):
    with pytest.raises(error, match=words):
        charts.attention_maps(*arguments)


def test_the_longest_sentence_is_drawn_with_few_enough_marks():
    equal = np.full((MOST_TOKENS, MOST_TOKENS), 1 / MOST_TOKENS)
    # A sign stands in every cell, as all of them change.
    chart = charts.attention_maps(["a"] * MOST_TOKENS, np.eye(MOST_TOKENS), equal, equal)
    drawn = [len(items) for kind in ("rect", "text") for items in marks(chart.to_dict(), kind)]
    assert drawn == [MOST_TOKENS**2] * 5
    assert sum(drawn) < 2500


def head(*, offset=3, sharpness=40, first=0, width=100):
    """Compute the head's weights from the encodings, with a causal mask."""
    queries = sinusoidal(TOKENS, width, start=first)
    keys = sinusoidal(TOKENS, width, start=first + offset)
    scores = sharpness * queries @ keys.T / np.sqrt(width)
    return softmax(np.where(np.tri(TOKENS, dtype=bool), scores, -np.inf))


def drawn_head(width=100, **sliders):
    """Draw the chart with its sliders set; return its weights and its legend's words."""
    spec = moved(specification("looking_back", width=width), **sliders)
    (cells,) = marks(spec, "rect")
    (points,) = marks(spec, "symbol")
    points = [fields(point["description"]) for point in points]
    assert all(point["words"] == points[0]["words"] for point in points)
    weights = np.zeros((TOKENS, TOKENS))
    for cell in [fields(cell["description"]) for cell in cells]:
        s, t = (int(cell[f"position {name}"]) for name in ("s of the query", "t of the key"))
        weights[s, t] = float(cell["weight"])
    return len(cells), weights, points


SETTINGS = [
    {},
    {"offset": 0},
    {"offset": 7, "sharpness": 60},
    {"offset": 2.5},
    {"sharpness": 1},
    {"first": 10_000},
    {"offset": 5, "width": 8},
    {"sharpness": 100, "width": 512},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_head_has_the_weights_of_the_package(setting):
    count, weights, _ = drawn_head(**setting)
    assert count == TOKENS * (TOKENS + 1) / 2, "the causal mask leaves a triangle"
    assert np.allclose(weights, head(**setting), atol=1e-6)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({}, "query 15: best key 12, weight 0.9959"),
        ({"first": 300}, "query 315: best key 312, weight 0.9959"),
        ({"offset": 0, "sharpness": 1}, "query 15: best key 15, weight"),
        ({"offset": 2.5}, "query 15: best keys 12, 13, each 0.5000"),
        ({"offset": 0.5, "first": 10_000}, "query 10015: best keys 10014, 10015, each 0.5000"),
    ],
)
def test_the_head_tells_where_the_last_query_looks_most(setting, words):
    points = drawn_head(**setting)[2]
    assert points[0]["words"].startswith(words)
    assert len(points) == (2 if "keys" in words else 1)
    marked = {int(point["position t of the key"]) for point in points}
    assert marked == {
        15 - int(np.floor(setting.get("offset", 3))),
        15 - int(np.ceil(setting.get("offset", 3))),
    }


def test_the_axes_count_from_the_first_position():
    svg = svg_text(moved(specification("looking_back"), first=500))
    assert {">500<", ">515<"} <= set(re.findall(r">\d+<", svg))
    assert ">0<" not in svg


def test_the_head_says_in_words_what_it_shows():
    spec = specification("looking_back")
    for words in ("causal mask", "slider of the offset", "sharpness", "first position"):
        assert words in spec["description"]
    sliders = {param["name"]: param["bind"]["name"] for param in spec["params"]}
    assert sliders == {
        "offset": "offset φ ",
        "sharpness": "sharpness β ",
        "first": "first position ",
    }


@pytest.mark.parametrize(("width", "error"), [(7, ValueError), (0, ValueError), ("8", TypeError)])
def test_the_head_refuses_a_width_that_is_not_positive_and_even(width, error):
    with pytest.raises(error, match="width must be a positive even integer"):
        charts.looking_back(width)
