"""Set every formula while the book is built, so that pages show it at once and load no script.

MathJax comes in the package sphinx-mathjax-offline, and Node.js, in which it runs, in Playwright's.
What is known of their insides stands in this module.
"""

import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from playwright._impl._driver import compute_driver_executable
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

SCRIPT = Path(__file__).with_name("formulas.js")
MATHJAX = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0], "static/mathjax")
FONTS = MATHJAX / "output" / "chtml" / "fonts" / "woff-v2"
STYLE = "formulas.css"

# MathJax makes a formula's small letters as high as the text's; those of its fonts have 0.442 em.
TEXT_SIZE = "\nmjx-container { font-size: calc(1ex / 0.442); }\n"
FONT_FACE = re.compile(
    r'@font-face[^}]*font-family: MJX(\w+(?:-\w+)?);[^}]*mathjax/([\w.-]+)"[^}]*}'
)
STRETCHED = {"TEX-S1", "TEX-S4"}

logger = logging.getLogger(__name__)


def set_formulas(formulas):
    """Set formulas with MathJax.

    Parameters
    ----------
    formulas : iterable of (str, bool)
        TeX, and whether the formula stands by itself.

    Returns
    -------
    html : dict
        The HTML of each formula.
    style : str
        The style sheet for all of them.
    """
    formulas = sorted(formulas)
    run = subprocess.run(
        [compute_driver_executable()[0], SCRIPT, MATHJAX],
        input=json.dumps(formulas),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode:
        raise ExtensionError(f"MathJax could not be run in Node.js:\n{run.stderr}")
    answer = json.loads(run.stdout)
    return dict(zip(formulas, answer["formulas"], strict=True)), answer["style"]


def write_style(html, style, static):
    """Write the style sheet and the fonts that these formulas use, and no others."""
    used = {"ZERO", "TEX", *re.findall(r"\bTEX-\w+", html)}
    if "<mjx-stretchy" in html:
        used |= STRETCHED
    style = FONT_FACE.sub(lambda face: face[0] if face[1] in used else "", style)
    static.mkdir(parents=True, exist_ok=True)
    static.joinpath(STYLE).write_text(style + TEXT_SIZE, encoding="utf-8")
    static.joinpath("mathjax").mkdir(exist_ok=True)
    for face in FONT_FACE.finditer(style):
        shutil.copyfile(FONTS / face[2], static / "mathjax" / face[2])


def set_all(app, builder):
    """Set the formulas of all pages before the first page is written."""
    if builder.format != "html":
        return
    found = {
        _formula(node)
        for name in app.env.found_docs
        for node in app.env.get_doctree(name).findall(_is_formula)
    }
    builder.formulas, style = set_formulas(found)
    write_style("".join(builder.formulas.values()), style, Path(app.outdir, "_static"))


def _is_formula(node):
    return isinstance(node, nodes.math | nodes.math_block)


def _formula(node):
    """Return a formula's TeX, put together as in `sphinx.ext.mathjax`, and if it is displayed."""
    tex = node.astext()
    if isinstance(node, nodes.math) or node.get("nowrap"):
        return tex, isinstance(node, nodes.math_block)
    parts = [part for part in tex.split("\n\n") if part.strip()]
    parts = [rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part for part in parts]
    tex = r"\\".join(parts)
    if len(parts) > 1:
        tex = rf"\begin{{align}}\begin{{aligned}}{tex}\end{{aligned}}\end{{align}}"
    return tex, True


def _write(translator, node, tag):
    translator.body.append(translator.starttag(node, tag, "", CLASS="math notranslate nohighlight"))
    if node.get("number"):
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    html = translator.builder.formulas[_formula(node)]
    for error in re.findall(r'<mjx-merror data-mjx-error="([^"]*)"', html):
        logger.warning("MathJax refuses %r: %s", node.astext().strip(), error, location=node)
    if tag == "div":
        # A wide one scrolls, with the keyboard too.
        html = html.replace("<mjx-container", '<mjx-container tabindex="0"', 1)
    translator.body.append(f"{html}</{tag}>")
    raise nodes.SkipNode


def visit_inline(translator, node):
    """Write a formula in a line of text."""
    _write(translator, node, "span")


def visit_block(translator, node):
    """Write a formula that stands by itself."""
    _write(translator, node, "div")
