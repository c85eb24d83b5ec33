"""The exercises of notebook 04, *A shift is a rotation*."""

import numpy as np

from posenc.shifts import rotation, shift_by_loop

from ._checkers import Case, FunctionCheck, Mistake, Property
from ._tables import SAME_LENGTH, rows_at, shift_cases


def _matrix(cosine, sine, *, signs):
    """Return [[cosine, sine], [sine, cosine]], each entry with a sign of its own."""
    return np.array([[cosine, sine], [sine, cosine]]) * signs


def _turned(angle):
    return rotation(1, angle)


turn = FunctionCheck(
    "turn",
    task="the 2 × 2 matrix that moves one pair, (sine, cosine), on by `offset` positions",
    reference=rotation,
    cases=[(1.0, 0), (0.5, 3), (1.0, 1), (0.25, -2.5), (0.01, 100), (0.7, 12)],
    case="frequency {frequency} and offset {offset}",
    mistakes=[
        Mistake(
            "It turns the pair backwards, to position t − φ. That is the matrix of the textbooks, "
            "for (cosine, sine): which sine takes the minus sign when the sine stands first?",
            lambda frequency, offset: rotation(frequency, -offset),
        ),
        Mistake(
            "The frequency is left out: every pair would turn by the same angle.",
            lambda frequency, offset: _turned(offset),
        ),
        Mistake(
            "The offset is left out: the matrix turns by one position, however far it should.",
            lambda frequency, offset: _turned(frequency),
        ),
        Mistake(
            "It divides by the frequency. In the formula it is the divisor that is divided by; "
            "a frequency says how far the pair turns at each position.",
            lambda frequency, offset: _turned(offset / frequency),
        ),
        Mistake(
            "The angle is taken for degrees. It is in radians, as `np.sin` expects it.",
            lambda frequency, offset: _turned(np.deg2rad(frequency * offset)),
        ),
        Mistake(
            "There is a factor of 2π too much: an angular frequency is in radians already, not in "
            "whole turns.",
            lambda frequency, offset: _turned(2 * np.pi * frequency * offset),
        ),
        Mistake(
            "Both sines have a plus sign, so its columns are not perpendicular and lengths change. "
            "One of them needs a minus.",
            lambda frequency, offset: _matrix(
                np.cos(frequency * offset), np.sin(frequency * offset), signs=[[1, 1], [1, 1]]
            ),
        ),
        Mistake(
            "It mirrors the pair, and its determinant is −1. A rotation has its two cosines with "
            "the same sign.",
            lambda frequency, offset: _matrix(
                np.cos(frequency * offset), np.sin(frequency * offset), signs=[[1, 1], [1, -1]]
            ),
        ),
        Mistake(
            "Sine and cosine stand in each other's place: the matrix of offset 0 should change "
            "nothing.",
            lambda frequency, offset: _matrix(
                np.sin(frequency * offset), np.cos(frequency * offset), signs=[[1, 1], [-1, 1]]
            ),
        ),
    ],
    properties=[
        Property(
            "A rotation changes no length, so the matrix times its transpose must be the identity.",
            lambda matrix, frequency, offset: np.allclose(matrix @ matrix.T, np.eye(2)),
        )
    ],
    correct="Its columns are the pairs of the positions λ/4 + φ and φ, that is where (1, 0) and "
    "(0, 1) end up.",
)


def _from_the_slowest_pair(shifted, frequencies, offset):
    positions = np.arctan2(shifted[:, -2], shifted[:, -1]) / frequencies[-1]
    return rows_at(positions - offset, shifted.shape[1])


unshift = FunctionCheck(
    "unshift",
    task="the table whose rows, moved on by `offset`, are the rows of `shifted`",
    reference=lambda shifted, frequencies, offset: shift_by_loop(shifted, frequencies, -offset),
    cases=shift_cases(),
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "It shifts once more in the same direction, so that the rows are 2φ away from where "
            "they were. Undoing needs the inverse: transpose once more, or once less.",
            lambda shifted, frequencies, offset: shift_by_loop(shifted, frequencies, offset),
        ),
        Mistake(
            "It returns the table as it was given.",
            lambda shifted, frequencies, offset: shifted,
        ),
        Mistake(
            "It undoes a shift of one position, whatever the offset is.",
            lambda shifted, frequencies, offset: shift_by_loop(shifted, frequencies, -1),
        ),
        Mistake(
            "It undoes the shift twice: the rows are now φ before where they began.",
            lambda shifted, frequencies, offset: shift_by_loop(shifted, frequencies, -2 * offset),
        ),
        Mistake(
            "It builds a new table that begins at position 0. The rows may be of any positions, "
            "in any order: compute them from `shifted`.",
            lambda shifted, frequencies, offset: rows_at(range(len(shifted)), shifted.shape[1]),
        ),
        Mistake(
            "It reads each position off the slowest pair and builds a new row from it. Far from 0 "
            "that pair has turned more than once: compute the new rows from the given ones.",
            _from_the_slowest_pair,
        ),
        Mistake(
            "Rows and columns are exchanged: it turns the rows as columns and leaves them so.",
            lambda shifted, frequencies, offset: shift_by_loop(shifted, frequencies, -offset).T,
        ),
    ],
    properties=[SAME_LENGTH],
    correct="No system of equations had to be solved: the inverse of a rotation is its transpose.",
)


