"""Encodings of any positions, and what every exercise that asks for a shift has in common."""

import numpy as np

from posenc.encodings import angular_frequencies

from ._exercise import Case


def rows_at(positions, frequencies):
    """Return the encodings of any positions, one a row."""
    phases = np.asarray(positions, dtype=float)[:, None] * frequencies
    return np.stack([np.sin(phases), np.cos(phases)], axis=-1).reshape(len(phases), -1)


def shift_cases(arranged=np.asarray):
    """Return tables of positions without any order or step, so that only the rows can be used.

    At position 40000 the slowest of 8 pairs has turned twice, so no pair alone tells where it is.
    """
    return [
        Case(arranged(rows_at(positions, frequencies)), frequencies, offset, label=label, hint=hint)
        for positions, frequencies, offset, label, hint in [
            ([0, 1, 2], angular_frequencies(4), 0, "offset 0", "Nothing should move."),
            ([4, 5, 6, 7], angular_frequencies(4), 3, "offset 3", "Row 0 should move from 4 to 7."),
            (
                [9.5, -2, 40],
                angular_frequencies(8),
                -2.5,
                "offset −2.5",
                "An offset may be negative and need not be whole: row 1 moves from −2 to −4.5.",
            ),
            ([150, 40_000], angular_frequencies(16), 100, "offset 100", "Row 0 is position 150."),
            ([7, 1, 1, 30, 2], angular_frequencies(2), 1, "offset 1", "The rows have no order."),
            (
                [17, 18, 19],
                angular_frequencies(6, base=50),
                4,
                "base 50 and offset 4",
                "Use the frequencies that are given.",
            ),
        ]
    ]


def shift_mistakes(shift):
    """Return what every exercise on shifts knows as a mistake, made with a right shift."""
    return {
        "It returns the table as it was given.": lambda encoding, frequencies, offset: encoding,
        "It computes frequencies of base 10 000. Use those that are given.": (
            lambda encoding, frequencies, offset: shift(
                encoding, angular_frequencies(encoding.shape[1]), offset
            )
        ),
    }


def explain_shift(shifted, encoding, frequencies, offset):
    """Explain a table that begins anew, in any layout, and a shift that is no rotation."""
    if offset and np.allclose(np.sort(shifted[0]), np.sort(rows_at([offset], frequencies)[0])):
        return (
            f"It builds a table that begins with position {offset:g}. The rows may be of any "
            "positions: compute the new ones from `encoding`."
        )
    if np.allclose(np.linalg.norm(shifted, axis=1), np.linalg.norm(encoding, axis=1)):
        return ""
    return "A shift changes the length of no row, and here one has changed."


def explain_evidence(found):
    """Explain a number that is no number of positions."""
    if float(found).is_integer():
        return ""
    return "A whole number of positions is wanted, not an angle or a mean."
