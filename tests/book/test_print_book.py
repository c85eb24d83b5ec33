"""`make pdf` gives one document: numbered sheets, bookmarks and links that hold."""

import print_book
import pytest
import yaml
from pypdf import PdfReader

from .conftest import BOOK, PAGES, ROOT
from .test_print import folded_away, in_plain_letters

NAMES = ["book/index.html", "notebooks/02_clock.html", "notebooks/03_binary.html"]


@pytest.fixture(scope="module")
def pdf(browser, tmp_path_factory):
    """Print three pages; return the PDF's reader."""
    target = tmp_path_factory.mktemp("printed") / "book.pdf"
    print_book.print_book(browser, [BOOK / name for name in NAMES]).write(target)
    return PdfReader(target)


@pytest.fixture(scope="module")
def sheets(pdf):
    """Return the words of each sheet."""
    return [in_plain_letters(sheet.extract_text()) for sheet in pdf.pages]


def test_every_page_is_printed_but_the_search():
    names = [path.relative_to(BOOK).as_posix() for path in print_book.pages()]
    assert names[0] == "book/index.html"
    assert sorted(names) == sorted(set(PAGES) - {"search.html"})


def test_it_opens_with_the_landing_page_and_every_sheet_is_numbered(pdf, sheets):
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf-8"))
    assert sheets[0].split(maxsplit=1)[1].startswith(config["title"])
    assert (pdf.metadata.title, pdf.metadata.author) == (config["title"], config["author"])
    assert len(sheets) > 15
    numbers = [str(number) for number in range(1, len(sheets) + 1)]
    assert [sheet.split()[0] for sheet in sheets] == numbers


def test_bookmarks_name_every_chapter_and_section_and_lead_to_their_sheet(
    pdf, sheets, open_page, site
):
    numbers = []
    for name, chapter, sections in zip(NAMES, pdf.outline[::2], pdf.outline[1::2], strict=True):
        page = open_page(site + name)
        for level, bookmarks in (("h1", [chapter]), ("h2", sections)):
            headings = page.locator(f"article {level}").all_inner_texts()
            assert [bookmark.title for bookmark in bookmarks] == [it.rstrip("#") for it in headings]
        contents = pdf.get_destination_page_number(chapter)
        assert sheets[contents].split(maxsplit=1)[1].startswith(chapter.title)
        numbers.append(contents)
        for section in sections:
            numbers.append(pdf.get_destination_page_number(section))
            title = in_plain_letters(section.title)
            assert title in sheets[numbers[-1]]
    assert numbers[0] == 0
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 10
    # Solutions and answers are on paper, too.
    assert [it for it in folded_away(page) if it not in " ".join(sheets)] == []


def test_links_lead_to_the_place_that_they_name_and_none_to_a_file(pdf):
    """Sections of two pages have the same name, such as Exercises."""
    numbers = {sheet.indirect_reference.idnum: n for n, sheet in enumerate(pdf.pages)}
    chapters = pdf.outline[::2]
    starts = [pdf.get_destination_page_number(chapter) for chapter in chapters]
    linked_at_home = set()
    for n, sheet in enumerate(pdf.pages):
        links = [link.get_object() for link in sheet.get("/Annots", [])]
        assert not [it for it in links if it.get("/A", {}).get("/URI", "").startswith("file:")]
        targets = [numbers[link["/Dest"][0].idnum] for link in links if "/Dest" in link]
        if n < starts[1]:
            linked_at_home |= set(targets)
    # The landing page's table of all notebooks, of which two are printed.
    assert set(starts[1:]) <= linked_at_home
