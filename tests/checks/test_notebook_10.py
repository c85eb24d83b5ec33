"""The exercises of notebook 10."""

import math

import numpy as np

from posenc import checks
from posenc.attention import softmax
from posenc.encodings import angular_frequencies
from posenc.long_context import alibi_bias, by_parts, ntk_base

from .exercise_laws import feedback_of, hold, is_right, is_wrong

TURNS = np.array([64, 24, 9.1, 3.4, 1.3, 0.49, 0.18, 0.07])
PROGRAMS = np.array(
    [[4] * 8, [1, 1.22, 1.49, 1.81, 2.21, 2.69, 3.28, 4], [1, 1, 1, 1.14, 2.17, 3.36, 4, 4]]
)


def test_the_table_of_the_exercise_is_that_of_the_three_rules():
    larger = 4 ** (np.arange(8) / 7)
    assert np.allclose(PROGRAMS[1], larger, atol=0.006)
    parts = 1 / by_parts(TURNS * 2 * np.pi / 1000, 1000, 4, 0.25, 4) * TURNS * 2 * np.pi / 1000
    assert np.allclose(PROGRAMS[2], parts, atol=0.006)


def test_reaches():
    hold(
        checks.reaches,
        right=[
            (4, 2.69, 3.36),
            [4.0, 4 ** (5 / 7), 3.36],
            PROGRAMS[:, TURNS < 1].min(axis=1),
            np.array([4, 2.69, 3.36]),
            tuple(min(row[5:]) for row in PROGRAMS.tolist()),
        ],
        wrong=[
            ((4, 4, 4), "the last hand"),
            (PROGRAMS.min(axis=1), "slowed least"),
            (PROGRAMS[:, 4], "more than one turn"),
            (PROGRAMS[:, 6], "hand 5 is too"),
            (1 / PROGRAMS[:, 5], "The other way round"),
            ((1, 1, 1), "as if nothing had been slowed"),
            (PROGRAMS.mean(axis=1), "mean of all hands"),
            (PROGRAMS[:, 5:].mean(axis=1), "mean of the unfinished"),
            ((4, 2.2, 3), "Which one is the first?"),
            ((4, 2.69), "should be"),
            ("4, 2.69, 3.36", "text"),
            (4, "should be"),
        ],
    )


def by_search(base, width, stretch, hand):
    """Halve the logarithm of the base until the hand is right."""
    low, high = math.log(base), math.log(base) + 400
    wanted = math.log(base) * 2 * hand / width + math.log(stretch)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * 2 * hand / width < wanted else (low, middle)
    return math.exp(low)


def by_the_pages_rule(base, width, stretch, hand):
    """Slow the last hand so far that this one is right."""
    return ntk_base(base, width, stretch ** ((width - 2) / (2 * hand)))


