"""A page on a phone: few bytes at first, and nothing moves when the rest arrives."""

import gzip
import io
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
from pypdf import PdfReader

from .arrival import Held
from .conftest import BOOK

PHONE = {"width": 390, "height": 844}
MOST_BYTES = 1_000_000
MOST_SHIFT = 0.05
# What browsers compress by themselves is not compressed again on its way.
PACKED = {".png", ".woff", ".woff2"}
# Fonts change glyphs within lines whose height is fixed; a chart's labels may be a little longer
# in a reader's font than in the one that it was measured with.
HIGHEST_GROWTH = 8


@cache
def size_on_its_way(path):
    """Return how many bytes a server that compresses sends for a file of the book."""
    content = (BOOK / path).read_bytes()
    return len(content if (BOOK / path).suffix in PACKED else gzip.compress(content, 6))


@pytest.fixture
def held(browser):
    """Open a page on a phone, with what is not needed for its text held back."""
    page = browser.new_page(viewport=PHONE, is_mobile=True, has_touch=True)
    yield Held(page)
    page.close()


def test_nothing_moves_when_the_rest_of_a_page_arrives(phone):
    shifts = phone.arrival.shifts
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts


def test_a_page_is_light(phone):
    asked = {unquote(urlsplit(url).path).lstrip("/") for url in phone.arrival.asked}
    sizes = {path: size_on_its_way(path) for path in asked if not path.startswith("data:")}
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda it: -it[1])[:10]


def test_each_picture_and_chart_is_as_high_as_its_place(phone):
    """Further down, too."""
    before, after = phone.arrival.before, phone.arrival.after
    grown = {name: (height, after[name]) for name, height in before.items()}
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
