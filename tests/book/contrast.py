"""The contrast of the text in a page's charts, which axe does not read."""

import io
import re

import numpy as np
from colors import ENOUGH, ENOUGH_IF_LARGE, LARGE, LARGE_IF_BOLD, contrast
from PIL import Image

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


def faint_chart_texts(chart):
    """Return the texts of a chart that are too faint, with their ratio."""
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
