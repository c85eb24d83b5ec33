"""Titles, figures and exercises are numbered by notebook, each once and without a gap."""

import re

import pytest

from .conftest import BOOK, ROOT
from .test_links import soup

NAMES = [path.stem for path in sorted(ROOT.glob("notebooks/[0-9]*.md"))]


@pytest.mark.parametrize("name", NAMES)
def test_figures_and_exercises_are_counted_in_each_notebook(name):
    page = soup(f"notebooks/{name}.html")
    number = int(name[:2])
    labels = [label.get_text().split() for label in page.select("article .caption-number")]
    for kind in ("Fig.", "Exercise"):
        found = [label[1] for label in labels if label[0] == kind]
        assert found == [f"{number}.{i}" for i in range(1, len(found) + 1)]
        assert len(found) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_a_title_has_its_number_once_wherever_it_is_shown(name):
    text = (ROOT / "notebooks" / f"{name}.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, flags=re.MULTILINE)[1]
    assert title.startswith(f"{int(name[:2])}. ")
    page = soup(f"notebooks/{name}.html")
    assert page.h1.get_text().rstrip("#") == title
    assert page.title.get_text().startswith(title)
    entries = [link.get_text().strip() for link in page.select("nav.bd-links a")]
    assert title in entries


def test_only_notebooks_are_numbered():
    assert not [
        page.relative_to(BOOK)
        for page in BOOK.glob("book/*.html")
        if soup(page.relative_to(BOOK).as_posix()).select(".section-number")
    ]
