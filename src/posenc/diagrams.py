"""Diagrams of where a position enters a model, in one style: cells with numbers, boxes and arrows.

Each function returns a `Diagram`. Lengths are measured in cells, to the right and downwards from
the upper left corner.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

from posenc._validation import array, integer, number
from posenc.figures import WIDTH
from posenc.palette import COLORS, INK, NOW, OTHER

# What looks or turns.
ACTIVE = COLORS[0]


class Diagram:
    """A figure of the book's width, `columns` cells wide and `rows` cells high."""

    def __init__(self, columns, rows):
        self.figure = plt.figure(figsize=(WIDTH, WIDTH * rows / columns), layout="none")
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, columns), ylim=(rows, 0))
        self.axes.set_axis_off()

    def text(self, x, y, words, **style):
        """Write words around a place, and return them."""
        style = {"ha": "center", "va": "center", "color": INK} | style
        return self.axes.text(x, y, words, **style)

    def cells(self, x, y, numbers, color=INK):
        """Draw a matrix from a place on, with a number in each cell."""
        for (row, column), entry in np.ndenumerate(numbers):
            cell = Rectangle((x + column, y + row), 1, 1, fill=False, edgecolor=color)
            self.axes.add_patch(cell)
            self.text(x + column + 0.5, y + row + 0.5, f"{entry:g}")

    def box(self, x, y, width, height, words, color=INK):
        """Draw a rounded box with words in it."""
        shape = "round,pad=0,rounding_size=0.25"
        outline = {"edgecolor": color, "facecolor": "white", "linewidth": 1.5}
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, shape, **outline))
        self.text(x + width / 2, y + height / 2, words)

    def line(self, start, end, width, color=ACTIVE):
        """Draw a line from place to place, `width` points wide, behind what else is there."""
        ends = zip(start, end)
        self.axes.plot(*ends, linewidth=width, color=color, solid_capstyle="butt", zorder=0)

    def arrow(self, start, end):
        """Draw an arrow from place to place."""
        style = {"arrowstyle": "-|>", "mutation_scale": 16, "linewidth": 1.5, "color": INK}
        self.axes.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **style))


def query_asks_keys(words, fits):
    """Draw how the first word's query meets the keys of all words, and takes a share of each.

    Parameters
    ----------
    words : sequence of str
        n words.
    fits : array_like, shape (n,)
        How well the query fits each key. Divided by their sum, they are the shares, which say how
        wide a line is.
    """
    fits = array("fits", fits, f"({len(words)},)")
    shares = fits / fits.sum()
    left, step, high = 4, 6, 1.8
    drawing = Diagram(left + step * len(words) + 0.5, 11.2)
    middles = left + step * (np.arange(len(words)) + 0.5)
    for word, fit, share, x in zip(words, fits, shares, middles):
        drawing.line((middles[0], 7.5), (x, 1.2), 24 * share)
        drawing.box(x - 2, 0.2, 4, high, word)
        place = 0.45 * middles[0] + 0.55 * x
        label = drawing.text(place, 4, f"fit {fit:g}\n{100 * share:.0f} %")
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    drawing.box(middles[0] - 2, 7, 4, high, words[0], ACTIVE)
    for y, name in ((1.1, "keys"), (4, "shares"), (7.9, "query")):
        drawing.text(1.9, y, name)
    parts = " + ".join(f"{share:.2f} {word}" for word, share in zip(words, shares))
    drawing.text(left + step * len(words) / 2, 10.2, f"new row: {parts}")
    return drawing


