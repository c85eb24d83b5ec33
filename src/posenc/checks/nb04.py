"""The exercises of notebook 4, *A shift is a rotation*, and what others on shifts share."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Case, Exercise
from .nb03 import best_position, by_itself, explain_hands


def _read(angle, change=np.divide):
    """Return a reader of the offset that makes an angle of a matrix and divides it."""
    return lambda matrix, frequencies: change(angle(matrix), frequencies[0])


def _right_angle(matrix):
    return np.arctan2(matrix[0, 1], matrix[0, 0])


offset_of = Exercise(
    "offset_of",
    task="the offset of a shift `matrix`",
    reference=_read(_right_angle),
    cases=[
        Case(shift_matrix(frequencies, offset), frequencies, label=f"offset {offset}{more}")
        for frequencies, offset, more in [
            (angular_frequencies(2), 0, ""),
            (angular_frequencies(2), 1, ""),
            (angular_frequencies(8), -0.5, ""),
            (angular_frequencies(16), 2.75, ", more than a quarter turn"),
            (angular_frequencies(6, base=50), -2.25, " and base 50"),
            (2 * angular_frequencies(4), 1.25, " and first frequency 2"),
            (np.array([0.1, 1, 0.01]), -20, " and first frequency 0.1"),
        ]
    ],
    hint="The first pair turns by ωφ: the cosine of that stands at [0, 0], the sine at [0, 1].",
    mistakes={
        "It is never negative, as by `arccos`. Where is the sign?": (
            _read(lambda M: np.arccos(M[0, 0]))
        ),
        "It is never beyond ±π/2, a quarter turn, as by `arcsin`. The cosine knows on which side "
        "the pair is.": _read(lambda M: np.arcsin(M[0, 1])),
        "It is never beyond ±π/2, as by `arctan` of a quotient: minus over minus is plus. "
        "`np.arctan2` takes both numbers, with their signs.": _read(
            lambda M: np.arctan(M[0, 1] / M[0, 0])
        ),
        "Sine and cosine are exchanged: of the two numbers `np.arctan2` takes the sine first, then "
        "the cosine.": _read(lambda M: np.arctan2(M[0, 0], M[0, 1])),
        "That is the angle times the frequency. Divide by it.": _read(_right_angle, np.multiply),
        "An angle may be negative: add no whole turn to it, as by a remainder.": (
            _read(lambda M: _right_angle(M) % (2 * np.pi))
        ),
        "That is the sine. Which angle has it?": _read(lambda M: M[0, 1]),
    },
    correct="One pair is enough as long as it stays under half a turn. Further away the others "
    "must say how often it has turned.",
)


def _at_angle(angle):
    return np.array([np.sin(angle), np.cos(angle)])


def _made_of(sine=lambda s, c: 2 * s * c, cosine=lambda s, c: c * c - s * s):
    """Return the function that makes the two numbers of a pair by these formulas."""
    return lambda pair: np.array([sine(*pair), cosine(*pair)])


def _explain_double(found, right, pair):
    if not np.isclose(np.sum(found**2), 1):
        return "A pair is a point on the unit circle: sine² + cosine² should be 1."
    angles = np.arctan2([pair[0], found[0]], [pair[1], found[1]]) % (2 * np.pi)
    return (
        f"That is the pair at the angle {angles[1]:.4g}, and the given one is at {angles[0]:.4g}."
    )


double = Exercise(
    "double",
    task="the pair (sine, cosine) of position 2t, from the `pair` of position t alone",
    reference=lambda pair: _made_of()(pair),
    cases=[
        Case(_at_angle(angle), label=f"a pair at the phase {angle}")
        for angle in (0.0, 0.3, 2.5, -0.7, 4.0)
    ]
    + [Case(np.array(pair), label=f"the pair {pair}") for pair in ((1, 0), (0, -1))],
    mistakes={
        "The factor 2 of the sine is missing: the sine of a sum is a sum of two products, and here "
        "they are equal.": _made_of(lambda s, c: s * c),
        "sine² + cosine² is 1, whatever the angle is. Which sign stands between the squares in the "
        "cosine of a sum?": _made_of(cosine=lambda s, c: c * c + s * s),
        "The cosine has its sign reversed, as it has when sine and cosine of the pair are "
        "exchanged: at position 0 it should be 1.": _made_of(cosine=lambda s, c: s * s - c * c),
        "The new cosine is computed from the new sine. Both need the old pair, so keep it until "
        "both are there.": _made_of(cosine=lambda s, c: c**2 - (2 * s * c) ** 2),
        "The new sine is never negative, as by a root or by `arccos`.": _made_of(
            lambda s, c: np.abs(2 * s * c)
        ),
        "It works on half of the circle, as what knows the sine alone does, by `arcsin` or "
        "√(1 − sine²). Beyond, `arcsin` means π − the angle.": lambda pair: _at_angle(
            2 * np.arcsin(pair[0])
        ),
        "It works on half of the circle, as what knows the cosine alone does, by `arccos` or "
        "√(1 − cosine²). Beyond, `arccos` means −the angle.": lambda pair: _at_angle(
            2 * np.arccos(pair[1])
        ),
    },
    explain=_explain_double,
    correct="Products of the two numbers were needed, and no matrix makes those. The folded "
    "solution proves it.",
)


def shift_cases(arranged=np.asarray):
    """Return tables of positions without any order or step, so that only the rows can be used.

    At position 40000 the slowest of 8 pairs has turned twice, so no pair alone tells where it is.
    """
    whole = arranged(np.tile([0, 1], (1, 3)))
    return [
        Case(
            arranged(fourier_features(positions, frequencies)),
            frequencies,
            offset,
            label=f"{words} and offset {offset}".replace("-", "−"),
        )
        for positions, frequencies, offset, words in [
            ([0, 1, 2], angular_frequencies(4), 0, "width 4"),
            ([4, 5, 6, 7], angular_frequencies(4), 3, "width 4, row 0 of position 4,"),
            ([9.5, -2, 40], angular_frequencies(8), -2.5, "width 8"),
            ([150, 40_000], angular_frequencies(16), 100, "width 16, row 0 of position 150,"),
            ([17, 18, 18], angular_frequencies(6, base=50), 4, "base 50"),
        ]
    ] + [Case(whole, angular_frequencies(6), 1.5, label="position 0, as whole numbers")]


def explain_shift(shifted, right, encoding, frequencies, offset):
    """Explain a table that begins anew, in any layout, and a shift that is no rotation."""
    first = fourier_features(offset, frequencies)
    others = not np.allclose(right[0], first)
    if offset and others and np.allclose(np.sort(shifted[0]), np.sort(first)):
        return (
            f"It builds a table that begins with position {offset:g}. The rows may be of any "
            "positions: compute the new ones from `encoding`."
        )
    if np.allclose(np.linalg.norm(shifted, axis=1), np.linalg.norm(encoding, axis=1)):
        return ""
    return "A shift changes the length of no row, and here one has changed."


def explain_count(found, right):
    """Explain a number that is no number of positions."""
    whole = float(found).is_integer()
    return "" if whole else "A whole number of positions is wanted, not an angle or a mean."


def _packed(signs=(1, -1), in_place=False):
    """Return the shift by packed factors, with a sign of its own for each of the two sines."""

    def shift(encoding, frequencies, offset):
        cosines, sines = np.cos(frequencies * offset), np.sin(frequencies * offset)
        shifted = np.array(encoding, dtype=float)
        old = shifted if in_place else encoding
        shifted[:, 0::2] = cosines * old[:, 0::2] + signs[0] * sines * old[:, 1::2]
        shifted[:, 1::2] = cosines * old[:, 1::2] + signs[1] * sines * old[:, 0::2]
        return shifted

    return shift


repaired_shift = Exercise(
    "repaired_shift",
    task="the table moved on by `offset`, as the function promises, with its bug repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    mistakes={
        "The bug is still there: each row is the encoding of t − φ instead of t + φ. What is the "
        "sine of a sum? If you multiply rows by a matrix, they need its transpose.": (
            _packed((-1, 1))
        ),
        "The line of the sines is right now. What is the cosine of a sum?": _packed((1, 1)),
        "The line of the cosines is right now. What is the sine of a sum?": _packed((-1, -1)),
        "The new cosines are computed from sines that the line above has already replaced. Read "
        "from the old table and write into the new one.": _packed(in_place=True),
    },
    explain=explain_shift,
    correct="A wrong sign at both sines is a rotation too, in the other direction. So nothing "
    "looks odd until the rows are compared with the definition.",
    evidence=Exercise(
        "really",
        task="by how many positions the function with the bug shifts when it is asked for 100",
        reference=-100,
        explain=explain_count,
        mistakes={
            "That is what it is asked for. What does it do? Compare its row for t = 0 with the "
            "definition, before and after 0.": 100,
            "That is how far it is from where it should be. From where it was, how far does it "
            "go?": -200,
            "It does move the rows. Compare one with the definition, before position 0, too.": 0,
        },
    ),
)


def _from_a_to_b(a, b):
    """Return the encoding of the offset from a to b: the pairs' turns as a row."""
    turned = (b[1::2] + 1j * b[0::2]) / (a[1::2] + 1j * a[0::2])
    return fourier_features(1, np.angle(turned))


