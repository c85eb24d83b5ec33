"""The exercises of notebook 2."""

import math
from fractions import Fraction

import numpy as np
import sympy

from posenc import checks
from posenc.encodings import clock

from .exercise_laws import hold


def angles(numbers):
    return [math.atan2(x, y) % math.tau / math.tau for x, y in zip(numbers[0::2], numbers[1::2])]


def read(numbers):
    second, minute, hour = angles(numbers)
    seconds = round(60 * second) % 60
    minutes = round(60 * minute - seconds / 60) % 60
    hours = round(12 * hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def nearest(numbers):
    total = int(((clock(np.arange(43_200)) - numbers) ** 2).sum(axis=1).argmin())
    return total // 3600, total // 60 % 60, total % 60


def with_complex_numbers(numbers):
    hands = np.angle(numbers[1::2] + 1j * numbers[0::2]) / (2 * np.pi)
    s = np.rint(hands[0] * 60) % 60
    m = np.rint(hands[1] * 60 - s / 60) % 60
    h = np.rint(hands[2] * 12 - m / 60 - s / 3600) % 12
    return np.array([h, m, s])


def minute_by_minute(numbers):
    second, minute, hour = angles(numbers)
    s = int(60 * second + 0.5) % 60
    m = min(range(60), key=lambda m: abs((60 * minute - m - s / 60 + 30) % 60 - 30))
    h = min(range(12), key=lambda h: abs((12 * hour - h - m / 60 - s / 3600 + 6) % 12 - 6))
    return h, m, s


def in_fractions(numbers):
    return [Fraction(number) for number in read(numbers)]


def read_with(convert, angles=angles, remainder=True):
    def reader(numbers):
        second, minute, hour = angles(numbers)
        marks = [convert(12 * hour), convert(60 * minute), convert(60 * second)]
        return [mark % n for mark, n in zip(marks, (12, 60, 60))] if remainder else marks

    return reader


def against_the_clock(numbers):
    return [math.atan2(y, x) % math.tau / math.tau for x, y in zip(numbers[0::2], numbers[1::2])]


def signed(numbers):
    return [math.atan2(x, y) / math.tau for x, y in zip(numbers[0::2], numbers[1::2])]


def by_arcsine(numbers):
    return [math.asin(max(-1, min(1, x))) / math.tau for x in numbers[0::2]]


def read_against_the_clock(numbers):
    return read(np.asarray(numbers).reshape(3, 2)[:, ::-1].ravel())


def from_the_hour_hand(numbers):
    total = round(43_200 * angles(numbers)[2]) % 43_200
    return total // 3600, total % 3600 // 60, total % 60


def without_remainder(numbers):
    second, minute, hour = angles(numbers)
    seconds = round(60 * second)
    minutes = round(60 * minute - seconds / 60)
    return round(12 * hour - minutes / 60 - seconds / 3600), minutes, seconds


def hours_not_corrected(numbers):
    _, m, s = read(numbers)
    return round(12 * angles(numbers)[2]) % 12, m, s


def by_equality(numbers):
    found = np.flatnonzero(np.isclose(clock(np.arange(43_200)), numbers).all(axis=1))[0]
    return found // 3600, found // 60 % 60, found % 60


def test_read_clock():
    hold(
        checks.read_clock,
        right=[read, nearest, with_complex_numbers, minute_by_minute, in_fractions],
        wrong=[
            (lambda n: [*read(n)[:2], read(n)[2] or 60], "has come to 0 again"),
            (
                lambda n: [*read(n)[:2], read(n)[2] - 60 * (read(n)[2] > 30)],
                "to the left of twelve",
            ),
            (lambda n: read(np.where([1, 0] * 3, abs(n), n)), "mirror image"),
            (by_equality, "does that ask for exact equality?"),
            (read_with(math.floor), "instead of rounding down"),
            (read_with(int), "instead of rounding down"),
            (read_with(round), "nearer to 3 than to 2"),
            (read_with(round, remainder=False), "just before twelve gives"),
            (from_the_hour_hand, "off the hour hand"),
            (read_against_the_clock, "which of them does"),
            (read_with(math.floor, against_the_clock), "and you rounded down"),
            (read_with(round, signed, False), "What angle is that"),
            (read_with(math.floor, signed, False), "Negative angles"),
            (lambda n: [read(n)[0] or 12, *read(n)[1:]], "From twelve to one"),
            (without_remainder, "after the rounding"),
            (lambda n: read(n)[::-1], "The seconds come first"),
            (
                lambda n: 3600 * read(n)[0] + 60 * read(n)[1] + read(n)[2],
                "returns 0, where (0, 0, 0)",
            ),
            (lambda n: "{:02}:{:02}:{:02}".format(*read(n)), "the text '00:00:00'"),
            (lambda n: read(n)[:2], "where (0, 0, 0) should be"),
            (read_with(round, by_arcsine), "should be"),
            (hours_not_corrected, "not for 02:44:30"),
            (lambda n: read(n[[4, 5, 2, 3, 0, 1]]), "should be"),
            (lambda n: [0, 0, 0], "It returns (0, 0, 0) whatever"),
            (lambda n: print(read(n)), "in place of `print`"),
            (lambda n: 60 * np.array(angles(n)), "should be"),
            (lambda n: [f"{x}" for x in read(n)], "`list` holding values of type `str`"),
        ],
    )


def test_the_reader_s_cases_are_what_their_labels_say():
    for case in checks.read_clock.tried:
        hours, minutes, seconds = map(int, case.label[:8].split(":"))
        exact = clock(3600 * hours + 60 * minutes + seconds)
        assert np.max(np.abs(case.arguments[0] - exact)) <= 0.01
        assert checks.read_clock.reference(*case.arguments) == [hours, minutes, seconds]


def by_searching(length, width):
    low, high = 1.0, 1e9
    for _ in range(200):
        base = math.sqrt(low * high)
        low, high = (
            (base, high) if length / base ** ((width - 2) / width) > math.pi else (low, base)
        )
    return base


def test_smallest_base():
    hold(
        checks.smallest_base,
        right=[
            lambda length, width: (length / np.pi) ** (width / (width - 2)),
            lambda n, d: math.exp(math.log(n / math.pi) / ((d - 2) / d)),
            lambda n, d: ((n / math.pi) ** (1 / (d // 2 - 1))) ** (d // 2),
            lambda n, d: sympy.Float((n / math.pi) ** (d / (d - 2))),
            by_searching,
        ],
        wrong=[
            (lambda n, d: (n / math.pi) ** (d // (d - 2)), "`//` cuts it off"),
            (lambda n, d: math.ceil((n / math.pi) ** (d / (d - 2))), "need not be whole"),
            (lambda n, d: 1.005 * (n / math.pi) ** (d / (d - 2)), "If you search in steps"),
            (lambda n, d: (n / 180) ** (d / (d - 2)), "in radians"),
            (lambda n, d: (n / math.pi) ** (64 / 62), "Your exponent is that of width 64"),
            (lambda n, d: (math.pi / n) ** (d / (d - 2)), "With a base below 1"),
            (lambda n, d: n / math.pi, "if the last exponent were 1"),
            (lambda n, d: (n / math.tau) ** (d / (d - 2)), "the slowest hand makes a whole turn"),
            (lambda n, d: n / math.tau, "A whole turn, and with 1"),
            (lambda n, d: (n / math.pi * 2) ** (d / (d - 2)), "a quarter of a turn"),
            (lambda n, d: (n / math.pi) ** ((d - 2) / d), "upside down"),
            (lambda n, d: (n / math.pi) ** (d / (d - 1)), "counts columns"),
            (lambda n, d: (n / math.pi) ** (1 / (d / 2 - 1)), "the gear ratio"),
            (lambda n, d: 2 * n, "the wavelength of the slowest hand"),
            (lambda n, d: n ** (d / (d - 2)), "turns by one radian"),
            (lambda n, d: (n * math.pi) ** (d / (d - 2)), "The π has changed sides"),
            (lambda length, width: (length / np.pi) ^ 2, "`^` is not a power"),
            (lambda width, length: (length / np.pi) ** (width / (width - 2)), "in this order"),
            (lambda n, d: round((n / math.pi) ** (d / (d - 2))), "It is rounded to 0 decimals."),
            (lambda n, d: int((n / math.pi) ** (d / (d - 2))), "The decimals are cut off"),
            (lambda n, d: round((n / math.pi) ** (d / (d - 2)), 2), "rounded to 2 decimals"),
            (lambda n, d: 10_000, "It returns 10000 whatever"),
            (lambda n, d: (n / 3.14) ** (d / (d - 2)), "makes 0.49975 turns"),
            (lambda n, d: (n / math.pi) ** (d / (d - 2) + 1), "Half a turn is wanted"),
            (
                lambda n, d: -((n / math.pi) ** (d / (d - 2))),
                "it returns -65.7785, where 65.7785 should be",
            ),
        ],
    )


def test_the_smallest_base_gives_half_a_turn():
    for case in checks.smallest_base.tried:
        length, width = case.arguments
        base = checks.smallest_base.reference(length, width)
        slowest = base ** (-(width - 2) / width)
        assert math.isclose(slowest * length, math.pi, rel_tol=1e-9)


def test_clock_lie():
    hold(
        checks.clock_lie,
        right=[
            (0, 30, 60),
            [100, 130, 160.5],
            np.array([43_199, 43_230, 43_259]),
            (0, 1800, 3600),
            (sympy.Integer(7), Fraction(41, 1), 67.0),
        ],
        wrong=[
            ((0, 30, 1800), "the minute hand alone is 2.000 away"),
            ((0, 4, 3600), "the hour hand alone is 0.518 away"),
            ((0, 0.5, 1), "From a to c it is 1 s."),
            ((0, 20, 30), "moves away from where it was at a"),
            ((0, 60, 30), "one after the other"),
            ((60, 30, 0), "one after the other"),
            ((0, 0, 60), "one after the other"),
            ((0, 1, 2), "No lie yet"),
            ((0, 60, 90), "No lie yet"),
            ((0, 10, 50), "No lie yet"),
            ((0, 21_600, 43_200), "more than an hour"),
            ((0, 30), "an array of shape (2,)"),
            (("12:00:00", "12:00:30", "12:01:00"), "holding values of type `str`"),
            ((0, 30, 60, 90), "an array of shape (4,)"),
            ([(0, 0, 0), (0, 0, 30), (0, 1, 0)], "an array of shape (3, 3)"),
            ((0, 30, float("nan")), "NaN"),
            ((0, 1, 3600), "No lie yet"),
            (30, "a single number"),
        ],
    )


def test_three_hands():
    hold(
        checks.three_hands,
        right=[
            (40, 1600, 64_000),
            [41, 1681, 68_921],
            (50_000, 1500, 40),
            np.array([39.5, 1500.0, 50_000.0]),
            (sympy.Integer(35), 1210, sympy.Rational(90_001, 2)),
        ],
        wrong=[
            ((36, 38, 40), "a factor that they share?"),
            ((1, 35, 1225), "a whole turn or more in each second"),
            ((0.6, 21.6, 720), "are they in seconds?"),
            ((30, 1800, 43_200), "before another has moved far"),
            ((60, 3600, 43_200), "That is the clock on the wall"),
            ((60, 3600, 86_400), "Moments 0 and 1 are too near"),
            ((30, 900, 27_000), "Moments 0 and 27000 are too near"),
            ((40, 80, 160), "made 4, 2, 1 turns: all have come home"),
            ((10, 100, 1000), "Moments 0 and 1000 are too near"),
            ((40, 1600), "an array of shape (2,)"),
            ((2 * np.pi / 60, 2 * np.pi / 3600, 2 * np.pi / 43_200), "angular frequencies"),
            ((0, 1600, 64_000), "a positive number of seconds"),
            ((-40, 1600, 64_000), "a positive number of seconds"),
            ((float("inf"), 40, 1600), "Moments 0 and"),
            ((40, 40, 40), "Moments 0 and 40 are"),
            ((1, 60, 3600), "too near"),
            (40, "a single number"),
        ],
    )
