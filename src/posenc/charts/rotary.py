"""The charts of notebook 09: a query's and a key's hands, added to or rotated, and their score."""

import json

import altair as alt
import numpy as np

from posenc.charts import components as parts
from posenc.charts.components import choice, finish, rounded, rows, slider, title, tooltips
from posenc.charts.dials import Dials, meanings
from posenc.charts.sentences import WAYS
from posenc.encodings import angular_frequencies
from posenc.palette import GRAY, KEY, OFFSET, PLAIN, POSITION, QUERY

_QUERY, _KEY, _ARC = "query", "key", "angle between them"
_LOOKS = [QUERY, KEY, OFFSET], ["circle", "square", "triangle-up"]

_LENGTH = 1.9  # of a hand that would reach the rim, longer than a word and a place together
_TWO = Dials(2, margin=1.3, apart=2.55)
_START = 6


def two_ways(query, key, frequency, offset):
    r"""Draw a query and a key twice: with the hands of their positions added, and turned by them.

    The key is at the position that a slider sets, and the query some positions on. Rotated, the
    angle between them is that of the words and as many steps of the frequency, wherever both are.
    Arcs show these two parts. The slider begins where the query is at 0.

    Parameters
    ----------
    query, key : array_like, shape (2,)
        One pair of each, the sine first, both of a length of at most 0.9.
    frequency : float
        How far the hand of this pair turns at each position, in radians.
    offset : int
        How many positions the query is after the key.
    """
    query, key = (np.asarray(hand, float).tolist() for hand in (query, key))
    frequency = float(frequency)
    ways = [{"dial": dial, "way": way, "query": query, "key": key} for dial, way in enumerate(WAYS)]
    views = rows(ways)
    for name, at in (("query", f"(start + {offset})"), ("key", "start")):
        views = views.transform_calculate(**_result(name, f"{frequency!r} * {at}"))
    for field, part in (("own_between", "own"), ("between", "angle")):
        between = f"datum.query_{part} - datum.key_{part}"
        views = views.transform_calculate(**{field: f"atan2(sin({between}), cos({between}))"})
    at = {"least": -offset, "greatest": 60, "step": 0.5, "per_second": 3}
    return finish(
        alt.layer(*_two_ways(views, f"{frequency * offset!r}")),
        slider("start", "position t of the key", _START, **at),
        **_TWO.shape(430),
        description=f"""
        Two dials, side by side, each with a light blue hand of a query, {offset} positions after
        the key, a dark red hand of that key, and a pink arc from the key's to the query's.
        Thin gray hands, named q and x, are those of the words. On the left dial a thin green hand
        is added to each of them, that of its position, and the sums are in color. On the right dial
        each is rotated by its position, and a gray and a green arc inside of the pink one show how
        much of the angle comes from the words and how much from the offset. The slider of the
        position moves the green hands of the left dial, whereupon both sums change their lengths
        and the angle between them; on the right dial both hands turn together, and the angle and
        the lengths stay. Above the dials is the angle between the hands,
        {_said_at_start(query, key, frequency, offset)}, and below is their product.
        """,
    )


def _result(name, turn):
    """Return the fields of a hand after its position has come in: its angle and its length."""
    sine, cosine = (f"datum.{name}[{i}]" for i in (0, 1))
    own, length = f"atan2({sine}, {cosine})", f"sqrt(pow({sine}, 2) + pow({cosine}, 2))"
    right, up = f"({sine} + sin({turn}))", f"({cosine} + cos({turn}))"
    return {
        f"{name}_angle": f"datum.dial ? {own} + {turn} : atan2({right}, {up})",
        f"{name}_length": f"datum.dial ? {length} : sqrt(pow({right}, 2) + pow({up}, 2))",
        f"{name}_own": own,
        f"{name}_own_length": length,
    }


def _said_at_start(query, key, frequency, offset):
    """Return in words the angles between both hands where the slider begins."""
    query, key = (complex(*hand[::-1]) for hand in (query, key))
    places = np.exp(1j * frequency * (_START + np.array([offset, 0])))
    added = (query + places[0]) / (key + places[1])
    turned = query * np.exp(1j * frequency * offset) / key
    angles = (f"{abs(np.degrees(np.angle(hand))):.0f}°" for hand in (added, turned))
    return "at first {} on the left and {} on the right".format(*angles)


