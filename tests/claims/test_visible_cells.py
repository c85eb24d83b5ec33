"""A reader who types what a page shows, and nothing else, gets through it."""

from pathlib import Path

import pytest

from . import ROOT
from .conftest import visible_names

# Pages with claims are run for these.
CLAIMED = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
PAGES = sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb") if path.stem not in CLAIMED)


@pytest.mark.parametrize("page_name", PAGES)
def test_visible_cells_run_without_hidden_ones(page_name):
    assert visible_names(page_name)
