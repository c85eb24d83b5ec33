"""The exercises of notebook 4, *A shift is a rotation*, and what others on shifts share."""

import numpy as np

from posenc.encodings import angular_frequencies, encode
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Exercise
from ._hands import FASTEST, MEAN, best_position, by_itself, hands_hint, noisy_case


def _shift_of(matrix, frequencies):
    return np.arctan2(matrix[0, 1], matrix[0, 0]) / frequencies[0]


def _degrees(angle):
    return f"{np.degrees(angle):.4g}°"


shift_of = Exercise(
    "shift_of",
    task="the shift φ of a `matrix` M(φ)",
    reference=_shift_of,
    cases={
        f"shift {shift}, first frequency {w[0]:g}": (shift_matrix(w, shift), w)
        for shift, w in [
            (0, angular_frequencies(2)),
            (1, angular_frequencies(2)),
            (-0.5, angular_frequencies(8)),
            (2.75, angular_frequencies(16)),  # more than a quarter turn
            (1.25, 2 * angular_frequencies(4)),
            (-20, np.array([0.1, 1, 0.01])),
        ]
    },
    slips={
        "That's the shift without its sign, as `arccos` gives it. Which number of the matrix "
        "changes its sign with the shift?": lambda m, w: abs(_shift_of(m, w)),
        "That's within a quarter turn, as `arctan` of a quotient gives it: opposite points have "
        "the same quotient. Which function takes both numbers?": lambda m, w: (
            np.arctan(m[0, 1] / m[0, 0]) / w[0]
        ),
        "The shift's sign is reversed. Does [0, 1] hold the sine?": lambda m, w: -_shift_of(m, w),
        "That's the first pair's angle. What's the shift?": lambda m, w: _shift_of(m, w) * w[0],
    },
    hint=lambda shift, right, matrix, w: (
        f"In this matrix the first pair turns by {_degrees(right * w[0])}, and the shift "
        f"{shift:.4g} would turn it by {_degrees(shift * w[0])}."
    ),
    correct="One pair is enough as long as it stays under half a turn. Further away the others "
    "must say how often it has turned.",
)


def _made_of(sine=lambda s, c: 2 * s * c, cosine=lambda s, c: c * c - s * s):
    """Return the function that makes the two numbers of a pair by these formulas."""
    return lambda pair: np.array([sine(*pair), cosine(*pair)])


double = Exercise(
    "double",
    task="the pair (sine, cosine) of position 2t, from the `pair` of position t alone",
    reference=_made_of(),
    cases={
        f"a pair at the phase {angle}": (np.array([np.sin(angle), np.cos(angle)]),)
        for angle in (0.0, 0.3, 2.5, -0.7, 4.0)
    },
    slips={
        "Your sine is half as large as it should be. How often does sine · cosine occur in the "
        "sine of a sum of two equal angles?": _made_of(lambda s, c: s * c),
        "The cosine's sign is wrong. Try position 0.": _made_of(cosine=lambda s, c: s * s - c * c),
        "Your cosine comes out as if it were computed from the new sine. Keep the old pair until "
        "both new numbers are there.": _made_of(cosine=lambda s, c: c**2 - (2 * s * c) ** 2),
    },
    hint=lambda result, right, pair: (
        f"The given pair is at the angle {_degrees(np.arctan2(*pair))}. Yours is at "
        f"{_degrees(np.arctan2(*result))}, and {np.hypot(*result):.4g} from the circle's center."
    ),
    correct="Products of the two numbers were needed. As the solution proves, no matrix does it.",
)


def shift_cases(arranged=np.asarray):
    """Return tables of positions without any order or step, so that only the rows can be used.

    At position 40000 the slowest of 8 pairs has turned twice, so no pair alone tells where it is.
    """
    return {
        f"{words} and offset {offset}": (arranged(encode(rows, w)), w, offset)
        for rows, w, offset, words in [
            ([0, 1, 2], angular_frequencies(4), 0, "width 4"),
            ([4, 5, 6, 7], angular_frequencies(4), 3, "width 4, row 0 of position 4,"),
            ([9.5, -2, 40], angular_frequencies(8), -2.5, "width 8"),
            ([150, 40_000], angular_frequencies(16), 100, "width 16, row 0 of position 150,"),
            ([17, 18, 18], angular_frequencies(6, base=50), 4, "base 50"),
            ([3, 1], angular_frequencies(2), 1, "width 2"),
        ]
    }


