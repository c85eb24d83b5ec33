"""JupyterLab opens the first notebook with its directives and charts, and runs it to the end."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from .conftest import ROOT

STARTS_WITHIN = 60
RUNS_WITHIN = 180_000
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ServerApp.ip=127.0.0.1",
    "--IdentityProvider.token=",
    "--notebook-dir=notebooks",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on a copy of the notebooks; return its address."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    port = free_port()
    settings = {"JUPYTER_CONFIG_DIR": str(folder / "config"), "IPYTHONDIR": str(folder / "ipython")}
    settings |= {"JUPYTER_DATA_DIR": str(folder / "data")}
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", f"--port={port}", *OPTIONS],
            cwd=folder,
            env=os.environ | settings,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        address = f"http://127.0.0.1:{port}/"
        for _ in range(STARTS_WITHIN * 4):
            try:
                urllib.request.urlopen(address + "api", timeout=1).close()
                break
            except OSError:
                time.sleep(0.25)
        else:
            server.kill()
            pytest.fail((folder / "log.txt").read_text(encoding="utf-8"))
        yield address
        server.terminate()
        server.wait(timeout=20)


def test_jupyterlab_runs_the_first_notebook(lab, browser):
    path = ROOT / "notebooks" / "01_formula.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    codes = sum(cell.cell_type == "code" for cell in cells)
    context = browser.new_context(viewport={"width": 1280, "height": 2400})
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{lab}lab/tree/{path.name}")
    notebook = page.locator(".jp-NotebookPanel:visible")
    notebook.wait_for(timeout=60_000)

    # Directives are rendered, not shown as their source.
    opening = notebook.locator(".jp-MarkdownCell").first
    opening.get_by_text("You will be able to").wait_for()
    assert ":::" not in opening.inner_text()

    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """count => {
            const widget = document.querySelector('.jp-NotebookPanel');
            const prompts = [...widget.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
                .map(it => it.innerText);
            return prompts.length && !prompts.some(text => text.includes('*'))
                && document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=idle]');
        }""",
        arg=codes,
        timeout=RUNS_WITHIN,
    )
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer')?.scrollTo(0, 1e6)")
    assert page.locator(".jp-OutputArea-output[data-mime-type*='error']").count() == 0
    assert page.locator(".jp-RenderedVegaCommon5, .vega-embed").count() > 0
    elsewhere = [
        url
        for url in asked
        if not url.startswith((lab, "data:", "blob:", lab.replace("http", "ws")))
    ]
    assert elsewhere == []
    context.close()
