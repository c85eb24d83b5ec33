"""The chart of notebook 07: maps of weights to flip through."""

import altair as alt
import numpy as np

from posenc._validation import array, strings
from posenc.charts.components import choice, finish, map_color, tooltips

MOST_TOKENS = 20
MOST_NUMBERED = 10  # in more cells the numbers would not be legible

_TITLES = {
    "words": "words only",
    "positions": "positions only",
    "both": "words + positions",
}


def attention_maps(tokens, words, positions, both):
    """Draw three matrices of weights as heat maps, one at a time.

    Parameters
    ----------
    tokens : sequence of str
        The n words of the sentence, at most 20.
    words, positions, both : array_like, shape (n, n)
        The weights of self-attention with words only, with positions only and with words and
        positions; rows are queries, so each row sums to 1. They are rounded to 4 decimals, and
        written into the cells of at most 10 words.
    """
    tokens = strings("tokens", tokens)
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"tokens must be 1 to {MOST_TOKENS} words, got {len(tokens)}")
    labels = [f"{position} {token}" for position, token in enumerate(tokens)]
    given = {"words": words, "positions": positions, "both": both}
    weights = {name: _weights(name, it, len(tokens)) for name, it in given.items()}
    # Rounded, so that no digit of a scale depends on the machine.
    highest = float(np.ceil(10 * max(it.max() for it in weights.values()).round(4)) / 10)
    # Zero is added so that no value is written as minus zero.
    cells = {name: (it.round(4) + 0.0).ravel().tolist() for name, it in weights.items()}
    cells |= {"query": np.repeat(labels, len(labels)).tolist(), "key": labels * len(labels)}
    chosen = " : ".join(f"shown == '{it}' ? datum.{name}" for name, it in _TITLES.items())
    numbered = len(tokens) <= MOST_NUMBERED
    layers = [_map(labels, highest, numbered), *([_numbers()] if numbered else [])]
    chart = alt.layer(
        *layers, data=alt.Data(values=[cells]), title=alt.TitleParams(alt.expr("shown"))
    )
    chart = chart.transform_flatten(list(cells)).transform_calculate(weight=f"{chosen} : 0")
    return finish(
        chart,
        choice("shown", "map", _TITLES.values()),
        _highlight(labels),
        size=(380, 380),
        description=f"""
        A heat map of {len(tokens)} by {len(tokens)} cells for the sentence “{" ".join(tokens)}”.
        Rows are queries and columns are keys, in the order of the sentence, each named by its
        position and its word. A list chooses what is shown: the weights from words only, which are
        shown first, from positions only or from both, all on one color scale. A cell keeps its
        place, so that maps can be compared by going back and forth.
        {"In each cell stands its weight." if numbered else ""} Pointing at a row, or choosing a
        query from a second list, keeps that row's color and fades the others. Tooltips tell query,
        key and the three numbers.
        """,
    )


def _weights(name, weights, count):
    weights = array(name, weights, (count, count), why="for the tokens")
    least, sums = weights.min(), weights.sum(axis=1)
    if least < 0 or not np.allclose(sums, 1):
        raise ValueError(
            f"{name} must hold weights of at least 0 whose rows sum to 1, got {least:.6g} "
            f"and a sum of {sums[np.abs(sums - 1).argmax()]:.6g}"
        )
    return weights


def _highlight(labels):
    names = {"options": [None, *labels], "labels": ["all", *labels]}
    bind = alt.binding_select(**names, name="highlight query ")
    return alt.selection_point(
        name="query", fields=["query"], on="pointerover", clear="pointerout", bind=bind
    )


def _faded(chart):
    """Return a layer with the tooltips of all maps, faded where it is not highlighted."""
    kept = alt.condition(alt.selection_point(name="query"), alt.value(1), alt.value(0.2))
    numbers = dict.fromkeys(_TITLES, ".4f")
    return chart.encode(opacity=kept, tooltip=tooltips("query:N", "key:N", **numbers))


def _map(labels, most, numbered):
    color = map_color("weight", most, opacity="73" if numbered else "ff", title="weight")
    color = color.legend(orient="bottom", gradientLength=120)
    x = alt.X("key:N", title="key").scale(domain=labels).axis(labelAngle=-45)
    y = alt.Y("query:N", title="query").scale(domain=labels)
    return _faded(alt.Chart().mark_rect().encode(x, y, color)).properties(name="weight")


def _numbers():
    """Return the weight of each cell as text."""
    numbers = alt.Chart().mark_text(aria=False, fontSize=13)
    text = alt.Text("weight:Q", format=".2f")
    return _faded(numbers.encode(x="key:N", y="query:N", text=text))
