"""The charts are alive on the page: sliders move them and the theme colors them."""

import re

import pytest

from .conftest import BOOK, PAGES

WITH_CHARTS = [
    name for name in PAGES if 'class="course-chart"' in (BOOK / name).read_text(encoding="utf-8")
]


@pytest.fixture(params=WITH_CHARTS)
def page(request, open_page, site):
    """Open a page that has charts."""
    return open_page(site + request.param)


def picture(chart):
    """Return what a chart draws at this moment, in words."""
    return chart.locator("svg").first.evaluate("svg => svg.outerHTML")


def test_every_slider_changes_its_chart(page):
    for chart in page.locator(".course-chart").all():
        for slider in chart.locator("input[type=range]").all():
            before = picture(chart)
            value = slider.input_value()
            slider.focus()
            slider.press("ArrowLeft" if value == slider.get_attribute("max") else "ArrowRight")
            page.wait_for_timeout(300)
            assert slider.input_value() != value
            assert picture(chart) != before, slider.evaluate("it => it.parentElement.innerText")


def test_every_slider_and_choice_has_a_name(page):
    for control in page.locator(".course-chart :is(input, select)").all():
        name = control.evaluate("it => it.closest('label')?.innerText ?? it.ariaLabel ?? ''")
        assert re.search(r"[A-Za-z]{3}", name)


def test_charts_follow_the_theme_when_the_reader_switches_it(page):
    label = page.locator(".course-chart svg .role-axis-label text").first
    color = "it => getComputedStyle(it).fill"
    seen = set()
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        seen.add(label.evaluate(color))
    assert len(seen) == 2


def test_charts_carry_their_description(page):
    for chart in page.locator(".course-chart").all():
        spoken = chart.locator("[aria-label]").first.get_attribute("aria-label")
        assert len(spoken) > 60


def test_charts_stay_within_a_phone(open_page, site):
    for name in WITH_CHARTS:
        page = open_page(site + name, width=390)
        for chart in page.locator(".course-chart").all():
            assert chart.locator("svg").first.bounding_box()["width"] <= 390
