"""The exercises of notebook 07, *Attention with and without positions*."""

import numpy as np

from posenc.attention import softmax
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.shifts import shift_by_phase, shift_matrix

from ._checkers import Case, FunctionCheck, Mistake, Property

_generator = np.random.default_rng(7)
_WIDE = softmax(_generator.normal(size=(2, 4)))
_SQUARE = softmax(2 * _generator.normal(size=(5, 5)))

most_attended = FunctionCheck(
    "most_attended",
    task="for each query, the number of the key to which it gives most",
    reference=lambda weights: np.argmax(weights, axis=1),
    cases=[
        Case(np.array([[1.0]]), label="a single token"),
        Case(np.array([[0.2, 0.8], [0.1, 0.9]]), label="two tokens"),
        Case(_WIDE, label="2 queries and 4 keys"),
        Case(_SQUARE, label="5 tokens"),
    ],
    axes=("query",),
    mistakes=[
        Mistake(
            "You looked down the columns, and so found for each key the query that gives it "
            "most. To whom does a row belong?",
            lambda weights: np.argmax(weights, axis=0),
        ),
        Mistake(
            "These are the largest weights. Asked for is not how large they are, but where they "
            "stand.",
            lambda weights: np.max(weights, axis=1),
        ),
        Mistake(
            "That is the place of the largest weight of the whole matrix. Each query has an "
            "answer of its own.",
            lambda weights: np.argmax(weights),
        ),
        Mistake(
            "These are the keys that get least.",
            lambda weights: np.argmin(weights, axis=1),
        ),
        Mistake(
            "You count the keys from 1. They are numbered like Python's indices.",
            lambda weights: np.argmax(weights, axis=1) + 1,
        ),
    ],
    correct="Along a row, because rows are queries: each of them spends a total of 1.",
)


def _quotient(exponentials, axis):
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


row_softmax = FunctionCheck(
    "row_softmax",
    task="the weights for a matrix of scores, one row for each query",
    reference=softmax,
    cases=[
        Case(np.array([[0.0]]), label="one query and one key"),
        Case(np.array([[0.5, -1.0, 2.0]]), label="a single query"),
        Case(_generator.normal(size=(3, 3)), label="3 queries with small scores"),
        Case(np.array([[1e5, 0.0], [0.0, 1.0]]), label="a score of 100000"),
        Case(np.array([[1e5, 1e5 - 1], [-1e5, -1e5 - 1]]), label="scores of 100000 and −100000"),
        Case(np.array([[1e3, 999.0], [-1e3, -1001.0]]), label="scores of 1000 and −1000"),
    ],
    axes=("query", "key"),
    mistakes=[
        Mistake(
            "The sum runs over all queries together: the whole matrix sums to 1. And what does "
            "Python make of e to the power of 100000?",
            lambda scores: _quotient(np.exp(scores), None),
        ),
        Mistake(
            "Large scores are safe now, but the sum runs over the whole matrix. Whose weights "
            "should sum to 1?",
            lambda scores: _quotient(np.exp(scores - np.max(scores)), None),
        ),
        Mistake(
            "Each row has a sum of its own, as it should. But e to the power of 100000 is "
            "infinite for Python, and infinity divided by infinity is NaN. What can you subtract "
            "from a row without changing its weights?",
            lambda scores: _quotient(np.exp(scores), 1),
        ),
        Mistake(
            "Subtracting a number from each row is right, but yours is too small for a row with "
            "one score far above the others: its exponential is still infinite. Which number is "
            "never too small?",
            lambda scores: _quotient(np.exp(scores - np.mean(scores, axis=1, keepdims=True)), 1),
        ),
        Mistake(
            "You cut large scores off, and those beyond the cut become equal: 1000 and 999 should "
            "get different weights.",
            lambda scores: _quotient(np.exp(np.clip(scores, -500, 500)), 1),
        ),
        Mistake(
            "You subtracted the largest score of the whole matrix. A row far below it becomes "
            "0/0. Which maximum is safe for every row?",
            lambda scores: _quotient(np.exp(scores - np.max(scores)), 1),
        ),
        Mistake(
            "Your columns sum to 1, not your rows. Along which axis does a query lie?",
            lambda scores: _quotient(np.exp(scores - np.max(scores, axis=0)), 0),
        ),
        Mistake(
            "The sums are those of the rows, but NumPy divides column j by sum j, because the "
            "sums lie along one axis only. What does `keepdims` do?",
            lambda scores: (
                np.exp(scores - np.max(scores, axis=1, keepdims=True))
                / np.sum(np.exp(scores - np.max(scores, axis=1, keepdims=True)), axis=1)
            ),
        ),
        Mistake(
            "You divided by the largest score. That changes the differences between scores, and "
            "with them the weights.",
            lambda scores: softmax(
                scores / np.where(np.max(scores), np.max(scores, axis=1, keepdims=True), 1)
            ),
        ),
        Mistake(
            "These are the exponentials, each divided by the largest of its row. What should they "
            "be divided by?",
            lambda scores: np.exp(scores - np.max(scores, axis=1, keepdims=True)),
        ),
    ],
    properties=[
        Property(
            "Each row must sum to 1.",
            lambda found, scores: np.allclose(found.sum(axis=1), 1, atol=1e-5),
        ),
    ],
    correct="The subtracted maximum cancels in the quotient, and no exponential exceeds 1.",
)

# No row is all True or all False, so that a mask that is turned around hides no row wholly.
_CAUSAL = np.tri(3, 4, dtype=bool)
_HIDDEN = np.array([[True, False, True], [False, True, False]])
_FAVORED = np.array([[0.5, 3.0, -1.0], [2.0, 0.1, 0.4]])

