"""Every link and anchor inside the book resolves; those that leave it are few and well formed."""

import html
import re
from functools import cache
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

from .conftest import BOOK

# Every other site that the book links to, in one place.
ELSEWHERE = {
    "aclanthology.org",
    "arxiv.org",
    "creativecommons.org",
    "doi.org",
    "github.com",
    "kazemnejad.com",
    "timodenk.com",
}
# A book with an address of its own links there, and to these.
PUBLISHED = {"colab.research.google.com", "github.com", "mybinder.org"}


@cache
def soup(name):
    return BeautifulSoup((BOOK / name).read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(name):
    # Of each page that a link leads to: to look for names takes less than to read it all.
    page = (BOOK / name).read_text(encoding="utf-8")
    return {html.unescape(it) for it in re.findall(r'\sid="([^"]+)"', page)} | {""}


def links(name):
    for tag in soup(name).find_all(["a", "link", "script", "img"]):
        address = tag.get("href") or tag.get("src")
        if address:
            yield urlsplit(address)


def test_internal_links_and_anchors_resolve(page_name):
    broken = []
    for link in links(page_name):
        if link.scheme or link.netloc:
            continue
        target = (BOOK / page_name).parent / unquote(link.path) if link.path else BOOK / page_name
        target = target.resolve()
        if not target.is_file():
            broken.append(link.geturl())
        elif target.suffix == ".html" and link.fragment:
            name = target.relative_to(BOOK.resolve()).as_posix()
            if unquote(link.fragment) not in anchors(name):
                broken.append(link.geturl())
    assert broken == []


def test_links_that_leave_the_book_are_known_and_secure(page_name):
    left = {link for link in links(page_name) if link.scheme or link.netloc}
    left = {link for link in left if link.scheme not in ("mailto", "data")}
    assert {link.geturl() for link in left if link.scheme != "https"} == set()
    home = soup(page_name).find("link", rel="canonical")
    known = ELSEWHERE | PUBLISHED | {urlsplit(home["href"]).netloc} if home else ELSEWHERE
    assert {link.netloc for link in left} - known == set()
    assert all(re.fullmatch(r"[\w.-]+", link.netloc) for link in left)
