"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from posenc.checks import lab_d
from posenc.encodings import sinusoidal

from .asking import told


def by_slices(embedding):
    half = embedding.shape[1] // 2
    table = np.empty_like(embedding)
    table[:, 0::2] = embedding[:, half:]
    table[:, 1::2] = embedding[:, :half]
    return table


def by_indices(embedding):
    cosines, sines = np.split(np.arange(embedding.shape[1]), 2)
    return embedding[:, np.stack([sines, cosines], axis=1).ravel()]


def encoded(angles, width):
    """Return the encodings of the steps at which the slowest hand has turned by these angles."""
    half = width // 2
    steps = angles * 10_000 ** (1 - 1 / half)
    angles = np.outer(steps, 10_000 ** (-np.arange(half) / half))
    return by_slices(np.hstack([np.cos(angles), np.sin(angles)]))


def for_half_a_turn(embedding):
    """Ask the slowest hand by its cosine: at width 4 that is right up to step 314."""
    return encoded(np.arccos(embedding[:, embedding.shape[1] // 2 - 1]), embedding.shape[1])


def for_a_turn(embedding):
    """Ask its sine as well: at widths 2, 4 and 8 that is right, since gears mesh."""
    width = embedding.shape[1]
    return encoded(np.arctan2(embedding[:, -1], embedding[:, width // 2 - 1]), width)


def mostly_daily(pairs, first=1, kinds=6):
    """Three hands in four know the hour, one the day of the week."""
    k = np.arange(pairs)
    return 2 * np.pi / 168 * np.where(k % 4, 7 * (first + k % kinds), 1 + k % 6)


def turns_a_week(pairs):
    return [2 * np.pi / 168 * [7, 14, 21, 28, 35, 3][k % 6] for k in range(pairs)]


def test_the_slowest_hand_tells_the_steps_for_a_while():
    for ask, last in ((for_half_a_turn, 314), (for_a_turn, 10**6)):
        angles = np.outer([0, 40, last], [1, 0.01])
        table = np.hstack([np.cos(angles), np.sin(angles)])
        assert np.allclose(ask(table), by_slices(table), atol=1e-5)
        assert np.allclose(ask(table)[:2], sinusoidal(41, 4)[[0, 40]])


ANSWERS = {
    lab_d.to_course: {
        "right": [by_slices, by_indices],
        "wrong": {
            "3 of 6 numbers": lambda e: by_slices(e) * np.tile([1, -1], e.shape[1] // 2),
            "for a single pair": for_half_a_turn,
            "not for steps in no order": for_a_turn,
            "not for late steps at width 4": lambda e: (
                for_half_a_turn(e) if e.shape[1] == 4 else by_slices(e)
            ),
        },
    },
    lab_d.week_frequencies: {
        "right": [mostly_daily, turns_a_week],
        "wrong": {
            "Whole weeks apart": lambda pairs: mostly_daily(pairs) / 2 / np.pi,
            "One to six days apart": lambda pairs: 2 * np.pi / 24 * (1 + np.arange(pairs) % 6),
            "120 h apart it is -0.021": lambda pairs: 2 * np.pi / 168 * (1 + np.arange(pairs)),
            "An hour apart": lambda pairs: mostly_daily(pairs, first=7),
            "6 to 18 hours apart": lambda pairs: mostly_daily(pairs, kinds=1),
        },
    },
}

test_answers = told(ANSWERS)
