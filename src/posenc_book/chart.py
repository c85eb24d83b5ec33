"""Put a chart into a page: its specification, its place, and a picture for want of scripts."""

import hashlib
import html
import inspect
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


class chart_node(nodes.Element):
    """A chart; its presence makes the page load the chart scripts."""


def _picture_name(content):
    return hashlib.sha256(content.encode()).hexdigest()[:16] + ".png"


def _size(png):
    """Return a drawn chart's width and height in pixels of a page."""
    with Image.open(io.BytesIO(png)) as picture:
        return [round(length / PIXELS) for length in picture.size]


def _stacked(spec):
    """Return a specification whose views stand one below the other, as on a narrow page."""
    if "hconcat" in spec:
        spec = {**spec, "vconcat": spec["hconcat"], "center": True}
        del spec["hconcat"]
    if "vconcat" in spec:
        spec = {**spec, "vconcat": [_stacked(part) for part in spec["vconcat"]]}
    return spec


def _node(spec, content, picture, png):
    stacked = _stacked(spec)
    size = _size(png)
    return chart_node(
        "",
        nodes.image(uri=picture, alt=spec["description"], classes=["chart-picture"]),
        spec=content,
        description=spec["description"],
        sizes=[size, size if stacked == spec else _size(charts.to_png(stacked))],
    )


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
        png = charts.to_png(spec)
        name = [_picture_name(content)]
        picture = renderer.write_file(name, png, overwrite=True, exists_ok=True)
        return [_node(spec, content, picture, png)]


def _charts():
    """Return {name: function} of the charts that need no argument."""
    found = {}
    for name in charts.__all__:
        function = getattr(charts, name)
        parameters = inspect.signature(function).parameters.values()
        if all(it.default is not it.empty for it in parameters):
            found[name] = function
    return found


class CourseChart(SphinxDirective):
    """Draw one of the course's charts on a page that is no notebook.

    The argument names a function of `posenc.charts` that needs none itself.
    """

    required_arguments = 1

    def run(self):
        """Return the chart's node."""
        name, known = self.arguments[0], _charts()
        if name not in known:
            raise self.error(f"course-chart must name one of {', '.join(known)}, got {name!r}")
        spec = known[name]().to_dict()
        content = json.dumps(spec, separators=(",", ":"))
        path = Path(self.env.doctreedir, "charts", _picture_name(content))
        path.parent.mkdir(parents=True, exist_ok=True)
        png = charts.to_png(spec)
        path.write_bytes(png)
        folder = Path(self.env.doc2path(self.env.docname)).parent
        return [_node(spec, content, Path(os.path.relpath(path, folder)).as_posix(), png)]


def visit_chart(translator, node):
    """Open the chart: with scripts it is drawn, without them the picture shows."""
    # "</" would end the script element early.
    spec = node["spec"].replace("</", "<\\/")
    label = html.escape(node["description"], quote=True)
    translator.body.append(
        f'<div class="course-chart" data-sizes="{node["sizes"]}">'
        f'<div class="chart-view" role="group" aria-label="{label}"></div>'
        f'<script type="application/json">{spec}</script>'
        "<script>courseChart(document.currentScript.parentElement)</script>"
    )


def depart_chart(translator, node):
    """Close the chart."""
    translator.body.append("</div>\n")


def load_scripts(app, pagename, templatename, context, doctree):
    """Load the chart scripts on pages with charts, and on no others."""
    if doctree is not None and any(doctree.findall(chart_node)):
        app.add_js_file("motion.js")
        app.add_js_file("charts.js")
        _write_vega(Path(app.outdir, "_static", "vega.js"))


def _write_vega(path):
    """Write Vega, Vega-Lite and Vega-Embed into the book as one classic script.

    A browser refuses to load a module from the file system. The function around it keeps the
    bundle's one-letter names out of the page.
    """
    if not path.exists():
        bundle = vl_convert.javascript_bundle(
            "window.vegaEmbed = vegaEmbed;", vl_version=VEGALITE_VERSION
        )
        path.write_text(f"(() => {{{bundle}}})();\n", encoding="utf-8")
