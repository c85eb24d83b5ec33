"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.learning import load_results, rotations
from posenc.shifts import rotation

from ._exercise import Exercise

_BACK, _NEAR = 3, 0.25  # positions: where the pair is to turn to, and how nearly


def _damaged():
    """Return the damaged matrix, and the number of its damaged pair."""
    damaged = load_results()["damaged"]
    return np.array(damaged["W"]), damaged["pair"]


def _turn(W, pair):
    """Return by how many positions a pair turns: of all that its angle may mean, the least."""
    return np.angle(rotations(W)[pair]) / angular_frequencies(len(W))[pair]


def _mended():
    """Return the damaged matrix with its damaged pair turned back to three positions."""
    W, pair = _damaged()
    block = slice(2 * pair, 2 * pair + 2)
    W[block, block] @= rotation(angular_frequencies(len(W))[pair], _BACK - _turn(W, pair))
    return W


def _judge_head(W):
    damaged, damaged_pair = _damaged()
    pairs = np.flatnonzero((np.abs(W - damaged) > 1e-6).reshape(16, 2, 16, 2).any(axis=(1, 3)))
    if not len(pairs):
        return "It is still the damaged matrix."
    if len(pairs) > 1 or pairs[0] % 17:
        return "Something else has changed than one pair's block along the diagonal."
    (pair,) = pairs // 17
    if pair != damaged_pair:
        return f"You have changed pair {pair}, in columns {2 * pair} and {2 * pair + 1}."
    for size in (lambda M: np.abs(rotations(M)[pair]), np.linalg.norm):
        if abs(size(W) / size(damaged) - 1) > 1e-6:
            return (
                "The pair is the right one, but more than its turn has changed. Multiply its block "
                "by a rotation, and do no more."
            )
    turn = _turn(W, pair)
    if abs(turn - _BACK) > _NEAR:
        return (
            f"The pair is the right one, but it turns by {round(turn, 2) + 0:.2f} positions now, "
            f"where {_BACK - _NEAR} to {_BACK + _NEAR} are wanted. A turn by x positions is one by "
            "ωx radians."
        )
    return ""


mended_head = Exercise(
    "mended_head",
    task="the matrix of the head with its one damaged pair turned back",
    reference=_mended,
    judge=_judge_head,
    correct="One block alone has changed, and the head is well: pairs work side by side.",
    evidence=Exercise(
        "damaged_pair",
        task="the number of the pair that was turned",
        reference=lambda: _damaged()[1],
        hint="Divide the turns of the blocks by the frequencies, and look at the strong pairs.",
    ),
)
