"""A printed page is complete: nothing folded away, charts as pictures, no sideways overflow."""

import re
import unicodedata

import pytest

from .conftest import DESK, PAGES

PAGE_NAMES = [name for name in PAGES if name.startswith("notebooks/")]
A4 = 794  # pixels, without margins


def in_plain_letters(text):
    """Undo what fonts join into one sign, such as f and l, and what lines break."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


def folded_away(page):
    """Return how each solution and each answer begins, which the screen hides at first."""
    codes = page.locator(".solution pre").all_text_contents()
    answers = page.locator("details .sd-summary-content p:first-of-type").evaluate_all(
        """its => its.map(it => [...it.childNodes].find(node => node.nodeType === 3)?.data ?? "")"""
    )
    assert min(len(codes), len(answers)) > 0
    firsts = [code.strip().splitlines()[0][:30] for code in codes]
    # Where an answer begins with a formula, with what follows.
    return [in_plain_letters(it) for it in (*firsts, *(it.strip()[:24] for it in answers))]


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

    words = in_plain_letters(printed.locator("article").first.inner_text())
    assert "What to remember" in words
    assert [it for it in folded_away(printed) if it not in words] == []


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