def turn_hint(turned, right, rows, frequencies, by):
    """Return how the length of a row has changed, in any layout, or ask about the angles."""
    old, new = np.linalg.norm(rows, axis=1), np.linalg.norm(turned, axis=1)
    for i in np.flatnonzero(~np.isclose(old, new)):
        return f"A turn keeps lengths. Row {i} was {old[i]:.4g} long, and is {new[i]:.4g} now."
    if not np.any(by):
        return "Here nothing turns: every row should stay as it is."
    return "Every row keeps its length. By which angle should each pair turn, and which way?"


def shift_by_factors(signs=(1, -1), spread=np.repeat, in_place=False):
    """Return a shift by swapping, faulty perhaps: in place, new cosines are made of new sines."""

    def shift(encoding, frequencies, offset):
        angles, swap = spread(frequencies * offset, 2), np.arange(encoding.shape[1]) ^ 1
        a, b = np.cos(angles), np.sin(angles) * np.tile(signs, len(frequencies))
        shifted = a * encoding + b * encoding[:, swap]
        if in_place:
            shifted[:, 1::2] = (a * encoding + b * shifted[:, swap])[:, 1::2]
        return shifted

    return shift


repaired_shift = Exercise(
    "repaired_shift",
    task="the table moved on by `offset`, as the function promises, with its bug repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    slips={
        "It moves backwards: each row becomes that of t − φ. What is the sine of a sum? If you "
        "multiply rows by a matrix, they need its transpose.": shift_by_factors((-1, 1)),
        "The sines are right now. What is the cosine of a sum?": shift_by_factors((1, 1)),
        "Your rows are those of a table that begins with the offset. Can you turn those given?": (
            lambda x, w, offset: encode(offset + np.arange(len(x)), w)
        ),
        "The new cosines come out as if they were made of the new sines. Read from the old table "
        "and write into the new one.": shift_by_factors(in_place=True),
    },
    hint=turn_hint,
    correct="A wrong sign at both sines is a rotation too, in the other direction. So nothing "
    "looks odd until the rows are compared with the definition.",
    evidence=Exercise(
        "really",
        task="by how many positions the function with the bug shifts when it's asked for 100",
        reference=-100,
        slips={
            "That's what it's asked for. What does it do to the row of position 0?": 100,
        },
        hint="Which position's row does the row of position 0 become?",
    ),
)


def _from_a_to_b(a, b):
    """Return the encoding of the offset from a to b: the pairs' turns as a row."""
    turned = (b[1::2] + 1j * b[0::2]) / (a[1::2] + 1j * a[0::2])
    return encode(1, np.angle(turned))


def _offset_between(a, b, frequencies):
    return int(best_position(_from_a_to_b(a, b), frequencies, np.arange(-2000, 2001)))


offset_between = Exercise(
    "offset_between",
    task="the whole number of positions from the position of row `a` to that of row `b`",
    reference=_offset_between,
    cases={
        f"positions {s} and {t} (width {width}, base {base})": noisy_case([s, t], width, base)
        for s, t, width, base in [
            (7000, 5003, 32, 10_000),
            (10, 30, 32, 10_000),
            (77, 77, 32, 10_000),
            (4000, 6000, 32, 10_000),
            (2000, 0, 32, 10_000),
            (30_100, 29_000, 512, 10_000),
            (12_345, 12_400, 16, 50_000),
            (11_000, 12_999, 12, 20_000),
        ]
    },
    slips={
        FASTEST: lambda a, b, w: np.round(by_itself(_from_a_to_b(a, b), w)[0]),
        MEAN: lambda a, b, w: np.round(np.mean(by_itself(_from_a_to_b(a, b), w))),
        "That's the number from `b` to `a`. Where do you start?": (
            lambda a, b, w: _offset_between(b, a, w)
        ),
    },
    hint=lambda result, right, a, b, w: hands_hint(result, right, _from_a_to_b(a, b), w),
    correct="Nobody told you the positions, and nobody had to: a shift does not depend on them.",
)
