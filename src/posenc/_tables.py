"""What a table of sinusoids is made of: the machinery of `posenc.layouts.describe`."""

from dataclasses import replace

import numpy as np

from posenc._descriptions import Description
from posenc._hands import STARTS, Rule, lines

# For numbers of a format: their relative error, their least error, and the relative one of the
# frequencies from which they were computed, in float32 unless they are finer.
_ROUNDING = {
    "bfloat16": (2.0**-8 + 2.0**-22, 2.0**-40, 2.0**-19),
    "float16": (2.0**-11 + 2.0**-22, 2.0**-24, 2.0**-19),
    "float32": (2.0**-22, 2.0**-40, 2.0**-19),
    "float64": (2.0**-42, 2.0**-42, 2.0**-44),
}


def rounding(table):
    """Return the relative and the least error of the numbers, and the relative one of speeds."""
    with np.errstate(over="ignore"):
        rounded = {
            "bfloat16": rounded_to_bfloat16(table),
            "float16": table.astype(np.float16),
            "float32": table.astype(np.float32),
        }
    fitting = (name for name, numbers in rounded.items() if np.array_equal(numbers, table))
    return _ROUNDING[next(fitting, "float64")]


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
    speeds, angles, *bounds, off = lines(hands, rows, unit, floor / amplitude)
    farthest = rows[-1] + STARTS[1]
    if (off > 2 * (bounds[1] + drift * np.abs(speeds) * farthest)).any():
        raise ValueError("table must turn each pair evenly from row to row, which it does not")
    if np.abs(speeds[0]) < 4 * bounds[0][0]:
        raise ValueError("table must turn its first pair by more than its rounding; it does not")
    sense = np.sign(speeds[0])
    if (sense * speeds < -4 * bounds[0]).any():
        raise ValueError("table must turn all pairs in one sense, which it does not")
    for rising in (1, -1):
        # With the cosine first, a pair is a hand that turns counterclockwise as positions rise.
        first = "cosine" if sense == rising else "sine"
        angle = angles if first == "cosine" else np.pi / 2 - angles
        rule = Rule(np.abs(speeds), rising * angle, *bounds, middle=rows.mean(), drift=drift)
        fits = sorted(rule.starts(), key=lambda fit: abs(fit[0][2]))
        if fits:
            break
    else:
        raise ValueError("table must have pairs that all start at one position; it has not")
    about = Description(
        layout=layout,
        first=first,
        pairs=len(speeds),
        amplitude=amplitude,
        fastest=rising * np.exp(fits[0][0][0]),
        ratio=None,
        starts=(),
        blank=blank,
        errors={
            "amplitude": unit * amplitude,
            "fastest": np.exp(fits[0][0][0]) * np.expm1(fits[0][1][0]),
            "ratio": np.nan,
            "start": np.nan,
        },
        worst=None,
        columns=np.arange(table.shape[1]),
    )
    return about if np.isnan(fits[0][0][1]) else _with_start(about, fits, table, rows, errors)


def _with_start(about, fits, table, rows, errors):
    """Return the description with the first fit from which the table can be made."""
    made, numbers = [], np.array([numbers for numbers, _ in fits])
    for fastest, ratio, start in zip(*np.exp(numbers[:, :2]).T, numbers[:, 2]):
        it = replace(about, fastest=np.sign(about.fastest) * fastest, ratio=ratio, starts=(start,))
        worst = np.abs(it.table(rows) - table).max()
        angle = fastest * np.abs(rows + start).max()
        allowed = about.amplitude * (2 * errors[0] + errors[2] * angle) + errors[1]
        made.append(replace(it, worst=worst, errors=about.errors | {"worst": allowed}))
    good = [i for i, it in enumerate(made) if it.worst <= it.errors["worst"]]
    if not good:
        raise ValueError(
            f"table must be of sinusoids; the nearest differ by {made[0].worst:.1e}, and rounding "
            f"explains {made[0].errors['worst']:.1e}"
        )
    best = made[good[0]]
    off = np.max([np.abs(numbers[i] - numbers[good[0]]) + fits[i][1] for i in good], axis=0)
    best.errors.update(
        fastest=abs(best.fastest) * np.expm1(off[0]),
        ratio=best.ratio * np.expm1(off[1]),
        start=off[2],
    )
    return replace(best, starts=tuple(made[i].starts[0] for i in good))


def described_picture(table, grid, blank, errors):
    """Describe the columns that depend on x alone, and those that depend on y alone."""
    places = table.reshape(*grid, -1)
    lines = {"x": places[:1], "y": places[:, :1]}
    columns = np.arange(table.shape[1])
    halves = columns.reshape(2, -1)
    quarters = columns.reshape(2, 2, -1).swapaxes(0, 1).reshape(2, -1)
    for parts in (halves, quarters):
        for names in ("xy", "yx"):
            of = dict(zip(names, parts))
            off = max(np.abs(places - lines[name])[..., of[name]].max() for name in of)
            if off <= 2 * (errors[0] * np.abs(table).max() + errors[1]):
                axes = {}
                for name in names:
                    line = lines[name].reshape(-1, table.shape[1])[:, of[name]]
                    found = described(line, np.arange(len(line)), (), errors)
                    axes[name] = replace(found, columns=of[name])
                return _shared(axes, blank)
    raise ValueError(
        "table must have one half of its columns for each axis of the grid, or every other "
        f"quarter; with {grid[0]} rows and {grid[1]} columns it has not"
    )


def _shared(axes, blank):
    """Return a description of what both axes share."""
    one, other = axes.values()
    off = {name: one.errors[name] + other.errors[name] for name in one.errors}

    def same(name):
        ours, theirs = getattr(one, name), getattr(other, name)
        close = ours == theirs or (name in off and abs(ours - theirs) <= off[name])
        return ours if close else None

    names = ("layout", "first", "pairs", "amplitude", "fastest", "ratio")
    return Description(
        **{name: same(name) for name in names},
        starts=one.starts if same("start") is not None else (),
        blank=blank,
        errors=off,
        worst=max(one.worst, other.worst),
        columns=np.sort(np.concatenate([one.columns, other.columns])),
        axes=axes,
    )


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
