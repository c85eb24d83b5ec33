"""The exercises of notebook 7, *Attention with and without positions*."""

from itertools import permutations
from math import factorial

import numpy as np

from posenc.attention import self_attention, softmax
from posenc.distances import distance_at
from posenc.embeddings import load_glove
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features
from posenc.rotary import apply_rotary
from posenc.shifts import shift_matrix

from ._exercise import Case, Exercise

_TOKENS = ["the", "cat", "loves", "the", "girl", "every", "day"]


def _token(words=1, positions=1, *, axis=0, itself=False, pick=np.argmax):
    """Return what finds the token that gets the most attention, or with axis 1 gives it."""

    def find():
        rows = words * load_glove().lookup(_TOKENS)
        weights = self_attention(rows + positions * sinusoidal(len(_TOKENS), 100))[1]
        weights = weights if itself else weights - np.diag(np.diag(weights))
        return pick(weights.sum(axis=axis).round(9))

    return find


most_looked_at = Exercise(
    "most_looked_at",
    task="the number of the token that gets the most attention from the others",
    reference=_token(),
    mistakes={
        "That comes out, among others, for the right token counted from 1, and for sums along the "
        "rows, which say how a token spends its own attention.": _token(axis=1),
        "That comes out, among others, with the attention that a token pays to itself, with "
        "positions from 1, or with a causal mask.": _token(itself=True),
        "That comes out, among others, for the words alone, and as the row of the largest weight. "
        "Add words and positions, and add up the columns of all seven.": _token(positions=0),
        "That comes out, among others, for the positions alone, and for the largest weight. Add "
        "words and positions, and add up the columns of all seven.": _token(words=0),
        "That comes out, among others, for scores not divided by √d.": _token(10**0.5, 10**0.5),
        "Token 2, loves, gets the least attention from the others: 0 is the first.": _token(
            pick=np.argmin
        ),
    },
    hint="Add words and positions, take the weights of self-attention, set the diagonal to 0 and "
    "compare the sums of the columns.",
    correct="It is girl: the columns say who is looked at. Each row sums to 1 and cannot tell.",
)


def _put_in(low):
    """Return a masked softmax that puts a number in place of hidden scores."""
    return lambda scores, mask: softmax(np.where(mask, scores, low))


# No row is all True or all False, so that a mask that is turned around hides no row wholly.
_HIDDEN = np.array([[True, False, True], [False, True, False]])


