"""The contrast of what a page says: of its text, by axe, and of the text in its charts."""

import io
import re

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from colors import ENOUGH, ENOUGH_IF_LARGE, LARGE, LARGE_IF_BOLD, contrast
from PIL import Image

BY_COLOR = ["color-contrast", "link-in-text-block"]
# Two texts of one color on one background have one contrast, and axe takes long: of all that are
# alike, the first is marked, and none that stood out on a page before.
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
UNMARK = """() => document.querySelectorAll("[data-first]").forEach(
    it => it.removeAttribute("data-first"))"""
UNFOLD = """() => {
    document.querySelectorAll("details").forEach(it => { it.open = true; });
    document.querySelectorAll(".toggle-hidden").forEach(it => it.classList.remove("toggle-hidden"));
}"""
CHART_TEXTS = """svg => {
    const frame = svg.getBoundingClientRect();
    const opacity = it => it === svg ? 1 : getComputedStyle(it).opacity * opacity(it.parentNode);
    return [...svg.querySelectorAll("text")].filter(it => it.textContent.trim()).map(it => {
        const box = it.getBoundingClientRect(), style = getComputedStyle(it);
        return {
            words: it.textContent,
            box: [box.left - frame.left, box.top - frame.top, box.right - frame.left,
                  box.bottom - frame.top],
            color: style.fill,
            opacity: opacity(it) * style.fillOpacity,
            size: parseFloat(style.fontSize) * it.getScreenCTM().a,
            bold: style.fontWeight >= 700,
        };
    }).filter(it => it.opacity > 0);
}"""


def violations(page, options, context=None):
    """Return what axe finds on a page, or on a part, one line for each rule that is broken."""
    found = Axe().run(page, context, {"resultTypes": ["violations"], **options})
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found.response["violations"]]


def faint_texts(page, known):
    """Return what axe finds too faint on a page, what is folded away included.

    The kinds of text in `known` stood out before; if all here do, the page's own are added.
    """
    page.evaluate(UNFOLD)
    kinds = page.evaluate(MARK_ONE_OF_A_KIND, [list(known), LARGE, LARGE_IF_BOLD])
    found = violations(page, {"runOnly": BY_COLOR}, "[data-first]") if kinds else []
    page.evaluate(UNMARK)
    if not found:
        known.update(kinds)
    return found


def faint_chart_texts(chart):
    """Return the texts of a chart that are too faint, which axe does not read, with their ratio."""
    svg = chart.locator("svg").first
    texts = svg.evaluate(CHART_TEXTS)
    hide = svg.page.add_style_tag(content=".course-chart svg text { visibility: hidden; }")
    with Image.open(io.BytesIO(svg.screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB"), float)
    hide.evaluate("it => it.remove()")
    found = []
    for text in texts:
        left, top, right, bottom = (round(edge) for edge in text["box"])
        behind = pixels[max(top, 0) : bottom, max(left, 0) : right].reshape(-1, 3)
        ink = np.array(re.findall(r"[\d.]+", text["color"])[:3], float)
        ink = text["opacity"] * ink + (1 - text["opacity"]) * behind
        # A line or a clock's hand may cross a text: a quarter of it may be illegible.
        ratio = np.quantile(contrast(ink, behind), 0.25)
        large = text["size"] >= (LARGE_IF_BOLD if text["bold"] else LARGE)
        if ratio < (ENOUGH_IF_LARGE if large else ENOUGH):
            found.append(f"{text['words']}: {ratio:.2f}")
    return found
