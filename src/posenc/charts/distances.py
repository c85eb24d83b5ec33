"""The chart of notebook 06: how alike two positions are, against their offset."""

import altair as alt
import numpy as np

from posenc.charts._slider import slider
from posenc.palette import COLORS

PRODUCT, DISTANCE, LAW = "product ÷ (d/2)", "distance ÷ √d", "logarithmic law"
LAST_OFFSET = 200


def profile():
    r"""Chart the product and the distance of two positions against their offset.

    .. math::

        \sum_k \cos \omega_k \varphi = \frac{d}{2} - 2 \sum_k \sin^2 (\omega_k \varphi / 2),
        \qquad \lVert PE[t + \varphi] - PE[t] \rVert = 2 \sqrt{\sum_k \sin^2 (\omega_k \varphi / 2)}

    Both are drawn relative to the width, so that all widths share one scale: the product in
    units of d/2, the distance in units of the square root of d. Sliders set the width and the
    base. A dashed curve follows :math:`1 - (\gamma + \ln \varphi) / \ln b` as far as it is
    positive. A point marks the offset after which the product rises for the first time.

    Returns
    -------
    altair.LayerChart
        A chart that adds up the pairs in the reader's browser. Its parameters are the sliders
        ``columns`` and ``exponent``, and ``pointed``, the offset under the pointer.

    Examples
    --------
    >>> [parameter.name for parameter in profile().params]
    ['pointed', 'columns', 'exponent']
    """
    columns = slider("columns", "width d", 64, least=2, greatest=256, step=2)
    exponent = slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.25)

    x = alt.X("offset:Q", title="offset φ (positions)", scale=alt.Scale(nice=False))
    y_axis = {
        "title": "relative to the width",
        "scale": alt.Scale(domain=[-1, 1.5]),
        "axis": alt.Axis(tickCount=6),
    }
    curves = alt.Scale(domain=[PRODUCT, DISTANCE, LAW], range=[*COLORS[:2], "#808080"])
    legend = alt.Legend(
        title=None, orient="top", columns=2, symbolType="stroke", symbolStrokeWidth=2
    )

    def curve(field, name, **style):
        return (
            alt.Chart()
            .transform_calculate(curve=f"'{name}'")
            .mark_line(**style)
            .encode(
                x=x,
                y=alt.Y(f"{field}:Q", **y_axis),
                color=alt.Color("curve:N", scale=curves, legend=legend),
            )
        )

    law = curve("law", LAW, strokeDash=[4, 3]).transform_filter(
        "datum.offset > 0 && datum.law >= 0"
    )
    first_rise = (
        alt.Chart()
        .transform_window(next="lead(product)", sort=[{"field": "offset"}])
        .transform_filter("isValid(datum.next) && datum.next > datum.product")
        .transform_joinaggregate(first="min(offset)")
        .transform_filter("datum.offset == datum.first")
        .transform_calculate(label="'the product first rises after offset ' + datum.offset")
        .mark_point(filled=True, opacity=1, size=90, color=COLORS[0])
        .encode(
            x=x,
            y=alt.Y("similarity:Q", **y_axis),
            shape=alt.Shape(
                "label:N",
                scale=alt.Scale(range=["circle"]),
                legend=alt.Legend(title=None, orient="bottom", labelLimit=300),
            ),
        )
    )
    pointed = alt.selection_point(
        name="pointed", on="pointerover", clear="pointerout", fields=["offset"], empty=False
    )
    pointer = (
        alt.Chart()
        .mark_rule(strokeWidth=3, color="#808080", aria=False)
        .encode(
            x=x,
            # Invisible until pointed at, but there for the pointer to find.
            opacity=alt.condition(pointed, alt.value(0.5), alt.value(0)),
            tooltip=[
                alt.Tooltip("offset:Q", title="offset φ"),
                alt.Tooltip("product:Q", format=".3f"),
                alt.Tooltip("similarity:Q", title=PRODUCT, format=".3f"),
                alt.Tooltip("distance:Q", format=".3f"),
                alt.Tooltip("relative_distance:Q", title=DISTANCE, format=".3f"),
            ],
        )
        .add_params(pointed)
    )
    chart = alt.layer(
        law,
        curve("similarity", PRODUCT),
        curve("relative_distance", DISTANCE),
        pointer,
        first_rise,
        data=alt.sequence(0, LAST_OFFSET + 1, as_="offset"),
    )
    return (
        chart.add_params(columns, exponent)
        .transform_calculate(pair="sequence(0, columns / 2)")
        .transform_flatten(["pair"])
        .transform_calculate(
            chord=("pow(sin(datum.offset / 2 * pow(10, -2 * exponent * datum.pair / columns)), 2)")
        )
        .transform_aggregate(chords="sum(chord)", groupby=["offset"])
        .transform_calculate(
            product="columns / 2 - 2 * datum.chords",
            distance="2 * sqrt(datum.chords)",
            similarity="datum.product / (columns / 2)",
            relative_distance="datum.distance / sqrt(columns)",
            law=f"1 - ({np.euler_gamma} + log(datum.offset)) / (exponent * LN10)",
        )
        .properties(
            width=540,
            height=320,
            description=(
                "Two curves and a dashed one against the offset of two positions, from 0 to 200. "
                "The product, in units of d/2, begins at 1, falls steeply at first and ever more "
                "slowly later, around the dashed logarithmic law, with ripples. The distance, in "
                "units of the square root of d, begins at 0 and rises as the product falls. A "
                "point marks the offset after which the product first rises. The slider of the "
                "width, from 2 to 256, changes the ripples: the wider, the smaller and the later. "
                "The slider of the base, from 10 to a million, changes how slowly the curves fall "
                "and rise."
            ),
        )
    )
