"""The committed measurement is whole, its verdicts follow from it, and the page shows them."""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"
RESULTS = BENCH / "results"
LARGE, LARGEST = "4096×1024", "131072×1024"
# function, the row's beginning, the limit: the table of what the package is to reach
TARGETS = [
    ("sinusoidal", f"{LARGE}, in fills", 3),
    ("sinusoidal", f"{LARGEST}, in fills", 3),
    ("sinusoidal", f"{LARGEST}, peak memory", 1.1),
    ("sinusoidal", f"{LARGEST}, largest error", 2e-11),
    ("sinusoidal", "start up to 1e6, largest error", 2e-10),
    ("sinusoidal, float32", f"{LARGEST}, largest error", 6e-8),
    ("sinusoidal, float32", f"{LARGE}, time in those of float64", 1),
    ("sinusoidal, float32", f"{LARGEST}, time in those of float64", 1),
    ("sinusoidal, float32", f"{LARGEST}, peak memory", 1.6),
    *(
        (name, f"{size}, in copies", limit)
        for size in ("200×256", LARGE)
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
    ("binary", "n=1000, in fills", 10),
    ("load_glove", "400000 words, time", 1),
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


def test_the_summary_is_made_from_the_measured_values(summary, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    import summary as maker

    again = json.loads(json.dumps(maker.summarize(RESULTS)))
    del sys.modules["summary"]
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
        reason = re.search(r"<td>(yes|<strong>no</strong> \((\d+)\))</td></tr>$", line)
        assert (reason[1] == "yes") == row["met"]
        if not row["met"]:
            assert f"\n{reason[2]}. because {row['because']}" in count


def test_peers_are_measured_or_named_as_missing(summary):
    peers = {"transformers, M2M-100", "transformers, Whisper", "transformers, DistilBERT"}
    peers |= {"timm", "x-transformers", "positional-encodings"}
    measured = set(summary["ratios"]["tables"]["200×256"])
    assert peers <= measured | set(summary["peers missing"])
    shifts = set(summary["ratios"]["shifts"]["200×256"])
    assert "rotary-embedding-torch" in shifts | set(summary["peers missing"])


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
