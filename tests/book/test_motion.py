"""Sliders that stand for time, a position or an offset run when their reader lets them."""

import pytest
from browsers import wait_until_drawn

PAGE = "book/index.html"
# The slider of the hours goes from 0 to 11, one in a second, and begins at 2.
BEGIN, END = 2, 11
LEAST_TARGET = 24


class Clock:
    """The first chart of the landing page, in a page whose time stands until it is let pass."""

    def __init__(self, page):
        self.page = page
        self.chart = page.locator(".course-chart[data-drawn]")
        self.hours = self.chart.locator("input[name=hours]")
        self.button = self.chart.get_by_role("button", name="hours")
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)

    def let_pass(self, seconds):
        """Let time pass in steps that leave each frame time to be drawn."""
        for _ in range(round(seconds * 20)):
            self.page.clock.run_for(50)

    @property
    def value(self):
        return int(self.hours.input_value())

    @property
    def name(self):
        return self.button.get_attribute("aria-label")

    @property
    def time_shown(self):
        return self.chart.locator("svg .role-title-text").first.text_content()


@pytest.fixture(scope="module")
def open_clock(browser, site):
    """Return a function that gives the clock at its beginning, in one page for each setting."""
    clocks = {}

    def open_clock(motion):
        if motion not in clocks:
            page = browser.new_page(reduced_motion=motion)
            page.goto(site + PAGE)
            wait_until_drawn(page)
            clocks[motion] = Clock(page)
        clock = clocks[motion]
        if clock.name.startswith("Pause"):
            clock.button.click()
        clock.hours.fill(str(BEGIN))
        return clock

    yield open_clock
    for clock in clocks.values():
        clock.page.close()


@pytest.fixture
def clock(open_clock):
    """Return the clock for a reader who has nothing against motion."""
    return open_clock("no-preference")


def test_a_slider_runs_and_its_chart_with_it(clock):
    assert clock.name == "Play: hours"
    clock.button.click()
    assert clock.name == "Pause: hours"
    seen = [clock.value]
    for _ in range(4):
        clock.let_pass(1)
        seen.append(clock.value)
    assert seen[0] == BEGIN
    assert seen == sorted(seen)
    # Frames are drawn one by one, so motion may be slower than asked for, but not faster.
    assert BEGIN + 1 < seen[-1] <= BEGIN + 4
    assert clock.time_shown.startswith(f"{seen[-1]:02}:")


def test_it_stops_at_the_end_and_begins_again_there(clock):
    clock.button.click()
    clock.let_pass(2 * (END - BEGIN))
    assert clock.value == END
    assert clock.name == "Play: hours"
    clock.let_pass(2)
    assert clock.value == END
    clock.button.click()
    assert clock.value == 0
    assert clock.name == "Pause: hours"
    clock.let_pass(3)
    assert 0 < clock.value < END


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_plays_and_pauses(clock, key):
    clock.hours.focus()
    clock.page.keyboard.press("Tab")
    assert clock.button.evaluate("it => it === document.activeElement")
    clock.page.keyboard.press(key)
    clock.let_pass(3)
    reached = clock.value
    assert reached > BEGIN
    clock.page.keyboard.press(key)
    assert clock.name == "Play: hours"
    clock.let_pass(3)
    assert clock.value == reached


def test_a_second_press_within_a_frame_leaves_one_motion(clock):
    for _ in range(3):
        clock.button.click()
    clock.let_pass(3)
    assert clock.value <= BEGIN + 3


def test_who_takes_the_slider_in_hand_moves_it_alone(clock):
    clock.button.click()
    clock.let_pass(2)
    clock.hours.press("Home")
    assert clock.name == "Play: hours"
    clock.let_pass(3)
    assert clock.value == 0


def test_without_motion_a_press_is_a_step(open_clock):
    clock = open_clock("reduce")
    assert clock.name == "Step: hours"
    clock.button.click()
    assert clock.value == BEGIN + 1
    clock.let_pass(3)
    assert clock.value == BEGIN + 1
    clock.hours.press("End")
    clock.button.click()
    assert clock.value == 0


def test_each_button_has_a_name_of_its_own_and_room_for_a_finger(clock):
    buttons = clock.chart.get_by_role("button").all()
    names = [button.get_attribute("aria-label") for button in buttons]
    assert names == [
        "Play: hours",
        "Play: minutes",
        "Play: seconds",
        "Play: let it run (seconds)",
    ]
    for button in buttons:
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= LEAST_TARGET


def test_buttons_and_sliders_are_not_printed(clock):
    assert clock.button.is_visible()
    clock.page.emulate_media(media="print")
    assert not clock.button.is_visible()
    assert not clock.hours.is_visible()
    clock.page.emulate_media(media="screen")
