"""The exercises of notebook 5, *Five ways to shift*."""

from math import comb

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.layouts import to_halves, to_pairs
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Case, Exercise
from .nb04 import explain_count, explain_shift, shift_cases

three_turns = Exercise(
    "three_turns",
    task="how many of 1024 rows built by doubling came from row 0 by exactly three turns",
    reference=comb(10, 3),
    mistakes={
        "Row 7 is the first of exactly three turns, 4 + 2 + 1. Any three of the ten will do.": 7,
        "Those are the rows of exactly two turns.": comb(10, 2),
        "210 rows have exactly four turns, and 210 numbers have three zeros: a turn belongs to "
        "each 1, and three of them are asked for.": comb(10, 4),
        "Those are the rows of at most three turns. Exactly three are asked for.": 176,
        "Those are the rows of three turns or more. Exactly three are asked for.": 968,
        "You count three turns in every order. Each row has one: the larger turns come later.": 720,
        "That is one eighth of the table. How many of the doublings before it moved it?": 128,
        "Those are the rows after three doublings.": 8,
        "There are ten doublings: 2¹⁰ is 1024.": comb(9, 3),
    },
    hint="Each of ten doublings turns a row or leaves it: how are three of ten chosen?",
    correct="A row's turns are the ones in its number in binary: no row needs more than ten.",
)


def _halves(signs=(1, -1), spread=np.tile, arrange=lambda shifted: shifted, in_place=False):
    """Return a shift of sines beside cosines, with a sign of its own for each of the two sines."""

    def shift(encoding, frequencies, offset):
        angles = spread(frequencies * offset, 2)
        half = len(frequencies)
        shifted = np.cos(angles) * encoding
        shifted[:, :half] += signs[0] * np.sin(angles[:half]) * encoding[:, half:]
        old = shifted if in_place else encoding
        shifted[:, half:] += signs[1] * np.sin(angles[half:]) * old[:, :half]
        return arrange(shifted)

    return shift


