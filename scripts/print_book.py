"""Print the built book into one PDF with Chromium.

Usage: python scripts/print_book.py           (after `make book`; writes book/_build/book.pdf)
"""

import io
import sys
from pathlib import Path

import yaml
from browsers import chromium, wait_until_drawn
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import Fit, NameObject
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "book" / "_build" / "html"
TARGET = HTML.parent / "book.pdf"
MARGIN = {"top": "15mm", "bottom": "15mm", "left": "14mm", "right": "14mm"}


def pages():
    """Return the book's pages in the order of its table of contents."""
    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    names = [toc["root"], *(chapter["file"] for chapter in chapters)]
    return [HTML / f"{name}.html" for name in names]


def print_page(browser, path):
    """Return one page's title and its PDF, with every chart drawn."""
    page = browser.new_page(color_scheme="light")
    page.goto(path.as_uri())
    wait_until_drawn(page)
    title = page.locator("h1").first.inner_text().rstrip("#¶")
    printed = page.pdf(format="A4", margin=MARGIN, print_background=True, scale=0.8)
    page.close()
    return title, PdfReader(io.BytesIO(printed))


def lead_inside(writer, first_sheets):
    """Make links between the book's pages lead to a sheet of the PDF."""
    for sheet_number, sheet in enumerate(writer.pages):
        links = sheet.get("/Annots", [])
        for reference in list(links):
            link = reference.get_object()
            address = str(link.get("/A", {}).get("/URI", ""))
            target = first_sheets.get(address.split("#")[0])
            if target is not None:
                links.remove(reference)
                inside = Link(rect=link["/Rect"], target_page_index=target, fit=Fit.fit())
                inside[NameObject("/Border")] = link.get("/Border", inside["/Border"])
                writer.add_annotation(sheet_number, inside)


def print_book(browser, paths):
    """Print every page and return a writer that holds their sheets and one bookmark for each."""
    writer, first_sheets = PdfWriter(), {}
    for path in tqdm(paths, desc="printing", unit="page"):
        title, printed = print_page(browser, path)
        first_sheets[path.as_uri()] = len(writer.pages)
        writer.append(printed, outline_item=title, import_outline=False)
    lead_inside(writer, first_sheets)
    writer.compress_identical_objects()
    return writer


def main():
    """Print the whole book and write the PDF."""
    try:
        with chromium() as browser:
            writer = print_book(browser, pages())
    except FileNotFoundError as error:
        sys.exit(error)
    writer.write(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {len(writer.pages)} sheets")


if __name__ == "__main__":
    main()
