"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts, unfinished

from ._exercise import Exercise

_SEEN = np.array([47, 18, 6.8, 2.6, 0.97, 0.37, 0.14, 0.05])  # turns in L positions
_SLOW_DOWNS = np.where(_SEEN < 1, 6, 1)


def _hint_slow_downs(slow_downs, right):
    k = np.argmax(~np.isclose(slow_downs, right))
    if right[k] == 1:
        return f"Hand {k} made {_SEEN[k]:g} turns in L. Which angles can be new to it?"
    return (
        f"Hand {k} has seen {_SEEN[k]:g} of a turn, and meets its first new angle after "
        f"{max(slow_downs[k], 0):.4g} L. After how many L should it?"
    )


slow_downs = Exercise(
    "slow_downs",
    task="eight numbers: by how many times each hand is to turn slower",
    reference=_SLOW_DOWNS,
    slips={
        "Those are the new speeds as parts of the old ones. By how many times slower does each "
        "hand turn?": 1 / _SLOW_DOWNS,
        "Hands 4 to 7 make at most one turn now. But hand 5, for one, has seen 0.37 of a turn "
        "only: what's beyond is new to it.": np.where(_SEEN < 1, np.maximum(1, 6 * _SEEN), 1),
    },
    hint=_hint_slow_downs,
    correct="A hand slowed x times meets a new angle at x lengths, unless it knows them all.",
)


def _factor(times, frequencies, context_length, shift=0, beyond=0):
    """Return the scaling factor for the first unfinished hand, or one beside it."""
    k = np.argmax(unfinished(frequencies, context_length)) + shift
    return times ** ((len(frequencies) - 1 + beyond) / k)


factor_for = Exercise(
    "factor_for",
    task="the scaling factor to ask a larger base for",
    reference=_factor,
    cases={
        f"{times} times {length} and base {base:,}": (
            times,
            angular_frequencies(width, base=base),
            length,
        )
        for times, width, base, length in [
            (8, 128, 10_000, 4096),
            (2, 128, 10_000, 2048),
            (16, 128, 500_000, 8192),
            (1.5, 32, 10_000, 32),
        ]
    },
    slips={
        "That slows the last hand as much as you want, and the first unfinished one less.": (
            lambda times, *rest: times
        ),
        "That's how far you'd get if you asked for `times`. What do you ask for, to get it?": (
            lambda times, *rest: times ** (1 / np.log2(_factor(2, *rest)))
        ),
        "That would be right for the last hand that did finish a turn.": (
            lambda *given: _factor(*given, shift=-1)
        ),
        "That would be right if you counted hands from 1. The first is hand 0.": (
            lambda *given: _factor(*given, shift=1)
        ),
        "Hand k is slowed by c^(k / (d/2 − 1)), because hand d/2 − 1 is the last.": (
            lambda *given: _factor(*given, beyond=1)
        ),
    },
    tolerance=1e-9,
    hint="Which hand is the first at a new angle, and by how much does c slow it?",
    correct="To double Llama 2's length, it says 2.58. On August 2, 2023, EyeDeck advised 2.4 or "
    "2.6.",
)

TORN = 2  # a hand is slowed by at most so many times as much as the one before it
KEPT = 0.95  # of a score's height


def _judge_rule(result, frequencies, context_length, c):
    if not (result > 0).all():
        return "A speed that isn't above 0 is no hand of a clock."
    slower = frequencies / result
    short = unfinished(frequencies, context_length) & (slower < c * (1 - 1e-9))
    if short.any():
        k = np.flatnonzero(short)[slower[short].argmin()]
        return (
            f"Hand {k} is {slower[k]:.3g} times slower, and so it's at a new angle from "
            f"{slower[k] * context_length:,.0f} tokens on. How slow must it be for {c} times as "
            "many as in training?"
        )
    offsets = np.arange(c * context_length)
    for back in 3, 300:
        scores = _scores(result, frequencies, back, offsets)
        if scores.argmax() != back or scores[back] < KEPT:
            return (
                f"The head that looked {back} back scores {scores[back]:.2f} there, and is highest "
                f"at {scores.argmax():,}, with {scores.max():.2f}. Which hands did it need as they "
                "were?"
            )
    steps = slower[1:] / slower[:-1]
    if steps.max() > TORN:
        k = steps.argmax()
        return (
            f"Between hands {k} and {k + 1}, which are {slower[k]:.3g} and {slower[k + 1]:.3g} "
            "times slower, the clock is torn. Where could the step be spread over more hands?"
        )
    return ""


def _scores(frequencies, learned, back, offsets):
    """Return the mean of equally strong hands that agreed `back` back at their learned speeds."""
    return sum(np.cos(w * offsets - v * back) for w, v in zip(frequencies, learned)) / len(learned)


my_rule = Exercise(
    "my_rule",
    task="new frequencies, from `frequencies`, `context_length` and `c`",
    reference=lambda frequencies, length, c: by_parts(frequencies, length, c, low=1, high=4),
    cases={
        "Llama 2 and c = 8": (angular_frequencies(128), 4096, 8),
        "base 500,000, length 8192 and c = 4": (
            angular_frequencies(128, base=500_000),
            8192,
            4,
        ),
    },
    slips={
        "That's interpolation. Did the head that looks 3 back need it?": (
            lambda frequencies, length, c: frequencies / c
        ),
    },
    judge=_judge_rule,
    correct="By this page's tests your rule is as good as `llama3`. Lab C has harder ones.",
)
