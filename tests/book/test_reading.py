"""Readers play, search and sort, and read without scripts or a fast connection."""

import re

import pytest
from browsers import show_all

from .conftest import AT_ONCE, BOOK, HOME, PHONE, soup
from .test_every_page import RULES, broken_rules

# The clock's slider is in seconds; a minute passes in one of the reader's.
END, BEGIN, PER_SECOND = 43_200, 42_900, 60


@pytest.fixture(params=["no-preference", "reduce"])
def clock(request, new_context, site):
    """Open the first page at its first chart; time stands still until `pass_seconds`."""
    page = new_context(reduced_motion=request.param).new_page()
    page.goto(site + HOME)
    show_all(page)
    page.locator(".chart-view").first.click()  # it runs by itself until it's touched
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.locator("input[name=run]").fill(str(BEGIN))
    return page


def pass_seconds(page, seconds):
    """Let time pass, slowly enough to draw each frame; return the slider's value."""
    for _ in range(round(seconds * 20)):
        page.clock.run_for(50)
    return int(page.locator("input[name=run]").input_value())


def test_a_slider_plays_and_pauses_or_steps_without_motion(clock):
    button = clock.get_by_role("button", name="let it run")
    if button.get_attribute("aria-label").startswith("Step"):  # where motion is unwanted
        button.click()
        assert pass_seconds(clock, 2) == BEGIN + PER_SECOND
        return
    before = clock.locator(".course-chart svg").first.inner_html()
    button.press("Enter")
    values = [pass_seconds(clock, 1) for _ in range(3)]
    # Frames are drawn one by one, so motion may be slower than it should be, but not faster.
    assert BEGIN < values[0] < values[1] < values[2] <= BEGIN + 3 * PER_SECOND
    assert clock.locator(".course-chart svg").first.inner_html() != before
    button.press("Enter")
    assert pass_seconds(clock, 1) == values[-1]
    button.click()
    assert pass_seconds(clock, 8) == END
    assert button.get_attribute("aria-label").startswith("Play")


VALUE = "Number(document.querySelector('input[name=run]').value)"


def test_the_first_clock_runs_by_itself_until_it_is_touched(open_page, site):
    page = open_page(site + HOME)
    page.locator(".chart-view").first.scroll_into_view_if_needed()
    page.wait_for_function(f"{VALUE} > 9880")
    page.locator("footer").last.scroll_into_view_if_needed()
    paused = page.get_by_role("button", name="Play: let it run")
    paused.wait_for()
    page.locator(".chart-view").first.scroll_into_view_if_needed()
    page.get_by_role("button", name="Pause: let it run").wait_for()
    page.locator(".chart-view").first.click()
    paused.wait_for()
    still = open_page(site + HOME, **AT_ONCE)
    still.wait_for_timeout(500)
    assert still.evaluate(VALUE) == 9870


# What readers search for, and the pages that answer.
QUERIES = {
    "scale RoPE to longer context": ["10_longer"],
    "why both sine and cosine": ["04_rotation"],
    "angular frequency": ["01_formula", "notation", "glossary"],
    "before from after": ["06_distances", "09_rotary"],
    "extrapolation": ["10_longer"],
    "why add not concatenate": ["07_attention"],
    "time2vec vs positional encoding": ["lab_d"],
    "vision transformer positions": ["11_grids"],
    "left padding": ["recipes"],
    "Should torch.cat be repeat_interleave": ["recipes"],
    "mrope qwen2-vl": ["11_grids"],
    "ω_k": ["01_formula", "notation", "glossary"],
    "rotate_half": ["05_shifting", "12_practice"],
    "register_buffer": ["12_practice"],
    "inv_freq": ["10_longer", "12_practice", "glossary"],
    "10000": ["02_clock"],
    "10,000": ["02_clock"],
    "rotary zzyzx": ["09_rotary"],
}
NO_PROSE = ["Notebook (.ipynb)", "import ", "np.", "Before you begin", "¶", "#"]


