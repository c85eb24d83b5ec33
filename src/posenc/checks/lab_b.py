"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.blocks import rotations
from posenc.encodings import angular_frequencies
from posenc.shifts import rotation
from posenc.trained import load_heads

from ._exercise import Exercise

_PAIR = 1
_BLOCK = (slice(2 * _PAIR, 2 * _PAIR + 2),) * 2
_FREQUENCIES = angular_frequencies(32)


def damaged_matrix():
    """Return the matrix of a head trained on windows, one of whose hands has been turned further.

    Returns
    -------
    ndarray, shape (32, 32)
    """
    parameters = load_heads("three back", "windows")[0]
    W = parameters["query"] @ parameters["key"].T
    W[_BLOCK] @= rotation(_FREQUENCIES[_PAIR], 5)
    return W


def _turned(radians):
    """Return the damaged matrix with its hand turned further."""
    W = damaged_matrix()
    W[_BLOCK] @= rotation(1, radians)
    return W


def _turns(W):
    """Return by how many positions each hand turns: of all that its angle may mean, the least."""
    return np.angle(rotations(W)) / _FREQUENCIES


def _missing():
    return 3 - _turns(damaged_matrix())[_PAIR]


def _about(pair):
    """Say how far and how strongly a hand turns in the damaged matrix."""
    W = damaged_matrix()
    strengths = abs(rotations(W))
    return (
        f"In `damaged`, hand {pair} turns by {_turns(W)[pair]:.2f} positions with a strength of "
        f"{strengths[pair]:.2f}. The strongest has {strengths.max():.1f}."
    )


def _judge_head(W):
    damaged = damaged_matrix()
    changed = np.argwhere(np.abs(W - damaged) > 1e-6)
    outside = [tuple(place) for place in changed if {*place // 2} != {_PAIR}]
    if outside:
        i, j = outside[0]
        here = f"The number at [{i}, {j}] has changed. "
        if len({*(changed // 2).flat}) == 1:
            return f"{here}{_about(i // 2)} Is that one damaged?"
        return f"{here}Only one hand is damaged, and its block has four numbers."
    old, new = [[abs(rotations(M)[_PAIR]), np.linalg.norm(M[_BLOCK])] for M in (damaged, W)]
    if not np.allclose(old, new, 1e-6, 0):
        return (
            f"It's the right block, but no rotation took it there: its strength was {old[0]:.8g} "
            f"and is {new[0]:.8g}, and its sum of squares was {old[1] ** 2:.8g} and is "
            f"{new[1] ** 2:.8g}. Did you multiply what's there, or write a new block?"
        )
    before, after = (_turns(M)[_PAIR] for M in (damaged, W))
    if abs(after - 3) > 0.25 + 1e-9:
        return (
            f"It's the right block, and you've turned it from {before:.2f} positions to "
            f"{after:.2f}. How far is it from {before:.2f} to 3?"
        )
    return ""


mended_head = Exercise(
    "mended_head",
    task="the matrix of the head with its one damaged hand turned back",
    reference=lambda: _turned(_FREQUENCIES[_PAIR] * _missing()),
    judge=_judge_head,
    slips={
        "It's still the damaged matrix. Which of the strong hands doesn't turn by about three "
        "positions?": damaged_matrix,
        "You've turned the right block, but the other way. In W, a turn forward has its minus sign "
        "in the lower row.": lambda: _turned(-_FREQUENCIES[_PAIR] * _missing()),
        "You've turned the right block, but by that many radians. How many radians does this hand "
        "go in one position?": lambda: _turned(_missing()),
    },
    correct="Four numbers have changed, and the head is well again: hands work side by side.",
    evidence=Exercise(
        "damaged_pair",
        task="the number of the hand that was turned",
        reference=_PAIR,
        hint=lambda result, right: _about(int(result)) if result in range(16) else "From 0 to 15.",
    ),
)
