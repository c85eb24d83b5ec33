"""Charts of notebook 02: the clock on the wall, and one with many hands and one gear ratio."""

import altair as alt

from posenc.charts.components import GRAY, INK, TURN, thousands, tooltips
from posenc.charts.controls import finish, slider
from posenc.encodings import CLOCK_PERIODS
from posenc.palette import COLORS

# From the fastest to the slowest: name, color, length, tail behind the axle, thickness.
_HANDS = (
    ("second", COLORS[1], 0.88, 0.18, 1.5),
    ("minute", COLORS[0], 0.80, 0.0, 4),
    ("hour", COLORS[2], 0.52, 0.0, 7.5),
)
_HAND_NAMES = [name for name, *_ in _HANDS]
_NUMBER_NAMES = [f"{name}, {part}" for name in _HAND_NAMES for part in ("sine", "cosine")]

# The dial is a white disk with dark ink on a light page and on a dark one, as real clocks are.
_DIAL = {"interpolate": "linear-closed", "fill": "white", "stroke": GRAY}
_LETTERS = {"fill": INK, "baseline": "middle"}


def clock_face():
    """Return a clock whose sliders move its three hands, beside the six numbers they stand for.

    There is one bar for each number of `posenc.encodings.clock`. The sliders are ``hours``,
    ``minutes``, ``seconds`` and ``run``; the time shown is their sum.
    """
    return finish(
        alt.hconcat(_face(), _bars(), spacing=30),
        slider("hours", "hours", 2, greatest=11, per_second=1),
        slider("minutes", "minutes", 44, greatest=59, per_second=6),
        slider("seconds", "seconds", 30, greatest=59, per_second=6),
        # Two turns of the second hand in a second, and one of the minute hand in half a minute.
        slider("run", "let it run (seconds)", 0, greatest=43_200, per_second=120),
        alt.param("moment", expr="(3600 * hours + 60 * minutes + seconds + run) % 43200"),
        description="""
        A clock face beside a bar chart. The round face has sixty tick marks, the numerals 1 to 12
        and three hands: a long thin one for the seconds, a long one for the minutes and a short
        thick one for the hours. It shows 02:44:30 at first. Six bars from minus 1 to 1 give the
        sine and the cosine of each hand, labeled with their values: how far the tip points right
        and how far it points up. Sliders for hours, minutes, seconds and a number of seconds to run
        on move the hands and the bars.
        """,
    )


def _around(count, name, radius="", first=0):
    """Return a chart of places evenly around the dial, from the top, clockwise, without a mark."""
    angle = f"{TURN} * datum.{name} / {count}"
    places = alt.Chart(alt.sequence(first, first + count, as_=name))
    return places.transform_calculate(x=f"{radius}sin({angle})", y=f"{radius}cos({angle})")


def _face():
    plane = {"scale": alt.Scale(domain=[-1.04, 1.04], nice=False, zero=False), "axis": None}
    x, y = alt.X("x:Q", **plane), alt.Y("y:Q", **plane)
    face = _around(120, "i").mark_line(**_DIAL, strokeWidth=5).encode(x, y, order="i:Q")
    numerals = _around(12, "hour", "0.72 * ", first=1)
    numerals = numerals.mark_text(fontSize=17, **_LETTERS).encode(x, y, text="hour:Q")
    axle = alt.Chart(alt.Data(values=[{"x": 0, "y": 0}])).encode(x, y)
    axle = axle.mark_point(filled=True, opacity=1, size=90, color=INK)
    # The slowest first, so that none hides a thinner one.
    hands = [
        _hand(*hand, period).encode(x, y) for hand, period in zip(_HANDS[::-1], CLOCK_PERIODS[::-1])
    ]
    time = (
        "format(floor(moment / 3600), '02') + ':' + format(floor(moment / 60) % 60, '02')"
        " + ':' + format(moment % 60, '02')"
    )
    return alt.layer(face, _ticks().encode(x, y), numerals, *hands, axle).properties(
        width=270, height=270, title=alt.Title(alt.expr(time), anchor="middle")
    )


def _ticks():
    angle = f"{TURN} * datum.i / 60"
    ticks = alt.Chart(alt.sequence(0, 60, as_="i")).transform_calculate(
        inner="datum.i % 5 ? 0.91 : 0.86",
        x=f"0.95 * sin({angle})",
        y=f"0.95 * cos({angle})",
        x2=f"datum.inner * sin({angle})",
        y2=f"datum.inner * cos({angle})",
        thickness="datum.i % 5 ? 1 : 3",
    )
    thickness = alt.StrokeWidth("thickness:Q", scale=None)
    return ticks.mark_rule(stroke=INK).encode(thickness, x2="x2", y2="y2")


def _hand(name, color, length, tail, thickness, period):
    hand = alt.Chart(alt.Data(values=[{"hand": name}])).transform_calculate(
        angle=f"{TURN} * moment / {period}",
        degrees=f"moment % {period} * 360 / {period}",
        x=f"{length} * sin(datum.angle)",
        y=f"{length} * cos(datum.angle)",
        x2=f"{-tail} * sin(datum.angle)",
        y2=f"{-tail} * cos(datum.angle)",
    )
    hand = hand.mark_rule(stroke=color, strokeWidth=thickness, strokeCap="round")
    return hand.encode(x2="x2", y2="y2", tooltip=tooltips("hand:N", degrees=".2f"))


def _number(i):
    """Return the expression of number `i` of the encoding."""
    angle = f"{TURN} * moment / {list(CLOCK_PERIODS)}[floor({i} / 2)]"
    return f"{i} % 2 ? cos({angle}) : sin({angle})"


