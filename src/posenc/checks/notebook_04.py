"""The exercises of notebook 4, *A shift is a rotation*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Case, Exercise
from ._tables import explain_evidence, explain_shift, rows_at, shift_cases, shift_mistakes

_ANGLE = "The first pair turns by ωφ: the cosine of it stands at [0, 0], the sine at [0, 1]."
_DIVIDE = "Divide the angle by the frequency."

offset_of = Exercise(
    "offset_of",
    task="the offset of a shift `matrix`, between −3 and 3",
    reference=lambda matrix, frequencies: np.arctan2(matrix[0, 1], matrix[0, 0]) / frequencies[0],
    cases=[
        Case(
            shift_matrix(frequencies, offset),
            frequencies,
            label=f"offset {offset}{more}",
            hint=hint,
        )
        for frequencies, offset, more, hint in [
            (angular_frequencies(2), 0, "", "Nothing is turned, so the angle is 0."),
            (angular_frequencies(2), 1, "", _ANGLE),
            (angular_frequencies(8), -0.5, "", "An offset may be negative and need not be whole."),
            (angular_frequencies(16), 2.75, "", "That is more than a quarter turn."),
            (angular_frequencies(2), 2.5, " and a single pair", _ANGLE),
            (angular_frequencies(6, base=50), -2.25, " and base 50", _ANGLE),
            (2 * angular_frequencies(4), 1.25, " and first frequency 2", _DIVIDE),
            (0.25 * angular_frequencies(6), -2.9, " and first frequency 0.25", _DIVIDE),
        ]
    ],
    mistakes={
        "The sign is lost: `arccos` never returns a negative angle. Where in the matrix is the "
        "sign?": lambda matrix, frequencies: np.arccos(matrix[0, 0]) / frequencies[0],
        "`arcsin` never returns an angle beyond ±π/2, a quarter turn. The cosine knows on which "
        "side the pair is.": lambda matrix, frequencies: np.arcsin(matrix[0, 1]) / frequencies[0],
        "`arcsin` never returns an angle beyond ±π/2, and you took the sine that has the minus.": (
            lambda matrix, frequencies: np.arcsin(matrix[1, 0]) / frequencies[0]
        ),
        "`arctan` of a quotient never returns an angle beyond ±π/2: minus over minus is plus. "
        "`np.arctan2` takes both numbers.": lambda matrix, frequencies: (
            np.arctan(matrix[0, 1] / matrix[0, 0]) / frequencies[0]
        ),
        "The sign is reversed: in this matrix the sine with the plus stands above the diagonal.": (
            lambda matrix, frequencies: np.arctan2(matrix[1, 0], matrix[0, 0]) / frequencies[0]
        ),
        "Sine and cosine are exchanged: `np.arctan2` takes the sine first.": (
            lambda matrix, frequencies: np.arctan2(matrix[0, 0], matrix[0, 1]) / frequencies[0]
        ),
        "That is the angle. Divide it by the frequency to have positions.": (
            lambda matrix, frequencies: np.arctan2(matrix[0, 1], matrix[0, 0])
        ),
        "That is the angle times the frequency. Which of the two is divided by?": (
            lambda matrix, frequencies: np.arctan2(matrix[0, 1], matrix[0, 0]) * frequencies[0]
        ),
        "That is the angle of the slowest pair. Divide it by its frequency.": (
            lambda matrix, frequencies: np.arctan2(matrix[-2, -1], matrix[-1, -1])
        ),
        "That is the angle of the slowest pair, divided by the frequency of the fastest.": (
            lambda matrix, frequencies: np.arctan2(matrix[-2, -1], matrix[-1, -1]) / frequencies[0]
        ),
        "That is the angle of the fastest pair, divided by the frequency of the slowest.": (
            lambda matrix, frequencies: np.arctan2(matrix[0, 1], matrix[0, 0]) / frequencies[-1]
        ),
        "The angle is in degrees. Frequencies are in radians per position.": (
            lambda matrix, frequencies: (
                np.degrees(np.arctan2(matrix[0, 1], matrix[0, 0])) / frequencies[0]
            )
        ),
        "That is the sine. Which angle has it?": lambda matrix, frequencies: (
            matrix[0, 1] / frequencies[0]
        ),
        "An offset need not be whole: do not round it.": lambda matrix, frequencies: np.round(
            np.arctan2(matrix[0, 1], matrix[0, 0]) / frequencies[0]
        ),
        "The angle may be negative: do not take the remainder of a turn.": (
            lambda matrix, frequencies: (
                np.arctan2(matrix[0, 1], matrix[0, 0]) % (2 * np.pi) / frequencies[0]
            )
        ),
    },
    correct="One pair is enough as long as it stays under half a turn. Further away the others "
    "must say how often it has turned.",
)


def _double(pair):
    sine, cosine = pair
    return np.array([2 * sine * cosine, cosine**2 - sine**2])


def _phases(sine, cosine):
    return np.array([np.sin(sine), np.cos(cosine)])


def _explain_double(found, pair):
    if not np.isclose(np.sum(found**2), 1):
        return (
            "A pair is a point on the unit circle: sine² + cosine² of what it returns must be 1. "
            "Can one and the same matrix do that for every pair?"
        )
    angles = np.arctan2([pair[0], found[0]], [pair[1], found[1]]) % (2 * np.pi)
    return (
        f"It returns the pair at the angle {angles[1]:.4g}. The given one is at {angles[0]:.4g}, "
        f"and twice that is {2 * angles[0] % (2 * np.pi):.4g}."
    )


double = Exercise(
    "double",
    task="the pair (sine, cosine) of position 2t, from the `pair` of position t alone",
    reference=_double,
    cases=[
        Case(_phases(angle, angle), label=f"a pair at the phase {angle}")
        for angle in (0.0, 0.3, 1.2, 2.5, -0.7, 4.0)
    ],
    mistakes={
        "Twice the pair is a vector of length 2, and no position has such a pair. It is the angle "
        "that should double.": lambda pair: 2 * pair,
        "The factor 2 of the sine is missing: the product sine times cosine arises twice.": (
            lambda pair: np.array([pair[0] * pair[1], pair[1] ** 2 - pair[0] ** 2])
        ),
        "sine² + cosine² is 1 whatever the angle is. Look at the sign in the cosine of a sum.": (
            lambda pair: np.array([2 * pair[0] * pair[1], pair[0] ** 2 + pair[1] ** 2])
        ),
        "The cosine has its sign reversed: at position 0, twice the position is 0 again.": (
            lambda pair: np.array([2 * pair[0] * pair[1], pair[0] ** 2 - pair[1] ** 2])
        ),
        "The sine has its sign reversed: a small positive angle stays positive when it doubles.": (
            lambda pair: np.array([-2 * pair[0] * pair[1], pair[1] ** 2 - pair[0] ** 2])
        ),
        "Sine and cosine of the doubled angle are in each other's place.": (
            lambda pair: _double(pair)[::-1]
        ),
        "Those are the two parts of (sine + i cosine)². That number turns clockwise from i, and "
        "its square from −1: which of its parts is the sine of 2t, and with which sign the "
        "cosine?": lambda pair: np.array([pair[0] ** 2 - pair[1] ** 2, 2 * pair[0] * pair[1]]),
        "Each number is squared by itself. The angle doubles only when the two are mixed.": (
            lambda pair: pair**2
        ),
        "The new cosine is computed from the new sine. Both need the old pair.": lambda pair: (
            np.array([2 * pair[0] * pair[1], pair[1] ** 2 - (2 * pair[0] * pair[1]) ** 2])
        ),
        "It works on half of the circle. `arcsin` never answers with an angle beyond ±π/2, because "
        "the sine alone does not know on which side the hand is.": (
            lambda pair: _phases(2 * np.arcsin(pair[0]), 2 * np.arcsin(pair[0]))
        ),
        "It works on half of the circle. `arccos` never answers with a negative angle, because the "
        "cosine alone does not know on which side the hand is.": (
            lambda pair: _phases(2 * np.arccos(pair[1]), 2 * np.arccos(pair[1]))
        ),
        "The pair holds sine and cosine already. You take the sine and cosine of them.": (
            lambda pair: _phases(2 * pair[0], 2 * pair[1])
        ),
        "The cosine is right, the sine has lost its sign: a root is never negative.": (
            lambda pair: np.abs(_double(pair)) * [1, np.sign(_double(pair)[1])]
        ),
        "It returns (0, 1), position 0, whatever the pair is. If it turns the pair by its own "
        "angle, it turns back: where in the matrix does the minus belong?": lambda pair: np.array(
            [0, 1]
        ),
        "It returns the pair as it was given.": lambda pair: pair,
    },
    explain=_explain_double,
    correct="Products of the two numbers were needed, and no matrix makes those. The folded "
    "solution proves it.",
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


def _with_signs(*signs):
    return lambda encoding, frequencies, offset: _packed(encoding, frequencies, offset, signs=signs)


repaired_shift = Exercise(
    "repaired_shift",
    task="the table moved on by `offset`, as the function promises, with its bug repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    mistakes={
        "The bug is still there: each row is the encoding of t − φ instead of t + φ. What is the "
        "sine of a sum? If you multiply rows by a matrix, they need its transpose.": _with_signs(
            -1, 1
        ),
        "The line of the sines is right now. The line of the cosines is not: what is the cosine of "
        "a sum?": _with_signs(1, 1),
        "The line of the cosines is right now. The line of the sines still has its wrong sign.": (
            _with_signs(-1, -1)
        ),
        "The new cosines are computed from sines that the line above has already replaced. Read "
        "from the old table and write into the new one.": _in_place,
        "The two columns of each pair are exchanged: the sine stands first.": (
            lambda encoding, frequencies, offset: (
                shift_by_loop(encoding, frequencies, offset)
                .reshape(len(encoding), -1, 2)[..., ::-1]
                .reshape(encoding.shape)
            )
        ),
        "It moves by one position, however far it should: the offset is left out.": (
            lambda encoding, frequencies, offset: shift_by_loop(encoding, frequencies, 1)
        ),
    }
    | shift_mistakes(shift_by_loop),
    explain=explain_shift,
    correct="A wrong sign at both sines is a rotation too, in the other direction. So nothing "
    "looks odd until the rows are compared with the definition.",
    evidence=Exercise(
        "really",
        task="by how many positions the function with the bug shifts when it is asked for 100",
        reference=-100,
        explain=explain_evidence,
        mistakes={
            "That is what it is asked for. What does it do? Compare its row for t = 0 with the "
            "definition, before and after 0.": 100,
            "That is how far it is from where it should be. From where it was, how far does it "
            "go?": -200,
            "It goes the wrong way, but not so far.": 200,
            "It does move the rows. Compare a shifted row with the definition, at positions before "
            "it, too.": 0,
        },
        correct="",
    ),
)


def _turns_between(a, b):
    """Return how far each pair turns from a to b, as angles from −π to π."""
    sines = b[0::2] * a[1::2] - b[1::2] * a[0::2]
    return np.arctan2(sines, a[0::2] * b[0::2] + a[1::2] * b[1::2])


def _as_row(turns):
    return np.stack([np.sin(turns), np.cos(turns)], axis=-1).ravel()


def _best_offset(turns, frequencies):
    """Return the whole offset that turns all pairs most nearly by the given angles."""
    offsets = np.arange(-2000, 2001)
    return int(offsets[np.argmax(rows_at(offsets, frequencies) @ _as_row(turns))])


def _offset_between(a, b, frequencies):
    return _best_offset(_turns_between(a, b), frequencies)


def _two_rows(s, t, width, base):
    """Return a case: two noisy rows."""
    frequencies = angular_frequencies(width, base=base)
    errors = np.random.default_rng([s, t, width]).normal(0, 0.05, (2, width))
    rows = rows_at([s, t], frequencies) + errors
    words = f"positions {s} and {t} (width {width}, base {base})"
    return Case(*rows, frequencies, label=words)


def _explain_offset(found, a, b, frequencies):
    offset = _offset_between(a, b, frequencies)
    off = f"It returns {found:.6g}, where {offset} should be. "
    if not float(found).is_integer():
        return f"{off}Round it to a whole number."
    if abs(found) > 2000:
        return (
            f"{off}No offset is beyond ±2000. A difference of two angles may be a whole turn off: "
            "bring it back between −π and π."
        )
    if abs(found - offset) <= 2 and abs(offset) == 2000:
        return f"{off}Do your offsets end before it, or do you not round to the nearest?"
    if abs(found - offset) <= 2:
        return f"{off}That is nearly right: do you round to the nearest, from the fastest pair?"
    if abs(found + offset) <= 1:
        return (
            f"{off}The sign is wrong: from a to b it is t − s. A distance alone, or a cosine, "
            "cannot tell which comes first."
        )
    if not np.allclose(frequencies, angular_frequencies(len(a))):
        return f"{off}Here the frequencies are others: do you use those that are given?"
    if abs(found - _turns_between(a, b)[-1] / frequencies[-1]) < 1:
        return f"{off}The slowest pair alone says that, through the noise: the faster know better."
    if found >= 0 > offset:
        return (
            f"{off}b comes before a here: do you look at negative offsets, too? And the positions "
            "may lie beyond any table: compare a with b, without looking them up."
        )
    return f"{off}The slowest pair says it roughly, and each faster one more exactly."


offset_between = Exercise(
    "offset_between",
    task="the whole number of positions from the position of row `a` to that of row `b`",
    reference=_offset_between,
    cases=[
        _two_rows(*given)
        for given in [
            (10, 12, 32, 10_000),
            (40, 40, 32, 10_000),
            (500, 100, 32, 10_000),
            (100, 1963, 64, 10_000),
            (7000, 5003, 32, 10_000),
            (12_345, 12_400, 16, 50_000),
            (3, 1000, 16, 50_000),
            (900, 5, 48, 1_000_000),
            (11_000, 12_999, 12, 20_000),
            (4000, 6000, 32, 10_000),
            (2000, 0, 32, 10_000),
        ]
    ],
    mistakes={
        "That is s − t, from b to a. From a to b it is t − s.": lambda a, b, frequencies: (
            -_offset_between(a, b, frequencies)
        ),
        "The sign is lost: a product of the rows, like `arccos`, cannot tell before from after.": (
            lambda a, b, frequencies: abs(_offset_between(a, b, frequencies))
        ),
        "You look at the fastest pair alone. It has turned several times: which pairs know how "
        "often?": lambda a, b, frequencies: np.round(_turns_between(a, b)[0] / frequencies[0]),
        "You look at the slowest pair alone. It drowns in the noise: 0.05 are many positions for "
        "it.": lambda a, b, frequencies: np.round(_turns_between(a, b)[-1] / frequencies[-1]),
        "You take the mean of what the pairs say, each by itself. The fast ones have turned many "
        "times.": lambda a, b, frequencies: np.round(np.mean(_turns_between(a, b) / frequencies)),
        "You take the median of what the pairs say, each by itself. The fast ones have turned "
        "several times.": lambda a, b, frequencies: np.round(
            np.median(_turns_between(a, b) / frequencies)
        ),
        "`arctan` of a quotient knows half of the circle: `np.arctan2` takes sine and cosine.": (
            lambda a, b, frequencies: _best_offset(
                np.arctan(b[0::2] / b[1::2]) - np.arctan(a[0::2] / a[1::2]), frequencies
            )
        ),
        "You compute frequencies of base 10 000. Use those that are given.": (
            lambda a, b, frequencies: _offset_between(a, b, angular_frequencies(len(a)))
        ),
        "You read the two positions off the slowest pair and subtract. It drowns in the noise, and "
        "far away it has turned.": lambda a, b, frequencies: np.round(
            (np.arctan2(b[-2], b[-1]) - np.arctan2(a[-2], a[-1])) / frequencies[-1]
        ),
        "You read the two positions off the fastest pair and subtract. It has turned several "
        "times.": lambda a, b, frequencies: np.round(
            (np.arctan2(b[0], b[1]) - np.arctan2(a[0], a[1])) / frequencies[0]
        ),
        "You take the first half of a row for sines and the second for cosines. In this course "
        "they alternate.": lambda a, b, frequencies: _offset_between(
            a.reshape(2, -1).T.ravel(), b.reshape(2, -1).T.ravel(), frequencies
        ),
    },
    explain=_explain_offset,
    correct="Nobody told you the positions, and nobody had to: a shift does not depend on them.",
)
