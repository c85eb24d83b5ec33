"""The chart of notebook 09: a rotary score against the distance, and the pairs that make it."""

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

    Parameters
    ----------
    vectors : dict
        From names to vectors of one even width d, two names or more. The first is the query
        that is shown first, and the second the key. They are rounded to two decimals.
    """
    vectors = named_arrays(
        "vectors",
        vectors,
        "(d,) with d even and at least 2",
        lambda width: width >= 2 and not width % 2,
        fewest=2,
    )
    names, pairs = list(vectors), len(next(iter(vectors.values()))) // 2
    hands = np.stack([*vectors.values()]).reshape(-1, pairs, 2).round(2).tolist()
    values = [{"pair": k, "hands": dict(zip(names, it))} for k, it in enumerate(zip(*hands))]
    views = alt.vconcat(_curve(), _bars(pairs), data=alt.Data(values=values))
    return finish(
        _turn(views, pairs).resolve_scale(color="independent", shape="independent"),
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


def _turn(views, pairs):
    """Return the views with what each pair's part of the score is made of."""
    turns = "datum.pair >= first && datum.pair <= last"
    frequency = angular_frequency("datum.pair", pairs=pairs, exponent="exponent")
    root = f"sqrt({2 * pairs})"
    return views.transform_calculate(
        q="datum.hands[query]",
        x="datum.hands[key]",
        along=f"(datum.q[0] * datum.x[0] + datum.q[1] * datum.x[1]) / {root}",
        across=f"(datum.q[1] * datum.x[0] - datum.q[0] * datum.x[1]) / {root}",
        speed=f"{turns} ? {frequency} : 0",
        turned=f"{turns} ? 'turns' : 'stands'",
    )


def _part(distance):
    """Return the expression of a pair's part of the score."""
    angle = f"datum.speed * {distance}"
    return f"datum.along * cos({angle}) + datum.across * sin({angle})"


def _curve():
    x = alt.X("at:Q", title="distance s − t (positions)").scale(domain=[0, FARTHEST], nice=False)
    y = alt.Y("score:Q", title="score").scale(zero=True)
    words = "'distance ' + datum.at + ': score ' + format(datum.score, '.2f')"
    here = alt.Chart().transform_filter("datum.at == distance").transform_calculate(words=words)
    line = alt.Chart().mark_line(color=COLORS[0]).encode(x=x, y=y)
    return (
        alt.layer(line, mark_best(here, x=x, y=y))
        .transform_calculate(at=f"sequence({FARTHEST + 1})")
        .transform_flatten(["at"])
        .transform_calculate(part=_part("datum.at"))
        .transform_aggregate(score="sum(part)", groupby=["at"])
        .properties(width=_WIDTH, height=220)
    )


def _bars(pairs):
    """Return a bar for each pair, on a scale as wide as a bar can reach at any distance."""
    chart = alt.Chart().transform_calculate(
        part=_part("distance"),
        most="sqrt(pow(datum.along, 2) + pow(datum.across, 2))",
        least="-datum.most",
    )
    numbered = list(range(0, pairs, -(-pairs // 10)))
    color = alt.Color("turned:N").scale(domain=["turns", "stands"], range=[COLORS[0], GRAY])
    bars = chart.mark_bar().encode(
        alt.X("pair:O", title="pair k").axis(values=numbered, labelAngle=0),
        alt.Y("part:Q", title="part"),
        color.legend(title=None, orient="bottom"),
        tooltip=tooltips("pair:O", part=".3f"),
    )
    reach = chart.mark_rule(opacity=0, aria=False).encode(alt.Y("least:Q", title="part"), y2="most")
    return alt.layer(reach, bars).properties(width=_WIDTH, height=110)
