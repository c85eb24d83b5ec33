"""The exercises of notebook 6, *Distances*."""

import math

import numpy as np
import pytest

from posenc.checks import nb06
from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal

from .asking import told

PROFILE = dot_product_at(np.arange(100_000), angular_frequencies(256))


def test_steps_apart():
    assert np.flatnonzero(np.abs(PROFILE - 89.23) < 0.1).tolist() == [9]
    apart = distance_at(np.arange(200), angular_frequencies(256))
    assert np.argmin(np.abs(apart - 89.23)) == 199


def by_offsets(profile):
    positions = np.arange(len(profile))
    return np.asarray(profile)[abs(positions - positions[:, None])]


def by_windows(profile):
    mirrored = np.concatenate([profile[:0:-1], profile])
    return np.lib.stride_tricks.sliding_window_view(mirrored, len(profile))[::-1]


def gram(encoding):
    products = encoding @ encoding.T
    squares = np.diag(products)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))


RIPPLE = np.flatnonzero(np.diff(dot_product_at(np.arange(100), angular_frequencies(256))) > 0)[0]


def gaps(rows):
    return np.linalg.norm(rows[:, None] - rows, axis=-1) + 1e9 * np.eye(len(rows))


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


def by_all_beginnings(rows):
    def length(order):
        return np.linalg.norm(np.diff(rows[order], axis=0), axis=1).sum()

    return min((greedy_from(rows, i) for i in range(len(rows))), key=length)


@pytest.mark.parametrize("case", nb06.put_in_order.all_cases, ids=lambda case: case.label)
def test_neighbors_are_clearly_nearest(case):
    (rows,) = case.arguments
    if len(rows) > 2:
        apart = gaps(rows)
        near = apart < apart.min() * 1.001
        assert sorted(set(near.sum(axis=1))) == [1, 2]
        assert apart[~near].min() > 1.03 * apart.min()


ANSWERS = {
    nb06.steps_apart: {
        "right": [np.argmin(np.abs(PROFILE[:50] - 89.23)), np.int8(9)],
        "wrong": {"apart is 79.107, and 89.23 is wanted": 19, "apart is 128,": 0},
    },
    nb06.repaired_distances.evidence: {
        "right": [[10, 9, 13], np.array([5, 5, 6])],
        "wrong": {
            "t is farther from s than u is": (0, 2, 1),
            "equally far": (5, 4, 6),
            "u has the larger product:": (0, RIPPLE, RIPPLE + 1),
        },
    },
    nb06.matrix_from_profile: {
        "right": [by_offsets, by_windows],
        "wrong": {
            "first row should be": lambda p: by_offsets(p) * (1 + np.arange(len(p))),
            "On the diagonal": lambda p: np.vstack([p, np.ones((len(p) - 1, len(p)))]),
            "should be symmetric": lambda p: np.where(np.tri(len(p), k=-1), 1.0, by_offsets(p)),
        },
    },
    nb06.repaired_distances: {
        "right": [gram, lambda x: [[math.dist(row, other) for other in x] for row in x]],
        "wrong": {
            "its width, here 2": lambda x: np.sqrt(512 - 2 * x @ x.T),
            "not for 12 positions from 100.5 on": lambda x: distance_at(
                np.subtract.outer(*[np.arange(len(x))] * 2), angular_frequencies(x.shape[1])
            ),
            "by rounding may be clipped": lambda x: np.sqrt(x.shape[1] - 2 * x @ x.T),
            "is the length of `encoding[s] - encoding[t]`": lambda x: np.triu(gram(x)),
        },
    },
    nb06.put_in_order: {
        "right": [lambda rows: from_an_end(rows)[::-1], by_all_beginnings],
        "wrong": {
            "base 100, from 30 on": lambda x: np.argsort(
                np.argmax(sinusoidal(9999, x.shape[1]) @ x.T, axis=0)
            ),
            "To sort by one number": lambda x: np.argsort(
                np.linalg.svd(x - x.mean(axis=0))[0][:, 0]
            ),
            "joined at the wrong ends": lambda rows: greedy_from(rows, len(rows) // 2),
            "the order in which they were given": lambda rows: np.arange(len(rows)),
            "These are ranks": lambda rows: np.argsort(from_an_end(rows)),
            "each index from 0": lambda rows: np.add(from_an_end(rows), 1),
        },
    },
}

test_answers = told(ANSWERS)
