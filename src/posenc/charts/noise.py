"""The chart of lab A: rows of two codes, spoiled by noise, and the positions they're read as."""

import altair as alt
import numpy as np

from posenc.charts.components import choice, finish, named_arrays, slider
from posenc.palette import GRAY, INK

MOST_NOISE, NEAR, EACH = 3, 5, 10
_APART = 1.28  # from one panel to the other, in panels
_X, _Y = [-0.17, 1 + _APART + 0.05], [-0.23, 1.27]
_WIDTH = 480


def misread_rows(codes, colors, left, right):
    """Draw two codes side by side: where each tenth row stands, and where it's read, in noise.

    The reader of rows knows the code and takes the nearest row. All codes get the same noise, and a
    slider makes it larger.

    Parameters
    ----------
    codes : dict of array_like, shape (n, d)
        {name: table}, one row for each position.
    colors : dict of str
        The color of each code.
    left, right : str
        The codes to begin with.
    """
    codes = named_arrays("codes", codes, "(n, d)", lambda shape: len(shape) == 2)
    names, length = [*codes], len(next(iter(codes.values())))
    chosen = f"[indexof({names}, left_code), indexof({names}, right_code)]"
    rows = alt.Chart(_readings(codes.values()))
    rows = rows.transform_filter("datum.start <= noise && noise < datum.end")
    rows = rows.transform_calculate(panel="[0, 1]").transform_flatten(["panel"])
    rows = rows.transform_filter(f"datum.code == {chosen}[datum.panel]")
    rows = rows.transform_calculate(
        off="abs(datum.read - datum.position)",
        far=f"datum.off > {NEAR}",
        near="datum.off > 0 && !datum.far",
        is_right="datum.off == 0",
        color=f"{[colors[name] for name in names]}[datum.code]",
        x=f"datum.position / {length} + {_APART} * datum.panel",
        y=f"datum.read / {length}",
    )
    dots = rows.mark_point(opacity=1, aria=False).encode(
        *_ends("x", "y"),
        shape=alt.condition("datum.far", alt.value("square"), alt.value("circle")),
        size=alt.condition("datum.far", alt.value(38), alt.value(16)),
        stroke=alt.Stroke("color:N", scale=None),
        fill=alt.Fill("filling:N", scale=None),
    )
    dots = dots.transform_calculate(filling="datum.far ? 'transparent' : datum.color")
    return finish(
        alt.layer(*_panels(length), dots, _counts(rows, names)),
        slider("noise", "noise", 1, greatest=MOST_NOISE, step=0.05, per_second=0.3),
        choice("left_code", "code on the left", names, left),
        choice("right_code", "code on the right", names, right),
        name="dials",  # it keeps its proportions on a narrow page
        size=(_WIDTH, round(_WIDTH * (_Y[1] - _Y[0]) / (_X[1] - _X[0]))),
        description=f"""
        Two square panels, one for each of two codes that lists choose, first {left} and {right}. A
        mark for each tenth of {length} positions is as far to the right as the position, and as
        high as the one its row is read as: on a gray diagonal if both are the same. Marks that are
        off by more than {NEAR} are hollow squares, others are dots. Above each panel are the
        numbers of rows that are right, near and far. At noise 1, {left} has
        {_at_first(codes[left])}, and {right} has {_at_first(codes[right])}. A slider makes the
        noise stronger, up to {MOST_NOISE}, and the marks jump off the diagonal one by one.
        """,
    )


