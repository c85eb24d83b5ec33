"""The charts are alive on the page: sliders move them, and they are legible in both themes."""

import io
import re

import numpy as np
import pytest
from colors import ENOUGH, ENOUGH_IF_LARGE, LARGE, LARGE_IF_BOLD, by_night, contrast
from PIL import Image
from playwright.sync_api import TimeoutError

from .conftest import BOOK, PAGES, theme

PAGE_NAMES = [name for name in PAGES if 'class="course-chart"' in (BOOK / name).read_text("utf-8")]
# In pixels: what a browser's own bars leave of a phone's 844, and what is touched.
HIGHEST, A_FINGER = 788, 44
TEXTS = """svg => {
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


def charts(page):
    """Return the charts of a page."""
    found = page.locator(".course-chart").all()
    assert found
    return found


def test_every_slider_changes_its_chart(desk):
    for chart in charts(desk):
        svg = chart.locator("svg").first
        for slider in chart.locator("input[type=range]").all():
            before, value = svg.inner_html(), slider.input_value()
            slider.focus()
            slider.press("ArrowLeft" if value == slider.get_attribute("max") else "ArrowRight")
            assert slider.input_value() != value
            try:
                desk.wait_for_function(
                    "([svg, before]) => svg.innerHTML !== before",
                    arg=[svg.element_handle(), before],
                    timeout=5000,
                )
            except TimeoutError:
                name = slider.evaluate("it => it.parentElement.innerText")
                pytest.fail(f"the slider of {name} moves, and the chart does not")


def test_on_a_phone_a_chart_is_seen_whole_and_its_controls_are_as_large_as_a_finger(phone):
    for chart in charts(phone):
        assert chart.bounding_box()["height"] <= HIGHEST
        sizes = chart.locator(".vega-bind :is(input, select, button)").evaluate_all(
            "its => its.map(it => [it.getBoundingClientRect().width, it.offsetHeight])"
        )
        assert [size for size in sizes if min(size) < A_FINGER] == []


def faint_texts(chart, seen):
    """Return the texts of a chart that are too faint, with their ratio; axe does not read them.

    Their color is `seen` as this function of what they are drawn in.
    """
    svg = chart.locator("svg").first
    texts = svg.evaluate(TEXTS)
    hide = svg.page.add_style_tag(content=".course-chart svg text { visibility: hidden; }")
    with Image.open(io.BytesIO(svg.screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB"), float)
    hide.evaluate("it => it.remove()")
    found = []
    for text in texts:
        left, top, right, bottom = (max(round(edge), 0) for edge in text["box"])
        behind = pixels[top:bottom, left:right].reshape(-1, 3)
        ink = seen(np.array(re.findall(r"[\d.]+", text["color"])[:3], float))
        ink = text["opacity"] * ink + (1 - text["opacity"]) * behind
        # A line or a clock's hand may cross a text: a quarter of it may be illegible.
        ratio = np.quantile(contrast(ink, behind), 0.25)
        large = text["size"] >= (LARGE_IF_BOLD if text["bold"] else LARGE)
        if ratio < (ENOUGH_IF_LARGE if large else ENOUGH):
            found.append(f"{text['words']}: {ratio:.2f}")
    return found


@pytest.mark.parametrize(("name", "seen"), [("light", np.array), ("dark", by_night)])
def test_every_text_of_a_chart_stands_out(desk, name, seen):
    with theme(desk, name):
        for chart in charts(desk):
            assert faint_texts(chart, seen) == []
