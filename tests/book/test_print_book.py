"""`make pdf` gives one document: a title page, numbered sheets, bookmarks and links that hold."""

from contextlib import nullcontext

import print_book
import pytest
import yaml
from pypdf import PdfReader

from .conftest import BOOK, PAGES, ROOT
from .test_print import folded_away, in_plain_letters

NAMES = ["book/index.html", "notebooks/02_clock.html"]


@pytest.fixture(scope="module")
def pdf(browser, tmp_path_factory):
    """Print two pages; return the PDF's reader."""
    target = tmp_path_factory.mktemp("printed") / "book.pdf"
    print_book.print_book(browser, [BOOK / name for name in NAMES]).write(target)
    return PdfReader(target)


@pytest.fixture(scope="module")
def sheets(pdf):
    """Return the words of each sheet."""
    return [in_plain_letters(sheet.extract_text()) for sheet in pdf.pages]


@pytest.fixture(scope="module")
def chapters(pdf):
    """Return [(bookmark of a chapter, bookmarks of its sections), ...]."""
    return list(zip(pdf.outline[::2], pdf.outline[1::2], strict=True))


def test_every_page_is_printed_but_the_search():
    names = [path.relative_to(BOOK).as_posix() for path in print_book.pages()]
    assert names[0] == "book/index.html"
    assert sorted(names) == sorted(set(PAGES) - {"search.html"})


def test_the_first_sheet_is_the_title_page(pdf, sheets):
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf-8"))
    assert sheets[0].strip().startswith(config["title"])
    assert config["author"] in sheets[0]
    assert "CC BY 4.0" in sheets[0]
    assert (pdf.metadata.title, pdf.metadata.author) == (config["title"], config["author"])
    (picture,) = pdf.pages[0].images
    assert picture.image.size == (1200, 630)


def test_every_sheet_after_it_has_its_number(sheets):
    assert [sheet.split()[0] for sheet in sheets[1:]] == [
        str(number) for number in range(2, len(sheets) + 1)
    ]
    assert len(sheets) > 15


def test_bookmarks_name_every_chapter_and_section(chapters, open_page, site):
    for name, (chapter, sections) in zip(NAMES, chapters, strict=True):
        page = open_page(site + name)
        for level, bookmarks in (("h1", [chapter]), ("h2", sections)):
            headings = page.locator(f"article {level}").all_inner_texts()
            assert [bookmark.title for bookmark in bookmarks] == [it.rstrip("#") for it in headings]


def test_solutions_and_answers_are_on_paper(sheets, open_page, site):
    words = " ".join(sheets)
    for name in NAMES[1:]:
        assert [it for it in folded_away(open_page(site + name)) if it not in words] == []


def test_bookmarks_lead_to_the_sheet_with_their_heading(pdf, sheets, chapters):
    numbers = []
    for chapter, sections in chapters:
        numbers.append(pdf.get_destination_page_number(chapter))
        # At the head of a chapter's first sheet stand its title and the list of its sections.
        assert sheets[numbers[-1]].split(maxsplit=1)[1].startswith(chapter.title)
        contents = numbers[-1]
        for section in sections:
            numbers.append(pdf.get_destination_page_number(section))
            title = in_plain_letters(section.title)
            assert sheets[numbers[-1]].count(title) >= 1 + (numbers[-1] == contents), title
    assert numbers[0] == 1
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 10


SMALL_PAGE = """
<article><section id="{name}"><h1>{name}<a class="headerlink" href="#{name}">#</a></h1>
<a href="#exercises">here</a> <a href="{other}.html#exercises">there</a>
<a href="{other}.html">the other</a> <a href="{other}.html#no-place">no place</a>
<a href="unprinted.html">not printed</a> <a href="https://example.org/">elsewhere</a>
<section id="exercises" style="padding-top: 1px">
<h2 style="break-before: page">Exercises<a class="headerlink" href="#exercises">#</a></h2>
</section></section></article>
"""


def test_links_lead_to_the_place_that_they_name(browser, tmp_path):
    """On each of two pages a section begins at the foot of a sheet, its heading on the next."""
    for name, other in (("one", "two"), ("two", "one")):
        page = SMALL_PAGE.format(name=name, other=other)
        (tmp_path / f"{name}.html").write_text(page, encoding="utf-8")
    paths = [tmp_path / "one.html", tmp_path / "two.html"]
    print_book.print_book(browser, paths).write(tmp_path / "book.pdf")
    pdf = PdfReader(tmp_path / "book.pdf")
    numbers = {sheet.indirect_reference.idnum: n for n, sheet in enumerate(pdf.pages)}
    assert len(numbers) == 5

    def targets(number):
        links = [reference.get_object() for reference in pdf.pages[number]["/Annots"]]
        return [
            numbers[link["/Dest"][0].idnum] if "/Dest" in link else link["/A"]["/URI"]
            for link in links
        ]

    assert sorted(targets(1), key=str) == [1, 2, 3, 3, 4, "https://example.org/"]
    assert sorted(targets(3), key=str) == [1, 1, 2, 3, 4, "https://example.org/"]
    assert targets(2) == [2]
    assert targets(4) == [4]
    bookmarks = [item for chapter in pdf.outline[1::2] for item in chapter]
    assert [pdf.get_destination_page_number(item) for item in bookmarks] == [2, 4]


def test_the_program_prints_its_pages_into_one_file(browser, monkeypatch, tmp_path, capsys):
    for name, value in (
        ("pages", lambda: [BOOK / "book" / "index.html"]),
        ("chromium", lambda: nullcontext(browser)),
        ("TARGET", tmp_path / "book.pdf"),
    ):
        monkeypatch.setattr(print_book, name, value)
    print_book.main()
    count = len(PdfReader(tmp_path / "book.pdf").pages)
    assert f"book.pdf: {count} sheets" in capsys.readouterr().out
