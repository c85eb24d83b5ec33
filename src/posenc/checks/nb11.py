"""The exercises of notebook 11, *Two dimensions*."""

import numpy as np

from posenc.encodings import angular_frequencies
from posenc.grids import fourier_features

from ._exercise import Case, Exercise

first_farther = Exercise(
    "first_farther",
    task="the first place of one's own row that is less alike than one 4 and 4 away",
    reference=40,
    mistakes={
        "That comes out, among others, without the products of the second axis, where the offsets "
        "are 0 and 4.": 5,
        "Every place is at least as near as itself. Do you look for a smaller product, far enough, "
        "and count the second axis in your own row, with offset 0?": 0,
        "That would be so if near meant the straight line: 4 columns and 4 rows are 5.7 away.": 6,
        "That is the number of steps, 4 + 4. How many columns are as far in products?": 8,
        "That comes out by the law, 1.78 · 4², or with a quarter of the width. Compute the "
        "products.": 28,
        "You use the frequencies of width 256, where each axis has half of the width; or you "
        "count one too many.": 41,
        "That is the last one that is still more alike. The first that is not comes next.": 39,
    },
    hint="Its product is f(Δx) + f(0), that of the other place f(4) + f(4), with the frequencies "
    "of width 128. Go along the row until the first is smaller.",
    correct="The straight line would be 5.7. And products ripple: the place 42 columns away is "
    "more alike again.",
)


