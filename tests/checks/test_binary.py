"""The exercises of notebook 03."""

from itertools import pairwise

import numpy as np

from posenc import checks
from posenc.encodings import binary

from .harness import hold, is_wrong


def test_flip_count():
    def by_counting(bit, length):
        flips = 0
        for t in range(1, length):
            flips += (t >> bit) % 2 != ((t - 1) >> bit) % 2
        return flips

    hold(
        checks.flip_count,
        solution=lambda i, n: (n - 1) // 2**i,
        examples=[(0, 64), (5, 64)],
        wrong=[
            (lambda i, n: n // 2**i, "how many steps"),
            (lambda i, n: (n - 1) // 2 ** (i + 1), "whole periods"),
            (lambda i, n: int(binary(n, bits=12)[:, i].sum()), "the bit is 1"),
            (lambda i, n: sum((t >> i) % 2 > (t - 1 >> i) % 2 for t in range(1, n)), "0 to 1"),
            (lambda i, n: (n - 1) / 2**i, "no flip."),
            (lambda i, n: 2**i, "keeps its value"),
            (lambda i, n: (n - 1) // 2 ** max((n - 1).bit_length() - 1 - i, 0), "highest bit"),
            (lambda i, n: n - 1, "63 times"),
            (lambda i, n: (n - 1) // 2**i + 1e-7, "too large by 1e-07"),
        ],
        also_right=[
            by_counting,
            lambda i, n: np.abs(np.diff(binary(n, bits=12), axis=0)).sum(axis=0)[i],
            lambda i, n: np.floor((n - 1) * 0.5**i),
        ],
    )


def test_position_of():
    def by_horner(row):
        position = 0
        for bit in reversed(row.tolist()):
            position = 2 * position + bit
        return position

    hold(
        checks.position_of,
        solution=lambda row: row @ 2 ** np.arange(len(row)),
        examples=[(np.array([1, 0, 0, 0]),)],
        wrong=[
            (lambda row: int("".join(map(str, row)), 2), "on paper"),
            (lambda row: sum(bit * 2 ** (i + 1) for i, bit in enumerate(row)), "twice"),
            (lambda row: sum(row), "count the ones"),
            (lambda row: sum(2 * i * bit for i, bit in enumerate(row)), "next even number"),
            (lambda row: sum(i * bit for i, bit in enumerate(row, 1)), "by a factor"),
            (lambda row: sum(i**2 * bit for i, bit in enumerate(row)), "raised to which"),
            (lambda row: int("".join(map(str, row[::-1]))), "decimal"),
            (lambda row: row * 2 ** np.arange(len(row)), "single number"),
        ],
        also_right=[
            by_horner,
            lambda row: int("".join(map(str, row[::-1])), 2),
            lambda row: np.flatnonzero((binary(1024, bits=10)[:, : len(row)] == row).all(1))[0],
        ],
    )


def test_gray():
    def by_integers(table):
        weights = 2 ** np.arange(table.shape[1])
        positions = table @ weights
        return (positions ^ positions >> 1)[:, None] // weights % 2

    def by_loops(table):
        rows = [[*row, 0] for row in table.tolist()]
        return [[int(a != b) for a, b in pairwise(row)] for row in rows]

    def zero_above(table):
        return np.hstack([table, np.zeros((len(table), 1), dtype=int)])

    assert np.abs(np.diff(by_integers(binary(64)), axis=0)).sum(axis=1).tolist() == [1] * 63
    hold(
        checks.gray,
        solution=lambda b: b ^ zero_above(b)[:, 1:],
        examples=[(binary(8),)],
        wrong=[
            (lambda b: b ^ np.hstack([0 * b[:, :1], b[:, :-1]]), "the one before it"),
            (lambda b: b ^ np.roll(b, -1, axis=1), "Nothing wraps"),
            (lambda b: b ^ np.roll(b, 1, axis=1), "wrong side"),
            (lambda b: b[:, 1:] ^ b[:, :-1], "a neighbor too"),
            (lambda b: b | zero_above(b)[:, 1:], "you answer 1. Do they"),
            (lambda b: b + zero_above(b)[:, 1:], "there is a 2"),
            (lambda b: (b == zero_above(b)[:, 1:]).astype(int), "two bits are equal"),
            (lambda b: b ^ np.vstack([0 * b[:1], b[:-1]]), "the one above it"),
            (lambda b: by_integers(binary(len(b), bits=b.shape[1])), "count the rows from 0"),
            (lambda b: b.copy(), "as it was"),
            (lambda b: by_integers(b).T, "Rows and columns"),
        ],
        also_right=[
            by_integers,
            by_loops,
            lambda b: (b + zero_above(b)[:, 1:]) % 2,
            lambda b: b != zero_above(b)[:, 1:],
        ],
    )


def test_nearest_row():
    def distances(received, table):
        return np.linalg.norm(table - received, axis=1)

    def by_loops(received, table):
        best, nearest = np.inf, None
        for i, row in enumerate(table):
            distance = sum((a - b) ** 2 for a, b in zip(row, received)) ** 0.5
            if distance < best:
                best, nearest = distance, i
        return nearest

    def cosine(received, table):
        return (table @ received / np.linalg.norm(table, axis=1)).argmax()

    def cosine_of_nonzero(received, table):
        return (table @ received / (np.linalg.norm(table, axis=1) + 1e-9)).argmax()

    hold(
        checks.nearest_row,
        solution=lambda r, t: np.argmin(((t - r) ** 2).sum(axis=1)),
        wrong=[
            (lambda r, t: np.argmax(t @ r), "largest product"),
            (cosine, "a row of zeros has none"),
            (cosine_of_nonzero, "can be far apart"),
            (lambda r, t: distances(r, t).argmax(), "farthest away"),
            (lambda r, t: distances(r, t).min(), "the smallest distance"),
            (lambda r, t: (distances(r, t) ** 2).min(), "smallest squared distance"),
            (lambda r, t: t[distances(r, t).argmin()], "the row itself"),
            (lambda r, t: np.abs(t - r).sum(axis=1).argmin(), "absolute differences"),
            (lambda r, t: np.linalg.norm(t - r, ord=np.inf, axis=1).argmin(), "others count too"),
            (lambda r, t: np.linalg.norm(t - r, ord=3, axis=1).argmin(), "count too much"),
            (lambda r, t: np.abs((t - r).sum(axis=1)).argmin(), "cancel each other"),
            (lambda r, t: (t - r).sum(axis=1).argmin(), "most negative"),
            (lambda r, t: np.flatnonzero((t == r).all(axis=1))[0], "IndexError"),
            (lambda r, t: distances(r, t), "single number"),
        ],
        also_right=[
            by_loops,
            lambda r, t: np.argmax(t @ r - (t**2).sum(axis=1) / 2),
            lambda r, t: int(distances(r, t).argmin()),
        ],
    )
    fourth = is_wrong(checks.nearest_row, lambda r, t: ((t - r) ** 4).sum(axis=1).argmin())
    assert "count too much" in fourth
    # Decoding by the largest product is right for the ±1 form, and the message says so.
    told = is_wrong(checks.nearest_row, lambda r, t: np.argmax(t @ r))
    assert told.startswith("Right for a noisy row of the ±1 table, but not for ")
