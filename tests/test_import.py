"""Importing the package loads NumPy and nothing heavier."""

import subprocess
import sys

import pytest

import posenc

HEAVY = ["matplotlib", "altair", "pandas", "IPython", "tqdm", "vl_convert"]
CORE = ["encodings", "shifts", "distances", "attention"]


@pytest.mark.parametrize("module", ["posenc", *(f"posenc.{name}" for name in CORE)])
def test_import_loads_nothing_heavy(module):
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert "numpy" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_public_names_are_sorted_and_callable():
    assert len(posenc.__all__) == len(set(posenc.__all__))
    for name in posenc.__all__:
        assert callable(getattr(posenc, name))
    assert posenc.__all__ == sorted(posenc.__all__, key=lambda name: (name.islower(), name))
