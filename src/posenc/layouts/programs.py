r"""How a program turns queries and keys: the machinery of `posenc.layouts.probe_rotary`.

Unit vectors give a hypothesis: each column's partner, and the angle by which the two turn. From it
the program is made anew, and nothing is accepted that differs on random vectors by more than
rounding. Known faults are other programs from the same numbers; one is named if it is the program.
"""

from contextlib import suppress
from dataclasses import dataclass, field, fields

import numpy as np

from posenc._validation import array, integer
from posenc.layouts.tables import rounded_to_bfloat16, runs_in_words, with_whole_turns

POSITIONS = (0, 1, 2, 3, 17, 100, 1000, 3001, 4095)
PARTS = (1 / 4096, 1 / 64, 1 / 8)  # of a position; a program that takes these tells fast speeds
OTHER = {"pairs": "halves", "halves": "pairs"}
FAST = 3.15  # radians a position, which are beyond half a turn
WHOLE = ", or whole turns more or less"
TOLD = "; whole positions can't tell, but the ratio of slower pairs leads to these"
# By which parts of themselves rounding moves numbers, and angles, which are mostly float32.
PRECISIONS = {
    "bfloat16": (rounded_to_bfloat16, 2.0**-8, 2.0**-22),
    "float16": (np.float16, 2.0**-11, 2.0**-22),
    "float32": (np.float32, 2.0**-24, 2.0**-22),
    "float64": (np.float64, 2.0**-51, 2.0**-50),
    "float64, angles in float32": (np.float64, 2.0**-24, 2.0**-22),
}


@dataclass(frozen=True)
class RotaryDescription:
    """How a program turns queries and keys; ``print`` says it in words.

    Attributes
    ----------
    layout : {"pairs", "halves"} or None
        Whether partners stand side by side, or all the same number of columns apart.
    sense : int
        1 if the first of two turns toward the second, as in Llama, -1 if away, as in the course.
    width, precision, factor : int, str, float
        Columns of a head, the type that rounds, and what columns that turn are multiplied by.
    pairs, speeds, axes : ndarray, shape (m, 2), (m,), (m,)
        Which columns turn together, by how many radians a position, by which of its numbers.
    aliased, gains, order : bool, ndarray, ndarray
        Whether whole positions are all it takes, so that speeds may be whole turns more or less; of
        all columns, factors and which comes out where.
    """

    layout: str | None
    sense: int
    width: int
    precision: str
    factor: float
    aliased: bool
    pairs: np.ndarray = field(repr=False)
    speeds: np.ndarray = field(repr=False)
    axes: np.ndarray = field(repr=False)
    gains: np.ndarray = field(repr=False)
    order: np.ndarray = field(repr=False)

    def turn(self, x, positions):
        """Turn the rows of x, shape (..., n, width), as the program does, but in float64.

        `positions` has shape (n,), or (n, axes) if there are several.
        """
        x = array("x", x, (..., None, self.width))
        positions = array("positions", positions, (None,), (None, None)).reshape(x.shape[-2], -1)
        result, (i, j) = x.copy(), self.pairs.T
        turns = np.exp(1j * self.sense * positions[:, self.axes] * self.speeds)
        hands = (x[..., i] + 1j * x[..., j]) * turns
        result[..., i], result[..., j] = hands.real, hands.imag
        return (self.gains * result)[..., self.order]

    def __str__(self):
        """Return the description in words."""
        axes, lines = np.unique(self.axes), []
        if several := len(axes) > 1:
            words = f", each in {self.layout}: {_partners(self.pairs)[1]}" if self.layout else ""
            lines.append(f"{ {2: 'two', 3: 'three'}.get(len(axes), len(axes)) } axes{words}")
        for axis in axes:
            pairs, speeds = self.pairs[self.axes == axis], self.speeds[self.axes == axis]
            *first, last = runs_in_words(np.unique(pairs))
            columns = f"{', '.join(first)} and {last}" if first else last
            lines.append(f"axis {axis}: " * several + f"columns {columns} of {self.width}")
            lines[-1] += "" if several and self.layout else f", {_partners(pairs)[1]}"
            lines.append(f"speeds {speeds.max():.6g} to {speeds.min():.6g} radians a position")
            lines[-1] += WHOLE * self.aliased + TOLD * bool(self.aliased and speeds.max() > FAST)
        toward = "toward" if self.sense > 0 else "away from"
        lines.append(f"the first of two turns {toward} the second")
        if self.factor != 1:
            which = "all" if (self.gains == self.factor).all() else "turned"
            lines.append(f"{which} columns are multiplied by {self.factor:.6g}")
        if (self.order != np.arange(self.width)).any():
            read = _partners(np.searchsorted(np.unique(self.pairs), self.pairs))[0]
            lines.append(f"reads {read}, writes {OTHER[read]}: scores are right if ")
            lines[-1] += "queries and keys both do, and wrong if only one does"
        if self.precision not in ("float32", "float64"):
            lines.append(f"precision: {self.precision}")
        return "\n".join(lines)


