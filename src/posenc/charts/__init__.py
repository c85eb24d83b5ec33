"""The course's interactive Altair charts, one function a chart, one module a notebook.

Every chart computes what it draws in the reader's browser, from sliders alone, so that it
lives in a static page as well as in JupyterLab. Each function returns an ``altair.Chart`` (or a
concatenation of charts) with a ``description``, which becomes the alternative text.
"""

from posenc.charts.attention import attention_maps, looking_back
from posenc.charts.binary import odometer
from posenc.charts.clock import clock_face, regular_clock
from posenc.charts.distances import profile
from posenc.charts.formula import wave
from posenc.charts.rendering import enable_renderer, to_png
from posenc.charts.rotation import unit_circles

__all__ = [
    "attention_maps",
    "clock_face",
    "enable_renderer",
    "looking_back",
    "odometer",
    "profile",
    "regular_clock",
    "to_png",
    "unit_circles",
    "wave",
]
