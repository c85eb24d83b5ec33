"""The book holds what its pages ask for and nothing else."""

import hashlib
import html
import json
import re
from urllib.parse import unquote, urljoin, urlsplit

from .arrival import look_at_pictures
from .conftest import BOOK, PAGES

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
    # By expressions, since to read all pages takes seconds.
    page = (BOOK / name).read_text(encoding="utf-8")
    found = re.findall(r'<(?:a|link|img)\s[^>]*?(?:href|src)="([^"]+)"', page)
    # The address of the card is a published book's.
    cards = re.findall(r'<meta property="og:image" content="[^"]*?(/_static/[^"]+)"', page)
    return [html.unescape(address) for address in found + cards]


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
