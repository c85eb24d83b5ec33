"""The chart of lab B: how far back the letters of a text look, in many heads at once."""

import altair as alt

from posenc.charts.components import choice, finish, slider, tooltips
from posenc.palette import INK, MUTED, PLAIN

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SIZE = 400, 300


def wall_of_heads(looks, text, starts, *, asked):
    """Draw a row of dots for each head: one for each letter that looks as far back as was asked.

    A letter that looks somewhere else has a number, which says how far back.

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
    lists = {
        name: choice(name, label, dict.fromkeys(way[i] for way in looks))
        for i, (name, label) in enumerate(
            {
                "trained": "trained on texts that",
                "part": "matrix",
                "letters": "queries and keys see",
            }.items()
        )
    }
    values = [
        dict(zip(lists, way), head=head, back="".join(_DIGITS[n] for n in back[:, head].flat))
        for way, back in looks.items()
        for head in range(heads)
    ]
    digit = f"round((start - {starts[0]}) / {starts.step}) * {count} + datum.column"
    cells = (
        alt.Chart(alt.InlineData(values=values))
        .transform_filter(" && ".join(f"datum.{name} == {name}" for name in lists))
        .transform_calculate(column=f"sequence({count})")
        .transform_flatten(["column"])
        .transform_calculate(away=f"indexof('{_DIGITS}', datum.back[{digit}])")
        .transform_calculate(right=f"datum.away == {asked}")
    )
    plain = {"grid": False, "ticks": False}
    letter = {"labelExpr": f"'{text[-count:]}'[datum.value]", "labelOverlap": False}
    x = alt.X("column:Q", title=f"the last {count} letters of a text")
    x = x.scale(domain=[-0.7, count - 0.3], nice=False)
    x = x.axis(values=[*range(count)], orient="top", **letter, **plain)
    y = alt.Y("head:Q", title=f"{heads} heads, a row each").axis(labels=False, **plain)
    y = y.scale(domain=[-0.7, heads - 0.3], nice=False, reverse=True)
    told = tooltips(away=("looks back", None))
    dots = cells.transform_filter("datum.right").mark_circle(color=PLAIN, size=55, opacity=1)
    numbers = cells.transform_filter("!datum.right").mark_text(color=MUTED, fontSize=10, aria=False)
    sums = cells.transform_aggregate(right="sum(right)", all="count()").transform_calculate(
        words=f"datum.right + ' of ' + datum.all + ' letters look {asked} back'"
    )
    middle, below = alt.value({"expr": "width / 2"}), alt.value(_SIZE[1] + 14)
    written = sums.mark_text(fontSize=13, color=INK).encode(x=middle, y=below, text="words:N")
    return finish(
        alt.layer(
            dots.encode(x, y, tooltip=told),
            numbers.encode(x, y, text="away:Q", tooltip=told),
            written,
        ),
        *lists.values(),
        slider(
            "start",
            "text begins at",
            starts[0],
            least=starts[0],
            greatest=starts[-1],
            step=starts.step,
            per_second=20,
        ),
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
