"""Every page, light and dark, on a phone and on a desk: complete, accessible, from here alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from .conftest import BOOK, FIRST_PAGE

PHONE, DESK = 390, 1280
SETTINGS = [
    pytest.param(width, theme, id=f"{width}-{theme}")
    for width in (PHONE, DESK)
    for theme in ("light", "dark")
]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def page(open_page, site, page_name, width, theme):
    """Open one page in one setting."""
    return open_page(site + page_name, width=width, theme=theme)


@pytest.mark.parametrize(("width", "theme"), SETTINGS)
def test_page(page, site, width):
    """Hold in one visit all that a reader may expect of a page."""
    elsewhere = [url for url in page.addresses if not url.startswith((site, "data:", "blob:"))]
    assert elsewhere == []

    complaints = [text for kind, text in page.messages if kind in ("error", "warning", "assert")]
    assert complaints == []

    formulas = page.locator(".math.notranslate, .math:not(.notranslate)").count()
    assert page.locator("mjx-container").count() >= formulas
    assert page.locator("mjx-merror, mjx-container [data-mjx-error]").count() == 0

    for chart in page.locator(".course-chart").all():
        assert chart.locator("svg path").count() > 0

    assert page.evaluate("document.documentElement.scrollWidth") <= width

    for picture in page.locator("img:visible").all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert len(picture.get_attribute("alt") or "") > 0

    violations = (
        Axe()
        .run(page, options={"runOnly": {"type": "tag", "values": RULES}})
        .response["violations"]
    )
    assert [f"{v['id']}: {v['nodes'][0]['html']}" for v in violations] == []


def test_pictures_are_described_at_length(open_page, site, page_name):
    page = open_page(site + page_name, java_script_enabled=False)
    for picture in page.locator("article img").all():
        assert len(picture.get_attribute("alt") or "") > 40, picture.get_attribute("src")


def test_without_scripts_charts_show_their_picture_and_formulas_stand(open_page, site, page_name):
    page = open_page(site + page_name, java_script_enabled=False)
    for chart in page.locator(".course-chart").all():
        chart.scroll_into_view_if_needed()
        assert chart.locator("img").is_visible()
    formulas = page.locator("article .math")
    assert page.locator("article .math > mjx-container").count() == formulas.count()


def test_the_page_from_the_file_system_loses_nothing(open_page, page_name):
    page = open_page((BOOK / page_name).as_uri())
    complaints = [text for kind, text in page.messages if kind in ("error", "warning")]
    assert complaints == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in page.addresses)
    formulas = page.locator("article .math").count()
    assert page.locator("article mjx-container").count() >= formulas


@pytest.mark.parametrize("scripts", [True, False])
def test_the_first_page_leads_to_the_course(open_page, scripts):
    page = open_page((BOOK / FIRST_PAGE).as_uri(), java_script_enabled=scripts)
    page.wait_for_url("**/book/index.html")
    assert page.locator("h1").first.inner_text().startswith("Positional Encoding")
