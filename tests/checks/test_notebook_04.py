"""The exercises of notebook 4."""

import cmath
import math

import numpy as np
import pytest
import sympy

from posenc import checks
from posenc.shifts import (
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
)

from .exercise_laws import feedback_of, hold, is_blank, is_right, is_wrong


def from_a_slow_pair(matrix, frequencies):
    angles = np.arctan2(np.diag(matrix, 1)[::2], np.diag(matrix)[::2])
    return (angles / frequencies)[0]


def by_complex_number(matrix, frequencies):
    return cmath.phase(complex(matrix[1][1], matrix[0][1])) / frequencies[0]


def by_signed_cosine(matrix, frequencies):
    sign = 1 if matrix[0, 1] >= 0 else -1
    return sign * math.acos(max(-1, min(1, matrix[0, 0]))) / frequencies[0]


def from_the_lower_row(matrix, frequencies):
    return -np.arctan2(matrix[1, 0], matrix[1, 1]) / frequencies[0]


def by_trying(matrix, frequencies):
    candidates = np.linspace(-3, 3, 240_001)
    angles = frequencies[0] * candidates
    errors = np.abs(np.cos(angles) - matrix[0, 0]) + np.abs(np.sin(angles) - matrix[0, 1])
    return candidates[errors.argmin()]


def test_offset_of():
    hold(
        checks.offset_of,
        right=[
            from_a_slow_pair,
            by_complex_number,
            by_signed_cosine,
            from_the_lower_row,
            by_trying,
            lambda m, w: sympy.Float(math.atan2(m[0, 1], m[0, 0]) / w[0]),
        ],
        wrong=[
            (
                lambda m, w: next((x for x in range(-3, 4) if np.cos(w[0] * x) == m[0, 0]), None),
                "be whole",
            ),
            (lambda m, w: np.arccos(m[0, 0]) / w[0], "The sign is lost"),
            (lambda m, w: np.arccos(np.trace(m[:2, :2]) / 2) / w[0], "The sign is lost"),
            (lambda m, w: np.arcsin(m[0, 1]) / w[0], "beyond ±π/2, a quarter turn"),
            (lambda m, w: np.arcsin(m[1, 0]) / w[0], "you took the sine that has the minus"),
            (lambda m, w: np.arctan(m[0, 1] / m[0, 0]) / w[0], "`arctan` of a quotient"),
            (lambda m, w: np.arctan2(m[1, 0], m[0, 0]) / w[0], "The sign is reversed"),
            (lambda m, w: np.arctan2(m[0, 0], m[0, 1]) / w[0], "Sine and cosine are exchanged"),
            (lambda m, w: np.arctan2(m[0, 1], m[0, 0]), "That is the angle. Divide"),
            (lambda m, w: np.arctan2(m[0, 1], m[0, 0]) * w[0], "angle times the frequency"),
            (lambda m, w: np.arctan2(m[0, 1], m[0, 0]) / w[-1], "by the frequency of the slowest"),
            (lambda m, w: np.arctan2(m[-2, -1], m[-1, -1]), "the angle of the slowest pair"),
            (lambda m, w: np.degrees(np.arctan2(m[0, 1], m[0, 0])) / w[0], "in degrees"),
            (lambda m, w: round(np.arctan2(m[0, 1], m[0, 0]) / w[0]), "do not round it"),
            (lambda m, w: np.arctan2(m[0, 1], m[0, 0]) % (2 * np.pi) / w[0], "may be negative"),
            (lambda m, w: m[0, 1] / w[0], "That is the sine"),
            (lambda m, w: math.acos(m[0, 0] + 1e-12) / w[0], "raises `ValueError: math domain"),
            (lambda m, w: np.arctan2(m[::2, 1::2], m[::2, ::2]) / w, "shape"),
            (lambda m, w: np.arccos(m[0, 0] * 2) / w[0], "NaN"),
            (lambda m, w: int(np.arctan2(m[0, 1], m[0, 0]) / w[0]), "cut off"),
            (lambda m, w: None if m[0, 1] < 0 else by_signed_cosine(m, w), "Does every way"),
            (lambda m, w: shift_matrix(w, 1) @ m, "shape"),
        ],
    )


def phases(angle):
    return [math.sin(angle), math.cos(angle)]


def complex_square(pair):
    number = complex(pair[1], pair[0]) ** 2
    return [number.imag, number.real]


def by_its_own_rotation(pair):
    sine, cosine = pair
    return np.array([[cosine, sine], [-sine, cosine]]) @ pair