def position_is_added(words, embeddings, positions):
    """Draw how the row of a position is added to that of a word before the first attention.

    Parameters
    ----------
    words : sequence of str
        n words.
    embeddings, positions : array_like, shape (n, d)
        The row of each word and of each position.
    """
    embeddings = array("embeddings", embeddings, f"({len(words)}, d > 0)")
    positions = array("positions", positions, str(embeddings.shape))
    count, width = embeddings.shape
    left = 2.6
    drawing = Diagram(left + 3 * width + 4.2, count + 4.8)
    for i, word in enumerate(words):
        drawing.text(left - 0.3, i + 1.8, word, ha="right")
    parts = {"words": embeddings, "positions": positions, "input": embeddings + positions}
    for i, (name, rows) in enumerate(parts.items()):
        x = left + i * (width + 2)
        drawing.text(x + width / 2, 0.7, name)
        drawing.cells(x, 1.3, rows, ACTIVE if rows is positions else INK)
        if i:
            drawing.text(x - 1, count / 2 + 1.3, "+="[i - 1])
    drawing.arrow((x + width / 2, count + 1.5), (x + width / 2, count + 2.8))
    drawing.box(left, count + 2.9, 3 * width + 4, 1.6, "attention: every row asks all rows")
    return drawing


def key_claims(query, offset):
    """Draw how the key that stands `offset` positions before a query claims to stand where it asks.

    Parameters
    ----------
    query : int
        The position that asks.
    offset : int
        How many positions back it looks, from 1 to `query`.
    """
    offset = integer("offset", offset, least=1)
    query = integer("query", query, least=offset)
    key, first = query - offset, max(query - offset - 3, 0)
    count = query + 4 - first
    drawing = Diagram(count + 3, 7.4)
    places = {position: 3.2 + position - first for position in range(first, first + count)}
    drawing.text(1.3, 3.2, "positions")
    for position in sorted(places, key=(key, query).count):  # the two last, whose lines are seen
        color = ACTIVE if position in (key, query) else INK
        drawing.cells(places[position] - 0.5, 2.7, [[position]], color)
    drawing.box(places[query] - 1.6, 0.2, 3.2, 1.2, f"query at {query}", ACTIVE)
    drawing.line((places[query], 1.45), (places[query], 2.65), 1.5, ACTIVE)
    drawing.text(places[query] - 0.4, 2.05, f"stands at {query}", ha="right")
    drawing.box(places[key] - 1.6, 5.9, 3.2, 1.2, f"key at {key}")
    drawing.line((places[key], 3.75), (places[key], 5.85), 1.5, INK)
    drawing.arrow((places[key] + 0.9, 5.85), (places[query] - 0.1, 3.75))
    drawing.text(places[key] - 0.4, 4.8, f"stands at {key}", ha="right")
    drawing.text(places[query] - 0.4, 4.8, f"claims {query}, by M({offset})", ha="left")
    return drawing


def layer_added_and_turned():
    """Draw the same layer twice: a position's row added before it, and turns inside of it.

    Where positions come in has a color of its own.
    """
    drawing = Diagram(25, 16.6)
    for left, title in ((0.5, "added"), (13, "turned")):
        turned = title == "turned"
        middles = left + np.array([1.75, 5.75, 9.75])
        centre, row = middles[1], 4.6 if turned else 8
        drawing.text(centre, 0.7, title)
        drawing.box(left + 2.5, 1.4, 6.5, 1.6, "word's row")
        if not turned:
            drawing.box(left + 1.5, 4.6, 8.5, 1.6, "+ position's row", ACTIVE)
            drawing.arrow((centre, 3.1), (centre, 4.5))
        for x, name, turn in zip(middles, ("queries", "keys", "values"), ("s", "t", "")):
            drawing.arrow((centre + 0.5 * (x - centre), 3.1 if turned else 6.3), (x, row - 0.1))
            drawing.box(x - 1.7, row, 3.4, 1.6, name)
            if turned and turn:
                drawing.box(x - 1.7, 8, 3.4, 1.6, f"turn by {turn}", ACTIVE)
                drawing.arrow((x, row + 1.7), (x, 7.9))
            start = 9.7 if turn or not turned else row + 1.7
            drawing.arrow((x, start), (x, 11.3 if turn else 14.6))
        drawing.box(left + 0.05, 11.4, 7.4, 1.6, "scores, weights")
        drawing.arrow((left + 3.75, 13.1), (left + 3.75, 14.6))
        drawing.box(left + 0.05, 14.7, 11.4, 1.6, "weighted mean of the values")
    return drawing


