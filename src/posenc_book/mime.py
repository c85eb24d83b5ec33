"""Put a chart into a page of the book: its specification, and its picture for want of scripts."""

import hashlib
import html
import json

from docutils import nodes

from posenc.charts import to_png
from posenc.charts._renderer import MIME_TYPE


class chart_node(nodes.Element):  # noqa: N801 - docutils names nodes like this
    """A chart; its presence makes the page load the chart scripts."""


class ChartRenderer:
    """The mime renderer that myst-nb finds through the project's entry point."""

    mime_priority_overrides = (("*", MIME_TYPE, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Turn a chart's specification into a node; leave every other type to myst-nb."""
        if inline or data.mime_type != MIME_TYPE:
            return None
        spec = data.content
        content = json.dumps(spec, separators=(",", ":"))
        name = hashlib.sha256(content.encode()).hexdigest()[:16] + ".png"
        picture = renderer.write_file([name], to_png(spec), overwrite=True, exists_ok=True)
        image = nodes.image(uri=picture, alt=spec["description"], classes=["chart-picture"])
        return [chart_node("", image, spec=content, description=spec["description"])]


def visit_chart_html(translator, node):
    """Open the chart; with scripts the specification is drawn, without them the picture shows."""
    # "</" would end the script element early.
    spec = node["spec"].replace("</", "<\\/")
    label = html.escape(node["description"], quote=True)
    translator.body.append(
        f'<div class="course-chart"><div class="chart-view" role="group" aria-label="{label}">'
        f'</div><script type="application/json">{spec}</script><noscript>'
    )


def depart_chart_html(translator, node):
    """Close the chart."""
    translator.body.append("</noscript></div>\n")
