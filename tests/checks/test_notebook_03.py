"""The exercises of notebook 3."""

import math
from itertools import pairwise

import numpy as np
import pytest

from posenc import checks
from posenc.encodings import binary, sinusoidal

from .exercise_laws import hold


def test_big_jumps():
    flips = [(t ^ (t + 1)).bit_count() for t in range(1023)]
    hold(
        checks.big_jumps,
        right=[
            63,
            63.0,
            sum(n >= 5 for n in flips),
            np.sum(np.abs(np.diff(binary(1024), axis=0)).sum(axis=1) > 4),
            1023 // 16,
            np.int8(63),
        ],
        wrong=[
            (15, "cancel in your sum?"),
            (63 / 1023, "the share of such steps"),
            (512, "the bits within each row"),
            (1024 // 16, "none leads back to it"),
            (sum(n > 5 for n in flips), "more than five bits"),
            (sum(n == 5 for n in flips), "five bits exactly"),
            (sum(n >= 4 for n in flips), "four bits or more"),
            (sum(n < 5 for n in flips), "fewer than five"),
            (sum(t.bit_count() >= 5 for t in range(1024)), "positions with five ones or more"),
            (math.comb(10, 5), "exactly five ones"),
            (sum(n for n in flips if n >= 5), "together"),
            (1023, "Fewer steps"),
            (5, "More steps"),
            (62, "More steps"),
            ([15, 31, 47], "an array of shape (3,)"),
            ("63", "the text '63'"),
        ],
    )


def by_integers(table):
    weights = 2 ** np.arange(table.shape[1])
    positions = table @ weights
    return (positions ^ positions >> 1)[:, None] // weights % 2


def by_lists(table):
    rows = [[*row, 0] for row in table.tolist()]
    return [[int(a != b) for a, b in pairwise(row)] for row in rows]


def above(table):
    return np.hstack([table[:, 1:], np.zeros((len(table), 1), dtype=int)])


def by_changing_a_copy(table):
    result = table.copy()
    result[:, :-1] ^= table[:, 1:]
    return result


def by_padding(table):
    return np.bitwise_xor(table, np.pad(table, [(0, 0), (0, 1)])[:, 1:])


def in_place(table):
    table[:, :-1] ^= table[:, 1:]
    return table


def skipping_the_first(table):
    result = table.copy()
    for i in range(1, table.shape[1]):
        result[:, i] = table[:, i - 1] ^ table[:, i]
    return result


def first_row_only(table):
    rows = []
    for row in by_lists(table):
        rows.append(row)
        return rows


def with_columns_exchanged(table):
    return by_integers(table[:, ::-1])


def test_gray():
    assert np.abs(np.diff(by_integers(binary(64)), axis=0)).sum(axis=1).tolist() == [1] * 63
    hold(
        checks.gray,
        right=[
            by_integers,
            by_lists,
            by_changing_a_copy,
            by_padding,
            lambda b: (b + above(b)) % 2,
            lambda b: b != above(b),
            lambda b: np.abs(b - above(b)).astype(np.float32),
        ],
        wrong=[
            (lambda t: t ^ np.vstack([t[1:], 0 * t[:1]]), "with the one below it"),
            (
                lambda t: np.cumsum(t[:, ::-1], axis=1)[:, ::-1] % 2,
                "that you have replaced already",
            ),
            (
                lambda t: np.stack([t[:, i] ^ t[:, i + 1] for i in range(3)], axis=1),
                "`.shape` tells them",
            ),
            (lambda b: b ^ np.hstack([0 * b[:, :1], b[:, :-1]]), "the one before it"),
            (skipping_the_first, "the one before it"),
            (lambda b: b ^ np.roll(b, -1, axis=1), "Nothing wraps"),
            (lambda b: b ^ np.roll(b, 1, axis=1), "wrong side"),
            (lambda b: b[:, 1:] ^ b[:, :-1], "a neighbor too"),
            (
                lambda b: np.hstack([b[:, 1:] ^ b[:, :-1], 0 * b[:, :1]]),
                "is always 0 in your table",
            ),
            (lambda b: b | above(b), "you answer 1. Do they"),
            (lambda b: b & above(b), "where both bits are 1"),
            (lambda b: b + above(b), "there is a 2"),
            (lambda b: b - above(b), "may be −1"),
            (lambda b: (b == above(b)).astype(int), "two bits are equal"),
            (lambda b: b ^ np.vstack([0 * b[:1], b[:-1]]), "the one above it"),
            (
                lambda b: by_integers(binary(len(b), bits=b.shape[1]) if b.shape[1] > 4 else b),
                "from 0",
            ),
            (lambda b: b.copy(), "as it was"),
            (in_place, "changes its input `table`"),
            (first_row_only, "A `return` stands inside a loop"),
            (lambda b: by_integers(b).T, "Rows and columns"),
            (with_columns_exchanged, "should be"),
            (lambda b: [int("".join(map(str, row)), 2) for row in b], "shape"),
            (lambda b: np.zeros_like(b), "should be"),
        ],
    )


def test_fooled():
    hold(
        checks.fooled,
        right=[
            ([1, 0], [[1, 0], [2, 0]]),
            (np.array([1.0, 1.0]), np.array([[1.0, 1.0], [5.0, 5.0], [0.0, 0.0]])),
            [np.array([0.9, 0.1, 0]), binary(8)],
            ((0.0, 0.0), ((3, 4), (1, 0))),
            ([0.1], [[0.1], [10]]),
        ],
        wrong=[
            (([1, 1], [[1, 1], [2 + 1e-12, 0]]), "differ by rounding only"),
            ((np.eye(4)[0], np.tri(4)), "Rows 0, 1, 2, 3 have the same product"),
            (([-1, -1], [[1, 1], [3, 3]]), "A negative product can be the largest"),
            (([2, 2], [[3, 3], [2, 0.2]]), "distance is 1.414, that of row 1 1.8."),
            (([[1, 0], [2, 0]], [1, 0]), "The two are exchanged"),
            (([1, 1], [[1, 1], [-1, 1]]), "All rows have one length here"),
            ((sinusoidal(9, 8)[4], sinusoidal(9, 8)), "All rows have one length here"),
            (([3, 0], [[1, 0], [2, 0]]), "It is not fooled: row 1"),
            (([1, 0], [[1, 0]]), "at least two rows"),
            (([1, 0, 0], [[1, 0], [2, 0]]), "each as wide as `received`"),
            (([[1, 0]], [[1, 0], [2, 0]]), "one row of numbers"),
            (([1, 0], [1, 0, 2, 0]), "one row of numbers"),
            ([1, 0, 2], "something else than 2 things"),
            (3, "something else than 2 things"),
            (([1, np.inf], [[1, 0], [2, 0]]), "should be finite"),
            (([1, 0], [[1, 0], [1 + 1e-9, 0]]), "equally near"),
            (([1, 0], [[0, 0], [2, 0]]), "equally near"),
            ((["1", "0"], [[1, 0], [2, 0]]), "holding values of type `str`"),
            (([1, 0], [[1, 0], [2]]), "rows have different lengths"),
            (([1, float("nan")], [[1, 0], [2, 0]]), "NaN"),
            ({"received": [1, 0], "table": [[1, 0], [2, 0]]}, "something else than 2 things"),
        ],
    )


def table_of(frequencies, positions=range(10_000)):
    angles = np.outer(positions, frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def by_table(row, frequencies):
    return ((table_of(frequencies) - row) ** 2).sum(axis=1).argmin()


def by_product(row, frequencies):
    return int(np.argmax(table_of(frequencies) @ row))


def from_slow_to_fast(row, frequencies):
    angles = np.arctan2(row[0::2], row[1::2])
    position = 0.0
    for angle, frequency in zip(reversed(angles), reversed(frequencies)):
        expected = position * frequency
        turns = round((expected - angle) / (2 * np.pi))
        position = (angle + 2 * np.pi * turns) / frequency
    return round(position)


def by_weights(row, frequencies):
    """Take the slowest for a beginning, and correct it by each faster pair's error."""
    z = row[1::2] + 1j * row[0::2]
    position = np.angle(z[-1]) / frequencies[-1]
    for k in range(len(z) - 2, -1, -1):
        position += np.angle(z[k] * np.exp(-1j * frequencies[k] * position)) / frequencies[k]
    return float(round(position))


def by_likelihood(row, frequencies):
    best, most = None, -np.inf
    t = np.arange(10_000)
    total = sum(row[2 * k] * np.sin(w * t) + row[2 * k + 1] * np.cos(w * t)
                for k, w in enumerate(frequencies))  # fmt: skip
    for position, value in enumerate(total):
        if value > most:
            best, most = position, value
    return best


def slow(row, frequencies):
    return np.arctan2(row[-2], row[-1]) / frequencies[-1]


def each_alone(row, frequencies):
    return np.arctan2(row[0::2], row[1::2]) % (2 * np.pi) / frequencies


def halves(row):
    return np.arctan2(row[: len(row) // 2], row[len(row) // 2 :])


def test_position_from():
    hold(
        checks.position_from,
        right=[by_table, by_product, from_slow_to_fast, by_weights, by_likelihood],
        wrong=[
            (
                lambda r, w: abs(round(math.atan2(r[0], r[1]))),
                "The fastest hand alone cannot",
            ),
            (lambda r, w: from_slow_to_fast(r, w) - 5, "No position is negative"),
            (lambda r, w: np.argmax(table_of(w, range(9999)) @ r), "or end with 9998?"),
            (
                lambda r, w: by_table(r.reshape(2, -1).T.ravel(), w),
                "for sines and the second for cosines",
            ),
            (lambda r, w: from_slow_to_fast(r, w) + 40_000, "No position is beyond 9999"),
            (
                lambda r, w: from_slow_to_fast(r, w) + 40 * (w[-1] != 10_000 ** (2 / len(r) - 1)),
                "do you use those that are given?",
            ),
            (lambda r, w: int(slow(r, w)), "as slow hands can tell"),
            (lambda r, w: round(slow(r, w)), "You read the slowest hand alone"),
            (lambda r, w: round(each_alone(r, w)[-1]), "the slowest hand alone, with its angle"),
            (lambda r, w: round(each_alone(r, w)[0]), "You read the fastest hand alone"),
            (lambda r, w: round(np.arctan2(r[0], r[1])), "its angle may be negative"),
            (lambda r, w: round(each_alone(r, w).mean()), "the slowest hand"),
            (lambda r, w: round(each_alone(r, w).round().mean()), "and take the mean"),
            (lambda r, w: round(np.median(each_alone(r, w))), "the median"),
            (
                lambda r, w: from_slow_to_fast(r, 10_000.0 ** (-np.arange(len(w)) / len(w))),
                "base 10",
            ),
            (lambda r, w: by_table(r, 10_000.0 ** (-np.arange(len(w)) / len(w))), "base 10 000"),
            (lambda r, w: by_table(r, w) + 1, "You count the positions from 1"),
            (lambda r, w: np.argmin(np.abs(table_of(w, range(1000)) - r).sum(1)), "It returns"),
            (lambda r, w: from_slow_to_fast(r.reshape(-1, 2)[:, ::-1].ravel(), w), "are exchanged"),
            (lambda r, w: slow(r, w), "a whole number"),
            (lambda r, w: each_alone(r, w), "a single number"),
            (lambda r, w: np.argmax(((table_of(w) - r) ** 2).sum(axis=1)), "It returns"),
            (lambda r, w: round(halves(r)[-1] / w[-1]), "should be"),
            (lambda r, w: round(np.arcsin(r[-2]) / w[-1]), "It returns"),
            (lambda r, w: np.where((table_of(w) == r).all(axis=1))[0][0], "IndexError"),
            (lambda frequencies, row: by_table(row, frequencies), "in this order"),
            (lambda r, w: table_of(w)[by_table(r, w)], "a single number"),
        ],
    )


@pytest.mark.parametrize("case", checks.position_from.tried, ids=lambda case: case.label)
def test_the_noise_leaves_every_position_readable(case):
    row, frequencies = case.arguments
    assert f"position {by_table(row, frequencies)} " in case.label
    assert 2 * np.pi / frequencies[-1] > 20_000
    nearest, second = np.sort(((table_of(frequencies) - row) ** 2).sum(axis=1))[:2]
    # A wrong position would have to gain five standard deviations along the difference.
    gap = np.sqrt(
        np.partition(((table_of(frequencies) - table_of(frequencies)[5000]) ** 2).sum(1), 1)[1]
    )
    assert second - nearest > 0.2 * gap**2
