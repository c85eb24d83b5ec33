"""The book holds what its pages ask for and nothing else, and building it twice gives the same."""

import hashlib
import subprocess
import sys

import pytest

from .conftest import BOOK, PAGES, ROOT

# What no page requests, and why it is there all the same.
KEPT = {
    ".buildinfo": "Sphinx reads it to build only what has changed",
    "objects.inv": "other books link to this one's functions and terms through it",
    "_static/scripts/bootstrap.js.LICENSE.txt": "the license wants to travel with the script",
    "_static/scripts/fontawesome.js.LICENSE.txt": "the license wants to travel with the script",
}
CALL = "from jupyter_book.cli.main import main; main()"
OPTIONS = ["--config=book/_config.yml", "--toc=book/_toc.yml", "-W", "-n", "--keep-going", "-q"]
BUILD = [sys.executable, "-c", CALL, "build", ".", *OPTIONS]


def files(folder):
    """Return {name: digest} of all files below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_file_is_asked_for_by_a_page(open_page, site):
    asked = {f"{site}index.html"}
    for name in PAGES:
        page = open_page(site + name)
        for picture in page.locator("img:visible").all():
            picture.scroll_into_view_if_needed()
        page.wait_for_load_state("networkidle")
        asked.update(url.split("?")[0].split("#")[0] for url in page.addresses)
        # What a reader without scripts sees, what the buttons fetch, and the social card.
        asked.update(
            page.evaluate(
                """() => [...document.querySelectorAll('noscript')].flatMap(
                    it => [...new DOMParser().parseFromString(it.textContent, 'text/html').images]
                        .map(image => new URL(image.getAttribute('src'), location.href).href)
                ).concat(
                    [...document.querySelectorAll('a[href], link[href]')].map(it => it.href),
                    [...document.querySelectorAll('meta[property="og:image"]')]
                        .map(it => new URL(it.content.replace(/.*[/](?=_static[/])/, '/'), location).href),
                )"""
            )
        )
        page.close()
    asked = {url.split("?")[0].split("#")[0].removeprefix(site) for url in asked}
    assert set(files(BOOK)) - asked - set(KEPT) == set()


def test_nothing_is_loaded_twice(open_page, site, page_name):
    loaded = [url.split("?")[0] for url in open_page(site + page_name).addresses]
    twice = {url for url in loaded if loaded.count(url) > 1 and not url.startswith("data:")}
    assert twice == set()


@pytest.fixture(scope="module")
def built_again(tmp_path_factory):
    """Build the book once more, elsewhere and from nothing."""
    folder = tmp_path_factory.mktemp("again")
    run = subprocess.run(
        [*BUILD, "--path-output", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "_build" / "html"


def test_building_twice_gives_the_same_bytes(built_again):
    first, second = files(BOOK), files(built_again)
    # Sphinx's note to itself names the configuration as it was read; it is no part of any page.
    first.pop(".buildinfo", None)
    second.pop(".buildinfo", None)
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()