def _bars():
    # Adding 0 turns a rounded -0 into 0.
    rounded = f"format(round(1000 * ({_number('datum.value')})) / 1000 + 0, '+.3f')"
    number = alt.Y("i:O").axis(
        title=None,
        description="the sine and the cosine of each hand, with their values",
        labelExpr=f"{_NUMBER_NAMES}[datum.value] + '\u2002' + {rounded}",
        labelLimit=200,
        ticks=False,
    )
    value = alt.X("value:Q", title="value").scale(domain=[-1, 1]).axis(values=[-1, 0, 1])
    color = alt.Color("hand:N", legend=None)
    color = color.scale(domain=_HAND_NAMES, range=[color for _, color, *_ in _HANDS])
    bars = alt.Chart(alt.sequence(0, 6, as_="i")).transform_calculate(
        value=_number("datum.i"),
        number=f"{_NUMBER_NAMES}[datum.i]",
        hand=f"{_HAND_NAMES}[floor(datum.i / 2)]",
    )
    bars = bars.encode(value, number, color, tooltip=tooltips("number:N", value=".4f"))
    return bars.mark_bar(size=22).properties(width=170, height=270, title="the six numbers")


_WIDTH, _COLUMNS = 32, 4
_PAIRS = _WIDTH // 2
_PLACE = {"column": f"datum.k % {_COLUMNS}", "row": f"floor(datum.k / {_COLUMNS})"}
_UNDER, _OVER = "turned less than half a turn", "half a turn or more"


def regular_clock():
    """Return a clock of sixteen hands with one gear ratio, the encoding of width 32.

    Its sixteen dials stand in rows, from the fastest to the slowest. The sliders are ``position``
    and ``power``, the exponent of ten in the base; the check box ``divided`` says whether the
    exponent of the formula is divided by the width.
    """
    check_box = alt.binding_checkbox(name="divide the exponent by d ")
    return finish(
        alt.layer(*_regular_dials(), _regular_hands()),
        slider("position", "position t", 50, greatest=200, per_second=10),
        slider("power", "base, 10 to the power", 4, least=1, greatest=6, step=0.5),
        alt.param("divided", value=True, bind=check_box),
        alt.param("ratio", expr=f"pow(10, power * (divided ? 2 / {_WIDTH} : 2))"),
        size=(380, 380),
        title=alt.Title(alt.expr(f"'gear ratio ' + {thousands('ratio', ',.4~r')}")),
        description="""
        Sixteen small dials in four rows, each with its number, 0 to 15, in the middle and one hand
        that starts at the top. A hand is green while it has turned by less than half a turn since
        position 0, and orange after that. At position 50 and base 10000 the first five hands are
        orange, and from dial to dial the hand has turned less. Sliders set the position and the
        base; a check box, when cleared, leaves out the division of the exponent by d, and then all
        hands but the first stand still at the top.
        """,
    )


def _regular_plane(x, y):
    """Return two channels, one unit from dial to dial, the first at the upper left."""
    scale = {"domain": [-0.5, _COLUMNS - 0.5], "nice": False, "zero": False}
    x, y = alt.X(f"{x}:Q", axis=None).scale(**scale), alt.Y(f"{y}:Q", axis=None)
    return x, y.scale(**scale, reverse=True)


def _regular_chart():
    """Return a chart of the sixteen hands, without a mark yet."""
    return alt.Chart(alt.sequence(0, _PAIRS, as_="k")).transform_calculate(
        **_PLACE,
        frequency="pow(ratio, -datum.k)",
        phase="position * datum.frequency",
        turns=f"datum.phase / {TURN}",
        sine="sin(datum.phase)",
        cosine="cos(datum.phase)",
        wavelength=f"{TURN} / datum.frequency",
        state=f"datum.turns < 0.5 ? '{_UNDER}' : '{_OVER}'",
        x="datum.column + 0.38 * datum.sine",
        y="datum.row - 0.38 * datum.cosine",
        x2="datum.column + 0.16 * datum.sine",
        y2="datum.row - 0.16 * datum.cosine",
    )


def _regular_dials():
    """Return the dials, their marks at twelve and their numbers."""
    angle = f"{TURN} * datum.i / 48"
    dials = (
        alt.Chart(alt.sequence(0, 48 * _PAIRS, as_="i"))
        .transform_calculate(k="floor(datum.i / 48)")
        .transform_calculate(
            **_PLACE,
            x=f"datum.column + 0.45 * sin({angle})",
            y=f"datum.row - 0.45 * cos({angle})",
        )
        .mark_line(**_DIAL, strokeWidth=2)
        .encode(*_regular_plane("x", "y"), detail="k:O", order="i:Q")
    )
    hands = _regular_chart()
    twelve = hands.transform_calculate(y="datum.row - 0.45", y2="datum.row - 0.4")
    twelve = twelve.mark_rule(stroke=INK, strokeWidth=2)
    # The number takes the place of the axle, where no hand can hide it.
    numbers = hands.mark_text(fontSize=15, **_LETTERS)
    return (
        dials,
        twelve.encode(*_regular_plane("column", "y"), y2="y2"),
        numbers.encode(*_regular_plane("column", "row"), text="k:Q"),
    )


def _regular_hands():
    color = alt.Color("state:N").scale(domain=[_UNDER, _OVER], range=[COLORS[2], COLORS[1]])
    numbers = {"k": ("pair k", None), "wavelength": ",.4~r"}
    numbers |= dict.fromkeys(["turns", "sine", "cosine"], ".4f")
    hands = _regular_chart().mark_rule(strokeWidth=4, strokeCap="round")
    return hands.encode(
        *_regular_plane("x", "y"),
        color.legend(title=None, orient="top", labelLimit=300),
        x2="x2",
        y2="y2",
        tooltip=tooltips(**numbers),
    )
