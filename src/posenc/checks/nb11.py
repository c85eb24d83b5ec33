"""The exercises of notebook 11, *Two dimensions*."""

import numpy as np
from numpy.random import default_rng

from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, encode

from ._compare import numbers
from ._exercise import Exercise

_SPEEDS = angular_frequencies(128)  # of one axis


def _hint_farther(columns, right):
    along, at_0, at_4 = dot_product_at([columns, 0, 4], _SPEEDS) / 128
    return (
        f"There your row's product is {along + at_0:.4f} of the largest, and with (4, 4) it's "
        f"{2 * at_4:.4f}. Which place of your row is the first that's below that?"
    )


first_farther = Exercise(
    "first_farther",
    task="the first place of one's own row that is less alike than one 4 and 4 away",
    reference=40,
    slips={
        "That would be so if near meant the straight line: 4 columns and 4 rows are 5.7 away. "
        "Which products do the two places have?": 6,
        "With the frequencies of width 256 it's 41. How wide is the encoding of one axis, or have "
        "you counted one too far?": 41,
    },
    hint=_hint_farther,
    correct="And products ripple: the place 42 columns away is more alike again.",
)


def _film(frames, rows, columns, width, axes=(2, 1, 0)):
    """Return the encodings of a film, with its axes (frame, row, column) in this order."""
    places = np.indices((frames, rows, columns)).reshape(3, -1)
    speeds = angular_frequencies(width // 3)
    return np.hstack([encode(places[axis], speeds) for axis in axes])


def _hint_film(table, right, *sizes):
    axes = zip(("x", "y", "the frame"), *(np.split(each, 3, axis=1) for each in (table, right)))
    wrong = [axis for axis, *thirds in axes if not np.allclose(*thirds, atol=1e-5)]
    words = f"What's wrong: the third of {' and that of '.join(wrong)}."
    return f"{words} At which position is each row there? And how wide is an axis?"


positions_3d = Exercise(
    "positions_3d",
    task="the encodings of all places of a film, a third of the width for each axis",
    reference=_film,
    cases={
        "a single row": (1, 1, 300, 6),
        "a single frame": (1, 120, 3, 18),
        "2 frames of 3 rows and 4 columns": (2, 3, 4, 12),
        "80 frames of 2 rows and 3 columns": (80, 2, 3, 48),
    },
    slips={
        "The thirds stand in reverse order: the frame is first, and x is last.": (
            lambda *sizes: _film(*sizes, axes=(0, 1, 2))
        ),
    },
    hint=_hint_film,
    correct="Products add up over three axes now, so that near is a star with six points.",
)


_DIRECTIONS = np.stack([np.cos(np.pi * np.arange(24) / 24), np.sin(np.pi * np.arange(24) / 24)])
# So close to each other that a second bump, as wide as the first, would not be missed.
_FAR = np.stack(np.meshgrid(np.arange(-10, 10.1, 0.5), np.arange(0, 10.1, 0.5))).reshape(2, -1)
_FAR = _FAR[:, np.abs(np.hypot(*_FAR) - 6) <= 4]


def _judge_round(frequencies, half, pairs, seed):
    near, there, far = (
        np.cos(frequencies @ (half * places)).mean(axis=0)
        for places in (_DIRECTIONS / 2, _DIRECTIONS, _FAR)
    )
    least, most, worst = there.min(), there.max(), abs(far).round(6).argmax()
    if least < 0.4 or most > 0.6:
        even = f"Should the frequencies be {'lower' if least < 0.4 else 'higher'}?"
        return (
            f"{half:g} away the product is {least:.3f} to {most:.3f} of the largest, where ½ is "
            f"wanted. {even if most - least <= 0.1 else 'What makes directions differ?'}"
        )
    if near.min() < 0.7:
        return f"It's ½ where it should be. But {half / 2:g} away it's only {near.min():.3f}."
    if abs(far[worst]) > 0.3:
        return (
            f"It's ½ where it should be. But {half * np.hypot(*_FAR[:, worst]):.3g} away it's "
            f"{far[worst]:.2f} in some direction, where it should be about 0."
        )
    return ""


round_frequencies = Exercise(
    "round_frequencies",
    task="frequencies whose product is half of the largest at `half`, all around",
    reference=lambda half, pairs, rng: rng.normal(0, np.sqrt(np.log(4)) / half, (pairs, 2)),
    cases={"half at 5": (5.0, 2000, 1), "half at 0.3": (0.3, 3001, 2)},
    read=lambda answer, half, pairs, seed: numbers(answer(half, pairs, default_rng(seed))),
    judge=_judge_round,
    correct="A normal law with σ = √(2 ln 2)/half does it, and others that prefer no direction do.",
)
