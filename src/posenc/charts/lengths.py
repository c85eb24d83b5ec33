"""The chart of lab C: how often each of many heads is right, a ring a head, and one to follow."""

import altair as alt
import numpy as np

from posenc.charts import components as parts
from posenc.charts.components import axis, choice, finish, slider, tooltips
from posenc.palette import GRAY, INK

_WIDE, _ROW = 300, 25
_SPREAD = 0.3  # of a row's rings, up and down


def head_rings(right, colors, *, task, text, guessing, learned=None, followed=None):
    """Draw for each of many heads how often it's right, in a row for each name.

    Parameters
    ----------
    right : dict
        {(task, text): {name: percentages}}, with a percentage for each head, always in the same
        order. A name may be missing.
    colors : dict of str
        The color of each name; rows are in this order.
    task, text : str
        Those to begin with.
    guessing : dict of float
        What a guess gets right in each task, in percent.
    learned : dict of array_like of bool, optional
        Which heads had learned each task; rings of the others are gray. All had, unless given.
    followed : int, optional
        A head to follow from row to row, if rows are about the same heads. A slider chooses others.
    """
    names, tasks = [*colors], [*guessing]
    texts = [*dict.fromkeys(which for _, which in right)]
    heads = len(next(iter(right[task, text].values())))
    learned = learned or {name: np.ones(heads, dtype=bool) for name in tasks}
    values = [
        {"task": which, "text": where, "row": row, "name": name}
        | {"right": np.round(percents[name], 1).tolist(), "learned": [*map(int, learned[which])]}
        for (which, where), percents in right.items()
        for row, name in enumerate(names)
        if name in percents
    ]
    chosen = parts.rows(values).transform_filter("datum.task == task && datum.text == text")
    rings = parts.spread(chosen, "right", "learned", head=f"sequence({heads})")
    rings = rings.transform_calculate(
        y=f"datum.row + {_SPREAD} * (2 * datum.head / {heads - 1} - 1)",
        color=f"datum.learned ? {[*colors.values()]}[datum.row] : '{GRAY}'",
    )
    look = {"values": [0, 25, 50, 75, 100], "grid": False}
    x = axis(alt.X, "right", "right answers, %", [0, 112], **look)
    labels = {"values": [*range(len(names))], "labelExpr": f"{names}[datum.value]"}
    labels |= dict.fromkeys(("labelOverlap", "grid", "ticks", "domain"), False)
    edges = [len(names) - 0.4, -0.6]
    y, row, top = (axis(alt.Y, field, None, edges, **labels) for field in ("y", "row", "top"))
    middle = rings.transform_aggregate(middle="median(right)", groupby=["row", "name"])
    middle = middle.transform_calculate(top=f"datum.row - {_SPREAD}", end=f"datum.row + {_SPREAD}")
    chance = parts.rows(1, right=f"{[*guessing.values()]}[indexof({tasks}, task)]")
    tooltip = tooltips("name:N", head=None, right=".1f")
    layers = [
        chance.mark_rule(color=GRAY, strokeDash=[5, 4]).encode(x),
        rings.mark_point(size=34, opacity=0.75, aria=False).encode(
            x, y, color=alt.Color("color:N", scale=None), tooltip=tooltip
        ),
        middle.mark_rule(color=INK, strokeWidth=3).encode(x="middle:Q", y=top, y2="end:Q"),
        middle.mark_text(aria=False).encode(
            x=alt.XDatum(108), y=row, text=alt.Text("middle:Q", format=".0f")
        ),
    ]
    controls, words = [choice("task", "task", tasks, task), choice("text", "text", texts, text)], ""
    if followed is not None:
        controls.append(slider("followed", "follow head", followed, greatest=heads - 1))
        words = "A slider chooses one head, with a diamond in every row and a line through them."
        head = rings.transform_filter("datum.head == followed").encode(x=x, y=row)
        layers += [
            head.mark_line(color=INK, strokeWidth=1, opacity=0.5).encode(order="row:Q"),
            head.mark_point(filled=True, shape="diamond", size=90, color=INK).encode(
                tooltip=tooltip
            ),
        ]
    first = {name: np.median(percents) for name, percents in right[task, text].items()}
    return finish(
        alt.layer(*layers),
        *controls,
        size=(_WIDE, _ROW * len(names)),
        description=f"""
        {len(names)} rows of {heads} rings, one for each head, over how often the head is right, in
        percent. A bar across each row, and a number at its right end, is the median of the heads.
        A dashed line is guessing. Lists choose the task and the text. At first the task is {task},
        the text is {text}, and the medians are
        {", ".join(f"{name} {value:.0f}" for name, value in first.items())}. {words}
        """,
    )
