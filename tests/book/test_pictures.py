"""The book's pictures are smaller than the notebooks', and look the same."""

import base64
import hashlib
import io

import nbformat
import numpy as np
import pytest
from PIL import Image

from posenc.charts.rendering import MIME_TYPE
from posenc_book import pictures

from .conftest import BOOK, ROOT

NOTEBOOKS = sorted([*ROOT.glob("notebooks/[0-9]*.ipynb"), *ROOT.glob("book/*.ipynb")])
# Of 255 levels; what differs more are single points on the edges of letters.
UNSEEN, SELDOM = 8, 0.002


def colors(picture):
    return np.asarray(Image.open(picture).convert("RGB")).astype(int)


def figures(path):
    """Return the figures of an executed notebook, as its outputs hold them."""
    notebook = nbformat.read(path, as_version=4)
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    data = [out["data"] for out in outputs if "data" in out]
    return [
        base64.b64decode(it["image/png"])
        for it in data
        if set(it) & {"image/png"} and MIME_TYPE not in it
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_figure_looks_different(path):
    for png in figures(path):
        built = BOOK / "_images" / f"{hashlib.sha256(png).hexdigest()}.png"
        if not built.is_file():
            continue  # of a cell whose output the book does not show
        drawn, shown = colors(io.BytesIO(png)), colors(built)
        assert shown.shape == drawn.shape
        difference = np.abs(drawn - shown).max(axis=2)
        assert (difference > UNSEEN).mean() <= SELDOM
        assert (shown[(drawn == 255).all(axis=2)] == 255).all()


def test_pictures_are_small():
    compared = [png for path in NOTEBOOKS for png in figures(path)]
    built = [BOOK / "_images" / f"{hashlib.sha256(png).hexdigest()}.png" for png in compared]
    pairs = [
        (len(png), path.stat().st_size) for png, path in zip(compared, built) if path.is_file()
    ]
    assert len(pairs) > len(compared) / 2
    before, after = np.sum(pairs, axis=0)
    assert after < before / 2


def test_compressing_twice_changes_nothing(tmp_path):
    path = tmp_path / "picture.png"
    noise = np.random.default_rng(0).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    Image.fromarray(noise).save(path)
    size = path.stat().st_size
    pictures.compress(path)
    once = path.read_bytes()
    assert len(once) < size
    pictures.compress(path)
    assert path.read_bytes() == once


def test_a_picture_that_would_grow_is_left_alone(tmp_path):
    path = tmp_path / "picture.png"
    Image.new("RGB", (1, 1)).save(path, optimize=True)
    before = path.read_bytes()
    pictures.compress(path)
    assert path.read_bytes() == before
