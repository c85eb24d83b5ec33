"""The exercises of notebook 8, *Let a head learn*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.layouts import to_halves, to_pairs
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
    },
    explain=lambda back, right: (
        "The loud pairs turn by 0.72, 0.70 and 0.07. That many tokens back it would be "
        + ", ".join(f"{x:.3g}" for x in back / 10.0 ** np.arange(3) % (2 * np.pi))
        + ", and full turns."
    ),
    correct="Pair 0 has gone around once, and a weak pair may say what it likes.",
)


_NOISY = shift_matrix(angular_frequencies(16), 5)
_NOISY += 0.3 * np.random.default_rng([8, 3]).normal(size=(16, 16))


def _moved(W, order):
    """Return W in another layout, with rows and columns moved by `to_halves` or `to_pairs`."""
    return order(order(W, 1).T, 1).T


def _in_layout(part, halves):
    """Return the same in the layout of halves, where pair k has the columns k and k + d/2."""
    return (lambda W: _moved(part(_moved(W, to_pairs)), to_halves)) if halves else part


def _nearer(part):
    """Return the better of a part in either layout: the one that leaves less of W."""

    def better(W):
        parts = [_in_layout(part, halves)(W) for halves in (False, True)]
        return min(parts, key=lambda x: np.linalg.norm(W - x))

    return better


def _family_part(W):
    return from_rotations(rotations(W))


def _halves_case(label, W):
    return Case(_moved(W, to_halves), label=label)


def _not_back(W):
    """Return the mistake that returns pairs whatever the layout of W is."""
    parts = [_family_part(W), _family_part(_moved(W, to_pairs))]
    return max(parts, key=np.linalg.norm)


def _mixed_case(seed):
    """Return a case: matrices of both families, whose strengths are of many sizes, and noise."""
    rng = np.random.default_rng([8, 8, seed])
    pairs = int(rng.integers(2, 7))
    parts = []
    for _ in "ab":
        strengths = rng.lognormal(sigma=1.5, size=pairs) * np.exp(1j * rng.uniform(0, 7, pairs))
        mirrored = np.kron(np.diag(rng.lognormal(sigma=1.5, size=pairs)), np.diag([1, -1]))
        parts.append(from_rotations(strengths) + mirrored * (seed % 3 == 0))
    W = parts[0] + _moved(parts[1], to_halves)
    if seed % 4 == 0:
        W = np.rint(99 * W).astype(int)
    return Case(W, label=f"mixed matrix number {seed}")


def _explain_part(part, right, W):
    found, best = (np.sum((W - x) ** 2) for x in (part, right))
    leaves = f"It leaves {found:.4g} of W, as a sum of squares, and the right one {best:.4g}."
    families = {"pairs": _family_part, "halves": _in_layout(_family_part, halves=True)}
    for name, family_part in families.items():
        if np.allclose(part, family_part(W)):
            return f"That is the nearest of the family in {name}. {leaves}"
    for name, family_part in families.items():
        if np.allclose(part, family_part(part)):
            return f"It belongs to the family in {name} and is not the nearest there. {leaves}"
    return (
        "It belongs to neither family: outside of the blocks all is 0, and in a block, the two "
        "numbers on the diagonal are equal, and the two beside it differ in their sign alone."
    )


offset_part = Exercise(
    "offset_part",
    task="the matrix of either family that is nearest to `W`",
    reference=_nearer(_family_part),
    cases=[
        Case(np.array([[1.0, 2.0], [3.0, 5.0]]), label="a single block"),
        Case(from_rotations(np.array([2 + 1j, 3j])), label="a matrix of the family in pairs"),
        _halves_case("one of the family in halves", from_rotations(np.array([1 - 1j, 2j, 3 + 1j]))),
        Case(np.diag(np.arange(6)), label="a diagonal matrix"),
        Case(shift_matrix(angular_frequencies(8), 3)[::-1].copy(), label="M(3) upside down"),
        _halves_case("M(5) in halves, with noise", _NOISY),
        *map(_mixed_case, range(60)),
    ],
    mistakes={
        "That is the nearest of the family in pairs. For some W the one in halves is nearer.": (
            _family_part
        ),
        "That is the nearest of the family in halves. For some W the one in pairs is nearer.": (
            _in_layout(_family_part, halves=True)
        ),
        "The numbers are right, but not all stand where they stood in W: return them in its own "
        "layout.": _not_back,
    },
    explain=_explain_part,
    correct="What you have taken away is orthogonal to what is left, so that the shares of their "
    "squares add up to 1: the nearer matrix is also the longer one.",
)


_STEPS = 60


def _judge_recent(W, frequencies, offset):
    shift = shift_matrix(frequencies, 1)
    if np.abs(shift @ W - W @ shift).max() > 1e-6 * np.abs(W).max():
        return (
            "The matrix is outside of the family: its scores depend on more than the offset. "
            "Blocks along the diagonal, each a rotation times a strength, are all there is."
        )
    angles, turned = np.outer(np.arange(offset + _STEPS + 1), frequencies), rotations(W)
    scores, ahead = (np.cos(x - np.angle(turned)) @ np.abs(turned) for x in (angles, -angles))
    best = int(scores.argmax())
    least = 1e-9 * np.ptp(scores)
    if np.ptp(scores) == 0:
        return "All scores are equal: no pair is left, or none that turns."
    if best != offset:
        if ahead.argmax() == offset and ahead.max() > scores.max():
            return f"It looks {offset} ahead, and not back."
        return f"Of keys behind, the one {best} back has the largest score; {offset} is wanted."
    steps = np.diff(scores)[offset:]
    if not (steps < -least).all():
        heard = np.flatnonzero(np.abs(turned) > 1e-9 * np.abs(turned).max())[0]
        place = offset + int(np.flatnonzero(steps >= -least)[0])
        return (
            f"The head looks {offset} back, as it should. But the key {place + 1} places back has "
            f"no lower score than the one {place} back. Its fastest pair, number {heard}, "
            f"makes half a turn in {np.pi / frequencies[heard]:.4g} steps, and then it rises."
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


def _drawn_recent(seed):
    rng = np.random.default_rng([8, 60, seed])
    base = int(10 ** rng.uniform(2.7, 6))
    return _recent_case(int(rng.integers(101)), 2 * int(rng.integers(2, 17)), base)


recent_head = Exercise(
    "recent_head",
    task="a head that looks `offset` back, with lower scores for 60 further steps",
    reference=_head(lambda w: w * _STEPS <= np.pi),
    cases=[
        _recent_case(3, 32, 10_000),
        _recent_case(0, 16, 10_000),
        _recent_case(12, 64, 1_000_000),
        _recent_case(20, 4, 500),
        *map(_drawn_recent, range(60)),
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
