r"""What a table of sinusoids is made of.

Each pair of columns is a hand, whose angle is :math:`f\, r^{-k}\, T` at the time T after position
zero, counted in rows. Lines through the angles give the speeds and the angles in the middle row,
and a line through the logarithms of the speeds gives ln f and ln r. Gauss-Newton steps sharpen the
two and find T, first with the slow hands, and with others as soon as it's known which turn they are
on; where it isn't, all turns are tried. At last the table is made anew, and must differ by no more
than rounding.
"""

import json
import textwrap
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import compress, product

import numpy as np

from posenc._validation import array, integer

STARTS = np.array([-4200, 10_100])  # how many rows after position zero row 0 may stand
MANY = 4096  # lines are laid through so many rows; what they give is compared with all
_CACHES = {"cos, sin": "vLLM's cos_sin_cache", "pairs, cosine first": "gpt-fast's freqs_cis"}
_LARGEST_BFLOAT16 = (2 - 2**-7) * 2.0**127


def bfloat16(numbers):
    """Round numbers to bfloat16, the upper half of a float32, ties to even.

    Parameters
    ----------
    numbers : array_like
        Finite real numbers of at most 3.39e38 in size, which is the largest bfloat16.

    Returns
    -------
    ndarray of float32
        The nearest numbers of eight binary digits.

    Examples
    --------
    >>> bfloat16([256, 257, 258])
    array([256., 256., 258.], dtype=float32)
    """
    numbers = array("numbers", numbers)
    largest = np.abs(numbers).max(initial=0)
    if largest > _LARGEST_BFLOAT16:
        raise ValueError(f"numbers must be at most {_LARGEST_BFLOAT16:.3g} in size, got {largest}")
    return rounded_to_bfloat16(numbers)


