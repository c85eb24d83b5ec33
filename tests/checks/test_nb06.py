"""The exercises of notebook 6, *Distances*."""

import math

import numpy as np

from posenc.checks import nb06

from .answers import told


def gram(encoding):
    squares = (encoding**2).sum(axis=1)
    return np.sqrt(np.maximum(np.add.outer(squares, squares) - 2 * encoding @ encoding.T, 0))


def nearest_first(rows, first=None):
    apart = gram(rows)
    way = [np.sort(apart)[:, :3][:, -1].argmax() if first is None else first]
    while len(way) < len(rows):
        apart[:, way[-1]] = np.inf
        way.append(apart[way[-1]].argmin())
    return way


ANSWERS = {
    nb06.base: {
        "right": [1_000_000, 10**6],
        "wrong": {
            "190.1, 140.9, 97.0. Do they": 100_000,
            "208.6, 175.6, 137.7. Do they": 1e7,
            "slower than the first": 1,
        },
    },
    nb06.repaired_distances.evidence: {
        "right": [[10, 9, 13], np.array([-5, -5, -4.5])],
        "wrong": {"Here t is 2 from s, and u is 1": (0, 2, 1), "u 75.1668. Which": (0, 24, 25)},
    },
    nb06.repaired_distances: {
        "right": [gram, lambda x: [[math.dist(row, other) for other in x] for row in x]],
        "wrong": {"where 0 should be": lambda x: gram(x) + np.eye(len(x))},
    },
    nb06.put_in_order: {
        "right": [nearest_first, lambda rows: nearest_first(rows)[::-1]],
        "wrong": {"Where do you begin": lambda rows: nearest_first(rows, len(rows) // 2)},
    },
}

test_answers = told(ANSWERS)
