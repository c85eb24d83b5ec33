"""JupyterLab opens the first notebook with its directives and charts, and runs it to the end."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from .conftest import ROOT, noted

RUNS_WITHIN = 180_000  # milliseconds
NOTEBOOK = "01_formula.ipynb"
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--port=0",  # one that is free
    "--ServerApp.ip=127.0.0.1",
    "--IdentityProvider.token=",
    "--notebook-dir=notebooks",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)
FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR")
# Cells that are not seen are drawn, too.
TRACKER = "JUPYTERLAB_SETTINGS_DIR/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"


@pytest.fixture
def lab(tmp_path):
    """Start JupyterLab on a copy of the notebooks without their outputs; return its address."""
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    path = tmp_path / "notebooks" / NOTEBOOK
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    nbformat.write(notebook, path)
    (tmp_path / TRACKER).parent.mkdir(parents=True)
    (tmp_path / TRACKER).write_text('{"windowingMode": "none"}', encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *OPTIONS],
        cwd=tmp_path,
        env=os.environ | {name: str(tmp_path / name) for name in FOLDERS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        said = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in server.stdout)
        yield next(filter(None, said))[0]
        # What the test asked for is done: nothing is lost by ending the server at once.
        server.kill()


def test_jupyterlab_runs_the_first_notebook(lab, page):
    noted(page).goto(f"{lab}lab/tree/{NOTEBOOK}")
    notebook = page.locator(".jp-NotebookPanel:visible")
    notebook.wait_for(timeout=60_000)
    # Directives are rendered, not shown as their source.
    page.wait_for_function(
        "it => it.innerText.includes('You will be able to') && !it.innerText.includes(':::')",
        arg=notebook.locator(".jp-MarkdownCell").first.element_handle(),
    )
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """() => [...document.querySelectorAll(
                    ".jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)")]
                 .every(it => /\\[\\d+\\]/.test(it.textContent))""",
        timeout=RUNS_WITHIN,
    )
    cells = nbformat.read(ROOT / "notebooks" / NOTEBOOK, as_version=4).cells
    codes = sum(cell.cell_type == "code" for cell in cells)
    assert notebook.locator(".jp-CodeCell").count() == codes
    assert notebook.locator("[data-mime-type$=error], [data-mime-type$=stderr]").count() == 0
    notebook.locator(".vega-embed svg").first.wait_for(state="attached")
    here = (lab, lab.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in page.addresses if not url.startswith(here)] == []
