"""A small book with an address: its buttons lead there, and what it can't show is refused."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from .conftest import ROOT, soup

ADDRESS = "https://github.com/Some-One/a.course"
CHAPTERS = ("notebooks/02_clock", "book/extra")
EXTRA = r"""# A page

As in {eq}`one`.

$$ e = 1 $$ (one)

```{course-chart} no_chart
```
```{course-chart} clock_face
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a copy with an address and a few pages; return their folder, and what is said."""
    folder = tmp_path_factory.mktemp("with address")
    left_out = shutil.ignore_patterns(".*", "_build", "__pycache__", "tests", "bench")
    shutil.copytree(ROOT, folder, ignore=left_out, dirs_exist_ok=True)
    book = folder / "book"
    config = (book / "_config.yml").read_text(encoding="utf-8")
    config = re.sub(r"(url: &repository) .*", rf'\1 "{ADDRESS}"', config)
    (book / "_config.yml").write_text(config, encoding="utf-8")
    toc = {"format": "jb-book", "root": "book/glossary"}
    toc["chapters"] = [{"file": name} for name in CHAPTERS]
    (book / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    (book / "extra.md").write_text(EXTRA, encoding="utf-8")
    program = "from jupyter_book.cli.main import main; main()"
    settings = "--config book/_config.yml --toc book/_toc.yml --path-output book -n --keep-going -q"
    command = [sys.executable, "-c", program, "build", ".", *settings.split()]
    run = subprocess.run(
        command, cwd=folder, env=os.environ, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return book / "_build" / "html", run.stderr


def test_an_unknown_chart_is_refused_at_its_line(built):
    pages, said = built
    assert len(soup("book/extra.html", pages).select(".course-chart img")) == 1
    assert re.search(r"extra\.md:7: ERROR: course-chart must name .*no_chart", said)


def test_formulas_are_spoken_and_may_have_a_number(built):
    page = soup("book/extra.html", built[0])
    (math,) = page.select("article mjx-assistive-mml math")
    assert math.get_text() == "e=1"
    assert page.select_one("article div.math .eqno").get_text().startswith("(1)")
    assert page.select_one("article p a[href='#equation-one']") is not None


@pytest.mark.parametrize("name", ["notebooks/02_clock", "book/glossary"])
def test_buttons_lead_to_the_text_and_a_notebook_that_runs(built, name):
    links = soup(f"{name}.html", built[0]).select(".article-header-buttons a[href^='https:']")
    leading = {" ".join(link.get_text().split()): link["href"] for link in links}
    assert leading.pop("Repository") == ADDRESS
    assert leading.pop("Suggest edit") == f"{ADDRESS}/edit/main/{name}.md"
    assert leading.pop("Show source") == f"{ADDRESS}/blob/main/{name}.md?plain=1"
    assert leading.keys() == ({"Binder", "Colab"} if name.startswith("notebooks/") else set())
    for address in leading.values():
        assert "/Some-One/a.course/" in address
        assert address.endswith(f"{name}.ipynb")
