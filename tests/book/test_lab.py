"""JupyterLab shows directives and charts, and runs cells."""

import os
import re
import subprocess
import sys
from contextlib import suppress

import jupytext
import nbformat
import pytest
from playwright.sync_api import TimeoutError

from .conftest import ROOT, listen

LONGEST = 120_000  # milliseconds
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--port=0",  # any free one
    "--ServerApp.ip=127.0.0.1",
    "--IdentityProvider.token=",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)
FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR")
# Cells out of sight are rendered, too.
TRACKER = "JUPYTERLAB_SETTINGS_DIR/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"


@pytest.fixture
def lab(tmp_path):
    """Start JupyterLab beside some cells of the first notebook; return its address."""
    notebook = jupytext.read(ROOT / "notebooks" / "01_formula.md")
    chart = next(n for n, cell in enumerate(notebook.cells) if "charts." in cell.source)
    needed = [cell for cell in notebook.cells[:chart] if "import " in cell.source]
    words = next(cell for cell in notebook.cells if "{term}" in cell.source)
    notebook.cells = [words, *needed, notebook.cells[chart]]
    nbformat.write(notebook, tmp_path / "first.ipynb")
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
        matches = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in server.stdout)
        yield next(filter(None, matches))[0]
        # Nothing is lost by ending the server at once.
        server.kill()


def test_jupyterlab_renders_directives_and_draws_a_chart(lab, page):
    page.set_default_timeout(LONGEST)
    listen(page).goto(f"{lab}lab/tree/first.ipynb")
    page.locator(".jp-MarkdownCell strong, .jp-MarkdownCell em").first.wait_for()
    assert "{term}" not in page.locator(".jp-MarkdownCell").first.inner_text()
    chart = page.locator(".vega-embed svg").first
    with suppress(TimeoutError):
        idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        idle.wait_for(timeout=60_000)
    # On a busy machine a kernel may find its port taken, and never answer; another one does.
    for command in ("Run All Cells", *2 * ["Restart Kernel and Run All Cells…"]):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name=command, exact=True).click()
        if "Restart" in command:
            page.locator(".jp-Dialog .jp-mod-accept").click()
        with suppress(TimeoutError):
            chart.wait_for(state="attached", timeout=60_000)
            break
    assert chart.count() == 1
    assert page.locator("[data-mime-type$=error], [data-mime-type$=stderr]").count() == 0
    here = (lab, lab.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in page.addresses if not url.startswith(here)] == []
