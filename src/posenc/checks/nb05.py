"""The exercises of notebook 5, *Five ways to shift*."""

from math import comb

import numpy as np

from posenc.encodings import angular_frequencies, encode
from posenc.layouts import to_halves, to_pairs
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Exercise
from .nb04 import shift_by_factors, shift_cases, turn_hint

three_turns = Exercise(
    "three_turns",
    task="how many of 1024 rows built by doubling came from row 0 by exactly three turns",
    reference=comb(10, 3),
    slips={
        "So many rows have exactly four turns. How many have three?": comb(10, 4),
        "So many rows have at most three turns. How many have exactly three?": 176,
        "The number 720 counts each choice of three doublings six times, once for each order.": 720,
    },
    hint="Each of ten doublings turns a row or leaves it: how are three of ten chosen?",
    correct="A row's turns are the ones in its number in binary: no row needs more than ten.",
)


def _in_halves(shift):
    """Return a shift of tables with all sines in the left half, by one of tables of pairs."""
    return lambda table, *given: to_halves(shift(to_pairs(table.T, 1).T, *given).T, 1).T


shift_concatenated = Exercise(
    "shift_concatenated",
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


repaired_swap = Exercise(
    "repaired_swap",
    task="the table moved on by `offset`, as the function promises, with both bugs repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    slips={
        "Both bugs are still there. What does it return for offset 0, and what for offset 2?": (
            lambda table, w, offset: shift_by_factors((1, 1))(table, w, 1)
        ),
        "The offset is where it belongs now. What is the cosine of a sum?": (
            shift_by_factors((1, 1))
        ),
        "It moves on by 1, whatever the offset is. Where does `offset` belong?": (
            lambda table, w, offset: shift_by_loop(table, w, 1)
        ),
        "It moves backwards. Which sign has b in even columns, and which in odd ones?": (
            shift_by_factors((-1, 1))
        ),
        "The factors come out as if by `np.tile`, all and then all again. Which columns share a "
        "factor here?": shift_by_factors(spread=np.tile),
    },
    hint=turn_hint,
    correct="The missing offset hides well: at offset 1, the first one that people try, it makes "
    "no difference.",
    evidence=Exercise(
        "right_offset",
        task="the one offset for which the sines of the function with the bugs are right",
        reference=1,
        slips={
            "At offset 0 nothing should move, and the function moves all the same. By how much?": 0,
            "At −1 the sines should move backwards. In which direction do they move?": -1,
        },
        hint="At which offset do the new sines agree with the definition?",
    ),
)


def _case(error=0.0, place=(0, 0), width=20, base=1e4, offset=3):
    """Return a case: M of an offset, with an error at some place."""
    frequencies = angular_frequencies(width, base=base)
    matrix = shift_matrix(frequencies, offset)
    matrix[place] += error
    return matrix, frequencies, offset


def _right_at(positions, base):
    """Return a case: M after half a turn of a plane in which, up to rounding, no position is."""
    frequencies = angular_frequencies(20, base=base)
    rows = np.linalg.qr(encode(positions, frequencies), mode="r")
    plane = np.linalg.svd(rows)[2][-2:]
    return shift_matrix(frequencies, 3) @ (np.eye(20) - 2 * plane.T @ plane), frequencies, 3


def _ask_by_how_much(result, right, matrix, frequencies, offset):
    errors = np.abs(matrix - shift_matrix(frequencies, offset))
    place = np.argwhere(errors == errors.max())[0].tolist()
    if errors.max() == 0:
        return "This matrix is exactly right."
    return f"The matrix is off by {errors.max():.4g} at {place}. Rounding explains up to 1e-9."


_W = angular_frequencies(20)

is_shift = Exercise(
    "is_shift",
    task="`True` if the matrix shifts the encoding of every position by `offset`, else `False`",
    reference=lambda M, *given: np.allclose(M, shift_matrix(*given), rtol=0, atol=1e-8),
    cases={
        "M(3) itself": _case(width=8),
        "M(−25) for base 50": _case(width=12, base=50, offset=-25),
        "M(2.75)": _case(offset=2.75),
        "M(−0.5) of 2 columns": _case(width=2, offset=-0.5),
        "M(−999 999.5) for base 1 000 000": _case(base=1e6, offset=-999_999.5),
        "M(−3), where 3 is asked for": (shift_matrix(_W, -3), _W, 3),
        "wrong sine rows": _case(0.1, np.s_[0::2]),
        "wrong cosine rows": _case(0.1, np.s_[1::2]),
        "right blocks, and a number above the diagonal": _case(0.2, (0, 5)),
        "right blocks, and a number below the diagonal": _case(-0.2, (7, 2)),
        "a slowest pair that stays": (shift_matrix([*_W[:-1], 0], 100), _W, 100),
        "a cosine that's wrong by 0.0000011": _case(-1.1e-6, (7, 7)),
        "one 0 that's wrong by 0.0000011": _case(1.1e-6, (3, 1)),
        "a matrix that's right at position 0": _case(999, np.s_[:, 0::2]),
        "one that's right at positions −300 to 999": _right_at(range(-300, 1000), 1e6),
        "one that's right at 2000 positions up to 1e8": _right_at(
            np.linspace(-1e8, 1e8, 2000), 1e16
        ),
        "one that's right at 400 positions up to 50": _right_at(np.linspace(0, 50, 400), 1.1),
        "M(3) with errors of 9e-10": _case(np.random.default_rng(5).choice([-9e-10, 9e-10], 20), 1),
    },
    slips={
        "It's right for the transpose. Is it the other direction, or is the matrix applied from "
        "the other side?": lambda M, *given: np.allclose(M.T, shift_matrix(*given), 0, 1e-8),
        "A number near 1 may be off by 0.0000011 in your test, as with the relative tolerance of "
        "`np.allclose`. What does the exercise allow?": (
            lambda M, *given: np.allclose(M, shift_matrix(*given))
        ),
    },
    hint=_ask_by_how_much,
    correct="A wrong matrix can hide from any list of positions that doesn't settle all its "
    "columns. M(φ) is the only matrix that shifts every position, so the matrix itself can be "
    "compared, too.",
)
