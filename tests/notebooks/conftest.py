"""The course's notebooks, as the tests of their form see them."""

from pathlib import Path

import jupytext
import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TEXTS = sorted(NOTEBOOKS.glob("[0-9]*.md"))


def pytest_generate_tests(metafunc):
    """Run a test that asks for `text_path` once for each notebook."""
    if "text_path" in metafunc.fixturenames:
        metafunc.parametrize("text_path", TEXTS, ids=lambda path: path.stem, scope="module")


@pytest.fixture(scope="module")
def text(text_path):
    """Return the notebook as its text pair says it, without outputs."""
    return jupytext.read(text_path)


@pytest.fixture(scope="module")
def notebook(text_path):
    """Return the executed notebook."""
    return nbformat.read(text_path.with_suffix(".ipynb"), as_version=4)
