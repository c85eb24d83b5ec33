"""What an import loads: NumPy, and nothing heavier before it is needed."""

import subprocess
import sys

import pytest

HEAVY = {"matplotlib", "altair", "pandas", "IPython", "vl_convert", "PIL"}


def loaded_by(code):
    """Return the packages that a fresh Python holds after some code."""
    code += "\nimport sys; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize(
    "code",
    [
        "from posenc import encodings, layouts, learning, long_context, shifts, trained, ways",
        "from posenc.embeddings import load_glove; load_glove()",
    ],
)
def test_import_loads_nothing_heavy(code):
    loaded = loaded_by(code)
    assert "numpy" in loaded
    assert loaded.isdisjoint(HEAVY)
