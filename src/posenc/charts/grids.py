"""The chart of notebook 11: a query and a key in a picture, their hands, and what's near."""

import altair as alt

from posenc.charts import components as parts
from posenc.charts.components import finish, rounded, rows, said, slider, tooltips
from posenc.charts.dials import ASKED, ASKS, BETWEEN, COMPARED, SHAPES, Dials
from posenc.encodings import angular_frequencies
from posenc.palette import FAINT, GRAY, KEY, QUERY

SIDE = 28  # columns, and rows, of the picture
MIDDLE = 14  # the key's column, and its row
SPEEDS = angular_frequencies(32, base=100).round(9).tolist()  # of the hands of each axis
SHOWN = (0, 3, 6, 9)  # pairs that have dials
NEAR, FAR = (3, 3), (13, 0)  # the two offsets to compare
_WIDTH = 11 * SIDE  # whole pixels for each patch
_DIALS = Dials(len(SHOWN), 2, margin=1.3, below=0.5)


def patches(row=9, edge=0):
    r"""Draw what a query and a key score in a picture, if all of their hands agree at one place.

    The query begins in a `row`. Places are colored where it would score higher than at an `edge`,
    so many patches right and down. With 0, nothing is, and the sliders for that and for the slant
    are left out.

    With speeds :math:`\omega_k`, and the query x columns and y rows away from the key, that's

    .. math:: \sum_k \cos \omega_k (x \cos \alpha_k + y \sin \alpha_k) +
        \cos \omega_k (y \cos \alpha_k - x \sin \alpha_k)

    where the slant :math:`\alpha_k` of every second pair is on a slider, and 0 for the others.
    """
    views = alt.vconcat(_dials(), _map(), spacing=4)
    start = {"greatest": SIDE - 1, "per_second": 3}
    controls, sliders = [alt.param("edge", value=0), alt.param("slant", value=0)], ""
    if edge:
        controls = [
            slider("edge", "nearer than n right, n down", edge, greatest=NEAR[0]),
            slider("slant", "slant of every second hand (°)", 0, greatest=45, per_second=10),
        ]
        sliders = """
        A third slider colors all places where the query would score higher with the key than 1, 2,
        or 3 patches right and down from it, where it puts a gray mark, and the last slider makes
        every second hand turn aslant, up to 45 degrees.
        """
    return finish(
        views.resolve_scale(color="independent", shape="independent"),
        slider("column", "column of the query", 5, **start),
        slider("row", "row of the query", row, **start),
        *controls,
        alt.param("level", expr=_score("edge", "edge")),
        description=f"""
        Above, two rows of four dials, each with a light blue hand of the query and a dark red hand
        of the key, and an arc between them. At first the upper ones turn by the column and the
        lower ones by the row, as a small arrow beside each dial shows. Below, a picture of {SIDE}
        by {SIDE} patches with the key in the middle and the query where two sliders put it. Gray
        marks are 3 columns and 3 rows from the key, and 13 columns from it in its row. A line
        between says how well all 32 hands agree. {sliders}
        """,
    )


def _axes(right, down):
    """Return the expressions of the sums of cosines by column and by row, so many patches away."""
    cosine, sine = (f"{function}(slant * PI / 180)" for function in ("cos", "sin"))
    slanted = (
        f"(({right}) * {cosine} + ({down}) * {sine})",
        f"(({down}) * {cosine} - ({right}) * {sine})",
    )
    return tuple(
        " + ".join(f"cos({speed} * {ways[k % 2]})" for k, speed in enumerate(SPEEDS))
        for ways in zip((f"({right})", f"({down})"), slanted)
    )


def _score(right, down):
    """Return the expression of the sum over both axes."""
    return " + ".join(_axes(right, down))


