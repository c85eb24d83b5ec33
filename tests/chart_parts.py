"""The charts with arguments to draw them with, and what is drawn of them: marks, numbers, texts."""

import copy
import json
from functools import cache

import numpy as np
import vl_convert

from posenc import charts
from posenc.charts.rendering import VEGALITE_VERSION
from posenc.encodings import angular_frequencies, sinusoidal_by_definition
from posenc.layouts import load_tables
from posenc.shifts import shift_matrix

# Tests draw as the notebooks do.
charts.enable_renderer()

RANDOM = np.random.default_rng(0)


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

NAMES = [name for name in charts.__all__ if name not in ("enable_renderer", "to_png")]
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
    """Draw a specification; return the group of what is drawn, with places in pixels."""
    return copy.deepcopy(_scene(json.dumps(spec)))


@cache
def _scene(content):
    found = vl_convert.vegalite_to_scenegraph(content, vl_version=VEGALITE_VERSION)
    return {"items": [found["scenegraph"]["items"][0] | dict(zip("xy", found["origin"]))]}


def items(node, kind, role="", at=(0, 0)):
    """Yield the marks of a kind in what is drawn, with their places `at` in the whole picture."""
    for it in node.get("items", ()):
        place = at[0] + it.get("x", 0), at[1] + it.get("y", 0)
        if node.get("marktype") == kind and node["role"].startswith(role):
            yield it | {"at": place}
        yield from items(it, kind, role, place if "items" in it else at)


def texts(spec):
    """Return the lines that are written in a drawn chart."""
    found = [it.get("text", "") for it in items(scene(spec), "text")]
    return [str(line) for it in found for line in (it if isinstance(it, list) else [it])]


def drawn(spec, unit, *expressions):
    """Draw a specification; return columns of one of its units, a row for each mark.

    They are the marks' properties, such as "x" in pixels or "fill", and what Vega computes of
    expressions such as "datum.weight".
    """
    spec = copy.deepcopy(spec)
    it = units(spec)[unit]
    mark = it["mark"] if isinstance(it["mark"], dict) else {"type": it["mark"]}
    told = " + '\t' + ".join(["'@'", *(f"({expression})" for expression in expressions)])
    it["mark"] = mark | {"aria": True, "description": {"expr": told}}
    it["encoding"].pop("description", None)
    kind = {"point": "symbol", "circle": "symbol", "bar": "rect"}.get(mark["type"], mark["type"])
    found = [it for it in items(scene(spec), kind, "mark") if it.get("description", "")[:1] == "@"]
    rows = [it | dict(zip(expressions, it["description"].split("\t")[1:])) for it in found]
    names = set.intersection(*map(set, rows)) if rows else {"x", "y", *expressions}
    return {name: _column([row[name] for row in rows]) for name in names}


def _column(values):
    try:
        return np.array(values, float)
    except (TypeError, ValueError):
        column = np.empty(len(values), object)
        column[:] = values
        return column
