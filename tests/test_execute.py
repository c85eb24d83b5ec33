"""Executing notebooks gives the same file each time and says what failed."""

import gc
from pathlib import Path

import execute
import nbformat
import pytest

ROOT = Path(__file__).parents[1]
HEADER = """\
---
jupytext:
  formats: ipynb,md:myst
kernelspec: {display_name: Python 3 (ipykernel), language: python, name: python3}
---
"""

# Kernels that are stopped leave sockets to be collected.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def write(path, *cells):
    texts = [f"```{{code-cell}} ipython3\n{cell}\n```\n" for cell in cells]
    path.write_text("\n".join([HEADER, "# A notebook\n", *texts]), encoding="utf-8")


def test_executing_twice_gives_the_same_bytes(tmp_path):
    text = tmp_path / "a.md"
    write(text, "print(6 * 7)", "6 * 7", "6 * 7")
    contents = set()
    for _ in range(2):
        execute.execute(text)
        contents.add(text.with_suffix(".ipynb").read_bytes())
    assert len(contents) == 1
    notebook = nbformat.read(text.with_suffix(".ipynb"), as_version=4)
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert outputs[0][0].text == "42\n"
    assert outputs[1][0].data["text/plain"] == "42"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert "execution" not in notebook.cells[1].metadata
    assert dict(notebook.metadata.language_info) == {"name": "python"}


def test_whatever_stops_a_notebook_it_is_named_and_the_others_go_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(execute, "SECONDS_PER_CELL", 3)
    cells = {
        "hangs": "import time; time.sleep(60)",
        "dies": "import os; os._exit(1)",
        "fails": "1 / 0",
        "works": "6 * 7",
    }
    for name, cell in cells.items():
        write(tmp_path / f"{name}.md", cell)
    (tmp_path / "prose.md").write_text("# No notebook\n", encoding="utf-8")
    for name in ("old", "fails"):
        (tmp_path / f"{name}.ipynb").write_text("the old outputs", encoding="utf-8")
    stopped = {
        "missing.md": "FileNotFoundError",
        "prose.md": "ValueError",
        "old.ipynb": "ValueError",
        "hangs.md": "CellTimeoutError",
        "dies.md": "DeadKernelError",
        "fails.md": "CellExecutionError",
    }
    assert execute.main([str(tmp_path / name) for name in (*stopped, "works.md")]) == len(stopped)
    errors = capsys.readouterr().err
    for name, kind in stopped.items():
        assert f"{tmp_path / name} stopped: {kind}" in errors
    # What a dead kernel leaves open is closed here, where its warnings do no harm.
    gc.collect()
    assert (tmp_path / "works.ipynb").exists()
    for name in ("old", "fails"):
        kept = (tmp_path / f"{name}.ipynb").read_text(encoding="utf-8")
        assert kept == "the old outputs"


def test_every_pair_of_the_course_is_found():
    executed = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/*.ipynb")]
    found = [path.stem for path in execute.pairs()]
    assert len(found) > 12
    assert sorted(found) == sorted(path.stem for path in executed)
