"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.encodings import angular_frequencies

from ._exercise import Case, Exercise

_SEEN = np.array([47, 18, 6.8, 2.6, 0.97, 0.37, 0.14, 0.05])  # turns in L positions
_LENGTHS = 6
_WANTED = np.where(_SEEN < 1, _LENGTHS, 1)


def _judge_slow_downs(slow_downs):
    if slow_downs.min() <= 0:
        return "A hand turns by some positive number of times slower; 1 leaves it as it is."
    meets = np.where(_SEEN < 1, slow_downs, np.inf)  # at how many lengths a hand has a new angle
    first = meets.argmin()
    if meets[first] < _LENGTHS * (1 - 1e-9):
        return (
            f"Hand {first} meets its first new angle at {meets[first]:.7g} L, where {_LENGTHS} L "
            f"are wanted: in L it has seen {_SEEN[first]:.2g} of a turn."
        )
    needless = ~np.isclose(slow_downs, _WANTED, rtol=1e-6)
    if needless.any():
        k = needless.argmax()
        return (
            f"No hand meets a new angle. But hand {k}, which made {_SEEN[k]:g} turns, is slowed "
            f"{slow_downs[k]:.7g} times, where {_WANTED[k]} would do."
        )
    return ""


slow_downs = Exercise(
    "slow_downs",
    task="eight numbers: by how many times each hand is to turn slower",
    reference=_WANTED,
    judge=_judge_slow_downs,
    mistakes={
        "Those are the new speeds as parts of the old ones. Give by how many times slower each "
        "hand turns.": 1 / _WANTED,
        "Hands 4 to 7 make at most one turn in the long text now. But hand 5, for one, has seen "
        "0.37 of a turn only: what is beyond is new to it.": (
            np.where(_SEEN < 1, np.maximum(1, _LENGTHS * _SEEN), 1)
        ),
        "The ends are exchanged: those are the hands that went all around.": _LENGTHS + 1 - _WANTED,
        "That is the larger base: it slows the last hand six times, and hands before it less. Of "
        "those that never went all around, hand 4 is the first to meet a new angle.": (
            _LENGTHS ** (np.arange(8) / 7)
        ),
    },
    correct="A hand slowed x times meets a new angle at x lengths, unless it knows them all. Four "
    "of eight hands need help; larger bases slow three of the others besides.",
)


def _power(exponent):
    """Return the rule that multiplies the base by this power of the stretch."""
    return lambda base, width, stretch, hand: base * stretch ** exponent(width, hand)


def _explain_base(found, right, base, width, stretch, hand):
    if found <= 0 or np.isclose(found, right, rtol=0.01):
        return ""
    slowed = (found / base) ** (2 * hand / width)
    return (
        f"With it hand {hand} turns {slowed:.4g} times slower, where {stretch:.4g} times is wanted."
    )


stretched_base = Exercise(
    "stretched_base",
    task="the base with which hand number `hand` turns `stretch` times slower",
    reference=_power(lambda width, hand: width / (2 * hand)),
    cases=[
        (10_000, 128, 8, 63),
        (10_000, 128, 8, 46),
        (10_000, 128, 8, 1),
        (500_000, 128, 2.5, 35),
        (2.5, 8, 1.5, 2),
    ],
    label="base {base}, width {width}, stretch {stretch} and hand {hand}",
    mistakes={
        "That slows a hand number d/2, one after the last.": _power(lambda d, k: 1),
        "That is the page's rule for the last hand. Where in it does the number of the hand come "
        "in?": _power(lambda d, k: d / (d - 2)),
        "The exponent is upside down: it is the power 2k/d that has to be undone, and what undoes "
        "a power?": _power(lambda d, k: 2 * k / d),
        "A hand is a pair, two columns: its exponent is 2k/d.": _power(lambda d, k: d / k),
        "With a smaller base, as this is, the hands turn faster and not slower.": _power(
            lambda d, k: -d / (2 * k)
        ),
        "The exponent is cut to a whole number.": _power(lambda d, k: d // (2 * k)),
        "You take the power of the base. It is only multiplied.": (
            lambda b, d, c, k: (b * c) ** (d / (2 * k))
        ),
    },
    explain=_explain_base,
    correct="For the last hand of 64 and a stretch of 8 it is 82 684.6, as on the page. For hand "
    "46, the first one of Llama 2 that is unfinished, 180 498 covers all eight lengths.",
)


def _turns(frequencies, length):
    """Return what the package's `turns` does, for whatever a student may take for the length."""
    return length * frequencies / (2 * np.pi)


def _share(turns, low, high):
    """Return how far a hand is from `high` to `low` on a logarithmic scale, from 0 to 1."""
    return np.clip(np.log(high / turns) / np.log(high / low), 0, 1)


def _even(turns, low, high):
    return np.clip((high - turns) / (high - low), 0, 1)


def _slowed(share=_share, slowing=np.power, turns=_turns):
    """Return a rule that slows a hand by a function of the stretch and its share of it."""
    return lambda frequencies, length, stretch, low, high: (
        frequencies / slowing(stretch, share(turns(frequencies, length), low, high))
    )


def _join_case(width, base, length, stretch, low, high):
    label = f"width {width}, base {base}, length {length}, stretch {stretch}, {low} to {high} turns"
    return Case(angular_frequencies(width, base=base), length, stretch, low, high, label=label)


def _explain_join(found, right, frequencies, length, stretch, low, high):
    turns, slowed = _turns(frequencies, length), np.abs(frequencies / found)
    k = np.abs(np.log(slowed * right / frequencies)).argmax()
    words = f"turns between {low} and {high} times"
    if turns[k] >= high:
        words = f"turns {high} times or more and should stay as it is"
    elif turns[k] <= low:
        words = f"turns {low} times or less and should be slowed {stretch} times"
    return (
        f"Hand {k} makes {turns[k]:.4g} turns; it {words}. You slow it {slowed[k]:.6g} times, "
        f"where it should be {frequencies[k] / right[k]:.6g}."
    )


slow_the_slow = Exercise(
    "slow_the_slow",
    task="the frequencies with slow hands slowed `stretch` times, fast ones as they were",
    reference=_slowed(),
    cases=[
        _join_case(32, 10_000, 4096, 8, 1, 32),
        _join_case(16, 10_000, 500, 2.5, 0.1, 10),
        Case(np.array([1, 3, 2, 1]), 20, 4, 4, 8, label="frequencies 1, 3, 2, 1 and length 20"),
        Case(np.pi / np.array([1, 2, 4]), 8, 2, 1, 4, label="4, 2 and 1 turns, and ends 1 and 4"),
    ],
    mistakes={
        "This is the page's rule: it mixes frequencies, evenly in turns. Here the slowing itself "
        "falls, by one factor at each doubling.": _slowed(
            _even, slowing=lambda c, part: 1 / (part / c + 1 - part)
        ),
        "The exponent is even in turns. It should be even in their logarithm, one step for each "
        "doubling.": _slowed(_even),
        "The ends are exchanged: you slow the fast hands, which should stay as they are, and leave "
        "the slow ones.": _slowed(slowing=lambda c, part: c ** (1 - part)),
        "Beyond the ends it goes on: fast hands become faster, and the slowest too slow. Clip the "
        "exponent.": _slowed(lambda turns, low, high: np.log(high / turns) / np.log(high / low)),
        "You compare radians with turns. A turn is 2π.": _slowed(turns=lambda w, n: w * n),
    },
    explain=_explain_join,
    correct="Three clocks in one: the old gears, a middle with a larger gear ratio, and the old "
    "gears again.",
)
