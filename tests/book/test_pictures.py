"""The book's pictures are smaller than the notebooks', and look the same."""

import base64
import hashlib
import io

import nbformat
import numpy as np
import pytest
from PIL import Image

from posenc.charts.rendering import MIME_TYPE

from .conftest import BOOK, ROOT, soup

NOTEBOOKS = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/*.ipynb")])
# Of 255 levels; what differs more are single points on the edges of letters.
UNSEEN, SELDOM = 8, 0.002


def colors(picture):
    return np.asarray(Image.open(picture).convert("RGB")).astype(int)


def figures(path):
    """Return the figures of an executed notebook, each with its file in the book."""
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data and MIME_TYPE not in data:
                png = base64.b64decode(data["image/png"])
                built = BOOK / "_images" / f"{hashlib.sha256(png).hexdigest()}.png"
                if "remove-cell" not in cell.metadata.get("tags", ()):
                    yield png, built


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_figure_looks_different_and_all_are_small(path):
    before = after = 0
    for png, built in figures(path):
        drawn, shown = colors(io.BytesIO(png)), colors(built)
        assert shown.shape == drawn.shape
        difference = np.abs(drawn - shown).max(axis=2)
        assert (difference > UNSEEN).mean() <= SELDOM
        assert (shown[(drawn == 255).all(axis=2)] == 255).all()
        before, after = before + len(png), after + built.stat().st_size
    assert after <= before / 2


def test_a_picture_that_would_grow_is_left_alone():
    """Those of charts have few colors already."""
    (picture,) = soup("book/index.html").select(".chart-picture")
    path = BOOK / "book" / picture["src"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == path.stem