def in_two_steps(pair):
    pair = list(pair)
    pair[0] = 2 * pair[0] * pair[1]
    pair[1] = pair[1] ** 2 - pair[0] ** 2
    return pair


def test_double():
    hold(
        checks.double,
        right=[
            complex_square,
            lambda p: tuple(phases(2 * math.atan2(p[0], p[1]))),
            by_its_own_rotation,
            lambda p: [2 * p[0] * p[1], 1 - 2 * p[0] ** 2],
            lambda p: np.float32(complex_square(p)),
            lambda p: sympy.Matrix([2 * p[0] * p[1], 2 * p[1] ** 2 - 1]).T.tolist()[0],
        ],
        wrong=[
            (lambda p: np.array([[p[1], -p[0]], [p[0], p[1]]]) @ p, "it turns back"),
            (lambda p: np.array([[0.1, 0.2], [0.3, 0]]) @ p, "Can one and the same matrix"),
            (lambda p: p + p, "a vector of length 2"),
            (lambda p: [p[0] * p[1], 1 - 2 * p[0] ** 2], "The factor 2 of the sine"),
            (lambda p: [2 * p[0] * p[1], p @ p], "is 1 whatever the angle is"),
            (lambda p: [2 * p[0] * p[1], 1 - 2 * p[1] ** 2], "cosine has its sign reversed"),
            (lambda p: [-2 * p[0] * p[1], 2 * p[1] ** 2 - 1], "sine has its sign reversed"),
            (lambda p: complex_square(p)[::-1], "in each other's place"),
            (lambda p: [p[0] ** 2 - p[1] ** 2, 2 * p[0] * p[1]], "which of its parts"),
            (lambda p: [p[0] ** 2, p[1] ** 2], "squared by itself"),
            (lambda p: phases(2 * math.asin(p[0])), "`arcsin` never"),
            (lambda p: phases(2 * math.acos(p[1])), "`arccos` never"),
            (lambda p: p.copy(), "returns the pair as it was given"),
            (lambda p: [np.sin(2 * p[0]), np.cos(2 * p[1])], "sine and cosine of them"),
            (in_two_steps, "from the new sine"),
            (lambda p: [0.0, 1.0], "It returns (0, 1), position 0, whatever"),
            (lambda p: [3 * p[0], p[1]], "sine² + cosine² of what it returns"),
            (lambda p: 2 * p[0] * p[1], "should be"),
            (lambda p: [math.sqrt(1 - p[1] ** 2), p[1]], "and twice that is"),
            (lambda p: phases(2 * math.atan(p[0] / p[1]) + 0.1), "and twice that is"),
            (lambda p: np.round(complex_square(p), 2), "rounded to 2 decimals"),
            (lambda p: [2 * p[0] ^ 2, p[1]], "`^` is not a power"),
        ],
    )


def packed(x, w, o, signs=(1, -1)):
    """The function of the statement, with its two signs."""
    sines, cosines = np.sin(w * o), np.cos(w * o)
    shifted = np.empty(x.shape)
    shifted[:, 0::2] = cosines * x[:, 0::2] + signs[0] * sines * x[:, 1::2]
    shifted[:, 1::2] = signs[1] * sines * x[:, 0::2] + cosines * x[:, 1::2]
    return shifted


def overwriting(x, w, o):
    shifted = x.copy()
    for k in range(len(w)):
        sine, cosine = math.sin(w[k] * o), math.cos(w[k] * o)
        shifted[:, 2 * k] = cosine * shifted[:, 2 * k] + sine * shifted[:, 2 * k + 1]
        shifted[:, 2 * k + 1] = cosine * shifted[:, 2 * k + 1] - sine * shifted[:, 2 * k]
    return shifted


def exchanged(x, w, o):
    right = packed(x, w, o)
    return np.dstack([right[:, 1::2], right[:, 0::2]]).reshape(x.shape)


def into_the_input(x, w, o):
    x[:] = packed(x, w, o)
    return x


def numbers_by_numbers(encoding, frequencies, offset):
    result = []
    for row in encoding:
        new = []
        for k, frequency in enumerate(frequencies):
            angle = math.atan2(row[2 * k], row[2 * k + 1]) + frequency * offset
            new += phases(angle)
        result.append(new)
    return result


def into_integers(x, w, o):
    shifted = np.zeros_like(x, dtype=int)
    shifted[:] = packed(x, w, o)
    return shifted


