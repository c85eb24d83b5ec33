"""The exercises of notebook 5, *Five ways to shift*."""

import math

import numpy as np

from posenc.checks import nb05
from posenc.encodings import encode
from posenc.shifts import packed_factors, shift_by_phase, shift_by_swapping, shift_matrix

from .answers import told


def by_packed_factors(encoding, frequencies, offset):
    sines, cosines = np.split(encoding, 2, axis=1)
    return np.hstack([f * sines + g * cosines for f, g in packed_factors(frequencies, offset)])


def compared(matrix, w, offset):
    return np.abs(matrix - shift_matrix(w, offset)).max() <= 1e-6


def at(positions, matrix, w, offset):
    moved = encode(positions, w) @ matrix.T
    return np.abs(moved - encode(np.add(positions, offset), w)).max() < 1e-7


ANSWERS = {
    nb05.three_turns: {"right": [120, [120]], "wrong": {"Your answer is 968. Each of ten": 968}},
    nb05.shift_concatenated: {
        "right": [by_packed_factors, lambda *given: by_packed_factors(*given).tolist()],
        "wrong": {"and offset -2.5. It": lambda x, w, o: by_packed_factors(x, w, abs(o))},
    },
    nb05.repaired_swap: {
        "right": [shift_by_phase, shift_by_swapping],
        "wrong": {"Every row keeps its length": lambda x, w, o: shift_by_phase(x, w, int(o))},
    },
    nb05.is_shift: {
        "right": [compared, lambda M, w, o: np.allclose(M, shift_matrix(w, o), 0, 1e-9)],
        "wrong": {
            "not for M(2.75)": lambda M, w, o: compared(M, w, int(o)),
            "and a number below": lambda M, w, o: compared(M * np.tri(len(M), k=1).T, w, o),
            "at positions −300": lambda *given: at(range(500), *given),
            "up to 1e8": lambda *given: at(math.pi * 2.0 ** np.arange(20), *given),
            "up to 50": lambda M, w, o: at(2 * np.pi / w, M, w, o),
        },
    },
}

test_answers = told(ANSWERS)
