"""The measurement runs, its results are whole, and its errors are those of the formula."""

import importlib
import json
import math
from pathlib import Path

import numpy as np
import pytest

from posenc.charts.shifting import recorded_times
from posenc.encodings import sinusoidal

BENCH = Path(__file__).parents[1] / "bench"
RESULTS = json.loads((BENCH / "results" / "peers.json").read_text(encoding="utf-8"))


@pytest.fixture
def run(monkeypatch):
    """Return the program of the measurement."""
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module("run")


def test_everyone_was_measured_at_every_size(run):
    expected = [
        (subject, list(size), name)
        for subject, (makers, _, sizes) in run.SUBJECTS.items()
        for size in sizes
        for name in makers
        if math.prod(size) <= run.contenders.LARGEST.get(name, math.inf)
    ]
    assert [tuple(row.values())[:3] for row in RESULTS["rows"]] == expected


def test_a_run_writes_what_the_page_reads(run, monkeypatch, tmp_path):
    ours = ("NumPy", "posenc")  # the others are not installed beside the tests
    for subject, (makers, error, _) in run.SUBJECTS.items():
        few = {name: make for name, make in makers.items() if name.startswith(ours)}
        monkeypatch.setitem(run.SUBJECTS, subject, (few, error, [(8, 16)]))
    monkeypatch.setattr(run, "__file__", str(tmp_path / "run.py"))
    run.main("quick")
    written = json.loads((tmp_path / "quick" / "peers.json").read_text(encoding="utf-8"))
    assert written.keys() == RESULTS.keys()
    expected = {row["name"]: set(row) for row in RESULTS["rows"] if row["name"].startswith(ours)}
    assert {row["name"]: set(row) for row in written["rows"]} == expected


def test_the_recorded_ways_to_shift_are_those_that_are_timed(run):
    ways = importlib.import_module("five_ways").contenders()
    assert [*recorded_times()["seconds"]] == [*ways]
    _, M, *shifted = (ways[name]() for name in ways)
    expected = ways["formula"]()
    assert all(np.allclose(table, expected, rtol=0, atol=1e-12) for table in shifted)
    assert M.shape == (256, 256)


def test_errors_are_those_of_the_formula(run):
    table = sinusoidal(300, 16)
    assert run.accuracy.of_table("", table, 16)["error"] < 1e-13
    table[299, 5:7] += 1e-3
    assert run.accuracy.of_table("", table, 16)["error"] == pytest.approx(1e-3)
    assert run.accuracy.of_shift("", np.roll(table, 1), 16)["error"] > 0.1
