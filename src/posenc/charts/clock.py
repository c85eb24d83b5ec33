"""Charts of notebook 02: the clock on the wall, and one with many hands and one gear ratio."""

import math

import altair as alt

from posenc.charts._slider import add_sliders, slider
from posenc.encodings import CLOCK_PERIODS
from posenc.palette import COLORS

# The dial is a white disk with dark ink on a light page and on a dark one, as real clocks are.
_DIAL, _RIM, _INK = "white", "#808080", "#222222"

# From the fastest to the slowest: name, color, length, tail behind the axle, thickness.
_HANDS = (
    ("second", COLORS[1], 0.88, 0.18, 1.5),
    ("minute", COLORS[0], 0.80, 0.0, 4),
    ("hour", COLORS[2], 0.52, 0.0, 7.5),
)

_TURN = repr(2 * math.pi)


def clock_face():
    """Return a clock whose sliders move its three hands, beside the six numbers they stand for.

    Returns
    -------
    altair.HConcatChart
        The dial, and one bar for each number of `posenc.encodings.clock`. The sliders are named
        `hours`, `minutes`, `seconds` and `run`; the time shown is their sum.

    Examples
    --------
    >>> [part.height for part in clock_face().hconcat]
    [270, 270]
    """
    params = [
        slider("hours", "hours", 2, greatest=11, per_second=1),
        slider("minutes", "minutes", 44, greatest=59, per_second=6),
        slider("seconds", "seconds", 30, greatest=59, per_second=6),
        # Two turns of the second hand in a second, and one of the minute hand in half a minute.
        slider("run", "let it run (seconds)", 0, greatest=43_200, per_second=120),
        alt.param(name="moment", expr="(3600 * hours + 60 * minutes + seconds + run) % 43200"),
    ]
    return add_sliders(alt.hconcat(_dial(), _bars(), spacing=30), *params).properties(
        description="A clock face beside a bar chart. The round face has sixty tick marks, "
        "the numerals 1 to 12 and three hands: a long thin one for the seconds, a long one for "
        "the minutes and a short thick one for the hours. It shows 02:44:30 at first. Six bars "
        "from minus 1 to 1 give the sine and the cosine of each hand, labeled with their "
        "values: how far the tip points right and how far it points up. Sliders for hours, "
        "minutes, seconds and a number of seconds to run on move the hands and the bars.",
    )


def _dial():
    scale = alt.Scale(domain=[-1.04, 1.04], nice=False, zero=False)
    x, y = (alt.X("x:Q", scale=scale, axis=None), alt.Y("y:Q", scale=scale, axis=None))
    face = (
        alt.Chart(alt.sequence(0, 120, as_="i"))
        .transform_calculate(x=f"sin({_TURN} * datum.i / 120)", y=f"cos({_TURN} * datum.i / 120)")
        .mark_line(interpolate="linear-closed", fill=_DIAL, stroke=_RIM, strokeWidth=5)
        .encode(x, y, order="i:Q")
    )
    ticks = (
        alt.Chart(alt.sequence(0, 60, as_="i"))
        .transform_calculate(
            inner="datum.i % 5 ? 0.91 : 0.86",
            x=f"0.95 * sin({_TURN} * datum.i / 60)",
            y=f"0.95 * cos({_TURN} * datum.i / 60)",
            x2=f"datum.inner * sin({_TURN} * datum.i / 60)",
            y2=f"datum.inner * cos({_TURN} * datum.i / 60)",
            thickness="datum.i % 5 ? 1 : 3",
        )
        .mark_rule(stroke=_INK)
        .encode(x, y, x2="x2", y2="y2", strokeWidth=alt.StrokeWidth("thickness:Q", scale=None))
    )
    numerals = (
        alt.Chart(alt.sequence(1, 13, as_="hour"))
        .transform_calculate(
            x=f"0.72 * sin({_TURN} * datum.hour / 12)", y=f"0.72 * cos({_TURN} * datum.hour / 12)"
        )
        .mark_text(fontSize=17, fill=_INK, baseline="middle")
        .encode(x, y, text="hour:Q")
    )
    axle = (
        alt.Chart(alt.Data(values=[{"x": 0, "y": 0}]))
        .mark_point(filled=True, opacity=1, size=90, color=_INK)
        .encode(x, y)
    )
    return alt.layer(face, ticks, numerals, *_hands(x, y), axle).properties(
        width=270, height=270, title=alt.Title(alt.expr(_TIME_IN_WORDS), anchor="middle")
    )


