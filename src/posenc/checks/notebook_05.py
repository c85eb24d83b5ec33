"""The exercises of notebook 5, *Five ways to shift*."""

from math import comb

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.shifts import shift_by_loop, shift_matrix

from ._exercise import Case, Exercise
from ._tables import explain_evidence, explain_shift, rows_at, shift_cases, shift_mistakes

three_turns = Exercise(
    "three_turns",
    task="in a table of 1024 rows built by doubling, how many came from row 0 by exactly three "
    "turns",
    reference=comb(10, 3),
    mistakes={
        "Three turns in a row of three doublings: you left out that the three may be any of the "
        "ten.": 7,
        "Those are the rows of exactly two turns.": comb(10, 2),
        "210 rows have exactly four turns, and 210 numbers have three zeros: a turn belongs to "
        "each 1, and three of them are asked for.": comb(10, 4),
        "So many numbers have three ones in decimal digits. Turns are the ones in binary.": sum(
            str(row).count("1") == 3 for row in range(1024)
        ),
        "Those are the rows of at most three turns. Exactly three are asked for.": sum(
            comb(10, k) for k in range(4)
        ),
        "Those are the rows of three turns or more. Exactly three are asked for.": sum(
            comb(10, k) for k in range(3, 11)
        ),
        "Those are the rows of more than three turns. Exactly three are asked for.": sum(
            comb(10, k) for k in range(4, 11)
        ),
        "You count three turns in every order. Each row has one: the larger turns come later.": 720,
        "That is the number of doublings. How many rows need exactly three of them?": 10,
        "That is one eighth of the table. After how many doublings is a row there, and how many of "
        "them moved it?": 128,
        "Those are the rows after three doublings.": 8,
        "There are ten doublings: 2¹⁰ is 1024.": comb(9, 3),
    },
    explain=lambda count: (
        f"There are {'more' if count < 120 else 'fewer'}. Each of the ten doublings turns the rows "
        "that are there, or leaves a row where it was: in how many ways are three of ten chosen?"
    ),
    correct="A row's turns are the ones in its number in binary: no row needs more than ten.",
)


def _sines_first(encoding):
    return np.hstack([encoding[:, 0::2], encoding[:, 1::2]])


def _halves(encoding, frequencies, offset, *, signs=(1, -1), spread=np.tile):
    """Shift the concatenated layout, with a sign of its own for each of the two sines."""
    angles = spread(frequencies * offset, 2)
    b = np.sin(angles) * np.repeat(signs, len(frequencies))
    return np.cos(angles) * encoding + b * np.roll(encoding, len(frequencies), axis=1)


def _with_signs(*signs):
    return lambda encoding, frequencies, offset: _halves(encoding, frequencies, offset, signs=signs)


def _halves_in_place(encoding, frequencies, offset):
    """Turn the cosines with the sines that have been overwritten."""
    cosine, sine = np.cos(frequencies * offset), np.sin(frequencies * offset)
    sines, cosines = np.split(encoding, 2, axis=1)
    sines = cosine * sines + sine * cosines
    return np.hstack([sines, cosine * cosines - sine * sines])


def _interleaved(encoding, frequencies, offset):
    shifted = _halves(encoding, frequencies, offset)
    return np.stack(np.split(shifted, 2, axis=1), axis=-1).reshape(encoding.shape)


shift_concatenated = Exercise(
    "shift_concatenated",
    task="the table moved on by `offset`, sines in its left half and cosines in its right one",
    reference=lambda encoding, frequencies, offset: _halves(encoding, frequencies, offset),
    cases=shift_cases(_sines_first),
    mistakes={
        "You took columns 2k and 2k+1 for a pair. Where are the sine and the cosine of pair k in "
        "this layout?": shift_by_loop,
        "It shifts backwards, to positions t − φ. The sine stands first in a pair: which of the "
        "two sines takes the minus sign? With a matrix, rows need its transpose.": (
            _with_signs(-1, 1)
        ),
        "The new sines are right. A new cosine has a wrong sign: what is the cosine of a sum?": (
            _with_signs(1, 1)
        ),
        "The new cosines are right. A new sine has a wrong sign: what is the sine of a sum?": (
            _with_signs(-1, -1)
        ),
        "A sine and its cosine, half a table apart, share one factor: `np.tile` sets the whole "
        "list behind itself, `np.repeat` each number twice.": (
            lambda encoding, frequencies, offset: _halves(
                encoding, frequencies, offset, spread=np.repeat
            )
        ),
        "The new cosines are computed from sines that were already replaced. Read both halves from "
        "the old table.": _halves_in_place,
        "The numbers are right, but they come back interleaved. The result should have the layout "
        "of the input.": _interleaved,
        "The cosines come first in your result. The sines should stand in the left half.": (
            lambda encoding, frequencies, offset: np.roll(
                _halves(encoding, frequencies, offset), len(frequencies), axis=1
            )
        ),
        "The offset is left out: it shifts by one position, however far it should.": (
            lambda encoding, frequencies, offset: _halves(encoding, frequencies, 1)
        ),
    }
    | shift_mistakes(_halves),
    explain=explain_shift,
    correct="The layout changes where the numbers stand, and nothing else: a permutation of the "
    "columns leads from one to the other.",
)


