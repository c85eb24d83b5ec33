"""The chart of notebook 06: how alike two positions are, against their offset."""

import altair as alt
import numpy as np

from posenc.charts.components import (
    angular_frequency,
    finish,
    mark_best,
    slider,
    thousands,
    tooltips,
)
from posenc.palette import GRAY, OFFSET, PLAIN

PRODUCT, LAW = "product ÷ (d/2)", "the law of the fall"
# Each one while they stand apart on a logarithmic axis, then as many as can be told apart there.
OFFSETS = np.unique([*range(1, 61), *np.geomspace(60, 10_000, 180).astype(int)])

_LABEL = f"datum.value < 10000 ? datum.value : {thousands('datum.value')}"
_X = alt.X("offset:Q", title="offset s − t (positions)").scale(type="log", nice=False)
_X = _X.axis(values=[1, 10, 100, 1000, 10_000], labelExpr=_LABEL)


def profile():
    r"""Chart the product of two positions against their offset, on a logarithmic axis.

    .. math:: \frac{2}{d} \, PE[s] \cdot PE[t] = \frac{2}{d} \sum_k \cos \omega_k (s - t)

    It is drawn relative to its largest value, so that all widths share one scale. A dashed line is
    the law :math:`1 - (\gamma + \ln \varphi) / \ln b` at the offsets :math:`\varphi` where it is
    positive.
    """
    frequency = angular_frequency("datum.pair", width="columns", exponent="exponent")
    offsets = alt.InlineData([{"offset": offset} for offset in OFFSETS.tolist()])
    law = _curve("law", LAW, strokeDash=[4, 3]).transform_filter("datum.law >= 0")
    products = _curve("product", PRODUCT, strokeWidth=1, point={"size": 14, "filled": True})
    # An invisible rule at each offset, which is easier to point at than its dot.
    rules = alt.Chart().mark_rule(opacity=0, strokeWidth=3, aria=False)
    told = tooltips(offset=None, product=(PRODUCT, ".3f"), law=(LAW, ".3f"))
    return finish(
        alt.layer(law, products, rules.encode(_X, tooltip=told), _first_rise(), data=offsets)
        .transform_calculate(pair="sequence(0, columns / 2)")
        .transform_flatten(["pair"])
        .transform_calculate(cosine=f"cos(datum.offset * {frequency})")
        .transform_aggregate(product="mean(cosine)", groupby=["offset"])
        .transform_calculate(law=f"1 - ({np.euler_gamma} + log(datum.offset)) / (exponent * LN10)"),
        slider("columns", "width d", 64, least=2, greatest=256, step=2),
        slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.25),
        size=(540, 320),
        description="""
        A dotted curve and a dashed straight line against the offset of two positions, from 1 to
        10 000 on a logarithmic axis. The product, in units of d/2, begins a little below 1 and
        falls along the dashed line, which loses a quarter with each tenfold offset, to about 0
        near offset 5600. It ripples around the line. A ring marks the offset after which the
        product first rises. The slider of the width, from 2 to 256, changes the ripples: the wider,
        the smaller and the later. The slider of the base, from 10 to a million, changes how steep
        the line is: the larger, the flatter.
        """,
    )


def _y(field):
    y = alt.Y(f"{field}:Q", title="product relative to d/2")
    return y.scale(domain=[-1, 1]).axis(tickCount=8)


def _curve(field, name, **style):
    color = alt.Color("curve:N", title=None).scale(domain=[PRODUCT, LAW], range=[PLAIN, GRAY])
    color = color.legend(orient="top", symbolType="stroke", symbolStrokeWidth=2)
    curve = alt.Chart().transform_calculate(curve=f"'{name}'").mark_line(**style)
    return curve.encode(_X, _y(field), color)


def _first_rise():
    """Return a ring at the offset after which the product first rises, named in a legend."""
    rises = (
        alt.Chart()
        .transform_window(next="lead(product)", sort=[{"field": "offset"}])
        .transform_filter("isValid(datum.next) && datum.next > datum.product")
        .transform_joinaggregate(first="min(offset)")
        .transform_filter("datum.offset == datum.first")
        .transform_calculate(words="'the product first rises after offset ' + datum.offset")
    )
    return mark_best(rises, x=_X, y=_y("product"), color=OFFSET)
