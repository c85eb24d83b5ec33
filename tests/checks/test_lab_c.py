"""The exercise of lab C, *Methods, tasks and lengths*."""

import numpy as np

from posenc.attention import softmax
from posenc.checks import lab_c

from .answers import told


def row_by_row(scores, slope, scale=1):
    weights = np.zeros(scores.shape)
    for n, row in enumerate(scores, 1):
        weights[n - 1, :n] = softmax(scale * (row[:n] + slope * np.arange(n)))
    return weights


def masked_in_place(scores, slope):
    n = len(scores)
    scores = scores - slope * abs(np.subtract.outer(range(n), range(n)))
    scores[np.triu_indices(n, 1)] = -np.inf
    return softmax(scores)


ANSWERS = {
    lab_c.repaired_alibi: {
        "right": [row_by_row, masked_in_place],
        "wrong": {"share": lambda *x: row_by_row(*x, 2)},
    },
    lab_c.repaired_alibi.evidence: {"right": [0], "wrong": {"if all scores are equal?": 3}},
}

test_answers = told(ANSWERS)
