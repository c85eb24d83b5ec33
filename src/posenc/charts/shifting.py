"""The chart of notebook 05: how doubling makes each row of a table from row 0."""

import altair as alt

from posenc.charts.components import encoding, tooltips, value_color
from posenc.charts.controls import finish, slider
from posenc.palette import COLORS

STEPS = 5
ROWS = 2**STEPS
WIDTH = 16

# The columns of the table stand right of 0; the links between rows run left of it.
_LINK_PLACE = -1.1


def doubling():
    """Draw how one row of a table comes about when the table grows by doubling."""
    powers = [2**bit for bit in range(STEPS)]
    turns = " + ".join(f"(row & {it} ? ' + {it}' : '')" for it in powers[::-1])
    count = "length(split(format(row, 'b'), '1')) - 1"
    title = (
        f"['row ' + row + (row > 0 ? ' = ' + slice({turns}, 3) : ': from the formula'),"
        f" 'turns since row 0: ' + ({count}) + ', rows so far: ' + grown]"
    )
    return finish(
        alt.layer(_cells(), _frame(), *_links()),
        slider("row", "position t", 13, greatest=ROWS - 1, per_second=1),
        alt.param("grown", expr="row < 1 ? 1 : pow(2, length(format(row, 'b')))"),
        size=(520, 400),
        title=alt.Title(alt.expr(title), lineHeight=18),
        description=f"""
        A table of {ROWS} rows and {WIDTH} columns in blue for -1, white for 0 and red for 1, with a
        slider that chooses a row. The table is drawn as far as it has grown when that row is made:
        1, 2, 4, 8, 16 or 32 rows. At its left, arrows lead from row 0 to the chosen row, one for
        each 1 among the bits of its number, each labeled with the positions it turns by. Row 13 is
        reached by turns of 1, 4 and 8, by way of rows 1 and 5.
        """,
    )


def _cells():
    """Return the table as far as it has grown."""
    ends = {"values": [0.5, WIDTH - 0.5], "labelExpr": "floor(datum.value)"}
    x = alt.X("column:Q", title="column").scale(domain=[-3, WIDTH], nice=False)
    y = alt.Y("top:Q", title="row (position t)").axis(values=[0, 1, 3, 7, 15, 31], grid=False)
    cells = alt.Chart(alt.sequence(ROWS * WIDTH, as_="cell")).transform_calculate(
        t=f"floor(datum.cell / {WIDTH})",
        column=f"datum.cell % {WIDTH}",
        right="datum.column + 1",
        top="datum.t - 0.5",
        bottom="datum.t + 0.5",
        value=encoding("datum.t", "datum.column", WIDTH),
    )
    return (
        cells.transform_filter("datum.t < grown")
        .mark_rect()
        .encode(
            x.axis(grid=False, **ends),
            y.scale(domain=[-0.5, ROWS - 0.5], reverse=True, nice=False),
            value_color("value", values=[-1, 0, 1]),
            x2="right:Q",
            y2="bottom:Q",
            tooltip=tooltips("t:Q", "column:Q", value=".3f"),
        )
    )


def _frame():
    """Return a frame around the chosen row."""
    top, bottom = (alt.datum(alt.expr(f"row {side} 0.5"), type="quantitative") for side in "-+")
    frame = alt.Chart().mark_rect(filled=False, stroke=COLORS[1], strokeWidth=2.5)
    return frame.encode(x=alt.datum(0), x2=alt.datum(WIDTH), y=top, y2=bottom)


def _links():
    """Return the turns that lead to the row: a line, its arrowhead and what it turns by.

    The turn of bit i leads from row (t mod 2^i) to row (t mod 2^(i+1)).
    """
    turns = alt.Chart(alt.sequence(STEPS, as_="bit")).transform_filter("(row >> datum.bit) & 1")
    turns = turns.transform_calculate(
        origin="row % pow(2, datum.bit)",
        target="row % pow(2, datum.bit + 1)",
        middle="(datum.origin + datum.target) / 2",
        turn="'+' + pow(2, datum.bit)",
    ).encode(x=alt.datum(_LINK_PLACE))
    arrow = {"shape": "triangle-right", "filled": True, "size": 110, "opacity": 1, "xOffset": 8}
    label = turns.mark_text(align="right", fontSize=13, xOffset=-7)
    return (
        turns.mark_rule(strokeWidth=2.5, color=COLORS[1]).encode(y="origin:Q", y2="target:Q"),
        turns.mark_point(color=COLORS[1], **arrow).encode(y="target:Q"),
        label.encode(y="middle:Q", text="turn:N"),
    )
