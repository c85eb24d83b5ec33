"""The built book, served on this machine alone, and a browser to read it with."""

import os
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browsers
import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book" / "_build" / "html"
# index.html redirects to this page.
HOME = "book/index.html"
FILES = [path for path in sorted(BOOK.rglob("*.html")) if "_static" not in path.parts]
PAGES = [path.relative_to(BOOK).as_posix() for path in FILES if path.parent != BOOK]
PAGES += ["search.html"]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
PHONE |= {"is_mobile": True, "has_touch": True}
# Colors and folds change at once, so that no test catches them halfway.
AT_ONCE = {"reduced_motion": "reduce"}


@cache
def soup(name, folder=BOOK):
    """Return a built page, parsed."""
    return BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without writing a line for each."""

    def log_message(self, *_):
        """Write nothing."""


@pytest.fixture(scope="session", autouse=True)
def site():
    """Serve the book on this machine alone; return its address."""
    assert FILES, "the book is not built: call `make book` first"
    handler = partial(QuietHandler, directory=BOOK)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *_: None  # raised by browsers that hang up early
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Let pytest-playwright start the Chromium of the system's packages."""
    try:
        return browser_type_launch_args | browsers.launch_options()
    except FileNotFoundError as error:
        return (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))


def listen(page):
    """Let a page note its browser's complaints and the addresses that it requests."""
    page.complaints, page.addresses = [], []

    def note(message):
        if message.type in ("error", "warning", "assert"):
            page.complaints.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.addresses.append(request.url))
    return page


@pytest.fixture
def open_page(new_context):
    """Return a function that opens an address and waits until everything is drawn."""

    def open_page(address, **options):
        page = listen(new_context(**options).new_page())
        page.goto(address)
        browsers.show_all(page)
        return page

    return open_page