def _map():
    """Return the picture with its query, its key, and the places that are near to the key."""
    numbers = list(range(SIDE))
    look = {"values": numbers[::7], "labelAngle": 0}
    x = alt.X("x:O", title="column").scale(domain=numbers, padding=0).axis(**look)
    y = alt.Y("y:O", title="row").scale(domain=numbers, padding=0).axis(**look)
    cells = rows(SIDE**2, "patch").transform_calculate(
        x=f"datum.patch % {SIDE}",
        y=f"floor(datum.patch / {SIDE})",
        score=_score(f"datum.x - {MIDDLE}", f"datum.y - {MIDDLE}"),
        # A step between the two, which makes the edge visible.
        near="datum.score > level + 1e-9 ? "
        f"0.25 + 0.75 * (datum.score - level) / ({2 * len(SPEEDS)} - level) : 0",
    )
    tooltip = tooltips(x=("column", None), y=("row", None), score=".1f")
    cells = cells.mark_rect(stroke=FAINT, strokeWidth=0.5)
    cells = cells.encode(x, y, parts.map_color("near").legend(None), tooltip=tooltip)
    marks = rows([{"far": a, "down": b} for a, b in ((0, 0), NEAR, FAR)])
    # The near mark is where the color ends, if there is any.
    moved = "(edge && datum.down ? edge - 3 : 0)"
    marks = marks.transform_calculate(
        x=f"{MIDDLE} + datum.far + {moved}", y=f"{MIDDLE} + datum.down + {moved}"
    )
    targets = marks.transform_filter("datum.far > 0").encode(x, y)
    look = {"color": GRAY, "opacity": 0.7, "size": 150, "strokeWidth": 2.5}
    targets = targets.mark_point(filled=False, aria=False, **look)
    key = marks.transform_filter("datum.far == 0").encode(x, y)
    key = key.mark_point(color=KEY, filled=True, size=90, shape="square")
    query = rows(1, x="column", y="row").encode(x, y)
    query = query.mark_point(color=QUERY, filled=True, size=110)
    return alt.layer(cells, targets, query, key, width=_WIDTH, height=_WIDTH)


def _dials():
    """Return the dials of four hands that turn by the column and four that turn by the row."""
    color, shape = parts.meanings("what", ASKED, COMPARED, SHAPES)
    hands = rows(2 * len(SHOWN), "dial").transform_calculate(
        pair=f"{list(SHOWN)}[datum.dial % {len(SHOWN)}]",
        speed=f"{SPEEDS}[datum.pair]",
        slanted="(datum.pair % 2) * slant * PI / 180",
        by_row=f"datum.dial >= {len(SHOWN)}",
        cosine="datum.by_row ? -sin(datum.slanted) : cos(datum.slanted)",
        sine="datum.by_row ? cos(datum.slanted) : sin(datum.slanted)",
        key=f"datum.speed * {MIDDLE} * (datum.cosine + datum.sine)",
        query="datum.speed * (column * datum.cosine + row * datum.sine)",
        between="atan2(sin(datum.query - datum.key), cos(datum.query - datum.key))",
        heading="90 + 90 * datum.by_row + datum.slanted * 180 / PI",
    )
    arcs = hands.transform_calculate(what=f"'{BETWEEN}'").encode(color)
    arrows = _DIALS.around(hands, "-PI / 4", 1.45)
    arrows = arrows.mark_point(shape="arrow", size=160, color=GRAY, filled=True)
    hands = parts.spread(hands, what=f"{[*ASKED[:2]]}")
    hands = hands.transform_calculate(angle=f"datum.what == '{ASKS}' ? datum.query : datum.key")
    looks = color, shape, f"datum.what == '{ASKS}'", (5, 2.5), (90, 40)
    tooltip = tooltips("what:N", pair=("pair k", None))
    away = f"column - {MIDDLE}", f"row - {MIDDLE}"
    sums = (rounded(f"({total})", 1) for total in (*_axes(*away), _score(*away)))
    words = said(f"upper {{}} + lower {{}} = {{}} of {2 * len(SPEEDS)}", *sums)
    middle, below = _DIALS.apart * (len(SHOWN) - 1) / 2, -_DIALS.apart - 1.6
    layers = (
        *_DIALS.rims(),
        *_DIALS.arcs(arcs, "datum.key", "datum.between", radius=0.86, shortest=0.25),
        arrows.encode(alt.Angle("heading:Q", scale=None)),
        *_DIALS.pointers(hands, "datum.angle", *looks, tooltip=tooltip),
        _DIALS.texts(rows(1), middle, below, words),
    )
    return alt.layer(*layers, **_DIALS.shape(_WIDTH))
