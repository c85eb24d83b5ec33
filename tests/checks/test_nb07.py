"""The exercises of notebook 7, *Attention with and without positions*."""

from itertools import permutations

import numpy as np

from posenc.attention import softmax
from posenc.checks import nb07

from .answers import told

ALL = [list(order) for order in permutations(range(6))]


def only_visible(scores, mask):
    weights = np.zeros(scores.shape)
    for row, visible in enumerate(mask):
        weights[row, visible] = softmax(scores[row, visible])
    return weights


def tried(orders, compare=np.allclose, copy=np.copy):
    return lambda layer, x: compare(layer(copy(x))[orders], [layer(x[o]) for o in orders])


ANSWERS = {
    nb07.most_looked_at: {"right": [4], "wrong": {"Token 3, the, gets": 3, "numbers 0 to 6": 7}},
    nb07.masked_softmax: {
        "right": [only_visible, lambda s, m: softmax(np.where(m, s, np.finfo(float).min)).tolist()],
        "wrong": {
            "Row 0 sums to 0.5. What": lambda s, m: softmax(s) * m,
            "where the mask is False, has the weight 0.5": lambda s, m: softmax(s * m),
            "none hidden": lambda s, m: softmax(np.where(m, np.fmax(s, s.max() - 700), -np.inf)),
            "hidden ones of 10³⁰⁰": lambda s, m: softmax(np.where(m, s, -1e30)),
        },
    },
    nb07.is_equivariant: {
        "right": [tried(ALL)],
        "wrong": {
            "errs for one order of the 720": tried(ALL[1:700]),
            "not for attention": tried(ALL, compare=np.array_equal),
            "in place": tried(ALL, copy=np.asarray),
        },
    },
}

test_answers = told(ANSWERS)
