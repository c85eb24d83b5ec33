"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from posenc.checks import lab_d

from .answers import told


def turns_a_week(*turns):
    return lambda pairs: [2 * np.pi / 168 * turns[k % len(turns)] for k in range(pairs)]


ANSWERS = {
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
