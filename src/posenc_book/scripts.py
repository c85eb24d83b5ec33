"""Ship the scripts that draw charts and formulas, so that no page loads them from elsewhere."""

import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import vl_convert

from posenc.charts._renderer import VEGALITE_VERSION
from posenc_book.chart import chart_node

STATIC = Path(__file__).parent / "static"
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


def use_static_files(app):
    """Tell Sphinx where the course's scripts and styles lie, and where MathJax will."""
    app.config.html_static_path.append(str(STATIC))
    app.config.mathjax_path = f"mathjax/{MATHJAX_SCRIPT}"


def load_with_charts(app, pagename, templatename, context, doctree):
    """Load the chart scripts on pages with charts, and on no others."""
    if doctree is not None and any(doctree.findall(chart_node)):
        app.add_js_file(VEGA, loading_method="defer")
        app.add_js_file("charts.js", loading_method="defer")


def ship(book):
    """Put Vega and MathJax into the built book, and nothing else of the same packages."""
    static = Path(book, "_static")
    vega = static / VEGA
    vega.parent.mkdir(parents=True, exist_ok=True)
    vega.write_text(_vega_script(), encoding="utf-8")
    package = find_spec("sphinx-mathjax-offline").submodule_search_locations[0]
    for name in (MATHJAX_SCRIPT, *MATHJAX_FONTS):
        target = static / "mathjax" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(package, "static", "mathjax", name), target)
