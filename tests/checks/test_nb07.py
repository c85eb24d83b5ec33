"""The exercises of notebook 7, *Attention with and without positions*."""

from itertools import permutations

import numpy as np
import pytest

from posenc.attention import self_attention, softmax
from posenc.checks import nb07
from posenc.embeddings import load_glove
from posenc.encodings import sinusoidal
from posenc.shifts import shift_by_loop, shift_by_swapping, shift_matrix

from .asking import is_wrong, told

TOKENS = ["the", "cat", "loves", "the", "girl", "every", "day"]


WEIGHTS = self_attention(load_glove().lookup(TOKENS) + sinusoidal(7, 100))[1]
OTHERS = (WEIGHTS - np.diag(np.diag(WEIGHTS))).sum(axis=0)


def test_most_looked_at():
    ranked = np.sort(OTHERS)
    assert ranked[-1] - ranked[-2] > 0.03  # far more than rounding


def normalized(weights):
    return weights / weights.sum(axis=1, keepdims=True)


def only_visible(scores, mask):
    weights = np.zeros(scores.shape)
    for row, (score, visible) in enumerate(zip(scores, mask)):
        weights[row, visible] = softmax(score[visible])
    return weights


@pytest.mark.parametrize("low", [-50, -1000, -9000, -1e5, -1e9, -1e11, -1e20, -1e200])
def test_no_finite_stand_in_hides_a_score(low):
    is_wrong(nb07.masked_softmax, lambda s, m: softmax(np.where(m, s, low)))
    is_wrong(nb07.masked_softmax, lambda s, m: softmax(s + low * ~m))


ALL = [list(order) for order in permutations(range(6))]


def by_swaps(layer, x):
    """Swaps of neighbors make every order, but a layer may be right for them and for no other."""
    y = layer(x.copy())
    for i in range(len(x) - 1):
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if np.abs(layer(x[order]) - y[order]).max() > 1e-9:
            return False
    return True


def by_undoing(layer, x):
    results = []
    for order in ALL:
        back = np.argsort(order)
        results.append(np.allclose(layer(x[order])[back], layer(np.copy(x))))
    return np.all(results)


def tried(orders, compare=np.allclose, every=all):
    return lambda layer, x: every(
        compare(layer(x[order]), layer(x.copy())[order]) for order in orders
    )


def without_a_copy(layer, x):
    y = layer(x)
    return all(np.allclose(layer(x[order]), y[order]) for order in ALL)


def larger_of_two_heads(encoding, frequencies):
    back = encoding @ shift_by_swapping(encoding, frequencies, 1).T
    ahead = encoding @ shift_by_swapping(encoding, frequencies, -1).T
    return np.maximum(back, ahead)


def by_distance(encoding, frequencies):
    apart = np.linalg.norm(encoding[:, None] - encoding, axis=-1)
    step = 2 * np.sqrt((np.sin(frequencies / 2) ** 2).sum())
    return -((apart - step) ** 2)


def heads(join, offset=1):
    """Return scores that join those of two heads."""
    return lambda e, w: join(e @ shift_matrix(w, offset) @ e.T, e @ shift_matrix(w, -offset) @ e.T)


@pytest.mark.parametrize("case", nb07.both_neighbors.all_cases, ids=lambda case: case.label)
def test_the_margin_of_a_head_is_far_above_rounding(case):
    for scores in (larger_of_two_heads(*case.arguments), by_distance(*case.arguments)):
        top = np.sort(scores, axis=1)
        inner = np.argsort(np.abs(scores).sum(axis=1))[1:-1]
        assert np.sort(top[inner, -2] - top[inner, -3])[2:].min() > 1e-4


ANSWERS = {
    nb07.most_looked_at: {
        "right": [OTHERS.argmax(), TOKENS.index("girl")],
        "wrong": {"compare the sums of the columns": 7, "the text 'girl'": "girl", "(7,)": OTHERS},
    },
    nb07.masked_softmax: {
        "right": [only_visible, lambda s, m: softmax(np.where(m, s, np.finfo(float).min)).tolist()],
        "wrong": {
            "not for scores near −10000": lambda s, m: softmax(np.where(m, s, -100)),
            "hidden scores of 10³⁰⁰": lambda s, m: softmax(np.where(m, s, -1e30)),
            "0 · ∞. With minus infinity": lambda s, m: normalized(np.exp(s) * m),
            "must get the weight 0": lambda s, m: softmax(s - 5 * ~m),
            "Is the softmax taken, and last?": lambda s, m: np.where(m, s + 2, 0),
            "Each row must sum to 1": lambda s, m: only_visible(s, m) / 2 + m / 4,
            "Keys that are not hidden should share": lambda s, m: softmax(
                np.where(m, 0.7 * s, -np.inf)
            ),
        },
    },
    nb07.is_equivariant: {
        "right": [tried(ALL), by_undoing],
        "wrong": {
            "leaves the rows in their places": lambda layer, x: (
                by_undoing(layer, x) and not np.array_equal(layer(x.copy()), x[:, ::-1])
            ),
            "the one before": tried([np.roll(range(6), k) for k in range(6)]),
            "for the orders that you try": by_swaps,
            "no other of the 720": tried([[5, 4, 3, 2, 1, 0]]),
            "attention, which rounds": tried(ALL, compare=np.array_equal),
            "orders that you try": tried([[1, 2, 0, 4, 3, 5], [0, 1, 2, 5, 4, 3]]),
            "writes into its input": without_a_copy,
            "turns each row by its position": tried(
                ALL, lambda a, b: np.allclose(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
            ),
            "by 0.0001": tried(ALL, lambda a, b: np.allclose(a, b, atol=0.01)),
        },
    },
    nb07.both_neighbors: {
        "right": [larger_of_two_heads, by_distance],
        "wrong": {
            "the other is not above the rest": lambda e, w: shift_by_loop(e, w, 1) @ e.T,
            "Is a sign reversed?": lambda e, w: -by_distance(e, w),
            "let either be enough": heads(np.minimum),
            "2 positions away, than for both. Is your": heads(np.maximum, 2),
            "(width 16, base 3)": lambda e, w: heads(np.maximum)(
                e, w * 0 + 10_000.0 ** -np.linspace(0, 1, len(w))
            ),
            "A head sees": lambda e, w: np.eye(len(e), k=1) + np.eye(len(e), k=-1),
            "as large a score for row": lambda e, w: np.isclose(
                e @ e.T, np.sum(np.cos(w)), atol=0.1
            ).astype(float),
            "Row 1 gives itself": lambda e, w: np.full((len(e), len(e)), -np.inf),
        },
    },
}

test_answers = told(ANSWERS)
