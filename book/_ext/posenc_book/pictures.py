"""Give each picture its place before it arrives, and few bytes."""

import io
import re

import numpy as np
from PIL import Image, ImageChops

PICTURE = re.compile(r'<img ([^>]*src="[./]*(_images/[^"]+\.png)"[^>]*)>')
STYLE = re.compile(r' style="[^"]*"')


def give_places(page, book):
    """Return a page with the sizes of its pictures, which load when their reader comes near.

    A browser knows the shape from attributes. The style that docutils writes would forbid a narrow
    page to show the picture smaller, and goes. Two pixels of a picture make one of the page, so
    that letters are sharp and as large as the text's.
    """

    def with_size(match):
        with Image.open(book / match[2]) as picture:
            width, height = (length // 2 for length in picture.size)
        attributes = STYLE.sub("", match[1])
        return f'<img loading="lazy" width="{width}" height="{height}" {attributes}>'

    return PICTURE.sub(with_size, page)


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
