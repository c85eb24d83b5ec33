"""A printed page is complete: nothing folded away, charts as pictures, no sideways overflow."""

import io
import re
import unicodedata

import pytest
from pypdf import PdfReader

from .conftest import PAGES

NOTEBOOK_PAGES = [name for name in PAGES if name.startswith("notebooks/")]


def in_plain_letters(text):
    """Undo what fonts join into one sign, such as f and l, and what lines break."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("name", NOTEBOOK_PAGES)
def test_a_printed_notebook_is_complete(open_page, site, name):
    page = open_page(site + name)
    charts = page.locator(".course-chart")
    page.emulate_media(media="print")
    for chart in charts.all():
        assert chart.locator("svg").is_visible()
        assert not chart.locator(".vega-bindings").is_visible()
    assert page.locator(".pst-sidebar:visible, .bd-sidebar-primary:visible").count() == 0

    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    words = in_plain_letters(" ".join(sheet.extract_text() for sheet in reader.pages))
    assert page.locator("h1").first.inner_text().rstrip("#") in words
    assert "What to remember" in words
    # The answers and the solutions are there, although the page had them folded away.
    for code in page.locator(".solution pre").all():
        line = code.evaluate("it => it.textContent").strip().splitlines()[0]
        assert in_plain_letters(line)[:30] in words
    for answer in page.locator("details .sd-summary-content p:first-of-type").all():
        start = answer.evaluate("it => it.firstChild.textContent").strip()
        assert in_plain_letters(start)[:24] in words


@pytest.mark.parametrize("name", NOTEBOOK_PAGES)
def test_nothing_is_cut_off_in_print(open_page, site, name):
    # A4 without margins is 794 pixels wide.
    page = open_page(site + name, width=794)
    page.emulate_media(media="print")
    cut = page.locator("article :is(pre, table, img, svg)").evaluate_all(
        """its => its.filter(it => it.getBoundingClientRect().right > innerWidth + 1)
                     .map(it => it.outerHTML.slice(0, 120))"""
    )
    assert cut == []
    hidden = page.locator("article pre").evaluate_all(
        "its => its.filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.textContent)"
    )
    assert hidden == []
