"""The course's interactive Altair charts, one function a chart, one module a notebook.

Every chart computes what it draws in the reader's browser, from sliders alone, so that it
lives in a static page as well as in JupyterLab. Each function returns an ``altair.Chart`` (or
charts in layers or side by side) with a ``description``, which becomes the alternative text.
A ``TypeError`` or ``ValueError`` names an argument that is not as described.

Altair takes seconds to load. So a chart's module, and Altair with it, loads when the chart is first
asked for by its name here.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "attention": ["attention_maps"],
        "binary": ["odometer"],
        "clock": ["clock_face", "regular_clock"],
        "distances": ["profile"],
        "families": ["bases_and_lengths"],
        "formula": ["table"],
        "grids": ["nearness"],
        "learning": ["head_in_training"],
        "long_context": ["growing_text"],
        "practice": ["match_table"],
        "rendering": ["to_png"],
        "rotary": ["turned_hands"],
        "rotation": ["unit_circles"],
        "shifting": ["doubling"],
    },
)
