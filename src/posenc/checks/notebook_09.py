"""The exercises of notebook 9, *From adding to turning*."""

import numpy as np

from posenc.encodings import angular_frequencies

from ._exercise import Case, Exercise
from ._tables import rows_at

caught_up = Exercise(
    "caught_up",
    task="the distance s − t, from 0 to 23, at which the score of the two hands is largest",
    reference=6,
    mistakes={
        "It is the query that goes further around when the distance grows. Which of the two hands "
        "is ahead before the turn?": 18,
        "That is half a turn: the hands stand at a right angle again, and their product is 0.": 12,
        "At distance 0 both hands have turned equally far, and stand at a right angle as before. "
        "Their product is 0.": 0,
        "The hand goes around in 24 positions, not in 12. How many positions are a quarter?": 3,
        "A distance in positions is wanted, not an angle in degrees.": 90,
        "A distance in positions is wanted, not an angle in radians.": np.pi / 2,
        "That key would stand ahead of the query. From 0 to 23, how far back does it stand?": -6,
    },
    explain=lambda distance: (
        "With each step of distance the query's hand turns further by a twenty-fourth. How far "
        "has it to go until it points where the key's hand points?"
    ),
    correct="The words set the quarter turn, the speed makes six positions of it.",
)


def _hands(vector):
    """Return pairs as complex numbers, sine + i cosine."""
    return vector[0::2] + 1j * vector[1::2]


def _score(products, speeds, distances):
    return (np.exp(-1j * np.outer(distances, speeds)) @ products).real


