r"""What a table of sinusoids is made of: the machinery of `posenc.layouts.describe`.

Each pair of a table is a hand, whose angle is :math:`f\, r^{-k}\, T` at the time T after position
zero, counted in rows. The method has five steps.

1. A line through the unwrapped angles of a hand gives its speed, and its angle in the middle row.
2. A line through the logarithms of the speeds gives ln f and ln r.
3. The slowest hand gives T of the middle row, but for whole turns. Of all numbers of turns, those
   stay that put no other hand elsewhere.
4. Gauss-Newton steps sharpen ln f, ln r and T with more and more hands, as soon as it is known
   which turn they are on.
5. With what is left, the table is made again, which must differ by no more than rounding.

Bounds are the worst that rounding can do, carried through linear estimates.
"""

from dataclasses import dataclass, replace

import numpy as np

from posenc._descriptions import Description

STARTS = np.array([-4200, 10_100])  # how many rows after position zero row 0 may stand
_SURE = 1.5  # radians: an angle that is known so well is on a known turn


def rounding(table):
    """Return the relative and the least error of the numbers, and the relative one of angles.

    Programs compute frequencies and angles in float32, unless their numbers are finer.
    """
    with np.errstate(over="ignore"):
        formats = [
            (rounded_to_bfloat16(table), (2.0**-8 + 2.0**-22, 2.0**-40, 2.0**-19)),
            (table.astype(np.float16), (2.0**-11 + 2.0**-22, 2.0**-24, 2.0**-19)),
            (table.astype(np.float32), (2.0**-22, 2.0**-40, 2.0**-19)),
            (table, (2.0**-42, 2.0**-42, 2.0**-44)),
        ]
    return next(errors for numbers, errors in formats if np.array_equal(numbers, table))


