"""Give each picture its place before it arrives, and few bytes."""

import io
from pathlib import Path
from posixpath import join
from urllib.parse import quote

import numpy as np
from PIL import Image, ImageChops
from sphinx.writers.html5 import HTML5Translator


def write(translator, node):
    """Write a picture with its size; it loads when its reader comes near.

    A browser knows the shape from the attributes, where the style that docutils writes would forbid
    a narrow page to show the picture smaller. Two pixels of a picture make one of the page, so that
    letters are sharp and as large as the text's.
    """
    builder, name = translator.builder, node["uri"]
    if not name.endswith(".png"):
        HTML5Translator.visit_image(translator, node)
        return
    with Image.open(Path(builder.srcdir, name)) as picture:
        width, height = (length // 2 for length in picture.size)
    attributes = {
        "src": join(builder.imgpath, quote(builder.images[name])),
        "alt": node.get("alt", ""),
    }
    attributes |= {"loading": "lazy", "width": width, "height": height}
    translator.body.append(translator.emptytag(node, "img", **attributes))


def compress(path):
    """Reduce a picture to the 256 colors that show it best, if that makes it smaller.

    Figures are drawn in as many or in a few flat ones. What lies between are edges of lines and
    letters, where no reader sees the difference.
    """
    # This method keeps rare colors, where the usual one would mix them with their neighbors.
    options = {"method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
    packed = io.BytesIO()
    with Image.open(path) as picture:
        drawn = picture.convert("RGB")
    for rounds in (0, 1):  # of k-means, which lines upon lines need for all their mixed colors
        reduced = drawn.quantize(kmeans=rounds, **options)
        apart = np.max(ImageChops.difference(drawn, reduced.convert("RGB")), axis=2)
        if np.mean(apart > 8) < 0.001:
            break
    reduced.save(packed, "PNG", optimize=True)
    if packed.tell() < path.stat().st_size:
        path.write_bytes(packed.getvalue())