_TIME_IN_WORDS = (
    "format(floor(moment / 3600), '02') + ':' + format(floor(moment / 60) % 60, '02')"
    " + ':' + format(moment % 60, '02')"
)


def _hands(x, y):
    """Return one layer for each hand, the slowest first, so that none hides a thinner one."""
    for (name, color, length, tail, thickness), period in zip(_HANDS[::-1], CLOCK_PERIODS[::-1]):
        yield (
            alt.Chart(alt.Data(values=[{"hand": name}]))
            .transform_calculate(
                angle=f"{_TURN} * moment / {period}",
                degrees=f"moment % {period} * 360 / {period}",
                x=f"{length} * sin(datum.angle)",
                y=f"{length} * cos(datum.angle)",
                x2=f"{-tail} * sin(datum.angle)",
                y2=f"{-tail} * cos(datum.angle)",
            )
            .mark_rule(stroke=color, strokeWidth=thickness, strokeCap="round")
            .encode(
                x,
                y,
                x2="x2",
                y2="y2",
                tooltip=["hand:N", alt.Tooltip("degrees:Q", format=".2f")],
            )
        )


def _bars():
    names = [f"{name}, {part}" for name, *_ in _HANDS for part in ("sine", "cosine")]
    # Adding 0 turns a rounded -0 into 0.
    rounded = f"format(round(1000 * ({_number('datum.value')})) / 1000 + 0, '+.3f')"
    return (
        alt.Chart(alt.sequence(0, 6, as_="i"))
        .transform_calculate(
            value=_number("datum.i"),
            number=f"{names}[datum.i]",
            hand=f"{[name for name, *_ in _HANDS]}[floor(datum.i / 2)]",
        )
        .mark_bar(size=22)
        .encode(
            alt.X("value:Q", title="value", scale=alt.Scale(domain=[-1, 1]), axis=_ENDS),
            alt.Y(
                "i:O",
                axis=alt.Axis(
                    title=None,
                    description="the sine and the cosine of each hand, with their values",
                    labelExpr=f"{names}[datum.value] + '\u2002' + {rounded}",
                    labelLimit=200,
                    ticks=False,
                ),
            ),
            alt.Color(
                "hand:N",
                scale=alt.Scale(
                    domain=[name for name, *_ in _HANDS], range=[color for _, color, *_ in _HANDS]
                ),
                legend=None,
            ),
            tooltip=["number:N", alt.Tooltip("value:Q", format=".4f")],
        )
        .properties(width=170, height=270, title="the six numbers")
    )


_ENDS = alt.Axis(values=[-1, 0, 1])


def _number(i):
    """Return the expression of number `i` of the encoding."""
    angle = f"{_TURN} * moment / {list(CLOCK_PERIODS)}[floor({i} / 2)]"
    return f"{i} % 2 ? cos({angle}) : sin({angle})"


_WIDTH, _COLUMNS = 32, 4
_UNDER, _OVER = "turned less than half a turn", "half a turn or more"


