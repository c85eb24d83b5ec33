"""Everyone can read every page: axe's rules, both themes, the keyboard, words for pictures."""

from contextlib import contextmanager

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from .arrival import TWO_FRAMES
from .conftest import AT_ONCE, soup, theme

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL = {"type": "tag", "values": RULES}
BY_COLOR = ["color-contrast", "link-in-text-block"]
# Axe takes long for rules by color. Two texts of one color on one background have one contrast: it
# looks at those that are marked, the first of each kind that did not stand out on a page before.
SETTINGS = """;axe.configure({rules: [
    {id: "color-contrast", selector: "[data-first], [data-first] *"},
    {id: "link-in-text-block", selector: ":is(a[href], [role=link])[data-first]"},
]})"""
MARK_FIRST_OF_A_KIND = """known => {
    const seen = new Set(known), layers = new Map();
    const look = (it, ...names) => names.map(name => getComputedStyle(it)[name]).join() + ";";
    const ink = it => look(it, "color", "fontSize", "fontWeight", "textDecorationLine");
    const layer = it => look(it, "backgroundColor", "backgroundImage", "opacity");
    const behind = it => {
        if (it && !layers.has(it)) layers.set(it, layer(it) + behind(it.parentElement));
        return layers.get(it) ?? "";
    };
    for (const it of document.body.querySelectorAll("*")) {
        it.removeAttribute("data-first");
        const words = [...it.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        if (!words || !it.checkVisibility({visibilityProperty: true})) continue;
        const link = it.closest("a");
        const kind = ink(it) + behind(it).replaceAll("rgba(0, 0, 0, 0),none,1;", "")
            + (link ? ink(link) + ink(link.parentElement) : "");
        if (!seen.has(kind)) (link ?? it).dataset.first = "";
        seen.add(kind);
    }
    return [...seen];
}"""
# Opens answers and code, or closes them again; solutions are opened by the visit.
FOLD = "its => its.forEach(it => it.toggleAttribute('open'))"


@contextmanager
def unfolded(page):
    """Open what is folded away."""
    page.locator("details").evaluate_all(FOLD)
    page.evaluate(TWO_FRAMES)
    yield
    page.locator("details").evaluate_all(FOLD)


def violations(page, known, rules):
    """Return what axe finds on a page, one line for each rule that is broken."""
    kinds = page.evaluate(MARK_FIRST_OF_A_KIND, list(known))
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE_SCRIPT + SETTINGS)
    found = page.evaluate(
        "only => axe.run({preload: false, resultTypes: ['violations'], runOnly: only})"
        ".then(it => it.violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))",
        rules,
    )
    if not found:
        known.update(kinds)
    return found


@pytest.fixture(scope="session")
def known():
    """Return the kinds of text that stood out on the pages before."""
    return set()


def test_a_page_keeps_the_rules_of_accessibility(phone, known):
    with unfolded(phone):
        assert violations(phone, known, ALL) == []


def test_every_text_stands_out_by_day_too(desk, known):
    with unfolded(desk):
        assert violations(desk, known, BY_COLOR) == []


@pytest.mark.parametrize("name", ["book/index.html", "notebooks/02_clock.html", "search.html"])
@pytest.mark.parametrize("shown", ["light", "dark"])
def test_what_only_a_desk_shows_keeps_the_rules(open_page, site, name, shown):
    """Menus at the sides are made alike for all pages."""
    page = open_page(site + name, **AT_ONCE)
    with theme(page, shown), unfolded(page):
        assert violations(page, set(), ALL) == []


def test_a_link_among_words_is_underlined(desk):
    """Axe leaves most of these undecided."""
    plain = desk.locator("article p > a[href]:visible").evaluate_all(
        """its => its.filter(it => getComputedStyle(it).textDecorationLine !== "underline"
            && [...it.parentNode.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
            .map(it => it.outerHTML)"""
    )
    assert plain == []


def test_code_that_was_folded_away_can_be_scrolled_by_the_keyboard(page, site):
    page.goto(f"{site}notebooks/06_distances.html")
    page.wait_for_timeout(500)  # until the theme has looked, 300 ms after the last change
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.evaluate(TWO_FRAMES)
    wide = page.locator("article .fold pre").evaluate_all(
        "its => its.filter(it => it.scrollWidth > it.clientWidth).map(it => it.tabIndex)"
    )
    assert set(wide) == {0}


def test_pictures_are_described_at_length(page_name):
    # What stands between <noscript> and </noscript> is there, too. A small drawing has a name.
    for picture in soup(page_name).select("article img:not(.path img)"):
        assert len(picture.get("alt", "")) > 40, picture.get("src")
