"""The exercises of notebook 5."""

import math

import numpy as np
import pytest

from posenc import checks
from posenc.shifts import packed_factors, shift_by_phase, shift_by_swapping, shift_matrix

from .exercise_laws import hold, is_right, is_wrong


def test_three_turns():
    ones = [t.bit_count() for t in range(1024)]
    hold(
        checks.three_turns,
        right=[120, math.comb(10, 3), ones.count(3), 120.0, np.int64(120), [120]],
        wrong=[
            (sum(f"{t:b}".count("0") == 3 for t in range(1024)), "three zeros"),
            (sum(str(t).count("1") == 3 for t in range(1024)), "in decimal digits"),
            (ones.count(2), "exactly two turns"),
            (ones.count(4), "exactly four turns"),
            (sum(n <= 3 for n in ones), "at most three"),
            (sum(n >= 3 for n in ones), "three turns or more"),
            (sum(n > 3 for n in ones), "more than three"),
            (10 * 9 * 8, "in every order"),
            (10, "the number of doublings"),
            (8, "after three doublings"),
            (128, "one eighth"),
            (math.comb(9, 3), "2¹⁰ is 1024"),
            (7, "any of the ten"),
            (3, "There are more"),
            (1024, "There are fewer"),
            ("C(10, 3)", "the text"),
        ],
    )


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


def by_packed_factors(encoding, frequencies, offset):
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


def by_a_permutation(encoding, frequencies, offset):
    order = np.arange(encoding.shape[1]).reshape(2, -1).T.ravel()
    result = np.empty(encoding.shape)
    result[:, order] = shift_by_phase(encoding[:, order], frequencies, offset)
    return result


def overwritten(encoding, frequencies, offset):
    result = encoding.copy()
    half = len(frequencies)
    c, s = np.cos(frequencies * offset), np.sin(frequencies * offset)
    result[:, :half] = c * result[:, :half] + s * result[:, half:]
    result[:, half:] = c * result[:, half:] - s * result[:, :half]
    return result


def as_columns(function):
    return lambda encoding, w, o: np.array(function(encoding, w, o))


def base_10_000(w):
    return 10_000.0 ** (-np.arange(len(w)) / len(w))


def repeated(encoding, frequencies, offset):
    a, b = (np.repeat(f(frequencies * offset), 2) for f in (np.cos, np.sin))
    half = len(frequencies)
    return a * encoding + b * np.repeat([1, -1], half) * np.roll(encoding, half, axis=1)