def _offset_between(a, b, frequencies):
    return int(best_position(_from_a_to_b(a, b), frequencies, np.arange(-2000, 2001)))


def _by_pairs(summary):
    """Return the mistake that sums up in some way what each pair says by itself."""
    return lambda a, b, w: np.round(summary(by_itself(_from_a_to_b(a, b), w)))


def _two_rows(s, t, width=32, base=10_000):
    """Return a case: two noisy rows."""
    frequencies = angular_frequencies(width, base=base)
    errors = np.random.default_rng([abs(s), abs(t), width]).normal(0, 0.05, (2, width))
    rows = fourier_features([s, t], frequencies) + errors
    return Case(*rows, frequencies, label=f"positions {s} and {t} (width {width}, base {base})")


def _explain_offset(found, right, a, b, frequencies):
    if found and found == right + 2000:
        return "That is a place in a list that begins with −2000."
    slowest = np.arctan2([a[-2], b[-2]], [a[-1], b[-1]])
    if abs(found - right) > 2 and abs(found + right) <= 1:
        return "The sign is wrong, or none was looked for: it is t − s, of b from a."
    if abs(found - right) > 2 and abs(slowest[1] - slowest[0]) > np.pi:
        return (
            "Here the angles of the slowest pair differ by more than half a turn. If you subtract "
            "angles: the difference belongs between −π and π."
        )
    return explain_hands(found, right, _from_a_to_b(a, b), frequencies)


offset_between = Exercise(
    "offset_between",
    task="the whole number of positions from the position of row `a` to that of row `b`",
    reference=_offset_between,
    cases=[
        *(_two_rows(*x) for x in [(7000, 5003), (10, 30), (500, 100), (4000, 6000), (2000, 0)]),
        _two_rows(30_100, 29_000, 512, 10_000),
        _two_rows(12_345, 12_400, 16, 50_000),
        _two_rows(11_000, 12_999, 12, 20_000),
    ],
    mistakes={
        "That is what the fastest pair says alone. It has turned several times: which pairs know "
        "how often it has?": _by_pairs(lambda offsets: offsets[0]),
        "That is the mean of what the pairs say, each by itself. The fast ones have turned "
        "several times.": _by_pairs(np.mean),
    },
    explain=_explain_offset,
    correct="Nobody told you the positions, and nobody had to: a shift does not depend on them.",
)
