"""The exercises of notebook 9, *From adding to turning*."""

import numpy as np

from posenc.encodings import angular_frequencies, encode
from posenc.rotary import apply_rotary

from ._exercise import Exercise
from .nb04 import shift_by_factors, turn_hint


def _curve(query, key, frequencies, offsets):
    hands = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])
    speeds = np.pad(frequencies, (0, len(hands) - len(frequencies)))
    return (np.exp(-1j * np.outer(offsets, speeds)) @ hands).real


def _normal(seed, *shape):
    return np.random.default_rng([9, seed]).normal(size=shape)


def _judge_curve(scores, *given):
    right = _curve(*given)
    for i in np.flatnonzero(~np.isclose(scores, right, 1e-5, 1e-5)):
        return (
            f"At offset {given[-1][i]:.9g} your score is {scores[i]:.6g}, where {right[i]:.6g} "
            "should be. What does each pair add there, turned or not?"
        )
    return ""


score_curve = Exercise(
    "score_curve",
    task="the scores of `query` and `key` at each of `offsets`, with the first pairs turned",
    reference=_curve,
    cases={
        f"{n} of {width // 2} pairs turning": (
            *_normal(n, 2, width),
            angular_frequencies(width)[:n],
            np.array(offsets),
        )
        for width, n, offsets in [
            (8, 4, [0, 1, 2.5, 7, -3, 100]),
            (4, 1, [0, 1, 2, 3]),
            (12, 2, [0, 5, 30, 987_654.3]),
        ]
    }
    | {"a query of integers": (np.array([0, 1]), np.array([2, 3]), np.array([0.5]), np.arange(3))},
    judge=_judge_curve,
    slips={
        "Your scores are the same before and after. Which part of the score has a sine?": (
            lambda q, x, w, r: (_curve(q, x, w, r) + _curve(q, x, w, -r)) / 2
        ),
        "The pairs that stand still are missing. What do they add at every offset?": (
            lambda q, x, w, r: _curve(q[: 2 * len(w)], x[: 2 * len(w)], w, r)
        ),
        "Your scores are too small by the factor √d. Where do you divide by it?": (
            lambda q, *rest: _curve(q, *rest) / len(q) ** 0.5
        ),
    },
    correct="A pair that stands still adds the same at every offset. It can carry a meaning.",
)


def _printed(vectors, frequencies, positions):
    shift = shift_by_factors(in_place=True)
    return np.vstack([shift(row[None], frequencies, t) for row, t in zip(vectors, positions)])


repaired_turn = Exercise(
    "repaired_turn",
    task="the rows of `vectors`, each turned by its entry of `positions`",
    reference=lambda vectors, w, positions: apply_rotary(vectors, w, positions=positions),
    cases={
        "position 0": (_normal(2, 1, 4), angular_frequencies(4), np.array([0])),
        "whole numbers": (np.arange(6).reshape(3, 2), np.array([0.5]), np.array([0, 3, 6])),
        "a quarter turn of (3, 1)": (np.array([[3.0, 1]]), np.array([np.pi / 2]), np.array([1])),
        "width 8": (_normal(3, 4, 8), angular_frequencies(8), np.array([70, 3, 3, 100_001])),
        "base 50": (_normal(4, 2, 6), angular_frequencies(6, base=50), np.array([-2, 4.5])),
    },
    slips={
        "The cosines come out as if they were made of the new sines, and not of the old ones. What "
        "do the last two lines read?": _printed,
        "The rows are turned as if they stood at 0, 1, 2 and so on. Which positions are given?": (
            lambda vectors, w, positions: apply_rotary(vectors, w)
        ),
        "The rows turn the other way. Which sine takes the minus sign?": (
            lambda vectors, w, positions: apply_rotary(vectors, -w, positions=positions)
        ),
    },
    hint=turn_hint,
    correct="A test at position 0 sees nothing: there every sine is 0. One of lengths would have.",
    evidence=Exercise(
        "made_long",
        task="how long the function that was given makes the pair (0, 1) by a quarter turn",
        reference=np.sqrt(2),
        tolerance=6e-3,
        slips={
            "That's how long a turn would leave it. What does the last line make of the cosine?": 1,
            "That's the square of the length. How long is it?": 2,
        },
        hint="Where the cosine is 0 and the sine is 1, what does each line make of (0, 1)?",
    ),
)


def _judge_two(rows, frequencies, near, far):
    scores = _curve(*rows, frequencies, np.arange(201))
    rounding = 1e-9 * np.abs(scores).max()
    if np.ptp(scores) <= rounding:
        return "The scores are the same at every offset. What makes a score depend on it?"
    scores = (scores / rounding).round() * rounding  # equal ones don't differ by their rounding
    a, b, top, others = scores[near], scores[far], scores.argmax(), np.delete(scores, [near, far])
    if min(a, b) > others.max() and abs(a - b) <= 0.01 * max(abs(a), abs(b)):
        return ""
    if near and top == near + far:
        return f"The largest score stands at {near} + {far}. What joins scores, and not offsets?"
    if near and abs(top - (near + far) / 2) <= 0.5:
        return "There's one hill, in the middle of both places. How do you get two?"
    return (
        f"The score is {a:.4g} at {near}, {b:.4g} at {far}, and up to {others.max():.4g} "
        "elsewhere. What raises the scores of both places alike?"
    )


def _two_places(frequencies, near, far):
    query, near, far = encode([0, near, far], frequencies)
    return np.array([query, near + far])


two_places = Exercise(
    "two_places",
    task="a query and a key for all tokens, whose scores are largest `near` and `far` back",
    reference=_two_places,
    cases={
        f"{near} and {far} back (width {d}, base {b})": (angular_frequencies(d, base=b), near, far)
        for near, far, d, b in [(12, 120, 320, 10_000), (0, 20, 320, 500), (3, 200, 512, 700)]
    },
    judge=_judge_two,
    slips={
        "It looks ahead: the key of either place is turned forwards. Which way is the key "
        "moved?": lambda w, near, far: _two_places(w, -near, -far),
        "It finds the near place alone. A score is linear in the key: how do you add another?": (
            lambda w, near, far: encode([0, near], w)
        ),
    },
    correct="A score is linear in the key, and in the query: a third place can be added, too.",
)
