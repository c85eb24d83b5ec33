"""Index the book by section, prose and code, so that search needs no server."""

import json
import re
from keyword import kwlist
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes

SCRIPT = Path(__file__).with_name("search.js")
# Left out: boxes other than theorems, exercises and answers; folded code and printed output;
# solutions and replies; links of headings; and the drawn letters of formulas.
LEFT_OUT = """.admonition:not(.admonition-theorem, .exercise) > :not(.fold), .admonition-title,
    #check-yourself .fold, .solution, .hint, summary, .fold pre, .cell_output .output, .headerlink,
    script, mjx-math"""


class Index:
    """The search index: for each page title and key words, then sections: address, title, text."""

    def __init__(self):
        self.pages = []

    def add(self, app, pagename, templatename, context, doctree):
        """Add the sections and terms of a page whose body has been written."""
        if doctree is None:
            return
        meta = {node.get("name"): node["content"] for node in doctree.findall(nodes.meta)}
        article = BeautifulSoup(context["body"], "html.parser")
        for element in article.select(LEFT_OUT):
            element.decompose()
        page, entries = article.h1.get_text(), []
        # Inner sections come first and are cut out of the outer ones.
        for section in reversed(article.select("section[id]:not(#exercise-content), dt[id]")):
            body = section.find_next_sibling("dd") if section.name == "dt" else section
            heading = section if section.name == "dt" else section.find(["h1", "h2", "h3"])
            code = " ".join(block.extract().get_text() for block in body.select("pre"))
            names = " ".join(sorted({*re.findall(r"\w{3,}", code)} - {*kwlist}))
            title, text = (" ".join(part.extract().get_text().split()) for part in (heading, body))
            title = " › ".join(dict.fromkeys((page, title)))
            text += names and f" In code: {names}."
            entries.insert(0, [f"{pagename}.html#{section['id']}", title, text])
        self.pages.append([["", page, meta.get("keywords", "")], *entries])

    def write(self, book):
        """Write the index in place of Sphinx's."""
        index = json.dumps(self.pages, ensure_ascii=False, separators=(",", ":"))
        code = f"{SCRIPT.read_text(encoding='utf-8')}Search.setIndex({index});\n"
        (book / "searchindex.js").write_text(code, encoding="utf-8")
