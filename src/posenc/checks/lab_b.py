"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.learning import load_results, rotations
from posenc.shifts import rotation

from ._exercise import Exercise


def _damaged():
    """Return the damaged matrix, its damaged pair, and what cuts out the block of this pair."""
    damaged = load_results()["damaged"]
    pair = damaged["pair"]
    return np.array(damaged["W"]), pair, (slice(2 * pair, 2 * pair + 2),) * 2


def _turn(W, pair):
    """Return by how many positions a pair turns: of all that its angle may mean, the least."""
    return np.angle(rotations(W)[pair]) / angular_frequencies(len(W))[pair]


def _mended():
    W, pair, block = _damaged()
    W[block] @= rotation(angular_frequencies(len(W))[pair], 3 - _turn(W, pair))
    return W


def _judge_head(W):
    damaged, pair, block = _damaged()
    for i, j in np.argwhere(np.abs(W - damaged) > 1e-6):
        if {i // 2, j // 2} != {pair}:
            return f"The number at [{i}, {j}] has changed. It's not in the damaged pair's block."
    old, new = [[abs(rotations(M)[pair]), np.linalg.norm(M[block])] for M in (damaged, W)]
    if not np.allclose(old, new, 1e-6, 0):
        return (
            f"A rotation keeps the strength of a block, here {old[0]:.8g}, and its sum of squares, "
            f"{old[1] ** 2:.8g}. Yours has {new[0]:.8g} and {new[1] ** 2:.8g}."
        )
    if abs(_turn(W, pair) - 3) > 0.25 + 1e-9:
        return f"The damaged pair turns by {_turn(W, pair):.4g} positions now. How far should it?"
    return ""


mended_head = Exercise(
    "mended_head",
    task="the matrix of the head with its one damaged pair turned back",
    reference=_mended,
    judge=_judge_head,
    slips={
        "It's still the damaged matrix. Which of the strong pairs doesn't turn by about three "
        "positions?": lambda: _damaged()[0]
    },
    correct="One block alone has changed, and the head is well: pairs work side by side.",
    evidence=Exercise(
        "damaged_pair",
        task="the number of the pair that was turned",
        reference=lambda: _damaged()[1],
        hint="Counted from 0, which strong pair doesn't turn by about three positions?",
    ),
)
