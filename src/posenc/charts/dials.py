"""Dials with hands, as on clocks, on a plane with equal units to the right and upwards."""

import altair as alt

from posenc.charts.components import GRAY, TURN

_CORNERS = 120  # of a rim, which looks round


class Dials:
    """Dials of radius 1 in rows of equal length, dial 0 at the upper left.

    A row of data belongs to the dial that its field ``dial`` numbers, or to dial 0 without such a
    field. Angles are expressions in radians, clockwise from the top; radii are expressions, too.

    Parameters
    ----------
    columns, rows : int, default: 1
        A chart of as many rows as columns must be square, so that its dials are round.
    apart : float, default: 2
        From the middle of a dial to those of its neighbors.
    margin : float, default: 1.04
        From the middle of an outer dial to the edge of the chart.
    """

    def __init__(self, columns=1, rows=1, *, apart=2, margin=1.04):
        self.columns, self.count, self.apart = columns, columns * rows, apart
        right, bottom = (margin + apart * (number - 1) for number in (columns, rows))
        self._x = alt.X("x:Q", axis=None).scale(domain=[-margin, right], nice=False)
        self._y = alt.Y("y:Q", axis=None).scale(domain=[-bottom, margin], nice=False)

    def _at(self, angle, radius):
        """Return the expressions of a place: how far right and how far up."""
        dial = "(datum.dial || 0)"
        right = f"{self.apart} * ({dial} % {self.columns}) + {radius} * sin({angle})"
        return right, f"{radius} * cos({angle}) - {self.apart} * floor({dial} / {self.columns})"

    def place(self, chart, angle, radius):
        """Return a chart with its rows placed on their dials, without a mark."""
        x, y = self._at(angle, radius)
        return chart.transform_calculate(x=x, y=y).encode(self._x, self._y)

    def hands(self, chart, angle, tip, end=0, **style):
        """Return a chart whose rows are drawn as hands from a radius `end` to the `tip`."""
        x2, y2 = self._at(angle, end)
        hands = self.place(chart, angle, tip).transform_calculate(x2=x2, y2=y2)
        return hands.mark_rule(**style).encode(x2="x2", y2="y2")

    def rims(self, **style):
        """Return the outlines of all dials."""
        corners = alt.Chart(alt.sequence(0, self.count * _CORNERS, as_="corner"))
        corners = corners.transform_calculate(dial=f"floor(datum.corner / {_CORNERS})")
        rims = self.place(corners, f"{TURN} * datum.corner / {_CORNERS}", 1)
        rims = rims.mark_line(interpolate="linear-closed", stroke=GRAY, aria=False, **style)
        return rims.encode(order="corner:Q", detail="dial:N")
