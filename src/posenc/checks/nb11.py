"""The exercises of notebook 11, *Two dimensions and real numbers*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features

from ._exercise import Case, Exercise

first_farther = Exercise(
    "first_farther",
    task="the first place of one's own row that is less alike than one 4 and 4 away",
    reference=40,
    mistakes={
        "A place of your own row has offset 0 in the rows, and the product of that axis is at its "
        "largest there, 64. Add it.": 5,
        "Every place is at least as near as itself. You compare f(Δx) with the sum of two: the "
        "place in your own row has a second axis, too, with offset 0.": 0,
        "That would be so if near meant the straight line: 4 columns and 4 rows are 5.7 away.": 6,
        "That is the straight line itself. How many columns are as far in products?": np.sqrt(32),
        "That would be so if near meant the number of steps, 4 + 4.": 9,
        "That is the number of steps, 4 + 4. How many columns are as far in products?": 8,
        "That is what the law says, 1.78 · 4². Products ripple around it: compute them.": 28,
        "That is what the law says, 1.78 · 4², and one more. Products ripple around it.": 29,
        "You use the frequencies of width 256, where each axis has half of the width; or you "
        "count one too many.": 41,
        "That is the last one that is still more alike. The first that is not comes next.": 39,
        "That is the last place before all others are less alike. The first one is asked for.": 58,
        "How far away has no sign.": -40,
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
    if np.allclose(np.sort(table, axis=1), np.sort(right, axis=1)):
        return "Each row holds the right numbers, in another order. It is x, y, frame."
    same = np.sort(table.round(6), axis=0), np.sort(right.round(6), axis=0)
    if np.allclose(*same, atol=1e-5):
        return "Each column holds the right numbers, in another order. The column changes first."
    return ""


positions_3d = Exercise(
    "positions_3d",
    task="the encodings of all places of a film, a third of the width for each axis",
    reference=_film(),
    cases=[
        Case(1, 1, 4, 6, label="a single row"),
        Case(1, 3, 1, 6, label="a single column"),
        Case(3, 1, 1, 12, label="a single place in three frames"),
        Case(1, 2, 3, 18, label="a single frame"),
        Case(2, 3, 4, 12, label="2 frames of 3 rows and 4 columns"),
        Case(4, 3, 2, 24, label="4 frames of 3 rows and 2 columns"),
    ],
    mistakes={
        "Three encodings of the full width are added. Each axis should have a third of the width "
        "for itself.": lambda f, r, c, d: sum(np.split(_film()(f, r, c, 3 * d), 3, axis=1)),
        "The frequencies are those of the full width. Each axis has a whole spectrum, of width // "
        "3.": _film(frequencies=lambda third: angular_frequencies(3 * third)[: third // 2]),
    },
    explain=_explain_film,
    correct="Products add up over three axes now, f(Δx) + f(Δy) + f(Δt), so that near is a star "
    "with six points.",
)


def _theirs(steps, width):
    """Return steps as DiT and Flux write them: all cosines, then all sines."""
    table = fourier_features(steps, angular_frequencies(width))
    return np.hstack([table[:, 1::2], table[:, 0::2]])


def _interleaved(order=(1, 0), signs=(1, 1)):
    """Return the halves side by side, in an order."""

    def table(embedding):
        halves = np.split(embedding, 2, axis=1)
        columns = [sign * halves[i] for i, sign in zip(order, signs)]
        return np.stack(columns, axis=-1).reshape(embedding.shape)

    return table


to_course = Exercise(
    "to_course",
    task="the same encodings, with sine and cosine of pair k in columns 2k and 2k + 1",
    reference=_interleaved(),
    cases=[
        Case(_theirs([1.0, 2.0, 3.0], 2), label="a single pair"),
        Case(_theirs([0.0, 1.0], 8), label="steps 0 and 1"),
        Case(_theirs([999.0, 3.5, 3.5, 20.0], 6), label="steps in no order"),
        Case(_theirs(np.arange(5.0), 32), label="steps 0 to 4 at width 32"),
    ],
    mistakes={
        "The cosines stand before the sines: pair k is (sine, cosine), and the sines are in the "
        "second half.": _interleaved((0, 1)),
        "You have exchanged the halves. Sine and cosine of a pair should stand side by side, all "
        "the way.": lambda x: np.roll(x, x.shape[1] // 2, axis=1),
        "Every second column is taken for a half. The cosines are the first half of the columns, "
        "as a block.": lambda x: np.hstack([x[:, 0::2], x[:, 1::2]]),
        "Every second column is taken for a half, and the halves are exchanged. The first half of "
        "the columns are the cosines.": lambda x: np.hstack([x[:, 1::2], x[:, 0::2]]),
        "The sines have the other sign. A cosine before a sine is another order, no other "
        "direction.": _interleaved(signs=(-1, 1)),
        "Row for row the table is built anew, for steps 0, 1, 2 … The steps of this one need not "
        "be those.": lambda x: sinusoidal(*x.shape),
    },
    correct="Now M(φ) turns its pairs. Norms and products were the same before: they could not "
    "have told you.",
)

_DIRECTIONS = np.pi * np.arange(12) / 12


def _ring(frequencies, distance):
    """Return the product over the number of pairs at a distance, in twelve directions."""
    offsets = distance * np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])
    return np.cos(frequencies @ offsets).mean(axis=0)


def _judge_round(frequencies, half, pairs, rng):
    there = _ring(frequencies, half)
    if np.abs(there - 0.5).max() > 0.1:
        for distance in (half, 2 * half):
            ring = _ring(frequencies, distance)
            if np.ptp(ring) > 0.2:
                return (
                    f"It is not round: {distance:g} away the product ranges from {ring.min():.2f} "
                    f"to {ring.max():.2f} of the largest, from direction to direction."
                )
        return (
            f"{half:g} away the product is about {there.mean():.2f} of the largest, where ½ is "
            "wanted."
        )
    for times in (0.5, 2, 2.5, 3, 5):
        ring = _ring(frequencies, times * half)
        low, high, wish = (0.7, 1, "near") if times < 1 else (-0.3, 0.3, "far")
        worst = ring[np.abs(ring - (low + high) / 2).argmax()]
        if not low <= worst <= high + 1e-9:
            return (
                f"It is ½ where it should be. But {times * half:g} away it is {worst:.2f} in some "
                f"direction, and should be between {low} and {high}: {wish} places should "
                f"{'not ' * (times > 1)}be alike."
            )
    return ""


_NORMAL = np.sqrt(2 * np.log(2))  # exp(−σ²·half²/2) is ½ at σ·half


def _normal(scale):
    return lambda half, pairs, rng: rng.normal(0, scale(half), size=(pairs, 2))


round_frequencies = Exercise(
    "round_frequencies",
    task="frequencies whose product is half of the largest at `half`, all around",
    reference=_normal(lambda half: _NORMAL / half),
    cases=[
        Case(5.0, 2000, np.random.default_rng(11), label="half at 5"),
        Case(0.3, 3000, np.random.default_rng(12), label="half at 0.3"),
        Case(80.0, 2500, np.random.default_rng(13), label="half at 80"),
    ],
    judge=_judge_round,
    mistakes={
        "You use `half` itself as σ. Frequencies are radians per unit: the farther the product "
        "should reach, the slower the pairs.": _normal(lambda half: half),
        "With σ = 1/half it is e^(−½) = 0.61 there. When is it ½?": _normal(lambda half: 1 / half),
        "With σ = 2π/half the pairs turn 2π times too fast: σ is in radians already, and not in "
        "whole turns.": _normal(lambda half: 2 * np.pi / half),
        "With σ = 1/half² the units do not fit: σ times a distance has to be an angle, without any "
        "unit.": _normal(lambda half: 1 / half**2),
        "With σ = √2/half the product is e^(−1) = 0.37 at the distance `half`. For which σ is it "
        "½?": _normal(lambda half: np.sqrt(2) / half),
    },
    correct="For normal frequencies σ = √(2 ln 2)/half, about 1.18/half. Any other law that is the "
    "same in all directions would do.",
)
