"""The exercises of notebook 02, *The clock*."""

import numpy as np

from posenc.encodings import CLOCK_PERIODS, clock

from ._checkers import Case, FunctionCheck, Mistake

_PERIODS = np.array(CLOCK_PERIODS)
_UNITS = np.array([60, 60, 12])
"""Marks on the dial for each hand: seconds, minutes, hours."""


def _hands(angles):
    """Return sine and cosine of each angle, side by side."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1)


def _stepping(seconds):
    """Return the hands of a clock whose minute and hour hands jump."""
    return _hands(2 * np.pi * np.array([seconds % 60, seconds // 60, seconds // 3600]) / _UNITS)


clock_encoding = FunctionCheck(
    "clock_encoding",
    task="the six numbers of the clock, `seconds` after twelve: sine and cosine of the second "
    "hand, then of the minute hand, then of the hour hand",
    reference=clock,
    cases=[(0,), (15,), (9_870,), (10_860,), (12_345.5,), (43_199,)],
    case="{seconds} seconds",
    mistakes=[
        Mistake(
            "At whole seconds all your sines are 0, so every hand stands still: by what does the "
            "formula divide?",
            lambda seconds: _hands(2 * np.pi * seconds * np.ones(3)),
        ),
        Mistake(
            "After one period a hand should have turned by 2π, a whole turn. Yours has turned by "
            "1 radian.",
            lambda seconds: _hands(seconds / _PERIODS),
        ),
        Mistake(
            "The angles are in degrees, and `np.sin` expects radians.",
            lambda seconds: _hands(360 * seconds / _PERIODS),
        ),
        Mistake(
            "The hour hand comes first. The order wanted is from the fastest hand to the slowest.",
            lambda seconds: clock(seconds).reshape(3, 2)[::-1].reshape(-1),
        ),
        Mistake(
            "All sines come first and then all cosines. Sine and cosine of one hand should stand "
            "side by side.",
            lambda seconds: clock(seconds).reshape(3, 2).T.reshape(-1),
        ),
        Mistake(
            "Sine and cosine of each hand are exchanged: at twelve the hand points up, so its "
            "cosine is 1.",
            lambda seconds: clock(seconds).reshape(3, 2)[:, ::-1].reshape(-1),
        ),
        Mistake(
            "The hour hand takes a whole day for one turn. How many hours are on the dial?",
            lambda seconds: _hands(2 * np.pi * seconds / np.array([60, 3600, 86_400])),
        ),
        Mistake(
            "The hour hand is faster than the minute hand: it turns once in 300 seconds. Set "
            "brackets around its period.",
            lambda seconds: _hands(2 * np.pi * seconds / np.array([60, 3600, 300])),
        ),
        Mistake(
            "Your minute and hour hands jump from mark to mark. On this clock they glide: divide "
            "all the seconds by the period, without rounding down.",
            _stepping,
        ),
        Mistake(
            "The minute hand turns once a minute, like the second hand. How many seconds does it "
            "take for a turn?",
            lambda seconds: _hands(2 * np.pi * seconds / np.array([60, 60, 43_200])),
        ),
    ],
    correct="The same lines with other periods are the encoding of a Transformer.",
)


def _turns(numbers):
    """Return how much of a turn each hand has made, from 0 to 1."""
    return np.arctan2(numbers[0::2], numbers[1::2]) / (2 * np.pi) % 1


def _read_clock(numbers, turns=_turns):
    second, minute, hour = _UNITS * turns(numbers)
    seconds = round(second) % 60
    minutes = round(minute - seconds / 60) % 60
    hours = round(hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def _each_hand(convert, *, turns=_turns):
    """Return a reader that converts the mark under each hand by itself."""
    return lambda numbers: convert(_UNITS * turns(numbers))[::-1]


def _from_the_hour_hand(numbers):
    total = round(43_200 * _turns(numbers)[2]) % 43_200
    return [total // 3600, total // 60 % 60, total % 60]


def _twelve_for_zero(numbers):
    hours, *rest = _read_clock(numbers)
    return [hours or 12, *rest]


def _without_last_remainder(numbers):
    second, minute, hour = _UNITS * _turns(numbers)
    seconds = round(second)
    minutes = round(minute - seconds / 60)
    return [round(hour - minutes / 60 - seconds / 3600), minutes, seconds]


def _negative_angles(numbers):
    return np.arctan2(numbers[0::2], numbers[1::2]) / (2 * np.pi)


def _counterclockwise(numbers):
    return np.arctan2(numbers[1::2], numbers[0::2]) / (2 * np.pi) % 1


def _imprecise(time):
    """Return a case: the six numbers of a time, each with an error of up to 0.01."""
    hours, minutes, seconds = map(int, time.split(":"))
    total = 3600 * hours + 60 * minutes + seconds
    errors = np.random.default_rng(total).uniform(-0.01, 0.01, 6)
    return Case(clock(total) + errors, label=f"{time} with small errors")


read_clock = FunctionCheck(
    "read_clock",
    task="hours (0 to 11), minutes and seconds, as three whole numbers, from the six `numbers` "
    "of the clock, each with an error of up to 0.01",
    reference=lambda numbers: _read_clock(numbers),
    cases=[
        Case(clock(0), label="00:00:00"),
        *map(_imprecise, ["03:01:00", "02:44:30", "11:59:59", "07:30:01", "00:05:52", "06:00:00"]),
    ],
    mistakes=[
        Mistake(
            "A hand whose error takes it a hair before a mark is read as the mark before. What "
            "should be done instead of rounding down?",
            _each_hand(np.floor),
        ),
        Mistake(
            "Each hand is rounded to the mark nearest to it. But at 02:44:30 the hour hand is "
            "nearer to 3 than to 2: take away what the faster hands have told, then round.",
            _each_hand(lambda marks: np.round(marks) % _UNITS),
        ),
        Mistake(
            "You rounded each hand to the mark nearest to it, and a hand just before twelve gives "
            "60 or 12. Take away what the faster hands have told, round, then take the remainder.",
            _each_hand(np.round),
        ),
        Mistake(
            "All three are read off the hour hand. It is too imprecise for that: an error of 0.01 "
            "moves it by more than a minute.",
            _from_the_hour_hand,
        ),
        Mistake(
            "Your angles start at three o'clock and run against the clock. A clock's sine points "
            "right and its cosine up: which of them does `np.arctan2` take first?",
            lambda numbers: _read_clock(numbers, _counterclockwise),
        ),
        Mistake(
            "Your angles start at three o'clock and run against the clock, and you rounded down.",
            _each_hand(np.floor, turns=_counterclockwise),
        ),
        Mistake(
            "A hand on the left half of the dial has a negative angle for `np.arctan2`. What "
            "angle is that, clockwise from twelve?",
            _each_hand(np.round, turns=_negative_angles),
        ),
        Mistake(
            "Negative angles, and rounded down: `np.arctan2` gives angles from −π to π.",
            _each_hand(np.floor, turns=_negative_angles),
        ),
        Mistake(
            "From twelve to one o'clock the hour is 0 in this exercise, as the hours run from 0 "
            "to 11.",
            _twelve_for_zero,
        ),
        Mistake(
            "A hand that an error takes to the left of twelve is read as 60 or 12, where 0 is "
            "meant: a remainder is missing after the rounding.",
            _without_last_remainder,
        ),
        Mistake(
            "The seconds come first. The order wanted is hours, minutes, seconds.",
            lambda numbers: _read_clock(numbers)[::-1],
        ),
    ],
    axes=("place",),
    correct="Each hand has to be right only to half a mark, because the faster hands say the rest.",
)

repaired_hour_hand = FunctionCheck(
    "repaired_hour_hand",
    task="the angle of the hour hand `seconds` after twelve, in radians clockwise from twelve",
    reference=lambda seconds: 2 * np.pi * seconds / 43_200,
    cases=[(0,), (300,), (3_600,), (9_870,), (40_000.5,)],
    case="{seconds} seconds",
    mistakes=[
        Mistake(
            "The bug is still there. Python works from left to right: is the 12 in the divisor?",
            lambda seconds: 2 * np.pi * seconds / 3600 * 12,
        ),
        Mistake(
            "Without the 12 this is the minute hand, once around in an hour.",
            lambda seconds: 2 * np.pi * seconds / 3600,
        ),
        Mistake(
            "This hand turns once a day. How many hours are on the dial?",
            lambda seconds: 2 * np.pi * seconds / (3600 * 24),
        ),
        Mistake(
            "This hand turns once in 720 seconds: how many seconds does an hour have?",
            lambda seconds: 2 * np.pi * seconds / (60 * 12),
        ),
        Mistake(
            "The angle is in degrees. Radians are wanted.",
            lambda seconds: 360 * seconds / 43_200,
        ),
        Mistake(
            "These are turns, from 0 to 1. An angle in radians is wanted: how many are a turn?",
            lambda seconds: seconds / 43_200,
        ),
        Mistake(
            "The hand jumps once an hour. It should glide: keep the fraction of the hour.",
            lambda seconds: 2 * np.pi * (seconds // 3600) / 12,
        ),
        Mistake(
            "This is the sine of the angle. The angle itself is wanted.",
            lambda seconds: np.sin(2 * np.pi * seconds / 43_200),
        ),
    ],
    correct="As printed, the hand went round in 3600/12 = 300 seconds, 144 times too fast.",
)

smallest_base = FunctionCheck(
    "smallest_base",
    task="the base at which the slowest of `width` / 2 hands makes half a turn in `length` "
    "positions",
    reference=lambda length, width: (length / np.pi) ** (width / (width - 2)),
    cases=[(200, 256), (32, 4), (2_000, 64), (131_072, 128), (8_192, 512)],
    case="{length} positions and width {width}",
    mistakes=[
        Mistake(
            "That would be right if the last exponent were 1. The last pair is `k = d/2 − 1`: what "
            "is its exponent `2k/d`?",
            lambda length, width: length / np.pi,
        ),
        Mistake(
            "With this base the slowest hand makes a whole turn. Half a turn is wanted.",
            lambda length, width: (length / (2 * np.pi)) ** (width / (width - 2)),
        ),
        Mistake(
            "A whole turn, and with 1 as the last exponent: both the half and the exponent "
            "`2k/d` of the last pair are missing.",
            lambda length, width: length / (2 * np.pi),
        ),
        Mistake(
            "With this base the slowest hand makes a quarter of a turn. Half a turn is wanted.",
            lambda length, width: (2 * length / np.pi) ** (width / (width - 2)),
        ),
        Mistake(
            "The exponent is upside down: to undo a power (d − 2)/d, which power is needed?",
            lambda length, width: (length / np.pi) ** ((width - 2) / width),
        ),
        Mistake(
            "The last exponent is taken for (d − 1)/d. That counts columns; the last pair begins "
            "one column earlier.",
            lambda length, width: (length / np.pi) ** (width / (width - 1)),
        ),
        Mistake(
            "This is the gear ratio, the factor from one hand to the next. The base is a power of "
            "it: which one?",
            lambda length, width: (length / np.pi) ** (2 / (width - 2)),
        ),
        Mistake(
            "This is the wavelength of the slowest hand. Which base gives that wavelength?",
            lambda length, width: 2.0 * length,
        ),
    ],
    correct="For a long context the base grows almost in proportion to the length.",
)