shift_concatenated = Exercise(
    "shift_concatenated",
    task="the table moved on by `offset`, sines in its left half and cosines in its right one",
    reference=_halves(),
    cases=shift_cases(lambda table: table[:, to_halves(np.arange(table.shape[1]), 1)]),
    mistakes={
        "You took columns 2k and 2k+1 for a pair. Where are the sine and the cosine of pair k in "
        "this layout?": shift_by_loop,
        "It shifts backwards, to positions t − φ. The sine stands first in a pair: which of the "
        "two sines takes the minus sign? With a matrix, rows need its transpose.": _halves((-1, 1)),
        "The new sines are right. For the others, what is the cosine of a sum?": _halves((1, 1)),
        "Sine and cosine share one factor: `np.tile` sets the whole list behind itself, "
        "`np.repeat` each number twice.": _halves(spread=np.repeat),
        "The new cosines are computed from sines that were already replaced. Read both halves from "
        "the old table.": _halves(in_place=True),
        "The numbers are right, but they come back interleaved. The result should have the layout "
        "of the input.": _halves(arrange=lambda x: x[:, to_pairs(np.arange(x.shape[1]), 1)]),
        "The cosines come first in your result. The sines should stand in the left half, as in "
        "what is given.": _halves(arrange=lambda x: np.roll(x, x.shape[1] // 2, axis=1)),
    },
    explain=explain_shift,
    correct="The layout changes where the numbers stand, and nothing else: a permutation of the "
    "columns leads from one to the other.",
)


def _swapped(encoding):
    return encoding.reshape(len(encoding), -1, 2)[:, :, ::-1].reshape(encoding.shape)


def _swap(signs=(1, -1), swap=_swapped, spread=np.repeat, a_offset=None, b_offset=None):
    """Return a shift by a and b, where b has its own signs in even and in odd columns."""

    def shift(encoding, frequencies, offset):
        a = np.cos(spread(frequencies * (a_offset or offset), 2))
        b = np.sin(spread(frequencies * (b_offset or offset), 2))
        return a * encoding + np.tile(signs, len(frequencies)) * b * swap(encoding)

    return shift


repaired_swap = Exercise(
    "repaired_swap",
    task="the table moved on by `offset`, as the function promises, with both bugs repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    mistakes={
        "Both bugs are still there.": _swap((1, 1), a_offset=1, b_offset=1),
        "The offset is where it belongs now. In odd columns a sign is still wrong: what is the "
        "cosine of a sum?": _swap((1, 1)),
        "It moves backwards: even columns need plus sine, odd ones minus.": _swap((-1, 1)),
        "The two numbers of a pair share one factor. `np.tile` sets the whole list behind itself; "
        "`np.repeat` sets each number twice.": _swap(spread=np.tile),
        "The numbers move one column further, into the next pair. Exchange the two numbers within "
        "each pair.": _swap(swap=lambda x: np.roll(x, 1, axis=1)),
        "The swapped encoding holds each cosine twice: the sine was replaced before it was read. "
        "Read from the old table.": _swap(swap=lambda table: np.repeat(table[:, 1::2], 2, axis=1)),
        "The offset belongs inside the cosine and the sine. At offset 0 nothing should move, and "
        "your result is 0.": lambda x, w, offset: offset * shift_by_loop(x, w, 1),
        "The offset stands in b, but not in a.": _swap(a_offset=1),
    },
    explain=explain_shift,
    correct="The missing offset hides well: at offset 1, the first one that people try, it makes "
    "no difference.",
    evidence=Exercise(
        "right_offset",
        task="the one offset for which the sines of the function with the bugs are right",
        reference=1,
        explain=explain_count,
        mistakes={
            "Nothing should move at offset 0. The function moves all the same: by how much?": 0,
            "At −1 the sines should move backwards. In which direction do they move?": -1,
        },
    ),
)

_FOUR, _TEN = angular_frequencies(8), angular_frequencies(20)
_OTHER = angular_frequencies(12, base=50)
_SLOW = angular_frequencies(20, base=1e12)


def _case(label, matrix, hint="", frequencies=_FOUR, offset=3):
    return Case(matrix, frequencies, offset, label=label, hint=hint)


def _plus(change, place, frequencies=_FOUR):
    """Return M(3) with something added to some of its numbers or rows."""
    matrix = shift_matrix(frequencies, 3)
    matrix[place] += change
    return matrix


def _blind(rows):
    """Return perpendicular unit vectors; the last ones have the smallest products with rows."""
    return np.linalg.svd(np.linalg.qr(rows, mode="r"))[2]


def _right_at(words, positions, base, changed):
    """Return a case: a matrix that shifts some positions rightly by 3, and others not by far.

    To rows of M(3) a vector is added that has the product 0 with the encodings of those
    positions, up to rounding. Where a test looks at them alone, it cannot see the vector.
    """
    frequencies = angular_frequencies(20, base=base)
    vector = 0.5 * _blind(fourier_features(positions, frequencies))[-1]
    matrix = _plus(vector, changed, frequencies=frequencies)
    return _case(f"a matrix that is right at the positions {words}", matrix, _FEW, frequencies)


def _turned_at(words, positions, base, width):
    """Return a case: an orthogonal matrix that shifts some positions rightly by 3."""
    frequencies = angular_frequencies(width, base=base)
    plane = _blind(fourier_features(positions, frequencies))[-2:]
    matrix = shift_matrix(frequencies, 3) @ (np.eye(width) - 2 * plane.T @ plane)
    return _case(f"an orthogonal matrix that is right at {words}", matrix, _FEW, frequencies)


class _Watched(np.ndarray):
    """A matrix that notes with what it is combined."""

    seen = ()

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        _Watched.seen += tuple(x for x in inputs if not isinstance(x, _Watched))
        options["out"] = tuple(map(np.asarray, options.get("out", ()))) or None
        return getattr(ufunc, method)(*map(np.asarray, inputs), **options)

    def __array_function__(self, function, types, arguments, options):
        _Watched.seen += tuple(x for x in arguments if not isinstance(x, _Watched))
        return super().__array_function__(function, types, arguments, options)


def _right_where_it_looks(test, frequencies, offset):
    """Return a matrix that is wrong, if only by 0.0001, and right for all that a test tries."""
    matrix = shift_matrix(frequencies, offset)
    _Watched.seen = ()
    test(matrix.view(_Watched), frequencies, offset)
    seen = [np.atleast_2d(x) for x in _Watched.seen if isinstance(x, np.ndarray)]
    rows = [x if x.shape[1] == len(matrix) else x.T for x in seen if x.ndim == 2]
    rows = [x for x in rows if x.shape[1] == len(matrix)]
    return matrix + 0.0001 * _blind(np.vstack([*rows, np.zeros((1, len(matrix)))]))[-1]


def _test_with(test, matrix, frequencies, offset):
    """Call a student's test, with a matrix that may have been made for it."""
    matrix = matrix(test, frequencies, offset) if callable(matrix) else matrix
    return test(matrix, frequencies, offset)


_FEW = "A matrix can be right at thousands of positions, and wrong elsewhere."
_ABOVE_ROUNDING = "That is far more than rounding, which leaves errors of about 1e-16."


def _matrices():
    """Return right matrices and wrong ones, from the plainly wrong to the nearly right."""
    M = shift_matrix(_FOUR, 3)
    return [
        _case("M(3) itself", M),
        _case("M(−25) for base 50", shift_matrix(_OTHER, -25), frequencies=_OTHER, offset=-25),
        _case("M(3) of 20 columns", shift_matrix(_TEN, 3), frequencies=_TEN),
        _case("the one that shifts backwards", M.T, "It shifts by −3, where 3 is asked for."),
        _case("999 in columns that position 0 makes 0", np.where(np.arange(8) % 2, M, 999.0)),
        _case("wrong sine rows", _plus(0.1, np.s_[0::2])),
        _case("wrong cosine rows", _plus(0.1, np.s_[1::2])),
        _case("right blocks, and a number above", _plus(0.2, (0, 5)), "Outside of them 0 belongs."),
        _case("a slowest pair that stays", shift_matrix([*_FOUR[:3], 0], 20), offset=20),
        _case("errors that cancel in a row", _plus([1, -1], np.s_[4, 18:20], _SLOW), "", _SLOW),
        _case("one entry that is wrong by 0.00001", _plus(-1e-5, (3, 2)), _ABOVE_ROUNDING),
        _case("M(3) times 1.000005", 1.000005 * M, "Its rows are longer, by more than rounding."),
        _case("M(3) with an error of 1e-16 in every entry", M + 1e-16),
        _right_at("0 to 199", range(200), 1e4, np.s_[1::2]),
        _turned_at("position 0", [0], 1e4, 8),
        _turned_at("positions up to 100 000 000", np.linspace(-1e8, 1e8, 2000), 1e16, 20),
        _case(
            "a matrix made to be right wherever your test looks, and wrong elsewhere",
            _right_where_it_looks,
            f"{_FEW} How many, how far apart, settle 20 columns? Or look at the matrix itself.",
            _TEN,
        ),
    ]


is_shift = Exercise(
    "is_shift",
    task="`True` if the matrix shifts the encoding of every position by `offset`, else `False`",
    reference=lambda matrix, frequencies, offset: np.allclose(
        matrix, shift_matrix(frequencies, offset), rtol=0, atol=1e-9
    ),
    cases=_matrices,
    run=_test_with,
    mistakes={
        "It is right for the transpose, which shifts by −φ. Is it the other direction, or is the "
        "matrix applied from the other side?": lambda M, *given: np.allclose(
            M.T, shift_matrix(*given)
        ),
        "An error of 1e-16 is too much for your test, and it is rounding. Where M holds 0, a "
        "relative tolerance allows nothing.": lambda M, *given: np.array_equal(
            M, shift_matrix(*given)
        ),
    },
    correct="A wrong matrix can hide from any list of positions that does not settle all its "
    "columns. M(φ) is the only matrix that shifts every position, so the matrix itself can be "
    "compared, too.",
)
