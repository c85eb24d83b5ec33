"""What an import loads: NumPy, and nothing heavier before it is needed."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import posenc
from posenc import charts

HEAVY = {"matplotlib", "altair", "pandas", "IPython", "vl_convert", "PIL"}
CORE = ["encodings", "shifts", "distances", "attention", "rotary", "embeddings"]


def loaded_by(code):
    """Return the packages that a fresh Python holds after some code."""
    code += "\nimport sys; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize(
    "code",
    [
        "import posenc",
        *(f"import posenc.{name}" for name in CORE),
        "from posenc import charts, checks, figures",
        "from posenc.display import show_source",
        "from posenc import charts; charts.enable_renderer()",
        "from posenc.embeddings import load_glove; load_glove()",
    ],
)
def test_import_loads_nothing_heavy(code):
    loaded = loaded_by(code)
    assert "numpy" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_style_loads_matplotlib_alone():
    loaded = loaded_by("from posenc import charts, figures; figures.use_course_style()")
    assert loaded & HEAVY == {"matplotlib", "PIL"}


def test_the_style_needs_no_pyplot():
    code = "from posenc import figures; figures.use_course_style(); import sys"
    loaded_by(f"{code}; assert 'matplotlib.pyplot' not in sys.modules")


def test_altair_loads_with_the_first_chart_and_shows_it_in_the_courses_way():
    code = "from posenc import charts, figures; figures.use_course_style()\n"
    code += "charts.profile; import altair\n"
    code += "assert altair.renderers.active == altair.theme.active == 'posenc'"
    loaded = loaded_by(code)
    assert "altair" in loaded
    assert "vl_convert" not in loaded


def test_altair_loads_without_what_jsonschema_loads_for_two_seconds(monkeypatch, tmp_path):
    slow = "rfc3987_syntax"
    (tmp_path / f"{slow}.py").write_text("raise SystemExit('it is loaded')", encoding="utf-8")
    first = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    loaded = loaded_by(first + "from posenc import charts; charts.wave")
    assert {"altair", "jsonschema"} <= loaded
    assert slow not in loaded
    # If nothing loads it any more, nothing has to be hidden.
    with pytest.raises(subprocess.CalledProcessError):
        loaded_by(first + "import altair")
    for name in ("jsonschema", slow):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with charts._quick_jsonschema(), pytest.raises(ImportError):
        importlib.import_module(slow)
    assert slow not in sys.modules


def test_the_renderer_waits_for_altair(monkeypatch):
    import altair

    altair.renderers.enable("default")
    monkeypatch.delitem(vars(charts), "wave", raising=False)
    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, "altair")
        charts.enable_renderer()
    assert altair.renderers.active != "posenc"
    try:
        charts.wave  # noqa: B018
        assert altair.renderers.active == altair.theme.active == "posenc"
    finally:
        altair.renderers.enable("default")
        altair.theme.enable("default")


def test_a_chart_alone_leaves_altair_as_it_is():
    code = "from posenc import charts; charts.wave; import altair\n"
    loaded_by(code + "assert 'posenc' not in (altair.renderers.active, altair.theme.active)")


def test_another_renderer_chosen_after_the_first_chart_stays():
    code = "from posenc import charts, figures; figures.use_course_style()\n"
    code += "charts.wave; import altair; altair.renderers.enable('mimetype'); charts.odometer\n"
    loaded_by(code + "assert altair.renderers.active == 'mimetype'")


def test_charts_are_named_and_found():
    assert dir(charts) == charts.__all__ == sorted(charts.__all__)
    for name in charts.__all__:
        assert inspect.isfunction(getattr(charts, name))
    with pytest.raises(AttributeError, match=r"^module 'posenc.charts' has no attribute 'waves'$"):
        charts.waves  # noqa: B018


def test_public_names_are_sorted_and_none_hides_a_module():
    assert posenc.__all__ == sorted(posenc.__all__, key=lambda name: (name.islower(), name))
    assert len(posenc.__all__) == len(set(posenc.__all__))
    for name in posenc.__all__:
        assert callable(getattr(posenc, name))
    for module in pkgutil.iter_modules(posenc.__path__):
        found = importlib.import_module(f"posenc.{module.name}")
        assert getattr(posenc, module.name) is found
        assert module.name not in posenc.__all__


def test_optional_arguments_are_given_by_name():
    functions = [getattr(posenc, name) for name in posenc.__all__ if name != "load_glove"]
    for function in (
        *functions,
        posenc.attention.dot_product_attention,
        posenc.attention.self_attention,
    ):
        for parameter in inspect.signature(function).parameters.values():
            optional = parameter.default is not parameter.empty
            assert optional == (parameter.kind is parameter.KEYWORD_ONLY), function


def test_the_core_is_there_without_a_further_import():
    loaded_by(f"import posenc; {', '.join(f'posenc.{name}' for name in CORE)}")
