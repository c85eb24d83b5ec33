"""A small book, built from a copy of this one: what is in it, and what is built again."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from posenc_book import formulas, rebuilding, repository
from sphinx.errors import ConfigError, ExtensionError

from .conftest import ROOT, complaints, soup

ADDRESS = "https://github.com/Some-One/a.course"
SITE = "https://some-one.github.io/a.course/"
CHAPTERS = ("notebooks/02_clock", "book/corrections", "book/extra")
EXTRA = r"""# The `code` of a page

Eight letters as in {eq}`one`. Many words, and words, and words, and words, and words, and words,
and words, and words, and words, and words, and words, and words, and words, and words, and words,
and words, and words, and words, and words, and words, and words, and words, and words, and words.

$$ e = 1 $$ (one)

$$ b = 2 \\ c = 3 $$

```{course-chart} no_chart
```
```{course-chart} attention_maps
```
```{course-chart} clock_face
```
"""


def copy_book(folder):
    """Copy what a book is built from; with its address, in its one place, and a few pages."""
    left_out = shutil.ignore_patterns(".*", "_build", "__pycache__", "tests", "bench")
    shutil.copytree(ROOT, folder, ignore=left_out, dirs_exist_ok=True)
    book = folder / "book"
    config = (book / "_config.yml").read_text(encoding="utf-8")
    config, places = re.subn(r"(url: &repository) .*", rf'\1 "{ADDRESS}"', config)
    assert places == 1
    (book / "_config.yml").write_text(config, encoding="utf-8")
    toc = {"format": "jb-book", "root": "book/glossary"}
    toc["chapters"] = [{"file": name} for name in CHAPTERS]
    (book / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    (book / "extra.md").write_text(EXTRA, encoding="utf-8")


def build(folder, **environment):
    """Build a copied book; return the folder of its pages, and what the build says."""
    program = "from jupyter_book.cli.main import main; main()"
    settings = "--config book/_config.yml --toc book/_toc.yml --path-output book -n --keep-going -q"
    command = [sys.executable, "-c", program, "build", ".", *settings.split()]
    options = {"cwd": folder, "env": os.environ | environment, "capture_output": True, "text": True}
    run = subprocess.run(command, check=False, **options)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "book" / "_build" / "html", run.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a book with an address; return the folder of its pages, and what the build says."""
    folder = tmp_path_factory.mktemp("with address")
    copy_book(folder)
    return build(folder)


def digests(folder):
    """Return {name: digest} of all files below a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).digest() for path in files}


def test_building_anew_or_after_a_change_gives_the_same_bytes_in_any_folder(built, tmp_path):
    copy_book(tmp_path)
    page = tmp_path / "book" / "glossary.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(f"{text}\n$$ \\mathbb{{R}} $$\n\n# Another title\n", encoding="utf-8")
    build(tmp_path, PYTHONHASHSEED="1")
    page.write_text(text, encoding="utf-8")
    again, _ = build(tmp_path)
    assert dict(digests(built[0]).items() ^ digests(again).items()) == {}


def test_building_again_without_a_change_writes_no_page(built):
    pages, _ = built
    before = {path: path.stat().st_mtime_ns for path in pages.rglob("*.html")}
    build(pages.parents[2])
    assert before == {path: path.stat().st_mtime_ns for path in before}


@pytest.mark.parametrize(
    "name",
    [
        "clock.py",
        "charts.js",
        "first_page.html",
        "_config.yml",
        "READ-ME.txt",
        "pyproject.toml",
        "requirements.txt",
    ],
)
def test_every_page_is_old_when_what_makes_pages_has_changed(monkeypatch, name):
    before, read = rebuilding.fingerprint(), Path.read_bytes
    assert rebuilding.fingerprint() == before
    monkeypatch.setattr(Path, "read_bytes", lambda it: b"new" if it.name == name else read(it))
    assert rebuilding.fingerprint() != before


def test_a_chart_is_drawn_by_its_name_and_another_name_refused_at_its_line(built):
    pages, said = built
    assert len(soup("book/extra.html", pages).select(".course-chart img")) == 1
    for line, reason in ((11, "no_chart"), (13, "missing 4 required")):
        assert re.search(rf"extra\.md:{line}: ERROR: course-chart must name .*{reason}", said)


def test_formulas_are_set_and_spoken_and_may_have_a_number(built):
    page = soup("book/extra.html", built[0])
    spoken = [math.get_text() for math in page.select("article mjx-assistive-mml math")]
    assert spoken == ["e=1", "b=2c=3"]
    assert page.select_one("article div.math .eqno").get_text().startswith("(1)")
    assert page.select_one("article p a[href='#equation-one']") is not None


def test_a_formula_that_mathjax_refuses_ends_the_build():
    with pytest.raises(ExtensionError, match=r"^MathJax refuses \\unknown: Undefined control"):
        formulas.set_formulas([("x", False), (r"\unknown", False)])


def test_a_formula_is_as_large_as_mathjax_makes_it_in_a_browser(page, tmp_path):
    tex = r"\omega_k = b^{-2k/d} \sqrt{\sum_{i=0}^{d/2-1} \frac{x_i}{2}}"
    (formula,), css = formulas.set_formulas([(tex, False)])
    style = ROOT / "book" / "_ext" / "posenc_book" / "static" / "course.css"
    (tmp_path / "page.html").write_text(
        f'<meta charset="utf-8"><link rel="stylesheet" href="{style.as_uri()}">'
        f"<style>{css}</style><p>Set {formula} in advance</p><p>Set \\({tex}\\) in the browser</p>"
        f'<script src="{(formulas.MATHJAX / "tex-chtml.js").as_uri()}"></script>',
        encoding="utf-8",
    )
    shutil.copytree(formulas.FONTS, tmp_path / "mathjax")
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("() => MathJax.startup.promise.then(() => document.fonts.ready)")
    ours, theirs = (it.bounding_box() for it in page.locator("mjx-math").all())
    for length in ("x", "width", "height"):
        # Half a pixel: a browser rounds the size of letters.
        assert ours[length] == pytest.approx(theirs[length], abs=0.5)


def configured(address, base=""):
    """Return the settings that a book with this address has."""
    options = dict.fromkeys(repository.LINKS, True) | {"repository_url": address}
    config = SimpleNamespace(html_theme_options=options, html_baseurl=base, html_extra_path=[])
    repository.use_address(None, config)
    return config


@pytest.mark.parametrize(
    ("address", "base", "site"),
    [
        (ADDRESS, "", SITE),
        (f"{ADDRESS}/", "", SITE),
        (f"{ADDRESS}.git", "", SITE),
        ("https://github.com/Some-One/Some-One.github.io", "", "https://some-one.github.io/"),
        (ADDRESS, "https://example.org/course", "https://example.org/course/"),
    ],
)
def test_the_books_address_follows_from_the_repositorys_unless_it_is_given(address, base, site):
    config = configured(address, base)
    assert config.html_theme_options["repository_url"] == re.sub(r"(/|\.git)$", "", address)
    assert config.html_baseurl == site


@pytest.mark.parametrize(
    "address", ["github.com/you/course", "https://github.com/you", "https://example.org/you/course"]
)
def test_another_address_is_refused_by_name(address):
    with pytest.raises(ConfigError, match=rf"^repository: url: .* got '{re.escape(address)}'$"):
        configured(address)


def leaving(page):
    """Return the addresses that a page's buttons lead to outside of the book."""
    links = page.select(".article-header-buttons a[href^='https:']")
    return {" ".join(link.get_text().split()): link["href"] for link in links}


