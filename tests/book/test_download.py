"""The download button gives the notebook that the page was made from, and the whole course."""

import pytest

from posenc_book.course_file import FILE

from .conftest import BOOK, PAGES, ROOT
from .test_links import soup

NOTEBOOKS = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))


def downloads(page):
    """Return {file: words of the button} of what a page offers."""
    links = soup(page.relative_to(BOOK)).select(".dropdown-download-buttons a")
    return {(page.parent / link["href"]).resolve(): link.get_text().strip() for link in links}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_button_gives_the_notebook(path):
    offered = downloads(BOOK / "notebooks" / f"{path.stem}.html")
    (notebook,) = (file for file in offered if file.suffix == ".ipynb")
    # nbval runs this very file: the committed notebook, byte for byte.
    assert notebook.read_bytes() == path.read_bytes()
    assert "needs posenc" in offered[notebook]


def test_every_page_offers_the_course_as_one_file():
    course = (BOOK / FILE).resolve()
    assert course.is_file()
    for name in set(PAGES) - {"search.html"}:
        assert "with posenc" in downloads(BOOK / name)[course], name


def test_the_first_page_says_what_a_notebook_needs_and_gives_it():
    (link,) = soup("book/index.html").select(f"article a[href$='{FILE}']")
    assert (BOOK / "book" / link["href"]).is_file()
    assert "Python 3.11" in link.find_parent(class_="sd-card").get_text()
