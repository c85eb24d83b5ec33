"""The course's interactive Altair charts, one function a chart, one module a notebook.

Every chart computes what it draws in the reader's browser, from sliders alone, so that it
lives in a static page as well as in JupyterLab. Each function returns an ``altair.Chart`` (or
charts in layers or side by side) with a ``description``, which becomes the alternative text.
"""

from posenc.charts.binary import next_row, odometer, two_sums
from posenc.charts.clock import clock_face, hands_in_a_text, regular_clock
from posenc.charts.curves import fitted_curve
from posenc.charts.distances import chord, falling, walk
from posenc.charts.formula import table
from posenc.charts.grids import patches
from posenc.charts.heads import wall_of_heads
from posenc.charts.learning import head_in_training, moved_scores, shy_head, tune_head
from posenc.charts.lengths import head_rings
from posenc.charts.long_context import longer_text
from posenc.charts.noise import misread_rows
from posenc.charts.positions import find_position, name_row
from posenc.charts.practice import match_table
from posenc.charts.rendering import to_png
from posenc.charts.rotary import turned_hands, turned_pair, two_ways
from posenc.charts.rotation import score_map, shift_blocks, turned_dial, unit_circles
from posenc.charts.sentences import asking_words, moving_sentence, score_terms
from posenc.charts.shifting import doubling, order_of_work, shifted_table, sorted_products
from posenc.charts.words import drowned_words, swapped_words

__all__ = [
    "asking_words",
    "chord",
    "clock_face",
    "doubling",
    "drowned_words",
    "falling",
    "find_position",
    "fitted_curve",
    "hands_in_a_text",
    "head_in_training",
    "head_rings",
    "longer_text",
    "match_table",
    "misread_rows",
    "moved_scores",
    "moving_sentence",
    "name_row",
    "next_row",
    "odometer",
    "order_of_work",
    "patches",
    "regular_clock",
    "score_map",
    "score_terms",
    "shift_blocks",
    "shifted_table",
    "shy_head",
    "sorted_products",
    "swapped_words",
    "table",
    "to_png",
    "tune_head",
    "turned_dial",
    "turned_hands",
    "turned_pair",
    "two_sums",
    "two_ways",
    "unit_circles",
    "walk",
    "wall_of_heads",
]
