"""The measurement measures what it says, its results are whole, and the page types no number."""

import functools
import importlib
import json
import math
import re
import sys
from pathlib import Path

import jupytext
import numpy as np
import pytest

import posenc

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"
LOCK = (BENCH / "requirements.txt").read_text(encoding="utf-8")
ASKED = (BENCH / "requirements.in").read_text(encoding="utf-8")
RESULTS = json.loads((BENCH / "results" / "peers.json").read_text(encoding="utf-8"))
MODULES = ("accuracy", "peers", "run", "timing")


@pytest.fixture
def bench(monkeypatch):
    """Return a function that imports a program of the measurement, anew for each test."""
    monkeypatch.syspath_prepend(str(BENCH))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module
    for name in MODULES:
        sys.modules.pop(name, None)


# --- the committed results ---


def test_every_contender_was_measured_at_every_size_or_is_named_as_missing(bench):
    run, peers = bench("run"), bench("peers")
    others = {
        "tables": peers.TABLES,
        "shifts": peers.ROTATIONS,
        "distances": peers.DISTANCES,
        "steps": peers.STEPS,
    }
    for contenders, _, sizes in run.SUBJECTS:
        subject = contenders.__name__
        for size in sizes:
            rows = [row for row in RESULTS["rows"] if row["subject"] == subject]
            measured = [row["name"] for row in rows if row["size"] == list(size)]
            expected = set(contenders(4, 8)) | set(others[subject])
            left_out = {"NumPy, broadcasting"} if size[0] > 1000 else set()
            left_out |= peers.LOOPS if math.prod(size) > run.LARGE else set()
            assert len(measured) == len(set(measured))
            assert set(measured) == expected - left_out - set(RESULTS["missing"]), (subject, size)


def test_every_row_is_a_measurement(bench):
    at_most = bench("run").AT_MOST
    for row in RESULTS["rows"]:
        for values in (row["seconds"], row["ratio"]):
            assert 0 < values[0] <= values[1] <= values[2]
        assert row["rounds"] >= 3
        exempt = row["subject"] == "steps" or row["name"].endswith("alone")
        assert ("error" in row) == (not exempt)
        limit, least = at_most.get(row["name"], (None, math.inf))
        assert row.get("at most") == (limit if math.prod(row["size"]) >= least else None)
    units = [row for row in RESULTS["rows"] if row["ratio"] == [1, 1, 1]]
    assert len(units) == sum(len(sizes) for _, _, sizes in bench("run").SUBJECTS)


def test_every_package_has_a_version_or_a_reason(bench):
    peers = bench("peers")
    groups = peers.TABLES | peers.ROTATIONS | peers.DISTANCES | peers.STEPS
    for name, (package, *_) in groups.items():
        assert package in RESULTS["versions"] or name in RESULTS["missing"]
    assert {"numpy", "mpmath"} <= set(RESULTS["versions"])


def test_results_are_few_lines_and_name_no_owner_or_place():
    for path in (BENCH / "results").glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 200, path
        assert not re.search(r"hostname|user|(?<![\w.])/[a-z]+/|[A-Z]:\\|~/", text), path


def test_no_number_is_typed_into_the_page():
    cells = jupytext.read(ROOT / "book" / "speed.md").cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert len(prose.split()) > 30
    other = re.sub(r"`.*?`|\(\S+?\)|\$.*?\$|float(32|64)", "", prose)  # code, links and formulas
    assert re.findall(r"\w*\d[\w.]*", other) == []


# --- the programs ---


def test_what_is_not_installed_is_named_as_missing_and_the_rest_measured(bench, monkeypatch):
    """This environment holds no PyTorch."""
    peers = bench("peers")
    monkeypatch.setitem(peers.TABLES, "ours", ("numpy", lambda n, d: lambda: np.ones((n, d))))
    assert list(peers.working(peers.TABLES, 4, 8)) == ["ours"]
    assert peers.working(peers.ROTATIONS, np.ones((2, 4)), np.ones(2), 1) == {}
    assert set(peers.MISSING) == (set(peers.TABLES) | set(peers.ROTATIONS)) - {"ours"}
    assert all("PackageNotFoundError" in why for why in peers.MISSING.values())
    assert peers.VERSIONS["numpy"] == np.__version__


def test_contenders_take_turns_in_changing_order(bench, monkeypatch):
    timing, calls = bench("timing"), []
    monkeypatch.setattr(timing, "SHORTEST", 0)  # one call a sample
    monkeypatch.setattr(timing, "SLOW", 1)  # nobody is too slow for a round
    contenders = {name: lambda name=name: calls.append(name) for name in "abc"}
    times = timing.interleave(contenders, seconds=1, most=20)
    in_turn = calls[6:]  # after two calls of each: to warm up, and to see how long one takes
    rounds = [tuple(in_turn[i : i + 3]) for i in range(0, len(in_turn), 3)]
    assert [list(own) for own in times.values()] == 3 * [list(range(20))]
    assert len(rounds) == 20
    assert all(sorted(names) == ["a", "b", "c"] for names in rounds)
    assert len(set(rounds)) > 1


