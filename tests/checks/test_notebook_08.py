"""The exercises of notebook 8."""

import math

import numpy as np
import pytest

from posenc import checks
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.learning import load_results
from posenc.shifts import rotation, shift_matrix

from .exercise_laws import feedback_of, hold, is_right, is_wrong

W32 = angular_frequencies(32)


def test_looks_back():
    offsets = np.arange(31)
    turned, strengths = np.array([0.72, 0.70, 0.07, 0.5]), [5, 5, 5, 0.01]
    scores = np.cos(np.outer(offsets, angular_frequencies(8)) - turned) @ strengths
    ranked = np.sort(scores)
    assert ranked[-1] - ranked[-2] > 0.1  # far more than rounding
    hold(
        checks.looks_back,
        right=[7, 7.0, scores.argmax(), np.array(7), round(0.7 / 0.1)],
        wrong=[
            (1, "0.72 + 2π are the same"),
            (500, "its strength of 0.01"),
            (13, "too many"),
            (-7, "stand ahead"),
            (0.7, "in radians"),
            (0, "Divide each turn"),
            (0.72, "Divide each turn"),
            (scores, "shape (31,)"),
            ("seven", "the text 'seven'"),
            (6, "Divide each turn"),
        ],
    )


def by_loop(W):
    part = np.zeros(W.shape)
    for i in range(0, len(W), 2):
        a, b = (W[i, i] + W[i + 1, i + 1]) / 2, (W[i, i + 1] - W[i + 1, i]) / 2
        part[i : i + 2, i : i + 2] = [[a, b], [-b, a]]
    return part


