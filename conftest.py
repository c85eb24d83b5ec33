"""What pytest does beside the tests' own files, for packages, notebooks and the book alike.

Nbval executes each notebook again and compares what its cells print. It leaves their pictures out;
they are compared here, by their pixels.
"""

import base64
import io
import os
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell
from PIL import Image

# With the locked packages pictures are equal to the pixel. Another processor may round the last
# digit of a number otherwise, which moves few pixels by a few of 255 levels; one changed digit of a
# label changes more pixels than these.
LEVELS = 16
SHARE = 1e-4
# A picture inside HTML, as the replies of a bet have it.
EMBEDDED = r"data:image/png;base64,([^\"]+)"

# The same examples each time, however slow the machine is.
settings.register_profile("course", deadline=None, derandomize=True, database=None)
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for its groups
def pytest_collection_modifyitems(items):
    """Keep on one worker what shares a kernel, a visit to a page or the fixtures of a file."""
    for item in items:
        if isinstance(item, IPyNbCell):
            item.parent.sanitize_patterns[EMBEDDED] = "a picture"
        page = item.callspec.params.get("page_name") if hasattr(item, "callspec") else None
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(page or str(item.path)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    """Name a test as pytest takes it, without the group that pytest-xdist puts behind it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = re.sub(r"@[^\]]*$", "", report.nodeid)


@contextmanager
def locked():
    """Wait until no other worker is in here; on Windows, where one works alone, go on at once."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with Path(__file__).open(encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Start one kernel at a time: two might pick the same port, and one would never answer."""
    if isinstance(item, IPyNbCell) and item.parent.kernel is None:
        with locked():
            return (yield)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare the pictures of a notebook's cell once nbval has compared the rest."""
    result = yield
    if isinstance(item, IPyNbCell) and item.options["check"]:
        differences = compare_pictures(item.test_outputs, item.cell.outputs)
        if differences:
            item.raise_cell_error("Its pictures differ", "\n".join(differences))
    return result


def compare_pictures(outputs, kept_outputs):
    """Return in words how the pictures of two lists of outputs differ."""
    drawn, kept = pictures(outputs), pictures(kept_outputs)
    if len(drawn) != len(kept):
        return [f"the cell shows {len(drawn)} pictures, the notebook keeps {len(kept)}"]
    return list(filter(None, map(difference, drawn, kept)))


def pictures(outputs):
    """Return the pictures among a cell's outputs, in their order."""
    data = [output.get("data", {}) for output in outputs]
    contents = [kinds["image/png"] for kinds in data if "image/png" in kinds]
    contents += [
        picture for kinds in data for picture in re.findall(EMBEDDED, kinds.get("text/html", ""))
    ]
    return [Image.open(io.BytesIO(base64.b64decode(content))) for content in contents]


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
