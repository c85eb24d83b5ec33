"""The exercises of notebook 2, *The clock*."""

import numpy as np

from posenc.distances import distance_at
from posenc.encodings import clock

from ._exercise import Exercise

_UNITS = np.array([60, 60, 12])  # marks on the dials of seconds, minutes and hours


def _marks(numbers):
    """Return where the hands stand: seconds, minutes and hours, with fractions."""
    return np.arctan2(numbers[0::2], numbers[1::2]) / (2 * np.pi) % 1 * _UNITS


def _read_clock(numbers):
    second, minute, hour = _marks(numbers)
    seconds = round(second) % 60
    minutes = round(minute - seconds / 60) % 60
    hours = round(hour - minutes / 60 - seconds / 3600) % 12
    return [hours, minutes, seconds]


def _hint_hands(result, right, numbers):
    hours, minutes, seconds = result
    if (result < 0).any() or (result >= [12, 60, 60]).any():
        return "Hours run from 0 to 11, minutes and seconds from 0 to 59."
    at_your_time = seconds, minutes + seconds / 60, hours + minutes / 60 + seconds / 3600
    words = "the hour hand at {2:.2f}, the minute hand at {1:.2f}, the second hand at {0:.2f}"
    seen, wanted = words.format(*_marks(numbers)), words.format(*at_your_time)
    return f"Through the dust you see {seen}. Your time would put {wanted}."


_DUST = {"small errors": np.random.default_rng(2).uniform(-0.01, 0.01, 6)}
_DUST |= {"every number 0.01 too small": -0.01, "every number 0.01 too large": 0.01}

read_clock = Exercise(
    "read_clock",
    task="hours (0 to 11), minutes and seconds from the six imprecise `numbers` of the clock",
    reference=_read_clock,
    cases={
        f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02} with {words}": (clock(s) + error,)
        for words, error in _DUST.items()
        for s in [0, 10_860, 9870, 43_199, 21_600, 32_459, 22_200, 352]
    },
    slips={
        "Each hand is rounded to its nearest mark. But at 02:44:30 the hour hand is nearer to 3 "
        "than to 2: what do the faster hands tell of it?": lambda numbers: (
            np.round(_marks(numbers)) % _UNITS
        )[::-1],
        "Each hand is rounded down. What becomes of one that noise puts just before its mark?": (
            lambda numbers: np.floor(_marks(numbers))[::-1]
        ),
        "Your angles start at three o'clock and run against the clock. Which comes first, sine or "
        "cosine, in `numbers`, and which in `np.arctan2`?": lambda numbers: _read_clock(
            numbers.reshape(3, 2)[:, ::-1].ravel()
        ),
    },
    hint=_hint_hands,
    tolerance=1e-9,
    correct="Each hand has to be right only to half a mark, because the faster hands say the rest.",
)


def _judge_lie(moments):
    a, b, c = moments
    if not 0 <= a < b < c <= a + 3600:
        return f"It should be 0 ≤ a < b < c ≤ a + 3600. Yours are {a:g}, {b:g} and {c:g}."
    to_b, to_c = np.linalg.norm(clock([b, c]) - clock(a), axis=1)
    if to_c < to_b - 1e-9:
        return ""
    return (
        f"b is {to_b:.4g} away from a, and c is {to_c:.4g}. Which hand comes home first, and when?"
    )


clock_lie = Exercise(
    "clock_lie",
    task="three moments (a, b, c) within an hour, c nearer to a than b by the six numbers",
    reference=(0, 30, 60),
    judge=_judge_lie,
    correct="The second hand is home again every minute: near in numbers isn't near in time.",
)


def _judge_hands(periods):
    if (periods <= 0).any():
        return "A period is a positive number of seconds."
    apart = distance_at(np.arange(43_200), 2 * np.pi / periods)
    for near in np.flatnonzero(apart < 0.15 - 1e-9)[1:]:
        turns = "{:.4g}, {:.4g} and {:.4g} turns".format(*near / periods)
        how = f"are only {apart[near]:.4g} apart" if apart[near] > 1e-9 else "coincide"
        said = f"Moments 0 and {near} {how}. By then the hands have made {turns}."
        return f"{said} Which of them could be far from home there?"
    return ""


three_hands = Exercise(
    "three_hands",
    task="three periods for which no two seconds of half a day are nearer than 0.15",
    reference=(40, 1600, 64_000),
    judge=_judge_hands,
    correct="A regular clock does it: 40, 40² and 40³ seconds. So the encoding is regular, too.",
)
