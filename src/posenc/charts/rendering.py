"""Show a chart live where scripts run and as a picture everywhere else, the same way each time."""

import base64
import io
from functools import cache
from pathlib import Path

import altair as alt
import matplotlib
import vl_convert
from PIL import Image

from posenc.palette import FAINT, FONT, GRAY, INK, MUTED, PLAIN

# JupyterLab (@jupyterlab/vega5-extension) draws this type without a network, and has none of its
# own for Vega-Lite 6, which it draws too; the book's extension tells myst-nb of it.
MIME_TYPE = "application/vnd.vegalite.v5+json"
VEGALITE_VERSION = "6.4"
# How many pixels of a picture stand for one of the chart.
PIXELS = 2


@cache
def enable():
    """Make Altair charts live in JupyterLab and in the book, and pictures on GitHub and in print.

    The output holds the specification, a PNG of its first state and the chart's description. It
    holds no random identifier, so that executing a notebook twice gives the same file. This happens
    once, so that a renderer that is chosen later stays.
    """
    alt.theme.register("posenc", enable=True)(_theme)
    alt.renderers.register("posenc", _mime_bundle)
    alt.renderers.enable("posenc")


def _theme():
    letters = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    letters |= {"labelColor": INK, "titleColor": INK}
    return {
        "background": "white",
        "config": {
            "font": FONT,
            "axis": letters | {"domainColor": MUTED, "tickColor": MUTED, "gridColor": FAINT},
            "legend": letters,
            "title": {"fontSize": 13, "fontWeight": "normal", "anchor": "start", "color": INK},
            "text": {"color": INK, "fontSize": 12},
            "point": {"opacity": 1},
            # The description tells of lines; read aloud one by one they'd say nothing.
            "line": {"strokeWidth": 2, "aria": False},
            "rule": {"aria": False},
            "mark": {"color": PLAIN},
            "range": {"category": [PLAIN, GRAY]},
            "view": {"stroke": None},
        },
        "usermeta": {"embedOptions": {"actions": False, "renderer": "svg"}},
    }


def _mime_bundle(spec, **_):
    description = spec.get("description")
    if not description:
        raise ValueError(
            "description of the chart is missing: chart.properties(description=...) says in words "
            "what the chart shows, for readers who cannot see it"
        )
    return {
        MIME_TYPE: spec,
        "image/png": base64.b64encode(to_png(spec)).decode("ascii"),
        "text/plain": description,
    }


@cache
def _use_bundled_fonts():
    """Draw with the fonts that matplotlib ships, so that no picture depends on the machine."""
    vl_convert.register_font_directory(str(Path(matplotlib.get_data_path(), "fonts", "ttf")))


def to_png(spec):
    """Draw a Vega-Lite specification, a dict, as a PNG file in bytes, at `PIXELS` to the unit."""
    _use_bundled_fonts()
    drawn = vl_convert.vegalite_to_png(spec, vl_version=VEGALITE_VERSION, scale=PIXELS)
    # Few colors, well packed: a tenth of the size, and no difference to the eye.
    packed = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as picture:
        picture.convert("RGB").quantize(128).save(packed, "PNG", optimize=True)
    return packed.getvalue()
