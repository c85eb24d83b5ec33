"""The charts of notebook 08: a head tuned by hand, one in training, and how both look back."""

import altair as alt
import numpy as np

from posenc.blocks import rotations
from posenc.charts import components as parts
from posenc.charts.canvas import View
from posenc.charts.components import finish, rounded, rows, said, slider, tooltips
from posenc.charts.dials import Dials
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.palette import GRAY, KEY, PLAIN, POSITION, QUERY, SHIFTED, WORD

TUNED, WIDTH = 3, 32  # hands that have a dial, and the width of the head that's tuned
FARTHEST = 50  # places back
_MOVED = 32  # letters in a text that a slider moves

_DIALS = Dials(TUNED, margin=1.16)
_WIDE, _HIGH = 400, 170
_FINE = 0.25  # between points of a curve; at whole places it has dots
_BACK = "how far back the key is, in places"
_LAST_START = 120
_THICK = {"color": GRAY, "strokeWidth": 6, "strokeOpacity": 0.5}
_LETTERS = 24  # in a text that shy heads read
COUNTS = ("distance only", "letter only", "distance and letter")
_LOST, _MOST_LOST = ("by distance", "by letter"), -10.5


def tune_head():
    r"""Draw three dials whose hands sliders turn, and the scores that they give to earlier keys.

    A key `back` places back has the score :math:`\cos(\omega_k \, back - \theta_k)`, the mean over
    the hands that count.
    """
    speeds = angular_frequencies(WIDTH)[:TUNED]
    hands = rows(TUNED, "dial").transform_calculate(
        degrees="[angle0, angle1, angle2][datum.dial]",
        angle="datum.degrees * PI / 180",
        counts="datum.dial < count",
    )
    pale = {"opacity": parts.where("datum.counts", 1, 0.25)}
    tooltip = tooltips(dial=("hand", None), degrees=("angle", None))
    words = said("hand {}: {}°", "datum.dial", "datum.degrees")
    dials = _dials(hands, words, tooltip, **pale)
    scores = [f"cos({w:.9g} * datum.back - angle{k} * PI / 180)" for k, w in enumerate(speeds)]
    around = {"least": -180, "greatest": 180}
    counted = " + ".join(f"(count > {k} ? {score} : 0)" for k, score in enumerate(scores))
    curve = _places(FARTHEST).transform_calculate(score=f"({counted}) / count")
    return finish(
        alt.vconcat(dials, _curve(curve, [-1.05, 1.05], second=True), spacing=14),
        *(slider(f"angle{k}", f"angle of hand {k}", 0, **around) for k in range(TUNED)),
        slider("count", "hands that count", 1, least=1, greatest=TUNED),
        description=f"""
        Three dials in a row, each with an orange hand, above a curve of scores from minus 1 to 1
        over how far back a key is, from 0 to {FARTHEST} places. Sliders turn the hands, and another
        says how many of them count: the others are pale. At first one hand counts and points
        straight up, and the curve is a wave that comes around every six places or so, with its top
        at 0. A dot marks every whole place, a ring the highest of them and a square the second
        highest; below it says which they are. With the hands at 172, 97 and 54 degrees the highest
        is 3 places back. With one hand the runner-up, 47 back, is as high; with two it has 0.96;
        with all three the runners-up are 2 and 4 back, with 0.78.
        """,
    )


def _dials(hands, words, tooltip, *behind, tip=1, **channels):
    """Return dials with orange hands, their names, and what lies behind the hands."""
    look = {"color": SHIFTED, "strokeWidth": 5}
    tips = _DIALS.tips(hands, "datum.angle", tip, color=SHIFTED, shape="square", size=90)
    layers = (
        *_DIALS.rims(),
        *behind,
        _DIALS.hands(hands, "datum.angle", tip, **look).encode(**channels),
        tips.encode(tooltip=tooltip, **channels),
        _DIALS.names(hands, words),
    )
    return alt.layer(*layers, **_DIALS.shape(_WIDE))


def _places(farthest):
    """Return a chart of how far back keys are, in small steps."""
    return alt.Chart(alt.sequence(0, farthest + _FINE / 2, _FINE, as_="back"))


