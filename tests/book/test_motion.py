"""Sliders that stand for time, a position or an offset run when their reader lets them."""

from functools import partial

import pytest
from browsers import show_all

from .conftest import BOOK, PAGES

# The clock's slider is in seconds; two minutes pass in one of the reader's.
END, BEGIN, PER_SECOND = 43_200, 42_600, 120
FEWEST_DRAWS = 20  # a second
CHARTS = [name for name in PAGES if '"motion":{' in (BOOK / name).read_text("utf-8")]


def held(browser, address, **options):
    """Open a page whose time stands until it is let pass."""
    page = browser.new_page(**options)
    page.goto(address)
    show_all(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return page


@pytest.fixture(scope="module", params=["no-preference"])
def page(request, browser, site):
    """Open the landing page, whose first chart is a clock."""
    page = held(browser, site + "book/index.html", reduced_motion=request.param)
    yield page
    page.close()


@pytest.fixture
def run(page):
    """Return the clock's slider, ten minutes before its end."""
    if button(page).get_attribute("title") == "Pause":
        button(page).click()
    slider = page.locator("input[name=run]")
    slider.fill(str(BEGIN))
    return slider


def button(page):
    """Return the button that lets the clock run."""
    return page.get_by_role("button", name="let it run")


def pass_seconds(page, seconds):
    """Let time pass in steps that leave each frame time to be drawn; return the slider's place."""
    for _ in range(round(seconds * 20)):
        page.clock.run_for(50)
    return int(page.locator("input[name=run]").input_value())


def test_a_slider_runs_and_its_chart_with_it_to_the_end_and_from_the_beginning(page, run):
    says = partial(button(page).get_attribute, "aria-label")
    assert says() == "Play: let it run (seconds)"
    button(page).click()
    assert says() == "Pause: let it run (seconds)"
    seen = [pass_seconds(page, 1) for _ in range(4)]
    # Frames are drawn one by one, so motion may be slower than asked for, but not faster.
    assert BEGIN + PER_SECOND < seen[-1] <= BEGIN + 4 * PER_SECOND
    assert seen == sorted(seen)
    assert pass_seconds(page, 8) == END
    assert says() == "Play: let it run (seconds)"
    button(page).click()
    assert 0 < pass_seconds(page, 1) <= PER_SECOND


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_plays_and_pauses(page, run, key):
    run.focus()
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    reached = pass_seconds(page, 2)
    assert reached > BEGIN
    page.keyboard.press(key)
    assert pass_seconds(page, 2) == reached


def test_a_second_press_within_a_frame_leaves_one_motion(page, run):
    for _ in range(3):
        button(page).click()
    assert pass_seconds(page, 3) <= BEGIN + 3 * PER_SECOND


def test_who_takes_the_slider_in_hand_moves_it_alone(page, run):
    button(page).click()
    pass_seconds(page, 1)
    run.press("Home")
    assert pass_seconds(page, 2) == 0


@pytest.mark.parametrize("page", ["reduce"], indirect=True)
def test_without_motion_a_press_is_a_step(page, run):
    assert button(page).get_attribute("aria-label") == "Step: let it run (seconds)"
    button(page).click()
    assert run.input_value() == str(BEGIN + PER_SECOND)
    assert pass_seconds(page, 2) == BEGIN + PER_SECOND
    run.press("End")
    button(page).click()
    assert run.input_value() == "0"


# Each time that the drawing differs from what it was.
COUNT = """svg => {
    let before = svg.innerHTML;
    window.draws = 0;
    new MutationObserver(() => {
        const now = svg.innerHTML;
        window.draws += now !== before;
        before = now;
    }).observe(svg, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@pytest.mark.parametrize("name", CHARTS)
def test_what_runs_glides_and_rests_at_a_step_of_its_slider(browser, site, name):
    """Not at the pace of the slider's steps, of which there may be four a second."""
    page = held(browser, site + name)
    for chart in page.locator(".course-chart:has(.play)").all():
        for play in chart.locator(".play").all():
            row = play.locator("xpath=..")
            chart.locator("svg").evaluate(COUNT)
            play.click()
            for _ in range(50):
                page.clock.run_for(20)
            assert page.evaluate("window.draws") >= FEWEST_DRAWS, play.get_attribute("aria-label")
            play.click()
            says = row.locator("input + span").inner_text()
            assert row.locator("input").input_value() == says
    page.close()
