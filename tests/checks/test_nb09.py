"""The exercises of notebook 9, *From adding to turning*."""

import math
from fractions import Fraction

import numpy as np
import pytest

from posenc.checks import nb09
from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.rotary import apply_rotary
from posenc.shifts import rotation, shift_matrix

from .asking import told

SCORES = [
    apply_rotary([[0, 1]], [np.pi / 12], start=s) @ apply_rotary([[1, 0]], [np.pi / 12]).T
    for s in range(24)
]


def by_loop(query, key, frequencies, offsets):
    scores = []
    for r in offsets:
        score = 0.0
        for k in range(len(query) // 2):
            angle = frequencies[k] * r if k < len(frequencies) else 0.0
            q0, q1, x0, x1 = *query[2 * k : 2 * k + 2], *key[2 * k : 2 * k + 2]
            score += (q0 * x0 + q1 * x1) * math.cos(angle) + (q1 * x0 - q0 * x1) * math.sin(angle)
        scores.append(score)
    return scores


def by_package(query, key, frequencies, offsets):
    frequencies = np.pad(frequencies, (0, len(query) // 2 - len(frequencies)))
    rows = np.tile(query, (len(offsets), 1))
    return apply_rotary(rows, frequencies, positions=offsets) @ key


def rows_by_loop(vectors, frequencies, positions):
    turned = []
    for row, position in zip(vectors, positions):
        turned.append([])
        for k, frequency in enumerate(frequencies):
            turned[-1] += list(rotation(frequency, position) @ row[2 * k : 2 * k + 2])
    return turned


PRINTED = next(iter(nb09.repaired_turn.mistakes.values()))
MADE = PRINTED(np.array([[0.0, 1.0]]), np.array([np.pi / 2]), np.array([1]))


def both(frequencies, near, far, louder=(1, 1)):
    query, *keys = fourier_features([0, near, far], frequencies)
    return np.array([query, np.dot(louder, keys)])


def from_elsewhere(frequencies, near, far):
    """Begin with other hands, and turn them back."""
    query = np.random.default_rng(0).normal(size=2 * len(frequencies))
    query = np.ravel(query.reshape(-1, 2) / np.hypot(*query.reshape(-1, 2).T)[:, None])
    keys = [shift_matrix(frequencies, place) @ query for place in (near, far)]
    return query, keys[0] + keys[1]


def fast(w):
    return np.repeat(w > 0.05, 2)


@pytest.mark.parametrize("case", nb09.two_places.all_cases, ids=lambda case: case.label)
def test_the_lead_of_the_solution_is_far_above_rounding(case):
    frequencies, near, far = case.arguments
    query, key = both(frequencies, near, far)
    scores = apply_rotary(np.tile(query, (201, 1)), frequencies) @ key
    ranked = np.argsort(-scores)
    assert set(ranked[:2]) == {near, far}
    assert scores[ranked[1]] - scores[ranked[2]] > 1e-4 * scores[near]
    assert np.isclose(scores[near], scores[far])


@pytest.mark.parametrize("near", [0, 5, 60])
def test_a_sum_of_two_keys_is_refused_where_its_peaks_are_moved(near):
    frequencies = angular_frequencies(64)
    said = nb09.two_places.judge(both(frequencies, near, near + 20), frequencies, near, near + 20)
    assert f"stand at the offsets {near + 1} and {near + 19}, not" in said


@pytest.mark.parametrize("base", [500, 2_000, 10_000])
def test_two_keys_are_enough_all_over_the_places_that_the_exercise_allows(base):
    w = angular_frequencies(320, base=base)
    for near, far in ((n, f) for n in range(0, 181, 9) for f in range(n + 20, 201, 9)):
        assert nb09.two_places.judge(both(w, near, far), w, near, far) == ""


ANSWERS = {
    nb09.caught_up: {
        "right": [np.argmax(SCORES), (math.pi / 2) / (math.pi / 12)],
        "wrong": {"too large. At offset 30": 30, "(24,)": np.squeeze(SCORES)},
    },
    nb09.repaired_turn.evidence: {
        "right": [1.41, np.linalg.norm(MADE), Fraction(99, 70)],
        "wrong": {"too large. By a quarter turn": 1.5, "too small. By a quarter turn": 1.38},
    },
    nb09.score_curve: {
        "right": [by_loop, by_package],
        "wrong": {"where (3.62": lambda q, x, w, r: by_loop(q[::-1], x[::-1], w[::-1], r)},
    },
    nb09.repaired_turn: {
        "right": [rows_by_loop, lambda v, w, p: apply_rotary(v, w, positions=p)],
        "wrong": {
            "not for one pair": lambda v, w, p: apply_rotary(v, w, start=p[0]),
            "length of no row": lambda v, w, p: v * np.repeat(np.cos(np.outer(p, w)), 2, axis=1),
        },
    },
    nb09.two_places: {
        "right": [
            from_elsewhere,
            lambda w, n, f: (fast(w) * both(w, n, f) * [[1e-3], [40]]).tolist(),
        ],
        "wrong": {
            # Offsets 11 and 13 tie, and rounding says which of them is named with 12.
            "The two largest scores stand at": lambda w, n, f: both(w, n, f, (1, 0)),
            "It looks ahead": lambda w, n, f: 2 * both(w, -n, -f),
            "not 12 and 120": lambda w, n, f: both(w, n + 1, f + 1),
            "stands at 132, the sum of both": lambda w, n, f: both(w, n + f, n + f),
            "stands at 66, the middle of both": lambda w, n, f: both(w, (n + f) / 2, (n + f) / 2),
            "A vector of zeros": lambda w, n, f: np.zeros((2, 2 * len(w))),
            "score at 12 is larger": lambda w, n, f: fast(w) * both(w, n, f, (1.02, 1)),
            "score at 120 is larger": lambda w, n, f: fast(w) * both(w, n, f, (1, 1.02)),
            "the same at every offset": lambda w, n, f: np.eye(2 * len(w))[[0, 2]],
        },
    },
}

test_answers = told(ANSWERS)