def _swapped(encoding):
    return encoding.reshape(len(encoding), -1, 2)[:, :, ::-1].reshape(encoding.shape)


def _cosines_alone(encoding):
    """Swap in place, one column after the other: the sine is overwritten before it is read."""
    return np.repeat(encoding[:, 1::2], 2, axis=1)


def _by_swap(signs, swapped=_swapped, spread=np.repeat):
    """Return a shift by a and b, where b has its own signs in even and in odd columns."""

    def shift(encoding, frequencies, offset):
        angles = spread(frequencies * offset, 2)
        b = np.sin(angles) * np.tile(signs, len(frequencies))
        return np.cos(angles) * encoding + b * swapped(encoding)

    return shift


repaired_swap = Exercise(
    "repaired_swap",
    task="the table moved on by `offset`, as the function promises, with both bugs repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    mistakes={
        "Both bugs are still there. Nothing should move at offset 0, and no row should change its "
        "length.": lambda encoding, frequencies, offset: _by_swap((1, 1))(encoding, frequencies, 1),
        "The offset is where it belongs now. The second bug is in the signs: what is the cosine of "
        "a sum?": _by_swap((1, 1)),
        "The signs are right now, but it shifts by one position, however far it should. Which "
        "argument is never used?": lambda encoding, frequencies, offset: shift_by_loop(
            encoding, frequencies, 1
        ),
        "b alternates now, but it begins with the wrong sign: the table moves backwards.": _by_swap(
            (-1, 1)
        ),
        "All of b has a minus sign now. Only every other number should have one.": _by_swap(
            (-1, -1)
        ),
        "The two numbers of a pair should share one factor. `np.tile` sets the whole list behind "
        "itself; `np.repeat` sets each number twice.": _by_swap((1, -1), spread=np.tile),
        "The numbers move one column further, into the next pair. Exchange the two numbers within "
        "each pair.": _by_swap((1, -1), swapped=lambda encoding: np.roll(encoding, 1, axis=1)),
        "b multiplies the encoding itself. It belongs to the swapped encoding.": _by_swap(
            (1, -1), swapped=lambda encoding: encoding
        ),
        "The swapped encoding holds each cosine twice: the sine was replaced before it was read. "
        "Read from the old table and write into another.": _by_swap(
            (1, -1), swapped=_cosines_alone
        ),
        "The offset belongs inside the cosine and the sine: at offset 0 your a and b are 0.": (
            lambda encoding, frequencies, offset: offset * shift_by_loop(encoding, frequencies, 1)
        ),
        "The offset stands in a, but not in b.": lambda encoding, frequencies, offset: (
            np.repeat(np.cos(frequencies * offset), 2) * encoding
            + np.repeat(np.sin(frequencies), 2)
            * np.tile([1, -1], len(frequencies))
            * _swapped(encoding)
        ),
        "The offset stands in b, but not in a.": lambda encoding, frequencies, offset: (
            np.repeat(np.cos(frequencies), 2) * encoding
            + np.repeat(np.sin(frequencies * offset), 2)
            * np.tile([1, -1], len(frequencies))
            * _swapped(encoding)
        ),
    }
    | shift_mistakes(shift_by_loop),
    explain=explain_shift,
    correct="The missing offset hides well: at offset 1, the first one that people try, it makes "
    "no difference.",
    evidence=Exercise(
        "right_offset",
        task="the one offset for which the sines of the function with the bugs are right",
        reference=1,
        explain=explain_evidence,
        mistakes={
            "At offset 0 nothing should move. The function with the bugs moves the rows all the "
            "same: by how much?": 0,
            "At −1 the sines should move backwards. Into which direction does the function move "
            "them?": -1,
            "Try it: compare its even columns with the definition, for several offsets.": 100,
        },
        correct="",
    ),
)


