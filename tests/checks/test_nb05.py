"""The exercises of notebook 5, *Five ways to shift*."""

import math

import numpy as np
import pytest

from posenc.checks import nb05
from posenc.grids import fourier_features
from posenc.shifts import packed_factors, shift_by_phase, shift_by_swapping, shift_matrix

from .asking import is_wrong, told

ONES = [t.bit_count() for t in range(1024)]


def test_three_turns():
    told = {answer: words for words, answer in nb05.three_turns.mistakes.items()}
    assert "at most three" in told[sum(n <= 3 for n in ONES)]
    assert "three turns or more" in told[sum(n >= 3 for n in ONES)]
    assert "three zeros" in told[sum(f"{t:b}".count("0") == 3 for t in range(1024))]


def by_packed_factors(encoding, frequencies, offset):
    to_sine, to_cosine = packed_factors(frequencies, offset)
    sines, cosines = np.split(encoding, 2, axis=1)
    new_sines = to_sine[0] * sines + to_sine[1] * cosines
    new_cosines = to_cosine[0] * sines + to_cosine[1] * cosines
    return np.hstack([new_sines, new_cosines])


def by_a_permutation(encoding, frequencies, offset):
    order = np.arange(encoding.shape[1]).reshape(2, -1).T.ravel()
    result = np.empty(encoding.shape)
    result[:, order] = shift_by_phase(encoding[:, order], frequencies, offset)
    return result


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


def cosines(w, o):
    return [math.cos(x * o) for x in w for _ in "ab"]


def alternating(w, o):
    return np.array([sign * math.sin(x * o) for x in w for sign in (1, -1)])


def test_the_evidence_of_repaired_swap():
    rows, frequencies = np.random.default_rng(0).normal(size=(3, 8)), 10.0 ** -np.arange(4)
    printed = swap_shift(
        lambda w, o: np.repeat(np.cos(w), 2), lambda w, o: np.repeat(np.sin(w), 2), neighbors
    )
    agree = [
        offset
        for offset in range(-50, 51)
        if np.allclose(
            printed(rows, frequencies, offset)[:, ::2],
            shift_by_phase(rows, frequencies, offset)[:, ::2],
        )
    ]
    assert agree == [1]


def block_by_block(matrix, frequencies, offset):
    rest = np.array(matrix, dtype=float)
    for k, w in enumerate(frequencies):
        c, s = math.cos(w * offset), math.sin(w * offset)
        block = rest[2 * k : 2 * k + 2, 2 * k : 2 * k + 2]
        if abs(block - [[c, s], [-s, c]]).max() > 1e-7:
            return False
        block[:] = 0
    return bool((abs(rest) < 1e-7).all())


def compared_at(positions, error=lambda errors: np.abs(errors).max(), tolerance=1e-9):
    def test(matrix, w, o):
        at = np.asarray(positions(w) if callable(positions) else positions, dtype=float)
        moved = fourier_features(at, w) @ matrix.T
        return bool(error(moved - fourier_features(at + o, w)) < tolerance)

    return test


@pytest.mark.parametrize(
    "positions",
    [
        lambda w: [1],
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
def test_positions_that_do_not_settle_the_matrix_are_refused(positions):
    is_wrong(nb05.is_shift, compared_at(positions, tolerance=1e-8))


@pytest.mark.parametrize("case", nb05.is_shift.all_cases, ids=lambda case: case.label)
def test_wrong_matrices_are_wrong_somewhere(case):
    """What a case says of its matrix is true: at some position it errs, unless it is right."""
    matrix, frequencies, offset = case.arguments
    if callable(matrix):
        matrix = matrix(compared_at(range(300)), frequencies, offset)
    positions = np.concatenate([np.arange(400), 10.0 ** np.arange(2, 12.5, 0.01)])
    moved = fourier_features(positions, frequencies) @ matrix.T
    worst = np.abs(moved - fourier_features(positions + offset, frequencies)).max()
    if block_by_block(matrix, frequencies, offset):
        assert worst < 1e-3  # far away a position itself is rounded
    else:
        assert worst > 5e-6


@pytest.mark.parametrize("tolerance", [0.1, 1e-2, 1e-3, 1e-4])
def test_a_loose_tolerance_is_told(tolerance):
    told = is_wrong(nb05.is_shift, lambda m, w, o: np.abs(m - shift_matrix(w, o)).max() < tolerance)
    assert "far more than rounding" in told or "slowest pair" in told


ANSWERS = {
    nb05.three_turns: {
        "right": [math.comb(10, 3), ONES.count(3)],
        "wrong": {"too small. Each of ten": 3, "too large. Each of ten": 1024},
    },
    nb05.repaired_swap.evidence: {
        "right": [1, 1.0],
        "wrong": {"too large": 2, "A whole number of positions is wanted": np.pi / 2},
    },
    nb05.shift_concatenated: {
        "right": [by_packed_factors, by_a_permutation],
        "wrong": {
            "not for width 8 and offset −2.5": lambda x, w, o: by_packed_factors(x, w, abs(int(o))),
            "length of no row": lambda x, w, o: np.abs(by_packed_factors(x, w, o)) * [*w, *w],
        },
    },
    nb05.repaired_swap: {
        "right": [swap_shift(cosines, alternating, neighbors), shift_by_swapping],
        "wrong": {
            "It builds a table that begins with": lambda x, w, o: fourier_features(
                o + np.arange(len(x)), w
            ),
            "length of no row": swap_shift(cosines, alternating, lambda x: 2 * neighbors(x)),
        },
    },
    nb05.is_shift: {
        "right": [
            block_by_block,
            compared_at(lambda w: np.linspace(0, 20 / w.min(), 400), tolerance=1e-7),
        ],
        "wrong": {
            "999 in columns that position 0 makes 0": compared_at([0]),
            "right at the positions 0 to 199": compared_at(range(40)),
            "It shifts by −3": lambda m, w, o: np.allclose(abs(m), abs(shift_matrix(w, o))),
            "errors that cancel in a row": compared_at(range(200), np.max),
            "0 to 199: it returns `True`": compared_at(range(200), lambda x: abs(x.mean())),
            "wrong cosine rows": compared_at(range(200), lambda x: np.abs(x[:, ::2]).max()),
            "wrong sine rows": compared_at(range(200), lambda x: np.abs(x[:, 1::2]).max()),
            "a number above": lambda m, w, o: all(
                np.allclose(m[i : i + 2, i : i + 2], shift_matrix([x], o))
                for i, x in zip(range(0, len(m), 2), w)
            ),
            "a slowest pair that stays": lambda m, w, o: block_by_block(m[:-2, :-2], w[:-1], o),
            "an orthogonal matrix that is right at position 0": lambda m, w, o: (
                np.allclose(m @ m.T, np.eye(len(m))) and compared_at([0])(m, w, o)
            ),
            "where `True` should be": lambda m, w, o: np.isclose(m, shift_matrix(w, o)),
        },
    },
}

test_answers = told(ANSWERS)
