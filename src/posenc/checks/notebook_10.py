"""The exercises of notebook 10, *Longer than trained*."""

import numpy as np

from posenc.attention import softmax
from posenc.encodings import angular_frequencies
from posenc.long_context import alibi_bias

from ._exercise import Case, Exercise

reaches = Exercise(
    "reaches",
    task="how many times as long as L a text may be with each of the three programs before some "
    "hand meets a new angle",
    reference=(4, 2.69, 3.36),
    tolerance=0.01,
    mistakes={
        "You look at the last hand. Are there others that never went all around?": (4, 4, 4),
        "You look at the hands that are slowed least. They have been all around: nothing is new "
        "to them.": (4, 1, 1),
        "You look at hand 4. It has made more than one turn.": (4, 2.21, 2.17),
        "Hand 6 is unfinished, and hand 5 is too. Which of them comes to a new angle first?": (
            4,
            3.28,
            4,
        ),
        "You ask for four times the length, as the first program does. What do the others do to "
        "the hands that are unfinished?": (4, 4, 3.36),
        "The other way round: how many times as long the text may be, not which part of it.": (
            1 / 4,
            1 / 2.69,
            1 / 3.36,
        ),
        "That is as if nothing had been slowed. A hand that turns slower stays longer where it has "
        "been.": (1, 1, 1),
        "You take the mean of the unfinished hands. The first one at a new angle decides.": (
            4,
            (2.69 + 3.28 + 4) / 3,
            (3.36 + 4 + 4) / 3,
        ),
        "You take the mean of all hands. Those that have been all around do not count.": (
            4,
            (1 + 1.22 + 1.49 + 1.81 + 2.21 + 2.69 + 3.28 + 4) / 8,
            (3 + 1.14 + 2.17 + 3.36 + 8) / 8,
        ),
    },
    explain=lambda found: (
        "A hand that went all around meets nothing new. One that did not, and is slowed x times, "
        "meets a new angle when the text is x times as long. Which one is the first?"
    ),
    correct="One hand decides: the least slowed of those that never went all around.",
)


def _power(exponent):
    """Return the rule that multiplies the base by this power of the stretch."""
    return lambda base, width, stretch, hand: base * stretch ** exponent(width, hand)


def _explain_base(found, base, width, stretch, hand):
    if found <= 0:
        return ""
    slowed = (found / base) ** (2 * hand / width)
    return (
        f"With the base {found:.6g} hand {hand} turns {slowed:.4g} times slower. "
        f"{stretch:.4g} times is wanted."
    )


stretched_base = Exercise(
    "stretched_base",
    task="the base with which hand number `hand` turns exactly `stretch` times slower than with "
    "`base`",
    reference=_power(lambda width, hand: width / (2 * hand)),
    cases=[
        (10_000, 128, 8, 63),
        (10_000, 128, 8, 46),
        (10_000, 32, 4, 3),
        (500_000, 128, 2.5, 35),
        (100, 12, 3, 2),
    ],
    case="base {base}, width {width}, stretch {stretch} and hand {hand}",
    mistakes={
        "That slows a hand number d/2, which would come after the last one, and all that there "
        "are by less.": _power(lambda width, hand: 1),
        "That is the page's rule for the last hand. Where does the number of the hand come in?": (
            _power(lambda width, hand: width / (width - 2))
        ),
        "The exponent is upside down: to undo the power 2k/d, which power is needed?": _power(
            lambda width, hand: 2 * hand / width
        ),
        "The exponent is that of the gear ratio. How many gears are there up to the hand?": _power(
            lambda width, hand: 2 / (width - 2)
        ),
        "A hand is a pair, two columns: the exponent of its frequency is 2k/d.": _power(
            lambda width, hand: width / hand
        ),
        "Your hand is one too far: the first hand has the number 0.": _power(
            lambda width, hand: width / (2 * (hand + 1))
        ),
        "Your hand is one too early: they are numbered from 0, as the page does.": _power(
            lambda width, hand: width / (2 * (hand - 1))
        ),
        "With a smaller base the hands turn faster. Is the stretch divided by, where it should be "
        "multiplied?": lambda base, width, stretch, hand: base / stretch ** (width / (2 * hand)),
        "You take the power of the base, too. It should only be multiplied.": (
            lambda base, width, stretch, hand: (base * stretch) ** (width / (2 * hand))
        ),
        "That is what the base has to be multiplied by.": (
            lambda base, width, stretch, hand: stretch ** (width / (2 * hand))
        ),
        "`//` cuts the exponent to a whole number, and `/` does not.": _power(
            lambda width, hand: width // (2 * hand)
        ),
        "The base is multiplied by an exponential of the stretch. It is a power of the stretch "
        "that undoes a power.": lambda base, width, stretch, hand: (
            base * np.exp(stretch * width / (2 * hand))
        ),
        "You multiply by the exponent. It stands above the stretch.": (
            lambda base, width, stretch, hand: base * stretch * width / (2 * hand)
        ),
    },
    explain=_explain_base,
    correct="For the last hand of 64 and a stretch of 8 it is 82 684.6, as on the page. For hand "
    "46, the first one of Llama 2 that is unfinished, 180 498 covers all eight lengths.",
)


