"""The exercises of notebook 01, *The formula*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal_by_definition

from ._checkers import FunctionCheck, Mistake, Property, ValueCheck
from ._tables import misread_frequencies


def _table(length, width, *, sine=None, cosine=None, start=0):
    """Return an interleaved table with frequencies of its own for the sines and the cosines."""
    right = angular_frequencies(width)
    sine = right if sine is None else sine
    cosine = sine if cosine is None else cosine
    positions = np.arange(start, start + length)[:, None]
    pairs = np.stack([np.sin(positions * sine), np.cos(positions * cosine)], axis=-1)
    return pairs.reshape(length, width)


def _one_column_late(length, width):
    return _table(length, width, cosine=misread_frequencies(width, plus=1))


wavelength = FunctionCheck(
    "wavelength",
    task="the wavelength of pair `k` of a table with `width` columns",
    reference=lambda k, width: 2 * np.pi / angular_frequencies(width)[k],
    cases=[(0, 8), (1, 8), (3, 8), (0, 2), (17, 128), (255, 512)],
    case="pair {k} of {width} columns",
    mistakes=[
        Mistake(
            "That is the angular frequency, the angle by which the pair turns at each step. After "
            "how many such steps is a turn complete?",
            lambda k, width: angular_frequencies(width)[k],
        ),
        Mistake(
            "That is the divisor in the formula, one over the angular frequency. After as many "
            "steps the pair has turned by one radian: how many radians are a turn?",
            lambda k, width: 1 / angular_frequencies(width)[k],
        ),
        Mistake(
            "That is how many turns the pair makes at each step, a number below 1. How many steps "
            "does one turn take?",
            lambda k, width: angular_frequencies(width)[k] / (2 * np.pi),
        ),
        Mistake(
            "The wavelengths grow half as fast as they should, in the exponent: how many columns "
            "does each pair take?",
            lambda k, width: 2 * np.pi * 10_000 ** (k / width),
        ),
        Mistake(
            "The wavelengths grow twice as fast as they should, in the exponent: `k` counts pairs "
            "already, not columns.",
            lambda k, width: 2 * np.pi * 10_000 ** (4 * k / width),
        ),
        Mistake(
            "These are the wavelengths of the next pair. The first pair is `k = 0`: what is its "
            "angular frequency?",
            lambda k, width: 2 * np.pi * 10_000 ** (2 * (k + 1) / width),
        ),
        Mistake(
            "Here the last pair reaches 2π·10000 exactly. By the formula it stays a little below: "
            "what is the exponent divided by?",
            lambda k, width: 2 * np.pi * 10_000 ** (k / max(width / 2 - 1, 1)),
        ),
        Mistake(
            "The wavelengths become shorter from pair to pair: look at the sign of the exponent.",
            lambda k, width: 2 * np.pi * 10_000 ** (-2 * k / width),
        ),
    ],
    correct="From each pair to the next the wavelength grows by the same factor, 10000^(2/d). So "
    "the longest is a little below 2π·10000.",
)

slow_pairs = ValueCheck(
    "slow_pairs",
    task="the number of pairs whose wavelength is longer than 200 positions, of 256 columns",
    expected=lambda: np.sum(2 * np.pi / angular_frequencies(256) > 200),
    mistakes=[
        Mistake(
            "Those are the pairs that do finish a turn: count the others.",
            lambda: np.sum(2 * np.pi / angular_frequencies(256) <= 200),
        ),
        Mistake(
            "You counted columns. Each pair has two.",
            lambda: 2 * np.sum(2 * np.pi / angular_frequencies(256) > 200),
        ),
        Mistake(
            "Those are the pairs that stay under half a turn. The question is about a whole one.",
            lambda: np.sum(np.pi / angular_frequencies(256) > 200),
        ),
        Mistake(
            "You compared 1/ω with 200. That is how many steps one radian takes, not one turn.",
            lambda: np.sum(1 / angular_frequencies(256) > 200),
        ),
        Mistake(
            "That is the number of the first pair that does not finish a turn, if pairs are "
            "counted from 1. How many such pairs are there?",
            lambda: np.sum(2 * np.pi / angular_frequencies(256) <= 200) + 1,
        ),
        Mistake("That is all of them. The first pair turns once in about 6 positions.", 128),
    ],
    properties=[
        Property("A count is never negative.", lambda count: count >= 0),
        Property("It must be a whole number from 0 to 128.", lambda count: count in range(129)),
    ],
    tolerance=0,
    correct="Most of the table is slow: that is why its right half looks like smooth stripes.",
)

_CASES = [(1, 2), (6, 8), (5, 4), (7, 10), (40, 16)]

# Mistakes that anybody who fills such a table can make.
_TABLE_MISTAKES = [
    Mistake(
        "The positions start at 1. The first row should be that of position 0.",
        lambda length, width: _table(length, width, start=1),
    ),
    Mistake(
        "Sine and cosine stand in each other's place: which of them is 0 at position 0?",
        lambda length, width: (
            _table(length, width).reshape(length, -1, 2)[..., ::-1].reshape(length, width)
        ),
    ),
    Mistake(
        "Both frequencies of a pair are equal, as they should be, but they are too large for every "
        "pair after the first: `i` counts columns and `k` pairs. Which one is in your exponent?",
        lambda length, width: _table(length, width, sine=misread_frequencies(width, factor=1)),
    ),
    Mistake(
        "The frequencies fall off twice as fast as they should, in the exponent: is a column's "
        "number doubled once more?",
        lambda length, width: _table(length, width, sine=misread_frequencies(width, factor=4)),
    ),
]

encoding = FunctionCheck(
    "encoding",
    task="the table of `length` positions and `width` columns",
    reference=sinusoidal_by_definition,
    cases=_CASES,
    case="length {length} and width {width}",
    axes=("position", "column"),
    mistakes=[
        Mistake(
            "Your cosines have another frequency than the sines beside them: sin² + cos² of a pair "
            "is not 1. Look at the exponent of the cosine.",
            _one_column_late,
        ),
        Mistake(
            "All sines come first and then all cosines. The numbers are right, and that layout is "
            "in use too, but here sine and cosine of a pair stand side by side.",
            lambda length, width: np.hstack(
                [_table(length, width)[:, 0::2], _table(length, width)[:, 1::2]]
            ),
        ),
        Mistake(
            "Rows and columns are exchanged: each position should be a row.",
            lambda length, width: _table(length, width).T,
        ),
        Mistake(
            "The first frequency should be 1, so that column 0 holds the sines of 0, 1, 2, …: "
            "does your `k` start at 0?",
            lambda length, width: _table(length, width, sine=misread_frequencies(width, first=1)),
        ),
        Mistake(
            "The phases are taken for degrees. They are radians, as `np.sin` expects them.",
            lambda length, width: _table(
                length, width, sine=np.deg2rad(angular_frequencies(width))
            ),
        ),
        Mistake(
            "The frequencies grow from pair to pair: look at the sign of the exponent.",
            lambda length, width: _table(length, width, sine=1 / angular_frequencies(width)),
        ),
        Mistake(
            "The frequencies fall to 1/10000 exactly, because the exponent is divided by d/2 − 1. "
            "Some programs do that; the formula divides `2k` by the width.",
            lambda length, width: _table(
                length, width, sine=10_000.0 ** -np.linspace(0, 1, width // 2)
            ),
        ),
        Mistake(
            "All columns are sines: the second one of each pair should be a cosine.",
            lambda length, width: np.sin(
                np.arange(length)[:, None] * np.repeat(angular_frequencies(width), 2)
            ),
        ),
        *_TABLE_MISTAKES,
    ],
    properties=[
        Property(
            "In each pair, sin² + cos² must be 1 at every position, and it is not.",
            lambda table, length, width: np.allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1),
        )
    ],
    correct="Each position is d/2 points on circles, so every row has the same length, √(d/2).",
)

repaired_encoding = FunctionCheck(
    "repaired_encoding",
    task="the table that the function should have made, with its bug repaired",
    reference=sinusoidal_by_definition,
    cases=_CASES,
    case="length {length} and width {width}",
    axes=("position", "column"),
    mistakes=[
        Mistake(
            "The bug is still there: take one pair at position 3 and add the squares of its two "
            "numbers. Which of the two lines has a frequency of its own?",
            _one_column_late,
        ),
        Mistake(
            "Now the two agree, but both are one column late: the first frequency should be 1. It "
            "was the other line that was right.",
            lambda length, width: _table(length, width, sine=misread_frequencies(width, plus=1)),
        ),
        Mistake(
            "The exponent of the cosine moved to the other side: sine and cosine of a pair should "
            "have the same one.",
            lambda length, width: _table(length, width, cosine=misread_frequencies(width, plus=-1)),
        ),
        Mistake(
            "You exchanged the exponents of the two lines. They should be equal.",
            lambda length, width: _table(
                length,
                width,
                sine=misread_frequencies(width, plus=1),
                cosine=misread_frequencies(width),
            ),
        ),
        Mistake(
            "The cosine now writes into the sine's column, and its own column is left at 0. The "
            "bug is in the exponent, not in the column.",
            lambda length, width: _cosine_in_sine_column(length, width),
        ),
        *_TABLE_MISTAKES,
    ],
    properties=encoding.properties,
    correct="One frequency per pair is what makes a pair a point on a circle. With two, no "
    "rotation could shift it.",
)


def _cosine_in_sine_column(length, width):
    table = np.zeros((length, width))
    table[:, 0::2] = _table(length, width)[:, 1::2]
    return table
