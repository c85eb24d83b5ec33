"""The contrast of what a page says: of its text, by axe, and of the text in its charts."""

import io
import re

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from colors import ENOUGH, ENOUGH_IF_LARGE, LARGE, LARGE_IF_BOLD, contrast
from PIL import Image

# Two texts of one color, size and background have one contrast, and axe takes a millisecond for
# each: of all that are alike, the first stays visible.
SHOW_ONE_OF_A_KIND = """() => {
    const behind = new Map(), seen = new Set();
    const backgrounds = it => {
        if (!(it instanceof Element)) return "";
        if (!behind.has(it)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(it);
            const own = [backgroundColor, backgroundImage, opacity].join();
            behind.set(it, own + backgrounds(it.parentNode));
        }
        return behind.get(it);
    };
    const shown = [...document.body.querySelectorAll("*")].filter(
        it => it.checkVisibility({visibilityProperty: true})
            && [...it.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    const kinds = shown.map(it => {
        const {color, fontSize, fontWeight} = getComputedStyle(it);
        return [color, fontSize, fontWeight, backgrounds(it)].join();
    });
    shown.forEach((it, i) => {
        it.style.visibility = seen.has(kinds[i]) ? "hidden" : "visible";
        seen.add(kinds[i]);
    });
}"""
SHOW_ALL = """() => document.body.querySelectorAll("[style*=visibility]").forEach(
    it => it.style.removeProperty("visibility"))"""
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


def violations(page, options):
    """Return what axe finds on a page, one line for each rule that is broken."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options})
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found.response["violations"]]


def faint_texts(page):
    """Return what axe finds too faint on a page, what is folded away included."""
    page.evaluate(UNFOLD)
    page.evaluate(SHOW_ONE_OF_A_KIND)
    found = violations(page, {"runOnly": ["color-contrast"]})
    page.evaluate(SHOW_ALL)
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
