"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from ._exercise import Exercise

_DAYTIMES = np.add.outer(24 * np.arange(7), np.linspace(6, 18, 121)).ravel()
_WISHES = {  # hours apart, and between which shares of the largest product it should be
    "Whole weeks apart it should be 1": ([168, 336], 1, 1),
    "One to six days apart it should be 0.3 to 0.95": (24 * np.arange(1, 7), 0.3, 0.95),
    "An hour apart it should be at least 0.5": ([1], 0.5, 1),
    "6 to 18 hours apart, or those and days, it should be −0.5 to 0.5": (_DAYTIMES, -0.5, 0.5),
}


def _judge_week(frequencies, pairs):
    turns = abs(168 * frequencies / (2 * np.pi))  # in a week
    for wish, (hours, low, high) in _WISHES.items():
        shares = np.cos(np.outer(hours, frequencies)).mean(axis=1)
        worst = abs(shares - (low + high) / 2).round(9).argmax()  # the first of equal ones
        if not low - 1e-4 <= shares[worst] <= high + 1e-4:
            words = f"{wish} of the largest. {hours[worst]:g} h apart it's {shares[worst]:.3f}."
            if low == 1:
                k = abs(turns - turns.round()).round(9).argmax()
                return f"{words} In a week hand {k} makes {turns[k]:.6g} turns."
            daily = np.isclose(turns / 7, (turns / 7).round()).mean()
            return f"{words} {daily:.0%} of the hands make whole turns in a day."
    return ""


week_frequencies = Exercise(
    "week_frequencies",
    task="frequencies by which a moment knows the hour and the day of the week",
    reference=lambda pairs: 2 * np.pi / np.resize([168, 24, 12, 8, 6, 4.8, 4, 84], pairs),
    cases={f"{pairs} pairs": (pairs,) for pairs in (24, 25, 26, 27, 31, 50, 300)},
    judge=_judge_week,
    correct="Whole turns in a week make it repeat, and most of them are whole in a day as well.",
)
