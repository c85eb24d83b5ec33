"""Find the browser that prints and tests the book, and let it show a whole page."""

import os
import shutil

# The first is the same browser without what a window needs: it starts and draws sooner.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
HOW_TO_INSTALL = (
    "no Chromium found: install it (Debian: apt install chromium-headless-shell; elsewhere its "
    "package chromium), or name the program in the variable CHROMIUM"
)


def launch_options():
    """Return how Playwright starts the Chromium that CHROMIUM names, or else the system's."""
    named = os.environ.get("CHROMIUM")
    program = next(filter(None, map(shutil.which, (named,) if named else NAMES)), None)
    if program is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    # Without the last two, Chromium itself (not the page) looks for updates.
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    return {"executable_path": program, "args": arguments}


def show_all(page):
    """Draw the charts of a page and fetch its pictures, which wait for a reader who comes near."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("!document.querySelector('.course-chart:not([data-drawn])')")
    page.evaluate(
        """() => Promise.allSettled(
            [...document.images].filter(it => it.checkVisibility()).map(it => {
                it.loading = "eager";
                return it.decode();
            })
        )"""
    )
