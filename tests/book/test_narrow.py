"""On a phone, what is wider than the page says so where it is cut off."""

import pytest

BOXES = """article :is(.output.text_html, .output pre, .pst-scrollable-table-container,
    mjx-container[display])"""
FADES = "it => getComputedStyle(it).maskImage !== 'none'"


@pytest.mark.parametrize(
    ("name", "motion"), [("07_attention", "reduce"), ("10_longer", "no-preference")]
)
def test_what_goes_on_beyond_the_edge_fades_there(open_page, site, name, motion):
    page = open_page(f"{site}notebooks/{name}.html", width=390, reduced_motion=motion)
    wide = {True: 0, False: 0}
    for box in page.locator(BOXES).filter(visible=True).all():
        goes_on = box.evaluate("it => it.scrollWidth > it.clientWidth")
        wide[goes_on] += 1
        assert box.evaluate(FADES) == goes_on
        if goes_on:
            box.evaluate("it => { it.scrollLeft = it.scrollWidth }")
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert not box.evaluate(FADES)
    assert min(wide.values()) > 0
