"""The exercises of notebook 2, *The clock*."""

import math

import numpy as np

from posenc.checks import nb02
from posenc.encodings import clock

from .asking import told


def read(numbers):
    second, minute, hour = (
        math.atan2(x, y) % math.tau / math.tau for x, y in zip(numbers[0::2], numbers[1::2])
    )
    seconds = round(60 * second) % 60
    minutes = round(60 * minute - seconds / 60) % 60
    hours = round(12 * hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def nearest(numbers):
    total = int(((clock(np.arange(43_200)) - numbers) ** 2).sum(axis=1).argmin())
    return total // 3600, total // 60 % 60, total % 60


def test_the_reader_s_cases_are_what_their_labels_say():
    for case in nb02.read_clock.all_cases:
        hours, minutes, seconds = map(int, case.label[:8].split(":"))
        exact = clock(3600 * hours + 60 * minutes + seconds)
        assert np.max(np.abs(case.arguments[0] - exact)) <= 0.01 + 1e-9
        assert nb02.read_clock.reference(*case.arguments) == [hours, minutes, seconds]


def by_searching(length, width):
    low, high = 1.0, 1e9
    for _ in range(200):
        base = math.sqrt(low * high)
        slow = length / base ** ((width - 2) / width) > math.pi
        low, high = (base, high) if slow else (low, base)
    return base


def right(n, d):
    return (n / math.pi) ** (d / (d - 2))


def test_the_slowest_hand_makes_half_a_turn_with_the_smallest_base():
    for case in nb02.smallest_base.all_cases:
        length, width = case.arguments
        slowest = right(length, width) ** (-(width - 2) / width)
        assert math.isclose(slowest * length, math.pi, rel_tol=1e-9)


ANSWERS = {
    nb02.smallest_base: {
        "right": [lambda n, d: math.exp(math.log(n / math.pi) / ((d - 2) / d)), by_searching],
        "wrong": {
            "makes 0.49833 turns": lambda n, d: math.ceil(right(n, d)),
            "makes 0.49753 turns": lambda n, d: 1.005 * right(n, d),
            "makes 0.0078531 turns, and half": lambda n, d: right(n, d) ** 2 + 0.5,
            "where 65.7785 should be.": lambda n, d: -right(n, d) * n,
        },
    },
    nb02.read_clock: {
        "right": [read, nearest],
        "wrong": {
            "has come to 0 again": lambda n: [*read(n)[:2], read(n)[2] or 60],
            "None of the three is negative": lambda n: [
                *read(n)[:2],
                read(n)[2] - 60 * (read(n)[2] > 30),
            ],
            "Look at the minutes": lambda n: read(np.where([1, 0] * 3, abs(n), n)),
            "which angle, direction and marks": lambda n: read(n[[4, 5, 2, 3, 0, 1]]),
            "One off, in the hours": lambda n: [(read(n)[0] + (n[1] < 0)) % 12, *read(n)[1:]],
            "a whole number of marks": lambda n: np.add(read(n), 0.25 * (n[0] > 0)),
        },
    },
    nb02.clock_lie: {
        "right": [[100, 130, 160.5], np.array([43_199, 43_230, 43_259])],
        "wrong": {
            "the minute hand alone is 2.000 away": (0, 30, 1800),
            "the hour hand alone is 0.518 away": (0, 4, 3600),
            "moves away from where it was at a": (0, 20, 30),
            "one after the other": (0, 60, 30),
            "All three should lie within an hour": (0, 21_600, 43_200),
        },
    },
    nb02.three_hands: {
        "right": [[41, 1681, 68_921], np.array([50_000, 1500, 39.5])],
        "wrong": {
            "The slowest need not be, all day": (36, 38, 40),
            "before another has moved far": (30, 1800, 43_200),
            "In minutes or hours they would do": (40 / 60, 1600 / 60, 64_000 / 60),
            "In minutes or hours": (40 / 3600, 1600 / 3600, 64_000 / 3600),
            "Moments 0 and 27000 are only": (30, 900, 27_000),
            "none has moved enough": (1e5, 2e5, 3e5),
            "a positive number of seconds": (0, 1600, 64_000),
        },
    },
}

test_answers = told(ANSWERS)
