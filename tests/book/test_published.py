"""With the repository's address the book links to it in every way, without it in none."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from coverage import Coverage
from sphinx.errors import ConfigError

from posenc_book import published

from .conftest import ROOT
from .test_files import files
from .test_links import soup

CONFIG = (ROOT / "book" / "_config.yml").read_text(encoding="utf-8")
BUILD = [sys.executable, "scripts/build_book.py", "build", ".", "-n", "--keep-going", "-q"]
ADDRESS = "https://github.com/Some-One/a.course"
SITE = "https://some-one.github.io/a.course/"
TOC = """\
format: jb-book
root: book/glossary
chapters:
  - file: notebooks/02_clock
  - file: book/corrections
  - file: book/references
"""


def configured(address, base=""):
    """Return the settings that a book with this address has."""
    options = {"repository_url": address, "repository_branch": "main"}
    config = SimpleNamespace(html_theme_options=options, html_baseurl=base)
    published.use_address(None, config)
    return config


@pytest.mark.parametrize("address", ["", None])
def test_without_an_address_nothing_is_switched_on(address):
    config = configured(address)
    assert config.html_baseurl == ""
    assert set(config.html_theme_options) == {"repository_url", "repository_branch"}


@pytest.mark.parametrize("ending", ["", "/", ".git"])
def test_the_address_may_end_as_it_is_copied(ending):
    config = configured(ADDRESS + ending)
    assert config.html_theme_options["repository_url"] == ADDRESS
    assert config.html_baseurl == SITE


def test_the_pages_of_an_owner_lie_at_the_root_of_the_host():
    config = configured("https://github.com/Some-One/Some-One.github.io")
    assert config.html_baseurl == "https://some-one.github.io/"


def test_an_address_of_the_book_itself_is_kept():
    assert configured(ADDRESS, base="https://example.org/").html_baseurl == "https://example.org/"


@pytest.mark.parametrize(
    "address", ["github.com/you/course", "https://github.com/you", "https://example.org/you/course"]
)
def test_another_address_is_refused_by_name(address):
    with pytest.raises(ConfigError, match=rf"^repository: url: .* got '{re.escape(address)}'$"):
        configured(address)


def build(folder, **environment):
    """Build a few pages in a folder after writing the address into its one place."""
    config, places = re.subn(r"(url: &repository) .*", rf'\1 "{ADDRESS}"', CONFIG)
    assert places == 1
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    (folder / "_toc.yml").write_text(TOC, encoding="utf-8")
    # Links to the pages that are left out are warnings, which are no errors here.
    options = [f"--{name}={folder}/_{name}.yml" for name in ("config", "toc")]
    run = subprocess.run(
        [*BUILD, *options, f"--path-output={folder}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def with_address(tmp_path_factory):
    """Return the folder of the pages with the address."""
    # Where coverage is measured, it is measured in this process, too, in a file of its own, which
    # is combined with the others at the end.
    measured = {
        "COVERAGE_PROCESS_START": str(ROOT / "pyproject.toml"),
        "COVERAGE_FILE": str(ROOT / ".coverage.published"),
    }
    folder = tmp_path_factory.mktemp("published")
    return build(folder, **(measured if Coverage.current() else {}))


def test_building_twice_gives_the_same_bytes(with_address, tmp_path):
    again = build(tmp_path, PYTHONHASHSEED="1")
    first, second = files(with_address), files(again)
    # Sphinx's note to itself names the folders.
    assert first.pop(".buildinfo")
    assert second.pop(".buildinfo")
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()


def page(folder, name):
    """Return a built page, parsed."""
    return BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")


def leaving(built):
    """Return the addresses that a page's buttons lead to outside of the book."""
    links = built.select(".article-header-buttons a[href^='https:']")
    return {" ".join(link.get_text().split()): link["href"] for link in links}


@pytest.mark.parametrize("name", ["notebooks/02_clock", "book/corrections", "book/glossary"])
def test_source_and_edit_lead_to_the_text_that_people_edit(with_address, name):
    links = leaving(page(with_address, f"{name}.html"))
    assert links["Repository"] == ADDRESS
    assert links["Suggest edit"] == f"{ADDRESS}/edit/main/{name}.md"
    assert links["Show source"] == f"{ADDRESS}/blob/main/{name}.md?plain=1"
    assert (ROOT / f"{name}.md").is_file()


def test_binder_opens_the_notebook_in_jupyterlab(with_address):
    for name in ("notebooks/02_clock", "book/corrections"):
        link = urlsplit(leaving(page(with_address, f"{name}.html"))["Binder"])
        assert link.netloc == "mybinder.org"
        assert link.path == "/v2/gh/Some-One/a.course/main"
        (opened,) = parse_qs(link.query)["urlpath"]
        assert opened == f"lab/tree/{name}.ipynb"
        assert (ROOT / f"{name}.ipynb").is_file()
    assert "Binder" not in leaving(page(with_address, "book/glossary.html"))


def test_colab_opens_the_notebook_and_says_what_to_install(with_address):
    built = page(with_address, "notebooks/02_clock.html")
    host = "https://colab.research.google.com"
    opened = leaving(built)["Colab"].removeprefix(f"{host}/github/Some-One/a.course/blob/main/")
    assert opened == "notebooks/02_clock.ipynb"
    button = built.select_one(".btn-launch-colab-line")
    assert button["title"] == f"%pip install git+{ADDRESS}@main"
    assert f"'{button['title']}'" in button["onclick"]
    # These pages need more than the package, which is all that the line installs.
    assert "Colab" not in leaving(page(with_address, "book/corrections.html"))


def test_the_card_and_the_page_have_their_address(with_address):
    built = page(with_address, "notebooks/02_clock.html")
    assert built.select_one("link[rel=canonical]")["href"] == f"{SITE}notebooks/02_clock.html"
    card = built.select_one("meta[property='og:image']")["content"].removeprefix(SITE)
    assert (with_address / card).is_file()


def test_the_buttons_load_nothing_that_is_not_in_the_book(with_address, open_page):
    for name in ("notebooks/02_clock.html", "search.html"):
        messages = open_page((with_address / name).as_uri()).messages
        assert [text for kind, text in messages if kind in ("error", "warning")] == []


def test_this_book_has_all_of_it_or_none(page_name):
    config = yaml.safe_load(CONFIG)
    repository = bool(config["repository"]["url"])
    home = repository or bool(config["html"]["baseurl"])
    built = soup(page_name)
    assert bool(leaving(built)) == repository
    assert bool(built.select("[property='og:image']")) == home
    assert bool(built.select("[rel=canonical]")) == home
