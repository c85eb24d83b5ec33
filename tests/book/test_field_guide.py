"""The table of the field guide is searched and sorted, by keyboard, on a phone and from a file."""

import pytest

from .conftest import BOOK, PHONE

PAGE_NAMES = ["book/field_guide.html"]
NAMES = "table.families tbody tr:not([hidden]) th"


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_the_table_is_searched_and_sorted_by_keyboard(open_page, options):
    page = open_page((BOOK / PAGE_NAMES[0]).as_uri(), **options)
    every = page.locator(NAMES).all_text_contents()
    page.locator(".search-families input").press_sequentially("pairs 500")
    found = page.locator(NAMES).all_text_contents()
    assert 0 < len(found) < len(every)
    assert page.locator(".search-families output").text_content().startswith(f"{len(found)} of ")
    page.locator(".search-families input").fill("")
    for sense, order in (("ascending", 1), ("descending", -1)):
        page.get_by_role("button", name="Sort by longest").focus()
        page.keyboard.press("Enter")
        assert page.locator("table.families th[aria-sort]").get_attribute("aria-sort") == sense
        cells = page.locator("table.families tbody td:nth-of-type(6)").all()[:30]
        lengths = [order * float(it.get_attribute("data-sort")) for it in cells]
        assert lengths == sorted(lengths)
    assert sorted(page.locator(NAMES).all_text_contents()) == sorted(every)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]
    page.emulate_media(media="print")
    assert not page.locator("table.families").is_visible()
    assert "left out in print" in page.locator(".instead-of-families:visible").text_content()


def test_the_table_stands_without_scripts(new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto((BOOK / PAGE_NAMES[0]).as_uri())
    assert page.locator(NAMES).count() >= 220
    assert page.locator(".search-families, table.families button").count() == 0
