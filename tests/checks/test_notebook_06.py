"""The exercises of notebook 6."""

import math

import numpy as np
import pytest
import sympy

from posenc import checks
from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal

from .exercise_laws import feedback_of, hold, is_right, is_wrong


def test_steps_apart():
    profile = dot_product_at(np.arange(100_000), angular_frequencies(256))
    assert np.flatnonzero(np.abs(profile - 89.23) < 0.1).tolist() == [9]
    hold(
        checks.steps_apart,
        right=[9, 9.0, np.argmin(np.abs(profile[:50] - 89.23)), sympy.Integer(9), [9], np.int8(9)],
        wrong=[
            (19, "not distances?"),
            (191, "is your width 256?"),
            (-9, "has no sign"),
            (10, "count both ends, or look"),
            (8, "begin with offset 1, or did"),
            (math.sqrt(256 - 2 * 89.23), "That is the distance"),
            (256 - 2 * 89.23, "the squared distance"),
            (128 - 89.23, "from its largest value"),
            (3, "or is your base 100?"),
            (14, "for a squared distance, or let"),
            (
                np.argmin(np.abs(distance_at(np.arange(200), angular_frequencies(256)) - 89.23)),
                "That is where",
            ),
            (128, "You need 89.23"),
            (0, "You need 89.23"),
            (89.23, "That is the product"),
            ("nine", "the text 'nine'"),
            ([8, 9], "shape (2,)"),
        ],
    )


def filled(profile, index):
    """Fill the matrix entry by entry, as a student's loop would."""
    n = len(profile)
    return [[profile[index(s, t)] for t in range(n)] for s in range(n)]


def by_offsets(profile):
    positions = np.arange(len(profile))
    return np.asarray(profile)[abs(positions - positions[:, None])]


def by_diagonals(profile):
    n = len(profile)
    matrix = np.zeros((n, n))
    for offset in range(n):
        matrix += np.diag([profile[offset]] * (n - offset), offset)
        if offset:
            matrix += np.diag([profile[offset]] * (n - offset), -offset)
    return matrix


def by_mirroring(profile):
    upper = np.triu(by_offsets(profile))
    return upper + upper.T


def by_windows(profile):
    mirrored = np.concatenate([profile[:0:-1], profile])
    return np.lib.stride_tricks.sliding_window_view(mirrored, len(profile))[::-1]


def rolled(profile):
    return np.array([np.roll(profile, s) for s in range(len(profile))])


def into_integers(profile):
    matrix = np.zeros((len(profile), len(profile)), dtype=int)
    matrix[:] = by_offsets(profile)
    return matrix


def one_row(profile):
    matrix = []
    for s in range(len(profile)):
        matrix.append([profile[abs(t - s)] for t in range(len(profile))])
        return matrix


def test_matrix_from_profile():
    hold(
        checks.matrix_from_profile,
        right=[
            by_offsets,
            by_diagonals,
            by_mirroring,
            by_windows,
            lambda p: filled(p, lambda s, t: max(s, t) - min(s, t)),
        ],
        wrong=[
            (lambda p: np.array([np.roll(p, s) for s in range(len(p))]), "`np.roll`"),
            (
                lambda p: filled(p[1] * np.arange(len(p)), lambda s, t: abs(t - s)),
                "grow in proportion",
            ),
            (
                lambda p: filled(p, lambda s, t: min(abs(t - s), len(p) - abs(t - s))),
                "as on a circle",
            ),
            (lambda p: filled(p, lambda s, t: abs(t - s) - (t > s)), "the profile begins anew"),
            (lambda p: filled(p, lambda s, t: t - s), "Above the diagonal all is right"),
            (lambda p: filled(p, lambda s, t: s - t), "Below the diagonal all is right"),
            (lambda p: np.tile(p, (len(p), 1)), "Every row is the first one"),
            (lambda p: np.tile(p, (len(p), 1)).T, "Every column is the first row"),
            (lambda p: np.triu(by_offsets(p)), "Below the diagonal there are only zeros"),
            (lambda p: np.tril(by_offsets(p)), "Above the diagonal there are only zeros"),
            (lambda p: np.triu(by_offsets(p)) - np.tril(by_offsets(p)), "are negative"),
            (lambda p: abs(p[:, None] - p), "differences of the profile"),
            (lambda p: by_offsets(np.arange(len(p))), "the offsets themselves"),
            (lambda p: filled(p, lambda s, t: (s + t) % len(p)), "the sum of row and column"),
            (rolled, "Above the diagonal all is right"),
            (lambda p: p, "where an array of shape"),
            (lambda p: filled(p, lambda s, t: s + t), "IndexError"),
            (lambda p: by_offsets(p) * (1 + np.arange(len(p))), "first row should be"),
            (lambda p: np.vstack([p, np.ones((len(p) - 1, len(p)))]), "On the diagonal"),
            (lambda p: np.where(np.tri(len(p), k=-1), 1.0, by_offsets(p)), "should be symmetric"),
            (into_integers, "The decimals are cut off"),
            (one_row, "A `return` stands inside a loop"),
            (lambda p: np.round(by_offsets(p), 1), "rounded to 1 decimals"),
            (lambda p: np.diag(p), "first row should be"),
            (lambda p: by_offsets(p) ** 2, "first row should be"),
        ],
    )


