"""The charts with arguments to draw them with, and what is drawn of them: marks, numbers, texts."""

import json
import re
from functools import cache

import numpy as np
import vl_convert

from posenc import charts
from posenc.charts.rendering import VEGALITE_VERSION
from posenc.encodings import angular_frequencies, sinusoidal_by_definition
from posenc.layouts import load_tables
from posenc.shifts import shift_matrix

RANDOM = np.random.default_rng(0)
EMPTY = np.array([])
# How a drawn picture calls marks.
_KINDS = {"point": "symbol", "circle": "symbol", "bar": "rect"}


def weights(size, mask=1):
    numbers = RANDOM.random((size, size)) * mask
    return numbers / numbers.sum(axis=1, keepdims=True)


# As many as there may be. Sorted as text, "10 k" would come before "2 b".
TOKENS = ["the", *"abcdefghijklmnopqr", "the"]
MAPS = {name: weights(20) for name in ("words", "positions", "both")}
LOSSES = np.linspace(2.1, 0.1, 200)
SNAPSHOTS = {step: weights(4, np.tri(4)) for step in (0, 100, 200)}
MATRICES = {
    "a rotation": 3 * shift_matrix(angular_frequencies(8), 3),
    "anything": RANDOM.normal(size=(8, 8)),
}
VECTORS = dict(zip(("one", "the other's"), RANDOM.normal(size=(2, 16))))
VECTORS |= {"PE[0]": sinusoidal_by_definition(1, 16)[0]}
TABLES = {name: load_tables()[name] for name in "ABC"}

NAMES = [name for name in charts.__all__ if name != "to_png"]
ARGUMENTS = {
    "attention_maps": {"tokens": TOKENS} | MAPS,
    "head_in_training": {"losses": LOSSES, "snapshots": SNAPSHOTS, "guess": LOSSES[10]},
    "match_table": {"tables": TABLES},
    "score_by_offset": {"matrices": MATRICES},
    "turned_score": {"vectors": VECTORS},
}


@cache
def _specification(name):
    return json.dumps(getattr(charts, name)(**ARGUMENTS.get(name, {})).to_dict())


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


def scene(spec):
    """Draw a specification; return the group of all that is drawn, with places in pixels."""
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
    fields = [f"datum.{it}" for it in {*re.findall(r'(?:datum\.|"field": ")(\w+)', content)}]
    for number, unit in enumerate(units(spec)):
        mark = unit["mark"] if isinstance(unit["mark"], dict) else {"type": unit["mark"]}
        told = {"expr": f"[{', '.join([str(number), *fields])}]"}
        unit["mark"] = mark | {"aria": True, "description": told}
    found = vl_convert.vegalite_to_scenegraph(spec, vl_version=VEGALITE_VERSION)
    root = {"items": [found["scenegraph"]["items"][0] | dict(zip("xy", found["origin"]))]}
    rows = [[] for _ in units(spec)]
    for kind, it, at in marks(root):
        if isinstance(it.get("description"), list):
            number, *values = it.pop("description")
            wanted = units(spec)[number]["mark"]["type"]
            if kind == _KINDS.get(wanted, wanted):
                rows[number].append(it | {"at": complex(*at)} | dict(zip(fields, values)))
    return root, [_columns(it) if it else dict.fromkeys(["x", "y", *fields], EMPTY) for it in rows]


def _columns(rows):
    """Return the columns of what all rows have: of numbers, or else of objects."""
    columns = {name: [row[name] for row in rows] for name in set.intersection(*map(set, rows))}
    return {name: _column(values) for name, values in columns.items()}


def _column(values):
    if all(value is None or isinstance(value, int | float) for value in values):
        return np.array(values, float)
    column = np.empty(len(values), object)
    column[:] = values
    return column


def marks(node, at=(0, 0)):
    """Yield the kind of each mark that is drawn, the mark, and its place in the whole picture."""
    for it in node.get("items", ()):
        place = at[0] + it.get("x", 0), at[1] + it.get("y", 0)
        if "marktype" in node:
            yield node["marktype"], it, place
        yield from marks(it, place if "items" in it else at)


def texts(spec):
    """Return the lines that are written in a drawn chart."""
    found = [it.get("text", "") for kind, it, _ in marks(scene(spec)) if kind == "text"]
    return [str(line) for it in found for line in (it if isinstance(it, list) else [it])]
