"""The chart of notebook 04: hands of four pairs, and the arc that a shift turns them by."""

import altair as alt

from posenc.charts._slider import add_sliders, slider
from posenc.encodings import angular_frequencies
from posenc.palette import COLORS

# Four circles of radius 1 stand in two rows of two, their centers this far apart.
_APART = 2.75
_MARGIN = 1.12
_NOW, _THEN, _ARC = "at position t", "at position t + φ", "arc of ω φ"
_WHAT = [_NOW, _THEN, _ARC]
_LEGEND = alt.Legend(orient="bottom")
_GRAY = "#808080"
_SAMPLES = 61


def unit_circles(width=16, *, base=10_000.0):
    r"""Draw the first four pairs of an encoding as hands on unit circles.

    The position t and the offset φ are sliders. Each circle has a hand at t, a hand at t + φ and
    the arc from one to the other, which is :math:`\omega_k \varphi` long wherever t is. The sine
    is drawn to the right and the cosine upwards, so the hands turn like those of a clock.

    Parameters
    ----------
    width : int
        Numbers in one encoding, d; even, and at least 8 for four pairs.
    base : float
        Base of the angular frequencies; above 1.

    Returns
    -------
    altair.LayerChart
        Its parameters are ``position`` and ``offset``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> [parameter.name for parameter in unit_circles().params]
    ['position', 'offset']
    """
    frequencies = angular_frequencies(width, base=base)[:4]
    if len(frequencies) < 4:
        raise ValueError(f"width must be at least 8 for four pairs, got {width}")
    sliders = [
        slider("position", "position t", 3, greatest=60, step=0.5, per_second=3),
        slider("offset", "offset φ", 4, least=-10, greatest=10, step=0.5, per_second=2),
    ]
    speeds = f"[{', '.join(repr(float(frequency)) for frequency in frequencies)}]"
    layers = [
        _outlines(speeds),
        _arcs(speeds),
        _hand(speeds, _NOW, 5),
        _hand(speeds, _THEN, 2),
        _tips(speeds),
        _arrowheads(speeds),
        _caption(speeds, 0),
        _caption(speeds, 2),
    ]
    return (
        add_sliders(alt.layer(*layers), *sliders)
        .resolve_axis(x="independent")
        .properties(
            width=460,
            height=460,
            title="Each hand: sine to the right, cosine upwards",
            description=(
                "Four unit circles, one for each of the first four pairs of an encoding of width "
                f"{width}. On each circle one hand points at position t, another at position "
                "t + φ, and an arc with an arrowhead runs from the first to the second, clockwise "
                "for a positive offset. The arc of a faster pair is longer. The slider of the "
                "position moves both hands of a circle together and leaves the length of every "
                "arc as it is; the slider of the offset changes the arcs and moves only the "
                "second hand. The angle of each arc, in degrees, is written above its circle."
            ),
        )
    )


def _rows(speeds, count, samples):
    """Start a layer from `count` rows for each of the pairs, `samples` points to a line."""
    return (
        alt.Chart(alt.sequence(0, 4 * count, 1, as_="row"))
        .transform_calculate(pair=f"floor(datum.row / {count})")
        .transform_calculate(
            speed=f"{speeds}[datum.pair]",
            sample=f"datum.row % {samples} / {max(1, samples - 1)}",
            right=f"{_APART} * (datum.pair % 2)",
            up=f"-{_APART} * floor(datum.pair / 2)",
        )
    )


def _at(chart, angle, radius):
    """Place the rows of a layer by an angle from the top, clockwise, and a radius."""
    return (
        chart.transform_calculate(angle=angle, radius=radius)
        .transform_calculate(
            x="datum.right + datum.radius * sin(datum.angle)",
            y="datum.up + datum.radius * cos(datum.angle)",
        )
        .encode(x=_across(), y=_upwards(), detail="pair:N")
    )


def _across(axis=None):
    return alt.X("x:Q", axis=axis, scale=alt.Scale(domain=[-_MARGIN, _APART + _MARGIN], nice=False))


def _upwards():
    return alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-_APART - _MARGIN, _MARGIN], nice=False))


def _color():
    return alt.Color(
        "what:N",
        title=None,
        scale=alt.Scale(domain=_WHAT, range=list(COLORS[:3])),
        legend=_LEGEND,
    )


