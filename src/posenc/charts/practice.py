"""The chart of notebook 12: a table of somebody's program beside one of the reader's making."""

import altair as alt

from posenc.charts.components import (
    angular_frequency,
    named_arrays,
    sine_or_cosine,
    tooltips,
    value_color,
)
from posenc.charts.controls import choice, finish, slider

ROWS = 20  # are shown
FIRST, LAST = -2, 4  # of the positions of row 0
LAYOUTS = ("pairs, sine first", "pairs, cosine first", "halves, sine first", "halves, cosine first")
DIVISORS = ("d/2", "d/2 − 1")


def match_table(tables):
    """Draw a table beside one that lists and a slider make, and name the largest difference.

    Parameters
    ----------
    tables : dict
        From names to tables, all of one shape (n, d) with n at least 20 and d even and at least 4.
        The first 20 rows are shown. Rows of zeros, which stand for padding, are left out of the
        comparison; numbers are rounded to two decimals.
    """
    tables = named_arrays(
        "tables",
        tables,
        f"(n, d) with n at least {ROWS} and d even and at least 4",
        lambda rows, width: rows >= ROWS and width >= 4 and not width % 2,
    )
    cells, width = _cells(tables)
    maps = alt.hconcat(
        _map(cells, width, "v", alt.Title(alt.expr("'table ' + table"))),
        _map(cells, width, "made", "what the settings make"),
    )
    words = "'largest difference ' + format(datum.largest < 0.011 ? 0 : datum.largest, '.2f')"
    difference = cells.transform_aggregate(largest="max(apart)").transform_calculate(words=words)
    difference = difference.mark_text(fontSize=15, align="left", x=0).encode(text="words:N")
    return finish(
        alt.vconcat(maps, difference.properties(width=416, height=20)),
        choice("table", "table", tables),
        choice("layout", "layout", LAYOUTS),
        choice("divisor", "divisor P", DIVISORS),
        slider("first", "count from", 0, least=FIRST, greatest=LAST),
        description=f"""
        Two heat maps side by side, {ROWS} rows by {width} columns. Left, a table of somebody's
        program, one of {", ".join(tables)}, chosen from a list. Right, the table that the other
        settings make: lists choose pairs or halves, sine or cosine first, and whether the
        frequencies divide by d/2 or by d/2 − 1; a slider moves the position of row 0 from {FIRST}
        to {LAST}. A line below names the largest difference between the two, rows of zeros left
        out; it is 0.00 when the settings are those of the table.
        """,
    )


def _cells(tables):
    """Return a chart of the cells of both tables, without a mark yet, and their width."""
    values = [{"name": it, "v": tables[it][:ROWS].round(2).ravel().tolist()} for it in tables]
    width = next(iter(tables.values())).shape[1]
    half = width // 2
    in_pairs = "indexof(layout, 'pairs') == 0"
    pairs = f"({half} - (divisor == '{DIVISORS[1]}' ? 1 : 0))"
    cells = (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.name == table")
        .transform_calculate(cell=f"sequence({ROWS * width})")
        .transform_flatten(["v", "cell"])
        .transform_calculate(
            t=f"floor(datum.cell / {width})",
            j=f"datum.cell % {width}",
            k=f"{in_pairs} ? floor(datum.j / 2) : datum.j % {half}",
            second=f"{in_pairs} ? datum.j % 2 : floor(datum.j / {half})",
            cosine="indexof(layout, 'cosine') >= 0 ? 1 - datum.second : datum.second",
            speed=angular_frequency("datum.k", pairs=pairs),
            made=sine_or_cosine("(datum.t + first) * datum.speed", "datum.cosine"),
        )
        .transform_joinaggregate(least="min(v)", most="max(v)", groupby=["t"])
        # A row of zeros is padding.
        .transform_calculate(apart="datum.least || datum.most ? abs(datum.v - datum.made) : 0")
    )
    return cells, width


def _map(cells, width, field, title):
    x = alt.X("j:O", title="column").axis(values=list(range(0, width, 8)), labelAngle=0)
    y = alt.Y("t:O", title="row of the table").axis(values=list(range(0, ROWS, 5)), labelAngle=0)
    color = value_color(field, orient="bottom", gradientLength=150)
    told = tooltips("t:O", "j:O", **{field: ("value", ".2f")})
    cells = cells.mark_rect().encode(x, y, color, tooltip=told)
    return cells.properties(width=208, height=260, title=title)
