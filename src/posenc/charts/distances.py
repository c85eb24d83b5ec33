"""The charts of notebook 06: a walk down the table, what a hand adds, and how the sum falls."""

import math

import altair as alt

from posenc.charts import components as parts
from posenc.charts.canvas import NAME
from posenc.charts.components import angular_frequency as frequency
from posenc.charts.components import axis, finish, rounded, rows, said, slider, title, tooltips
from posenc.charts.dials import Dials
from posenc.encodings import angular_frequencies
from posenc.palette import GRAY, OFFSET, PLAIN, POSITION, SHIFTED

PAIRS, SHOWN_PAIR = 128, 20
_SPEED = angular_frequencies(2 * PAIRS)[SHOWN_PAIR]

_DIAL = Dials(margin=1.16)
_NOW, _THEN, _CHORD, _SHADOW = "at position t", "at position t + φ", "chord", "shadow"
_DROP = "right angle"
_BARS = [f"M-1.2,-{half}H1.2V{half}H-1.2Z" for half in (0.15, 0.4, 0.06)]
_LOOKS = (POSITION, SHIFTED, OFFSET, GRAY, GRAY), ("circle", "square", *_BARS)

# Rows to walk on from: where the first hand is nearly back and where the slowest is, and others.
STOPS = {"0": 0, "710": 710, "1000": 1000, "10,000": 10_000, "58,470": 58_470, "62,832": 62_832}
_FARTHEST_WALK = 40
_WALKED = Dials(4, 2, apart=3.2, margin=1.3)
_WALKERS = [round(step * (PAIRS - 1) / 7) for step in range(8)]


def walk():
    """Draw eight of 128 hands at a row, and how far that row and those near it are from row 0."""
    hands = rows(len(_WALKERS), "dial").transform_calculate(
        k=f"{_WALKERS}[datum.dial]",
        angle=f"here * {frequency('datum.k', pairs=PAIRS)}",
    )
    tooltip = tooltips(k=("hand k", None))
    layers = (
        *_WALKED.rims(),
        _WALKED.hands(hands, "datum.angle", stroke=POSITION, strokeWidth=4),
        _WALKED.tips(hands, "datum.angle", size=90, color=POSITION).encode(tooltip=tooltip),
        _WALKED.names(hands, "'hand ' + datum.k"),
    )
    dials = alt.layer(*layers, **_WALKED.shape(430))
    first, last = (f"here * {frequency(k, pairs=PAIRS)}" for k in (0, PAIRS - 1))
    row, marks = "format(round(10 * here) / 10, ',')", (_degrees(first), _degrees(last))
    lines = (
        said("row {}: {} away from row 0", row, "format(apart, '.2f')"),
        said(f"from the mark: hand 0 {{}}, hand {PAIRS - 1} {{}}", *marks),
    )
    far = {"greatest": _FARTHEST_WALK, "step": 0.1, "per_second": 2.5}
    stops = " : ".join(f"start == '{name}' ? {row}" for name, row in STOPS.items())
    return finish(
        alt.vconcat(dials, _way(), spacing=18),
        parts.choice("start", "start at row", STOPS),
        slider("walked", "and walk on (rows)", 4, **far),
        alt.param("first", expr=f"{stops} : 0"),
        alt.param("here", expr="first + walked"),
        alt.param("apart", expr=_distance("here")),
        title=title(*lines, lineHeight=18, offset=10),
        description=f"""
        Above, eight dials with a green hand each: hands {", ".join(map(str, _WALKERS[:-1]))} and
        {_WALKERS[-1]} of an encoding of width {2 * PAIRS}, from the fastest to the slowest, at the
        row that a list and a slider choose. All stand at the mark at twelve in row 0. Below, the
        distance from row 0, on a scale from 0 to 18, for that row as a dot and for the
        {_FARTHEST_WALK} rows after the row in the list as a line. From row 0 the line climbs from
        0 to 2.67 in one step and to 11 in 40. From any other row in the list, up to 62,832, it
        wanders between 13 and 18 and never comes near 0. It says above how far the dot is from
        row 0, and by how many degrees the first and the last hand miss the mark.
        """,
    )


def _degrees(angle):
    """Return the expression of how far an angle is from whole turns, as a text in degrees."""
    degrees = f"abs(atan2(sin({angle}), cos({angle})) * 180 / PI)"
    return f"format({degrees}, {degrees} < 1 ? '.2~r' : '.0f') + '°'"


def _distance(position):
    """Return the expression of a row's distance from row 0."""
    parts = (f"pow(sin({position} * {10_000 ** (-k / PAIRS):.15g} / 2), 2)" for k in range(PAIRS))
    return f"2 * sqrt({' + '.join(parts)})"