def _weights(bias):
    """Return the weights of scores to which this function of distances and slope is added."""

    def weights(scores, slope):
        places = np.arange(len(scores))
        distances = places[:, None] - places
        return softmax(np.where(distances < 0, -np.inf, scores + bias(distances, slope)))

    return weights


def _hidden(scores):
    return np.where(np.tri(len(scores)), scores, -np.inf)


def _after_the_softmax(scores, slope):
    bias = np.where(np.tri(len(scores)), alibi_bias(len(scores), slope), 0)
    return softmax(_hidden(scores)) + bias


def _scores(seed, size, scale=1.0):
    return scale * np.random.default_rng([10, seed]).normal(size=(size, size))


repaired_alibi = Exercise(
    "repaired_alibi",
    task="the weights of ALiBi: later keys hidden, and from each score the slope times the "
    "distance taken",
    reference=_weights(lambda distances, slope: -slope * distances),
    cases=[
        Case(np.zeros((6, 6)), 0.5, label="equal scores and slope 0.5"),
        Case(_scores(1, 8), 0.25, label="eight random scores and slope 0.25"),
        Case(_scores(2, 12, 3), 2.0**-8, label="twelve random scores and slope 1/256"),
        Case(_scores(3, 5), 0.0, label="slope 0", hint="Then the distance costs nothing."),
        Case(_scores(4, 7), 1.5, label="seven random scores and slope 1.5"),
        Case(
            np.arange(36).reshape(6, 6) % 5 - 1e12,
            0.5,
            label="scores near minus a million millions",
            hint="A hidden score has to be lower than any other: minus infinity.",
        ),
        Case(
            np.where(np.tri(6), np.arange(6.0), 1e12),
            0.5,
            label="later keys with scores of a million millions",
            hint="A later key is hidden, however high its score is.",
        ),
    ],
    mistakes={
        "It still looks at the beginning: a large distance raises the score.": _weights(
            lambda distances, slope: slope * distances
        ),
        "You square the distance. Each position costs the same.": _weights(
            lambda distances, slope: -slope * distances**2
        ),
        "You take the logarithm of the distance. Each position costs the same, far ones too.": (
            _weights(lambda distances, slope: -slope * np.log1p(np.maximum(distances, 0)))
        ),
        "You change the weights, after the softmax. They do not sum to 1 any more.": (
            _after_the_softmax
        ),
        "The slope counts twice.": _weights(lambda distances, slope: -2 * slope * distances),
        "Later keys are no longer hidden.": lambda scores, slope: softmax(
            scores + alibi_bias(len(scores), slope)
        ),
        "You hide the earlier keys, and leave the later ones.": lambda scores, slope: softmax(
            np.where(np.tri(len(scores)).T, scores + alibi_bias(len(scores), slope), -np.inf)
        ),
        "You multiply the scores by the bias. It is added.": lambda scores, slope: softmax(
            _hidden(scores * alibi_bias(len(scores), slope))
        ),
        "The softmax runs down the columns. Rows belong to queries.": lambda scores, slope: (
            softmax(_hidden(scores + alibi_bias(len(scores), slope)).T).T
        ),
        "These are the scores. Their softmax is missing.": lambda scores, slope: (
            scores + alibi_bias(len(scores), slope)
        ),
        "You divide the distance by the slope.": _weights(
            lambda distances, slope: -distances / (slope or np.inf)
        ),
        "There is no slope left: all distances cost nothing.": _weights(
            lambda distances, slope: 0 * distances
        ),
    },
    correct="One sign, and nothing in the shape of the weights had told.",
    evidence=Exercise(
        "favorite",
        task="the key with the largest weight in row 5, before the repair",
        reference=0,
        mistakes={
            "That is the token itself, the nearest key. Is it what this function prefers?": 5,
            "That is the nearest earlier key. To whom does a large distance do good?": 4,
            "Keys are numbered from 0.": 1,
        },
        explain=lambda key: "Print row 5 of the weights of equal scores.",
    ),
)


def _join(low_turns=1.0, *, slowing=None):
    """Return a rule that slows each hand by a function of its turns, the stretch and the limits."""

    def rule(frequencies, length, stretch, low, high):
        turns = low_turns * length * frequencies / (2 * np.pi)
        with np.errstate(all="ignore"):
            return frequencies / slowing(turns, stretch, low, high)

    return rule


def _share(turns, low, high):
    """Return how far a hand is from `high` to `low` on a logarithmic scale, from 0 to 1."""
    return np.clip(np.log(high / turns) / np.log(high / low), 0, 1)


