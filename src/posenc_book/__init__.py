"""The Sphinx extension that turns the course's notebooks into a book that needs no network.

`chart` puts charts into pages, `scripts` ships what draws charts and formulas, `first_page` and
`social` write what readers and other sites meet first, `course_file` packs what a student takes
away, `published` links to the repository, `mend` corrects other packages' HTML, `rebuild` says
which pages are old, and `weight` removes what no page asks for.
"""

from posenc_book import course_file, first_page, mend, published, rebuild, scripts, social
from posenc_book.chart import CourseChart, chart_node, depart_chart_html, visit_chart_html
from posenc_book.weight import slim


def _finish(app, exception):
    """Complete a book whose pages are written."""
    if exception is None and app.builder.format == "html":
        scripts.ship(app.outdir)
        first_page.write(app)
        course_file.write(app)
        slim(app.outdir)


def setup(app):
    """Connect the extension to Sphinx."""
    # Jupyter Book always sets this one; the extension that reads it loads other sites' scripts.
    app.add_config_value("comments_config", {}, "html")
    app.add_config_value("posenc_book_fingerprint", rebuild.fingerprint(), "env")
    app.add_node(chart_node, html=(visit_chart_html, depart_chart_html))
    app.add_directive("course-chart", CourseChart)
    app.add_css_file("course.css")
    app.add_js_file("course.js")
    app.connect("config-inited", published.use_address)
    app.connect("builder-inited", scripts.use_static_files)
    app.connect("builder-inited", social.use_card)
    app.connect("env-before-read-docs", rebuild.write_all_or_nothing)
    app.connect("write-started", rebuild.forget_earlier_files)
    app.connect("html-page-context", scripts.load_with_charts)
    app.connect("html-page-context", mend.mend_page)
    app.connect("html-page-context", social.describe_page)
    # After the theme, which makes the buttons.
    app.connect("html-page-context", course_file.offer, priority=600)
    app.connect("html-page-context", published.mend_links, priority=600)
    app.connect("build-finished", _finish)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
