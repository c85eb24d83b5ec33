"""Put a chart into a page of the book: its specification, and its picture for want of scripts."""

import hashlib
import html
import inspect
import json
import os
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from posenc import charts
from posenc.charts._renderer import MIME_TYPE


class chart_node(nodes.Element):
    """A chart; its presence makes the page load the chart scripts."""


def _picture_name(content):
    return hashlib.sha256(content.encode()).hexdigest()[:16] + ".png"


def _node(spec, content, picture):
    image = nodes.image(uri=picture, alt=spec["description"], classes=["chart-picture"])
    return chart_node("", image, spec=content, description=spec["description"])


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
        name = [_picture_name(content)]
        picture = renderer.write_file(name, charts.to_png(spec), overwrite=True, exists_ok=True)
        return [_node(spec, content, picture)]


def _charts():
    """Return {name: function} of the charts that need no argument."""
    found = {}
    for name in charts.__all__:
        function = getattr(charts, name)
        parameters = inspect.signature(function).parameters.values()
        if function is not charts.enable_renderer and all(
            it.default is not it.empty for it in parameters
        ):
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
        self.env.note_dependency(inspect.getsourcefile(known[name]))
        charts.enable_renderer()
        spec = known[name]().to_dict()
        content = json.dumps(spec, separators=(",", ":"))
        # myst-nb keeps the pictures of notebooks in this folder, and Sphinx copies what is used.
        path = Path(self.env.app.outdir).parent / "jupyter_execute" / _picture_name(content)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(charts.to_png(spec))
        folder = Path(self.env.doc2path(self.env.docname)).parent
        return [_node(spec, content, Path(os.path.relpath(path, folder)).as_posix())]


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
