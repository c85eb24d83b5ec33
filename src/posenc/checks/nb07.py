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
        "That comes out if you add along the rows, or count from 1. A row says how a token spends "
        "its own attention: what does a column say? The first token is number 0.": _token(axis=1),
        "That comes out with the attention that a token pays to itself, with positions from 1, or "
        "with a causal mask. None of them belongs here.": _token(itself=True),
        "That is the answer for the words alone. The positions are missing.": _token(positions=0),
        "That comes out for the positions alone, or for the largest single weight. Add words and "
        "positions, and add up the columns.": _token(words=0),
        "That comes out if the scores are not divided by √d, and is the last token.": _token(
            np.sqrt(10), np.sqrt(10)
        ),
        "That token gets the least attention. Which gets the most?": _token(pick=np.argmin),
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
_OTHERS = ~np.eye(3, dtype=bool)
_BELOW = "Which score is below every other?"


def _scores(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def explain_weights(weights, right, scores, mask):
    """Explain weights that are not those of a masked softmax."""
    if np.abs(weights[~mask]).max(initial=0) > 1e-5:
        return "A key that is hidden from a query must get the weight 0."
    if np.abs(weights.sum(axis=1) - 1).max() > 1e-5:
        return "Each row must sum to 1."
    return "The others should share all the weight as the softmax of their scores has it."


masked_softmax = Exercise(
    "masked_softmax",
    task="the weights for `scores` of which only those where `mask` is True count",
    reference=_put_in(-np.inf),
    cases=[
        Case(np.array([[0.0, 0.0]]), np.array([[True, False]]), label="one hidden key"),
        Case(_scores(1, 3, 4), np.tri(3, 4, dtype=bool), label="a causal mask"),
        Case(
            np.array([[0, 3, -1], [2, 0, 1]]),
            _HIDDEN,
            label="a mask that hides the best key",
        ),
        Case(_scores(3, 3, 3) - 1e4, _OTHERS, label="scores near −10000", hint=_BELOW),
        Case(
            np.array([[1e3, 999.0, 5.0], [-1e3, -1e3, -1001.0]]),
            np.array([[True, True, False], [True, False, True]]),
            label="scores of 1000 in one row and −1000 in another",
        ),
        Case(_scores(4, 3, 3) - 1e12, _OTHERS, label="scores near −10¹²", hint=_BELOW),
        Case(
            np.where(_HIDDEN, _scores(5, 2, 3), 1e12),
            _HIDDEN,
            label="hidden scores of 10¹²",
            hint="A hidden score may be as large as it likes.",
        ),
        Case(
            np.where(_HIDDEN, -1e300, 1e300),
            _HIDDEN,
            label="scores of −10³⁰⁰ and hidden ones of 10³⁰⁰",
            hint="Any number that you put in may be above the others. Which one is not?",
        ),
    ],
    mistakes={
        "You hid the weights after the softmax, so what was hidden is missing from the sum. Each "
        "row should still sum to 1.": lambda s, m: softmax(s) * m,
        "A hidden score became 0, but e⁰ is 1, and so hidden keys still get weight. Which score "
        "has the exponential 0?": lambda s, m: softmax(s * m),
        f"A hidden score of −10⁹ is the best of all next to −10¹². {_BELOW}": _put_in(-1e9),
        "You subtract a large number from hidden scores. A hidden score may be larger still: put "
        "something in its place.": lambda s, m: softmax(s - 1e9 * ~m),
    },
    explain=explain_weights,
    hint="0/0, ∞ − ∞ and 0 · ∞ are NaN. Put minus infinity in place of the hidden scores, do "
    "not multiply, and let `softmax` divide each row by its sum.",
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


def _test_with(test, layer, x):
    """Call a student's test, with a layer that may have been made for it."""
    layer = layer(test, x) if layer in (_errs_elsewhere, _marks_the_next) else layer
    # What this layer does to `x` is not the test's doing.
    return test(layer, x.copy() if layer in (_doubles_in_place, _masked_attention) else x)


_ONE = "Shuffled rows come out shuffled: compare with the output shuffled likewise."
_FEW = "One order does not settle it. Six rows have but 720: try them all, and let each count."


def _layers():
    """Return layers, each with rows to try it with."""
    given = {
        "a layer that doubles each number": (lambda x: 2 * x, _ONE),
        "attention": (lambda x: self_attention(x)[0], f"{_ONE} Allow for rounding."),
        "a layer that reverses each row": (lambda x: x[:, ::-1], "Shuffle rows, not columns."),
        "a layer that gives each row a million times the sum": (
            lambda x: 0 * x + 1e6 * x.sum(axis=0),
            "Rounding grows with the numbers: allow for it in proportion.",
        ),
        "a layer that gives two columns of four": (lambda x: x[:, :2], _ONE),
        "a layer that turns each row by its position": (
            lambda x: apply_rotary(x, angular_frequencies(4)),
            "Lengths of rows say nothing of their numbers.",
        ),
        "a layer that adds positions": (lambda x: x + sinusoidal(*x.shape), _FEW),
        "attention with a causal mask": (
            _masked_attention,
            "With the mask a row sees what stands before it. And this one clears its input.",
        ),
        "a layer that sorts each column": (
            lambda x: np.sort(x, axis=0),
            "Its output is the same for every order. That is invariance: equivariant means that "
            "the output is shuffled like the input.",
        ),
        "a layer that treats first and last alike": (_plus(0, 1, 2, 2, 1, 0), _FEW),
        "a layer that adds to each row the one before": (lambda x: x + np.roll(x, 1, 0), _FEW),
        "a layer that moves the first row by 0.0001": (
            _plus(1e-4, 0, 0, 0, 0, 0),
            "Small differences count if they are larger than rounding.",
        ),
        "a layer that adds 1 to the row behind a certain one": (
            _marks_the_next,
            "It adds 1 to one row of its output.",
        ),
        "a layer that writes into its input": (
            _doubles_in_place,
            "Give the layer a copy, `x.copy()`, and it cannot spoil your `x`.",
        ),
        "a layer that is right for the orders that you try, and for no other": (
            _errs_elsewhere,
            "It errs for every order that you did not try. Six rows have but 720.",
        ),
    }
    return [
        Case(layer, _scores([9, i], 6, 4), label=label, hint=hint)
        for i, (label, (layer, hint)) in enumerate(given.items())
    ]


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
    cases=_layers,
    run=_test_with,
    mistakes={
        "You test invariance: that the output does not change at all. Equivariant means that it is "
        "shuffled like the input.": _test(after=lambda y, order: y),
        "You shuffle the output the other way round: `y[order]` and `y[np.argsort(order)]` differ, "
        "except for swaps.": _test(after=lambda y, order: y[np.argsort(order)]),
    },
    correct="Attention passes, and what adds positions does not: that is what positions are for.",
)


def _judge_neighbors(scores, encoding, frequencies):
    apart = np.linalg.norm(encoding[:, None] - encoding, axis=-1)
    is_neighbor = np.isclose(apart, distance_at(1, frequencies), rtol=1e-6)
    finite = scores[np.isfinite(scores)]
    margin = 1e-6 * np.ptp(finite) if finite.size else 0
    for row in np.flatnonzero(is_neighbor.sum(axis=1) == 2):
        neighbors, others = scores[row, is_neighbor[row]], scores[row, ~is_neighbor[row]]
        if neighbors.min() > others.max() + margin:
            continue
        if neighbors.max() < others.min() - margin:
            return f"In row {row} the neighbors have the smallest scores. Is a sign reversed?"
        if neighbors.max() > others.max() + margin:
            return f"Row {row} looks at one of its neighbors only. Both should have large scores."
        if scores[row, row] >= neighbors.min() - margin:
            return (
                f"Row {row} gives itself a score of {scores[row, row] + 0:.6g} and its neighbors "
                f"{neighbors.max():.6g} and {neighbors.min():.6g}. Both should be above it. If "
                "two heads are added, the middle wins: let either be enough."
            )
        best = np.flatnonzero((scores[row] == others.max()) & ~is_neighbor[row])[0]
        profile = distance_at(np.arange(len(scores)), frequencies)
        steps = np.abs(profile - apart[row, best]).argmin()
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
    words = f"{length} rows from {start} on (width {width}, base {base})"
    hint = "Here the base is another one." * (base != 10_000)
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
        _rows_case(7, 12, 16, 100),
        _rows_case(3.5, 60, 128, 1_000_000),
        _rows_case(5, 10, 16, 3),
        _rows_case(3, 12, 8, 10_000),
        _rows_case(0, 60, 2, 10_000),
        _rows_case(0, 9, 512, 100),
        _round_case(),
        _rows_case(41, 25, 32, 10_000, shuffled=True),
    ],
    judge=_judge_neighbors,
    mistakes={
        "The sum of two heads is largest for the position in the middle, the query's own. What "
        "must be taken away?": lambda x, w: x @ (shift_matrix(w, 1) + shift_matrix(w, -1)) @ x.T,
    },
    correct="Your head and your neighbor's need not agree: many scores have their largest values "
    "in the same places.",
)
