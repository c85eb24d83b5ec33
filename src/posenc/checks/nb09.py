"""The exercises of notebook 9, *From adding to turning*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features
from posenc.layouts import to_halves, to_pairs

from ._exercise import Case, Exercise

caught_up = Exercise(
    "caught_up",
    task="the offset s − t, from 0 to 23, at which the score of the two hands is largest",
    reference=6,
    mistakes={
        "It is the query that goes further around when the offset grows. Which of the two hands "
        "is ahead before the turn?": 18,
        "That is half a turn: the hands stand at a right angle again, and their product is 0.": 12,
        "At offset 0 both hands have turned equally far, and stand at a right angle as before. "
        "Their product is 0.": 0,
        "The hand goes around in 24 positions, not in 12. How many positions are a quarter?": 3,
        "An offset in positions is wanted, not an angle in degrees.": 90,
        "An offset in positions is wanted, not an angle in radians.": np.pi / 2,
        "That key would stand ahead of the query. The distance is right, the direction is not.": -6,
    },
    explain=lambda offset, right: (
        f"At offset {offset:g} the hands are {abs((15 * offset + 90) % 360 - 180):.4g}° apart. Of "
        "the offsets from 0 to 23, the score is largest where they meet."
    ),
    correct="The words set the quarter turn, the speed makes six positions of it.",
)


def _hands(vector):
    """Return pairs as complex numbers, sine + i cosine."""
    return vector[0::2] + 1j * vector[1::2]


def _speeds(query, frequencies):
    return np.pad(frequencies, (0, len(query) // 2 - len(frequencies)))


def _score(product=lambda q, x: q * x.conj()):
    """Return the scores with this or another product of two hands."""

    def score(query, key, frequencies, offsets):
        turns = np.outer(offsets, _speeds(query, frequencies))
        return np.real(np.exp(-1j * turns) @ product(_hands(query), _hands(key)))

    return score


_curve = _score()


def _as_halves(vectors):
    """Return column k with column k + d/2 as pairs, side by side."""
    return vectors[..., to_pairs(np.arange(vectors.shape[-1]), 1)]


def _vectors(seed, width):
    return np.random.default_rng([9, seed]).normal(size=(2, width))


def _curve_case(label, vectors, pairs, offsets):
    frequencies = angular_frequencies(vectors.shape[1])[:pairs]
    return Case(*vectors, frequencies, np.array(offsets), label=label)


score_curve = Exercise(
    "score_curve",
    task="the scores of `query` and `key` at each of `offsets`, with the first pairs turned",
    reference=_curve,
    cases=[
        _curve_case("width 8, all pairs turning", _vectors(0, 8), 4, [0, 1, 2.5, 7, -3, 100]),
        _curve_case("width 4, pair 0 turning", np.array([[0, 1, 1, 0], [0, 1, 0, 2]]), 1, range(4)),
        _curve_case("width 12, two pairs turning", _vectors(1, 12), 2, [0, 5, 30, 987_654.3]),
    ],
    mistakes={
        "The part with the sine is missing. It is what tells before from after, and not the "
        "cosine.": _score(lambda q, x: (q * x.conj()).real),
        "The pairs that stand still are missing. They have a part in the score, too, which is the "
        "same everywhere.": lambda q, x, w, r: _curve(q[: 2 * len(w)], x[: 2 * len(w)], w, r),
        "You pair column k with column k + d/2. Here columns 2k and 2k + 1 are a pair.": (
            lambda q, x, *rest: _curve(_as_halves(q), _as_halves(x), *rest)
        ),
    },
    correct="A pair that stands still is a pair of frequency 0: its part is the same at every "
    "offset, so it can carry what a word means.",
)


def _turned(vectors, frequencies, positions):
    pairs = _hands(vectors.T).T * np.exp(-1j * np.outer(positions, frequencies))
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(vectors.shape)


def _in_place(first):
    """Turn with the sines, or the cosines, that have been overwritten."""

    def turned(vectors, frequencies, positions):
        angles, turned = np.outer(positions, frequencies), np.array(vectors, dtype=float)
        for i in (first, 1 - first):
            other = (-1) ** i * np.sin(angles) * turned[:, 1 - i :: 2]
            turned[:, i::2] = np.cos(angles) * turned[:, i::2] + other
        return turned

    return turned


def _rows(seed, *shape):
    return np.random.default_rng([9, 9, seed]).normal(size=shape)


_WHOLE, _ANY = np.array([[0, 1], [3, 7], [4, 3]]), np.array([70, 3, 3, 100_001])

repaired_turn = Exercise(
    "repaired_turn",
    task="the rows of `vectors`, each turned by its entry of `positions`",
    reference=_turned,
    cases=[
        Case(_rows(0, 1, 4), angular_frequencies(4), np.array([0]), label="position 0"),
        Case(_WHOLE, np.array([np.pi / 6]), [0, 3, 6], label="one pair, whole numbers, a list"),
        Case(_rows(2, 4, 8), angular_frequencies(8), _ANY, label="positions 70, 3, 3 and 100001"),
        Case(_rows(3, 2, 6), angular_frequencies(6, base=50), np.array([-2, 4.5]), label="base 50"),
    ],
    mistakes={
        "As in the function that was given, the cosines are made of sines that have been turned "
        "already.": _in_place(first=0),
        "Now the sines are made of cosines that have been turned already. Both need the old "
        "ones.": _in_place(first=1),
    },
    explain=lambda turned, right, vectors, *given: (
        ""
        if np.allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(vectors, axis=1))
        else "A turn changes the length of no row, and here one has changed."
    ),
    correct="A test at position 0 sees nothing, since there every sine is 0. A test of lengths "
    "would have seen it at once.",
    evidence=Exercise(
        "made_long",
        task="how long the function that was given makes the pair (0, 1) by a quarter turn",
        reference=np.sqrt(2),
        tolerance=6e-3,
        mistakes={
            "So long would a turn leave it. What does the last line make of the cosine?": 1,
            "That is the square of the length.": 2,
            "A length is the root of a sum of squares, and 0 only if both numbers are 0.": 0,
        },
        hint="By a quarter turn the cosine is 0 and the sine is 1. Follow (0, 1) line by line.",
    ),
)


_FARTHEST = 200


def _judge_two(found, frequencies, near, far):
    query, key = found
    if not (query.any() and key.any()):
        return "A vector of zeros gets the score 0 at every offset."
    scores = _curve(query, key, frequencies, np.arange(-_FARTHEST, _FARTHEST + 1))
    ahead, back = scores[_FARTHEST::-1], scores[_FARTHEST:]
    if np.ptp(scores) <= 1e-9 * np.abs(scores).max():
        return "The scores are the same at every offset."
    places = set(np.argsort(-back, kind="stable")[:2].tolist())
    if places != {near, far}:
        if set(np.argsort(-ahead)[:2]) == {near, far}:
            return "It looks ahead: the two largest scores stand at the same offsets forwards."
        first, second = sorted(places)
        one_hill = near and second == first + 1
        joined = "in a product offsets join, in a sum of keys they stay."
        for what, place in {
            f"the sum of both: {joined}": near + far,
            f"the difference of both: {joined}": far - near,
            "the middle of both: two hills are wanted, one at each.": (near + far) / 2,
        }.items():
            if one_hill and abs(back.argmax() - place) <= 0.5:
                return f"The largest score stands at {back.argmax()}, {what}"
        return (
            f"The two largest scores stand at the offsets {first} and {second}, not {near} and "
            f"{far}."
        )
    if abs(back[near] - back[far]) > 0.01 * np.abs(back[[near, far]]).max():
        louder, other = (near, far) if back[near] > back[far] else (far, near)
        return (
            f"The right places are the largest, but the score at {louder} is larger than that at "
            f"{other} by more than a hundredth."
        )
    return ""


def _two_case(width, base, near, far):
    # In narrower rows ripples of one peak move the other: at width 64, 0 and 20 to 1 and 19.
    label = f"{near} and {far} back (width {width}, base {base})"
    return Case(angular_frequencies(width, base=base), near, far, label=label)


def _drawn_two(seed):
    rng = np.random.default_rng([9, seed])
    near = int(180 * rng.uniform() ** 4)
    far = 200 - int((180 - near) * rng.uniform() ** 2)
    return _two_case(int(rng.integers(160, 260)) * 2, int(10 ** rng.uniform(2.7, 4)), near, far)


def _two_places(frequencies, near, far):
    query, near, far = fourier_features([0, near, far], frequencies)
    return np.array([query, near + far])


two_places = Exercise(
    "two_places",
    task="a query and a key for all tokens, whose scores are largest `near` and `far` back",
    reference=_two_places,
    cases=[
        _two_case(320, 10_000, 12, 120),
        _two_case(320, 10_000, 9, 133),
        _two_case(320, 500, 0, 20),
        *map(_drawn_two, range(120)),
    ],
    judge=_judge_two,
    mistakes={
        "All sines stand before all cosines, as some programs have it. Here columns 2k and 2k + 1 "
        "are a pair.": lambda w, n, f: _two_places(w, n, f)[:, to_halves(np.arange(2 * len(w)), 1)]
    },
    correct="Add a third key, and it looks at three places. What a head can look at is what its "
    "frequencies can be summed to.",
)