def _partners(pairs):
    """Return the layout of pairs, and in words where the partners of first columns are."""
    apart = set(pairs[:, 1] - pairs[:, 0])
    if len(apart) > 1 or min(apart) < 1:
        return None, "partners " + ", ".join(f"{i} and {j}" for i, j in pairs)
    return ("pairs", "neighbors") if apart == {1} else ("halves", f"partner {apart.pop()} further")


class _Program:
    """A program, what it makes of unit vectors and of random ones, and what these lead to."""

    def __init__(self, turn, width, axes, times):
        self.turn, self.width, self.times = turn, width, np.array(times)
        self.aliased, steps = bool(times[1] == 1), np.eye(axes, dtype=self.times.dtype)
        # Whole turns make larger errors; a quarter of a radian is for those who turn step by step.
        self.more = 2 * np.pi if self.aliased else 1 / 4
        asked = [[self.ask(np.eye(width), time * step) for time in times] for step in steps]
        rng, self.units = np.random.default_rng(0), np.array(asked)
        self.at = np.stack([rng.permutation(np.repeat(self.times, 4)) for _ in steps], axis=1)
        self.x = rng.integers(-8, 9, size=(len(self.at), width)) / 4  # every type holds these
        self.made = self.ask(self.x, self.at)
        row = self.at.sum(axis=1).argmax()  # alone, as when tokens are written one by one
        self.made[row] = self.ask(self.x[row : row + 1], self.at[row : row + 1])[0]
        with np.errstate(over="ignore"):
            fits = [np.array_equal(to(self.units), self.units) for to, *_ in PRECISIONS.values()]
        for self.precision in list(PRECISIONS)[fits.index(True) :]:
            self.guess()
            self.off = self.difference(self.turned(self.signed), self.signed)
            if self.precision != "float64" or not self.off:
                break

    def ask(self, x, at):
        """Return what the program makes of rows at their positions, or all of them at one."""
        at = np.tile(at, (len(x), 1)) if at.ndim == 1 else at.copy()
        result = self.turn(x.copy(), at if at.shape[1] > 1 else at[:, 0])
        return array("turn(x, positions)", result, (len(x), self.width)).copy()

    def guess(self):
        """Find each column's partner, its axis, and the angle by which it turns in a position."""
        _, self.unit, self.drift = PRECISIONS[self.precision]
        self.least = 4 * self.unit / self.times[-1]
        first, every = np.abs(self.units[0, 0]), np.arange(self.width)
        self.order, largest = first.argmax(axis=0), first.max(axis=0)
        clean = (first.sum(axis=0) - largest < 4 * self.unit * largest).all()
        if not clean or set(self.order) != set(every):
            clean, self.order = False, every
        units = self.units[..., np.argsort(self.order)]
        self.kept = units[0, 0].diagonal() if clean else np.ones(self.width)
        units = units / self.kept
        mixed = np.abs(units).max(axis=1) * (1 - np.eye(self.width))
        mixed = np.maximum(mixed, mixed.swapaxes(1, 2))
        partner = np.where(mixed.max(axis=(0, 1)) > 1e-12, mixed.max(axis=0).argmax(axis=0), every)
        self.partner = partner = np.where(partner[partner] == every, partner, every)
        self.axis = mixed[:, partner, every].argmax(axis=0)
        # By half a turn a position, only signs change: of two columns, if they're a pair.
        flips = (units.diagonal(axis1=2, axis2=3).min(axis=1) < 0) & (partner == every)
        for axis in np.flatnonzero(flips.sum(axis=1) == 2):
            self.axis[flips[axis]] = axis
            partner[flips[axis]] = np.flatnonzero(flips[axis])[::-1]
        self.pairs = np.stack([every, partner], axis=1)[partner > every]
        i, j = self.pairs.T
        # What turns is to be multiplied by one number, and the rest by it or by 1.
        self.factor = float([*self.kept[i], 1][0])
        rest = self.factor if (np.delete(self.kept, self.pairs) != 1).any() else 1
        self.gains = np.where(partner == every, rest, self.factor)
        # Of each column the cosines and sines, a row for each time; and what both of a pair say.
        self.cosines = units[self.axis, :, every, every].T
        self.sines = units[self.axis, :, partner, every].T * (partner != every)
        own = self.cosines + 1j * self.sines
        self.own, self.both = self.evenly(own), (own + own[:, partner].conj()) / 2
        signed, self.axes, self.signed = self.evenly(self.both)[j], self.axis[i], self.own * 0
        self.sense, self.speeds, half = 0, signed, np.pi / self.times[1]
        flat = half - self.least - self.drift * (half + self.more)
        for sense in (-1, 1):
            turned = np.where(np.abs(signed) > flat, half, sense * signed)
            for axes in (self.axes * 0, self.axes):
                speeds = with_whole_turns(turned, self.least, self.drift, 2 * half, axes)
                if speeds is not None:
                    self.sense, self.speeds = sense, speeds
        self.signed[self.pairs] = np.outer(self.speeds * (self.sense or 1), [-1, 1])

    def evenly(self, numbers, times=None):
        """Return the angle by which complex numbers turn in a position, as long as it is one."""
        times = self.times if times is None else times
        start, *later = np.argsort(np.abs(times), kind="stable")
        speeds, even, error = np.zeros(numbers.shape[1]), True, np.inf
        for k in later:
            if span := times[k] - times[start]:
                rest = np.angle(numbers[k] * numbers[start].conj() * np.exp(-1j * speeds * span))
                even &= np.abs(rest) <= error * abs(span) + 4 * self.unit
                speeds += np.where(even, rest / span, 0)
                error = 4 * self.unit / abs(span) + self.drift * (np.abs(speeds) + self.more)
        return speeds

    def turned(self, even, sine=None, at=None, partners=None):
        """Return the random vectors, each column turned by its speed; arguments may be others."""
        at = (self.at if at is None else at)[:, self.axis]
        partners = (self.x if partners is None else partners)[:, self.partner]
        return self.x * np.cos(at * even) + partners * np.sin(at * (even if sine is None else sine))

    def difference(self, other, speeds):
        """Return row, column, number and limit where the program first is not what is given."""
        size = np.maximum(np.abs(self.x) + np.abs(self.x[:, self.partner]), np.abs(other))
        angles = self.at[:, self.axis] * (np.abs(speeds) + self.more)
        allowed = (4 * self.unit + self.drift * angles) * size * np.abs(self.gains)
        allowed = allowed[:, self.order] + self.unit / 2048  # float16's least numbers
        other = (self.gains * other)[:, self.order]
        off = ~(np.abs(other - self.made) <= allowed)
        if off.any():
            row = min(np.flatnonzero(off.any(axis=1)), key=lambda row: self.at[row].max())
            column = off[row].argmax()
            return row, column, other[row, column], allowed[row, column]

    def faults(self):
        """Yield what known faults make of the random vectors, their speeds, and the words."""
        (i, j), plain, last = self.pairs.T, self.turned(self.signed), int(self.times[-1])
        # A cosine and a sine of one speed have squares that sum to 1: so each finds its speed.
        lack = self.cosines[:, :, None] ** 2 + self.sines[:, None] ** 2 - 1
        own, off = np.abs(lack.diagonal(axis1=1, axis2=2)).max(axis=0), (lack**2).sum(axis=0)
        np.fill_diagonal(off, off.diagonal() - (own <= 8 * self.unit))
        even = np.abs(self.evenly(self.cosines + 1j * self.sines[:, off.argmin(axis=1)]))
        sine = self.evenly(self.cosines[:, off.argmin(axis=0)] + 1j * self.sines)
        yield self.turned(even, sine), np.maximum(even, np.abs(sine)), self.named(even, sine)
        for late, early, name in (j, i, "first"), (i, j, "second"):
            speeds = self.own.copy()
            speeds[late] = -speeds[early]
            made = self.turned(speeds)
            made[:, late] = self.turned(speeds, partners=made * self.gains)[:, late]
            words = f"the {name} of two columns is overwritten before the other is made"
            yield made, speeds, words
        rows, lengths = np.searchsorted(self.times, self.at), np.abs(self.both) * self.kept
        least, most = lengths.min(axis=1), lengths.max(axis=1)
        words = f"columns are multiplied by {least[0]:.4g} to {most[0]:.4g} at position 0, and by "
        words += f"{least[-1]:.4g} to {most[-1]:.4g} at {last}"
        words += ", as in xPos" * bool(np.ptp(lengths, axis=0).max() > 8 * self.unit)
        words += ": sine and cosine are exchanged" * bool((self.order[i] == j).all())
        growth = np.take_along_axis(lengths / self.gains, rows[:, self.axis], axis=0)
        yield growth * plain, self.signed, words
        # Positions may be taken for others, by a cast, the end of a cache, or a slip of one.
        other, some = np.r_[self.times, -200 : last + 201], j[:: 1 + len(j) // 32]
        off = np.exp(1j * np.outer(other, self.signed[some])) - self.both[:, None, some]
        off = np.abs(off).max(axis=2) - 8 * self.unit * (other == self.times[:, None])
        taken = other[off.argmin(axis=1)]
        words = ", ".join(f"{a:g} for {b:g}" for a, b in zip(self.times, taken) if a != b)
        for name in ("bfloat16", "float16"):
            same = np.array_equal(PRECISIONS[name][0](self.times), taken)
            words += f", as {name} rounds them" * same
        words, speeds = f"positions are taken for others: {words}", self.evenly(self.both, taken)
        yield self.turned(speeds, at=taken[rows]), speeds, words

    def named(self, even, sine):
        """Return in words where the speeds of cosines and sines differ most from a rotation's."""
        i, j = self.pairs.T
        off = np.abs([even[i] - even[j], sine[i] + sine[j], even[i] - np.abs(sine[i])])
        i, j = self.pairs[off.max(axis=0).argmax()]
        words = f"at whole positions columns {i} and {j} have cosines of {even[i]:.6g} and "
        words += f"{even[j]:.6g}, and sines of {sine[i]:.6g} and {sine[j]:.6g} radians a position"
        if not sine[i] * sine[j]:
            return words + ": one is not turned" * (not even[i] * even[j])
        if sine[i] * sine[j] > 0 and np.isclose(even[i], even[j], rtol=1e-4):
            return f"{words}: a minus is forgotten"
        each = [even[np.sort(self.pairs[self.axes == axis], axis=None)] for axis in set(self.axes)]
        for name, order in ("tiled, f0 f1 ... f0 f1 ...", "C"), ("repeated, f0 f0 f1 f1 ...", "F"):
            dealt = [np.allclose(*speeds.reshape(2, -1, order=order), rtol=1e-3) for speeds in each]
            if all(dealt) and not np.isclose(even[i], even[j], rtol=0.01):
                words += f": angles are {name}, and columns are paired otherwise"
        return words

    def wrong(self):
        """Return in words what the program does that is no rotation, or nothing."""
        (i, j), last, every = self.pairs.T, f"{self.times[-1]:g}", np.arange(self.width)
        if np.array_equal(self.made, self.x):
            return f"turns nothing: what comes out at positions 0 to {last} is what went in"
        if (self.units == self.units[0, 0]).all() or not (self.off or len(i)):
            return f"ignores positions: unit vectors come out alike at positions 0 to {last}"
        if self.off:
            with np.errstate(over="ignore", invalid="ignore"):
                for made, speeds, words in self.faults() if len(i) else ():
                    if not self.difference(made, speeds):
                        return f"isn't a rotation by the position: {words}"
            return self.otherwise(*self.off)
        if not self.sense:
            k, m = np.argmax(self.speeds), np.argmin(self.speeds)
            below = "π" if self.aliased else f"{1 / self.times[1]:g}π"
            return (
                f"doesn't turn all pairs one way by less than {below} radians a position, and "
                f"faster ones can't be told from slower: column {i[k]} turns toward {j[k]} by "
                f"{self.speeds[k]:.4g}, and {i[m]} away from {j[m]} by {-self.speeds[m]:.4g}"
            ) + (WHOLE + ", and no ratio from pair to pair tells which") * self.aliased
        if missing := set(range(self.at.shape[1])) - set(self.axes):
            return f"ignores axis {min(missing)}: none of the {len(i)} pairs turns by it"
        self.layout, turning = _partners(self.pairs)[0], np.unique(self.pairs)
        places = (
            np.searchsorted(turning, to[self.pairs]) for to in (every, np.argsort(self.order))
        )
        read, written = (_partners(pairs)[0] for pairs in places)
        moved = self.order != every
        if moved.any() and (written != OTHER.get(read) or np.delete(moved, turning).any()):
            words = f"what belongs in column {self.order[moved][0]} comes out in column "
            return f"exchanges columns, and not pairs for halves: {words}{every[moved][0]}"
        return ""

    def otherwise(self, row, column, anew, allowed):
        """Return in words what differs first, where no fault is known."""
        unit, made = self.ask(np.eye(self.width), self.at[row])[:, column], self.made[row, column]
        total, size = self.x[row] @ unit, np.abs(self.x[row]) @ np.abs(unit)
        where = f"at position {', '.join(f'{time:g}' for time in self.at[row])} column {column}"
        if abs(total - made) > 8 * self.unit * size:
            words = "isn't linear, or makes something else of a row beside others"
            return (
                f"{words}: {where} is {made:.6g}, and of unit vectors, what adds up to {total:.6g}"
            )
        moves = np.ptp(self.units[..., np.argsort(self.order)], axis=1) > 8 * self.unit
        for i, j in self.pairs[moves.sum(axis=0)[*self.pairs.T] > 1]:
            words = f"turns columns {i} and {j} by several axes, and only pairs that turn by one "
            return words + "axis each are described"
        words = f"isn't a rotation of pairs that grows evenly with the position: {where} should be "
        words += f"{anew:.6g}, by the pairs and speeds that unit vectors show, and is {made:.6g}; "
        off = abs(anew - made)
        return f"{words}off by {off:.2g}, and rounding explains {allowed:.2g} ({self.precision})"


def probe_rotary(turn, width, *, axes=1, length=4096):
    r"""Say how a function turns queries and keys, or how what it does is no rotation.

    Parameters
    ----------
    turn : callable
        ``turn(x, positions)`` takes an array of shape (n, width) and n positions, and returns an
        array of the shape of x. Positions are integers and, if it takes them, fractions.
    width, axes, length : int
        Columns of a head; numbers of a position (if several, `positions` has shape (n, axes)); and
        how many positions there are, of which the last is asked, too, and at last one row alone.

    Returns
    -------
    RotaryDescription
        If the program is no rotation of columns two by two, each pair by one axis, a ValueError
        says what it does. Speeds beyond π radians a position, or 4096π of a program that takes
        fractions, can't be told from slower ones. Where whole positions are all it takes, beyond π
        are those that the ratio of slower pairs leads to.

    Examples
    --------
    A module of (batch, heads, tokens, width), which takes cosines and sines from a cache:

    >>> angles = np.tile(np.outer(np.arange(4096), 0.1 ** np.arange(4)), 2)
    >>> cos, sin = np.cos(angles), np.sin(angles)
    >>> def module(x, positions):
    ...     halves = np.concatenate([-x[..., 4:], x[..., :4]], axis=-1)
    ...     return x * cos[positions] + halves * sin[positions]
    >>> print(probe_rotary(lambda x, positions: module(x[None, None], positions)[0, 0], 8))
    columns 0 to 7 of 8, partner 4 further
    speeds 1 to 0.001 radians a position, or whole turns more or less
    the first of two turns toward the second

    A cache of complex numbers, which turns neighbors:

    >>> cache = np.exp(1j * np.outer(np.arange(4096), 0.1 ** np.arange(4)))
    >>> probe_rotary(lambda x, at: (x.view(complex) * cache[at]).view(float), 8).pairs.tolist()
    [[0, 1], [2, 3], [4, 5], [6, 7]]
    """
    width, axes = integer("width", width, least=2), integer("axes", axes, least=1)
    length = integer("length", length, least=2)
    whole = sorted({time for time in POSITIONS if time < length} | {length - 1})
    program = None
    with suppress(Exception):  # of whatever kind, where a program takes no fractions
        program = _Program(turn, width, axes, [0, *PARTS, *whole[1:]])
    if program is None or program.off or not len(program.pairs):
        program = _Program(turn, width, axes, whole)
    if words := program.wrong():
        raise ValueError(f"turn {words}")
    return RotaryDescription(
        **{one.name: getattr(program, one.name) for one in fields(RotaryDescription)}
    )
