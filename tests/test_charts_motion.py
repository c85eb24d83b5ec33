"""Which sliders run by themselves: those of time, positions and offsets, at a pace to watch."""

import re

import numpy as np
import pytest

from posenc import charts

SENTENCE = ["the", "cat"]
EVEN = [[0.5, 0.5], [0.5, 0.5]]
CHARTS = {
    name: getattr(charts, name)
    for name in charts.__all__
    if name not in ("enable_renderer", "to_png")
} | {
    "attention_maps": lambda: charts.attention_maps(SENTENCE, EVEN, EVEN, EVEN),
    "head_in_training": lambda: charts.head_in_training(
        np.ones(300), {step: np.eye(2) for step in range(0, 301, 20)}
    ),
    "match_table": lambda: charts.match_table({"none": np.zeros((40, 32))}),
    "score_by_offset": lambda: charts.score_by_offset({"nothing": np.eye(4)}),
    "turned_score": lambda: charts.turned_score({"north": [0, 1], "east": [1, 0]}),
}
RUNS = re.compile(r"\b(hours|minutes|seconds|position|offset|distance|training)\b")
# Who watches wants to see a beginning and an end; twelve hours take their time.
SHORTEST, LONGEST = 5, 40
UNHURRIED = {"let it run (seconds)": 360}


@pytest.mark.parametrize("name", CHARTS)
def test_what_stands_for_time_a_position_or_an_offset_runs(name):
    spec = CHARTS[name]().to_dict()
    motion = spec.get("usermeta", {}).get("motion", {})
    sliders = {
        it["name"]: it["bind"]
        for it in spec.get("params", ())
        if it.get("bind", {}).get("input") == "range"
    }
    assert set(motion) == {name for name, bind in sliders.items() if RUNS.search(bind["name"])}
    for name, per_second in motion.items():
        bind = sliders[name]
        seconds = (bind["max"] - bind["min"]) / per_second
        label = bind["name"].strip()
        assert SHORTEST <= seconds <= UNHURRIED.get(label, LONGEST), label
