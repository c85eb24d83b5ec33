"""The exercises of notebook 9, *From adding to turning*."""

import numpy as np

from posenc.checks import nb09
from posenc.encodings import encode
from posenc.rotary import apply_rotary
from posenc.shifts import rotation, shift_matrix

from .answers import told


def scores(query, key, frequencies, offsets):
    result = []
    for offset in offsets:
        score = query[2 * len(frequencies) :] @ key[2 * len(frequencies) :]
        for k, frequency in enumerate(frequencies):
            pair = slice(2 * k, 2 * k + 2)
            score += rotation(frequency, offset) @ query[pair] @ key[pair]
        result.append(score)
    return result


def by_matrix(vectors, frequencies, positions):
    return [shift_matrix(frequencies, t) @ row for t, row in zip(positions, vectors)]


def both(frequencies, near, far, louder=1.0):
    query, *keys = encode([0, near, far], frequencies)
    return np.array([query, louder * keys[0] + keys[1]])


ANSWERS = {
    nb09.score_curve: {
        "right": [scores],
        "wrong": {
            "At offset 1 your score is 3,": lambda q, *rest: np.array(scores(q, *rest), q.dtype),
            "where 6 numbers should be": lambda q, x, w, r: scores(q, x, w, r[1:]),
        },
    },
    nb09.repaired_turn: {
        "right": [by_matrix],
        "wrong": {
            "A turn keeps lengths": lambda v, w, p: 2 * apply_rotary(v, w, positions=p),
            "not for base 50": lambda v, w, p: apply_rotary(v, w, positions=p // 1),
        },
    },
    nb09.repaired_turn.evidence: {"right": [1.41, 2**0.5], "wrong": {"make of (0, 1)?": 1.5}},
    nb09.two_places: {
        "right": [both, lambda w, near, far: both(-w, -near, -far) * [[5.0], [1]]],
        "wrong": {
            "at 12, 234.1 at 120, and up to": lambda w, n, f: both(w, n, f, louder=1.1),
            "at 12 + 120": lambda w, n, f: encode([0, n + f], w),
            "in the middle": lambda w, n, f: encode([0, (n + f) / 2], w),
        },
    },
}

test_answers = told(ANSWERS)
