"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from posenc.checks import lab_d

from .answers import told


def by_slices(embedding, sign=1):
    cosines, sines = np.split(embedding, 2, axis=1)
    return np.stack([sines, sign * cosines], axis=2).reshape(embedding.shape)


def turns_a_week(*turns):
    return lambda pairs: [2 * np.pi / 168 * turns[k % len(turns)] for k in range(pairs)]


ANSWERS = {
    lab_d.to_course: {
        "right": [by_slices],
        "wrong": {"Column 1 of yours is no column": lambda table: by_slices(table, -1)},
    },
    lab_d.week_frequencies: {
        "right": [turns_a_week(7, 14, 21, 28, 35, 3)],
        "wrong": {
            "In a week hand 1 makes 0.5": turns_a_week(1, 0.5),
            "24 h apart it's 1.000. 100% of the hands": turns_a_week(7, 14, 21, 28, 35, 42),
            "6 to 18 hours apart": turns_a_week(7, 7, 7, 3),
        },
    },
}

test_answers = told(ANSWERS)
