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
    return lambda scores, slope: softmax(
        np.where(_back(scores) < 0, -np.inf, scores + bias(_back(scores), slope))
    )


def _scores(seed, size):
    return np.random.default_rng([10, seed]).normal(size=(size, size))


def _explain_weights(weights, right, scores, slope):
    lowered = "their scores, each less slope times distance,"
    return explain_weights(weights, right, scores, np.tri(len(scores), dtype=bool), lowered)


repaired_alibi = Exercise(
    "repaired_alibi",
    task="the weights of ALiBi, with later keys hidden and nearer ones preferred",
    reference=_weights(lambda r, m: -m * r),
    cases=[
        Case(np.zeros((6, 6), int), 0.5, label="scores of 0 and slope 0.5"),
        Case(_scores(3, 5), 0.25, label="random scores and slope 0.25"),
        Case(_scores(1, 8) - 800 * np.arange(8)[:, None], 0.25, label="rows 800 apart"),
        Case(_scores(3, 5), 0.0, label="slope 0"),
        Case(np.arange(36).reshape(6, 6) % 5 - 1e10, 0.5, label="scores near −10¹⁰"),
        Case(np.where(np.tri(6), np.arange(6.0), 1e12), 0.5, label="later scores of 10¹²"),
    ],
    mistakes={
        "It still looks at the beginning: distance raises a score.": _weights(lambda r, m: m * r)
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
            "That is the second key: they are numbered from 0.": 1,
        },
        hint="Print row 5 of the weights of equal scores.",
    ),
)
