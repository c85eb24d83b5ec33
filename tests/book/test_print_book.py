"""`make pdf` prints each page's sheets, bookmarks and links."""

from contextlib import nullcontext

import print_book
from pypdf import PdfReader
from pypdf.generic import ArrayObject

from .conftest import BOOK, PAGES


def test_every_page_is_printed_but_the_search():
    names = [path.relative_to(BOOK).as_posix() for path in print_book.pages()]
    assert names[0] == "book/index.html"
    assert sorted(names) == sorted(set(PAGES) - {"search.html"})


def test_the_pages_become_one_document(browser, monkeypatch, tmp_path, capsys):
    paths = [BOOK / "book" / "index.html", BOOK / "notebooks" / "01_formula.html"]
    for name, value in (
        ("pages", lambda: paths),
        ("chromium", lambda: nullcontext(browser)),
        ("ROOT", tmp_path),
        ("TARGET", tmp_path / "book.pdf"),
    ):
        monkeypatch.setattr(print_book, name, value)
    print_book.main()
    reader = PdfReader(tmp_path / "book.pdf")
    assert f"book.pdf: {len(reader.pages)} sheets" in capsys.readouterr().out
    assert [bookmark.title for bookmark in reader.outline] == [
        "Positional Encoding, from the Clock to the Rotation",
        "The formula",
    ]
    first, second = (reader.get_destination_page_number(it) for it in reader.outline)
    assert first == 0 < second < len(reader.pages)
    for bookmark, number in zip(reader.outline, (first, second), strict=True):
        assert bookmark.title in " ".join(reader.pages[number].extract_text().split())

    links = [link.get_object() for sheet in reader.pages for link in sheet.get("/Annots", [])]
    addresses = [str(link.get("/A", {}).get("/URI", "")) for link in links]
    assert not any(address.startswith(paths[1].as_uri()) for address in addresses)
    # Links within one page lead to names, those between pages to a sheet.
    targets = [link["/Dest"] for link in links if isinstance(link.get("/Dest"), ArrayObject)]
    assert reader.pages[second].indirect_reference in [target[0] for target in targets]
