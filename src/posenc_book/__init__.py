"""The Sphinx extension that turns the course's notebooks into a book that needs no network."""

import hashlib
import html
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import vl_convert
from docutils import nodes

from posenc.charts._renderer import VEGALITE_VERSION
from posenc_book.chart import CourseChart, chart_node, depart_chart_html, visit_chart_html
from posenc_book.weight import slim

PACKAGE = Path(__file__).parent
STATIC = PACKAGE / "static"
VEGA = "charts/vega.js"

# What MathJax loads for this book's formulas: one script, and the fonts that it asks for.
MATHJAX_SCRIPT = "tex-chtml.js"
MATHJAX_FONTS = tuple(
    f"output/chtml/fonts/woff-v2/MathJax_{font}.woff"
    for font in (
        "Zero",
        "Main-Regular",
        "Math-Italic",
        "Size1-Regular",
        "Size2-Regular",
        "Size3-Regular",
        "Size4-Regular",
    )
)

DESCRIPTION = "A course in executed notebooks on the Transformer's sinusoidal positional encoding."
FIRST_PAGE = """\
<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="0; url={address}">
    <link rel="icon" href="_static/favicon.svg" type="image/svg+xml">
    <title>{title}</title>
  </head>
  <body>
    <main><h1>{title}</h1><p><a href="{address}">Open the course</a></p></main>
  </body>
</html>
"""


@cache
def _vega_script():
    """Return Vega, Vega-Lite and Vega-Embed as one classic script.

    A browser refuses to load a module from the file system. The function around it keeps the
    bundle's one-letter names out of the page.
    """
    bundle = vl_convert.javascript_bundle(
        "window.vegaEmbed = vegaEmbed;", vl_version=VEGALITE_VERSION
    )
    return f"(() => {{{bundle}}})();\n"


def _fingerprint():
    """Return a digest of this package, which tells Sphinx that pages built with another are old."""
    digest = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _use_static_files(app):
    app.config.html_static_path.append(str(STATIC))
    app.config.mathjax_path = f"mathjax/{MATHJAX_SCRIPT}"


def _write_all_or_nothing(app, env, docnames):
    """Write every page if one has changed, since the search index knows only what it sees."""
    if docnames:
        app.connect("env-updated", lambda app, env: sorted(env.found_docs))


def _forget_earlier_files(app, builder):
    """Let nothing of an earlier build stay, nor be taken for this one's."""
    if builder.format == "html":
        shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)
        Path(app.outdir, "searchindex.js").unlink(missing_ok=True)


def _load_scripts(app, pagename, templatename, context, doctree):
    """Load the chart scripts on pages with charts, and on no others."""
    if doctree is not None and any(doctree.findall(chart_node)):
        app.add_js_file(VEGA, loading_method="defer")
        app.add_js_file("charts.js", loading_method="defer")


def _ship_scripts(app, exception):
    """Put what the pages load into the book, and nothing else of the same packages."""
    if exception is not None or app.builder.format != "html":
        return
    book = Path(app.outdir)
    _write_if_changed(book / "_static" / VEGA, _vega_script())
    package = find_spec("sphinx-mathjax-offline").submodule_search_locations[0]
    for name in (MATHJAX_SCRIPT, *MATHJAX_FONTS):
        target = book / "_static" / "mathjax" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(package, "static", "mathjax", name), target)
    address = app.builder.get_target_uri(app.config.root_doc)
    first_page = FIRST_PAGE.format(title=app.config.html_title, address=address)
    _write_if_changed(book / "index.html", first_page)
    slim(book)


def _describe_page(app, pagename, templatename, context, doctree):
    """Add what other sites show when they link to the page."""
    description = _first_paragraph(doctree)
    picture = context["pathto"]("_static/social-card.png", 1)
    properties = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:title": context.get("title") or app.config.html_title,
        "og:description": description,
        "og:image": picture,
        "og:image:alt": "The encoding of 200 positions as an image, and four of its waves",
    }
    tags = [
        f'<meta property="{name}" content="{html.escape(content)}" />'
        for name, content in properties.items()
    ]
    tags.append(f'<meta name="description" content="{html.escape(description)}" />')
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def _first_paragraph(doctree):
    if doctree is None:
        return DESCRIPTION
    paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    return DESCRIPTION if paragraph is None else paragraph.astext().replace("\n", " ")[:200]


def _mend_page(app, pagename, templatename, context, doctree):
    """Mend what the accessibility rules refuse in other packages' HTML."""
    body = context.get("body", "")
    # A role that the rules have withdrawn, and the empty corner of a table of pandas.
    body = body.replace('role="doc-biblioentry"', 'role="listitem"')
    context["body"] = body.replace("<th></th>", "<td></td>")


def setup(app):
    """Connect the extension to Sphinx."""
    # Jupyter Book always sets this one; the extension that reads it loads other sites' scripts.
    app.add_config_value("comments_config", {}, "html")
    app.add_config_value("posenc_book_fingerprint", _fingerprint(), "env")
    app.add_node(chart_node, html=(visit_chart_html, depart_chart_html))
    app.add_directive("course-chart", CourseChart)
    app.add_css_file("course.css")
    app.add_js_file("course.js")
    app.connect("builder-inited", _use_static_files)
    app.connect("env-before-read-docs", _write_all_or_nothing)
    app.connect("write-started", _forget_earlier_files)
    app.connect("html-page-context", _load_scripts)
    app.connect("html-page-context", _mend_page)
    app.connect("html-page-context", _describe_page)
    app.connect("build-finished", _ship_scripts)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
