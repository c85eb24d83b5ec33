"""The chart of notebook 04: hands of four pairs, and the arc that a shift turns them by."""

import altair as alt

from posenc.charts.components import GRAY, tooltips
from posenc.charts.controls import finish, slider
from posenc.encodings import angular_frequencies
from posenc.palette import COLORS

WIDTH = 16
_SPEEDS = angular_frequencies(WIDTH)[:4].tolist()
# Four circles of radius 1 stand in two rows of two, their centers this far apart.
_APART = 2.75
_MARGIN = 1.12
_NOW, _THEN, _ARC = "at position t", "at position t + φ", "arc of ω φ"
_SAMPLES = 61
_ARC_ANGLE = "datum.speed * (position + offset * datum.sample)"
# A turn moves the arc outwards a little, so that more than one of them can be seen.
_ARC_RADIUS = "0.5 + 0.07 * abs(offset) * datum.speed * datum.sample / (2 * PI)"
_SILENT = {"order": False, "aria": False}


def unit_circles():
    r"""Draw the first four pairs of an encoding of width 16 as hands on unit circles.

    The position t and the offset φ are sliders. Each circle has a hand at t, a hand at t + φ and
    the arc from one to the other, which is :math:`\omega_k \varphi` long wherever t is. The sine
    is drawn to the right and the cosine upwards, so the hands turn like those of a clock. The
    sliders are ``position`` and ``offset``.
    """
    circles = _at(_rows(_SAMPLES, _SAMPLES), "2 * PI * datum.sample", "1")
    circles = circles.mark_line(color=GRAY, strokeWidth=1, **_SILENT)
    # What belongs to the position t is drawn broader, and so it shows when φ is 0.
    hands = _hand(_NOW, 5), _hand(_THEN, 2), _tips()
    layers = circles, _arc(), *hands, _arrowheads(), _caption(0), _caption(2)
    return finish(
        alt.layer(*layers).resolve_axis(x="independent"),
        slider("position", "position t", 3, greatest=60, step=0.5, per_second=3),
        slider("offset", "offset φ", 4, least=-10, greatest=10, step=0.5, per_second=2),
        size=(460, 460),
        title="Each hand: sine to the right, cosine upwards",
        description=f"""
        Four unit circles, one for each of the first four pairs of an encoding of width {WIDTH}. On
        each circle one hand points at position t, another at position t + φ, and an arc with an
        arrowhead runs from the first to the second, clockwise for a positive offset. The arc of a
        faster pair is longer. The slider of the position moves both hands of a circle together and
        leaves the length of every arc as it is; the slider of the offset changes the arcs and moves
        only the second hand. The angle of each arc, in degrees, is written above its circle.
        """,
    )


def _rows(count, samples=1):
    """Start a layer from `count` rows for each of the pairs, `samples` points to a line."""
    rows = alt.Chart(alt.sequence(0, 4 * count, 1, as_="row"))
    return rows.transform_calculate(pair=f"floor(datum.row / {count})").transform_calculate(
        speed=f"{_SPEEDS}[datum.pair]",
        sample=f"datum.row % {samples} / {max(1, samples - 1)}",
        right=f"{_APART} * (datum.pair % 2)",
        up=f"-{_APART} * floor(datum.pair / 2)",
    )


def _at(rows, angle, radius):
    """Place the rows of a layer by an angle from the top, clockwise, and a radius."""
    x, y = alt.X("x:Q", axis=None), alt.Y("y:Q", axis=None)
    return (
        rows.transform_calculate(angle=angle, radius=radius)
        .transform_calculate(
            x="datum.right + datum.radius * sin(datum.angle)",
            y="datum.up + datum.radius * cos(datum.angle)",
        )
        .encode(
            x.scale(domain=[-_MARGIN, _APART + _MARGIN], nice=False),
            y.scale(domain=[-_APART - _MARGIN, _MARGIN], nice=False),
            detail="pair:N",
        )
    )


def _color():
    color = alt.Color("what:N", title=None).legend(orient="bottom")
    return color.scale(domain=[_NOW, _THEN, _ARC], range=list(COLORS[:3]))


def _arc():
    arc = _rows(_SAMPLES, _SAMPLES).transform_calculate(what=f"'{_ARC}'")
    return _at(arc, _ARC_ANGLE, _ARC_RADIUS).mark_line(**_SILENT).encode(_color())


def _arrowheads():
    heading = f"({_ARC_ANGLE}) * 180 / PI + (offset > 0 ? 90 : -90)"
    ends = _rows(1).transform_calculate(sample="1", what=f"'{_ARC}'")
    ends = ends.transform_filter("offset != 0").transform_calculate(heading=heading)
    heads = _at(ends, _ARC_ANGLE, _ARC_RADIUS)
    heads = heads.mark_point(shape="triangle", size=60, filled=True, opacity=1, aria=False)
    return heads.encode(_color(), alt.Angle("heading:Q", scale=None))


def _both_hands(samples):
    hands = _rows(2 * samples, samples)
    hands = hands.transform_calculate(shifted=f"floor(datum.row / {samples}) % 2")
    return hands.transform_calculate(
        at="position + datum.shifted * offset", what=f"datum.shifted ? '{_THEN}' : '{_NOW}'"
    )


def _hand(what, stroke_width):
    hands = _both_hands(2).transform_filter(f"datum.what == '{what}'")
    hands = _at(hands, "datum.speed * datum.at", "datum.sample")
    return hands.mark_line(strokeWidth=stroke_width, **_SILENT).encode(_color())


def _tips():
    """Return the tips of all hands, which say where they point."""
    words = (
        "'pair ' + datum.pair + ' ' + datum.what + ': sine ' + format(datum.sine, '.4f')"
        " + ', cosine ' + format(datum.cosine, '.4f')"
    )
    angle = "datum.speed * datum.at"
    tips = _both_hands(1).transform_calculate(sine=f"sin({angle})", cosine=f"cos({angle})")
    tips = _at(tips.transform_calculate(words=words), angle, "1")
    shape = alt.Shape("what:N", title=None).legend(orient="bottom")
    told = {"pair": ("pair k", None), "at": ("position", ".1f"), "sine": ".4f", "cosine": ".4f"}
    return tips.mark_point(filled=True, opacity=1).encode(
        _color(),
        shape.scale(domain=[_NOW, _THEN, _ARC], range=["circle", "square", "triangle-up"]),
        size=alt.condition(f"datum.what == '{_NOW}'", alt.value(180), alt.value(70)),
        description="words:N",
        tooltip=tooltips(**told),
    )


def _caption(first):
    """Write the angles of two arcs above their circles.

    They are the labels of an axis, which take the colors of the page as no text mark would.
    """
    pair = f"({first} + (datum.value > 0 ? 1 : 0))"
    degrees = f"format({_SPEEDS}[{pair}] * offset * 180 / PI, '.1f')"
    # The lower row stands where the upper one does, moved down by the distance of the rows.
    down = f"-height * {first // 2 * _APART / (_APART + 2 * _MARGIN)}"
    x = alt.X("right:Q").axis(
        orient="top",
        offset=alt.ExprRef(down),
        description=f"Angles by which pairs {first} and {first + 1} turn",
        values=[0, _APART],
        labelExpr=f"'pair ' + {pair} + ' turns ' + {degrees} + '°'",
        labelLimit=230,
        title=None,
        **dict.fromkeys(["domain", "ticks", "grid"], False),
    )
    return _rows(1).mark_point(opacity=0, aria=False, tooltip=None).encode(x, alt.Y("up:Q"))