def _two_ways(views, turn):
    """Return the layers of both dials: rims, words, places, results, arcs and what's said.

    `turn` is how far the offset rotates the query away from the key.
    """
    colors, shapes = [QUERY, KEY, POSITION, OFFSET], ["circle", "square", "triangle-down"]
    looks = colors, [*shapes, "triangle-up"]
    color, shape = meanings(_QUERY, _KEY, "position", _ARC, looks=looks)
    asks = f"datum.what == '{_QUERY}'"
    hands = views.transform_calculate(what=f"['{_QUERY}', '{_KEY}']").transform_flatten(["what"])
    hands = hands.transform_calculate(
        **{
            field: f"{asks} ? datum.query_{field} : datum.key_{field}"
            for field in ("angle", "length", "own", "own_length")
        }
    )
    tip, words = f"datum.length / {_LENGTH}", f"datum.own_length / {_LENGTH}"
    still = _TWO.hands(hands, "datum.own", words, stroke=GRAY, strokeWidth=2, aria=False)
    # From the tip of the word to that of the sum.
    places = hands.transform_filter("!datum.dial").transform_calculate(what="'position'")
    ends = ("datum.own", words), ("datum.angle", tip)
    places = _TWO.lines(places, *ends, strokeWidth=2.5, aria=False).encode(color)
    # Of a rotated angle, the words' part and the offset's.
    arcs = views.transform_calculate(what=f"'{_ARC}'").encode(color)
    rotated = views.transform_filter("datum.dial")
    from_words = rotated.encode(color=alt.value(GRAY))
    from_offset = rotated.transform_calculate(what="'position'").encode(color)
    arcs = (
        (arcs, "datum.key_angle", "datum.between", 0.86),
        (from_words, "datum.key_angle", "datum.own_between", 0.7),
        (from_offset, "datum.key_angle + datum.own_between", turn, 0.7),
    )
    names = hands.transform_calculate(words=f"{asks} ? 'q' : 'x'").transform_filter("datum.dial")
    names = _TWO.place(names, "datum.own + (datum.words == 'q' ? 0.35 : -0.35)", words)
    names = names.mark_text(fontSize=12, fontStyle="italic", aria=False).encode(text="words:N")
    of_words, of_offset, both, apart = (
        rounded(f"{angle} * 180 / PI", 0) + " + '°'"
        for angle in ("datum.own_between", f"abs({turn})", "datum.between", "abs(datum.between)")
    )
    sums = f"{of_words} + ({turn} < 0 ? ' − ' : ' + ') + {of_offset} + ' = ' + {both}"
    said = f"datum.way + ': ' + (datum.dial ? {sums} : {apart}) + ' apart'"
    product = rounded("datum.query_length * datum.key_length * cos(datum.between)", 2)
    told = tooltips("what:N", "way:N", length=".2f")
    looks = color, shape, asks, (5, 2.5), (140, 60)
    return (
        *_TWO.rims(),
        still,
        places,
        *(part for *arc, at in arcs for part in _TWO.arcs(*arc, radius=at, shortest=0.25)),
        names,
        *_TWO.pointers(hands, "datum.angle", *looks, tip=tip, told=told),
        _TWO.names(views, said),
        _TWO.texts(views, "2.55 * datum.dial", "-1.17", f"'product ' + {product}"),
    )


_NEIGHBORS = "dog", "bites"
_AHEAD, _SPEED = 60, 30  # in degrees: the first word's hand before any turn, and each turn
_PAIR = Dials()