def _speeds(query, frequencies):
    speeds = np.zeros(len(query) // 2)
    speeds[: len(frequencies)] = frequencies
    return speeds


def _curve(query, key, frequencies, distances):
    products = _hands(query) * _hands(key).conj()
    return _score(products, _speeds(query, frequencies), distances)


def _with_products(change):
    """Return a mistake that makes something else of the products of the hands."""

    def curve(query, key, frequencies, distances):
        products = change(_hands(query), _hands(key))
        return _score(products, _speeds(query, frequencies), distances)

    return curve


def _halves(vector):
    """Return column k with column k + d/2 as pairs, side by side."""
    return np.stack(np.split(vector, 2), axis=-1).ravel()


def _vectors(seed, width):
    return np.random.default_rng([9, seed]).normal(size=(2, width))


def _curve_cases():
    many = np.array([0, 1, 2.5, 7, -3, 100])
    return [
        Case(*_vectors(0, 8), angular_frequencies(8), many, label="width 8, all pairs turning"),
        Case(
            np.array([0.0, 1.0, 1.0, 0.0]),
            np.array([0.0, 1.0, 0.0, 2.0]),
            np.array([np.pi / 6]),
            np.arange(4),
            label="width 4, the first pair turning",
            hint="Pair 1 stands still, and its two hands are at a right angle.",
        ),
        Case(
            *_vectors(1, 12),
            angular_frequencies(12)[:2],
            np.array([0, 5, 30]),
            label="width 12, two pairs turning",
            hint="What do the other four pairs add at each distance?",
        ),
        Case(
            *_vectors(2, 6),
            angular_frequencies(6, base=50),
            np.array([9.0]),
            label="width 6, base 50 and a single distance",
        ),
    ]


score_curve = Exercise(
    "score_curve",
    task="the scores of `query` and `key` at each of `distances`, with the first pairs turned",
    reference=_curve,
    cases=_curve_cases,
    mistakes={
        "The hands turn the other way: the sign of the distance, or of an angle, or sine and "
        "cosine of each pair are exchanged.": lambda query, key, frequencies, distances: _curve(
            query, key, frequencies, -distances
        ),
        "Angles of query and key are added, where one must be taken from the other: one of the two "
        "wants a conjugate. Such a score depends on s + t.": _with_products(lambda q, x: q * x),
        "The part with the sine is missing. It is what tells before from after.": (
            lambda query, key, frequencies, distances: (
                np.cos(np.outer(distances, _speeds(query, frequencies)))
                @ (_hands(query) * _hands(key).conj()).real
            )
        ),
        "You have the lengths of the hands, and no angle between them: every δ is 0.": (
            _with_products(lambda q, x: np.abs(q * x))
        ),
        "These are sums of the lengths alone. Nothing turns.": (
            lambda query, key, frequencies, distances: np.full(
                len(distances), np.abs(_hands(query) * _hands(key)).sum()
            )
        ),
        "You take the absolute value of the sum. The score is its real part, with its sign.": (
            lambda query, key, frequencies, distances: np.abs(
                np.exp(-1j * np.outer(distances, _speeds(query, frequencies)))
                @ (_hands(query) * _hands(key).conj())
            )
        ),
        "A score may be negative. Yours have lost their sign.": (
            lambda query, key, frequencies, distances: np.abs(
                _curve(query, key, frequencies, distances)
            )
        ),
        "It takes the distances 0, 1, 2 and so on. Use those that are given.": (
            lambda query, key, frequencies, distances: _curve(
                query, key, frequencies, np.arange(len(distances))
            )
        ),
        "The pairs that stand still are missing. They have the same part at every distance.": (
            lambda query, key, frequencies, distances: _curve(
                query[: 2 * len(frequencies)], key[: 2 * len(frequencies)], frequencies, distances
            )
        ),
        "The last pairs turn and the first stand still. It should be the other way round.": (
            lambda query, key, frequencies, distances: _score(
                _hands(query) * _hands(key).conj(),
                _speeds(query, frequencies[::-1])[::-1],
                distances,
            )
        ),
        "You pair column k with column k + d/2. Here columns 2k and 2k + 1 are a pair.": (
            lambda query, key, frequencies, distances: _curve(
                _halves(query), _halves(key), frequencies, distances
            )
        ),
        "You divide by √d, which was not asked for here.": (
            lambda query, key, frequencies, distances: (
                _curve(query, key, frequencies, distances) / np.sqrt(len(query))
            )
        ),
        "Every pair turns at the speed 1: the frequencies are not used, or only to count.": (
            lambda query, key, frequencies, distances: _curve(
                query, key, np.ones(len(frequencies)), distances
            )
        ),
        "It computes frequencies of base 10 000 for all pairs. Use those that are given.": (
            lambda query, key, frequencies, distances: _curve(
                query, key, angular_frequencies(len(query)), distances
            )
        ),
    },
    correct="A pair that stands still is a pair of frequency 0: its part is the same at every "
    "distance, so it can carry what a word means.",
)


def _turned(vectors, frequencies, positions):
    pairs = vectors[:, 0::2] + 1j * vectors[:, 1::2]
    pairs = pairs * np.exp(-1j * np.outer(positions, frequencies))
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(vectors.shape)


def _as_given(vectors, frequencies, positions):
    """Turn as the exercise's own function does."""
    angles = np.outer(positions, frequencies)
    turned = np.array(vectors, dtype=float)
    turned[:, 0::2] = np.cos(angles) * turned[:, 0::2] + np.sin(angles) * turned[:, 1::2]
    turned[:, 1::2] = np.cos(angles) * turned[:, 1::2] - np.sin(angles) * turned[:, 0::2]
    return turned


def _other_overwritten(vectors, frequencies, positions):
    angles = np.outer(positions, frequencies)
    turned = np.array(vectors, dtype=float)
    turned[:, 1::2] = np.cos(angles) * turned[:, 1::2] - np.sin(angles) * turned[:, 0::2]
    turned[:, 0::2] = np.cos(angles) * turned[:, 0::2] + np.sin(angles) * turned[:, 1::2]
    return turned


def _turned_in_halves(vectors, frequencies, positions):
    first, second = np.split(vectors, 2, axis=1)
    pairs = (first + 1j * second) * np.exp(-1j * np.outer(positions, frequencies))
    return np.hstack([pairs.real, pairs.imag])


def _turn_cases():
    def rows(seed, *shape):
        return np.random.default_rng([9, 9, seed]).normal(size=shape)

    return [
        Case(rows(0, 1, 4), angular_frequencies(4), np.array([0]), label="position 0"),
        Case(rows(1, 3, 2), np.array([np.pi / 6]), [0, 1, 2], label="one pair"),
        Case(
            rows(2, 4, 8),
            angular_frequencies(8),
            np.array([70, 3, 3, 1000]),
            label="positions 70, 3, 3 and 1000",
            hint="The rows' positions are those that are given, in any order.",
        ),
        Case(
            rows(3, 2, 6),
            angular_frequencies(6, base=50),
            np.array([-2.0, 4.5]),
            label="base 50 and positions −2 and 4.5",
        ),
    ]


repaired_turn = Exercise(
    "repaired_turn",
    task="the rows of `vectors`, each turned by its entry of `positions`",
    reference=_turned,
    cases=_turn_cases,
    mistakes={
        "It is still the function that was given: the cosines are made of sines that have been "
        "turned already.": _as_given,
        "Now the sines are made of cosines that have been turned already. Both need the old "
        "ones.": _other_overwritten,
        "It turns backwards: both sines have the wrong sign.": (
            lambda vectors, frequencies, positions: _turned(
                vectors, frequencies, np.negative(positions)
            )
        ),
        "It turns each row by its number. Use the positions that are given.": (
            lambda vectors, frequencies, positions: _turned(
                vectors, frequencies, np.arange(len(vectors))
            )
        ),
        "Every pair turns by the position itself. Its angle is the position times its frequency.": (
            lambda vectors, frequencies, positions: _turned(
                vectors, np.ones(len(frequencies)), positions
            )
        ),
        "You pair column k with column k + d/2. Here columns 2k and 2k + 1 are a pair.": (
            _turned_in_halves
        ),
        "You add the encoding of the positions. Here nothing is added, the rows are turned.": (
            lambda vectors, frequencies, positions: vectors + rows_at(positions, frequencies)
        ),
        "You multiply the rows by the encoding of the positions. A turn mixes the two numbers of "
        "a pair.": lambda vectors, frequencies, positions: (
            vectors * rows_at(positions, frequencies)
        ),
        "You multiply by the cosines alone. A turn mixes the two numbers of a pair.": (
            lambda vectors, frequencies, positions: (
                vectors * np.repeat(np.cos(np.outer(positions, frequencies)), 2, axis=1)
            )
        ),
        "It returns the rows as they were given.": (
            lambda vectors, frequencies, positions: vectors.copy()
        ),
        "It computes frequencies of base 10 000. Use those that are given.": (
            lambda vectors, frequencies, positions: _turned(
                vectors, angular_frequencies(vectors.shape[1]), positions
            )
        ),
    },
    explain=lambda turned, vectors, frequencies, positions: (
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
        tolerance=5e-3,
        mistakes={
            "So long would a turn leave it. What does the last line make of the cosine?": 1,
            "That is the square of the length, or the sum of both numbers.": 2,
            "The first number becomes 1: it is not lost.": 0,
        },
        explain=lambda length: (
            "By a quarter turn the cosine is 0 and the sine is 1. Follow (0, 1) through the four "
            "lines."
        ),
    ),
)


_FARTHEST = 200


def _judge_two(found, frequencies, near, far):
    query, key = found
    if not (query.any() and key.any()):
        return "A vector of zeros gets the score 0 at every distance."
    distances = np.arange(-_FARTHEST, _FARTHEST + 1)
    scores = _curve(query, key, frequencies, distances)
    ahead, back = scores[:_FARTHEST], scores[_FARTHEST:]
    if np.ptp(scores) <= 1e-9 * np.abs(scores).max():
        return "The scores are the same at every distance."
    first, second = np.argsort(-back, kind="stable")[:2].tolist()
    if {first, second} != {near, far}:
        if set(np.argsort(-ahead)[:2]) == {_FARTHEST - near, _FARTHEST - far}:
            return "It looks ahead: the two largest scores stand at the same distances forwards."
        places = f"{min(first, second)} and {max(first, second)}"
        return f"The two largest scores stand at the distances {places}, not {near} and {far}."
    if abs(back[near] - back[far]) > 0.01 * np.abs(back[[near, far]]).max():
        louder, other = (near, far) if back[near] > back[far] else (far, near)
        return (
            f"The right places are the largest, but the score at {louder} is larger than that at "
            f"{other} by more than a hundredth."
        )
    return ""


def _two_cases():
    # In narrower rows ripples of one peak move the other, at some places: at width 64 the sum of
    # two keys for 0 and 20 back is largest at 1 and 19.
    for width, base, near, far in (
        (320, 10_000, 12, 120),
        (400, 10_000, 0, 20),
        (320, 2_000, 5, 25),
        (512, 10_000, 4, 24),
        (320, 500, 3, 200),
    ):
        frequencies = angular_frequencies(width, base=base)
        label = f"{near} and {far} back (width {width}, base {base})"
        yield Case(frequencies, near, far, label=label)


def _two_places(frequencies, near, far):
    query, near, far = rows_at([0, near, far], frequencies)
    return np.array([query, near + far])


def _rows(query, key):
    """Return an answer that takes encodings of these positions for its query and its key."""
    return lambda frequencies, near, far: rows_at([query(near, far), key(near, far)], frequencies)


two_places = Exercise(
    "two_places",
    task="a query and a key for all tokens, whose scores are largest `near` and `far` back",
    reference=_two_places,
    cases=lambda: list(_two_cases()),
    judge=_judge_two,
    mistakes={
        "These constants look at the near place alone.": _rows(
            lambda near, far: 0, lambda near, far: near
        ),
        "These constants look at the far place alone.": _rows(
            lambda near, far: 0, lambda near, far: far
        ),
        "Query and key are exchanged, so the head looks ahead.": (
            lambda frequencies, near, far: _two_places(frequencies, near, far)[::-1]
        ),
        "The keys are those of −near and −far, so the head looks ahead.": (
            lambda frequencies, near, far: _two_places(frequencies, -near, -far)
        ),
        "You add the positions, where keys should be added: this head looks near + far back.": (
            _rows(lambda near, far: 0, lambda near, far: near + far)
        ),
        "You take the encoding of the middle: this head looks at one place between the two.": (
            _rows(lambda near, far: 0, lambda near, far: (near + far) / 2)
        ),
        "You use the first place for the query and the second for the key: this head looks at "
        "their difference.": _rows(lambda near, far: near, lambda near, far: far),
        "Both are PE[0], and that looks at the token itself.": _rows(
            lambda near, far: 0, lambda near, far: 0
        ),
        "Pair 0 alone repeats after 6.28 positions, and so do its peaks.": (
            lambda frequencies, near, far: (
                _two_places(frequencies, near, far) * (np.arange(2 * len(frequencies)) < 2)
            )
        ),
        "All sines stand before all cosines. Here columns 2k and 2k + 1 are a pair.": (
            lambda frequencies, near, far: np.hstack(
                [_two_places(frequencies, near, far)[:, i::2] for i in (0, 1)]
            )
        ),
        "The base is not always 10 000. Use the frequencies that are given.": (
            lambda frequencies, near, far: _two_places(
                angular_frequencies(2 * len(frequencies)), near, far
            )
        ),
    },
    correct="Add a third key, and it looks at three places. What a head can look at is what its "
    "frequencies can be summed to.",
)
