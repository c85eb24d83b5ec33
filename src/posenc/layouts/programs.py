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
from posenc.layouts.tables import ladder, rounded_to_bfloat16, runs_in_words, with_error

POSITIONS = (0, 1, 2, 3, 17, 100, 1000, 3001, 4095)
FRACTIONS = (1 / 4096, 1 / 64, 1 / 8)  # a program that takes these positions tells fast speeds
UNSTEADY = "gives other results when the same rows are asked again"
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
        axes, common_base, lines = np.unique(self.axes), self._base(self.axes >= 0), []
        several = len(axes) > 1
        if several:
            count = {2: "two", 3: "three"}.get(len(axes), len(axes))
            layout = f", each in {self.layout}: {_partners(self.pairs)[1]}" if self.layout else ""
            lines.append(f"{count} axes{layout}")
        for axis in axes:
            pairs, speeds = self.pairs[self.axes == axis], self.speeds[self.axes == axis]
            *first, last = runs_in_words(np.unique(pairs))
            columns = f"{', '.join(first)} and {last}" if first else last
            name = f"axis {axis}: " if several else ""
            partners = "" if several and self.layout else f", {_partners(pairs)[1]}"
            lines.append(f"{name}columns {columns} of {self.width}{partners}")
            lines.append(f"speeds {speeds.max():.6g} to {speeds.min():.6g} radians a position")
            if self.aliased:
                lines[-1] += ", or whole turns more or less"
                if speeds.max() > 3.15:
                    lines[-1] += "; whole positions can't tell, but the ratio of slower pairs leads"
                    lines[-1] += " to these"
            lines += common_base or self._base(self.axes == axis)
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
        """Return a line that names the base of some speeds, or none if they fall unevenly."""
        speeds, errors, count = self.speeds[which], self.errors[which], np.count_nonzero(which)
        places, known = np.arange(count), speeds > 4 * errors
        if known.sum() > 2:
            law, gain = ladder(speeds[known], errors[known], places[known])
            base, error = np.exp(count * law[1]), np.expm1(count * np.abs(gain[1]).sum())
            even = np.abs(np.exp(law[0] - places * law[1]) - speeds) <= 2 * errors
            if even.all() and error < 0.1:
                return [f"base {with_error(base, base * max(error, 2e-6))} over {count} pairs"]
        return []


def _partners(pairs):
    """Return the layout of pairs, and in words where the partners of first columns are."""
    distances = set(pairs[:, 1] - pairs[:, 0])
    if len(distances) != 1:
        return None, "partners " + ", ".join(f"{i} and {j}" for i, j in pairs)
    if distances == {1}:
        return "pairs", "neighbors"
    return "halves", f"partner {distances.pop()} further"


