"""The chart of notebook 09: hands of a query and a key that turn together, and their score."""

import json

import altair as alt
import numpy as np

from posenc.charts.components import (
    angular_frequency,
    choice,
    finish,
    mark_best,
    named_arrays,
    slider,
    tooltips,
)
from posenc.charts.dials import Dials, meanings
from posenc.encodings import angular_frequencies
from posenc.palette import KEY, OFFSET, PLAIN, QUERY

FARTHEST = 100  # the largest offset
_COLUMNS, _ROWS = 4, 2
_DIALS = Dials(_COLUMNS, _ROWS, apart=3, margin=1.3)
_OUTSIDE = {"radius": 1.18, "shortest": 0.25}  # of the arcs, where no hand or tip covers them
_WIDTH = 430
_QUERY, _KEY, _ARC = "query", "key", "angle between them"
_LOOKS = [QUERY, KEY, OFFSET], ["circle", "square", "triangle-up"]


def turned_hands(vectors):
    r"""Draw a query and a key as hands, turned by their positions, and their score by the offset.

    Eight of the pairs have a dial. The angle from the key's hand to the query's is
    :math:`\omega_k (s - t) - \delta_k` wherever both stand, and the score is a sum over all pairs:

    .. math:: \frac{1}{\sqrt d} \sum_k A_k \cos\bigl( \omega_k (s - t) - \delta_k \bigr)

    Parameters
    ----------
    vectors : dict
        From names to vectors of one even width d of at least 16, two names or more. The first is
        the query that is shown first, and the second the key. They are rounded to two decimals.
    """
    vectors = named_arrays(
        "vectors",
        vectors,
        "(d,) with d even and at least 16",
        lambda shape: len(shape) == 1 and shape[0] >= 16 and not shape[0] % 2,
        fewest=2,
    )
    names, width = list(vectors), len(next(iter(vectors.values())))
    hands = np.stack([*vectors.values()]).round(2).reshape(len(names), -1, 2)
    shown = np.linspace(0, width // 2 - 1, _COLUMNS * _ROWS).astype(int).tolist()
    # Of each vector the longest hand that is shown reaches the rim.
    longest = dict(zip(names, np.hypot(*hands[:, shown].T).max(axis=0).tolist()))
    pairs = [
        {"pair": k, "dial": shown.index(k) if k in shown else -1, "hands": dict(zip(names, it))}
        for k, it in enumerate(hands.transpose(1, 0, 2).tolist())
    ]
    views = alt.vconcat(_dials(longest), _curve(_reach(hands)), data=alt.Data(values=pairs))
    return finish(
        _turned(views, width).resolve_scale(color="independent", shape="independent"),
        choice("query", "query", names),
        choice("key", "key", names, names[1]),
        slider("position", "position t of the key", 1, greatest=60, step=0.5, per_second=3),
        slider("offset", "offset s − t", 6, greatest=FARTHEST, step=0.5, per_second=4),
        description=f"""
        Above, eight dials in two rows, for pairs from the fastest, at the upper left, to the
        slowest. In each a broad hand with a round tip is the query's and a thin hand with a square
        tip the key's, each turned by its position, and outside of the rim a pink arc leads
        from the key's hand to the query's. Two lists choose the query and the key:
        {", ".join(names)}. Below, the curve of their score over offsets from 0 to {FARTHEST}, with
        a circle at the present one. The
        slider of the position moves both hands of every dial together, while the arcs, the curve
        and the circle stay as they are. The slider of the offset turns the query's hands alone,
        those of fast pairs most, changes the arcs, and moves the circle along the curve.
        """,
    )


def _reach(hands):
    """Return the least and the largest score of any two vectors at any offset."""
    z = hands[..., 0] + 1j * hands[..., 1]
    turns = np.outer(np.arange(FARTHEST + 1), angular_frequencies(2 * z.shape[1]))
    scores = np.einsum("ik,jk,rk->ijr", z, z.conj(), np.exp(-1j * turns)).real
    scores /= np.sqrt(2 * z.shape[1])
    return [min(0, float(scores.min())), float(scores.max())]


def _turned(views, width):
    """Return the views with what each pair's part of the score is made of."""
    return views.transform_calculate(
        q="datum.hands[query]",
        x="datum.hands[key]",
        speed=angular_frequency("datum.pair", width=width),
        product=f"sqrt(pow(datum.q[0], 2) + pow(datum.q[1], 2)) * "
        f"sqrt(pow(datum.x[0], 2) + pow(datum.x[1], 2)) / {width**0.5!r}",
        ahead="atan2(datum.x[0], datum.x[1]) - atan2(datum.q[0], datum.q[1])",
    )


def _dials(longest):
    """Return dials of eight pairs, on whose rim the `longest` hand of each vector ends."""
    color, shape = meanings(_QUERY, _KEY, _ARC, looks=_LOOKS)
    pairs = alt.Chart().transform_filter("datum.dial >= 0")
    between = "datum.speed * offset - datum.ahead"
    # Between half a turn back and half a turn on.
    between = f"atan2(sin({between}), cos({between}))"
    arcs = pairs.transform_calculate(what=f"'{_ARC}'").encode(color)
    start = "atan2(datum.x[0], datum.x[1]) + datum.speed * position"
    hands = pairs.transform_calculate(what=f"['{_QUERY}', '{_KEY}']").transform_flatten(["what"])
    hands = hands.transform_calculate(
        asks=f"datum.what == '{_QUERY}'",
        mine="datum.asks ? datum.q : datum.x",
        at="position + (datum.asks ? offset : 0)",
        angle="atan2(datum.mine[0], datum.mine[1]) + datum.speed * datum.at",
        length="sqrt(pow(datum.mine[0], 2) + pow(datum.mine[1], 2))",
    ).encode(color)
    tip = f"datum.length / {json.dumps(longest)}[datum.asks ? query : key]"
    # The query's is broader, and so it shows where both agree.
    thickness = alt.condition("datum.asks", alt.value(6), alt.value(2.5))
    size = alt.condition("datum.asks", alt.value(150), alt.value(50))
    told = {"pair": ("pair k", None), "at": ("position", ".1f"), "length": ".2f"}
    layers = (
        *_DIALS.rims(),
        *_DIALS.arcs(arcs, start, between, **_OUTSIDE),
        _DIALS.hands(hands, "datum.angle", tip, aria=False).encode(strokeWidth=thickness),
        _DIALS.tips(hands, "datum.angle", tip).encode(
            shape, size=size, tooltip=tooltips("what:N", **told)
        ),
        _DIALS.names(pairs, "'pair ' + datum.pair", 1.15),
    )
    return alt.layer(*layers).properties(**_DIALS.shape(_WIDTH))


def _curve(reach):
    """Return the score's curve on a scale with room for every choice, and a ring at the offset."""
    x = alt.X("at:Q", title="offset s − t (positions)").scale(domain=[0, FARTHEST], nice=False)
    y = alt.Y("score:Q", title="score").scale(domain=reach)
    words = "'offset ' + round(10 * datum.at) / 10 + ': score ' + format(datum.score, '.2f')"

    def scores(at):
        chart = alt.Chart().transform_calculate(at=at).transform_flatten(["at"])
        part = "datum.product * cos(datum.speed * datum.at - datum.ahead)"
        chart = chart.transform_calculate(part=part)
        return chart.transform_aggregate(score="sum(part)", groupby=["at"])

    line = scores(f"sequence({FARTHEST + 1})").mark_line(color=PLAIN).encode(x=x, y=y)
    here = scores("[offset]").transform_calculate(words=words)
    return alt.layer(line, mark_best(here, x=x, y=y, color=OFFSET)).properties(
        width=_WIDTH, height=150
    )
