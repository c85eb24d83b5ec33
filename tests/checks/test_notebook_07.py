"""The exercises of notebook 7."""

import math
from itertools import permutations

import numpy as np
import pytest

from posenc import checks
from posenc.attention import self_attention, softmax
from posenc.embeddings import load_glove
from posenc.encodings import sinusoidal
from posenc.shifts import shift_by_loop, shift_by_swapping, shift_matrix

from .exercise_laws import hold, is_wrong

TOKENS = ["the", "cat", "loves", "the", "girl", "every", "day"]


def test_most_looked_at():
    words, positions = load_glove().lookup(TOKENS), sinusoidal(7, 100)
    weights = self_attention(words + positions)[1]
    others = weights - np.diag(np.diag(weights))

    def off(rows):
        w = self_attention(rows)[1]
        return w - np.diag(np.diag(w))

    hold(
        checks.most_looked_at,
        right=[4, 4.0, others.sum(axis=0).argmax(), TOKENS.index("girl"), np.array(4)],
        wrong=[
            (off(np.sqrt(10) * (words + positions)).sum(axis=0).argmax(), "not divided by √d"),
            (others.sum(axis=1).argmax(), "along the rows, or count from 1"),
            (weights.sum(axis=0).argmax(), "or with a causal mask"),
            (off(words).sum(axis=0).argmax(), "for the words alone"),
            (off(positions).sum(axis=0).argmax(), "for the positions alone, or for the largest"),
            (others.sum(axis=0).argmin(), "gets the least attention"),
            (7, "compare the sums of the columns"),
            ("girl", "the text 'girl'"),
            (others.sum(axis=0), "shape (7,)"),
            (others.sum(axis=0).max(), "compare the sums of the columns"),
            (-3, "compare the sums of the columns"),
        ],
    )
    ranked = np.sort(others.sum(axis=0))
    assert ranked[-1] - ranked[-2] > 0.03  # far more than rounding


def normalized(weights):
    return weights / weights.sum(axis=1, keepdims=True)


def only_visible(scores, mask):
    weights = np.zeros(scores.shape)
    for row, (score, visible) in enumerate(zip(scores, mask)):
        weights[row, visible] = softmax(score[visible])
    return weights


def number_by_number(scores, mask):
    rows = []
    for score, visible in zip(scores.tolist(), mask.tolist()):
        largest = max(s for s, v in zip(score, visible) if v)
        powers = [math.exp(s - largest) if v else 0.0 for s, v in zip(score, visible)]
        rows.append([power / sum(powers) for power in powers])
    return rows


