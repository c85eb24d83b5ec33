"""The chart of notebook 12: a table of somebody's program beside one of the reader's making."""

import altair as alt
import numpy as np

from posenc.charts import components as parts
from posenc.charts.components import choice, finish, rows, slider, title, tooltips

ROWS, COUPLES = 20, 16  # are shown at most: of rows, and of even columns with the next
PARTNERS = ("its neighbor", "half a table away")
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
        it, each with the next. Numbers are rounded to three decimals.
    """
    cells = _cells(tables)
    maps = alt.hconcat(
        _map(cells, "v", title("'table ' + table")),
        _map(cells, "made", "what your settings make"),
    )
    verdict = f"datum.largest < {ROUNDING} ? ': found, up to rounding' : ''"
    words = parts.said("largest difference {}{}", "format(datum.largest, '.3f')", verdict)
    largest = cells.transform_aggregate(largest="max(apart)").transform_calculate(words=words)
    largest = largest.mark_text(fontSize=16, align="left", x=0).encode(text="words:N")
    return finish(
        alt.vconcat(maps, largest.properties(width=416, height=16)),
        choice("table", "table", tables),
        choice("partner", "1 partner", PARTNERS),
        choice("wave", "2 first is", ("the sine", "the cosine")),
        slider("start", "3 position of row 0", 0, least=-2, greatest=4),
        slider("speed", "4 radians per row", 1, least=0.25, greatest=2, step=0.25),
        slider("exponent", "5 base, power of ten", 4, least=1, greatest=6, step=0.5),
        choice("divisor", "6 divisor P", DIVISORS),
        description=f"""
        Two heat maps side by side, of at most {ROWS} rows and {2 * COUPLES} columns. Left, a part
        of one of the tables {", ".join(tables)}, chosen from a list. Right, what six other settings
        make in the same rows and columns: whether the partner of column 0 is its neighbor or half a
        table away, whether the sine or the cosine is first, the position of row 0 from -2 to 4, the
        speed of the first hand from a quarter of a radian to 2 a row, the base from 10 to a
        million, and whether frequencies divide by d/2 or d/2 − 1. A line below names the largest
        difference between the two, and says found where it is no larger than rounding.
        """,
    )


def _cells(tables):
    """Return a chart of the cells of both tables, without a mark yet."""
    values = []
    for name, table in tables.items():
        half = table.shape[1] // 2
        couples = np.arange(min(half, COUPLES)) * half // min(half, COUPLES)
        columns = (2 * couples[:, None] + [0, 1]).ravel()
        numbers = table[:ROWS, columns].astype(float).round(3).ravel()
        values.append({"name": name, "half": half, "of": columns.tolist(), "v": numbers.tolist()})
    pairs = f"(datum.half - (divisor == '{DIVISORS[1]}' ? 1 : 0))"
    cells = rows(values).transform_filter("datum.name == table")
    cells = parts.spread(cells, "v", cell="sequence(length(datum.v))").transform_calculate(
        t="floor(datum.cell / length(datum.of))",
        j="datum.of[datum.cell % length(datum.of)]",
        apart=f"partner == '{PARTNERS[0]}' ? 1 : datum.half",
        second="floor(datum.j / datum.apart) % 2",
        k="datum.apart == 1 ? floor(datum.j / 2) : datum.j % datum.half",
        cosine="wave == 'the cosine' ? 1 - datum.second : datum.second",
        frequency=parts.angular_frequency("datum.k", pairs=pairs, exponent="exponent"),
        made=parts.sine_or_cosine("speed * (datum.t + start) * datum.frequency", "datum.cosine"),
    )
    return cells.transform_calculate(apart="abs(datum.v - datum.made)")


def _map(cells, field, words):
    x = alt.X("j:O", title="column").axis(labelAngle=0, labelOverlap=True)
    y = alt.Y("t:O", title="row").axis(labelOverlap=True)
    tooltip = tooltips("t:O", "j:O", **{field: ("value", ".3f")})
    cells = cells.mark_rect().encode(x, y, parts.value_color(field).legend(None), tooltip=tooltip)
    return cells.properties(width=208, height=120, title=words)