def new_dots_between_old(step, last, stretch):
    """Draw a hand's places in a training, in a text that goes on, and in the same one slowed.

    A gray sector shows the training; beyond it, places have the color of what is new.

    Parameters
    ----------
    step : float
        How far the hand turns from offset to offset, in radians.
    last : int
        The last offset of the training; the first is 0, at the top.
    stretch : int
        How many times as far the text goes on, and how many times slower the hand becomes.
    """
    step, last = number("step", step, above=0), integer("last", last, least=1)
    stretch = integer("stretch", stretch, least=1)
    trained, longer = step * np.arange(last + 1), step * np.arange(stretch * last + 1)
    drawing = Diagram(15, 5)
    circle, known = (np.linspace(0, end, 200) for end in (2 * np.pi, trained[-1]))
    places = {"trained": trained, "read on": longer, "slowed": longer / stretch}
    for i, (name, angles) in enumerate(places.items()):
        x, y = 2.5 + 5 * i, 2.9
        drawing.axes.plot(x + 1.7 * np.sin(circle), y - 1.7 * np.cos(circle), color="0.6", zorder=0)
        sector = 1.7 * np.array([np.sin(known), -np.cos(known)])
        sector = np.insert(sector, 0, 0, axis=1) + np.array([[x], [y]])
        drawing.axes.fill(*sector, color="0.88", zorder=-1)
        old = np.isclose(angles[:, None], trained).any(axis=1)
        beyond = OTHER if angles[-1] > 1.01 * trained[-1] else NOW
        for which, color, marker in ((old, NOW, "o"), (~old, beyond, "s")):
            dots = x + 1.7 * np.sin(angles[which]), y - 1.7 * np.cos(angles[which])
            drawing.axes.plot(*dots, marker, color=color, markersize=8)
        for t in (0, len(angles) - 1):
            drawing.text(x + 1.15 * np.sin(angles[t]), y - 1.15 * np.cos(angles[t]), t)
        drawing.text(x, 0.5, name)
    return drawing


def picture_turns(size, query, key, frequencies):
    """Draw two patches of a picture and their hands: half turned by the row, half by the column.

    Parameters
    ----------
    size : int
        How many rows and columns the picture has.
    query, key : tuple of int
        Row and column of each patch.
    frequencies : array_like, shape (n,)
        How far the hands of either half turn from place to place; all begin upright.

    Returns
    -------
    Diagram
    """
    size = integer("size", size, least=1)
    frequencies = array("frequencies", frequencies, "(n > 0,)")
    edges, half, left = np.arange(size + 1) + 1.2, 2 * len(frequencies), size + 4.2
    drawing = Diagram(left + 2 * half + 1.3, 9.8)
    for lines in (drawing.axes.hlines, drawing.axes.vlines):
        lines(edges, edges[0], edges[-1], color="0.6", zorder=0)
    for place, name, color, y in ((query, "query", NOW, 2.9), (key, "key", OTHER, 5.5)):
        drawing.box(edges[place[1]], edges[place[0]], 1, 1, name[0], color)
        drawing.text(left - 0.2, y, name, ha="right")
        for i, angle in enumerate(np.outer(place, frequencies).flat):
            x = left + 1 + 2 * i + (2 * i >= half)
            drawing.axes.add_patch(Circle((x, y), 0.9, fill=False, edgecolor="0.6"))
            drawing.line((x, y), (x + 0.9 * np.sin(angle), y - 0.9 * np.cos(angle)), 4, color)
    for i, way in enumerate(("turned by row", "turned by column")):
        x = left + (half + 1) * i + half / 2
        drawing.text(x, 0.9, way)
        drawing.arrow((x, 6.7), (x, 7.7))
        drawing.text(x, 8.7, (r"score = $h(\Delta y)$", r"+ $g(\Delta x)$")[i])
    return drawing
