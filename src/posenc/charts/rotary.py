"""The chart of notebook 09: a rotary score against the distance, and the pairs that make it."""

import json

import altair as alt
import numpy as np

from posenc.charts.components import GRAY, angular_frequency, mark_best, named_arrays, tooltips
from posenc.charts.controls import choice, finish, slider
from posenc.palette import COLORS

FARTHEST = 200  # the largest distance
_WIDTH = 430


def turned_score(vectors):
    r"""Draw the score of a query and a key, turned by their positions, against their distance.

    .. math:: \frac{1}{\sqrt d} \operatorname{Re} \sum_k z_{q,k} \bar z_{x,k}\,
        e^{-i \omega_k (s - t)}

    Below it stand the pairs' parts at one distance. The browser adds them up. The lists are
    ``query`` and ``key``; the sliders ``distance``, ``first`` and ``last``, the pairs that are
    turned, and ``exponent``, of ten in the base.

    Parameters
    ----------
    vectors : dict
        From names to vectors of one even width d, two names or more. The first is the query
        that is shown first, and the second the key. They are rounded to two decimals.
    """
    vectors = named_arrays(
        "vectors",
        vectors,
        "of one shape (d,) with d even and at least 2",
        lambda *shape: len(shape) == 1 and shape[0] >= 2 and not shape[0] % 2,
        fewest=2,
    )
    names, numbers = list(vectors), np.stack(list(vectors.values()), axis=-1).round(2)
    numbers = numbers.reshape(-1, 2, len(names))
    pairs = len(numbers)
    values = [{"pair": k, "sines": s, "cosines": c} for k, (s, c) in enumerate(numbers.tolist())]
    data = {"data": alt.Data(values=values), "transform": _hands(names, pairs)}
    views = alt.vconcat(_curve(pairs), _bars(names, numbers), **data)
    return finish(
        views.resolve_scale(color="independent", shape="independent"),
        choice("query", "query", names),
        choice("key", "key", names, names[1]),
        slider("distance", "distance s − t", 3, greatest=FARTHEST, per_second=20),
        slider("first", "first pair that turns", 0, greatest=pairs - 1),
        slider("last", "last pair that turns", pairs - 1, greatest=pairs - 1),
        slider("exponent", "base b = 10 to the power of", 4, least=1, greatest=6, step=0.5),
        description=f"""
        Above, a curve of the score of a query and a key over distances from 0 to {FARTHEST}, with a
        circle at one distance. Two lists choose the query and the key: {", ".join(names)}. Below, a
        bar for each of the {pairs} pairs: its part of the score at that distance. The slider of the
        distance moves the circle along the curve, and the bars of fast pairs, at the left, swing up
        and down while those of slow pairs hardly move. Two sliders say which pairs are turned; the
        others keep their part at every distance. The slider of the base makes the slow pairs
        slower.
        """,
    )


def _places(names):
    """Return the expressions of the places of the query and of the key among the names."""
    return (f"indexof({json.dumps(names)}, {name})" for name in ("query", "key"))


def _hands(names, pairs):
    """Return the transforms that make of each pair its two products and how fast it turns."""
    query, key = _places(names)
    turns = "datum.pair >= first && datum.pair <= last"
    frequency = angular_frequency("datum.pair", pairs=pairs, exponent="exponent")
    sines = f"datum.sines[{query}]", f"datum.sines[{key}]"
    cosines = f"datum.cosines[{query}]", f"datum.cosines[{key}]"
    columns = {
        "along": f"{sines[0]} * {sines[1]} + {cosines[0]} * {cosines[1]}",
        "across": f"{cosines[0]} * {sines[1]} - {sines[0]} * {cosines[1]}",
        "speed": f"{turns} ? {frequency} : 0",
        "turned": f"{turns} ? 'turns' : 'stands'",
    }
    return [alt.CalculateTransform(calculate=it, **{"as": name}) for name, it in columns.items()]


def _part(pairs, distance):
    """Return the expression of a pair's part of the score."""
    angle = f"datum.speed * {distance}"
    product = f"datum.along * cos({angle}) + datum.across * sin({angle})"
    return f"({product}) / sqrt({2 * pairs})"


def _curve(pairs):
    x = alt.X("at:Q", title="distance s − t (positions)").scale(domain=[0, FARTHEST], nice=False)
    y = alt.Y("score:Q", title="score").scale(zero=True)
    words = "'distance ' + datum.at + ': score ' + format(datum.score, '.2f')"
    here = alt.Chart().transform_filter("datum.at == distance").transform_calculate(words=words)
    line = alt.Chart().mark_line(color=COLORS[0]).encode(x=x, y=y)
    return (
        alt.layer(line, mark_best(here, x=x, y=y, shape="circle", size=170))
        .transform_calculate(at=f"sequence(0, {FARTHEST + 1})")
        .transform_flatten(["at"])
        .transform_calculate(part=_part(pairs, "datum.at"))
        .transform_aggregate(score="sum(part)", groupby=["at"])
        .properties(width=_WIDTH, height=220)
    )


def _bars(names, numbers):
    """Return a bar for each pair, on a scale as wide as a bar of these two vectors can reach."""
    pairs, (query, key) = len(numbers), _places(names)
    lengths = np.hypot(*np.moveaxis(numbers, 1, 0))
    reach = (lengths[:, :, None] * lengths[:, None]).max(axis=0) / np.sqrt(2 * pairs)
    reach = (np.ceil(20 * reach) / 20 + 0.05 * (reach == 0)).round(2).tolist()
    ends = alt.ExprRef(f"-{reach}[{query}][{key}]"), alt.ExprRef(f"{reach}[{query}][{key}]")
    numbered = list(range(0, pairs, -(-pairs // 10)))
    color = alt.Color("turned:N").scale(domain=["turns", "stands"], range=[COLORS[0], GRAY])
    bars = alt.Chart().transform_calculate(part=_part(pairs, "distance")).mark_bar()
    return bars.encode(
        alt.X("pair:O", title="pair k").axis(values=numbered, labelAngle=0),
        alt.Y("part:Q", title="part").scale(domainMin=ends[0], domainMax=ends[1], nice=False),
        color.legend(title=None, orient="bottom"),
        tooltip=tooltips("pair:O", part=".3f"),
    ).properties(width=_WIDTH, height=110)
