"""The built book, served on this machine alone, and a browser to read it with.

Each page is visited twice, on a `desk` and on a `phone`, and its tests share the visits. A test
that changes what it visits puts it back as it was.
"""

import os
import threading
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browsers
import pytest
from bs4 import BeautifulSoup

from .arrival import arrive

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book" / "_build" / "html"
# The first page sends its reader on at once and is tested by itself.
FIRST_PAGE = BOOK / "index.html"
FOUND = [path for path in sorted(BOOK.rglob("*.html")) if "_static" not in path.parts]
PAGES = [path.relative_to(BOOK).as_posix() for path in FOUND if path != FIRST_PAGE]
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
PHONE |= {"is_mobile": True, "has_touch": True}
# Colors and folds change at once, so that no test meets them halfway.
AT_ONCE = {"reduced_motion": "reduce"}


@cache
def soup(name, folder=BOOK):
    """Return a built page, parsed."""
    return BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")


def pytest_generate_tests(metafunc):
    """Run a test of `page_name` for each of its module's PAGE_NAMES, or for each page."""
    if "page_name" in metafunc.fixturenames:
        names = getattr(metafunc.module, "PAGE_NAMES", PAGES)
        metafunc.parametrize("page_name", names, scope="session")


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without writing a line for each."""

    def log_message(self, *_):
        """Write nothing."""


@pytest.fixture(scope="session", autouse=True)
def site():
    """Serve the book on this machine alone; return its address."""
    assert PAGES, "the book is not built: call `make book` first"
    handler = partial(QuietHandler, directory=BOOK)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *_: None  # of a browser that hangs up early
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


def noted(page):
    """Let a page note what its browser says about it and what it asks for."""
    page.messages, page.addresses = [], []
    page.on("console", lambda message: page.messages.append((message.type, message.text)))
    page.on("pageerror", lambda error: page.messages.append(("error", str(error))))
    page.on("request", lambda request: page.addresses.append(request.url))
    return page


def complaints(page):
    """Return what the browser has said about a page."""
    return [text for kind, text in page.messages if kind in ("error", "warning", "assert")]


@pytest.fixture
def open_page(new_context):
    """Return a function that opens an address and waits until all on the page is drawn."""

    def open_page(address, **options):
        page = noted(new_context(**DESK | options).new_page())
        page.goto(address)
        browsers.show_all(page)
        return page

    return open_page


@contextmanager
def visit(browser, **options):
    """Return a page that several tests share."""
    context = browser.new_context(**options)
    yield noted(context.new_page())
    context.close()


@pytest.fixture(scope="session")
def desk(browser, page_name):
    """Visit a page on a desk, in the light, from the file system, and look at all its pictures."""
    with visit(browser, **DESK, **AT_ONCE) as page:
        page.goto((BOOK / page_name).as_uri())
        browsers.show_all(page)
        yield page


@pytest.fixture(scope="session")
def phone(browser, site, page_name):
    """Visit a page on a phone, in the dark, from a server, on a line that brings pictures last."""
    with visit(browser, **PHONE) as page:
        page.arrival = arrive(page, site + page_name)
        page.emulate_media(**AT_ONCE)
        yield page


@pytest.fixture(params=["desk", "phone"])
def visited(request, browser, page_name):
    """Visit a page once on a desk, and once on a phone, in the one browser of all tests."""
    return request.getfixturevalue(request.param)


@contextmanager
def theme(page, name):
    """Show a page in a theme, as its reader would choose it."""
    root = page.locator("html")
    before = root.get_attribute("data-theme")
    root.evaluate("(it, name) => { it.dataset.theme = name }", name)
    yield
    root.evaluate("(it, name) => { it.dataset.theme = name }", before)
