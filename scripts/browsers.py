"""Find the browser that prints and tests the book, and let it show a whole page."""

import os
import shutil

# The first has no windows, and so starts and draws faster.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
HOW_TO_INSTALL = (
    "no Chromium found: install it (Debian: apt install chromium-headless-shell; elsewhere its "
    "package chromium), or name the program in the variable CHROMIUM"
)


def launch_options():
    """Return Playwright's options for the Chromium that CHROMIUM names, or else the system's."""
    named = os.environ.get("CHROMIUM")
    program = next(filter(None, map(shutil.which, (named,) if named else NAMES)), None)
    if program is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    # The last two keep Chromium itself from looking for updates.
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    return {"executable_path": program, "args": arguments}


def show_all(page):
    """Draw the charts of a page and load its pictures, which usually wait until they come near."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("!document.querySelector('.course-chart:not([data-drawn])')")
    page.evaluate(
        """() => Promise.allSettled(
            [...document.images].filter(image => image.checkVisibility()).map(image => {
                image.loading = "eager";
                return image.decode();
            })
        )"""
    )
