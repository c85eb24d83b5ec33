"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.checks import nb10
from posenc.long_context import by_parts, turns, unfinished, yarn

from .answers import told


def by_trying(times, frequencies, context_length):
    """Ask for more until no unfinished hand is slowed too little."""
    low, high = 1, times ** len(frequencies)
    for _ in range(200):
        middle = (low * high) ** 0.5
        slower = middle ** (np.arange(len(frequencies)) / (len(frequencies) - 1))
        enough = slower[unfinished(frequencies, context_length)].min() >= times
        low, high = (low, middle) if enough else (middle, high)
    return high


def even_steps(frequencies, length, c, low=1, high=4):
    share = np.log(high / turns(frequencies, length)) / np.log(high / low)
    return frequencies / c ** np.clip(share, 0, 1)


def torn(frequencies, length, c):
    return np.where(unfinished(frequencies, length), frequencies / c, frequencies)


def stopped(frequencies, length, c):
    return np.where(unfinished(frequencies, length), 0, frequencies)


def larger_base(frequencies, length, c):
    return frequencies / c ** (np.arange(len(frequencies)) / (len(frequencies) - 1))


ANSWERS = {
    nb10.slow_downs: {
        "right": [np.array([1, 1, 1, 1, 6, 6, 6, 6])],
        "wrong": {
            "Hand 4 has seen 0.97 of a turn, and meets its first": [1, 1, 1, 1, 1, 6, 6, 6],
            "Hand 0 made 47 turns": [6] * 8,
            "where 8 numbers should be": [1, 1, 1, 6, 6, 6, 6],
        },
    },
    nb10.factor_for: {
        "right": [by_trying],
        "wrong": {"Not right for": lambda times, *rest: by_trying(min(times, 4), *rest)},
    },
    nb10.my_rule: {
        "right": [even_steps, lambda *given: by_parts(*given, 1, 3)],
        "wrong": {
            "Between hands 45 and 46": torn,
            "no hand of a clock": stopped,
            "Hand 46 is 4.56 times slower": larger_base,
            "The head that looked 300 back scores 0.81": lambda *given: yarn(*given),
            "at a new angle from 4,096 tokens on": lambda frequencies, *rest: frequencies.copy(),
        },
    },
}

test_answers = told(ANSWERS)
