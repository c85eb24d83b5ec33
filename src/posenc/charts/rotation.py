"""The chart of notebook 04: hands of four pairs, and the arc that a shift turns them by."""

import altair as alt

from posenc.charts.components import angular_frequency, finish, slider, tooltips
from posenc.charts.dials import Dials, meanings

WIDTH = 16
_DIALS = Dials(2, 2)
_NOW, _THEN, _ARC = "at position t", "at position t + φ", "arc of ω φ"


def unit_circles():
    r"""Draw the first four pairs of an encoding of width 16 as hands on unit circles.

    The arc from the hand at t to the one at t + φ is :math:`\omega_k \varphi` long wherever t is.
    """
    color, shape = meanings(_NOW, _THEN, _ARC)
    degrees = "format(datum.speed * offset * 180 / PI, '.1f')"
    words = f"'pair ' + datum.dial + ' turns ' + {degrees} + '°'"
    arcs = _pairs().transform_calculate(what=f"'{_ARC}'").encode(color)
    layers = (
        *_DIALS.rims(),
        *_DIALS.arcs(arcs, "datum.speed * position", "datum.speed * offset"),
        *_hands(color, shape),
        _DIALS.names(_pairs(), words),
    )
    return finish(
        alt.layer(*layers),
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


def _pairs(each=1):
    """Return a chart of the four pairs, `each` rows for one, and how fast they turn."""
    return alt.Chart(alt.sequence(4 * each, as_="row")).transform_calculate(
        dial=f"floor(datum.row / {each})",
        speed=angular_frequency("datum.dial", width=WIDTH),
        step=f"datum.row % {each}",
    )


def _hands(color, shape):
    """Return the hands at t and at t + φ, and their tips, which tell where they point."""
    hands = _pairs(2).transform_calculate(
        at="position + datum.step * offset",
        what=f"datum.step ? '{_THEN}' : '{_NOW}'",
        angle="datum.speed * datum.at",
        sine="sin(datum.angle)",
        cosine="cos(datum.angle)",
    )
    # What belongs to the position t is drawn broader, and so it shows when φ is 0.
    lines = _DIALS.hands(hands, "datum.angle", aria=False)
    lines = lines.encode(
        color, strokeWidth=alt.condition("datum.step", alt.value(2.5), alt.value(5))
    )
    told = {"dial": ("pair k", None), "at": ("position", ".1f"), "sine": ".4f", "cosine": ".4f"}
    size = alt.condition("datum.step", alt.value(70), alt.value(180))
    tips = _DIALS.tips(hands, "datum.angle")
    return lines, tips.encode(color, shape, size=size, tooltip=tooltips(**told))
