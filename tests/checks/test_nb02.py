"""The exercises of notebook 2, *The clock*."""

import math

import numpy as np

from posenc.checks import nb02
from posenc.encodings import clock

from .answers import told


def read(n):
    second, minute, hour = (math.atan2(x, y) % math.tau / math.tau for x, y in n.reshape(3, 2))
    seconds = round(60 * second) % 60
    minutes = round(60 * minute - seconds / 60) % 60
    return [round(12 * hour - minutes / 60) % 12, minutes, seconds]


def nearest(numbers):
    total = int(((clock(np.arange(43_200)) - numbers) ** 2).sum(axis=1).argmin())
    return total // 3600, total // 60 % 60, total % 60


ANSWERS = {
    nb02.read_clock: {
        "right": [read, nearest],
        "wrong": {
            "Hours run from 0 to 11": lambda n: [read(n)[0] or 12, *read(n)[1:]],
            "not for 02:44:30 with small errors. It": lambda n: read(abs(n)),
        },
    },
    nb02.clock_lie: {
        "right": [[100, 130, 160.5], np.array([43_199, 43_230, 43_259])],
        "wrong": {"c is 2.017. Which hand": (0, 30, 1800), "b < c ≤ a + 3600": (0, 21_600, 43_200)},
    },
    nb02.three_hands: {
        "right": [[41, 1681, 68_921], np.array([50_000, 1500, 39.5])],
        "wrong": {"900, 30 and 1 turns": (30, 900, 27_000), "a positive number": (0, 1600, 64_000)},
    },
}

test_answers = told(ANSWERS)
