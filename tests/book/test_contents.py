"""What stands in the built pages: links that hold, numbers, downloads, and no idle files."""

import html
import re
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
from posenc_book.course_file import FILE

from .conftest import BOOK, PAGES, ROOT, soup

# Every other site that the book links to, in one place.
ELSEWHERE = {
    "aclanthology.org",
    "arxiv.org",
    "blog.eleuther.ai",
    "creativecommons.org",
    "doi.org",
    "github.com",
    "huggingface.co",
    "infinitelexicon.pages.dev",
    "torchedup.dev",
    "kazemnejad.com",
    "timodenk.com",
}
# A book with an address of its own links there, and to these.
PUBLISHED = {"colab.research.google.com", "github.com", "mybinder.org"}
NOTEBOOKS = [path.stem for path in sorted(ROOT.glob("notebooks/*.md"))]


@cache
def anchors(path):
    # Of each page that a link leads to: to look for names takes less than to read it all.
    page = path.read_text(encoding="utf-8") if path.suffix == ".html" else ""
    return {html.unescape(it) for it in re.findall(r'\sid="([^"]+)"', page)} | {""}


def links(name):
    for tag in soup(name).find_all(["a", "link", "script", "img"]):
        if address := tag.get("href") or tag.get("src"):
            yield urlsplit(address)


def test_internal_links_and_anchors_resolve(page_name):
    broken = []
    for link in links(page_name):
        if link.scheme or link.netloc:
            continue
        target = BOOK / page_name
        if link.path:
            target = (target.parent / unquote(link.path)).resolve()
        if not target.is_file() or unquote(link.fragment) not in anchors(target):
            broken.append(link.geturl())
    assert broken == []


def test_links_that_leave_the_book_are_known_and_secure(page_name):
    left = {link for link in links(page_name) if link.scheme or link.netloc}
    left = {link for link in left if link.scheme not in ("mailto", "data")}
    assert {link.geturl() for link in left if link.scheme != "https"} == set()
    home = soup(page_name).find("link", rel="canonical")
    known = ELSEWHERE | PUBLISHED | {urlsplit(home["href"]).netloc} if home else ELSEWHERE
    assert {link.netloc for link in left} - known == set()


@pytest.mark.parametrize("name", [name for name in PAGES if name != "search.html"])
def test_a_page_offers_the_course_and_a_notebook_itself(name):
    offered = {
        (BOOK / name).parent.joinpath(link["href"]).resolve(): link.get_text()
        for link in soup(name).select(".dropdown-download-buttons a")
    }
    course = (BOOK / FILE).resolve()
    assert course.is_file()
    assert "with posenc" in offered[course]
    if name.startswith("notebooks/"):
        (notebook,) = (file for file in offered if file.suffix == ".ipynb")
        # nbval runs this very file: the committed notebook, byte for byte.
        assert notebook.read_bytes() == (ROOT / name).with_suffix(".ipynb").read_bytes()
        assert "needs posenc" in offered[notebook]


def test_the_first_page_gives_the_course_and_says_what_it_needs():
    (link,) = soup("book/index.html").select(f"article a[href$='{FILE}']")
    assert "Python 3.11" in link.find_parent("p").get_text()


def number_of(name):
    """Return the number of a notebook, or the letter of a lab."""
    return name[4].upper() if name.startswith("lab_") else int(name[:2])


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_figures_and_exercises_are_counted_in_each_notebook(name):
    page = soup(f"notebooks/{name}.html")
    labels = [label.get_text().split() for label in page.select("article .caption-number")]
    text = (ROOT / "notebooks" / f"{name}.md").read_text(encoding="utf-8")
    for kind, sign in (("Fig.", "\n  figure:\n"), ("Exercise", "{exercise}")):
        numbers = [label[1] for label in labels if label[0] == kind]
        assert numbers == [f"{number_of(name)}.{i}" for i in range(1, text.count(sign) + 1)]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_folds_are_of_one_kind_and_a_choice_says_whether_it_is_right(name):
    page = soup(f"notebooks/{name}.html")
    assert page.select("article details:not(.fold)") == []
    answers = page.select("#check-yourself .answer")
    text = (ROOT / "notebooks" / f"{name}.md").read_text(encoding="utf-8")
    assert bool(answers) == ("\n## Check yourself\n" in text)
    for answer in answers:
        assert bool(answer.select_one(".right")) == answer.p.get_text().startswith("Right")
        assert len(answer.select(".right, .wrong")) == 1
    assert {it.get_text() for it in page.select(".code > summary")} == {"Code"}
    assert {it.get_text() for it in page.select(".solution > summary")} == {"Solution"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_title_has_its_number_once_wherever_it_is_shown(name):
    text = (ROOT / "notebooks" / f"{name}.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, flags=re.MULTILINE)[1]
    assert re.match(rf"(Lab )?{number_of(name)}\. ", title)
    page = soup(f"notebooks/{name}.html")
    assert page.h1.get_text().rstrip("#") == title
    assert page.title.get_text().startswith(title)
    assert title in [link.get_text().strip() for link in page.select("nav.bd-links a")]


# Bytes. With all that the theme brings, its source maps and its script for icons, it would be 8 MB.
MOST_SHARED, MOST_IDLE = 2_500_000, 100_000


def test_every_file_is_named_and_what_would_weigh_in_vain_is_left_out():
    files = [path for path in BOOK.rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in (".html", ".css", ".js")]
    named = "".join(path.read_text(encoding="utf-8") for path in texts)
    shared = [path for path in files if "_static" in path.parts]
    # Other books link to this one's functions and terms through its inventory.
    own = {path.name for path in set(files) - set(shared)}
    assert {name for name in own if name not in named} == {"objects.inv"}
    idle = [path for path in shared if path.name not in named]
    assert sum(path.stat().st_size for path in idle) < MOST_IDLE
    assert sum(path.stat().st_size for path in shared) < MOST_SHARED
