"""The comparison of outputs really compares: numbers, charts and the pixels of pictures."""

import base64
import io
import os
import re
import shutil
import subprocess
import sys

import execute
import nbformat
import numpy as np
import pytest
from PIL import Image

from .conftest import ROOT
from .test_form import CHART, code_cells

pytestmark = pytest.mark.slow

HEADER = """\
---
jupytext:
  formats: ipynb,md:myst
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
---
"""
SETUP = f"""\
import numpy as np
from IPython.display import display
from PIL import Image


def picture(height=1.0, size=200):
    rows, columns = np.mgrid[:size, :size]
    curve = size * (1 + height * np.sin(columns / 20)) / 2
    return Image.fromarray(np.where(abs(rows - curve) < 2, 0, 200).astype("uint8"))


def chart():
    png = picture()._repr_png_()
    display({{"{CHART}": {{"params": [{{"value": 3}}]}}, "image/png": png}}, raw=True)"""


def png(output):
    """Return the pixels of an output's picture."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))))


def keep(output, pixels):
    """Put other pixels into an output."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    output.data["image/png"] = base64.b64encode(file.getvalue()).decode()


def add_one(output):
    output.data["text/plain"] = str(int(output.data["text/plain"]) + 1)


def move_the_slider(output):
    output.data[CHART]["params"][0]["value"] += 1


def leave_out_the_picture(output):
    del output.data["image/png"]


def cut_a_row(output):
    keep(output, png(output)[1:])


def change_a_label(output):
    pixels = png(output).copy()
    pixels[10:13, 10:13] = 0
    keep(output, pixels)


def round_otherwise(output):
    pixels = png(output) + np.uint8(15)
    pixels[10, 10:14] = 0
    keep(output, pixels)


# A cell of the notebook, what befalls its output afterwards, and whether nbval is to find it.
CELLS = [
    ("6 * 7", add_one, True),
    ("6 * 8", None, False),
    ("chart()", move_the_slider, True),
    ("chart()", leave_out_the_picture, True),
    ("chart()", lambda output: keep(output, 255 - png(output)), True),
    ("chart()", None, False),
    ("picture()", lambda output: keep(output, np.flipud(png(output))), True),
    ("picture(0.5)", leave_out_the_picture, True),
    ("picture(0.7)", cut_a_row, True),
    ("picture(0.8)", change_a_label, True),
    ("picture(0.9)", round_otherwise, False),
]


@pytest.mark.filterwarnings("default")
def test_what_is_drawn_or_printed_otherwise_is_found(tmp_path):
    text = tmp_path / "changed.md"
    cells = [
        f"```{{code-cell}} ipython3\n{source}\n```\n"
        for source in (SETUP, *(it[0] for it in CELLS))
    ]
    text.write_text("\n".join([HEADER, *cells]), encoding="utf-8")
    execute.execute(text)
    path = text.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    for cell, (_, change, _) in zip(code_cells(notebook)[1:], CELLS):
        if change:
            change(cell.outputs[0])
    nbformat.write(notebook, path)

    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    # The plugins as in pyproject.toml: conftest.py loads nbval.
    options = ["-p", "no:nbval", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["--nbval-current-env", "-rf", "-q"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        check=False,
    )
    failed = {int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, re.M)}
    assert failed == {number for number, cell in enumerate(CELLS, 1) if cell[2]}, run.stdout
    assert "the picture is now (200, 200) pixels large, the notebook's (200, 199)" in run.stdout
    assert "9 of 40000 pixels differ, from (10, 10) to (12, 12)" in run.stdout
