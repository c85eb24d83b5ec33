"""On paper a page is complete: nothing is folded away, cut off, or missing since it came late."""

import io
import re
import unicodedata

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from .conftest import BOOK, DESK, PAGES, PHONE

PAGE_NAMES = [name for name in PAGES if name.startswith("notebooks/")]
A4 = 794  # pixels, without margins
DARK, WHITE = 64, 255  # grays


def in_plain_letters(text):
    """Undo what fonts join into one sign, such as f and l, and what lines break."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


def folded_away(page):
    """Return how each solution and each answer begins, which the screen hides at first."""
    codes = page.locator(".solution pre").all_text_contents()
    answers = page.locator("details .answer > p:first-of-type").evaluate_all(
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
    printed.set_viewport_size(DESK["viewport"])
    assert cut == []
    assert hidden == []


@pytest.mark.parametrize("name", ["book/index.html", "notebooks/04_rotation.html"])
def test_paper_is_light_even_from_the_dark(open_page, site, name):
    page = open_page(site + name, color_scheme="dark")
    assert np.median(seen(page)) < DARK
    page.emulate_media(media="print")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    paper = seen(page)
    assert np.median(paper) == WHITE
    assert (paper < DARK).mean() < 0.1
    page.emulate_media(media="screen")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")


def seen(page):
    """Return the gray of each pixel of what a page shows."""
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("L"))


# As in a browser that fetches no lazy picture in order to print (Chromium 150): it comes when it is
# asked for eagerly. What is printed by the page itself is noted instead.
LAZY = """
Object.defineProperty(HTMLImageElement.prototype, "loading", {
    set(value) {
        if (value === "lazy" || !this.dataset.src) return;
        this.removeAttribute("loading");
        this.src = this.dataset.src;
    }
});
window.print = () => {
    window.printed = [...document.querySelectorAll(".chart-picture")].map(it => it.naturalWidth);
};
"""


@pytest.fixture(params=["book/index.html", "notebooks/07_attention.html"])
def lazy(request, new_context, site):
    """Return a function that opens a page with charts whose scripts do not arrive."""
    held = []

    def open_page(**options):
        page = new_context(**options).new_page()
        page.add_init_script(LAZY)
        body = (BOOK / request.param).read_text(encoding="utf-8")
        body = re.sub(r'(<img [^>]*loading="lazy"[^>]*) src=', r"\1 data-src=", body)
        assert body.count("data-src") == body.count('loading="lazy"') > 0
        page.route(f"**/{request.param}", lambda route: route.fulfill(body=body))
        page.route("**/vega.js", lambda route: held.append(route))
        page.clock.install()
        page.goto(site + request.param, wait_until="domcontentloaded")
        return page

    yield open_page
    for route in held:
        route.abort()


def test_a_chart_that_is_not_drawn_yet_is_printed_as_its_picture(lazy):
    page = lazy(**DESK)
    charts = page.locator(".course-chart").count()
    page.clock.fast_forward(5000)
    page.wait_for_function(
        "[...document.querySelectorAll('.chart-picture')].every(it => it.naturalWidth)"
    )
    printed = PdfReader(io.BytesIO(page.pdf()))
    assert sum(len(sheet.images) for sheet in printed.pages) >= charts > 0


def test_the_pages_own_button_waits_for_pictures_of_charts(lazy):
    page = lazy(**PHONE)
    page.locator(".dropdown-download-buttons > button").click()
    page.locator(".btn-download-pdf-button").click()
    page.wait_for_function("window.printed")
    assert min(page.evaluate("window.printed")) > 0
