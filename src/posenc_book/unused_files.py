"""Take out of the built book the files that none of its pages asks for."""

import shutil
from pathlib import Path

# Sphinx, the theme and other extensions copy these whether a page uses them or not.
UNUSED = (
    "**/*.map",
    "**/*webpack-macros.html",
    "scripts/fontawesome.js*",
    "locales",
    "images",
    "vendor/**/*.ttf",
    "vendor/**/fa-regular-*",
    "file.png",
    "minus.png",
    "plus.png",
    "check-solid.svg",
    "copy-button.svg",
    "copybutton_funcs.js",
)


def remove(book):
    """Remove what no page loads, wherever it lies below the book's folder of static files."""
    static = Path(book, "_static")
    for pattern in UNUSED:
        for path in list(static.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
