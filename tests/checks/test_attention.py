"""The exercises of notebook 07."""

import math

import numpy as np
import pytest

from posenc import checks
from posenc.attention import softmax
from posenc.shifts import shift_by_loop, shift_by_swapping, shift_matrix

from .harness import hold, is_wrong


def test_most_attended():
    hold(
        checks.most_attended,
        solution=lambda weights: np.argmax(weights, axis=1),
        wrong=[
            (lambda w: np.argmax(w, axis=0), "down the columns"),
            (lambda w: w.max(axis=1), "how large they are"),
            (lambda w: w.argmax(), "whole matrix"),
            (lambda w: w.argmin(axis=1), "get least"),
            (lambda w: w.argmax(axis=1) + 1, "count the keys from 1"),
            (lambda w: w.argmax(axis=1)[:, None], "arranged otherwise"),
            (lambda w: [0, 0], "the same whatever"),
            (lambda w: [row.tolist().index(0.8) for row in w], "ValueError"),
        ],
        also_right=[
            lambda w: [max(range(len(row)), key=row.__getitem__) for row in w.tolist()],
            lambda w: np.argsort(w, axis=1)[:, -1],
            lambda w: w.T.argmax(axis=0),
        ],
    )


def row_by_row(scores):
    result = []
    for row in scores.tolist():
        exponentials = [math.exp(score - max(row)) for score in row]
        result.append([e / math.fsum(exponentials) for e in exponentials])
    return result


def exponentials(scores, axis):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def test_row_softmax():
    hold(
        checks.row_softmax,
        solution=lambda s: exponentials(s, 1) / exponentials(s, 1).sum(axis=1, keepdims=True),
        wrong=[
            (lambda s: np.exp(s) / np.sum(np.exp(s)), "all queries together"),
            (lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(), "safe now"),
            (naive, "sum of its own"),
            (
                lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(axis=1, keepdims=True),
                "far below it becomes 0/0",
            ),
            (lambda s: exponentials(s, 0) / exponentials(s, 0).sum(axis=0), "columns sum to 1"),
            (lambda s: exponentials(s, 1), "largest of its row"),
            (lambda s: softmax(s)[:1], "shape (1, 3)"),
            (lambda s: exponentials(s, 1) / exponentials(s, 1).sum(axis=1), "`keepdims`"),
            (lambda s: np.exp(s) / np.exp(s).sum(axis=1), "Look for a division by zero"),
            (lambda s: exponentials(s, 1) / exponentials(s, 1).sum(), "Each row must sum to 1"),
            (lambda s: naive(s - s.mean(axis=1, keepdims=True)), "yours is too small"),
            (lambda s: naive(np.clip(s, -700, 700)), "cut large scores off"),
        ],
        also_right=[
            softmax,
            row_by_row,
            lambda s: np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True)),
            lambda s: 1 / np.exp(s[:, None, :] - s[:, :, None]).sum(axis=2),
        ],
    )


def test_longer_floats_do_not_make_large_scores_safe():
    longer = is_wrong(checks.row_softmax, lambda s: naive(s.astype(np.longdouble)))
    assert "infinite for Python" in longer


@pytest.mark.parametrize("smaller", [np.mean, np.median, np.min])
def test_subtracting_less_than_the_maximum_is_told(smaller):
    def shifted(scores):
        return naive(scores - smaller(scores, axis=1, keepdims=True))

    assert "yours is too small" in is_wrong(checks.row_softmax, shifted)


def test_dividing_by_the_maximum_is_no_softmax():
    def divided(scores):
        largest = scores.max(axis=1, keepdims=True)
        return softmax(scores / np.where(largest == 0, 1, largest))

    assert "divided by the largest score" in is_wrong(checks.row_softmax, divided)


