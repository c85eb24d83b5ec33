"""The exercises of notebook 7, *Attention with and without positions*."""

import numpy as np

from posenc.attention import self_attention, softmax
from posenc.distances import distance_at
from posenc.embeddings import load_glove
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.shifts import shift_matrix

from ._exercise import Case, Exercise

_TOKENS = ["the", "cat", "loves", "the", "girl", "every", "day"]


def _most_looked_at(words=1, positions=1, *, axis=0, itself=False, start=0, pick=np.argmax):
    """Return the token that gets the most attention, or with axis 1 the one that gives most."""
    rows = words * load_glove().lookup(_TOKENS)
    rows = rows + positions * sinusoidal(len(_TOKENS), 100, start=start)
    weights = self_attention(rows)[1]
    weights = weights if itself else weights - np.diag(np.diag(weights))
    return pick(weights.sum(axis=axis).round(9))


most_looked_at = Exercise(
    "most_looked_at",
    task=f"the number (0 to 6) of the token of *{' '.join(_TOKENS)}* that gets the most attention "
    "from the six others together, with words and positions added",
    reference=_most_looked_at,
    mistakes={
        "That comes out if you add along the rows, or count from 1. A row says how a token spends "
        "its own attention: what does a column say? The first token is number 0.": lambda: (
            _most_looked_at(axis=1)
        ),
        "That comes out with the attention that a token pays to itself, with positions from 1, or "
        "with a causal mask. None of them belongs here.": lambda: _most_looked_at(itself=True),
        "That is the answer for the words alone. The positions are missing.": lambda: (
            _most_looked_at(positions=0)
        ),
        "That comes out for the positions alone, or for the largest single weight. Add words and "
        "positions, and add up the columns.": lambda: _most_looked_at(words=0),
        "That comes out if the scores are not divided by √d.": lambda: _most_looked_at(
            words=np.sqrt(10), positions=np.sqrt(10)
        ),
        "That token gets the least attention. Which gets the most?": lambda: _most_looked_at(
            pick=np.argmin
        ),
    },
    explain=lambda token: (
        "The tokens have the numbers 0 to 6. Add words and positions, take the weights of "
        "self-attention, set the diagonal to 0 and compare the sums of the columns."
    ),
    correct="It is girl: the columns say who is looked at. Each row sums to 1 and cannot tell.",
)


def _quotient(exponentials):
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def _down_the_columns(axis):
    """Return a masked softmax that divides by the sums of columns, after some maximum."""

    def mistaken(scores, mask):
        hidden = np.where(mask, scores, -np.inf)
        exponentials = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=0)

    return mistaken


def _put_in(low):
    """Return a masked softmax that puts a number in place of hidden scores."""
    return lambda scores, mask: softmax(np.where(mask, scores, low))


# No row is all True or all False, so that a mask that is turned around hides no row wholly.
_HIDDEN = np.array([[True, False, True], [False, True, False]])