def by_projection(W):
    """Project onto a basis of the family, one matrix after the other."""
    part = np.zeros_like(W)
    for k in range(len(W) // 2):
        for block in ([[1, 0], [0, 1]], [[0, 1], [-1, 0]]):
            basis = np.zeros_like(W)
            basis[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = np.array(block) / math.sqrt(2)
            part += (basis * W).sum() * basis
    return part


def by_averaging(W):
    """Average over turns by quarters, which pairs make independently of each other."""
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    for k in range(len(W) // 2):
        turn = np.eye(len(W))
        turn[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = quarter
        turns = [np.linalg.matrix_power(turn, power) for power in range(4)]
        W = sum(t.T @ W @ t for t in turns) / 4
    return W


def by_least_squares(W):
    d = len(W)
    bases = []
    for k in range(d // 2):
        one = np.zeros((d // 2, d // 2))
        one[k, k] = 1
        bases += [np.kron(one, np.eye(2)).ravel(), np.kron(one, [[0, 1], [-1, 0]]).ravel()]
    bases = np.array(bases).T
    return (bases @ np.linalg.lstsq(bases, W.ravel())[0]).reshape(d, d)


def by_lists(W):
    d = len(W)
    rows = [[0.0] * d for _ in range(d)]
    for k in range(d // 2):
        a, b = 2 * k, 2 * k + 1
        rows[a][a] = rows[b][b] = float(W[a][a] + W[b][b]) / 2
        rows[a][b] = float(W[a][b] - W[b][a]) / 2
        rows[b][a] = -rows[a][b]
    return rows


def blocks_alone(W):
    part = np.zeros_like(W)
    for i in range(0, len(W), 2):
        part[i : i + 2, i : i + 2] = W[i : i + 2, i : i + 2]
    return part


def in_place(W):
    part = by_loop(W)
    W[...] = part
    return W


def returned_too_soon(W):
    part = np.zeros(W.shape)
    for i in range(0, len(W), 2):
        part[i : i + 2, i : i + 2] = by_loop(W)[i : i + 2, i : i + 2]
        return part


def unit(W):
    part = by_loop(W)
    for i in range(0, len(W), 2):
        strength = math.hypot(*part[i, i : i + 2])
        if strength:
            part[i : i + 2, i : i + 2] /= strength
    return part


def test_offset_part():
    hold(
        checks.offset_part,
        right=[by_loop, by_projection, by_averaging, by_least_squares, by_lists],
        wrong=[
            (lambda W: W, "give all of W back"),
            (blocks_alone, "two numbers, not four"),
            (unit, "allows every strength"),
            (lambda W: by_loop(W).T, "the other way round"),
            (lambda W: np.diag(by_loop(W).diagonal()), "stands beside it"),
            (lambda W: 2 * by_loop(W), "twice as large"),
            (lambda W: np.diag(W.diagonal()), "numbers differ"),
            (lambda W: (W - W.T) / 2, "numbers differ"),
            (in_place, "changes its input `W`"),
            (returned_too_soon, "A `return` stands inside a loop"),
            (lambda W: by_loop(W)[:2], "should be"),
            (lambda W: np.zeros_like(W), "numbers differ"),
            (lambda W: by_loop(W) / 0, "NaN"),
        ],
    )


def damaged():
    return np.array(load_results()["damaged"])


def changed(pair, turn, by=1.0):
    W = damaged()
    block = slice(2 * pair, 2 * pair + 2)
    W[block, block] = by * W[block, block] @ turn
    return W


def missing_turn(pair=1):
    W = damaged()
    i, j = 2 * pair, 2 * pair + 1
    angle = math.atan2(W[i, j] - W[j, i], W[i, i] + W[j, j])
    return 3 - angle / W32[pair]


def test_mended_head():
    more = missing_turn()
    hold(
        checks.mended_head,
        right=[
            changed(1, rotation(W32[1], more)),
            changed(1, rotation(W32[1], -5)),
            changed(1, rotation(W32[1], more + 2 * math.pi / W32[1])),
            changed(1, rotation(W32[1], more + 0.05)),
            changed(1, rotation(W32[1], more)).tolist(),
        ],
        wrong=[
            (damaged(), "still the damaged matrix"),
            (shift_matrix(W32, 3), "It is M(3)"),
            (changed(1, rotation(W32[1], -more)), "the wrong way"),
            (changed(1, rotation(W32[1], 2)), "does not turn as it should"),
            (changed(1, rotation(W32[1], more), by=0.5), "its strength has changed"),
            (changed(1, np.zeros((2, 2))), "its strength has changed"),
            (changed(3, rotation(W32[3], missing_turn(3))), "You have changed pair 3"),
            (changed(4, rotation(W32[4], missing_turn(4))), "You have changed pair 4"),
            (by_loop(damaged()), "More has changed than one pair's block"),
            (damaged() @ shift_matrix(W32, -1), "More has changed than one pair's block"),
            (damaged() + np.eye(32, k=2), "More has changed than one pair's block"),
            (damaged()[:2, :2], "shape (2, 2)"),
            (1, "should be"),
        ],
    )


def test_the_pair_is_asked_for_besides():
    mended = changed(1, rotation(W32[1], missing_turn()))
    assert "Still wanted: `damaged_pair`" in feedback_of(checks.mended_head, mended).message
    is_right(checks.mended_head, mended, 1)
    assert "Pair 0 turns by three" in is_wrong(checks.mended_head, mended, 0)
    assert "Pair 2 turns by three" in is_wrong(checks.mended_head, mended, 2)
    assert "it is weak" in is_wrong(checks.mended_head, mended, 3)
    assert "look at the strong pairs" in is_wrong(checks.mended_head, mended, 9)
    assert "still the damaged matrix" in is_wrong(checks.mended_head, damaged(), 1)


def test_the_damaged_head_fails_and_no_other_pair_mends_it():
    pe = sinusoidal(432, 32)

    def right(W):
        return np.mean([np.argmax(pe[s] @ W @ pe[s - 31 : s + 1].T) == 28 for s in range(31, 432)])

    assert right(damaged()) < 0.5
    assert right(changed(1, rotation(W32[1], missing_turn()))) == 1
    for pair in (2, 3, 4):
        assert right(changed(pair, rotation(W32[pair], missing_turn(pair)))) < 1


def from_strengths(strengths, offset, frequencies):
    W = np.zeros((2 * len(frequencies),) * 2)
    for k, (r, w) in enumerate(zip(strengths, frequencies)):
        W[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = r * rotation(w, offset)
    return W


def slow_alone(frequencies, offset):
    return from_strengths(frequencies <= np.pi / 60, offset, frequencies)


def bell(frequencies, offset):
    return from_strengths(np.exp(-((frequencies * 30) ** 2) / 2), offset, frequencies)


def slowest(frequencies, offset):
    return from_strengths(frequencies == frequencies.min(), offset, frequencies)


def masked(frequencies, offset):
    return shift_matrix(frequencies, offset) * np.repeat(frequencies < 0.05, 2)[:, None]


def as_lists(frequencies, offset):
    return slow_alone(frequencies, offset).tolist()


def test_recent_head():
    hold(
        checks.recent_head,
        right=[slow_alone, bell, slowest, masked, as_lists, lambda w, n: 1e6 * slow_alone(w, n)],
        wrong=[
            (lambda w, n: shift_matrix(w, n), "come around again and again"),
            (lambda w, n: slow_alone(w, -n), "looks ahead"),
            (lambda w, n: slow_alone(w, 0), "nothing is turned by φ"),
            (lambda w, n: from_strengths(w > np.pi / 60, n, w), "keep the fast pairs"),
            (lambda w, n: slow_alone(w, n + 1), "where 3 is wanted"),
            (lambda w, n: slow_alone(w, n).T, "looks ahead"),
            (lambda w, n: -slow_alone(w, n), "is wanted"),
            (lambda w, n: slow_alone(w, n) + 0.01 * np.eye(2 * len(w), k=2), "outside of the fam"),
            (lambda w, n: slow_alone(w, n)[::-1], "outside of the family"),
            (lambda w, n: from_strengths(w <= 0.2, n, w), "has no lower score"),
            (lambda w, n: np.zeros((2 * len(w), 2 * len(w))), "is wanted"),
            (lambda w, n: slow_alone(w, n)[: len(w)], "should be"),
            (lambda w, n: slow_alone(angular_frequencies(2 * len(w)), n), "is wanted"),
        ],
    )


@pytest.mark.parametrize("case", checks.recent_head.tried, ids=lambda case: case.label)
def test_the_steps_of_the_solution_are_far_above_rounding(case):
    frequencies, offset = case.arguments
    pe = sinusoidal(100, 2 * len(frequencies), base=1 / frequencies[1] ** len(frequencies))
    scores = pe[99] @ slow_alone(frequencies, offset) @ pe[99::-1].T
    assert scores.argmax() == offset
    assert np.diff(scores)[offset : offset + 60].max() < -1e-4
