"""A book with an address: its buttons lead there. This book has none before it's published."""

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from .conftest import ROOT, soup

ADDRESS = "https://github.com/Some-One/a.course"
# Builds a second book.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a copy with an address and two pages; return their folder."""
    folder = tmp_path_factory.mktemp("with address")
    left_out = shutil.ignore_patterns(".*", "_build", "__pycache__", "tests", "bench")
    shutil.copytree(ROOT, folder, ignore=left_out, dirs_exist_ok=True)
    book = folder / "book"
    config = (book / "_config.yml").read_text(encoding="utf-8")
    config = re.sub(r"(url: &repository) .*", rf'\1 "{ADDRESS}"', config)
    (book / "_config.yml").write_text(config, encoding="utf-8")
    chapters = [{"file": "notebooks/02_clock"}]
    toc = {"format": "jb-book", "root": "book/glossary", "chapters": chapters}
    (book / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    program = "from jupyter_book.cli.main import main; main()"
    settings = "--config book/_config.yml --toc book/_toc.yml --path-output book -n --keep-going -q"
    command = [sys.executable, "-c", program, "build", ".", *settings.split()]
    subprocess.run(command, cwd=folder, check=True)
    return book / "_build" / "html"


@pytest.mark.parametrize("name", ["notebooks/02_clock", "book/glossary"])
def test_buttons_lead_to_the_text_and_a_notebook_that_runs(built, name):
    links = soup(f"{name}.html", built).select(".article-header-buttons a[href^='https:']")
    leading = {" ".join(link.get_text().split()): link["href"] for link in links}
    assert leading.pop("Repository") == ADDRESS
    assert leading.pop("Suggest edit") == f"{ADDRESS}/edit/main/{name}.md"
    assert leading.pop("Show source") == f"{ADDRESS}/blob/main/{name}.md?plain=1"
    assert leading.keys() == ({"Binder", "Colab"} if name.startswith("notebooks/") else set())
    for address in leading.values():
        assert "/Some-One/a.course/" in address
        assert address.endswith(f"{name}.ipynb")
