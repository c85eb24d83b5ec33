"""The charts of notebook 04: hands that a shift turns, its matrix, and what it does to weights."""

import math

import altair as alt

from posenc.charts import components as parts
from posenc.charts.canvas import NAME, Canvas
from posenc.charts.components import finish, rounded, rows, said, slider, spread, title, tooltips
from posenc.charts.dials import MOVED, SHAPES, Dials
from posenc.encodings import angular_frequencies
from posenc.palette import ABOVE_ZERO, GRAY, KEY, POSITION, SHIFTED

WIDTH = 64
PAIRS, STEP = 4, 4  # pairs 0, 4, 8 and 12 are drawn
_DIALS = Dials(2, 2)


def unit_circles():
    r"""Draw pairs 0, 4, 8 and 12 of an encoding of width 64 as hands on unit circles.

    The arc from the hand at t to the one at t + φ is :math:`\omega_k \varphi` long wherever t is.
    """
    names = "at position t", "at position t + φ", "arc of ω φ"
    color, shape = parts.meanings("what", names, MOVED, SHAPES)
    turned = "format(datum.speed * offset * 180 / PI, '.1f')"
    words = said("pair {} turns {}°", "datum.pair", turned)
    arcs = _pairs().transform_calculate(what=f"'{names[2]}'").encode(color)
    hands = _pairs(2).transform_calculate(
        at="position + datum.step * offset",
        what=f"{[*names]}[datum.step]",
        angle="datum.speed * datum.at",
        sine="sin(datum.angle)",
        cosine="cos(datum.angle)",
    )
    looks = color, shape, "datum.step", (2.5, 5), (70, 180)
    formats = {"pair": ("pair k", None), "at": ("position", ".1f"), "sine": ".4f", "cosine": ".4f"}
    layers = (
        *_DIALS.rims(),
        *_DIALS.arcs(arcs, "datum.speed * position", "datum.speed * offset"),
        *_DIALS.pointers(hands, "datum.angle", *looks, tooltip=tooltips(**formats)),
        _DIALS.names(_pairs(), words),
    )
    return finish(
        alt.layer(*layers),
        *_sliders(),
        name=NAME,
        size=(460, 460),
        title=alt.Title("Each hand: sine to the right, cosine upwards", offset=12),
        description=f"""
        Four unit circles for pairs 0, 4, 8 and 12 of an encoding of width {WIDTH}. On each circle
        one hand points at position t, another at position t + φ, and an arc with an arrowhead runs
        from the first to the second, clockwise if φ is positive. The arc of a faster pair is
        longer. The slider of the position moves both hands of a circle together and leaves the
        length of every arc as it is; the slider of the shift φ changes the arcs and moves only the
        second hand. The angle of each arc, in degrees, is written above its circle.
        """,
    )


def _sliders():
    """Return the controls of the position and of the shift."""
    position = slider("position", "position t", 3, greatest=60, step=0.5, per_second=3)
    greatest = {"greatest": 10, "step": 0.5, "per_second": 2}
    return position, slider("offset", "shift φ", 4, least=-10, **greatest)


def _pairs(each=1):
    """Return a chart of the four pairs, `each` rows for one, and how fast they turn."""
    return rows(PAIRS * each, "row").transform_calculate(
        dial=f"floor(datum.row / {each})",
        pair=f"{STEP} * datum.dial",
        speed=parts.angular_frequency("datum.pair", width=WIDTH),
        step=f"datum.row % {each}",
    )


_DIAL = Dials(margin=1.25)


