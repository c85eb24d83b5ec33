"""The exercises of notebook 3, *Counting in binary*."""

from itertools import pairwise

import numpy as np
import pytest

from posenc.checks import nb03
from posenc.encodings import angular_frequencies, binary
from posenc.grids import fourier_features

from .asking import told

FLIPS = [(t ^ (t + 1)).bit_count() for t in range(1023)]


def by_integers(table):
    weights = 2 ** np.arange(table.shape[1])
    positions = table @ weights
    return (positions ^ positions >> 1)[:, None] // weights % 2


def by_lists(table):
    rows = [[*row, 0] for row in table.tolist()]
    return [[int(a != b) for a, b in pairwise(row)] for row in rows]


def test_gray():
    assert np.abs(np.diff(by_integers(binary(64)), axis=0)).sum(axis=1).tolist() == [1] * 63


def table_of(frequencies, length=10_000):
    return fourier_features(np.arange(length), frequencies)


def by_table(row, frequencies):
    return ((table_of(frequencies) - row) ** 2).sum(axis=1).argmin()


def from_slow_to_fast(row, frequencies):
    angles = np.arctan2(row[0::2], row[1::2])
    position = 0.0
    for angle, frequency in zip(reversed(angles), reversed(frequencies)):
        turns = round((position * frequency - angle) / (2 * np.pi))
        position = (angle + 2 * np.pi * turns) / frequency
    return round(position)


@pytest.mark.parametrize("case", nb03.position_from.all_cases, ids=lambda case: case.label)
def test_the_noise_leaves_every_position_readable(case):
    row, frequencies = case.arguments
    table = table_of(frequencies)
    assert f"position {by_table(row, frequencies)} " in case.label
    assert 2 * np.pi / frequencies[-1] > 20_000
    nearest, second = np.sort(((table - row) ** 2).sum(axis=1))[:2]
    # A wrong position would have to gain five standard deviations along the difference.
    gap = np.sqrt(np.partition(((table - table[5000]) ** 2).sum(1), 1)[1])
    assert second - nearest > 0.2 * gap**2


ANSWERS = {
    nb03.big_jumps: {
        "right": [sum(n >= 5 for n in FLIPS), 1023 // 16],
        "wrong": {
            "too large. From 15 to 16": 1023,
            "too small by one. From where is it counted": 62,
            "a whole number is wanted": 63.9,
        },
    },
    nb03.gray: {
        "right": [by_integers, by_lists],
        "wrong": {
            "after the last stands an unwritten 0": lambda b: by_integers(b[:, ::-1]),
        },
    },
    nb03.larger_step: {
        "right": [(3, 15, 7, 11), [896, 908, 900, 904]],
        "wrong": {
            "whole numbers from 0 to 999": (1008, 1020, 1012, 1016),
            "Bit 2 is 1 in 0 of a and b, and in 1 of": (0, 3, 1, 6),
            "the two sums are still equal": (0, 3, 1, 2),
            "where does the carry end": (4, 7, 5, 6),
            "of the same two positions": (4, 12, 12, 4),
        },
    },
    nb03.position_from: {
        "right": [by_table, from_slow_to_fast],
        "wrong": {
            "not for position 4321": lambda r, w: abs(round(np.arctan2(r[0], r[1]))),
            "it returns 4315, where 4321": lambda r, w: (
                from_slow_to_fast(r, w) - round(2 * np.pi / w[0])
            ),
            "an early end or noise may": lambda r, w: np.argmax(table_of(w, 9999) @ r),
            "more than half a turn": lambda r, w: (
                from_slow_to_fast(r, w) + round(2 * np.pi / w[-1]) * (r[-1] > 0.97)
            ),
            "it returns 24321, where 4321": lambda r, w: from_slow_to_fast(r, w) + 20_000,
            "were those of base 10 000": lambda r, w: np.argmax(
                table_of(angular_frequencies(len(r))) @ r
            ),
            "about what the slowest hand says": lambda r, w: int(np.arctan2(r[-2], r[-1]) / w[-1]),
            "Here it is nearly right": lambda r, w: by_table(r, w) + 0.5 * (len(r) == 20),
            "From the slowest hand to the fastest": lambda r, w: (
                (from_slow_to_fast(r, w) * 3) % 9999
            ),
        },
    },
}

test_answers = told(ANSWERS)