class _Program:
    """A program, what it makes of unit vectors and of random ones, and what these lead to."""

    def __init__(self, turn, width, axes, times):
        self.turn, self.width, self.times = turn, width, np.array(times)
        directions, rng = np.eye(axes, dtype=self.times.dtype), np.random.default_rng(0)
        self.units = np.array(
            [[self.ask(np.eye(width), time * axis) for time in times] for axis in directions]
        )
        step = 1 + (times[-1] * width >> 19)
        positions = np.append(np.arange(0, times[-1] + 1, step), self.times)
        self.positions = np.stack([rng.permutation(positions) for _ in range(axes)], axis=1)
        self.x = rng.integers(-64, 65, size=(len(positions), width)) / 8  # every type holds these
        self.result = self.ask(self.x, self.positions)
        last = self.positions.sum(axis=1).argmax()
        self.result[last] = self.ask(self.x[[last]], self.positions[last])  # tokens come one by one
        self.aliased = bool(times[1] == 1)
        # Whole turns make larger errors; a quarter of a radian is for those who turn step by step.
        self.margin = 2 * np.pi if self.aliased else 1 / 4
        for self.precision, (rounded, self.unit, self.drift) in PRECISIONS.items():
            with np.errstate(over="ignore"):
                fits = np.array_equal(rounded(self.units), self.units)
            if fits:
                self.guess = self.describe()
                self.mismatch = self.difference(self.guess.turn(self.x, self.positions))
                if self.precision != "float64" or not self.mismatch:
                    break

    def ask(self, x, positions):
        """Return what the program makes of rows at their positions, or all of them at one."""
        if positions.ndim == 1:
            positions = np.tile(positions, (len(x), 1))
        positions = positions.copy() if positions.shape[1] > 1 else positions[:, 0].copy()
        result = self.turn(x.copy(), positions)
        return array("turn(x, positions)", result, (len(x), self.width)).copy()

    @np.errstate(all="ignore")  # what turns nothing evenly may have no lengths
    def describe(self):
        """Describe the program by what it makes of unit vectors."""
        columns, order = np.arange(self.width), self.column_order()
        units = self.units[..., np.argsort(order)]
        self.find_partners(units)
        turns = self.partner != columns
        # Of each column the cosine and the sine at each time, which turn as one complex number.
        sines = units[self.axis, :, self.partner, columns] * turns[:, None]
        hands = (units[self.axis, :, columns, columns] + 1j * sines).T
        # What turns is to be multiplied by one number, and the rest by it or by 1.
        factor = float([*np.sort(np.abs(hands[0, turns])), 1][turns.sum() // 2])
        gains = np.where(turns | (np.abs(hands[0, ~turns]) != 1).any(), factor, 1)
        self.hands = hands / gains
        self.turning = self.column_speeds()
        i = np.flatnonzero(self.partner > columns)
        pairs, axes = np.stack([i, self.partner[i]], axis=1), self.axis[i]
        sense, speeds = self.sense_and_speeds(self.turning[self.partner[i]], axes)
        errors = self.errors(speeds, self.times[-1])
        about = _partners(pairs)[0], sense, self.width, self.precision, factor, self.aliased
        return RotaryDescription(*about, pairs, speeds, errors, axes, gains, order)

    def column_order(self):
        """Return which column comes out in each place at position 0."""
        start = np.abs(self.units[0, 0])
        order, mixes = start.argmax(axis=0), start.sum(axis=0) > 1.01 * start.max(axis=0)
        if mixes.any() or len(set(order)) < self.width:
            return np.arange(self.width)
        return order

    def find_partners(self, units):
        """Find each column's partner, which is itself if it stays, and the axis that turns them."""
        columns = np.arange(self.width)
        mixed = np.abs(units).max(axis=1) * (1 - np.eye(self.width))
        self.mixed = np.maximum(mixed, mixed.swapaxes(1, 2))
        most, partner = self.mixed.max(axis=(0, 1)), self.mixed.max(axis=0).argmax(axis=0)
        mutual = (most > 1e-12) & (partner[partner] == columns)
        self.partner = np.where(mutual, partner, columns)
        self.axis = self.mixed[:, self.partner, columns].argmax(axis=0)
        # By half a turn a position, only signs change: of two columns, if they're a pair.
        for axis, cosines in enumerate(units.diagonal(axis1=2, axis2=3).min(axis=1)):
            flips = np.flatnonzero((cosines < 0) & (self.partner == columns))
            if len(flips) == 2:
                self.partner[flips], self.axis[flips] = flips[::-1], axis

    def column_speeds(self):
        """Return the angle by which each column turns in a position, as long as it is one."""
        speeds, even, error = np.zeros(self.width), True, np.inf
        for time, hands in zip(self.times[1:], self.hands[1:]):
            rest = np.angle(hands * self.hands[0].conj() * np.exp(-1j * speeds * time))
            even &= np.abs(rest) <= error * time + 4 * self.unit
            speeds += np.where(even, rest / time, 0)
            error = self.errors(speeds, time)
        return speeds

    def errors(self, speeds, time):
        """Return how far rounding may move speeds that were measured between 0 and a time."""
        return 4 * self.unit / time + self.drift * (np.abs(speeds) + self.margin)

    def sense_and_speeds(self, turning, axes):
        """Return the sense in which all pairs turn, and their speeds with missing whole turns.

        Some speeds are negative if no sense fits all.
        """
        least, half = 4 * self.unit / self.times[-1], np.pi / self.times[1]
        flat = half - self.errors(half, self.times[-1])
        for sense, groups in product((1, -1), (axes, 0 * axes)):
            turned = np.where(np.abs(turning) > flat, half, sense * turning)
            speeds = _with_whole_turns(turned, groups, 2 * half, least, self.drift)
            if speeds is not None:
                return sense, speeds
        return 1, turning

    def difference(self, expected):
        """Return row, column, number and limit where the program first differs from `expected`."""
        order, size = self.guess.order, np.abs(self.x) + np.abs(self.x[:, self.partner])
        angles = self.positions[:, self.axis] * (np.abs(self.turning) + self.margin)
        size = (size * self.guess.gains)[:, order]
        size = np.maximum(size, np.abs(expected)) + 2.0**-13  # below which float16 is coarse
        limits = 4 * (self.unit + self.drift * angles[:, order]) * size
        wrong = ~(np.abs(expected - self.result) <= limits)
        if wrong.any():
            row = np.where(wrong.any(axis=1), self.positions.max(axis=1), np.inf).argmin()
            column = wrong[row].argmax()
            return row, column, expected[row, column], limits[row, column]

    def refusal(self):
        """Return in words what the program does that is no rotation, or nothing."""
        guess, speeds, (i, j) = self.guess, self.guess.speeds, self.guess.pairs.T
        if (self.units == self.units[0, 0]).all() or not (self.mismatch or len(i)):
            what = "turns nothing" if np.array_equal(self.result, self.x) else "ignores positions"
            return f"{what}: unit vectors come out alike at positions 0 to {self.times[-1]:g}"
        for k, m in np.argwhere((self.mixed > 8 * self.unit).sum(axis=0) > 1):
            return f"turns columns {k} and {m} by several axes, where each pair is to have one"
        moved, turning = np.flatnonzero(guess.order != np.arange(self.width)), np.unique([i, j])
        layouts = [pairs.ravel().tolist() for pairs in (guess.pairs, guess.pairs.T)]
        known = np.isin(moved, turning).all() and guess.order[turning].tolist() in layouts
        if len(moved) and not known:
            words = f"what belongs in column {guess.order[moved[0]]} comes out in column {moved[0]}"
            if (guess.order[i] == j).all():
                words += ", as if sine and cosine were exchanged"
            return f"exchanges columns, and not pairs for halves: {words}"
        if self.mismatch:
            return self.explain(*self.mismatch)
        if speeds.min() < 0:
            k, m, most = speeds.argmax(), speeds.argmin(), np.pi / self.times[1]
            words = f"turns column {i[k]} toward {j[k]} by {speeds[k]:.4g} radians a position, and "
            words += f"{i[m]} away from {j[m]} by {-speeds[m]:.4g}"
            return f"{words}; the sense of speeds beyond {most:.4g} can't be told"
        if idle := set(range(self.positions.shape[1])) - set(guess.axes):
            return f"ignores axis {min(idle)}: none of the {len(i)} pairs turns by it"
        return ""

    def explain(self, row, column, expected, limit):
        """Return in words why one number isn't what it should be, or only by how much."""
        x, position, number = self.x[row], self.positions[row], self.result[row, column]
        place = f"at position {', '.join(f'{time:g}' for time in position)} column {column}"
        together, alone = self.ask(self.x, self.positions), self.ask(x[None], position)[0, column]
        if not np.array_equal(self.ask(self.x, self.positions), together):
            return UNSTEADY
        units = self.ask(np.eye(self.width), position)[:, column]
        rounding = 8 * self.unit * (np.abs(x) @ np.abs(units))
        if abs(together[row, column] - alone) > rounding:
            words = f"{place} is {together[row, column]:.6g}, and alone {alone:.6g}"
            return f"makes a row's result depend on other rows: {words}"
        if abs(x @ units - alone) > rounding:
            words = f"{place} is {alone:.6g}, and of unit vectors added up {x @ units:.6g}"
            return f"isn't linear among rows at one position: {words}"
        if len(self.guess.pairs) and (words := self.slip(position.max())):
            return f"isn't a rotation by the position: {words}"
        return (
            f"isn't a rotation by the pairs and speeds that unit vectors show: {place} should be "
            f"{expected:.6g}, and is {number:.6g}; off by {abs(expected - number):.2g}, and "
            f"rounding explains {limit:.2g} ({self.precision})"
        )

    @np.errstate(all="ignore")
    def slip(self, start):
        """Return in words which known slip makes the program, which differs from `start` on."""
        guess, (i, j) = self.guess, self.guess.pairs.T
        angles = self.positions[:, self.axis] * self.turning
        cosines, sines = np.cos(angles), np.sin(angles)
        turned = self.x * cosines + self.x[:, self.partner] * sines
        begin, end = np.abs(self.hands[[0, -1]])
        lengths = begin * (end / begin) ** (self.positions[:, self.axis] / self.times[-1])
        words = " at position 0, and by ".join(
            f"{factors.min():.4g} to {factors.max():.4g}"
            for factors in (guess.gains * begin, guess.gains * end)
        )
        words += f" at {self.times[-1]:g}"
        words += ", as in xPos" * bool((np.abs(end / begin - 1) > 8 * self.unit).any())
        slips = {
            self.unlike_partners(): turned,
            f"columns are multiplied by {words}": turned * lengths,
        }
        for name, first, second in ("first", i, j), ("second", j, i):
            late, factors = turned.copy(), guess.factor * sines[:, first]
            late[:, second] = self.x[:, second] * cosines[:, first] - factors * turned[:, first]
            slips[f"the {name} of two columns is overwritten before the other is made"] = late
        slips = {words: (guess.gains * rows)[:, guess.order] for words, rows in slips.items()}
        for words, positions in {
            "rounded to bfloat16": rounded_to_bfloat16(self.positions),
            "rounded to float16": np.minimum(self.positions, 65504).astype(np.float16),
            "taken for the next": self.positions + 1,
            "taken for the one before": self.positions - 1,
            f"never beyond {start - 1:g}": np.minimum(self.positions, start - 1),
            f"counted anew from {start:g} on": self.positions % max(start, 1),
        }.items():
            slips[f"positions are {words}"] = guess.turn(self.x, positions)
        return next((words for words, rows in slips.items() if not self.difference(rows)), "")

    def unlike_partners(self):
        """Return in words which partners turn most unlike each other, and why."""
        guess, speeds = self.guess, self.turning[self.guess.pairs] * [-1, 1]
        worst = np.abs(np.diff(speeds)).argmax()
        (i, j), (first, second) = guess.pairs[worst], speeds[worst]
        if abs(first - second) <= 4 * guess.errors.max():
            return ""
        words = f"at whole positions columns {i} and {j} turn by {first:.6g} and {second:.6g} "
        words += "radians"
        if not first * second:
            return f"{words}: one is not turned"
        if np.isclose(first, -second, rtol=1e-4):
            return f"{words}: a minus is forgotten"
        axes = [np.sort(guess.pairs[guess.axes == axis], axis=None) for axis in set(guess.axes)]
        for name, order in ("tiled, f0 f1 ... f0 f1 ...", "C"), ("repeated, f0 f0 f1 f1 ...", "F"):
            dealt = [np.abs(self.turning[columns]).reshape(2, -1, order=order) for columns in axes]
            if np.allclose(*np.hstack(dealt), rtol=1e-4, atol=guess.errors.max()):
                return f"{words}: angles are {name}, and columns are paired otherwise"
        return words


def _with_whole_turns(turned, groups, whole_turn, least, drift):
    """Return speeds with the whole turns that slower ones lead to, or nothing if one is negative.

    From the last one on, those of a group that fall by one ratio say which comes next. Errors are
    at most `least` and, of a speed, the part `drift`.
    """
    speeds = turned.copy()
    for group in np.unique(groups):
        known = []
        for k in np.flatnonzero(groups == group)[::-1]:
            if len(known) > 1:
                errors = least + drift * speeds[known]
                law, gain = ladder(speeds[known], errors, np.array(known) - k)
                expected = np.exp(min(700, law[0]))
                limit = 4 * (expected * (np.linalg.norm(gain[0]) + drift) + least)
                speeds[k] += whole_turn * np.round((expected - turned[k]) / whole_turn)
                if not abs(speeds[k] - expected) <= limit < whole_turn / 24:
                    speeds[k], known = turned[k], []
            if speeds[k] < 0:
                return None
            if speeds[k] > 4 * (least + drift * speeds[k]):
                known.append(k)
    return speeds


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
        program = _Program(turn, width, axes, [0, *FRACTIONS, *whole[1:]])
    if program is None or program.mismatch or not len(program.guess.pairs):
        again = _Program(turn, width, axes, whole)
        if program and _changed(program.units[:, 1 + len(FRACTIONS) :], again.units[:, 1:]):
            raise ValueError(f"turn {UNSTEADY}")
        program = again
    if words := program.refusal():
        raise ValueError(f"turn {words}")
    return program.guess


def _changed(before, after):
    """Return whether unit vectors came out otherwise, by more than a position's type explains."""
    return bool(np.abs(before - after).max() > np.abs(after).max() / 16)