def _readings(tables):
    """Return for each code and position what it's read as, from one strength of noise to another.

    Whatever is nearest to a row plus noise has the largest of n numbers that grow or shrink with
    the noise, each in its own straight line.
    """
    lines = ["code,position,read,start,end"]
    for code, table in enumerate(tables):
        for position in range(EACH // 2, len(table), EACH):
            starts, readings = _read(table, position)
            for read, start, end in zip(readings, starts, [*starts[1:], MOST_NOISE + 1]):
                lines.append(f"{code},{position},{read},{start:.4f},{end:.4f}")
    numbers = dict.fromkeys(lines[0].split(","), "number")
    return alt.InlineData("\n".join(lines), format=alt.CsvDataFormat(type="csv", parse=numbers))


def _read(table, position):
    """Return the strengths of noise from which a row is read as another one, and as which."""
    noise = np.random.default_rng(0).standard_normal(table.shape)[position]
    still, grows = table @ table[position] - (table**2).sum(axis=1) / 2, table @ noise
    starts, readings = [0.0], [position]
    while True:
        faster = np.flatnonzero(grows > grows[readings[-1]])
        if not len(faster):
            return starts, readings
        gains = grows[faster] - grows[readings[-1]]
        overtakes = (still[readings[-1]] - still[faster]) / gains
        if overtakes.min() > MOST_NOISE:
            return starts, readings
        starts.append(overtakes.min())
        readings.append(int(faster[overtakes.argmin()]))


def _at_first(table):
    """Say how many rows are right, near and far at noise 1."""
    off = []
    for position in range(EACH // 2, len(table), EACH):
        starts, readings = _read(table, position)
        off.append(abs(readings[np.searchsorted(starts, 1) - 1] - position))
    right, far = (np.array(off) == 0).sum(), (np.array(off) > NEAR).sum()
    return f"{right} right, {len(off) - right - far} near and {far} far"


def _ends(x, y, x2=None, y2=None):
    """Return the encoding of a place or, with two more fields, of what lies between two."""
    ends = {
        name: channel(f"{field}:Q", axis=None).scale(domain=domain, nice=False)
        for name, field, channel, domain in zip("xy", (x, y), (alt.X, alt.Y), (_X, _Y))
    }
    return [*ends.values(), *([alt.X2(f"{x2}:Q"), alt.Y2(f"{y2}:Q")] if x2 else [])]


def _panels(length):
    """Return the frames of both panels, their diagonals, and what is along their sides."""
    panels = alt.Chart(alt.Data(values=[{"x": 0}, {"x": _APART}]))
    panels = panels.transform_calculate(y="0", x2="datum.x + 1", y2="1")
    frame = panels.mark_rect(fill="transparent", stroke=GRAY, aria=False)
    diagonal = panels.mark_rule(stroke=GRAY, strokeWidth=1, aria=False)
    texts = []
    for words, x, y, style in (
        ("0", 0, 0, {"dy": 10}),
        (str(length), 1, 0, {"dy": 10}),
        ("0", 0, 0, {"align": "right", "dx": -4}),
        ("position", 0.5, 0, {"dy": 24}),
        ("read as", 0, 0.5, {"angle": 270, "dy": -9}),
    ):
        both = [{"x": panel * _APART + x, "y": y, "words": words} for panel in (0, 1)]
        texts.append(_write(both, **style))
    return *(chart.encode(*_ends("x", "y", "x2", "y2")) for chart in (frame, diagonal)), *texts


def _write(words, **style):
    """Write words at their places, moved by pixels."""
    texts = alt.Chart(alt.Data(values=words))
    texts = texts.mark_text(**{"fontSize": 12, "color": INK, "baseline": "middle"} | style)
    return texts.encode(*_ends("x", "y"), text="words:N")


def _counts(rows, names):
    """Write above each panel which code it shows, and how many rows are right, near and far."""
    counts = rows.transform_aggregate(
        right="sum(is_right)", near="sum(near)", far="sum(far)", groupby=["panel", "code"]
    )
    numbers = "datum.right + ' right, ' + datum.near + ' near, ' + datum.far + ' far'"
    counts = counts.transform_calculate(
        x=f"{_APART} * datum.panel", y="1.02", lines=f"[{names}[datum.code], {numbers}]"
    )
    texts = counts.mark_text(align="left", dy=-23, fontSize=12, lineHeight=16)
    return texts.encode(*_ends("x", "y"), text="lines:N")
