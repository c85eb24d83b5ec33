"""The course's notebooks, and the book's pages that hold code, as the tests see them."""

from functools import cache
from pathlib import Path

import jupytext
import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
# Twelve that are numbered, and labs with a letter.
TEXTS = sorted(NOTEBOOKS.glob("*.md"))
# Every text that is paired with an executed notebook of the same name.
PAIRS = TEXTS + [path.with_suffix(".md") for path in sorted(ROOT.glob("book/*.ipynb"))]


def pytest_generate_tests(metafunc):
    """Run a test of `text_path` once for each notebook, one of `pair_path` for each pair."""
    for name, paths in (("text_path", TEXTS), ("pair_path", PAIRS)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, paths, ids=lambda path: path.stem, scope="module")


@cache
def read_text(path):
    """Return a notebook as its text pair says it, without outputs."""
    return jupytext.read(path)


@pytest.fixture(scope="module")
def text(text_path):
    """Return the notebook as its text pair says it, without outputs."""
    return read_text(text_path)


@pytest.fixture(scope="module")
def notebook(text_path):
    """Return the executed notebook."""
    return nbformat.read(text_path.with_suffix(".ipynb"), as_version=4)


@pytest.fixture(scope="module")
def executed(pair_path):
    """Return the executed notebook of any pair."""
    return nbformat.read(pair_path.with_suffix(".ipynb"), as_version=4)


def place(path, source):
    """Return where a cell stands in the text of its notebook, for an editor to open."""
    before = path.read_text(encoding="utf-8").partition(source)[0]
    return f"{path.relative_to(ROOT).as_posix()}:{before.count(chr(10)) + 1}"
