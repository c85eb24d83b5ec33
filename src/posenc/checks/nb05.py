"""The exercises of notebook 5, *Five ways to shift*."""

import numpy as np

from posenc.encodings import angular_frequencies, encode, grow
from posenc.layouts import to_halves, to_pairs
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Exercise
from .nb04 import shift_by_factors, shift_cases, turn_hint


def _grow_back(last_row, frequencies, length):
    return grow(last_row, -frequencies, length)[::-1]


def _hint_at_a_row(result, right, last_row, *given):
    if not np.allclose(result[-1], last_row):
        return "The last row should be the one that's given."
    row = np.flatnonzero(~np.isclose(result, right).all(axis=1))[-1]
    steps = len(right) - 1 - row
    return f"The last rows are right; row {row} should be that of position t − {steps}."


grow_back = Exercise(
    "grow_back",
    task="the table of `length` neighboring positions whose last row is `last_row`",
    reference=_grow_back,
    cases={
        f"{length} rows up to position {t} (width {width})": (
            encode(t, angular_frequencies(width)),
            angular_frequencies(width),
            length,
        )
        for length, t, width in [
            (1, 5, 4),
            (2, 9, 8),
            (8, 7, 4),
            (13, 40_000, 16),
            (100, 20.5, 32),
        ]
    },
    slips={
        "These are the right rows in the wrong order. Which of them should come last?": (
            lambda *given: _grow_back(*given)[::-1]
        ),
        "Your table begins with the row and goes on from it. Which way should the copy turn?": grow,
        "Your rows are those that follow, backwards. Which way should the copy turn?": (
            lambda *given: grow(*given)[::-1]
        ),
        "Your table ends one row too early.": (
            lambda row, w, length: _grow_back(row, w, length + 1)[:-1]
        ),
    },
    hint=_hint_at_a_row,
    correct="A table shifted back by its own length is what came before it.",
)


def _in_halves(shift):
    """Return a shift of tables with all sines in the left half, by one of tables of pairs."""
    return lambda table, *given: to_halves(shift(to_pairs(table.T, 1).T, *given).T, 1).T


shift_halves = Exercise(
    "shift_halves",
    task="the table moved on by `offset`, sines in its left half and cosines in its right one",
    reference=_in_halves(shift_by_loop),
    cases=shift_cases(lambda table: to_halves(table.T, 1).T),
    slips={
        "Columns 2k and 2k + 1 are taken for a pair. Where are the sine and the cosine of pair k "
        "in this layout?": shift_by_loop,
        "It shifts backwards, to positions t − φ. Which of the two sines takes the minus sign? "
        "With a matrix, rows need its transpose.": _in_halves(shift_by_factors((-1, 1))),
        "The factors come out as if by `np.repeat`, each twice in a row. Which columns share a "
        "factor here?": _in_halves(
            shift_by_factors(spread=lambda angles, n: to_pairs(np.repeat(angles, n), 1))
        ),
        "The new cosines come out as if they were made of the new sines. Read both halves from "
        "the old table.": _in_halves(shift_by_factors(in_place=True)),
    },
    hint=turn_hint,
    correct="The layout changes where the numbers stand, and nothing else: a permutation of the "
    "columns leads from one to the other.",
)


def _misses(matrix, frequencies, offset, positions):
    """Return by how much each position's row is off at most after the shift."""
    moved = encode(positions, frequencies) @ matrix.T
    return np.abs(moved - encode(np.add(positions, offset), frequencies)).max(axis=1)


def _judge_impostor(matrix, frequencies, offset, positions):
    here = _misses(matrix, frequencies, offset, positions)
    if (largest := here.max()) > 1e-9:
        position = positions[int(here.argmax())]
        return f"At position {position}, which is tested, it's off by {largest:.2g}."
    largest = _misses(matrix, frequencies, offset, np.arange(1000)).max()
    if largest > 0.1:
        return ""
    return (
        "It passes, but it's no impostor: at none of the positions from 0 to 999 is it off by more "
        f"than {largest:.2g}. What may you add to M(φ) that no tested row meets?"
    )


def _impostor(frequencies, offset, positions):
    unseen = np.linalg.svd(encode(positions, frequencies))[2][-1]
    return shift_matrix(frequencies, offset) + 10 * np.outer(unseen, unseen)


impostor = Exercise(
    "impostor",
    task="a matrix that shifts the rows of these positions rightly, and those of others wrongly",
    reference=_impostor,
    cases={
        f"positions {str(positions)[1:-1]} (width {width}, offset {offset})": (
            angular_frequencies(width),
            offset,
            positions,
        )
        for width, offset, positions in [
            (4, 1, [0]),
            (8, 3, [0, 1, 2]),
            (6, -2.5, [17, 3, 900, 250, 41]),
            (2, 100, [5]),
            (20, 100, list(range(19))),
        ]
    },
    judge=_judge_impostor,
    slips={
        "M(φ) itself is right everywhere. What may you add to it that no tested row meets?": (
            lambda w, offset, positions: shift_matrix(w, offset)
        ),
        "It's right for rows that stand on the left of the matrix. Here they're columns on its "
        "right.": lambda *given: _impostor(*given).T,
    },
    correct="Fewer positions than columns leave a direction that no test of theirs can see.",
)
