"""The chart of lab A: how far off each row is read, in noise, for two codes."""

import altair as alt
import numpy as np

from posenc.charts.canvas import NAME, Canvas
from posenc.charts.components import choice, finish, rows, said, slider, spread, where
from posenc.palette import GRAY

MOST_NOISE, STEP, NEAR, EACH, THROWS = 2.5, 0.05, 5, 10, 3
_APART = 2.75  # from one panel's middle to the other's, where a panel is 2 high
_PANELS = Canvas(-0.14, 1.02, -_APART - 1.6, 1.55)
_SIZE = 480, 400
_TICKS = [-1000, -100, -NEAR, 0, NEAR, 100, 1000]


def misread_rows(codes, colors, upper, lower):
    """Draw two codes, one above the other: how many positions off each tenth row is read, in noise.

    The reader of rows knows the code and takes the nearest row. All codes get the same noise, a
    slider makes it larger, and another one makes a new throw.

    Parameters
    ----------
    codes : dict of array_like, shape (n, d), or of functions
        {name: table}, one row for each position. A code that is different in each throw is a
        function from the number of the throw, 0 or more, to its table.
    colors : dict of str
        The color of each code.
    upper, lower : str
        The codes to begin with.
    """
    throws = [
        {name: code(throw) if callable(code) else code for name, code in codes.items()}
        for throw in range(THROWS)
    ]
    names, length = [*codes], len(throws[0][upper])
    chosen = f"[indexof({names}, upper_code), indexof({names}, lower_code)]"
    step = f"round(noise / {STEP})"
    marks = alt.Chart(_readings(throws))
    marks = marks.transform_filter(
        f"datum.throw == throw_number && datum.start <= {step} && {step} < datum.end"
    )
    marks = spread(marks, panel="[0, 1]").transform_filter(f"datum.code == {chosen}[datum.panel]")
    marks = marks.transform_calculate(
        off="datum.read - datum.position",
        far=f"abs(datum.off) > {NEAR}",
        near="datum.off != 0 && !datum.far",
        is_right="datum.off == 0",
        color=f"{[colors[name] for name in names]}[datum.code]",
        filling="datum.far ? 'transparent' : datum.color",
    )
    height = f"{_height('datum.off')} - {_APART} * datum.panel"
    dots = _PANELS.place(marks, f"datum.position / {length}", height).mark_point(aria=False)
    dots = dots.encode(
        shape=where("datum.far", "square", "circle"),
        size=where("datum.far", 30, 16),
        stroke=alt.Stroke("color:N", scale=None),
        fill=alt.Fill("filling:N", scale=None),
    )
    return finish(
        alt.layer(*_panels(length), dots, _counts(marks, names)),
        slider("noise", "noise", 1, greatest=MOST_NOISE, step=STEP, per_second=0.3),
        slider("throw_number", "throw", 1, least=1, greatest=THROWS),
        choice("upper_code", "upper code", names, upper),
        choice("lower_code", "lower code", names, lower),
        name=NAME,
        size=_SIZE,
        description=f"""
        Two panels, one above the other, for two codes that lists choose, first {upper} and {lower}.
        A mark for each tenth of {length} positions is as high as its answer is off: on the line in
        the middle if the row is read right, and in a gray band around it if the answer is off by
        at most {NEAR}. The scale is logarithmic in both directions, up to 1000. Marks that are
        off by more than {NEAR} are hollow squares, others are dots. Above each panel are the
        numbers of rows that are right, near and far. At noise 1, {upper} has
        {_at_first(throws[0][upper])}, and {lower} has {_at_first(throws[0][lower])}.
        A slider makes the noise stronger, up to {MOST_NOISE}, and the marks jump off the line one
        by one. Another slider shows {THROWS} throws of the noise.
        """,
    )


def _height(error):
    """Return the Vega expression of how high an answer is that is so far off, from -1 to 1."""
    return f"(({error}) < 0 ? -1 : 1) * log(1 + abs({error})) / log(1001)"


def _readings(throws):
    """Return for each throw, code and position what it's read as, from one step of noise on."""
    lines = ["throw,code,position,read,start,end"]
    for throw, codes in enumerate(throws):
        for code, table in enumerate(codes.values()):
            reads, steps = _read(table, throw), round(MOST_NOISE / STEP) + 1
            for position, row in zip(range(EACH // 2, len(table), EACH), reads):
                starts = [0, *np.flatnonzero(np.diff(row)) + 1]
                for start, end in zip(starts, [*starts[1:], steps]):
                    lines.append(f"{throw + 1},{code},{position},{row[start]},{start},{end}")
    numbers = dict.fromkeys(lines[0].split(","), "number")
    return alt.InlineData("\n".join(lines), format=alt.CsvDataFormat(type="csv", parse=numbers))


def _read(table, throw):
    """Return what each tenth row is read as, in a column for each strength of noise.

    Whatever is nearest to a row plus noise has the largest of n numbers that grow or shrink with
    the noise, each in its own straight line.
    """
    noise = np.random.default_rng(throw).standard_normal(table.shape)[EACH // 2 :: EACH]
    strengths = STEP * np.arange(round(MOST_NOISE / STEP) + 1)
    still = table[EACH // 2 :: EACH] @ table.T - (table**2).sum(axis=1) / 2
    grows = noise @ table.T
    reads = [(still + strength * grows).argmax(axis=1) for strength in strengths]
    return np.transpose(reads)


def _at_first(table):
    """Say how many rows are right, near and far at noise 1, in the first throw."""
    reads = _read(table, 0)[:, round(1 / STEP)]
    errors = abs(reads - np.arange(EACH // 2, len(table), EACH))
    right, far = (errors == 0).sum(), (errors > NEAR).sum()
    return f"{right} right, {len(errors) - right - far} near and {far} far"


def _panels(length):
    """Return the frames of both panels, what is near, the line of what is right, and the scales."""
    panels, up = rows(2, "panel"), f"-{_APART} * datum.panel"
    outline, near = {"fill": "transparent", "stroke": GRAY}, {"fill": GRAY, "fillOpacity": 0.2}
    for half, look in ((_height(NEAR), near), ("1.05", outline), ("0", outline)):
        sides = f"{up} - {half}", f"{up} + {half}"
        yield _PANELS.rectangles(panels, 0, 1, *sides, aria=False, **look)
    scale, look = spread(panels, tick=f"{_TICKS}"), {"align": "right", "dx": -4, "fontSize": 11}
    words, height = "format(datum.tick, datum.tick ? '+' : '')", _height("datum.tick")
    yield _PANELS.texts(scale, 0, f"{height} + {up}", words, **look)
    words = f"['0', 'position', '{length}'][datum.half]"
    yield _PANELS.texts(rows(3, "half"), "datum.half / 2", -_APART - 1.05, words, dy=12)
    yield _PANELS.texts(panels, 0, up, "'off by'", angle=270, dy=-44)


def _counts(marks, names):
    """Write above each panel which code it shows, and how many rows are right, near and far."""
    counts = marks.transform_aggregate(
        right="sum(is_right)", near="sum(near)", far="sum(far)", groupby=["panel", "code"]
    )
    numbers = f"{names}[datum.code]", "datum.right", "datum.near", "datum.far"
    words = said("{}: {} right, {} near, {} far", *numbers)
    return _PANELS.texts(counts, 0, f"1.05 - {_APART} * datum.panel", words, align="left", dy=-10)
