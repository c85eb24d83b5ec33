"""On paper, a page is complete, light and not cut off; `make pdf` joins all pages."""

import io
import re
import unicodedata

import numpy as np
import print_book
from PIL import Image
from pypdf import PdfReader

from .conftest import BOOK, PAGES

NAMES = ["book/index.html", "notebooks/02_clock.html"]


def in_plain_letters(text):
    """Take ligatures apart, and join lines."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


def gray(page):
    """Return the gray value of each pixel of a page."""
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("L"))


def test_a_printed_page_is_complete_light_and_not_cut_off(open_page, site):
    page = open_page(site + NAMES[1], color_scheme="dark", viewport={"width": 794, "height": 900})
    assert np.median(gray(page)) < 64
    page.emulate_media(media="print")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    paper = gray(page)
    assert np.median(paper) == 255
    assert 0.01 < (paper < 64).mean() < 0.1
    # Solutions and charts are there; controls and menus are not.
    for element in page.locator(".solution pre, details .answer, .course-chart svg").all():
        assert element.is_visible()
    assert page.locator(".vega-bindings:visible, .bd-sidebar-primary:visible").count() == 0
    cut = page.locator("article :is(pre, table, img, svg)").evaluate_all(
        """nodes => nodes.filter(node => node.getBoundingClientRect().right > innerWidth + 1
                     || node.matches("pre") && node.scrollWidth > node.clientWidth + 1)
                     .map(node => node.outerHTML.slice(0, 120))"""
    )
    assert cut == []


def test_the_whole_book_has_bookmarks_numbers_and_links(browser, open_page, site, tmp_path):
    printed = [path.relative_to(BOOK).as_posix() for path in print_book.pages()]
    assert printed[0] == NAMES[0]
    assert sorted(printed) == sorted(set(PAGES) - {"search.html"})
    print_book.print_book(browser, [BOOK / name for name in NAMES]).write(tmp_path / "book.pdf")
    pdf = PdfReader(tmp_path / "book.pdf")
    sheets = [in_plain_letters(sheet.extract_text()) for sheet in pdf.pages]
    assert [sheet.split()[0] for sheet in sheets] == [*map(str, range(1, len(sheets) + 1))]
    titles = [
        open_page(site + name).locator("article h1").first.inner_text().rstrip("#")
        for name in NAMES
    ]
    chapters = [entry for entry in pdf.outline if not isinstance(entry, list)]
    assert [chapter.title for chapter in chapters] == titles
    for chapter in chapters:
        sheet = sheets[pdf.get_destination_page_number(chapter)]
        assert sheet.split(maxsplit=1)[1].startswith(in_plain_letters(chapter.title))
    links = [link.get_object() for sheet in pdf.pages for link in sheet.get("/Annots", [])]
    assert not any(link.get("/A", {}).get("/URI", "").startswith("file:") for link in links)
