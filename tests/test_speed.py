"""The measurement measures what it says, its results are whole, and the page types no number."""

import importlib
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from posenc.distances import distance_matrix
from posenc.encodings import sinusoidal

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"
TEXT = (BENCH / "results" / "peers.json").read_text(encoding="utf-8")
RESULTS = json.loads(TEXT)


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
    for row in RESULTS["rows"]:
        (least, median, most), ratios = row["seconds"], row["ratio"]
        if row["name"] == next(iter(run.SUBJECTS[row["subject"]][0])):
            unit = median
            assert ratios == [1, 1, 1]
        assert 0 < least <= median <= most
        assert ratios == sorted(ratios)
        assert 0.5 < ratios[1] / (median / unit) < 2, row  # on a quiet machine they are about equal
        assert row["rounds"] >= 3
        assert ("error" in row) == (not row["name"].endswith("alone"))


def test_results_name_every_package_and_no_owner_or_place():
    named = re.findall(r'= "(\w+)[\w.]*:\w+"', (BENCH / "contenders.py").read_text("utf-8"))
    packages = {package.replace("_", "-") for package in [*named, "torch", "numpy", "mpmath"]}
    assert packages == set(RESULTS["versions"])
    assert not re.search(r"hostname|user|(?<![\w.])/[a-z]+/|[A-Z]:\\|~/", TEXT)


def test_no_number_is_typed_into_the_page():
    page = (ROOT / "book" / "speed.md").read_text(encoding="utf-8")
    prose = re.sub(r"^(---|```).*?^\1$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) > 30
    other = re.sub(r"`.*?`|\(\S+?\)|\$.*?\$|float(32|64)", "", prose)  # code, links and formulas
    assert re.findall(r"\w*\d[\w.]*", other) == []


def test_a_run_writes_what_the_page_reads(run, monkeypatch, tmp_path):
    ours = ("NumPy", "posenc")  # the others are not installed beside the tests
    for subject, (makers, error, _) in run.SUBJECTS.items():
        few = {name: make for name, make in makers.items() if name.startswith(ours)}
        monkeypatch.setitem(run.SUBJECTS, subject, (few, error, [(8, 16)]))
    monkeypatch.setitem(run.contenders.LARGEST, "NumPy, broadcasting", 8 * 16 - 1)
    monkeypatch.setattr(run, "__file__", str(tmp_path / "run.py"))
    run.main("quick")
    text = (tmp_path / "quick" / "peers.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert found.keys() == RESULTS.keys()
    assert found["machine"].keys() == RESULTS["machine"].keys()
    expected = {row["name"]: set(row) for row in RESULTS["rows"] if row["name"].startswith(ours)}
    del expected["NumPy, broadcasting"]
    assert {row["name"]: set(row) for row in found["rows"]} == expected
    assert len(text.splitlines()) == 1 + len(found["rows"])


def test_all_take_turns_in_changing_order_and_the_slow_in_few_rounds(run, monkeypatch):
    calls = []

    class Clock:
        def __init__(self, duration):
            self.duration = duration

        def timeit(self, number):
            calls.append(self.duration)
            return number * self.duration

    monkeypatch.setattr(run.timing.timeit, "Timer", Clock)
    times = run.timing.interleave({"first": 0.0005, "quick": 0.004, "slow": 5.0}, seconds=20)
    assert list(times["first"]) == list(times["quick"]) == list(range(41))
    assert 3 <= len(times["slow"]) <= 4
    assert [set(own.values()) for own in times.values()] == [{0.0005}, {0.004}, {5.0}]
    in_turn = [duration for duration in calls[6:] if duration < 5]  # after two calls of each
    assert set(zip(in_turn[::2], in_turn[1::2])) == {(0.0005, 0.004), (0.004, 0.0005)}


def test_ratios_are_taken_within_a_round(run):
    times = {"unit": {0: 1.0, 1: 10.0, 2: 2.0}, "half": {0: 0.5, 1: 5.0}, "twice": {1: 20.0}}
    rows = list(run.timing.summarize(times))
    assert [row["ratio"] for row in rows] == [[1, 1, 1], [0.5, 0.5, 0.5], [2, 2, 2]]
    assert [row["seconds"][1] for row in rows] == [2, 2.75, 20]
    assert [row["rounds"] for row in rows] == [3, 2, 1]


def test_errors_are_those_of_the_formula(run):
    accuracy, table = run.accuracy, sinusoidal(300, 16)
    assert 0 < accuracy.of_table("", table, 16)["error"] < 1e-13
    step = np.linalg.norm(table[1] - table[0])
    expected = pytest.approx({"error": 1e-3, "of a step": 2**0.5 * 1e-3 / step})
    for length, row in [(300, 299), *((26, row) for row in range(26))]:
        wrong = table[:length].copy()
        wrong[row, 5:7] += 1e-3
        assert accuracy.of_table("", wrong, 16) == expected
    shifted = sinusoidal(300, 16, start=accuracy.SHIFT)
    assert accuracy.of_shift("x-transformers", shifted, 16)["error"] < 1e-13
    assert accuracy.of_shift("", table, 16)["error"] > 0.1
    matrix = distance_matrix(300, 10_000 ** (-np.arange(8) / 8))
    assert accuracy.of_distances("", matrix, 16)["error"] < 1e-13
    for wrong in (matrix + 1e-3 * np.eye(300), np.tril(matrix), np.triu(matrix)):
        assert accuracy.of_distances("", wrong, 16)["error"] > 9e-4


def test_each_peer_is_held_to_its_own_frequencies_and_columns(run):
    t, pairs = np.arange(50)[:, None], sinusoidal(50, 16)
    slower, usual = (t * 10_000 ** (-np.arange(8) / steps) for steps in (7, 8))
    tables = {
        "transformers, Whisper": np.hstack([np.sin(slower), np.cos(slower)]),
        "timm": np.hstack([np.sin(usual), usual, np.cos(usual), usual]),  # with a second axis
        "x-transformers": np.hstack([np.sin(usual), np.cos(usual)]) / 4,
    }
    for name in run.contenders.TABLES:
        table = tables.pop(name, pairs)
        assert run.accuracy.of_table(name, table, table.shape[1])["error"] < 1e-13
    assert not tables


def test_what_is_asked_for_is_locked_and_pytorch_is_not():
    lock, asked = ((BENCH / f"requirements.{end}").read_text("utf-8") for end in ("txt", "in"))
    locked = set(re.findall(r"^([a-z0-9][^ ]*?)==", lock, flags=re.MULTILINE))
    assert set(re.findall(r"^[a-z0-9-]+$", asked, flags=re.MULTILINE)) <= locked
    assert not {"torch", "torchvision"} & locked
