"""Search works without a server, and its results lead to the right page."""

from collections import Counter

import nbformat
import pytest

from .conftest import BOOK, ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))


def words_of(path):
    notebook = nbformat.read(path, as_version=4)
    prose = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return {word for word in prose.lower().split() if word.isalpha() and len(word) > 6}


def word_of_one_page_only():
    """Return a word of the prose that stands in one notebook only, and that notebook's name."""
    words = {path.stem: words_of(path) for path in NOTEBOOKS}
    number = Counter(word for found in words.values() for word in found)
    for name in reversed(words):
        alone = sorted(word for word in words[name] if number[word] == 1 and word.endswith("ly"))
        if alone:
            return alone[0], name
    raise AssertionError("every word stands in two notebooks")


@pytest.fixture(params=["http", "file"])
def root(request, site):
    """Return the book's address, served and from the file system."""
    return site if request.param == "http" else BOOK.as_uri() + "/"


def test_search_finds_a_word_of_one_notebook_and_leads_there(open_page, root):
    word, name = word_of_one_page_only()
    page = open_page(f"{root}search.html?q={word}")
    result = page.locator("#search-results li a").filter(visible=True)
    result.first.wait_for()
    hits = [link.get_attribute("href") for link in result.all()]
    assert any(f"notebooks/{name}.html" in hit for hit in hits), hits
    page.locator(f"#search-results a[href*='notebooks/{name}']").first.click()
    page.wait_for_url(f"**/notebooks/{name}.html**")
    # The word may be folded away.
    assert word in page.locator("article").text_content().lower()
    complaints = [text for kind, text in page.messages if kind in ("error", "warning")]
    assert complaints == []


def test_search_opens_from_the_keyboard(open_page, site):
    page = open_page(site + "book/index.html")
    page.keyboard.press("Control+k")
    field = page.locator("#pst-search-dialog input[type=search]")
    field.wait_for()
    page.keyboard.type("rotation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rotation**")
    page.locator("#search-results li").first.wait_for()
