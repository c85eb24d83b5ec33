r"""Hands of one axis: speeds, start and bounds, from the columns of a table.

Each pair of columns is a hand, whose angle is :math:`f\, r^{-k}\, T` at the time T after position
zero, counted in rows. Lines through the angles give the speeds and the angles in the middle row,
and a line through the logarithms of the speeds gives ln f and ln r. Gauss-Newton steps sharpen the
two and find T, first with the slow hands, and with others as soon as it's known which turn they are
on; where it isn't, all turns are tried. At last the table is made anew, and must differ by no more
than rounding.
"""

from dataclasses import replace

import numpy as np

from posenc._validation import array
from posenc.layouts.description import Description

STARTS = np.array([-4200, 10_100])  # how many rows after position zero row 0 may stand
MANY = 4096  # lines are laid through so many rows; what they give is compared with all
_SURE = 1.5  # radians: an angle that is known so well is on a known turn
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


def rounding(table):
    """Return the relative and the least error of the numbers, and the relative one of angles.

    Programs compute frequencies and angles in float32, unless their numbers are finer.
    """
    top = max(float(table.max()), -float(table.min()))
    formats = [
        (rounded_to_bfloat16, (2.0**-8 + 2.0**-22, top * 2.0**-40 + 2.0**-133, 2.0**-19)),
        (np.float16, (2.0**-11 + 2.0**-22, top * 2.0**-40 + 2.0**-24, 2.0**-19)),
        (np.float32, (2.0**-22, top * 2.0**-40 + 2.0**-149, 2.0**-19)),
        (np.float64, (2.0**-42, top * 2.0**-42, 2.0**-44)),
    ]
    with np.errstate(over="ignore"):
        for rounded, errors in formats:
            equal = (np.array_equal(rounded(block), block) for _, block in blocks(table))
            if rounded is table.dtype.type or all(equal):
                return errors


