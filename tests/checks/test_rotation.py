"""The exercises of notebook 04."""

import cmath
import math

import numpy as np
import sympy as sp

from posenc import checks
from posenc.shifts import (
    rotation,
    shift_by_matrix,
    shift_by_packing,
    shift_by_phase,
    shift_by_swapping,
    shift_matrix,
)

from .harness import hold, is_wrong


def turned(angle):
    """The right matrix, number by number."""
    return [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]


def as_columns(frequency, offset):
    """The pairs at a quarter wavelength and at 0, moved on."""
    quarter = math.tau / frequency / 4
    positions = [quarter + offset, offset]
    rows = [[math.sin(frequency * t), math.cos(frequency * t)] for t in positions]
    return np.transpose(rows)


def test_turn():
    hold(
        checks.turn,
        solution=lambda w, o: np.array(turned(w * o)),
        wrong=[
            (lambda w, o: np.transpose(turned(w * o)), "backwards"),
            (lambda w, o: turned(o), "The frequency is left out"),
            (lambda w, o: turned(w), "The offset is left out"),
            (lambda w, o: turned(o / w), "divides by the frequency"),
            (lambda w, o: turned(math.radians(w * o)), "degrees"),
            (lambda w, o: turned(math.tau * w * o), "2π too much"),
            (lambda w, o: np.abs(turned(w * o)) * np.sign(np.cos(w * o)), "must be the identity"),
            (
                lambda w, o: [
                    [math.cos(w * o), math.sin(w * o)],
                    [math.sin(w * o), math.cos(w * o)],
                ],
                "Both sines have a plus sign",
            ),
            (
                lambda w, o: [
                    [math.cos(w * o), math.sin(w * o)],
                    [math.sin(w * o), -math.cos(w * o)],
                ],
                "It mirrors the pair",
            ),
            (
                lambda w, o: [
                    [math.sin(w * o), math.cos(w * o)],
                    [-math.cos(w * o), math.sin(w * o)],
                ],
                "in each other's place",
            ),
            (lambda w, o: -np.array(turned(w * o)), "Every sign is the opposite"),
            (lambda w, o: [math.cos(w * o), math.sin(w * o)], "an array of shape (2,)"),
            (lambda w, o: np.eye(2), "the same whatever"),
        ],
        also_right=[
            rotation,
            as_columns,
            lambda w, o: np.float32(turned(w * o)),
            lambda w, o: sp.Matrix(turned(w * o)),
            lambda w, o: np.array([[0, 1], [-1, 0]]) * np.sin(w * o) + np.eye(2) * np.cos(w * o),
        ],
    )


def by_rows(shifted, frequencies, offset):
    """Solve a system of equations for each row."""
    matrix = shift_matrix(frequencies, offset)
    return [list(np.linalg.solve(matrix, row)) for row in np.asarray(shifted)]


def rebuilt(shifted, frequencies, offset):
    from_zero = np.arange(len(shifted))[:, None] * frequencies
    return np.stack([np.sin(from_zero), np.cos(from_zero)], axis=-1).reshape(len(shifted), -1)


def from_the_slowest_pair(shifted, frequencies, offset):
    positions = [math.atan2(*row[-2:]) / frequencies[-1] - offset for row in shifted]
    return [[f(w * t) for w in frequencies for f in (math.sin, math.cos)] for t in positions]


def stretched(table):
    return table * np.linspace(1, 2, table.shape[1])


