r"""How a program turns queries and keys: the machinery of `posenc.layouts.probe_rotary`.

Unit vectors give a hypothesis: each column's partner, and the angle by which the two turn. From it
the program is made anew, and nothing is accepted that differs on random vectors by more than
rounding. Known faults are other programs from the same numbers; one is named if it is the program.
"""

from contextlib import suppress
from dataclasses import dataclass, field, fields

import numpy as np

from posenc._validation import array, integer
from posenc.layouts.tables import ladder, rounded_to_bfloat16, runs_in_words, told, with_whole_turns

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
    pairs, speeds, errors, axes : ndarray, shape (m, 2), (m,), (m,), (m,)
        Which columns turn together, by how many radians a position, by how much rounding may move
        these, and by which of a position's numbers.
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
    errors: np.ndarray = field(repr=False)
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
        axes, lines, together = np.unique(self.axes), [], self._ladder(self.axes >= 0)
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
            lines += together or self._ladder(self.axes == axis)
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

    def _ladder(self, which):
        """Return a line that names the base of some speeds, if they fall by one ratio."""
        speeds, least, count = self.speeds[which], self.errors[which], np.count_nonzero(which)
        places = np.arange(count)
        for name in ("float64", "float16", "bfloat16"):
            rounded, unit, _ = PRECISIONS[name]
            errors = least + unit * speeds
            known = speeds > 4 * errors
            if known.sum() < 3 or (np.abs(rounded(speeds) - speeds) > least).any():
                continue
            law, gain = ladder(speeds[known], errors[known], places[known])
            base, off = np.exp(count * law[1]), np.expm1(count * np.abs(gain[1]).sum())
            even = np.abs(np.exp(law[0] - places * law[1]) - speeds) <= 2 * errors
            if even.all() and off < 0.1:
                words = f"base {told(base, base * max(off, 2e-6))} over {count} pairs"
                return [words + f", rounded to {name}" * (name != "float64")]
        return []


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
        self.units = np.array(asked)
        self.draw(np.repeat(self.times, 4 + 2**12 // width), axes)
        with np.errstate(over="ignore"):
            fits = [np.array_equal(to(self.units), self.units) for to, *_ in PRECISIONS.values()]
        for self.precision in list(PRECISIONS)[fits.index(True) :]:
            self.guess()
            self.off = self.difference(self.turned())
            if self.precision != "float64" or not self.off:
                break

    def ask(self, x, at):
        """Return what the program makes of rows at their positions, or all of them at one."""
        at = np.tile(at, (len(x), 1)) if at.ndim == 1 else at.copy()
        result = self.turn(x.copy(), at if at.shape[1] > 1 else at[:, 0])
        return array("turn(x, positions)", result, (len(x), self.width)).copy()

    def draw(self, times, axes):
        """Ask for random rows at these positions in any order, and at last for one row alone."""
        rng = np.random.default_rng(0)
        at = np.stack([rng.permutation(times) for _ in range(axes)], axis=1)
        self.at = np.vstack([at, at[at.sum(axis=1).argmax()]])  # tokens are written one by one
        self.x = rng.integers(-8, 9, size=(len(self.at), self.width)) / 4  # every type holds these
        self.made = np.vstack([self.ask(self.x[:-1], at), self.ask(self.x[-1:], self.at[-1:])])

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
        self.own = self.cosines + 1j * self.sines
        self.both = (self.own + self.own[:, partner].conj()) / 2
        signed, self.signed, self.axes = (
            self.evenly(self.both)[j],
            np.zeros(len(every)),
            self.axis[i],
        )
        self.sense, self.speeds, half = 0, signed, np.pi / self.times[1]
        flat = half - self.least - self.drift * (half + self.more)
        for sense in (-1, 1):
            turned = np.where(np.abs(signed) > flat, half, sense * signed)
            for axes in (self.axes * 0, self.axes):
                speeds = with_whole_turns(turned, self.least, self.drift, 2 * half, axes)
                if speeds is not None:
                    self.sense, self.speeds = sense, speeds
        self.errors = self.least + self.drift * (np.abs(self.speeds) + self.more)
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

    def turned(self, hands=None):
        """Return the random vectors, turned by their speeds or by these complex numbers."""
        hands = np.exp(1j * self.at[:, self.axis] * self.signed) if hands is None else hands
        return self.x * hands.real + self.x[:, self.partner] * hands.imag

    def difference(self, other):
        """Return row, column, number and limit where the program first is not what is given."""
        size = np.maximum(np.abs(self.x) + np.abs(self.x[:, self.partner]), np.abs(other))
        angles = self.at[:, self.axis] * (np.abs(self.signed) + self.more)
        allowed = (4 * self.unit + self.drift * angles) * size * np.abs(self.gains)
        allowed = allowed[:, self.order] + self.unit / 2048  # float16's least numbers
        other = (self.gains * other)[:, self.order]
        off = ~(np.abs(other - self.made) <= allowed)
        if off.any():
            row = min(np.flatnonzero(off.any(axis=1)), key=lambda row: self.at[row].max())
            column = off[row].argmax()
            return row, column, other[row, column], allowed[row, column]

    def fault(self):
        """Return in words what known fault makes two of each two columns, or nothing."""
        (i, j), limit, last = self.pairs.T, 8 * self.unit, int(self.times[-1])
        rows = np.searchsorted(self.times, self.at)[:, self.axis]
        hands = self.own * self.kept / self.gains
        if self.difference(self.turned(np.take_along_axis(hands, rows, axis=0))):
            return ""
        if words := self.speeds_of_columns(hands):
            return words
        for late, early, name in (j, i, "first"), (i, j, "second"):
            turns = self.own[:, early].conj()
            off = turns.real + 1j * self.factor * turns.imag * turns - self.own[:, late]
            if np.abs(off).max() <= limit:
                return f"the {name} of two columns is overwritten before the other is made"
        if np.abs(self.own - self.both).max() > limit:
            return ""
        lengths = np.abs(self.both) * self.kept
        if np.abs(lengths / self.gains - 1).max() > limit:
            least, most = lengths.min(axis=1), lengths.max(axis=1)
            words = f"columns are multiplied by {least[0]:.4g} to {most[0]:.4g} at position 0, and "
            words += f"by {least[-1]:.4g} to {most[-1]:.4g} at {last}"
            words += ", as in xPos" * bool(np.ptp(lengths, axis=0).max() > limit)
            return words + ": sine and cosine are exchanged" * bool((self.order[i] == j).all())
        # Positions may be taken for others, by a cast, the end of a cache, or a slip of one.
        other, signed, hands = np.r_[self.times, -200 : last + 201], self.signed[j], self.both[:, j]
        turns = np.exp(1j * np.outer(other, signed))
        off = np.array([np.abs(turns - one).max(axis=1) for one in hands])
        taken = other[(off - limit * (other == self.times[:, None])).argmin(axis=1)]
        off = np.abs(np.exp(1j * np.outer(taken, self.evenly(hands, taken))) - hands)
        if (off <= limit).all():
            words = ", ".join(f"{a:g} for {b:g}" for a, b in zip(self.times, taken) if a != b)
            for name in ("bfloat16", "float16"):
                same = np.array_equal(PRECISIONS[name][0](self.times), taken)
                words += f", as {name} rounds them" * same
            return f"positions are taken for others: {words}" * bool(words)
        angles = np.outer(self.times, signed)
        off = np.abs(np.angle(hands * np.exp(-1j * angles)))
        late = off > 16 * (limit + self.drift * (np.abs(angles) + self.more))
        for k in np.flatnonzero(late.any(axis=1))[:1]:
            columns = ", ".join(runs_in_words(np.unique(self.pairs[late[k]])))
            words = "pairs don't turn evenly" if k else "not all pairs start at position 0"
            words += f": at {self.times[k]:g} columns {columns} are turned by other angles than "
            m = off[k].argmax()
            return f"{words}their speeds make, {i[m]} and {j[m]} by {off[k, m]:.4g} radians"
        return ""

    def speeds_of_columns(self, hands):
        """Return in words where speeds of cosines and sines, if they have some, differ most."""
        # A cosine and a sine of one speed have squares that sum to 1: so each finds its speed.
        lack = self.cosines[:, :, None] ** 2 + self.sines[:, None] ** 2 - 1
        own, off = np.abs(lack.diagonal(axis1=1, axis2=2)).max(axis=0), (lack**2).sum(axis=0)
        np.fill_diagonal(off, off.diagonal() - (own <= 8 * self.unit))
        even = np.abs(self.evenly(self.cosines + 1j * self.sines[:, off.argmin(axis=1)]))
        sine = self.evenly(self.cosines[:, off.argmin(axis=0)] + 1j * self.sines)
        made = np.cos(np.outer(self.times, even)) + 1j * np.sin(np.outer(self.times, sine))
        angles = np.outer(self.times, np.maximum(even, np.abs(sine)) + self.more)
        if (np.abs(made - hands) > 8 * self.unit + self.drift * angles).any():
            return ""
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
                words = self.fault() if len(i) else ""
            known = f"isn't a rotation by the position: {words}"
            return known if words else self.otherwise(*self.off)
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
        # What is seldom wrong shows in all positions, or in many; and so does the worst rounding.
        self.drift *= 4
        times = np.arange(0, self.times[-1] + 1, 1 + (int(self.times[-1]) * self.width >> 21))
        self.draw(times, self.at.shape[1])
        off = self.difference(self.turned())
        return self.otherwise(*off) if off else ""

    def otherwise(self, row, column, anew, allowed):
        """Return in words what differs first, where no fault is known."""
        x, at, others = self.x[row], self.at[row], self.x[::-1].copy()
        where, others[row] = f"at position {', '.join(f'{time:g}' for time in at)} column ", x
        result, floor = self.ask(self.x, self.at)[row], self.unit / 64 * np.abs(self.made).max()
        again = np.abs(self.ask(self.x[:-1], self.at[:-1]) - self.made[:-1])
        if (again > 2 * self.unit * np.abs(self.made[:-1]) + floor).any():
            return "gives other results when the same rows are asked again"
        for what, other in {
            "what other rows hold": self.ask(others, self.at)[row],
            "which positions come along": self.ask(self.x, at)[row],
            "how many rows come along": self.ask(x[None], at)[0],
        }.items():
            off = np.abs(other - result) - 2 * self.unit * np.abs(result) - floor
            if off.max() > 0:
                words = f"makes a row's result depend on {what}: {where}{off.argmax()} is "
                return f"{words}{result[off.argmax()]:.6g} or {other[off.argmax()]:.6g}"
        where, made = f"{where}{column}", self.made[row, column]
        unit = self.ask(np.eye(self.width), at)[:, column]
        if abs(x @ unit - made) > 8 * self.unit * (np.abs(x) @ np.abs(unit)):
            words = f"isn't linear: {where} is {made:.6g}, and of unit vectors, what adds up to "
            return f"{words}{x @ unit:.6g}"
        moves = np.ptp(self.units[..., np.argsort(self.order)], axis=1) > 8 * self.unit
        for i, j in self.pairs[moves.sum(axis=0)[*self.pairs.T] > 1]:
            words = f"turns columns {i} and {j} by several axes, and only pairs that turn by one "
            return words + "axis each are described"
        words = f"isn't a rotation by the pairs and speeds that unit vectors show: {where} should "
        words += f"be {anew:.6g}, and is {made:.6g}; off by {abs(anew - made):.2g}, and rounding "
        return f"{words}explains {allowed:.2g} ({self.precision})"


def probe_rotary(turn, width, *, axes=1, length=4096):
    r"""Say how a function turns queries and keys, or how what it does is no rotation.

    Parameters
    ----------
    turn : callable
        ``turn(x, positions)`` takes an array of shape (n, width) and n positions, and returns an
        array of the shape of x. Positions are integers and, if it takes them, fractions.
    width, axes, length : int
        Columns of a head; numbers of a position (if several, `positions` has shape (n, axes)); and
        how many positions there are, of which all are asked, or many if there are more than 2²¹
        numbers, and the last one alone, too.

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
    base 10000.00 ± 0.02 over 4 pairs
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
