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
RUNS_WITHIN = 180
NOTEBOOK = "01_formula.ipynb"
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
    notebook = nbformat.read(folder / "notebooks" / NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    nbformat.write(notebook, folder / "notebooks" / NOTEBOOK)
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
        # What the test asked for is done: nothing is lost by ending the server at once.
        server.kill()
        server.wait(timeout=20)


def charts_drawn(page):
    """Scroll through the notebook, which JupyterLab draws where it is seen, and count charts."""
    panel = page.locator(".jp-NotebookPanel:visible .jp-WindowedPanel-outer")
    height = panel.evaluate("it => it.scrollHeight")
    for top in range(0, height, 1000):
        panel.evaluate("(it, top) => it.scrollTo(0, top)", top)
        page.wait_for_timeout(300)
        charts = page.locator(".vega-embed svg").count()
        if charts:
            return charts
    return 0


def saved_code_cells(page, lab):
    """Return the code cells of the notebook as it is saved; none while it is being written."""
    answer = page.request.get(f"{lab}api/contents/{NOTEBOOK}").json()
    cells = answer.get("content", {"cells": []})["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def kernel_is_idle(page, lab):
    """Tell whether the notebook's kernel has started and has nothing more to do."""
    sessions = page.request.get(f"{lab}api/sessions").json()
    return [session["kernel"]["execution_state"] for session in sessions] == ["idle"]


def save(page):
    """Save the notebook and wait until the server has it, so that no two saves cross."""
    with page.expect_response(
        lambda answer: answer.request.method == "PUT" and "/api/contents/" in answer.url,
        timeout=30_000,
    ):
        page.keyboard.press("Control+s")


def run_to_the_end(page, lab, codes):
    """Run all cells, save the notebook when the kernel rests, and return the executed cells."""
    menu = page.get_by_role("menuitem", name="Run", exact=True)
    deadline = time.monotonic() + RUNS_WITHIN
    counts = None
    while time.monotonic() < deadline:
        if not kernel_is_idle(page, lab):
            page.wait_for_timeout(500)
            continue
        if counts is None or not any(counts):  # not begun, or asked for before the kernel was there
            menu.click()
            page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
            page.wait_for_timeout(2000)
        save(page)
        executed = saved_code_cells(page, lab)
        counts = [cell["execution_count"] for cell in executed]
        if len(counts) == codes and all(counts):
            return executed
    dialogs = page.locator(".jp-Dialog").all_inner_texts()
    raise AssertionError(f"not at its end: the counts are {counts}, open dialogs {dialogs}")


def test_jupyterlab_runs_the_first_notebook(lab, browser):
    cells = nbformat.read(ROOT / "notebooks" / NOTEBOOK, as_version=4).cells
    codes = sum(cell.cell_type == "code" for cell in cells)
    context = browser.new_context(viewport={"width": 1280, "height": 2400})
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{lab}lab/tree/{NOTEBOOK}")
    notebook = page.locator(".jp-NotebookPanel:visible")
    notebook.wait_for(timeout=60_000)

    # Directives are rendered, not shown as their source.
    opening = notebook.locator(".jp-MarkdownCell").first.element_handle()
    page.wait_for_function(
        "it => it.innerText.includes('You will be able to') && !it.innerText.includes(':::')",
        arg=opening,
    )

    executed = run_to_the_end(page, lab, codes)
    kinds = {output["output_type"] for cell in executed for output in cell["outputs"]}
    assert "error" not in kinds
    assert charts_drawn(page) > 0

    here = (lab, lab.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in asked if not url.startswith(here)] == []
    context.close()