def rounded_to_bfloat16(numbers):
    """Return float32 numbers whose last 16 bits are 0, rounded to even."""
    bits = numbers.astype(np.float32).view(np.uint32)
    # Half of what is dropped, less a trifle if the kept part is even already.
    bits = bits + (0x7FFF + (bits >> 16 & 1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


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
        Length of a pair; speed of pair 0 in radians a row, negative where positions fall; and that
        speed over the speed of pair 1.
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

    def table(self, rows, rounded=(np.float64,) * 3):
        """Return what stands in rows, from 0 on, with rounded positions, speeds and angles."""
        speeds = self.fastest * self.ratio ** -np.arange(self.pairs, dtype=float)
        times = np.asarray(rows)[:, None] + self.starts[0]
        angles = rounded[2](rounded[0](times).astype(float) * rounded[1](speeds)).astype(float)
        both = np.stack([np.sin(angles), np.cos(angles)][:: -1 if self.first == "cosine" else 1])
        both = both.transpose((1, 2, 0) if self.layout == "pairs" else (1, 0, 2))
        return self.amplitude * both.reshape(len(times), -1)[:, : len(self.columns)]

    def arrangement(self):
        """Return the order of the columns, as in ``"sin x, cos x, sin y, cos y"``."""
        if self.axes and None in (self.layout, self.first):
            return ", ".join(f"{axis}: {one.arrangement()}" for axis, one in self.axes.items())
        axes = self.axes or [""]
        apart = any(np.ptp(one.columns) >= len(one.columns) for one in self.axes.values())
        if self.layout == "pairs":
            plain = "pairs, cosine first" if self.first == "cosine" else "pairs"
            both = [self.form if self.form in ("complex", "matrices") else plain]
        else:
            both = np.repeat(["sin", "cos"], 1 + (self.form == "halves twice"))
            both = both[:: -1 if self.first == "cosine" else 1]
        order = [f"{part} {axis}".strip() for axis in axes for part in both]
        if apart and self.layout == "halves":
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
            words += [f"{axis} in columns {', '.join(runs_in_words(one.columns))}:", *one._words()]
        programs = ", ".join(self.programs()) or "none of those that were asked"
        cache = "tables have no such form" if self.form else _CACHES.get(self.arrangement())
        words += [f"rows of zeros: {', '.join(runs_in_words(self.blank))}"] if self.blank else []
        words += ["a last column of zeros, left out"] if self.filled else []
        words += [f"in order: {self.arrangement()}"]
        words += [
            textwrap.fill(
                f"programs with this order and base: {programs}", 80, subsequent_indent="  "
            )
        ]
        return "\n".join(words + ([f"or a cache of turns: {cache}"] if cache else []))

    def _words(self):
        say = {name: told(getattr(self, name), off) for name, off in self.errors.items()}
        scaled = abs(abs(self.fastest) - 1) > self.errors["fastest"]
        sense, width = np.sign(self.fastest), len(self.columns)
        start = self.start if self.start is None else sense * self.start
        starts = " or ".join(f"{sense * start:.6g}" for start in self.starts[:3])
        kinds = "1/base is the next speed", "1/base is the last speed", "half the width counts"
        return [
            f"{self.layout}, {self.first} first, {self.pairs} pairs of length {say['amplitude']}"
            + (f", cut off after {width} columns" if width < 2 * self.pairs else ""),
            f"speed of pair 0: {say['fastest']} radians a row"
            + (", by which positions are multiplied" if scaled else "")
            + (", and positions fall" if sense < 0 else ""),
            f"speed over that of the next pair: {say['ratio']}",
            *(
                f"base {told(*base)} if {kind} (P = {P})"
                for (P, base), kind in zip(self.bases().items(), kinds)
            ),
            f"position of row 0: {told(start, self.errors['start'])}"
            + (f"; {starts}, from -4200 to 10,000" if len(self.starts) > 1 else ""),
        ]


def told(value, error):
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


def describe(table, *, grid=None):
    r"""Say what a table of sinusoids is made of, from its numbers alone.

    Angles of pair k in row t are to be :math:`f\, r^{-k} (t + s)`. Slopes of the unwrapped angles
    give f and r, a slow pair gives the start s, and all pairs sharpen the three.

    Parameters
    ----------
    table : array_like, shape (n, d)
        At least 8 rows that are not zero, of at least 4 columns, in any precision; bfloat16 as
        float32. A last column of zeros that fills an odd width is left out, and the last partners
        may be cut off. A picture may have shape (rows, columns, d), a film one side more, and a
        cache of turns may be complex, or of shape (n, d, 2), (n, d, 2, 2) or (2, n, d). Sides of 1
        do not matter. Speeds are below π radians a row, and row 0 stands at most 4200 rows before
        and 10,000 after position zero. If rising and falling positions explain the table alike,
        they rise.
    grid : (int, int) or (int, int, int), optional
        Rows and columns of a picture, where the table has a row for each place, row by row; of a
        film, with the number of pictures in front.

    Returns
    -------
    Description
        Layout, first of sine and cosine, speeds, start and errors, also in print. A ValueError
        says which limit was crossed, and what fits instead, if that was found.

    Examples
    --------
    >>> from posenc.encodings import sinusoidal
    >>> print(describe(sinusoidal(100, 16, base=500, start=5).astype(np.float16)))
    pairs, sine first, 8 pairs of length 1.0000 ± 0.0005
    speed of pair 0: 1.00000 ± 3e-05 radians a row
    speed over that of the next pair: 2.17456 ± 9e-05
    base 500.0 ± 0.2 if 1/base is the next speed (P = 8)
    base 229.93 ± 0.07 if 1/base is the last speed (P = 7)
    position of row 0: 5.000 ± 0.002
    in order: pairs
    programs with this order and base: none of those that were asked
    """
    values, sides, form = _arranged(table)
    if grid is not None:
        grid = tuple(integer("grid", side, least=3) for side in grid)
    elif len(sides) > 2:
        grid = sides[:-1]
    with np.errstate(all="ignore"):  # of what is no table of sinusoids, numbers may overflow
        try:
            return _read(values, grid, form)
        except ValueError as error:
            name = "table" if np.shape(table) == sides else "np.squeeze(table)"
            raise ValueError(f"{error}{_instead(values, sides, grid, name)}") from None


def _arranged(table):
    """Return a table in rows of columns, in its own precision, its sides, and a cache's form."""
    values, form = np.asarray(table) if hasattr(table, "dtype") else array("table", table), ""
    if values.dtype == "bfloat16":
        values = values.astype(np.float32)
    if values.dtype.kind == "c" and values.ndim > 1:
        values, form = np.stack([values.real, values.imag], axis=-1), "complex"
        values = values.reshape(*values.shape[:-2], -1)
    if values.dtype not in (np.float16, np.float32) or not np.isfinite(values).all():
        values = array("table", values)
    if values.ndim != 2:
        values = values.reshape([side for side in values.shape if side != 1])
    if values.shape[2:] == (2, 2):  # cosine, -sine, sine, cosine
        cosine, sine = values[..., 0, 0], values[..., 1, 0]
        if np.array_equal(values[..., 1], np.stack([-sine, cosine], axis=-1)):
            values, form = values[..., 0], "matrices"
    if values.ndim == 3 and values.shape[2] == 2:
        values = values.reshape(len(values), -1)
    elif values.ndim == 3 and len(values) == 2 and np.ptp(values, axis=0).any():
        values = np.hstack(values)
    if not 2 <= values.ndim <= 4:
        raise ValueError(
            "table must have shape (n, d), or of a picture (rows, columns, d), or of a film one "
            f"side more in front, and else sides of 1; got shape {values.shape}"
        )
    return values.reshape(-1, values.shape[-1]), values.shape, form


def _read(values, grid, form=""):
    """Describe a table, but for rows and columns of zeros, and for columns that come twice."""
    filled = bool(values.shape[1] % 2 and not values[:, -1].any())
    told, columns = values.any(axis=1), np.arange(values.shape[1] - filled)
    rows, blank = np.flatnonzero(told), tuple(np.flatnonzero(~told).tolist())
    table = values if told.all() else values[told]
    for kind, count in {"columns twice": len(columns) // 2, "halves twice": 2}.items():
        if count and columns.size and columns.size % (2 * count) == 0:
            one, other = columns.reshape(count, 2, -1).swapaxes(0, 1).reshape(2, -1)
            first = table[:8]  # tells most tables, and saves memory
            if all(np.array_equal(part[:, one], part[:, other]) for part in (first, table)):
                columns, form = one, kind
                break
    table = table[:, columns] if form.endswith("twice") else table[:, : len(columns)]
    if len(rows) < 8 or len(columns) < 4:
        raise ValueError(
            "table must have at least 8 rows that are not zero, and at least 4 columns that do not "
            f"come twice; it has {len(rows)} and {len(columns)}"
        )
    if grid and (len(grid) not in (2, 3) or np.prod(grid) != len(rows)):
        raise ValueError(
            "table must have a row that is not zero for each place of a grid of two or three "
            f"sides; it has {len(rows)} such rows, and its grid is {grid}"
        )
    result = _by_axes(table, rows, grid or (len(rows),), _rounding(table))
    axes = {name: replace(one, columns=columns[one.columns]) for name, one in result.axes.items()}
    return replace(result, axes=axes, columns=columns, blank=blank, filled=filled, form=form)


def _rounding(table):
    """Return the relative and the least error of the numbers, and the relative one of angles.

    Programs compute frequencies and angles in float32, unless their numbers are finer.
    """
    top = max(float(table.max()), -float(table.min()))
    blocks = np.array_split(table, 1 + table.size // 2**19)  # saves memory
    for rounded, unit, least, drift in (
        (rounded_to_bfloat16, 2.0**-8 + 2.0**-22, 0, 2.0**-19),
        (np.float16, 2.0**-11 + 2.0**-22, 2.0**-24, 2.0**-19),
        (np.float32, 2.0**-22, 0, 2.0**-19),
        (np.float64, 2.0**-42, 0, 2.0**-44),
    ):
        equal = (np.array_equal(rounded(block), block) for block in blocks)
        if rounded is table.dtype.type or all(equal):
            return unit, top * min(unit, 2.0**-40) + least, drift


def _by_axes(table, rows, sides, errors):
    """Describe the columns that depend on one axis alone, axis by axis."""
    (unit, floor, _), width, count, refusal = errors, table.shape[1], len(sides), None
    if count == 1:
        return _described(table, rows, errors)
    places = table.reshape(*sides, width)
    lines = [np.moveaxis(places, i, 0).reshape(side, -1, width) for i, side in enumerate(sides)]
    moves = np.array([np.ptp(line, axis=0).max(axis=0) for line in lines])
    allowed = 2 * (unit * np.abs(table).max() + floor)
    moving, columns, half = moves > allowed, np.arange(width), -(-width // 2)
    for side in np.flatnonzero(~moving.any(axis=1)):
        raise ValueError(
            f"table must change along each side of the grid {sides}; along the "
            f"{('first', 'second', 'third')[side]} all tables are the same; give one of them"
        )
    firsts = moving.argmax(axis=1)
    order = np.argsort(firsts)
    for owner in (
        order[np.searchsorted(firsts[order], columns, side="right") - 1],  # axis after axis
        order[columns % half * count // half],  # first columns of all, then second ones
        order[columns // 2 % count],  # pair by pair
    ):
        parts = {axis: np.flatnonzero(owner == axis) for axis in order}
        others = moving & (owner != np.arange(count)[:, None])
        if others.any() or min(map(len, parts.values())) < 4:
            continue
        try:
            axes = {}
            for axis, part in parts.items():
                one = _described(lines[axis][:, 0, part], np.arange(sides[axis]), errors)
                axes["tyx"[axis - count]] = replace(one, columns=part)
            return _shared(axes, columns)
        except ValueError as error:
            refusal = refusal or error
    column = int(np.sort(moves, axis=0)[-2].argmax())
    changes = ", ".join(f"{move:.1e}" for move in moves[:, column])
    raise refusal or ValueError(
        f"table must have columns that change along one axis of the grid {sides} alone, axis after "
        f"axis, or in each half, or pair by pair; column {column} changes by up to {changes} along "
        f"the axes, which begin in columns {firsts.tolist()}, and rounding explains {allowed:.1e}"
    )


def _shared(axes, columns):
    """Return a description of what the axes share."""
    every = list(axes.values())
    names = set(every[0].errors).intersection(*(one.errors for one in every))
    off, shared = {name: sum(one.errors[name] for one in every) for name in names}, []
    for name in ("layout", "first", "pairs", "amplitude", "fastest", "ratio", "start"):
        values = [getattr(one, name) for one in every]
        near = len(set(values)) == 1
        if name in off and None not in values:
            near = max(values) - min(values) <= off[name]
        shared.append(values[0] if near else None)
    starts = every[0].starts if shared.pop() is not None else ()
    worst = max(one.worst for one in every) if "worst" in off else None
    return Description(*shared, starts, errors=off, worst=worst, columns=columns, axes=axes)


def _described(table, rows, errors):
    """Describe the columns of one axis, by the first order of partners that makes them anew."""
    (unit, floor, _), width, head = errors, table.shape[1], table[:MANY].astype(float)
    orders, refusals = [np.arange(1, width, 2), np.arange(-(-width // 2), width)], []
    if width % 2 == 0 and width >= 8:  # as where 1026 columns were cut to 1024
        orders.append(np.arange(width // 2 + 1, width))
    for seconds in orders:
        firsts = np.setdiff1d(np.arange(width), seconds)
        hands = head[:, firsts[: len(seconds)]] + 1j * head[:, seconds]
        size = float(np.median(np.abs(hands))) or 1.0
        spread, limit = np.abs(np.abs(hands / size) ** 2 - 1).max(), 4 * (unit + floor / size)
        try:
            if not spread <= limit:
                raise ValueError(
                    "table must have columns whose squares sum to one number in all rows, side by "
                    "side or half a table apart; it has not: "
                    f"{'pairs' if seconds[0] == 1 else 'halves'} are off by up to {spread:.1e} of "
                    f"it, and rounding explains {limit:.1e}"
                    + _apart(head[:64], firsts[: len(seconds)], seconds, limit)
                )
            return _fitted(hands / size, size, firsts, seconds, table, rows, errors)
        except ValueError as error:
            refusals.append((np.abs(np.abs(hands[:64] / size) ** 2 - 1).mean(), error))
    raise min(refusals, key=lambda one: one[0])[1]


def _apart(table, firsts, seconds, limit):
    """Return in words which partners turn at different speeds most, if their columns are waves."""
    middle, around = table[1:-1], table[2:] + table[:-2]
    cosines = (middle * around).sum(axis=0) / (2 * middle**2).sum(axis=0)
    wave = np.abs(around - 2 * cosines * middle).max(axis=0) <= limit * np.abs(table).max()
    off = np.abs(cosines[firsts] - cosines[seconds]) * wave[firsts] * wave[seconds]
    i, j = firsts[off.argmax()], seconds[off.argmax()]
    if not 2 * limit < off.max() < 2:
        return ""
    one, other = np.arccos(np.clip(cosines[[i, j]], -1, 1))
    return f"; columns {i} and {j} turn by {one:.4g} and {other:.4g} radians a row"


def _fitted(hands, size, firsts, seconds, table, rows, errors):
    """Describe hands of length 1 by a rule that makes the table anew, or say what is against it."""
    (unit, floor, drift), width, pairs = errors, table.shape[1], len(firsts)
    places = np.argsort(np.append(firsts, seconds)) % pairs  # of which pair each column is
    layout, good, tried = "pairs" if seconds[0] == 1 else "halves", [], []
    lines = _Lines(hands, rows[:MANY], (unit, floor / size, drift))
    blocks = list(zip(*(np.array_split(part, 1 + table.size // 2**19) for part in (rows, table))))
    for first, fastest, ratio, start, off in lines.fits():
        if good and first != good[0].first:  # positions rise, if they may
            break
        off = {"amplitude": unit * size + floor} | off
        about = Description(layout, first, pairs, size, fastest, ratio, (start,), errors=off)
        about = replace(about, columns=np.arange(width))
        if ratio is None:
            return replace(about, starts=())
        angles = abs(fastest) * ratio ** -places.astype(float) * np.abs(rows[[0, -1]] + start).max()
        limits = size * (2 * unit + drift * angles) + floor
        away = [np.abs(about.table(at) - block).max(axis=0) for at, block in blocks]
        tried += [max(zip(np.max(away, axis=0) / limits, np.max(away, axis=0), limits))]
        about = replace(about, worst=np.max(away), errors=off | {"worst": limits.max()})
        good += [about] if tried[-1][0] <= 1 else []
    if not good:
        raise ValueError(
            "table must be of sinusoids; the nearest that were found differ by {1:.1e}, and "
            "rounding explains {2:.1e}".format(*min(tried))
            if tried
            else "table must have pairs that all start at one position, and row 0 at most "
            f"{-STARTS[0]} rows before and 10,000 after position zero; no position there puts all "
            "in place"
        )
    best, off = min(good, key=lambda one: abs(one.start)), {}
    for name in ("fastest", "ratio", "start"):  # errors that reach all
        away = [abs(getattr(one, name) - getattr(best, name)) + one.errors[name] for one in good]
        off[name] = max(away)
    starts = tuple(sorted((one.start for one in good), key=abs))
    return replace(best, starts=starts, errors=best.errors | off)


class _Lines:
    """Speeds of hands and their angles in the middle row, by lines through their angles."""

    def __init__(self, hands, rows, errors):
        unit, floor, self.drift = errors
        away, near = rows - rows.mean(), np.diff(rows) == 1
        speeds = np.angle(np.sum((hands[1:] * hands[:-1].conj())[near], axis=0))
        rest = np.unwrap(np.angle(hands * np.exp(-1j * np.outer(away, speeds))), axis=0)
        slopes, self.angles = np.polyfit(away, rest, 1)
        self.speeds, self.middle, self.places = speeds + slopes, rows.mean(), np.arange(len(speeds))
        self.bounds = unit * np.abs(np.sin(2 * np.angle(hands))).max(axis=0) + floor
        # In float32 a sixteenth of the drift is new in each row.
        uneven = self.drift / 16 * np.abs(self.speeds) * (rows[-1] + STARTS[1])
        self.steepness = np.abs(away).sum() / np.sum(away**2)
        self.slack = self.drift * np.abs(self.speeds) + self.steepness * (self.bounds + uneven)
        off = np.abs(np.angle(np.exp(1j * (rest - self.angles - np.outer(away, slopes)))))
        allowed = 2 * (self.bounds + 2 * uneven)
        if (off > allowed).any():
            row, pair = np.unravel_index(np.argmax(off / allowed), off.shape)
            raise ValueError(
                f"table must turn each pair evenly from row to row; pair {pair} is in row "
                f"{rows[row]} {off[row, pair]:.1e} radians off its line, and at a speed below π "
                f"radians a row rounding explains {allowed[pair]:.1e}"
            )

    def fits(self):
        """Yield sine or cosine, f, r, start and errors of each rule that explains all hands."""
        speeds, slack = self.speeds, self.slack
        known = 4 * slack < np.abs(speeds)
        if known.sum() < 2 and not known[0]:
            raise ValueError(
                "table must turn its first pair by more than its rounding; it turns by "
                f"{abs(speeds[0]):.1e} radians a row, and rounding explains {4 * slack[0]:.1e}"
            )
        law = self.law(known) if known.sum() > 1 else None
        sense, center = np.sign(np.median(speeds[known])), self.middle + STARTS.mean()
        # With the cosine first, a pair is a hand that turns counterclockwise as positions rise.
        for first, rising in zip(["cosine", "sine"][:: int(sense)], (1, -1)):
            since = rising * (self.angles if first == "cosine" else np.pi / 2 - self.angles)
            if law is None:
                # The others stand where start and speed put them, which is near the angle zero.
                still = np.abs(np.angle(np.exp(1j * since[~known])))
                if (still <= self.bounds[~known] + 4 * slack[~known] * STARTS[1]).all():
                    off = {"fastest": slack[0], "ratio": np.nan, "start": np.nan}
                    yield first, rising * abs(speeds[0]), None, None, off
                continue
            turned = np.stack([sense * speeds, since])
            used = np.stack([known | True, known & False])
            for numbers, bounds in self.solved(np.append(law, center), turned, used, center):
                (f, r), start = np.exp(numbers[:2]), numbers[2] - self.middle
                off = {"fastest": f * np.expm1(bounds[0]), "ratio": r * np.expm1(bounds[1])}
                if STARTS[0] <= start <= STARTS[1]:
                    yield first, rising * f, r, start, off | {"start": bounds[2]}

    def law(self, known):
        """Return ln f and ln r of known speeds, or say what is against it."""
        turned, places = self.speeds * (np.sign(np.median(self.speeds[known])) or 1), self.places
        law = ladder(np.abs(turned[known]), self.slack[known], places[known])[0]
        fitted = np.exp(law[0] - places * law[1])
        off = np.abs(turned - fitted) / self.slack * known
        if off.max() <= 4:
            return law
        least = self.steepness * self.bounds
        for sense, way in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            speeds = with_whole_turns(sense * self.speeds[::way], least[::way], self.drift)
            if speeds is not None and speeds.max() > np.pi:
                raise ValueError(
                    "table must have speeds below π radians a row, since faster ones can't be told "
                    "from slower ones the other way; by the ratio of slower pairs, pair "
                    f"{speeds[::way].argmax()} turns by {speeds.max():.4g}"
                )
        k = off.argmax()
        still = "" if known.all() else ", ".join(runs_in_words(places[~known]))
        fitted_to = f"all but {still}, where rounding hides turns" if still else "all"
        raise ValueError(
            "table must turn all pairs one way, by speeds that fall by one ratio; taken between -π "
            f"and π radians a row, pairs turn by {turned[known].min():.4g} to "
            f"{turned[known].max():.4g}, and pair {k} turns by {turned[k]:.4g}, where one ratio, "
            f"fitted to {fitted_to}, gives {fitted[k]:.4g}"
        )

    def compared(self, turned, numbers):
        """Return how far what has turned is from what (ln f, ln r, T) say, bounds, and slopes.

        These are the turns of hands in one row, which are the speeds, and in the time T.
        """
        places, time = self.places, numbers[2]
        speeds = np.exp(np.clip(numbers[0] - places * numbers[1], -690, 9))
        times, last = np.array([[1], [time]]), np.array([[0], [1]])
        uneven = self.bounds + self.drift / 16 * speeds * np.abs(time)
        bounds = np.stack([self.steepness * uneven, self.bounds])
        slopes = np.stack(np.broadcast_arrays(times, -places * times, last), axis=-1)
        bounds += self.drift * speeds * np.abs(times)
        return turned - speeds * times, bounds, speeds[:, None] * slopes

    def solved(self, numbers, turned, used, center, budget=8000):
        """Yield each (ln f, ln r, T) that explains all that has turned, with bounds.

        What is `used` has all its whole turns. The rest joins as soon as its turns are sure; if
        nothing is, the surest joins, once for each number of turns it may have made, or with the
        nearest number if there are more than `budget`. `center` is the middle of the times T.
        """
        prior, turn = np.ptp(STARTS) / 6, 2 * np.pi
        while True:
            for _ in range(6):
                off, allowed, slopes = self.compared(turned, numbers)
                columns = np.vstack([slopes[used] / allowed[used][:, None], [0, 0, 1 / prior]])
                errors = np.append((off / allowed)[used], (center - numbers[2]) / prior)
                sizes = np.maximum(np.linalg.norm(columns, axis=0), 1e-9)
                gain = np.linalg.pinv(columns / sizes) / sizes[:, None]
                step = gain @ errors
                numbers = numbers + step / max(1, np.abs(step[:2]).max())
                if np.abs(columns @ step).max() < 0.01:
                    break
            if (np.abs(errors[:-1]) > 1.2).any():
                return
            spread = gain @ gain.T
            if used.all():
                yield numbers, np.abs(gain).sum(axis=1)
                return
            reach = 3 * np.sqrt(np.abs(np.sum(slopes @ spread * slopes, axis=-1))) + allowed
            reach[used] = np.inf
            # An angle known to 1.5 radians is on a known turn, or so vague that none matters.
            sure = reach < np.maximum(1.5, 3 * allowed)
            if not sure.any():
                sure = reach == reach.min()
                missing, width = off[sure][0] / turn, reach.min() / turn
                choices = np.arange(np.ceil(missing - width), missing + width)
                if len(choices) != 1 and len(choices) <= budget:
                    for turns in choices:
                        more = turned - sure * turns * turn, used | sure, center
                        yield from self.solved(numbers, *more, budget // len(choices))
                    return
            turned, used = turned - np.where(sure, np.round(off / turn) * turn, 0), used | sure


def ladder(speeds, errors, places):
    """Return ln f and ln r of speeds f / r**place, and how far errors move the two."""
    weights = speeds / errors
    gain = np.linalg.pinv(np.stack([weights, -weights * places], axis=1), rcond=1e-15)
    return gain @ (weights * np.log(speeds)), gain


def with_whole_turns(turned, least, drift, turn=2 * np.pi, groups=None):
    """Return speeds with the whole turns that slower ones lead to, or nothing if one is negative.

    From the last one on, those of a group that fall by one ratio say which comes next. Errors are
    at most `least` and, of a speed, the part `drift`.
    """
    speeds, groups = turned.copy(), np.zeros(len(turned)) if groups is None else groups
    least = np.broadcast_to(least, speeds.shape)
    for group in np.unique(groups):
        known = []
        for k in np.flatnonzero(groups == group)[::-1]:
            if len(known) > 1:
                errors = least[known] + drift * speeds[known]
                law, gain = ladder(speeds[known], errors, np.array(known) - k)
                wanted = np.exp(min(700, law[0]))
                allowed = 4 * (wanted * (np.linalg.norm(gain[0]) + drift) + least[k])
                speeds[k] += turn * np.round((wanted - turned[k]) / turn)
                if not abs(speeds[k] - wanted) <= allowed < turn / 24:
                    speeds[k], known = turned[k], []
            if speeds[k] < 0:
                return None
            known += [k] if speeds[k] > 4 * (least[k] + drift * speeds[k]) else []
    return speeds


def _attempt(function, *arguments):
    """Return what a function returns, or None if it refuses."""
    try:
        return function(*arguments)
    except ValueError:
        return None


def _instead(values, sides, grid, name):
    """Return in words in what other reading a table of this name fits, if any was found."""
    rows, turned = np.flatnonzero(values.any(axis=1)), np.moveaxis(values.reshape(sides), 0, -1)
    over = turned.shape[:-1] if len(sides) > 2 else grid
    if sides[0] < 2**14 and _attempt(_read, turned.reshape(-1, sides[0]), over):
        return f"; its channels come first: np.moveaxis({name}, 0, -1) can be described"
    told, small, count = values[rows], values.size < 2**21, len(rows)
    if count < 8 or values.shape[1] < 4:
        return ""
    errors = _rounding(told)
    sizes = range(3, count // 3 + 1) if small else [round(count**0.5)]
    for other in [grid[::-1]] if grid else [(side, count // side) for side in sizes]:
        if np.prod(other) == count and _attempt(_read, told, other):
            return f"; with grid={other} it can be described"
    if grid:
        return _nearest(told, rows, grid, errors) if small and np.prod(grid) == count else ""
    one, tried = _loosely(told[:64], rows[:64], (min(count, 64),), errors), []
    for P in one.bases() if one and one.starts and small else ():
        fastest, base = (float(f"{number:.2g}") for number in (one.fastest, one.ratio**P))
        plain = replace(one, fastest=fastest, ratio=base ** (1 / P), starts=np.round(one.starts))
        limit = 4 * (errors[0] * one.amplitude + errors[1])
        for name, which in product(("bfloat16", "float16"), product((False, True), repeat=3)):
            number = rounded_to_bfloat16 if name == "bfloat16" else np.float16
            made = plain.table(rows, [number if own else np.float64 for own in which])
            good = np.count_nonzero(np.abs(made - told) <= limit)
            names = ", ".join(compress(("positions", "speeds", "angles"), which))
            words = f"; {names} rounded to {name} explain {good} of its {told.size} numbers, with "
            tried += [
                (good, any(which), f"{words}speeds from {fastest:g} and base {base:g} (P = {P})")
            ]
    good, rounded, words = max(tried, key=lambda one: one[0], default=(0, False, ""))
    if rounded and good > 0.999 * told.size:  # what isn't rounded comes first
        return words
    return _nearest(told[:MANY], rows[:MANY], (min(count, MANY),), errors)


def _loosely(table, rows, sides, errors):
    """Describe a table but for larger errors, or return None."""
    size, (unit, floor, drift) = np.sqrt(2 * np.mean(table.astype(float) ** 2)), errors
    for share in (1 / 64, 1 / 16, 1 / 4):
        more = unit, floor + share * size, drift
        if one := _attempt(_by_axes, table, rows, sides, more):
            return one


def _nearest(table, rows, sides, errors):
    """Return in words which sinusoids are near, if any describe a table but for larger errors."""
    off, words = table.astype(float), []
    size, one = np.sqrt(2 * np.mean(off**2)), _loosely(table, rows, sides, errors)
    for name, axis in (one.axes or {"x": one}).items() if one else ():
        if not axis.starts:
            return ""
        at = np.indices(sides)["tyx".index(name) - 3].ravel() if one.axes else rows
        off[:, axis.columns] -= axis.table(at)
        words.append(
            f"{axis.layout}, {axis.first} first, speed of pair 0 {axis.fastest:.4g}, ratio "
            f"{axis.ratio:.4g}, position of row 0 {round(axis.starts[0], 4) + 0:g}"
        )
    most, mean = np.abs(off).max(), np.sqrt(np.mean(off**2))
    if not words or mean <= size * max(errors[0], 2.0**-20):
        return ""
    # Of what was trained on, no number and no column is much farther off than others.
    spread = most < 8 * mean and np.sqrt(np.mean(off**2, axis=0)).max() < 2 * mean
    trained = ", as if it began as these and was trained on" if spread else ""
    return (
        f"; the nearest sinusoids that were found ({'; '.join(words)}) differ by up to {most:.1e}, "
        f"and by {mean:.1e} in the root mean square{trained}"
    )
