"""The exercises of notebook 2, *The clock*."""

import numpy as np

from posenc.distances import distance_at
from posenc.encodings import CLOCK_PERIODS, clock

from ._exercise import Case, Exercise

_UNITS = np.array([60, 60, 12])
"""Marks on the dial for each hand: seconds, minutes, hours."""


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


def _explain_reading(found, numbers):
    right = np.array(_read_clock(numbers))
    said = f"It returns {_time(found)}, where {_time(right)} should be. "
    if np.mod(found, 1).any():
        return f"{said}Round to whole numbers."
    if (found >= [12, 60, 60]).any():
        return f"{said}A hand that has come to 12 or 60 has come to 0 again."
    if (found < 0).any():
        return f"{said}A hand to the left of twelve has a negative angle for `np.arctan2`."
    wrong = found != right
    names = np.array(["hours", "minutes", "seconds"])[wrong]
    if np.isin(found - right, [0, -1, 1, 11, -11, 59, -59]).all() and len(names) < 3:
        return (
            f"{said}Near a mark the error decides on the {' and '.join(names)}. What do the faster "
            "hands say? Take it away, then round."
        )
    if (np.abs(found + right - [12, 60, 60])[wrong] <= 1).all():
        return (
            f"{said}A hand in the left half is read as its mirror image in the right one: `arccos` "
            "knows half of the circle only. Which half it is, the sine tells."
        )
    return (
        f"{said}Look at the {' and '.join(names)}: from which angle, in which direction and in how "
        "many marks do you read that hand?"
    )


def _time(numbers):
    return f"({', '.join(f'{number:.4g}' for number in numbers)})"


def _imprecise(time):
    """Return a case: the six numbers of a time, each with an error of up to 0.01."""
    hours, minutes, seconds = map(int, time.split(":"))
    total = 3600 * hours + 60 * minutes + seconds
    errors = np.random.default_rng(total).uniform(-0.01, 0.01, 6)
    return Case(clock(total) + errors, label=f"{time} with small errors")


read_clock = Exercise(
    "read_clock",
    task="hours (0 to 11), minutes and seconds, as three whole numbers, from the six `numbers` "
    "of the clock, each with an error of up to 0.01",
    reference=lambda numbers: _read_clock(numbers),
    cases=[
        Case(clock(0), label="00:00:00"),
        *map(_imprecise, ["03:01:00", "02:44:30", "11:59:59", "07:30:01", "00:05:52", "06:00:00"]),
        Case(
            clock(0) - 0.009,
            label="00:00:00 with every number too small by 0.009",
            hint="The hands stand a hair before twelve, and mean twelve.",
        ),
        *map(_imprecise, ["11:00:00", "04:59:59", "09:15:31"]),
    ],
    mistakes={
        "A hand whose error takes it a hair before a mark is read as the mark before. What should "
        "be done instead of rounding down?": _each_hand(np.floor),
        "Each hand is rounded to the mark nearest to it. But at 02:44:30 the hour hand is nearer "
        "to 3 than to 2: take away what the faster hands have told, then round.": _each_hand(
            lambda marks: np.round(marks) % _UNITS
        ),
        "You rounded each hand to the mark nearest to it, and a hand just before twelve gives 60 "
        "or 12. Take away what the faster hands have told, round, then take the remainder.": (
            _each_hand(np.round)
        ),
        "All three are read off the hour hand. It is too imprecise for that: an error of 0.01 "
        "moves it by more than a minute.": _from_the_hour_hand,
        "Your angles start at three o'clock and run against the clock. A clock's sine points right "
        "and its cosine up: which of them does `np.arctan2` take first?": (
            lambda numbers: _read_clock(numbers, _counterclockwise)
        ),
        "Your angles start at three o'clock and run against the clock, and you rounded down.": (
            _each_hand(np.floor, turns=_counterclockwise)
        ),
        "A hand on the left half of the dial has a negative angle for `np.arctan2`. What angle is "
        "that, clockwise from twelve?": _each_hand(np.round, turns=_negative_angles),
        "Negative angles, and rounded down: `np.arctan2` gives angles from −π to π.": _each_hand(
            np.floor, turns=_negative_angles
        ),
        "From twelve to one o'clock the hour is 0 in this exercise, as the hours run from 0 to "
        "11.": _twelve_for_zero,
        "A hand that an error takes to the left of twelve is read as 60 or 12, where 0 is meant: a "
        "remainder is missing after the rounding.": _without_last_remainder,
        "The seconds come first. The order wanted is hours, minutes, seconds.": (
            lambda numbers: _read_clock(numbers)[::-1]
        ),
    },
    explain=_explain_reading,
    correct="Each hand has to be right only to half a mark, because the faster hands say the rest.",
)


def _explain_base(base, length, width):
    if base <= 0:
        return ""
    turns = length * base ** (-(width - 2) / width) / (2 * np.pi)
    said = f"With the base {base:.6g} the hand of the last pair makes {turns:.5g} turns. "
    widths = np.arange(4, 1025, 2)
    of_another = widths[np.isclose(base, (length / np.pi) ** (widths / (widths - 2)), rtol=1e-9)]
    if len(of_another):
        return f"{said}Your exponent is that of width {of_another[0]}."
    if float(base).is_integer():
        return f"{said}Half a turn is wanted, exactly: a base need not be whole."
    if abs(turns - 0.5) < 0.01:
        return (
            f"{said}That is near, and half a turn is wanted exactly. If you search in steps, solve "
            "for the base instead."
        )
    return f"{said}Half a turn is wanted."


