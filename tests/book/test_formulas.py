"""Formulas are set while the book is built, as MathJax would set them in a browser."""

import io
import re

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from posenc_book import course_file, formulas

TEX = r"\omega_k = b^{-2k/d} \sqrt{\sum_{i=0}^{d/2-1} \frac{x_i}{2}}"
# Half a pixel: a browser rounds the size of letters.
SAME_PLACE = 0.5


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Return a function that builds a page and returns its HTML and the warnings."""
    # This small book has no course to pack.
    monkeypatch.setattr(course_file, "write", lambda app: None)

    def build(text):
        (tmp_path / "page.rst").write_text(f"Title\n=====\n\n{text}\n", encoding="utf-8")
        warnings = io.StringIO()
        folders = [tmp_path, None, tmp_path / "html", tmp_path / "doctrees"]
        settings = {"extensions": ["posenc_book"], "html_theme": "basic", "root_doc": "page"}
        with docutils_namespace():
            Sphinx(*folders, "html", settings, status=None, warning=warnings).build()
        page = (tmp_path / "html" / "page.html").read_text(encoding="utf-8")
        return BeautifulSoup(page, "html.parser"), warnings.getvalue()

    return build


def spoken(page):
    """Return the text that screen readers meet in each formula of a page."""
    return [math.get_text() for math in page.select("mjx-assistive-mml math")]


def test_a_formula_is_as_large_as_mathjax_makes_it_in_a_browser(browser, tmp_path):
    html, style = formulas.set_formulas({(TEX, False)})
    formulas.write_style("".join(html.values()), style, tmp_path)
    (tmp_path / "page.html").write_text(
        f'<meta charset="utf-8"><link rel="stylesheet" href="{formulas.STYLE}">'
        f"<p>Set {html[TEX, False]} in advance</p><p>Set \\({TEX}\\) in the browser</p>"
        f'<script src="{(formulas.MATHJAX / "tex-chtml.js").as_uri()}"></script>',
        encoding="utf-8",
    )
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("() => MathJax.startup.promise.then(() => document.fonts.ready)")
    ours, theirs = (it.bounding_box() for it in page.locator("mjx-math").all())
    page.close()
    for length in ("x", "width", "height"):
        assert ours[length] == pytest.approx(theirs[length], abs=SAME_PLACE)


def test_its_letters_keep_their_place_without_fonts(browser, tmp_path):
    html, style = formulas.set_formulas({(TEX, True)})
    formulas.write_style("".join(html.values()), style, tmp_path)
    page = browser.new_page()
    boxes = []
    for sheet in (style + formulas.TEXT_SIZE, (tmp_path / formulas.STYLE).read_text("utf-8")):
        (tmp_path / formulas.STYLE).write_text(sheet, encoding="utf-8")
        (tmp_path / "page.html").write_text(
            f'<link rel="stylesheet" href="{formulas.STYLE}">{html[TEX, True]}', encoding="utf-8"
        )
        page.goto((tmp_path / "page.html").as_uri())
        page.evaluate("document.fonts.ready")
        boxes.append(page.locator("mjx-math").bounding_box())
    page.close()
    assert boxes[0] == boxes[1]


def test_formulas_are_set_and_spoken_and_may_have_a_number(build):
    page, warnings = build(
        ":math:`\\varphi` as in :eq:`one`.\n\n"
        ".. math:: e = 1\n   :label: one\n\n"
        ".. math:: a = 1\n\n   b = 2 \\\\ c = 3\n"
    )
    assert warnings == ""
    assert spoken(page) == ["φ", "e=1", "a=1b=2c=3"]
    assert page.select_one("span.math mjx-container[display]") is None
    assert page.select_one("div.math mjx-container")["display"] == "true"
    assert page.select_one("div.math .eqno").get_text().startswith("(1)")
    assert page.select_one("a[href='#equation-one']") is not None


def test_what_mathjax_refuses_is_a_warning_at_its_line(build):
    _, warnings = build(".. math:: \\unknown\n\n.. math:: \\frac{1}\n")
    assert r"page.rst:4: WARNING: MathJax refuses '\\unknown': Undefined control" in warnings
    assert r"page.rst:6: WARNING: MathJax refuses '\\frac{1}': Missing argument" in warnings


def test_the_fonts_that_are_used_are_there_and_no_others(tmp_path):
    html, style = formulas.set_formulas({(r"\mathbf{M}", False)})
    formulas.write_style("".join(html.values()), style, tmp_path)
    named = re.findall(r"mathjax/([\w.-]+)", (tmp_path / formulas.STYLE).read_text("utf-8"))
    assert sorted(named) == sorted(path.name for path in (tmp_path / "mathjax").iterdir())
    assert "MathJax_Main-Bold.woff" in named
    assert "MathJax_Size2-Regular.woff" not in named
