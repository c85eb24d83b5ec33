"""The chart of notebook 01: the encoding's table, one of its rows and one of its pairs."""

import altair as alt

from posenc.charts import components as parts
from posenc.charts.components import axis, finish, single, slider, title, tooltips
from posenc.charts.dials import RIM
from posenc.palette import COSINE, GRAY, POSITION, SINE

LENGTH, WIDTH = 64, 32
_LAST = LENGTH - 1
# Right of the columns: the waves' lowest, middle and highest value, their length, and the end.
_LOW, _ZERO, _HIGH, _BAR, _END = 36, 42.25, 48.5, 50.25, 54.5
_X = axis(alt.X, "column", None, [0, _END])
_AXIS = {"domain": False, "grid": False, "labelOverlap": False, "labelPadding": 5, "ticks": False}
_FRAME = {"color": POSITION, "filled": False, "strokeWidth": 2.5}
_DIAL = {"filled": False, "size": 88**2}  # in pixels: round however wide the page is


def table():
    """Draw the encoding as a picture, with a frame around one row and one around one pair."""
    lines = [
        f"'PE[' + row + ', ' + ({column}) + '] = {wave}(' + row + ' · ω' + k + ') = '"
        f" + format({wave}(speed * row), '.3f')"
        for wave, column in (("sin", "2 * pair"), ("cos", "2 * pair + 1"))
    ]
    speed, long = "format(speed, '.4~g')", "format(wavelength, ',.1f')"
    lines += [f"'ω' + k + ' = ' + {speed} + ', λ' + k + ' = ' + {long} + ' positions'"]
    return finish(
        alt.vconcat(_table_view(), _row_view(), spacing=6).configure_axis(**_AXIS),
        slider("position", "position t", 13, greatest=_LAST, per_second=4),
        slider("pair", "pair k", 3, greatest=WIDTH // 2 - 1),
        alt.param("k", expr="split('₀ ₁ ₂ ₃ ₄ ₅ ₆ ₇ ₈ ₉ ₁₀ ₁₁ ₁₂ ₁₃ ₁₄ ₁₅', ' ')[pair]"),
        alt.param("speed", expr=parts.angular_frequency("pair", width=WIDTH)),
        alt.param("wavelength", expr="2 * PI / speed"),
        # While the frame glides from row to row, words name the nearest.
        alt.param("row", expr="round(position)"),
        alt.param("sine", expr="sin(speed * position)"),
        alt.param("cosine", expr="cos(speed * position)"),
        title=title(*lines, lineHeight=18),
        description=f"""
        A table of {LENGTH} positions, downwards, and {WIDTH} columns in blue for -1, red for 1 and
        no color for 0. Sliders move a frame around one row and one around the two columns of a
        pair. At the right the pair's sine and cosine run downwards as waves, with dots at the row
        and a bar one wavelength long, or an arrow if it is longer than the table. Below stand the
        row's {WIDTH} numbers as bars, and the pair as a hand on a dial, sine to the right, cosine
        upwards. Row 13 and pair 3 meet in 0.738 and -0.675. From pair to pair the waves grow
        longer.
        """,
    )


def _table_view():
    labels = {0.5: 0, 16.5: [16, "column"], 31.5: 31, _LOW: "−1", _ZERO: [0, "value"], _HIGH: 1}
    x = _X.axis(values=[*labels], labelExpr=f"{labels}[datum.value]")
    ends, marks = [_LAST + 0.5, -0.5], [0, 16, 32, 48, 63]
    y = axis(alt.Y, "top", "position t", ends, values=marks)
    cells = _numbers(LENGTH, f"floor(datum.cell / {WIDTH})", "datum.t - 0.5", "datum.t + 0.5")
    points = alt.Chart(alt.sequence(0, LENGTH - 0.95, 0.1, as_="t"))  # even pair 0 is smooth
    waves = {"sine: even columns": "sin(datum.angle)", "cosine: odd columns": "cos(datum.angle)"}
    color = alt.Color("key:N", title=None).legend(orient="top", offset=6)
    color = color.scale(domain=[*waves], range=[SINE, COSINE])
    waves = points.transform_calculate(angle="speed * datum.t", **waves).transform_fold([*waves])
    place, end = f"{_ZERO} + {_HIGH - _ZERO} *", f"min(wavelength, {_LAST})"
    waves = waves.transform_calculate(x=f"{place} datum.value")
    arrow = alt.expr(f"wavelength > {_LAST} ? 'triangle-down' : 'stroke'")
    layers = alt.layer(
        cells.encode(x, y),
        # The frame of a row, which is low, lies around its cells.
        single("rect", 0, "position - 0.75", WIDTH, "position + 0.75", **_FRAME),
        single("rect", "2 * pair", -0.5, "2 * pair + 2", _LAST + 0.5, **_FRAME),
        single("rule", _ZERO, 0, _ZERO, _LAST, color=GRAY),
        single("rule", WIDTH, "position", _HIGH, "position", color=GRAY, strokeDash=[3, 3]),
        single("rule", _BAR, 0, _BAR, end, color=POSITION, strokeWidth=4),
        single("point", _BAR, end, color=POSITION, shape=arrow, filled=True, size=120),
        single("text", _BAR + 1, f"{end} / 2", text=alt.expr("'λ' + k"), align="left", fontSize=13),
        waves.mark_line(aria=True).encode(color, x="x:Q", y="t:Q", order="t:Q"),
        single("circle", f"{place} sine", "position", color=SINE, size=90),
        single("circle", f"{place} cosine", "position", color=COSINE, size=90),
    )
    return layers.resolve_scale(color="independent").properties(width=560, height=320)


def _row_view():
    label = f"datum.value == {_ZERO} ? 'pair ' + pair : 2 * pair + ', ' + (2 * pair + 1)"
    x = _X.axis(values=alt.expr(f"[2 * pair + 1, {_ZERO}]"), labelExpr=label)
    y = axis(alt.Y, "top", "value", [-1.12, 1.12], values=[-1, 0, 1])
    bars = _numbers(1, "position", "datum.value", "0").encode(x, y)
    words = "'Row ' + row + ': what the word at position ' + row + ' gets'"
    hand = alt.expr("'M0,0L' + sine + ',' + -cosine")
    right, up = alt.expr("'M0,0h' + sine"), alt.expr("'M' + sine + ',0v' + -cosine")
    return alt.layer(
        bars,
        single("rect", "2 * pair", -1.12, "2 * pair + 2", 1.12, **_FRAME),
        single("circle", "2 * pair + 0.5", "sine", color=SINE, size=36),
        single("circle", "2 * pair + 1.5", "cosine", color=COSINE, size=36),
        single("point", _ZERO, 0, **RIM, **_DIAL),
        single("point", _ZERO, 0, shape=hand, color=POSITION, strokeWidth=5, **_DIAL),
        single("point", _ZERO, 0, shape=right, color=SINE, strokeWidth=2.5, **_DIAL),
        single("point", _ZERO, 0, shape=up, color=COSINE, strokeWidth=2.5, **_DIAL),
    ).properties(width=560, height=100, title=title(words))


def _numbers(rows, t, top, bottom):
    """Return the numbers of rows of the table as rectangles in their colors."""
    numbers = parts.rows(rows * WIDTH, "cell").mark_rect()
    value = parts.encoding("datum.t", "datum.column", WIDTH)
    numbers = numbers.transform_calculate(t=t, column=f"datum.cell % {WIDTH}", value=value)
    numbers = numbers.transform_calculate(right="datum.column + 1", top=top, bottom=bottom)
    color, tooltip = parts.value_color("value"), tooltips("t:Q", "column:Q", value=".3f")
    return numbers.encode(color.legend(None), x2="right:Q", y2="bottom:Q", tooltip=tooltip)
