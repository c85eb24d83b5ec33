"""The exercise of lab C, *Methods, tasks and lengths*."""

import numpy as np
from numpy.random import default_rng

from posenc.attention import softmax

from ._exercise import Exercise
from .nb07 import weights_hint


def _weights(bias, later=-np.inf):
    """Return the weights of scores to which this function of distances and slope is added."""

    def weights(scores, slope):
        back = np.subtract.outer(np.arange(len(scores)), np.arange(len(scores)))
        return softmax(np.where(back < 0, later, scores + bias(back, slope)))

    return weights


repaired_alibi = Exercise(
    "repaired_alibi",
    task="the weights of ALiBi, with later keys hidden and nearer ones preferred",
    reference=_weights(lambda back, slope: -slope * back),
    cases={
        "scores of 0 and slope 0.5": (np.zeros((6, 6)), 0.5),
        "random scores and slope 2": (3 * default_rng(4).normal(size=(12, 12)), 2.0),
        "scores near −10¹⁰": (np.arange(36.0).reshape(6, 6) % 5 - 1e10, 0.5),
        "later scores of 10¹²": (np.where(np.tri(6), np.arange(6.0), 1e12), 0.5),
    },
    slips={
        "It still looks at the beginning: distance raises a score. Which sign lowers it?": (
            _weights(lambda back, slope: slope * back)
        ),
        "The slope makes no difference. What does distance cost?": _weights(lambda back, slope: 0),
        "A finite stand-in such as −10⁹ is above scores of −10¹⁰. What is below all?": (
            _weights(lambda back, slope: -slope * back, later=-1e9)
        ),
    },
    hint=lambda weights, right, scores, slope: weights_hint(weights, np.tri(len(scores)) == 1),
    correct="One sign, and nothing in the shape of the weights had told.",
    evidence=Exercise(
        "favorite",
        task="the key with the largest weight in row 5, before the repair",
        reference=0,
        slips={
            "That's the token itself, the nearest key. Which sign does its distance get?": 5,
        },
        hint="What does row 5 of the weights hold if all scores are equal?",
    ),
)
