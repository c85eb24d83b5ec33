"""A page on a phone: few bytes at first, and nothing moves when the rest arrives."""

import gzip
from functools import cache
from urllib.parse import unquote, urlsplit

from .conftest import BOOK, PHONE, noted, soup

MOST_BYTES = 1_000_000
MOST_SHIFT = 0.05
# What browsers compress by themselves is not compressed again on its way.
PACKED = {".png", ".woff", ".woff2"}
# Fonts change glyphs within lines whose height is fixed; a chart's labels may be a little longer
# in a reader's font than in the one that it was measured with.
HIGHEST_GROWTH = 8
HOME, LONG_PAGE = "book/index.html", "notebooks/06_distances.html"


@cache
def size_on_its_way(path):
    """Return how many bytes a server that compresses sends for a file of the book."""
    content = (BOOK / path).read_bytes()
    return len(content if (BOOK / path).suffix in PACKED else gzip.compress(content, 6))


def files(addresses):
    """Return the paths in the book of what a page has asked for."""
    paths = {unquote(urlsplit(url).path).lstrip("/") for url in addresses}
    return {path for path in paths if (BOOK / path).is_file()}


def pictures(page_name, kind=""):
    """Return the names of a page's pictures, or of those that stand in for charts."""
    return {picture["src"].rsplit("/")[-1] for picture in soup(page_name).select(f"img{kind}")}


def test_nothing_moves_when_the_rest_of_a_page_arrives(phone):
    shifts = phone.arrival.shifts
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts


def test_a_page_is_light(phone):
    sizes = {path: size_on_its_way(path) for path in files(phone.arrival.asked)}
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda it: -it[1])[:10]


def test_each_picture_and_chart_is_as_high_as_its_place(phone):
    """Further down, too."""
    before, after = phone.arrival.before, phone.arrival.after
    grown = {name: after[name] - height for name, height in before.items()}
    assert {name: by for name, by in grown.items() if abs(by) > HIGHEST_GROWTH} == {}


def test_one_face_of_a_chart_is_fetched_on_a_phone(phone, page_name):
    names = {path.rsplit("/")[-1] for path in files(phone.addresses)}
    assert names & pictures(page_name, ".chart-picture") == set()


def test_without_scripts_the_picture_alone_is_fetched(new_context, site):
    page = noted(new_context(java_script_enabled=False).new_page())
    page.goto(site + HOME, wait_until="networkidle")
    assert pictures(HOME, ".chart-picture") <= {url.rsplit("/")[-1] for url in page.addresses}
    assert not any("vega" in url for url in page.addresses)


def test_what_is_far_down_waits_for_a_reader_who_comes_near(new_context, site):
    page = noted(new_context(**PHONE).new_page())
    page.goto(site + LONG_PAGE, wait_until="networkidle")
    assert sum("/_images/" in url for url in page.addresses) < len(pictures(LONG_PAGE))
    assert not any(url.endswith("/vega.js") for url in page.addresses)
    page.locator(".course-chart").first.scroll_into_view_if_needed()
    page.locator(".course-chart[data-drawn]").first.wait_for()
    assert any(url.endswith("/vega.js") for url in page.addresses)


def test_a_chart_that_cannot_be_drawn_is_its_picture(new_context, site):
    page = new_context(**PHONE).new_page()
    page.route("**/vega.js", lambda route: route.abort())
    page.goto(site + HOME)
    picture = page.locator(".course-chart img")
    picture.wait_for(state="visible")
    assert picture.evaluate("it => it.decode().then(() => it.naturalWidth)") > 0
    assert not page.locator(".vega-bindings").is_visible()


def test_a_chart_that_is_folded_away_is_as_wide_as_the_page_when_it_is_opened(new_context, site):
    page = new_context(**PHONE).new_page()
    chart = '<div class="course-chart"'
    body = (BOOK / HOME).read_text(encoding="utf-8")
    folded = body.replace(chart, f"<details><summary>A chart</summary>{chart}", 1)
    page.route(f"**/{HOME}", lambda route: route.fulfill(body=folded))
    page.goto(site + HOME)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.locator(".course-chart[data-drawn]").wait_for(state="attached")
    page.locator("summary", has_text="A chart").click()
    width = page.locator(".course-chart svg").first.bounding_box()["width"]
    assert width > PHONE["viewport"]["width"] * 0.8