def blocks(table):
    """Yield which rows, and their numbers in float64, a few at a time to save memory."""
    step = max(1, 2**19 // max(1, table.shape[-1]))
    for first in range(0, len(table), step):
        yield slice(first, first + step), table[first : first + step].astype(float)


def described(table, rows, errors, trained=False):
    """Describe the columns of one axis; of a trained table, the nearest sinusoids."""
    (unit, floor, _), width, head = errors, table.shape[1], table[:MANY].astype(float)
    orders = [np.arange(1, width, 2), np.arange(-(-width // 2), width)]
    if width % 2 == 0 and width >= 8:  # as where 1026 columns were cut to 1024
        orders.append(np.arange(width // 2 + 1, width))
    every, refusal = [], None
    for seconds in orders:
        firsts = np.setdiff1d(np.arange(width), seconds)
        hands = head[:, firsts[: len(seconds)]] + 1j * head[:, seconds]
        size = float(np.median(np.abs(hands))) or 1.0
        spread, limit = np.abs(np.abs(hands / size) ** 2 - 1).max(), 4 * (unit + floor / size)
        every.append((max(spread, limit), np.std(np.abs(hands)), hands / size, size, seconds))
        if spread <= limit:
            try:
                return _fitted(*every[-1][2:], table, rows, errors, False)
            except ValueError as error:
                refusal = refusal or error
    if trained:
        return _fitted(*min(every, key=lambda one: one[1])[2:], table, rows, errors, True)
    spread, _, _, size, seconds = min(every, key=lambda one: one[0])
    raise refusal or ValueError(
        "table must have columns whose squares sum to one number in all rows, side by side or half "
        f"a table apart; it has not: {'pairs' if seconds[0] == 1 else 'halves'} are off by up to "
        f"{spread:.1e} of it, and rounding explains {4 * (unit + floor / size):.1e}"
    )


def _fitted(hands, size, seconds, table, rows, errors, trained):
    """Describe hands of length 1 by a rule that makes the table anew, or say what is against it."""
    (unit, floor, drift), width = errors, table.shape[1]
    firsts = np.setdiff1d(np.arange(width), seconds)
    layout, pairs = "pairs" if seconds[0] == 1 else "halves", len(firsts)
    places = np.argsort(np.append(firsts, seconds)) % pairs  # of which pair each column is
    lines = _Lines(hands, rows[:MANY], (unit, floor / size, drift), trained)
    good, nearest = [], None
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
        away = [np.abs(about.table(rows[at]) - block).max(axis=0) for at, block in blocks(table)]
        away = np.max(away, axis=0)
        about = replace(about, worst=away.max(), errors=off | {"worst": limits.max()})
        over = max(zip(away / limits, away, limits))
        nearest = min(nearest or (over, about), (over, about), key=lambda one: one[0])
        good += [about] if over[0] <= 1 else []
    if nearest is None:
        raise ValueError(
            f"table must have pairs that all start at one position, and row 0 at most {-STARTS[0]} "
            "rows before and 10,000 after position zero; no position there puts all in place"
        )
    if trained:
        return nearest[1]
    if not good:
        raise ValueError(
            f"table must be of sinusoids; the nearest that were found differ by "
            f"{nearest[0][1]:.1e}, and rounding explains {nearest[0][2]:.1e}"
        )
    best, off = min(good, key=lambda one: abs(one.start)), {}
    for name in ("fastest", "ratio", "start"):  # errors that reach all
        away = [abs(getattr(one, name) - getattr(best, name)) + one.errors[name] for one in good]
        off[name] = max(away)
    starts = tuple(sorted((one.start for one in good), key=abs))
    return replace(best, starts=starts, errors=best.errors | off)


class _Lines:
    """Speeds of hands and their angles in the middle row, by lines through their angles."""

    def __init__(self, hands, rows, errors, trained):
        unit, floor, self.drift = errors
        away, near = rows - rows.mean(), np.diff(rows) == 1
        speeds = np.angle(np.sum((hands[1:] * hands[:-1].conj())[near], axis=0))
        rest = np.unwrap(np.angle(hands * np.exp(-1j * np.outer(away, speeds))), axis=0)
        slopes, self.angles = np.polyfit(away, rest, 1)
        self.speeds, self.middle, self.places = speeds + slopes, rows.mean(), np.arange(len(speeds))
        off = np.abs(rest - self.angles - np.outer(away, slopes))
        self.bounds = unit * np.abs(np.sin(2 * np.angle(hands))).max(axis=0) + floor
        if trained:
            self.bounds += np.maximum(2 * np.std(np.abs(hands), axis=0), off.max(axis=0))
            if np.median(self.bounds) > 0.4:
                raise ValueError("table must be near to sinusoids")  # or all turns would fit
        # In float32 a sixteenth of the drift is new in each row.
        uneven = self.drift / 16 * np.abs(self.speeds) * (rows[-1] + STARTS[1])
        self.steepness = np.abs(away).sum() / np.sum(away**2)
        self.slack = self.drift * np.abs(self.speeds) + self.steepness * (self.bounds + uneven)
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
        places, quarter = self.places, max(2, len(self.places) // 4)
        for some in (known, known & (places >= len(places) - quarter), known & (places < quarter)):
            if some.sum() < 2:
                continue
            turned = self.speeds * (np.sign(np.median(self.speeds[some])) or 1)
            weights, sizes = np.abs(turned / self.slack)[some], np.abs(turned[some])
            columns = np.stack([weights, -places[some] * weights], axis=1)
            law = np.linalg.lstsq(columns, np.log(sizes) * weights, rcond=1e-15)[0]
            numbers = np.append(law, center := self.middle + STARTS[1])
            if some is known:
                (off,), (allowed,), _ = self.compared(turned[None], numbers)
                if (np.abs(off) <= 4 * allowed)[known].all():
                    return law
                refusal = (
                    "table must turn all pairs one way, by speeds that fall by one ratio; taken "
                    f"between -π and π radians a row, {self.uneven(places[known])}"
                )
                continue
            for fit, _ in self.solved(numbers, turned[None], some[None], center):
                speeds = np.exp(fit[0] - places * fit[1])
                if speeds.max() > np.pi:
                    refusal = (
                        "table must have speeds below π radians a row, since faster ones can't be "
                        "told from slower ones the other way; by the ratio of slow pairs, which "
                        f"all fit, pair {speeds.argmax()} turns by {speeds.max():.4g}"
                    )
        raise ValueError(refusal)

    def uneven(self, pairs):
        """Return in words how the speeds of some pairs don't fall by one ratio."""
        speeds = self.speeds[pairs]
        one, other = speeds.argmax(), speeds.argmin()
        if speeds[other] < 0 < speeds[one]:
            words = f"pair {pairs[one]} turns one way by {speeds[one]:.4g}, and {pairs[other]} the "
            return words + f"other by {-speeds[other]:.4g}"
        ratios = -np.diff(np.log(np.abs(speeds))) / np.diff(pairs)
        changes, slack = np.abs(np.diff(ratios)), np.abs(self.slack[pairs] / speeds)
        sure = changes > 4 * (slack[:-2] + 2 * slack[1:-1] + slack[2:])
        k = np.argmax(np.where(sure.any() & ~sure, 0, changes))
        before, after = np.exp(ratios[k : k + 2])
        return (
            f"a speed over the next is {before:.4g} before pair {pairs[k + 1]}, where that changes "
            f"most, and {after:.4g} from it on"
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
        bounds += self.drift * speeds * np.abs(times)
        slopes = np.stack(np.broadcast_arrays(times, -places * times, last), axis=-1)
        off = turned - speeds * times
        return [part[: len(turned)] for part in (off, bounds, speeds[:, None] * slopes)]

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
            sure = reach < np.maximum(_SURE, 3 * allowed)  # or so vague that no turn matters
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