def turned_pair():
    """Draw a hand of each of two neighboring words, turned by their positions in a text.

    A slider moves both words, and the arc between their hands stays as long as it is.
    """
    apart = _AHEAD - _SPEED
    color, shape = meanings(*_NEIGHBORS, _ARC, looks=_LOOKS)
    hands = rows(2, "word").transform_calculate(
        what=f"{list(_NEIGHBORS)}[datum.word]",
        angle=f"PI / 180 * ({_SPEED} * position + (datum.word ? {_SPEED} : {_AHEAD}))",
    )
    arcs = rows(1, what=f"'{_ARC}'").encode(color)
    start = f"PI / 180 * {_SPEED} * (position + 1)"
    places = "'dog at ' + round(position) + ', bites at ' + (round(position) + 1)"
    return finish(
        alt.layer(
            *_PAIR.rims(),
            *_PAIR.arcs(arcs, start, f"{apart} * PI / 180", radius=0.6),
            _PAIR.hands(hands, "datum.angle", aria=False).encode(color, strokeWidth=alt.value(4)),
            _PAIR.tips(hands, "datum.angle", size=140).encode(color, shape),
        ),
        slider("position", "position of dog", 0, greatest=60, per_second=2),
        **_PAIR.shape(280),
        title=title(f"{places} + ': {apart}° apart'"),
        description=f"""
        A dial with a light blue hand of the word dog, a dark red hand of the word bites, which is
        at the next position, and a pink arc from the second to the first. Each hand is turned by
        {_SPEED} degrees for each position. A slider moves both words along a text, from 0 to 60,
        and both hands go around and around. The arc goes with them, and is {apart} degrees long
        wherever they are.
        """,
    )


FARTHEST = 200  # the largest offset
_FIRST = 20  # the offset at first, which doesn't give away what comes later
_OUTSIDE = {"radius": 1.18, "shortest": 0.25}  # of the arcs, where no hand or tip covers them
_WIDTH = 430


def turned_hands(vectors, shown):
    r"""Draw a query and a key as hands, rotated by their positions, and their score by the offset.

    The angle from the key's hand to the query's is :math:`\omega_k (s - t) + \delta_k` wherever
    both stand, and the score is a sum over all pairs, which isn't divided by :math:`\sqrt d`:

    .. math:: \sum_k A_k \cos\bigl( \omega_k (s - t) + \delta_k \bigr)

    The curve is drawn as far as the offset on the slider.

    Parameters
    ----------
    vectors : dict
        From two or more names to a query and a key, shape (2, d), with one even width d. What is
        named first is shown first. They are rounded to two decimals.
    shown : list of int
        The pairs that have a dial, one to four.
    """
    names, width = list(vectors), np.shape(next(iter(vectors.values())))[1]
    hands = np.stack([*vectors.values()]).round(2).reshape(len(names), 2, -1, 2)
    # Of each query and key the longest hand that is shown reaches the rim.
    longest = np.hypot(*np.moveaxis(hands[:, :, shown], -1, 0)).max(axis=2)
    longest = dict(zip(names, np.maximum(longest, 0.01).tolist()))
    pairs = [
        {"pair": k, "dial": shown.index(k) if k in shown else -1, "hands": dict(zip(names, pair))}
        for k, pair in enumerate(hands.transpose(2, 0, 1, 3).tolist())
    ]
    dials = Dials(len(shown), apart=3, margin=1.3)
    curve = _curve(_axes(names, hands))
    views = alt.vconcat(_dials(dials, longest), curve, data=alt.Data(values=pairs))
    return finish(
        _rotated(views, width).resolve_scale(color="independent", shape="independent"),
        choice("who", "who asks whom", names),
        slider("offset", "offset s − t", _FIRST, greatest=FARTHEST, step=0.5, per_second=10),
        slider("position", "position t of the key", 0, greatest=60, step=0.5, per_second=3),
        description=f"""
        Above, {len(shown)} of {width // 2} pairs as dials, from the fastest, on the left, to the
        slowest. In each a light blue hand with a round tip is the query's and a dark red hand with
        a square tip the key's, each rotated by its position, and outside of the rim a pink arc
        leads from the key's hand to the query's. A list chooses who asks whom: {", ".join(names)}.
        Below, the curve of their score, from offset 0 as far as the present one, where it has a
        ring; the axis ends at {FARTHEST}. The slider of the offset, at first {_FIRST}, turns the
        query's hands, those of fast pairs most, changes the arcs, and draws the curve. The slider
        of the position moves both hands of every dial together, while the arcs, the curve and the
        ring stay as they are.
        """,
    )