def rounded_to_bfloat16(numbers):
    """Return float32 numbers whose last 16 bits are 0, rounded to even."""
    bits = numbers.astype(np.float32).view(np.uint32)
    # Half of what is dropped, less a trifle if the kept part is even already.
    bits = bits + (0x7FFF + (bits >> 16 & 1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def described(table, rows, blank, errors):
    """Describe a table from its rows that are not blank and their numbers."""
    unit, floor, drift = errors
    layout, hands, amplitude = _hands(table, unit, floor)
    speeds, angles, bounds, steepness, off = _lines(hands, rows, unit, floor / amplitude)
    uneven = drift * np.abs(speeds) * (rows[-1] + STARTS[1])
    if (off > 2 * (bounds + uneven)).any():
        raise ValueError(
            "table must turn each pair evenly from row to row, which it does not; for a picture, "
            "name the grid"
        )
    speed_bounds = drift * np.abs(speeds) + steepness * (bounds + uneven / 16)
    known = 4 * speed_bounds < np.abs(speeds)
    if known.sum() < 2 and not known[0]:
        raise ValueError("table must turn its first pair by more than its rounding; it does not")
    sense = np.sign(speeds[np.abs(speeds).argmax()])
    if (sense * speeds < -4 * speed_bounds).any():
        raise ValueError("table must turn all pairs in one sense, which it does not")
    off = {"amplitude": unit * amplitude + floor, "fastest": speed_bounds[0]}
    off |= {"ratio": np.nan, "start": np.nan}
    speeds, columns = np.abs(speeds), np.arange(table.shape[1])
    # With the cosine first, a pair is a hand that turns counterclockwise as positions rise.
    firsts = ["cosine", "sine"][:: int(sense)]
    about = Description(
        layout,
        firsts[0],
        len(speeds),
        amplitude,
        speeds[0],
        blank=blank,
        columns=columns,
        errors=off,
    )
    if known.sum() == 1:
        return about
    made = []
    for first, rising in zip(firsts, (1, -1)):
        since = rising * (angles if first == "cosine" else np.pi / 2 - angles)
        rule = _Rule(speeds, known, since, bounds, steepness, drift)
        fits = rule.fits(rows.mean() + STARTS)
        about = replace(about, first=first, fastest=rising * speeds[0])
        made += [_made_again(about, *fit, table, rows, errors) for fit in fits]
        good = [it for it in made if it.worst <= it.errors["worst"]]
        if good:
            return _united(sorted(good, key=lambda it: abs(it.start)))
    if not made:
        raise ValueError("table must have pairs that all start at one position; it has not")
    nearest = min(made, key=lambda it: it.worst)
    raise ValueError(
        f"table must be of sinusoids; the nearest differ by {nearest.worst:.1e}, and rounding "
        f"explains {nearest.errors['worst']:.1e}"
    )


def _made_again(about, numbers, bounds, table, rows, errors):
    """Return a description with (ln f, ln r, T), and how far the table is from what it makes."""
    fastest, ratio, start = *np.exp(numbers[:2]), numbers[2] - rows.mean()
    angle = fastest * max(1, ratio ** (1 - about.pairs)) * np.abs(rows + start).max()
    off = {
        "fastest": fastest * np.expm1(bounds[0]),
        "ratio": ratio * np.expm1(bounds[1]),
        "start": bounds[2],
        "worst": about.amplitude * (2 * errors[0] + errors[2] * angle) + errors[1],
    }
    fastest = np.copysign(fastest, about.fastest)
    it = replace(about, fastest=fastest, ratio=ratio, starts=(start,), errors=about.errors | off)
    return replace(it, worst=np.abs(it.table(rows) - table).max())


def _united(good):
    """Return the first of some descriptions with all their starts, and errors that reach all."""

    def farthest(name):
        return max(abs(getattr(it, name) - getattr(good[0], name)) + it.errors[name] for it in good)

    off = {name: farthest(name) for name in ("fastest", "ratio", "start")}
    return replace(good[0], starts=tuple(it.start for it in good), errors=good[0].errors | off)


def _hands(table, unit, floor):
    """Return the layout, the pairs as complex numbers of length 1, and their length."""
    half = table.shape[1] // 2
    split = {
        "pairs": table[:, 0::2] + 1j * table[:, 1::2],
        "halves": table[:, :half] + 1j * table[:, half:],
    }
    for layout, hands in split.items():
        squares = np.abs(hands) ** 2
        amplitude = np.sqrt(np.median(squares))
        if np.abs(squares - amplitude**2).max() <= 4 * amplitude * (unit * amplitude + floor):
            return layout, hands / amplitude, float(amplitude)
    raise ValueError(
        "table must have columns whose squares sum to one number in all rows, side by side or half "
        "a table apart; it has not"
    )


def _lines(hands, rows, unit, floor):
    """Return lines through the angles of hands: speeds, angles in the middle row, and bounds.

    With them come how far slopes follow angles that are wrong, and how far angles are off their
    lines. The error of a number is at most `unit` times the number, or `floor`.
    """
    near = np.diff(rows) == 1
    speeds = np.angle(np.sum((hands[1:] * hands[:-1].conj())[near], axis=0))
    away = rows - rows.mean()
    rest = np.unwrap(np.angle(hands * np.exp(-1j * np.outer(away, speeds))), axis=0)
    slopes, angles = np.polyfit(away, rest, 1)
    bounds = unit * np.abs(np.sin(2 * np.angle(hands))).max(axis=0) + floor
    off = np.abs(rest - angles - np.outer(away, slopes)).max(axis=0)
    return speeds + slopes, angles, bounds, np.abs(away).sum() / np.sum(away**2), off


@dataclass
class _Rule:
    """What is known of hands that obey one rule: speeds, and angles in the middle row."""

    speeds: np.ndarray
    known: np.ndarray  # which of the speeds are
    angles: np.ndarray
    bounds: np.ndarray  # of the angles, by the rounding of numbers
    steepness: float  # bound of a speed over that of angles
    drift: float  # relative error of frequencies; a sixteenth is new in each angle

    def errors(self, speeds, time):
        """Return bounds of the angles at a time, and of the logarithms of known speeds."""
        angles = self.bounds + self.drift * speeds * np.abs(time)
        uneven = self.bounds[self.known] / speeds[self.known] + self.drift / 16 * np.abs(time)
        return angles, self.drift + self.steepness * uneven

    def fits(self, times):
        """Return each (ln f, ln r, T), with bounds, that may explain all hands; T from two ends."""
        # How the logarithms of speeds depend on (ln f, ln r, T).
        slopes = np.array([[1, -k, 0] for k in range(len(self.angles))])
        logs, (_, bounds) = np.log(self.speeds[self.known]), self.errors(self.speeds, times[1])
        gain = _gain(slopes[self.known], bounds)
        law = slopes @ gain @ logs
        if (np.abs(logs - law[self.known]) > 2 * bounds).any():
            raise ValueError("table must have speeds that fall by one ratio; they do not")
        speeds, slowest = np.exp(law), np.argmin(law)
        ends = speeds[slowest] * times - self.angles[slowest]
        ends += 2 * self.errors(speeds, times[1])[0][slowest] * np.array([-1, 1])
        turns = np.arange(np.ceil(ends[0] / (2 * np.pi)), ends[1] / (2 * np.pi))
        times = (self.angles[slowest] + 2 * np.pi * turns[:, None]) / speeds[slowest]
        # Most fall here, quickly: with the slowest hand in its place, some other is elsewhere.
        allowed, bounds = self.errors(speeds, times)
        reach = speeds * np.abs(times) * (bounds @ np.abs((slopes - slopes[slowest]) @ gain).T)
        reach += allowed + speeds / speeds[slowest] * allowed[:, [slowest]]
        times = times[(np.abs(self.off(speeds, times)) <= reach).all(axis=1)]
        used = np.arange(len(law)) == slowest
        return [self.sharpened(gain @ logs + [0, 0, time], slopes, used) for [time] in times]

    def off(self, speeds, time):
        """Return how far the hands are from where they should be at a time."""
        return np.angle(np.exp(1j * (self.angles - speeds * time)))

    def sharpened(self, numbers, slopes, used):
        """Return (ln f, ln r, T) as all hands tell them, with bounds, from those of one hand."""
        known, sure = self.known, None
        while True:
            for _ in range(3):
                speeds, time = np.exp(slopes @ numbers), numbers[2]
                angles = speeds[:, None] * (slopes * time + [0, 0, 1])  # how angles depend on them
                off = self.off(speeds, time)
                allowed, log_bounds = self.errors(speeds, time)
                errors = np.concatenate([log_bounds, allowed[used]])
                gain = _gain(np.concatenate([slopes[known], angles[used]]), errors)
                log_off = np.log(self.speeds[known] / speeds[known])
                numbers = numbers + gain @ np.concatenate([log_off, off[used]])
            reach = np.abs(angles @ gain) @ errors + allowed
            joins = ~used & (reach < _SURE)
            if not joins.any():
                sure = sure or (numbers, np.abs(gain) @ errors)
                if used.all():
                    return numbers, sure[1] + np.abs(numbers - sure[0])
                # A hand whose turn is not known keeps the nearest, which may move the numbers.
                joins = ~used & (reach == reach[~used].min())
            used = used | joins


def _gain(columns, errors):
    """Return the matrix that makes weighted least squares' parameters of what is known."""
    return np.linalg.pinv(columns / errors[:, None]) / errors


def described_picture(table, grid, blank, errors):
    """Describe the columns that depend on x alone, and those that depend on y alone."""
    places = table.reshape(*grid, -1)
    lines = {"x": places[0], "y": places[:, 0]}
    still = {name: np.ptp(places, axis=axis).max(axis=0) for axis, name in enumerate("xy")}
    allowed = 2 * (errors[0] * np.abs(table).max() + errors[1])
    columns = np.arange(table.shape[1])
    for parts in (columns.reshape(2, -1), np.hstack(columns.reshape(2, 2, -1))):
        for names in ("xy", "yx"):
            if all(still[name][part].max() <= allowed for name, part in zip(names, parts)):
                axes = {}
                for name, part in zip(names, parts):
                    line = lines[name][:, part]
                    found = described(line, np.arange(len(line)), (), errors)
                    axes[name] = replace(found, columns=part)
                return _shared(axes, columns, blank)
    raise ValueError(
        "table must have one half of its columns for each axis of the grid, or every other "
        f"quarter; with {grid[0]} rows and {grid[1]} columns it has not"
    )


def _shared(axes, columns, blank):
    """Return a description of what both axes share."""
    one, other = axes.values()
    names = one.errors.keys() & other.errors
    off = {name: one.errors[name] + other.errors[name] for name in names}
    shared = {}
    for name in ("layout", "first", "pairs", "amplitude", "fastest", "ratio", "start"):
        ours, theirs = getattr(one, name), getattr(other, name)
        near = None not in (ours, theirs) and name in off and abs(ours - theirs) <= off[name]
        shared[name] = ours if near or ours == theirs else None
    starts = one.starts if shared.pop("start") is not None else ()
    worst = max(one.worst, other.worst) if "worst" in off else None
    return Description(
        **shared, starts=starts, blank=blank, errors=off, worst=worst, columns=columns, axes=axes
    )
