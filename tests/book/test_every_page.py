"""Every page, visited once, on a phone, from the file system, by night and by day."""

import html
import re
from contextlib import suppress
from functools import cache
from urllib.parse import unquote, urlsplit

import browsers
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import TimeoutError

from .conftest import AT_ONCE, BOOK, PAGES, PHONE, ROOT, listen, soup

pytestmark = pytest.mark.parametrize("page_name", PAGES, scope="session")

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"type": "tag", "values": TAGS}
BY_COLOR = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
# Axe is slow at rules about color. Texts of one color on one background have one contrast, so it
# looks only at the marked ones: the first of each kind that hasn't passed on an earlier page.
SETTINGS = """;axe.configure({rules: [
    {id: "color-contrast", selector: "[data-first], [data-first] *"},
    {id: "link-in-text-block", selector: ":is(a[href], [role=link])[data-first]"},
]})"""
MARK_FIRST_OF_A_KIND = """known => {
    const seen = new Set(known), layers = new Map();
    const look = (node, ...names) => names.map(name => getComputedStyle(node)[name]).join() + ";";
    const ink = node => look(node, "color", "fontSize", "fontWeight", "textDecorationLine");
    const layer = node => look(node, "backgroundColor", "backgroundImage", "opacity");
    const behind = node => {
        if (node && !layers.has(node)) layers.set(node, layer(node) + behind(node.parentElement));
        return layers.get(node) ?? "";
    };
    for (const node of document.body.querySelectorAll("*")) {
        node.removeAttribute("data-first");
        const text = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
        if (!text || !node.checkVisibility({visibilityProperty: true})) continue;
        const link = node.closest("a");
        const kind = ink(node) + behind(node).replaceAll("rgba(0, 0, 0, 0),none,1;", "")
            + (link ? ink(link) + ink(link.parentElement) : "");
        if (!seen.has(kind)) (link ?? node).dataset.first = "";
        seen.add(kind);
    }
    return [...seen];
}"""
AXE = """only => axe.run({preload: false, resultTypes: ["violations"], runOnly: only})
    .then(report => report.violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))"""


@pytest.fixture(scope="session")
def phone(browser, page_name):
    """Visit a page, open what is folded away, and look at all its pictures and charts."""
    context = browser.new_context(**PHONE, **AT_ONCE)
    page = listen(context.new_page())
    page.goto((BOOK / page_name).as_uri())
    page.locator("details").evaluate_all("folds => folds.forEach(fold => { fold.open = true })")
    with suppress(TimeoutError):  # of a chart that isn't drawn, which has a test of its own
        browsers.show_all(page)
    yield page
    context.close()


def test_the_browser_has_nothing_to_complain_of(phone):
    assert phone.complaints == []


def test_nothing_is_requested_from_elsewhere(phone):
    assert [url for url in phone.addresses if not url.startswith(("file:", "data:", "blob:"))] == []


def test_every_formula_is_set(phone):
    formulas = phone.locator("article .math:not(mjx-container .math)")
    assert formulas.locator(":scope > mjx-container").count() == formulas.count()
    assert phone.locator("mjx-merror, [data-mjx-error]").count() == 0


def test_every_chart_is_drawn_and_fits_on_a_phone(phone):
    for chart in phone.locator(".course-chart").all():
        assert chart.get_attribute("data-drawn") is not None
        assert chart.locator("svg path").count() > 0
        assert chart.bounding_box()["height"] <= 788  # what a browser's bars leave


def test_every_picture_is_loaded_and_has_words(phone):
    pictures = phone.locator("img").evaluate_all(
        """images => images.filter(image => image.checkVisibility())
                     .map(image => [image.src.slice(0, 99), image.naturalWidth, image.alt])"""
    )
    assert [source for source, width, words in pictures if not (width and words)] == []


def test_pictures_are_described_at_length(page_name):
    # Also inside <noscript>. A small drawing needs no more than a name.
    for picture in soup(page_name).select("article img:not(.path img)"):
        assert len(picture.get("alt", "")) > 40, picture.get("src")


def test_nothing_is_wider_than_the_page(phone):
    culprits = phone.locator("body *").evaluate_all(
        """nodes => nodes.filter(node => node.getBoundingClientRect().right > 391)
                     .map(node => node.outerHTML.slice(0, 120))"""
    )
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390, culprits[:3]


@pytest.fixture(scope="session")
def known():
    """Return the kinds of text that passed on earlier pages."""
    return set()


def broken_rules(page, known, rules):
    """Return what axe finds on a page, one line for each rule that is broken."""
    kinds = page.evaluate(MARK_FIRST_OF_A_KIND, list(known))
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE_SCRIPT + SETTINGS)
    broken = page.evaluate(AXE, rules)
    known.update(() if broken else kinds)
    return broken


def test_a_page_keeps_the_rules_of_accessibility(phone, known):
    assert broken_rules(phone, known, RULES) == []


def test_every_text_stands_out_by_day_too(phone, known):
    phone.evaluate("document.documentElement.dataset.theme = 'light'")
    assert broken_rules(phone, known, BY_COLOR) == []


def test_every_slider_changes_its_chart(phone):
    for chart in phone.locator(".course-chart").all():
        svg = chart.locator("svg").first
        for slider in chart.locator("input[type=range]").all():
            before, value = svg.inner_html(), slider.input_value()
            slider.press("ArrowLeft" if value == slider.get_attribute("max") else "ArrowRight")
            changed = "([svg, before]) => svg.innerHTML !== before"
            phone.wait_for_function(changed, arg=[svg.element_handle(), before], timeout=10_000)


@cache
def anchors(path):
    page = path.read_text(encoding="utf-8") if path.suffix == ".html" else ""
    return {html.unescape(name) for name in re.findall(r'\sid="([^"]+)"', page)} | {""}


def test_every_link_leads_somewhere(page_name):
    broken = []
    for tag in soup(page_name).find_all(["a", "link", "script", "img"]):
        link = urlsplit(tag.get("href") or tag.get("src") or "")
        if link.scheme or link.netloc:
            if link.scheme not in ("https", "mailto", "data"):
                broken.append(link.geturl())
            continue
        target = BOOK / page_name
        if link.path:
            target = (target.parent / unquote(link.path)).resolve()
        if not target.is_file() or unquote(link.fragment) not in anchors(target):
            broken.append(link.geturl())
    assert broken == []


def test_a_page_offers_the_course_and_a_notebook_itself(page_name):
    links = soup(page_name).select(".dropdown-download-buttons a")
    files = [(BOOK / page_name).parent.joinpath(link["href"]).resolve() for link in links]
    packed = [file for file in files if file.suffix == ".zip" and file.is_file()]
    assert packed or page_name == "search.html"
    if page_name.startswith("notebooks/"):
        (notebook,) = (file for file in files if file.suffix == ".ipynb")
        # nbval runs this very file: the committed notebook, byte for byte.
        assert notebook.read_bytes() == (ROOT / page_name).with_suffix(".ipynb").read_bytes()