def test_repaired_shift():
    hold(
        checks.repaired_shift,
        right=[
            packed,
            shift_by_packing,
            shift_by_matrix,
            numbers_by_numbers,
            lambda x, w, o: packed(x, w, -o, (-1, 1)),
            lambda x, w, o: np.float32(shift_by_phase(x, w, o)).tolist(),
        ],
        wrong=[
            (lambda x, w, o: x @ shift_matrix(w, o), "they need its transpose"),
            (lambda x, w, o: shift_by_phase(x, w, abs(o)), "An offset may be negative"),
            (lambda x, w, o: packed(x, w, o, (-1, 1)), "The bug is still there"),
            (lambda x, w, o: packed(x, w, o, (1, 1)), "The line of the sines is right now"),
            (lambda x, w, o: packed(x, w, o, (-1, -1)), "The line of the cosines is right now"),
            (overwriting, "already replaced"),
            (exchanged, "The two columns of each pair are exchanged"),
            (lambda x, w, o: x.copy(), "as it was given"),
            (into_the_input, "changes its input"),
            (lambda x, w, o: packed(x, w, 1), "the offset is left out"),
            (
                lambda x, w, o: packed(x, 10_000.0 ** (-np.arange(len(w)) / len(w)), o),
                "base 10 000",
            ),
            (lambda x, w, o: packed(x, w, o) / 2, "the length of no row"),
            (into_integers, "The decimals are cut off"),
            (lambda x, w, o: x @ shift_matrix(w, o), "The bug is still there"),
            (lambda x, w, o: shift_matrix(w, o) @ x, "raises `ValueError"),
            (lambda x, w, o: shift_matrix(w, o) @ x.T, "exchanged"),
            (lambda x, w, o: packed(x, w, 2 * o), "should be"),
            (lambda x, w, o: np.round(packed(x, w, o), 4), "rounded to 4 decimals"),
            (
                lambda offset, frequencies, encoding: packed(encoding, frequencies, offset),
                "in this",
            ),
        ],
    )


def test_the_evidence_of_repaired_shift():
    exercise = checks.repaired_shift
    for right in (-100, -100.0, np.int64(-100), sympy.Integer(-100)):
        is_right(exercise, packed, right)
    for wrong, words in [
        (100, "what it is asked for"),
        (-200, "from where it should be"),
        (0, "It does move the rows"),
        (-99, "too large"),
        ("backwards", "the text 'backwards'"),
        (packed, "a value of type `function`"),
        ([1, 2], "shape (2,)"),
    ]:
        told = is_wrong(exercise, packed, wrong)
        assert told.startswith("`repaired_shift` is right. ")
        assert words in told
    buggy = exercise.mistakes and next(iter(exercise.mistakes.values()))
    assert "still there" in is_wrong(exercise, buggy, -100)
    assert "still there" in is_wrong(exercise, buggy, ...)
    is_blank(exercise, ..., ...)
    assert "Still wanted: `really`" in feedback_of(exercise, packed, ...).message
    assert "Still wanted: `repaired_shift`" in feedback_of(exercise, ..., -100).message
    assert "what it is asked for" in is_wrong(exercise, ..., 100)
    # What the buggy function does is what the evidence says.
    rows = np.random.default_rng(0).normal(size=(3, 8))
    frequencies = np.array([1, 0.1, 0.01, 0.001])
    assert np.allclose(buggy(rows, frequencies, 100), shift_by_swapping(rows, frequencies, -100))


def pairs(row):
    return row[1::2] + 1j * row[0::2]


def up_to(greatest, least=-2000):
    """Return an answer that tries all offsets from the least to the greatest."""

    def best(a, b, frequencies):
        between = pairs(b) * pairs(a).conj()
        return max(
            range(least, greatest + 1),
            key=lambda offset: np.real(np.exp(-1j * frequencies * offset) @ between),
        )

    return best


by_all_offsets = up_to(2000)


def from_slow_to_fast(a, b, frequencies):
    angles = np.angle(pairs(b) * pairs(a).conj())
    offset = 0
    for angle, w in zip(angles[::-1], frequencies[::-1]):
        offset = (angle + 2 * np.pi * np.round((w * offset - angle) / (2 * np.pi))) / w
    return int(np.round(offset))


def by_shifting(a, b, frequencies):
    errors = [
        np.linalg.norm(shift_by_phase(a[None], frequencies, o)[0] - b) for o in range(-2000, 2001)
    ]
    return int(np.argmin(errors)) - 2000


def by_a_table(a, b, frequencies):
    offsets = np.arange(-2000, 2001)
    angles = np.outer(offsets, frequencies)
    moved = np.empty((len(offsets), len(a)))
    moved[:, 0::2] = np.cos(angles) * a[0::2] + np.sin(angles) * a[1::2]
    moved[:, 1::2] = np.cos(angles) * a[1::2] - np.sin(angles) * a[0::2]
    return float(offsets[((moved - b) ** 2).sum(axis=1).argmin()])


