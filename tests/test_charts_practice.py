"""The chart of notebook 12 draws both tables, and names the largest difference."""

import json
import re
from itertools import product

import numpy as np
import pytest
from chart_parts import compiled, fields, marks, moved, sliders, svg_text

from posenc import charts
from posenc.charts.practice import DIVISORS, FIRST, LAST, LAYOUTS, ROWS
from posenc.layouts import load_tables

TABLES = {name: load_tables()[name] for name in "ABC"}
SETTINGS = {
    "A": {"layout": LAYOUTS[2], "divisor": DIVISORS[1], "first": 0},
    "B": {"layout": LAYOUTS[3], "divisor": DIVISORS[0], "first": 0},
    "C": {"layout": LAYOUTS[0], "divisor": DIVISORS[0], "first": 0},
}


@pytest.fixture(scope="module")
def spec():
    return charts.match_table(TABLES).to_dict()


def made(layout, divisor, first, width=32):
    """Return what the settings make, by a loop."""
    half = width // 2
    table = np.empty((ROWS, width))
    for t, k, second in product(range(ROWS), range(half), range(2)):
        angle = (t + first) * 10_000 ** (-k / (half - 1 if divisor == DIVISORS[1] else half))
        column = 2 * k + second if layout.startswith("pairs") else k + second * half
        is_cosine = bool(second) != ("cosine" in layout)
        table[t, column] = np.cos(angle) if is_cosine else np.sin(angle)
    return table


def difference(spec, **settings):
    return float(re.search(r"largest difference (\d\.\d\d)", svg_text(moved(spec, **settings)))[1])


def shown(spec, **settings):
    """Return the two tables that are drawn."""
    found = []
    for cells in marks(moved(spec, **settings), "rect"):
        table = np.full((ROWS, 32), np.nan)
        for cell in cells:
            told = fields(cell["description"])
            table[int(told["row of the table"]), int(told["column"])] = float(
                told["value"].replace("−", "-")
            )
        found.append(table)
    return found


def test_the_chart_says_what_it_shows_and_asks_for_nothing_from_elsewhere(spec):
    spec = json.loads(json.dumps(spec))
    assert len(spec["description"]) > 200
    assert not [data for data in compiled(spec)["data"] if "url" in data]
    assert "://" in spec.pop("$schema")
    assert "://" not in json.dumps(spec)
    bind = sliders(spec)["first"]["bind"]
    assert (bind["min"], bind["max"], bind["step"]) == (FIRST, LAST, 1)


@pytest.mark.parametrize("name", "ABC")
def test_both_tables_are_drawn(spec, name):
    settings = SETTINGS[name]
    theirs, ours = shown(spec, table=name, **settings)
    assert np.allclose(theirs, TABLES[name][:ROWS], atol=0.0051)
    assert np.allclose(ours, made(**settings), atol=0.0051)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("divisor", DIVISORS)
def test_the_settings_make_what_they_say(spec, layout, divisor):
    settings = {"layout": layout, "divisor": divisor, "first": 3}
    assert np.allclose(shown(spec, **settings)[1], made(**settings), atol=0.0051)


@pytest.mark.parametrize("name", "ABC")
def test_only_the_right_settings_leave_no_difference(spec, name):
    for layout, divisor, first in product(LAYOUTS, DIVISORS, (0, 1)):
        settings = {"layout": layout, "divisor": divisor, "first": first}
        table = TABLES[name][:ROWS]
        apart = np.abs(made(**settings) - table)[table.any(axis=1)].max()
        found = difference(spec, table=name, **settings)
        assert abs(found - apart) < 0.011
        assert (found == 0) == (settings == SETTINGS[name])


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({}, "^tables must hold at least one table, got none"),
        ({"a": np.ones((19, 4))}, r"got shape \(19, 4\) for 'a'"),
        ({"a": np.ones((20, 5))}, r"got shape \(20, 5\) for 'a'"),
        ({"a": np.ones((20, 2))}, r"got shape \(20, 2\) for 'a'"),
        ({"a": np.ones(20)}, r"got shape \(20,\) for 'a'"),
        ({"a": np.ones((20, 4)), "b": np.ones((20, 6))}, r"got shape \(20, 6\) for 'b'"),
        ({"a": np.full((20, 4), np.nan)}, r"^tables\['a'\] must be finite"),
    ],
)
def test_what_are_no_tables_is_refused(tables, message):
    with pytest.raises(ValueError, match=message):
        charts.match_table(tables)