_FOUR, _TEN = angular_frequencies(8), angular_frequencies(20)
_OTHER = angular_frequencies(12, base=50)
_SLOW = angular_frequencies(20, base=1e12)


def _right(frequencies, offset, matrix=None, *, label):
    matrix = shift_matrix(frequencies, offset) if matrix is None else matrix
    return Case(matrix, frequencies, offset, label=label, hint="This one is right, up to rounding.")


def _wrong(label, frequencies, offset, matrix, hint):
    return Case(matrix, frequencies, offset, label=label, hint=hint)


def _plus(frequencies, offset, changes):
    """Return M(φ) with something added in some places; a row is added to as a whole."""
    matrix = shift_matrix(frequencies, offset)
    for place, change in changes:
        matrix[place] += change
    return matrix


def _blind(rows):
    """Return perpendicular unit vectors; the last ones have the smallest products with rows."""
    return np.linalg.svd(np.linalg.qr(rows, mode="r"))[2]


def _right_at(positions, frequencies, changed=slice(None)):
    """Return a matrix that shifts some positions rightly by 3, and others not by far.

    To rows of M(3) a vector is added that has the product 0 with the encodings of those
    positions, up to rounding. Where a test looks at them alone, it cannot see the vector.
    """
    vector = 0.5 * _blind(rows_at(positions, frequencies))[-1]
    return _plus(frequencies, 3, [(changed, vector)])


def _turned_at(positions, frequencies):
    """Return an orthogonal matrix that shifts some positions rightly by 3, and others not."""
    plane = _blind(rows_at(positions, frequencies))[-2:]
    return shift_matrix(frequencies, 3) @ (np.eye(2 * len(frequencies)) - 2 * plane.T @ plane)


def _where_wrong(matrix, frequencies):
    """Return words for a power of ten at which a matrix errs."""
    powers = np.arange(1, 13)
    rows = rows_at(10.0**powers, frequencies) @ matrix.T
    errors = np.abs(rows - rows_at(10.0**powers + 3, frequencies)).max(axis=1)
    first = np.flatnonzero(errors > 0.03)[0]
    return f"It errs by {errors[first]:.1g} at position {10 ** int(powers[first])}."


class _Watched(np.ndarray):
    """A matrix that notes with what it is combined."""

    seen = ()

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        _Watched.seen += tuple(x for x in inputs if not isinstance(x, _Watched))
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
    rows = [x for x in rows if x.shape[1] == len(matrix)] or [rows_at([0], frequencies)]
    return matrix + 0.0001 * _blind(np.vstack(rows))[-1]


