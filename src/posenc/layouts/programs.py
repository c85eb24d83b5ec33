r"""How a program turns queries and keys: the machinery of `posenc.layouts.probe_rotary`.

Unit vectors give a hypothesis: each column's partner, and the angle by which the two turn. From it
the program is made anew, and nothing is accepted that differs on random vectors by more than
rounding. Known slips are made from the same numbers, and one is named if it is the program.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from posenc._validation import array, integer
from posenc.layouts.tables import ladder, rounded_to_bfloat16, runs_in_words, told, with_whole_turns

POSITIONS = (0, 1, 2, 3, 17, 100, 1000, 3001, 4095)
PARTS = (1 / 4096, 1 / 64, 1 / 8)  # of a position; a program that takes these tells fast speeds
WHOLE = ", or whole turns more or less"
TOLD = "; whole positions can't tell, but the ratio of slower pairs leads to these"
# By which part of themselves rounding moves numbers, and angles, which are mostly float32.
PRECISIONS = {
    "bfloat16": (rounded_to_bfloat16, 2.0**-8, 2.0**-22),
    "float16": (np.float16, 2.0**-11, 2.0**-22),
    "float32": (np.float32, 2.0**-24, 2.0**-22),
    "float64": (np.float64, 2.0**-51, 2.0**-48),
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
        these, and by which of a position's numbers. If `aliased`, the program takes whole positions
        only, and speeds may be whole turns more or less.
    gains, order : ndarray, shape (width,)
        What each column is multiplied by, and which one comes out in its place.
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
        """Turn rows of x, (..., n, width), at positions, (n,) or (n, axes), but in float64."""
        x = array("x", x, (..., None, self.width))
        positions = array("positions", positions, (None,), (None, None)).reshape(x.shape[-2], -1)
        result, (i, j) = x.copy(), self.pairs.T
        turns = np.exp(1j * self.sense * positions[:, self.axes] * self.speeds)
        hands = (x[..., i] + 1j * x[..., j]) * turns
        result[..., i], result[..., j] = hands.real, hands.imag
        return (self.gains * result)[..., self.order]

    def __str__(self):
        """Return the description in words."""
        axes, together, lines = np.unique(self.axes), self._base(self.axes >= 0), []
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
            lines[-1] += WHOLE * self.aliased + TOLD * bool(self.aliased and speeds.max() > 3.15)
            lines += together or self._base(self.axes == axis)
        toward = "toward" if self.sense > 0 else "away from"
        lines.append(f"the first of two turns {toward} the second")
        if self.factor != 1:
            which = "all" if (self.gains == self.factor).all() else "turned"
            lines.append(f"{which} columns are multiplied by {self.factor:.6g}")
        if (self.order != np.arange(self.width)).any():
            paired = (np.diff(self.pairs.ravel()) > 0).all()
            words = "reads pairs, writes halves" if paired else "reads halves, writes pairs"
            words += ": scores are right if queries and keys both do, and wrong if only one does"
            lines.append(words)
        if self.precision not in ("float32", "float64"):
            lines.append(f"precision: {self.precision}")
        return "\n".join(lines)

    def _base(self, which):
        """Return a line that names the base of some speeds, if they fall by one ratio."""
        speeds, errors, count = self.speeds[which], self.errors[which], np.count_nonzero(which)
        places, known = np.arange(count), speeds > 4 * errors
        if known.sum() > 2:
            law, gain = ladder(speeds[known], errors[known], places[known])
            base, off = np.exp(count * law[1]), np.expm1(count * np.abs(gain[1]).sum())
            even = np.abs(np.exp(law[0] - places * law[1]) - speeds) <= 2 * errors
            if even.all() and off < 0.1:
                return [f"base {told(base, base * max(off, 2e-6))} over {count} pairs"]
        return []


def _partners(pairs):
    """Return the layout of pairs, and in words where the partners of first columns are."""
    apart = set(pairs[:, 1] - pairs[:, 0])
    if len(apart) != 1:
        return None, "partners " + ", ".join(f"{i} and {j}" for i, j in pairs)
    return ("pairs", "neighbors") if apart == {1} else ("halves", f"partner {apart.pop()} further")


class _Program:
    """A program, what it makes of unit vectors and of random ones, and what these lead to."""

    def __init__(self, turn, width, axes, times):
        self.turn, self.width, self.times = turn, width, np.array(times)
        steps, rng = np.eye(axes, dtype=self.times.dtype), np.random.default_rng(0)
        units = [[self.ask(np.eye(width), time * step) for time in times] for step in steps]
        self.units, thinned = np.array(units), 1 + (times[-1] * width >> 19)
        at = np.append(np.arange(0, times[-1] + 1, thinned), self.times)
        self.at = np.stack([rng.permutation(at) for _ in range(axes)], axis=1)
        self.x = rng.integers(-64, 65, size=(len(at), width)) / 8  # every type holds these
        self.made, alone = self.ask(self.x, self.at), self.at.sum(axis=1).argmax()
        self.made[alone] = self.ask(self.x[[alone]], self.at[alone])  # tokens come one by one
        self.aliased = bool(times[1] == 1)
        # Whole turns make larger errors; a quarter of a radian is for those who turn step by step.
        self.more = 2 * np.pi if self.aliased else 1 / 4
        for self.precision, (rounded, self.unit, self.drift) in PRECISIONS.items():
            with np.errstate(over="ignore"):
                fits = np.array_equal(rounded(self.units), self.units)
            if fits:
                self.guess = self.guessed()
                self.off = self.difference(self.guess.turn(self.x, self.at))
                if self.precision != "float64" or not self.off:
                    break

    def ask(self, x, at):
        """Return what the program makes of rows at their positions, or all of them at one."""
        at = np.tile(at, (len(x), 1)) if at.ndim == 1 else at.copy()
        result = self.turn(x.copy(), at if at.shape[1] > 1 else at[:, 0])
        return array("turn(x, positions)", result, (len(x), self.width)).copy()

    @np.errstate(all="ignore")  # what turns nothing evenly may have no lengths
    def guessed(self):
        """Describe the program by what it makes of unit vectors."""
        columns, still = np.arange(self.width), np.abs(self.units[0, 0])
        order, mixes = still.argmax(axis=0), still.sum(axis=0) > 1.01 * still.max(axis=0)
        if mixes.any() or len(set(order)) < self.width:
            order = columns
        units = self.units[..., np.argsort(order)]
        mixed = np.abs(units).max(axis=1) * (1 - np.eye(self.width))
        self.mixed = np.maximum(mixed, mixed.swapaxes(1, 2))
        most, partner = self.mixed.max(axis=(0, 1)), self.mixed.max(axis=0).argmax(axis=0)
        mutual = (most > 1e-12) & (partner[partner] == columns)
        self.partner = partner = np.where(mutual, partner, columns)
        self.axis = axis = self.mixed[:, partner, columns].argmax(axis=0)
        # By half a turn a position, only signs change: of two columns, if they're a pair.
        for k, cosines in enumerate(units.diagonal(axis1=2, axis2=3).min(axis=1)):
            flips = np.flatnonzero((cosines < 0) & (partner == columns))
            if len(flips) == 2:
                partner[flips], axis[flips] = flips[::-1], k
        turns = partner != columns
        # Of each column the cosine and the sine at each time, which turn as one complex number.
        sines = units[axis, :, partner, columns] * turns[:, None]
        hands = (units[axis, :, columns, columns] + 1j * sines).T
        # What turns is to be multiplied by one number, and the rest by it or by 1.
        factor = float([*np.sort(np.abs(hands[0, turns])), 1][turns.sum() // 2])
        gains = np.where(turns | (np.abs(hands[0, ~turns]) != 1).any(), factor, 1)
        self.hands = hands / gains
        self.turning = self.evenly()
        i, j = pairs = np.stack([columns, partner])[:, partner > columns]
        least, half = 4 * self.unit / self.times[-1], np.pi / self.times[1]
        flat = half - least - self.drift * (half + self.more)
        for sense, groups in product((1, -1), (axis[i], 0 * axis[i])):
            turned = np.where(np.abs(self.turning[j]) > flat, half, sense * self.turning[j])
            speeds = with_whole_turns(turned, least, self.drift, 2 * half, groups)
            if speeds is not None:
                break
        else:
            sense, speeds = 1, self.turning[j]
        errors = least + self.drift * (np.abs(speeds) + self.more)
        about = _partners(pairs.T)[0], sense, self.width, self.precision, factor, self.aliased
        return RotaryDescription(*about, pairs.T, speeds, errors, axis[i], gains, order)

    def evenly(self):
        """Return the angle by which each column turns in a position, as long as it is one."""
        speeds, even, error = np.zeros(self.width), True, np.inf
        for time, hands in zip(self.times[1:], self.hands[1:]):
            rest = np.angle(hands * self.hands[0].conj() * np.exp(-1j * speeds * time))
            even &= np.abs(rest) <= error * time + 4 * self.unit
            speeds += np.where(even, rest / time, 0)
            error = 4 * self.unit / time + self.drift * (np.abs(speeds) + self.more)
        return speeds

    def difference(self, anew):
        """Return row, column, number and limit where the program first is not what is made anew."""
        order, angles = self.guess.order, self.at[:, self.axis] * (np.abs(self.turning) + self.more)
        size = (np.abs(self.x) + np.abs(self.x[:, self.partner])) * self.guess.gains
        size = np.maximum(size[:, order], np.abs(anew)) + 2.0**-13  # below which float16 is coarse
        allowed = 4 * (self.unit + self.drift * angles[:, order]) * size
        off = ~(np.abs(anew - self.made) <= allowed)
        if off.any():
            row = np.where(off.any(axis=1), self.at.max(axis=1), np.inf).argmin()
            column = off[row].argmax()
            return row, column, anew[row, column], allowed[row, column]

    def wrong(self):
        """Return in words what the program does that is no rotation, or nothing."""
        guess, speeds, (i, j) = self.guess, self.guess.speeds, self.guess.pairs.T
        if (self.units == self.units[0, 0]).all() or not (self.off or len(i)):
            what = "turns nothing" if np.array_equal(self.made, self.x) else "ignores positions"
            return f"{what}: unit vectors come out alike at positions 0 to {self.times[-1]:g}"
        for k, m in np.argwhere((self.mixed > 8 * self.unit).sum(axis=0) > 1):
            return f"turns columns {k} and {m} by several axes, where each pair is to have one"
        moved, turning = np.flatnonzero(guess.order != np.arange(self.width)), np.unique([i, j])
        layouts = [pairs.ravel().tolist() for pairs in (guess.pairs, guess.pairs.T)]
        known = np.isin(moved, turning).all() and guess.order[turning].tolist() in layouts
        if len(moved) and not known:
            words = f"what belongs in column {guess.order[moved[0]]} comes out in column {moved[0]}"
            words += ", as if sine and cosine were exchanged" * bool((guess.order[i] == j).all())
            return f"exchanges columns, and not pairs for halves: {words}"
        if self.off:
            return self.otherwise(*self.off)
        if speeds.min() < 0:
            k, m, most = speeds.argmax(), speeds.argmin(), np.pi / self.times[1]
            words = f"turns column {i[k]} toward {j[k]} by {speeds[k]:.4g} radians a position, and "
            words += f"{i[m]} away from {j[m]} by {-speeds[m]:.4g}"
            return f"{words}; the sense of speeds beyond {most:.4g} can't be told"
        if missing := set(range(self.at.shape[1])) - set(guess.axes):
            return f"ignores axis {min(missing)}: none of the {len(i)} pairs turns by it"
        return ""

    def otherwise(self, row, column, anew, allowed):
        """Return in words why one number isn't what it should be, or only by how much."""
        x, at, made = self.x[row], self.at[row], self.made[row, column]
        place = f"at position {', '.join(f'{time:g}' for time in at)} column {column}"
        together, alone = self.ask(self.x, self.at), self.ask(x[None], at)[0, column]
        if not np.array_equal(self.ask(self.x, self.at), together):
            return "gives other results when the same rows are asked again"
        units = self.ask(np.eye(self.width), at)[:, column]
        limit = 8 * self.unit * (np.abs(x) @ np.abs(units))
        if abs(together[row, column] - alone) > limit:
            words = f"{place} is {together[row, column]:.6g}, and alone {alone:.6g}"
            return f"makes a row's result depend on other rows: {words}"
        if abs(x @ units - alone) > limit:
            words = f"{place} is {alone:.6g}, and of unit vectors added up {x @ units:.6g}"
            return f"isn't linear among rows at one position: {words}"
        if len(self.guess.pairs) and (words := self.slip(at.max())):
            return f"isn't a rotation by the position: {words}"
        return (
            f"isn't a rotation by the pairs and speeds that unit vectors show: {place} should be "
            f"{anew:.6g}, and is {made:.6g}; off by {abs(anew - made):.2g}, and rounding explains "
            f"{allowed:.2g} ({self.precision})"
        )

    @np.errstate(all="ignore")
    def slip(self, start):
        """Return in words which known slip makes the program, which differs from `start` on."""
        guess, (i, j), at = self.guess, self.guess.pairs.T, self.at[:, self.axis]
        cosines, sines = np.cos(at * self.turning), np.sin(at * self.turning)
        own = self.x * cosines + self.x[:, self.partner] * sines
        begin, end = np.abs(self.hands[[0, -1]])
        lengthened = begin * (end / begin) ** (at / self.times[-1])
        lengths = f"{begin.min():.4g} to {begin.max():.4g} at position 0, and by "
        lengths += f"{end.min():.4g} to {end.max():.4g} at {self.times[-1]:g}"
        slips = {
            self.unlike(): own,
            f"columns are multiplied by {lengths}, as in xPos": own * lengthened,
        }
        for name, first, second in ("first", i, j), ("second", j, i):
            late, factors = own.copy(), guess.factor * sines[:, first]
            late[:, second] = self.x[:, second] * cosines[:, first] - factors * own[:, first]
            slips[f"the {name} of two columns is overwritten before the other is made"] = late
        slips = {words: (guess.gains * turned)[:, guess.order] for words, turned in slips.items()}
        for words, positions in {
            "rounded to bfloat16": rounded_to_bfloat16(self.at),
            "rounded to float16": np.minimum(self.at, 65504).astype(np.float16),
            "taken for the next": self.at + 1,
            "taken for the one before": self.at - 1,
            f"never beyond {start - 1:g}": np.minimum(self.at, start - 1),
            f"counted anew from {start:g} on": self.at % max(start, 1),
        }.items():
            slips[f"positions are {words}"] = guess.turn(self.x, positions)
        return next((words for words, anew in slips.items() if not self.difference(anew)), "")

    def unlike(self):
        """Return in words which partners turn most unlike each other, and why."""
        pairs, speeds = self.guess.pairs, self.turning[self.guess.pairs] * [-1, 1]
        worst = np.abs(np.diff(speeds)).argmax()
        (i, j), (one, other) = pairs[worst], speeds[worst]
        if abs(one - other) <= 4 * self.guess.errors.max():
            return ""
        words = f"at whole positions columns {i} and {j} turn by {one:.6g} and {other:.6g} radians"
        if not one * other:
            return f"{words}: one is not turned"
        if np.isclose(one, -other, rtol=1e-4):
            return f"{words}: a minus is forgotten"
        axes = [np.sort(pairs[self.guess.axes == axis], axis=None) for axis in set(self.guess.axes)]
        for name, order in ("tiled, f0 f1 ... f0 f1 ...", "C"), ("repeated, f0 f0 f1 f1 ...", "F"):
            dealt = [np.abs(self.turning[columns]).reshape(2, -1, order=order) for columns in axes]
            if np.allclose(*np.hstack(dealt), rtol=1e-4, atol=self.guess.errors.max()):
                return f"{words}: angles are {name}, and columns are paired otherwise"
        return words


def probe_rotary(turn, width, *, axes=1, length=4096):
    r"""Say how a function turns queries and keys, or how what it does is no rotation.

    Parameters
    ----------
    turn : callable
        ``turn(x, positions)`` takes an array of shape (n, width) and n positions, and returns an
        array of the shape of x. Positions are integers and, if it takes them, fractions.
    width, axes, length : int
        Columns of a head; numbers of a position (if several, `positions` has shape (n, axes)); and
        how many positions there are. All are asked, or many if there are more than 2¹⁹ numbers, and
        the last one alone, too.

    Returns
    -------
    RotaryDescription
        A ValueError says what a program does that is no rotation of columns two by two, each pair
        by one axis. Speeds beyond π radians a position, or 4096π of a program that takes fractions,
        can't be told from slower ones, but those that the ratio of slower pairs leads to.

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
    if program is None or program.off or not len(program.guess.pairs):
        program = _Program(turn, width, axes, whole)
    if words := program.wrong():
        raise ValueError(f"turn {words}")
    return program.guess
