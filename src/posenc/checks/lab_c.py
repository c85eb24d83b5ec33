"""The exercise of lab C, *Ways, tasks and lengths*."""

import numpy as np

from posenc.attention import softmax

from ._exercise import Case, Exercise
from .nb07 import explain_weights


def _back(scores):
    """Return how far back each key stands from each query."""
    return np.subtract.outer(np.arange(len(scores)), np.arange(len(scores)))


def _weights(bias):
    """Return the weights of scores to which this function of distances and slope is added."""
    return lambda s, m: softmax(np.where(_back(s) < 0, -np.inf, s + bias(_back(s), m)))


def _scores(seed, size, scale=1.0):
    return scale * np.random.default_rng([10, seed]).normal(size=(size, size))


def _explain_weights(weights, right, scores, slope):
    return explain_weights(weights, right, scores, np.tri(len(scores), dtype=bool))


repaired_alibi = Exercise(
    "repaired_alibi",
    task="the weights of ALiBi, with later keys hidden and nearer ones preferred",
    reference=_weights(lambda r, m: -m * r),
    cases=[
        Case(np.zeros((6, 6), int), 0.5, label="equal scores and slope 0.5"),
        Case(
            _scores(1, 8) - 800 * np.arange(8)[:, None],
            0.25,
            label="rows of scores, each 800 below the one before",
            hint="Here each row lies 800 below the one before.",
        ),
        Case(_scores(2, 12, 3), 2.0**-8, label="twelve random scores and slope 1/256"),
        Case(_scores(3, 5), 0.0, label="slope 0", hint="Then the distance costs nothing."),
        Case(_scores(4, 7), 1.5, label="seven random scores and slope 1.5"),
        Case(
            np.arange(36).reshape(6, 6) % 5 - 1e12,
            0.5,
            label="scores near minus a million millions",
            hint="Hide with minus infinity, and subtract each row's largest score first.",
        ),
        Case(
            np.where(np.tri(6), np.arange(6.0), 1e12),
            0.5,
            label="later keys with scores of a million millions",
            hint="A later key is hidden, however high its score is.",
        ),
    ],
    mistakes={
        "It still looks at the beginning: distance raises a score.": _weights(lambda r, m: m * r),
        "You square it. Each position costs the same.": _weights(lambda r, m: -m * r**2),
    },
    explain=_explain_weights,
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
        hint="Print row 5 of the weights of equal scores.",
    ),
)
