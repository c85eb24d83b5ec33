"""The built book, served on this machine alone, and a browser to read it with.

Each page of the book is visited three times, and the tests of a page share its visits: `desk`,
`phone` and `unscripted`. A test that changes what it visits puts it back as it was.
"""

import json
import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsers import chromium, serve, wait_until_drawn

from .arrival import arrive, look_at_pictures

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book" / "_build" / "html"
# The first page sends its reader on at once and is tested by itself.
FIRST_PAGE = "index.html"
PAGES = sorted(
    name
    for name in (path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html"))
    if name != FIRST_PAGE
)
PHONE, DESK = 390, 1280
# What runs code of the project, not only what it has built.
MEASURED = {
    "test_extension.py",
    "test_formulas.py",
    "test_pictures.py",
    "test_print_book.py",
    "test_published.py",
}
# Colors and folds change at once, so that no test meets them halfway.
AT_ONCE = {"reduced_motion": "reduce"}


def pages_with(words):
    """Return the names of the pages whose HTML holds some words."""
    return [name for name in PAGES if words in (BOOK / name).read_text(encoding="utf-8")]


def pytest_generate_tests(metafunc):
    """Run a test of `page_name` for each of its module's PAGE_NAMES, or for each page."""
    if "page_name" in metafunc.fixturenames:
        names = getattr(metafunc.module, "PAGE_NAMES", PAGES)
        metafunc.parametrize("page_name", names, scope="session")


def pytest_itemcollected(item):
    """Mark what only looks at the pages: the longer half of the tests."""
    if item.path.name not in MEASURED or ".html" in item.nodeid:
        item.add_marker(pytest.mark.unmeasured)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with what takes long, and end with what wants to know what all pages have asked for.

    Between them are the pages, which are short and many, so that no worker waits for the other.
    """

    def turn(item):
        return 1 if ".html" in item.nodeid else 2 * ("visited" in getattr(item, "fixturenames", ()))

    items.sort(key=turn)


@pytest.fixture(scope="session", autouse=True)
def book():
    """Return the folder of the built book."""
    assert PAGES, "the book is not built: call `make book` first"
    return BOOK


@pytest.fixture(scope="session")
def site(book):
    """Serve the book on this machine; return its address."""
    with serve(book) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """Start a headless Chromium from the system's packages."""
    try:
        with chromium() as browser:
            yield browser
    except FileNotFoundError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))


@contextmanager
def prepared(browser):
    """Return a function that prepares a page for a visit and notes what it says and asks for."""
    contexts = []

    def prepare(*, width=DESK, theme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.messages, page.addresses = [], []
        page.on("console", lambda message: page.messages.append((message.type, message.text)))
        page.on("pageerror", lambda error: page.messages.append(("error", str(error))))
        page.on("request", lambda request: page.addresses.append(request.url))
        return page

    yield prepare
    for context in contexts:
        context.close()


@contextmanager
def opened(browser):
    """Return a function that opens an address and waits until all on the page is drawn."""
    with prepared(browser) as prepare:

        def open_page(address, **options):
            page = prepare(**options)
            page.goto(address)
            if options.get("java_script_enabled", True):
                wait_until_drawn(page)
            return page

        yield open_page


@pytest.fixture
def open_page(browser):
    """Return a function that opens an address and waits until all on the page is drawn."""
    with opened(browser) as open_page:
        yield open_page


@pytest.fixture(scope="session")
def visited(tmp_path_factory):
    """Return the folder where each worker notes the addresses that a page asks for."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "visited"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def desk(browser, book, page_name):
    """Visit a page on a desk, in the light, from the file system, and look at all its pictures."""
    with opened(browser) as open_page:
        page = open_page((book / page_name).as_uri(), **AT_ONCE)
        look_at_pictures(page)
        yield page


@pytest.fixture(scope="session")
def phone(browser, site, visited, page_name):
    """Visit a page on a phone, in the dark, from a server, on a line that brings pictures last."""
    with prepared(browser) as prepare:
        page = prepare(width=PHONE, theme="dark", is_mobile=True, has_touch=True)
        page.arrival = arrive(page, site + page_name)
        page.emulate_media(**AT_ONCE)
        # This fails if another worker has visited the page: they must not share its tests.
        with open(visited / page_name.replace("/", "-"), "x", encoding="utf-8") as note:
            json.dump(page.addresses, note)
        yield page


@pytest.fixture(scope="session")
def unscripted(browser, site, page_name):
    """Visit a page without scripts."""
    with opened(browser) as open_page:
        yield open_page(site + page_name, java_script_enabled=False)


@pytest.fixture(params=["desk", "phone"])
def page(request, page_name):
    """Visit a page once on a desk, and once on a phone."""
    return request.getfixturevalue(request.param)


@contextmanager
def theme(page, name):
    """Show a page in a theme, as its reader would choose it."""
    root = page.locator("html")
    before = root.get_attribute("data-theme")
    set_theme = "(it, name) => { it.dataset.theme = name }"
    root.evaluate(set_theme, name)
    yield
    root.evaluate(set_theme, before)
