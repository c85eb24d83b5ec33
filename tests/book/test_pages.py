"""Every page, light and dark, on a phone and on a desk: complete, and from here alone."""

import pytest

from .arrival import TWO_FRAMES
from .conftest import FIRST_PAGE, PHONE, complaints

HOME = "book/index.html"


def test_a_page_asks_for_nothing_from_elsewhere(visited, site):
    here = site if visited.url.startswith(site) else "file:"
    assert [it for it in visited.addresses if not it.startswith((here, "data:", "blob:"))] == []


def test_nothing_is_loaded_twice(visited):
    loaded = [address.split("?")[0] for address in visited.addresses if "data:" not in address]
    assert {address for address in loaded if loaded.count(address) > 1} == set()


def test_the_browser_has_nothing_to_complain_of(visited):
    assert complaints(visited) == []


def test_every_formula_is_set(visited):
    formulas = visited.locator("article .math:not(mjx-container .math)")
    assert formulas.locator(":scope > mjx-container").count() == formulas.count()
    assert visited.locator("mjx-merror, [data-mjx-error]").count() == 0


def test_on_a_phone_formulas_are_whole_and_keep_their_punctuation(phone, page_name):
    """A reference and an optional section may have a formula that scrolls."""
    formulas = phone.locator("article .math > mjx-container")
    wide = formulas.evaluate_all(
        """its => its.filter(it => it.scrollWidth > it.clientWidth + 1 && it.hasAttribute("display")
                                && it.checkVisibility() && !it.closest("[id^=going-deeper]"))
                     .map(it => it.textContent)"""
    )
    alone = formulas.evaluate_all(
        """its => its.map(it => it.closest(".unbroken") ?? it.parentElement)
                     .map(it => it.nextSibling?.data ?? "")
                     .filter(it => /^[.,;:?!)]/.test(it))"""
    )
    lines = phone.locator("article .unbroken").evaluate_all(
        "its => its.map(it => it.getClientRects().length)"
    )
    assert page_name == "book/api.html" or wide == []
    assert alone == []
    assert set(lines) <= {0, 1}


def test_every_chart_is_drawn(visited):
    for chart in visited.locator(".course-chart").all():
        assert chart.locator("svg path").count() > 0


def test_every_picture_is_loaded_and_has_words(visited):
    pictures = visited.locator("img").evaluate_all(
        """its => its.filter(it => it.checkVisibility())
                     .map(it => [it.src, it.naturalWidth, it.alt])"""
    )
    assert [source for source, width, words in pictures if not (width and words)] == []


def test_every_picture_keeps_its_shape(visited):
    shapes = visited.locator("article img").evaluate_all(
        """its => its.filter(it => it.checkVisibility() && it.naturalWidth).map(it =>
            [it.src, it.height / it.width, it.naturalHeight / it.naturalWidth])"""
    )
    assert [source for source, shown, own in shapes if abs(shown / own - 1) > 0.02] == []


def test_nothing_is_wider_than_the_page(visited):
    width = visited.viewport_size["width"]
    culprits = visited.locator("body *").evaluate_all(
        """(its, width) => its.filter(it => it.getBoundingClientRect().right > width + 1)
                              .map(it => it.outerHTML.slice(0, 120))""",
        width,
    )
    assert visited.evaluate("document.documentElement.scrollWidth") <= width, culprits[:3]


def test_without_scripts_charts_show_their_picture_and_formulas_stand(new_context, site, page_name):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(site + page_name)
    for chart in page.locator(".course-chart").all():
        assert chart.locator("img").is_visible()
    formulas = page.locator("article .math")
    assert page.locator("article .math > mjx-container").count() == formulas.count()


def test_without_scripts_a_solution_opens_by_its_row_and_nothing_asks_to_run_a_cell(
    new_context, site
):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}notebooks/07_attention.html")
    solution = page.locator(".solution").first
    row = solution.locator("summary")
    assert not solution.locator("pre").is_visible()
    row.click(position={"x": row.bounding_box()["width"] - 5, "y": 5})
    assert solution.locator("pre").is_visible()
    notes = page.get_by_text("Not attempted yet")
    assert notes.count() > notes.filter(visible=True).count() == 0


def test_the_button_switches_the_theme(open_page, site):
    page = open_page(site + HOME)
    seen = {page.locator("html").get_attribute("data-theme")}
    for _ in range(3):
        page.locator("button.theme-switch-button:visible").first.click()
        seen.add(page.locator("html").get_attribute("data-theme"))
    assert seen == {"light", "dark"}


@pytest.mark.parametrize("scripts", [True, False])
def test_the_books_own_address_leads_to_the_course(new_context, scripts):
    page = new_context(java_script_enabled=scripts).new_page()
    page.goto(FIRST_PAGE.as_uri())
    page.wait_for_url(f"**/{HOME}")
    assert page.locator("h1").first.inner_text().startswith("Positional Encoding")


WIDE = """article :is(.output.text_html, .output pre, .pst-scrollable-table-container,
    mjx-container[display])"""


@pytest.mark.parametrize(
    ("name", "motion"), [("07_attention", "reduce"), ("10_longer", "no-preference")]
)
def test_what_goes_on_beyond_the_edge_of_a_phone_fades_there(open_page, site, name, motion):
    page = open_page(f"{site}notebooks/{name}.html", **PHONE, reduced_motion=motion)
    found = set()
    for box in page.locator(WIDE).filter(visible=True).all():
        fades = "it => getComputedStyle(it).maskImage !== 'none'"
        goes_on = box.evaluate("it => it.scrollWidth > it.clientWidth")
        found.add(goes_on)
        assert box.evaluate(fades) == goes_on
        if goes_on:
            box.evaluate("it => { it.scrollLeft = it.scrollWidth }")
            page.evaluate(TWO_FRAMES)
            assert not box.evaluate(fades)
    assert found == {True, False}


# How the letter of each icon that is seen is drawn, and how one that the font lacks.
ICONS = """async () => {
  const context = new OffscreenCanvas(100, 100).getContext("2d", { willReadFrequently: true });
  const ink = (font, letter) => {
    context.reset();
    context.font = font;
    context.fillText(letter, 20, 70);
    return context.getImageData(0, 0, 100, 100).data.filter((_, i) => i % 4 === 3).join("");
  };
  const icons = [...document.querySelectorAll("[class^='fa-'], [class*=' fa-'], .fas, .fab")];
  return Promise.all(icons.filter((it) => it.checkVisibility()).map(async (it) => {
    const { content, fontWeight, fontFamily } = getComputedStyle(it, "::before");
    const letter = content.replaceAll('"', ""), font = `${fontWeight} 50px ${fontFamily}`;
    await document.fonts.load(font, letter);
    return [it.className, letter, it.childNodes.length, ink(font, letter), ink(font, "\\uf8fe")];
  }));
}"""


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", [HOME, "notebooks/01_formula.html", "search.html"])
def test_each_icon_shows_one_outline(open_page, site, name, options):
    """The theme's script that would draw them a second time is left out."""
    icons = open_page(site + name, **options).evaluate(ICONS)
    assert len(icons) > 3
    for icon, letter, inside, drawn, missing in icons:
        assert (len(letter), inside) == (1, 0), icon
        assert "1" in drawn != missing, icon
