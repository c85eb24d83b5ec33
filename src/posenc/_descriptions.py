"""What `posenc.layouts` found out about a table or a rotary program, and how it says so."""

import json
import textwrap
from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np


@dataclass(frozen=True)
class Description:
    """What a table of sinusoids is made of; ``print`` says it in words.

    In row t and pair k stand sine and cosine of ``fastest * ratio**-k * (t + start)``, times
    ``amplitude``. What the table does not determine is None.

    Attributes
    ----------
    layout : {"pairs", "halves"}
        Whether the columns of a pair stand side by side or half a table apart.
    first : {"sine", "cosine"}
        Which of the two comes first.
    pairs : int
    amplitude : float
        Length of a pair, mostly 1.
    fastest : float
        Speed of pair 0, in radians from row to row; negative where positions fall.
    ratio : float
        Speed of a pair over that of the next.
    starts : tuple of float
        Each position of row 0, counted in rows, that explains the table.
    start : float
        The position of row 0 in rows, if there is only one; if positions fall, its negative.
    blank : tuple of int
        Rows of zeros, which are left out.
    errors : dict of float
        By the rounding of the table: how far numbers may be off, and how large ``worst`` may be.
    worst : float
        Largest difference between the table and what the description makes.
    columns : ndarray of int
        Which columns of the table are described.
    filled : bool
        Whether a last column of zeros, which fills an odd width, was left out.
    axes : dict of Description
        Of a picture, "x" and "y" in the order in which they stand; the rest is what they share.
    """

    layout: str | None
    first: str | None
    pairs: int
    amplitude: float | None
    fastest: float | None
    ratio: float | None = None
    starts: tuple = ()
    blank: tuple = ()
    errors: dict = field(default_factory=dict)
    worst: float | None = None
    columns: np.ndarray = field(default=None, repr=False)
    filled: bool = False
    axes: dict = field(default_factory=dict)

    @property
    def start(self):
        return self.starts[0] if len(self.starts) == 1 else None

    def bases(self):
        """Return ``ratio**P`` and its error for P = pairs and P = pairs - 1: the base of each."""
        if self.ratio is None:
            return {}
        off, every = self.errors["ratio"] / self.ratio, (self.pairs, self.pairs - 1)
        return {P: (self.ratio**P, self.ratio**P * np.expm1(P * off)) for P in every}

    def table(self, rows):
        """Return what stands in the given rows of such a table, counted from 0."""
        times = np.asarray(rows)[:, None] + self.starts[0]
        angles = self.fastest * self.ratio ** -np.arange(self.pairs) * times
        both = np.stack([np.sin(angles), np.cos(angles)][:: -1 if self.first == "cosine" else 1])
        axes = (1, 2, 0) if self.layout == "pairs" else (1, 0, 2)
        return self.amplitude * both.transpose(axes).reshape(len(times), -1)

    def arrangement(self):
        """Return the order of the columns, as in ``"sin x, cos x, sin y, cos y"``."""
        turned = self.first == "cosine"
        if self.layout == "pairs" and turned:
            return "pairs, cosine first"
        both = ["pairs"] if self.layout == "pairs" else ["sin", "cos"][:: -1 if turned else 1]
        if not self.axes:
            return ", ".join(both)
        if any(np.ptp(it.columns) >= len(it.columns) for it in self.axes.values()):
            return ", ".join(f"{part} {axis}" for part in both for axis in self.axes)
        return ", ".join(f"{part} {axis}" for axis in self.axes for part in both)

    def programs(self):
        """Return the names of those programs that were found to write such tables."""
        path = files("posenc") / "data" / "programs.json"
        columns, bases, names = self.arrangement(), self.bases(), []
        for program in json.loads(path.read_text(encoding="utf-8"))["tables"]:
            base, off = bases.get(self.pairs - (program["last"] == "m - 1"), (np.nan, 0))
            if program["columns"] == columns and abs(base - program["base"]) <= off:
                names.append(program["name"])
        return names

    def __str__(self):
        """Return the description in words."""
        words = self._words() if not self.axes else []
        for axis, it in self.axes.items():
            words += [f"{axis} in columns {_span(it.columns)}:", *it._words()]
        if self.blank:
            words.append(f"rows of zeros: {_span(self.blank)}")
        if self.filled:
            words.append("a last column of zeros, left out")
        programs = ", ".join(self.programs()) or "none of those that were asked"
        programs = textwrap.fill(f"such order and base: {programs}", 80, subsequent_indent="  ")
        return "\n".join([*words, f"in order: {self.arrangement()}", programs])

    def _words(self):
        told = {name: _told(getattr(self, name), off) for name, off in self.errors.items()}
        scaled = abs(abs(self.fastest) - 1) > self.errors["fastest"]
        sense = np.sign(self.fastest)
        first = self.start if self.start is None else sense * self.start
        starts = " or ".join(f"{sense * start:.6g}" for start in self.starts[:3])
        return [
            f"{self.layout}, {self.first} first, {self.pairs} pairs of length {told['amplitude']}",
            f"speed of pair 0: {told['fastest']} radians a row"
            + (", by which positions are multiplied" if scaled else "")
            + (", and positions fall" if sense < 0 else ""),
            f"speed over that of the next pair: {told['ratio']}",
            *(
                f"base {_told(*base)} if 1/base is the {last} speed (P = {P})"
                for (P, base), last in zip(self.bases().items(), ("next", "last"))
            ),
            f"position of row 0: {_told(first, self.errors['start'])}"
            + (f"; {starts}" if len(self.starts) > 1 else ""),
        ]


@dataclass(frozen=True)
class RotaryDescription:
    """How a program turns queries and keys; ``print`` says it in words.

    Attributes
    ----------
    layout : {"pairs", "halves"} or None
        Whether columns 2k and 2k + 1 turn together, or k and one half of a head further on.
    sense : int
        1 if the first of two columns turns toward the second, as in RoFormer and Llama, -1 if away
        from it, as in the course, where the sine is first.
    width : int
        Columns of a head.
    pairs : ndarray of int, shape (m, 2)
        Which columns turn together.
    speeds : ndarray, shape (m,)
        In radians a position.
    """

    layout: str | None
    sense: int
    width: int
    pairs: np.ndarray = field(repr=False)
    speeds: np.ndarray = field(repr=False)

    def __str__(self):
        """Return the description in words."""
        return (
            f"{self.layout or 'neither pairs nor halves'}, {self.pairs.size} of {self.width} "
            f"columns turned, the first of two {'toward' if self.sense > 0 else 'away from'} the "
            f"second\nspeeds {self.speeds.max():.6g} to {self.speeds.min():.6g} radians a position"
        )


def _told(value, error):
    """Return a number with the digits that its error leaves, and the error."""
    if value is None:
        return "not determined"
    digits = int(np.clip(np.ceil(-np.log10(error)), 0, 9))
    return f"{round(value, digits) + 0:.{digits}f} ± {error:.1g}"


def _span(numbers):
    """Return runs of whole numbers in words."""
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
