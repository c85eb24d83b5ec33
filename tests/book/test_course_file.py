"""The course as one file: it is complete, installs without git, make or a network, and runs."""

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement

from posenc_book import course_file

from .conftest import BOOK, PAGES, ROOT

COURSE = BOOK / course_file.FILE
LOCK = ROOT / "book" / "take_away" / "requirements.txt"
# This one draws charts and figures, makes data frames, and reads the package's word vectors.
NOTEBOOK = "notebooks/07_attention.ipynb"
OPENS_FILES = {
    *("open", "Path", "read_bytes", "read_text", "imread", "savefig"),
    *("fromfile", "genfromtxt", "load", "loadtxt", "read_csv", "read_json", "read_table"),
}
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
sys.path.append(sys.argv[1])
from kernels import AsyncFileKernelManager
notebook = nbformat.read(sys.argv[2], as_version=4)
NotebookClient(
    notebook,
    kernel_manager_class=AsyncFileKernelManager,
    kernel_name="python3",
    resources={"metadata": {"path": "notebooks"}},
).execute()
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Unpack the course's file, far from the repository; return its one folder."""
    folder = tmp_path_factory.mktemp("a student's downloads")
    with zipfile.ZipFile(COURSE) as file:
        file.extractall(folder)
    assert [path.name for path in folder.iterdir()] == [course_file.NAME]
    return folder / course_file.NAME


def code(path):
    """Return the code of a notebook's cells, parsed."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return [ast.parse(source) for source in sources]


def test_it_holds_every_notebook_of_the_book_as_it_is_tested(course):
    pages = [Path(name) for name in PAGES if name.startswith("notebooks/")]
    held = sorted(path.name for path in (course / "notebooks").iterdir())
    assert held == sorted(path.with_suffix(".ipynb").name for path in pages)
    for name in held:
        committed = ROOT / "notebooks" / name
        assert (course / "notebooks" / name).read_bytes() == committed.read_bytes()


def test_every_link_of_a_notebook_leads_to_a_file_that_is_there(course):
    linked = 0
    for path in (*course.glob("notebooks/*.ipynb"), *course.glob("book/*.md")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = nbformat.reads(text, as_version=4).cells
            text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", text):
            if re.match(r"https?:", target) is None:
                assert (path.parent / target).is_file(), f"{path.name} links to {target}"
                linked += 1
    assert linked > 0


def test_the_notebooks_open_no_files(course):
    """All their data come with the package; only one of them is run whole below."""
    for path in course.glob("notebooks/*.ipynb"):
        nodes = [node for cell in code(path) for node in ast.walk(cell)]
        names = {getattr(node, "id", getattr(node, "attr", None)) for node in nodes}
        assert names & OPENS_FILES == set(), path.name
        words = [node.value for node in nodes if isinstance(node, ast.Constant)]
        like_files = [it for it in words if re.fullmatch(r"\S+\.[a-z]\w{1,4}", str(it))]
        assert like_files == [], path.name


@pytest.fixture(scope="module")
def wheelhouse():
    """Return a folder with the packages that the course's lock names, downloaded once."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    folder = Path(sys.prefix, "wheelhouse", digest)
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        run = subprocess.run(
            [sys.executable, "-m", "pip", "download", *options, "-r", LOCK, "--dest", partial],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(
                f"the first time, this test downloads the course's packages: {run.stderr}"
            )
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
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    # No network; and what is imported here is compiled then, not the whole of it at once.
    environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheelhouse.as_uri()}
    environment |= {"PIP_COMPILE": "0"}

    def run(command):
        done = subprocess.run(
            command, cwd=course, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    # The Python that the wheels are for.
    python = os.path.realpath(sys.executable)
    for line in setting_up:
        run([python if word == "python3" else word for word in line.split()])
    return lambda *arguments: run([".venv/bin/python", *arguments])


def test_jupyterlab_comes_with_what_renders_directives(alone, course):
    where = alone("-c", "import jupyterlab, posenc; print(jupyterlab.__file__, posenc.__file__)")
    assert where.count(str(course / ".venv")) == 2
    extensions = course / ".venv" / "share" / "jupyter" / "labextensions"
    assert (extensions / "jupyterlab-myst" / "package.json").is_file()


def test_every_import_of_the_notebooks_and_of_the_package_succeeds(alone, course):
    package = alone("-c", "import posenc; print(posenc.__path__[0])").strip()
    parsed = [cell for path in course.glob("notebooks/*.ipynb") for cell in code(path)]
    # What lies among the data is shown to a reader, who has PyTorch, and is not imported.
    modules = [path for path in Path(package).rglob("*.py") if path.parent.name != "data"]
    parsed += [ast.parse(path.read_text(encoding="utf-8")) for path in modules]
    statements = {
        ast.unparse(node)
        for tree in parsed
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.level == 0)
    }
    assert any("sympy" in statement for statement in statements)
    alone("-c", "\n".join(sorted(statements, key=lambda it: ("__future__" not in it, it))))


def test_a_notebook_runs_from_top_to_bottom(alone):
    alone("-c", RUN, str(ROOT / "scripts"), NOTEBOOK)


def test_the_lock_pins_what_the_wheel_asks_for(course):
    (wheel,) = course.glob("*.whl")
    first, *_ = (course / "requirements.txt").read_text(encoding="utf-8").splitlines()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert first == f"./{wheel.name} --hash=sha256:{digest}"
    with zipfile.ZipFile(wheel) as file:
        (metadata,) = (name for name in file.namelist() if name.endswith("/METADATA"))
        lines = file.read(metadata).decode().splitlines()
    asked = [Requirement(line.split(": ", 1)[1]) for line in lines if line.startswith("Requires-D")]
    needed = {it.name for it in asked if it.marker is None}
    locked = re.findall(r"^([\w.-]+)==", LOCK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert needed
    assert needed <= set(locked)
