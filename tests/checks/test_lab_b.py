"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.checks import lab_b
from posenc.encodings import angular_frequencies
from posenc.shifts import rotation

from .answers import told

W32 = angular_frequencies(32)
REFLECTION = np.diag([1, -1])


def changed(*pairs, offset=None, by=1.0):
    """Return the damaged matrix with pairs turned by an offset, or to 3, and multiplied."""
    W = lab_b.damaged_matrix()
    for pair in pairs:
        block = W[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2]
        missing = 3 - np.angle(np.trace(block) + 1j * (block[0, 1] - block[1, 0])) / W32[pair]
        block[:] = by * rotation(W32[pair], missing if offset is None else offset) @ block
    return W


def rewritten():
    """Return a matrix whose block turns as it should, but is a rotation and nothing else."""
    W = changed(1)
    reflected = REFLECTION @ W[2:4, 2:4] @ REFLECTION
    W[2:4, 2:4] = (
        W[2:4, 2:4] + rotation(1, np.pi / 2).T @ W[2:4, 2:4] @ rotation(1, np.pi / 2)
    ) / 2
    assert not np.allclose(reflected, W[2:4, 2:4])
    return W


ANSWERS = {
    lab_b.mended_head: {
        "right": [changed(1), changed(1).tolist(), changed(1, offset=6.1)],
        "wrong": {
            "Did you multiply what's there": changed(1, by=1.04),
            "its sum of squares was": rewritten(),
            "hand 3 turns by 1.34 positions with a strength of 3.57": changed(3),
            "hand 0 turns by 3.04": changed(0),
            "its block has four numbers": changed(0, 1, 2),
            "from -3.30 positions to -0.30": changed(1, offset=3),
            "The number at [0, 2]": lab_b.damaged_matrix()
            @ np.diag(np.repeat([1, -1, 1], [2, 2, 28])),
            "shape (32, 32)": np.eye(2),
        },
    },
    lab_b.mended_head.evidence: {
        "right": [1],
        "wrong": {"hand 2 turns by 2.96 positions": 2, "From 0 to 15.": 16, "hand 0": 0},
    },
}

test_answers = told(ANSWERS)