def _curve(chart, domain, *, farthest=FARTHEST, second=False, name="", dots=True, **style):
    """Return a curve of the `score` of keys so far back, with its highest place ringed and told.

    It tells of the `second` highest place too, or the `name` of the curve.
    """
    x = parts.axis(alt.X, "back", _BACK, [-1, farthest + 1], grid=False)
    y = parts.axis(alt.Y, "score", "score", domain, grid=False, tickCount=5)
    style = {"color": PLAIN, "strokeWidth": 1.5} | style
    whole = chart.transform_filter("datum.back == floor(datum.back)")
    best = parts.highest(whole, "score", 1 + second)
    named = "datum.rank == 1 ? 'highest' : 'runner-up'" if second else f"'{name}highest'"
    number, shapes = rounded("datum.score", 3 if second else 1), ["circle", "square"][: 1 + second]
    best = best.transform_calculate(words=said("{}: {} back, {}", named, "datum.back", number))
    rings = parts.mark_best(best, x=x, y=y, shapes=shapes, color=style["color"], aria=False)
    layers = [chart.mark_line(**style).encode(x, y)]
    if dots:
        tooltip = tooltips(back=("places back", None), score=".3f")
        points = whole.mark_point(filled=True, size=22, color=style["color"])
        layers.append(points.encode(x, y, tooltip=tooltip))
    return alt.layer(*layers, rings, width=_WIDE, height=_HIGH)


def _rounded_up(height):
    """Return a height to one decimal; the last ones differ from one processor to another."""
    return np.ceil(10 * height) / 10


