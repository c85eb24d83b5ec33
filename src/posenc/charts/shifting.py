"""The charts of notebook 05: what five programs cost, how they sort, and a table that grows."""

import json
from importlib.resources import files

import altair as alt

from posenc.charts import components as parts
from posenc.charts.canvas import NAME, Canvas, View
from posenc.charts.components import axis, finish, rows, said, single, slider, title, tooltips
from posenc.charts.dials import points
from posenc.palette import COSINE, GRAY, PLAIN, SHIFTED, SINE

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
    """Draw a guess at how long each program takes, and then its time and its multiplications."""
    counted, seconds = multiplications(ROWS_SHIFTED, WIDTH_SHIFTED), recorded_times()["seconds"]
    fewest, shortest = min(counted.values()), min(seconds[name] for name in PROGRAMS)
    timed = (*PROGRAMS, "formula")
    names = [*PROGRAMS, SCRATCH]
    durations = [(f"{1000 * time:.2g} ms", time / shortest) for time in map(seconds.get, timed)]
    counts = [(f"{number:,}", number / fewest) for number in counted.values()]
    values = [
        {"row": row, "step": step, "label": label, "times": float(f"{times:.3g}")}
        for step, numbers in enumerate((durations, counts))
        for row, (label, times) in enumerate(numbers)
    ]
    words = "compared with the fastest (or the fewest), which is 1×"
    look = {"values": [1, 10, 100, 1000], "labelExpr": "datum.value + '×'"}
    x = axis(alt.X, "x", words, [_FIRST, _LAST], scale="log", **look)
    look = {"values": [*range(6)], "labelExpr": f"{names}[datum.value]", "labelPadding": 6}
    look |= dict.fromkeys(("grid", "ticks", "domain"), False)
    view = View(x, axis(alt.Y, "y", None, [-0.55, 5.5], down=True, **look))
    bars = rows(values, grown="clamp(answer - datum.step, 0, 1)")
    bars, grown = bars.transform_filter("datum.grown > 0"), "pow(datum.times, datum.grown)"
    middle, layers = "datum.row - 0.19 + 0.38 * datum.step", []
    for step, (width, shape, fill) in enumerate(((7, "circle", PLAIN), (2, "square", "white"))):
        part = bars.transform_filter(f"datum.step == {step}")
        end = {"stroke": PLAIN, "fill": fill, "strokeWidth": 2, "size": 90, "aria": False}
        line = view.place(part, grown, middle, 1, middle)
        layers.append(line.mark_rule(stroke=PLAIN, strokeWidth=width))
        layers.append(view.place(part, grown, middle).mark_point(shape=shape, **end))
    guesses = rows(len(PROGRAMS), "row").transform_calculate(
        name=f"{names}[datum.row]",
        guess=f"toNumber(replace([{', '.join(PROGRAMS)}][datum.row], '×', ''))",
    )
    guesses = guesses.transform_filter("datum.guess > 0")
    ticks = view.place(
        guesses, "datum.guess", "datum.row - 0.44", "datum.guess", "datum.row + 0.44"
    ).mark_rule(stroke=GRAY, strokeWidth=4, aria=True)
    done = bars.transform_filter("datum.grown >= 1")
    lines = (
        "'gray mark: your guess'",
        "answer > 0 ? 'thick, round end: time' : ''",
        "answer > 1 ? 'thin, square end: multiplications' : ''",
    )
    return finish(
        alt.layer(
            *layers,
            ticks.encode(tooltip=tooltips("name:N", "guess:Q")),
            view.texts(done, _LAST, middle, "datum.label", align="right"),
        ),
        *(parts.choice(name, f"{name}:", GUESSES) for name in PROGRAMS),
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
    columns, left = 2 * len(_SEEN), f"datum.cell % {2 * len(_SEEN)}"
    cells = rows((ROWS_SHIFTED + _MOST) * columns, "cell").transform_calculate(
        position=f"floor(datum.cell / {columns})",
        column=f"2 * {list(_SEEN)}[floor({left} / 2)] + datum.cell % 2",
        value=parts.encoding("datum.position", "datum.column", WIDTH_SHIFTED),
    )
    look = {"labelExpr": f"{list(_SEEN)}[floor(datum.value / 2)]", "grid": False}
    look["values"] = [*range(1, columns, 2)]
    x = axis(alt.X, "x", "pair k (a sine and its cosine)", [0, columns], **look)
    ends = [alt.ExprRef("offset - 0.5"), alt.ExprRef(f"offset + {ROWS_SHIFTED - 0.5}")]
    look = {"values": [*range(0, ROWS_SHIFTED + _MOST, 50)], "grid": False}
    view = View(x, axis(alt.Y, "y", "position", ends, down=True, **look))
    sides = left, f"{left} + 1", "datum.position - 0.5", "datum.position + 0.5"
    color = parts.value_color("value", values=[-1, 0, 1])
    tooltip = tooltips("column:Q", "position:Q", value=".3f")
    # The frame's upper edge is the end of the table as it was.
    look = {"filled": False, "stroke": SHIFTED, "strokeWidth": 3, "clip": True}
    frame = single("rect", 0, ROWS_SHIFTED - 0.5, columns, ROWS_SHIFTED + _MOST - 0.5, **look)
    new = said("framed: {} the table never held", _counted("offset", "row"))
    lines = said("row 0 shows position {}", "offset"), f"offset > 0 ? {new} : ''"
    return finish(
        alt.layer(view.rectangles(cells, *sides, clip=True).encode(color, tooltip=tooltip), frame),
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


def _counted(number, name):
    """Return the expression of a number of things, of one or of more."""
    return said("{} {}", number, f"{number} == 1 ? '{name}' : '{name}s'")


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


# In cards; from the top of a frame to that of the next it's so far.
_FRAMES, _APART = Canvas(-0.1, 4.1, 2.75, -0.5), 1.5


def sorted_products():
    """Draw the eight products that shift two pairs, in three orders between which they glide."""
    products = list(PRODUCTS.items())
    ways = [{"name": name, "places": places} for name, places in products]
    cards = _on_their_way(rows(ways), "").transform_calculate(
        what="indexof(datum.name, 'x') < 0 ? 'a cosine, y' : 'a sine, x'"
    )
    added = zip(products[0::2], products[1::2])
    sums = rows([{"places": first, "places2": second} for (_, first), (_, second) in added])
    sums = _on_their_way(_on_their_way(sums, ""), "2")
    names, channels = ("a sine, x", "a cosine, y"), (alt.Color, alt.Stroke)
    color, rim = parts.meanings("what", names, *[(SINE, COSINE)] * 2, channels=channels)
    frames, top = rows(2, "frame"), f"({_APART} * datum.frame - 0.1)"
    name = f"{[list(names[1:]) for names in SORTED]}[round(order)][datum.frame]"
    beside = f"{top} + (datum.frame ? 1.12 : -0.22)"
    gray, card = {"stroke": GRAY, "strokeWidth": 1.5}, {"cornerRadius": 4, "aria": False}
    frame = {"fill": "transparent", "cornerRadius": 6, "aria": False} | gray
    circle = {"shape": "circle", "fill": "white", "stroke": GRAY, "size": 240}
    here, there = ("datum.across", "datum.down"), ("datum.across2", "datum.down2")
    plus = [f"({start} + {end}) / 2" for start, end in zip(here, there)]
    across, down = here
    sides = f"{across} - 0.37", f"{across} + 0.37", f"{down} - 0.35", f"{down} + 0.35"
    return finish(
        alt.layer(
            _FRAMES.rectangles(frames, -0.05, 4.05, top, f"{top} + 0.9", **frame),
            _FRAMES.texts(frames, -0.05, beside, name, align="left"),
            _FRAMES.place(sums, *here, *there).mark_rule(**gray),
            _FRAMES.rectangles(cards, *sides, fill="white", **card),
            _FRAMES.rectangles(cards, *sides, fillOpacity=0.2, strokeWidth=1.5, **card).encode(
                color, stroke=rim
            ),
            _FRAMES.texts(cards, *here, "datum.name", fontSize=14),
            _FRAMES.place(sums, *plus).mark_point(aria=False, **circle),
            _FRAMES.texts(sums, *plus, "'+'", fontSize=15),
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
    """Draw how a table grows by doubling: its copy appears below it, and then turns."""
    below = f"made > 1 ? {said('rows 0 to {}', 'made - 1')} : 'row 0'"
    below, positions = said("a copy of {} below", below), _counted("made", "position")
    turning = said("the copy turns: {} of {}", "format(turned, '.1f')", positions)
    done = said("framed: the last copy, turned by {}", positions)
    words = f"part >= 1 ? {done} : turned > 0 ? {turning} : shown > 0 ? {below} : ''"
    lines = _counted("(part < 1 ? made : 2 * made)", "row"), words
    frame = 0, "made - 0.5", COLUMNS, "2 * made - 0.5"
    look = {"filled": False, "stroke": SHIFTED, "strokeWidth": 2.5, "opacity": alt.ExprRef("shown")}
    speed = parts.angular_frequency("datum.pair", width=WIDTH)
    degrees = f"180 / PI * turned * {speed}"
    pairs = rows(COLUMNS // 2, "pair", middle="2 * datum.pair + 1", degrees=degrees)
    x, tooltip = alt.X("middle:Q", title="column"), tooltips("pair:Q", degrees=".1f")
    dials = points(pairs.encode(x, alt.YDatum(DIALS_AT), tooltip=tooltip), _SIDE, SHIFTED)
    return finish(
        alt.layer(_cells(), single("rect", *frame, **look), *dials),
        slider("doublings", "doublings", 0, greatest=STEPS, step=0.01, per_second=0.25),
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
        copied="datum.row >= made",
        position="datum.copied ? datum.row - made + turned : datum.row",
        value=parts.encoding("datum.position", "datum.column", WIDTH),
        strength="datum.copied ? shown : 1",
    )
    look = {"values": [0.5, COLUMNS - 0.5], "labelExpr": "floor(datum.value)", "grid": False}
    x = axis(alt.X, "x", "column", [0, COLUMNS], **look)
    # There's room for the dials above the rows.
    look = {"values": [0, 1, 3, 7, 15, 31], "grid": False, "domain": False}
    view = View(x, axis(alt.Y, "y", "row (position t)", [TOP, ROWS - 0.5], down=True, **look))
    sides = "datum.column", "datum.column + 1", "datum.row - 0.5", "datum.row + 0.5"
    cells = view.rectangles(cells.transform_filter("datum.row < 2 * made"), *sides)
    strength = alt.Opacity("strength:Q", legend=None).scale(domain=[0, 1], range=[0, 1])
    tooltip = tooltips("column:Q", position=".2f", value=".3f")
    color = parts.value_color("value", values=[-1, 0, 1])
    return cells.encode(color, strength, tooltip=tooltip)
