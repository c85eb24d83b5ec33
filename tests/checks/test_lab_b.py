"""The exercise of lab B, *Inside a trained matrix*."""

import math

import numpy as np

from posenc.checks import lab_b
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import load_results
from posenc.shifts import rotation, shift_matrix

from .asking import told

W32 = angular_frequencies(32)


def damaged():
    return np.array(load_results()["damaged"]["W"])


def changed(pair, turn, by=1.0, before=False):
    W, block = damaged(), slice(2 * pair, 2 * pair + 2)
    W[block, block] = by * (turn @ W[block, block] if before else W[block, block] @ turn)
    return W


def missing_turn(pair=1):
    W = damaged()
    i, j = 2 * pair, 2 * pair + 1
    angle = math.atan2(W[i, j] - W[j, i], W[i, i] + W[j, j])
    return 3 - angle / W32[pair]


MISSING = missing_turn()
PURE = changed(1, rotation(W32[1], MISSING))
STRENGTH = math.hypot(PURE[2, 2] + PURE[3, 3], PURE[2, 3] - PURE[3, 2]) / 2
PURE[2:4, 2:4] = STRENGTH * rotation(W32[1], 3)


def test_the_damaged_head_fails_and_whatever_passes_mends_it():
    pe = sinusoidal(432, 32)

    def right(W):
        return np.mean([np.argmax(pe[s] @ W @ pe[s - 31 : s + 1].T) == 28 for s in range(31, 432)])

    assert right(damaged()) < 0.5
    for beside in (-0.25, 0, 0.25):
        assert right(changed(1, rotation(W32[1], MISSING + beside))) == 1
    for pair in (2, 3, 4):
        assert right(changed(pair, rotation(W32[pair], missing_turn(pair)))) < 1


ANSWERS = {
    lab_b.mended_head: {
        "right": [
            changed(1, rotation(W32[1], -5)),
            changed(1, rotation(W32[1], MISSING + 0.2), before=True).tolist(),
        ],
        "wrong": {
            "still the damaged matrix": damaged(),
            "it turns by 2.70 positions now, where 2.75 to 3.25": changed(
                1, rotation(W32[1], MISSING - 0.3)
            ),
            "more than its turn has changed": changed(1, rotation(W32[1], MISSING), by=1.04),
            "by a rotation, and do no more": PURE,
            "You have changed pair 3": changed(3, rotation(W32[3], missing_turn(3))),
            "Something else has changed than one": damaged() @ shift_matrix(W32, -1),
            "along the diagonal": shift_matrix(W32, 3),
            "it turns by": changed(1, rotation(W32[1], -MISSING)),
        },
    },
    lab_b.mended_head.evidence: {
        "right": [1],
        "wrong": {"too large. Divide the turns": 9, "where a single number": [1, 2]},
    },
}

test_answers = told(ANSWERS)