def _way():
    """Return the distances of the rows to walk along, and of the row that's been reached."""
    x = axis(alt.X, "walked", "rows walked from there", [0, _FARTHEST_WALK])
    marks = [0, 5, 10, 15]
    y = axis(alt.Y, "distance", "distance from row 0", [0, 18], values=marks, grid=True)
    way = rows(_FARTHEST_WALK + 1, "walked", distance=_distance("(first + datum.walked)"))
    now = rows(1, walked="walked", distance="apart").encode(tooltip=tooltips(distance=".2f"))
    return alt.layer(
        way.mark_line(color=PLAIN).encode(x, y),
        now.mark_point(filled=True, size=110, color=POSITION).encode(x, y),
    ).properties(width=430, height=110)


def chord():
    """Draw a hand at two positions, the chord between its tips, and the shadow of one on the other.

    Chord and shadow are what the hand adds to the distance and to the product of both positions.
    """
    start, turn = f"({_SPEED:.9g} * position)", f"({_SPEED:.9g} * offset)"
    names = _NOW, _THEN, _CHORD, _SHADOW, _DROP
    color, shape = parts.meanings("what", names, *_LOOKS, columns=3)
    hands = rows(2, "later").transform_calculate(
        what=f"datum.later ? '{_THEN}' : '{_NOW}'",
        angle=f"{start} + datum.later * {turn}",
        degrees="datum.angle * 180 / PI",
    )
    looks = color, shape, "datum.later", (2.5, 5), (70, 180)
    tooltip = tooltips("what:N", degrees=".1f")
    hands, tips = _DIAL.pointers(hands, "datum.angle", *looks, tooltip=tooltip)

    def line(what, start, end, thickness):
        """Return a straight line from a place on the dial to another: their angles and radii."""
        look = {"strokeWidth": thickness, "strokeCap": "butt"}
        return _DIAL.lines(rows(1, what=f"'{what}'"), start, end, **look).encode(color)

    later, corner = (f"{start} + {turn}", 1), (start, f"cos{turn}")
    degrees, chord = rounded(f"{turn} * 180 / PI", 1), f"abs(2 * sin({turn} / 2))"
    lengths = (rounded(length, 3) for length in (f"cos{turn}", chord, f"pow({chord}, 2)"))
    lines = (
        said("offset {}: the hand has turned by {}°", "format(offset, '.3~r')", degrees),
        said("shadow {}, chord {}, chord² {}", *lengths),
    )
    return finish(
        alt.layer(
            *_DIAL.rims(),
            line(_SHADOW, corner, (0, 0), 9),
            line(_DROP, later, corner, 1.5),
            hands,
            # When the hands are opposite, the chord runs along them.
            line(_CHORD, (start, 1), later, 3),
            tips,
        ),
        slider("position", "position t", 3, greatest=60, step=0.5, per_second=3),
        slider("offset", "offset φ", 4, least=-26, greatest=26, step=0.5, per_second=3),
        name=NAME,
        size=(300, 300),
        title=title(*lines, lineHeight=18, offset=12),
        description=f"""
        A dial with a green hand at position t and an orange hand at position t + φ: hand
        {SHOWN_PAIR} of an encoding of width {2 * PAIRS}, which turns by 13.6 degrees per position.
        A pink line, the chord, joins their tips. A thin gray line drops from the orange tip at a
        right angle onto the line of the green hand, and a thick gray bar along the green hand
        reaches from the axle to there: the shadow. It lies on the far side of the axle when
        the hands are more than a quarter turn apart. The slider of the position turns all of it
        and changes neither length; the slider of the offset φ changes both. At offset 4 the hand
        has turned by 54.3 degrees, the shadow is 0.583 and the square of the chord 0.834.
        """,
    )


# Powers of ten: of the bases, and between two points of the curve of means.
BASES = {"100": 2, "10,000": 4, "100,000,000": 8}
_STEP, _FARTHEST = 0.02, 4
# The curve of means is drawn at fractional offsets, then at whole ones, then as a band of these.
_WHOLE, _BAND, _BIN = 32, 200, 0.04


def falling():
    """Draw how far each of 128 hands agrees with itself at an offset, and the mean of all."""
    pink, gray = _number("pow(10, power)"), _number("pow(10, power - 1)")
    lines = (
        said("pink curve: offset {}, likeness {}", pink, rounded("average", 2)),
        said("gray curve: offset {}, pushed {} hands", gray, "moved"),
    )
    powers = {"greatest": _FARTHEST, "step": _STEP, "per_second": 0.4}
    digits = " : ".join(f"base == '{base}' ? {ten}" for base, ten in BASES.items())
    return finish(
        alt.vconcat(_curves(), _means(), spacing=18),
        slider("power", "offset as a power of ten (2 is 100)", 1, **powers),
        slider("moved", "push the gray curve (hands)", 0, greatest=64),
        parts.choice("base", "base", BASES, "10,000"),
        alt.param("digits", expr=f"{digits} : 4"),
        alt.param("average", expr=_mean("pow(10, power)")),
        title=title(*lines, lineHeight=18, offset=10),
        description=f"""
        Two charts, one above the other. Above, {PAIRS} pink dots joined by a line, one for each
        hand of an encoding of width {2 * PAIRS} from the fastest to the slowest; the height of a
        dot, from minus 1 to 1, is the cosine of the angle by which its hand turns over an offset.
        At the left the dots swing up and down, and from some hand on they rise to 1 and stay there.
        A broad gray curve is the same for a tenth of the offset. Below, the mean of the dots, their
        likeness, against the offset, from 1 to 10,000 on a logarithmic axis, drawn as far as the
        offset on the slider, which is 10 at first, with a likeness of 0.68. From {_BAND} on it is
        a band, from the lowest to the highest of neighboring offsets. The slider of the offset
        moves the pink curve to the right and draws the lower one, another slider pushes the gray
        curve to the right, and a list changes the base.
        """,
    )


