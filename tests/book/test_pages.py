"""Every page, light and dark, on a phone and on a desk: complete, accessible, from here alone."""

import pytest

from .accessibility import unfolded, violations
from .conftest import BOOK, DESK, FIRST_PAGE, theme
from .test_links import soup

HOME = "book/index.html"
COMPLAINTS = ("error", "warning", "assert")


def test_a_page_asks_for_nothing_from_elsewhere(page, site):
    here = site if page.url.startswith(site) else "file:"
    assert [it for it in page.addresses if not it.startswith((here, "data:", "blob:"))] == []


def test_nothing_is_loaded_twice(page):
    loaded = [address.split("?")[0] for address in page.addresses if "data:" not in address]
    assert {address for address in loaded if loaded.count(address) > 1} == set()


def test_the_browser_has_nothing_to_complain_of(page):
    assert [text for kind, text in page.messages if kind in COMPLAINTS] == []


def test_every_formula_is_typeset(page):
    formulas = page.locator(".math.notranslate, .math:not(.notranslate)").count()
    assert page.locator("mjx-container").count() >= formulas
    assert page.locator("mjx-merror, mjx-container [data-mjx-error]").count() == 0


def test_every_chart_is_drawn(page):
    for chart in page.locator(".course-chart").all():
        assert chart.locator("svg path").count() > 0


def test_every_picture_is_loaded_and_has_words(page):
    pictures = page.locator("img:visible").evaluate_all(
        "its => its.map(it => [it.src, it.naturalWidth, it.alt])"
    )
    assert [source for source, width, words in pictures if not (width and words)] == []


def test_nothing_is_wider_than_the_page(page):
    width = page.viewport_size["width"]
    wide = "(its, width) => its.filter(it => it.getBoundingClientRect().right > width + 1)"
    culprits = page.locator("body *").evaluate_all(
        f"{wide}.map(it => it.outerHTML.slice(0, 120))", width
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width, culprits[:3]


@pytest.fixture(scope="session")
def known():
    """Return the kinds of text that stood out on the pages before."""
    return set()


def test_the_page_keeps_the_rules_of_accessibility(page, known):
    with unfolded(page):
        assert violations(page, known, all_rules=True) == []


def test_every_text_stands_out_in_the_other_theme(page, known):
    shown = page.locator("html").get_attribute("data-theme")
    with theme(page, "dark" if shown == "light" else "light"), unfolded(page):
        assert violations(page, known, all_rules=False) == []


def test_code_that_was_folded_away_can_be_scrolled_by_the_keyboard(browser, site):
    page = browser.new_page(viewport={"width": DESK, "height": 900})
    page.goto(f"{site}notebooks/12_practice.html")
    page.wait_for_timeout(500)  # until the theme has looked, 300 ms after the last change
    with unfolded(page):
        wide = page.locator("article .toggle pre").evaluate_all(
            "its => its.filter(it => it.scrollWidth > it.clientWidth).map(it => it.tabIndex)"
        )
    page.close()
    assert set(wide) == {0}


def test_a_link_among_words_is_underlined(desk):
    """Axe leaves most of these undecided."""
    plain = desk.locator("article p > a[href]:visible").evaluate_all(
        """its => its.filter(it => getComputedStyle(it).textDecorationLine !== "underline"
            && [...it.parentNode.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
            .map(it => it.outerHTML)"""
    )
    assert plain == []


def test_pictures_are_described_at_length(page_name):
    # What stands between <noscript> and </noscript> is there, too.
    for picture in soup(page_name).select("article img"):
        assert len(picture.get("alt", "")) > 40, picture.get("src")


def test_without_scripts_charts_show_their_picture_and_formulas_stand(unscripted):
    for chart in unscripted.locator(".course-chart").all():
        chart.scroll_into_view_if_needed()
        assert chart.locator("img").is_visible()
    formulas = unscripted.locator("article .math")
    assert unscripted.locator("article .math > mjx-container").count() == formulas.count()


def test_the_button_switches_the_theme(open_page, site):
    page = open_page(site + HOME)
    seen = {page.locator("html").get_attribute("data-theme")}
    for _ in range(3):
        page.locator("button.theme-switch-button:visible").first.click()
        seen.add(page.locator("html").get_attribute("data-theme"))
    assert seen == {"light", "dark"}


@pytest.mark.parametrize("scripts", [True, False])
def test_the_first_page_leads_to_the_course(browser, scripts):
    page = browser.new_page(java_script_enabled=scripts)
    page.goto((BOOK / FIRST_PAGE).as_uri())
    page.wait_for_url("**/book/index.html")
    assert page.locator("h1").first.inner_text().startswith("Positional Encoding")
    page.close()
