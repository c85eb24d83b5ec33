"""The exercises of notebook 05, *Four ways to shift*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.shifts import shift_by_loop, shift_by_phase, shift_matrix

from ._checkers import Case, FunctionCheck, Mistake, Property
from ._tables import SAME_LENGTH, rows_at, shift_cases


def _sines_first(encoding):
    return np.hstack([encoding[:, 0::2], encoding[:, 1::2]])


def _halves(encoding, frequencies, offset, *, signs):
    """Shift the concatenated layout, with a sign of its own for each of the two sines."""
    cosine, sine = np.cos(frequencies * offset), np.sin(frequencies * offset)
    sines, cosines = np.split(encoding, 2, axis=1)
    return np.hstack(
        [
            cosine * sines + signs[0] * sine * cosines,
            cosine * cosines + signs[1] * sine * sines,
        ]
    )


def _halves_in_place(encoding, frequencies, offset):
    """Turn the cosines with the sines that have been overwritten."""
    cosine, sine = np.cos(frequencies * offset), np.sin(frequencies * offset)
    sines, cosines = np.split(encoding, 2, axis=1)
    sines = cosine * sines + sine * cosines
    return np.hstack([sines, cosine * cosines - sine * sines])


def _interleaved(encoding, frequencies, offset):
    shifted = _halves(encoding, frequencies, offset, signs=(1, -1))
    return np.stack(np.split(shifted, 2, axis=1), axis=-1).reshape(encoding.shape)


shift_concatenated = FunctionCheck(
    "shift_concatenated",
    task="the table moved on by `offset`, sines in its left half and cosines in its right one",
    reference=lambda encoding, frequencies, offset: _halves(
        encoding, frequencies, offset, signs=(1, -1)
    ),
    cases=shift_cases(_sines_first),
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "You took columns 2k and 2k+1 for a pair. Where are the sine and the cosine of pair "
            "k in this layout?",
            lambda encoding, frequencies, offset: shift_by_loop(encoding, frequencies, offset),
        ),
        Mistake(
            "It shifts backwards, to positions t − φ. The sine stands first in a pair: which of "
            "the two sines takes the minus sign?",
            lambda encoding, frequencies, offset: _halves(
                encoding, frequencies, offset, signs=(-1, 1)
            ),
        ),
        Mistake(
            "The new sines are right. In the new cosines a sign is wrong: what is the cosine of "
            "a sum?",
            lambda encoding, frequencies, offset: _halves(
                encoding, frequencies, offset, signs=(1, 1)
            ),
        ),
        Mistake(
            "The new cosines are right. In the new sines a sign is wrong: what is the sine of a "
            "sum?",
            lambda encoding, frequencies, offset: _halves(
                encoding, frequencies, offset, signs=(-1, -1)
            ),
        ),
        Mistake(
            "The new cosines are computed from sines that were already replaced. Read both "
            "halves from the old table.",
            _halves_in_place,
        ),
        Mistake(
            "The numbers are right, but they come back interleaved. The result should have the "
            "layout of the input.",
            _interleaved,
        ),
        Mistake(
            "The cosines come first in your result. The sines should stand in the left half.",
            lambda encoding, frequencies, offset: np.roll(
                _halves(encoding, frequencies, offset, signs=(1, -1)), len(frequencies), axis=1
            ),
        ),
        Mistake(
            "The offset is left out: it shifts by one position, however far it should.",
            lambda encoding, frequencies, offset: _halves(encoding, frequencies, 1, signs=(1, -1)),
        ),
        Mistake(
            "It returns the table as it was given.",
            lambda encoding, frequencies, offset: encoding,
        ),
    ],
    properties=[SAME_LENGTH],
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


repaired_swap = FunctionCheck(
    "repaired_swap",
    task="the table moved on by `offset`, as the function promises, with both bugs repaired",
    reference=shift_by_loop,
    cases=shift_cases(),
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "Both bugs are still there. Nothing should move at offset 0, and no row should "
            "change its length.",
            lambda encoding, frequencies, offset: _by_swap((1, 1))(encoding, frequencies, 1),
        ),
        Mistake(
            "The offset is where it belongs now. The second bug is in the signs: what is the "
            "cosine of a sum?",
            _by_swap((1, 1)),
        ),
        Mistake(
            "The signs are right now, but it shifts by one position, however far it should. "
            "Which argument is never used?",
            lambda encoding, frequencies, offset: shift_by_loop(encoding, frequencies, 1),
        ),
        Mistake(
            "b alternates now, but it begins with the wrong sign: the table moves backwards.",
            _by_swap((-1, 1)),
        ),
        Mistake(
            "All of b has a minus sign now. Only every other number should have one.",
            _by_swap((-1, -1)),
        ),
        Mistake(
            "The two numbers of a pair should share one factor. `np.tile` sets the whole list "
            "behind itself; `np.repeat` sets each number twice.",
            _by_swap((1, -1), spread=np.tile),
        ),
        Mistake(
            "The numbers move one column further, into the next pair. Exchange the two numbers "
            "within each pair.",
            _by_swap((1, -1), swapped=lambda encoding: np.roll(encoding, 1, axis=1)),
        ),
        Mistake(
            "b multiplies the encoding itself. It belongs to the swapped encoding.",
            _by_swap((1, -1), swapped=lambda encoding: encoding),
        ),
        Mistake(
            "The swapped encoding holds each cosine twice: the sine was replaced before it was "
            "read. Read from the old table and write into another.",
            _by_swap((1, -1), swapped=_cosines_alone),
        ),
        Mistake(
            "It returns the table as it was given.",
            lambda encoding, frequencies, offset: encoding,
        ),
    ],
    properties=[SAME_LENGTH],
    correct="The missing offset hides well: at offset 1, the first one that people try, it makes "
    "no difference.",
)


def _agree_at(positions, *, rows=False, tolerance=1e-9):
    """Return a test of a matrix at some positions; with `rows`, it acts from the wrong side."""

    def test(matrix, frequencies, offset):
        width = 2 * len(frequencies)
        before, after = rows_at(positions, width), rows_at(np.add(positions, offset), width)
        moved = before @ (matrix if rows else matrix.T)
        return np.allclose(moved, after, rtol=0, atol=tolerance)

    return test


def _right_only_at(positions):
    """Return M(3) of width 20, changed by a row that is perpendicular to some encodings."""
    encoding, row = rows_at(positions, 20), np.eye(20)[-1]
    # The cutoff lies in a wide gap of the singular values, so that every machine finds one row.
    perpendicular = row - np.linalg.lstsq(encoding, encoding @ row, rcond=1e-13)[0]
    return shift_matrix(_TEN, 3) + np.outer(np.ones(20), perpendicular)


def _is_right_somewhere(matrix, frequencies, offset):
    return any(_agree_at([position])(matrix, frequencies, offset) for position in (1, 500))


_FOUR = angular_frequencies(8)
_TEN = angular_frequencies(20)
_FITTED = np.linalg.lstsq(rows_at(range(4), 8), rows_at(range(3, 7), 8))[0].T
_BROKEN = np.where(np.arange(8) % 2, shift_matrix(_FOUR, 3), 999.0)
_ROUND = [*range(6), 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

is_shift = FunctionCheck(
    "is_shift",
    task="`True` if the matrix shifts the encoding of every position by `offset`, else `False`",
    reference=lambda matrix, frequencies, offset: np.allclose(
        matrix, shift_matrix(frequencies, offset), rtol=0, atol=1e-9
    ),
    cases=[
        Case(shift_matrix(_FOUR, 3), _FOUR, 3, label="M(3) itself"),
        Case(np.eye(8), _FOUR, 0, label="the identity and offset 0"),
        Case(
            shift_matrix(_TEN, -2.5),
            _TEN,
            -2.5,
            label="M(-2.5) itself",
        ),
        Case(
            np.linalg.matrix_power(shift_matrix(_FOUR, 1), 100),
            _FOUR,
            100,
            label="M(1) multiplied with itself to give M(100)",
        ),
        Case(_BROKEN, _FOUR, 3, label="999 in the first column of each block"),
        Case(shift_matrix(_FOUR, -3), _FOUR, 3, label="the matrix that shifts backwards"),
        Case(shift_matrix(_FOUR, 4), _FOUR, 3, label="M(4) in place of M(3)"),
        Case(
            shift_matrix([*_FOUR[:3], 0], 20),
            _FOUR,
            20,
            label="a matrix that leaves the slowest pair where it is",
        ),
        Case(shift_matrix(_FOUR[::-1], 3), _FOUR, 3, label="blocks in the reverse order"),
        Case(_FITTED, _FOUR, 3, label="a matrix fitted to a few positions"),
        Case(_right_only_at(range(24)), _TEN, 3, label="a matrix that is right near position 0"),
        Case(_right_only_at(_ROUND), _TEN, 3, label="a matrix that is right at round positions"),
        Case(shift_matrix(_FOUR, 3 + 1e-5), _FOUR, 3, label="M(3.00001) in place of M(3)"),
    ],
    mistakes=[
        Mistake(
            "At position 0 every sine is 0, so half of the matrix is multiplied by zeros. Look "
            "at further positions.",
            _agree_at([0]),
        ),
        Mistake(
            "That every row keeps its length is true of each rotation, and the wrong ones are "
            "rotations too. Compare with the encoding of t + φ.",
            lambda matrix, frequencies, offset: np.allclose(matrix @ matrix.T, np.eye(len(matrix))),
        ),
        Mistake(
            "It applies the matrix from the wrong side. The matrix acts on columns; in a table "
            "the positions are rows.",
            _agree_at(np.arange(40) * 7.5, rows=True),
        ),
        Mistake(
            "Do not ask for equality to the last digit: this matrix is right up to rounding.",
            lambda matrix, frequencies, offset: np.array_equal(
                matrix, shift_matrix(frequencies, offset)
            ),
        ),
        Mistake(
            "Look at all pairs: here the slowest one should turn, by 0.02 radians, and does not.",
            lambda matrix, frequencies, offset: np.allclose(
                matrix[:-2], shift_matrix(frequencies, offset)[:-2], rtol=0, atol=1e-9
            ),
        ),
    ],
    properties=[
        Property(
            "It refuses a matrix that is right up to rounding.",
            lambda found, matrix, frequencies, offset: (
                found or not _agree_at(np.arange(40) * 7.5)(matrix, frequencies, offset)
            ),
        ),
        Property(
            "Its tolerance is too large: rounding errors are far below 0.00001.",
            lambda found, matrix, frequencies, offset: (
                not found
                or not _agree_at(np.arange(40) * 7.5, tolerance=1e-4)(matrix, frequencies, offset)
            ),
        ),
        Property(
            "It looks at too few positions, or they are too near each other: a matrix can be "
            "right at all of them and wrong elsewhere.",
            lambda found, matrix, frequencies, offset: (
                not found or not _is_right_somewhere(matrix, frequencies, offset)
            ),
        ),
    ],
    correct="Ten frequencies are 20 columns, so a few hundred positions settle the matrix. In a "
    "table of 200 positions and 256 columns they do not, as the fitted matrix has shown.",
)


def _continued(table, frequencies, length, *, step=None):
    """Double a table until it is long enough; a wrong `step` takes the number of rows."""
    filled = table
    doublings = 0
    while len(filled) < length:
        by = len(filled) if step is None else step(len(table), doublings)
        filled = np.vstack([filled, shift_by_phase(filled, frequencies, by)])
        doublings += 1
    return filled[:length]


def _continue_case(start, rows, width, length, *, label=None):
    label = label or f"{rows} row{'s' * (rows > 1)} from position {start}, to be {length}"
    table = rows_at(start + np.arange(rows), width)
    return Case(table, angular_frequencies(width), length, label=label)


def _not_cut(table, frequencies, length):
    doublings = int(np.ceil(np.log2(length / len(table))))
    return _continued(table, frequencies, len(table) * 2**doublings)


continued = FunctionCheck(
    "continued",
    task="a table of `length` rows that begins with the rows of `table` and goes on from there",
    reference=_continued,
    cases=[
        _continue_case(0, 3, 4, 3, label="a table that is long enough"),
        _continue_case(0, 1, 4, 4),
        _continue_case(7.5, 3, 4, 10),
        _continue_case(-30, 4, 6, 16),
        _continue_case(5, 2, 8, 7),
    ],
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "It shifts by 1 each time. By how many positions must m rows move, to come right "
            "after themselves?",
            lambda table, frequencies, length: _continued(
                table, frequencies, length, step=lambda rows, doublings: 1
            ),
        ),
        Mistake(
            "It shifts by 1, 2, 4, …, which is right for a table that begins with one row. How "
            "many rows are there at each step?",
            lambda table, frequencies, length: _continued(
                table, frequencies, length, step=lambda rows, doublings: 2**doublings
            ),
        ),
        Mistake(
            "It shifts by the number of rows that were given, at every step. The table has grown "
            "since.",
            lambda table, frequencies, length: _continued(
                table, frequencies, length, step=lambda rows, doublings: rows
            ),
        ),
        Mistake(
            "It builds a new table from position 0. The first row may be any position: go on "
            "from the rows that are given.",
            lambda table, frequencies, length: rows_at(range(length), table.shape[1]),
        ),
        Mistake(
            "It repeats the rows without shifting them.",
            lambda table, frequencies, length: np.resize(table, (length, table.shape[1])),
        ),
        Mistake(
            "The rows are right, but there are too many: the last doubling goes beyond `length`.",
            _not_cut,
        ),
        Mistake(
            "The given rows are missing at the beginning.",
            lambda table, frequencies, length: _continued(
                shift_by_phase(table, frequencies, len(table)), frequencies, length
            ),
        ),
        Mistake(
            "It goes on backwards: the new rows are positions before the given ones.",
            lambda table, frequencies, length: _continued(
                table,
                frequencies,
                length,
                step=lambda rows, doublings: -rows * 2**doublings,
            ),
        ),
    ],
    properties=[
        Property(
            "The first rows should be the ones that were given, unchanged.",
            lambda found, table, frequencies, length: np.allclose(found[: len(table)], table),
        )
    ],
    correct="Nobody told you the positions, and nobody had to: a shift does not ask for them.",
)