def by_hand(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def in_a_copy(scores, mask):
    hidden = scores.copy()
    hidden[~mask] = -np.inf
    return softmax(hidden)


def masked_array(scores, mask):
    scores = np.ma.masked_array(scores, ~mask)
    exponentials = np.ma.exp(scores - scores.max(axis=1, keepdims=True))
    return (exponentials / exponentials.sum(axis=1, keepdims=True)).filled(0)


def in_place(scores, mask):
    scores[~mask] = -np.inf
    return softmax(scores)


def without_keepdims(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1)


def without_any_keepdims(scores, mask):
    exponentials = np.exp(np.where(mask, scores, -np.inf))
    return exponentials / exponentials.sum(1)


def over_columns(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=0)


def test_masked_softmax():
    hold(
        checks.masked_softmax,
        right=[
            only_visible,
            number_by_number,
            by_hand,
            in_a_copy,
            masked_array,
            lambda s, m: softmax(
                s + np.log(m)
                if (abs(s) < 1e200).all()
                else by_hand(s, m) * 0 + s
                if m.all()
                else np.where(m, s, -np.inf)
            ),
            lambda s, m: softmax(np.where(m, s, np.finfo(float).min)),
        ],
        wrong=[
            (over_columns, "You divide by the sums of the columns"),
            (lambda s, m: softmax(s), "no effect at all"),
            (lambda s, m: softmax(s) * m, "after the softmax"),
            (lambda s, m: softmax(s * m), "became 0"),
            (lambda s, m: softmax(np.where(m, -np.inf, s)), "turned around"),
            (lambda s, m: softmax(np.where(m, s, 0)), "became 0"),
            (lambda s, m: softmax(np.where(m, s, -1)), "score of −1 is low"),
            (lambda s, m: softmax(np.where(m, s, -100)), "Which score is below every other?"),
            (lambda s, m: softmax(np.where(m, s, -1e5)), "the usual shortcut"),
            (lambda s, m: softmax(np.where(m, s, -1e9)), "the usual shortcut"),
            (lambda s, m: softmax(np.where(m, s, -1e30)), "Which one is not?"),
            (lambda s, m: softmax(s - 1e9 * (1 - m)), "may be larger still"),
            (lambda s, m: normalized(softmax(s) * m), "Hide the scores first"),
            (lambda s, m: normalized(np.exp(s) * m), "the quotient is NaN"),
            (lambda s, m: normalized(np.exp(np.where(m, s, -np.inf))), "Nothing is subtracted"),
            (lambda s, m: np.where(m, s, -np.inf), "still to come"),
            (lambda s, m: softmax(s - 5 * ~m), "must get the weight 0"),
            (lambda s, m: softmax(np.where(m.T, s, -np.inf)), "raises `ValueError"),
            (lambda s, m: only_visible(s, m) / 2 + m / 4, "Each row must sum to 1"),
            (without_keepdims, "`keepdims=True` keeps it"),
            (without_any_keepdims, "`keepdims=True` keeps it"),
            (in_place, "changes its input `scores`"),
            (lambda s, m: softmax(np.where(m, s, -np.inf).T).T, "should be"),
            (lambda s, m: softmax(s + -np.inf * (1 - m)), "NaN"),
            (lambda s, m: softmax(s[m]), "shape"),
            (lambda s, m: softmax(np.ma.masked_array(s, m)), "no effect at all"),
            (lambda mask, scores: in_a_copy(scores, mask), "in this order"),
        ],
    )


@pytest.mark.parametrize("low", [-50, -100, -1000, -9000, -1e5, -1e6, -1e9, -1e11, -1e20, -1e200])
def test_no_finite_stand_in_hides_a_score(low):
    is_wrong(checks.masked_softmax, lambda s, m: softmax(np.where(m, s, low)))
    is_wrong(checks.masked_softmax, lambda s, m: softmax(s + low * ~m))


def by_random_orders(layer, x):
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(len(x))
        if not np.allclose(layer(x.copy()[order]), layer(x.copy())[order]):
            return False
    return True


def by_swaps(layer, x):
    """Swaps of neighbors make every order, but a layer may be right for them and for no other."""
    y = layer(x.copy())
    for i in range(len(x) - 1):
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if np.abs(layer(x[order]) - y[order]).max() > 1e-9:
            return False
    return True


def by_matrices(layer, x):
    rng = np.random.default_rng(1)
    permutations = [np.eye(len(x))[rng.permutation(len(x))] for _ in range(10)]
    return all(np.allclose(layer(p @ x), p @ layer(x.copy())) for p in permutations)


def by_every_order(layer, x):
    from itertools import permutations

    y = layer(np.array(x))
    return all(
        np.allclose(layer(x[list(order)]), y[list(order)]) for order in permutations(range(len(x)))
    )


def by_undoing(layer, x):
    results = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(x))
        back = np.argsort(order)
        results.append(np.allclose(layer(x[order])[back], layer(np.copy(x)), atol=1e-8))
    return np.all(results)


def tried(orders, compare=np.allclose, after=lambda y, order: y[order], every=all):
    return lambda layer, x: every(
        compare(layer(x[list(order)]), after(layer(x.copy()), list(order))) for order in orders
    )


SIX = range(6)
RANDOM = [np.random.default_rng(seed).permutation(6).tolist() for seed in range(10)]


def shuffling_x(layer, x):
    before = layer(x.copy())
    np.random.default_rng(0).shuffle(x)
    return np.allclose(layer(x), before)