def _matrices():
    """Return right matrices and wrong ones, from the plainly wrong to the nearly right."""
    few = "A matrix can be right at all the positions that you look at, and wrong elsewhere."
    both = "Look at sines and cosines, at every row of the result."
    every = "An error may be positive or negative: look at the magnitude of each one."
    hidden = [
        (1e4, range(10), "0 to 9"),
        (1e4, range(50), "0 to 49"),
        (1e4, range(100), "0 to 99"),
        (1e4, range(200), "0 to 199"),
        (1e6, range(1000), "0 to 999"),
        (1e8, np.linspace(0, 10_000, 2000), "0 to 10 000"),
        (1e10, np.linspace(-1e6, 1e6, 2000), "−1 000 000 to 1 000 000"),
        (1e12, np.linspace(-1e8, 1e8, 2000), "−100 000 000 to 100 000 000"),
        (1e4, [*range(6), 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4], "0, 10, 100 and so on"),
        (1e4, 2 * np.pi / _TEN, "one wavelength of each pair"),
    ]
    return [
        _right(_FOUR, 3, label="M(3) itself"),
        _right(_FOUR, 0, np.eye(8), label="the identity and offset 0"),
        _right(_TEN, -2.5, label="M(−2.5) itself"),
        _right(_OTHER, 7, label="M(7) for base 50"),
        _right(angular_frequencies(2), 100, label="M(100) for a single pair"),
        _right(
            _FOUR,
            100,
            np.linalg.matrix_power(shift_matrix(_FOUR, 1), 100),
            label="M(1) multiplied with itself to give M(100)",
        ),
        _wrong("a matrix of zeros", _FOUR, 3, np.zeros((8, 8)), "It takes every position to zero."),
        _wrong(
            "the matrix that shifts backwards",
            _FOUR,
            3,
            shift_matrix(_FOUR, -3),
            "It is the right one with the signs of the sines reversed: do you multiply from the "
            "wrong side, or compare magnitudes?",
        ),
        _wrong(
            "M(4) in place of M(3)",
            _FOUR,
            3,
            shift_matrix(_FOUR, 4),
            "It is a rotation, as M(3) is. Compare with the encoding of t + φ.",
        ),
        _wrong(
            "999 in the first column of each block",
            _FOUR,
            3,
            np.where(np.arange(8) % 2, shift_matrix(_FOUR, 3), 999.0),
            "At position 0 all sines are 0, so half of the matrix is multiplied by zeros.",
        ),
        _wrong(
            "a matrix that is right at position 0 only",
            _FOUR,
            3,
            np.outer(rows_at([3], _FOUR)[0], rows_at([0], _FOUR)[0]) / 4,
            few,
        ),
        _wrong(
            "a matrix that is right at position 1 only",
            _FOUR,
            3,
            np.outer(rows_at([4], _FOUR)[0], rows_at([1], _FOUR)[0]) / 4,
            few,
        ),
        _wrong("wrong sine rows", _FOUR, 3, _plus(_FOUR, 3, [(np.s_[0::2], 0.1)]), both),
        _wrong("wrong cosine rows", _FOUR, 3, _plus(_FOUR, 3, [(np.s_[1::2], 0.1)]), both),
        _wrong(
            "right blocks, and something beside them",
            _FOUR,
            3,
            _plus(_FOUR, 3, [((0, 5), 0.2), ((6, 1), -0.3)]),
            "Outside the blocks everything should be 0.",
        ),
        _wrong(
            "a wrong block in the middle",
            _FOUR,
            3,
            shift_matrix([*_FOUR[:2], 0.5, _FOUR[3]], 3),
            "Look at every pair.",
        ),
        _wrong(
            "a matrix that leaves the slowest pair where it is",
            _FOUR,
            20,
            shift_matrix([*_FOUR[:3], 0], 20),
            "Look at all pairs: here the slowest one should turn, by 0.02 radians, and does not.",
        ),
        _wrong(
            "blocks in the reverse order",
            _FOUR,
            3,
            shift_matrix(_FOUR[::-1], 3),
            "Each pair has a frequency of its own.",
        ),
        _wrong(
            "M(7) of base 10 000, where base 50 is given",
            _OTHER,
            7,
            shift_matrix(angular_frequencies(12), 7),
            "Use the frequencies that are given.",
        ),
        _wrong(
            "errors that cancel in the sum",
            _SLOW,
            3,
            _plus(_SLOW, 3, [((4, 19), 0.5), ((5, 19), -0.5)]),
            "Positive and negative errors cancel in a mean or a sum: look at their magnitudes.",
        ),
        _wrong("an error that is negative", _SLOW, 3, _plus(_SLOW, 3, [((0, 19), -0.5)]), every),
        _wrong("an error that is positive", _SLOW, 3, _plus(_SLOW, 3, [((0, 19), 0.5)]), every),
        _wrong(
            "one entry that is wrong by 0.00001",
            _FOUR,
            3,
            _plus(_FOUR, 3, [((2, 3), 1e-5)]),
            "Your tolerance is too large: rounding errors are far below 0.00001.",
        ),
        _wrong(
            "M(3.00001) in place of M(3)",
            _FOUR,
            3,
            shift_matrix(_FOUR, 3.00001),
            "Your tolerance is too large: rounding errors are far below 0.00001.",
        ),
        *(
            _wrong(
                f"a matrix that is right at the positions {words}",
                frequencies,
                3,
                matrix,
                f"{_where_wrong(matrix, frequencies)} {few}",
            )
            for k, (base, positions, words) in enumerate(hidden)
            for frequencies in [angular_frequencies(20, base=base)]
            for changed in [(slice(None), np.s_[0::2], np.s_[1::2], -1)[k % 4]]
            for matrix in [_right_at(positions, frequencies, changed)]
        ),
        _wrong(
            "a wrong sine in the slowest block",
            _SLOW,
            3,
            _plus(_SLOW, 3, [((19, 18), 0.5)]),
            "The slowest sine is nearly 0 at all the positions that you look at.",
        ),
        *(
            _wrong(
                f"an orthogonal matrix that is right at {words}",
                frequencies,
                3,
                _turned_at(positions, frequencies),
                few,
            )
            for frequencies, positions, words in [
                (_FOUR, [0], "position 0"),
                (angular_frequencies(20, base=1e6), range(200), "the positions 0 to 199"),
                (
                    angular_frequencies(20, base=1e16),
                    np.linspace(-1e8, 1e8, 2000),
                    "the positions −100 000 000 to 100 000 000",
                ),
            ]
        ),
        _wrong(
            "a matrix made to be right wherever your test looks, and wrong elsewhere",
            _TEN,
            3,
            _right_where_it_looks,
            few + " How many, how far apart, settle 20 columns? Or look at the matrix itself.",
        ),
    ]


