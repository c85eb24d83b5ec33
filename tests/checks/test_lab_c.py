"""The exercise of lab C, *Ways, tasks and lengths*."""

import math

import numpy as np

from posenc.attention import softmax
from posenc.checks import lab_c

from .asking import told


def one_by_one(scores, slope):
    n = len(scores)
    weights = np.zeros((n, n))
    for s in range(n):
        row = [scores[s][t] - slope * (s - t) for t in range(s + 1)]
        row = [math.exp(score - max(row)) for score in row]
        weights[s, : s + 1] = [part / sum(row) for part in row]
    return weights


def cost(n, slope):
    return slope * (np.arange(n)[:, None] - np.arange(n))


def with_the_package(scores, slope, hidden=-np.inf):
    later = np.triu(np.ones(scores.shape, bool), 1)
    return softmax(np.where(later, hidden, scores - cost(len(scores), slope)))


def test_which_key_the_broken_function_prefers():
    def broken(scores, slope):
        return one_by_one(scores, -slope)

    assert broken(np.zeros((6, 6)), 0.5)[5].argmax() == 0


ANSWERS = {
    lab_c.repaired_alibi: {
        "right": [one_by_one, with_the_package],
        "wrong": {
            "not for scores near −10¹⁰": lambda s, m: with_the_package(s, m, -1e9),
            "later scores of 10¹²": lambda s, m: softmax(
                s - cost(len(s), m) - 1e9 * np.triu(np.ones_like(s), 1)
            ),
            "numbers differ": lambda s, m: with_the_package(s, m, 0),
        },
    },
    lab_c.repaired_alibi.evidence: {
        "right": [0],
        "wrong": {"too large. Print row 5": 3},
    },
}

test_answers = told(ANSWERS)