def test_the_slow_take_part_in_few_rounds(bench, monkeypatch):
    timing = bench("timing")
    monkeypatch.setattr(timing, "_sample", lambda function, loops: function())
    contenders = {"quick": lambda: 0.001, "slow": lambda: 5.0}
    times = timing.interleave(contenders, seconds=20)
    assert len(times["quick"]) == 41
    assert 3 <= len(times["slow"]) <= 4
    assert set(times["slow"]) <= set(times["quick"])


def test_ratios_are_taken_within_a_round(bench):
    times = {"unit": {0: 1.0, 1: 10.0, 2: 2.0}, "half": {0: 0.5, 1: 5.0}, "twice": {1: 20.0}}
    rows = list(bench("timing").summarize(times))
    assert [row["ratio"] for row in rows] == [[1, 1, 1], [0.5, 0.5, 0.5], [2, 2, 2]]
    assert [row["seconds"][1] for row in rows] == [2, 2.75, 20]
    assert [row["rounds"] for row in rows] == [3, 2, 1]


def test_errors_are_those_of_the_formula(bench):
    accuracy = bench("accuracy")
    size, frequencies = (300, 16), posenc.angular_frequencies(16)
    table = posenc.sinusoidal(*size)
    wrong = table.copy()
    wrong[-1, 5] += 1e-3
    right = accuracy.of_table("posenc", lambda: table, *size)
    found = accuracy.of_table("posenc", lambda: wrong, *size)
    assert 0 < right["error"] < 1e-13
    assert found["error"] == pytest.approx(1e-3)
    step = np.linalg.norm(table[1] - table[0])
    assert found["of a step"] == pytest.approx(1e-3 / step)
    shifted = posenc.sinusoidal(*size, start=accuracy.SHIFT)
    assert accuracy.of_shift("", lambda: shifted, *size)["error"] < 1e-13
    assert accuracy.of_shift("", lambda: table, *size)["error"] > 0.1
    matrix = posenc.distance_matrix(300, frequencies)
    assert accuracy.of_distances("", lambda: matrix, *size)["error"] < 1e-13
    for wrong in (matrix + 1e-3 * np.eye(300), np.tril(matrix), matrix.T[::-1]):
        assert accuracy.of_distances("", lambda wrong=wrong: wrong, *size)["error"] > 9e-4


def test_each_peer_is_held_to_its_own_frequencies_and_columns(bench):
    accuracy, t = bench("accuracy"), np.arange(50)[:, None]
    halves = t * 10_000 ** (-np.arange(8) / 7)
    table = np.hstack([np.sin(halves), np.cos(halves)])
    quarters = np.hstack([np.sin(t), t, np.cos(t), t])  # a pair of width 4; what is t goes unread
    name = "transformers, Whisper"
    assert accuracy.of_table(name, lambda: table, 50, 16)["error"] < 1e-13
    assert accuracy.of_table("posenc", lambda: table, 50, 16)["error"] > 0.1
    assert accuracy.of_table("timm", lambda: quarters, 50, 4)["error"] < 1e-13
    pairs = 4 * posenc.sinusoidal(50, 16)[:, [*range(0, 16, 2), *range(1, 16, 2)]] / 16
    assert accuracy.of_table("x-transformers", lambda: pairs, 50, 16)["error"] < 1e-13


def test_a_run_writes_each_row_and_tells_which_target_is_missed(
    bench, monkeypatch, tmp_path, capsys
):
    run = bench("run")
    monkeypatch.setattr(run, "__file__", str(tmp_path / "run.py"))
    monkeypatch.setattr(
        run, "SUBJECTS", [(how, error, [(8, 16)]) for how, error, _ in run.SUBJECTS]
    )
    monkeypatch.setattr(run, "AT_MOST", {"posenc, sinusoidal": (0, 128), "a table": (0, 129)})
    few = functools.partial(run.timing.interleave, most=3, fewest=3)
    monkeypatch.setattr(run.timing, "interleave", few)
    run.main("quick")
    text = (tmp_path / "quick" / "peers.json").read_text(encoding="utf-8")
    found = json.loads(text)
    names = [row["name"] for row in found["rows"]]
    assert names[:2] == ["NumPy, writing alone", "posenc, sinusoidal"]
    assert len(text.splitlines()) == len(names) + 9
    assert "timm" in found["missing"]
    (line,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"posenc, sinusoidal, \(8, 16\): [\d.]+ times the first, not 0", line)


def test_the_peers_lock_has_hashes_and_names_no_address():
    entries = re.findall(r"^([a-z0-9][^ ]*?)==", LOCK, flags=re.MULTILINE)
    hashed = re.findall(r"^[a-z0-9][^\n]*\\\n +--hash=sha256:", LOCK, flags=re.MULTILINE)
    assert len(hashed) == len(entries)
    asked = {line for line in ASKED.splitlines() if line and not line.startswith("#")}
    assert asked <= set(entries)
    assert not re.search(r"://|--index|--find-links", LOCK)
    assert not {"torch", "torchvision"} & set(entries)
    assert not [name for name in entries if name.startswith("nvidia")]
