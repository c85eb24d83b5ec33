"""The exercises of notebook 1, *The formula*."""

import math

import numpy as np

from posenc.checks import nb01
from posenc.encodings import sinusoidal

from .answers import told


def by_numbers(positions, width):
    angles = [[t / 10_000 ** (2 * k / width) for k in range(width // 2)] for t in positions]
    return [[f(angle) for angle in row for f in (math.sin, math.cos)] for row in angles]


def differ(table, tolerance=0.0):
    wrong = np.argwhere(~np.isclose(table, sinusoidal(*table.shape), tolerance, 1e-6))
    return (wrong[0] // [1, 2]).tolist() if len(wrong) else None


ANSWERS = {
    nb01.encoding: {
        "right": [by_numbers, lambda positions, d: np.array(by_numbers(positions, d))],
        "wrong": {"pair 0 to the angle 3,": lambda p, d: np.array(by_numbers(p, d), p.dtype)},
    },
    nb01.first_wrong: {
        "right": [differ, lambda table: tuple(differ(table) or ()) or None],
        "wrong": {
            "0.0000006, and a larger one. It returns `None`": lambda table: differ(table, 1e-5),
            "in 1100 rows": lambda table: differ(table[:-1]),
        },
    },
    nb01.my_encoding: {
        "right": [
            lambda n, d: sinusoidal(n, d, base=30),
            lambda n, d: (np.arange(n) ^ np.arange(n) >> 1)[:, None] >> np.arange(d) & 1,
        ],
        "wrong": {"page's own": lambda n, d: -0.5 * sinusoidal(n, d, start=0.5)[:, ::-1]},
    },
}

test_answers = told(ANSWERS)