def test_unshift():
    hold(
        checks.unshift,
        solution=lambda x, w, o: x @ shift_matrix(w, o),
        wrong=[
            (lambda x, w, o: x @ shift_matrix(w, o).T, "once more in the same direction"),
            (lambda x, w, o: x.copy(), "returns the table as it was given"),
            (lambda x, w, o: x @ shift_matrix(w, 1), "a shift of one position"),
            (lambda x, w, o: x @ shift_matrix(w, o) @ shift_matrix(w, o), "undoes the shift twice"),
            (rebuilt, "begins at position 0"),
            (from_the_slowest_pair, "off the slowest pair"),
            (lambda x, w, o: shift_matrix(w, -o) @ x.T, "as columns and leaves them so"),
            (lambda x, w, o: shift_matrix(w, o) @ x, "ValueError"),
            (lambda x, w, o: 2 * x @ shift_matrix(w, o), "by one and the same factor"),
            (lambda x, w, o: stretched(x @ shift_matrix(w, o)), "the length of no row"),
            (lambda x, w, o: (x @ shift_matrix(w, o))[0], "an array of shape (4,)"),
        ],
        also_right=[
            by_rows,
            lambda x, w, o: shift_by_matrix(x, w, -o),
            lambda x, w, o: shift_by_phase(x, w, -o),
            lambda x, w, o: (np.linalg.inv(shift_matrix(w, o)) @ x.T).T,
            lambda x, w, o: np.float32(shift_by_swapping(x, w, -o)),
        ],
    )
    assert is_wrong(checks.unshift, lambda x, w, o: shift_by_phase(x, -w, -o)).startswith(
        "Right for offset 0, but not for offset 3. "
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


def test_repaired_shift():
    hold(
        checks.repaired_shift,
        solution=packed,
        wrong=[
            (lambda x, w, o: packed(x, w, o, (-1, 1)), "The bug is still there"),
            (lambda x, w, o: packed(x, w, o, (1, 1)), "The line of the sines is right now"),
            (lambda x, w, o: packed(x, w, o, (-1, -1)), "The line of the cosines is right now"),
            (overwriting, "already replaced"),
            (exchanged, "The two columns of each pair are exchanged"),
            (lambda x, w, o: x.copy(), "as it was given"),
            (into_the_input, "changes its input"),
            (lambda x, w, o: packed(x, w, o) / 2, "by one and the same factor"),
            (lambda x, w, o: stretched(packed(x, w, o)), "the length of no row"),
        ],
        also_right=[
            shift_by_packing,
            shift_by_matrix,
            lambda x, w, o: packed(x, w, -o, (-1, 1)),
            lambda x, w, o: np.float32(shift_by_phase(x, w, o)).tolist(),
        ],
    )


def complex_square(pair):
    sine, cosine = pair
    number = complex(cosine, sine) ** 2
    return [number.imag, number.real]


def from_angle(pair):
    angle = 2 * math.atan2(pair[0], pair[1])
    return math.sin(angle), math.cos(angle)


def by_its_own_rotation(pair):
    sine, cosine = pair
    return np.array([[cosine, sine], [-sine, cosine]]) @ pair


def phases(angle):
    return [math.sin(angle), math.cos(angle)]


def wrong_square(pair):
    number = complex(*pair) ** 2
    return [number.real, number.imag]


def test_double():
    hold(
        checks.double,
        solution=lambda p: np.array([2 * p[0] * p[1], p[1] ** 2 - p[0] ** 2]),
        wrong=[
            (lambda p: p + p, "a vector of length 2"),
            (lambda p: [p[0] * p[1], 1 - 2 * p[0] ** 2], "The factor 2 of the sine"),
            (lambda p: [2 * p[0] * p[1], p @ p], "is 1 whatever the angle is"),
            (lambda p: [2 * p[0] * p[1], 1 - 2 * p[1] ** 2], "its sign reversed"),
            (lambda p: complex_square(p)[::-1], "of the doubled angle are in each other's place"),
            (wrong_square, "which of its parts"),
            (lambda p: [p[0] ** 2, p[1] ** 2], "squared by itself"),
            (lambda p: phases(2 * math.asin(p[0])), "`arcsin` never"),
            (lambda p: phases(2 * math.acos(p[1])), "`arccos` never"),
            (lambda p: p.copy(), "returns the pair as it was given"),
            (lambda p: [0.0, 1.0], "the same whatever"),
            (lambda p: [3 * p[0], p[1]], "sine² + cosine² of what it returns"),
            (lambda p: 2 * p[0] * p[1], "a single number"),
            (lambda p: phases(cmath.phase(complex(p[1], p[0])) * 2.01), "rounded constant"),
        ],
        also_right=[
            complex_square,
            from_angle,
            by_its_own_rotation,
            lambda p: [2 * p[0] * p[1], 1 - 2 * p[0] ** 2],
            lambda p: np.float32(complex_square(p)),
        ],
    )


def test_rounded_matrices_are_told_from_those_that_change_lengths():
    told = is_wrong(checks.turn, lambda w, o: np.round(turned(w * o), 4))
    assert "It is close: look for a rounded constant" in told
    for checker in (checks.unshift, checks.repaired_shift):
        told = is_wrong(checker, lambda *given, c=checker: np.round(c.reference(*given), 4))
        assert "It is close: look for a rounded constant" in told