def _scores(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def explain_weights(weights, right, scores, mask, of="their scores"):
    """Explain weights that are not those of a masked softmax."""
    if weights.min() < 0 or weights.max() > 1 + 1e-5:
        return "Weights lie between 0 and 1. Is the softmax taken, and last?"
    if np.abs(weights[~mask]).max(initial=0) > 1e-5:
        return "A key that is hidden from a query must get the weight 0."
    if np.abs(weights.sum(axis=1) - 1).max() > 1e-5:
        return "Each row must sum to 1."
    return f"Keys that are not hidden should share the weight as the softmax of {of} has it."


masked_softmax = Exercise(
    "masked_softmax",
    task="the weights for `scores` of which only those where `mask` is True count",
    reference=_put_in(-np.inf),
    cases=[
        Case(np.zeros((1, 2)), np.array([[True, False]]), label="one hidden key"),
        Case(_scores(1, 3, 4), np.tri(3, 4, dtype=bool), label="a causal mask"),
        Case(np.array([[0, 3, -1], [2, 0, 1]]), _HIDDEN, label="a mask that hides the best key"),
        Case(_scores(3, 3, 3) - 1e4, ~np.eye(3, dtype=bool), label="scores near −10000"),
        Case(np.array([[1e3, 0, 999], [0, -1e3, 0]]), _HIDDEN, label="rows of 1000 and −1000"),
        Case(_scores(4, 3, 3) - 1e12, ~np.eye(3, dtype=bool), label="scores near −10¹²"),
        Case(np.where(_HIDDEN, _scores(5, 2, 3), 1e12), _HIDDEN, label="hidden scores of 10¹²"),
        Case(np.where(_HIDDEN, -1e300, 1e300), _HIDDEN, label="hidden scores of 10³⁰⁰"),
    ],
    mistakes={
        "You hid the weights after the softmax, so what was hidden is missing from the sum. Each "
        "row should still sum to 1.": lambda s, m: softmax(s) * m,
        "A hidden score became 0, but e⁰ is 1, and so hidden keys still get weight. Which score "
        "has the exponential 0?": lambda s, m: softmax(s * m),
        "A finite hidden score, such as −10⁹, is above scores of −10¹². What is below all?": (
            _put_in(-1e9)
        ),
        "You subtract a large number from hidden scores. A hidden score may be larger still: put "
        "something in its place.": lambda s, m: softmax(s - 1e9 * ~m),
    },
    explain=explain_weights,
    hint="NaN comes, among others, from 0/0, ∞/∞, ∞ − ∞ or 0 · ∞. With minus infinity in place of "
    "hidden scores, the page's `softmax` meets none of them.",
    correct="A score of minus infinity has the exponential 0, and the others share all the weight.",
)


def _plus(*numbers):
    """Return a layer that adds a number to each row."""
    return lambda x: x + np.array(numbers, dtype=float)[:, None]


def _masked_attention(x):
    y = self_attention(x, mask=np.tri(len(x), dtype=bool))[0]
    x[:] = 0
    return y


def _doubles_in_place(x):
    x *= 2
    return x


def _errs_elsewhere(test, x):
    """Return a layer that is right for what a test tries, and wrong for the other orders."""
    seen = set()
    test(lambda rows: seen.add(np.asarray(rows).tobytes()) or rows, x.copy())
    if len(seen) >= factorial(len(x)):
        return _plus(*range(len(x)))
    return lambda rows: rows + (np.asarray(rows).tobytes() not in seen)


def _marks_the_next(test, x):
    """Return a layer that adds 1 to the row behind the one that is first in `x`."""
    first = x[0].copy()
    return lambda rows: rows + np.roll((rows == first).all(axis=1), 1)[:, None]


def _lowers_the_last(test, x):
    """Return a layer that takes 1 from the last row, in any other order than that of `x`."""
    first, last = x.tobytes(), np.eye(len(x))[:, -1:]
    return lambda rows: rows - last * (np.asarray(rows).tobytes() != first)


def _test_with(test, layer, x):
    """Call a student's test, with a layer that may have been made for it."""
    made = _errs_elsewhere, _marks_the_next, _lowers_the_last
    layer = layer(test, x) if layer in made else layer
    # What this layer does to `x` is not the test's doing.
    return test(layer, x.copy() if layer in (_doubles_in_place, _masked_attention) else x)


_LAYERS = {
    "a layer that doubles each number": lambda x: 2 * x,
    "attention, which rounds": lambda x: self_attention(x)[0],
    "a layer that reverses each row, and leaves the rows in their places": lambda x: x[:, ::-1],
    "a layer that gives each row a million times the sum, and rounds": (
        lambda x: 0 * x + 1e6 * x.sum(axis=0)
    ),
    "a layer that turns each row by its position": (
        lambda x: apply_rotary(x, angular_frequencies(4))
    ),
    "attention with a causal mask, which clears its input": _masked_attention,
    "a layer that sorts each column, so that its output is the same for every order": (
        lambda x: np.sort(x, axis=0)
    ),
    "a layer that adds to each row the one before": lambda x: x + np.roll(x, 1, 0),
    "a layer that moves the first row, by 0.0001": _plus(1e-4, 0, 0, 0, 0, 0),
    "a layer that adds 1 to the row behind a certain one": _marks_the_next,
    "a layer that takes 1 from the last row, in each order but that of `x`": _lowers_the_last,
    "a layer that is right, and writes into its input": _doubles_in_place,
    "a layer that is right for the orders that you try, and for no other of the 720": (
        _errs_elsewhere
    ),
}


def _test(after=lambda y, order: y[order]):
    """Return a test of a layer by all orders of its rows."""
    return lambda layer, x: all(
        np.allclose(layer(x[list(order)]), after(layer(x.copy()), list(order)))
        for order in permutations(range(len(x)))
    )


is_equivariant = Exercise(
    "is_equivariant",
    task="`True` if shuffled rows come out of the `layer` shuffled, and no other way",
    reference=_test(),
    cases=[
        Case(layer, _scores([9, i], 6, 4), label=label)
        for i, (label, layer) in enumerate(_LAYERS.items())
    ],
    run=_test_with,
    hint="Shuffled rows should come out shuffled likewise, in each order.",
    mistakes={
        "You test invariance: that the output does not change at all. Equivariant means that it is "
        "shuffled like the input.": _test(after=lambda y, order: y),
        "In and out are shuffled in different ways, or one of them not at all: `y[order]` and "
        "`y[np.argsort(order)]`, say, differ, except for swaps.": _test(
            after=lambda y, order: y[np.argsort(order)]
        ),
    },
    correct="Attention passes, and what adds positions does not: that is what positions are for.",
)


def _judge_neighbors(scores, encoding, frequencies):
    apart = np.linalg.norm(encoding[:, None] - encoding, axis=-1)
    is_neighbor = np.isclose(apart, distance_at(1, frequencies), rtol=1e-6)
    finite = scores[np.isfinite(scores) & ~np.eye(len(scores), dtype=bool)]
    margin = 1e-9 * np.ptp(finite) if finite.size else 0
    for row in np.flatnonzero(is_neighbor.sum(axis=1) == 2):
        neighbors, others = scores[row, is_neighbor[row]], scores[row, ~is_neighbor[row]]
        if neighbors.min() > others.max() + margin:
            continue
        if neighbors.max() < others.min() - margin:
            return f"In row {row} the neighbors have the smallest scores. Is a sign reversed?"
        if neighbors.max() > others.max() + margin:
            return (
                f"Row {row}: one neighbor has the largest score, the other is not above the rest."
            )
        if scores[row, row] >= neighbors.min() - margin:
            return (
                f"Row {row} gives itself a score of {scores[row, row] + 0:.6g}, and to a neighbor "
                f"{neighbors.min() + 0:.6g}. Both should be above it. If two heads are added, the "
                "middle wins: let either be enough."
            )
        best = np.flatnonzero((scores[row] == others.max()) & ~is_neighbor[row])[0]
        profile = distance_at(np.arange(len(scores)), frequencies)
        steps = np.abs(profile - apart[row, best]).argmin()
        if others.max() <= neighbors.max() + margin:
            return f"Row {row} has as large a score for row {best}, {steps} positions away."
        return (
            f"Row {row} has a larger score for row {best}, {steps} positions away, than for both. "
            "Is your shift too long, or do scores grow again behind the neighbors?"
        )
    return ""


def _round_case():
    """Return a case whose first hand comes round in five positions."""
    frequencies = np.array([0.4 * np.pi, 0.1])
    rows = fourier_features(np.arange(12), frequencies)
    return Case(rows, frequencies, label="12 rows whose first hand is back after five")


def _rows_case(start, length, width, base, *, shuffled=False):
    rows = sinusoidal(length, width, start=start, base=base)
    words, hint = f"{length} rows from {start} on (width {width}, base {base})", ""
    if shuffled:
        rows = np.random.default_rng(7).permutation(rows)
        words, hint = f"{words}, shuffled", "A head sees the rows, not their numbers."
    return Case(rows, angular_frequencies(width, base=base), label=words, hint=hint)


both_neighbors = Exercise(
    "both_neighbors",
    task="scores whose two largest in each inner row are those of its two neighbors",
    reference=lambda encoding, frequencies: (
        -np.abs(encoding @ encoding.T - np.sum(np.cos(frequencies)))
    ),
    cases=[
        _rows_case(0, 8, 16, 10_000),
        _rows_case(1000, 30, 64, 10_000),
        _rows_case(3.5, 60, 128, 1_000_000),
        _rows_case(5, 10, 16, 3),
        _rows_case(3, 12, 8, 10_000),
        _round_case(),
        _rows_case(41, 25, 32, 10_000, shuffled=True),
    ],
    judge=_judge_neighbors,
    mistakes={
        "The sum of two heads is largest for the position in the middle, the query's own. What "
        "must be taken away?": lambda x, w: x @ (shift_matrix(w, 1) + shift_matrix(w, -1)) @ x.T
    },
    correct="Your head and your neighbor's need not agree: many scores have their largest values "
    "in the same places.",
)
