"""The exercise of lab A, *Codes and noise*."""

import numpy as np

from posenc.checks import lab_a
from posenc.encodings import binary, sinusoidal

from .asking import told

ANSWERS = {
    lab_a.fooled: {
        "right": [([1, 0], [[1, 0], [2, 0]]), [np.array([0.9, 0.1, 0]), binary(8)]],
        "wrong": {
            "differ by rounding only": ([1, 1], [[1, 1], [2 + 1e-12, 0]]),
            "distance is 1.414, that of row 1 1.8.": ([2, 2], [[3, 3], [2, 0.2]]),
            "exchanged: `received` comes first": ([[1, 0], [2, 0]], [1, 0]),
            "All rows have one length here": (sinusoidal(9, 8)[4], sinusoidal(9, 8)),
            "at least two rows": ([1, 0], [[1, 0]]),
            "each as wide as `received`": ([1, 0, 0], [[1, 0], [2, 0]]),
            "something else than a pair": [1, 0, 2],
            "not finite": ([1, np.inf], [[1, 0], [2, 0]]),
            "are equally near to `received`": ([1, 0], [[0, 0], [2, 0]]),
            "uneven rows": ([1, 0], [[1, 0], [2]]),
        },
    },
}

test_answers = told(ANSWERS)
