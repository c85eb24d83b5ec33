"""The chart of notebook 06: how alike two positions are, against their offset."""

import altair as alt
import numpy as np

from posenc.charts.components import GRAY, angular_frequency, mark_best, tooltips
from posenc.charts.controls import finish, slider
from posenc.palette import COLORS

PRODUCT, DISTANCE, LAW = "product ÷ (d/2)", "distance ÷ √d", "logarithmic law"
LAST_OFFSET = 200

_X = alt.X("offset:Q", title="offset φ (positions)").scale(nice=False)


def profile():
    r"""Chart the product and the distance of two positions against their offset.

    .. math::

        \sum_k \cos \omega_k \varphi = \frac{d}{2} - 2 \sum_k \sin^2 (\omega_k \varphi / 2),
        \qquad \lVert PE[t + \varphi] - PE[t] \rVert = 2 \sqrt{\sum_k \sin^2 (\omega_k \varphi / 2)}

    Both are drawn relative to the width, so that all widths share one scale. A dashed curve follows
    :math:`1 - (\gamma + \ln \varphi) / \ln b` as far as it is positive.
    """
    frequency = angular_frequency("datum.pair", width="columns", exponent="exponent")
    law = _curve("law", LAW, strokeDash=[4, 3])
    law = law.transform_filter("datum.offset > 0 && datum.law >= 0")
    curves = law, _curve("similarity", PRODUCT), _curve("relative_distance", DISTANCE)
    offsets = alt.sequence(0, LAST_OFFSET + 1, as_="offset")
    return finish(
        alt.layer(*curves, _pointer(), _first_rise(), data=offsets)
        .transform_calculate(pair="sequence(0, columns / 2)")
        .transform_flatten(["pair"])
        .transform_calculate(chord=f"pow(sin(datum.offset / 2 * {frequency}), 2)")
        .transform_aggregate(chords="sum(chord)", groupby=["offset"])
        .transform_calculate(
            product="columns / 2 - 2 * datum.chords",
            distance="2 * sqrt(datum.chords)",
            similarity="datum.product / (columns / 2)",
            relative_distance="datum.distance / sqrt(columns)",
            law=f"1 - ({np.euler_gamma} + log(datum.offset)) / (exponent * LN10)",
        ),
        slider("columns", "width d", 64, least=2, greatest=256, step=2),
        slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.25),
        size=(540, 320),
        description="""
        Two curves and a dashed one against the offset of two positions, from 0 to 200. The product,
        in units of d/2, begins at 1, falls steeply at first and ever more slowly later, around the
        dashed logarithmic law, with ripples. The distance, in units of the square root of d, begins
        at 0 and rises as the product falls. A point marks the offset after which the product first
        rises. The slider of the width, from 2 to 256, changes the ripples: the wider, the smaller
        and the later. The slider of the base, from 10 to a million, changes how slowly the curves
        fall and rise.
        """,
    )


def _y(field):
    y = alt.Y(f"{field}:Q", title="relative to the width")
    return y.scale(domain=[-1, 1.5]).axis(tickCount=6)


def _curve(field, name, **style):
    color = alt.Color("curve:N", title=None)
    color = color.scale(domain=[PRODUCT, DISTANCE, LAW], range=[*COLORS[:2], GRAY])
    color = color.legend(orient="top", columns=2, symbolType="stroke", symbolStrokeWidth=2)
    curve = alt.Chart().transform_calculate(curve=f"'{name}'").mark_line(**style)
    return curve.encode(_X, _y(field), color)


def _first_rise():
    """Return a point at the offset after which the product first rises, named in a legend."""
    rises = (
        alt.Chart()
        .transform_window(next="lead(product)", sort=[{"field": "offset"}])
        .transform_filter("isValid(datum.next) && datum.next > datum.product")
        .transform_joinaggregate(first="min(offset)")
        .transform_filter("datum.offset == datum.first")
        .transform_calculate(words="'the product first rises after offset ' + datum.offset")
    )
    return mark_best(rises, x=_X, y=_y("similarity"), filled=True, size=90, color=COLORS[0])


def _pointer():
    """Return a rule at each offset, invisible until pointed at, that tells the numbers there."""
    pointed = alt.selection_point(
        name="pointed", on="pointerover", clear="pointerout", fields=["offset"], empty=False
    )
    told = {"offset": ("offset φ", None), "product": ".3f", "similarity": (PRODUCT, ".3f")}
    told |= {"distance": ".3f", "relative_distance": (DISTANCE, ".3f")}
    opacity = alt.condition(pointed, alt.value(0.5), alt.value(0))
    rules = alt.Chart().mark_rule(strokeWidth=3, color=GRAY, aria=False)
    return rules.encode(_X, opacity=opacity, tooltip=tooltips(**told)).add_params(pointed)