def _rotated(views, width):
    """Return the views with what each pair's part of the score is made of."""
    return views.transform_calculate(
        query="datum.hands[who][0]",
        key="datum.hands[who][1]",
        speed=parts.angular_frequency("datum.pair", width=width),
        product="sqrt(pow(datum.query[0], 2) + pow(datum.query[1], 2)) * "
        "sqrt(pow(datum.key[0], 2) + pow(datum.key[1], 2))",
        ahead="atan2(datum.query[0], datum.query[1]) - atan2(datum.key[0], datum.key[1])",
    )


def _dials(dials, longest):
    """Return dials of some pairs, on whose rim the `longest` hand of each vector ends."""
    color, shape = meanings(_QUERY, _KEY, _ARC, looks=_LOOKS)
    pairs = alt.Chart().transform_filter("datum.dial >= 0")
    between = "datum.speed * offset + datum.ahead"
    # Between half a turn back and half a turn on.
    between = f"atan2(sin({between}), cos({between}))"
    arcs = pairs.transform_calculate(what=f"'{_ARC}'").encode(color)
    start = "atan2(datum.key[0], datum.key[1]) + datum.speed * position"
    hands = pairs.transform_calculate(what=f"['{_QUERY}', '{_KEY}']").transform_flatten(["what"])
    hands = hands.transform_calculate(
        asks=f"datum.what == '{_QUERY}'",
        mine="datum.asks ? datum.query : datum.key",
        at="position + (datum.asks ? offset : 0)",
        angle="atan2(datum.mine[0], datum.mine[1]) + datum.speed * datum.at",
        length="sqrt(pow(datum.mine[0], 2) + pow(datum.mine[1], 2))",
    )
    tip = f"datum.length / {json.dumps(longest)}[who][datum.asks ? 0 : 1]"
    looks = color, shape, "datum.asks", (6, 2.5), (150, 50)
    told = tooltips("what:N", pair=("pair k", None), at=("position", ".1f"), length=".2f")
    layers = (
        *dials.rims(),
        *dials.arcs(arcs, start, between, **_OUTSIDE),
        *dials.pointers(hands, "datum.angle", *looks, tip=tip, told=told),
        dials.names(pairs, "'pair ' + datum.pair", 1.15),
    )
    return alt.layer(*layers).properties(**dials.shape(_WIDTH))


def _axes(names, hands):
    """Return for each query and key where the axis of scores begins and ends, by name.

    Only the offset draws the curve, so the axis has to be known before.
    """
    queries, keys = np.moveaxis(hands[..., 1] + 1j * hands[..., 0], 1, 0)
    turned = np.exp(1j * np.outer(angular_frequencies(2 * hands.shape[2]), np.arange(FARTHEST + 1)))
    scores = ((queries * keys.conj()) @ turned).real
    ends = np.minimum(scores.min(axis=1), 0), 1.04 * scores.max(axis=1)
    low, high = 5 * np.floor(ends[0] / 5), 5 * np.ceil(ends[1] / 5)
    return dict(zip(names, np.transpose([low, high]).tolist()))


def _curve(axes):
    """Return the score's curve as far as the offset, and a ring there."""
    x = alt.X("at:Q", title="offset s − t (positions)").scale(domain=[0, FARTHEST], nice=False)
    x = x.axis(values=[*range(0, FARTHEST + 1, 50)])
    low, high = (alt.ExprRef(f"{json.dumps(axes)}[who][{end}]") for end in (0, 1))
    y = alt.Y("score:Q", title="score (not divided by √d)")
    y = y.scale(domainMin=low, domainMax=high, nice=False)
    words = f"'offset ' + format(datum.at, '~r') + ': score ' + {rounded('datum.score', 1)}"

    def scores(at):
        chart = alt.Chart().transform_calculate(at=at).transform_flatten(["at"])
        part = "datum.product * cos(datum.speed * datum.at + datum.ahead)"
        chart = chart.transform_calculate(part=part)
        return chart.transform_aggregate(score="sum(part)", groupby=["at"])

    curve = scores(f"sequence({FARTHEST + 1})").transform_filter("datum.at <= offset")
    line = curve.mark_line(color=PLAIN, clip=True).encode(x=x, y=y)
    here = scores("[offset]").transform_calculate(words=words)
    return alt.layer(line, parts.mark_best(here, x=x, y=y)).properties(width=_WIDTH, height=150)
