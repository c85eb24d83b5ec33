"""The parts of a drawn chart: its marks, what they say to a screen reader, and its texts."""

import copy
from xml.etree import ElementTree

import vl_convert

from posenc.charts.rendering import VEGALITE_VERSION

SVG = "{http://www.w3.org/2000/svg}"


def moved(spec, **values):
    """Return a copy of a specification with its sliders moved, each within its range."""
    spec = copy.deepcopy(spec)
    params = {param["name"]: param for param in spec["params"]}
    for name, value in values.items():
        bind = params[name]["bind"]
        assert bind["input"] != "range" or bind["min"] <= value <= bind["max"]
        params[name]["value"] = value
    return spec


def compiled(spec):
    """Return what Vega-Lite makes of a specification, in the version that the book ships."""
    return vl_convert.vegalite_to_vega(spec, vl_version=VEGALITE_VERSION)


def svg_text(spec):
    """Draw a specification; return the SVG's text."""
    return vl_convert.vegalite_to_svg(spec, vl_version=VEGALITE_VERSION)


def svg_root(spec):
    """Draw a specification; return the SVG's root."""
    return ElementTree.fromstring(svg_text(spec))


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

    walk(vl_convert.vegalite_to_scenegraph(spec, vl_version=VEGALITE_VERSION)["scenegraph"])
    return found


def fields(label):
    """Read "name: value; name: value", in which a minus sign is a Unicode one."""
    return dict(part.split(": ", 1) for part in label.replace("−", "-").split("; "))