def _agree_at(positions, *, tolerance=1e-9, part=slice(None), rows=False):
    """Return a test of a matrix at some positions; with `rows`, it acts from the wrong side."""

    def test(matrix, frequencies, offset):
        before, after = rows_at(positions, frequencies), rows_at(positions + offset, frequencies)
        moved = before @ (matrix if rows else matrix.T)
        return np.allclose(moved[:, part], after[:, part], rtol=0, atol=tolerance)

    positions = np.asarray(positions, dtype=float)
    return test


def _difference(matrix, frequencies, offset):
    return matrix - shift_matrix(frequencies, offset)


is_shift = Exercise(
    "is_shift",
    task="`True` if the matrix shifts the encoding of every position by `offset`, else `False`",
    reference=lambda matrix, frequencies, offset: np.allclose(
        _difference(matrix, frequencies, offset), 0, rtol=0, atol=1e-9
    ),
    cases=_matrices,
    call=lambda test, matrix, frequencies, offset: test(
        matrix(test, frequencies, offset) if callable(matrix) else matrix, frequencies, offset
    ),
    mistakes={
        "At position 0 every sine is 0, so half of the matrix is multiplied by zeros. Look at "
        "further positions.": _agree_at([0]),
        "That every row keeps its length is true of each rotation, and the wrong ones are "
        "rotations too. Compare with the encoding of t + φ.": lambda matrix, frequencies, offset: (
            np.allclose(matrix @ matrix.T, np.eye(len(matrix)))
        ),
        "It applies the matrix from the wrong side. The matrix acts on columns; in a table the "
        "positions are rows.": _agree_at(np.arange(40) * 7.5, rows=True),
        "Do not ask for equality to the last digit: a matrix can be right up to rounding.": (
            lambda matrix, frequencies, offset: not _difference(matrix, frequencies, offset).any()
        ),
        "It looks at the sines of the result alone. The cosines count too.": _agree_at(
            range(200), part=np.s_[0::2]
        ),
        "It looks at the cosines of the result alone. The sines count too.": _agree_at(
            range(200), part=np.s_[1::2]
        ),
        "It looks at the blocks on the diagonal alone. Outside of them everything should be 0.": (
            lambda matrix, frequencies, offset: np.allclose(
                np.where(
                    np.kron(np.eye(len(frequencies)), np.ones((2, 2))),
                    _difference(matrix, frequencies, offset),
                    0,
                ),
                0,
                rtol=0,
                atol=1e-9,
            )
        ),
        "It looks for a large difference and forgets the negative ones: take the magnitude.": (
            lambda matrix, frequencies, offset: (
                _difference(matrix, frequencies, offset).max() < 1e-9
            )
        ),
        "In a sum or a mean, positive and negative differences cancel: look at the magnitude of "
        "each.": (
            lambda matrix, frequencies, offset: (
                abs(_difference(matrix, frequencies, offset).mean()) < 1e-9
            )
        ),
        "It computes frequencies of base 10 000. Use those that are given.": (
            lambda matrix, frequencies, offset: np.allclose(
                _difference(matrix, angular_frequencies(len(matrix)), offset), 0, atol=1e-9
            )
        ),
    },
    correct="A wrong matrix can hide from any list of positions that does not settle all its "
    "columns. M(φ) is the only matrix that shifts every position, so the matrix itself can be "
    "compared, too.",
)
