"""The charts with arguments to draw them with, and what is drawn of them: marks, numbers, texts."""

import json
import re
from functools import cache
from itertools import product

import numpy as np
import vl_convert

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
    "two_ways": {"query": [0.3, 0.6], "key": [-0.4, 0.2], "frequency": 0.2, "offset": 3},
}


@cache
def _specification(name):
    # Altair has looked for errors when the notebooks were executed; here it takes half of the time.
    return json.dumps(getattr(charts, name)(**ARGUMENTS.get(name, {})).to_dict(validate=False))


def specification(name, **values):
    """Return a copy of a chart's specification, its parameters set to values within their range."""
    spec = json.loads(_specification(name))
    parameters = {parameter["name"]: parameter for parameter in spec["params"]}
    for parameter, value in values.items():
        bind = parameters[parameter]["bind"]
        assert bind.get("min", value) <= value <= bind.get("max", value)
        parameters[parameter]["value"] = value
    return spec


def units(spec):
    """Return the specifications of single marks in a specification, in their order."""
    parts = [part for name in ("layer", "hconcat", "vconcat") for part in spec.get(name, ())]
    return [unit for part in parts for unit in units(part)] if parts else [spec]


def marks(spec):
    """Draw a specification; return all marks and letters with their kind and their place "at"."""
    return _draw(json.dumps(spec))[0]


def drawn(spec):
    """Draw a specification; return for each of its units the columns of a table.

    There is a row for each mark, with its properties, such as "x" in pixels or "fill", its place
    "at" in the whole picture and the fields of its data, such as "datum.weight".
    """
    return _draw(json.dumps(spec))[1]


@cache
def _draw(content):
    spec = json.loads(content)
    # What would be read aloud of a mark holds its data instead.
    fields = [f"datum.{field}" for field in {*re.findall(r'(?:datum\.|"field": ")(\w+)', content)}]
    for number, unit in enumerate(units(spec)):
        told = {"expr": f"[{', '.join([str(number), *fields])}]"}
        unit["mark"] |= {"aria": True, "description": told}
    lines = [number for number, unit in enumerate(units(spec)) if unit["mark"]["type"] == "line"]
    drawing = vl_convert.vegalite_to_scenegraph(spec, vl_version=VEGALITE_VERSION)
    every = [*_flat(drawing["scenegraph"]["items"][0], complex(*drawing["origin"]))]
    rows = [[] for _ in units(spec)]
    for mark in every:
        match mark.pop("description", None):
            # But not the points of a line that has some.
            case [number, *values] if mark["kind"] == "line" or number not in lines:
                rows[number].append(mark | dict(zip(fields, values)))
    return every, [_columns(part) for part in rows]


def _columns(rows):
    """Return the columns of what all rows have, of numbers or else of objects."""
    names = set.intersection(*map(set, rows)) if rows else ()
    columns = {name: [row[name] for row in rows] for name in names}
    for name, values in columns.items():
        numbers = all(value is None or isinstance(value, int | float) for value in values)
        columns[name] = np.array(values, float if numbers else object)
    return columns


def _flat(node, at):
    for item in node.get("items", ()):
        if "items" in item:
            yield from _flat(item, at + complex(item.get("x", 0), item.get("y", 0)))
        elif "marktype" in node:
            place = complex(item.get("x", 0), item.get("y", 0))
            yield item | {"kind": node["marktype"], "at": at + place}


def texts(spec):
    """Return what is written in a drawn chart."""
    written = [mark.get("text", "") for mark in marks(spec) if mark["kind"] == "text"]
    return " ".join(str(line) for text in written for line in np.atleast_1d(text))
