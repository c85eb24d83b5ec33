r"""What a table of sinusoids is made of.

Each pair of columns is a hand, whose angle is :math:`f\, r^{-k}\, T` at the time T after position
zero, counted in rows. Its angles in the first row and in the last give speeds, and so f and r. From
each T in the range that puts the hands in place, Gauss-Newton steps sharpen the three. At last the
table is made anew, and must differ by no more than rounding.
"""

import json
import textwrap
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.resources import files

import numpy as np

from posenc._validation import array, integer

STARTS = np.array([-4200, 10_100])  # how many rows after position zero row 0 may stand
FITTED_ROWS = 4096  # lines are laid through so many rows; what they give is compared with all
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
        error = self.errors["ratio"] / self.ratio
        with np.errstate(over="ignore"):
            powers = {P: np.power(self.ratio, P) for P in (self.pairs, self.pairs - 1, *odd)}
            return {P: (base, base * np.expm1(P * error)) for P, base in powers.items()}

    def table(self, rows):
        """Return what stands in rows, counted from 0 on."""
        speeds = self.fastest * self.ratio ** -np.arange(self.pairs, dtype=float)
        angles = (np.asarray(rows)[:, None] + self.starts[0]) * speeds
        parts = [np.cos(angles), np.sin(angles)]
        parts = np.stack(parts if self.first == "cosine" else parts[::-1])
        parts = parts.transpose((1, 2, 0) if self.layout == "pairs" else (1, 0, 2))
        return self.amplitude * parts.reshape(len(angles), -1)[:, : len(self.columns)]

    def arrangement(self):
        """Return the order of the columns, as in ``"sin x, cos x, sin y, cos y"``."""
        if self.axes and None in (self.layout, self.first):
            return ", ".join(f"{name}: {axis.arrangement()}" for name, axis in self.axes.items())
        names = self.axes or [""]
        apart = any(np.ptp(axis.columns) >= len(axis.columns) for axis in self.axes.values())
        if self.layout == "halves":
            parts = ["cos", "sin"] if self.first == "cosine" else ["sin", "cos"]
            parts = np.repeat(parts, 1 + (self.form == "halves twice"))
        elif self.form in ("complex", "matrices"):
            parts = [self.form]
        else:
            parts = ["pairs, cosine first" if self.first == "cosine" else "pairs"]
        order = [f"{part} {name}".strip() for name in names for part in parts]
        if apart and self.layout == "halves":
            order = [f"{part} {name}" for part in parts for name in names]
        elif apart:
            order[-1] += " in turn"
        if self.form == "columns twice":
            order.append("each twice")
        return ", ".join(order)

    def programs(self):
        """Return the names of the programs that are known to write such tables."""
        path = files("posenc") / "data" / "programs.json"
        columns, bases, names = self.arrangement(), self.bases(), []
        for program in json.loads(path.read_text(encoding="utf-8"))["tables"]:
            P = self.pairs and self.pairs - (program["last"] == "m - 1")
            base, error = bases.get(P, (np.nan, 0))
            near = abs(base - program["base"]) <= min(error, base / 10)
            if near and program["columns"] == columns:
                names.append(program["name"])
        return names

    def __str__(self):
        """Return the description in words."""
        lines = [] if self.axes else self._numbers()
        for name, axis in self.axes.items():
            lines += [f"{name} in columns {', '.join(runs_in_words(axis.columns))}:"]
            lines += axis._numbers()
        if self.blank:
            lines.append(f"rows of zeros: {', '.join(runs_in_words(self.blank))}")
        if self.filled:
            lines.append("a last column of zeros, left out")
        lines.append(f"in order: {self.arrangement()}")
        programs = ", ".join(self.programs()) or "none of those that were asked"
        programs = f"programs with this order and base: {programs}"
        lines.append(textwrap.fill(programs, 80, subsequent_indent="  "))
        cache = "tables have no such form" if self.form else _CACHES.get(self.arrangement())
        if cache:
            lines.append(f"or a cache of turns: {cache}")
        return "\n".join(lines)

    def _numbers(self):
        """Return the lines about the numbers of one axis."""
        errors, width, sense = self.errors, len(self.columns), np.sign(self.fastest)
        cut = f", cut off after {width} columns" if width < 2 * self.pairs else ""
        length = with_error(self.amplitude, errors["amplitude"])
        speed = f"{with_error(self.fastest, errors['fastest'])} radians a row"
        if abs(abs(self.fastest) - 1) > errors["fastest"]:
            speed += ", by which positions are multiplied"
        if sense < 0:
            speed += ", and positions fall"
        kinds = "1/base is the next speed", "1/base is the last speed", "half the width counts"
        bases = zip(self.bases().items(), kinds)
        start = None if self.start is None else sense * self.start
        start = with_error(start, errors["start"])
        if len(self.starts) > 1:
            starts = " or ".join(f"{sense * position:.6g}" for position in self.starts[:3])
            start += f"; {starts}, from -4200 to 10,000"
        return [
            f"{self.layout}, {self.first} first, {self.pairs} pairs of length {length}{cut}",
            f"speed of pair 0: {speed}",
            f"speed over that of the next pair: {with_error(self.ratio, errors['ratio'])}",
            *(f"base {with_error(*base)} if {kind} (P = {P})" for (P, base), kind in bases),
            f"position of row 0: {start}",
        ]


