"""The charts of notebook 02: the clock on the wall, one with equal gears, and hands in a text."""

import altair as alt

from posenc.charts import components as parts
from posenc.charts.components import TURN, finish, rounded, rows, said, slider, title, tooltips
from posenc.charts.dials import Dials
from posenc.encodings import CLOCK_PERIODS, angular_frequencies
from posenc.palette import COSINE, GRAY, INK, POSITION, SINE

# Each is drawn from its end, which may lie behind the axle, to its tip. A knock turns it that way.
_HANDS = [
    {"hand": "second", "way": 1, "tip": 0.88, "end": -0.18, "thickness": 2},
    {"hand": "minute", "way": -1, "tip": 0.80, "end": 0, "thickness": 4},
    {"hand": "hour", "way": 1, "tip": 0.52, "end": 0, "thickness": 7.5},
]
_HANDS = [hand | {"period": period} for hand, period in zip(_HANDS, CLOCK_PERIODS)]
_HALF_DAY = "43200"
_COLORS = {"sine": SINE, "cosine": COSINE}


def clock_face(knocked=False):
    """Return a clock that runs, and its six numbers: one bar for each of `encodings.clock`.

    One that can be `knocked` says what its hands are read as, and doesn't run by itself.
    """
    knock, knocking = [alt.param("knock", value=0)], ""
    lines = [said("time: {}", _time("moment"))]
    if knocked:
        knock = _knock()
        lines += _read("hour hand by itself", "alone"), _read("all three together", "together")
        knocking = """
        Another knocks each hand by up to 6 degrees, the minute hand back and the others forward;
        thin gray lines stay where they were. Written above are the time, what the hour hand says by
        itself and what all three say together. At 2.9 degrees the hour hand says 02:50:18 and all
        three say 02:44:30.
        """
    # A minute in a second, which is a turn of the second hand.
    running = {"greatest": 43_200, "per_second": 60, "by_itself": not knocked}
    return finish(
        alt.hconcat(_face(), _bars(), spacing=30, center=True),
        slider("run", "let it run (seconds)", 9870, **running),
        # It ticks, so that what it shows is a whole second while it runs, too.
        alt.param("moment", expr=f"floor(run) % {_HALF_DAY}"),
        *knock,
        title=title(*lines, lineHeight=18),
        description=f"""
        A clock face beside a bar chart. The round face has sixty tick marks, the numerals 1 to 12
        and three hands: a long thin one for the seconds, a long one for the minutes and a short
        thick one for the hours. It shows 02:44:30 at first. Six bars from minus 1 to 1 give the
        sine and the cosine of each hand, labeled with their values: how far the tip points right
        and how far it points up. One slider lets the clock run. {knocking}
        """,
    )


def _knock():
    """Return the slider that knocks the hands, and what they are read as."""
    return (
        slider("knock", "knock each hand by (degrees)", 0, greatest=6, step=0.1),
        alt.param("alone", expr=f"round(moment + 120 * knock) % {_HALF_DAY}"),
        alt.param("second", expr="floor(moment % 60 + knock / 6 + 0.5) % 60"),
        alt.param("minute", expr="floor((moment - second) / 60 % 60 - knock / 6 + 60.5) % 60"),
        alt.param("hour", expr="floor((moment - second) / 3600 - minute / 60 + knock / 30 + 12.5)"),
        alt.param("together", expr="hour % 12 * 3600 + minute * 60 + second"),
    )


def _time(seconds):
    """Return the expression of a time of day from that of its seconds."""
    return f"utcFormat(1000 * {seconds}, '%H:%M:%S')"


def _read(who, seconds):
    """Return the expression that says what a reading is, and how far it is from the time."""
    gap = f"abs({seconds} - moment)"
    gap = f"min({gap}, {_HALF_DAY} - {gap})"
    minutes = f"{gap} < 60 ? '' : {said(' {} min', f'floor({gap} / 60)')}"
    rest = f"{gap} % 60 ? {said(' {} s', f'{gap} % 60')} : ''"
    difference = f"{gap} ? {said(',{}{} off', minutes, rest)} : ', exactly'"
    return said("{}: {}{}", f"'{who}'", _time(seconds), difference)


