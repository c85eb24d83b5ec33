"""Search works without a server, and its results lead to the right page."""

import pytest

from .conftest import BOOK, PAGES, complaints, soup


@pytest.fixture(params=["http", "file"])
def root(request, site):
    """Return the book's address, served and from the file system."""
    return site if request.param == "http" else BOOK.as_uri() + "/"


def word_of_one_page_only():
    """Return a word that stands in one notebook's prose only, and that notebook's page."""
    words = {}
    for name in [name for name in PAGES if name.startswith("notebooks/")]:
        prose = " ".join(it.get_text() for it in soup(name).select("article p"))
        for word in {it for it in prose.lower().split() if it.isalpha() and len(it) > 8}:
            words.setdefault(word, []).append(name)
    alone = {word: names[0] for word, names in words.items() if len(names) == 1}
    return max(alone.items())


def test_search_finds_a_word_of_one_notebook_and_leads_there(open_page, root):
    word, name = word_of_one_page_only()
    page = open_page(f"{root}search.html?q={word}")
    page.locator(f"#search-results a[href*='{name}']").first.click()
    page.wait_for_url(f"**/{name}**")
    # The word may be folded away.
    assert word in page.locator("article").text_content().lower()
    assert complaints(page) == []


def test_search_opens_from_the_keyboard(open_page, site):
    page = open_page(site + "book/index.html")
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input[type=search]").wait_for()
    page.keyboard.type("rotation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rotation**")
    page.locator("#search-results li").first.wait_for()
