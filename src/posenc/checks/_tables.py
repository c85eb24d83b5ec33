"""Encodings with which the checkers call, and encodings that mistakes make."""

import numpy as np

from posenc.encodings import angular_frequencies

from ._comparison import Case, Property


def rows_at(positions, width):
    """Return the encodings of any positions, one a row."""
    phases = np.asarray(positions, dtype=float)[:, None] * angular_frequencies(width)
    return np.stack([np.sin(phases), np.cos(phases)], axis=-1).reshape(len(phases), width)


def misread_frequencies(width, *, factor=2, first=0, plus=0):
    """Return 10000^(−(factor·k + plus)/d) for the pairs k from `first` on."""
    pairs = np.arange(first, first + width // 2)
    return 10_000.0 ** (-(factor * pairs + plus) / width)


def shift_cases(arranged=np.asarray):
    """Return tables of positions without any order or step, so that only the rows can be used.

    At position 40000 the slowest of 8 pairs has turned twice, so no pair alone tells where it is.
    """
    return [
        Case(arranged(rows_at(positions, width)), angular_frequencies(width), offset, label=label)
        for positions, width, offset, label in [
            ([0, 1, 2], 4, 0, "offset 0"),
            ([3, 4, 5, 6], 4, 3, "offset 3"),
            ([9.5, -2, 40], 8, -2.5, "offset -2.5"),
            ([150, 40_000], 16, 100, "offset 100"),
            ([7, 1, 1, 30, 2], 2, 1, "offset 1"),
        ]
    ]


SAME_LENGTH = Property(
    "A shift changes the length of no row, and here one has changed.",
    lambda shifted, encoding, frequencies, offset: np.allclose(
        np.linalg.norm(shifted, axis=1), np.linalg.norm(encoding, axis=1)
    ),
)
