"""The exercises of notebook 10, *Longer than trained*."""

import math

import numpy as np

from posenc.checks import nb10
from posenc.long_context import ntk_base

from .answers import told


def by_the_pages_rule(base, width, stretch, hand):
    """Slow the last hand so far that this one is right."""
    return ntk_base(base, width, stretch ** ((width - 2) / (2 * hand)))


def hand_by_hand(frequencies, length, stretch, low, high):
    slower = []
    for frequency in frequencies:
        doublings = math.log2(high / (length * frequency / (2 * math.pi)))
        share = min(max(doublings / math.log2(high / low), 0), 1)
        slower.append(frequency / stretch**share)
    return slower


ANSWERS = {
    nb10.slow_downs: {
        "right": [np.array([1, 1, 1, 1, 6, 6, 6, 6])],
        "wrong": {
            "Hand 4 has seen 0.97 of a turn, and meets its first": [1, 1, 1, 1, 1, 6, 6, 6],
            "Hand 0 made 47 turns": [6] * 8,
            "where 8 numbers should be": [1, 1, 1, 6, 6, 6, 6],
        },
    },
    nb10.stretched_base: {
        "right": [by_the_pages_rule],
        "wrong": {"width 256": lambda b, d, c, k: by_the_pages_rule(b, d, min(c, 8), k)},
    },
    nb10.slow_the_slow: {
        "right": [hand_by_hand],
        "wrong": {
            "Hand 6 makes 20.61 turns": lambda w, n, c, a, b: hand_by_hand(w, n, c, a / 3, b),
            "not for 4 hands": lambda w, *rest: hand_by_hand(-np.sort(-w), *rest),
        },
    },
}

test_answers = told(ANSWERS)
