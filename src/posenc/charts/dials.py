"""Dials with hands, as on clocks: one instrument, from three hands to sixty-four.

Hands turn clockwise from the mark at twelve, where all of them stand at position 0. The tip of a
hand of length 1 lies on the rim, as far to the right as the sine and as high as the cosine. Dials
stand in rows, like text, from the fastest hand to the slowest, with their names or numbers. They
have no face of their own: the page is seen, by day and by night. Colors are those of
`posenc.palette`:

- A hand where it stands is a `POSITION`, with a round tip, and one at a later position is
  `SHIFTED`, with a square tip. Of a query and a key that are compared, the `QUERY` has the round
  tip and the `KEY` the square one.
- An `OFFSET` is the angle between two hands: an arc with a head, from one to the other.
- A hand at an angle that training never showed is a `NEW_ANGLE`.
- `GRAY` is what stands still: the rim, the mark, and where a hand was or ought to be; and, with a
  square tip, a hand that has gone half around.
"""

import altair as alt

from posenc.charts.canvas import NAME, Canvas
from posenc.charts.components import TURN, rows, spread, where
from posenc.palette import GRAY, KEY, OFFSET, POSITION, QUERY, SHIFTED

RIM = {"stroke": GRAY, "strokeWidth": 1.5}
# The shape of an upright hand, where dials are points of a chart.
HAND = "M-0.09,0L-0.09,-0.64A0.18,0.18,0,1,1,0.09,-0.64L0.09,0A0.09,0.09,0,1,1,-0.09,0Z"
_CORNERS = 120  # of a rim, which looks round
_ARC_POINTS = 61
# Of two hands and the arc between them.
SHAPES = "circle", "square", "triangle-up"
MOVED, COMPARED = (POSITION, SHIFTED, OFFSET), (QUERY, KEY, OFFSET)
ASKED = ASKS, ANSWERS, BETWEEN = "query", "key", "angle between them"
_HEADS = {"shape": "triangle", "size": 60, "filled": True, "aria": False}


def points(chart, side, color):
    """Return the rims and the hands of dials that are points of a chart, turned by its `degrees`.

    The expression of their side is in pixels, so they stay round however wide the page is.
    """
    sized = {"size": alt.ExprRef(f"pow({side}, 2)"), "filled": True}
    rims = chart.mark_point(shape="circle", fill="transparent", aria=False, **RIM, **sized)
    hands = chart.mark_point(shape=HAND, color=color, **sized)
    return rims, hands.encode(angle=alt.Angle("degrees:Q", scale=None))


class Dials(Canvas):
    """Dials of radius 1 in rows of equal length, dial 0 at the upper left.

    A row of data belongs to the dial that its field ``dial`` numbers, or to dial 0 without such a
    field. Angles are expressions in radians, clockwise from the top; lengths are expressions, too.

    A chart of as many rows as columns must be square, so that its dials are round; others get
    their `shape`. Lengths are counted in radii: from the middle of a dial to those `apart` from it,
    and to the edge of the chart, the `margin`, with room for something else `below` the last row.
    """

    def __init__(self, columns=1, rows=1, *, apart=2.75, margin=1.12, below=0):
        self.columns, self.count, self.apart = columns, columns * rows, apart
        right, bottom = (margin + apart * (number - 1) for number in (columns, rows))
        bottom += below
        super().__init__(-margin, right, -bottom, margin)
        self._across, self._down = margin + right, margin + bottom

    def shape(self, width):
        """Return the properties of a view whose dials are round; its name tells the page so."""
        return {"name": NAME, "width": width, "height": width * self._down / self._across}

    def coordinates(self, angle, radius):
        """Return the expressions of a place: how far right and how far up."""
        dial = "(datum.dial || 0)"
        right = f"{self.apart} * ({dial} % {self.columns}) + {radius} * sin({angle})"
        return right, f"{radius} * cos({angle}) - {self.apart} * floor({dial} / {self.columns})"

    def around(self, chart, angle, radius):
        """Return a chart with its rows placed on their dials, without a mark."""
        return self.place(chart, *self.coordinates(angle, radius))

    def hands(self, chart, angle, tip=1, end=0, **style):
        """Return a chart whose rows are drawn as hands from a radius `end` to the `tip`."""
        return self.lines(chart, (angle, tip), (angle, end), **style)

    def lines(self, chart, start, end, **style):
        """Return a chart whose rows are lines between two places, each an angle and a radius."""
        lines = self.place(chart, *self.coordinates(*start), *self.coordinates(*end))
        return lines.mark_rule(**({"strokeCap": "round"} | style))

    def tips(self, chart, angle, tip=1, **style):
        """Return a chart whose rows are drawn as the tips of hands."""
        return self.around(chart, angle, tip).mark_point(filled=True, **style)

    def pointers(self, chart, angle, color, shape, test, widths, sizes, *, tip=1, tooltip):
        """Return hands and their tips, broad ones and narrow ones by a test of their rows.

        So both show where one lies on the other.
        """
        hands = self.hands(chart, angle, tip)
        tips = self.tips(chart, angle, tip).encode(color, shape, size=where(test, *sizes))
        return hands.encode(color, strokeWidth=where(test, *widths)), tips.encode(tooltip=tooltip)

    def arcs(self, chart, start, turned, *, radius=0.5, shortest=0):
        """Return arcs from an angle on by another, and their heads; a row of data is an arc.

        With each turn an arc moves outwards a little, so that more than one of them can be seen.
        One that is no longer than `shortest`, in radians, has no head, which would hide it.
        """
        long = f"abs(datum.turned) > {shortest}" if shortest else "datum.turned != 0"
        share = f"datum.step / {_ARC_POINTS - 1}"
        arcs = spread(chart, step=f"sequence({_ARC_POINTS})").transform_calculate(
            turned=f"({turned}) * {share}",
            angle=f"({start}) + datum.turned",
            radius=f"{radius} + 0.07 * abs(datum.turned) / {TURN}",
        )
        arcs = self.around(arcs, "datum.angle", "datum.radius")
        heads = arcs.transform_filter(f"{long} && {share} == 1")
        heading = "datum.angle * 180 / PI + (datum.turned > 0 ? 90 : -90)"
        heads = heads.transform_calculate(heading=heading).mark_point(**_HEADS)
        lines = arcs.mark_line(order=False, strokeWidth=3).encode(alt.Detail("dial:N"))
        return lines, heads.encode(alt.Angle("heading:Q", scale=None))

    def names(self, chart, words, radius=1, **style):
        """Write words above the dials, or above what lies at a radius."""
        style = {"baseline": "bottom", "dy": -9} | style
        return self.texts(chart, *self.coordinates(0, radius), words, **style)

    def rims(self):
        """Return the outlines of all dials, and their marks at twelve."""
        corners = rows(self.count * _CORNERS, "corner", dial=f"floor(datum.corner / {_CORNERS})")
        rims = self.around(corners, f"{TURN} * datum.corner / {_CORNERS}", 1)
        rims = rims.mark_line(interpolate="linear-closed", **RIM)
        marks = self.hands(rows(self.count, "dial"), 0, 1, 0.88, strokeCap="butt", **RIM)
        return rims.encode(alt.Order("corner:Q"), alt.Detail("dial:N")), marks
