"""The exercises of notebook 8, *Let a head learn*."""

import math

import numpy as np
import pytest

from posenc.checks import nb08
from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.shifts import rotation

from .asking import told

W32 = angular_frequencies(32)


TURNS, STRENGTHS = np.array([0.72, 0.70, 0.07, 0.5]), [5, 5, 5, 0.01]
SCORES = np.cos(np.outer(range(31), angular_frequencies(8)) - TURNS) @ STRENGTHS


def test_looks_back():
    ranked = np.sort(SCORES)
    assert ranked[-1] - ranked[-2] > 0.1  # far more than rounding


def bases(width):
    """Return for each layout an orthonormal basis of its family."""
    half = width // 2
    for pairs in ([(2 * k, 2 * k + 1) for k in range(half)], [(k, k + half) for k in range(half)]):
        basis = np.zeros((2 * half, width, width))
        for k, (i, j) in enumerate(pairs):
            basis[2 * k, [i, j], [i, j]] = math.sqrt(0.5)
            basis[2 * k + 1, [i, j], [j, i]] = math.sqrt(0.5), -math.sqrt(0.5)
        yield basis


def by_projection(W):
    """Project onto a basis of either family; of two projections the longer one is nearer."""
    parts = [np.einsum("b,bij->ij", np.tensordot(basis, W), basis) for basis in bases(len(W))]
    return max(parts, key=lambda part: (part**2).sum())


def by_averaging(W):
    """Average over quarter turns of all pairs, and leave the blocks."""
    half, parts = len(W) // 2, []
    for spread in (lambda x: np.kron(np.eye(half), x), lambda x: np.kron(x, np.eye(half))):
        quarter = spread([[0, 1], [-1, 0]])
        parts.append((W + quarter.T @ W @ quarter) / 2 * spread(np.ones((2, 2))))
    return min(parts, key=lambda part: np.linalg.norm(W - part)).tolist()


def from_strengths(strengths, offset, frequencies):
    W = np.zeros((2 * len(frequencies),) * 2)
    for k, (r, w) in enumerate(zip(strengths, frequencies)):
        W[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = r * rotation(w, offset)
    return W


def slow_alone(frequencies, offset):
    return from_strengths(frequencies <= np.pi / 60, offset, frequencies)


def falling(frequencies, offset):
    return from_strengths(
        np.where(frequencies * 60 <= np.pi, frequencies**0.5, 0), offset, frequencies
    )


@pytest.mark.parametrize("case", nb08.recent_head.all_cases, ids=lambda case: case.label)
def test_the_steps_of_the_solution_are_far_above_rounding(case):
    frequencies, offset = case.arguments
    pe = fourier_features(range(161), frequencies)
    scores = pe[-1] @ slow_alone(frequencies, offset) @ pe[::-1].T
    assert scores.argmax() == offset
    assert np.diff(scores)[offset : offset + 60].max() < -1e-7 * np.ptp(scores)


ANSWERS = {
    nb08.looks_back: {
        "right": [SCORES.argmax(), round(0.7 / 0.1)],
        "wrong": {"a whole number is wanted. The loud pairs": 0.73, "(31,)": SCORES},
    },
    nb08.offset_part: {
        "right": [by_projection, by_averaging],
        "wrong": {
            "in pairs and is not the nearest": lambda W: by_projection(W) * (len(W) < 6),
            "It belongs to neither family": lambda W: W**2,
            "Decimals are cut off": lambda W: np.array(by_averaging(W)).astype(W.dtype),
        },
    },
    nb08.recent_head: {
        "right": [falling, lambda w, n: (1e6 * slow_alone(w, n)).tolist()],
        "wrong": {
            "the one 4 back has the largest score; 3 is wanted": lambda w, n: slow_alone(
                w, n + 1.01
            ),
            "outside of the fam": lambda w, n: slow_alone(w, n) + 0.01 * np.eye(2 * len(w), k=2),
            "All scores are equal": lambda w, n: np.zeros((2 * len(w),) * 2),
            "It looks 3 ahead": lambda w, n: slow_alone(w, -n),
            "has no lower score": lambda w, n: from_strengths(w <= 0.2, n, w),
        },
    },
}

test_answers = told(ANSWERS)
