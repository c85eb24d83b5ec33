"""The chart of lab B: how far back the letters of a text look, in many heads at once."""

import altair as alt

from posenc.charts.components import axis, choice, finish, rows, said, slider, spread, tooltips
from posenc.palette import MUTED, PLAIN

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SIZE = 400, 300


def wall_of_heads(looks, text, starts, *, asked):
    """Draw a row of dots for each head: one for each letter that looks as far back as was asked.

    Parameters
    ----------
    looks : dict
        From ways to use heads, ``(trained, part, letters)``, to how far back each letter looks: an
        array of int from 0 to 35, shape (starts, heads, n). Lists offer the three words.
    text : str
        Its last n letters look.
    starts : range
        The positions at which the text begins.
    asked : int
        How far back the heads were trained to look.
    """
    _, heads, count = next(iter(looks.values())).shape
    if any(back.shape != (len(starts), heads, count) for back in looks.values()):
        raise ValueError(f"looks must have shape ({len(starts)}, {heads}, {count}) in all ways")
    labels = {"trained": "trained on texts that", "part": "matrix"}
    labels |= {"letters": "queries and keys see"}
    lists = {
        name: choice(name, label, dict.fromkeys(words))
        for (name, label), words in zip(labels.items(), zip(*looks))
    }
    values = [
        dict(zip(lists, way), head=head, back="".join(_DIGITS[n] for n in back[:, head].flat))
        for way, back in looks.items()
        for head in range(heads)
    ]
    digit = f"round((start - {starts[0]}) / {starts.step}) * {count} + datum.column"
    chosen = " && ".join(f"datum.{name} == {name}" for name in lists)
    cells = spread(rows(values).transform_filter(chosen), column=f"sequence({count})")
    cells = cells.transform_calculate(
        away=f"indexof('{_DIGITS}', datum.back[{digit}])", right=f"datum.away == {asked}"
    )
    plain = {"grid": False, "ticks": False}
    letter = {"values": [*range(count)], "labelExpr": f"'{text[-count:]}'[datum.value]"}
    letter |= {"labelOverlap": False, "orient": "top"} | plain
    x = axis(alt.X, "column", f"the last {count} letters of a text", [-0.7, count - 0.3], **letter)
    plain |= {"labels": False}
    y = axis(alt.Y, "head", f"{heads} heads, a row each", [-0.7, heads - 0.3], down=True, **plain)
    tooltip = tooltips(away=("looks back", None))
    dots = cells.transform_filter("datum.right").mark_circle(color=PLAIN, size=55, opacity=1)
    numbers = cells.transform_filter("!datum.right").mark_text(color=MUTED, fontSize=10, aria=False)
    sums = cells.transform_aggregate(right="sum(right)", all="count()").transform_calculate(
        words=said(f"{{}} of {{}} letters look {asked} back", "datum.right", "datum.all")
    )
    middle, below = alt.value({"expr": "width / 2"}), alt.value(_SIZE[1] + 14)
    written = sums.mark_text(fontSize=13).encode(x=middle, y=below, text="words:N")
    steps = {"least": starts[0], "greatest": starts[-1], "step": starts.step, "per_second": 20}
    return finish(
        alt.layer(
            dots.encode(x, y, tooltip=tooltip),
            numbers.encode(x, y, text="away:Q", tooltip=tooltip),
            written,
        ),
        *lists.values(),
        slider("start", "text begins at", starts[0], **steps),
        size=_SIZE,
        description=f"""
        A wall of {heads} rows, one for each head, and {count} columns, one for each of the last
        letters of a text. A dot marks a letter that looks {asked} places back, and where a letter
        looks somewhere else, a number says how far back. A line below counts the dots. Lists
        choose how the heads were trained, which matrix stands between queries and keys, and what
        queries and keys see of the letters, and a slider says where the text begins. With all of W
        the wall is full of dots for a text that begins where the heads were trained. With the
        offset part, most are numbers.
        """,
    )
