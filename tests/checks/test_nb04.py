"""The exercises of notebook 4, *A shift is a rotation*."""

import cmath

import numpy as np

from posenc.checks import nb04
from posenc.shifts import shift_by_matrix, shift_by_phase

from .answers import told


def phase(matrix, frequencies):
    return cmath.phase(complex(matrix[1][1], matrix[0][1])) / frequencies[0]


def complex_square(pair):
    square = complex(pair[1], pair[0]) ** 2
    return [square.imag, square.real]


def best(a, b, frequencies, least=-2000, greatest=2000):
    turned = (b[1::2] + 1j * b[0::2]) * (a[1::2] - 1j * a[0::2])
    offsets = np.arange(least, greatest + 1)
    return offsets[np.argmax((np.exp(-1j * np.outer(offsets, frequencies)) @ turned).real)]


ANSWERS = {
    nb04.shift_of: {
        "right": [phase, lambda m, w: np.arctan2(m[0, 1], m[1, 1]) / w[0]],
        "wrong": {"turn it by 331.4°": lambda m, w: phase(m, w) % (2 * np.pi / w[0])},
    },
    nb04.double: {
        "right": [complex_square, lambda p: np.array([2 * p[0] * p[1], 1 - 2 * p[0] ** 2])],
        "wrong": {"angle 0°. Yours is at 0°, and 2 from the circle's": lambda pair: 2 * pair},
    },
    nb04.repaired_shift: {
        "right": [shift_by_matrix, lambda *given: shift_by_phase(*given).tolist()],
        "wrong": {"keeps its length": lambda x, w, offset: shift_by_phase(x, w, abs(offset))},
    },
    nb04.offset_between: {
        "right": [best, lambda *given: [float(best(*given))]],
        "wrong": {
            "for positions 4000 and 6000": lambda *given: best(*given, greatest=1999),
            "for positions 77 and 77": lambda *given: best(*given) or 1,
        },
    },
}

test_answers = told(ANSWERS)
