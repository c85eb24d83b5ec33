"""The charts of notebook 02: the clock on the wall, and one with many hands and one gear ratio."""

import altair as alt

from posenc.charts.components import GRAY, TURN, finish, sine_or_cosine, slider, tooltips
from posenc.charts.dials import Dials, meanings
from posenc.encodings import CLOCK_PERIODS
from posenc.palette import COLORS, INK

# Each is drawn from its end, which may lie behind the axle, to its tip.
_HANDS = [
    {"hand": "second", "color": COLORS[1], "tip": 0.88, "end": -0.18, "thickness": 1.5},
    {"hand": "minute", "color": COLORS[0], "tip": 0.80, "end": 0, "thickness": 4},
    {"hand": "hour", "color": COLORS[2], "tip": 0.52, "end": 0, "thickness": 7.5},
]
_HANDS = [hand | {"period": period} for hand, period in zip(_HANDS, CLOCK_PERIODS)]


def clock_face():
    """Return a clock whose sliders move its three hands, beside the six numbers they stand for.

    There is one bar for each number of `posenc.encodings.clock`.
    """
    return finish(
        alt.hconcat(_face(), _bars(), spacing=30, center=True),
        slider("hours", "hours", 2, greatest=11),
        slider("minutes", "minutes", 44, greatest=59),
        slider("seconds", "seconds", 30, greatest=59),
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


def _face():
    dial = Dials(margin=1.02)
    sixty = alt.Chart(alt.sequence(0, 60, as_="i"))
    end = "(datum.i % 5 ? 0.91 : 0.86)"
    ticks = dial.hands(sixty, f"{TURN} * datum.i / 60", 0.96, end, stroke=GRAY, strokeCap="butt")
    ticks = ticks.encode(strokeWidth=alt.condition("datum.i % 5", alt.value(1), alt.value(3)))
    twelve = alt.Chart(alt.sequence(1, 13, as_="hour"))
    numerals = dial.place(twelve, f"{TURN} * datum.hour / 12", 0.72)
    numerals = numerals.mark_text(fontSize=17, baseline="middle").encode(text="hour:Q")
    # The slowest first, so that none hides a thinner one.
    hands = alt.Chart(alt.Data(values=_HANDS[::-1])).transform_calculate(
        angle=f"{TURN} * moment / datum.period",
        degrees="moment % datum.period * 360 / datum.period",
    )
    hands = dial.hands(hands, "datum.angle", "datum.tip", "datum.end").encode(
        alt.Stroke("color:N", scale=None),
        alt.StrokeWidth("thickness:Q", scale=None),
        tooltip=tooltips("hand:N", degrees=".2f"),
    )
    axle = dial.tips(alt.Chart(alt.sequence(1)), 0, 0, size=90, color=INK)
    time = alt.expr("utcFormat(1000 * moment, '%H:%M:%S')")
    face = alt.layer(*dial.rims(), ticks, numerals, hands, axle)
    return face.properties(width=270, height=270, title=alt.Title(time, anchor="middle"))


def _bars():
    numbers = [
        hand | {"number": f"{hand['hand']}, {part}", "is_cosine": is_cosine}
        for hand in _HANDS
        for is_cosine, part in enumerate(("sine", "cosine"))
    ]
    value = sine_or_cosine(f"{TURN} * moment / datum.period", "datum.is_cosine")
    # Adding 0 turns a rounded -0 into 0.
    label = "datum.number + '\u2002' + format(round(1000 * datum.value) / 1000 + 0, '+.3f')"
    bars = alt.Chart(alt.Data(values=numbers)).transform_calculate(value=value, label=label)
    bars = bars.mark_bar(size=16).encode(
        alt.X("value:Q").scale(domain=[-1, 1]).axis(values=[-1, 0, 1]),
        alt.Y("label:N", title=None, sort=None).axis(labelLimit=200, ticks=False),
        alt.Color("color:N", scale=None),
        tooltip=tooltips("number:N", value=".4f"),
    )
    return bars.properties(width=170, height=150, title="the six numbers")


_WIDTH = 32
_UNDER, _OVER = "turned less than half a turn", "half a turn or more"


def regular_clock():
    """Return a clock of sixteen hands with one gear ratio, the encoding of width 32."""
    return finish(
        alt.layer(*_regular_clock()),
        slider("position", "position t", 50, greatest=200, per_second=10),
        slider("power", "base, 10 to the power", 4, least=1, greatest=6, step=0.5),
        alt.param("ratio", expr=f"pow(10, power * 2 / {_WIDTH})"),
        size=(380, 380),
        title=alt.Title(alt.expr("'gear ratio ' + format(ratio, '.4~r')")),
        description="""
        Sixteen small dials in four rows, each beside its number, 0 to 15, and with one hand that
        starts at the top. A hand is green while it has turned by less than half a turn since
        position 0, and orange after that. At position 50 and base 10000 the first five hands are
        orange, and from dial to dial the hand has turned less. Sliders set the position and the
        base.
        """,
    )


def _regular_clock():
    """Return the dials, their hands with tips, and their numbers."""
    dials = Dials(4, 4, apart=2.5)
    pairs = alt.Chart(alt.sequence(_WIDTH // 2, as_="dial"))
    color, shape = meanings(_UNDER, _OVER, field="state", orient="top")
    hands = pairs.transform_calculate(
        frequency="pow(ratio, -datum.dial)",
        phase="position * datum.frequency",
        turns=f"datum.phase / {TURN}",
        sine="sin(datum.phase)",
        cosine="cos(datum.phase)",
        wavelength=f"{TURN} / datum.frequency",
        state=f"datum.turns < 0.5 ? '{_UNDER}' : '{_OVER}'",
    ).encode(color)
    told = {"dial": ("pair k", None), "wavelength": ",.4~r"}
    told |= dict.fromkeys(["turns", "sine", "cosine"], ".4f")
    return (
        *dials.rims(),
        dials.hands(hands, "datum.phase", strokeWidth=4, aria=False),
        dials.tips(hands, "datum.phase", size=90).encode(shape, tooltip=tooltips(**told)),
        dials.numbers(pairs),
    )
