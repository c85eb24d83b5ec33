"""Sliders that stand for time, a position or an offset run when their reader lets them."""

from functools import partial

import pytest
from browsers import show_all

# The slider of the hours goes from 0 to 11, one in a second, and begins at 2.
BEGIN, END = 2, 11


@pytest.fixture(scope="module", params=["no-preference"])
def page(request, browser, site):
    """Open the landing page, whose first chart is a clock; its time stands until it is let pass."""
    page = browser.new_page(reduced_motion=request.param)
    page.goto(site + "book/index.html")
    show_all(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    yield page
    page.close()


@pytest.fixture
def hours(page):
    """Return the slider of the hours, at its beginning."""
    if button(page).get_attribute("title") == "Pause":
        button(page).click()
    slider = page.locator("input[name=hours]")
    slider.fill(str(BEGIN))
    return slider


def button(page):
    """Return the button that lets the hours run."""
    return page.get_by_role("button", name="hours")


def pass_seconds(page, seconds):
    """Let time pass in steps that leave each frame time to be drawn; return the hour."""
    for _ in range(round(seconds * 20)):
        page.clock.run_for(50)
    return int(page.locator("input[name=hours]").input_value())


def test_a_slider_runs_and_its_chart_with_it_to_the_end_and_from_the_beginning(page, hours):
    says = partial(button(page).get_attribute, "aria-label")
    assert says() == "Play: hours"
    button(page).click()
    assert says() == "Pause: hours"
    seen = [pass_seconds(page, 1) for _ in range(4)]
    # Frames are drawn one by one, so motion may be slower than asked for, but not faster.
    assert BEGIN + 1 < seen[-1] <= BEGIN + 4
    assert seen == sorted(seen)
    time_shown = page.locator(".course-chart svg .role-title-text").first.text_content()
    assert time_shown.startswith(f"{seen[-1]:02}:")
    assert pass_seconds(page, 2 * (END - BEGIN)) == END
    assert says() == "Play: hours"
    button(page).click()
    assert hours.input_value() == "0"
    assert 0 < pass_seconds(page, 3) < END


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_plays_and_pauses(page, hours, key):
    hours.focus()
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    reached = pass_seconds(page, 3)
    assert reached > BEGIN
    page.keyboard.press(key)
    assert pass_seconds(page, 3) == reached


def test_a_second_press_within_a_frame_leaves_one_motion(page, hours):
    for _ in range(3):
        button(page).click()
    assert pass_seconds(page, 3) <= BEGIN + 3


def test_who_takes_the_slider_in_hand_moves_it_alone(page, hours):
    button(page).click()
    pass_seconds(page, 2)
    hours.press("Home")
    assert pass_seconds(page, 3) == 0


@pytest.mark.parametrize("page", ["reduce"], indirect=True)
def test_without_motion_a_press_is_a_step(page, hours):
    assert button(page).get_attribute("aria-label") == "Step: hours"
    button(page).click()
    assert hours.input_value() == str(BEGIN + 1)
    assert pass_seconds(page, 3) == BEGIN + 1
    hours.press("End")
    button(page).click()
    assert hours.input_value() == "0"
