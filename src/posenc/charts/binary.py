"""The chart of notebook 03: a binary counter above the dials that it is read from."""

import altair as alt

from posenc.charts.components import finish, slider, tooltips
from posenc.charts.dials import points, sized
from posenc.palette import BITS, GRAY, INK

WHEELS = 6

# Pale, so that ink and hands stand out from it.
_ZERO, _ONE = "transparent", BITS + "58"
# In the square from -1 to 1.
_LEFT_HALF = "M0,-1A1,1,0,0,0,0,1Z"
# Marks are sized in pixels, so that discs stay round however wide the page is.
_SIDE = f"0.82*min(width/{WHEELS}, height/2)"


def odometer():
    r"""Return a chart of a binary counter above dials, moved by one slider.

    Below bit i of the position t stands a dial with its hand at the angle
    :math:`2\pi t / 2^{i+1}`, clockwise from the top. The bit is 1 exactly while the hand is in
    the left half.
    """
    bits = f"join(reverse(split(format(floor(position), '0{WHEELS}b'), '')), ' ')"
    heading = (
        f"['position ' + format(position, '.2f') + ', bits ' + {bits}, "
        "'bits flipped on arriving at ' + floor(position) + ': ' + round(log(flipped + 1) / LN2)]"
    )
    return finish(
        alt.layer(*_counter(), *_dials(), data=alt.sequence(WHEELS, as_="bit")),
        slider("position", "position t", 7, greatest=2**WHEELS - 1, step=0.25, per_second=2),
        # As a number, 1 for each bit that differs: always the lowest bits, without a gap.
        alt.param("flipped", expr="position < 1 ? 0 : position ^ (position - 1)"),
        size=(520, 190),
        title=alt.Title(alt.expr(heading)),
        description="""
        Two rows of six. Above, a binary counter: square cells with the bits 0 to 5 of a position,
        the least significant bit first, brown for 1, empty for 0. Below each bit a dial that turns
        once in the bit's period: 2, 4, 8, 16, 32 and 64 positions. At position 7 the first three
        bits are 1 and their hands stand in the brown left half. The slider moves the position in
        steps of a quarter: all hands turn a little at each step, while bits stay and then flip,
        with a thick outline; four of them on arriving at 8.
        """,
    )


def _row(name):
    """Return a chart of a row of bits or of their dials, without a mark yet."""
    words = "['bit ' + datum.value, '' + pow(2, datum.value + 1)]"
    bare = {"domain": False, "ticks": False}
    bits = alt.Chart().transform_calculate(
        row=f"'{name}'",
        period="pow(2, datum.bit + 1)",
        turn="2 * PI * position / datum.period",
        degrees="360 * (position % datum.period) / datum.period",
        sine="sin(datum.turn)",
        cosine="cos(datum.turn)",
        digit="(position >> datum.bit) & 1",
        flipped="(flipped >> datum.bit) & 1",
    )
    x = alt.X("bit:O", title="bit or dial, and its period in positions")
    y = alt.Y("row:N", title=None).scale(domain=["counter", "dials"]).axis(**bare)
    return bits.encode(x.axis(labelExpr=words, labelAngle=0, labelPadding=8, **bare), y)


def _counter():
    told = {"bit": ("bit", None), "digit": ("value", None), "period": ("period", None)}
    counter = _row("counter").encode(tooltip=tooltips(**told))
    cells = counter.mark_point(shape="square", **sized(_SIDE)).encode(
        fill=alt.condition("datum.digit", alt.value(_ONE), alt.value(_ZERO)),
        stroke=alt.condition("datum.flipped", alt.value(BITS), alt.value(GRAY)),
        strokeWidth=alt.condition("datum.flipped", alt.value(5), alt.value(1)),
    )
    letters = {"fontSize": alt.ExprRef(f"0.5*{_SIDE}"), "baseline": "middle"}
    digits = counter.mark_text(color=INK, aria=False, **letters).encode(text="digit:N")
    return cells, digits


def _dials():
    told = {"bit": ("dial", None), "degrees": ("angle in degrees", ".1f")}
    dials = _row("dials").encode(tooltip=tooltips(**told, sine=".3f", cosine=".3f"))
    halves = dials.mark_point(shape=_LEFT_HALF, color=_ONE, aria=False, **sized(_SIDE))
    return halves, *points(dials, _SIDE)
