"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.encodings import angular_frequencies

from ._exercise import Case, Exercise

reaches = Exercise(
    "reaches",
    task="how many times as long as L a text may be before a hand meets a new angle",
    reference=(4, 2.69, 3.36),
    tolerance=0.01,
    mistakes={
        "You look at the last hand. Are there others that never went all around?": (4, 4, 4),
        "You look at the hands that are slowed least. They have been all around.": (4, 1, 1),
        "You look at hand 4. It has made more than one turn.": (4, 2.21, 2.17),
        "Hand 6 is unfinished, and so is hand 5. Which is the first?": ((4, 3.28, 4)),
        "The other way round: how many times as long the text may be, and not which part of it was "
        "trained.": ((1 / 4, 1 / 2.69, 1 / 3.36)),
        "That is as if nothing had been slowed. A hand that turns slower stays longer where it has "
        "been.": (1, 1, 1),
        "You take the mean of the unfinished hands. The first one decides.": ((4, 3.323, 3.787)),
        "You take the mean of all hands. Those that went all around do not count.": (4, 2.21, 2.21),
    },
    hint="A hand that went all around meets nothing new. One that did not, and is slowed x times, "
    "meets a new angle when the text is x times as long. Which one is the first?",
    correct="One hand decides: the least slowed of those that never went all around.",
)


def _power(exponent):
    """Return the rule that multiplies the base by this power of the stretch."""
    return lambda base, width, stretch, hand: base * stretch ** exponent(width, hand)


def _explain_base(found, right, base, width, stretch, hand):
    if found <= 0:
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
        (10_000, 32, 4, 3),
        (500_000, 128, 2.5, 35),
        (100, 12, 3, 2),
    ],
    label="base {base}, width {width}, stretch {stretch} and hand {hand}",
    mistakes={
        "That slows a hand number d/2, one after the last.": _power(lambda d, k: 1),
        "That is the page's rule for the last hand. Where in it does the number of the hand come "
        "in?": _power(lambda d, k: d / (d - 2)),
        "The exponent is upside down: it is the power 2k/d that has to be undone, and what undoes "
        "a power?": _power(lambda d, k: 2 * k / d),
        "The exponent is that of the gear ratio, from one hand to the next. How many gears are "
        "there up to the hand?": _power(lambda d, k: 2 / (d - 2)),
        "A hand is a pair, two columns: its exponent is 2k/d.": _power(lambda d, k: d / k),
        "With a smaller base the hands turn faster. Is the stretch divided by, where it should be "
        "multiplied?": _power(lambda d, k: -d / (2 * k)),
        "`//` cuts the exponent to a whole number.": _power(lambda d, k: d // (2 * k)),
        "You take the power of the base. It is only multiplied.": (
            lambda b, d, c, k: (b * c) ** (d / (2 * k))
        ),
        "You multiply by the exponent. It stands above the stretch.": (
            lambda b, d, c, k: b * c * d / (2 * k)
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
        f"Hand {k} makes {turns[k]:.4g} turns; it {words}. You slow it {slowed[k]:.4g} times, "
        f"where it should be {frequencies[k] / right[k]:.4g}."
    )


slow_the_slow = Exercise(
    "slow_the_slow",
    task="the frequencies with slow hands slowed `stretch` times, fast ones as they were",
    reference=_slowed(),
    cases=[
        _join_case(32, 10_000, 4096, 8, 1, 32),
        _join_case(128, 500_000, 8192, 8, 1, 4),
        _join_case(16, 10_000, 500, 2.5, 0.1, 10),
        _join_case(64, 10_000, 2048, 1, 1, 32),
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
        "You multiply where you should divide: the hands become faster, and the slowest of them "
        "most of all.": _slowed(slowing=lambda c, part: c**-part),
        "You slow every hand alike. Fast ones should stay as they are, from `high` turns on: clip "
        "the exponent.": _slowed(slowing=lambda c, part: c),
        "There is a jump: every hand is slowed either fully or not at all, and none of them in "
        "part.": _slowed(lambda n, low, high: n <= low),
    },
    explain=_explain_join,
    hint="The logarithm of 0, or of a negative number, is none.",
    correct="Three clocks in one: the old gears, a middle with a larger gear ratio, and the old "
    "gears again.",
)