def shuffling_in_place(layer, x):
    order = np.random.default_rng(0).permutation(6)
    before = layer(x.copy())[order]
    x[:] = x[order]
    return np.allclose(layer(x), before)


def without_a_copy(layer, x):
    y = layer(x)
    return all(np.allclose(layer(x[order]), y[order]) for order in RANDOM)


def after_the_first_order(layer, x):
    for order in RANDOM:
        if np.allclose(layer(x[order]), layer(x.copy())[order]):  # noqa: SIM103
            return True
        else:
            return False


def by_one(layer, x, order):
    return np.allclose(layer(x[list(order)]), layer(x.copy())[list(order)])


def test_is_equivariant():
    hold(
        checks.is_equivariant,
        right=[by_random_orders, by_matrices, by_every_order, by_undoing],
        wrong=[
            (
                lambda layer, x: [by_one(layer, x, o) for o in permutations(range(6))][-1],
                "let each count",
            ),
            (tried([np.roll(range(6), k) for k in range(6)]), "You try rotations only"),
            (tried(RANDOM, after=lambda y, order: y), "You test invariance"),
            (
                lambda layer, x: np.allclose(layer(x[::-1]), layer(x.copy())),
                "compare with the output shuffled likewise",
            ),
            (
                lambda layer, x: np.allclose(layer(x[:, ::-1]), layer(x.copy())[:, ::-1]),
                "You reverse the columns",
            ),
            (by_swaps, "Right for every swap is not right for every order"),
            (tried([SIX]), "It returns `True` whatever"),
            (tried([[1, 0, 2, 3, 4, 5]]), "the swap of the first two rows only"),
            (tried([[0, 1, 2, 3, 5, 4]]), "the swap of the last two rows only"),
            (tried([[5, 4, 3, 2, 1, 0]]), "the reversed order only"),
            (tried([[5, 0, 1, 2, 3, 4]]), "You try rotations only"),
            (tried([[1, 2, 3, 4, 5, 0]]), "You try rotations only"),
            (tried(RANDOM, after=lambda y, order: y[np.argsort(order)]), "the other way round"),
            (tried(RANDOM, compare=np.array_equal), "to the last digit"),
            (tried(RANDOM, compare=lambda a, b: bool((a == b).all())), "to the last digit"),
            (tried([[1, 0, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]], every=any), "order"),
            (without_a_copy, "The layer may write into what it is given"),
            (shuffling_in_place, "changes its input `x`"),
            (shuffling_x, "You test invariance"),
            (after_the_first_order, "A `return` stands inside a loop"),
            (
                lambda layer, x: np.allclose(layer(x[RANDOM[0]]), layer(x)[RANDOM[0]], atol=0.1),
                "Small",
            ),
            (lambda layer, x: layer(x) == layer(x[::-1])[::-1], "shape"),
            (lambda layer, x: layer(x).shape == x.shape, "It returns `True` whatever"),
            (lambda layer, x: not by_every_order(layer, x), "`False`, where `True` should be"),
            (lambda x, layer: by_every_order(layer, x), "in this order"),
            (lambda layer, x: by_every_order(layer, x) or "no", "the text 'no'"),
        ],
    )


def products(encoding, frequencies):
    return -np.abs(encoding @ encoding.T - np.cos(frequencies).sum())


def two_heads_without_itself(encoding, frequencies):
    scores = encoding @ (shift_matrix(frequencies, 1) + shift_matrix(frequencies, -1)) @ encoding.T
    np.fill_diagonal(scores, -np.inf)
    return scores


def larger_of_two_heads(encoding, frequencies):
    back = encoding @ shift_by_swapping(encoding, frequencies, 1).T
    ahead = encoding @ shift_by_swapping(encoding, frequencies, -1).T
    return np.maximum(back, ahead)


def by_distance(encoding, frequencies):
    apart = np.linalg.norm(encoding[:, None] - encoding, axis=-1)
    step = 2 * np.sqrt((np.sin(frequencies / 2) ** 2).sum())
    return -((apart - step) ** 2)