def gram(encoding):
    products = encoding @ encoding.T
    squares = np.diag(products)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))


def lengths(encoding):
    return np.linalg.norm(encoding, axis=1)


def unit(encoding):
    return encoding / lengths(encoding)[:, None]


def from_offsets(encoding):
    positions = np.arange(len(encoding))
    return distance_at(positions - positions[:, None], angular_frequencies(encoding.shape[1]))


def test_repaired_distances():
    hold(
        checks.repaired_distances,
        right=[
            gram,
            lambda x: np.sqrt(abs(x.shape[1] - 2 * x @ x.T)),
            lambda x: [[math.dist(row, other) for other in x] for row in x],
            lambda x: np.linalg.norm(x[:, None] - x, axis=-1),
            lambda x: np.nan_to_num(np.sqrt(x.shape[1] - 2 * x @ x.T)),
        ],
        wrong=[
            (lambda x: np.sqrt(512 - 2 * x @ x.T), "its width, here 6"),
            (lambda x: x @ x.T, "still there"),
            (lambda x: gram(x) ** 2, "squared distances"),
            (lambda x: x.shape[1] / 2 - x @ x.T, "turned the product around"),
            (lambda x: -(x @ x.T), "A sign does not make a distance"),
            (lambda x: 1 - unit(x) @ unit(x).T, "one minus the cosine"),
            (lambda x: np.sqrt(2 * x.shape[1] - 2 * x @ x.T), "took d for"),
            (lambda x: np.sqrt(x.shape[1] - x @ x.T), "The product enters twice"),
            (lambda x: abs(x[:, None] - x).sum(axis=-1), "magnitudes"),
            (lambda x: abs(np.subtract.outer(lengths(x), lengths(x))), "the rows' lengths"),
            (lambda x: gram(x) + 3 * np.eye(len(x)), "diagonal should be zero"),
            (lambda x: gram(x.T), "shape (6, 6)"),
            (from_offsets, "the numbers of the rows for positions"),
            (lambda x: gram(x) * np.where(np.eye(len(x)), np.nan, 1), "Clip it first"),
            (lambda x: np.sqrt(x.shape[1] - 2 * x @ x.T), "Clip it first"),
            (
                lambda x: np.sqrt((x**2).sum(1)[:, None] + (x**2).sum(1) - 2 * x @ x.T),
                "Clip it first",
            ),
            (lambda x: gram(x) / np.sqrt(x.shape[1]), "the mean of the squares"),
            (lambda x: x - x[0], "shape"),
            (lambda x: np.linalg.norm(x - x.T), "raises `ValueError"),
            (lambda x: np.triu(gram(x)), "In row 1, column 0 it has 0,"),
        ],
    )


def test_the_evidence_of_repaired_distances():
    exercise = checks.repaired_distances
    profile = dot_product_at(np.arange(100), angular_frequencies(64))
    ripple = int(np.flatnonzero(np.diff(profile) > 0)[0])
    for witness in ((0, 1, 2), [10, 9, 13], np.array([5, 5, 6]), (100, 101, 150)):
        is_right(exercise, gram, witness)
    for witness, words in [
        ((0, 2, 1), "t is farther from s than u is"),
        ((5, 4, 6), "equally far"),
        ((1, 1, 1), "equally far"),
        ((0.5, 1, 2), "whole numbers"),
        ((-1, 0, 2), "whole numbers"),
        ((0, ripple, ripple + 1), "u has the larger product here"),
        ((0, 1), "shape (2,)"),
        ("0, 1, 2", "the text"),
        (gram, "a value of type `function`"),
    ]:
        assert words in is_wrong(exercise, gram, witness), witness
    assert feedback_of(exercise, gram).status == "half"


def gaps(rows):
    apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
    return apart + 1e9 * np.eye(len(rows))


def greedy_from(rows, first):
    apart, order = gaps(rows), [first]
    while len(order) < len(rows):
        rest = [i for i in range(len(rows)) if i not in order]
        order.append(min(rest, key=lambda i: apart[order[-1], i]))
    return order


