"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.layouts import to_pairs

from ._exercise import Exercise


def _steps(steps, width):
    """Return steps as DiT and Flux write them: all cosines, then all sines."""
    angles = np.outer(steps, angular_frequencies(width))
    return np.hstack([np.cos(angles), np.sin(angles)])


def _hint_columns(result, right, embedding):
    c = np.argmax(~np.isclose(result, right).all(axis=0))
    given = np.flatnonzero(np.isclose(embedding, result[:, [c]]).all(axis=0))
    where = f"column {given[0]}" if len(given) else "no column"
    return f"Column {c} of yours is {where} of what was given. Which one should it be?"


to_course = Exercise(
    "to_course",
    task="the same encodings, with sine and cosine of pair k in columns 2k and 2k + 1",
    reference=lambda embedding: to_pairs(np.roll(embedding.T, len(embedding.T) // 2, axis=0), 1).T,
    cases={
        "a single pair at steps 1, 40 and −3": (_steps([1.0, 40, -3], 2),),
        "late steps at width 4": (_steps([315.0, 999], 4),),
        "a single step": (_steps([5.0], 6),),
        "steps in no order": (_steps([999, 3.5, 3.5, 1e5, -70], 10),),
    },
    slips={
        "Your cosines stand first. Where were the sines?": lambda table: to_pairs(table.T, 1).T,
    },
    hint=_hint_columns,
    correct="Now M(φ) turns its pairs. Norms and products were the same before and told nothing.",
)

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