smallest_base = Exercise(
    "smallest_base",
    task="the base at which the slowest of `width` / 2 hands makes half a turn in `length` "
    "positions",
    reference=lambda length, width: (length / np.pi) ** (width / (width - 2)),
    cases=[(200, 256), (32, 4), (2_000, 64), (131_072, 128), (8_192, 512)],
    case="{length} positions and width {width}",
    mistakes={
        "That would be right if the last exponent were 1. The last pair is `k = d/2 − 1`: what is "
        "its exponent `2k/d`?": lambda length, width: length / np.pi,
        "With this base the slowest hand makes a whole turn. Half a turn is wanted.": (
            lambda length, width: (length / (2 * np.pi)) ** (width / (width - 2))
        ),
        "A whole turn, and with 1 as the last exponent: both the half and the exponent `2k/d` of "
        "the last pair are missing.": lambda length, width: length / (2 * np.pi),
        "With this base the slowest hand makes a quarter of a turn. Half a turn is wanted.": (
            lambda length, width: (2 * length / np.pi) ** (width / (width - 2))
        ),
        "The exponent is upside down: to undo a power (d − 2)/d, which power is needed?": (
            lambda length, width: (length / np.pi) ** ((width - 2) / width)
        ),
        "The last exponent is taken for (d − 1)/d. That counts columns; the last pair begins one "
        "column earlier.": lambda length, width: (length / np.pi) ** (width / (width - 1)),
        "This is the gear ratio, the factor from one hand to the next. The base is a power of it: "
        "which one?": lambda length, width: (length / np.pi) ** (2 / (width - 2)),
        "This is the wavelength of the slowest hand. Which base gives that wavelength?": (
            lambda length, width: 2.0 * length
        ),
        "The slowest hand turns by one radian. Half a turn is π.": (
            lambda length, width: length ** (width / (width - 2))
        ),
        "Half a turn is π here, and not 180: frequencies are in radians.": lambda length, width: (
            (length / 180) ** (width / (width - 2))
        ),
        "Your exponent is a whole number: `//` cuts it off, and `/` does not.": (
            lambda length, width: (length / np.pi) ** (width // (width - 2))
        ),
        "With a base below 1 each hand is faster than the one before it: is the sign of an "
        "exponent lost?": lambda length, width: (np.pi / length) ** (width / (width - 2)),
        "The π has changed sides: the hand's speed times the length is half a turn.": (
            lambda length, width: (length * np.pi) ** (width / (width - 2))
        ),
    },
    explain=_explain_base,
    correct="For a long context the base grows almost in proportion to the length.",
)


def _seconds(number):
    return f"{number:.10g}"


def _judge_lie(moments):
    a, b, c = moments
    if not a < b < c:
        return "The moments should come one after the other: a < b < c."
    if c - a > 3600:
        return (
            f"From a to c it is {_seconds(c - a)} seconds, more than an hour. All three should lie "
            "within one."
        )
    moved = (clock(c) - clock(a)).reshape(3, 2)
    to_b, to_c = np.linalg.norm(clock(b) - clock(a)), np.linalg.norm(moved)
    if to_c < to_b - 1e-9:
        return ""
    said = f"No lie yet: b is {to_b:.3f} away from a, and c is {to_c:.3f} away. "
    if c - a <= 30:
        return (
            f"{said}From a to c it is {_seconds(c - a)} s. For 30 seconds after a every hand only "
            "moves away from where it was at a."
        )
    hands = np.linalg.norm(moved, axis=1)
    return (
        f"{said}At c the {['second', 'minute', 'hour'][hands.argmax()]} hand alone is "
        f"{hands.max():.3f} away. Choose c so that all hands are home, or nearly, and b so that "
        "the second hand is far away."
    )


clock_lie = Exercise(
    "clock_lie",
    task="three moments (a, b, c) in seconds after twelve, a < b < c, all within one hour, such "
    "that the six numbers put c nearer to a than b",
    reference=(0, 30, 60),
    judge=_judge_lie,
    mistakes={},
    correct="The second hand comes home every minute, and the distance falls each time: one hand "
    "alone makes neighbors of far moments.",
)

_HALF_DAY = np.arange(1, 43_200)


def _judge_hands(periods):
    if (periods <= 0).any():
        return "A period is a positive number of seconds."
    apart = distance_at(_HALF_DAY, 2 * np.pi / periods)
    near = np.flatnonzero(apart < 0.15 - 1e-9)
    if not len(near):
        return ""
    moment = _HALF_DAY[near[0]]
    said = (
        f"Moments 0 and {moment} are too near: their encodings are {apart[near[0]]:.4f} apart, and "
        "no two may be nearer than 0.15. "
    )
    if periods.min() <= 1:
        return (
            f"{said}A hand with the period {periods.min():.4g} makes a whole turn or more in "
            "each second: are these periods, and are they in seconds?"
        )
    if moment == 1:
        return f"{said}One second should move the fastest hand further."
    turns = moment / periods
    return f"{said}By then they have made {', '.join(f'{x:.4g}' for x in turns)} turns: " + (
        "one has come home, or nearly, before another has moved far."
        if turns.min() < 0.5
        else "all have come home, or nearly. Their common multiple is too small: is there a factor "
        "that they share?"
    )


three_hands = Exercise(
    "three_hands",
    task="three periods in seconds such that, of the 43 200 seconds of half a day, no two have "
    "encodings nearer than 0.15",
    reference=(40, 1600, 64_000),
    judge=_judge_hands,
    mistakes={
        "That is the clock on the wall. Its nearest moments, one second apart, are at 0.105: which "
        "hand makes nearly all of that step?": CLOCK_PERIODS,
        "These are angular frequencies. The periods are wanted: 2π divided by them.": tuple(
            2 * np.pi / np.array(CLOCK_PERIODS)
        ),
    },
    correct="Three hands in a regular clock, each about 40 times as slow as the one before it: as "
    "regular as the encoding.",
)
