"""The exercises of notebook 10, *Longer than trained*."""

import math

import numpy as np

from posenc.checks import nb10
from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts, ntk_base

from .asking import told

TURNS = np.array([64, 24, 9.1, 3.4, 1.3, 0.49, 0.18, 0.07])
PROGRAMS = np.array(
    [[4] * 8, [1, 1.22, 1.49, 1.81, 2.21, 2.69, 3.28, 4], [1, 1, 1, 1.14, 2.17, 3.36, 4, 4]]
)


def test_the_table_of_the_exercise_is_that_of_the_three_rules():
    assert np.allclose(PROGRAMS[1], 4 ** (np.arange(8) / 7), atol=0.006)
    frequencies = TURNS * 2 * np.pi / 1000
    parts = frequencies / by_parts(frequencies, 1000, 4, 0.25, 4)
    assert np.allclose(PROGRAMS[2], parts, atol=0.006)


def test_reaches():
    told = nb10.reaches.mistakes
    (unfinished,) = (told[words] for words in told if "mean of the unfinished" in words)
    assert np.allclose(unfinished, PROGRAMS[:, 5:].mean(axis=1), atol=0.001)
    (of_all,) = (told[words] for words in told if "mean of all hands" in words)
    assert np.allclose(of_all, PROGRAMS.mean(axis=1), atol=0.01)


def by_the_pages_rule(base, width, stretch, hand):
    """Slow the last hand so far that this one is right."""
    return ntk_base(base, width, stretch ** ((width - 2) / (2 * hand)))


def hand_by_hand(frequencies, length, stretch, low, high):
    slower = []
    for frequency in frequencies:
        turns = length * frequency / (2 * math.pi)
        if turns >= high:
            slower.append(frequency)
        elif turns <= low:
            slower.append(frequency / stretch)
        else:
            doublings, all_doublings = math.log2(high / turns), math.log2(high / low)
            slower.append(frequency / stretch ** (doublings / all_doublings))
    return slower


def as_a_larger_base_between(frequencies, length, stretch, low, high):
    k, ratio = np.arange(len(frequencies)), frequencies[0] / frequencies[1]
    first, last = (np.log(length / (2 * np.pi * n)) / np.log(ratio) for n in (high, low))
    return frequencies / stretch ** np.clip((k - first) / (last - first), 0, 1)


ANSWERS = {
    nb10.reaches: {
        "right": [
            PROGRAMS[:, TURNS < 1].min(axis=1),
            tuple(min(row[5:]) for row in PROGRAMS.tolist()),
        ],
        "wrong": {"(4, 2.2, 3). A hand that went": (4, 2.2, 3)},
    },
    nb10.stretched_base: {
        "right": [
            lambda b, d, c, k: 1 / (angular_frequencies(d, base=b)[k] / c) ** (d / (2 * k)),
            by_the_pages_rule,
        ],
        "wrong": {
            "where 82684.6 should be.": lambda b, d, c, k: -b,
            "times slower, where 8 times": lambda b, d, c, k: angular_frequencies(d, base=b)[k] / c,
        },
    },
    nb10.slow_the_slow: {
        "right": [hand_by_hand, as_a_larger_base_between],
        "wrong": {
            "between 1 and 32 times": lambda w, n, c, low, high: hand_by_hand(
                w, n, c, low / 3, high
            ),
            "or less and should be slowed": lambda w, *rest: [*w[:-1], w[-1] / 9],
            "or more and should stay": lambda w, *rest: [w[0] / 99, *w[1:]],
            "The logarithm of 0": lambda w, n, c, low, high: w / np.log(low - 1 - w),
        },
    },
}

test_answers = told(ANSWERS)