def two_heads_minus_a_third(encoding, frequencies):
    scores = encoding @ (shift_matrix(frequencies, 1) + shift_matrix(frequencies, -1)) @ encoding.T
    itself = encoding @ encoding.T
    return scores - 10 * (itself > itself.max() - 1e-9) * len(frequencies)


def as_lists(encoding, frequencies):
    return [
        [-abs(float(a @ b) - sum(math.cos(w) for w in frequencies)) for b in encoding]
        for a in encoding
    ]


def band(encoding, frequencies):
    n = len(encoding)
    return [[1.0 if abs(s - t) == 1 else 0.0 for t in range(n)] for s in range(n)]


def heads(join, offset=1):
    """Return scores that join those of two heads."""
    return lambda e, w: join(e @ shift_matrix(w, offset) @ e.T, e @ shift_matrix(w, -offset) @ e.T)


def test_both_neighbors():
    hold(
        checks.both_neighbors,
        right=[
            products,
            two_heads_without_itself,
            larger_of_two_heads,
            by_distance,
            two_heads_minus_a_third,
            as_lists,
        ],
        wrong=[
            (lambda e, w: np.eye(len(e), k=1) - np.eye(len(e)), "one of its neighbors only"),
            (lambda e, w: abs(e @ e.T - np.cos(w).sum()), "Is a sign reversed?"),
            (heads(np.multiply), "let either be enough"),
            (heads(np.minimum), "let either be enough"),
            (
                lambda e, w: heads(np.maximum)(e, w * 0 + 10_000.0 ** -np.linspace(0, 1, len(w))),
                "given",
            ),
            (heads(np.maximum, 2), "2 positions away, than for both. Is your shift too long"),
            (
                lambda e, w: e @ shift_matrix(w, 1) @ e.T + e @ shift_matrix(w, -1) @ e.T,
                "the query's own",
            ),
            (lambda e, w: e @ shift_matrix(w, 1) @ e.T, "the position before"),
            (lambda e, w: shift_by_loop(e, w, 1) @ e.T, "the position behind"),
            (lambda e, w: e @ e.T, "the largest product with itself"),
            (lambda e, w: shift_by_loop(e, w, 1) @ shift_by_loop(e, w, 1).T, "with itself"),
            (lambda e, w: shift_by_loop(e, w, 1) @ shift_by_loop(e, w, -1).T, "gives itself"),
            (lambda e, w: e @ shift_matrix(w, 2) @ e.T, "Row"),
            (lambda e, w: np.linalg.norm(e[:, None] - e, axis=-1), "should be largest"),
            (lambda e, w: -np.linalg.norm(e[:, None] - e, axis=-1), "the row itself"),
            (band, "A head sees"),
            (lambda e, w: np.eye(len(e), k=1) + np.eye(len(e), k=-1), "A head sees"),
            (lambda e, w: np.zeros((len(e), len(e))), "itself"),
            (lambda e, w: products(e, w) / 0, "NaN"),
            (lambda e, w: -products(e, w), "Is a sign reversed?"),
            (lambda e, w: shift_by_loop(e, w, 1), "shape"),
            (lambda e, w: softmax(e @ (shift_matrix(w, 1) + shift_matrix(w, -1)) @ e.T), "itself"),
            (lambda e, w: products(e, 10_000.0 ** (-np.arange(len(w)) / len(w))), "base 3"),
            (lambda e, w: np.random.default_rng(0).normal(size=(len(e), len(e))), "Row"),
            (lambda e, w: e @ np.roll(e, 1, axis=0).T, "Row"),
        ],
    )


@pytest.mark.parametrize("solution", [products, larger_of_two_heads, by_distance])
@pytest.mark.parametrize("case", checks.both_neighbors.tried, ids=lambda case: case.label)
def test_the_margin_of_a_head_is_far_above_rounding(case, solution):
    scores = solution(*case.arguments)
    top = np.sort(scores, axis=1)
    inner = np.argsort(np.abs(scores).sum(axis=1))[1:-1]
    assert np.sort(top[inner, -2] - top[inner, -3])[2:].min() > 1e-4