def test_stretched_base():
    hold(
        checks.stretched_base,
        right=[
            lambda base, width, stretch, hand: base * stretch ** (width / (2 * hand)),
            lambda b, d, c, k: b * c ** (d / 2 / k),
            lambda b, d, c, k: (b ** (2 * k / d) * c) ** (d / (2 * k)),
            lambda b, d, c, k: math.exp(math.log(b) + math.log(c) * d / (2 * k)),
            lambda b, d, c, k: 1 / (angular_frequencies(d, base=b)[k] / c) ** (d / (2 * k)),
            by_search,
            by_the_pages_rule,
        ],
        wrong=[
            (lambda b, d, c, k: b * c, "number d/2"),
            (lambda b, d, c, k: b * c ** (d / (d - 2)), "rule for the last hand"),
            (lambda b, d, c, k: ntk_base(b, d, c), "rule for the last hand"),
            (lambda b, d, c, k: b * c ** (2 * k / d), "upside down"),
            (lambda b, d, c, k: b * c ** (2 / (d - 2)), "gear ratio"),
            (lambda b, d, c, k: b * c ** (d / k), "two columns"),
            (lambda b, d, c, k: b * c ** (d / (2 * k + 2)), "one too far"),
            (lambda b, d, c, k: b / c ** (d / (2 * k)), "divided by"),
            (lambda b, d, c, k: (b * c) ** (d / (2 * k)), "power of the base"),
            (lambda b, d, c, k: c ** (d / (2 * k)), "multiplied by"),
            (lambda b, d, c, k: b * c ** (d // (2 * k)), "cuts the exponent"),
            (lambda b, d, c, k: b * c * d / (2 * k), "stands above"),
            (lambda b, d, c, k: angular_frequencies(d, base=b)[k] / c, "times slower"),
            (lambda b, d, c, k: -b, "should be"),
        ],
    )


def one_by_one(scores, slope):
    n = len(scores)
    weights = np.zeros((n, n))
    for s in range(n):
        row = [scores[s][t] - slope * (s - t) for t in range(s + 1)]
        row = [math.exp(score - max(row)) for score in row]
        weights[s, : s + 1] = [part / sum(row) for part in row]
    return weights


def favoring_late_keys(scores, slope):
    later = np.triu(np.ones(scores.shape, bool), 1)
    return softmax(np.where(later, -np.inf, scores + slope * np.arange(len(scores))))


def with_the_package(scores, slope):
    hidden = np.triu(np.full(scores.shape, -np.inf), 1)
    return softmax(scores + alibi_bias(len(scores), slope) + hidden)


def as_the_page(bias, stand_in=-np.inf):
    def weights(scores, slope):
        places = np.arange(len(scores))
        distances = places[:, None] - places
        return softmax(np.where(distances < 0, stand_in, scores + bias(distances, slope)))

    return weights


def test_repaired_alibi():
    hold(
        checks.repaired_alibi,
        right=[
            as_the_page(lambda r, m: -m * r),
            as_the_page(lambda r, m: m * -np.abs(r)),
            one_by_one,
            favoring_late_keys,
            with_the_package,
            lambda scores, slope: with_the_package(scores, slope).tolist(),
        ],
        wrong=[
            (as_the_page(lambda r, m: m * r), "still looks at the beginning"),
            (as_the_page(lambda r, m: -m * r * r), "square the distance"),
            (as_the_page(lambda r, m: -m * np.log1p(abs(r))), "logarithm"),
            (as_the_page(lambda r, m: -2 * m * r), "counts twice"),
            (as_the_page(lambda r, m: 0 * r), "no slope left"),
            (lambda s, m: softmax(s + alibi_bias(len(s), m)), "no longer hidden"),
            (lambda s, m: with_the_package(s, 0) + np.tril(alibi_bias(len(s), m)), "after the"),
            (as_the_page(lambda r, m: -m * r, stand_in=-1e9), "minus infinity"),
            (as_the_page(lambda r, m: -m * r, stand_in=0), "numbers differ"),
            (lambda s, m: s + alibi_bias(len(s), m), "softmax is missing"),
            (lambda s, m: with_the_package(s, m)[:, ::-1], "numbers differ"),
            (lambda s, m: np.exp(s) / np.exp(s).sum(), "NaN"),
            (lambda s, m: with_the_package(s, m)[5], "should be"),
        ],
    )


def test_which_key_the_broken_function_prefers():
    right = as_the_page(lambda r, m: -m * r)
    broken = as_the_page(lambda r, m: m * r)
    assert broken(np.zeros((6, 6)), 0.5)[5].argmax() == 0
    is_right(checks.repaired_alibi, right, 0)
    for number, words in ((5, "the token itself"), (4, "nearest earlier"), (1, "from 0")):
        assert words in is_wrong(checks.repaired_alibi, right, number)
    assert feedback_of(checks.repaired_alibi, right).status == "half"
    assert feedback_of(checks.repaired_alibi, broken, 0).status == "wrong"


def hand_by_hand(frequencies, length, stretch, low, high):
    slower = []
    for frequency in frequencies:
        turns = length * frequency / (2 * math.pi)
        if turns >= high:
            slower.append(frequency)
        elif turns <= low:
            slower.append(frequency / stretch)
        else:
            doublings, all_doublings = math.log2(high / turns), math.log2(high / low)
            slower.append(frequency / stretch ** (doublings / all_doublings))
    return slower


def by_interpolating(frequencies, length, stretch, low, high):
    logs = np.log(length * frequencies / (2 * np.pi))
    slowing = np.interp(logs, np.log([low, high]), [np.log(stretch), 0])
    return frequencies * np.exp(-slowing)


def as_a_larger_base_between(frequencies, length, stretch, low, high):
    k, ratio = np.arange(len(frequencies)), frequencies[0] / frequencies[1]
    first, last = (np.log(length / (2 * np.pi * n)) / np.log(ratio) for n in (high, low))
    return frequencies / stretch ** np.clip((k - first) / (last - first), 0, 1)


def logarithm_unclipped(frequencies, length, stretch, low, high):
    turns = length * frequencies / (2 * np.pi)
    return frequencies / stretch ** (np.log(high / turns) / np.log(high / low))


def in_place(frequencies, length, stretch, low, high):
    frequencies[:] = hand_by_hand(frequencies, length, stretch, low, high)
    return frequencies


def joined_by(share):
    def rule(frequencies, length, stretch, low, high):
        turns = length * frequencies / (2 * np.pi)
        return frequencies / stretch ** np.clip(share(turns, low, high), 0, 1)

    return rule


def evenly(turns, low, high):
    return np.log(high / turns) / np.log(high / low)


def test_slow_the_slow():
    hold(
        checks.slow_the_slow,
        right=[
            hand_by_hand,
            by_interpolating,
            as_a_larger_base_between,
            joined_by(evenly),
            joined_by(lambda turns, low, high: 1 - np.log(turns / low) / np.log(high / low)),
            lambda w, n, c, low, high: np.array(hand_by_hand(w, n, c, low, high)),
        ],
        wrong=[
            (by_parts, "mixes frequencies, evenly in turns"),
            (logarithm_unclipped, "Clip the exponent"),
            (joined_by(lambda n, low, high: (high - n) / (high - low)), "even in turns"),
            (joined_by(lambda n, low, high: 1 - evenly(n, low, high)), "ends are exchanged"),
            (joined_by(lambda n, low, high: evenly(2 * np.pi * n, low, high)), "radians"),
            (joined_by(lambda n, low, high: evenly(2 * n, low, high)), "half turns"),
            (joined_by(lambda n, low, high: n < low), "jump"),
            (joined_by(lambda n, low, high: n < high), "jump at `high`"),
            (lambda w, n, c, low, high: w / c, "every hand alike"),
            (lambda w, n, c, low, high: w * (w / joined_by(evenly)(w, n, c, low, high)), "multip"),
            (lambda w, n, c, low, high: hand_by_hand(w, n, c, low, 2 * high), "where it should be"),
            (lambda w, n, c, low, high: hand_by_hand(w, n, c, low / 2, high), "where it should be"),
            (lambda w, *rest: [*w[:-1], w[-1] / 9], "or less and should be slowed"),
            (lambda w, *rest: [w[0] / 99, *w[1:]], "or more and should stay"),
            (lambda w, *rest: -np.array(hand_by_hand(w, *rest)), "A frequency is positive"),
            (in_place, "changes its input"),
            (lambda w, n, c, low, high: w[:3], "should be"),
            (lambda w, n, c, low, high: w, "not for"),
        ],
    )
