"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.blocks import rotations
from posenc.encodings import angular_frequencies
from posenc.shifts import rotation
from posenc.trained import load_heads

from ._exercise import Exercise

_PAIR = 1
_BLOCK = (slice(2 * _PAIR, 2 * _PAIR + 2),) * 2


def damaged_matrix():
    """Return the matrix of a head trained on windows, one of whose pairs has been turned further.

    Returns
    -------
    ndarray, shape (32, 32)
    """
    parameters = load_heads("three back", "windows")[0]
    W = parameters["query"] @ parameters["key"].T
    W[_BLOCK] @= rotation(angular_frequencies(len(W))[_PAIR], 5)
    return W


def _turn(W):
    """Return by how many positions the pair turns: of all that its angle may mean, the least."""
    return np.angle(rotations(W)[_PAIR]) / angular_frequencies(len(W))[_PAIR]


def _mended():
    W = damaged_matrix()
    W[_BLOCK] @= rotation(angular_frequencies(len(W))[_PAIR], 3 - _turn(W))
    return W


def _judge_head(W):
    damaged = damaged_matrix()
    for i, j in np.argwhere(np.abs(W - damaged) > 1e-6):
        if {i // 2, j // 2} != {_PAIR}:
            return f"The number at [{i}, {j}] has changed. It's not in the damaged pair's block."
    old, new = [[abs(rotations(M)[_PAIR]), np.linalg.norm(M[_BLOCK])] for M in (damaged, W)]
    if not np.allclose(old, new, 1e-6, 0):
        return (
            f"A rotation keeps the strength of a block, here {old[0]:.8g}, and its sum of squares, "
            f"{old[1] ** 2:.8g}. Yours has {new[0]:.8g} and {new[1] ** 2:.8g}."
        )
    if abs(_turn(W) - 3) > 0.25 + 1e-9:
        return f"The damaged pair turns by {_turn(W):.4g} positions now. How far should it?"
    return ""


mended_head = Exercise(
    "mended_head",
    task="the matrix of the head with its one damaged pair turned back",
    reference=_mended,
    judge=_judge_head,
    slips={
        "It's still the damaged matrix. Which of the strong pairs doesn't turn by about three "
        "positions?": damaged_matrix
    },
    correct="One block alone has changed, and the head is well: pairs work side by side.",
    evidence=Exercise(
        "damaged_pair",
        task="the number of the pair that was turned",
        reference=_PAIR,
        hint="Counted from 0, which strong pair doesn't turn by about three positions?",
    ),
)
