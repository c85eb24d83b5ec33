"""The charts are alive on the page: sliders move them, and they are legible in both themes."""

import re

import pytest
from playwright.sync_api import TimeoutError

from .conftest import pages_with, theme
from .contrast import faint_chart_texts

PAGE_NAMES = pages_with('class="course-chart"')


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


def test_every_slider_and_choice_has_a_name(desk):
    for chart in charts(desk):
        for control in chart.locator("input, select").all():
            name = control.evaluate("it => it.closest('label')?.innerText ?? it.ariaLabel ?? ''")
            assert re.search(r"[A-Za-z]{3}", name)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_text_of_a_chart_stands_out(desk, name):
    with theme(desk, name):
        for chart in charts(desk):
            assert faint_chart_texts(chart) == []


def test_charts_follow_the_theme_when_the_reader_switches_it(desk):
    label = desk.locator(".course-chart svg .role-axis-label text").first
    colors = set()
    for name in ("light", "dark"):
        with theme(desk, name):
            colors.add(label.evaluate("it => getComputedStyle(it).fill"))
    assert len(colors) == 2


def test_charts_carry_their_description(desk):
    for chart in charts(desk):
        spoken = chart.locator("[aria-label]").first.get_attribute("aria-label")
        assert len(spoken) > 60


def test_charts_stay_within_a_phone(phone):
    for chart in charts(phone):
        assert chart.locator("svg").first.bounding_box()["width"] <= phone.viewport_size["width"]
