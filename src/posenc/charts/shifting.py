"""The charts of notebook 05: what five programs cost, how they sort, and a table that grows."""

import json
from importlib.resources import files

import altair as alt

from posenc.charts.components import (
    angular_frequency,
    choice,
    encoding,
    finish,
    slider,
    tooltips,
    value_color,
)
from posenc.charts.dials import NAME, points
from posenc.palette import COSINE, GRAY, INK, PLAIN, SHIFTED, SINE

ROWS_SHIFTED, WIDTH_SHIFTED = 200, 256
PROGRAMS = ("loop", "matrix", "packing", "swapping", "complex")
GUESSES = tuple(f"{n}×" for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000))
# Where the logarithmic axis begins, so that even the cheapest has a bar.
_LEFT = 0.7


def recorded_times():
    """Return what `bench/five_ways.py` recorded: medians in "seconds", and of what machine."""
    path = files("posenc") / "data" / "five_ways.json"
    return json.loads(path.read_text(encoding="utf-8"))


def multiplications(rows, width):
    """Return how many multiplications of numbers each program does to shift a table."""
    every_pair = 4 * rows * (width // 2)
    return dict.fromkeys(PROGRAMS, every_pair) | {"matrix": rows * width * width}


def order_of_work():
    """Draw a guess at what each program costs and, when asked, what's counted and what was timed.

    All are times the cheapest of the five.
    """
    counted, seconds = multiplications(ROWS_SHIFTED, WIDTH_SHIFTED), recorded_times()["seconds"]
    fewest, shortest = min(counted.values()), min(seconds[name] for name in PROGRAMS)
    values = []
    for row, name in enumerate(PROGRAMS):
        many = f"{counted[name]:,}".replace(",", "\u202f")
        values += [
            {"row": row, "step": 0, "times": counted[name] / fewest, "label": many},
            {
                "row": row,
                "step": 1,
                "times": float(f"{seconds[name] / shortest:.3g}"),
                "label": f"{1000 * seconds[name]:.2g} ms",
            },
        ]
    bars = alt.Chart(alt.Data(values=values)).transform_calculate(
        grown="clamp(answer - datum.step, 0, 1)",
        left=repr(_LEFT),
        right=f"{_LEFT} * pow(datum.times / {_LEFT}, datum.grown)",
        top="datum.row - 0.36 + 0.36 * datum.step",
        bottom="datum.top + 0.32",
        middle="datum.top + 0.17",
    )
    bars = bars.transform_filter("datum.grown > 0")
    guesses = alt.Chart(alt.Data(values=[{"row": row} for row in range(5)]))
    guesses = guesses.transform_calculate(
        name=f"{list(PROGRAMS)}[datum.row]",
        guess=f"toNumber(replace([{', '.join(PROGRAMS)}][datum.row], '×', ''))",
        top="datum.row - 0.44",
        bottom="datum.row + 0.44",
    )
    names = f"{list(PROGRAMS)}[datum.value]"
    x = alt.X("right:Q", title="times the cheapest")
    x = x.scale(type="log", domain=[_LEFT, 30_000], nice=False)
    x = x.axis(values=[1, 10, 100, 1000], labelExpr="datum.value + '×'", grid=False)
    y = alt.Y("top:Q", title=None).scale(domain=[-0.55, 4.5], reverse=True, nice=False)
    y = y.axis(
        values=list(range(5)),
        labelExpr=names,
        labelPadding=6,
        grid=False,
        ticks=False,
        domain=False,
    )
    solid, hollow = (
        bars.transform_filter(f"datum.step == {step}").mark_rect(aria=False, **style)
        for step, style in enumerate(
            ({"color": PLAIN}, {"fill": f"{PLAIN}22", "stroke": PLAIN, "strokeWidth": 1.5})
        )
    )
    ends = {"x": x, "y": y, "x2": "left:Q", "y2": "bottom:Q"}
    written = bars.transform_filter("datum.grown >= 1")
    written = written.mark_text(align="right", baseline="middle", fontSize=12)
    ticks = guesses.mark_rule(stroke=GRAY, strokeWidth=4)
    told = tooltips("name:N", "guess:Q")
    return finish(
        alt.layer(
            solid.encode(**ends),
            hollow.encode(**ends),
            ticks.encode(x="guess:Q", y="top:Q", y2="bottom:Q", tooltip=told),
            written.encode(x=alt.datum(30_000), y="middle:Q", text="label:N"),
        ),
        *(choice(name, f"{name}:", GUESSES) for name in PROGRAMS),
        slider("answer", "show the answer", 0, greatest=2, step=0.02, per_second=0.5),
        size=(460, 250),
        title=alt.Title(
            alt.expr(
                "['gray: your guess', answer > 0 ? 'filled: multiplications, counted' : '',"
                " answer > 1 ? 'outlined: time, recorded on one machine' : '']"
            ),
            lineHeight=17,
        ),
        description="""
        Five lines, named loop, matrix, packing, swapping and complex, over a logarithmic scale from
        once to a thousand times the cheapest. Five lists set a gray mark on each line, your guess.
        A slider then shows the answer: first a filled bar for each program's multiplications, then
        an outlined one below it for its time on one machine, with both numbers at the right edge.
        """,
    )


# What the slider sorts by, and what its two frames hold.
SORTED = (
    ("by pair, as the loop does", "pair 0", "pair 1"),
    ("by what comes out: packing", "new sines", "new cosines"),
    ("by what multiplies: swapping", "times c", "times s"),
)
# The products by name, with their places in the three orders.
PRODUCTS = {
    "c₀x₀": (0, 0, 0),
    "s₀y₀": (1, 1, 4),
    "c₀y₀": (2, 4, 1),
    "−s₀x₀": (3, 5, 5),
    "c₁x₁": (4, 2, 2),
    "s₁y₁": (5, 3, 6),
    "c₁y₁": (6, 6, 3),
    "−s₁x₁": (7, 7, 7),
}


def sorted_products():
    """Draw the eight products that shift two pairs, in three orders between which they glide."""
    values = [
        {"name": name, "x": name[-2], "a": places[0], "b": places[1], "c": places[2]}
        for name, places in PRODUCTS.items()
    ]
    first = "datum.a, datum.b, datum.c"
    # They set out and arrive slowly.
    cards = alt.Chart(alt.Data(values=values)).transform_calculate(
        leg="min(1, floor(order))",
        part="order - datum.leg",
        way="datum.part * datum.part * (3 - 2 * datum.part)",
        start=f"[{first}][datum.leg]",
        end=f"[{first}][datum.leg + 1]",
        left="(datum.start % 4) * (1 - datum.way) + (datum.end % 4) * datum.way + 0.05",
        top="1.5 * (floor(datum.start / 4) * (1 - datum.way) + floor(datum.end / 4) * datum.way)",
        right="datum.left + 0.9",
        bottom="datum.top + 0.7",
        center="datum.left + 0.45",
        middle="datum.top + 0.35",
        what="datum.x == 'x' ? 'a sine, x' : 'a cosine, y'",
    )
    x = alt.X("left:Q", axis=None).scale(domain=[-0.1, 4.1], nice=False)
    y = alt.Y("top:Q", axis=None).scale(domain=[-0.5, 2.35], reverse=True, nice=False)
    looks = {"domain": ["a sine, x", "a cosine, y"], "range": [SINE, COSINE]}
    color = alt.Color("what:N", title=None).legend(orient="bottom").scale(**looks)
    rim = alt.Stroke("what:N", legend=None).scale(**looks)
    frames = alt.Chart(alt.Data(values=[{"frame": 0}, {"frame": 1}])).transform_calculate(
        left="-0.05",
        right="4.05",
        top="1.5 * datum.frame - 0.1",
        bottom="datum.top + 0.9",
        name=f"{[list(names[1:]) for names in SORTED]}[round(order)][datum.frame]",
    )
    box = {"x2": "right:Q", "y2": "bottom:Q"}
    named = frames.mark_text(align="left", baseline="bottom", dy=-4, fontSize=12)
    letters = {"fontSize": 14, "baseline": "middle", "color": INK}
    return finish(
        alt.layer(
            frames.mark_rect(
                fill="transparent", stroke=GRAY, strokeWidth=1.5, cornerRadius=6, aria=False
            ).encode(x, y, **box),
            named.encode(x, y, text="name:N"),
            cards.mark_rect(fill="white", cornerRadius=4, aria=False).encode(x, y, **box),
            cards.mark_rect(fillOpacity=0.2, strokeWidth=1.5, cornerRadius=4, aria=False).encode(
                x, y, color, stroke=rim, **box
            ),
            cards.mark_text(**letters).encode(x="center:Q", y="middle:Q", text="name:N"),
        ),
        slider("order", "sort the products", 0, greatest=2, step=0.02, per_second=0.35),
        name=NAME,
        size=(380, 190),
        title=alt.Title(alt.expr(f"{[names[0] for names in SORTED]}[round(order)]")),
        description="""
        Eight cards, each with a product: c₀x₀, s₀y₀, c₀y₀, −s₀x₀ and the same four with index 1.
        Those with a sine x are blue, those with a cosine y ochre. They lie in two frames of four.
        A slider sorts them anew: at first by pair, pair 0 above and pair 1 below; then by what
        comes out, the products of the new sines above and of the new cosines below; then by what
        multiplies, those with c above and those with s below. No card is added or lost.
        """,
    )


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
    return points(pairs.encode(x, alt.YDatum(DIALS_AT), tooltip=told), _SIDE, color=SHIFTED)