def test_masked_softmax():
    def normalized(weights):
        return weights / weights.sum(axis=1, keepdims=True)

    def renormalized(scores, mask):
        return normalized(softmax(scores) * mask)

    def unshifted(scores, mask):
        return normalized(np.exp(scores) * mask)

    def only_visible(scores, mask):
        weights = np.zeros(scores.shape)
        for row, (score, visible) in enumerate(zip(scores, mask)):
            weights[row, visible] = softmax(score[visible])
        return weights

    hold(
        checks.masked_softmax,
        solution=lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        wrong=[
            (lambda s, m: softmax(s), "no effect at all"),
            (lambda s, m: softmax(s) * m, "after the softmax"),
            (lambda s, m: softmax(s * m), "became 0"),
            (lambda s, m: softmax(np.where(m, -np.inf, s)), "turned around"),
            (lambda s, m: softmax(np.where(m, s, -1)), "score of −1 is low"),
            (lambda s, m: softmax(np.where(m, s, -100)), "may be lower still"),
            (renormalized, "Hide the scores first"),
            (unshifted, "the quotient is NaN"),
            (lambda s, m: normalized(np.exp(np.where(m, s, -np.inf))), "Nothing is subtracted"),
            (lambda s, m: np.where(m, s, -np.inf), "still to come"),
            (lambda s, m: softmax(s - 5 * ~m), "must get the weight 0"),
            (lambda s, m: softmax(np.where(m.T, s, -np.inf)), "ValueError"),
            (lambda s, m: only_visible(s, m) / 2 + m / 4, "Each row must sum to 1"),
        ],
        also_right=[
            only_visible,
            lambda s, m: softmax(np.where(m, s, -1e9)),
            lambda s, m: softmax(s - 1e9 * (1 - m)),
        ],
    )


@pytest.mark.parametrize("low", [-50, -100, -1000, -9000])
def test_a_low_score_hides_nothing(low):
    def hidden(scores, mask):
        return softmax(np.where(mask, scores, low))

    assert "may be lower still" in is_wrong(checks.masked_softmax, hidden)


def test_hiding_exponentials_is_too_late():
    def zeros(scores, mask):
        weights = exponentials(scores, 1) * mask
        return weights / weights.sum(axis=1, keepdims=True)

    def infinite(scores, mask):
        largest = np.where(mask, scores, -np.inf).max(axis=1, keepdims=True)
        weights = np.exp(scores - largest) * mask
        return weights / weights.sum(axis=1, keepdims=True)

    assert "Hide the scores first" in is_wrong(checks.masked_softmax, zeros)
    assert "Hide the scores first" in is_wrong(checks.masked_softmax, infinite)


def test_scores_ahead():
    def solution(encoding, frequencies, offset):
        return encoding @ shift_matrix(frequencies, -offset) @ encoding.T

    def cosines(encoding, frequencies, offset):
        rows = np.arange(len(encoding))
        places = rows[:, None] + offset - rows
        return [[sum(math.cos(w * place) for w in frequencies) for place in row] for row in places]

    hold(
        checks.scores_ahead,
        solution=solution,
        wrong=[
            (lambda e, w, o: e @ shift_matrix(w, o) @ e.T, "looks back"),
            (lambda e, w, o: e @ e.T, "no shift in it"),
            (
                lambda e, w, o: shift_by_loop(e, w, o) @ shift_by_loop(e, w, -o).T,
                "twice the offset",
            ),
            (lambda e, w, o: solution(e, w, o) / np.sqrt(e.shape[1]), "undivided"),
            (lambda e, w, o: softmax(solution(e, w, o) / np.sqrt(e.shape[1])), "are weights"),
            (shift_by_swapping, "the shifted table"),
            (lambda e, w, o: e @ shift_matrix(w, -o) @ e, "ValueError"),
            (lambda e, w, o: solution(e, w, o) + o, "off by one and the same amount"),
        ],
        also_right=[
            lambda e, w, o: e @ shift_matrix(w, o).T @ e.T,
            lambda e, w, o: e @ shift_by_swapping(e, w, -o).T,
            lambda e, w, o: shift_by_loop(e, w, o) @ e.T,
            cosines,
        ],
    )


def test_turns_of_both_cancel():
    def both(encoding, frequencies, offset):
        shifted = shift_by_swapping(encoding, frequencies, offset)
        return shifted @ shifted.T

    assert "the two turns cancel" in is_wrong(checks.scores_ahead, both)
