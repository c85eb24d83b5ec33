"""Give each picture its size before it loads, and make it small."""

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
    """Write a picture with its size, to be loaded when it comes near.

    The size is given by attributes, since docutils' style would keep a narrow page from showing the
    picture smaller. Two pixels of the picture make one of the page, so that letters are sharp and
    as large as the text's.
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
    """Move pictures from the HTML of outputs to files, which load when they come near.

    A bet has the same picture behind each of its choices.
    """
    folder = Path(app.outdir, "_images")

    def file(match):
        png = base64.b64decode(match[1])
        name = hashlib.sha256(png).hexdigest() + ".png"
        folder.mkdir(exist_ok=True)
        Path(folder, name).write_bytes(png)
        with Image.open(io.BytesIO(png)) as picture:
            height = picture.height // 2
        return f'src="{"../" * page.count("/")}_images/{name}" loading="lazy" height="{height}"'

    for node in doctree.findall(nodes.raw):
        html = re.sub(r'src="data:image/png;base64,([^"]+)"', file, node.astext())
        if html != node.astext():
            node[:] = [nodes.Text(html)]


def compress(path):
    """Reduce a picture to the 256 colors that show it best, if that makes it smaller.

    Figures are drawn in as many colors or in a few flat ones. Other colors appear on the edges of
    lines and letters, where no reader sees the difference.
    """
    # This method keeps rare colors, which the usual one would mix with others.
    options = {"method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
    packed = io.BytesIO()
    with Image.open(path) as picture:
        original = picture.convert("RGB")
    for rounds in (0, 1):  # of k-means, which crossing lines need for their mixed colors
        reduced = original.quantize(kmeans=rounds, **options)
        difference = np.max(ImageChops.difference(original, reduced.convert("RGB")), axis=2)
        if np.mean(difference > 8) < 0.001:
            break
    reduced.save(packed, "PNG", optimize=True)
    if packed.tell() < path.stat().st_size:
        path.write_bytes(packed.getvalue())
