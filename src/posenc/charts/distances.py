"""The charts of notebook 06: what a hand adds to a product, and how the sum falls."""

import altair as alt

from posenc.charts.components import (
    angular_frequency,
    choice,
    finish,
    rounded,
    slider,
    thousands,
    tooltips,
)
from posenc.charts.dials import NAME, Dials, meanings
from posenc.encodings import angular_frequencies
from posenc.palette import GRAY, OFFSET, PLAIN, POSITION, SHIFTED

PAIRS, SHOWN_PAIR = 128, 20
_SPEED = angular_frequencies(2 * PAIRS)[SHOWN_PAIR]

_DIAL = Dials(margin=1.16)
_NOW, _THEN, _CHORD, _SHADOW = "at position t", "at position t + φ", "chord", "shadow"
_LOOKS = (
    [POSITION, SHIFTED, OFFSET, GRAY],
    ["circle", "square", "M-1.2,-0.15H1.2V0.15H-1.2Z", "M-1.2,-0.45H1.2V0.45H-1.2Z"],
)


def chord():
    """Draw a hand at two positions, the chord between its tips, and the shadow of one on the other.

    Chord and shadow are what the hand adds to the distance and to the product of both positions.
    """
    start, turn = f"({_SPEED:.9g} * position)", f"({_SPEED:.9g} * offset)"
    color, shape = meanings(_NOW, _THEN, _CHORD, _SHADOW, looks=_LOOKS)
    hands = alt.Chart(alt.sequence(2, as_="later")).transform_calculate(
        what=f"datum.later ? '{_THEN}' : '{_NOW}'",
        angle=f"{start} + datum.later * {turn}",
        degrees="datum.angle * 180 / PI",
    )
    # What belongs to the position t is drawn broader, and so it shows when φ is 0.
    broad = alt.condition("datum.later", alt.value(2.5), alt.value(5))
    large = alt.condition("datum.later", alt.value(70), alt.value(180))
    tips = _DIAL.tips(hands, "datum.angle")
    tips = tips.encode(color, shape, size=large, tooltip=tooltips("what:N", degrees=".1f"))
    arc = alt.Chart(alt.sequence(1)).transform_calculate(what=f"'{_CHORD}'")
    shadow = alt.Chart(alt.sequence(1)).transform_calculate(what=f"'{_SHADOW}'")
    lines = (
        f"'offset ' + format(offset, '.3~r') + ': the hand has turned by '"
        f" + {rounded(f'{turn} * 180 / PI', 1)} + '°'",
        f"'shadow ' + {rounded(f'cos{turn}', 3)} + ', chord ' + {rounded(_chord(turn), 3)}"
        f" + ', chord² ' + {rounded(f'pow({_chord(turn)}, 2)', 3)}",
    )
    return finish(
        alt.layer(
            *_DIAL.rims(),
            _line(shadow, (start, f"cos{turn}"), (0, 0), strokeWidth=11).encode(color),
            _line(shadow, (f"{start} + {turn}", 1), (start, f"cos{turn}"), strokeWidth=1.5).encode(
                color
            ),
            _line(arc, (start, 1), (f"{start} + {turn}", 1), strokeWidth=3).encode(color),
            _DIAL.hands(hands, "datum.angle", aria=False).encode(color, strokeWidth=broad),
            tips,
        ),
        slider("position", "position t", 3, greatest=60, step=0.5, per_second=3),
        slider("offset", "offset φ", 4, least=-26, greatest=26, step=0.5, per_second=3),
        name=NAME,
        size=(300, 300),
        title=alt.Title(alt.expr(f"[{', '.join(lines)}]"), lineHeight=18, offset=12),
        description=f"""
        A dial with a green hand at position t and an orange hand at position t + φ: hand
        {SHOWN_PAIR} of an encoding of width {2 * PAIRS}, which turns by 13.6 degrees a position.
        A pink line, the chord, joins their tips. A thin gray line drops from the orange tip at a
        right angle onto the line of the green hand, and a thick gray bar along the green hand
        reaches from the axle to there: the shadow. It lies on the far side of the axle when
        the hands are more than a quarter turn apart. The slider of the position turns all of it
        and changes neither length; the slider of the offset φ changes both. At offset 4 the hand
        has turned by 54.3 degrees, the shadow is 0.583 and the square of the chord 0.834.
        """,
    )


def _chord(turn):
    """Return the expression of the length of a chord."""
    return f"abs(2 * sin({turn} / 2))"


def _line(chart, start, end, **style):
    """Return a straight line from one place on the dial to another: their angles and radii."""
    (angle, tip), (other, radius) = start, end
    x, y = f"{radius} * sin({other})", f"{radius} * cos({other})"
    line = _DIAL.place(chart, angle, tip).transform_calculate(x2=x, y2=y)
    return line.mark_rule(aria=False, **style).encode(x2="x2", y2="y2")


# Powers of ten: of the bases, and between two points of the curve of means.
BASES = {"100": 2, "10\u202f000": 4, "100\u202f000\u202f000": 8}
_STEP, _FARTHEST = 0.02, 4


