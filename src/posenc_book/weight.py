"""Take out of the built book what none of its pages asks for."""

import re
import shutil
from pathlib import Path

# Sphinx and the theme copy these whether a page uses them or not.
UNUSED = (
    "**/*.map",
    "**/*webpack-macros.html",
    "locales",
    "images",
    "vendor/**/*.ttf",
    "vendor/**/fa-brands-*",
    "vendor/**/fa-regular-*",
    "file.png",
    "minus.png",
    "plus.png",
    "check-solid.svg",
    "copy-button.svg",
    "copybutton_funcs.js",
)
# One icon in the theme's script: its name, width, height, other names, code point and outline.
ICON = re.compile(
    r'(?P<name>"[a-z0-9-]+"|[a-z0-9]+):\[\d+,\d+,(?P<others>\[[^\]]*\]),"[0-9a-f]+",'
    r'(?:"[^"]*"|\[[^\]]*\])\],?'
)


def remove_unused_files(static):
    """Remove what no page loads, wherever it lies below the folder of static files."""
    for pattern in UNUSED:
        for path in list(static.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def keep_used_icons(static, pages):
    """Cut the theme's two thousand icons down to those that pages and scripts name."""
    script = static / "scripts" / "fontawesome.js"
    readers = [*pages, *(path for path in static.rglob("*.js") if path != script)]
    used = set()
    for path in readers:
        used.update(re.findall(r"\bfa-([a-z0-9-]+)", path.read_text(encoding="utf-8")))

    def keep(icon):
        names = {icon["name"].strip('"'), *re.findall(r'"([a-z0-9-]+)"', icon["others"])}
        return icon[0] if names & used else ""

    script.write_text(ICON.sub(keep, script.read_text(encoding="utf-8")), encoding="utf-8")


def remove_old_pictures(book, pages):
    """Remove pictures of earlier builds, which no page names any more."""
    named = "".join(path.read_text(encoding="utf-8") for path in pages)
    for path in Path(book, "_images").glob("*"):
        if path.name not in named:
            path.unlink()


def slim(book):
    """Cut a built book down to what its pages use.

    Parameters
    ----------
    book : path-like
        The folder that holds the built book.
    """
    static = Path(book, "_static")
    remove_unused_files(static)
    pages = sorted(Path(book).rglob("*.html"))
    keep_used_icons(static, pages)
    remove_old_pictures(book, pages)