def _scores(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


masked_softmax = Exercise(
    "masked_softmax",
    task="the weights for `scores` of which only those where `mask` is True count",
    reference=lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
    cases=[
        Case(np.array([[0.0, 0.0]]), np.array([[True, False]]), label="one hidden key"),
        Case(_scores(1, 3, 4), np.tri(3, 4, dtype=bool), label="a causal mask"),
        Case(
            np.array([[0.5, 3.0, -1.0], [2.0, 0.1, 0.4]]),
            _HIDDEN,
            label="a mask that hides the best key",
        ),
        Case(
            _scores(3, 3, 3) - 1e4,
            ~np.eye(3, dtype=bool),
            label="scores near −10000",
            hint="Which score is below every other?",
        ),
        Case(
            np.array([[1001.0, 0.5, 1.5], [0.2, -0.3, 1000.0]]),
            np.array([[False, True, True], [True, True, False]]),
            label="a hidden score that is 1000 above the others",
        ),
        Case(
            np.array([[1e3, 999.0, 5.0], [-1e3, -1e3, -1001.0]]),
            np.array([[True, True, False], [True, False, True]]),
            label="scores of 1000 in one row and −1000 in another",
        ),
        Case(
            _scores(4, 3, 3) - 1e12,
            ~np.eye(3, dtype=bool),
            label="scores near −10¹²",
            hint="Which score is below every other?",
        ),
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
        "The mask has no effect at all: hidden keys still get weight.": (
            lambda scores, mask: softmax(scores)
        ),
        "You hid the weights after the softmax, so what was hidden is missing from the sum. Each "
        "row should still sum to 1.": lambda scores, mask: softmax(scores) * mask,
        "A hidden score became 0, but e⁰ is 1, and so hidden keys still get weight. Which score "
        "has the exponential 0?": lambda scores, mask: softmax(scores * mask),
        "The mask is turned around: True means that the query may look.": (
            lambda scores, mask: softmax(np.where(mask, -np.inf, scores))
        ),
        "A score of −1 is low, but not hidden: next to a score of −10000 it is the best of all. "
        "Which score is below every other?": _put_in(-1.0),
        "Your hidden scores are low, but the others may be lower still. Which score is below every "
        "other?": _put_in(-1000.0),
        "A hidden score of −10⁹ is the usual shortcut. Next to −10¹² it is the best of all: which "
        "score is below every other?": _put_in(-1e9),
        "You subtract a large number from hidden scores. A hidden score may be larger still: put "
        "something in its place.": lambda scores, mask: softmax(scores - 1e9 * ~mask),
        "A hidden score far above the others spoils its row before you hide it: exponentials "
        "become 0 or infinite, and their quotients NaN. Hide the scores first.": (
            lambda scores, mask: _quotient(softmax(scores) * mask)
        ),
        "You take the exponentials of the scores as they are. For Python e to the power of 1000 is "
        "infinite and e to the power of −10000 is 0, and the quotient is NaN.": (
            lambda scores, mask: _quotient(np.exp(scores) * mask)
        ),
        "Nothing is subtracted before the exponentials. For Python e to the power of −10000 is 0, "
        "and 0/0 is NaN: `softmax` takes care of that.": lambda scores, mask: _quotient(
            np.where(mask, np.exp(scores), 0)
        ),
        "You subtract the largest score of the whole matrix. A row far below it becomes 0/0. Which "
        "maximum is safe for every row?": lambda scores, mask: _quotient(
            np.exp(np.where(mask, scores, -np.inf) - np.max(scores[mask]))
        ),
        "Your columns sum to 1, not your rows. Along which axis does a query lie?": (
            _down_the_columns(None)
        ),
        "You divide by the sums of the columns. Each row should sum to 1: along which axis does a "
        "query lie?": _down_the_columns(1),
        "The whole matrix sums to 1. Each row should.": lambda scores, mask: softmax(
            np.where(mask, scores, -np.inf).ravel()
        ).reshape(scores.shape),
        "These are the scores with the hidden ones taken out. The softmax is still to come.": (
            lambda scores, mask: np.where(mask, scores, -np.inf)
        ),
    },
    explain=lambda weights, scores, mask: (
        "A key that is hidden from a query must get the weight 0."
        if np.abs(weights[~mask]).max(initial=0) > 1e-5
        else "Each row must sum to 1."
        if np.abs(weights.sum(axis=1) - 1).max() > 1e-5
        else "The hidden keys get nothing and each row sums to 1, as it should. The others should "
        "share as the softmax of their scores has it."
    ),
    nan_hint="0/0, ∞ − ∞ and 0 · ∞ are NaN. Put minus infinity in place of the hidden scores, do "
    "not multiply, and let `softmax` divide each row by its sum.",
    correct="A score of minus infinity has the exponential 0, and the others share all the weight.",
)


def _with_noise(x):
    return x + 1e-12 * np.random.default_rng().standard_normal(x.shape)


def _doubles_in_place(x):
    x *= 2
    return x


def _ring(x):
    return x + np.roll(x, 1, axis=0) + np.roll(x, -1, axis=0)


def _right_for_swaps(x):
    """Return a layer that is wrong as soon as three rows stand elsewhere than in `x`."""
    numbers, x = np.arange(len(x))[:, None], x.copy()
    return lambda rows: rows + numbers * ((rows != x).any(axis=1).sum() > 2)


def _right_where_it_tries(test, x):
    """Return a layer that is right for the orders that a test tries, and wrong for others."""
    seen = []
    test(lambda rows: seen.append(np.array(rows)) or rows, x.copy())
    orders = [(y[:, None] == x).all(axis=-1).argmax(axis=1) for y in seen if y.shape == x.shape]
    for one in orders:  # one order that goes together with all that are tried
        if np.ptp(one - np.arange(len(x))) and all((one[o] == o[one]).all() for o in orders):
            return lambda rows: rows + rows[one]
    numbers = np.arange(len(x))
    for order in orders * len(x):  # places that some order exchanges get one number
        numbers = np.minimum(numbers, numbers[order])
    return _plus_numbers(numbers if numbers.any() else range(len(x)))


def _call(test, layer, x):
    if layer is _right_where_it_tries:
        layer = layer(test, x)
    if layer is _right_for_swaps:
        layer = layer(x)
    # What this layer does to `x` is not the test's doing.
    return test(layer, x.copy() if layer is _doubles_in_place else x)


def _plus_numbers(numbers):
    """Return a layer that adds a number to each row."""
    return lambda x: x + np.asarray(numbers, dtype=float)[:, None]


def _layers():
    """Return layers, each with rows to try it with."""
    one = "Shuffled rows come out shuffled: compare with the output shuffled likewise."
    few = (
        "One order does not settle it. Try several, up to all 720 of six rows, and let each count."
    )
    given = [
        ("a layer that doubles each number", lambda x: 2 * x, one),
        (
            "attention",
            lambda x: self_attention(x)[0],
            f"{one} Sums in another order are rounded otherwise, which should be allowed for.",
        ),
        ("a layer that subtracts the mean of all rows", lambda x: x - x.mean(axis=0), one),
        (
            "a layer that reverses each row",
            lambda x: x[:, ::-1],
            "Shuffle the rows, not the columns.",
        ),
        ("a layer that gives each row the mean", lambda x: 0 * x + x.mean(axis=0), one),
        (
            "a layer that adds positions",
            lambda x: x + sinusoidal(*x.shape),
            "Row 0 gets another addition than row 1.",
        ),
        (
            "attention with a causal mask",
            lambda x: self_attention(x, mask=np.tri(len(x), dtype=bool))[0],
            "With the mask a row sees what stands before it.",
        ),
        ("a layer that adds up the rows from the top", lambda x: x.cumsum(axis=0), few),
        (
            "a layer that sorts each column",
            lambda x: np.sort(x, axis=0),
            "Its output is the same for every order. That is invariance: equivariant means that "
            "the output is shuffled like the input.",
        ),
        ("a layer that reverses the order of the rows", lambda x: x[::-1], few),
        (
            "a layer that treats the first two rows alike, only",
            _plus_numbers([0, 0, 1, 2, 3, 4]),
            few,
        ),
        (
            "a layer that treats the last two rows alike, only",
            _plus_numbers([1, 2, 3, 4, 0, 0]),
            few,
        ),
        ("a layer that treats first and last alike", _plus_numbers([0, 1, 2, 2, 1, 0]), few),
        (
            "a layer that adds to each row the one before it",
            lambda x: x + np.roll(x, 1, axis=0),
            few,
        ),
        ("a layer that adds to each row both its neighbors in a ring", _ring, few),
        (
            "a layer that moves the first row by 0.0001",
            _plus_numbers([1e-4, 0, 0, 0, 0, 0]),
            "Small differences count if they are larger than rounding.",
        ),
        (
            "a layer with noise of 10⁻¹²",
            _with_noise,
            "Allow for rounding: `np.allclose` does, `==` does not.",
        ),
        (
            "a layer that writes into its input",
            _doubles_in_place,
            "Give the layer a copy, `x.copy()`, and it cannot spoil your `x`.",
        ),
        (
            "a layer that is right where two rows at most have moved",
            _right_for_swaps,
            "Right for every swap is not right for every order. Six rows have 720 orders, and all "
            "of them can be tried.",
        ),
        (
            "a layer made to be right for the orders that your test tries",
            _right_where_it_tries,
            few,
        ),
    ]
    return [
        Case(layer, _scores([9, i], 6, 3 + i % 2), label=label, hint=hint)
        for i, (label, layer, hint) in enumerate(given)
    ]


def _test(orders, *, equal=np.allclose, every=all, after=lambda y, order: y[order]):
    """Return a test of a layer by some orders of six rows."""
    return lambda layer, x: every(
        equal(layer(x[order]), after(layer(x.copy()), order)) for order in map(list, orders)
    )


def _without_copy(layer, x):
    before = [layer(x)[order] for order in _ORDERS]
    return all(np.allclose(layer(x[order]), y) for order, y in zip(_ORDERS, before))


def _columns(layer, x):
    order = np.roll(np.arange(x.shape[1]), 1)
    return np.allclose(layer(x[:, order]), layer(x.copy())[:, order])


_SWAP, _REVERSAL, _ROLL = [1, 0, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [5, 0, 1, 2, 3, 4]
_ORDERS = [_SWAP, _REVERSAL, _ROLL, [0, 1, 2, 3, 5, 4], [3, 1, 4, 0, 5, 2]]

is_equivariant = Exercise(
    "is_equivariant",
    task="`True` if shuffled rows of `x` come out of the `layer` shuffled and otherwise unchanged, "
    "in every order, else `False`",
    reference=_test(_ORDERS),
    cases=_layers,
    call=_call,
    mistakes={
        "You test invariance: that the output does not change at all. Equivariant means that it is "
        "shuffled like the input.": _test(_ORDERS, after=lambda y, order: y),
        "You shuffle the columns. Tokens are rows.": _columns,
        "You reverse the columns. Tokens are rows.": lambda layer, x: np.allclose(
            layer(x[:, ::-1]), layer(x.copy())[:, ::-1]
        ),
        "You try the swap of the first two rows only.": _test([_SWAP]),
        "You try the swap of the last two rows only.": _test([[0, 1, 2, 3, 5, 4]]),
        "You try the reversed order only.": _test([_REVERSAL]),
        "You try rotations only, in which all rows move on together. Other orders count.": _test(
            [_ROLL]
        ),
        "You shuffle the output the other way round: `y[order]` and `y[np.argsort(order)]` differ, "
        "except for swaps.": _test(_ORDERS, after=lambda y, order: y[np.argsort(order)]),
        "Do not ask for equality to the last digit: sums in another order are rounded otherwise.": (
            _test(_ORDERS, equal=np.array_equal)
        ),
        "One order that fits is not enough: it must be so for all, and you ask for `any`.": _test(
            _ORDERS, every=any
        ),
        "The layer may write into what it is given. Give it a copy, `x.copy()`.": _without_copy,
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
        if neighbors.max() < others.min() + margin:
            return f"In row {row} the neighbors have the smallest scores. Is a sign reversed?"
        if scores[row, row] >= neighbors.min() - margin:
            return (
                f"Row {row} gives itself a score of {scores[row, row]:.6g} and its neighbors "
                f"{neighbors.max():.6g} and {neighbors.min():.6g}. Both should be above it. In a "
                "sum, a product or a minimum of two heads the middle wins: let either be enough."
            )
        if neighbors.max() > others.max() + margin:
            return f"Row {row} looks at one of its neighbors only. Both should have large scores."
        best = np.flatnonzero(scores[row] == others.max())[0]
        profile = distance_at(np.arange(len(scores)), frequencies)
        steps = np.abs(profile - apart[row, best]).argmin()
        return (
            f"Row {row} has a larger score for row {best}, {steps} positions away, than for both. "
            "Is your shift too long, or do scores grow again behind the neighbors?"
        )
    return ""


def _neighbors_case(start, length, width, base, *, shuffled=False):
    rows = sinusoidal(length, width, start=start, base=base)
    words = f"{length} rows from {start} on (width {width}, base {base})"
    hint = "Use the frequencies that are given." * (base != 10_000)
    if shuffled:
        rows = np.random.default_rng(7).permutation(rows)
        words, hint = f"{words}, shuffled", "A head sees the rows, not their numbers."
    return Case(rows, angular_frequencies(width, base=base), label=words, hint=hint)


def _bilinear(*offsets):
    """Return the sum of the scores of heads that look at some offsets."""
    return lambda encoding, frequencies: sum(
        encoding @ shift_matrix(frequencies, offset) @ encoding.T for offset in offsets
    )


both_neighbors = Exercise(
    "both_neighbors",
    task="scores, a row for each query, whose two largest in each inner row are those of the "
    "positions before and after it",
    reference=lambda encoding, frequencies: (
        -np.abs(encoding @ encoding.T - np.sum(np.cos(frequencies)))
    ),
    cases=[
        _neighbors_case(0, 8, 16, 10_000),
        _neighbors_case(1000, 30, 64, 10_000),
        _neighbors_case(7, 12, 16, 100),
        _neighbors_case(3.5, 60, 128, 1_000_000),
        _neighbors_case(5, 10, 16, 3),
        _neighbors_case(41, 25, 32, 10_000, shuffled=True),
    ],
    judge=_judge_neighbors,
    mistakes={
        "Half of both scores is not the half of both heads: the sum of the two is largest for the "
        "position in the middle, the query's own. What must be taken away?": _bilinear(1, -1),
        "This head looks at one neighbor, the position before. Both should have large scores.": (
            _bilinear(1)
        ),
        "This head looks at one neighbor, the position behind. Both should have large scores.": (
            _bilinear(-1)
        ),
        "Each position has the largest product with itself. Something must turn it by one step.": (
            lambda encoding, frequencies: encoding @ encoding.T
        ),
        "This head looks two positions away.": _bilinear(2, -2),
        "Distances are smallest for neighbors, and 0 for the row itself. Scores should be largest "
        "for neighbors.": lambda encoding, frequencies: np.linalg.norm(
            encoding[:, None] - encoding, axis=-1
        ),
        "The nearest of all is the row itself: its distance is 0.": (
            lambda encoding, frequencies: -np.linalg.norm(encoding[:, None] - encoding, axis=-1)
        ),
        "It takes the numbers of the rows for positions. A head sees the rows themselves, which "
        "may stand in any order.": lambda encoding, frequencies: (
            np.eye(len(encoding), k=1) + np.eye(len(encoding), k=-1)
        ),
    },
    correct="Your head and your neighbor's need not agree: many scores have their largest values "
    "in the same places.",
)
