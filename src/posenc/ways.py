"""Ways to tell a head of `posenc.learning` positions.

A way says what is added to the rows, how queries and keys are turned, and how attention scores are
biased. It also says what queries and keys hear of the letters, and how far back a query may look;
the values that attention mixes always hear the letters. Both serve training and measuring::

    Sinusoidal(keys_hear="nothing")  # keys are made of positions only
    dataclasses.replace(way, farthest=31)  # the same way with far keys hidden
"""

from dataclasses import dataclass, field

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.rotary import apply_rotary

KINDS = 8  # of letters
WIDTH = 32
LONGEST = 512  # how many positions the learned table has

HEARD = {
    "letters": np.eye(KINDS),
    "differences": np.eye(KINDS) - 1 / KINDS,
    "mean letter": np.full((KINDS, KINDS), 1 / KINDS),
    "nothing": np.zeros((KINDS, KINDS)),
}
"""What queries or keys may hear: matrices that make it of the eight embeddings."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """Tell no positions: the causal mask is all there is.

    The other ways begin from this one.

    Parameters
    ----------
    queries_hear, keys_hear : {"letters", "differences", "mean letter", "nothing"}
        What queries or keys hear of the letters: the letters themselves, how each differs from
        their mean, their mean in the place of each, or nothing.
    farthest : int, optional
        The largest offset at which a key is seen; every earlier key is, unless given.
    """

    queries_hear: str = "letters"
    keys_hear: str = "letters"
    farthest: int | None = None

    def __post_init__(self):
        """Refuse what can't be heard."""
        for name in ("queries_hear", "keys_hear"):
            if getattr(self, name) not in HEARD:
                allowed = ", ".join(HEARD)
                raise ValueError(f"{name} must be one of {allowed}, got {getattr(self, name)!r}")

    def added(self, parameters, positions):
        """Return what is added to each row, shape (n, 32)."""
        return np.zeros((len(positions), WIDTH))

    def turned(self, rows, positions):
        """Return queries or keys, turned; with the opposite positions, turned back."""
        return rows

    def bias(self, offsets):
        """Return what is added to the attention scores."""
        return np.zeros(offsets.shape)


class Sinusoidal(Way):
    """Add the sinusoidal encoding of its position to each letter."""

    def added(self, parameters, positions):
        """Return rows of the table."""
        return sinusoidal(len(positions), WIDTH, start=positions[0])


class Learned(Way):
    """Add a trained row to each letter, from a table of 512."""

    def added(self, parameters, positions):
        """Return rows of the parameter "table"."""
        first, last = positions[0], positions[-1]
        if first < 0 or last >= len(parameters["table"]):
            raise ValueError(
                f"positions must lie from 0 to {len(parameters['table']) - 1}, which the learned "
                f"table has rows for, got {first} to {last}"
            )
        return parameters["table"][positions]


@dataclass(frozen=True, eq=False)
class Rotary(Way):
    """Turn queries and keys by their positions.

    Parameters
    ----------
    frequencies : ndarray, shape (16,), optional
        Of the pairs, in radians per position; those of the sinusoids unless given.
    queries_hear, keys_hear, farthest
        As for `Way`.
    """

    frequencies: np.ndarray = field(default_factory=lambda: angular_frequencies(WIDTH))

    def turned(self, rows, positions):
        """Return the rows, each pair turned by its frequency times the position."""
        return apply_rotary(rows, self.frequencies, positions=positions)


@dataclass(frozen=True, eq=False)
class Alibi(Way):
    """Subtract from each score the slope times the offset.

    Parameters
    ----------
    slope : float, default: 0.5
    queries_hear, keys_hear, farthest
        As for `Way`.
    """

    slope: float = 0.5

    def bias(self, offsets):
        """Return the penalties, negative for earlier keys."""
        return -self.slope * offsets


WAYS = {
    "none": Way(),
    "sinusoidal": Sinusoidal(),
    "learned": Learned(),
    "rotary": Rotary(),
    "alibi": Alibi(),
    "deaf": Sinusoidal(queries_hear="nothing", keys_hear="nothing"),
}
"""The ways that the course compares, by the names that the record has for them."""
