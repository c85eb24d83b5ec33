"""What computes loads NumPy, and nothing heavier."""

import inspect
import subprocess
import sys

import pytest

from posenc import charts

HEAVY = {"matplotlib", "altair", "pandas", "IPython", "vl_convert", "PIL"}
CORE = "attention distances embeddings encodings layouts learning long_context rotary shifts"


def loaded_by(code):
    """Return the packages that a fresh Python holds after some code."""
    code += "\nimport sys; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize(
    "code",
    [
        "; ".join(f"import posenc.{name}" for name in CORE.split()),
        "from posenc import checks",
        "from posenc.embeddings import load_glove; load_glove()",
    ],
)
def test_import_loads_nothing_heavy(code):
    loaded = loaded_by(code)
    assert "numpy" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_package_alone_loads_nothing():
    assert "numpy" not in loaded_by("import posenc")


def test_the_first_chart_is_shown_in_the_courses_way():
    code = "from posenc import charts; charts.profile(); import altair\n"
    loaded_by(code + "assert altair.renderers.active == altair.theme.active == 'posenc'")


def test_another_renderer_chosen_after_the_first_chart_stays():
    code = "from posenc import charts; charts.table()\n"
    code += "import altair; altair.renderers.enable('mimetype'); charts.odometer()\n"
    loaded_by(code + "assert altair.renderers.active == 'mimetype'")


def test_charts_are_named_and_found():
    assert charts.__all__ == sorted(charts.__all__)
    for name in charts.__all__:
        assert inspect.isfunction(getattr(charts, name))
