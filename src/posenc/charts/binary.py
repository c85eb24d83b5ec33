"""The chart of notebook 03: a binary counter above the dials that it is read from."""

import altair as alt

from posenc.charts.components import GRAY, INK, tooltips
from posenc.charts.controls import finish, slider
from posenc.palette import COLORS

WHEELS = 6
GREATEST = 2**WHEELS - 1

# Light cells with dark ink are legible on a light page and on a dark one.
_ZERO, _ONE = "#e8e8e8", COLORS[5]
# Paths in the square from -1 to 1: the left half of a disc, and a clock's hand pointing up.
_LEFT_HALF = "M0,-1A1,1,0,0,0,0,1Z"
_HAND = "M-0.07,0.12L0,-0.88L0.07,0.12Z"
# Marks are sized in pixels, so that discs stay round however wide the page is.
_SIDE = f"0.82*min(width/{WHEELS}, height/2)"
_FILLED = {"size": alt.ExprRef(f"pow({_SIDE}, 2)"), "filled": True, "opacity": 1}


def odometer():
    r"""Return a chart of a binary counter above dials, moved by one slider.

    Bit i of the position t shows in the upper row, and below it a dial that turns once in the
    bit's period: its hand stands at the angle :math:`2\pi t / 2^{i+1}`, clockwise from the top.
    The bit is 1 exactly while the hand is in the left half, which has the color of a 1. Bits
    that flipped on arriving at the last whole position are outlined. The slider is ``position``,
    from 0 to 63 in steps of a quarter.
    """
    position = slider("position", "position t", 7, greatest=GREATEST, step=0.25, per_second=2)
    bits = " + ' ' + ".join(f"({_bit('position', i)})" for i in range(WHEELS))
    flips = " + ".join(_flipped(i) for i in range(WHEELS))
    heading = (
        f"['position ' + format(position, '.2f') + ', bits ' + {bits}, "
        f"'bits flipped on arriving at ' + floor(position) + ': ' + ({flips})]"
    )
    return finish(
        alt.layer(*_counter(), *_dials(), data=alt.sequence(0, WHEELS, 1, as_="bit")),
        position,
        size=(520, 190),
        title=alt.Title(alt.expr(heading)),
        description="""
        Two rows of six. Above, a binary counter: square cells with the bits 0 to 5 of a position,
        the least significant bit first, blue for 1 and gray for 0. Below each bit a dial that turns
        once in the bit's period: 2, 4, 8, 16, 32 and 64 positions. At position 7 the first three
        bits are 1 and their hands stand in the blue left half. The slider moves the position in
        steps of a quarter: all hands turn a little at each step, while bits stay and then flip,
        outlined in orange; four of them on arriving at 8.
        """,
    )


def _bit(position, index):
    """Return the expression of one bit of a position that may lie between two whole ones."""
    return f"floor({position} / pow(2, {index})) % 2"


def _flipped(index):
    """Return the expression that is 1 where a bit changed on arriving at the whole position."""
    before, now = _bit("(floor(position) - 1)", index), _bit("position", index)
    return f"(position >= 1 && ({before}) != ({now}) ? 1 : 0)"


def _row(name):
    """Return a chart of a row of bits or of their dials, without a mark yet."""
    words = "['bit ' + datum.value, '' + pow(2, datum.value + 1)]"
    bare = {"domain": False, "ticks": False}
    bits = alt.Chart().transform_calculate(
        period="pow(2, datum.bit + 1)",
        digit=_bit("position", "datum.bit"),
        flipped=_flipped("datum.bit"),
        degrees="360 * (position % datum.period) / datum.period",
        sine="sin(2 * PI * position / datum.period)",
        cosine="cos(2 * PI * position / datum.period)",
    )
    x = alt.X("bit:O", title="bit or dial, and its period in positions")
    y = alt.Y("row:N", title=None).scale(domain=["counter", "dials"]).axis(**bare)
    return bits.transform_calculate(row=f"'{name}'").encode(
        x.axis(labelExpr=words, labelAngle=0, labelPadding=8, **bare), y
    )


def _counter():
    told = {"bit": ("bit", None), "digit": ("value", None), "period": ("period", None)}
    counter = _row("counter").encode(tooltip=tooltips(**told))
    cells = counter.mark_point(shape="square", **_FILLED).encode(
        fill=alt.condition("datum.digit == 1", alt.value(_ONE), alt.value(_ZERO)),
        stroke=alt.condition("datum.flipped == 1", alt.value(COLORS[1]), alt.value(GRAY)),
        strokeWidth=alt.condition("datum.flipped == 1", alt.value(5), alt.value(1)),
    )
    letters = {"fontSize": alt.ExprRef(f"0.5*{_SIDE}"), "baseline": "middle"}
    digits = counter.mark_text(color=INK, aria=False, **letters).encode(text="digit:N")
    return cells, digits


def _dials():
    told = {"bit": ("dial", None), "degrees": ("angle in degrees", ".1f")}
    told |= {"sine": ("sine", ".3f"), "cosine": ("cosine", ".3f")}
    dials = _row("dials").encode(tooltip=tooltips(**told))
    outline = {"fill": _ZERO, "stroke": GRAY, "strokeWidth": 1}
    discs = dials.mark_point(shape="circle", aria=False, **outline, **_FILLED)
    halves = dials.mark_point(shape=_LEFT_HALF, color=_ONE, aria=False, **_FILLED)
    hands = dials.mark_point(shape=_HAND, color=INK, **_FILLED)
    return discs, halves, hands.encode(angle=alt.Angle("degrees:Q", scale=None))
