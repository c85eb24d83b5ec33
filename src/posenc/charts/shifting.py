"""The chart of notebook 05: a table that doubles by a copy of itself, which slides and turns."""

import altair as alt

from posenc.charts.components import (
    angular_frequency,
    encoding,
    finish,
    slider,
    tooltips,
    value_color,
)
from posenc.charts.dials import points
from posenc.palette import SHIFTED

STEPS = 5
ROWS = 2**STEPS
# The pairs that move enough within so few rows to be seen: half of a table's columns.
COLUMNS, WIDTH = 16, 32

# Above the table stands a dial for each pair; both are placed in rows.
TOP, DIALS_AT = -5.0, -2.7
# In pixels, so that dials stay round however wide the page is.
_SIDE = f"0.86*min(width/{COLUMNS // 2}, 4*height/{ROWS - 0.5 - TOP})"


def doubling():
    """Draw how a table grows by doubling: its copy slides below it, and then turns.

    In the first half of each doubling the copy of all rows slides down by their number. In the
    second half each of its pairs turns, by the angle that belongs to as many positions.
    """
    moving = "['the copy slides down by ', 'the copy turns by '][+(turned > 0)]"
    way = "format(turned || slid, '.1f') + ' of ' + made + (turned ? ' position' : ' row')"
    many = "(made > 1 ? 's' : '')"
    title = f"['rows so far: ' + made * (part < 1 ? 1 : 2), {moving} + {way} + {many}]"
    return finish(
        alt.layer(_cells(), _frame(), *_dials()),
        slider("doublings", "doublings", 3.8, greatest=STEPS, step=0.01, per_second=0.25),
        alt.param("step", expr=f"min(floor(doublings), {STEPS - 1})"),
        alt.param("made", expr="pow(2, step)"),
        alt.param("part", expr="doublings - step"),
        alt.param("slid", expr="made * min(1, 2 * part)"),
        alt.param("turned", expr="made * max(0, 2 * part - 1)"),
        size=(520, 440),
        title=alt.Title(alt.expr(title), lineHeight=18),
        description=f"""
        A table of {COLUMNS} columns that grows from 1 row to {ROWS}, in red above 0 and blue below,
        without color at 0. A slider goes through {STEPS} doublings. In the first half of each, an
        orange frame with a copy of all rows so far slides down until it stands below them. In the
        second half the colors inside the frame change, fast at the left and hardly at the right,
        until they are those of the next rows. Eight dials above the table, one for each pair of
        columns, tell why: their hands are those of the copy's first row. They point up while it
        slides, and then they turn clockwise, each at its own pace, as does the same pair in every
        other row of the copy.
        """,
    )


def _rows():
    """Return the scale of the rows, which has room for the dials above them."""
    y = alt.Y("top:Q", title="row (position t)")
    y = y.scale(domain=[TOP, ROWS - 0.5], reverse=True, nice=False)
    return y.axis(values=[0, 1, 3, 7, 15, 31], grid=False, domain=False)


def _cells():
    """Return the rows so far and, on top of them, their copy."""
    ends = {"values": [0.5, COLUMNS - 0.5], "labelExpr": "floor(datum.value)", "grid": False}
    cells = alt.Chart(alt.sequence(ROWS * COLUMNS, as_="cell")).transform_calculate(
        row=f"floor(datum.cell / {COLUMNS})",
        column=f"datum.cell % {COLUMNS}",
        right="datum.column + 1",
        copied="datum.row >= made",
        position="datum.copied ? datum.row - made + turned : datum.row",
        top="datum.row - 0.5 - (datum.copied ? made - slid : 0)",
        bottom="datum.top + 1",
        value=encoding("datum.position", "datum.column", WIDTH),
    )
    return (
        cells.transform_filter("datum.row < 2 * made")
        .mark_rect()
        .encode(
            alt.X("column:Q", title="column").scale(domain=[0, COLUMNS], nice=False).axis(**ends),
            _rows(),
            value_color("value", values=[-1, 0, 1]),
            x2="right:Q",
            y2="bottom:Q",
            tooltip=tooltips("column:Q", position=".2f", value=".3f"),
        )
    )


def _frame():
    """Return a frame around the copy."""
    top, bottom = (
        alt.datum(alt.expr(f"slid - 0.5 + {rows}"), type="quantitative") for rows in ("0", "made")
    )
    frame = alt.Chart().mark_rect(filled=False, stroke=SHIFTED, strokeWidth=2.5)
    return frame.encode(x=alt.datum(0), x2=alt.datum(COLUMNS), y=top, y2=bottom)


def _dials():
    """Return the hands of the copy's first row, above the columns of their pairs."""
    pairs = alt.Chart(alt.sequence(COLUMNS // 2, as_="pair")).transform_calculate(
        middle="2 * datum.pair + 1",
        degrees=f"180 / PI * turned * {angular_frequency('datum.pair', width=WIDTH)}",
    )
    x, told = alt.X("middle:Q", title="column"), tooltips("pair:Q", degrees=".1f")
    return points(pairs.encode(x, alt.YDatum(DIALS_AT), tooltip=told), _SIDE)
