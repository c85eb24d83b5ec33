"""The Sphinx extension of this book, whose pages need no network.

`chart`, `formulas` and `pictures` put these into pages, at their final size from the beginning;
`boxes` makes everything that unfolds look the same; `fonts` cuts fonts down; `search` indexes
sections; `course_file` packs the course for students, `repository` links to its source, and
`rebuilding` decides which pages are out of date.
"""

import re
import shutil
from functools import partial
from pathlib import Path

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import solution_node

from . import boxes, chart, course_file, fonts, formulas, pictures, rebuilding, repository, search

# Large files that no page uses, and Sphinx's note to itself.
UNUSED = ("**/*.map", "**/*.ttf", "**/fontawesome.js*", "_static/locales", ".buildinfo")


def keep_one_number(app, builder):
    """Remove Sphinx's numbers from titles and links, and number figures by notebook or lab.

    Sphinx knows a notebook's number from the table of contents, and so calls its third figure
    "Fig. 4.3". Its title already has the number ("4. A shift is a rotation"), for JupyterLab. Pages
    without a number count their own figures from 1.
    """
    for page, kinds in app.env.toc_fignumbers.items():
        lab = re.match("notebooks/lab_(.)", page)
        for numbers in kinds.values():
            first = min(number[-1] for number in numbers.values())
            for name, number in numbers.items():
                if lab:
                    numbers[name] = (lab[1].upper(), number[-1])
                elif len(number) == 1:
                    numbers[name] = (number[0] - first + 1,)
    app.env.toc_secnumbers = {}
    for tree in (*app.env.tocs.values(), *app.env.titles.values()):
        for node in tree.findall(nodes.Element):
            node.attributes.pop("secnumber", None)


def drop_scripts(app, pagename, templatename, context, doctree):
    """Drop the scripts for tabs and for marked words, which the book doesn't have."""
    unused = ("design-tabs.js", "sphinx_highlight.js")
    files = context.get("script_files", [])
    context["script_files"] = [
        file for file in files if not str(file.filename or "").endswith(unused)
    ]


def open_citation(translator, node):
    """Begin an entry of a bibliography without the deprecated role that docutils gives it.

    W3C's dpub-aria, pull request 22.
    """
    HTML5Translator.visit_citation(translator, node)
    translator.body[-1] = translator.starttag(node, "div", CLASS="citation", role="listitem")


def complete(index, app, exception):
    """Complete the book after its pages have been written."""
    book = Path(app.outdir)
    if exception is not None or Path(book, course_file.FILE).exists():
        return
    index.write(book)
    for path in book.glob("_images/*.png"):
        pictures.compress(path)
    fonts.cut_icons(book)
    for path in {path for pattern in UNUSED for path in book.glob(pattern)}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    chart.write_vega(book)
    course_file.write(app)


def setup(app):
    """Connect the extension to Sphinx."""
    # Jupyter Book always sets this; the extension that reads it would load other sites' scripts.
    app.add_config_value("comments_config", {}, "html")
    app.add_config_value("posenc_book_fingerprint", rebuilding.fingerprint(), "env")
    app.add_directive("course-chart", chart.CourseChart)
    app.add_directive("dropdown", boxes.Dropdown, override=True)
    app.add_transform(formulas.Unbroken)
    app.add_post_transform(boxes.HiddenCode)
    for node, *visitors in (
        (solution_node, boxes.open_solution, boxes.close_solution),
        (nodes.image, pictures.write, None),
        (nodes.citation, open_citation, None),
    ):
        app.add_node(node, override=True, html=visitors)
    math = formulas.MathRenderer()
    app.add_html_math_renderer("set_in_advance", (math.write, None), (math.write, None))
    index = search.Index()
    app.connect("config-inited", repository.use_address)
    app.connect("env-before-read-docs", rebuilding.start_afresh)
    app.connect("write-started", keep_one_number)
    app.connect("write-started", math.set_all)
    app.connect("doctree-resolved", pictures.unpack)
    app.connect("html-page-context", chart.load_script)
    app.connect("html-page-context", repository.describe)
    app.connect("html-page-context", index.add)
    # After the theme, which makes the buttons.
    app.connect("html-page-context", course_file.offer, priority=600)
    app.connect("html-page-context", repository.mend_links, priority=600)
    app.connect("html-page-context", drop_scripts, priority=900)
    app.connect("build-finished", partial(complete, index))
    # The index is collected in one process.
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": False}
