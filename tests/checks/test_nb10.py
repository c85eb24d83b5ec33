"""The exercises of notebook 10, *Longer than trained*."""

import math

import numpy as np

from posenc.checks import nb10
from posenc.encodings import angular_frequencies
from posenc.long_context import ntk_base

from .asking import told

TURNS = np.array([47, 18, 6.8, 2.6, 0.97, 0.37, 0.14, 0.05])


def first_new_angle(slow_downs, lengths):
    """Walk the text in small steps; return the first hand that meets an angle it never had."""
    for share in np.linspace(0, lengths, 60_001):
        for hand, turns in enumerate(TURNS):
            if turns < 1 and share * turns / slow_downs[hand] > turns + 1e-9:
                return hand
    return None


def test_the_clock_of_the_exercise_is_regular_up_to_rounding():
    assert np.allclose(np.log(TURNS[:-1] / TURNS[1:]), np.log(2.65), atol=0.06)


def test_slow_downs():
    right = nb10.slow_downs.reference
    assert first_new_angle(right, 6) is None
    for hand in range(8):
        less = right - 0.01 * (np.arange(8) == hand)
        assert (first_new_angle(less, 6) == hand) == (right[hand] > 1)


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


def by_interpolation(frequencies, length, stretch, low, high):
    turns = length * np.asarray(frequencies) / (2 * np.pi)
    return frequencies / np.exp(np.interp(np.log(turns), np.log([low, high]), [np.log(stretch), 0]))


ANSWERS = {
    nb10.slow_downs: {
        "right": [np.where(TURNS < 1, 6, 1), [1, 1, 1, 1.0, 6.0, 6, 6, 6]],
        "wrong": {
            "0.97 of a turn": [1, 1, 1, 1, 1, 6, 6, 6],
            "hand 0, which made 47 turns, is slowed 6 times": [6] * 8,
            "slowed 7 times, where 6 would do": [1, 1, 1, 1, 7, 6, 6, 6],
            "slowed 0.5 times, where 1 would do": [1, 1, 1, 0.5, 6, 6, 6, 6],
            "some positive number": [1, 1, 1, 1, 0, 6, 6, 6],
            "an array of shape (7,)": [1, 1, 1, 6, 6, 6, 6],
        },
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
        "right": [hand_by_hand, by_interpolation],
        "wrong": {
            "between 1 and 32 times": lambda w, n, c, low, high: hand_by_hand(
                w, n, c, low / 3, high
            ),
            "or less and should be slowed": lambda w, *rest: [*w[:-1], w[-1] / 9],
            "or more and should stay": lambda w, *rest: [w[0] / 99, *w[1:]],
            "NaN (not a number)": lambda w, n, c, low, high: w / np.log(low - 1 - w),
        },
    },
}

test_answers = told(ANSWERS)