def with_python_only(a, b, frequencies):
    offset = 0.0
    for k in reversed(range(len(frequencies))):
        w = frequencies[k]
        angle = math.atan2(b[2 * k], b[2 * k + 1]) - math.atan2(a[2 * k], a[2 * k + 1])
        error = (angle - w * offset + math.pi) % math.tau - math.pi
        offset += error / w
    return round(offset)


def difference(a, b, k=slice(None)):
    return np.angle(pairs(b) * pairs(a).conj())[k]


def by_norms(a, b, frequencies, least=0):
    offsets = np.arange(least, 2001)
    distances = 2 * np.sqrt((np.sin(np.outer(offsets, frequencies) / 2) ** 2).sum(axis=1))
    return np.abs(distances - np.linalg.norm(a - b)).argmin() + least


def test_offset_between():
    hold(
        checks.offset_between,
        right=[by_all_offsets, from_slow_to_fast, by_shifting, by_a_table, with_python_only],
        wrong=[
            (
                lambda a, b, w: math.floor(difference(a, b, -1) / w[-1]),
                "The slowest pair alone says",
            ),
            (lambda a, b, w: 7 * from_slow_to_fast(a, b, w), "The slowest pair says it roughly"),
            (up_to(2000, 0), "do you look at negative offsets, too?"),
            (lambda a, b, w: by_norms(a, b, w, -2000), "cannot tell which comes first"),
            (up_to(1999), "Do your offsets end before it"),
            (
                lambda a, b, w: from_slow_to_fast(a, b, w) - 9000 * (len(a) == 12),
                "a whole turn off",
            ),
            (
                lambda a, b, w: from_slow_to_fast(a, b, w) - 12 * (len(a) == 16),
                "the frequencies are others",
            ),
            (up_to(1999), "where 2000 should be"),
            (lambda a, b, w: from_slow_to_fast(b, a, w), "That is s − t"),
            (lambda a, b, w: abs(from_slow_to_fast(a, b, w)), "The sign is lost"),
            (lambda a, b, w: round(difference(a, b, 0) / w[0]), "the fastest pair alone"),
            (lambda a, b, w: round(difference(a, b, -1) / w[-1]), "the slowest pair alone"),
            (lambda a, b, w: round(np.mean(difference(a, b) / w)), "take the mean"),
            (lambda a, b, w: round(np.median(difference(a, b) / w)), "take the median"),
            (
                lambda a, b, w: from_slow_to_fast(a, b, 1e4 ** (-np.arange(len(w)) / len(w))),
                "It returns",
            ),
            (lambda a, b, w: by_all_offsets(a, b, 1e4 ** (-np.arange(len(w)) / len(w))), "base 10"),
            (
                lambda a, b, w: from_slow_to_fast(
                    a.reshape(-1, 2)[:, ::-1].ravel(), b.reshape(-1, 2)[:, ::-1].ravel(), w
                ),
                "That is s − t",
            ),
            (by_norms, "do you look at negative offsets, too?"),
            (lambda a, b, w: from_slow_to_fast(a, b, w) + 0.25, "Round it"),
            (lambda a, b, w: from_slow_to_fast(a, b, w) - 1, "nearly right"),
            (lambda a, b, w: difference(a, b), "shape"),
            (lambda a, b, w: b - a, "shape"),
            (lambda a, b, w: np.arccos(a @ b), "NaN"),
            (lambda a, b, w: max(0, from_slow_to_fast(a, b, w)), "It returns 0"),
            (lambda a, b, w: from_slow_to_fast(a, b, w[::-1]), "It returns"),
            (lambda b, a, frequencies: from_slow_to_fast(a, b, frequencies), "in this order"),
        ],
    )


@pytest.mark.parametrize("case", checks.offset_between.tried, ids=lambda case: case.label)
def test_the_noise_leaves_every_offset_readable(case):
    a, b, frequencies = case.arguments
    s, t = (int(word) for word in case.label.split() if word.isdigit())
    assert by_a_table(a, b, frequencies) == t - s
    assert abs(t - s) <= 2000
    # Half a turn of the slowest pair is far more than the largest offset, and the ratio of
    # neighboring pairs is small against π divided by the noise of an angle, 0.07.
    assert np.pi / frequencies[-1] > 2 * 2000
    assert frequencies[0] / frequencies[1] < np.pi / (5 * 0.07)
