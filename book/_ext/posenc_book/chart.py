"""Put a chart into a page: its specification, and a picture for readers without scripts."""

import hashlib
import html
import io
import json
import os
from pathlib import Path

import vl_convert
from docutils import nodes
from PIL import Image
from sphinx.util.docutils import SphinxDirective

from posenc import charts
from posenc.charts.rendering import MIME_TYPE, PIXELS, VEGALITE_VERSION


def chart_nodes(spec, env):
    """Return the nodes of a chart, which scripts draw; without scripts its picture shows.

    If the chart has views side by side, scripts get a second specification, with the views one
    below the other, and choose by the width of the page.
    """
    specs, text = [spec], json.dumps(spec)
    if '"hconcat":' in text:
        specs.append(json.loads(text.replace('"hconcat":', '"center":true,"vconcat":')))
    pngs = [charts.to_png(spec) for spec in specs]
    pictures = [Image.open(io.BytesIO(png)) for png in pngs]
    sizes = [[round(length / PIXELS) for length in picture.size] for picture in pictures]
    choices = [{"size": size, "spec": spec} for size, spec in zip(sizes, specs, strict=True)]
    # "</" would end the script element early.
    content = json.dumps(choices, separators=(",", ":")).replace("</", r"<\/")
    path = Path(env.doctreedir, "charts", f"{hashlib.sha256(pngs[0]).hexdigest()}.png")
    if not path.exists():  # a new date would make Sphinx read pages with the same chart again
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pngs[0])
    description = html.escape(spec["description"])
    opening = (
        '<div class="course-chart">'
        f'<div class="chart-view" role="group" aria-label="{description}"></div>'
        f'<script type="application/json">{content}</script>'
        "<script>courseChart(document.currentScript.parentElement)</script>"
    )
    uri = "/" + Path(os.path.relpath(path, env.srcdir)).as_posix()
    return [
        nodes.raw("", opening, format="html"),
        nodes.image(uri=uri, alt=spec["description"], classes=["chart-picture"]),
        nodes.raw("", "</div>\n", format="html"),
    ]


class MimeRenderer:
    """Renders charts for myst-nb, which finds it by posenc_book.dist-info."""

    mime_priority_overrides = (("*", MIME_TYPE, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Return the nodes of a chart's specification; leave every other type to myst-nb."""
        if data.mime_type == "text/html":
            # pandas makes the empty corner of a table a header (pydata-sphinx-theme, issue 1480).
            data.content = data.content.replace("<th></th>", "<td></td>")
        if inline or data.mime_type != MIME_TYPE:
            return None
        return chart_nodes(data.content, renderer.renderer.sphinx_env)


class CourseChart(SphinxDirective):
    """Draw a chart of `posenc.charts`, by its function's name, on a page that is no notebook."""

    required_arguments = 1

    def run(self):
        """Return the chart's nodes."""
        try:
            spec = getattr(charts, self.arguments[0])().to_dict()
        except (AttributeError, TypeError) as error:
            raise self.error(
                f"course-chart must name a chart without arguments: {error}"
            ) from error
        return chart_nodes(spec, self.env)


def load_script(app, pagename, templatename, context, doctree):
    """Load the script on pages with charts only."""
    if 'class="course-chart"' in context.get("body", ""):
        app.add_js_file("charts.js")


def write_vega(book):
    """Write Vega-Embed and what it needs as one classic script.

    A browser loads no module from the file system. The function around the code keeps its
    one-letter names out of the page.
    """
    code = "window.vegaEmbed = vegaEmbed;"
    bundle = vl_convert.javascript_bundle(code, vl_version=VEGALITE_VERSION)
    (book / "_static" / "vega.js").write_text(f"(() => {{{bundle}}})();\n", encoding="utf-8")
