"""The exercises of notebook 8, *Let a head learn*."""

import math

import numpy as np
import pytest

from posenc.checks import nb08
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.shifts import rotation

from .asking import told

W32 = angular_frequencies(32)


TURNS, STRENGTHS = np.array([0.72, 0.70, 0.07, 0.5]), [5, 5, 5, 0.01]
SCORES = np.cos(np.outer(range(31), angular_frequencies(8)) - TURNS) @ STRENGTHS


def test_looks_back():
    ranked = np.sort(SCORES)
    assert ranked[-1] - ranked[-2] > 0.1  # far more than rounding


def by_projection(W):
    """Project onto a basis of the family, one matrix after the other."""
    part = np.zeros_like(W)
    for k in range(len(W) // 2):
        for block in ([[1, 0], [0, 1]], [[0, 1], [-1, 0]]):
            basis = np.zeros_like(W)
            basis[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = np.array(block) / math.sqrt(2)
            part += (basis * W).sum() * basis
    return part


def by_averaging(W):
    """Average over quarter turns of all pairs, and leave the blocks."""
    quarter = np.kron(np.eye(len(W) // 2), [[0, 1], [-1, 0]])
    blocks = np.kron(np.eye(len(W) // 2), np.ones((2, 2)))
    return ((W + quarter.T @ W @ quarter) / 2 * blocks).tolist()


def from_strengths(strengths, offset, frequencies):
    W = np.zeros((2 * len(frequencies),) * 2)
    for k, (r, w) in enumerate(zip(strengths, frequencies)):
        W[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = r * rotation(w, offset)
    return W


def slow_alone(frequencies, offset):
    return from_strengths(frequencies <= np.pi / 60, offset, frequencies)


def bell(frequencies, offset):
    return from_strengths(np.exp(-((frequencies * 30) ** 2) / 2), offset, frequencies)


@pytest.mark.parametrize("case", nb08.recent_head.all_cases, ids=lambda case: case.label)
def test_the_steps_of_the_solution_are_far_above_rounding(case):
    frequencies, offset = case.arguments
    pe = sinusoidal(100, 2 * len(frequencies), base=1 / frequencies[1] ** len(frequencies))
    scores = pe[99] @ slow_alone(frequencies, offset) @ pe[99::-1].T
    assert scores.argmax() == offset
    assert np.diff(scores)[offset : offset + 60].max() < -1e-4


ANSWERS = {
    nb08.looks_back: {
        "right": [SCORES.argmax(), round(0.7 / 0.1)],
        "wrong": {"too small. Divide each turn": 0.72, "(31,)": SCORES},
    },
    nb08.offset_part: {
        "right": [by_projection, by_averaging],
        "wrong": {"4 of 16 numbers differ": lambda W: np.diag(W.diagonal())},
    },
    nb08.recent_head: {
        "right": [bell, lambda w, n: (1e6 * slow_alone(w, n)).tolist()],
        "wrong": {
            "stands 4 places back, where 3 is wanted": lambda w, n: slow_alone(w, n + 1.01),
            "outside of the fam": lambda w, n: slow_alone(w, n) + 0.01 * np.eye(2 * len(w), k=2),
            "has no lower score": lambda w, n: from_strengths(w <= 0.2, n, w),
        },
    },
}

test_answers = told(ANSWERS)
