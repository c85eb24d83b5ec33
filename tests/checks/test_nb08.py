"""The exercises of notebook 8, *A head that looks back*."""

from itertools import product

import numpy as np

from posenc.checks import nb08
from posenc.encodings import encode
from posenc.shifts import shift_matrix

from .answers import told


def parts(W):
    """Average over quarter turns of all pairs, and leave the blocks, in either layout."""
    one = np.eye(len(W) // 2)
    for spread in (lambda x: np.kron(one, x), lambda x: np.kron(x, one)):
        quarter = spread([[0, 1], [-1, 0]])
        yield (W + quarter.T @ W @ quarter) / 2 * spread(np.ones((2, 2)))


def nearest(W):
    return min(parts(W), key=lambda part: np.linalg.norm(W - part)).tolist()


def keeping(is_kept):
    return lambda w, offset: shift_matrix(w, offset) * np.repeat(is_kept(w), 2)


def test_the_steps_of_the_solution_are_far_above_rounding():
    for w, offset in nb08.recent_head.cases.values():
        pe = encode(range(161), w)
        scores = pe[-1] @ keeping(lambda w: w * 60 <= np.pi)(w, offset) @ pe[::-1].T
        assert scores.argmax() == offset
        assert np.diff(scores)[offset : offset + 60].max() < -1e-7 * np.ptp(scores)


def read_by_rule(text, far, own):
    """Return the letter that the last place reads."""
    lost = [far * back + own * (letter == text[-1]) for back, letter in enumerate(text[::-1])]
    return text[::-1][lost.index(min(lost))]


def fooling(far, own):
    """Try all texts of two letters and up to four places."""
    for length in (2, 3, 4):
        for text in product(range(2), repeat=length):
            if read_by_rule(text, far, own) != text[-2]:
                return [*text]
    return None


ANSWERS = {
    nb08.fool: {
        "right": [
            fooling,
            lambda far, own: text if (text := fooling(far, own)) is None else [2, *text],
        ],
        "wrong": {
            "its own place may lose no more than 2": lambda far, own: None if far else [],
            "In (0, 1) the keys lose (2.5, 4)": lambda far, own: [0, 1],
            "Can any text fool it": lambda far, own: [0, 1, 1],
            "`None` or 2 to 8 letters from 0 to 7 should be": lambda far, own: [8, 8],
            "the place two back may lose no more than 2": lambda far, own: (
                None if far < own else [0, 1]
            ),
        },
    },
    nb08.offset_part: {
        "right": [nearest],
        "wrong": {
            "nearest to two others": lambda W: 2 * np.array(nearest(W)),
            "not for a block of integers": lambda W: np.array(nearest(W)).astype(W.dtype),
            "It belongs to neither family": lambda W: W**2,
            "How do you choose": lambda W: min(parts(W), key=lambda part: abs(W - part).max()),
        },
    },
    nb08.recent_head: {
        "right": [keeping(lambda w: w * 60 <= np.pi), keeping(lambda w: w * (w * 60 <= np.pi))],
        "wrong": {
            "half a turn in 59.1 steps": keeping(lambda w: w * 59 <= np.pi),
            "All scores are equal": keeping(lambda w: 0 * w),
        },
    },
}

test_answers = told(ANSWERS)
