"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts

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


def _power(exponent):
    """Return the rule that multiplies the base by this power of the stretch."""
    return lambda base, width, stretch, hand: base * stretch ** exponent(width, hand)


stretched_base = Exercise(
    "stretched_base",
    task="the base with which hand number `hand` turns `stretch` times slower",
    reference=_power(lambda width, hand: width / (2 * hand)),
    cases={
        f"base {b}, width {d}, stretch {c} and hand {k}": (b, d, c, k)
        for b, d, c, k in [
            (10_000, 128, 8, 63),
            (10_000, 128, 8, 1),
            (10_000, 256, 5000, 90),
            (2.5, 8, 1.5, 2),
        ]
    },
    slips={
        "That slows a hand number d/2, one after the last.": _power(lambda d, k: 1),
        "That's the page's rule for the last hand. Where in it does the number of the hand come "
        "in?": _power(lambda d, k: d / (d - 2)),
        "The exponent is upside down. What undoes the power 2k/d?": _power(lambda d, k: 2 * k / d),
    },
    tolerance=1e-9,
    hint="The frequency of hand k is base^(−2k/d). Which base makes it `stretch` times smaller?",
    correct="For hand 46, the first one of Llama 2 that's unfinished, and stretch 8 it's 180 498.",
)


def _slowings(frequencies, length, stretch, low, high):
    """Return by how many times each hand is slowed."""
    share = np.log(2 * np.pi * high / (length * frequencies)) / np.log(high / low)
    return stretch ** np.clip(share, 0, 1)


def _hint_join(result, right, frequencies, length, stretch, low, high):
    k = np.argmax(~np.isclose(result, right, 1e-9, 1e-9))
    old, new, turns = frequencies[k], result[k], f"{length * frequencies[k] / (2 * np.pi):.4g}"
    if np.isclose(new, old, 1e-9, 0):
        yours = "You leave this hand as it is"
    else:
        yours = f"You change its frequency from {old:.6g} to {new:.6g}"
    wanted = "stay as it is" if right[k] == old else f"turn {old / right[k]:.6g} times slower"
    return (
        f"Hand {k} makes {turns} turn{'s' * (turns != '1')}, where `low` is {low} and `high` is "
        f"{high}. {yours}; it should {wanted}."
    )


slow_the_slow = Exercise(
    "slow_the_slow",
    task="the frequencies with slow hands slowed `stretch` times, fast ones as they were",
    reference=lambda frequencies, *given: frequencies / _slowings(frequencies, *given),
    cases={
        f"{len(w)} hands, length {n}, stretch {c}, {low} to {high} turns": (w, n, c, low, high)
        for w, n, c, low, high in [
            (angular_frequencies(32), 4096, 8, 1, 32),
            (angular_frequencies(128, base=500_000), 8192, 40, 1, 4),
            (angular_frequencies(64), 100, 4, 0.005, 0.5),
            (np.pi / np.array([1, 2, 4]), 8, 2, 1, 4),  # 4, 2 and 1 turns
            (np.array([1.0, 3, 2, 1]), 20, 4, 4, 8),
        ]
    },
    tolerance=1e-9,  # the slowest frequencies are below 1e-6
    slips={
        "This is the page's rule: it mixes frequencies, evenly in turns. Here the slowing itself "
        "falls, by one factor at each doubling.": by_parts,
        "The ends are exchanged: fast hands are slowed, which should stay as they are, and slow "
        "ones aren't.": lambda w, n, stretch, *ends: w * _slowings(w, n, stretch, *ends) / stretch,
        "That's by how many times each hand is slowed. Which frequencies do they have then?": (
            _slowings
        ),
    },
    hint=_hint_join,
    correct="Three clocks in one: the old gears, larger gear ratios, and the old gears again.",
)
