"""The course's interactive Altair charts, one function a chart, one module a notebook.

Every chart computes what it draws in the reader's browser, from sliders alone, so that it
lives in a static page as well as in JupyterLab. Each function returns an ``altair.Chart`` (or a
concatenation of charts) with a ``description``, which becomes the alternative text.

Altair takes seconds to load. So a chart's module, and Altair with it, loads when the chart is first
asked for by its name here.
"""

import sys
from contextlib import contextmanager
from importlib import import_module

_MODULES = {
    "attention_maps": "attention",
    "clock_face": "clock",
    "doubling": "shifting",
    "head_in_training": "learning",
    "longer_text": "long_context",
    "looking_back": "attention",
    "match_table": "practice",
    "nearness": "grids",
    "odometer": "binary",
    "profile": "distances",
    "regular_clock": "clock",
    "score_by_offset": "learning",
    "to_png": "rendering",
    "turned_score": "rotary",
    "unit_circles": "rotation",
    "wave": "formula",
}
__all__ = sorted([*_MODULES, "enable_renderer"])

_renderer_is_wanted = False


def enable_renderer():
    """Make Altair charts live in JupyterLab and in the book, and pictures on GitHub and in print.

    The output holds the specification, a PNG of its first state and the chart's description. It
    holds no random identifier, so that executing a notebook twice gives the same file.

    This does not load Altair. If it is not there yet, the renderer is enabled with the first chart
    of this package.
    """
    global _renderer_is_wanted
    _renderer_is_wanted = "altair" not in sys.modules
    if not _renderer_is_wanted:
        import_module("posenc.charts.rendering").enable()


@contextmanager
def _quick_jsonschema():
    """Hide what jsonschema, which Altair loads, would load for two seconds (its issue 1428).

    It checks formats of addresses, which no chart has. Where JupyterLab is, it is there, too.
    """
    slow, hidden = "rfc3987_syntax", not {"jsonschema", "rfc3987_syntax"} & sys.modules.keys()
    if hidden:
        sys.modules[slow] = None  # as if it were not installed
    try:
        yield
    finally:
        if hidden:
            sys.modules.pop(slow, None)


def __getattr__(name):
    """Load a chart when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with _quick_jsonschema():
        function = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    if _renderer_is_wanted:
        enable_renderer()
    globals()[name] = function
    return function


def __dir__():
    return __all__