def head_in_training(matrices, losses, *, offset):
    """Draw how the fast pairs of a head turn while it learns, and where these turns make it look.

    Between the steps that are given, all is drawn in between.

    Parameters
    ----------
    matrices : dict
        From steps, evenly spaced from 0, to the matrices W between query and key, all of one shape
        (d, d) with d even and at least 6: of each, what turns.
    losses : sequence of float
        The loss before each step, the last of those steps among them.
    offset : float
        The gray hands are those of M(offset).
    """
    steps, width = list(matrices), len(matrices[0])
    turns, speeds = np.array([rotations(W) for W in matrices.values()]), angular_frequencies(width)
    heights = _rounded_up(np.abs(turns).sum(axis=1).max() / np.sqrt(width))
    values = [
        {"dial": k, "speed": float(f"{speeds[k]:.6g}"), "goal": round(float(offset * speeds[k]), 4)}
        | {"along": turns[:, k].real.round(2).tolist()}
        | {"across": turns[:, k].imag.round(2).tolist()}
        for k in range(width // 2)
    ]
    pairs = rows(values).transform_calculate(
        x0=_between("along", steps[1]),
        y0=_between("across", steps[1]),
        angle="atan2(datum.y0, datum.x0)",
        strength="sqrt(datum.x0 * datum.x0 + datum.y0 * datum.y0)",
        length=f"sqrt(datum.strength / {np.abs(turns).max():.4g})",
    )
    part = f"datum.strength * cos(datum.speed * datum.back - datum.angle) / {np.sqrt(width):.6g}"
    curve = parts.spread(pairs, back=f"sequence(0, {FARTHEST + _FINE / 2}, {_FINE})")
    curve = curve.transform_calculate(part=part)
    curve = curve.transform_aggregate(score="sum(part)", groupby=["back"])
    shown = pairs.transform_filter(f"datum.dial < {TUNED}")
    shown = shown.transform_calculate(degrees="datum.angle * 180 / PI")
    tooltip = tooltips(dial=("hand", None), degrees=("angle", ".0f"), strength=".1f")
    names = said("hand {}: {}°", "datum.dial", "format(datum.degrees, '.0f')")
    goal = _DIALS.hands(shown, "datum.goal", color=GRAY, strokeWidth=2.5)
    dials = _dials(shown, names, tooltip, goal, tip="datum.length")
    loss = f"{np.round(losses[: steps[-1] + 1], 2).tolist()}[round(step)]"
    words = said("after {} steps: loss {}", "round(step)", f"format({loss}, '.2f')")
    return finish(
        alt.vconcat(dials, _curve(curve, [-heights, heights]), spacing=14),
        slider("step", "training step", 0, greatest=steps[-1], per_second=steps[-1] / 12),
        title=parts.title(words, offset=12),
        description=f"""
        Three dials in a row, for hands 0 to {TUNED - 1}, above a curve. A gray hand shows by which
        angle M({offset:g}) turns the hand, and an orange one the rotation in the head's matrix: its
        angle is the turn, and a hand twice as long is four times as strong. The curve shows what
        scores all rotations in the matrix give to keys from 0 to {FARTHEST} places back; a ring
        marks the highest, and it says below how far back that is. A slider moves the training step
        from 0 to {steps[-1]}. Before training the orange hands are stubs and the curve is nearly
        flat; while the head learns, the hands grow and swing, and the curve grows with them. The
        loss after so many steps is written above.
        """,
    )


def _between(name, interval):
    """Return the expression of what a list `name`, one entry per `interval`, is at this step."""
    now, last = f"step / {interval}", f"min(floor(step / {interval}), length(datum.{name}) - 2)"
    entry, following = f"datum.{name}[{last}]", f"datum.{name}[{last} + 1]"
    return f"{entry} + ({now} - {last}) * ({following} - {entry})"


def moved_scores(W):
    """Draw the scores that a head gives to earlier keys by positions alone, as its text moves.

    Parameters
    ----------
    W : array_like, shape (d, d)
        The matrix between query and key; d even. It's rounded to two decimals.
    """
    width, root, reach = len(W), np.sqrt(len(W)), _LAST_START + _MOVED
    table = sinusoidal(reach, width)
    near = np.tri(reach) * (1 - np.tri(reach, k=-_MOVED))
    most = _rounded_up(np.abs(near * (table @ W @ table.T)).max() / root)
    values = [{"i": i, "number": row.round(2).tolist()} for i, row in enumerate(W)]
    asks = parts.encoding("query", "datum.i", width)
    key = parts.encoding("(query - datum.back)", "datum.j", width)
    queries = parts.spread(rows(values, asks=asks), "number", j=f"sequence({width})")
    queries = queries.transform_calculate(part="datum.asks * datum.number")
    queries = queries.transform_aggregate(asked="sum(part)", groupby=["j"])
    whole = (
        parts.spread(queries, back=f"sequence({_MOVED})")
        .transform_calculate(part=f"datum.asked * {key}")
        .transform_aggregate(total="sum(part)", groupby=["back"])
        .transform_calculate(score=f"datum.total / {root:.9g}")
    )
    waves = (
        f"{abs(turn) / root:.6g} * cos({speed:.9g} * datum.back - {np.angle(turn):.6g})"
        for turn, speed in zip(rotations(W), angular_frequencies(width))
    )
    turning = _places(_MOVED - 1)
    turning = turning.transform_calculate(score=" + ".join(waves).replace("- -", "+ "))
    shown = {"domain": [-most, most], "farthest": _MOVED - 1}
    return finish(
        alt.layer(
            _curve(turning, **shown, name="thick, offset part: ", dots=False, **_THICK),
            _curve(whole, **shown, name="thin, all of W: "),
        ),
        slider("start", "the text begins at", 0, greatest=_LAST_START, per_second=3),
        alt.param("query", expr=f"start + {_MOVED - 1}"),
        size=(_WIDE, 220),
        title=parts.title(said("The last letter, at {}, asks all before it", "round(query)")),
        description=f"""
        Two curves of scores over how far back a key is, for the last letter of a text. A thick gray
        one is what the turning part of the matrix gives, and a thin dark one with dots at every
        place is what all of the matrix gives. A ring marks the highest place of each, and below it
        says which that is. A slider moves the position at which the text begins from 0 to
        {_LAST_START}. While the text moves, the thick curve stays as it is, and the thin one bends
        up and down.
        """,
    )


def shy_head(text, by_distance, by_letter, *, query):
    """Draw what keys lose by their distance and by their letter, and the weights that remain.

    Softmax doesn't notice what all scores of a query have in common, so each loss counts from the
    key that's liked best.

    Parameters
    ----------
    text : str
        Of 3 to 24 letters.
    by_distance, by_letter : array_like, shape (n, n)
        Two parts of the scores, for n letters; rows are queries. They are rounded to two decimals.
    query : int
        Which letter asks at first, from 1 to n - 1.
    """
    count = len(text)
    if not 3 <= count <= _LETTERS:
        raise ValueError(f"text must have 3 to {_LETTERS} letters, got {count}")
    hidden = np.triu(np.ones((count, count), dtype=bool), 1)
    distance, letter = (
        np.where(hidden, -np.inf, part).max(axis=1, keepdims=True) - part
        for part in (by_distance, by_letter)
    )
    values = [
        {"t": t, "letter": text[t]}
        | {"distances": distance[t:, t].round(2).tolist()}
        | {"letters": letter[t:, t].round(2).tolist()}
        for t in range(count)
    ]
    keys = (
        rows(values, at="round(query)")
        .transform_filter("datum.t <= datum.at")
        .transform_calculate(
            far=f"counts == '{COUNTS[1]}' ? 0 : datum.distances[datum.at - datum.t]",
            own=f"counts == '{COUNTS[0]}' ? 0 : datum.letters[datum.at - datum.t]",
        )
        .transform_calculate(total="datum.far + datum.own", part="exp(-datum.total)")
        .transform_joinaggregate(all="sum(part)")
        .transform_calculate(weight="datum.part / datum.all")
    )
    return finish(
        alt.vconcat(_weights(keys, count), _losses(values, keys, count), spacing=6),
        slider("query", "position of the query", query, least=1, greatest=count - 1, per_second=1),
        parts.choice("counts", "what counts:", COUNTS),
        title="What keys lose, and the weights that are left",
        description=f"""
        The text {text}, a letter a column. Below each key, up to the query, hang two bars in a row:
        a green one, as long as what the key loses by its distance from the query, and an indigo one
        for what it loses by its letter. Above the letters, bars show the attention weights that
        follow, with numbers on those of 5 % or more. A blue square frames the query, and a
        ring the key with the largest weight. A slider chooses the query, and a list what counts:
        by distance only, the query's own place loses nothing and has most weight; by letter only,
        keys with the query's own letter lose about 4 and others less than 1; with both, it's mostly
        the key one back that has most weight.
        """,
    )


def _weights(keys, count):
    """Return bars of the weights, with numbers on those that count."""
    look = {"values": [0, 0.5, 1], "labelExpr": "100 * datum.value"}
    y = parts.axis(alt.Y, "y", "weight, %", [0, 1.15], grid=False, **look)
    view = View(_column(count), y)
    bars = view.place(keys, "datum.t", "datum.weight").mark_bar(color=KEY, width=10)
    shown = keys.transform_filter("datum.weight >= 0.05")
    look = {"fontSize": 11, "dy": -8, "aria": False}
    percent = "round(100 * datum.weight)"
    return alt.layer(
        bars.encode(tooltip=tooltips("letter:N", weight=".3f")),
        view.texts(shown, "datum.t", "datum.weight", percent, **look),
    ).properties(width=_WIDE, height=80)


def _losses(values, keys, count):
    """Return the letters, and what their keys lose as bars that hang from them."""
    look = {"values": [0, -2, -4, -6, -8, -10], "labelExpr": "-datum.value"}
    y = parts.axis(alt.Y, "y", "lost", [_MOST_LOST, 1.9], grid=True, **look)
    view = View(_column(count), y)
    [what] = parts.meanings("what", _LOST, (POSITION, WORD))
    first = f"datum.what == '{_LOST[0]}'"
    bars = parts.spread(keys, what=f"{[*_LOST]}").transform_calculate(
        lost=f"{first} ? datum.far : datum.own",
        top=f"{first} ? 0 : -datum.far",
        bottom="datum.top - datum.lost",
    )
    bars = view.place(bars, "datum.t", "datum.top").mark_bar(width=10, clip=True)
    letters, best = rows(values), parts.highest(keys, "weight")
    asks = letters.transform_filter("datum.t == round(query)")
    frame = {"filled": False, "strokeWidth": 2.5, "aria": False}
    bold = {"fontSize": 14, "fontWeight": "bold", "aria": False}
    square = view.place(asks, "datum.t", 1).mark_point(
        shape="square", size=400, color=QUERY, **frame
    )
    layers = (
        bars.encode(what, y2="bottom:Q", tooltip=tooltips("what:N", lost=".1f")),
        view.texts(letters, "datum.t", 1, "datum.letter", **bold),
        square,
        view.place(best, "datum.t", 1).mark_point(shape="circle", size=230, color=KEY, **frame),
    )
    return alt.layer(*layers, width=_WIDE, height=150)


def _column(count):
    return alt.X("x:Q", axis=None).scale(domain=[-0.7, count - 0.3], nice=False)
