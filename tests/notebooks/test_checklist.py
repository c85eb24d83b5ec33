"""The five questions of notebook 12 name tables that its page does not show."""

import ast

import jupytext
import numpy as np
import pytest

from posenc.encodings import sinusoidal

from .conftest import NOTEBOOKS, ROOT

QUESTIONS = "lengths", "partner", "hands", "speeds"


@pytest.fixture(scope="module")
def ask():
    """Return a function that asks the page's questions, with the page's own functions."""
    text = jupytext.read(NOTEBOOKS / "12_practice.md")
    names = {"np": np}
    for cell in text.cells:
        if cell.cell_type == "code" and cell.source.startswith("def "):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef) and node.name in QUESTIONS:
                    exec(ast.unparse(node), names)
    lengths, partner, hands, speeds = (names[name] for name in QUESTIONS)

    def answers(table, moving=slice(None)):
        table = np.asarray(table, float)
        size = lengths(table)
        place = partner(table[size > 0])
        turning = hands(table[size > 0], place)[:, moving]
        sine_first = speeds(turning)[-1] < 0
        if sine_first:
            turning = 1j * turning.conj()
        *_, before, last = speeds(turning)
        P = np.log(10_000) / np.log(before / last)
        start = np.angle(turning[0, -1]) / last
        return size.max(), place, "sine" if sine_first else "cosine", round(P, 1), round(start, 1)

    return answers


@pytest.fixture(scope="module")
def recorded():
    """Return a function that loads an array that `make peers` recorded."""

    def load(package, name):
        with np.load(ROOT / "tests" / "peers" / f"{package}.npz") as arrays:
            return arrays[name]

    return load


ALL, LAST = slice(None), slice(8, None)  # which hands move along the columns


@pytest.mark.parametrize(
    ("package", "name", "moving", "expected"),
    [
        ("transformers", "m2m100", ALL, (4, 16, "sine", 15, 0)),
        ("transformers", "rt_detr", LAST, (4, 8, "sine", 8, 0)),
        ("positional-encodings", "encoding", ALL, (4, 1, "sine", 16, 0)),
        ("positional-encodings", "encoding_2d", LAST, (4, 1, "sine", 8, 0)),
        ("diffusers", "steps", ALL, (4, 16, "sine", 15, 0)),
        ("diffusers", "steps_from_1", ALL, (4, 16, "cosine", 15, 1)),
        ("x-transformers", "scaled", ALL, (0.71, 16, "sine", 16, 0)),
        ("timm", "timm", LAST, (4, 16, "sine", 8, 0)),
        ("timm", "timm_interleaved", LAST, (4, 8, "sine", 8, 0)),
    ],
)
def test_tables_of_others(ask, recorded, package, name, moving, expected):
    table = recorded(package, name)
    assert ask(table.reshape(-1, table.shape[-1]), moving) == expected


@pytest.mark.parametrize("start", [0, 1, 2, 7, 500])
@pytest.mark.parametrize("width", [8, 32, 128, 512])
def test_our_own_tables_in_every_layout(ask, width, start):
    pairs = sinusoidal(60, width, start=start)
    sines, cosines = pairs[:, 0::2], pairs[:, 1::2]
    size, P = round((width / 2) ** 0.5, 2), width / 2
    exchanged = np.stack([cosines, sines], axis=-1).reshape(pairs.shape)
    for table, place, first in (
        (pairs, 1, "sine"),
        (exchanged, 1, "cosine"),
        (np.hstack([sines, cosines]), width // 2, "sine"),
        (np.hstack([cosines, sines]), width // 2, "cosine"),
    ):
        assert ask(table) == (size, place, first, P, start)


def test_what_is_no_encoding_has_rows_of_many_lengths():
    learned = np.random.default_rng(0).normal(size=(40, 32))
    half = sinusoidal(40, 32)[:, 1::2]
    for table in (learned, half):
        assert len(np.unique(np.linalg.norm(table, axis=1).round(2))) > 10
