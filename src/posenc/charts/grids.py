"""The chart of notebook 11: which places of a picture count as near."""

import altair as alt

from posenc.charts._slider import add_sliders, choice, slider
from posenc.palette import COLORS

FARTHEST = 20  # columns and rows to each side
AXES, ROUND = "along the axes", "Gaussian"
# The two places that are named below the map, and the marks around them.
ALONG, ASLANT = (20, 0), (7, 7)
_SIDE = 9 * (2 * FARTHEST + 1)  # whole pixels for each place


def nearness():
    r"""Draw the weights that one place of a picture gives to the places around it.

    The product of two places, relative to the largest, is

    .. math:: s(x, y) = \frac{f(x) + f(y)}{2 f(0)}, \qquad f(\varphi) = \sum_k \cos \omega_k\varphi

    if each axis has pairs of its own, and :math:`s(1, 0)^{x^2 + y^2}` for many pairs whose
    frequencies are normally distributed, in all directions, and which agree at the neighbor. The
    softmax makes weights of it; relative to that of the place itself they are
    :math:`e^{\beta \sqrt d (s - 1) / 2}`.

    Returns
    -------
    altair.LayerChart
        A chart that adds up the pairs in the reader's browser. Its parameters are ``kind``,
        ``sharpness``, ``exponent`` and ``pairs``.

    Examples
    --------
    >>> [parameter.name for parameter in nearness().params]
    ['kind', 'sharpness', 'exponent', 'pairs']
    """
    kind = choice("kind", "kind of pairs", [AXES, ROUND])
    sharpness = slider("sharpness", "sharpness β", 1, least=0.5, greatest=16, step=0.5)
    exponent = slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.25)
    pairs = slider("pairs", "pairs for each axis", 64, least=4, greatest=64, step=4)

    # One row for each offset of one axis, then all of them in one row, then one for each place.
    places = (
        alt.Chart(alt.sequence(0, FARTHEST + 1, as_="offset"))
        .transform_calculate(pair="sequence(0, pairs)")
        .transform_flatten(["pair"])
        .transform_calculate(cosine="cos(datum.offset * pow(10, -exponent * datum.pair / pairs))")
        .transform_aggregate(f="sum(cosine)", groupby=["offset"])
        .transform_pivot("offset", value="f")
        .transform_calculate(x=f"sequence({-FARTHEST}, {FARTHEST + 1})")
        .transform_flatten(["x"])
        .transform_calculate(y=f"sequence({-FARTHEST}, {FARTHEST + 1})")
        .transform_flatten(["y"])
        .transform_calculate(
            product=(
                f"kind == '{AXES}' "
                "? (datum[toString(abs(datum.x))] + datum[toString(abs(datum.y))]) / (2 * pairs) "
                ": pow(0.5 + datum['1'] / (2 * pairs), datum.x * datum.x + datum.y * datum.y)"
            )
        )
        .transform_calculate(weight="exp(sharpness * sqrt(pairs) * (datum.product - 1))")
    )
    every = list(range(-FARTHEST, FARTHEST + 1))
    scale = alt.Scale(domain=every, padding=0)
    axis = alt.Axis(values=every[::5], labelAngle=0)
    x = alt.X("x:O", title="columns away", scale=scale, axis=axis)
    y = alt.Y("y:O", title="rows away", scale=scale, axis=axis)
    cells = places.mark_rect().encode(
        x=x,
        y=y,
        color=alt.Color(
            "weight:Q",
            title=["weight, relative to", "the place itself"],
            scale=alt.Scale(domain=[0, 1], scheme="viridis"),
            legend=alt.Legend(orient="top", gradientLength=180),
        ),
        tooltip=[
            alt.Tooltip("x:O", title="columns away"),
            alt.Tooltip("y:O", title="rows away"),
            alt.Tooltip("product:Q", title="product ÷ (d/2)", format=".3f"),
            alt.Tooltip("weight:Q", format=".2g"),
        ],
    )
    named = (
        places.transform_filter(
            " || ".join(f"(datum.x == {x} && datum.y == {y})" for x, y in (ALONG, ASLANT))
        )
        .transform_calculate(
            words=(
                f"(datum.y == 0 ? '{ALONG[0]} columns away: ' : "
                f"'{ASLANT[0]} columns and {ASLANT[1]} rows away: ') + "
                "format(datum.weight, datum.weight < 0.001 ? '.1e' : '.2g')"
            )
        )
        .mark_point(size=110, filled=False, strokeWidth=2.5, color=COLORS[1], opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape(
                "words:N",
                title=None,
                sort=alt.EncodingSortField("x", order="descending"),
                scale=alt.Scale(range=["circle", "square"]),
                legend=alt.Legend(orient="bottom", labelLimit=400, columns=1),
            ),
        )
    )
    chart = alt.layer(cells, named).properties(
        width=_SIDE,
        height=_SIDE,
        description=(
            "A square map of the places up to 20 columns and 20 rows away from one in the middle, "
            "colored by the weight that they get, relative to that of the place itself. At first "
            "each axis has its own pairs, and the bright places form a star with four points, "
            "along the row and the column of the middle. The slider of the sharpness, from 0.5 to "
            "16, makes the points fade until a round spot is left; sliders of the base and of the "
            "number of pairs change how fast the points fade and how they ripple. A list replaces "
            "the pairs by Gaussian ones in all directions: then the spot is round at every "
            "sharpness. A circle marks the place 20 columns away, a square that 7 columns and 7 "
            "rows away, and two lines below name their weights."
        ),
    )
    return add_sliders(chart, kind, sharpness, exponent, pairs)
