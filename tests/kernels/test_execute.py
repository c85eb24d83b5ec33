"""Executing notebooks gives the same file each time and says what failed."""

import gc

import execute
import nbformat
import pytest

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


def test_a_notebook_that_fails_is_named_and_kept(tmp_path, capsys):
    for name, cell in {"fails": "1 / 0", "works": "6 * 7"}.items():
        write(tmp_path / f"{name}.md", cell)
        (tmp_path / f"{name}.ipynb").write_text("the old outputs", encoding="utf-8")
    given = [str(tmp_path / name) for name in ("missing.md", "fails.md", "works.md")]
    assert execute.main(given) == 2
    errors = capsys.readouterr().err
    assert f"{given[0]} stopped: FileNotFoundError" in errors
    assert f"{given[1]} stopped: CellExecutionError" in errors
    # What a kernel leaves open is closed here, where its warnings do no harm.
    gc.collect()
    assert (tmp_path / "fails.ipynb").read_text(encoding="utf-8") == "the old outputs"
    assert "42" in (tmp_path / "works.ipynb").read_text(encoding="utf-8")