def turned_dial():
    """Draw a hand with the two parts of its tip, to the right and up, and all of it turned."""
    names = "the hand at angle a", "all of it, turned by b"
    [color] = parts.meanings("what", names, MOVED[:2])
    hands = rows(2, "turned").transform_calculate(
        what=f"{[*names]}[datum.turned]",
        by="datum.turned * turn * PI / 180",
        angle="start * PI / 180 + datum.by",
    )
    legs = spread(hands, corner="sequence(3)").transform_calculate(
        heading="datum.corner == 1 ? datum.by + PI / 2 : datum.angle",
        radius="[0, sin(start * PI / 180), 1][datum.corner]",
    )
    legs = _DIAL.around(legs, "datum.heading", "datum.radius")
    legs = legs.mark_line(order=False, strokeWidth=2, strokeDash=[5, 3])
    arrows = rows([{"name": "up", "at": 0}, {"name": "right", "at": 90}])
    arrows = arrows.transform_calculate(degrees="datum.at + turn", angle="datum.degrees * PI / 180")
    heads = _DIAL.tips(arrows, "datum.angle", shape="triangle", size=90, color=GRAY, aria=False)
    names = _DIAL.around(arrows, "datum.angle", 1.16).mark_text()
    hand = _DIAL.hands(hands, "datum.angle")

    def wave(name, angle):
        return rounded(f"{name}({angle} * PI / 180)", 2)

    right = wave("sin", "start"), wave("cos", "turn"), wave("-sin", "turn")
    up = wave("cos", "start"), wave("sin", "turn"), wave("cos", "turn")
    tip = (wave(name, "(start + turn)") for name in ("sin", "cos"))
    lines = said("{} × ({}, {}) + {} × ({}, {})", *right, *up), said("= ({}, {})", *tip)
    return finish(
        alt.layer(
            *_DIAL.rims(),
            _DIAL.hands(arrows, "datum.angle", stroke=GRAY, strokeWidth=2),
            heads.encode(angle=alt.Angle("degrees:Q", scale=None)),
            names.encode(text="name:N"),
            legs.encode(color, detail="turned:N"),
            hand.encode(color, strokeWidth=parts.where("datum.turned", 2.5, 5)),
            _DIAL.tips(hands, "datum.angle", size=90, aria=False).encode(color),
        ),
        slider("start", "angle a in degrees", 30, greatest=360, step=5),
        slider("turn", "turn b in degrees", 50, greatest=360, step=5),
        name=NAME,
        size=(320, 320),
        title=title(*lines, offset=12),
        description="""
        A dial with a hand at an angle a, clockwise from the top. Its tip is sin a to the right and
        cos a up, drawn as a broken line that first goes right and then up. The same hand, with the
        same broken line, is drawn again turned clockwise by b, where it follows two gray arrows:
        those which right and up have been turned into. The slider of the angle a moves both hands
        and leaves the arrows as they are; the slider of the turn b moves the arrows and what
        follows them. Above the dial is the sum: sin a times the arrow of right plus cos a times the
        arrow of up.
        """,
    )


# In cells: where the columns PE[t] and PE[t + φ] begin, behind the eight of the matrix.
_SIDE, _BEFORE, _AFTER, _ACROSS, _TOP = 2 * PAIRS, 8.9, 10.9, 12.4, 0.9
_PRODUCT = Canvas(0, _ACROSS, _SIDE, -_TOP)


def shift_blocks():
    """Draw the matrix of a shift, for the same four pairs, with what it multiplies and makes."""
    shown = (f"format({number}, '.3~r')" for number in ("offset", "position", "position + offset"))
    signs = [
        {"at": _SIDE / 2, "height": -0.4, "sign": "M(φ)"},
        {"at": (_SIDE + _BEFORE) / 2, "height": _SIDE / 2, "sign": "×"},
        {"at": _BEFORE + 0.5, "height": -0.4, "sign": "PE[t]"},
        {"at": (_BEFORE + 1 + _AFTER) / 2, "height": _SIDE / 2, "sign": "="},
        {"at": _AFTER + 0.5, "height": -0.4, "sign": "PE[t + φ]"},
    ]
    signs = _PRODUCT.texts(rows(signs), "datum.at", "datum.height", "datum.sign")
    return finish(
        alt.layer(*_matrix(), *_columns(), signs),
        *_sliders(),
        name=NAME,
        size=(446, round(446 * (_SIDE + _TOP) / _ACROSS)),
        title=title(said("M({}) PE[{}] = PE[{}]", *shown)),
        description=f"""
        A matrix of eight rows and eight columns, M(φ), times a column of eight numbers, PE[t], is
        another column, PE[t + φ]. They belong to pairs 0, 4, 8 and 12 of an encoding of width
        {WIDTH}. Numbers above 0 are on red, below 0 on blue. The matrix is empty except for four
        blocks of two by two along its diagonal, each with a cosine twice and a sine with both
        signs. The slider of the position changes both columns and no number of the matrix. The
        slider of the shift φ changes the first block most and the last one least, and the second
        column.
        """,
    )


def _number(drawn):
    """Return which number of a whole row the drawn one is, both from 0 on."""
    return f"({2 * STEP} * floor({drawn} / 2) + {drawn} % 2)"


def _angle(shift):
    """Return the angle by which a shift turns the pair of the drawn number i."""
    return f"{shift} * {parts.angular_frequency(f'{STEP} * floor(datum.i / 2)', width=WIDTH)}"


def _cells(chart, left, **style):
    """Return the chart's rows as cells that begin at `left`, and as numbers in them."""
    cells = _PRODUCT.rectangles(chart, left, f"{left} + 1", "datum.i", "datum.i + 1", **style)
    color = parts.map_color("value", centered=True, opacity="73").legend(None)
    middle, number = (f"{left} + 0.5", "datum.i + 0.5"), rounded("datum.value", 1)
    numbers = _PRODUCT.texts(chart, *middle, number, fontSize=10, aria=False)
    return cells.encode(color, tooltip=tooltips("cell:N", value=".3f")), numbers


