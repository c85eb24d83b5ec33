"""A page on a phone: few bytes at first, and nothing moves when the rest arrives."""

import gzip
import io
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
from pypdf import PdfReader

from .conftest import BOOK

PHONE = {"width": 390, "height": 844}
MOST_BYTES = 1_000_000
MOST_SHIFT = 0.05
# What browsers compress by themselves is not compressed again on its way.
PACKED = {".png", ".woff", ".woff2"}
# Fonts change glyphs within lines whose height is fixed; a chart's labels may be a little longer
# in a reader's font than in the one that it was measured with.
HIGHEST_GROWTH = 8

# Notes each shift as a browser does for its reports, and what moved. Reports leave out what follows
# an input within half a second; nobody touches this page, but setting its size counts as one.
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const it of list.getEntries())
    window.shifts.push([it.value, it.sources.map(({ node, previousRect, currentRect }) =>
      `${node?.nodeName} ${(node?.textContent ?? "").slice(0, 40)}: `
      + `${previousRect.y} → ${currentRect.y}`)]);
}).observe({ type: "layout-shift", buffered: true });
"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
BOXES = """() => [...document.querySelectorAll("article img, .course-chart")]
    .filter(it => it.checkVisibility())
    .map(it => [it.getAttribute("src") ?? it.querySelector("[aria-label]").ariaLabel.slice(0, 60),
                it.getBoundingClientRect().height])"""


@cache
def size_on_its_way(path):
    """Return how many bytes a server that compresses sends for a file of the book."""
    content = (BOOK / path).read_bytes()
    return len(content if (BOOK / path).suffix in PACKED else gzip.compress(content, 6))


class Held:
    """A page whose pictures, fonts and chart scripts wait until they are released."""

    def __init__(self, page):
        self.page = page
        self.asked = []
        self.waiting = []
        self.free = set()
        self.arriving = set()
        page.route("**/*", self._answer)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self.arriving.discard(request))

    def _answer(self, route):
        request = route.request
        self.asked.append(request.url)
        kind = request.resource_type
        late = kind in ("image", "font") or request.url.endswith("/vega.js")
        if late and kind not in self.free:
            self.waiting.append(route)
        else:
            self._let_go(route)

    def _let_go(self, route):
        self.arriving.add(route.request)
        route.continue_()

    def release(self, kind):
        """Let all files of a kind arrive, now and later."""
        self.free.add(kind)
        released = [route for route in self.waiting if route.request.resource_type == kind]
        self.waiting = [route for route in self.waiting if route not in released]
        for route in released:
            self._let_go(route)
        self.settle()

    def settle(self):
        """Wait until everything that is on its way has arrived and is shown."""
        self.page.evaluate(TWO_FRAMES)
        while self.arriving:
            self.page.evaluate(TWO_FRAMES)
        self.page.evaluate(TWO_FRAMES)


@pytest.fixture
def held(browser):
    """Open a page on a phone, with what is not needed for its text held back."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.add_init_script(WATCH)
    yield Held(page)
    context.close()


def test_a_page_is_light_and_nothing_on_it_moves(held, site, page_name):
    page = held.page
    page.goto(site + page_name, wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    held.settle()
    before = dict(page.evaluate(BOXES))

    # Whatever comes last moves what the others have left.
    for kind in ("image", "script", "font"):
        held.release(kind)
    page.wait_for_function(
        "scrollY === 0 && document.fonts.status === 'loaded' &&"
        " [...document.querySelectorAll('.course-chart')].every(it => it.dataset.drawn"
        "  || it.getBoundingClientRect().top > 2 * innerHeight)"
    )
    held.settle()

    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts

    asked = {unquote(urlsplit(url).path).lstrip("/") for url in held.asked}
    sizes = {path: size_on_its_way(path) for path in asked if not path.startswith("data:")}
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda it: -it[1])[:10]

    # Further down too, each picture and chart is as high as the place that was kept for it.
    page.evaluate(
        """() => {
          for (const image of document.querySelectorAll("article img:not(.chart-picture)"))
            image.loading = "eager";
          dispatchEvent(new Event("beforeprint"));
        }"""
    )
    page.wait_for_function("document.querySelector('.course-chart:not([data-drawn])') === null")
    held.settle()
    after = dict(page.evaluate(BOXES))
    grown = {name: (before[name], after[name]) for name in before}
    assert {
        name: heights
        for name, heights in grown.items()
        if abs(heights[0] - heights[1]) > HIGHEST_GROWTH
    } == {}


def test_one_face_of_a_chart_is_fetched(open_page, site):
    page = open_page(f"{site}book/index.html")
    assert not any("/_images/" in url for url in page.addresses)
    without_scripts = open_page(f"{site}book/index.html", java_script_enabled=False)
    assert any("/_images/" in url for url in without_scripts.addresses)
    assert not any("vega" in url for url in without_scripts.addresses)


def test_what_is_far_down_waits_for_a_reader_who_comes_near(browser, site):
    page = browser.new_page(viewport=PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}notebooks/06_distances.html", wait_until="networkidle")
    figures = page.locator("article img:not(.chart-picture)").count()
    assert sum("/_images/" in url for url in asked) < figures
    assert not any(url.endswith("/vega.js") for url in asked)
    page.locator(".course-chart").first.scroll_into_view_if_needed()
    page.locator(".course-chart[data-drawn]").first.wait_for()
    assert any(url.endswith("/vega.js") for url in asked)
    page.close()


def test_a_chart_that_is_not_drawn_yet_is_printed_as_its_picture(held, site):
    held.free |= {"image", "font"}
    held.page.goto(f"{site}book/index.html", wait_until="domcontentloaded")
    printed = PdfReader(io.BytesIO(held.page.pdf()))
    assert sum(len(sheet.images) for sheet in printed.pages) == 1


def test_a_chart_that_cannot_be_drawn_is_its_picture(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.route("**/vega.js", lambda route: route.abort())
    page.goto(f"{site}book/index.html")
    picture = page.locator(".course-chart img")
    picture.wait_for(state="visible")
    assert picture.evaluate("it => it.decode().then(() => it.naturalWidth)") > 0
    assert not page.locator(".vega-bindings").is_visible()
    page.close()


def test_a_chart_that_is_folded_away_is_as_wide_as_the_page_when_it_is_opened(browser, site):
    page = browser.new_page(viewport=PHONE)
    body = (BOOK / "book" / "index.html").read_text(encoding="utf-8")
    chart = '<div class="course-chart"'
    folded = body.replace(chart, f"<details><summary>A chart</summary>{chart}", 1)
    page.route("**/book/index.html", lambda route: route.fulfill(body=folded))
    page.goto(f"{site}book/index.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.locator(".course-chart[data-drawn]").wait_for(state="attached")
    page.locator("summary", has_text="A chart").click()
    assert page.locator(".course-chart svg").first.bounding_box()["width"] > PHONE["width"] * 0.8
    page.close()