def _face():
    dial = Dials(margin=1.02)
    sixty, end = rows(60, "i"), "(datum.i % 5 ? 0.91 : 0.86)"
    look = {"strokeCap": "butt", "aria": True}
    ticks = dial.hands(sixty, f"{TURN} * datum.i / 60", 0.96, end, stroke=GRAY, **look)
    ticks = ticks.encode(strokeWidth=parts.where("datum.i % 5", 1, 3))
    twelve = alt.Chart(alt.sequence(1, 13, as_="hour"))
    numerals = dial.around(twelve, f"{TURN} * datum.hour / 12", 0.72)
    numerals = numerals.mark_text(fontSize=17).encode(text="hour:Q")
    # The slowest first, so that none hides a thinner one.
    hands = rows(_HANDS[::-1]).transform_calculate(
        right=f"{TURN} * moment / datum.period",
        angle="datum.right + datum.way * knock * PI / 180",
        degrees="(moment * 360 / datum.period + datum.way * knock + 360) % 360",
    )
    # Where the hands were; without a knock they hide them.
    tip = "(knock ? 0.9 : datum.tip)"
    were = dial.hands(hands, "datum.right", tip, stroke=GRAY, strokeWidth=1.5)
    hands = dial.hands(hands, "datum.angle", "datum.tip", "datum.end", stroke=POSITION, aria=True)
    tooltip = tooltips("hand:N", degrees=".2f")
    hands = hands.encode(alt.StrokeWidth("thickness:Q", scale=None), tooltip=tooltip)
    axle = dial.tips(rows(1), 0, 0, size=90, color=INK)
    face = alt.layer(*dial.rims(), ticks, numerals, were, hands, axle)
    return face.properties(width=270, height=270)


def _bars():
    numbers = [
        hand | {"number": f"{hand['hand']}, {part}", "is_cosine": is_cosine, "color": color}
        for hand in _HANDS
        for is_cosine, (part, color) in enumerate(_COLORS.items())
    ]
    angle = f"({TURN} * moment / datum.period + datum.way * knock * PI / 180)"
    label = said("{}\u2002{}", "datum.number", rounded("datum.value", 3, sign="+"))
    bars = rows(numbers, value=parts.sine_or_cosine(angle, "datum.is_cosine"), label=label)
    bars = bars.mark_bar(size=15).encode(
        alt.X("value:Q", title="the six numbers").scale(domain=[-1, 1]).axis(values=[-1, 0, 1]),
        alt.Y("label:N", title=None, sort=None).axis(labelLimit=200, ticks=False),
        alt.Color("color:N", scale=None),
        tooltip=tooltips("number:N", value=".4f"),
    )
    return bars.properties(width=170, height=132)


_HANDS_IN_A_ROW, _APART = 4, 2.5
_BARS = -2.6  # the height of their zero, below the middle of the dials
_UNDER, _OVER, _LESS, _IDLE = "less than half a turn", "half a turn or more", "less", "idle"


def regular_clock():
    """Return a clock of four hands with one gear ratio, beside a row of the encoding of width 8."""
    gap = ", ".join(
        f"abs({wave}(position * pow(gear, -{k})) - {wave}(position * {speed!r}))"
        for k, speed in enumerate(angular_frequencies(2 * _HANDS_IN_A_ROW).tolist())
        for wave in ("sin", "cos")
    )
    row = "Outlines: PE[{}], a row of the Transformer, width 8"
    lines = (
        said("Bars: this clock, with gear ratio {}", "gear"),
        said(row, "format(position, '.1~f')"),
        f"gap < 0.005 ? 'No gap anywhere' : {said('Largest gap: {}', rounded('gap', 2))}",
    )
    dials = Dials(_HANDS_IN_A_ROW, apart=_APART, below=2.85)
    return finish(
        alt.layer(*_regular_hands(dials), *_pairs_of_bars(dials)),
        slider("position", "position t", 50, greatest=200, per_second=10),
        slider("gear", "gear ratio", 3, least=2, greatest=20),
        alt.param("gap", expr=f"max({gap})"),
        title=title(*lines, lineHeight=18, offset=24),
        **dials.shape(480),
        description="""
        Four dials in a row, each with one hand that starts at the top, and the number of turns it
        has made written above. A hand is green with a round tip while it has turned by less than
        half a turn since position 0, and gray with a square tip after that. Below each dial two
        bars, from minus 1 to 1, are the sine and the cosine of its hand. Outlines around the bars
        are a row of the Transformer's table of width 8. Sliders set the position and the gear
        ratio, which the outlines don't depend on. At position 50 and gear ratio 3 only the last
        hand is green, and the largest gap between a bar and its outline is 1.28. At gear ratio 10
        the bars fill the outlines, at every position.
        """,
    )


def _regular_hands(dials):
    """Return the dials, their hands with tips, and how many turns these have made."""
    hands = rows(_HANDS_IN_A_ROW, "dial").transform_calculate(
        phase="position * pow(gear, -datum.dial)",
        turns=f"datum.phase / {TURN}",
        state=f"datum.turns < 0.5 ? '{_UNDER}' : '{_OVER}'",
    )
    looks = (POSITION, GRAY), ("circle", "square")
    color, shape = parts.meanings("state", (_UNDER, _OVER), *looks)
    words = said("{} turns", "format(datum.turns, datum.turns < 10 ? '.2f' : '.1f')")
    tooltip = tooltips(dial=("hand k", None), turns=".4f")
    return (
        *dials.rims(),
        dials.hands(hands, "datum.phase", strokeWidth=4).encode(color),
        dials.tips(hands, "datum.phase", size=90).encode(color, shape, tooltip=tooltip),
        dials.names(hands, words),
    )


