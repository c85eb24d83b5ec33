"""The chart of notebook 11: which places of a picture count as near."""

import altair as alt

from posenc.charts.components import (
    angular_frequency,
    choice,
    finish,
    mark_best,
    slider,
    tooltips,
    weight_color,
)

FARTHEST = 20  # columns and rows to each side
AXES, ROUND = "along the axes", "Gaussian"
# The two places that are named below the map, and the marks around them.
ALONG, ASLANT = (13, 0), (3, 3)
PAIRS = 64  # of each axis, at width 256
_SIDE = 9 * (2 * FARTHEST + 1)  # whole pixels for each place


def nearness():
    r"""Draw the weights that one place of a picture gives to the places around it.

    The product of two places, relative to the largest, is

    .. math:: s(x, y) = \frac{f(x) + f(y)}{2 f(0)}, \qquad f(\varphi) = \sum_k \cos \omega_k\varphi

    with a sum over the n pairs of each axis that are heard, and :math:`s(1, 0)^{x^2 + y^2}` for
    many pairs whose frequencies are normally distributed, in all directions, and which agree at
    the neighbor. The softmax makes weights of it; relative to that of the place itself they are
    :math:`e^{2 n \beta (s - 1) / \sqrt d}`, at width d = 256.
    """
    every = list(range(-FARTHEST, FARTHEST + 1))
    axis = {"values": every[::5], "labelAngle": 0}
    x = alt.X("x:O", title="columns away").scale(domain=every, padding=0).axis(**axis)
    y = alt.Y("y:O", title="rows away").scale(domain=every, padding=0).axis(**axis)
    color = weight_color(["weight, relative to", "the place itself"], orient="top")
    told = {"x": ("columns away", None), "y": ("rows away", None)}
    told = tooltips(**told, product=("product ÷ (d/2)", ".3f"), weight=".2g")
    cells = _places().mark_rect().encode(x, y, color, tooltip=told)
    named = mark_best(_named_places(), x=x, y=y, shapes=["circle", "square"], size=110)
    return finish(
        alt.layer(cells, named, data=alt.sequence(FARTHEST + 1, as_="offset")),
        choice("kind", "kind of pairs", [AXES, ROUND]),
        slider("sharpness", "sharpness β", 1, least=0.5, greatest=16, step=0.5),
        slider("muted", "fastest pairs muted, of 64", 0, greatest=32),
        size=(_SIDE, _SIDE),
        description="""
        A square map of the places up to 20 columns and 20 rows away from one in the middle, colored
        by the weight that they get, relative to that of the place itself. At first each axis has
        its own pairs and none is muted: next to the middle the places are red, and four pale
        points reach from there along its row and its column to all edges. The slider of the
        sharpness, from 0.5 to 16, makes everything but the middle fade. The slider of the muted
        pairs, from 0 to 32, makes the red spot larger and round, until it fills the map. A list
        replaces the pairs by Gaussian ones in all directions: then the spot is round whatever the
        sliders say. A circle marks the place 13 columns away, a square that 3 columns and 3 rows
        away, and two lines below name their weights.
        """,
    )


def _places():
    """Return a chart of all places and their weights, without a mark yet."""
    frequency = angular_frequency("datum.pair", pairs=PAIRS)
    every = f"sequence({-FARTHEST}, {FARTHEST + 1})"
    heard = f"({PAIRS} - muted)"
    along = f"(datum[toString(abs(datum.x))] + datum[toString(abs(datum.y))]) / (2 * {heard})"
    around = f"pow(0.5 + datum['1'] / (2 * {heard}), datum.x * datum.x + datum.y * datum.y)"
    root = f"sqrt({4 * PAIRS})"
    return (
        # One row for each offset of one axis, then all of them in one row, then one for each place.
        alt.Chart()
        .transform_calculate(pair=f"sequence(muted, {PAIRS})")
        .transform_flatten(["pair"])
        .transform_calculate(cosine=f"cos(datum.offset * {frequency})")
        .transform_aggregate(f="sum(cosine)", groupby=["offset"])
        .transform_pivot("offset", value="f")
        .transform_calculate(x=every)
        .transform_flatten(["x"])
        .transform_calculate(y=every)
        .transform_flatten(["y"])
        .transform_calculate(product=f"kind == '{AXES}' ? {along} : {around}")
        .transform_calculate(weight=f"exp(2 * {heard} * sharpness * (datum.product - 1) / {root})")
    )


def _named_places():
    """Return the two places whose weights are named below the map."""
    wanted = " || ".join(f"(datum.x == {x} && datum.y == {y})" for x, y in (ALONG, ASLANT))
    words = (
        f"(datum.y == 0 ? '{ALONG[0]} columns away: ' : "
        f"'{ASLANT[0]} columns and {ASLANT[1]} rows away: ') + "
        "format(datum.weight, datum.weight < 0.001 ? '.1e' : '.2g')"
    )
    return _places().transform_filter(wanted).transform_calculate(words=words)
