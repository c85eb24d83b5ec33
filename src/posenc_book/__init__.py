"""The Sphinx extension that turns the course's notebooks into a book that needs no network.

`chart`, `formulas` and `pictures` put these into pages, each in a place of its own from the
beginning; `redirect` and `social` write what readers and other sites meet first, `course_file`
packs what a student takes away, `published` links to the repository, `accessibility` mends other
packages' HTML, `staleness` says which pages are old, and `unused_files` removes what no page asks
for.
"""

from pathlib import Path

from docutils import nodes

from posenc_book import (
    accessibility,
    chart,
    course_file,
    formulas,
    numbering,
    pictures,
    published,
    redirect,
    social,
    staleness,
    unused_files,
)


def _use_static_files(app):
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))


def _finish(app, exception):
    """Complete a book whose pages are written."""
    if exception is None and app.builder.format == "html":
        redirect.write(app)
        course_file.write(app)
        pictures.finish(app.outdir)
        unused_files.remove(app.outdir)


def setup(app):
    """Connect the extension to Sphinx."""
    # Jupyter Book always sets this one; the extension that reads it loads other sites' scripts.
    app.add_config_value("comments_config", {}, "html")
    app.add_config_value("posenc_book_fingerprint", staleness.fingerprint(), "env")
    app.add_node(chart.chart_node, html=(chart.visit_chart, chart.depart_chart))
    app.add_node(nodes.image, override=True, html=(pictures.visit_picture, None))
    app.add_html_math_renderer(
        "set_in_advance", (formulas.visit_inline, None), (formulas.visit_block, None)
    )
    app.add_directive("course-chart", chart.CourseChart)
    app.add_css_file("course.css")
    app.add_css_file(formulas.STYLE)
    app.add_js_file("course.js")
    app.connect("config-inited", published.use_address)
    app.connect("builder-inited", _use_static_files)
    app.connect("builder-inited", social.use_card)
    app.connect("env-before-read-docs", staleness.write_all_or_nothing)
    # In this order: what is written must not be forgotten.
    app.connect("write-started", staleness.forget_earlier_files)
    app.connect("write-started", formulas.set_all)
    app.connect("write-started", numbering.keep_one_number)
    app.connect("html-page-context", chart.load_scripts)
    app.connect("html-page-context", accessibility.mend_page)
    app.connect("html-page-context", social.describe_page)
    # After the theme, which makes the buttons.
    app.connect("html-page-context", course_file.offer, priority=600)
    app.connect("html-page-context", published.mend_links, priority=600)
    app.connect("build-finished", _finish)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