def falling():
    """Draw how far each of 128 hands agrees with itself at an offset, and the mean of all.

    A gray curve is that of a tenth of the offset, moved by as many hands as a slider says.
    """
    offset, tenth = _number("pow(10, power)"), _number("pow(10, power - 1)")
    match = "(moved * digits == 128 ? ': they match' : '')"
    lines = (
        f"'pink: offset ' + {offset} + ', mean ' + {rounded('average', 2)}",
        f"'gray: offset ' + {tenth} + ', ' + moved + ' hands on' + {match}",
    )
    powers = " : ".join(f"base == '{base}' ? {digits}" for base, digits in BASES.items())
    cosines = " + ".join(f"cos(pow(10, power - digits * {k} / {PAIRS}))" for k in range(PAIRS))
    return finish(
        alt.vconcat(_curves(), _means(), spacing=18),
        slider(
            "power",
            "offset, 10 to the power",
            1,
            greatest=_FARTHEST,
            step=_STEP,
            per_second=0.4,
        ),
        slider("moved", "move the gray curve by (hands)", 0, greatest=64),
        choice("base", "base", BASES, "10\u202f000"),
        alt.param("digits", expr=f"{powers} : 4"),
        alt.param("average", expr=f"({cosines}) / {PAIRS}"),
        title=alt.Title(alt.expr(f"[{', '.join(lines)}]"), lineHeight=18, offset=10),
        description=f"""
        Two charts, one above the other. Above, {PAIRS} pink dots joined by a line, one for each
        hand of an encoding of width {2 * PAIRS} from the fastest to the slowest; the height of a
        dot, from minus 1 to 1, is the cosine of the angle by which its hand turns over an offset.
        At the left the dots swing up and down, and from some hand on they rise to 1 and stay there.
        A broad gray curve is the same for a tenth of the offset. Below, the mean of the dots
        against the offset, from 1 to 10 000 on a logarithmic axis, drawn as far as the offset on
        the slider, which is 10 at first, with a mean of 0.68. The slider of the offset moves the
        pink curve to the right and draws the curve of means, another slider moves the gray curve
        to the right, and a list changes the base. It says above how far the gray curve is moved,
        and whether it matches the pink one.
        """,
    )


def _number(number):
    """Return the expression of an offset as the course writes it, with spaces from 10 000 on."""
    short = f"format({number}, {number} < 9.95 ? '.2~r' : '.0f')"
    return f"({number} < 9999.5 ? {short} : {thousands(f'round({number})')})"


def _curves():
    """Return the cosines of all hands, with those of a tenth of the offset behind them."""
    x = alt.X("at:Q", title="hand k, from fast to slow").scale(domain=[-1, PAIRS], nice=False)
    y = alt.Y("cosine:Q", title="cosine of the turn").scale(domain=[-1.05, 1.05], nice=False)
    y = y.axis(values=[-1, 0, 1], format="d", grid=True)
    hands = alt.Chart(alt.sequence(PAIRS, as_="k"))
    frequency = angular_frequency("datum.k", pairs=PAIRS, exponent="digits")
    pink = hands.transform_calculate(
        at="datum.k", turn=f"pow(10, power) * {frequency}", cosine="cos(datum.turn)"
    )
    gray = hands.transform_calculate(
        at="datum.k + moved", cosine=f"cos(pow(10, power - 1) * {frequency})"
    ).transform_filter(f"datum.at < {PAIRS}")
    line = {"order": False, "aria": False}
    dots = pink.mark_point(filled=True, size=18, color=OFFSET, opacity=1)
    told = tooltips(k=("hand k", None), turn=("turn in radians", ".4~r"), cosine=".3f")
    return alt.layer(
        gray.mark_line(color=GRAY, strokeWidth=6, opacity=0.5, strokeJoin="round", **line).encode(
            x, y
        ),
        pink.mark_line(color=OFFSET, strokeWidth=1.5, **line).encode(x, y),
        dots.encode(x, y, tooltip=told),
    ).properties(width=460, height=135)


def _means():
    """Return the means of the cosines, as far as the offset, and a dot at that offset."""
    x = alt.X("offset:Q", title="offset").scale(type="log", domain=[1, 10_000], nice=False)
    x = x.axis(values=[1, 10, 100, 1000, 10_000], labelExpr=_number("datum.value"), grid=True)
    y = alt.Y("mean:Q", title="mean of the cosines").scale(domain=[-0.25, 1], nice=False)
    y = y.axis(values=[-0.25, 0, 0.25, 0.5, 0.75, 1], format=".2f", grid=True)
    steps = alt.sequence(0, _FARTHEST + _STEP / 2, _STEP, as_="at")
    curve = (
        alt.Chart(steps)
        .transform_calculate(k=f"sequence({PAIRS})")
        .transform_flatten(["k"])
        .transform_calculate(cosine=f"cos(pow(10, datum.at - digits * datum.k / {PAIRS}))")
        .transform_aggregate(mean="mean(cosine)", groupby=["at"])
        .transform_calculate(offset="pow(10, datum.at)")
        .transform_filter(f"datum.at < power + {_STEP / 2}")
    )
    now = alt.Chart(alt.sequence(1)).transform_calculate(offset="pow(10, power)", mean="average")
    return alt.layer(
        curve.mark_line(color=PLAIN, aria=False).encode(x, y),
        now.mark_point(filled=True, size=110, color=OFFSET, opacity=1).encode(
            x, y, tooltip=tooltips(offset=",.4~r", mean=".3f")
        ),
    ).properties(width=460, height=135)