masked_softmax = FunctionCheck(
    "masked_softmax",
    task="the weights for `scores` of which only those where `mask` is True count",
    reference=lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
    cases=[
        Case(np.array([[0.0, 0.0]]), np.array([[True, False]]), label="one hidden key"),
        Case(_generator.normal(size=(3, 4)), _CAUSAL, label="a causal mask"),
        Case(_FAVORED, _HIDDEN, label="a mask that hides the best key"),
        Case(_generator.normal(size=(3, 3)) - 1e4, ~np.eye(3, dtype=bool), label="low scores"),
        Case(
            np.array([[1001.0, 0.5, 1.5], [0.2, -0.3, 1000.0]]),
            np.array([[False, True, True], [True, True, False]]),
            label="a hidden score that is 1000 above the others",
        ),
    ],
    axes=("query", "key"),
    mistakes=[
        Mistake(
            "The mask has no effect at all: hidden keys still get weight.",
            lambda scores, mask: softmax(scores),
        ),
        Mistake(
            "You hid the weights after the softmax, so what was hidden is missing from the sum. "
            "Each row should still sum to 1.",
            lambda scores, mask: softmax(scores) * mask,
        ),
        Mistake(
            "A hidden score became 0, but e⁰ is 1, and so hidden keys still get weight. Which "
            "score has the exponential 0?",
            lambda scores, mask: softmax(scores * mask),
        ),
        Mistake(
            "The mask is turned around: True means that the query may look.",
            lambda scores, mask: softmax(np.where(mask, -np.inf, scores)),
        ),
        Mistake(
            "A score of −1 is low, but not hidden: next to a score of −10000 it is the best of "
            "all. Which score is below every other?",
            lambda scores, mask: softmax(np.where(mask, scores, -1.0)),
        ),
        Mistake(
            "Your hidden scores are low, but the others may be lower still. Which score is below "
            "every other?",
            lambda scores, mask: softmax(np.where(mask, scores, -1000.0)),
        ),
        Mistake(
            "A hidden score far above the others spoils its row before you hide it: exponentials "
            "become 0 or infinite, and their quotients NaN. Hide the scores first.",
            lambda scores, mask: _quotient(softmax(scores) * mask, 1),
        ),
        Mistake(
            "You take the exponentials of the scores as they are. For Python e to the power of "
            "1000 is infinite and e to the power of −10000 is 0, and the quotient is NaN.",
            lambda scores, mask: _quotient(np.exp(scores) * mask, 1),
        ),
        Mistake(
            "Nothing is subtracted before the exponentials. For Python e to the power of −10000 "
            "is 0, and 0/0 is NaN: `softmax` takes care of that.",
            lambda scores, mask: _quotient(np.where(mask, np.exp(scores), 0), 1),
        ),
        Mistake(
            "These are the scores with the hidden ones taken out. The softmax is still to come.",
            lambda scores, mask: np.where(mask, scores, -np.inf),
        ),
    ],
    properties=[
        Property(
            "A key that is hidden from a query must get the weight 0.",
            lambda found, scores, mask: np.allclose(found[~mask], 0, atol=1e-5),
        ),
        Property(
            "Each row must sum to 1.",
            lambda found, scores, mask: np.allclose(found.sum(axis=1), 1, atol=1e-5),
        ),
    ],
    correct="A score of minus infinity has the exponential 0, and the others share all the weight.",
)


def _scores(encoding, frequencies, offset):
    return encoding @ shift_matrix(frequencies, offset) @ encoding.T


scores_ahead = FunctionCheck(
    "scores_ahead",
    task="the scores of a head whose queries find the key `offset` positions ahead",
    reference=lambda encoding, frequencies, offset: _scores(encoding, frequencies, -offset),
    cases=[
        Case(sinusoidal(3, 4), angular_frequencies(4), 0, label="offset 0"),
        Case(sinusoidal(6, 8), angular_frequencies(8), 2, label="offset 2"),
        Case(sinusoidal(5, 16, start=100), angular_frequencies(16), 3, label="offset 3"),
        Case(sinusoidal(4, 4, start=7), angular_frequencies(4), 0.5, label="offset 0.5"),
    ],
    axes=("query", "key"),
    mistakes=[
        Mistake(
            "This head looks back: its queries find the key at s − φ. Which way did you turn "
            "the keys, or the queries?",
            _scores,
        ),
        Mistake(
            "There is no shift in it: each query finds itself. If you turned queries and keys "
            "alike, the two turns cancel.",
            lambda encoding, frequencies, offset: encoding @ encoding.T,
        ),
        Mistake(
            "Queries and keys are turned in opposite directions, which makes twice the offset. "
            "Turn one of them only.",
            lambda encoding, frequencies, offset: _scores(encoding, frequencies, -2 * offset),
        ),
        Mistake(
            "It looks the right way. But the scores were to be left as they are, undivided.",
            lambda encoding, frequencies, offset: (
                _scores(encoding, frequencies, -offset) / np.sqrt(encoding.shape[1])
            ),
        ),
        Mistake(
            "These are weights. Asked for are the scores from which they are made.",
            lambda encoding, frequencies, offset: softmax(
                _scores(encoding, frequencies, -offset) / np.sqrt(encoding.shape[1])
            ),
        ),
        Mistake(
            "That is the shifted table, not yet its products with the other one.",
            lambda encoding, frequencies, offset: shift_by_phase(encoding, frequencies, offset),
        ),
    ],
    correct="Turned by M(φ) the keys claim to stand further on, turned by M(−φ) further back.",
)
