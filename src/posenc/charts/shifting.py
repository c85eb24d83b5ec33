"""The chart of notebook 05: how doubling makes each row of a table from row 0."""

import altair as alt

from posenc.charts._slider import add_sliders, slider
from posenc.palette import COLORS

STEPS = 5
ROWS = 2**STEPS
WIDTH = 16

_LINK = COLORS[1]
# The columns of the table stand right of 0; the links between rows run left of it.
_LINK_PLACE = -1.1

_DESCRIPTION = (
    f"A table of {ROWS} rows and {WIDTH} columns in blue for -1, white for 0 and red for 1, with a "
    "slider that chooses a row. The table is drawn as far as it has grown when that row is made: "
    "1, 2, 4, 8, 16 or 32 rows. At its left, arrows lead from row 0 to the chosen row, one for "
    "each 1 among the bits of its number, each labeled with the positions it turns by. Row 13 is "
    "reached by turns of 1, 4 and 8, by way of rows 1 and 5."
)


def doubling():
    """Draw how one row of a table comes about when the table grows by doubling.

    The browser computes all from the slider ``row``: the table of the encodings, how far it has
    grown, and the turns that lead from row 0 to the chosen row, one for each bit of its number.

    Returns
    -------
    altair.LayerChart
        The chart, with the parameter ``row`` from 0 to 31.

    Examples
    --------
    >>> [param.name for param in doubling().params]
    ['row', 'grown']
    """
    row = slider("row", "position t", 13, greatest=ROWS - 1, per_second=1)
    grown = alt.param(name="grown", expr="row < 1 ? 1 : pow(2, floor(log(row + 0.5) / LN2) + 1)")
    turns = " + ".join(
        f"(floor(row / {2**bit}) % 2 ? ' + {2**bit}' : '')" for bit in reversed(range(STEPS))
    )
    count = " + ".join(f"floor(row / {2**bit}) % 2" for bit in range(STEPS))
    title = alt.TitleParams(
        text=alt.ExprRef(
            f"['row ' + row + (row > 0 ? ' = ' + slice({turns}, 3) : ': from the formula'),"
            f" 'turns since row 0: ' + ({count}) + ', rows so far: ' + grown]"
        ),
        lineHeight=18,
    )
    chart = alt.layer(_cells(), _frame(), *_links())
    chart = chart.properties(width=520, height=400, title=title, description=_DESCRIPTION)
    return add_sliders(chart, row, grown)


def _row_axis(field):
    return alt.Y(
        field,
        title="row (position t)",
        scale=alt.Scale(domain=[-0.5, ROWS - 0.5], reverse=True, nice=False),
        axis=alt.Axis(values=[0, 1, 3, 7, 15, 31], grid=False),
    )


def _column_axis(field):
    return alt.X(
        field,
        title="column",
        scale=alt.Scale(domain=[-3, WIDTH], nice=False),
        axis=alt.Axis(values=[0.5, WIDTH - 0.5], labelExpr="floor(datum.value)", grid=False),
    )


def _cells():
    value = "sin(datum.t * pow(10000, -2 * datum.pair / {w}) + datum.cosine * PI / 2)"
    return (
        alt.Chart(alt.sequence(0, ROWS * WIDTH, as_="cell"))
        .transform_calculate(t=f"floor(datum.cell / {WIDTH})", column=f"datum.cell % {WIDTH}")
        .transform_filter("datum.t < grown")
        .transform_calculate(
            pair="floor(datum.column / 2)", cosine="datum.column % 2", right="datum.column + 1"
        )
        .transform_calculate(
            value=value.format(w=WIDTH), top="datum.t - 0.5", bottom="datum.t + 0.5"
        )
        .mark_rect()
        .encode(
            x=_column_axis("column:Q"),
            x2="right:Q",
            y=_row_axis("top:Q"),
            y2="bottom:Q",
            color=alt.Color(
                "value:Q",
                scale=alt.Scale(scheme="redblue", reverse=True, domain=[-1, 1]),
                legend=alt.Legend(title="value", values=[-1, 0, 1]),
            ),
            tooltip=["t:Q", "column:Q", alt.Tooltip("value:Q", format=".3f")],
        )
    )


def _frame():
    """Return a frame around the chosen row."""
    return (
        alt.Chart(alt.Data(values=[{"left": 0, "right": WIDTH}]))
        .transform_calculate(top="row - 0.5", bottom="row + 0.5")
        .mark_rect(filled=False, stroke=_LINK, strokeWidth=2.5)
        .encode(x="left:Q", x2="right:Q", y="top:Q", y2="bottom:Q")
    )


def _links():
    """Return the turns that lead to the row: a line, its arrowhead and what it turns by.

    The turn of bit i leads from row (t mod 2^i) to row (t mod 2^(i+1)).
    """
    turns = (
        alt.Chart(alt.sequence(0, STEPS, as_="bit"))
        .transform_filter("floor(row / pow(2, datum.bit)) % 2 == 1")
        .transform_calculate(
            origin="row % pow(2, datum.bit)",
            target="row % pow(2, datum.bit + 1)",
            turn="'+' + pow(2, datum.bit)",
            place=str(_LINK_PLACE),
            beside=str(_LINK_PLACE - 0.25),
        )
        .transform_calculate(middle="(datum.origin + datum.target) / 2")
    )
    line = turns.mark_rule(color=_LINK, strokeWidth=2.5).encode(
        x="place:Q", y=_row_axis("origin:Q"), y2="target:Q"
    )
    head = turns.mark_point(
        shape="triangle-right", filled=True, color=_LINK, size=110, opacity=1, xOffset=8
    ).encode(x="place:Q", y="target:Q")
    label = turns.mark_text(align="right", fontSize=13).encode(
        x="beside:Q", y="middle:Q", text="turn:N"
    )
    return line, head, label
