"""The book holds what its pages ask for and nothing else."""

import hashlib
import json
from urllib.parse import unquote, urljoin, urlsplit

from .arrival import look_at_pictures
from .conftest import BOOK, PAGES
from .test_links import soup

# What no page requests, and why it is there all the same.
KEPT = {
    ".buildinfo": "Sphinx reads it to build only what has changed",
    "objects.inv": "other books link to this one's functions and terms through it",
    "_static/scripts/bootstrap.js.LICENSE.txt": "the license wants to travel with the script",
}


def files(folder):
    """Return {name: digest} of all files below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def named(name):
    """Return what a page names besides what it loads: links, the social card, unseen pictures."""
    found = soup(name).select("a[href], link[href], img[src]")
    cards = soup(name).select("meta[property='og:image']")
    # The address of the card is a published book's.
    cards = ["/_static/" + card["content"].partition("/_static/")[2] for card in cards]
    return [tag.get("href") or tag["src"] for tag in found] + cards


def test_every_file_is_asked_for_by_a_page(open_page, site, visited):
    asked = {"index.html"}
    for name in PAGES:
        note = visited / name.replace("/", "-")
        if note.exists():
            addresses = json.loads(note.read_text(encoding="utf-8"))
        else:  # no other test has visited the page
            page = open_page(site + name)
            look_at_pictures(page)
            addresses = page.addresses
        for address in (*addresses, *named(name)):
            asked.add(unquote(urlsplit(urljoin(site + name, address)).path).lstrip("/"))
    assert set(files(BOOK)) - asked - set(KEPT) == set()
