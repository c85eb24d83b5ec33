"""The comparison of outputs really compares: a changed number or a changed chart is found."""

import re
import subprocess
import sys

import nbformat

from .conftest import NOTEBOOKS
from .test_form import CHART, code_cells

NOTEBOOK = NOTEBOOKS / "01_formula.ipynb"


def change_a_number(cells):
    """Add one to the first digit of the first output in words, and return the cell's number."""
    for number, cell in enumerate(cells):
        for output in cell.outputs:
            words = output.get("data", {}).get("text/plain", "")
            if set(output.get("data", {})) == {"text/plain"} and re.search(r"\d", words):
                output.data["text/plain"] = re.sub(
                    r"\d", lambda digit: str((int(digit.group()) + 1) % 10), words, count=1
                )
                return number
    raise AssertionError("no output holds a number")


def change_a_chart(cells):
    """Change what the first slider begins with, and return the cell's number."""
    for number, cell in enumerate(cells):
        for output in cell.outputs:
            if CHART in output.get("data", {}):
                output.data[CHART]["params"][0]["value"] += 1
                return number
    raise AssertionError("no output holds a chart")


def test_a_changed_number_and_a_changed_chart_fail(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = code_cells(notebook)
    changed = {change_a_number(cells), change_a_chart(cells)}
    copy = tmp_path / "changed.ipynb"
    nbformat.write(notebook, copy)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    options = ["--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-rf", "-q", str(copy)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    failed = {int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, re.M)}
    assert len(changed) == 2
    assert failed == changed, run.stdout
