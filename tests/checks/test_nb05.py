"""The exercises of notebook 5, *Five ways to shift*."""

import numpy as np

from posenc.checks import nb05
from posenc.encodings import encode
from posenc.shifts import packed_factors, rotation, shift_matrix

from .answers import told


def by_packed_factors(encoding, frequencies, offset):
    sines, cosines = np.split(encoding, 2, axis=1)
    return np.hstack([f * sines + g * cosines for f, g in packed_factors(frequencies, offset)])


def one_by_one(row, frequencies, length, steps=-1):
    pairs = np.reshape(row, (-1, 2))
    rows = [
        [rotation(w, steps * n) @ pair for w, pair in zip(frequencies, pairs)]
        for n in range(length)[::-1]
    ]
    return np.reshape(rows, (length, -1))


def least_squares(frequencies, offset, positions):
    moved = encode(np.add(positions, offset), frequencies)
    return np.linalg.lstsq(encode(positions, frequencies), moved)[0].T


def nearly_right(frequencies, offset, positions):
    right = shift_matrix(frequencies, offset)
    return right + (least_squares(frequencies, offset, positions) - right) / 1000


def one_column_off(frequencies, offset, positions):
    return shift_matrix(frequencies, offset) + 999 * (np.arange(2 * len(frequencies)) == 0)


ANSWERS = {
    nb05.grow_back: {
        "right": [one_by_one, lambda *given: one_by_one(*given).tolist()],
        "wrong": {
            "row 0 should be that of position t − 1": lambda *given: one_by_one(*given, -2),
            "should be the one that's given": lambda *given: one_by_one(*given) + 1,
        },
    },
    nb05.shift_halves: {
        "right": [by_packed_factors, lambda *given: by_packed_factors(*given).tolist()],
        "wrong": {"and offset -2.5. It": lambda x, w, o: by_packed_factors(x, w, abs(o))},
    },
    nb05.impostor: {
        "right": [least_squares],
        "wrong": {
            "At position 2, which is tested, it's off": one_column_off,
            "It passes, but it's no impostor": nearly_right,
        },
    },
}

test_answers = told(ANSWERS)
