"""The exercises of notebook 02."""

import math

import numpy as np

from posenc import checks
from posenc.encodings import clock

from .harness import hold, is_wrong


def hands(seconds, periods=(60, 3600, 43_200), turn=math.tau):
    """Sine and cosine of each hand, number by number."""
    return [f(turn * seconds / period) for period in periods for f in (math.sin, math.cos)]


def as_solved(seconds):
    periods = np.array([60, 3600, 43_200])
    angles = 2 * np.pi * seconds / periods
    numbers = np.empty(6)
    numbers[0::2] = np.sin(angles)
    numbers[1::2] = np.cos(angles)
    return numbers


def jumping(seconds):
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    angles = [math.tau * second / 60, math.tau * minute / 60, math.tau * hour / 12]
    return [f(angle) for angle in angles for f in (math.sin, math.cos)]


def test_clock_encoding():
    hold(
        checks.clock_encoding,
        solution=as_solved,
        examples=[(9_870,), (10_860,)],
        wrong=[
            (lambda s: hands(s, (1, 1, 1)), "every hand stands still"),
            (lambda s: hands(s, turn=1), "1 radian"),
            (lambda s: hands(s, turn=360), "degrees"),
            (lambda s: hands(s, (43_200, 3600, 60)), "The hour hand comes first"),
            (lambda s: [*hands(s)[0::2], *hands(s)[1::2]], "All sines come first"),
            (lambda s: [hands(s)[i] for i in (1, 0, 3, 2, 5, 4)], "are exchanged"),
            (lambda s: hands(s, (60, 3600, 86_400)), "a whole day"),
            (lambda s: hands(s, (60, 3600, 3600 / 12)), "brackets"),
            (jumping, "jump from mark to mark"),
            (lambda s: hands(s, (60, 60, 43_200)), "once a minute"),
            (lambda s: hands(s)[:4], "shape (4,)"),
        ],
        also_right=[
            hands,
            clock,
            lambda s: np.float32(hands(s)),
            lambda s: (
                np.exp(1j * np.pi / 2 - 2j * np.pi * s / np.array([60, 3600, 43_200]))
                .view(float)
                .reshape(3, 2)[:, ::-1]
                .ravel()[[1, 0, 3, 2, 5, 4]]
            ),
        ],
    )
    # Right at twelve, whatever the period: the message says where it goes wrong.
    told = is_wrong(checks.clock_encoding, lambda s: hands(s, (60, 3600, 86_400)))
    assert told.startswith("Right for 0 seconds, but not for 15 seconds.")


def angles(numbers, turn=math.tau):
    return [math.atan2(x, y) % math.tau / turn for x, y in zip(numbers[0::2], numbers[1::2])]


