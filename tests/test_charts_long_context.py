"""The chart of notebook 10 draws what `posenc.long_context` computes."""

import numpy as np
import pytest
from chart_parts import fields, labels, moved, specification, svg_root, texts

from posenc.charts.long_context import RULES
from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts, interpolate, ntk_base, turns, unfinished

PLAIN, EVERY, LARGER, PARTS = RULES


def drawn(**values):
    """Return what the points say, by hand, and the chart's texts."""
    root = svg_root(moved(specification("longer_text"), **values))
    said = [fields(label) for label in labels(root, "point")]
    return {int(it["hand k"]): it for it in said if "hand k" in it}, texts(root)


def rule_of(name, base, length, stretch):
    frequencies = angular_frequencies(128, base=base)
    return {
        PLAIN: frequencies,
        EVERY: interpolate(frequencies, stretch),
        LARGER: angular_frequencies(128, base=ntk_base(base, 128, stretch)),
        PARTS: by_parts(frequencies, length, stretch, 1, 4),
    }[name]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    ("stretch", "text", "power", "doublings"), [(8, 8, 4, 12), (4, 16, 5.7, 13), (16, 1, 6, 17)]
)
def test_each_hand_stands_at_its_turns_and_says_whether_they_are_new(
    name, stretch, text, power, doublings
):
    said, _ = drawn(rule=name, stretch=stretch, text=text, power=power, doublings=doublings)
    base, length = 10**power, 2**doublings
    before = turns(angular_frequencies(128, base=base), length)
    now = turns(rule_of(name, base, length, stretch), text * length)
    assert sorted(said) == list(range(64))
    for k, words in said.items():
        assert float(words["turns within the text"]) == pytest.approx(now[k], rel=0.006)
        assert float(words["turns within L"]) == pytest.approx(before[k], rel=0.006)
        if before[k] >= 1:
            expected = "went all around in the training"
        elif now[k] <= before[k] * (1 + 1e-9):
            expected = "stays where it has been"
        else:
            expected = "meets angles that are new"
        assert words["it"] == expected, k


def test_the_farther_text_meets_new_angles_hand_by_hand():
    frequencies = angular_frequencies(128)
    larger = rule_of(LARGER, 10_000, 4096, 8)
    for text, expected in ((1, 0), (4.5, 0), (4.75, 2), (8, 17)):
        said, _ = drawn(rule=LARGER, text=text)
        new = [k for k, words in said.items() if "new" in words["it"]]
        slowed = (frequencies / larger)[unfinished(frequencies, 4096)]
        assert len(new) == (slowed < text * (1 - 1e-9)).sum() == expected


def test_the_title_tells_both_lengths():
    for values, title in (
        ({}, "L = 4\u202f096, text of 4\u202f096"),
        ({"text": 8, "doublings": 17}, "L = 131\u202f072, text of 1\u202f048\u202f576"),
    ):
        assert title in drawn(**values)[1]


def test_the_chart_says_what_it_shows():
    spec = specification("longer_text")
    for words in ("Sixty-four hands", "slider", "triangles", "gray line"):
        assert words in spec["description"]
    by_name = {it["name"]: it["bind"] for it in spec["params"] if "bind" in it}
    assert list(by_name) == ["rule", "stretch", "text", "power", "doublings"]
    assert by_name["rule"]["options"] == list(RULES)


def test_every_hand_stays_within_the_picture():
    low, high = 1e-5, 1e6
    extremes = [
        turns(rule_of(name, base, length, 16), text * length)
        for name in RULES
        for base in (10**4, 10**6)
        for length, text in ((2**10, 1), (2**17, 16))
    ]
    assert low < np.min(extremes) < np.max(extremes) < high