def from_an_end(rows):
    apart = gaps(rows)
    neighbors = (apart < apart.min() + 1e-9).sum(axis=1)
    return greedy_from(rows, int(np.argmin(neighbors)))


def from_both_sides(rows):
    """Begin anywhere and lay neighbors on both ends."""
    apart = gaps(rows)
    step = apart.min()
    order = [0]
    changed = True
    while changed:
        changed = False
        for i in range(len(rows)):
            if i not in order:
                if abs(apart[i, order[-1]] - step) < 1e-9:
                    order.append(i)
                    changed = True
                elif abs(apart[i, order[0]] - step) < 1e-9:
                    order.insert(0, i)
                    changed = True
    return np.array(order)


def by_all_beginnings(rows):
    def length(order):
        return np.linalg.norm(np.diff(rows[order], axis=0), axis=1).sum()

    return min((greedy_from(rows, i) for i in range(len(rows))), key=length)


def by_a_chain(rows):
    """Walk along the graph of neighbors."""
    if len(rows) == 1:
        return [0]
    apart = gaps(rows)
    near = [set(np.flatnonzero(apart[i] < apart.min() * 1.001)) for i in range(len(rows))]
    here = next(i for i in range(len(rows)) if len(near[i]) == 1)
    order, seen = [], set()
    while here is not None:
        order.append(here)
        seen.add(here)
        here = next(iter(near[here] - seen), None)
    return tuple(order)


def test_put_in_order():
    hold(
        checks.put_in_order,
        right=[
            from_an_end,
            from_both_sides,
            by_all_beginnings,
            by_a_chain,
            lambda rows: from_an_end(rows)[::-1],
            lambda rows: np.array(from_an_end(rows), dtype=float),
        ],
        wrong=[
            (
                lambda x: np.argsort(np.argmax(sinusoidal(9999, x.shape[1]) @ x.T, axis=0)),
                "Neither base nor",
            ),
            (
                lambda x: np.argsort(np.linalg.svd(x - x.mean(axis=0))[0][:, 0]),
                "it should rise steadily",
            ),
            (lambda rows: np.argsort(rows[:, 0]), "sort by the first column"),
            (lambda rows: np.argsort(rows[:, -2]), "sort by the slowest sine"),
            (lambda rows: np.argsort(-rows[:, -2]), "such jumps"),
            (lambda rows: np.argsort(rows[:, -1]), "sort by the slowest cosine"),
            (lambda rows: np.argsort(np.arctan2(rows[:, -2], rows[:, -1])), "jumps from π to −π"),
            (lambda rows: np.argsort(np.arctan(rows[:, -2] / rows[:, -1])), "jump"),
            (lambda rows: greedy_from(rows, 0), "begin with row 0"),
            (lambda rows: greedy_from(rows, len(rows) // 2), "Did you begin in the middle"),
            (lambda rows: np.argsort(np.linalg.norm(rows - rows[0], axis=1)), "mixed"),
            (lambda rows: np.argsort(-(rows @ rows[0])), "mixed"),
            (lambda rows: np.argsort(rows @ rows[0])[::-1], "such jumps"),
            (
                lambda rows: np.argsort(np.linalg.norm(rows - rows[from_an_end(rows)[0]], axis=1)),
                "the distance goes up and down",
            ),
            (lambda rows: np.argsort(from_an_end(rows)), "These are ranks"),
            (lambda rows: rows[from_an_end(rows)], "You return the sorted rows"),
            (lambda rows: np.add(from_an_end(rows), 1), "count the indices from 1"),
            (lambda rows: range(len(rows)), "in which they come"),
            (lambda rows: np.argsort(np.linalg.norm(rows, axis=1)), "jump"),
            (lambda rows: np.zeros(len(rows)), "each index from 0"),
            (lambda rows: np.argsort(rows, axis=0), "shape"),
            (lambda rows: rows.sort(axis=0), "returns nothing"),
            (lambda rows: from_an_end(rows)[:-1], "shape"),
            (
                lambda rows: np.argsort(gaps(rows)[np.argmax(gaps(rows).sum(axis=1)) % len(rows)]),
                "jump",
            ),
        ],
    )


@pytest.mark.parametrize("case", checks.put_in_order.tried, ids=lambda case: case.label)
def test_neighbors_are_clearly_nearest(case):
    (rows,) = case.arguments
    if len(rows) > 2:
        apart = gaps(rows)
        near = apart < apart.min() * 1.001
        assert sorted(set(near.sum(axis=1))) == [1, 2]
        assert apart[~near].min() > 1.2 * apart.min()
