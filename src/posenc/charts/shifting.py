"""The charts of notebook 05: what five programs cost, how they sort, and a table that grows."""

import json
from importlib.resources import files

import altair as alt

from posenc.charts import components as parts
from posenc.charts.components import choice, finish, rows, slider, title, tooltips, write
from posenc.charts.dials import NAME, points
from posenc.palette import COSINE, GRAY, INK, PLAIN, SHIFTED, SINE

ROWS_SHIFTED, WIDTH_SHIFTED = 200, 256
PROGRAMS = ("loop", "matrix", "packing", "swapping", "complex")
SCRATCH = "from scratch"
GUESSES = ("?", *(f"{n}×" for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)))
# The logarithmic axis ends where the numbers are written.
_FIRST, _LAST = 0.8, 40_000


def recorded_times():
    """Return what `bench/five_ways.py` recorded: medians in "seconds", and of what machine."""
    path = files("posenc") / "data" / "five_ways.json"
    return json.loads(path.read_text(encoding="utf-8"))


def multiplications(rows, width):
    """Return how many multiplications of numbers each program does to shift a table."""
    every_pair = 4 * rows * (width // 2)
    return dict.fromkeys(PROGRAMS, every_pair) | {"matrix": rows * width * width}


def order_of_work():
    """Draw a guess at how long each program takes, and then its time and its multiplications.

    Times are in times the fastest of the five, and multiplications in times the fewest.
    """
    counted, seconds = multiplications(ROWS_SHIFTED, WIDTH_SHIFTED), recorded_times()["seconds"]
    fewest, shortest = min(counted.values()), min(seconds[name] for name in PROGRAMS)
    values = []
    for row, (name, key) in enumerate(zip((*PROGRAMS, SCRATCH), (*PROGRAMS, "formula"))):
        took = {"times": float(f"{seconds[key] / shortest:.3g}")}
        values.append({"row": row, "step": 0, "label": f"{1000 * seconds[key]:.2g} ms"} | took)
        if name in counted:
            label = f"{counted[name]:,}"
            values.append({"row": row, "step": 1, "label": label, "times": counted[name] / fewest})
    bars = rows(values).transform_calculate(
        grown="clamp(answer - datum.step, 0, 1)",
        left="1",
        right="pow(datum.times, datum.grown)",
        middle="datum.row - 0.19 + 0.38 * datum.step",
    )
    bars = bars.transform_filter("datum.grown > 0")
    guesses = rows(
        [{"row": row} for row in range(len(PROGRAMS))],
        name=f"{list(PROGRAMS)}[datum.row]",
        guess=f"toNumber(replace([{', '.join(PROGRAMS)}][datum.row], '×', ''))",
        top="datum.row - 0.44",
        bottom="datum.row + 0.44",
    )
    x = alt.X("right:Q", title="compared with the fastest (or the fewest), which is 1×")
    x = x.scale(type="log", domain=[_FIRST, _LAST], nice=False)
    x = x.axis(values=[1, 10, 100, 1000], labelExpr="datum.value + '×'")
    y = alt.Y("middle:Q", title=None).scale(domain=[-0.55, 5.5], reverse=True, nice=False)
    plain = {"labelPadding": 6, "grid": False, "ticks": False, "domain": False}
    y = y.axis(values=[*range(6)], labelExpr=f"{[*PROGRAMS, SCRATCH]}[datum.value]", **plain)
    layers = []
    for step, (width, shape, fill) in enumerate(((7, "circle", PLAIN), (2, "square", "white"))):
        part = bars.transform_filter(f"datum.step == {step}")
        line = part.mark_rule(stroke=PLAIN, strokeWidth=width, aria=False)
        end = {"stroke": PLAIN, "fill": fill, "strokeWidth": 2, "size": 90, "opacity": 1}
        layers.append(line.encode(x=x, y=y, x2="left:Q"))
        layers.append(part.mark_point(shape=shape, aria=False, **end).encode(x=x, y=y))
    written = bars.transform_filter("datum.grown >= 1")
    written = written.mark_text(align="right", baseline="middle", fontSize=12)
    ticks = guesses.transform_filter("datum.guess > 0").mark_rule(stroke=GRAY, strokeWidth=4)
    told = tooltips("name:N", "guess:Q")
    lines = (
        "'gray mark: your guess'",
        "answer > 0 ? 'thick, round end: time' : ''",
        "answer > 1 ? 'thin, square end: multiplications' : ''",
    )
    return finish(
        alt.layer(
            *layers,
            ticks.encode(x="guess:Q", y="top:Q", y2="bottom:Q", tooltip=told),
            written.encode(x=alt.datum(_LAST), y="middle:Q", text="label:N"),
        ),
        *(choice(name, f"{name}:", GUESSES) for name in PROGRAMS),
        slider("answer", "show the answer", 0, greatest=2, step=0.02, per_second=0.5),
        size=(460, 270),
        title=title(*lines, lineHeight=17),
        description="""
        Five lines, named loop, matrix, packing, swapping and complex, over a logarithmic scale from
        once to a thousand times the fastest, and a sixth, named from scratch. Five lists, which
        begin with a question mark, set a gray mark on each line, your guess. A slider then shows
        the answer: first a thick bar from 1× for each program's time on one machine, then a thin
        one below it for its multiplications, with both numbers at the right edge.
        """,
    )


# The shift that's seen, of a few pairs: a faster one would flicker, and a slower one hardly moves.
_SEEN, _MOST = (8, 32, 56, 80), 100


def shifted_table():
    """Draw 200 rows of a table that a shift moves up while new rows come in from below."""
    columns = 2 * len(_SEEN)
    cells = rows((ROWS_SHIFTED + _MOST) * columns, "cell").transform_calculate(
        position=f"floor(datum.cell / {columns})",
        left=f"datum.cell % {columns}",
        right="datum.left + 1",
        column=f"2 * {list(_SEEN)}[floor(datum.left / 2)] + datum.left % 2",
        top="datum.position - 0.5",
        bottom="datum.top + 1",
        value=parts.encoding("datum.position", "datum.column", WIDTH_SHIFTED),
    )
    pairs = [2 * number + 1 for number in range(len(_SEEN))]
    x = alt.X("left:Q", title="pair k (a sine and its cosine)")
    x = x.scale(domain=[0, columns], nice=False)
    x = x.axis(values=pairs, labelExpr=f"{list(_SEEN)}[floor(datum.value / 2)]", grid=False)
    ends = {"domainMin": alt.ExprRef("offset - 0.5"), "nice": False, "reverse": True}
    ends["domainMax"] = alt.ExprRef(f"offset + {ROWS_SHIFTED - 0.5}")
    y = alt.Y("top:Q", title="position").scale(**ends)
    y = y.axis(values=list(range(0, ROWS_SHIFTED + _MOST, 50)), grid=False)
    color, ends = parts.value_color("value", values=[-1, 0, 1]), {"x2": "right:Q", "y2": "bottom:Q"}
    told = tooltips("column:Q", "position:Q", value=".3f")
    # The frame's upper edge is the end of the table as it was.
    frame = alt.Chart().mark_rect(filled=False, stroke=SHIFTED, strokeWidth=3, clip=True)
    corners = {
        "x": alt.datum(0),
        "x2": alt.datum(columns),
        "y": alt.datum(ROWS_SHIFTED - 0.5, type="quantitative"),
        "y2": alt.datum(ROWS_SHIFTED + _MOST - 0.5),
    }
    new = "offset > 0 ? 'framed: ' + offset + (offset > 1 ? ' rows' : ' row')"
    lines = "'row 0 shows position ' + offset", f"{new} + ' the table never held' : ''"
    return finish(
        alt.layer(
            cells.mark_rect(clip=True).encode(x, y, color, tooltip=told, **ends),
            frame.encode(**corners),
        ),
        slider("offset", "shift φ", 0, greatest=_MOST, per_second=20),
        # Two pixels for each row, so that no row is blurred.
        size=(340, 2 * ROWS_SHIFTED),
        title=title(*lines, lineHeight=18),
        description=f"""
        An image of {ROWS_SHIFTED} rows and the columns of four pairs, red above 0 and blue below,
        with stripes that are narrow at the left and wide at the right. It begins at position 0. A
        slider shifts it by up to {_MOST} positions: the stripes move up, and an orange frame at the
        bottom grows around the rows from position {ROWS_SHIFTED} on, which come in from below.
        """,
    )


# What the slider sorts by, and what its two frames hold.
SORTED = (
    ("one pair at a time: the loop", "pair 0", "pair 1"),
    ("by result: packing", "for the new sines", "for the new cosines"),
    ("by factor: swapping", "multiplied by a cosine c", "multiplied by a sine s"),
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
    """Draw the eight products that shift two pairs, in three orders between which they glide.

    A plus stands between two that are added, on a line from one to the other.
    """
    products = list(PRODUCTS.items())
    cards = rows([{"name": name, "x": name[-2], "places": places} for name, places in products])
    cards = _on_their_way(cards, "").transform_calculate(
        left="datum.across - 0.37",
        right="datum.across + 0.37",
        top="datum.down - 0.35",
        bottom="datum.down + 0.35",
        what="datum.x == 'x' ? 'a sine, x' : 'a cosine, y'",
    )
    added = zip(products[0::2], products[1::2])
    sums = rows([{"places": one, "places2": other} for (_, one), (_, other) in added])
    sums = _on_their_way(_on_their_way(sums, ""), "2").transform_calculate(
        center="(datum.across + datum.across2) / 2", middle="(datum.down + datum.down2) / 2"
    )
    x = alt.X("left:Q", axis=None).scale(domain=[-0.1, 4.1], nice=False)
    y = alt.Y("top:Q", axis=None).scale(domain=[-0.5, 2.75], reverse=True, nice=False)
    color, rim = (
        channel("what:N", title=None)
        .scale(domain=["a sine, x", "a cosine, y"], range=[SINE, COSINE])
        .legend(orient="bottom")
        for channel in (alt.Color, alt.Stroke)
    )
    frames = rows(
        [{"frame": 0}, {"frame": 1}],
        left="-0.05",
        right="4.05",
        top=f"{_APART} * datum.frame - 0.1",
        bottom="datum.top + 0.9",
        at="datum.frame ? datum.bottom + 0.22 : datum.top - 0.22",
        name=f"{[list(names[1:]) for names in SORTED]}[round(order)][datum.frame]",
    )
    named = {"x": x, "y": alt.Y("at:Q", axis=None)}
    box = {"x": x, "y": y, "x2": "right:Q", "y2": "bottom:Q"}
    line = {"x": alt.X("across:Q", axis=None), "y": alt.Y("down:Q", axis=None)}
    line |= {"x2": "across2:Q", "y2": "down2:Q"}
    gray = {"stroke": GRAY, "strokeWidth": 1.5, "aria": False}
    card = {"cornerRadius": 4, "aria": False}
    plus, letters = {"x": "center:Q", "y": "middle:Q"}, {"fontSize": 14, "color": INK}
    circle = {"shape": "circle", "fill": "white", "stroke": GRAY, "size": 240}
    return finish(
        alt.layer(
            frames.mark_rect(fill="transparent", cornerRadius=6, **gray).encode(**box),
            write(frames, named, "name:N", align="left"),
            sums.mark_rule(**gray).encode(**line),
            cards.mark_rect(fill="white", **card).encode(**box),
            cards.mark_rect(fillOpacity=0.2, strokeWidth=1.5, **card).encode(
                color, stroke=rim, **box
            ),
            write(cards, {"x": "across:Q", "y": "down:Q"}, "name:N", **letters),
            sums.mark_point(opacity=1, aria=False, **circle).encode(**plus),
            write(sums, plus, alt.value("+"), **letters | {"fontSize": 15}),
        ),
        slider("order", "sort the products", 0, greatest=2, step=0.02, per_second=0.35),
        name=NAME,
        size=(390, 225),
        title=title(f"{[names[0] for names in SORTED]}[round(order)]"),
        description="""
        Eight cards, each with a product: c₀x₀, s₀y₀, c₀y₀, −s₀x₀ and the same four with index 1.
        Those with a sine x are blue, those with a cosine y ochre. They lie in two frames of four,
        and a plus joins the two that are added. A slider sorts them anew: at first by pair, pair 0
        above and pair 1 below; then by result, the products for the new sines above and those for
        the new cosines below; then by factor, those with c above and those with s below, so each
        sum has one card in either frame. No card is added or lost.
        """,
    )


# From the top of a frame to that of the next.
_APART = 1.5


def _on_their_way(chart, end):
    """Return the chart with the middles of its cards, which set out and arrive slowly.

    The field "places" + `end` holds a card's places in the three orders.
    """
    places = f"datum.places{end}"
    across, down = (f"({place})" for place in ("{0} % 4", f"{_APART} * floor({{0}} / 4)"))
    between = "({0}) * (1 - datum.way) + ({1}) * datum.way"
    start, stop = f"{places}[datum.leg]", f"{places}[datum.leg + 1]"
    axes = (
        between.format(axis.format(start), axis.format(stop)) + shift
        for axis, shift in ((across, " + 0.5"), (down, " + 0.35"))
    )
    return chart.transform_calculate(
        leg="min(1, floor(order))",
        part="order - datum.leg",
        way="datum.part * datum.part * (3 - 2 * datum.part)",
        **dict(zip((f"across{end}", f"down{end}"), axes)),
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
    """Draw how a table grows by doubling: its copy appears below it, and then turns.

    In the first half of each doubling a copy of all rows comes in below them. In the second half
    each of its pairs turns, by the angle that belongs to as many positions.
    """
    below = "'a copy of ' + (made > 1 ? 'rows 0 to ' + (made - 1) : 'row 0') + ' below'"
    positions = "made + (made > 1 ? ' positions' : ' position')"
    turning = f"'the copy turns: ' + format(turned, '.1f') + ' of ' + {positions}"
    done = f"'framed: the last copy, turned by ' + {positions}"
    words = f"part >= 1 ? {done} : turned > 0 ? {turning} : shown > 0 ? {below} : ''"
    count = "(part < 1 ? made : 2 * made)"
    lines = f"{count} + ({count} > 1 ? ' rows' : ' row')", words
    return finish(
        alt.layer(_cells(), _frame(), *_dials()),
        slider("doublings", "doublings", 3, greatest=STEPS, step=0.01, per_second=0.25),
        # A whole number of doublings shows the last of them complete.
        alt.param("step", expr="max(0, ceil(doublings) - 1)"),
        alt.param("made", expr="pow(2, step)"),
        alt.param("part", expr="doublings - step"),
        alt.param("shown", expr="min(1, 4 * part)"),
        alt.param("turned", expr="made * max(0, 2 * part - 1)"),
        size=(520, 440),
        title=title(*lines, lineHeight=18),
        description=f"""
        A table of {COLUMNS} columns that grows from 1 row to {ROWS}, in red above 0 and blue below,
        without color at 0. A slider goes through {STEPS} doublings. In the first half of each, an
        orange frame with a copy of all rows so far appears below them. In the second half the
        colors inside the frame change, fast at the left and hardly at the right, until they are
        those of the next rows. Eight dials above the table, one for each pair of columns, tell why:
        their hands are those of the copy's first row. They point up at first, and then they turn
        clockwise, each at its own pace, as does the same pair in every other row of the copy.
        """,
    )


def _cells():
    """Return the rows so far and, on top of them, their copy."""
    cells = rows(ROWS * COLUMNS, "cell").transform_calculate(
        row=f"floor(datum.cell / {COLUMNS})",
        column=f"datum.cell % {COLUMNS}",
        right="datum.column + 1",
        copied="datum.row >= made",
        position="datum.copied ? datum.row - made + turned : datum.row",
        top="datum.row - 0.5",
        bottom="datum.top + 1",
        value=parts.encoding("datum.position", "datum.column", WIDTH),
        strength="datum.copied ? shown : 1",
    )
    ends = {"values": [0.5, COLUMNS - 0.5], "labelExpr": "floor(datum.value)", "grid": False}
    x = alt.X("column:Q", title="column").scale(domain=[0, COLUMNS], nice=False).axis(**ends)
    # There's room for the dials above the rows.
    y = alt.Y("top:Q", title="row (position t)")
    y = y.scale(domain=[TOP, ROWS - 0.5], reverse=True, nice=False)
    y = y.axis(values=[0, 1, 3, 7, 15, 31], grid=False, domain=False)
    strength = alt.Opacity("strength:Q", legend=None).scale(domain=[0, 1], range=[0, 1])
    color, told = parts.value_color("value", values=[-1, 0, 1]), {"position": ".2f", "value": ".3f"}
    cells = cells.transform_filter("datum.row < 2 * made").mark_rect()
    cells = cells.encode(x, y, color, strength, tooltip=tooltips("column:Q", **told))
    return cells.encode(x2="right:Q", y2="bottom:Q")


def _frame():
    """Return a frame around the copy."""
    top, bottom = (
        alt.datum(alt.expr(f"{end} - 0.5"), type="quantitative") for end in ("made", "2 * made")
    )
    look = {"stroke": SHIFTED, "strokeWidth": 2.5, "opacity": alt.ExprRef("shown")}
    frame = alt.Chart().mark_rect(filled=False, **look)
    return frame.encode(x=alt.datum(0), x2=alt.datum(COLUMNS), y=top, y2=bottom)


def _dials():
    """Return the hands of the copy's first row, above the columns of their pairs."""
    speed = parts.angular_frequency("datum.pair", width=WIDTH)
    degrees = f"180 / PI * turned * {speed}"
    pairs = rows(COLUMNS // 2, "pair", middle="2 * datum.pair + 1", degrees=degrees)
    x, told = alt.X("middle:Q", title="column"), tooltips("pair:Q", degrees=".1f")
    return points(pairs.encode(x, alt.YDatum(DIALS_AT), tooltip=told), _SIDE, color=SHIFTED)
