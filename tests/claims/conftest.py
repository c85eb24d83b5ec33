"""Collect claims as tests, and run the visible cells of their pages."""

import ast
from contextlib import chdir
from functools import cache

import jupytext
import pytest
from matplotlib import pyplot as plt

from . import path_of, text_of


@pytest.fixture(autouse=True)
def _phrase(request):
    """Look for the claim's phrase before anything is computed."""
    if hasattr(request.function, "claim"):
        request.function.claim.check_phrase()


@pytest.fixture
def page(request):
    """Return the names that the visible cells of the claim's page define."""
    return visible_names(request.function.claim.page)


@cache
def visible_names(page):
    """Run the cells of a page that a reader sees, in order, and return what they define."""
    names = {"__name__": "__main__"}
    text, end = text_of(page), 0
    try:
        for cell in jupytext.reads(text, "md:myst").cells:
            tags = cell.metadata.get("tags", [])
            if cell.cell_type == "code" and "remove-cell" not in tags:
                start = text.index(cell.source, end)
                end = start + len(cell.source)
                tree = ast.parse(cell.source)
                ast.increment_lineno(tree, text.count("\n", 0, start))
                with chdir(path_of(page).parent):
                    exec(compile(tree, path_of(page), "exec"), names)
    finally:
        plt.close("all")
    return names
