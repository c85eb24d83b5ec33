"""The chart of notebook 10: how far hands get in a longer text, and where two heads then look."""

import altair as alt
import numpy as np

from posenc.charts import components as parts
from posenc.charts.components import finish, rows, said, slider, title, tooltips
from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts, turns
from posenc.palette import GRAY, NEW_ANGLE, PLAIN, POSITION

PAIRS, TRAINED = 64, 4096  # of a head of Llama 2
_SPEEDS = angular_frequencies(2 * PAIRS)
_TURNS = turns(_SPEEDS, TRAINED)
# What a hand keeps of its speed, however much it's slowed. The rule is linear in 1 / c.
_KEPT = (8 * by_parts(_SPEEDS, TRAINED, 8, low=1, high=4) / _SPEEDS - 1) / 7
RULES = ("as trained", "position interpolation", "larger base (NTK-aware)", "by parts, 1 and 4")
_FAR = 300
HEADS = {"made to look 3 back": 3, f"made to look {_FAR} back": _FAR}
_LONGEST = 8 * TRAINED
_EVERY, _SPARSE = 1000, 900  # offsets: each of the first, then as many, evenly on the axis
_SEEN, _HERE, _NEW = "seen in training", "seen again here", "new"


def longer_text(rule=RULES[0], length=0, *, only_hands=False):
    """Draw how far 64 hands turn in a text, by four rules, and the scores of two heads.

    It begins with a rule, one of `RULES`, and with a text of so many tokens. With `only_hands`,
    there are no scores, and the rule stays.
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, got {rule}")
    # A rule is one of three factors of each speed; the others are 1.
    alike, base, by_hand = (f"rule == '{rule}' ? {{}} : {{}}" for rule in RULES[1:])
    slowed = ", ".join(
        f"{speed:.9g} * every * pow(c, {k} * base) * ({kept:.6g} + {1 - kept:.6g} * parts)"
        for k, (speed, kept) in enumerate(zip(_SPEEDS, _KEPT))
    )
    # Whatever differs by rounding alone is no new angle.
    new = " + ".join(
        f"(length * slowed[{k}] > {1.00001 * TRAINED * _SPEEDS[k]:.9g})"
        for k in np.flatnonzero(_TURNS < 1)
    )
    ruled = f"rule == '{RULES[0]}' ? 'trained on {TRAINED} tokens; ' : 'slowed for '"
    read, words = parts.written("round(length)"), f"{{}} of {PAIRS} hands at new angles"
    # Without the rule, its line is free: on a phone, the other one is too long.
    lines = said("text of {} tokens", read), said(words, new)
    chart, place, scores = _strip(), "", ""
    tokens = {"greatest": _LONGEST, "step": 16, "per_second": 1024}
    controls = [alt.param("rule", value=rule), alt.param("c", value=8)]
    if not only_hands:
        chart = alt.vconcat(chart, _scores(), spacing=14)
        chart = chart.resolve_scale(color="independent", shape="independent")
        place, reach = "Above, ", parts.written(f"(c * {TRAINED})")
        lines = (
            said(f"{{}}{{}} × {TRAINED} = {{}} tokens", ruled, "c", reach),
            said(f"text of {{}} tokens: {words}", read, new),
        )
        controls = [
            parts.choice("rule", "rule", RULES, rule),
            slider("c", "scaling factor c", 8, least=1, greatest=16),
        ]
        scores = f"""
        Below, the scores of two heads against the offset, from 1 to {_LONGEST:,} on a logarithmic
        axis, as far as the text reaches: one is made to look 3 back and one {_FAR} back. Rings with
        numbers mark where each score is highest, and dashed lines where that was meant to be. A
        list and a slider choose a rule that slows the hands, and the scaling factor.
        """
    return finish(
        chart,
        *controls,
        slider("length", "text length (tokens)", length, **tokens),
        alt.param("every", expr=alike.format("1 / c", 1)),
        alt.param("base", expr=base.format(-1 / (PAIRS - 1), 0)),
        alt.param("parts", expr=by_hand.format("1 / c", 1)),
        alt.param("slowed", expr=f"[{slowed}]"),
        title=title(*lines, lineHeight=18, offset=8),
        description=f"""
        {place}64 narrow bars, one for each hand of a head of Llama 2, the fastest on the left. A
        bar's height is how far around its dial a hand has been, up to one turn. Gray is what it
        saw in training, in texts of {TRAINED} tokens: a whole turn for hands 0 to 45, and less
        and less for the other 18, down to a thirteenth. As the text gets longer, from 0 to
        {_LONGEST:,} tokens, bars fill with green, the fast ones at once. What a hand turns beyond
        its gray part is magenta, and a line counts such hands. {scores}
        """,
    )


def _strip():
    """Return a bar for each hand: what training saw, what the text shows again, and what's new."""
    hands = rows(PAIRS, "k").transform_calculate(
        trained=f"{_TURNS.round(7).tolist()}[datum.k]",
        times=f"{_SPEEDS.round(12).tolist()}[datum.k] / slowed[datum.k]",
        went=f"length / {TRAINED} * datum.trained / datum.times",
        known="min(1, datum.trained)",
        beyond="clamp(datum.went, datum.known, 1)",
        here="min(datum.went, datum.known)",
        zero="0",
    )
    x = alt.X("k:O", title="hand k, from the fastest to the slowest")
    x = x.axis(values=[0, 16, 32, 46, 63], labelAngle=0).scale(paddingInner=0.25)
    y = alt.Y("known:Q", title="turns, up to 1").scale(domain=[0, 1])
    y = y.axis(values=[0, 0.5, 1])
    legend = {"orient": "top", "symbolType": "square", "symbolOpacity": 0.8}
    colors = GRAY, POSITION, NEW_ANGLE
    [color] = parts.meanings("part", (_SEEN, _HERE, _NEW), colors, **legend)
    tooltip = tooltips(
        k=("hand k", None), trained=("turns in training", ".3g"), times=("times slower", ".3g")
    )
    ends = ((_SEEN, "zero", "known"), (_HERE, "zero", "here"), (_NEW, "known", "beyond"))
    bars = [
        hands.transform_calculate(part=f"'{part}'")
        .mark_bar(aria=False, opacity=0.45 if part == _SEEN else 1)
        .encode(
            x, y if end == "known" else alt.Y(f"{end}:Q"), alt.Y2(start), color, tooltip=tooltip
        )
        for part, start, end in ends
    ]
    return alt.layer(*bars, width=430, height=90)