def regular_clock():
    """Return a clock of sixteen hands with one gear ratio, the encoding of width 32.

    Returns
    -------
    altair.LayerChart
        Sixteen dials of one hand each, from the fastest to the slowest. The sliders are named
        `position` and `power`, the exponent of ten in the base; the check box `divided` says
        whether the exponent of the formula is divided by the width.

    Examples
    --------
    >>> regular_clock().width
    380
    """
    pairs = _WIDTH // 2
    params = [
        slider("position", "position t", 50, greatest=200, per_second=10),
        slider("power", "base, 10 to the power", 4, least=1, greatest=6, step=0.5),
        alt.param(
            name="divided", value=True, bind=alt.binding_checkbox(name="divide the exponent by d ")
        ),
        alt.param(name="ratio", expr=f"pow(10, power * (divided ? 2 / {_WIDTH} : 2))"),
    ]
    # One unit from dial to dial; the first is at the upper left.
    scale = alt.Scale(domain=[-0.5, _COLUMNS - 0.5], nice=False, zero=False)
    x = alt.X("x:Q", scale=scale, axis=None)
    downwards = alt.Scale(**scale.to_dict(), reverse=True)
    y = alt.Y("y:Q", scale=downwards, axis=None)
    at = {"column": f"datum.k % {_COLUMNS}", "row": f"floor(datum.k / {_COLUMNS})"}
    hands = alt.Chart(alt.sequence(0, pairs, as_="k")).transform_calculate(
        **at,
        frequency="pow(ratio, -datum.k)",
        phase="position * datum.frequency",
        turns=f"datum.phase / {_TURN}",
        sine="sin(datum.phase)",
        cosine="cos(datum.phase)",
        wavelength=f"{_TURN} / datum.frequency",
        state=f"datum.turns < 0.5 ? '{_UNDER}' : '{_OVER}'",
        x="datum.column + 0.38 * datum.sine",
        y="datum.row - 0.38 * datum.cosine",
        x2="datum.column + 0.16 * datum.sine",
        y2="datum.row - 0.16 * datum.cosine",
    )
    dials = (
        alt.Chart(alt.sequence(0, 48 * pairs, as_="i"))
        .transform_calculate(k="floor(datum.i / 48)")
        .transform_calculate(
            **at,
            x=f"datum.column + 0.45 * sin({_TURN} * datum.i / 48)",
            y=f"datum.row - 0.45 * cos({_TURN} * datum.i / 48)",
        )
        .mark_line(interpolate="linear-closed", fill=_DIAL, stroke=_RIM, strokeWidth=2)
        .encode(x, y, detail="k:O", order="i:Q")
    )
    twelve = (
        hands.transform_calculate(y="datum.row - 0.45", y2="datum.row - 0.4")
        .mark_rule(stroke=_INK, strokeWidth=2)
        .encode(alt.X("column:Q", scale=scale, axis=None), y, y2="y2")
    )
    # The number takes the place of the axle, where no hand can hide it.
    numbers = hands.mark_text(fontSize=15, fill=_INK, baseline="middle").encode(
        alt.X("column:Q", scale=scale, axis=None),
        alt.Y("row:Q", scale=downwards, axis=None),
        text="k:Q",
    )
    color = alt.Color(
        "state:N",
        scale=alt.Scale(domain=[_UNDER, _OVER], range=[COLORS[2], COLORS[1]]),
        legend=alt.Legend(title=None, orient="top", labelLimit=300),
    )
    arms = hands.mark_rule(strokeWidth=4, strokeCap="round").encode(
        x,
        y,
        x2="x2",
        y2="y2",
        color=color,
        tooltip=[
            alt.Tooltip("k:Q", title="pair k"),
            alt.Tooltip("wavelength:Q", format=",.4~r"),
            alt.Tooltip("turns:Q", format=".4f"),
            alt.Tooltip("sine:Q", format=".4f"),
            alt.Tooltip("cosine:Q", format=".4f"),
        ],
    )
    return add_sliders(alt.layer(dials, twelve, numbers, arms), *params).properties(
        width=380,
        height=380,
        # A narrow space between thousands, as in the text.
        title=alt.Title(
            alt.expr("'gear ratio ' + replace(format(ratio, ',.4~r'), /,/g, '\u202f')")
        ),
        description="Sixteen small dials in four rows, each with its number, 0 to 15, in the "
        "middle and one hand that starts at the top. A hand is green while it has turned by "
        "less than half a turn since position 0, and orange after that. At position 50 and "
        "base 10000 the first five hands are orange, and from dial to dial the hand has turned "
        "less. Sliders set the position and the base; a check box, when cleared, leaves out "
        "the division of the exponent by d, and then all hands but the first stand still at "
        "the top.",
    )
