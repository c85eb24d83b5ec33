"""The chart of notebook 04: hands of four pairs, and the arc that a shift turns them by."""

import altair as alt

from posenc.charts.components import angular_frequency, tooltips
from posenc.charts.controls import finish, slider
from posenc.charts.dials import Dials
from posenc.palette import COLORS

WIDTH = 16
_DIALS = Dials(2, 2, apart=2.75, margin=1.12)
_NOW, _THEN, _ARC = "at position t", "at position t + φ", "arc of ω φ"
_ARC_POINTS = 61


def unit_circles():
    r"""Draw the first four pairs of an encoding of width 16 as hands on unit circles.

    The arc from the hand at t to the one at t + φ is :math:`\omega_k \varphi` long wherever t is.
    """
    layers = _DIALS.rims(strokeWidth=1), *_arcs(), *_hands(), _captions()
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


def _style():
    """Return the color and the shape that tell what a mark is."""
    domain = [_NOW, _THEN, _ARC]
    color = alt.Color("what:N", title=None).scale(domain=domain, range=list(COLORS[:3]))
    shape = alt.Shape("what:N", title=None)
    shape = shape.scale(domain=domain, range=["circle", "square", "triangle-up"])
    return color.legend(orient="bottom"), shape.legend(orient="bottom")


def _arcs():
    """Return the arcs from one hand to the other, and their heads."""
    share = f"datum.step / {_ARC_POINTS - 1}"
    arcs = _pairs(_ARC_POINTS).transform_calculate(
        turned=f"datum.speed * offset * {share}",
        angle="datum.speed * position + datum.turned",
        # A turn moves the arc outwards a little, so that more than one of them can be seen.
        radius="0.5 + 0.07 * abs(datum.turned) / (2 * PI)",
        what=f"'{_ARC}'",
    )
    arcs = _DIALS.place(arcs, "datum.angle", "datum.radius").encode(_style()[0])
    heads = arcs.transform_filter(f"offset != 0 && {share} == 1")
    heads = heads.transform_calculate(heading="datum.angle * 180 / PI + (offset > 0 ? 90 : -90)")
    heads = heads.mark_point(shape="triangle", size=60, filled=True, opacity=1, aria=False)
    return (
        arcs.mark_line(order=False, aria=False).encode(detail="dial:N"),
        heads.encode(alt.Angle("heading:Q", scale=None)),
    )


def _hands():
    """Return the hands at t and at t + φ, and their tips, which tell where they point."""
    hands = _pairs(2).transform_calculate(
        at="position + datum.step * offset",
        what=f"datum.step ? '{_THEN}' : '{_NOW}'",
        angle="datum.speed * datum.at",
        sine="sin(datum.angle)",
        cosine="cos(datum.angle)",
    )
    color, shape = _style()
    # What belongs to the position t is drawn broader, and so it shows when φ is 0.
    lines = _DIALS.hands(hands, "datum.angle", 1, aria=False)
    lines = lines.encode(color, strokeWidth=alt.condition("datum.step", alt.value(2), alt.value(5)))
    tips = _DIALS.place(hands, "datum.angle", 1).mark_point(filled=True, opacity=1)
    told = {"dial": ("pair k", None), "at": ("position", ".1f"), "sine": ".4f", "cosine": ".4f"}
    size = alt.condition("datum.step", alt.value(70), alt.value(180))
    return lines, tips.encode(color, shape, size=size, tooltip=tooltips(**told))


def _captions():
    """Write the angles of the arcs above their circles."""
    degrees = "format(datum.speed * offset * 180 / PI, '.1f')"
    words = f"'pair ' + datum.dial + ' turns ' + {degrees} + '°'"
    captions = _DIALS.place(_pairs().transform_calculate(words=words), 0, 1.12)
    return captions.mark_text(fontSize=12, baseline="bottom", dy=-2).encode(text="words:N")
