"""The six questions of notebook 12 name tables that its page does not show."""

import ast

import jupytext
import numpy as np
import pytest

from posenc.encodings import sinusoidal
from posenc.layouts import describe

from .conftest import NOTEBOOKS, ROOT


@pytest.fixture(scope="module")
def ask():
    """Return a function that asks the page's questions, with the page's own functions."""
    text = jupytext.read(NOTEBOOKS / "12_practice.md")
    names = {"np": np}
    for cell in text.cells:
        if cell.cell_type == "code" and cell.source.startswith("def "):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef) and node.name in ("partner", "fitted"):
                    exec(ast.unparse(node), names)

    def answers(table):
        table = np.asarray(table, float)
        speeds, first = names["fitted"](table)
        cosine = speeds[0] > 0
        start = (first[-1] if cosine else np.pi / 2 - first[-1]) / abs(speeds[-1])
        slope, scale = np.polyfit(np.arange(len(speeds)), np.log(abs(speeds)), 1)
        kind = "cosine" if cosine else "sine"
        return names["partner"](table), kind, np.exp(scale), np.exp(-slope), start

    return answers


RECORDED = [
    ("transformers", "m2m100", slice(2, None)),
    ("transformers", "whisper_768_half", slice(None)),
    ("positional-encodings", "encoding", slice(None)),
    ("diffusers", "steps", slice(None)),
    ("diffusers", "steps_from_1", slice(None)),
    ("x-transformers", "scaled", slice(None)),
]


@pytest.mark.parametrize(("package", "name", "rows"), RECORDED)
def test_tables_of_others_are_named_as_by_describe(ask, package, name, rows):
    with np.load(ROOT / "tests" / "peers" / f"{package}.npz") as arrays:
        table = arrays[name]
    table = table.reshape(-1, table.shape[-1])[rows]
    apart, first, scale, ratio, start = ask(table)
    said = describe(table)
    assert (apart, first) == (1 if said.layout == "pairs" else said.pairs, said.first)
    expected = (said.fastest, said.ratio, said.start)
    np.testing.assert_allclose((scale, ratio, start), expected, rtol=1e-4, atol=0.05)


@pytest.mark.parametrize("start", [0, 500])
def test_our_own_tables_are_named_in_every_layout(ask, start):
    pairs = sinusoidal(60, 128, start=start)
    sines, cosines = pairs[:, 0::2], pairs[:, 1::2]
    exchanged = np.stack([cosines, sines], axis=-1).reshape(pairs.shape)
    for table, place, first in (
        (pairs, 1, "sine"),
        (exchanged, 1, "cosine"),
        (np.hstack([sines, cosines]), 64, "sine"),
        (np.hstack([cosines, sines]), 64, "cosine"),
    ):
        *named, scale, ratio, row_0 = ask(table)
        assert named == [place, first]
        assert np.allclose([scale, ratio**64, row_0], [1, 10_000, start], rtol=1e-6)
