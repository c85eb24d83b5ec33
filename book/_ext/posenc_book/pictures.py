"""Give each picture its place before it arrives, and few bytes."""

import base64
import hashlib
import io
import re
from pathlib import Path
from posixpath import join
from urllib.parse import quote

import numpy as np
from docutils import nodes
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


def unpack(app, doctree, page):
    """Put pictures that outputs hold as text into files, so that they load when they're looked at.

    A bet holds the same picture behind each of its choices.
    """
    folder = Path(app.outdir, "_images")

    def file(found):
        drawn = base64.b64decode(found[1])
        name = hashlib.sha256(drawn).hexdigest() + ".png"
        folder.mkdir(exist_ok=True)
        Path(folder, name).write_bytes(drawn)
        with Image.open(io.BytesIO(drawn)) as picture:
            height = picture.height // 2
        return f'src="{"../" * page.count("/")}_images/{name}" loading="lazy" height="{height}"'

    for node in doctree.findall(nodes.raw):
        written = re.sub(r'src="data:image/png;base64,([^"]+)"', file, node.astext())
        if written != node.astext():
            node[:] = [nodes.Text(written)]


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
