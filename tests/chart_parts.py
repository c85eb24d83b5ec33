"""The charts with arguments to draw them with, and what is drawn of them: marks, numbers, texts."""

import json
import re
from functools import cache
from itertools import product

import numpy as np
import vl_convert
from altair.utils.schemapi import debug_mode

from posenc import charts
from posenc.charts.rendering import VEGALITE_VERSION
from posenc.embeddings import load_glove
from posenc.encodings import binary, sinusoidal
from posenc.layouts import load_tables
from posenc.palette import BITS, PLAIN, SINUSOIDS
from posenc.shifts import shift_matrix

RANDOM = np.random.default_rng(0)


LOSSES = np.linspace(2.1, 0.1, 200)
LEARNING = {step: RANDOM.normal(size=(12, 12)) for step in (0, 60, 120)}
BENT = RANDOM.normal(size=(8, 8)).round(2)
TEXT = "beefed"
LOST = {"by_distance": -2.3 * abs(np.subtract.outer(range(6), range(6)))}
LOST["by_letter"] = RANDOM.normal(size=(6, 6)).round(2)
VECTORS = dict(zip(("one", "the other's"), RANDOM.normal(size=(2, 2, 16))))
CODES = {
    "bits": 2 * binary(64) - 1,
    "waves": sinusoidal(64, 6),
    "random bits": lambda throw: np.random.default_rng([throw, 6]).normal(size=(64, 6)),
}
TABLES = {name: load_tables()[name] for name in "ACE"}
RING_COLORS = {"slowed": BITS, "not slowed": PLAIN, "even": SINUSOIDS, "uneven": PLAIN}
RINGS = {
    (task, text): {
        name: RANDOM.uniform(20, 100, 7)
        for name in RING_COLORS
        if (text, name) != ("long", "slowed")
    }
    for task in ("near", "far")
    for text in ("short", "long")
}
NAMES = [name for name in charts.__all__ if name != "to_png"]
SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
GLOVE = {"tokens": SENTENCE, "words": load_glove().lookup(SENTENCE), "query": 4}
ARGUMENTS = {
    "asking_words": GLOVE,
    "moving_sentence": GLOVE,
    "score_terms": GLOVE | {"key": 1},
    "clock_face": {"knocked": True},
    "fitted_curve": {
        "at": [0, 0.5, 1, 1.5, 2],
        "curve": [0, 0.7, 1, 0.7, 0],
        "fits": {"fast": RANDOM.normal(size=(2, 5)), "slow": RANDOM.normal(size=(2, 5))},
        "errors": {"fast": [0.5, 0.25], "slow": [0.1, 0.2]},
    },
    "patches": {"edge": 3},
    "head_in_training": {"matrices": LEARNING, "losses": LOSSES, "offset": 3},
    "head_rings": {"right": RINGS, "colors": RING_COLORS}
    | {"task": "near", "text": "short", "guessing": {"near": 12.5, "far": 14}, "followed": 2}
    | {"learned": {"near": [True] * 7, "far": [True, False] * 3 + [True]}},
    "misread_rows": {"codes": CODES, "colors": dict(zip(CODES, (BITS, SINUSOIDS, PLAIN)))}
    | {"upper": "bits", "lower": "waves"},
    "match_table": {"tables": TABLES},
    "moved_scores": {"W": BENT},
    "next_row": {
        "waves": np.transpose(shift_matrix(10_000.0 ** (-np.arange(5) / 5), 1)),
        "bits": np.diag(1 - 2 / 2.0 ** np.arange(10)),
    },
    "shy_head": {"text": TEXT, "query": 3} | LOST,
    "turned_hands": {"vectors": VECTORS, "shown": [0, 2, 5]},
    "wall_of_heads": {
        "looks": {
            way: RANDOM.integers(5, size=(3, 4, 5))
            for way in product(("begin at 0", "begin anywhere"), ("all", "part"), ("all", "none"))
        },
        "text": "deadbeef",
        "starts": range(0, 21, 10),
        "asked": 3,
    },
    "clock_face by_itself": {},
    "longer_text hands_alone": {"length": 4096, "only_hands": True},
    "moving_sentence either_way": GLOVE | {"way": None},
    "two_ways": {"query": [0.3, 0.6], "key": [-0.4, 0.2], "frequency": 0.2, "offset": 3},
}


@cache
def specification(name):
    """Return a chart's specification, which must stay as it is; a variant has two words."""
    # Altair has looked for errors when the notebooks were executed; here it takes half of the time.
    with debug_mode(False):
        chart = getattr(charts, name.split()[0])(**ARGUMENTS.get(name, {}))
        return chart.to_dict(validate=False)


@cache
def _compiled(name):
    return json.dumps(vl_convert.vegalite_to_vega(specification(name), vl_version=VEGALITE_VERSION))


def compiled(name, **values):
    """Return what Vega draws of a chart, its parameters set to values within their range."""
    vega = json.loads(_compiled(name))
    signals = {signal["name"]: signal for signal in vega["signals"]}
    for parameter, value in values.items():
        bind = signals[parameter]["bind"]
        assert bind.get("min", value) <= value <= bind.get("max", value)
        assert value in bind.get("options", [value])
        signals[parameter]["value"] = value
    return vega


class Drawing:
    """What is drawn of a chart: its `texts`, and in `units` the columns of a table for each mark.

    There is a row for each item, with its properties, such as "x" in pixels or "fill", and the
    fields of its data, such as "datum.weight". Each minus sign is a hyphen.
    """

    def __init__(self, name, **values):
        vega = compiled(name, **values)
        content = json.dumps(specification(name))
        fields = [
            f"datum.{name}" for name in {*re.findall(r'(?:datum\.|"field": ")(\w+)', content)}
        ]
        units = [*_units(vega)]
        # What would be read aloud of a mark holds its data instead.
        for number, unit in enumerate(units):
            contents = {"signal": f"[{', '.join([str(number), *fields])}]"}
            unit["encode"]["update"]["description"] = contents
        scene = vl_convert.vega_to_scenegraph(vega)["scenegraph"]
        rows, written = [[] for _ in units], []
        for mark in _flat(scene["items"][0]):
            if isinstance(mark.get("text"), str):
                mark["text"] = mark["text"].replace("−", "-")
            if mark["kind"] == "text":
                written += np.atleast_1d(mark.get("text", "")).tolist()
            if isinstance(mark.get("description"), list):
                number, *values = mark.pop("description")
                rows[number].append(mark | dict(zip(fields, values)))
        self.texts = " ".join(map(str, written)).replace("−", "-")
        self.units = [_columns(part) for part in rows]


def _units(group):
    """Yield the marks of a group of Vega, and of the groups in it, that a chart's parts became."""
    for mark in group["marks"]:
        if "marks" in mark:
            yield from _units(mark)
        else:
            yield mark


def _columns(rows):
    """Return the columns of what all rows have, of numbers or else of objects."""
    names = set.intersection(*map(set, rows)) if rows else ()
    columns = {name: [row[name] for row in rows] for name in names}
    for name, values in columns.items():
        numbers = all(value is None or isinstance(value, int | float) for value in values)
        columns[name] = np.array(values, float if numbers else object)
    return columns


def _flat(node):
    """Yield the items of all marks in a scene."""
    for item in node.get("items", ()):
        if "items" in item:
            yield from _flat(item)
        elif "marktype" in node:
            yield item | {"kind": node["marktype"]}
