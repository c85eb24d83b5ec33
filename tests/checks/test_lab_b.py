"""The exercise of lab B, *Inside a trained matrix*."""

import numpy as np

from posenc.checks import lab_b
from posenc.encodings import angular_frequencies
from posenc.shifts import rotation

from .answers import told

W32 = angular_frequencies(32)


def changed(pair, offset=None, by=1.0):
    W, i = lab_b.damaged_matrix(), 2 * pair
    block = W[i : i + 2, i : i + 2]
    missing = 3 - np.angle(np.trace(block) + 1j * (block[0, 1] - block[1, 0])) / W32[pair]
    block[:] = by * rotation(W32[pair], offset or missing) @ block
    return W


ANSWERS = {
    lab_b.mended_head: {
        "right": [changed(1), changed(1).tolist()],
        "wrong": {
            "and its sum of squares": changed(1, by=1.04),
            "The number at [6, 6] has changed": changed(3),
            "positions now. How far should it?": changed(1, 0.5),
        },
    },
    lab_b.mended_head.evidence: {"right": [1], "wrong": {"Counted from 0": 2}},
}

test_answers = told(ANSWERS)