def test_shift_concatenated():
    hold(
        checks.shift_concatenated,
        right=[concatenated, by_packed_factors, by_complex_halves, rotate_half, by_a_permutation],
        wrong=[
            (
                lambda x, w, o: np.vstack(np.split(by_packed_factors(x, w, o), 2, axis=1)),
                "`np.hstack`",
            ),
            (lambda x, w, o: by_packed_factors(x, w, abs(int(o))), "An offset may be negative"),
            (repeated, "`np.repeat` each number twice"),
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
            (lambda e, w, o: concatenated(e, base_10_000(w), o), "base 10 000"),
            (lambda e, w, o: 0.5 * as_columns(concatenated)(e, w, o), "length of no row"),
            (lambda e, w, o: np.cos(w * o) * e[:, : len(w)], "where an array of shape"),
            (lambda e, w, o: np.abs(concatenated(e, w, o)) * [*w, *w], "length of no row"),
            (lambda e, w, o: e @ shift_matrix(w, o).T, "columns 2k and 2k+1"),
            (lambda e, w, o: np.round(concatenated(e, w, o), 3), "rounded to 3 decimals"),
            (lambda e, w, o: concatenated(e, w, 2 * o), "should be"),
            (lambda e, w, o: rotate_half(e, w * o, 1)[:, ::-1], "should be"),
        ],
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


def as_printed(encoding, frequencies, offset):
    a = np.repeat(np.cos(frequencies), 2)
    b = np.repeat(np.sin(frequencies), 2)
    return a * encoding + b * neighbors(encoding)


def test_repaired_swap():
    hold(
        checks.repaired_swap,
        right=[
            swap_shift(cosines, alternating, neighbors),
            interleaved,
            shift_by_swapping,
            shift_by_phase,
            swap_shift(
                cosines,
                alternating,
                lambda e: e @ np.kron(np.eye(e.shape[1] // 2), [[0, 1], [1, 0]]),
            ),
        ],
        wrong=[
            (
                lambda x, w, o: encoding_of(o + np.arange(len(x)), w),
                "It builds a table that begins with",
            ),
            (lambda x, w, o: o * shift_by_phase(x, w, 1), "belongs inside the cosine"),
            (as_printed, "Both bugs"),
            (
                swap_shift(cosines, lambda w, o: np.repeat(np.sin(w * o), 2), neighbors),
                "in the signs",
            ),
            (
                lambda e, w, o: swap_shift(cosines, alternating, neighbors)(e, w, 1),
                "never used",
            ),
            (swap_shift(cosines, lambda w, o: -alternating(w, o), neighbors), "moves backwards"),
            (swap_shift(cosines, lambda w, o: -np.repeat(np.sin(w * o), 2), neighbors), "All of b"),
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
            (swap_shift(cosines, lambda w, o: alternating(w, 1), neighbors), "in a, but not in b"),
            (swap_shift(lambda w, o: cosines(w, 1), alternating, neighbors), "in b, but not in a"),
            (lambda e, w, o: shift_by_swapping(e, base_10_000(w), o), "base 10 000"),
            (lambda e, w, o: e + 0, "as it was given"),
            (swap_shift(cosines, alternating, lambda e: 2 * neighbors(e)), "length of no row"),
            (swap_shift(lambda w, o: np.cos(w * o), alternating, neighbors), "raises `ValueError"),
            (lambda e, w, o: np.round(shift_by_swapping(e, w, o), 2), "rounded to 2 decimals"),
        ],
    )


def test_the_evidence_of_repaired_swap():
    exercise = checks.repaired_swap
    is_right(exercise, shift_by_phase, 1)
    is_right(exercise, shift_by_phase, 1.0)
    for wrong, words in [
        (0, "At offset 0 nothing should move"),
        (-1, "At −1"),
        (2, "too large"),
        (np.pi / 2, "A whole number of positions is wanted"),
        ("one", "the text 'one'"),
    ]:
        assert words in is_wrong(exercise, shift_by_phase, wrong)
    rows = np.random.default_rng(0).normal(size=(3, 8))
    frequencies = base_10_000(np.ones(4))
    agree = [
        offset
        for offset in range(-50, 51)
        if np.allclose(
            as_printed(rows, frequencies, offset)[:, ::2],
            shift_by_phase(rows, frequencies, offset)[:, ::2],
        )
    ]
    assert agree == [1]


def encoding_of(positions, w):
    phases = np.asarray(positions, dtype=float)[..., None] * w
    return np.stack([np.sin(phases), np.cos(phases)], axis=-1).reshape(*np.shape(positions), -1)


def compared_at(positions, tolerance=1e-9, apply=lambda m, x: x @ m.T):
    positions = np.asarray(positions, dtype=float)

    def test(matrix, w, o):
        moved = apply(matrix, encoding_of(positions, w))
        return bool(np.abs(moved - encoding_of(positions + o, w)).max() < tolerance)

    return test


def one_by_one(positions):
    def test(matrix, w, o):
        return all(
            np.allclose(matrix @ encoding_of(t, w), encoding_of(t + o, w)) for t in positions
        )

    return test


def block_by_block(matrix, frequencies, offset):
    rest = np.array(matrix, dtype=float)
    for k, w in enumerate(frequencies):
        c, s = math.cos(w * offset), math.sin(w * offset)
        block = rest[2 * k : 2 * k + 2, 2 * k : 2 * k + 2]
        if abs(block - [[c, s], [-s, c]]).max() > 1e-7:
            return False
        block[:] = 0
    return bool((abs(rest) < 1e-7).all())


def entry_by_entry(matrix, frequencies, offset):
    d = len(matrix)
    for i in range(d):
        for j in range(d):
            angle = frequencies[i // 2] * offset
            expected = 0.0
            if i == j:
                expected = math.cos(angle)
            elif i // 2 == j // 2:
                expected = math.sin(angle) if i < j else -math.sin(angle)
            if abs(matrix[i, j] - expected) > 1e-8:
                return False
    return True


def by_the_identity(matrix, frequencies, offset):
    return np.allclose(matrix.T, shift_by_phase(np.eye(len(matrix)), frequencies, offset))


def far_enough(matrix, w, o):
    """Enough positions, spread over several turns of the slowest pair."""
    positions = np.linspace(0, 20 / w.min(), 40 * len(w))
    return compared_at(positions, 1e-7)(matrix, w, o)


def only_blocks(matrix, frequencies, offset):
    return all(
        np.allclose(
            matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2], shift_matrix([w], offset), atol=1e-9
        )
        for k, w in enumerate(frequencies)
    )


def returns_early(matrix, frequencies, offset):
    for t in range(100):
        moved = matrix @ encoding_of(t, frequencies)
        if np.allclose(moved, encoding_of(t + offset, frequencies)):  # noqa: SIM103
            return True
        else:
            return False


def orthogonal(matrix, frequencies, offset):
    return np.allclose(matrix.T @ matrix, np.eye(len(matrix)))


def orthogonal_and_right_at_zero(matrix, frequencies, offset):
    return orthogonal(matrix, frequencies, offset) and one_by_one([0])(matrix, frequencies, offset)


def errors(matrix, frequencies, offset, positions=range(200)):
    moved = encoding_of(positions, frequencies) @ matrix.T
    return moved - encoding_of(np.add(positions, offset), frequencies)


def test_is_shift():
    hold(
        checks.is_shift,
        right=[
            block_by_block,
            entry_by_entry,
            by_the_identity,
            far_enough,
            lambda m, w, o: np.allclose(m, shift_matrix(w, o)),
            lambda m, w, o: np.array(block_by_block(m, w, o)),
            lambda m, w, o: int(block_by_block(m, w, o)),
        ],
        wrong=[
            (
                lambda m, w, o: np.allclose(abs(m), abs(shift_matrix(w, o))),
                "or compare magnitudes?",
            ),
            (compared_at([0]), "every sine is 0"),
            (compared_at([0, 1]), "right at the positions"),
            (compared_at(range(200)), "right at the positions 0 to 99"),
            (compared_at(range(1000)), "right at the positions 0 to 999"),
            (compared_at(range(10_000)), "right at the positions 0 to 10 000"),
            (compared_at(np.linspace(0, 10_000, 500)), "right at the positions 0 to 10 000"),
            (one_by_one(range(100)), "right at the positions"),
            (one_by_one([0, 10, 100, 1000, 10_000]), "a matrix that is right at"),
            (returns_early, "A `return` stands inside a loop"),
            (orthogonal, "wrong ones are rotations"),
            (orthogonal_and_right_at_zero, "an orthogonal matrix that is right at position 0"),
            (only_blocks, "looks at the blocks on the diagonal alone"),
            (compared_at(range(200), apply=lambda m, x: x @ m), "from the wrong side"),
            (lambda m, w, o: bool((m == shift_matrix(w, o)).all()), "to the last digit"),
            (lambda m, w, o: np.array_equal(m, shift_matrix(w, o)), "to the last digit"),
            (lambda m, w, o: np.allclose(m, shift_matrix(w, o), atol=0.01), "too large"),
            (lambda m, w, o: np.allclose(m, shift_matrix(w, o), atol=1e-4), "too large"),
            (lambda m, w, o: np.allclose(m, shift_matrix(base_10_000(w), o)), "base 10 000"),
            (lambda m, w, o: errors(m, w, o).max() < 1e-9, "negative"),
            (lambda m, w, o: abs(errors(m, w, o).mean()) < 1e-9, "cancel"),
            (lambda m, w, o: abs(errors(m, w, o)[:, ::2]).max() < 1e-9, "the sines of the result"),
            (lambda m, w, o: abs(errors(m, w, o)[:, 1::2]).max() < 1e-9, "the cosines of the"),
            (lambda m, w, o: not block_by_block(m, w, o), "`False`, where `True` should be"),
            (lambda m, w, o: block_by_block(m[:-2, :-2], w[:-1], o), "slowest"),
            (lambda m, w, o: np.isclose(m, shift_matrix(w, o)), "shape"),
            (lambda m, w, o: (m - shift_matrix(w, o)).max(), "where `True` or `False` should be"),
            (lambda m, w, o: True, "It returns `True` whatever"),
            (lambda m, w, o: False, "It returns `False` whatever"),
            (lambda m, w, o: "yes", "the text 'yes'"),
            (lambda m, w, o: m == shift_matrix(w, o) and True, "`np.all`"),
        ],
    )


@pytest.mark.parametrize("apply", ["@", "dot", "numbers"])
@pytest.mark.parametrize(
    "positions",
    [
        lambda w: [0],
        lambda w: [1],
        lambda w: range(8),
        lambda w: range(40),
        lambda w: range(500),
        lambda w: 2.0 ** np.arange(20),
        lambda w: np.linspace(-1e6, 1e6, 300),
        lambda w: np.random.default_rng(0).uniform(0, 1e5, 400),
        lambda w: 2 * np.pi / w,
        lambda w: 1 / w,
        lambda w: np.linspace(0, 2 * np.pi / w[-1], 10),
        lambda w: [0, 7, 90 / w[-1], 1 / w[0]],
    ],
)
def test_positions_that_do_not_settle_the_matrix_are_refused(positions, apply):
    def test(matrix, w, o):
        at = np.asarray(positions(w), dtype=float)
        rows = encoding_of(at, w)
        if apply == "@":
            moved = (matrix @ rows.T).T
        elif apply == "dot":
            moved = np.dot(rows, matrix.T)
        else:
            moved = [
                [sum(x * y for x, y in zip(m, row)) for m in matrix.tolist()] for row in rows[:9]
            ]
        return np.allclose(moved, encoding_of(at + o, w)[: len(moved)], rtol=0, atol=1e-8)

    if apply != "numbers" or np.array_equal(positions(np.ones(3)), positions(2 * np.ones(3))):
        is_wrong(checks.is_shift, test)


@pytest.mark.parametrize("case", checks.is_shift.tried, ids=lambda case: case.label)
def test_wrong_matrices_are_wrong_somewhere(case):
    """What a case says of its matrix is true: at some position it errs, unless it is right."""
    matrix, frequencies, offset = case.arguments
    if callable(matrix):
        matrix = matrix(compared_at(range(300)), frequencies, offset)
    positions = np.concatenate([np.arange(400), 10.0 ** np.arange(2, 12.5, 0.01)])
    worst = np.abs(errors(matrix, frequencies, offset, positions)).max()
    if block_by_block(matrix, frequencies, offset):
        assert worst < 1e-3  # far away a position itself is rounded
    else:
        assert worst > 5e-6


@pytest.mark.parametrize("tolerance", [0.1, 1e-2, 1e-3, 1e-4])
def test_a_loose_tolerance_is_told(tolerance):
    told = is_wrong(
        checks.is_shift, lambda m, w, o: np.abs(m - shift_matrix(w, o)).max() < tolerance
    )
    assert "too large" in told or "slowest" in told
