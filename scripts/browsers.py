"""Find the browser that prints, tests and measures the book."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
HOW_TO_INSTALL = (
    "no Chromium found: install it (Debian and Ubuntu: apt install chromium), "
    "or name the program in the variable CHROMIUM"
)


def find_chromium():
    """Return the path of the Chromium that CHROMIUM names, or else of the system's, or None."""
    named = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, (named,) if named else NAMES)), None)
