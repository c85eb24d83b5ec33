"""The exercises of notebook 8, *A head that looks back*."""

import numpy as np
from numpy.random import default_rng

from posenc.blocks import from_rotations, rotations
from posenc.encodings import angular_frequencies
from posenc.layouts import to_halves, to_pairs
from posenc.shifts import shift_matrix

from ._compare import numbers, show
from ._exercise import Exercise

_LONGEST = 8  # letters in a text that fools the rule


def _read_text(answer, far, own):
    """Return a text with -1 behind its end, or in all places for None; or words."""
    text = answer(far, own)
    if text is None:
        return np.full(_LONGEST, -1.0)
    text = numbers(text)
    if isinstance(text, str):
        return text
    if text.ndim != 1 or not 2 <= text.size <= _LONGEST or not np.isin(text, range(8)).all():
        return f"{show(text)}, where `None` or 2 to {_LONGEST} letters from 0 to 7 should be"
    return np.pad(text, (0, _LONGEST - text.size), constant_values=-1)


def _losses(text, far, own):
    """Return what each key loses for the query at the last place."""
    return far * np.arange(len(text))[::-1] + own * (text == text[-1])


def _judge_fool(padded, far, own):
    text = padded[padded >= 0]
    never = far < own < 2 * far
    if not text.size:
        if never:
            return ""
        at, loses = ("its own place", own) if own < far else ("the place two back", 2 * far)
        return (
            f"There is a text. For a query, {at} may lose no more than {loses:g}. Who loses less?"
        )
    losses = _losses(text, far, own)
    read = losses.argmin()
    if text[read] != text[-2]:
        return ""
    said = f"In {show(text)} the keys lose {show(losses.round(6))}, so the last place reads letter "
    said += f"{text[read]:g}, and the letter before is that."
    return f"{said} Can any text fool it?" if never else f"{said} Which key would have to win?"


def _fool(far, own):
    if own < far:
        return [0, 1]
    return None if own < 2 * far else [0, 1, 1]


fool = Exercise(
    "fool",
    task="a text whose last place reads another letter than the one before it, or `None` if "
    "there's none",
    reference=_fool,
    cases={
        f"far = {far:g} and own = {own:g}": (far, own)
        for far, own in [(2.5, 4.0), (3.0, 2.0), (1.0, 2.5), (1.0, 1.99), (1.0, 7.5), (2.0, 0.25)]
    },
    read=_read_text,
    judge=_judge_fool,
    correct="It's never fooled if `own` is between `far` and `2 * far`, as in the head on the "
    "page. For two back there's no such pair of losses.",
)


def _in_pairs(W):
    """Return the nearest matrix of the family in pairs."""
    return from_rotations(rotations(W))


def _in_halves(W):
    return _moved(_in_pairs(_moved(W, to_pairs)), to_halves)


def _moved(W, order):
    """Return W in another layout, with rows and columns moved by `to_halves` or `to_pairs`."""
    return order(order(W, 1).T, 1).T


def _hint_part(part, right, W):
    left, least = (f"{np.sum((W - x) ** 2):.6g}" for x in (part, right))
    leaves = f"It leaves {left} of W, as a sum of squares, and the nearest leaves {least}."
    if not any(np.allclose(part, family(part)) for family in (_in_pairs, _in_halves)):
        return "It belongs to neither family. Which numbers of a block are equal, up to the sign?"
    if any(np.allclose(part, family(W)) for family in (_in_pairs, _in_halves)):
        return f"{leaves} It's the nearest of one family. How do you choose between the two?"
    return f"{leaves} Which number is nearest to two others?"


offset_part = Exercise(
    "offset_part",
    task="the matrix of either family that is nearest to `W`",
    reference=lambda W: max(_in_pairs(W), _in_halves(W), key=np.linalg.norm),
    cases={
        "a single block": (np.array([[1.0, 2.0], [3.0, 5.0]]),),
        "a block of integers": (np.array([[1, 2], [3, 5]]),),
        "a matrix of the family in pairs": (from_rotations(np.array([2 + 1j, 3j])),),
        "one of the family in halves": (
            _moved(from_rotations(np.array([1 - 1j, 2j, 3 + 1j])), to_halves),
        ),
    }
    | {
        f"random matrix {seed}": (default_rng(seed).normal(size=2 * [4 + 2 * (seed % 5)]) ** 3,)
        for seed in range(40)
    },
    slips={
        "That's the nearest of the family in pairs. Is the one in halves nearer for some W?": (
            _in_pairs
        ),
        "That's the nearest of the family in halves. Is the one in pairs nearer for some W?": (
            _in_halves
        ),
        "The numbers are right, but they stand in pairs, whatever the layout of W. How do they get "
        "back?": lambda W: max(_in_pairs(W), _in_pairs(_moved(W, to_pairs)), key=np.linalg.norm),
    },
    hint=_hint_part,
    correct="What you've taken away is orthogonal to what's left: the nearer matrix is also the "
    "longer one.",
)


_STEPS = 60


def _judge_recent(W, frequencies, offset):
    turned = rotations(W)
    if np.abs(W - _in_pairs(W)).max() > 1e-6 * np.abs(W).max():
        return "W is outside of the family. Is each block a rotation times a strength?"
    angles = np.outer(np.arange(offset + _STEPS + 1), frequencies) - np.angle(turned)
    scores = np.cos(angles) @ np.abs(turned)
    if np.ptp(scores) == 0:
        return "All scores are equal. Which pairs are left, and do they turn?"
    if scores.argmax() != offset:
        return f"The key {scores.argmax()} back has the largest score. How far should pairs turn?"
    for place in offset + np.flatnonzero(np.diff(scores)[offset:] >= -1e-9 * np.ptp(scores)):
        k = np.flatnonzero(np.abs(turned) > 1e-9 * np.abs(turned).max())[0]
        return (
            f"The head looks {offset} back, as it should. But the key {place + 1} back has no "
            f"lower score than the one {place} back. Pair {k} is the fastest that's heard, and "
            f"makes half a turn in {np.pi / frequencies[k]:.4g} steps. What does it do then?"
        )
    return ""


def _head(keep, sense=1):
    """Return a head that keeps some pairs, by their speed, and turns them by the offset."""
    return lambda frequencies, offset: from_rotations(
        keep(frequencies) * np.exp(sense * 1j * frequencies * offset)
    )


recent_head = Exercise(
    "recent_head",
    task="a head that looks `offset` back, with lower scores for 60 further steps",
    reference=_head(lambda w: w * _STEPS <= np.pi),
    cases={
        f"{offset} back (width {width}, base {base})": (
            angular_frequencies(width, base=base),
            offset,
        )
        for offset, width, base in [
            (3, 32, 10_000),
            (0, 16, 10_000),
            (12, 64, 1_000_000),
            (100, 4, 500),
            (5, 6, round((59.1 / np.pi) ** 3)),  # pair 1 makes half a turn in 59.1 steps
            (90, 6, round((50 / np.pi) ** 3)),
            (41, 128, 500),
        ]
    },
    judge=_judge_recent,
    slips={
        "That's M(φ). It looks φ back, but its fast pairs come around again and again. Which pairs "
        "fall for 60 steps?": shift_matrix,
        "You keep the fast pairs and drop the slow ones. Which of them come around within 60 "
        "steps?": _head(lambda w: w * _STEPS > np.pi),
        "It looks ahead. Which way must a key be turned that's found behind?": (
            _head(lambda w: w * _STEPS <= np.pi, sense=-1)
        ),
    },
    correct="A pair whose half turn takes more than 60 steps falls all the way. The price is the "
    "lead over the neighbors, which is small.",
)
