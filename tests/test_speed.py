"""The committed measurement is whole, its verdicts follow from it, and the page shows them."""

import importlib
import json
import re
import sys
import types
from pathlib import Path

import nbformat
import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"
RESULTS = BENCH / "results"
LARGE, LARGEST = "4096×1024", "131072×1024"
# function, the row's beginning, the limit: the table of what the package is to reach
TARGETS = [
    ("sinusoidal", f"{LARGE}, in fills", 3),
    ("sinusoidal", f"{LARGEST}, in fills", 3),
    ("sinusoidal", f"{LARGE}, peak memory", 1.1),
    ("sinusoidal", f"{LARGEST}, peak memory", 1.1),
    ("sinusoidal", f"{LARGEST}, largest error", 2e-11),
    ("sinusoidal", "start up to 1e6, largest error", 2e-10),
    ("sinusoidal, float32", f"{LARGEST}, largest error", 6e-8),
    ("sinusoidal, float32", f"{LARGE}, time in those of float64", 1),
    ("sinusoidal, float32", f"{LARGEST}, time in those of float64", 1),
    ("sinusoidal, float32", f"{LARGE}, peak memory", 1.6),
    ("sinusoidal, float32", f"{LARGEST}, peak memory", 1.6),
    *(
        (name, f"{size}, in copies", limit)
        for size in ("200×256", "1000×500", LARGE, LARGEST)
        for name, limit in (
            ("shift_by_phase", 1.7),
            ("shift_by_phase, in place", 1.3),
            ("shift_by_packing", 8),
            ("shift_by_swapping", 8),
        )
    ),
    *(
        (name, f"n={n}, in fills", 2.5)
        for name in ("distance_matrix", "dot_product_matrix")
        for n in (1000, 4096)
    ),
    *((f"{name}_matrix, view", "n=1000, peak memory", 0.1) for name in ("distance", "dot_product")),
    *(("distance_matrix", f"n={n}, on the diagonal", 0) for n in (1000, 4096)),
    ("binary", "n=1000, in fills", 10),
    ("load_glove", "400000 words, with its progress bar, time", 1),
    ("load_glove", "400000 words, peak memory", 2.5),
    ("import posenc", "milliseconds beyond import numpy", 20),
]


