"""Give each picture its place before it arrives, and few bytes."""

import io
from pathlib import Path

from PIL import Image
from sphinx.writers.html5 import HTML5Translator

MOST_COLORS = 256


def visit_picture(translator, node):
    """Write a picture with its size, to be loaded when its reader comes near.

    The size goes into attributes, from which a browser knows the shape. Docutils writes it into a
    style, which would forbid a narrow page to show the picture smaller.
    """
    path = Path(translator.builder.srcdir, node["uri"])
    size = ""
    if path.suffix == ".png":
        with Image.open(path) as picture:
            size = f' width="{picture.width}" height="{picture.height}"'
    node["loading"] = "lazy"
    HTML5Translator.visit_image(translator, node)
    written = translator.body[-1]
    if not written.startswith("<img "):
        raise ValueError(
            f"docutils is expected to write a picture as an img element, got {written!r}"
        )
    translator.body[-1] = f"<img{size}{written.removeprefix('<img')}"


def compress(path):
    """Reduce a picture to the 256 colors that show it best, if that makes it smaller.

    Figures are drawn in a palette of 256 colors or in a few flat ones. What lies between those are
    edges of lines and letters, where no reader sees the difference.
    """
    with Image.open(path) as picture:
        if picture.mode == "P":
            return
        opaque = picture.convert("RGB")
    packed = io.BytesIO()
    # This method keeps rare colors, where the usual one would mix them with their neighbors.
    method = Image.Quantize.MAXCOVERAGE
    opaque.quantize(MOST_COLORS, method=method, dither=Image.Dither.NONE).save(
        packed, "PNG", optimize=True
    )
    if packed.tell() < path.stat().st_size:
        path.write_bytes(packed.getvalue())


def finish(book):
    """Compress the pictures of a built book, and remove those that no page names any more."""
    pages = sorted(Path(book).rglob("*.html"))
    named = "".join(page.read_text(encoding="utf-8") for page in pages)
    for path in Path(book, "_images").glob("*"):
        if path.name not in named:
            path.unlink()
        elif path.suffix == ".png":
            compress(path)
