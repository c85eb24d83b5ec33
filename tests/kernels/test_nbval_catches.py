"""The comparison of outputs really compares: numbers, charts and the pixels of pictures."""

import base64
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image

from posenc.charts.rendering import MIME_TYPE as CHART

ROOT = Path(__file__).parents[2]
SETUP = f"""\
import numpy as np
from IPython.display import display
from PIL import Image


def picture():
    rows, columns = np.mgrid[:200, :200]
    curve = 100 + 100 * np.sin(columns / 20)
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
    ("6 * 7", lambda output: output.data.update({"text/plain": "43"}), True),
    ("6 * 7", lambda output: None, False),
    ("chart()", lambda output: output.data[CHART]["params"][0].update(value=4), True),
    ("chart()", lambda output: output.data.pop("image/png"), True),
    ("chart()", lambda output: keep(output, 255 - png(output)), True),
    ("chart()", lambda output: None, False),
    ("picture()", lambda output: keep(output, np.flipud(png(output))), True),
    ("picture()", lambda output: output.data.pop("image/png"), True),
    ("picture()", lambda output: keep(output, png(output)[1:]), True),
    ("picture()", change_a_label, True),
    ("picture()", round_otherwise, False),
]


@pytest.mark.filterwarnings("default")
def test_what_is_drawn_or_printed_otherwise_is_found(tmp_path):
    sources = [SETUP, *(source for source, *_ in CELLS)]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3").execute()
    for cell, (_, change, _) in zip(notebook.cells[1:], CELLS):
        change(cell.outputs[0])
    nbformat.write(notebook, tmp_path / "changed.ipynb")

    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").touch()
    options = ["--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "-rf", "-q"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    failed = {int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, re.M)}
    assert failed == {number for number, cell in enumerate(CELLS, 1) if cell[2]}, run.stdout
    assert "the picture is now (200, 200) pixels large, the notebook's (200, 199)" in run.stdout
    assert "9 of 40000 pixels differ, from (10, 10) to (12, 12)" in run.stdout
