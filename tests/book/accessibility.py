"""What axe finds on a page, what is folded away included."""

from contextlib import contextmanager

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from colors import LARGE, LARGE_IF_BOLD

from .arrival import TWO_FRAMES

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BY_COLOR = ["color-contrast", "link-in-text-block"]
# Axe takes long for these rules: of texts, it looks at those that are marked.
MARKED_ALONE = """
axe.configure({rules: [
    {id: "color-contrast", selector: "[data-first], [data-first] *"},
    {id: "link-in-text-block",
     selector: ":is(a[href], [role=link]):is([data-first], [data-first] *)"},
]});
"""
# Two texts of one color on one background have one contrast: of all that are alike, the first is
# marked, and none that stood out on a page before.
MARK_ONE_OF_A_KIND = """([known, large, largeIfBold]) => {
    const layers = new Map(), seen = new Set(known), first = [];
    const behind = it => {
        if (!(it instanceof Element)) return "";
        if (!layers.has(it)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(it);
            const own = [backgroundColor, backgroundImage, opacity].join();
            layers.set(it, own + behind(it.parentNode));
        }
        return layers.get(it);
    };
    const hasWords = it => [...it.childNodes].some(
        node => node.nodeType === 3 && node.data.trim());
    const texts = [...document.body.querySelectorAll("*")].filter(
        it => it.checkVisibility({visibilityProperty: true}) && hasWords(it));
    for (const it of texts) {
        const {color, fontSize, fontWeight} = getComputedStyle(it);
        const enough = parseFloat(fontSize) >= (fontWeight >= 700 ? largeIfBold : large);
        const link = it.closest("a"), around = link?.closest("p, li, dd, td, th, div");
        // What tells a link from the words around it, if there are any.
        const told = link ? [getComputedStyle(link).textDecorationLine,
            getComputedStyle(around).color, hasWords(around)] : [];
        const below = behind(it).replaceAll("rgba(0, 0, 0, 0),none,1", "");
        const kind = [color, enough, ...told, below].join();
        if (!seen.has(kind)) {
            (link ?? it).dataset.first = "";
            first.push(kind);
            seen.add(kind);
        }
    }
    return first;
}"""
# Of a page's elements half color a word of code each, and a quarter are parts of formulas, which
# a screen reader passes over. They make way for a while: axe looks at each of them.
SET_ASIDE = """() => {
    const formulas = [...document.querySelectorAll(
        "mjx-math[aria-hidden=true]:not(:has(a, [tabindex], [data-first]))")];
    const sizes = formulas.map(it => it.getBoundingClientRect());
    const plain = formulas.map((it, number) => {
        const {width, height} = sizes[number], empty = it.cloneNode(false);
        empty.style = `display: inline-block; width: ${width}px; height: ${height}px`;
        return [it, empty];
    });
    for (const it of document.querySelectorAll("pre")) {
        const copy = it.cloneNode(true);
        copy.querySelectorAll("span:not([data-first], :has([data-first]))").forEach(
            word => word.replaceWith(...word.childNodes));
        copy.normalize();
        plain.push([it, copy]);
    }
    plain.forEach(([it, shown]) => it.replaceWith(shown));
    window.aside = plain;
}"""
PUT_BACK = """() => {
    window.aside.forEach(([it, shown]) => shown.replaceWith(it));
    document.querySelectorAll("[data-first]").forEach(it => it.removeAttribute("data-first"));
}"""
UNFOLD = """() => {
    const details = [...document.querySelectorAll("details:not([open])")];
    const toggles = [...document.querySelectorAll(".toggle-hidden")];
    details.forEach(it => { it.open = true; });
    toggles.forEach(it => it.classList.remove("toggle-hidden"));
    window.unfolded = [details, toggles];
}"""
FOLD = """() => {
    const [details, toggles] = window.unfolded;
    details.forEach(it => { it.open = false; });
    toggles.forEach(it => it.classList.add("toggle-hidden"));
}"""


@contextmanager
def unfolded(page):
    """Open what is folded away."""
    page.evaluate(UNFOLD)
    page.evaluate(TWO_FRAMES)
    try:
        yield
    finally:
        page.evaluate(FOLD)


def violations(page, known, *, all_rules):
    """Return what axe finds on a page that is unfolded, one line for each rule that is broken.

    The kinds of text in `known` stood out before; if nothing here is wrong, the page's own are
    added. Without `all_rules` it looks at those that depend on colors.
    """
    kinds = page.evaluate(MARK_ONE_OF_A_KIND, [list(known), LARGE, LARGE_IF_BOLD])
    if not kinds and not all_rules:
        return []
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE_SCRIPT + MARKED_ALONE)
    rules = {"type": "tag", "values": RULES} if all_rules else BY_COLOR
    page.evaluate(SET_ASIDE)
    try:
        answer = Axe("").run(page, options={"resultTypes": ["violations"], "runOnly": rules})
    finally:
        page.evaluate(PUT_BACK)
    found = [f"{v['id']}: {v['nodes'][0]['html']}" for v in answer.response["violations"]]
    if not found:
        known.update(kinds)
    return found