def _kept(turns, low, high):
    return np.clip((turns - low) / (high - low), 0, 1)


def _joined(turns, stretch, low, high):
    return stretch ** _share(turns, low, high)


def _joining_cases():
    for width, base, length, stretch, low, high in (
        (32, 10_000, 4096, 8, 1, 32),
        (128, 500_000, 8192, 8, 1, 4),
        (16, 10_000, 500, 2.5, 0.1, 10),
        (64, 10_000, 2048, 1, 1, 32),
    ):
        label = f"width {width}, base {base}, length {length}, stretch {stretch}, {low} to {high}"
        yield Case(
            angular_frequencies(width, base=base),
            length,
            stretch,
            low,
            high,
            label=f"{label} turns",
        )


def _explain_join(found, frequencies, length, stretch, low, high):
    turns = length * frequencies / (2 * np.pi)
    if (found <= 0).any():
        return "A frequency is positive, and a slowed one is, too."
    slowed, expected = frequencies / found, _joined(turns, stretch, low, high)
    k = np.abs(np.log(slowed / expected)).argmax()
    words = f"turns between {low} and {high} times"
    if turns[k] >= high:
        words = f"turns {high} times or more and should stay as it is"
    elif turns[k] <= low:
        words = f"turns {low} times or less and should be slowed {stretch} times"
    return (
        f"Hand {k} makes {turns[k]:.4g} turns; it {words}. You slow it {slowed[k]:.4g} times, "
        f"where it should be {expected[k]:.4g}."
    )


slow_the_slow = Exercise(
    "slow_the_slow",
    task="the frequencies with fast hands as they were, slow ones slowed `stretch` times, and "
    "between them a slowing that falls by one factor whenever the turns are doubled",
    reference=_join(slowing=_joined),
    cases=lambda: list(_joining_cases()),
    mistakes={
        "This is the page's rule: it mixes frequencies, evenly in turns. Here the slowing itself "
        "falls, by one factor at each doubling.": _join(
            slowing=lambda turns, c, low, high: (
                1 / ((1 - _kept(turns, low, high)) / c + _kept(turns, low, high))
            )
        ),
        "You mix frequencies, evenly in the logarithm of the turns, as YaRN's program does. It is "
        "the slowing that falls by one factor at each doubling.": _join(
            slowing=lambda turns, c, low, high: (
                1 / (_share(turns, low, high) / c + 1 - _share(turns, low, high))
            )
        ),
        "You mix the wavelengths: the slowing falls by equal amounts. It should fall by equal "
        "factors.": _join(
            slowing=lambda turns, c, low, high: 1 + (c - 1) * _share(turns, low, high)
        ),
        "The exponent is even in turns. It should be even in their logarithm, one step for each "
        "doubling.": _join(slowing=lambda turns, c, low, high: c ** (1 - _kept(turns, low, high))),
        "The ends are exchanged: you slow the fast hands and leave the slow ones.": _join(
            slowing=lambda turns, c, low, high: c ** (1 - _share(turns, low, high))
        ),
        "Beyond the ends it goes on: fast hands become faster, and the slowest are slowed more "
        "than asked. Clip the exponent.": _join(
            slowing=lambda turns, c, low, high: c ** (np.log(high / turns) / np.log(high / low))
        ),
        "You compare radians with turns. A turn is 2π.": _join(2 * np.pi, slowing=_joined),
        "You count half turns. A turn is 2π.": _join(2.0, slowing=_joined),
        "You compare the turns of a single position. In the training a hand turned for `length` "
        "of them.": lambda frequencies, length, stretch, low, high: (
            frequencies / _joined(frequencies / (2 * np.pi), stretch, low, high)
        ),
        "You compare wavelengths with turns. How often does a wavelength go into `length`?": (
            lambda frequencies, length, stretch, low, high: (
                frequencies / _joined(2 * np.pi / frequencies, stretch, low, high)
            )
        ),
        "You multiply where you should divide: the hands become faster.": _join(
            slowing=lambda turns, c, low, high: c ** -_share(turns, low, high)
        ),
        "You slow every hand alike. Fast ones should stay as they are.": _join(
            slowing=lambda turns, c, low, high: c
        ),
        "There is a jump: every hand is slowed either fully or not at all.": _join(
            slowing=lambda turns, c, low, high: np.where(turns <= low, c, 1)
        ),
        "There is a jump at `high`: below it every hand is slowed fully.": _join(
            slowing=lambda turns, c, low, high: np.where(turns < high, c, 1)
        ),
        "That is by how many times each hand is slowed. The new frequencies are wanted.": (
            lambda frequencies, length, stretch, low, high: _joined(
                length * frequencies / (2 * np.pi), stretch, low, high
            )
        ),
    },
    explain=_explain_join,
    nan_hint="The logarithm of 0, or of a negative number, is none.",
    correct="Three clocks in one: the old gears, a middle with a larger gear ratio, and the old "
    "gears again.",
)
