"""Put a chart into a page: its specification, its place, and a picture for want of scripts."""

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
    """Return the nodes of a chart: scripts draw it into its view, or else its picture shows."""
    description = spec["description"]
    png = charts.to_png(spec)
    # "</" would end the script element early.
    content = json.dumps(spec, separators=(",", ":")).replace("</", r"<\/")
    # On a narrow page, views that stand side by side stand one below the other.
    stacked = content.replace('"hconcat":', '"center":true,"vconcat":')
    drawn = png, png if stacked == content else charts.to_png(json.loads(stacked))
    pictures = [Image.open(io.BytesIO(it)) for it in drawn]
    sizes = [[round(length / PIXELS) for length in picture.size] for picture in pictures]
    path = Path(env.doctreedir, "charts", f"{hashlib.sha256(png).hexdigest()}.png")
    if not path.exists():  # or a page that shows the same chart would be read at every build
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(png)
    opening = (
        f'<div class="course-chart" data-sizes="{sizes}">'
        f'<div class="chart-view" role="group" aria-label="{html.escape(description)}"></div>'
        f'<script type="application/json">{content}</script>'
        "<script>courseChart(document.currentScript.parentElement)</script>"
    )
    uri = "/" + Path(os.path.relpath(path, env.srcdir)).as_posix()
    return [
        nodes.raw("", opening, format="html"),
        nodes.image(uri=uri, alt=description, classes=["chart-picture"]),
        nodes.raw("", "</div>\n", format="html"),
    ]


class ChartRenderer:
    """The mime renderer with which myst-nb shows the charts of notebooks."""

    mime_priority_overrides = (("*", MIME_TYPE, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Turn a chart's specification into nodes; leave every other type to myst-nb."""
        if inline or data.mime_type != MIME_TYPE:
            return None
        return chart_nodes(data.content, renderer.renderer.sphinx_env)


class CourseChart(SphinxDirective):
    """Draw on a page that is no notebook what a function of `posenc.charts` draws by default."""

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
    """Load the script on pages with charts, and on no others."""
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
