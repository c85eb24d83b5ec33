"""The exercises of notebook 8, *Let a head learn*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.learning import from_rotations, rotations
from posenc.shifts import shift_matrix

from ._exercise import Case, Exercise

looks_back = Exercise(
    "looks_back",
    task="how many tokens back, from 0 to 30, the head looks whose four blocks are given",
    reference=7,
    mistakes={
        "Pair 0 turns by 0.72, which is nearly one position. But a turn of 0.72 and one of "
        "0.72 + 2π are the same. Which of the two do the other pairs agree with?": 1,
        "The last pair turns furthest, by 500 positions. How much does it count, with its strength "
        "of 0.01?": 500,
        "That is a turn of pair 0 too many. Which offsets do pairs 1 and 2 speak for?": 13,
        "These keys would stand ahead. Turned the key of t by the offset, it claims to stand "
        "further on, and is found by a query there.": -7,
        "That is the turn of pair 1, in radians. How many positions are that, at a frequency of "
        "0.1?": 0.7,
    },
    hint="Divide each turn by its pair's frequency. Full turns may be added, and pairs count by "
    "their strength. Which offset do they agree on?",
    correct="Pair 0 has gone around once, and a weak pair may say what it likes.",
)


def _blocks(W):
    """Return W with zeros outside of the blocks along the diagonal."""
    return W * np.kron(np.eye(len(W) // 2), np.ones((2, 2)))


def _with_turns(change):
    """Return the projection on the family, with something made of its strengths and turns."""
    return lambda W: from_rotations(change(rotations(W)))


def _random(seed, width):
    return np.random.default_rng([8, seed]).normal(size=(width, width))


offset_part = Exercise(
    "offset_part",
    task="the matrix of the family that is nearest to `W`",
    reference=_with_turns(lambda turns: turns),
    cases=[
        Case(from_rotations(np.array([2 + 1j, 3j])), label="a matrix of the family"),
        Case(np.array([[1.0, 2.0], [3.0, 5.0]]), label="a single block"),
        Case(np.diag(np.arange(6.0)), label="a diagonal matrix"),
        Case(shift_matrix(angular_frequencies(8), 3)[::-1].copy(), label="M(3) upside down"),
        Case(_random(1, 32), label="a random matrix of 32 columns"),
        Case(_blocks(_random(2, 12)), label="random blocks along the diagonal"),
    ],
    mistakes={
        "You keep the blocks. A block of the family has two numbers, not four.": _blocks,
        "You turn each block into a rotation of strength 1. The family has every strength.": (
            _with_turns(lambda turns: turns / np.maximum(np.abs(turns), 1e-12))
        ),
        "The blocks turn backwards: the plus sign stands above the minus.": _with_turns(np.conj),
        "You take the diagonal alone. What turns a pair stands beside it, twice, and with two "
        "signs.": _with_turns(lambda turns: turns.real + 0j),
    },
    correct="What you have taken away is orthogonal to what is left, so that the shares of their "
    "squares add up to 1.",
)


_STEPS = 60


def _judge_recent(W, frequencies, offset):
    shift = shift_matrix(frequencies, 1)
    if np.abs(shift @ W - W @ shift).max() > 1e-6 * np.abs(W).max():
        return (
            "The matrix is outside of the family: its scores depend on more than the offset. "
            "Blocks along the diagonal, each a rotation times a strength, are all there is."
        )
    offsets = np.arange(offset + _STEPS + 1)
    turned = rotations(W)
    scores = np.cos(np.outer(offsets, frequencies) - np.angle(turned)) @ np.abs(turned)
    best = int(scores.argmax())
    least = 1e-9 * np.ptp(scores)
    if best != offset:
        return f"The largest score stands {best} places back, where {offset} is wanted."
    steps = np.diff(scores)[offset:]
    if not (steps < -least).all():
        place = offset + int(np.flatnonzero(steps >= -least)[0])
        return (
            f"The head looks {offset} back, as it should. But the key {place + 1} places back has "
            f"no lower score than the one {place} back."
        )
    return ""


def _head(keep):
    """Return a head that keeps some pairs, by their speed, and turns them by the offset."""
    return lambda frequencies, offset: from_rotations(
        keep(frequencies) * np.exp(1j * frequencies * offset)
    )


def _recent_case(offset, width, base):
    label = f"{offset} back (width {width}, base {base})"
    return Case(angular_frequencies(width, base=base), offset, label=label)


recent_head = Exercise(
    "recent_head",
    task="a head that looks `offset` back, with lower scores for 60 further steps",
    reference=_head(lambda w: w * _STEPS <= np.pi),
    cases=[
        _recent_case(3, 32, 10_000),
        _recent_case(0, 16, 10_000),
        _recent_case(12, 64, 1_000_000),
        _recent_case(5, 32, 500),
    ],
    judge=_judge_recent,
    mistakes={
        "That is M(φ). It looks φ back, but its fast pairs come around again and again, and each "
        "time the score rises.": shift_matrix,
        "You keep the fast pairs and drop the slow ones. Which of them come around within 60 "
        "steps?": _head(lambda w: w * _STEPS > np.pi),
    },
    correct="A pair whose half turn takes more than 60 steps falls all the way, and so do sums of "
    "them. The price is the lead over the neighbors, which is small.",
)