@pytest.fixture(scope="module")
def summary():
    return json.loads((RESULTS / "summary.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shown():
    """Return all that the page's cells show as text."""
    page = nbformat.read(ROOT / "book" / "speed.ipynb", as_version=4)
    outputs = [output for cell in page.cells for output in cell.get("outputs", [])]
    shown = [output.get("data", {}) for output in outputs]
    return [data.get("text/html", data.get("text/markdown", "")) for data in shown]


@pytest.fixture
def bench(monkeypatch):
    """Return a function that imports a program of the measurement, anew for each test."""
    monkeypatch.syspath_prepend(str(BENCH))

    def load(name):
        monkeypatch.delitem(sys.modules, name, raising=False)
        module = importlib.import_module(name)
        monkeypatch.delitem(sys.modules, name)
        return module

    return load


def test_the_summary_is_made_from_the_measured_values(summary, bench):
    again = json.loads(json.dumps(bench("summary").summarize(RESULTS)))
    for row, repeated in zip(summary["exponents"], again["exponents"], strict=True):
        # a fitted slope may differ in its last digit between machines
        assert row.pop("exponent") == pytest.approx(repeated.pop("exponent"), abs=0.011)
    assert again == summary


@pytest.mark.parametrize(("function", "what", "limit"), TARGETS)
def test_every_target_was_measured(summary, function, what, limit):
    found = [
        row
        for row in summary["targets"]
        if row["function"] == function and row["what"].startswith(what)
    ]
    assert [row["limit"] for row in found] == [limit]


def test_met_or_missed_follows_from_the_measured_value(summary):
    for row in summary["targets"]:
        assert row["met"] == (row["measured"] <= row["limit"]), row
        assert row["met"] or row["because"], row
        assert row.get("close", False) == (row.get("low", 0) <= row["limit"] < row.get("high", 0))


def test_the_page_shows_each_target_with_its_verdict(summary, shown):
    (table,) = [text for text in shown if '<th scope="col">met?</th>' in text]
    lines = [line for line in table.splitlines() if line.startswith('<tr><th scope="row"')]
    assert len(lines) == len(summary["targets"])
    met = sum(row["met"] for row in summary["targets"])
    (count,) = [
        text for text in shown if f"**{met} are met** and {len(lines) - met} missed" in text
    ]
    for line, row in zip(lines, summary["targets"]):
        assert row["function"].split(",")[0] in line
        assert f"<small>{row['what']}</small></th>" in line
        verdict = re.search(r"<td>(yes|<strong>no</strong>)( ≈)?(?: \((\d+)\))?</td></tr>$", line)
        assert (verdict[1] == "yes") == row["met"]
        assert bool(verdict[2]) == row.get("close", False)
        if not row["met"]:
            assert f"\n{verdict[3]}. because {row['because']}" in count


def test_peers_are_measured_or_named_as_missing(summary):
    peers = {"transformers, M2M-100", "transformers, Whisper", "transformers, DistilBERT"}
    peers |= {"timm", "x-transformers", "positional-encodings"}
    measured = set(summary["ratios"]["tables"]["200×256"])
    assert peers <= measured | set(summary["peers missing"])
    shifts = set(summary["ratios"]["shifts"]["200×256"])
    assert {"rotary-embedding-torch", "x-transformers, rotary"} <= shifts | set(
        summary["peers missing"]
    )


def test_peers_that_are_not_installed_are_named_as_missing(bench):
    """This environment holds none of the peers."""
    peers = bench("peers")
    assert peers.tables(4, 8) == {}
    assert peers.rotations(np.ones((2, 4)), np.ones(2), 1) == {}
    assert set(peers.PEERS_MISSING) == set(peers.TABLES) | set(peers.ROTATIONS)
    assert all("ModuleNotFoundError" in why for why in peers.PEERS_MISSING.values())
    assert peers.versions()["transformers"] is None
    assert peers.versions()["numpy"] == np.__version__


def test_what_cannot_be_installed_is_named_and_the_rest_installed(bench, monkeypatch, capsys):
    install = bench("install")
    lock = (BENCH / "requirements.txt").read_text(encoding="utf-8")
    assert "".join(text for _, text in install.entries(lock)) in lock
    asked = []

    def pip(*arguments):
        wanted = arguments[-1]
        asked.append(Path(wanted).read_text("utf-8") if wanted.endswith(".txt") else wanted)
        return "timm==" not in asked[-1]

    monkeypatch.setattr(install, "install", pip)
    assert install.main("torch==1") == 0
    assert capsys.readouterr().err.splitlines() == [
        "timm cannot be installed and is left out of the measurement"
    ]
    assert asked == [lock, *(text for _, text in install.entries(lock)), "torch==1"]


def test_contenders_take_turns_in_changing_order(bench, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyperf", types.ModuleType("pyperf"))  # keeps the values
    harness = bench("harness")
    monkeypatch.setattr(harness, "SHORTEST", 0)  # one call a sample
    monkeypatch.setattr(harness, "SLOW", 1)  # nobody is too slow for a round
    monkeypatch.setattr(harness, "benchmark", lambda name, values, **_: values)
    calls = []
    contenders = {name: lambda name=name: calls.append(name) for name in "abc"}
    timed = harness.interleave(contenders, seconds=1, most=20)
    in_turn = calls[6:]  # after two calls of each: to warm up, and to see how long one takes
    rounds = [tuple(in_turn[i : i + 3]) for i in range(0, len(in_turn), 3)]
    assert [len(values) for values in timed.values()] == 3 * [len(rounds)] == 3 * [20]
    assert all(sorted(names) == ["a", "b", "c"] for names in rounds)
    assert len(set(rounds)) > 1


def test_results_name_no_machine_owner_or_place():
    for path in RESULTS.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"hostname|user|(?<![\w.])/(home|root|tmp|usr|opt|var|work)\b", text
        ), path


def test_the_peers_lock_has_hashes_and_names_no_address():
    lock = (BENCH / "requirements.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[a-z0-9].*?==", lock, flags=re.MULTILINE)
    assert len(entries) > 30
    assert len(re.findall(r"^[a-z0-9][^\n]*\\\n +--hash=sha256:", lock, flags=re.MULTILINE)) == len(
        entries
    )
    assert not re.search(r"://|--index|--find-links", lock)
    assert not re.search(r"^(torch|torchvision|nvidia\S*)==", lock, flags=re.MULTILINE)
