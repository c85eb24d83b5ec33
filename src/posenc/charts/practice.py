"""The chart of notebook 12: a table of somebody's program beside one of the reader's making."""

import altair as alt
import numpy as np

from posenc._validation import array
from posenc.charts._slider import add_sliders, choice, slider

ROWS = 20  # are shown
FIRST, LAST = -2, 4  # of the positions of row 0
LAYOUTS = (
    "pairs, sine first",
    "pairs, cosine first",
    "halves, sine first",
    "halves, cosine first",
)
DIVISORS = ("d/2", "d/2 − 1")

_MAP = 208, 260


def match_table(tables):
    """Draw a table beside one that lists and a slider make, and name the largest difference.

    Parameters
    ----------
    tables : dict
        From names to tables, all of one shape (n, d) with n at least 20 and d even and at least 4.
        The first 20 rows are shown. Rows of zeros, which stand for padding, are left out of the
        comparison.

    Returns
    -------
    altair.VConcatChart
        Its parameters are ``table``, ``layout``, ``divisor`` and ``first``. The tables' numbers
        are rounded to two decimals.

    Raises
    ------
    TypeError, ValueError
        If there is no table, or they are not as described.

    Examples
    --------
    >>> from posenc.encodings import sinusoidal
    >>> chart = match_table({"ours": sinusoidal(20, 8)})
    >>> [parameter.name for parameter in chart.params]
    ['table', 'layout', 'divisor', 'first']
    """
    tables = {name: array(f"tables[{name!r}]", it) for name, it in tables.items()}
    if not tables:
        raise ValueError("tables must hold at least one table, got none")
    shape = next(iter(tables.values())).shape
    for name, it in tables.items():
        fits = len(shape) == 2 and shape[0] >= ROWS and shape[1] >= 4 and shape[1] % 2 == 0
        if it.shape != shape or not fits:
            raise ValueError(
                f"tables must have one shape (n, d) with n at least {ROWS} and d even and at "
                f"least 4, got shape {it.shape} for {name!r}"
            )
    width = shape[1]
    values = [
        {
            "name": name,
            "v": it[:ROWS].round(2).ravel().tolist(),
            "blank": np.flatnonzero(~it[:ROWS].any(axis=1)).tolist(),
        }
        for name, it in tables.items()
    ]

    params = (
        choice("table", "table", tables),
        choice("layout", "layout", LAYOUTS),
        choice("divisor", "divisor P", DIVISORS),
        slider("first", "count from", 0, least=FIRST, greatest=LAST),
    )
    half = width // 2
    cells = (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.name == table")
        .transform_calculate(cell=f"sequence(0, {ROWS * width})")
        .transform_flatten(["v", "cell"])
        .transform_calculate(t=f"floor(datum.cell / {width})", j=f"datum.cell % {width}")
        .transform_calculate(
            k=f"indexof(layout, 'pairs') == 0 ? floor(datum.j / 2) : datum.j % {half}",
            second=f"indexof(layout, 'pairs') == 0 ? datum.j % 2 : floor(datum.j / {half})",
        )
        .transform_calculate(
            cosine="indexof(layout, 'cosine') >= 0 ? 1 - datum.second : datum.second",
            speed=f"pow(10000, -datum.k / ({half} - (divisor == '{DIVISORS[1]}' ? 1 : 0)))",
        )
        .transform_calculate(
            made="sin((datum.t + first) * datum.speed + datum.cosine * PI / 2)",
        )
        .transform_calculate(
            apart="indexof(datum.blank, datum.t) < 0 ? abs(datum.v - datum.made) : 0"
        )
    )

    def heat_map(field, title):
        return (
            cells.mark_rect()
            .encode(
                x=alt.X("j:O", title="column", axis=_axis(width, 8)),
                y=alt.Y("t:O", title="row of the table", axis=_axis(ROWS, 5)),
                color=alt.Color(
                    f"{field}:Q",
                    title="value",
                    scale=alt.Scale(domain=[-1, 1], scheme="redblue", reverse=True),
                    legend=alt.Legend(orient="bottom", gradientLength=150),
                ),
                tooltip=["t:O", "j:O", alt.Tooltip(f"{field}:Q", format=".2f", title="value")],
            )
            .properties(width=_MAP[0], height=_MAP[1], title=title)
        )

    difference = (
        cells.transform_aggregate(largest="max(apart)")
        .transform_calculate(
            words="'largest difference ' + format(datum.largest < 0.011 ? 0 : datum.largest, '.2f')"
        )
        .mark_text(fontSize=15, align="left", x=0)
        .encode(text="words:N")
        .properties(width=2 * _MAP[0], height=20)
    )
    maps = alt.hconcat(
        heat_map("v", alt.TitleParams(text=alt.ExprRef("'table ' + table"), anchor="start")),
        heat_map("made", alt.TitleParams(text="what the settings make", anchor="start")),
    )
    chart = alt.vconcat(maps, difference).properties(
        description=(
            f"Two heat maps side by side, {ROWS} rows by {width} columns. Left, a table of "
            f"somebody's program, one of {', '.join(tables)}, chosen from a list. Right, the table "
            "that the other settings make: lists choose pairs or halves, sine or cosine first, and "
            f"whether the frequencies divide by d/2 or by d/2 − 1; a slider moves the position of "
            f"row 0 from {FIRST} to {LAST}. A line below names the largest difference between the "
            "two, rows of zeros left out; it is 0.00 when the settings are those of the table."
        )
    )
    return add_sliders(chart, *params)


def _axis(count, step):
    return alt.Axis(values=list(range(0, count, step)), labelAngle=0)
