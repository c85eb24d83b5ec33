"""The exercises of notebook 05."""

import math

import numpy as np
import pytest

from posenc import checks
from posenc.shifts import packed_factors, shift_by_phase, shift_by_swapping, shift_matrix

from .harness import hold, is_wrong


def turned(sine, cosine, angle):
    """The point (sine, cosine) turned clockwise by an angle, through its polar form."""
    radius, angle = math.hypot(sine, cosine), angle + math.atan2(sine, cosine)
    return radius * math.sin(angle), radius * math.cos(angle)


def pairs_shifted(columns):
    """A shift number by number; `columns` gives the columns of pair k at width d."""

    def shift(encoding, frequencies, offset):
        result = [[0.0] * len(row) for row in encoding]
        for i, row in enumerate(encoding):
            for k, frequency in enumerate(frequencies):
                sine, cosine = columns(k, len(row))
                result[i][sine], result[i][cosine] = turned(
                    row[sine], row[cosine], frequency * offset
                )
        return result

    return shift


interleaved = pairs_shifted(lambda k, d: (2 * k, 2 * k + 1))
concatenated = pairs_shifted(lambda k, d: (k, d // 2 + k))


def as_solved_concatenated(encoding, frequencies, offset):
    to_sine, to_cosine = packed_factors(frequencies, offset)
    sines, cosines = np.split(encoding, 2, axis=1)
    new_sines = to_sine[0] * sines + to_sine[1] * cosines
    new_cosines = to_cosine[0] * sines + to_cosine[1] * cosines
    return np.hstack([new_sines, new_cosines])


def by_complex_halves(encoding, frequencies, offset):
    half = len(frequencies)
    z = (encoding[:, :half] + 1j * encoding[:, half:]) * np.exp(-1j * frequencies * offset)
    return np.concatenate([z.real, z.imag], axis=1)


def rotate_half(encoding, frequencies, offset):
    angles = np.tile(frequencies * offset, 2)
    sines, cosines = np.split(encoding, 2, axis=1)
    return np.cos(angles) * encoding + np.sin(angles) * np.hstack([cosines, -sines])


def overwritten(encoding, frequencies, offset):
    result = encoding.copy()
    half = len(frequencies)
    c, s = np.cos(frequencies * offset), np.sin(frequencies * offset)
    result[:, :half] = c * result[:, :half] + s * result[:, half:]
    result[:, half:] = c * result[:, half:] - s * result[:, :half]
    return result


def as_columns(function):
    return lambda encoding, w, o: np.array(function(encoding, w, o))


def test_shift_concatenated():
    hold(
        checks.shift_concatenated,
        solution=as_solved_concatenated,
        wrong=[
            (interleaved, "columns 2k and 2k+1 for a pair"),
            (lambda e, w, o: concatenated(e, w, -o), "shifts backwards"),
            (
                lambda e, w, o: (
                    np.cos(np.tile(w * o, 2)) * e
                    + np.sin(np.tile(w * o, 2)) * np.roll(e, len(w), axis=1)
                ),
                "the cosine of a sum",
            ),
            (
                lambda e, w, o: (
                    np.cos(np.tile(w * o, 2)) * e
                    - np.sin(np.tile(w * o, 2)) * np.roll(e, len(w), axis=1)
                ),
                "the sine of a sum",
            ),
            (overwritten, "already replaced"),
            (
                lambda e, w, o: np.dstack(
                    np.split(as_columns(concatenated)(e, w, o), 2, 1)
                ).reshape(e.shape),
                "come back interleaved",
            ),
            (
                lambda e, w, o: as_columns(concatenated)(e, w, o)[
                    :, [*range(len(w), 2 * len(w)), *range(len(w))]
                ],
                "The cosines come first",
            ),
            (lambda e, w, o: concatenated(e, w, 1), "left out"),
            (lambda e, w, o: e, "as it was given"),
            (lambda e, w, o: 0.5 * as_columns(concatenated)(e, w, o), "one and the same factor"),
            (lambda e, w, o: np.cos(w * o) * e[:, : len(w)], "where an array of shape"),
            (lambda e, w, o: np.abs(concatenated(e, w, o)) * [*w, *w], "length of no row"),
        ],
        also_right=[concatenated, by_complex_halves, rotate_half],
    )


def swap_shift(a, b, swap):
    """The function of the statement, with other lines for a, b and the swap."""

    def shift(encoding, frequencies, offset):
        return a(frequencies, offset) * encoding + b(frequencies, offset) * swap(encoding)

    return shift


def neighbors(encoding):
    swapped = encoding.copy()
    swapped[:, 0::2] = encoding[:, 1::2]
    swapped[:, 1::2] = encoding[:, 0::2]
    return swapped


def twice_the_cosine(encoding):
    swapped = encoding.copy()
    swapped[:, 0::2] = swapped[:, 1::2]
    swapped[:, 1::2] = swapped[:, 0::2]
    return swapped


def cosines(w, o):
    return [math.cos(x * o) for x in w for _ in "ab"]


def alternating(w, o):
    return np.array([sign * math.sin(x * o) for x in w for sign in (1, -1)])


def test_repaired_swap():
    hold(
        checks.repaired_swap,
        solution=swap_shift(cosines, alternating, neighbors),
        wrong=[
            (
                swap_shift(
                    lambda w, o: np.repeat(np.cos(w), 2),
                    lambda w, o: np.repeat(np.sin(w), 2),
                    neighbors,
                ),
                "Both bugs",
            ),
            (
                swap_shift(cosines, lambda w, o: np.repeat(np.sin(w * o), 2), neighbors),
                "in the signs",
            ),
            (
                lambda e, w, o: swap_shift(cosines, alternating, neighbors)(e, w, 1),
                "never used",
            ),
            (swap_shift(cosines, lambda w, o: -alternating(w, o), neighbors), "moves backwards"),
            (
                swap_shift(cosines, lambda w, o: -np.repeat(np.sin(w * o), 2), neighbors),
                "All of b",
            ),
            (
                swap_shift(
                    lambda w, o: np.tile(np.cos(w * o), 2),
                    lambda w, o: np.tile(np.sin(w * o), 2) * np.tile([1, -1], len(w)),
                    neighbors,
                ),
                "np.repeat",
            ),
            (swap_shift(cosines, alternating, lambda e: np.roll(e, 1, 1)), "into the next pair"),
            (swap_shift(cosines, alternating, lambda e: e), "the encoding itself"),
            (swap_shift(cosines, alternating, twice_the_cosine), "each cosine twice"),
            (lambda e, w, o: e + 0, "as it was given"),
            (swap_shift(cosines, alternating, lambda e: 2 * neighbors(e)), "length of no row"),
        ],
        also_right=[
            interleaved,
            shift_by_swapping,
            shift_by_phase,
            swap_shift(
                cosines,
                alternating,
                lambda e: e @ np.kron(np.eye(e.shape[1] // 2), [[0, 1], [1, 0]]),
            ),
        ],
    )


def encoding_of(t, w):
    return np.array([f(x * t) for x in w for f in (math.sin, math.cos)])


def compared_at(positions, tolerance=1e-8):
    def test(matrix, w, o):
        return all(
            bool(np.abs(matrix @ encoding_of(t, w) - encoding_of(t + o, w)).max() < tolerance)
            for t in positions
        )

    return test


def as_solved_test(matrix, frequencies, offset):
    def encoding(positions):
        phases = positions[:, None] * frequencies
        pairs = np.stack([np.sin(phases), np.cos(phases)], axis=-1)
        return pairs.reshape(len(positions), -1)

    positions = np.linspace(0, 10_000, 500)
    shifted = encoding(positions) @ matrix.T
    return np.allclose(shifted, encoding(positions + offset), rtol=0, atol=1e-9)


def test_is_shift():
    everywhere = compared_at(range(200))

    def without_the_slowest_pair(matrix, w, o):
        return everywhere(matrix[:-2, :-2], w[:-1], o)

    hold(
        checks.is_shift,
        solution=as_solved_test,
        wrong=[
            (compared_at([0]), "every sine is 0"),
            (compared_at([0, 1]), "too few positions"),
            (lambda m, w, o: np.allclose(m.T @ m, np.eye(2 * len(w))), "wrong ones are rotations"),
            (lambda m, w, o: everywhere(m.T, w, o), "wrong side"),
            (lambda m, w, o: bool((m == shift_matrix(w, o)).all()), "to the last digit"),
            (compared_at(range(200), 0.1), "tolerance is too large"),
            (without_the_slowest_pair, "the slowest one should turn"),
            (
                lambda m, w, o: everywhere(m, w, o) and bool(m[0, 0] != 1),
                "It refuses a matrix that is right",
            ),
            (
                lambda m, w, o: everywhere(m, w, o) or everywhere(m.T, w, o),
                "For the matrix that shifts backwards",
            ),
            (lambda m, w, o: "yes", "the text"),
            (lambda m, w, o: [everywhere(m, w, o)], "shape (1,)"),
            (lambda m, w, o: True, "the same whatever"),
        ],
        also_right=[
            everywhere,
            compared_at([-7, 0.5, 3, 11, 90, 500, 800, 1e3, 2e3, 3e3, *range(4000, 9000, 250)]),
            lambda m, w, o: np.allclose(m, shift_matrix(w, o)),
            lambda m, w, o: np.array(everywhere(m, w, o)),
        ],
    )


@pytest.mark.parametrize(
    "positions",
    [
        [1],
        [5],
        [7],
        [20],
        [100],
        [500],
        [1, 10, 100, 1000],
        range(5),
        range(6),
        range(8),
        range(20),
    ],
    ids=str,
)
def test_few_positions_settle_no_matrix(positions):
    assert "too few positions" in is_wrong(checks.is_shift, compared_at(positions))
    loose = compared_at(positions, 1e-6)
    assert "too few positions" in is_wrong(checks.is_shift, loose)


@pytest.mark.parametrize("tolerance", [0.1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("positions", [range(200), np.linspace(0, 10_000, 500)], ids=["200", "far"])
def test_a_loose_tolerance_is_told(positions, tolerance):
    told = is_wrong(checks.is_shift, compared_at(positions, tolerance))
    assert "tolerance is too large" in told


def as_solved_continued(table, frequencies, length):
    while len(table) < length:
        more = shift_by_phase(table, frequencies, len(table))
        table = np.vstack([table, more])
    return table[:length]


def row_by_row(table, frequencies, length):
    rows = [list(row) for row in table]
    while len(rows) < length:
        rows += interleaved(rows[-1:], frequencies, 1)
    return rows


def in_place(table, frequencies, length):
    result = np.empty((length, table.shape[1]))
    result[: len(table)] = table
    filled = len(table)
    while filled < length:
        count = min(filled, length - filled)
        result[filled : filled + count] = shift_by_phase(result[:count], frequencies, filled)
        filled += count
    return result


def doubled_by(step):
    """The solution with another shift at each step."""

    def function(table, frequencies, length):
        given, times = len(table), 0
        while len(table) < length:
            by = step(given, times)
            table = np.concatenate([table, interleaved(table, frequencies, by)])
            times += 1
        return table[:length]

    return function


def uncut(table, frequencies, length):
    while len(table) < length:
        table = np.concatenate([table, interleaved(table, frequencies, len(table))])
    return table


def test_continued():
    hold(
        checks.continued,
        solution=as_solved_continued,
        wrong=[
            (doubled_by(lambda given, times: 1), "by 1 each time"),
            (doubled_by(lambda given, times: 2**times), "by 1, 2, 4"),
            (doubled_by(lambda given, times: given), "The table has grown"),
            (
                lambda e, w, n: [encoding_of(t, w) for t in range(n)],
                "from position 0. The first row",
            ),
            (lambda e, w, n: [e[i % len(e)] for i in range(n)], "without shifting"),
            (uncut, "too many"),
            (lambda e, w, n: row_by_row(interleaved(e, w, len(e)), w, n), "missing at the"),
            (doubled_by(lambda given, times: -given * 2**times), "goes on backwards"),
            (lambda e, w, n: row_by_row(e, w, n)[::-1], "reversed"),
            (lambda e, w, n: row_by_row(interleaved(e, w, 1), w, n), "first rows should be"),
            (lambda e, w, n: e, "an array of shape (1, 4)"),
        ],
        also_right=[row_by_row, in_place],
    )


def test_changing_the_table_is_told():
    def spoils(table, frequencies, length):
        table *= 1.5
        return as_solved_continued(table, frequencies, length)

    assert "changes its input `table`" in is_wrong(checks.continued, spoils)
