"""The exercise of lab A, *Codes and noise*."""

import numpy as np

from posenc.checks import lab_a
from posenc.encodings import binary, sinusoidal

from .answers import told

ANSWERS = {
    lab_a.fooled: {
        "right": [([1, 0], [[1, 0], [2, 0]]), (np.array([0.9, 0.1, 0]), binary(8))],
        "wrong": {
            "All rows have one length.": (sinusoidal(9, 8)[4], sinusoidal(9, 8)),
            "equally good, but for rounding": ([1, 1], [[1, 1], [2 + 1e-12, 0]]),
        },
    }
}

test_answers = told(ANSWERS)
