"""A printed page is complete: nothing folded away, charts as pictures, no sideways overflow."""

import io
import re
import unicodedata

import pytest
from pypdf import PdfReader

from .conftest import DESK, PAGES

PAGE_NAMES = [name for name in PAGES if name.startswith("notebooks/")]
A4 = 794  # pixels, without margins


def in_plain_letters(text):
    """Undo what fonts join into one sign, such as f and l, and what lines break."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


@pytest.fixture
def printed(desk):
    """Show a page as it is printed."""
    desk.emulate_media(media="print")
    yield desk
    desk.emulate_media(media="screen")


def test_a_printed_notebook_is_complete(printed):
    for chart in printed.locator(".course-chart").all():
        assert chart.locator("svg").is_visible()
        assert not chart.locator(".vega-bindings").is_visible()
    assert printed.locator(".pst-sidebar:visible, .bd-sidebar-primary:visible").count() == 0

    reader = PdfReader(io.BytesIO(printed.pdf(format="A4")))
    words = in_plain_letters(" ".join(sheet.extract_text() for sheet in reader.pages))
    assert printed.locator("h1").first.inner_text().rstrip("#") in words
    assert "What to remember" in words
    # The answers and the solutions are there, although the page had them folded away.
    for code in printed.locator(".solution pre").all_text_contents():
        assert in_plain_letters(code.strip().splitlines()[0])[:30] in words
    for answer in printed.locator("details .sd-summary-content p:first-of-type").all():
        start = answer.evaluate("it => it.firstChild.textContent").strip()
        assert in_plain_letters(start)[:24] in words


def test_nothing_is_cut_off_in_print(printed):
    printed.set_viewport_size({"width": A4, "height": 900})
    cut = printed.locator("article :is(pre, table, img, svg)").evaluate_all(
        """its => its.filter(it => it.getBoundingClientRect().right > innerWidth + 1)
                     .map(it => it.outerHTML.slice(0, 120))"""
    )
    hidden = printed.locator("article pre").evaluate_all(
        "its => its.filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.textContent)"
    )
    printed.set_viewport_size({"width": DESK, "height": 900})
    assert cut == []
    assert hidden == []
