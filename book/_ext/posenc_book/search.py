"""Index the book by section, and prose alone, so that it is searched without a server, too."""

import json
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes

SCRIPT = Path(__file__).with_name("search.js")
# No prose are boxes (but theorems, exercises and answers), code and what it prints, what a solution
# or a question unfolds, marks of headings, and the drawn letters of formulas.
LEFT_OUT = """.admonition:not(.admonition-theorem, .exercise) > :not(.fold), .admonition-title,
    #check-yourself .fold, .solution, .hint, summary, pre, .cell_output .output, .headerlink,
    script, mjx-math"""


class Index:
    """What is searched: address, titles of page and section, text and key words of each section."""

    def __init__(self):
        self.entries = []

    def add(self, app, pagename, templatename, context, doctree):
        """Add the sections and terms of a page, once its body is written.

        The key words of the front matter belong to the beginning of the page.
        """
        if doctree is None:
            return
        meta = {node.get("name"): node["content"] for node in doctree.findall(nodes.meta)}
        article = BeautifulSoup(context["body"], "html.parser")
        for element in article.select(LEFT_OUT):
            element.decompose()
        title = article.h1.get_text()
        # What lies in another section comes first, and takes its words away with it.
        for place in reversed(article.select("section[id]:not(#exercise-content), dt[id]")):
            text = place.find_next_sibling("dd") if place.name == "dt" else place
            heading = place if place.name == "dt" else place.find(["h1", "h2", "h3"])
            words = [" ".join(it.extract().get_text().split()) for it in (heading, text) if it]
            keywords = meta.get("keywords", "") if heading and heading.name == "h1" else ""
            self.entries.append([f"{pagename}.html#{place['id']}", title, *words, keywords])

    def write(self, book):
        """Write what is searched in the place of Sphinx's index."""
        index = json.dumps(self.entries, ensure_ascii=False, separators=(",", ":"))
        code = f"{SCRIPT.read_text(encoding='utf-8')}Search.setIndex({index});\n"
        (book / "searchindex.js").write_text(code, encoding="utf-8")
