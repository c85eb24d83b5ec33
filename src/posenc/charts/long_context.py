"""The chart of notebook 10: hands that come to new angles as the text grows longer."""

import altair as alt

from posenc.charts.components import (
    TURN,
    angular_frequency,
    choice,
    finish,
    slider,
    tooltips,
)
from posenc.charts.dials import points
from posenc.palette import GRAY, NEW_ANGLE, POSITION

PAIRS, TRAINED = 64, 4096  # of a head of Llama 2
FIRST, COLUMNS = 32, 8  # the hands before these turn six times and more in the training
ROWS = (PAIRS - FIRST) // COLUMNS
RULES = {
    "as trained": "1",
    "every hand (interpolation)": "1 / stretch",
    "larger base (NTK-aware)": f"pow(stretch, -datum.k / {PAIRS - 1})",
    "by parts, 1 and 4 turns": "datum.kept + (1 - datum.kept) / stretch",
}
_SECTOR = "angles of the training"
_SEEN, _NEW = "hand among them", "beyond them"
_SIDE = f"0.84 * min(width / {COLUMNS}, height / {ROWS})"


def growing_text():
    """Draw the slower hands of a Llama 2 head at an offset, within and beyond the training."""
    new, rims, hands = _dials()
    asked = f"format(stretch * {TRAINED}, ',')"
    return finish(
        alt.layer(*_sectors(), rims, hands, _numbers(), new),
        choice("rule", "hands", RULES),
        slider("stretch", "stretch c", 8, least=1, greatest=16),
        slider(
            "offset", "offset", 2 * TRAINED, greatest=8 * TRAINED, step=32, per_second=TRAINED // 4
        ),
        size=(440, 240),
        title=alt.Title(
            alt.expr(
                f"'offset ' + format(round(offset), ',') + ' (c × {TRAINED} = ' + {asked} + ')'"
            )
        ),
        description="""
        Thirty-two small dials in four rows, for the hands 32 to 63 of a clock. Each shows how far
        its hand has turned query and key apart at an offset. A gray sector shows where the hand
        has been in texts of 4096 positions. In the first 14 dials it is the whole dial, in the
        other 18 less and less, down to a sliver. A hand is green within its gray sector. When it
        leaves the sector, it is magenta, and so is the part of the dial that it has passed. At
        first the offset is 8192, twice what the training had, and the hands that the text takes
        beyond their sectors are magenta. One slider moves the offset up to 32 768; a list chooses a
        rule that slows the hands, and the other slider says by how much. A line above the dials
        counts those that have been at new angles.
        """,
    )


def _hands():
    """Return a chart of the hands, on their places, without a mark yet."""
    slowed = " : ".join(f"rule == '{name}' ? {factor}" for name, factor in RULES.items())
    hands = alt.Chart(alt.sequence(FIRST, PAIRS, as_="k")).transform_calculate(
        column=f"datum.k % {COLUMNS}",
        row=f"floor((datum.k - {FIRST}) / {COLUMNS})",
        trained=f"{TRAINED} * {angular_frequency('datum.k', pairs=PAIRS)}",
        kept=f"clamp((datum.trained / {TURN} - 1) / 3, 0, 1)",
        slowed=f"{slowed} : 1",
        went=f"offset / {TRAINED} * datum.trained * datum.slowed",
        known=f"min({TURN}, datum.trained)",
        beyond=f"clamp(datum.went, datum.known, {TURN})",
        # What differs by rounding alone is no new angle.
        is_new="datum.beyond > datum.known * 1.000001",
        degrees="datum.went * 180 / PI % 360",
        state=f"datum.degrees * PI / 180 > datum.known * 1.000001 ? '{_NEW}' : '{_SEEN}'",
    )
    x = alt.X("column:O", axis=None)
    return hands.encode(x, alt.Y("row:O", axis=None))


def _sectors():
    """Return where the training has been, and what has been passed beyond it."""
    hands, none = _hands(), {"scale": None, "stack": None}
    sector = {"outerRadius": alt.ExprRef(f"{_SIDE} / 2"), "aria": False}
    parts = (("zero", "known", GRAY, 0.35), ("known", "beyond", NEW_ANGLE, 0.5))
    return [
        hands.transform_calculate(zero="0")
        .mark_arc(color=color, fillOpacity=opacity, **sector)
        .encode(alt.Theta(f"{start}:Q", **none), theta2=f"{end}:Q")
        for start, end, color, opacity in parts
    ]


def _dials():
    """Return the count of those that have been at new angles, the rims and the hands."""
    words = f"'of {PAIRS} hands, ' + datum.count + ' have been at new angles'"
    count = _hands().transform_calculate(one="datum.is_new ? 1 : 0")
    count = count.transform_aggregate(count="sum(one)").transform_calculate(words=words)
    count = count.mark_text(fontSize=14, align="left", baseline="bottom", dy=-6)
    count = count.encode(alt.XValue(0), alt.YValue(0), text="words:N")
    told = {"k": ("hand k", None), "turns": ("turns in the training", ".3g")}
    told |= {"times": ("times slower", ".3g"), "degrees": ("angle in degrees", ".1f")}
    hands = _hands().transform_calculate(turns=f"datum.trained / {TURN}", times="1 / datum.slowed")
    rims, hands = points(hands, _SIDE)
    color = alt.Color("state:N", title=None).scale(
        domain=[_SECTOR, _SEEN, _NEW], range=[GRAY, POSITION, NEW_ANGLE]
    )
    color = color.legend(orient="bottom", symbolType="circle", symbolSize=100, labelLimit=300)
    return count, rims, hands.encode(color, tooltip=tooltips(**told))


def _numbers():
    at = {name: alt.ExprRef(f"{sign}0.5 * {_SIDE}") for name, sign in (("dx", "-"), ("dy", "-"))}
    numbers = _hands().mark_text(fontSize=11, align="center", aria=False, **at)
    return numbers.encode(text="k:Q")