def _matrix():
    """Return the numbers in the blocks of the matrix, and a frame around all of it."""
    blocks = rows(4 * PAIRS, "n").transform_calculate(
        i="floor(datum.n / 2)",
        j="2 * floor(datum.i / 2) + datum.n % 2",
        angle=_angle("offset"),
        value="datum.i == datum.j ? cos(datum.angle) : (datum.j - datum.i) * sin(datum.angle)",
        cell=said("M, row {}, column {}", _number("datum.i"), _number("datum.j")),
    )
    look = {"fill": "transparent", "stroke": GRAY, "aria": False}
    frame = _PRODUCT.rectangles(rows(1), 0, _SIDE, 0, _SIDE, **look)
    return frame, *_cells(blocks, "datum.j")


def _columns():
    """Return the numbers of the columns at t and at t + φ, in the colors of their hands."""
    for left, position, name, color in (
        (_BEFORE, "position", "PE[t]", POSITION),
        (_AFTER, "(position + offset)", "PE[t + φ]", SHIFTED),
    ):
        column = rows(_SIDE, "i").transform_calculate(
            angle=_angle(position),
            value=parts.sine_or_cosine("datum.angle", "(datum.i % 2)"),
            cell=said(f"{name}, number {{}}", _number("datum.i")),
        )
        yield from _cells(column, left, stroke=color, strokeWidth=1.5)


POSITIONS, SHOWN_QUERY = 24, 12


def score_map():
    r"""Draw the attention weights of 24 queries and as many keys, with a shift between them.

    The scores are those of :math:`W = c\, M(\varphi)`, which for query s and key t is
    :math:`c \sum_k \cos \omega_k (s - t - \varphi)`, divided by the root of the width.
    """
    cosines = (f"cos({speed:.9g} * datum.behind)" for speed in angular_frequencies(WIDTH))
    cells = rows(POSITIONS**2, "cell").transform_calculate(
        s=f"floor(datum.cell / {POSITIONS})",
        t=f"datum.cell % {POSITIONS}",
        behind="datum.s - datum.t - offset",
        score=f"factor * ({' + '.join(cosines)})",
        # Without the highest score there is, no exponential is too large.
        part=f"exp((datum.score - {WIDTH // 2} * factor) / {math.sqrt(WIDTH):g})",
    )
    cells = cells.transform_joinaggregate(total="sum(part)", groupby=["s"])
    cells = cells.transform_calculate(weight="datum.part / datum.total")
    marks = [0, 5, 10, 15, 20]
    x = alt.X("t:O", title="position t of the key").axis(labelAngle=0, values=marks)
    y = alt.Y("s:O", title="position s of the query").axis(values=marks)
    color = alt.Color("weight:Q", title="attention weight")
    color = color.scale(domain=[0, 1], range=[f"{ABOVE_ZERO}00", ABOVE_ZERO])
    color = color.legend(orient="bottom", gradientLength=100, values=[0, 0.5, 1])
    tooltip = tooltips("s:O", "t:O", score=".1f", weight=".3f")
    diagonal = rows(POSITIONS, "s", t="datum.s")
    diagonal = diagonal.mark_point(filled=True, size=18, color=GRAY, aria=False)
    best = parts.highest(cells.transform_filter(f"datum.s == {SHOWN_QUERY}"), "weight")
    words = said(f"query {SHOWN_QUERY}, key {{}}: {{}}", "datum.t", "format(datum.weight, '.0%')")
    best = best.transform_calculate(words=words)
    far = said("{} {}", "format(abs(offset), '.3~r')", "offset > 0 ? 'back' : 'ahead'")
    shift, lies = "format(offset, '.3~r')", f"offset ? {far} : 'on the diagonal'"
    return finish(
        alt.layer(
            cells.mark_rect().encode(x, y, color, tooltip=tooltip),
            diagonal.encode(x, y),
            parts.mark_best(best, x=x, y=y, color=KEY, aria=False),
        ),
        slider("offset", "shift φ", 0, least=-8, greatest=8, step=0.25, per_second=2),
        slider("factor", "W is M(φ) times", 8, least=1, greatest=32),
        size=(330, 330),
        title=title(said("φ = {}: the stripe lies {}", shift, lies)),
        description=f"""
        A heat map of attention weights: {POSITIONS} queries downwards, {POSITIONS} keys to the
        right. The darker the red, the closer a weight is to 1. Gray dots on the diagonal mark each
        query's own position. With a shift of 0, a stripe with soft edges lies on the dots. The
        slider of the shift φ slides it: to the left if φ is positive, where each query gives most
        weight to the key that many positions back, and to the right if φ is negative. The slider
        that multiplies W makes the stripe sharper and darker, or down at 1 so pale that it can
        hardly be seen. A ring marks the key to which query {SHOWN_QUERY} gives most weight, and
        below the map it says how much that is.
        """,
    )
