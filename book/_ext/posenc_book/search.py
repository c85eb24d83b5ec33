"""Index the book by section, and prose alone, so that it is searched without a server, too."""

import json
from pathlib import Path

from bs4 import BeautifulSoup

SCRIPT = Path(__file__).with_name("search.js")
# No prose are boxes (but theorems, exercises and answers), code and what it prints, what a solution
# or a question unfolds, marks of headings, and the drawn letters of formulas.
LEFT_OUT = """.admonition:not(.admonition-theorem, .exercise) > :not(.fold), .admonition-title,
    #check-yourself .fold, .solution, .hint, summary, pre, .cell_output .output, .headerlink,
    script, mjx-math"""


def entries(address, page):
    """Yield address, titles of page and section, text and key words of each section or term.

    The key words of the front matter belong to the beginning of the page.
    """
    head = BeautifulSoup(page[: page.find("</head>")], "html.parser")
    meta = head.find(attrs={"name": "keywords"})
    article = BeautifulSoup(page[page.find("<article") : page.find("</article>")], "html.parser")
    for element in article.select(LEFT_OUT):
        element.decompose()
    title = article.find("h1") and article.h1.get_text()
    # What lies in another section comes first, and takes its words away with it.
    for place in reversed(article.select("section[id]:not(#exercise-content), dt[id]")):
        text = place.find_next_sibling("dd") if place.name == "dt" else place
        heading = place if place.name == "dt" else place.find(["h1", "h2", "h3"])
        taken = [" ".join(it.extract().get_text().split()) for it in (heading, text) if it]
        keywords = meta["content"] if meta and heading and heading.name == "h1" else ""
        yield [f"{address}#{place['id']}", title, *taken, keywords]


def write(pages, book):
    """Write what is searched in `pages`, a dictionary of HTML, in the place of Sphinx's index."""
    found = [
        entry
        for path, page in pages.items()
        for entry in entries(path.relative_to(book).as_posix(), page)
    ]
    index = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    code = f"{SCRIPT.read_text(encoding='utf-8')}Search.setIndex({index});\n"
    (book / "searchindex.js").write_text(code, encoding="utf-8")