def test_search_answers_readers_without_a_server(open_page):
    page = open_page((BOOK / "search.html").as_uri())
    for query, answers in QUERIES.items():
        page.goto(f"{BOOK.as_uri()}/search.html?q={query}")
        show_all(page)
        results = page.locator("#search-results li").all()[:3]
        links = [result.locator("a").get_attribute("href") for result in results]
        assert any(answer in link for link in links for answer in answers), (query, links)
        missing = page.locator(".search-summary").inner_text().partition("Not in this course: ")[2]
        assert missing == ("zzyzx." if "zzyzx" in query else "")
        for link, result in zip(links, results):
            name, section = link.split("#")
            assert soup(name).find(id=section)
            # The number of an issue, as in program#29285, is prose.
            words = re.sub(r"\w#\d+", "", result.locator("p").inner_text())
            assert result.locator("mark").count() > 0
            assert [sign for sign in NO_PROSE if sign in words] == []


def test_search_opens_from_the_keyboard_and_leads_to_a_page(open_page, site):
    page = open_page(site + HOME)
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input[type=search]").wait_for()
    page.keyboard.type("rotation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rotation**")
    page.locator("#search-results a").first.click()
    page.wait_for_url("**/*.html#*")
    assert "rotation" in page.locator("article").text_content().lower()
    assert page.complaints == []
    assert [url for url in page.addresses if not url.startswith((site, "data:", "blob:"))] == []


def test_the_field_guide_is_searched_and_sorted_by_keyboard(open_page):
    page = open_page((BOOK / "book/field_guide.html").as_uri(), **PHONE)
    names = page.locator("table.families tbody tr:not([hidden]) th")
    every = names.all_text_contents()
    page.locator(".search-families input").press_sequentially("pairs 500")
    assert 0 < names.count() < len(every)
    page.locator(".search-families input").fill("")
    for sense, order in (("ascending", 1), ("descending", -1)):
        page.get_by_role("button", name="Sort by longest").press("Enter")
        assert page.locator("table.families th[aria-sort]").get_attribute("aria-sort") == sense
        cells = page.locator("table.families tbody td:nth-of-type(6)").all()[:30]
        lengths = [order * float(cell.get_attribute("data-sort")) for cell in cells]
        assert lengths == sorted(lengths)


def test_without_scripts_all_is_there_and_solutions_open(new_context, site):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}notebooks/07_attention.html")
    assert page.locator(".course-chart img:visible").count() == len(
        page.query_selector_all(".course-chart")
    )
    formulas = page.locator("article .math")
    assert page.locator("article .math > mjx-container").count() == formulas.count() > 0
    solution = page.locator(".solution").first
    assert not solution.locator("pre").is_visible()
    solution.locator("summary").click()
    assert solution.locator("pre").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_menus_on_a_desk_keep_the_rules(open_page, site, scheme):
    page = open_page(f"{site}notebooks/02_clock.html", color_scheme=scheme, **AT_ONCE)
    assert broken_rules(page, set(), RULES) == []


# How far things moved, as browsers report it.
WATCH = """window.moved = 0;
new PerformanceObserver(list => {
  for (const { value } of list.getEntries()) window.moved += value;
}).observe({ type: "layout-shift", buffered: true });"""


def test_on_a_slow_line_text_comes_first_and_stays_in_place(new_context, site):
    page, late, slow = new_context(**PHONE).new_page(), [], ["image", "font"]
    page.add_init_script(WATCH)

    def hold(route):
        late.append(route) if route.request.resource_type in slow else route.continue_()

    page.route("**/*", hold)
    page.goto(f"{site}notebooks/06_distances.html", wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    slow.clear()
    for route in late:
        route.continue_()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") <= 0.05
    # Pictures far down wait for a reader who comes near.
    urls = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert sum("/_images/" in url for url in urls) < len(soup("notebooks/06_distances.html")("img"))
