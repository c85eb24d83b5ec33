"""The charts of notebook 07: four maps of weights, and a head that looks back."""

import altair as alt
import numpy as np

from posenc._validation import array, strings
from posenc.charts._best import mark_best
from posenc.charts._slider import add_sliders, slider
from posenc.encodings import angular_frequencies

WORDS, POSITIONS, BOTH = "words only", "positions only", "words + positions"
DIFFERENCE = "difference: both − words only"
MOST_TOKENS = 20
TOKENS = 16  # how many tokens the head of `looking_back` sees

_MAP_SIDE = 205
_HEAD_SIDE = 380
_PLUS, _MINUS = "+", "−"
_SIGNED = 0.005  # changes below this show as 0.00, and get no sign


def attention_maps(tokens, words, positions, both):
    """Draw three matrices of weights, and what positions change, as linked heat maps.

    Rows are queries, columns are keys, both in the order of the sentence. A query that is pointed
    at, or chosen by name, keeps its color in all four maps while the other rows fade.

    Parameters
    ----------
    tokens : sequence of str
        The n words of the sentence, at most 20.
    words, positions, both : array_like, shape (n, n)
        The weights of self-attention with words only, with positions only and with words and
        positions; rows are queries, so each row sums to 1.

    Returns
    -------
    altair.VConcatChart
        Its parameter is ``query``. The weights are rounded to 4 decimals.

    Raises
    ------
    TypeError, ValueError
        If the tokens are not 1 to 20 strings, or a matrix is not one of weights for them.

    Examples
    --------
    >>> equal = [[0.5, 0.5], [0.5, 0.5]]
    >>> [parameter.name for parameter in attention_maps(["a", "b"], equal, equal, equal).params]
    ['query']
    """
    labels = _labels(tokens)
    weights = {
        "words": _weights("words", words, len(labels)),
        "positions": _weights("positions", positions, len(labels)),
        "both": _weights("both", both, len(labels)),
    }
    weights["difference"] = weights["both"] - weights["words"]
    # Zero is added so that no value is written as minus zero.
    numbers = {name: (matrix.round(4) + 0.0).tolist() for name, matrix in weights.items()}
    rows = [
        {"query": query, "key": key} | {name: numbers[name][s][t] for name in numbers}
        for s, query in enumerate(labels)
        for t, key in enumerate(labels)
    ]
    highest = max(weights[name].max() for name in ("words", "positions", "both"))
    # Rounded, so that no digit of the scale depends on the machine.
    largest = float(np.abs(weights["difference"]).max().round(4)) or 1.0

    # The parameter stands above all four maps and names them, so that it is one and the same.
    chosen = alt.selection_point(name="query")
    shared = alt.TopLevelSelectionParameter(
        name="query",
        select=alt.PointSelectionConfig(
            type="point", fields=["query"], on="pointerover", clear="pointerout"
        ),
        bind=alt.binding_select(
            options=[None, *labels], labels=["all", *labels], name="highlight query "
        ),
        views=list(numbers),
    )
    visible = alt.condition(chosen, alt.value(1), alt.value(0.2))
    tooltip = ["query:N", "key:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in numbers)]
    sequential = alt.Scale(domain=[0, float(np.ceil(10 * highest.round(4)) / 10)], scheme="viridis")
    diverging = alt.Scale(domain=[-largest, largest], scheme="blueorange")
    legend = {"orient": "bottom", "gradientLength": _MAP_SIDE - 10}

    def heat_map(field, title, scale, named):
        cells = (
            alt.Chart(title=title)
            .mark_rect()
            .encode(
                x=alt.X(
                    "key:N",
                    title="key",
                    scale=alt.Scale(domain=labels),
                    axis=alt.Axis(labelAngle=-45),
                ),
                y=alt.Y("query:N", title="query", scale=alt.Scale(domain=labels)),
                color=alt.Color(
                    f"{field}:Q",
                    scale=scale,
                    title=named,
                    legend=alt.Legend(**legend) if named else None,
                ),
                opacity=visible,
                tooltip=tooltip,
            )
        )
        return cells.properties(name=field, width=_MAP_SIDE, height=_MAP_SIDE)

    difference = heat_map("difference", DIFFERENCE, diverging, "difference of weights")
    signs = (
        alt.Chart()
        .mark_text(aria=False, fontSize=11)
        .transform_filter(f"abs(datum.difference) >= {_SIGNED}")
        .transform_calculate(sign=f"datum.difference > 0 ? '{_PLUS}' : '{_MINUS}'")
        .encode(
            x="key:N",
            y="query:N",
            text="sign:N",
            # White on the dark ends of the scale; its blue is dark earlier than its orange.
            color=alt.condition(
                f"datum.difference < {-0.79 * largest!r} || datum.difference > {0.87 * largest!r}",
                alt.value("white"),
                alt.value("black"),
            ),
            opacity=visible,
            tooltip=tooltip,
        )
    )
    top = alt.hconcat(
        heat_map("words", WORDS, sequential, None),
        heat_map("positions", POSITIONS, sequential, None),
    ).resolve_scale(color="independent")
    bottom = alt.hconcat(
        heat_map("both", BOTH, sequential, "weight (all three)"),
        alt.layer(difference, signs),
    ).resolve_scale(color="independent")
    return alt.vconcat(top, bottom, data=alt.Data(values=rows), params=[shared]).properties(
        description=(
            f"Four heat maps of {len(labels)} by {len(labels)} cells for the sentence “"
            f"{' '.join(label.split(' ', 1)[1] for label in labels)}”. Rows are queries and "
            "columns are keys, in the order of the sentence, each named by its position and its "
            "word. Three maps share one color scale: the weights from words only, from positions "
            "only, and from both. The fourth shows both minus words only on a scale centered on "
            f"zero, with the sign written in each cell that changes by {_SIGNED} or more. "
            "Pointing at a row, or choosing a query from the list, keeps that row's color in all "
            "four maps and fades the others. "
            "Tooltips tell query, key and the four numbers."
        )
    )


def _labels(tokens):
    tokens = strings("tokens", tokens)
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"tokens must be 1 to {MOST_TOKENS} words, got {len(tokens)}")
    return [f"{position} {token}" for position, token in enumerate(tokens)]