def read(numbers):
    second, minute, hour = angles(numbers)
    seconds = round(60 * second) % 60
    minutes = round(60 * minute - seconds / 60) % 60
    hours = round(12 * hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def read_with(numbers, convert, angles=angles, remainder=True):
    second, minute, hour = angles(numbers)
    marks = [convert(12 * hour), convert(60 * minute), convert(60 * second)]
    return [mark % n for mark, n in zip(marks, (12, 60, 60))] if remainder else marks


def against_the_clock(numbers):
    return [math.atan2(y, x) % math.tau / math.tau for x, y in zip(numbers[0::2], numbers[1::2])]


def signed(numbers):
    return [math.atan2(x, y) / math.tau for x, y in zip(numbers[0::2], numbers[1::2])]


def read_against_the_clock(numbers):
    second, minute, hour = against_the_clock(numbers)
    seconds = round(60 * second) % 60
    minutes = round(60 * minute - seconds / 60) % 60
    return round(12 * hour - minutes / 60 - seconds / 3600) % 12, minutes, seconds


def from_the_hour_hand(numbers):
    total = round(43_200 * angles(numbers)[2]) % 43_200
    return total // 3600, total % 3600 // 60, total % 60


def without_remainder(numbers):
    second, minute, hour = angles(numbers)
    seconds = round(60 * second)
    minutes = round(60 * minute - seconds / 60)
    return round(12 * hour - minutes / 60 - seconds / 3600), minutes, seconds


def nearest(numbers):
    total = int((clock(np.arange(43_200)) @ numbers).argmax())
    return total // 3600, total // 60 % 60, total % 60


def test_read_clock():
    hold(
        checks.read_clock,
        solution=read,
        examples=[(clock(0),), (clock(9_870),), (clock(10_860),)],
        wrong=[
            (lambda n: read_with(n, math.floor), "instead of rounding down"),
            (lambda n: read_with(n, round), "nearer to 3 than to 2"),
            (lambda n: read_with(n, round, remainder=False), "just before twelve gives"),
            (from_the_hour_hand, "off the hour hand"),
            (read_against_the_clock, "which of them does"),
            (lambda n: read_with(n, math.floor, against_the_clock), "and you rounded down"),
            (lambda n: read_with(n, round, signed, False), "What angle is that"),
            (lambda n: read_with(n, math.floor, signed, False), "Negative angles"),
            (lambda n: [read(n)[0] or 12, *read(n)[1:]], "From twelve to one"),
            (without_remainder, "after the rounding"),
            (lambda n: read(n)[::-1], "The seconds come first"),
            (lambda n: 3600 * read(n)[0] + 60 * read(n)[1] + read(n)[2], "a single number"),
        ],
        also_right=[nearest, lambda n: tuple(map(float, read(n))), lambda n: np.int8(read(n))],
    )


def test_the_reader_s_cases_are_told_apart_by_their_hands():
    """Every case is the encoding of its label, up to the error that the statement allows."""
    for case in checks.read_clock.cases:
        hours, minutes, seconds = map(int, case.label[:8].split(":"))
        exact = hands(3600 * hours + 60 * minutes + seconds)
        assert np.max(np.abs(case.arguments[0] - exact)) <= 0.01
        assert checks.read_clock.reference(*case.arguments) == [hours, minutes, seconds]


def test_repaired_hour_hand():
    hold(
        checks.repaired_hour_hand,
        solution=lambda seconds: 2 * np.pi * seconds / (3600 * 12),
        examples=[(0,), (3_600,)],
        wrong=[
            (lambda s: 2 * np.pi * s / 3600 * 12, "still there"),
            (lambda s: math.tau * s / 3600, "the minute hand"),
            (lambda s: math.tau * s / 86_400, "once a day"),
            (lambda s: math.tau * s / 60 / 12, "720"),
            (lambda s: s / 120, "degrees"),
            (lambda s: s / 3600 / 12, "turns, from 0 to 1"),
            (lambda s: math.tau / 12 * (s // 3600), "jumps once an hour"),
            (lambda s: math.sin(math.tau * s / 43_200), "the sine of the angle"),
        ],
        also_right=[
            lambda s: math.radians(s / 120),
            lambda s: math.tau * (s / 3600 / 12 % 1),
            lambda s: np.float32(2 * np.pi * s / 43_200),
        ],
    )


def test_smallest_base():
    hold(
        checks.smallest_base,
        solution=lambda length, width: (length / np.pi) ** (width / (width - 2)),
        examples=[(200, 256)],
        wrong=[
            (lambda n, d: n / math.pi, "if the last exponent were 1"),
            (lambda n, d: (n / math.tau) ** (d / (d - 2)), "the slowest hand makes a whole turn"),
            (lambda n, d: n / math.tau, "A whole turn, and with 1"),
            (lambda n, d: (n / math.pi * 2) ** (d / (d - 2)), "a quarter of a turn"),
            (lambda n, d: (n / math.pi) ** ((d - 2) / d), "upside down"),
            (lambda n, d: (n / math.pi) ** (d / (d - 1)), "counts columns"),
            (lambda n, d: (n / math.pi) ** (1 / (d / 2 - 1)), "the gear ratio"),
            (lambda n, d: 2 * n, "the wavelength of the slowest hand"),
        ],
        also_right=[
            lambda n, d: math.exp(math.log(n / math.pi) / ((d - 2) / d)),
            lambda n, d: ((n / math.pi) ** (1 / (d // 2 - 1))) ** (d // 2),
        ],
    )


def test_the_smallest_base_gives_half_a_turn():
    for case in checks.smallest_base.cases:
        length, width = case.arguments
        base = checks.smallest_base.reference(length, width)
        slowest = base ** (-(width - 2) / width)
        assert math.isclose(slowest * length, math.pi, rel_tol=1e-9)