def with_error(value, error):
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

    Angles of pair k in row t are to be :math:`f\, r^{-k} (t + s)`.

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
    speed of pair 0: 1.00000 ± 2e-05 radians a row
    speed over that of the next pair: 2.17456 ± 5e-05
    base 500.01 ± 0.1 if 1/base is the next speed (P = 8)
    base 229.93 ± 0.04 if 1/base is the last speed (P = 7)
    position of row 0: 5.000 ± 0.003
    in order: pairs
    programs with this order and base: none of those that were asked
    """
    values, form = _arranged(table)
    if grid is not None:
        grid = tuple(integer("grid", side, least=3) for side in grid)
    elif values.ndim > 2:
        grid = values.shape[:-1]
    with np.errstate(all="ignore"):  # of what is no table of sinusoids, numbers may overflow
        try:
            return _read(values, grid, form)
        except ValueError as error:
            name = "table" if np.shape(table) == values.shape else "np.squeeze(table)"
            raise ValueError(f"{error}{_other_reading(values, grid, name)}") from None


def _arranged(table):
    """Return a table in its own precision, with no sides of 1, and in what form a cache is."""
    values, form = np.asarray(table) if hasattr(table, "dtype") else array("table", table), ""
    if values.dtype == "bfloat16":
        values = values.astype(np.float32)
    if values.dtype.kind == "c":
        values, form = np.stack([values.real, values.imag], axis=-1), "complex"
    if values.dtype not in (np.float16, np.float32) or not np.isfinite(values).all():
        values = array("table", values)
    if values.ndim != 2:
        values = values.reshape([side for side in values.shape if side != 1])
    if values.shape[2:] == (2, 2):
        (cosine, minus), (sine, again) = np.moveaxis(values, (2, 3), (0, 1))
        if np.array_equal(cosine, again) and np.array_equal(sine, -minus):
            values, form = values[..., 0], "matrices"
    if values.ndim > 2 and values.shape[-1] == 2:
        values = values.reshape(*values.shape[:-2], -1)
    elif values.ndim == 3 and len(values) == 2 and np.ptp(values, axis=0).any():
        values = np.hstack(values)
    if not 2 <= values.ndim <= 4:
        raise ValueError(
            "table must have shape (n, d), or of a picture (rows, columns, d), or of a film one "
            f"side more in front, and else sides of 1; got shape {values.shape}"
        )
    return values, form


def _read(values, grid, form="", rounded=None):
    """Describe a table, but for rows and columns of zeros, and for columns that come twice."""
    values = values.reshape(-1, values.shape[-1])
    filled = bool(values.shape[1] % 2 and not values[:, -1].any())
    written, columns = values.any(axis=1), np.arange(values.shape[1] - filled)
    rows, blank = np.flatnonzero(written), tuple(np.flatnonzero(~written).tolist())
    table = values if written.all() else values[written]
    for kind, count in {"columns twice": len(columns) // 2, "halves twice": 2}.items():
        if count and len(columns) % (2 * count) == 0:
            once, again = columns.reshape(count, 2, -1).swapaxes(0, 1).reshape(2, -1)
            first = table[:8]  # tells most tables, and saves memory
            if all(np.array_equal(part[:, once], part[:, again]) for part in (first, table)):
                columns, form = once, kind
                break
    table = table[:, columns] if form.endswith("twice") else table[:, : len(columns)]
    if len(rows) < 8 or len(columns) < 4:
        raise ValueError(
            "table must have at least 8 rows that are not zero, and at least 4 columns that do not "
            f"come twice; it has {len(rows)} and {len(columns)}"
        )
    if rounded:
        start = round(_read(values[: rows[0] + 64], None).starts[0])
        rows = rounded(rows + start).astype(float) - start
    axes, distances, plain = {}, [], [("", slice(None), rows, rows, table)]
    for name, part, *places in _by_axes(table, grid) if grid else plain:
        axis, *distance = _fit(table[:, part], *places, _rounding(table))
        axes[name] = replace(axis, columns=columns[part])
        distances.append(distance)
    shares, *distances = zip(*distances)
    if not max(shares) <= 1:
        raise ValueError(_refusal(axes, *map(np.concatenate, distances)))
    shared = _shared(axes) if grid else axes[""]
    return replace(shared, columns=columns, blank=blank, filled=filled, form=form)


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


def _by_axes(table, sides):
    """Yield each axis of a grid: name, columns, where rows stand, and places and means along it."""
    width, count, axes = table.shape[1], len(sides), np.arange(len(sides))
    if count not in (2, 3) or np.prod(sides) != len(table):
        raise ValueError(
            "table must have a row that is not zero for each place of a grid of two or three "
            f"sides; it has {len(table)} such rows, and its grid is {sides}"
        )
    places, columns, half = table.reshape(*sides, width), np.arange(width), -(-width // 2)
    means = [places.mean(axis=tuple(np.delete(axes, i)), dtype=float) for i in axes]
    moves = np.stack([np.ptp(mean, axis=0) for mean in means])
    firsts = (moves > moves.max(axis=1, keepdims=True) / 16).argmax(axis=1)
    order = np.argsort(firsts)
    owners = (
        order[np.searchsorted(firsts[order], columns, side="right") - 1],  # axis after axis
        order[columns % half * count // half],  # axis after axis, in each half
        order[columns // 2 % count],  # pair by pair
    )
    others = [np.where(owner == axes[:, None], 0, moves).max(axis=0) for owner in owners]
    best = np.argmin(np.max(others, axis=1))
    owner, k = owners[best], others[best].argmax()
    if others[best][k] > moves.max() / 4 or min(np.bincount(owner, minlength=count)) < 4:
        raise ValueError(
            "table must have at least four columns for each side of its grid, which change along "
            "it alone, side after side, or so in each half, or pair by pair; in the mean, column "
            f"{k} changes by {', '.join(f'{move:.1e}' for move in moves[:, k])} along {sides}"
        )
    for axis in order:
        part, positions = np.flatnonzero(owner == axis), np.indices(sides)[axis].ravel()
        yield "tyx"[axis - count], part, positions, np.arange(sides[axis]), means[axis][:, part]


def _shared(axes):
    """Return a description of what the axes share."""
    parts, shared = list(axes.values()), {}
    first = parts[0]
    errors = {name: sum(axis.errors[name] for axis in parts) for name in first.errors}
    for name in ("layout", "first", "pairs", "amplitude", "fastest", "ratio", "start"):
        values = [getattr(axis, name) for axis in parts]
        near = name in errors and None not in values and np.ptp(values) <= errors[name]
        shared[name] = values[0] if near or len(set(values)) == 1 else None
    starts = first.starts if shared.pop("start") is not None else ()
    worst = max(axis.worst for axis in parts)
    return Description(**shared, starts=starts, errors=errors, worst=worst, axes=axes)


def _fit(table, positions, times, head, rounding):
    """Describe columns, whose rows stand at `positions`, by the rows of `head`, at `times`.

    Return the nearest description; its distance, at most 1 if rounding explains all; and of each
    column the largest difference, what rounding explains, and the mean of squares.
    """
    (unit, floor, drift), columns = rounding, np.arange(table.shape[1])
    tried, fitting, refusal = [], [], None
    for firsts, seconds, hands, size in _orders(head[:FITTED_ROWS].astype(float), unit, floor):
        layout, pairs = "pairs" if seconds[0] == 1 else "halves", len(firsts)
        places = np.argsort(np.append(firsts, seconds)) % pairs  # of which pair each column is
        try:
            lines = _Lines(hands, times[:FITTED_ROWS], unit, floor / size, drift)
        except ValueError as error:
            refusal = error
            continue
        for share, first, f, r, start, errors in lines.rules():
            if fitting and first != fitting[0][1].first:  # positions rise, if they may
                break
            angles = abs(f) * r ** -places.astype(float) * np.abs(positions + start).max()
            limits = size * (2 * unit + drift * angles) + floor
            errors |= {"amplitude": unit * size + floor, "worst": limits.max()}
            order = layout, first, pairs
            rule = Description(*order, size, f, r, (start,), errors=errors, columns=columns)
            largest, squares = _distance(rule, table, positions)
            share = max(share, (largest / limits).max())
            tried.append((share, rule, largest, limits, squares))
            if share <= 1:
                fitting.append(tried[-1])
        if fitting:
            break
    if not tried:
        raise refusal
    fitting = fitting or [min(tried, key=lambda fit: fit[0])]
    share, best, *distance = min(fitting, key=lambda fit: abs(fit[1].start))
    rules = [rule for _, rule, *_ in fitting]
    for name in ("fastest", "ratio", "start"):  # errors that reach all
        value = getattr(best, name)
        errors = [abs(getattr(rule, name) - value) + rule.errors[name] for rule in rules]
        best.errors[name] = max(errors)
    starts = tuple(sorted((rule.start for rule in rules), key=abs))
    ratio, starts = (best.ratio, starts) if best.errors["ratio"] < best.ratio else (None, ())
    return replace(best, ratio=ratio, starts=starts, worst=distance[0].max()), share, *distance


def _orders(head, unit, floor):
    """Return the orders of columns that make all hands of one length, or else the nearest one.

    An order has the columns of first and of second partners, hands of length 1, and their length.
    """
    width, half, orders = head.shape[1], -(-head.shape[1] // 2), []
    seconds_by_order = [np.arange(1, width, 2), np.arange(half, width)]
    if width % 2 == 0 and width >= 8:  # as where 1026 columns were cut to 1024
        seconds_by_order.append(np.arange(half + 1, width))
    for seconds in seconds_by_order:
        firsts = np.setdiff1d(np.arange(width), seconds)
        hands = head[:, firsts[: len(seconds)]] + 1j * head[:, seconds]
        size = float(np.median(np.abs(hands))) or 1.0
        uneven = np.abs(np.abs(hands / size) ** 2 - 1)
        even = uneven.max() <= 4 * (unit + floor / size)
        orders.append((even, uneven.mean(), (firsts, seconds, hands / size, size)))
    even_orders = [order for even, _, order in orders if even]
    return even_orders or [min(orders, key=lambda order: order[1])[2]]


def _distance(description, table, positions):
    """Return of each column the largest distance from a description, and the mean of squares."""
    largest, squares, count = 0, 0, 1 + table.size // 2**19  # blocks save memory
    for block, rows in zip(np.array_split(table, count), np.array_split(positions, count)):
        difference = np.abs(description.table(rows) - block)
        largest = np.maximum(largest, difference.max(axis=0))
        squares += np.sum(difference**2, axis=0) / len(table)
    return largest, squares


class _Lines:
    """Angles of hands in their first row and in their last, and the speeds that follow."""

    def __init__(self, hands, times, unit, floor, drift):
        near, places = np.diff(times) == 1, np.arange(hands.shape[1])
        steps = np.angle(np.sum((hands[1:] * hands[:-1].conj())[near], axis=0))
        even = np.outer(times - times[0], steps)
        angles = even + np.unwrap(np.angle(hands * np.exp(-1j * even)), axis=0)
        self.ends, self.times, self.span = angles[[0, -1]], times[[0, -1]], np.ptp(times)
        speeds = (angles[-1] - angles[0]) / self.span
        bends = np.abs(angles - angles[0] - np.outer(times - times[0], speeds)).max(axis=0)
        bounds = unit * np.abs(np.sin(2 * np.angle(hands))).max(axis=0) + floor
        # In float32 a sixteenth of the drift is new in each row.
        uneven = drift / 16 * np.abs(speeds) * (times.max() + STARTS[1])
        self.drift, self.bounds = drift, np.where(bends > 4 * (bounds + uneven), bends, bounds)
        slack = 2 * (self.bounds + uneven) / self.span + drift * np.abs(speeds)
        known = 4 * slack < np.abs(speeds)
        if bends.max() > 1 or (not known[0] and known.sum() < 2):
            k = bends.argmax() if bends.max() > 1 else 0
            raise ValueError(
                "table must turn each pair evenly from row to row, and the first one measurably; "
                f"pair {k} turns by {speeds[k]:.1e} ± {slack[k]:.1e} radians a row, and rounding "
                f"explains ± {2 * (bounds + uneven)[k] / self.span:.1e}"
            )
        self.sense = int(np.sign(np.median(speeds[known])))
        self.speeds = self.sense * speeds
        self.law, gain = ladder(np.abs(speeds[known]), slack[known], places[known])
        self.reach = 4 * np.linalg.norm(gain[0][:, None] - np.outer(gain[1], places), axis=0)
        if known.sum() == 1:  # others turn by this, or by less
            self.law[1], self.reach[1:] = self.law[0] - np.log(4 * slack[1]), 1
        self.fitted = np.exp(self.law[0] - places * self.law[1])
        shares = np.abs(self.speeds - self.fitted) / slack * known
        if shares.max() > 4:
            k = shares.argmax()
            raise ValueError(
                "table must turn all pairs one way, by speeds below π radians a row, since faster "
                "ones can't be told from slower ones the other way, and these must fall by one "
                f"ratio; pair {k} turns by {self.speeds[k]:.6g} radians a row, or whole turns more "
                f"or less, where one ratio, fitted to {known.sum()} pairs, gives "
                f"{self.fitted[k]:.6g}, and rounding explains {4 * slack[k]:.1e}"
            )

    def rules(self):
        """Yield distance, first, f, r, start and errors of rules that fit, or of the nearest."""
        # With the cosine first, a pair is a hand that turns counterclockwise as positions rise.
        for first, rising in zip(["cosine", "sine"][:: self.sense], (1, -1)):
            ends = rising * (self.ends if first == "cosine" else np.pi / 2 - self.ends)
            step = min(1 / np.clip(self.fitted.max(), 0.01, 5), self.span / 2)
            times = self.times.mean() + np.arange(STARTS[0], STARTS[1] + step, step)
            for k in np.argsort(self.fitted):
                slack = (self.reach[k] + self.drift) * np.abs(times) + step / 2
                rest = np.angle(np.exp(1j * (ends[:, k].mean() - self.fitted[k] * times)))
                excess = np.abs(rest) - (self.bounds[k] + self.fitted[k] * slack)
                times = times[excess <= max(0, excess.min())]
            times = times[:: 1 + (times.size * len(self.speeds) >> 18)]
            # The row that is farther from position zero, first or last, has the larger angles.
            late, times = times >= 0, np.abs(times) + self.span / 2
            angles = np.where(late[:, None], ends[1], -ends[0])
            most = np.where(late, self.times[1] + STARTS[1], -self.times[0] - STARTS[0])
            for k, share, (f, r, time), errors in self.sharpen(angles, times, most, step):
                start = time - self.times[1] if late[k] else -time - self.times[0]
                errors = dict(zip(("fastest", "ratio", "start"), errors))
                yield share, first, rising * f, r, start, errors

    def sharpen(self, angles, times, most, step):
        """Yield k, distance, (f, r, time) and errors of the best rules that times lead to.

        Gauss-Newton steps move the logarithms of the three. Small angles count first, and then,
        with the turns that these lead to, angles twice as large each time.
        """
        pairs, numbers = len(self.speeds), np.tile([*self.law, 0], (len(times), 1))
        design, numbers[:, 2] = np.ones((2, pairs, 3)), np.log(times)
        design[..., 1], design[0, :, 2] = -np.arange(pairs), 0
        design, scale = design.reshape(-1, 3), np.repeat([2 / self.span, 1], pairs)
        for steps in range(18):
            predicted = np.exp(np.clip(numbers @ design.T, -690, 690))
            speeds, turned = np.hsplit(predicted, 2)
            bounds = np.hstack([self.bounds + self.drift / 16 * turned, self.bounds + 0 * turned])
            limits = scale * bounds + self.drift * predicted
            rest = np.hstack([self.speeds - speeds, np.angle(np.exp(1j * (angles - turned)))])
            rest, slopes = rest / limits, (predicted / limits)[..., None] * design
            used = np.hstack([speeds >= 0, turned < 2 * 2**steps])
            columns = slopes * used[..., None]
            # What nothing determines stays, and at first the time does, to a step of the search.
            normal = columns.mT @ columns + 1e-6 * np.eye(3)
            normal[:, 2, 2] += (times / step / 2 ** max(0, steps - 8)) ** 2
            change = np.linalg.solve(normal, columns.mT @ rest[..., None])[..., 0]
            numbers = numbers + change / np.maximum(1, np.abs(change).max(axis=1, keepdims=True))
            numbers[:, 2] = np.minimum(numbers[:, 2], np.log(most))
        shares, turns = np.abs(rest).max(axis=1) / 1.2, np.round((turned - angles) / (2 * np.pi))
        good = np.flatnonzero(shares <= max(1, shares.min()))
        for k in good[np.unique(turns[good], axis=0, return_index=True)[1]]:
            values, gain = np.exp(numbers[k]), np.abs(np.linalg.pinv(slopes[k])).sum(axis=1)
            yield k, shares[k], values, values * np.expm1(gain)


def _refusal(axes, largest, limits, squares):
    """Return in words how far a table is from its nearest description."""
    k, mean, descriptions = np.argmax(largest / limits), squares.mean() ** 0.5, []
    if 4 * mean < next(iter(axes.values())).amplitude:
        for name, axis in axes.items():
            words = f"{name}: " if name else ""
            words += f"{axis.layout}, {axis.first} first, speed of pair 0 {axis.fastest:.4g}, ratio"
            starts = " or ".join(f"{start:.5g}" for start in axis.starts[:3])
            descriptions.append(f"{words} {axis.ratio or np.inf:.4g}, row 0 at {starts}")
    nearest = f"({'; '.join(descriptions)}) " if descriptions else ""
    # Of what was trained on, no number and no column is much farther off than others.
    trained = descriptions and largest.max() < 8 * mean and squares.max() < 4 * mean**2
    return (
        "table must be of sinusoids that start at one position, with row 0 at most "
        f"{-STARTS[0]} rows before and 10,000 after position zero; the nearest that were found "
        f"{nearest}differ by up to {largest[k]:.1e}, and rounding explains {limits[k]:.1e}; by "
        f"{mean:.1e} in the root mean square"
        + (", as if it began as these and was trained on" if trained else "")
    )


def _other_reading(values, grid, name):
    """Return in words another reading of the table that fits, if there is one."""
    turned, count = np.moveaxis(values, 0, -1), int(np.count_nonzero(values.any(axis=-1)))
    words = f"its channels come first: np.moveaxis({name}, 0, -1) can be described"
    readings = [(words, turned, turned.shape[:-1] if turned.ndim > 2 else grid)]
    if not grid:
        for side in range(3, count // 3 + 1):
            if count % side == 0:
                sides = side, count // side
                readings.append((f"with grid={sides} it can be described", values, sides))
        for kind, rounded in {"bfloat16": rounded_to_bfloat16, "float16": np.float16}.items():
            words = f"positions rounded to {kind} explain all its numbers, with speeds from "
            words += "{0.fastest:.6g} and ratio {0.ratio:.6g}"
            readings.append((words, values, None, "", rounded))
    if values.size >= 2**21:  # which would take long
        return ""
    for words, *reading in readings:
        with suppress(ValueError):
            return "; " + words.format(_read(*reading))
    return "" if grid else _own_speeds(values)


def _own_speeds(table):
    """Return in words that each column is a wave of its own speed, if that is so.

    Of a wave, the mean of two neighbors is the cosine of its speed times what is between them.
    """
    table = table[table.any(axis=1)].astype(float)
    if len(table) < 8 or table.shape[1] < 4:
        return ""
    middle, neighbors = table[1:-1], (table[2:] + table[:-2]) / 2
    cosines = np.sum(neighbors * middle, axis=0) / np.sum(middle**2, axis=0)
    error = np.abs(neighbors - cosines * middle).max()
    speeds = np.arccos(np.clip(cosines, -1, 1))
    layouts = np.stack([speeds[:-1:2], speeds[1::2]]), speeds[: len(speeds) // 2 * 2].reshape(2, -1)
    if any(np.allclose(*layout, rtol=1e-3) for layout in layouts):
        return ""
    if not error < np.abs(table).max() * 2.0**-12:
        return ""
    several = ", ".join(f"{speed:.4g}" for speed in speeds[:4])
    return (
        f"; each column is a wave, and columns 0 to 3 turn by {several} radians a row, where "
        "a sine and a cosine of one speed make a pair"
    )


def ladder(speeds, errors, places):
    """Return ln f and ln r of speeds f / r**place, and how far errors move the two."""
    weights = speeds / errors
    gain = np.linalg.pinv(np.stack([weights, -weights * places], axis=1), rcond=1e-15)
    return gain @ (weights * np.log(speeds)), gain