def _scores():
    """Return the scores of both heads as far as the text reaches, and where they're highest."""
    words, marks = "how far back (offset, in tokens)", [1, 3, 30, 300, 3000, 30_000]
    look = {"values": marks, "labelExpr": parts.written("datum.value"), "grid": False}
    x = parts.axis(alt.X, "offset", words, [1, _LONGEST], scale="log", **look)
    y = parts.axis(alt.Y, "score", "score", [-0.3, 1.2], values=[0, 0.5, 1], grid=True)
    color, shape = parts.meanings("head", HEADS, (PLAIN, GRAY), ("circle", "square"))
    # The last offset is where the far head looks if all hands are slowed alike.
    ratio = (_LONGEST / _EVERY) ** (1 / _SPARSE)
    heads = alt.Chart(alt.sequence(1, _EVERY + _SPARSE + 1, as_="i")).transform_calculate(
        offset=f"datum.i <= {_EVERY} ? datum.i : datum.i < {_EVERY + _SPARSE}"
        f" ? round({_EVERY} * pow({ratio!r}, datum.i - {_EVERY})) : {_FAR} * c",
        scores=f"[{', '.join(_score(back) for back in HEADS.values())}]",
    )
    heads = heads.transform_calculate(head=f"{[*HEADS]}").transform_flatten(
        ["scores", "head"], as_=["score", "head"]
    )
    is_twice = f"datum.i == {_EVERY + _SPARSE} && datum.offset <= {_EVERY}"
    heads = heads.transform_filter(f"datum.offset < length && !({is_twice})")
    best = heads.transform_joinaggregate(most="max(score)", groupby=["head"])
    best = best.transform_filter("datum.score == datum.most").encode(x, y)
    learned = rows([{"offset": back, "score": -0.3, "top": 0.95} for back in HEADS.values()])
    return alt.layer(
        learned.mark_rule(color=GRAY, strokeDash=[3, 3]).encode(x, y, y2="top:Q"),
        heads.mark_line(strokeWidth=1.2).encode(x, y, color),
        best.mark_point(size=110, strokeWidth=2.5).encode(
            color, shape, tooltip=tooltips("head:N", offset=("now highest at", None), score=".2f")
        ),
        best.transform_calculate(at=parts.written("datum.offset"))
        .mark_text(baseline="bottom", dy=-9, fontSize=13)
        .encode(text="at:N", color=alt.value(PLAIN)),
    ).properties(width=430, height=150)


def _score(back):
    """Return the score of a head at an offset: 64 equally strong hands that agree `back` back."""
    terms = (f"cos(slowed[{k}] * datum.offset - {_SPEEDS[k] * back:.9g})" for k in range(PAIRS))
    return f"({' + '.join(terms)}) / {PAIRS}"
