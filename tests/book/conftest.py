"""The built book, served on this machine alone, and a browser to read it with."""

import os
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browsers import HOW_TO_INSTALL, find_chromium
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book" / "_build" / "html"
# The first page sends its reader on at once and is tested by itself.
FIRST_PAGE = "index.html"
PAGES = sorted(
    name
    for name in (path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html"))
    if name != FIRST_PAGE
)
# Without these, Chromium itself (not the page) looks for updates.
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def pytest_generate_tests(metafunc):
    """Run a test that asks for `page_name` once for each page of the book."""
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", PAGES, scope="module")


@pytest.fixture(scope="session", autouse=True)
def book():
    """Return the folder of the built book."""
    assert PAGES, "the book is not built: call `make book` first"
    return BOOK


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without writing a line for each."""

    def log_message(self, *_):
        """Keep the test's output to the tests."""


class QuietServer(ThreadingHTTPServer):
    """Serve without a word about a browser that hangs up early."""

    def handle_error(self, request, client_address):
        """Report every other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="session")
def site(book):
    """Serve the book on this machine; return its address."""
    server = QuietServer(("127.0.0.1", 0), partial(QuietHandler, directory=book))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    """Start a headless Chromium from the system's packages."""
    program = find_chromium()
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """Return a function that opens an address and waits until all on the page is drawn."""
    contexts = []

    def open_page(address, *, width=1280, theme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.messages, page.addresses = [], []
        page.on("console", lambda message: page.messages.append((message.type, message.text)))
        page.on("pageerror", lambda error: page.messages.append(("error", str(error))))
        page.on("request", lambda request: page.addresses.append(request.url))
        page.goto(address)
        if options.get("java_script_enabled", True):
            wait_until_drawn(page)
        return page

    yield open_page
    for context in contexts:
        context.close()


def wait_until_drawn(page):
    """Draw the charts of a page, which otherwise wait for a reader who comes near."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "document.querySelectorAll('.course-chart').length"
        " === document.querySelectorAll('.course-chart[data-drawn]').length"
    )
