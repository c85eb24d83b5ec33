"""The chart of notebook 10: how often the hands turn in a text that grows longer."""

import math

import altair as alt

from posenc.charts._slider import add_sliders, choice, slider
from posenc.palette import COLORS

_PAIRS = 64
_KNOWN, _WITHIN, _BEYOND = (
    "went all around in the training",
    "stays where it has been",
    "meets angles that are new",
)
RULES = {
    "as trained": "1",
    "every hand slower (interpolation)": "1 / stretch",
    "larger base (NTK-aware)": f"pow(stretch, -datum.k / {_PAIRS - 1})",
    "by parts, 1 and 4 turns (Llama 3.1)": "datum.kept + (1 - datum.kept) / stretch",
}


def longer_text():
    r"""Draw how often each of 64 hands turns in a text longer than those of the training.

    A hand k stands at its turns within the text, on a logarithmic scale. A gray line holds its
    turns within the training. A hand that finished none there, and now goes beyond that line, meets
    angles that it never stood at.

    Returns
    -------
    altair.LayerChart
        A list named ``rule`` chooses what slows the hands. The sliders are ``stretch``, c;
        ``text``, the text's length as a multiple of L; ``power``, the exponent of ten in the base;
        and ``doublings``, the exponent of two in L.

    Examples
    --------
    >>> [parameter.name for parameter in longer_text().params][:3]
    ['rule', 'stretch', 'text']
    """
    names = list(RULES)
    rule = choice("rule", "hands", names, names[2])
    controls = [
        slider("stretch", "stretch c", 8, least=1, greatest=16, step=0.5),
        slider("text", "text, times as long as L", 1, least=1, greatest=16, step=0.25),
        slider("power", "base b, 10 to the power", 4, least=4, greatest=6, step=0.1),
        slider("doublings", "length L, 2 to the power", 12, least=10, greatest=17),
    ]
    slowed = " : ".join(f"rule == '{name}' ? {factor}" for name, factor in RULES.items())
    hands = (
        alt.Chart(alt.sequence(0, _PAIRS, as_="k"))
        .transform_calculate(
            trained=f"pow(2, doublings) * pow(10, -power * datum.k / {_PAIRS}) / {2 * math.pi!r}"
        )
        .transform_calculate(kept="clamp((datum.trained - 1) / 3, 0, 1)")
        .transform_calculate(turns=f"datum.trained * text * ({slowed} : 1)")
        .transform_calculate(
            state="datum.trained >= 1 ? "
            f"'{_KNOWN}' : datum.turns < 1.000001 * datum.trained ? '{_WITHIN}' : '{_BEYOND}'"
        )
    )
    x = alt.X("k:Q", title="hand k", scale=alt.Scale(domain=[-1, _PAIRS], nice=False))
    y = {
        "title": "turns",
        "scale": alt.Scale(type="log", domain=[1e-5, 1e6], nice=False),
        "axis": alt.Axis(values=[10.0**n for n in range(-4, 6, 2)], format="~g"),
    }
    one = (
        alt.Chart(alt.Data(values=[{"turn": 1}]))
        .mark_rule(color="#808080", strokeDash=[4, 3])
        .encode(y=alt.Y("turn:Q", **y))
    )
    trained = hands.mark_line(color="#808080", strokeWidth=6, opacity=0.6).encode(
        x=x, y=alt.Y("trained:Q", **y)
    )
    legend = {"title": None, "orient": "bottom", "labelLimit": 300, "columns": 1}
    states = [_KNOWN, _WITHIN, _BEYOND]
    domain = alt.Scale(domain=states, range=[COLORS[2], COLORS[0], COLORS[1]])
    shapes = alt.Scale(domain=states, range=["circle", "square", "triangle-up"])
    points = hands.mark_point(filled=True, opacity=1, size=45).encode(
        x=x,
        y=alt.Y("turns:Q", **y),
        color=alt.Color("state:N", scale=domain, legend=alt.Legend(**legend)),
        shape=alt.Shape("state:N", scale=shapes, legend=alt.Legend(**legend)),
        tooltip=[
            alt.Tooltip("k:Q", title="hand k"),
            alt.Tooltip("trained:Q", title="turns within L", format=".3g"),
            alt.Tooltip("turns:Q", title="turns within the text", format=".3g"),
            alt.Tooltip("state:N", title="it"),
        ],
    )
    # A narrow space between thousands, as in the text.
    length, text = (
        f"replace(format({number}, ','), /,/g, '\u202f')"
        for number in ("pow(2, doublings)", "text * pow(2, doublings)")
    )
    chart = alt.layer(one, trained, points).properties(
        width=420,
        height=300,
        title=alt.TitleParams(
            text=alt.ExprRef(f"'L = ' + {length} + ', text of ' + {text}"), anchor="start"
        ),
        description=(
            "Sixty-four hands from left to right, each at the height of its turns within a text, "
            "on a logarithmic scale from a hundred-thousandth to a million. A thick gray "
            "line falls evenly from the upper left to the lower right: the turns within the "
            "training. A dashed line marks one turn. Circles are hands that have been all around "
            "in the training, squares hands that have not and stay where they have been, "
            "triangles hands that stand beyond, at angles that are new. At first the text is as "
            "long as in the training, and there is no triangle. A list chooses the rule that "
            "slows the hands; sliders set how much, how long the text is, the base and the length "
            "of the training."
        ),
    )
    return add_sliders(chart, rule, *controls)
