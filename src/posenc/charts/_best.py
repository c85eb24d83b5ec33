"""The mark around the best place of a chart, which a line below the chart names."""

import altair as alt

from posenc.palette import COLORS


def mark_best(best, *, x, y, shape, size):
    """Return a chart of what is best with a mark around it.

    Its field ``words`` says what to write below the chart: as the only entry of a legend, it moves
    with the data.
    """
    words = alt.Shape(
        "words:N",
        title=None,
        scale=alt.Scale(range=[shape]),
        legend=alt.Legend(orient="bottom", labelLimit=400, symbolSize=100),
    )
    mark = {"filled": False, "strokeWidth": 3, "color": COLORS[1], "opacity": 1}
    return best.mark_point(size=size, **mark).encode(x=x, y=y, shape=words)
