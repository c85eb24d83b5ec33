"""The course's interactive Altair charts, one function a chart, one module a notebook.

Every chart computes what it draws in the reader's browser, from sliders alone, so that it
lives in a static page as well as in JupyterLab. Each function returns an ``altair.Chart`` (or a
concatenation of charts) with a ``description``, which becomes the alternative text.
"""

from posenc.charts._renderer import enable_renderer, to_png

__all__ = ["enable_renderer", "to_png"]
