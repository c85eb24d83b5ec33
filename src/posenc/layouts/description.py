"""What is said of a table of sinusoids, in numbers and in words."""

import json
import textwrap
from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np

_CACHES = {"cos, sin": "vLLM's cos_sin_cache", "pairs, cosine first": "gpt-fast's freqs_cis"}


@dataclass(frozen=True)
class Description:
    """What a table of sinusoids is made of; ``print`` says it in words.

    In row t and pair k stand sine and cosine of ``fastest * ratio**-k * (t + start)``, times
    ``amplitude``. What the table does not determine is None.

    Attributes
    ----------
    layout, first : str
        "pairs" or "halves", whether partners stand side by side or half a table apart, and which
        comes first, "sine" or "cosine".
    pairs : int
        How many there are, with those whose second column was cut off at the end.
    amplitude, fastest, ratio : float
        Length of a pair, mostly 1; speed of pair 0 in radians from row to row, negative where
        positions fall; and that speed over the speed of pair 1.
    starts : tuple of float
        Each position of row 0, counted in rows, that explains the table; if positions fall, its
        negative. ``start`` is the only one.
    errors, worst : dict of float, float
        How far rounding may move numbers, and how large ``worst`` may be, the largest difference
        between the table and what the description makes.
    blank, columns, filled : tuple of int, ndarray of int, bool
        Rows of zeros, which are left out; columns that are described; and whether a last column of
        zeros, which fills an odd width, was left out.
    axes : dict of Description
        Of a picture, "x" and "y" in the order in which they stand, and "t" of a film; the rest is
        what they share.
    form : {"", "complex", "matrices", "halves twice", "columns twice"}
        How a cache of turns keeps its columns, if not as a table does.
    """

    layout: str | None
    first: str | None
    pairs: int | None
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
    form: str = ""

    @property
    def start(self):
        """The position of row 0, if there is only one."""
        return self.starts[0] if len(self.starts) == 1 else None

    def bases(self):
        """Return ``ratio**P`` and its error for P = pairs, pairs - 1, and half an odd width."""
        if self.ratio is None or self.pairs is None:
            return {}
        odd = [] if self.axes or len(self.columns) % 2 == 0 else [len(self.columns) / 2]
        off = self.errors["ratio"] / self.ratio
        with np.errstate(over="ignore"):
            powers = {P: np.power(self.ratio, P) for P in (self.pairs, self.pairs - 1, *odd)}
            return {P: (base, base * np.expm1(P * off)) for P, base in powers.items()}

    def table(self, rows):
        """Return what stands in the given rows of such a table, counted from 0."""
        times = np.asarray(rows)[:, None] + self.starts[0]
        angles = self.fastest * self.ratio ** -np.arange(self.pairs, dtype=float) * times
        both = np.stack([np.sin(angles), np.cos(angles)][:: -1 if self.first == "cosine" else 1])
        both = both.transpose((1, 2, 0) if self.layout == "pairs" else (1, 0, 2))
        return self.amplitude * both.reshape(len(times), -1)[:, : len(self.columns)]

    def arrangement(self):
        """Return the order of the columns, as in ``"sin x, cos x, sin y, cos y"``."""
        if self.axes and None in (self.layout, self.first):
            return ", ".join(f"{axis}: {one.arrangement()}" for axis, one in self.axes.items())
        turned, axes = self.first == "cosine", self.axes or [""]
        if self.layout == "pairs":
            both = [self.form if self.form in ("complex", "matrices") else "pairs"]
            both[0] += ", cosine first" if turned and not self.form else ""
        else:
            both = np.repeat(["sin", "cos"], 1 + (self.form == "halves twice"))
            both = both[:: -1 if turned else 1]
        apart = any(np.ptp(one.columns) >= len(one.columns) for one in self.axes.values())
        order = [f"{part} {axis}".strip() for axis in axes for part in both]
        if apart and self.layout != "pairs":
            order = [f"{part} {axis}" for part in both for axis in axes]
        in_turn = " in turn" if apart and self.layout == "pairs" else ""
        return ", ".join(order) + in_turn + ", each twice" * (self.form == "columns twice")

    def programs(self):
        """Return the names of those programs that were found to write such tables."""
        path = files("posenc") / "data" / "programs.json"
        columns, bases, names = self.arrangement(), self.bases(), []
        for program in json.loads(path.read_text(encoding="utf-8"))["tables"]:
            P = self.pairs and self.pairs - (program["last"] == "m - 1")
            base, off = bases.get(P, (np.nan, 0))
            if program["columns"] == columns and abs(base - program["base"]) <= min(off, base / 10):
                names.append(program["name"])
        return names

    def __str__(self):
        """Return the description in words."""
        words = [] if self.axes else self._words()
        for axis, one in self.axes.items():
            words += [f"{axis} in columns {_span(one.columns)}:", *one._words()]
        programs = ", ".join(self.programs()) or "none of those that were asked"
        cache = "tables have no such form" if self.form else _CACHES.get(self.arrangement())
        words += [
            f"rows of zeros: {_span(self.blank)}" if self.blank else "",
            "a last column of zeros, left out" if self.filled else "",
            f"in order: {self.arrangement()}",
            textwrap.fill(f"such order and base: {programs}", 80, subsequent_indent="  "),
            f"or a cache of turns: {cache}" if cache else "",
        ]
        return "\n".join(filter(None, words))

    def _words(self):
        told = {name: _told(getattr(self, name), off) for name, off in self.errors.items()}
        scaled = abs(abs(self.fastest) - 1) > self.errors["fastest"]
        sense, width = np.sign(self.fastest), len(self.columns)
        start = self.start if self.start is None else sense * self.start
        starts = " or ".join(f"{sense * start:.6g}" for start in self.starts[:3])
        kinds = "1/base is the next speed", "1/base is the last speed", "half the width counts"
        return [
            f"{self.layout}, {self.first} first, {self.pairs} pairs of length {told['amplitude']}"
            + (f", cut off after {width} columns" if width < 2 * self.pairs else ""),
            f"speed of pair 0: {told['fastest']} radians a row"
            + (", by which positions are multiplied" if scaled else "")
            + (", and positions fall" if sense < 0 else ""),
            f"speed over that of the next pair: {told['ratio']}",
            *(
                f"base {_told(*base)} if {kind} (P = {P})"
                for (P, base), kind in zip(self.bases().items(), kinds)
            ),
            f"position of row 0: {_told(start, self.errors['start'])}"
            + (f"; {starts}, from -4200 to 10,000" if len(self.starts) > 1 else ""),
        ]


def _told(value, error):
    """Return a number with the digits that its error leaves, and the error."""
    if value is None:
        return "not determined"
    digits = int(np.clip(np.ceil(-np.log10(error)), 0, 9))
    shown = f"{round(value, digits) + 0:.{digits}f}" if abs(value) < 1e9 else f"{value:.9g}"
    return f"{shown} ± {error:.1g}"


def runs_in_words(numbers):
    """Return each run of neighboring numbers in words, such as "0 to 63"."""
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return [f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]


def _span(numbers):
    return ", ".join(runs_in_words(numbers))