def _weights(name, weights, count):
    weights = array(name, weights)
    if weights.shape != (count, count):
        raise ValueError(
            f"{name} must have shape ({count}, {count}), one row and one column for each token, "
            f"got shape {weights.shape}"
        )
    if weights.min() < 0:
        raise ValueError(f"{name} must hold weights of at least 0, got {weights.min()}")
    sums = weights.sum(axis=1)
    if not np.allclose(sums, 1):
        row = np.abs(sums - 1).argmax()
        raise ValueError(
            f"{name} must hold weights whose rows sum to 1, got {sums[row]:.6g} in row {row}"
        )
    return weights


def looking_back(width=100):
    r"""Draw the weights of a head with a causal mask whose matrix is W = β M(φ).

    .. math:: \operatorname{softmax}_t\left(
        \frac{\beta}{\sqrt d}\, PE[s]^\top M(\varphi)\, PE[t] \right)
        = \operatorname{softmax}_t\left(
        \frac{\beta}{\sqrt d} \sum_k \cos \omega_k (s - \varphi - t) \right)

    The scores are added up, pair by pair, from the encodings of 16 consecutive positions. The
    sliders set the offset φ, the sharpness β and the position of the first token.

    Parameters
    ----------
    width : int
        Numbers in one encoding, d; even.

    Returns
    -------
    altair.LayerChart
        Its parameters are ``offset``, ``sharpness`` and ``first``.

    Raises
    ------
    TypeError, ValueError
        If the width is not a positive even integer.

    Examples
    --------
    >>> [parameter.name for parameter in looking_back().params]
    ['offset', 'sharpness', 'first']
    """
    pairs = len(angular_frequencies(width))
    sliders = [
        slider("offset", "offset φ", 3, greatest=8, step=0.5, per_second=1),
        slider("sharpness", "sharpness β", 40, least=1, greatest=100),
        slider("first", "first position", 0, greatest=10_000, step=100, per_second=500),
    ]
    axis = {"labelExpr": "datum.value + first", "labelAngle": 0, "labelOverlap": True}
    x = alt.X("key:O", title="position t of the key", axis=alt.Axis(**axis, labelSeparation=5))
    y = alt.Y("query:O", title="position s of the query", axis=alt.Axis(**axis, minExtent=40))
    cells = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "weight:Q",
                title="weight",
                scale=alt.Scale(domain=[0, 1], scheme="viridis"),
                legend=alt.Legend(gradientLength=180),
            ),
            tooltip=[
                alt.Tooltip("s:Q", title="query at", format="d"),
                alt.Tooltip("t:Q", title="key at", format="d"),
                alt.Tooltip("weight:Q", format=".4f"),
            ],
        )
    )
    # A legend takes the colors of the page, as no text mark would.
    most = (
        alt.Chart()
        .transform_filter(f"datum.query == {TOKENS - 1}")
        # Halfway between two keys both are best, and only rounding noise tells them apart.
        .transform_calculate(rounded="round(1e6 * datum.weight)")
        .transform_window(rank="rank()", sort=[alt.SortField("rounded", order="descending")])
        .transform_filter("datum.rank == 1")
        .transform_joinaggregate(least="min(t)", most="max(t)")
        .transform_calculate(
            words="'query ' + datum.s + ': best key' + (datum.least == datum.most"
            " ? ' ' + datum.t + ', weight ' : 's ' + datum.least + ', ' + datum.most + ', each ')"
            " + format(datum.weight, '.4f')"
        )
    )
    most = mark_best(most, x=x, y=y, shape="square", size=150)
    place = "(first + datum.query)", "(first + datum.key + offset)"
    angles = [f"datum.speed * {position}" for position in place]
    chart = alt.layer(cells, most, data=alt.sequence(0, TOKENS * TOKENS, as_="cell"))
    return (
        add_sliders(chart, *sliders)
        .transform_calculate(query=f"floor(datum.cell / {TOKENS})", key=f"datum.cell % {TOKENS}")
        .transform_filter("datum.key <= datum.query")
        .transform_calculate(pair=f"sequence(0, {pairs})")
        .transform_flatten(["pair"])
        .transform_calculate(speed=f"pow(10000, -2 * datum.pair / {width})")
        .transform_calculate(
            product=" + ".join(f"{f}({angles[0]}) * {f}({angles[1]})" for f in ("sin", "cos"))
        )
        .transform_aggregate(product="sum(product)", groupby=["query", "key"])
        .transform_joinaggregate(largest="max(product)", groupby=["query"])
        .transform_calculate(
            exponential=f"exp(sharpness * (datum.product - datum.largest) / sqrt({width}))"
        )
        .transform_joinaggregate(total="sum(exponential)", groupby=["query"])
        .transform_calculate(
            weight="datum.exponential / datum.total",
            s="first + datum.query",
            t="first + datum.key",
        )
        .properties(
            width=_HEAD_SIDE,
            height=_HEAD_SIDE,
            description=(
                f"A heat map of the weights of {TOKENS} queries, downwards, for {TOKENS} keys, "
                "to the right. The causal mask leaves only the lower left triangle. At first the "
                "offset is 3 and the sharpness 40, and a bright diagonal runs three cells below "
                "the main one: each query attends to the key three positions back. The first "
                "three queries, which have no such key, attend to the first key. The slider of "
                "the offset moves the diagonal, the slider of the sharpness blurs it or makes "
                "it crisp, and the slider of the first position changes the numbers at the axes "
                "and nothing else. Squares mark the key, or two equal keys, at which the last "
                "query looks most, and a line below names them."
            ),
        )
    )
