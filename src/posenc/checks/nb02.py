"""The exercises of notebook 2, *The clock*."""

import numpy as np

from posenc.distances import distance_at
from posenc.encodings import clock

from ._exercise import Case, Exercise

_UNITS = np.array([60, 60, 12])
"""Marks on the dial for each hand: seconds, minutes, hours."""


def _turns(numbers):
    """Return how much of a turn each hand has made, from 0 to 1."""
    return np.arctan2(numbers[0::2], numbers[1::2]) / (2 * np.pi) % 1


def _read_clock(numbers):
    second, minute, hour = _UNITS * _turns(numbers)
    seconds = round(second) % 60
    minutes = round(minute - seconds / 60) % 60
    hours = round(hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def _explain_reading(found, right, numbers):
    if np.mod(found, 1).any():
        return "Each is a whole number of marks, of which 12, 60 and 60 make a turn."
    if (found == [12, 60, 60]).any():
        return "A hand that has come to 12 or 60 has come to 0 again."
    if (found < 0).any():
        return "None of the three is negative, as an angle or a difference may be."
    wrong = found != right
    names = " and ".join(np.array(["hours", "minutes", "seconds"])[wrong])
    off = ((found - right) @ [3600, 60, 1] + 21_600) % 43_200 - 21_600
    if abs(off) <= 2:
        return f"It is {off:g} s off. The second hand is nearest to mark {right[2]:g}."
    if np.isin(found - right, [0, -1, 1, 11, -11, 59, -59]).all():
        return (
            f"One off, in the {names}: the nearest mark counts, less what faster hands have told."
        )
    return f"Look at the {names}: which angle, direction and marks, and less what for faster hands?"


def _imprecise(time):
    """Return a case: the six numbers of a time, each with an error of up to 0.01."""
    hours, minutes, seconds = map(int, time.split(":"))
    total = 3600 * hours + 60 * minutes + seconds
    errors = np.random.default_rng(total).uniform(-0.01, 0.01, 6)
    return Case(clock(total) + errors, label=f"{time} with small errors")


_DRAWN = np.random.default_rng(2).choice(43_200, 100, replace=False)
_ANY_TIMES = [f"{t // 3600:02}:{t // 60 % 60:02}:{t % 60:02}" for t in _DRAWN]


read_clock = Exercise(
    "read_clock",
    task="hours (0 to 11), minutes and seconds from the six imprecise `numbers` of the clock",
    reference=_read_clock,
    cases=[
        Case(clock(0), label="00:00:00"),
        *map(_imprecise, ["03:01:00", "02:44:30", "11:59:59", "07:30:01", "00:05:52", "06:00:00"]),
        Case(clock(659) + 0.01, label="00:10:59 with every number too large by 0.01"),
        Case(clock(0) - 0.01, label="00:00:00 with every number too small by 0.01"),
        *map(_imprecise, ["11:00:00", "04:59:59", "09:15:31", "00:10:59", *_ANY_TIMES]),
    ],
    mistakes={
        "Each hand is rounded to its nearest mark. But at 02:44:30 the hour hand is nearer to 3 "
        "than to 2: take away what faster hands have told, then round.": (
            lambda numbers: (np.round(_UNITS * _turns(numbers)) % _UNITS)[::-1]
        ),
        "Your angles start at three o'clock and run against the clock: which comes first, sine or "
        "cosine, in `numbers`, and which in `np.arctan2`?": lambda x: _read_clock(
            x.reshape(3, 2)[:, ::-1].ravel()
        ),
    },
    explain=_explain_reading,
    correct="Each hand has to be right only to half a mark, because the faster hands say the rest.",
)


def _explain_base(base, right, length, width):
    if base <= 0:
        return ""
    turns = length * base ** (-(width - 2) / width) / (2 * np.pi)
    return f"With it the hand of the last pair makes {turns:.5g} turns, and half a turn is wanted."


def _base(half_turn=np.pi, exponent=lambda d: d / (d - 2)):
    """Return the base for which half a turn is so much, and the power of it so much at width d."""
    return lambda length, width: (length / half_turn) ** exponent(width)


smallest_base = Exercise(
    "smallest_base",
    task="the base at which the last hand makes half a turn in `length` positions",
    reference=_base(),
    cases=[(200, 256), (50_000, 4), (4, 6), (131_072, 128)],
    label="{length} positions and width {width}",
    mistakes={
        "The slowest hand makes a whole turn. Half a turn is wanted.": _base(2 * np.pi),
        "The slowest hand makes a quarter of a turn. Half a turn is wanted.": _base(np.pi / 2),
        "Half a turn is π here, and not 180: frequencies are in radians.": _base(180),
        "The last exponent is taken for 1. The last pair is `k = d/2 − 1`, one pair before that: "
        "what is its `2k/d`?": _base(np.pi, lambda d: 1),
        "The exponent is upside down: the base is wanted, and a power (d − 2)/d of it is known. "
        "What undoes a power?": _base(np.pi, lambda d: (d - 2) / d),
        "The last exponent is taken for (d − 1)/d. That counts columns; the last pair begins one "
        "column earlier.": _base(np.pi, lambda d: d / (d - 1)),
        "Your exponent is a whole number, which is hardly ever right: `//` and `int` cut it off, "
        "and `/` does not.": _base(np.pi, lambda d: d // (d - 2)),
    },
    explain=_explain_base,
    correct="For a long context the base grows almost in proportion to the length.",
)


def _judge_lie(moments):
    a, b, c = moments
    if not a < b < c:
        return "The moments should come one after the other: a < b < c."
    if c - a > 3600:
        return f"From a to c it is {c - a:.6g} s. All three should lie within an hour."
    moved = (clock(c) - clock(a)).reshape(3, 2)
    to_b, to_c = np.linalg.norm(clock(b) - clock(a)), np.linalg.norm(moved)
    if to_c < to_b - 1e-9:
        return ""
    said = f"No lie yet: b is {to_b:.3f} away from a, and c is {to_c:.3f} away. "
    if c - a <= 30:
        return f"{said}For 30 seconds after a every hand only moves away from where it was at a."
    hands = np.linalg.norm(moved, axis=1)
    return (
        f"{said}At c the {['second', 'minute', 'hour'][hands.argmax()]} hand alone is "
        f"{hands.max():.3f} away. Choose c so that all are home, or nearly, and b far away."
    )


clock_lie = Exercise(
    "clock_lie",
    task="three moments (a, b, c) within an hour, c nearer to a than b by the six numbers",
    reference=(0, 30, 60),
    judge=_judge_lie,
    correct="The second hand comes home every minute, and the distance falls each time: one hand "
    "alone makes neighbors of far moments.",
)

_HALF_DAY = np.arange(1, 43_200)


def _judge_hands(periods):
    if (periods <= 0).any():
        return "A period is a positive number of seconds."
    apart, least = distance_at(_HALF_DAY, 2 * np.pi / periods), 0.15 - 1e-9
    if apart.min() >= least:
        return ""
    others = (distance_at(_HALF_DAY, 2 * np.pi / (unit * periods)) for unit in (60, 3600))
    if any(distances.min() >= least for distances in others):
        return "In minutes or hours they would do: seconds are wanted."
    near = np.argmax(apart < least)
    moment = _HALF_DAY[near]
    said = f"Moments 0 and {moment} are only {apart[near]:.6g} apart, and should be 0.15 or more. "
    turns = moment / periods
    said += f"By then they have made {', '.join(f'{x:.4g}' for x in turns)} turns: "
    if turns.max() < 0.5:
        return f"{said}none has moved enough, not even the fastest."
    if turns.min() < 0.5:
        return f"{said}one has come home, or nearly, before another has moved far."
    return f"{said}all have come home, or nearly. The slowest need not be, all day."


three_hands = Exercise(
    "three_hands",
    task="three periods for which no two seconds of half a day are nearer than 0.15",
    reference=(40, 1600, 64_000),
    judge=_judge_hands,
    correct="A regular clock does it, with hands of 40, 1600 and 64 000 seconds: as regular as the "
    "encoding.",
)
