"""The chart of notebook 10: how often the hands turn in a text that grows longer."""

import altair as alt

from posenc.charts.components import GRAY, TURN, angular_frequency, thousands, tooltips
from posenc.charts.controls import choice, finish, slider
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
    """Draw how often each of 64 hands turns in a text longer than those of the training.

    A hand that finished no turn there, and goes beyond its turns there, meets angles that are new.
    """
    length = thousands("pow(2, doublings)")
    text = thousands("text * pow(2, doublings)")
    title = f"'L = ' + {length} + ', text of ' + {text}"
    one = alt.Chart().mark_rule(color=GRAY, strokeDash=[4, 3]).encode(y=alt.datum(1))
    trained, points = _hands()
    return finish(
        alt.layer(trained, one, points),
        choice("rule", "hands", RULES, list(RULES)[2]),
        slider("stretch", "stretch c", 8, least=1, greatest=16, step=0.5),
        slider("text", "text, times as long as L", 1, least=1, greatest=16, step=0.25),
        slider("power", "base b, 10 to the power", 4, least=4, greatest=6, step=0.1),
        slider("doublings", "length L, 2 to the power", 12, least=10, greatest=17),
        size=(420, 300),
        title=alt.Title(alt.expr(title)),
        description="""
        Sixty-four hands from left to right, each at the height of its turns within a text, on a
        logarithmic scale from a hundred-thousandth to a million. A thick gray line falls evenly
        from the upper left to the lower right: the turns within the training. A dashed line marks
        one turn. Circles are hands that have been all around in the training, squares hands that
        have not and stay where they have been, triangles hands that stand beyond, at angles that
        are new. At first the text is as long as in the training, and there is no triangle. A list
        chooses the rule that slows the hands; sliders set how much, how long the text is, the base
        and the length of the training.
        """,
    )


def _turns(field):
    scale = {"type": "log", "domain": [1e-5, 1e6], "nice": False}
    y = alt.Y(f"{field}:Q", title="turns").scale(**scale)
    return y.axis(values=[10.0**n for n in range(-4, 6, 2)], format="~g")


def _hands():
    """Return the line of the turns within the training, and the points of those within the text."""
    frequency = angular_frequency("datum.k", pairs=_PAIRS, exponent="power")
    slowed = " : ".join(f"rule == '{name}' ? {factor}" for name, factor in RULES.items())
    state = (
        f"datum.trained >= 1 ? '{_KNOWN}' : "
        f"datum.turns < 1.000001 * datum.trained ? '{_WITHIN}' : '{_BEYOND}'"
    )
    hands = (
        alt.Chart(alt.sequence(0, _PAIRS, as_="k"))
        .transform_calculate(trained=f"pow(2, doublings) * {frequency} / {TURN}")
        .transform_calculate(kept="clamp((datum.trained - 1) / 3, 0, 1)")
        .transform_calculate(turns=f"datum.trained * text * ({slowed} : 1)")
        .transform_calculate(state=state)
        .encode(alt.X("k:Q", title="hand k").scale(domain=[-1, _PAIRS], nice=False))
    )
    legend = {"title": None, "orient": "bottom", "labelLimit": 300, "columns": 1}
    states = [_KNOWN, _WITHIN, _BEYOND]
    color = alt.Color("state:N").scale(domain=states, range=[COLORS[2], COLORS[0], COLORS[1]])
    shape = alt.Shape("state:N").scale(domain=states, range=["circle", "square", "triangle-up"])
    told = {"k": ("hand k", None), "trained": ("turns within L", ".3g")}
    told |= {"turns": ("turns within the text", ".3g")}
    points = hands.mark_point(filled=True, opacity=1, size=45).encode(
        _turns("turns"),
        color.legend(**legend),
        shape.legend(**legend),
        tooltip=tooltips(**told),
    )
    trained = hands.mark_line(color=GRAY, strokeWidth=6, opacity=0.6)
    return trained.encode(_turns("trained")), points