def _pairs_of_bars(dials):
    """Return the hands' numbers as bars below the dials, and the row's as outlines."""
    numbers = rows(2 * _HANDS_IN_A_ROW, "column").transform_calculate(
        dial="floor(datum.column / 2)",
        is_cosine="datum.column % 2",
        value=parts.sine_or_cosine("position * pow(gear, -datum.dial)", "datum.is_cosine"),
        row=parts.sine_or_cosine("position * pow(10, -datum.dial)", "datum.is_cosine"),
        color=f"datum.is_cosine ? '{COSINE}' : '{SINE}'",
        name="datum.is_cosine ? 'cos' : 'sin'",
    )
    middle = f"{_APART} * datum.dial + datum.is_cosine - 0.5"
    sides = f"{middle} - 0.4", f"{middle} + 0.4"
    bars = dials.rectangles(numbers, *sides, _BARS, f"{_BARS} + datum.value")
    tooltip = tooltips("name:N", value=("bar", ".3f"), row=("outline", ".3f"))
    bars = bars.encode(alt.Color("color:N", scale=None), tooltip=tooltip)
    outlines = dials.rectangles(numbers, *sides, _BARS, f"{_BARS} + datum.row")
    # By night the page exchanges the ink.
    outlines = outlines.encode(color=alt.value("transparent"), stroke=alt.value(INK))
    names = dials.texts(numbers, middle, f"{_BARS} - 1.2", "datum.name")
    return bars, outlines, names


_PAIRS = 128
_TURNS = [1e-5, 1e-3, 0.1, 10, 1000, 100_000]


def hands_in_a_text():
    """Return how often each of the 128 hands of width 256 turns in a text, by length and base."""
    hands = rows(_PAIRS, "k").transform_calculate(
        angle=f"pow(10, long - power * datum.k / {_PAIRS})",
        turns=f"datum.angle / {TURN}",
        state=f"datum.angle >= PI ? '{_OVER}' : datum.angle < 0.1 ? '{_IDLE}' : '{_LESS}'",
    )
    x = parts.axis(alt.X, "k", "hand k, from fast to slow", [-1, _PAIRS])
    look = {"values": _TURNS, "labelExpr": parts.written("datum.value")}
    ends = [_TURNS[0] / 2, 2 * _TURNS[-1]]
    y = parts.axis(alt.Y, "turns", "turns in the text", ends, scale="log", **look)
    half = rows([{"turns": 0.5}]).mark_rule(color=GRAY, strokeDash=[4, 4]).encode(y=y)
    fills, shapes = (GRAY, POSITION, "transparent"), ("square", "circle", "circle")
    looks = (GRAY, POSITION, POSITION), shapes, fills
    looks = parts.meanings("state", (_OVER, _LESS, _IDLE), *looks, orient="top")
    tooltip = tooltips("k:Q", "state:N", turns=",.4~r")
    dots = hands.mark_point(size=24).encode(x, y, *looks, tooltip=tooltip)
    # Hand k turns by 10 to the power of long - power * k / 128.
    over, moved = (
        f"clamp(floor({_PAIRS} * ({exponent}) / power) + 1, 0, {_PAIRS})"
        for exponent in ("long - log(PI) / LN10", "long + 1")
    )
    text = (parts.written(f"round(pow(10, {power}))") for power in ("long", "power"))
    counts = "over", "moved - over", f"{_PAIRS} - moved"
    lines = (
        said("text of {} positions, base {}", *text),
        said(f"{_OVER} {{}}, {_LESS} {{}}, {_IDLE} {{}}", *counts),
    )
    return finish(
        alt.layer(half, dots),
        slider("long", "length of the text, 10 to the power", 3, least=2, greatest=6, step=0.1),
        slider("power", "base, 10 to the power", 4, least=1, greatest=6, step=0.5),
        alt.param("over", expr=over),
        alt.param("moved", expr=moved),
        size=(420, 200),
        title=title(*lines, lineHeight=18),
        description=f"""
        {_PAIRS} marks from left to right, one for each hand of an encoding of width {2 * _PAIRS},
        the fastest first. The height says, on a logarithmic axis, how many turns a hand makes in a
        text; the marks lie on a falling line, and a dashed line lies at half a turn. Hands above it
        are gray squares, those below are green dots, and those that turn by less than a tenth of a
        radian are hollow. One slider sets the length of the text and moves all marks
        up, the other sets the base and tilts the line about its left end. In a text of 1000
        positions, at base 10000, 81 hands make half a turn or more, 47 less, and none is idle.
        """,
    )
