"""The chart of notebook 12: a table of somebody's program beside one of the reader's making."""

import altair as alt
import numpy as np

from posenc.charts.components import (
    angular_frequency,
    choice,
    finish,
    named_arrays,
    sine_or_cosine,
    slider,
    tooltips,
    value_color,
)

ROWS, COUPLES = 20, 16  # are shown at most: of rows, and of even columns with the next
FIRST, LAST = -2, 4  # of the positions of row 0
LAYOUTS = ("pairs, sine first", "pairs, cosine first", "halves, sine first", "halves, cosine first")
DIVISORS = ("d/2", "d/2 − 1")
# Half precision is off by up to 2**-11, and three decimals by as much.
ROUNDING = 0.002


def match_table(tables):
    """Draw a table beside one that lists and sliders make, and name the largest difference.

    Parameters
    ----------
    tables : dict
        From names to tables of shapes (n, d) with n at least 8 and d even and at least 4. Of each
        the first 20 rows are shown and, if it is wider than 32 columns, 16 even ones spread over
        it, each with the next. Rows of zeros, which stand for padding, are left out of the
        comparison; numbers are rounded to three decimals.
    """
    tables = named_arrays(
        "tables",
        tables,
        "(n, d) with n at least 8 and d even and at least 4",
        lambda shape: len(shape) == 2 and shape[0] >= 8 and shape[1] >= 4 and not shape[1] % 2,
        alike=False,
    )
    cells = _cells(tables)
    maps = alt.hconcat(
        _map(cells, "v", alt.Title(alt.expr("'table ' + table"))),
        _map(cells, "made", "what the settings make"),
    )
    found = f"datum.largest < {ROUNDING} ? 'found: the two agree, but for rounding' : "
    words = f"{found}'largest difference ' + format(datum.largest, '.3f')"
    difference = cells.transform_aggregate(largest="max(apart)").transform_calculate(words=words)
    difference = difference.mark_text(fontSize=15, align="left", x=0).encode(text="words:N")
    return finish(
        alt.vconcat(maps, difference.properties(width=416, height=20)),
        choice("table", "table", tables),
        choice("layout", "layout", LAYOUTS),
        choice("divisor", "divisor P", DIVISORS),
        slider("first", "count from", 0, least=FIRST, greatest=LAST),
        slider("scale", "scale, 2 to the power", 0, least=-3, greatest=3),
        slider("exponent", "base, 10 to the power", 4, least=1, greatest=6, step=0.5),
        description=f"""
        Two heat maps side by side, of at most {ROWS} rows and {2 * COUPLES} columns. Left, a part
        of one of the tables {", ".join(tables)}, chosen from a list. Right, what the other settings
        make in the same rows and columns: lists choose pairs or halves, sine or cosine first, and
        whether the frequencies divide by d/2 or by d/2 − 1; sliders move the position of row 0
        from {FIRST} to {LAST}, multiply all positions by an eighth to 8, and set the base from 10
        to a million. A line below names the largest difference between the two, rows of zeros left
        out, and says found where it is no larger than rounding.
        """,
    )


def _cells(tables):
    """Return a chart of the cells of both tables, without a mark yet."""
    values = []
    for name, table in tables.items():
        half = table.shape[1] // 2
        couples = np.arange(min(half, COUPLES)) * half // min(half, COUPLES)
        columns = (2 * couples[:, None] + [0, 1]).ravel()
        numbers = table[:ROWS, columns].round(3).ravel()
        values.append({"name": name, "half": half, "of": columns.tolist(), "v": numbers.tolist()})
    in_pairs = "indexof(layout, 'pairs') == 0"
    pairs = f"(datum.half - (divisor == '{DIVISORS[1]}' ? 1 : 0))"
    return (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.name == table")
        .transform_calculate(cell="sequence(length(datum.v))")
        .transform_flatten(["v", "cell"])
        .transform_calculate(
            t="floor(datum.cell / length(datum.of))",
            j="datum.of[datum.cell % length(datum.of)]",
            k=f"{in_pairs} ? floor(datum.j / 2) : datum.j % datum.half",
            second=f"{in_pairs} ? datum.j % 2 : floor(datum.j / datum.half)",
            cosine="indexof(layout, 'cosine') >= 0 ? 1 - datum.second : datum.second",
            speed=angular_frequency("datum.k", pairs=pairs, exponent="exponent"),
            made=sine_or_cosine("pow(2, scale) * (datum.t + first) * datum.speed", "datum.cosine"),
        )
        .transform_joinaggregate(least="min(v)", most="max(v)", groupby=["t"])
        # A row of zeros is padding.
        .transform_calculate(apart="datum.least || datum.most ? abs(datum.v - datum.made) : 0")
    )


def _map(cells, field, title):
    x = alt.X("j:O", title="column").axis(labelAngle=0, labelOverlap=True)
    y = alt.Y("t:O", title="row").axis(labelOverlap=True)
    color = value_color(field, orient="bottom", gradientLength=150)
    told = tooltips("t:O", "j:O", **{field: ("value", ".3f")})
    cells = cells.mark_rect().encode(x, y, color, tooltip=told)
    return cells.properties(width=208, height=140, title=title)