def _shape():
    return alt.Shape(
        "what:N",
        title=None,
        scale=alt.Scale(domain=_WHAT, range=["circle", "square", "triangle-up"]),
        legend=_LEGEND,
    )


def _outlines(speeds):
    return _at(_rows(speeds, _SAMPLES, _SAMPLES), "2 * PI * datum.sample", "1").mark_line(
        color=_GRAY, strokeWidth=1, order=False, aria=False
    )


# A turn moves the arc outwards a little, so that more than one of them can be seen.
_ARC_RADIUS = "0.5 + 0.07 * abs(offset) * datum.speed * datum.sample / (2 * PI)"
_ARC_ANGLE = "datum.speed * (position + offset * datum.sample)"


def _arcs(speeds):
    chart = _rows(speeds, _SAMPLES, _SAMPLES).transform_calculate(what=f"'{_ARC}'")
    return (
        _at(chart, _ARC_ANGLE, _ARC_RADIUS)
        .mark_line(order=False, aria=False)
        .encode(color=_color())
    )


def _arrowheads(speeds):
    chart = (
        _rows(speeds, 1, 1)
        .transform_calculate(sample="1", what=f"'{_ARC}'")
        .transform_filter("offset != 0")
        .transform_calculate(
            heading=f"({_ARC_ANGLE}) * 180 / PI + (offset > 0 ? 90 : -90)",
        )
    )
    return (
        _at(chart, _ARC_ANGLE, _ARC_RADIUS)
        .mark_point(shape="triangle", size=60, filled=True, opacity=1, aria=False)
        .encode(color=_color(), angle=alt.Angle("heading:Q", scale=None))
    )


def _two_hands(speeds, samples):
    return (
        _rows(speeds, 2 * samples, samples)
        .transform_calculate(shifted=f"floor(datum.row / {samples}) % 2")
        .transform_calculate(
            at="position + datum.shifted * offset",
            what=f"datum.shifted ? '{_THEN}' : '{_NOW}'",
        )
    )


# What belongs to the position t is drawn broader, and so it shows when φ is 0.
def _hand(speeds, what, stroke_width):
    hands = _two_hands(speeds, 2).transform_filter(f"datum.what == '{what}'")
    return (
        _at(hands, "datum.speed * datum.at", "datum.sample")
        .mark_line(order=False, aria=False, strokeWidth=stroke_width)
        .encode(color=_color())
    )


def _tips(speeds):
    chart = _two_hands(speeds, 1).transform_calculate(
        sine="sin(datum.speed * datum.at)", cosine="cos(datum.speed * datum.at)"
    )
    chart = chart.transform_calculate(
        words="'pair ' + datum.pair + ' ' + datum.what + ': sine ' + format(datum.sine, '.4f')"
        " + ', cosine ' + format(datum.cosine, '.4f')"
    )
    return (
        _at(chart, "datum.speed * datum.at", "1")
        .mark_point(filled=True, opacity=1)
        .encode(
            color=_color(),
            shape=_shape(),
            size=alt.condition(f"datum.what == '{_NOW}'", alt.value(180), alt.value(70)),
            description="words:N",
            tooltip=[
                alt.Tooltip("pair:Q", title="pair k"),
                alt.Tooltip("at:Q", title="position", format=".1f"),
                alt.Tooltip("sine:Q", format=".4f"),
                alt.Tooltip("cosine:Q", format=".4f"),
            ],
        )
    )


def _caption(speeds, first):
    """Write the angles of two arcs above their circles.

    They are the labels of an axis, which take the colors of the page as no text mark would.
    """
    pair = f"({first} + (datum.value > 0 ? 1 : 0))"
    axis = alt.Axis(
        orient="top",
        # The lower row stands where the upper one does, moved down by the distance of the rows.
        offset=alt.ExprRef(f"-height * {first // 2 * _APART / (_APART + 2 * _MARGIN)}"),
        description=f"Angles by which pairs {first} and {first + 1} turn",
        values=[0, _APART],
        labelExpr=(
            f"'pair ' + {pair} + ' turns ' + "
            f"format({speeds}[{pair}] * offset * 180 / PI, '.1f') + '°'"
        ),
        title=None,
        domain=False,
        ticks=False,
        grid=False,
        labelLimit=230,
    )
    return (
        _rows(speeds, 1, 1)
        .mark_point(opacity=0, aria=False, tooltip=None)
        .encode(x=alt.X("right:Q", axis=axis), y=alt.Y("up:Q"))
    )
