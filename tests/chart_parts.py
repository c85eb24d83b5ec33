"""The parts of a drawn chart: its marks, what they say to a screen reader, and its texts."""

import copy
import io
import json
from functools import cache
from xml.etree import ElementTree

import numpy as np
import vl_convert
from PIL import Image

from posenc import charts
from posenc.charts.rendering import VEGALITE_VERSION

SVG = "{http://www.w3.org/2000/svg}"

# Tests draw as the notebooks do.
charts.enable_renderer()


def specification(name, **arguments):
    """Return the specification of a chart of `posenc.charts`, a copy each time.

    Altair takes long to make one, so it makes each only once.
    """
    return json.loads(_specification(name, tuple(arguments.items())))


@cache
def _specification(name, arguments):
    return json.dumps(getattr(charts, name)(**dict(arguments)).to_dict())


def moved(spec, **values):
    """Return a copy of a specification with its sliders moved, each within its range."""
    spec = copy.deepcopy(spec)
    params = {param["name"]: param for param in spec["params"]}
    for name, value in values.items():
        bind = params[name]["bind"]
        assert bind["input"] != "range" or bind["min"] <= value <= bind["max"]
        params[name]["value"] = value
    return spec


def sliders(spec):
    """Return {name: parameter} of the sliders of a specification."""
    params = {param["name"]: param for param in spec.get("params", [])}
    return {n: it for n, it in params.items() if it.get("bind", {}).get("input") == "range"}


def compiled(spec):
    """Return what Vega-Lite makes of a specification, in the version that the book ships."""
    return vl_convert.vegalite_to_vega(spec, vl_version=VEGALITE_VERSION)


def svg_text(spec):
    """Draw a specification; return the SVG's text."""
    return _svg(json.dumps(spec))


@cache
def _svg(content):
    return vl_convert.vegalite_to_svg(content, vl_version=VEGALITE_VERSION)


def svg_root(spec):
    """Draw a specification; return the SVG's root."""
    return ElementTree.fromstring(svg_text(spec))


def scene(spec):
    """Draw a specification; return the tree of its marks, with their places in pixels."""
    return _scene(json.dumps(spec))["scenegraph"]


@cache
def _scene(content):
    return vl_convert.vegalite_to_scenegraph(content, vl_version=VEGALITE_VERSION)


def colors_at(spec, places, across=0, down=0):
    """Return the colors that a drawn chart shows beside places of its only view."""
    content = json.dumps(spec)
    png = vl_convert.vegalite_to_png(content, vl_version=VEGALITE_VERSION)
    origin = np.add(_scene(content)["origin"], (across, down))
    with Image.open(io.BytesIO(png)) as picture:
        pixels = picture.convert("RGB")
        return ["#" + bytes(pixels.getpixel(tuple(at))).hex() for at in places + origin]


def places(items, x="x", y="y"):
    """Return where marks stand in their view, in pixels to the right and downwards, as rows."""
    return np.array([[item[x], item[y]] for item in items], float)


def texts(root):
    """Return what is written in an SVG."""
    return [element.text for element in root.iter(f"{SVG}text")]


def labels(root, role):
    """Return what the marks of a role say to a screen reader, which holds the values they show."""
    return [
        element.get("aria-label")
        for element in root.iter()
        if element.get("aria-roledescription") == role
    ]


def marks(spec, kind):
    """Draw a specification; return the items of each mark group of a kind, by view and layer."""
    found = []

    def walk(node):
        if node.get("marktype") == kind and node.get("role") == "mark":
            found.append(node["items"])
        for item in node.get("items", []):
            walk(item)

    walk(scene(spec))
    return found


def fields(label):
    """Read "name: value; name: value", in which a minus sign is a Unicode one."""
    return dict(part.split(": ", 1) for part in label.replace("−", "-").split("; "))
