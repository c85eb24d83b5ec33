"""Print the built book into one PDF with Chromium, with an outline and numbered sheets.

Usage: python scripts/print_book.py           (after `make book`; writes book/_build/book.pdf)
"""

import io
from pathlib import Path
from urllib.parse import quote

import yaml
from browsers import launch_options, show_all
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, Fit, NameObject, NullObject
from tqdm import tqdm

BOOK = Path(__file__).resolve().parents[1] / "book"
HTML = BOOK / "_build" / "html"
TARGET = HTML.parent / "book.pdf"
# Chromium's own `scale` wouldn't apply to the places of headings.
SHEETS = """\
@page { size: A4; margin: 15mm 14mm; }
@page { @bottom-center { content: counter(page); font: 9pt sans-serif; } }
html { counter-reset: page %d; zoom: 0.75; }
"""
# Mark every place by its page's address, and return [[level, name, title], ...] of the headings. A
# section may begin at the foot of a sheet with its heading on the next one, so the heading is
# marked, on its line and not above it, where high letters reach.
MARK_PLACES = """headings => {
    for (const place of document.querySelectorAll("article :not(svg *)[id]")) {
        const mark = document.createElement("a");
        mark.id = `${location.href}#${place.id}`;
        mark.style.display = "inline-block";
        (place.querySelector(":scope > :is(h1, h2, h3)") ?? place).prepend(mark);
    }
    for (const link of document.querySelectorAll("a[href^='#']"))
        link.href = "#" + encodeURIComponent(location.href + link.getAttribute("href"));
    return headings.map((heading, number) => [
        Number(heading.tagName[1]),
        encodeURIComponent(location.href + (number ? "#" + heading.closest("section").id : "")),
        heading.innerText.replace(/[#¶]$/, "").trim(),
    ]);
}"""


def _read_yaml(name):
    return yaml.safe_load((BOOK / name).read_text(encoding="utf-8"))


def pages():
    """Return the book's pages in the order of its table of contents."""
    toc = _read_yaml("_toc.yml")
    chapters = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [HTML / f"{name}.html" for name in (toc["root"], *chapters)]


def add_bookmarks(writer, headings, places):
    """Add a bookmark for each heading, below that of the section around it."""
    parents = {}
    for level, name, title in headings:
        sheet, _, left, top, _ = places[name]
        options = {"parent": parents.get(level - 1), "fit": Fit.xyz(left, top), "is_open": False}
        parents[level] = writer.add_outline_item(title=title, page_number=sheet, **options)


def mend_links(writer, places):
    """Turn links to the book's pages into links inside the PDF, and remove those to other files."""
    for sheet in writer.pages:
        links = sheet.get("/Annots", [])
        for reference in list(links):
            link = reference.get_object()
            address = link.get("/A", {}).get("/URI", "")
            name = link.get("/Dest", "/")[1:] or quote(address, safe="")
            place = places.get(name) or places.get(name.partition("%23")[0])
            if place:
                link.pop("/A", None)
                link[NameObject("/Dest")] = place
            elif address.startswith("file:"):
                links.remove(reference)


def print_book(browser, paths):
    """Print pages one after another; return a writer with all sheets and bookmarks."""
    config, writer = _read_yaml("_config.yml"), PdfWriter()
    writer.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    headings, tops = [], {}
    for path in tqdm(paths, desc="printing", unit="page"):
        first = len(writer.pages)
        page = browser.new_page(color_scheme="light")
        page.goto(path.as_uri())
        show_all(page)
        marked = page.locator("article :is(h1, h2, h3)").evaluate_all(MARK_PLACES)
        page.add_style_tag(content=SHEETS % first)  # numbers its sheets from here on
        pdf = page.pdf(prefer_css_page_size=True, print_background=True)
        page.close()
        writer.append(PdfReader(io.BytesIO(pdf)), import_outline=False)
        headings += marked
        top = writer.pages[first].indirect_reference, NameObject("/XYZ"), *[NullObject()] * 3
        tops[marked[0][1]] = ArrayObject(top)
    named = writer.get_named_dest_root()
    places = {name[1:]: place for name, place in zip(named[::2], named[1::2])} | tops
    add_bookmarks(writer, headings, places)
    mend_links(writer, places)
    writer.page_mode = "/UseOutlines"
    writer.compress_identical_objects()
    return writer


if __name__ == "__main__":
    with sync_playwright() as playwright, playwright.chromium.launch(**launch_options()) as browser:
        writer = print_book(browser, pages())
    writer.write(TARGET)
    print(f"{TARGET.name}: {len(writer.pages)} sheets")