@pytest.mark.parametrize("name", ["notebooks/02_clock", "book/corrections", "book/glossary"])
def test_buttons_lead_to_the_text_that_people_edit_and_to_a_notebook_that_runs(built, name):
    page = soup(f"{name}.html", built[0])
    binder = f"https://mybinder.org/v2/gh/Some-One/a.course/main?urlpath=lab/tree/{name}.ipynb"
    colab = f"https://colab.research.google.com/github/Some-One/a.course/blob/main/{name}.ipynb"
    expected = {
        "Repository": ADDRESS,
        "Suggest edit": f"{ADDRESS}/edit/main/{name}.md",
        "Show source": f"{ADDRESS}/blob/main/{name}.md?plain=1",
    }
    assert (ROOT / f"{name}.md").is_file()
    if (ROOT / f"{name}.ipynb").is_file():
        expected["Binder"] = binder
    # Other pages need more than the package, which is all that Colab's line installs.
    if name.startswith("notebooks/"):
        expected["Colab"] = colab
        button = page.select_one(".btn-launch-colab-line")
        assert button["title"] == f"%pip install git+{ADDRESS}@main"
        assert f"'{button['title']}'" in button["onclick"]
    assert leaving(page) == expected


def test_the_buttons_load_nothing_that_is_not_in_the_book(built, open_page):
    for name in ("notebooks/02_clock.html", "search.html"):
        assert complaints(open_page((built[0] / name).as_uri())) == []


def properties(page):
    """Return {name: content} of the tags in a page's head."""
    tags = page.find_all("meta", content=True)
    return {tag.get("property") or tag.get("name"): tag["content"] for tag in tags}


def test_other_sites_find_title_words_and_card_of_a_page(built):
    pages, _ = built
    page = soup("book/extra.html", pages)
    tags = properties(page)
    assert page.select_one("link[rel=canonical]")["href"] == tags["og:url"]
    assert tags["og:url"] == f"{SITE}book/extra.html"
    assert tags["og:title"] == "The code of a page"
    assert tags["description"] == tags["og:description"]
    assert re.fullmatch(r"Eight letters as in ?\(1\)\. Many .*(words,|and) …", tags["description"])
    assert len(tags["description"]) <= 200
    assert (pages / tags["og:image"].removeprefix(SITE)).is_file()


def test_this_book_has_all_of_it_or_none(page_name):
    config = yaml.safe_load((ROOT / "book" / "_config.yml").read_text(encoding="utf-8"))
    repository = bool(config["repository"]["url"])
    home = repository or bool(config["html"]["baseurl"])
    page = soup(page_name)
    assert (bool(leaving(page)), bool(page.select("[rel=canonical]"))) == (repository, home)
    if page_name != "search.html":
        assert ("og:url" in properties(page)) == home
        assert 0 < len(properties(page)["description"]) <= 200
