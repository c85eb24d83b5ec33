"""Find and start the browser that prints, tests and measures the book, and serve it the book."""

import os
import shutil
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

# The first is the same browser without what a window needs: it starts and draws sooner.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
HOW_TO_INSTALL = (
    "no Chromium found: install it (Debian: apt install chromium-headless-shell; elsewhere its "
    "package chromium), or name the program in the variable CHROMIUM"
)
# Without the last two, Chromium itself (not the page) looks for updates.
ARGUMENTS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")


def find_chromium():
    """Return the path of the Chromium that CHROMIUM names, or else of the system's, or None."""
    named = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, (named,) if named else NAMES)), None)


@contextmanager
def chromium():
    """Start a headless Chromium from the system's packages."""
    program = find_chromium()
    if program is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    # Every test asks whether there is a browser, and few start it.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


def wait_until_drawn(page):
    """Draw the charts of a page of the book, which otherwise wait for a reader who comes near."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "document.querySelectorAll('.course-chart:not([data-drawn])').length === 0"
    )


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without writing a line for each."""

    def log_message(self, *_):
        """Write nothing."""


class QuietServer(ThreadingHTTPServer):
    """Serve without a word about a browser that hangs up early."""

    def handle_error(self, request, client_address):
        """Report every other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(folder):
    """Serve a folder on this machine alone; the value is its address."""
    with QuietServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
