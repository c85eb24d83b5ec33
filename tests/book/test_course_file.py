"""The course as one file: it is complete, installs without git, make or a network, and runs."""

import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from posenc_book import course_file

from .conftest import BOOK, PAGES, ROOT, soup


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Unpack the course's file, far from the repository; return its one folder."""
    folder = tmp_path_factory.mktemp("a student's downloads")
    with zipfile.ZipFile(BOOK / course_file.FILE) as file:
        file.extractall(folder)
    assert [path.name for path in folder.iterdir()] == [course_file.NAME]
    return folder / course_file.NAME


def test_it_holds_every_notebook_of_the_book_as_it_is_tested(course):
    pages = [Path(name).stem for name in PAGES if name.startswith("notebooks/")]
    held = sorted((course / "notebooks").iterdir())
    assert [path.name for path in held] == [f"{name}.ipynb" for name in pages]
    for path in held:
        assert path.read_bytes() == (ROOT / "notebooks" / path.name).read_bytes()


def test_every_link_of_a_notebook_leads_to_a_file_that_is_there(course):
    linked = 0
    for path in (*course.glob("notebooks/*.ipynb"), *course.glob("book/*.md")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = nbformat.reads(text, as_version=4).cells
            text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)", text):
            assert (path.parent / target).is_file(), f"{path.name} links to {target}"
            linked += 1
    assert linked > 0


@pytest.fixture(scope="module")
def wheelhouse(course, tmp_path_factory):
    """Return a folder with the packages that the course's lock names, downloaded once."""
    # The first line is the course's own wheel.
    _, _, packages = (course / "requirements.txt").read_text(encoding="utf-8").partition("\n")
    lock = tmp_path_factory.mktemp("lock") / "requirements.txt"
    lock.write_text(packages, encoding="utf-8")
    digest = hashlib.sha256(packages.encode()).hexdigest()[:16]
    folder = Path(sys.prefix, "wheelhouse", digest)
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "--dest"]
        command = [sys.executable, "-m", "pip", "download", *options, partial, "-r", lock]
        if subprocess.run(command, check=False).returncode != 0:
            words = "the first time, this test downloads the course's packages"
            (pytest.fail if os.environ.get("CI") else pytest.skip)(words)
        partial.rename(folder)
    return folder


@pytest.fixture(scope="module")
def alone(course, wheelhouse):
    """Do what READ-ME.txt says; return a function that runs the new environment's Python."""
    text = (course / "READ-ME.txt").read_text(encoding="utf-8")
    block = re.search(r"^Linux and macOS:\n\n((?:    .+\n)+)", text, flags=re.MULTILINE)[1]
    *setting_up, start = (line.strip() for line in block.splitlines())
    assert start == ".venv/bin/python -m jupyterlab"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(course.parent), "LANG": "C.UTF-8"}
    # No network; and what is imported here is compiled then, not the whole of it at once.
    environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheelhouse.as_uri(), "PIP_COMPILE": "0"}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def run(command):
        options = {"cwd": course, "env": environment, "capture_output": True, "text": True}
        done = subprocess.run(command, check=False, **options)
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    # The Python that the wheels are for.
    python = os.path.realpath(sys.executable)
    for line in setting_up:
        run([python if word == "python3" else word for word in line.split()])
    return lambda *arguments: run([".venv/bin/python", *map(str, arguments)])


@pytest.mark.slow
def test_jupyterlab_comes_with_what_renders_directives(alone, course):
    where = alone("-c", "import jupyterlab, posenc; print(jupyterlab.__file__, posenc.__file__)")
    assert where.count(str(course / ".venv")) == 2
    extensions = course / ".venv" / "share" / "jupyter" / "labextensions"
    assert (extensions / "jupyterlab-myst" / "package.json").is_file()


@pytest.mark.slow
def test_every_notebook_runs_from_top_to_bottom(alone, course):
    notebooks = sorted(course.glob("notebooks/*.ipynb"))
    alone("-c", "from nbclient.cli import main; main()", *notebooks)


@pytest.mark.slow
def test_another_book_is_built_beside_the_package_as_without_it(alone, tmp_path):
    chart = {"mark": "bar", "data": {"values": []}, "encoding": {}}
    data = {"application/vnd.vegalite.v5+json": chart, "text/plain": "Chart"}
    for name, output in (
        ("index", v4.new_output("display_data", data)),
        ("number", v4.new_output("execute_result", {"text/plain": "42"})),
    ):
        cell = v4.new_code_cell("chart", outputs=[output])
        nbformat.write(v4.new_notebook(cells=[cell]), tmp_path / f"{name}.ipynb")
    (tmp_path / "conf.py").write_text("extensions, nb_execution_mode = ['myst_nb'], 'off'\n")
    # Sphinx and myst-nb are this environment's; the package is found in the new one.
    append = f"import sys; sys.path.append({sysconfig.get_path('purelib')!r})"
    build = f"{append}; from sphinx.cmd.build import main; sys.exit(main())"
    alone("-c", build, "-q", tmp_path, tmp_path / "html")
    assert "Chart" in soup("index.html", tmp_path / "html").get_text()
    assert "42" in soup("number.html", tmp_path / "html").get_text()
