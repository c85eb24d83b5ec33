"""The exercises of notebook 11, *Two dimensions and real numbers*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal

from ._exercise import Case, Exercise
from ._tables import rows_at

first_farther = Exercise(
    "first_farther",
    task="how many columns away the first place of one's own row is that is less alike than the "
    "place 4 columns and 4 rows away, at width 256",
    reference=40,
    mistakes={
        "A place of your own row has offset 0 in the rows, and the product of that axis is at its "
        "largest there, 64. Add it.": 5,
        "Every place is at least as near as itself. You compare f(Δx) with the sum of two: the "
        "place in your own row has a second axis, too, with offset 0.": 0,
        "That would be so if near meant the straight line: 4 columns and 4 rows are 5.7 away.": 6,
        "That is the straight line itself, √(4² + 4²). How many columns are as far in products?": (
            np.sqrt(32)
        ),
        "That would be so if near meant the number of steps, 4 + 4.": 9,
        "That is the number of steps, 4 + 4. How many columns are as far in products?": 8,
        "That is what the law says, 1.78 · 4². Products ripple around the law: compute them.": 28,
        "That is the first whole number beyond what the law says, 1.78 · 4². Products ripple "
        "around the law: compute them.": 29,
        "That is 1.78 · 4², the law. Products ripple around it: compute them.": 1.78 * 16,
        "You use the frequencies of width 256, where each axis has half of the width; or you "
        "count one too many.": 41,
        "That is the last one that is still more alike. The first that is not comes next.": 39,
        "That is the last place before all others are less alike. The first one is asked for.": 58,
        "From there on all are less alike. The first one is asked for, and some that follow it are "
        "more alike again.": 59,
        "How far away has no sign.": -40,
    },
    explain=lambda columns: (
        "Its product is f(Δx) + f(0), that of the other place f(4) + f(4), with the frequencies "
        "of width 128. Go along the row until the first is smaller."
    ),
    correct="The straight line would be 5.7. And products ripple: the place 42 columns away is "
    "more alike again.",
)


# --- a film ---


def _film(order, lines, frames, rows, columns, width, part=None):
    """Return the encodings of a film, its axes in an order, and its lines so too."""
    part = width // 3 if part is None else part
    sizes = {"frame": frames, "y": rows, "x": columns}
    grid = np.meshgrid(*(np.arange(sizes[name]) for name in lines), indexing="ij")
    places = {name: axis.ravel() for name, axis in zip(lines, grid)}
    frequencies = angular_frequencies(part)
    return np.hstack([rows_at(places[name], frequencies) for name in order])


_RIGHT, _LINES = ("x", "y", "frame"), ("frame", "y", "x")


def _with(order=_RIGHT, lines=_LINES, after=lambda table, width: table):
    return lambda frames, rows, columns, width: after(
        _film(order, lines, frames, rows, columns, width), width
    )


def _whole_width_added(frames, rows, columns, width):
    table = _film(_RIGHT, _LINES, frames, rows, columns, width, part=width)
    return table[:, :width] + table[:, width : 2 * width] + table[:, 2 * width :]


def _frequencies_of(share):
    """Return the mistake that takes the first of the frequencies of a wider table."""

    def answer(frames, rows, columns, width):
        wide = _film(_RIGHT, _LINES, frames, rows, columns, width, part=share(width))
        parts = wide.reshape(len(wide), 3, -1)[:, :, : width // 3]
        return parts.reshape(len(wide), width)

    return answer


def _explain_film(table, frames, rows, columns, width):
    here = _with()(frames, rows, columns, width)
    if np.allclose(np.sort(table, axis=1), np.sort(here, axis=1)):
        return "Each row holds the right numbers, in another order."
    same = np.sort(table.round(6), axis=0), np.sort(here.round(6), axis=0)
    if np.allclose(*same, atol=1e-5):
        return "Each column holds the right numbers, in another order."
    return ""


positions_3d = Exercise(
    "positions_3d",
    task="the encodings of all places of a film, frame by frame and row by row: a third of the "
    "width for the column x, one for the row y, one for the frame",
    reference=_with(),
    cases=[
        Case(1, 1, 4, 6, label="a single row"),
        Case(1, 3, 1, 6, label="a single column"),
        Case(3, 1, 1, 12, label="a single place in three frames"),
        Case(1, 2, 3, 18, label="a single frame"),
        Case(2, 3, 4, 12, label="2 frames of 3 rows and 4 columns"),
        Case(4, 3, 2, 24, label="4 frames of 3 rows and 2 columns"),
    ],
    mistakes={
        "The frame's part stands first. It should stand last: x, y, frame.": _with(
            ("frame", "x", "y")
        ),
        "The parts stand in the order frame, y, x. They should stand as x, y, frame.": _with(
            ("frame", "y", "x")
        ),
        "The row's part stands before the column's. x comes first, then y.": _with(
            ("y", "x", "frame")
        ),
        "The frame's part stands in the middle. The order is x, y, frame.": _with(
            ("x", "frame", "y")
        ),
        "It goes column by column. In the table, the columns of a row follow each other.": _with(
            lines=("frame", "x", "y")
        ),
        "All frames of one place follow each other. The places of one frame should.": _with(
            lines=("y", "x", "frame")
        ),
        "From line to line the frame changes first, then the row, then the column. It should be "
        "the other way round.": _with(lines=("x", "y", "frame")),
        "Three encodings of the full width are added. Each axis should have a third for itself.": (
            _whole_width_added
        ),
        "The frequencies are those of the full width. Each axis has a whole spectrum: frequencies "
        "of width // 3.": _frequencies_of(lambda width: width),
        "The frequencies are those of half the width, as in a picture. Here they are of "
        "width // 3.": _frequencies_of(lambda width: 2 * (width // 4)),
        "Each axis is encoded with all sines first, then all cosines. Sine and cosine of a pair "
        "should stand side by side.": _with(
            after=lambda table, width: np.hstack(
                [part[:, columns::2] for part in np.split(table, 3, axis=1) for columns in range(2)]
            )
        ),
        "The cosines stand before the sines.": _with(
            after=lambda table, width: table.reshape(len(table), -1, 2)[:, :, ::-1].reshape(
                table.shape
            )
        ),
    },
    explain=_explain_film,
    correct="Products add up over three axes now, f(Δx) + f(Δy) + f(Δt), so that near is a star "
    "with six points.",
)


# --- a table of somebody else ---


def _theirs(steps, width):
    """Return steps as DiT and Flux write them: all cosines, then all sines."""
    table = rows_at(steps, angular_frequencies(width))
    return np.hstack([table[:, 1::2], table[:, 0::2]])


def _interleaved(first, second):
    return np.stack([first, second], axis=-1).reshape(len(first), -1)


def _split(embedding):
    half = embedding.shape[1] // 2
    return embedding[:, :half], embedding[:, half:]


def _whole(table):
    return np.ascontiguousarray(table)


to_course = Exercise(
    "to_course",
    task="the same encodings in the course's layout: sine and cosine of pair k in columns 2k and "
    "2k + 1",
    reference=lambda embedding: _interleaved(*_split(embedding)[::-1]),
    cases=[
        Case(_theirs([1.0, 2.0, 3.0], 2), label="a single pair"),
        Case(_theirs([0.0, 1.0], 8), label="steps 0 and 1"),
        Case(_theirs([999.0, 3.5, 3.5, 20.0], 6), label="steps in no order"),
        Case(_theirs(np.arange(5.0), 32), label="steps 0 to 4 at width 32"),
    ],
    mistakes={
        "The cosines stand before the sines: pair k is (sine, cosine), and the sines are in the "
        "second half.": lambda e: _interleaved(*_split(e)),
        "You have exchanged the halves. Sine and cosine of a pair should stand side by side.": (
            lambda e: np.hstack(_split(e)[::-1])
        ),
        "All columns are reversed. Pair 0 should come first, and in it the sine.": (
            lambda e: _whole(e[:, ::-1])
        ),
        "Every second column is taken for a half. The first half of the columns are the cosines.": (
            lambda e: np.hstack([e[:, 0::2], e[:, 1::2]])
        ),
        "Every second column is taken for a half, and the halves are exchanged. The first half of "
        "the columns are the cosines.": lambda e: np.hstack([e[:, 1::2], e[:, 0::2]]),
        "Columns 2k and 2k + 1 are exchanged. In this table they are of different pairs.": (
            lambda e: e.reshape(len(e), -1, 2)[:, :, ::-1].reshape(e.shape)
        ),
        "The sines have the other sign. A cosine before a sine is another order, no other "
        "direction.": lambda e: _interleaved(-_split(e)[1], _split(e)[0]),
        "The pairs come in reverse. Pair 0, the fastest, should come first.": lambda e: (
            _interleaved(*(part[:, ::-1] for part in _split(e)[::-1]))
        ),
        "It is the table as it was given.": lambda e: e.copy(),
        "Row for row the table is built anew, for steps 0, 1, 2 … The steps of this one need not "
        "be those.": lambda e: sinusoidal(len(e), e.shape[1]),
    },
    correct="Now M(φ) turns its pairs. Norms and products were the same before: they could not "
    "have told you.",
)


# --- near is round ---

_DIRECTIONS = np.pi * np.arange(12) / 12


def _kernel(frequencies, distance):
    """Return the product over the number of pairs at a distance, in twelve directions."""
    offsets = distance * np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])
    return np.cos(frequencies @ offsets).mean(axis=0)


def _judge_round(frequencies, half, pairs, rng):
    there = _kernel(frequencies, half)
    if np.abs(there - 0.5).max() > 0.1:
        for distance in (half, 2 * half):
            ring = _kernel(frequencies, distance)
            low, high = ring.min(), ring.max()
            if high - low > 0.2:
                return (
                    f"It is not round: {distance:g} away the product ranges from {low:.2f} to "
                    f"{high:.2f} of the largest, from direction to direction."
                )
        return (
            f"{half:g} away the product is about {there.mean():.2f} of the largest, where ½ is "
            "wanted."
        )
    near = _kernel(frequencies, half / 2)
    if near.min() < 0.7:
        return (
            f"It is ½ where it should be. But {half / 2:g} away it is {near.min():.2f} already, "
            "and should be at least 0.7: near places should be alike."
        )
    for times in (2, 2.5, 3, 5):
        far = _kernel(frequencies, times * half)
        worst = far[np.abs(far).argmax()]
        if abs(worst) > 0.3:
            return (
                f"It is ½ where it should be. But {times * half:g} away it is {worst:.2f} in some "
                "direction, and should be between −0.3 and 0.3: far places should not be alike."
            )
    return ""


_NORMAL = np.sqrt(2 * np.log(2))  # exp(−σ²·half²/2) is ½ at σ·half


def _normal(scale):
    return lambda half, pairs, rng: rng.normal(0, scale(half), size=(pairs, 2))


def _along_the_axes(half, pairs, rng):
    frequencies = rng.normal(0, _NORMAL / half, size=(pairs, 2))
    frequencies[::2, 0] = frequencies[1::2, 1] = 0
    return frequencies


def _all_in_one_direction(half, pairs, rng):
    return np.outer(rng.normal(0, _NORMAL / half, size=pairs), [1, 1])


round_frequencies = Exercise(
    "round_frequencies",
    task="frequencies of shape (pairs, 2) whose product is half of the largest at the distance "
    "`half`, in every direction",
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
        "With σ = 1/half the product is e^(−½) = 0.61 there. For which σ is it ½?": _normal(
            lambda half: 1 / half
        ),
        "With σ = 2π/half the pairs turn 2π times too fast: σ is in radians already.": _normal(
            lambda half: 2 * np.pi / half
        ),
        "With σ = 1/half² the units do not fit: σ times a distance has to be an angle.": _normal(
            lambda half: 1 / half**2
        ),
        "With σ = √2/half the product is e^(−1) = 0.37 there. For which σ is it ½?": _normal(
            lambda half: np.sqrt(2) / half
        ),
        "Half of the pairs turn along x alone and the others along y alone. That is the star. Let "
        "each pair have a direction of its own.": _along_the_axes,
        "All pairs turn in one direction, and at a right angle to it nothing changes.": (
            _all_in_one_direction
        ),
    },
    correct="For normal frequencies σ = √(2 ln 2)/half, about 1.18/half. Any other law that is the "
    "same in all directions would do.",
)