def _packed(encoding, frequencies, offset, *, signs):
    """Shift by packed factors, with a sign of its own for each of the two sines."""
    cosines, sines = np.cos(frequencies * offset), np.sin(frequencies * offset)
    shifted = np.empty(encoding.shape)
    shifted[:, 0::2] = cosines * encoding[:, 0::2] + signs[0] * sines * encoding[:, 1::2]
    shifted[:, 1::2] = cosines * encoding[:, 1::2] + signs[1] * sines * encoding[:, 0::2]
    return shifted


def _in_place(encoding, frequencies, offset):
    """Turn the cosines with the sines that have been overwritten."""
    cosines, sines = np.cos(frequencies * offset), np.sin(frequencies * offset)
    shifted = encoding.copy()
    shifted[:, 0::2] = cosines * shifted[:, 0::2] + sines * shifted[:, 1::2]
    shifted[:, 1::2] = cosines * shifted[:, 1::2] - sines * shifted[:, 0::2]
    return shifted


repaired_shift = FunctionCheck(
    "repaired_shift",
    task="the table moved on by `offset`, as the function promises, with its bug repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "The bug is still there: each row is the encoding of t − φ instead of t + φ. What is "
            "the sine of a sum?",
            lambda encoding, frequencies, offset: _packed(
                encoding, frequencies, offset, signs=(-1, 1)
            ),
        ),
        Mistake(
            "The line of the sines is right now. The line of the cosines is not: what is the "
            "cosine of a sum?",
            lambda encoding, frequencies, offset: _packed(
                encoding, frequencies, offset, signs=(1, 1)
            ),
        ),
        Mistake(
            "The line of the cosines is right now. The line of the sines still has its wrong sign.",
            lambda encoding, frequencies, offset: _packed(
                encoding, frequencies, offset, signs=(-1, -1)
            ),
        ),
        Mistake(
            "The new cosines are computed from sines that the line above has already replaced. "
            "Read from the old table and write into the new one.",
            _in_place,
        ),
        Mistake(
            "The two columns of each pair are exchanged: the sine stands first.",
            lambda encoding, frequencies, offset: (
                shift_by_loop(encoding, frequencies, offset)
                .reshape(len(encoding), -1, 2)[..., ::-1]
                .reshape(encoding.shape)
            ),
        ),
        Mistake(
            "It returns the table as it was given.",
            lambda encoding, frequencies, offset: encoding,
        ),
    ],
    properties=[SAME_LENGTH],
    correct="A wrong sign at both sines is a rotation too, in the other direction. So nothing "
    "looks odd until the rows are compared with the definition.",
)


def _double(pair):
    sine, cosine = pair
    return np.array([2 * sine * cosine, cosine**2 - sine**2])


def _phases(sine, cosine):
    return np.array([np.sin(sine), np.cos(cosine)])


double = FunctionCheck(
    "double",
    task="the pair (sine, cosine) of position 2t, from the `pair` of position t alone",
    reference=_double,
    cases=[
        Case(_phases(angle, angle), label=f"a pair at the phase {angle}")
        for angle in (0.0, 0.3, 1.2, 2.5, -0.7, 4.0)
    ],
    axes=("entry",),
    mistakes=[
        Mistake(
            "Twice the pair is a vector of length 2, and no position has such a pair. It is the "
            "angle that should double.",
            lambda pair: 2 * pair,
        ),
        Mistake(
            "The factor 2 of the sine is missing: the product sine times cosine arises twice.",
            lambda pair: np.array([pair[0] * pair[1], pair[1] ** 2 - pair[0] ** 2]),
        ),
        Mistake(
            "sine² + cosine² is 1 whatever the angle is. Look at the sign in the cosine of a sum.",
            lambda pair: np.array([2 * pair[0] * pair[1], pair[0] ** 2 + pair[1] ** 2]),
        ),
        Mistake(
            "The cosine has its sign reversed: at position 0, twice the position is 0 again.",
            lambda pair: np.array([2 * pair[0] * pair[1], pair[0] ** 2 - pair[1] ** 2]),
        ),
        Mistake(
            "Sine and cosine of the doubled angle are in each other's place.",
            lambda pair: _double(pair)[::-1],
        ),
        Mistake(
            "Those are the two parts of (sine + i cosine)². That number turns clockwise from i, "
            "and its square from −1: which of its parts is the sine of 2t, and with which sign "
            "the cosine?",
            lambda pair: np.array([pair[0] ** 2 - pair[1] ** 2, 2 * pair[0] * pair[1]]),
        ),
        Mistake(
            "Each number is squared by itself. The angle doubles only when the two are mixed.",
            lambda pair: pair**2,
        ),
        Mistake(
            "It works on half of the circle. `arcsin` never answers with an angle beyond ±π/2, "
            "because the sine alone does not know on which side the hand is.",
            lambda pair: _phases(2 * np.arcsin(pair[0]), 2 * np.arcsin(pair[0])),
        ),
        Mistake(
            "It works on half of the circle. `arccos` never answers with a negative angle, "
            "because the cosine alone does not know on which side the hand is.",
            lambda pair: _phases(2 * np.arccos(pair[1]), 2 * np.arccos(pair[1])),
        ),
        Mistake(
            "It returns the pair as it was given.",
            lambda pair: pair,
        ),
    ],
    properties=[
        Property(
            "A pair is a point on the unit circle: sine² + cosine² of what it returns must be 1.",
            lambda doubled, pair: np.isclose(np.sum(doubled**2), 1),
        )
    ],
    correct="Products of the two numbers were needed, and no matrix makes those. The folded "
    "solution proves it.",
)
