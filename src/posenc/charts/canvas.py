"""Views on which rows of data are placed, with axes or in units of their own."""

import altair as alt

# Of a view that keeps its proportions on a narrow page.
NAME = "dials"


class View:
    """A view whose axes are encodings of the fields x and y.

    Each method draws the rows of a chart. Places and words are expressions, or numbers.
    """

    def __init__(self, x, y):
        self._x, self._y = x, y

    def place(self, chart, x, y, x2=None, y2=None):
        """Return a chart with its rows at a place or from one to another, without a mark."""
        ends = {"x": x, "y": y} | ({} if x2 is None else {"x2": x2, "y2": y2})
        chart = chart.transform_calculate(**{name: f"{end}" for name, end in ends.items()})
        others = () if x2 is None else (alt.X2("x2:Q"), alt.Y2("y2:Q"))
        return chart.encode(self._x, self._y, *others)

    def rectangles(self, chart, left, right, bottom, top, **style):
        """Return a chart whose rows are rectangles."""
        return self.place(chart, left, bottom, right, top).mark_rect(**style)

    def texts(self, chart, x, y, words, **style):
        """Return a chart whose rows are words."""
        placed = self.place(chart.transform_calculate(words=f"{words}"), x, y)
        return placed.mark_text(**style).encode(alt.Text("words:N"))


class Canvas(View):
    """A view without axes, from `left` to `right` and from `bottom` to `top`."""

    def __init__(self, left, right, bottom, top):
        x = alt.X("x:Q", axis=None).scale(domain=[left, right], nice=False)
        super().__init__(x, alt.Y("y:Q", axis=None).scale(domain=[bottom, top], nice=False))
