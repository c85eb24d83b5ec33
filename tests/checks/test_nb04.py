"""The exercises of notebook 4, *A shift is a rotation*."""

import cmath
import math
import re

import numpy as np
import pytest

from posenc.checks import nb04
from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.shifts import shift_by_matrix, shift_by_phase, shift_by_swapping

from .asking import told


def by_complex_number(matrix, frequencies):
    return cmath.phase(complex(matrix[1][1], matrix[0][1])) / frequencies[0]


def by_signed_cosine(matrix, frequencies):
    sign = 1 if matrix[0, 1] >= 0 else -1
    return sign * math.acos(max(-1, min(1, matrix[0, 0]))) / frequencies[0]


def phases(angle):
    return [math.sin(angle), math.cos(angle)]


def complex_square(pair):
    number = complex(pair[1], pair[0]) ** 2
    return [number.imag, number.real]


def test_what_the_buggy_function_does_is_what_the_evidence_says():
    buggy = next(iter(nb04.repaired_shift.mistakes.values()))
    rows = np.random.default_rng(0).normal(size=(3, 8))
    frequencies = np.array([1, 0.1, 0.01, 0.001])
    assert np.allclose(buggy(rows, frequencies, 100), shift_by_swapping(rows, frequencies, -100))


def pairs(row):
    return row[1::2] + 1j * row[0::2]


def up_to(greatest, least=-2000):
    """Return an answer that tries all offsets from the least to the greatest."""

    def best(a, b, frequencies):
        between = pairs(b) * pairs(a).conj()
        offsets = np.arange(least, greatest + 1)
        return offsets[np.argmax((np.exp(-1j * np.outer(offsets, frequencies)) @ between).real)]

    return best


def with_python_only(a, b, frequencies):
    offset = 0.0
    for k in reversed(range(len(frequencies))):
        w = frequencies[k]
        angle = math.atan2(b[2 * k], b[2 * k + 1]) - math.atan2(a[2 * k], a[2 * k + 1])
        error = (angle - w * offset + math.pi) % math.tau - math.pi
        offset += error / w
    return round(offset)


@pytest.mark.parametrize("case", nb04.offset_between.all_cases, ids=lambda case: case.label)
def test_the_noise_leaves_every_offset_readable(case):
    a, b, frequencies = case.arguments
    s, t = map(int, re.findall(r"-?\d+", case.label)[:2])
    shifted = [shift_by_phase(a[None], frequencies, offset)[0] for offset in (t - s, t - s + 1)]
    assert np.argmin([np.linalg.norm(row - b) for row in shifted]) == 0
    assert up_to(2000)(a, b, frequencies) == t - s
    # Half a turn of the slowest pair is far more than the largest offset, and the ratio of
    # neighboring pairs is small against π divided by the noise of an angle, 0.07.
    assert np.pi / frequencies[-1] > 2 * 2000
    assert frequencies[0] / frequencies[1] < np.pi / (5 * 0.07)


ANSWERS = {
    nb04.repaired_shift.evidence: {
        "right": [-100, np.float64(-100)],
        "wrong": {"Your answer is -99: too large by one": -99, "not an angle or a mean": -99.5},
    },
    nb04.offset_of: {
        "right": [by_complex_number, by_signed_cosine],
        "wrong": {
            "it returns 0.5, where -0.5": lambda m, w: (
                by_complex_number(m, w) + (by_complex_number(m, w) < 0)
            ),
            "more than a quarter turn": lambda m, w: min(by_complex_number(m, w), 2.6),
            "For offset 0, it returns 0.001": lambda m, w: by_complex_number(m, w) + 0.001,
        },
    },
    nb04.double: {
        "right": [complex_square, lambda p: tuple(phases(2 * math.atan2(p[0], p[1])))],
        "wrong": {
            "sine² + cosine² should be 1": lambda p: np.array([[0.1, 0.2], [0.3, 0]]) @ p,
            "That is the pair at the angle": lambda p: phases(2 * math.atan(p[0] / p[1]) + 0.1),
        },
    },
    nb04.repaired_shift: {
        "right": [shift_by_matrix, lambda x, w, o: shift_by_phase(x, w, o).tolist()],
        "wrong": {
            "It builds a table that begins with position 3": lambda x, w, o: fourier_features(
                o + np.arange(len(x)), w
            ),
            "the length of no row": lambda x, w, o: 0.9 * shift_by_swapping(x, w, o),
            "For width 4 and offset 0": lambda x, w, o: shift_by_swapping(x, w, o + 0.5)[::-1],
        },
    },
    nb04.offset_between: {
        "right": [up_to(2000), with_python_only],
        "wrong": {
            "not for positions 7000 and 5003": up_to(2000, 0),
            "The sign is wrong": lambda a, b, w: 1 - with_python_only(a, b, w),
            "an early end or noise may": up_to(1999),
            "differ by more than half a turn": lambda a, b, w: (
                with_python_only(a, b, w) - round(2 * np.pi / w[-1]) * (len(a) == 12)
            ),
            "comes out for base 10 000": lambda a, b, w: up_to(2000)(
                a, b, angular_frequencies(2 * len(w))
            ),
            "a list that begins with −2000": lambda a, b, w: with_python_only(a, b, w) + 2000,
            "Here it is nearly right": lambda a, b, w: with_python_only(a, b, w) + 0.25,
            "From the slowest hand to the fastest": lambda a, b, w: 7 * with_python_only(a, b, w),
        },
    },
}

test_answers = told(ANSWERS)
