"""The charts of notebook 09: a query's and a key's hands, added to or rotated, and their score."""

import json

import altair as alt
import numpy as np

from posenc.charts import components as parts
from posenc.charts.components import finish, rounded, rows, said, slider, spread, tooltips
from posenc.charts.dials import ANSWERS, ASKED, ASKS, BETWEEN, COMPARED, SHAPES, Dials
from posenc.charts.sentences import WAYS
from posenc.encodings import angular_frequencies
from posenc.palette import GRAY, KEY, OFFSET, PLAIN, POSITION, QUERY

_BOTH = f"{[*ASKED[:2]]}"

_LENGTH = 1.9  # of a hand that would reach the rim, longer than a word and a place together
_TWO = Dials(2, margin=1.3, apart=2.55)
_START = 6


def two_ways(query, key, frequency, offset):
    """Draw a query and a key twice: with the hands of their positions added, and turned by them.

    Parameters
    ----------
    query, key : array_like, shape (2,)
        One pair of each, the sine first, both of a length of at most 0.9.
    frequency : float
        How far the hand of this pair turns at each position, in radians.
    offset : int
        How many positions the query is after the key.
    """
    # Upwards is the cosine, which is second.
    words = {"query": complex(*query[::-1]), "key": complex(*key[::-1])}
    turns = (f"({frequency:.9g} * {position})" for position in (f"(start + {offset})", "start"))
    views = rows([{"dial": dial, "way": way} for dial, way in enumerate(WAYS)])
    for (name, word), turn in zip(words.items(), turns):
        right, up = f"({word.imag:.9g} + sin{turn})", f"({word.real:.9g} + cos{turn})"
        direction, length = np.angle(word), f"sqrt(pow({right}, 2) + pow({up}, 2))"
        angle = f"datum.dial ? {direction:.9g} + {turn} : atan2({right}, {up})"
        length = f"datum.dial ? {abs(word):.9g} : {length}"
        fields = {f"{name}_angle": angle, f"{name}_length": length}
        views = views.transform_calculate(**fields)
    between = _half_turn("datum.query_angle - datum.key_angle")
    views = views.transform_calculate(between=between)
    places = np.exp(1j * frequency * (_START + np.array([offset, 0])))
    vectors = np.array([*words.values()])
    results = vectors + places, vectors * places
    first = (np.degrees(np.angle(np.divide(*hands))) for hands in results)
    steps = {"least": -offset, "greatest": 60, "step": 0.5, "per_second": 3}
    return finish(
        alt.layer(*_two_ways(views, words, float(frequency * offset))),
        slider("start", "position t of the key", _START, **steps),
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
        {"at first {:.0f}° on the left and {:.0f}° on the right".format(*map(abs, first))}, and
        below is their product.
        """,
    )


def _half_turn(angle):
    """Return the expression of an angle between half a turn back and half a turn on."""
    return f"atan2(sin({angle}), cos({angle}))"


def _two_ways(views, words, turn):
    """Return the layers of both dials: rims, words, places, results, arcs and what's said.

    The words are complex numbers, and `turn` is how far the offset rotates one from the other.
    """
    shapes = "circle", "square", "triangle-down", "triangle-up"
    looks = (QUERY, KEY, POSITION, OFFSET), shapes
    color, shape = parts.meanings("what", (ASKS, ANSWERS, "position", BETWEEN), *looks)
    asks = f"datum.what == '{ASKS}'"
    query, key = words.values()
    words_angle = float(np.angle(query / key))
    hands = spread(views, what=_BOTH).transform_calculate(
        angle=f"{asks} ? datum.query_angle : datum.key_angle",
        length=f"{asks} ? datum.query_length : datum.key_length",
        own=f"{asks} ? {np.angle(query):.9g} : {np.angle(key):.9g}",
        reach=f"{asks} ? {abs(query):.9g} : {abs(key):.9g}",
    )
    tip, word = f"datum.length / {_LENGTH}", f"datum.reach / {_LENGTH}"
    still = _TWO.hands(hands, "datum.own", word, stroke=GRAY, strokeWidth=2)
    # From the tip of the word to that of the sum.
    places = hands.transform_filter("!datum.dial").transform_calculate(what="'position'")
    ends = ("datum.own", word), ("datum.angle", tip)
    places = _TWO.lines(places, *ends, strokeWidth=2.5).encode(color)
    # Of a rotated angle, the words' part and the offset's.
    arcs = views.transform_calculate(what=f"'{BETWEEN}'").encode(color)
    rotated = views.transform_filter("datum.dial")
    from_words = rotated.encode(color=alt.value(GRAY))
    from_offset = rotated.transform_calculate(what="'position'").encode(color)
    arcs = (
        (arcs, "datum.key_angle", "datum.between", 0.86),
        (from_words, "datum.key_angle", f"{words_angle:.9g}", 0.7),
        (from_offset, f"datum.key_angle + {words_angle:.9g}", f"{turn:.9g}", 0.7),
    )
    names = hands.transform_filter("datum.dial")
    beside, name = f"datum.own + ({asks} ? 0.35 : -0.35)", f"{asks} ? 'q' : 'x'"
    look = {"baseline": "middle", "dy": 0, "fontStyle": "italic", "aria": False}
    names = _TWO.texts(names, *_TWO.coordinates(beside, word), name, **look)
    angles = "datum.between", "abs(datum.between)"
    between, distance = (rounded(f"{angle} * 180 / PI", 0) for angle in angles)
    of_words, of_offset = (round(np.degrees(angle)) for angle in (words_angle, abs(turn)))
    sums = f"{of_words}° {'−' if turn < 0 else '+'} {of_offset}°".replace("-", "−")
    sums = said(f"{sums} = {{}}", between)
    words = said("{}: {}° apart", "datum.way", f"datum.dial ? {sums} : {distance}")
    product = rounded("datum.query_length * datum.key_length * cos(datum.between)", 2)
    tooltip = tooltips("what:N", "way:N", length=".2f")
    looks = color, shape, asks, (5, 2.5), (140, 60)
    return (
        *_TWO.rims(),
        still,
        places,
        *(part for *arc, radius in arcs for part in _TWO.arcs(*arc, radius=radius, shortest=0.25)),
        names,
        *_TWO.pointers(hands, "datum.angle", *looks, tip=tip, tooltip=tooltip),
        _TWO.names(views, words),
        _TWO.texts(views, "2.55 * datum.dial", -1.17, said("product {}", product)),
    )


_NEIGHBORS = "dog", "bites"
_AHEAD, _SPEED = 100, 30  # in degrees: the first word's hand before any turn, and each turn
_PAIR = Dials()


def turned_pair():
    """Draw a hand of each of two neighboring words, turned by their positions in a text."""
    apart = _AHEAD - _SPEED
    color, shape = parts.meanings("what", (*_NEIGHBORS, BETWEEN), COMPARED, SHAPES)
    hands = rows(2, "word").transform_calculate(
        what=f"{list(_NEIGHBORS)}[datum.word]",
        angle=f"PI / 180 * ({_SPEED} * position + (datum.word ? {_SPEED} : {_AHEAD}))",
    )
    arcs = rows(1, what=f"'{BETWEEN}'").encode(color)
    start = f"PI / 180 * {_SPEED} * (position + 1)"
    words = f"dog at {{}}, bites at {{}}: {apart}° apart"
    return finish(
        alt.layer(
            *_PAIR.rims(),
            *_PAIR.arcs(arcs, start, f"{apart} * PI / 180", radius=0.6),
            _PAIR.hands(hands, "datum.angle").encode(color, strokeWidth=alt.value(4)),
            _PAIR.tips(hands, "datum.angle", size=140).encode(color, shape),
        ),
        slider("position", "position of dog", 0, greatest=60, per_second=2),
        **_PAIR.shape(280),
        title=parts.title(said(words, "round(position)", "round(position) + 1")),
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
_WIDTH, _AHEAD_OF_KEY = 430, "datum.angles[0] - datum.angles[1]"


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
    names, numbers = list(vectors), np.stack([*vectors.values()]).round(2)
    # Upwards is the cosine, which is second.
    hands = numbers[..., 1::2] + 1j * numbers[..., 0::2]
    count, speeds = hands.shape[2], angular_frequencies(numbers.shape[2])
    # Of each query and key the longest hand that is shown reaches the rim.
    longest = np.maximum(abs(hands[..., shown]).max(axis=2, keepdims=True), 0.01)
    fields = {"angles": np.angle(hands), "lengths": abs(hands), "tips": abs(hands) / longest}
    values = [
        {"who": name, "pair": k, "dial": shown.index(k) if k in shown else -1}
        | {"speed": float(f"{speeds[k]:.12g}")}
        | {field: values[i, :, k].round(9).tolist() for field, values in fields.items()}
        for i, name in enumerate(names)
        for k in range(count)
    ]
    # Only the offset draws the curve, so where its axis ends has to be known before.
    turned = np.exp(1j * np.outer(speeds, np.arange(FARTHEST + 1)))
    scores = ((hands[:, 0] * hands[:, 1].conj()) @ turned).real
    low, high = np.minimum(scores.min(axis=1), 0), 1.04 * scores.max(axis=1)
    ends = zip(5 * np.floor(low / 5), 5 * np.ceil(high / 5))
    ends = {name: [float(end) for end in pair] for name, pair in zip(names, ends)}
    dials = _dials(Dials(len(shown), apart=3, margin=1.3))
    views = alt.vconcat(dials, _curve(ends), data=alt.Data(values=values))
    views = views.transform_filter("datum.who == who")
    return finish(
        views.resolve_scale(color="independent", shape="independent"),
        parts.choice("who", "who asks whom", names),
        slider("offset", "offset s − t", _FIRST, greatest=FARTHEST, step=0.5, per_second=10),
        slider("position", "position t of the key", 0, greatest=60, step=0.5, per_second=3),
        description=f"""
        Above, {len(shown)} of {count} pairs as dials, from the fastest, on the left, to the
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


def _dials(dials):
    """Return dials of the pairs that are shown."""
    color, shape = parts.meanings("what", ASKED, COMPARED, SHAPES)
    pairs = alt.Chart().transform_filter("datum.dial >= 0")
    between = _half_turn(f"datum.speed * offset + {_AHEAD_OF_KEY}")
    arcs = pairs.transform_calculate(what=f"'{BETWEEN}'").encode(color)
    start = "datum.angles[1] + datum.speed * position"
    hands = spread(pairs, "lengths", "tips", "angles", what=_BOTH).transform_calculate(
        asks=f"datum.what == '{ASKS}'",
        at="position + (datum.asks ? offset : 0)",
        angle="datum.angles + datum.speed * datum.at",
    )
    looks = color, shape, "datum.asks", (6, 2.5), (150, 50)
    tooltip = tooltips(
        "what:N", pair=("pair k", None), at=("position", ".1f"), lengths=("length", ".2f")
    )
    layers = (
        *dials.rims(),
        *dials.arcs(arcs, start, between, **_OUTSIDE),
        *dials.pointers(hands, "datum.angle", *looks, tip="datum.tips", tooltip=tooltip),
        dials.names(pairs, "'pair ' + datum.pair", 1.15),
    )
    return alt.layer(*layers, **dials.shape(_WIDTH))


def _curve(ends):
    """Return the score's curve as far as the offset, and a ring there, on an axis by name."""
    marks = [*range(0, FARTHEST + 1, 50)]
    x = parts.axis(alt.X, "at", "offset s − t (positions)", [0, FARTHEST], values=marks)
    ends = [alt.ExprRef(f"{json.dumps(ends)}[who][{end}]") for end in (0, 1)]
    y = parts.axis(alt.Y, "score", "score (not divided by √d)", ends)
    words = said("offset {}: score {}", "format(datum.at, '~r')", rounded("datum.score", 1))

    def scores(offsets):
        part = (
            f"datum.lengths[0] * datum.lengths[1] * cos(datum.speed * datum.at + {_AHEAD_OF_KEY})"
        )
        chart = spread(alt.Chart(), at=offsets).transform_calculate(part=part)
        return chart.transform_aggregate(score="sum(part)", groupby=["at"])

    curve = scores(f"sequence({FARTHEST + 1})").transform_filter("datum.at <= offset")
    line = curve.mark_line(color=PLAIN, clip=True, aria=True).encode(x=x, y=y)
    here = scores("[offset]").transform_calculate(words=words)
    return alt.layer(line, parts.mark_best(here, x=x, y=y), width=_WIDTH, height=150)
