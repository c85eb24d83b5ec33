"""The exercises of notebook 7, *Attention with and without positions*."""

from itertools import permutations

import numpy as np

from posenc.attention import self_attention, softmax
from posenc.embeddings import load_glove
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.rotary import apply_rotary

from ._compare import numbers
from ._exercise import Exercise

_SPEEDS = angular_frequencies(4)
_TOKENS = ["the", "cat", "loves", "the", "girl", "every", "day"]


def _attention(axis=0, itself=0):
    """Return how much attention each token gets from the others, or with axis 1 pays to them."""
    rows = load_glove().lookup(_TOKENS) + sinusoidal(len(_TOKENS), 100)
    weights = self_attention(rows)[1]
    np.fill_diagonal(weights, itself * weights.diagonal())
    return weights.sum(axis=axis)


def _hint_most(token, right):
    if token not in range(len(_TOKENS)):
        return "The tokens have the whole numbers 0 to 6. In which column do the others look most?"
    got, word = _attention()[int(token)], _TOKENS[int(token)]
    return f"Token {token:g}, {word}, gets {got:.3f} from the others. Which column sum is larger?"


most_looked_at = Exercise(
    "most_looked_at",
    task="the number of the token that gets the most attention from the others",
    reference=lambda: _attention().argmax(),
    slips={
        "That's the token with the largest column if the attention that each pays to itself is "
        "added, too. Should it be?": lambda: _attention(itself=1).argmax(),
        "Counted from 0, that's “every”, which pays most to the others. Does a row or a column say "
        "who gets attention?": lambda: _attention(axis=1).argmax(),
    },
    hint=_hint_most,
    correct="It's girl: the columns say who's looked at. Each row sums to 1 and can't tell.",
)


def _put_in(low):
    """Return a masked softmax that puts a number in place of hidden scores."""
    return lambda scores, mask: softmax(np.where(mask, scores, low))


def _divided_again(scores, mask):
    weights = softmax(scores) * mask
    with np.errstate(invalid="ignore"):  # 0/0
        return weights / weights.sum(axis=1, keepdims=True)


def weights_hint(weights, visible):
    """Return which row doesn't sum to 1, or how much weight a hidden key gets, or ask."""
    for row in np.flatnonzero(~np.isclose(weights.sum(axis=1), 1)):
        return f"Row {row} sums to {weights[row].sum():.6g}. What makes it sum to 1?"
    if (leak := np.abs(weights * ~visible).max()) > 1e-5:
        return (
            f"A hidden key, where the mask is False, has the weight {leak:.4g}. Which score would "
            "hide it wholly?"
        )
    return "How do the keys that aren't hidden share the weight among themselves?"


# No row is all True or all False, so that a mask that is turned around hides no row wholly.
_HIDDEN = np.array([[True, False, True], [False, True, False]])


def _scores(seed, *shape):
    return np.random.default_rng([7, seed]).normal(size=shape)


masked_softmax = Exercise(
    "masked_softmax",
    task="the weights for `scores` of which only those where `mask` is True count",
    reference=_put_in(-np.inf),
    cases={
        "one hidden key": (np.zeros((1, 2)), np.array([[True, False]])),
        "a causal mask": (_scores(2, 3, 4), np.tri(3, 4, dtype=bool)),
        "a mask that hides the best key": (np.array([[0.0, 3, -1], [2, 0, 1]]), _HIDDEN),
        "rows at 0 and −1000, none hidden": (
            np.array([[0.0, 1], [-1000, -999]]),
            np.tri(2, 2, 1) == 1,
        ),
        "scores near −10000": (_scores(3, 3, 3) - 1e4, ~np.eye(3, dtype=bool)),
        "scores near −10¹²": (_scores(4, 3, 3) - 1e12, ~np.eye(3, dtype=bool)),
        "scores of −10³⁰⁸, and hidden ones of 10³⁰⁰": (np.where(_HIDDEN, -1e308, 1e300), _HIDDEN),
    },
    slips={
        "Where hidden keys had all the weight, 0/0 is left, which is NaN. What can you do before "
        "the softmax?": _divided_again,
        "A finite stand-in such as −10⁹ is above scores of −10¹². What is below all?": (
            _put_in(-1e9)
        ),
    },
    hint=lambda weights, right, scores, mask: weights_hint(weights, mask),
    correct="A score of minus infinity has the exponential 0, and the others share all the weight.",
)


def _errs_for(*order):
    """Return a layer that errs if the first column ranks like this, and in no other order."""
    return lambda x: x - (x[:, 0].argsort().argsort() == order).all()


_LAYERS = {
    "a layer that doubles each number": lambda x: 2 * x,
    "attention": lambda x: self_attention(x)[0],
    "a layer that reverses each row within itself": lambda x: x[:, ::-1],
    "a layer that gives each row a million times the sum": lambda x: 0 * x + 1e6 * x.sum(axis=0),
    "a layer that turns each row by its position": lambda x: apply_rotary(x, _SPEEDS),
    "a layer that sorts each column": lambda x: np.sort(x, axis=0),
    "a layer that adds to each row the one before": lambda x: x + np.roll(x, 1, axis=0),
    "a layer that moves the first row by 0.0001": lambda x: x + 1e-4 * np.eye(len(x))[:, :1],
    "a layer that doubles its input in place": lambda x: np.multiply(x, 2, out=x),
    "a layer that errs for one order of the 720": _errs_for(5, 4, 3, 2, 1, 0),
    "a layer that errs for another order": _errs_for(3, 5, 0, 4, 1, 2),
    "a layer that errs for a third order": _errs_for(0, 2, 1, 5, 3, 4),
}


def _test(after=lambda y, order: y[order]):
    """Return a test of a layer by all orders of its rows."""

    def test(layer, x):
        orders = np.array([*permutations(range(len(x)))])
        return np.allclose([layer(x[order]) for order in orders], after(layer(x.copy()), orders))

    return test


is_equivariant = Exercise(
    "is_equivariant",
    task="`True` if shuffled rows come out of the `layer` shuffled, and no other way",
    reference=_test(),
    cases={label: (layer, np.sort(_scores(6, 6, 4), axis=0)) for label, layer in _LAYERS.items()},
    read=lambda test, layer, x: numbers(test(layer, x.copy())),  # a layer may write into x
    slips={
        "You test that the output stays the same. How should it change when the input is "
        "shuffled?": _test(after=lambda y, order: y),
        "In and out are shuffled in different ways: `y[order]` and `y[np.argsort(order)]` are the "
        "same only for orders that undo themselves. Which of them does the input get?": (
            _test(after=lambda y, order: y[np.argsort(order)])
        ),
    },
    hint="Does each of the 720 orders come out as it went in, up to rounding, if the layer gets a "
    "copy each time?",
    correct="Attention passes, and what adds positions doesn't: that's what positions are for.",
)
