"""The Sphinx extension of this book, whose pages need no network.

`chart`, `formulas` and `pictures` put these into pages, each in a place of its own from the
beginning; `boxes` makes one kind of all that unfolds; `search` finds sections; `course_file` packs
what a student takes away, `repository` links to where the course is made, and `rebuilding` says
which pages are old.
"""

import re
import shutil
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import load_mime_renders
from sphinx.ext.mathjax import html_visit_displaymath, html_visit_math
from sphinx_exercise.nodes import solution_node

from . import boxes, chart, course_file, formulas, pictures, rebuilding, repository, search

# What other packages write, and what the accessibility rules want in its place.
MENDED = {
    # docutils' role for an entry of a bibliography is deprecated: w3c/dpub-aria, pull request 22.
    'role="doc-biblioentry"': 'role="listitem"',
    # pandas makes the empty corner of a table a header: pydata/pydata-sphinx-theme, issue 1480.
    "<th></th>": "<td></td>",
}
# What is heavy, and is copied whether a page asks for it or not; and Sphinx's note to itself.
UNUSED = ("**/*.map", "**/*.ttf", "**/fontawesome.js*", "_static/locales", ".buildinfo")


def keep_one_number(app, builder):
    """Take Sphinx's numbers from titles and links, once figures have theirs, and letter labs.

    Sphinx knows a notebook's number from the table of contents, and so calls its third figure
    "Fig. 4.3". Its title has the number already ("4. A shift is a rotation"), for JupyterLab. Pages
    without a number count their own figures, and not on from page to page.
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


def complete(app, exception):
    """Complete a book whose pages have been written."""
    book = Path(app.outdir)
    if exception is not None or Path(book, course_file.FILE).exists():
        return
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(book.rglob("*.html"))}
    formulas.set_all(pages, book / "_static")
    for path, page in pages.items():
        for written, right in MENDED.items():
            page = page.replace(written, right)
        pages[path] = pictures.give_places(boxes.fold(page), book)
        path.write_text(pages[path], encoding="utf-8")
    search.write(pages, book)
    for path in book.glob("_images/*.png"):
        pictures.compress(path)
    for path in {path for pattern in UNUSED for path in book.glob(pattern)}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    chart.write_vega(book)
    course_file.write(app)


def setup(app):
    """Connect the extension to Sphinx."""
    # Jupyter Book always sets this one; the extension that reads it loads other sites' scripts.
    app.add_config_value("comments_config", {}, "html")
    app.add_config_value("posenc_book_fingerprint", rebuilding.fingerprint(), "env")
    # Not by an entry point, which would change every book that is built beside this package.
    load_mime_renders().append(chart.ChartRenderer)
    app.add_directive("course-chart", chart.CourseChart)
    app.add_node(solution_node, override=True, html=(boxes.open_solution, boxes.close_solution))
    # Under another name than its own, Sphinx's MathJax renderer loads no script.
    visitors = (html_visit_math, None), (html_visit_displaymath, None)
    app.add_html_math_renderer("set_in_advance", *visitors)
    app.connect("config-inited", repository.use_address)
    app.connect("env-before-read-docs", rebuilding.start_afresh)
    app.connect("write-started", keep_one_number)
    app.connect("html-page-context", chart.load_script)
    # After the theme, which makes the buttons.
    app.connect("html-page-context", course_file.offer, priority=600)
    app.connect("html-page-context", repository.mend_links, priority=600)
    app.connect("build-finished", complete)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
