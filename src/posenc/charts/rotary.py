"""The chart of notebook 09: a rotary score against the distance, and the pairs that make it."""

import json

import altair as alt
import numpy as np

from posenc._validation import array
from posenc.charts._best import mark_best
from posenc.charts._slider import add_sliders, choice, slider
from posenc.palette import COLORS

FARTHEST = 200  # the largest distance
_WIDTH, _CURVE, _BARS = 430, 220, 110


def turned_score(vectors):
    r"""Draw the score of a query and a key, turned by their positions, against their distance.

    .. math:: \frac{1}{\sqrt d} \operatorname{Re} \sum_k z_{q,k} \bar z_{x,k}\,
        e^{-i \omega_k (s - t)}

    Below it stand the pairs' parts at one distance. The browser adds them up.

    Parameters
    ----------
    vectors : dict
        From names to vectors of one even width d, two names or more. The first is the query
        that is shown first, and the second the key.

    Returns
    -------
    altair.VConcatChart
        Its parameters are ``query`` and ``key``, two names; ``distance``; ``first`` and ``last``,
        the pairs that are turned; and ``exponent``, of the base. The vectors are rounded to two
        decimals.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two vectors, or they are not finite and of one even width.

    Examples
    --------
    >>> chart = turned_score({"north": [0, 1], "east": [1, 0]})
    >>> [parameter.name for parameter in chart.params]
    ['query', 'key', 'distance', 'first', 'last', 'exponent']
    """
    names = list(vectors)
    if len(names) < 2:
        raise ValueError(f"vectors must hold at least two vectors, got {len(names)}")
    pairs = max(1, np.size(vectors[names[0]]) // 2)
    rows = [array(f"vectors[{name!r}]", vectors[name], f"({2 * pairs},)") for name in names]
    numbers = np.stack(rows, axis=-1).reshape(pairs, 2, len(names)).round(2)
    values = [{"pair": k, "sines": s, "cosines": c} for k, (s, c) in enumerate(numbers.tolist())]
    # How far a bar of each two names can reach.
    lengths = np.hypot(*np.moveaxis(numbers, 1, 0))
    reach = (lengths[:, :, None] * lengths[:, None]).max(axis=0) / np.sqrt(2 * pairs)
    reach = (np.ceil(20 * reach) / 20 + 0.05 * (reach == 0)).round(2).tolist()

    parameters = (
        choice("query", "query", names),
        choice("key", "key", names, names[1]),
        slider("distance", "distance s − t", 3, greatest=FARTHEST, per_second=20),
        slider("first", "first pair that turns", 0, greatest=pairs - 1),
        slider("last", "last pair that turns", pairs - 1, greatest=pairs - 1),
        slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.5),
    )
    of_query, of_key = (f"indexof({json.dumps(names)}, {name})" for name in ("query", "key"))
    sines, cosines = (
        (f"datum.{part}[{of_query}]", f"datum.{part}[{of_key}]") for part in ("sines", "cosines")
    )
    turns = "datum.pair >= first && datum.pair <= last"
    hands = {
        "along": f"{sines[0]} * {sines[1]} + {cosines[0]} * {cosines[1]}",
        "across": f"{cosines[0]} * {sines[1]} - {sines[0]} * {cosines[1]}",
        "speed": f"{turns} ? pow(10, -exponent * datum.pair / {pairs}) : 0",
        "turned": f"{turns} ? 'turns' : 'stands'",
    }
    part = (
        "(datum.along * cos(datum.speed * {0}) + datum.across * sin(datum.speed * {0}))"
        f" / sqrt({2 * pairs})"
    )
    x = alt.X(
        "at:Q",
        title="distance s − t (positions)",
        scale=alt.Scale(domain=[0, FARTHEST], nice=False),
    )
    y = alt.Y("score:Q", title="score", scale=alt.Scale(zero=True))
    line = alt.Chart().mark_line(color=COLORS[0]).encode(x=x, y=y)
    here = (
        alt.Chart()
        .transform_filter("datum.at == distance")
        .transform_calculate(
            words="'distance ' + datum.at + ': score ' + format(datum.score, '.2f')"
        )
    )
    curve = (
        alt.layer(line, mark_best(here, x=x, y=y, shape="circle", size=170))
        .transform_calculate(at=f"sequence(0, {FARTHEST + 1})")
        .transform_flatten(["at"])
        .transform_calculate(part=part.format("datum.at"))
        .transform_aggregate(score="sum(part)", groupby=["at"])
    )
    numbered = list(range(0, pairs, -(-pairs // 10)))
    bars = (
        alt.Chart()
        .transform_calculate(part=part.format("distance"))
        .mark_bar()
        .encode(
            x=alt.X("pair:O", title="pair k", axis=alt.Axis(values=numbered, labelAngle=0)),
            y=alt.Y(
                "part:Q",
                title="part",
                scale=alt.Scale(
                    domainMin=alt.ExprRef(f"-{reach}[{of_query}][{of_key}]"),
                    domainMax=alt.ExprRef(f"{reach}[{of_query}][{of_key}]"),
                    nice=False,
                ),
            ),
            color=alt.Color(
                "turned:N",
                scale=alt.Scale(domain=["turns", "stands"], range=[COLORS[0], "#808080"]),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            tooltip=["pair:O", alt.Tooltip("part:Q", format=".3f")],
        )
    )
    chart = alt.vconcat(
        curve.properties(width=_WIDTH, height=_CURVE),
        bars.properties(width=_WIDTH, height=_BARS),
        data=alt.Data(values=values),
        transform=[
            alt.CalculateTransform(calculate=expression, **{"as": name})
            for name, expression in hands.items()
        ],
    ).resolve_scale(color="independent", shape="independent")
    chart = chart.properties(
        description=(
            f"Above, a curve of the score of a query and a key over distances from 0 to {FARTHEST}"
            f", with a circle at one distance. Two lists choose the query and the key: "
            f"{', '.join(names)}. Below, a bar for each of the {pairs} pairs: its part of the "
            "score at that distance. The slider of the distance moves the circle along the curve, "
            "and the bars of fast pairs, at the left, swing up and down while those of slow "
            "pairs hardly move. Two sliders say which pairs are turned; the others keep their "
            "part at every distance. The slider of the base makes the slow pairs slower."
        )
    )
    return add_sliders(chart, *parameters)
