"""Print the built book into one PDF with Chromium: a title page, an outline, numbered sheets.

Usage: python scripts/print_book.py           (after `make book`; writes book/_build/book.pdf)
"""

import base64
import html
import io
import sys
from pathlib import Path

import yaml
from browsers import chromium, wait_until_drawn
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, Fit, NameObject
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "book" / "_build" / "html"
TARGET = HTML.parent / "book.pdf"
SHEET = "size: A4; margin: 15mm 14mm"
# Chromium's own `scale` would not scale the places of the headings.
NUMBERS = """\
@page {{ {sheet}; @bottom-center {{ content: counter(page); font: 9pt sans-serif; }} }}
html {{ counter-reset: page {before}; zoom: 0.8; }}
"""
TITLE_PAGE = """\
<style>
@page {{ {sheet}; }}
body {{ margin: 0; height: 265mm; font: 13pt/1.5 system-ui, sans-serif; }}
body {{ display: flex; flex-direction: column; }}
h1 {{ margin: 35mm 0 8mm; font-size: 28pt; font-weight: 500; line-height: 1.25; }}
p {{ margin: 0 0 6mm; }}
/* The picture brings the title along; here it stands above. */
div {{ overflow: hidden; margin-top: 6mm; }}
img {{ display: block; width: 100%; margin-top: -5%; }}
footer {{ margin-top: auto; font-size: 10pt; }}
footer p {{ margin: 0; }}
</style>
<h1>{title}</h1>
<p>{abstract}</p>
<p>By {author}</p>
<div><img src="data:image/png;base64,{picture}"></div>
<footer>
<p>Version {version}, {copyright}</p>
<p>Text and figures: CC BY 4.0. Code: MIT license.</p>
<p>{address}</p>
</footer>
"""
# Return [[level, name, title], ...]. A section's place may be the foot of a sheet, with its heading
# on the next one, so the heading takes the name; the page's own title heads its first sheet.
HEADINGS = """its => its.map(it => {
    const section = it.closest('section');
    if (it.tagName !== 'H1') [it.id, section.id] = [section.id, ''];
    return [Number(it.tagName[1]), section.id || it.id, it.innerText.replace(/[#¶]$/, '').trim()];
})"""


def _read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def pages():
    """Return the book's pages in the order of its table of contents."""
    toc = _read_yaml("book/_toc.yml")
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    names = [toc["root"], *(chapter["file"] for chapter in chapters)]
    return [HTML / f"{name}.html" for name in names]


def _print(page):
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    page.close()
    return PdfReader(io.BytesIO(printed))


def print_title_page(browser):
    """Return the PDF of the title page, made from the book's settings and its citation."""
    facts = _read_yaml("CITATION.cff") | _read_yaml("book/_config.yml")
    facts["address"] = facts["repository"]["url"]
    facts = {name: html.escape(fact) for name, fact in facts.items() if isinstance(fact, str)}
    card = (ROOT / "book" / "_static" / "social-card.png").read_bytes()
    picture = base64.b64encode(card).decode("ascii")
    page = browser.new_page(color_scheme="light")
    page.set_content(TITLE_PAGE.format(**facts, picture=picture, sheet=SHEET))
    return _print(page)


def print_page(browser, path, before):
    """Return one page's headings and its PDF, with every chart drawn.

    Its sheets are numbered on from those `before` it.
    """
    page = browser.new_page(color_scheme="light")
    page.goto(path.as_uri())
    wait_until_drawn(page)
    headings = page.locator("article :is(h1, h2, h3)").evaluate_all(HEADINGS)
    page.add_style_tag(content=NUMBERS.format(sheet=SHEET, before=before))
    return headings, _print(page)


def add_bookmarks(writer, headings, places):
    """Add a bookmark for each heading, below the one that its section belongs to."""
    above = {}
    for level, name, title in headings:
        number, left, top = places[name]
        above[level] = writer.add_outline_item(
            title=title,
            page_number=number,
            parent=above.get(level - 1),
            fit=Fit.xyz(left, top),
            is_open=False,
        )


def lead_inside(writer, owners, targets):
    """Make links between the book's pages lead to their place in the PDF.

    Sections of two pages may have one name, and the PDF has one list of names: so every link
    gets its place. A link to another file of the book's folder leads nowhere in print.
    """
    for sheet, owner in zip(writer.pages, owners, strict=True):
        links = sheet.get("/Annots", [])
        for reference in list(links):
            link = reference.get_object()
            name = link.get("/Dest")
            address = f"{owner}#{name[1:]}" if name else str(link["/A"].get("/URI", ""))
            target = targets.get(address) or targets.get(address.split("#")[0])
            if target is not None:
                number, left, top = target
                link.pop("/A", None)
                place = Fit.xyz(left, top)
                link[NameObject("/Dest")] = ArrayObject(
                    [writer.pages[number].indirect_reference, place.fit_type, *place.fit_args]
                )
            elif address.startswith("file:"):
                links.remove(reference)


def print_book(browser, paths):
    """Print the title page and every page; return a writer that holds sheets and bookmarks."""
    config = _read_yaml("book/_config.yml")
    writer = PdfWriter(print_title_page(browser))
    writer.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    owners, targets = [None], {}
    for path in tqdm(paths, desc="printing", unit="page"):
        first = len(owners)
        headings, printed = print_page(browser, path, first)
        places = {
            name[1:]: (first + printed.get_destination_page_number(place), place.left, place.top)
            for name, place in printed.named_destinations.items()
        }
        places[headings[0][1]] = top_of_sheet = (first, None, None)
        writer.append(printed, import_outline=False)
        add_bookmarks(writer, headings, places)
        owner = path.as_uri()
        owners += [owner] * len(printed.pages)
        targets[owner] = top_of_sheet
        targets |= {f"{owner}#{name}": place for name, place in places.items()}
    lead_inside(writer, owners, targets)
    writer.page_mode = "/UseOutlines"
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
    print(f"{TARGET.name}: {len(writer.pages)} sheets")


if __name__ == "__main__":
    main()
