"""The chart of notebook 05: how doubling makes each row of a table from row 0."""

import altair as alt

from posenc.charts.components import angular_frequency, encoded, tooltips, value_color
from posenc.charts.controls import finish, slider
from posenc.palette import COLORS

STEPS = 5
ROWS = 2**STEPS
WIDTH = 16

_LINK = {"color": COLORS[1]}
# The columns of the table stand right of 0; the links between rows run left of it.
_LINK_PLACE = -1.1


def doubling():
    """Draw how one row of a table comes about when the table grows by doubling.

    The browser computes all from the slider ``row``: the table of the encodings, how far it has
    grown, and the turns that lead from row 0 to the chosen row, one for each bit of its number.
    """
    powers = [2**bit for bit in range(STEPS)]
    turns = " + ".join(f"(floor(row / {it}) % 2 ? ' + {it}' : '')" for it in powers[::-1])
    count = " + ".join(f"floor(row / {it}) % 2" for it in powers)
    title = (
        f"['row ' + row + (row > 0 ? ' = ' + slice({turns}, 3) : ': from the formula'),"
        f" 'turns since row 0: ' + ({count}) + ', rows so far: ' + grown]"
    )
    return finish(
        alt.layer(_cells(), _frame(), *_links()),
        slider("row", "position t", 13, greatest=ROWS - 1, per_second=1),
        alt.param("grown", expr="row < 1 ? 1 : pow(2, floor(log(row + 0.5) / LN2) + 1)"),
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


def _y(field):
    y = alt.Y(field, title="row (position t)").axis(values=[0, 1, 3, 7, 15, 31], grid=False)
    return y.scale(domain=[-0.5, ROWS - 0.5], reverse=True, nice=False)


def _cells():
    frequency = angular_frequency("datum.pair", width=WIDTH)
    ends = {"values": [0.5, WIDTH - 0.5], "labelExpr": "floor(datum.value)"}
    x = alt.X("column:Q", title="column").scale(domain=[-3, WIDTH], nice=False)
    return (
        alt.Chart(alt.sequence(0, ROWS * WIDTH, as_="cell"))
        .transform_calculate(t=f"floor(datum.cell / {WIDTH})", column=f"datum.cell % {WIDTH}")
        .transform_filter("datum.t < grown")
        .transform_calculate(
            pair="floor(datum.column / 2)", cosine="datum.column % 2", right="datum.column + 1"
        )
        .transform_calculate(
            value=encoded("datum.t", frequency, "datum.cosine"),
            top="datum.t - 0.5",
            bottom="datum.t + 0.5",
        )
        .mark_rect()
        .encode(x.axis(grid=False, **ends), _y("top:Q"), x2="right:Q", y2="bottom:Q")
        .encode(value_color("value", title="value", values=[-1, 0, 1]))
        .encode(tooltip=tooltips("t:Q", "column:Q", value=".3f"))
    )


def _frame():
    """Return a frame around the chosen row."""
    row = alt.Chart(alt.Data(values=[{"left": 0, "right": WIDTH}]))
    row = row.transform_calculate(top="row - 0.5", bottom="row + 0.5")
    frame = row.mark_rect(filled=False, stroke=COLORS[1], strokeWidth=2.5)
    return frame.encode(x="left:Q", x2="right:Q", y="top:Q", y2="bottom:Q")


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
    line = turns.mark_rule(strokeWidth=2.5, **_LINK)
    arrow = {"shape": "triangle-right", "filled": True, "size": 110, "opacity": 1, "xOffset": 8}
    head = turns.mark_point(**arrow, **_LINK).encode(x="place:Q", y="target:Q")
    label = turns.mark_text(align="right", fontSize=13)
    return (
        line.encode(_y("origin:Q"), x="place:Q", y2="target:Q"),
        head,
        label.encode(x="beside:Q", y="middle:Q", text="turn:N"),
    )
