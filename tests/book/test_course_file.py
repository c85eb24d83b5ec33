"""The course as one file: it's complete, and its own instructions set it up and run it."""

import re
import subprocess
import sys
import zipfile
from itertools import pairwise

import nbformat
import pytest

from .conftest import BOOK, ROOT, soup


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Unpack the course's file, far from the repository; return its only folder."""
    (link,) = soup("book/index.html").select("article a[href$='.zip']")
    folder = tmp_path_factory.mktemp("a student's downloads")
    with zipfile.ZipFile((BOOK / "book").joinpath(link["href"])) as file:
        file.extractall(folder)
    (course,) = folder.iterdir()
    return course


def test_it_holds_every_notebook_as_it_is_tested(course):
    packed, ours = (sorted(folder.glob("notebooks/*.ipynb")) for folder in (course, ROOT))
    assert [path.name for path in packed] == [path.name for path in ours]
    for paths in zip(packed, ours):
        theirs, tested = (nbformat.read(path, as_version=4).cells for path in paths)
        nbformat.validate(nbformat.read(paths[0], as_version=4))
        code = [[cell for cell in cells if cell.cell_type == "code"] for cells in (theirs, tested)]
        assert code[0] == code[1]


def test_its_notebooks_show_their_captions(course):
    for path in course.glob("notebooks/*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        for cell, following in pairwise(cells):
            if figure := cell.metadata.get("mystnb", {}).get("figure"):
                assert figure.caption in following.source
        assert not any("{term}" in cell.source or "{cite" in cell.source for cell in cells)


def test_its_links_lead_to_files_that_are_there(course):
    for path in course.glob("notebooks/*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)", text):
            assert (path.parent / target).is_file(), f"{path.name} links to {target}"


@pytest.mark.slow
def test_its_read_me_sets_up_what_runs_every_notebook(course):
    text = (course / "READ-ME.txt").read_text(encoding="utf-8")
    block = re.search(r"^Linux and macOS:\n\n((?:    .+\n)+)", text, flags=re.MULTILINE)[1]
    *setting_up, start = (line.split() for line in block.splitlines())
    assert start == [".venv/bin/python", "-m", "jupyterlab"]
    notebooks = sorted(course.glob("notebooks/*.ipynb"))
    execute = [".venv/bin/python", "-c", "from nbclient.cli import main; main()", *notebooks]
    for command in (*setting_up, execute):
        if command[0] == "python3":  # for which the wheels are locked
            command[0] = sys.executable
        subprocess.run(command, cwd=course, check=True)
