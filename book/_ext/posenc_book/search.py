"""Index the book by section, prose and code, so that it is searched without a server, too."""

import json
import re
from keyword import kwlist
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes

SCRIPT = Path(__file__).with_name("search.js")
# Left out are boxes (but theorems, exercises and answers), code that is folded or prints, what a
# solution or a question unfolds, marks of headings, and the drawn letters of formulas.
LEFT_OUT = """.admonition:not(.admonition-theorem, .exercise) > :not(.fold), .admonition-title,
    #check-yourself .fold, .solution, .hint, summary, .fold pre, .cell_output .output, .headerlink,
    script, mjx-math"""


class Index:
    """What is searched: of each page title and key words, then address, title, text of sections."""

    def __init__(self):
        self.pages = []

    def add(self, app, pagename, templatename, context, doctree):
        """Add a page, once its body is written: its sections and terms, each with its code."""
        if doctree is None:
            return
        meta = {node.get("name"): node["content"] for node in doctree.findall(nodes.meta)}
        article = BeautifulSoup(context["body"], "html.parser")
        for element in article.select(LEFT_OUT):
            element.decompose()
        page, places = article.h1.get_text(), []
        # What lies in another section comes first, and takes its words away with it.
        for place in reversed(article.select("section[id]:not(#exercise-content), dt[id]")):
            text = place.find_next_sibling("dd") if place.name == "dt" else place
            heading = place if place.name == "dt" else place.find(["h1", "h2", "h3"])
            code = " ".join(it.extract().get_text() for it in text.select("pre"))
            names = " ".join(sorted({*re.findall(r"\w{3,}", code)} - {*kwlist}))
            title, text = (" ".join(it.extract().get_text().split()) for it in (heading, text))
            title = " › ".join(dict.fromkeys((page, title)))
            text += names and f" In code: {names}."
            places.insert(0, [f"{pagename}.html#{place['id']}", title, text])
        self.pages.append([["", page, meta.get("keywords", "")], *places])

    def write(self, book):
        """Write what is searched in the place of Sphinx's index."""
        index = json.dumps(self.pages, ensure_ascii=False, separators=(",", ":"))
        code = f"{SCRIPT.read_text(encoding='utf-8')}Search.setIndex({index});\n"
        (book / "searchindex.js").write_text(code, encoding="utf-8")