def _number(number):
    """Return the expression of an offset as a text."""
    return f"format({number}, {number} < 9.95 ? '.2~r' : {number} < 9999.5 ? '.0f' : ',.0f')"


def _mean(offset):
    """Return the expression of the mean of all hands' cosines at an offset."""
    parts = (f"cos({offset} * pow(10, -digits * {k / PAIRS}))" for k in range(PAIRS))
    return f"({' + '.join(parts)}) / {PAIRS}"


def _curves():
    """Return the cosines of all hands, with those of a tenth of the offset behind them."""
    x = axis(alt.X, "at", "hand k, from fast to slow", [-1, PAIRS])
    look = {"values": [-1, 0, 1], "format": "d", "grid": True}
    y = axis(alt.Y, "cosine", "cosine of the turn", [-1.05, 1.05], **look)
    hands = rows(PAIRS, "k")
    speed = frequency("datum.k", pairs=PAIRS, exponent="digits")
    pink = hands.transform_calculate(
        at="datum.k", turn=f"pow(10, power) * {speed}", cosine="cos(datum.turn)"
    )
    gray = hands.transform_calculate(
        at="datum.k + moved", cosine=f"cos(pow(10, power - 1) * {speed})"
    ).transform_filter(f"datum.at < {PAIRS}")
    broad = {"strokeWidth": 6, "opacity": 0.5, "strokeJoin": "round"}
    dots = pink.mark_point(filled=True, size=18, color=OFFSET)
    tooltip = tooltips(k=("hand k", None), turn=("turn in radians", ".4~r"), cosine=".3f")
    return alt.layer(
        gray.mark_line(color=GRAY, order=False, **broad).encode(x, y),
        pink.mark_line(color=OFFSET, order=False, strokeWidth=1.5).encode(x, y),
        dots.encode(x, y, tooltip=tooltip),
    ).properties(width=460, height=135)


def _means():
    """Return the means of the cosines, as far as the offset, and a dot at that offset."""
    look = {"values": [1, 10, 100, 1000, 10_000], "labelExpr": _number("datum.value")}
    x = axis(alt.X, "offset", "offset", [1, 10_000], scale="log", grid=True, **look)
    look = {"values": [-0.25, 0, 0.25, 0.5, 0.75, 1], "format": ".2f", "labelOverlap": False}
    y, low = (axis(alt.Y, field, "likeness", [-0.25, 1], **look) for field in ("mean", "low"))
    fractional = math.ceil(math.log10(_WHOLE) / _STEP)
    offset = (
        f"datum.i < {fractional} ? pow(10, {_STEP} * datum.i) : datum.i + {_WHOLE - fractional}"
    )
    offsets = rows(fractional + 10**_FARTHEST - _WHOLE + 1, "i", offset=offset)
    offsets = offsets.transform_calculate(mean=_mean("datum.offset"))
    reached = f"datum.offset < pow(10, power + {_STEP / 2})"
    line = offsets.transform_filter(f"datum.offset <= {_BAND} && {reached}")
    # Beyond, a ripple is narrower than the line.
    band = offsets.transform_filter(f"datum.offset >= {_BAND}")
    band = band.transform_calculate(bin=f"{_BIN} * round(log(datum.offset) / LN10 / {_BIN})")
    band = band.transform_aggregate(low="min(mean)", high="max(mean)", groupby=["bin"])
    band = band.transform_calculate(offset=f"max({_BAND}, pow(10, datum.bin))")
    band = band.transform_filter(reached).mark_area(color=PLAIN, line=False, opacity=1, aria=False)
    now = rows(1, offset="pow(10, power)", mean="average")
    now = now.mark_point(filled=True, size=110, color=OFFSET)
    return alt.layer(
        line.mark_line(color=PLAIN, strokeWidth=1.5).encode(x, y),
        band.encode(x, low, y2="high:Q"),
        now.encode(x, y, tooltip=tooltips(offset=",.4~r", mean=".3f")),
    ).properties(width=460, height=135)
