"""How the tests are shared out, and how the notebooks are run again.

Nbval runs them; their outputs' pictures are compared here, by their pixels.
"""

import base64
import io
import re

import quick_jsonschema  # noqa: F401

# isort: split
import nbval.kernel
import numpy as np
import pytest
from kernels import FileKernelManager
from nbval.plugin import IPyNbCell, IPyNbFile
from PIL import Image
from xdist.scheduler import LoadScopeScheduling

# pyproject.toml keeps pytest from loading it by itself: it would come before quick_jsonschema.
pytest_plugins = ["nbval.plugin"]
# nbval has no setting for the kernels' manager; both of the course's start kernels the same way.
nbval.kernel.KernelManager = FileKernelManager

PNG = "image/png"
# With the same locked packages pictures are equal to the pixel. Another processor may round the
# last digit of a number otherwise, which moves a pixel by a few of 255 levels, if at all; a
# changed digit of a label alone changes more pixels than these.
LEVELS = 16
SHARE = 1e-4


class ByPage(LoadScopeScheduling):
    """Send to one worker what shares a page of the book, and else what stands in one file.

    `--dist loadgroup` would do, but with pytest 9.2 pytest-xdist 3.8 does not see the groups (its
    issue 1386).
    """

    def _split_scope(self, nodeid):
        page = re.search(r"[\w/]+\.html", nodeid)
        return page[0] if page else nodeid.split("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Share the tests out, in their order."""
    config.option.loadscopereorder = False
    return ByPage(config, log)


def pytest_collect_file(file_path, parent):
    """Collect notebooks; without `--nbval` nbval leaves them to this."""
    if file_path.suffix == ".ipynb":
        return Notebook.from_parent(parent, path=file_path)
    return None


class Notebook(IPyNbFile):
    """A notebook whose cells compare their pictures, too, which nbval leaves out."""

    def collect(self):
        """Yield the code cells."""
        for it in super().collect():
            yield Cell.from_parent(
                self, name=it.name, cell_num=it.cell_num, cell=it.cell, options=it.options
            )


class Cell(IPyNbCell):
    """A code cell."""

    def compare_outputs(self, test, ref, skip_compare=None):
        """Compare as nbval does, and then the pictures."""
        if not super().compare_outputs(test, ref, skip_compare):
            return False
        drawn, kept = pictures(test), pictures(ref)
        if len(drawn) != len(kept):
            words = [f"the cell shows {len(drawn)} pictures, the notebook keeps {len(kept)}"]
        else:
            words = [text for pair in zip(drawn, kept) if (text := difference(*pair))]
        self.comparison_traceback += words
        return not words


def pictures(outputs):
    """Return the pictures among a cell's outputs, in their order."""
    found = [output["data"][PNG] for output in outputs if PNG in output.get("data", {})]
    return [Image.open(io.BytesIO(base64.b64decode(content))) for content in found]


def difference(drawn, kept):
    """Return in words how two pictures differ, or nothing if they agree."""
    if drawn.size != kept.size:
        return f"the picture is now {drawn.size} pixels large, the notebook's {kept.size}"
    now, before = (np.asarray(picture.convert("RGBA"), int) for picture in (drawn, kept))
    apart = np.abs(now - before).max(axis=2) > LEVELS
    if apart.mean() <= SHARE:
        return ""
    rows, columns = np.nonzero(apart)
    return (
        f"the picture is drawn otherwise now: {apart.sum()} of {apart.size} pixels differ, from "
        f"({columns.min()}, {rows.min()}) to ({columns.max()}, {rows.max()})"
    )
