"""What is recorded of trained heads of width 32, as claims ask for it."""

from functools import cache

import numpy as np
from oracles import encodings

from posenc.trained import load_results

SPEEDS = 10_000.0 ** (-np.arange(16) / 16)
# How far back heads were trained to look, at which all of them turn a hand.
BACK = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 8: "eight", 12: "twelve"}


def rows(positions):
    """Return the encodings that heads add."""
    return encodings(positions, 32)


def matrix_of(head):
    """Return the matrix W between query and key."""
    return head["query"] @ head["key"].T


@cache
def record():
    """Return the record, by task, way and measure."""
    return load_results().groupby(["task", "way", "measure"])


def measured(task, way, measure, **where):
    """Return what was measured of 24 heads, a number each."""
    table = record().get_group((task, way, measure))
    for column, value in where.items():
        table = table[table[column] == value]
    assert sorted(table.seed) == [*range(24)]
    return table.sort_values("seed").value.to_numpy()


def turned(task, way, hand, near):
    """Return by how many positions a hand turns, its whole turns chosen to be near a number."""
    angle = measured(task, way, "angle", item=hand) - near * SPEEDS[hand]
    return near + np.angle(np.exp(1j * angle)) / SPEEDS[hand]
