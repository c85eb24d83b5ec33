"""The exercises of lab D, *Moments, steps and curves*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal

from ._exercise import Case, Exercise


def _steps(steps, width):
    """Return steps as DiT and Flux write them: all cosines, then all sines."""
    angles = np.outer(steps, angular_frequencies(width))
    return np.hstack([np.cos(angles), np.sin(angles)])


def _paired(*halves):
    """Return a function that puts two halves of a table side by side, in this order."""
    return lambda embedding: (
        embedding.reshape(len(embedding), 2, -1)[:, halves].swapaxes(1, 2).reshape(embedding.shape)
    )


def _explain_columns(found, right, given):
    where = [np.isclose(given, column[:, None]).all(axis=0) for column in found.T]
    if not all(map(np.any, where)):
        lost = [x.any() for x in where].index(False)
        return f"Column {lost} of yours is no column of what was given. Move whole columns."
    c = np.flatnonzero(~np.isclose(found, right).all(axis=0))[0]
    wanted = np.isclose(given, right[:, c : c + 1]).all(axis=0)
    return (
        f"Column {c} of yours is column {where[c].argmax()} of what was given, and should be its "
        f"column {wanted.argmax()}."
    )


to_course = Exercise(
    "to_course",
    task="the same encodings, with sine and cosine of pair k in columns 2k and 2k + 1",
    reference=_paired(1, 0),
    cases=[
        Case(_steps([1.0, 40.0, -3.0], 2), label="a single pair at steps 1, 40 and −3"),
        Case(_steps([315.0, 999.0], 4), label="late steps at width 4"),
        Case(_steps([5.0], 6), label="a single step"),
        Case(_steps([0.0, 1.0], 8), label="steps 0 and 1"),
        Case(_steps([999.0, 3.5, 3.5, 1e5], 6), label="steps in no order"),
    ],
    mistakes={
        "The cosines stand before the sines: pair k is (sine, cosine), and the sines are in the "
        "second half.": _paired(0, 1),
        "You have exchanged the halves. Sine and cosine of a pair should stand side by side, all "
        "the way.": lambda x: np.roll(x, x.shape[1] // 2, axis=1),
        "Row for row the table is built anew, for steps 0, 1, 2 … The steps of this one need not "
        "be those.": lambda x: sinusoidal(*x.shape),
    },
    explain=_explain_columns,
    correct="Now M(φ) turns its pairs. Norms and products were the same before and told nothing.",
)

_DAYTIMES = np.add.outer(24 * np.arange(7), np.linspace(6, 18, 29)).ravel()
_WISHES = {  # hours apart, and between which shares of the largest product it should be
    "Whole weeks apart it should be 1": ([168, 336], 1, 1),
    "One to six days apart it should be 0.3 to 0.95": (24 * np.arange(1, 7), 0.3, 0.95),
    "An hour apart it should be at least 0.5": ([1], 0.5, 1),
    "6 to 18 hours apart, or those and whole days, it should be −0.5 to 0.5": (
        _DAYTIMES,
        -0.5,
        0.5,
    ),
}


def _judge_week(frequencies, pairs):
    for wish, (hours, low, high) in _WISHES.items():
        shares = np.cos(np.outer(hours, frequencies)).mean(axis=1)
        worst = np.abs(shares - (low + high) / 2).argmax()
        if not low - 1e-4 <= shares[worst] <= high + 1e-4:
            said = f"{wish} of the largest. {hours[worst]:g} h apart it is {shares[worst]:.3f}"
            turns = np.abs(168 * frequencies / (2 * np.pi))  # in a week
            if low == 1:
                k = np.abs(turns - turns.round()).argmax()
                return f"{said}: in a week hand {k} makes {turns[k]:.6g} turns."
            if np.mod(hours, 24).any():
                return f"{said}."
            daily = np.isclose(turns / 7, (turns / 7).round()).mean()
            return f"{said}; {daily:.0%} of the hands stand as they did a day before."
    return ""


week_frequencies = Exercise(
    "week_frequencies",
    task="frequencies by which a moment knows the hour and the day of the week",
    reference=lambda pairs: 2 * np.pi / np.resize([168, 24, 12, 8, 6, 4.8, 4, 84], pairs),
    cases=[(24,), (25,), (31,), (300,)],
    label="{pairs} pairs",
    judge=_judge_week,
    correct="Whole turns in a week make it repeat, and most of them are whole in a day as well.",
)
