"""The exercises of notebook 3, *Counting in binary*."""

import numpy as np

from posenc.checks import nb03
from posenc.encodings import encode

from .answers import told


def by_integers(table):
    weights = 2 ** np.arange(table.shape[1])
    positions = table @ weights
    return (positions ^ positions >> 1)[:, None] // weights % 2


def by_table(row, frequencies, length=10_000):
    return np.argmax(encode(np.arange(length), frequencies) @ row)


def by_hands(row, frequencies, fastest=0):
    position = 0
    for k in range(len(frequencies) - 1, fastest - 1, -1):
        angle = np.arctan2(row[2 * k], row[2 * k + 1])
        turns = round((position * frequencies[k] - angle) / (2 * np.pi))
        position = (angle + 2 * np.pi * turns) / frequencies[k]
    return round(position)


ANSWERS = {
    nb03.gray: {
        "right": [by_integers, lambda b: b != np.pad(b, [(0, 0), (0, 1)])[:, 1:]],
        "wrong": {"the row of position 1": lambda table: by_integers(table) * (len(table[0]) > 1)},
    },
    nb03.larger_step: {
        "right": [(3, 15, 7, 11), [896, 908, 900, 904]],
        "wrong": {"Bit 2 is 1 in 0 of a": (0, 3, 1, 6), "that's 0 of your four": (0, 3, 1, 2)},
    },
    nb03.position_from: {
        "right": [by_table, by_hands],
        "wrong": {
            "position 9999 (width 20": lambda row, w: by_table(row, w, 9999),
            "width 10": lambda row, w: by_hands(row, w, fastest=1),
        },
    },
}

test_answers = told(ANSWERS)
