"""Search answers without a server, with prose, and leads to the right section."""

import re

import pytest

from .conftest import BOOK, PAGES, complaints, soup

# What readers ask, and the pages that answer.
ASKED = {
    "scale RoPE to longer context": ["10_longer"],
    "why sine and cosine": ["01_formula"],
    "angular frequency": ["01_formula", "notation"],
    "which layout has my table": ["12_practice"],
    "before from after": ["06_distances", "09_rotary"],
    "extrapolation": ["10_longer"],
    "RoPE scaling": ["10_longer"],
    "NTK": ["10_longer"],
    "YaRN": ["10_longer"],
    "which layout": ["12_practice"],
    "left padding": ["12_practice"],
    "vision transformer positions": ["11_grids"],
    "similarity of positions": ["06_distances"],
    "ω_k": ["01_formula", "notation", "glossary"],
}
NO_PROSE = ["Notebook (.ipynb)", "import ", "np.", "Before you begin", "¶", "#"]


@pytest.fixture(params=["http", "file"])
def root(request, site):
    """Return the book's address, served and from the file system."""
    return site if request.param == "http" else BOOK.as_uri() + "/"


def word_of_one_page_only():
    """Return a word that stands in one notebook's prose only, and that notebook's page."""
    words = {}
    for name in [name for name in PAGES if name.startswith("notebooks/")]:
        prose = " ".join(it.get_text() for it in soup(name).select("article section > p"))
        for word in {it for it in prose.lower().split() if it.isalpha() and len(it) > 8}:
            words.setdefault(word, []).append(name)
    alone = {word: names[0] for word, names in words.items() if len(names) == 1}
    return max(alone.items())


def test_search_finds_a_word_of_one_notebook_and_leads_there(open_page, root):
    word, name = word_of_one_page_only()
    page = open_page(f"{root}search.html?q={word}")
    page.locator(f"#search-results a[href*='{name}#']").first.click()
    page.wait_for_url(f"**/{name}#*")
    assert word in page.locator("article").text_content().lower()
    assert complaints(page) == []


@pytest.mark.parametrize(("query", "answers"), ASKED.items())
def test_what_readers_ask_is_answered_by_the_first_three(open_page, root, query, answers):
    page = open_page(f"{root}search.html?q={query}")
    first = page.locator("#search-results li").all()[:3]
    links = [it.locator("a").get_attribute("href") for it in first]
    assert any(answer in link for link in links for answer in answers), links
    for link, result in zip(links, first, strict=True):
        name, section = link.split("#")
        assert soup(name).find(id=section)
        # The number of an issue, as in program#29285, is prose.
        words = re.sub(r"\w#\d+", "", result.locator("p").inner_text())
        assert result.locator("mark").count() > 0
        assert len(words.split()) > 5
        assert [it for it in NO_PROSE if it in words] == []


def test_search_opens_from_the_keyboard(open_page, site):
    page = open_page(site + "book/index.html")
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input[type=search]").wait_for()
    page.keyboard.type("rotation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rotation**")
    page.locator("#search-results li").first.wait_for()