def _film(frequencies=angular_frequencies):
    """Return a function for the encodings of a film, with these frequencies of a width."""

    def film(frames, rows, columns, width):
        frame, y, x = np.indices((frames, rows, columns)).reshape(3, -1)
        return np.hstack(
            [fourier_features(axis, frequencies(width // 3)) for axis in (x, y, frame)]
        )

    return film


def _explain_film(table, right, *sizes):
    thirds = zip(*(np.split(x, 3, axis=1) for x in (table, right)))
    wrong = [not np.allclose(*third, atol=1e-5) for third in thirds]
    words = f"Off: the third of {' and '.join(np.array(['x', 'y', 'the frame'])[wrong])}."
    if np.allclose(np.sort(table, axis=1), np.sort(right, axis=1)):
        return f"{words} Each row holds the right numbers, in another order."
    same = np.sort(table.round(6), axis=0), np.sort(right.round(6), axis=0)
    if np.allclose(*same, atol=1e-5):
        return f"{words} Each column holds the right numbers, in another order."
    return words


positions_3d = Exercise(
    "positions_3d",
    task="the encodings of all places of a film, a third of the width for each axis",
    reference=_film(),
    cases=[
        Case(1, 1, 300, 6, label="a single row"),
        Case(1, 3, 1, 6, label="a single column"),
        Case(3, 1, 1, 12, label="a single place in three frames"),
        Case(1, 2, 3, 18, label="a single frame"),
        Case(2, 3, 4, 12, label="2 frames of 3 rows and 4 columns"),
        Case(14, 11, 12, 18, label="14 frames of 11 rows and 12 columns"),
    ],
    mistakes={
        "The frequencies are those of the full width. Each axis has a whole spectrum, of width // "
        "3.": _film(frequencies=lambda third: angular_frequencies(3 * third)[: third // 2])
    },
    explain=_explain_film,
    correct="Products add up over three axes now, f(Δx) + f(Δy) + f(Δt), so that near is a star "
    "with six points.",
)


_SPEEDS = angular_frequencies(128)
_WITHIN = 0.01  # of the largest product


def _differences(speeds, reach, apart=0.5**0.5):
    """Return how unlike the products of two places are, in a row and aslant, 1 to `reach` away."""
    far = np.arange(1, reach + 1)[:, None] * speeds
    return np.abs(np.sum(1 + np.cos(far) - 2 * np.cos(apart * far), axis=1)) / 2


def _mute(apart=0.5**0.5, speeds=_SPEEDS, pairs=None, slow=False):
    """Return a function for the fewest muted pairs with which near is round up to a reach.

    At the distance r the place aslant is `apart` times r away on each axis, and the products are
    divided by that of `pairs` pairs, or of those that are heard.
    """

    def fewest(reach):
        for muted in range(len(speeds)):
            heard = speeds[: len(speeds) - muted] if slow else speeds[muted:]
            if _differences(heard, reach, apart).max() <= _WITHIN * (pairs or len(heard)):
                return muted
        return len(speeds)

    return fewest


def _explain_muted(found, right, reach):
    muted = int(min(max(found - (found > right), 0), 63))
    heard = _SPEEDS[muted:]
    share = _differences(heard, reach).max() / len(heard)
    return f"With {muted} muted, products differ by up to {share:.2%} of the largest."


pairs_to_mute = Exercise(
    "pairs_to_mute",
    task="the fewest of the fastest pairs to mute so that near is round up to `reach`",
    reference=_mute(),
    cases=[(11,), (1,), (3,), (5,), (33,), (300,), (70,)],
    label="a reach of {reach}",
    mistakes={
        "So many come out, among others, if the place aslant is r away on each axis, not r/√2, if "
        "the other is without its second axis, where the offset is 0, or if a product is compared "
        "with the largest and not with the other.": _mute(apart=1),
        "Divide by the largest product of the pairs heard, not of all 64.": _mute(pairs=64),
        "The products are not divided by the largest one.": _mute(pairs=0.5),
        "So many come out, among others, if the slowest pairs are muted, those of one axis, or "
        "none: do both products hear only what is left of the fastest?": _mute(slow=True),
        "That is how many it hears. How many does it mute?": lambda r: 64 - _mute()(r),
        "Each axis has half of the width, and so 64 pairs.": _mute(speeds=angular_frequencies(256)),
    },
    explain=_explain_muted,
    correct="A reach of 10 takes eleven pairs and one of 100 takes 27. Ten times as far is sixteen "
    "pairs more, or a few more still: each is ten times as fast as the sixteenth after it.",
)

_DIRECTIONS = np.stack([np.cos(np.pi * np.arange(24) / 24), np.sin(np.pi * np.arange(24) / 24)])
# So close to each other that a second bump, as wide as the first, would not be missed.
_FAR = np.stack(np.meshgrid(np.arange(-10, 10.1, 0.5), np.arange(0, 10.1, 0.5))).reshape(2, -1)
_FAR = _FAR[:, np.abs(np.hypot(*_FAR) - 6) <= 4]


def _judge_round(frequencies, half, pairs, rng):
    near, there, far = (
        np.cos(frequencies @ (half * places)).mean(axis=0)
        for places in (_DIRECTIONS / 2, _DIRECTIONS, _FAR)
    )
    worst = there[np.abs(there - 0.5).argmax()]
    if np.abs(worst - 0.5) > 0.1 and np.ptp(there) <= 0.1:
        words = f"{half:g} away the product is {worst:.3f} of the largest, where ½ is wanted."
        if abs(np.mean(frequencies**4) / np.mean(frequencies**2) ** 2 - 3) > 0.5:
            return words  # they are not normal
        said = f"The standard deviation is {frequencies.std() * half:.3g}/half"
        return f"{words} {said}, and e^(−σ²r²/2) should be ½ at r = half."
    if np.abs(worst - 0.5) > 0.1:
        alike = np.corrcoef(frequencies.T)[0, 1]
        return (
            f"It is not round: {half:g} away the product ranges from {there.min():.2f} to "
            f"{there.max():.2f} of the largest, from direction to direction."
            + f" The two numbers of a frequency have the correlation {alike:.2f}."
            * bool(abs(alike) > 0.2)
        )
    if near.min() < 0.7:
        return f"It is ½ where it should be. But {half / 2:g} away it is only {near.min():.3f}."
    worst = np.abs(far).argmax()
    if np.abs(far[worst]) > 0.3:
        return (
            f"It is ½ where it should be. But {half * np.hypot(*_FAR[:, worst]):.3g} away it is "
            f"{far[worst]:.2f} in some direction, where it should be about 0."
        )
    return ""


def _normal(factor):
    return lambda half, pairs, rng: rng.normal(0, factor / half, size=(pairs, 2))


round_frequencies = Exercise(
    "round_frequencies",
    task="frequencies whose product is half of the largest at `half`, all around",
    reference=_normal(np.sqrt(2 * np.log(2))),
    cases=[
        Case(5.0, 2000, np.random.default_rng(11), label="half at 5"),
        Case(0.3, 3001, np.random.default_rng(12), label="half at 0.3"),
    ],
    judge=_judge_round,
    mistakes={"With σ = 1/half it is e^(−½) = 0.61 there. When is it ½?": _normal(1)},
    correct="For normal frequencies σ = √(2 ln 2)/half, about 1.18/half. Any other law that is the "
    "same in all directions would do.",
)
