"""The charts of notebook 01 about words: two trade places, and two drown in their position."""

import altair as alt

from posenc.charts.canvas import NAME, Canvas, View
from posenc.charts.components import axis, finish, meanings, rows, shades, slider, title
from posenc.palette import GRAY, POSITION, WORD

WORDS = {"dog": [3, 1, 0, 0], "bites": [0, 1, 2, 1], "man": [2, 0, 1, 1]}

# In cells: where numbers begin, and how far it is from one block of rows to the other.
_NUMBERS, _BLOCK = 1.7, 4.2
_CARDS = Canvas(-0.35, 6.1, 7.2, -0.1)
_WIDTH = 420


def _attend(rows):
    """Return the new rows, each a mean of all by its products with them."""
    scores = [[sum(a * b for a, b in zip(asks, key)) for key in rows] for asks in rows]
    return [
        [sum(s * n for s, n in zip(row, column)) / sum(row) for column in zip(*rows)]
        for row in scores
    ]


def swapped_words():
    """Draw three words as rows of numbers, and what attention makes of them."""
    new = dict(zip(WORDS, _attend(list(WORDS.values()))))
    words = "'↓ attention: every word asks all words'"
    between = _CARDS.texts(rows(1), 0.2, 3.57, words, align="left", fontSize=13)
    # A card hides what it passes over. The first word passes over all others.
    order = [*enumerate(WORDS)][::-1]
    cards = [layer for i, word in order for layer in _card(word, i, WORDS[word], new[word])]
    return finish(
        alt.layer(between, *cards),
        slider("swap", "swap dog and man", 0, greatest=1, step=0.05, per_second=0.4),
        name=NAME,
        size=(_WIDTH, 280),
        title=title("swap < 0.5 ? 'dog bites man' : 'man bites dog'"),
        description="""
        Above, three rows named dog, bites and man, with the numbers 3 1 0 0, 0 1 2 1 and 2 0 1 1.
        Below, what attention makes of them: dog 2.47 0.65 0.47 0.41, bites 0.90 0.70 1.50 0.90 and
        man 2.00 0.60 0.80 0.60. The larger a number, the darker its cell. A slider moves the rows
        of dog and man past each other until the sentence is man bites dog. The rows below move
        along with those above, and no number changes on the way.
        """,
    )


def _card(word, place, before, after):
    """Return the layers of a word's two rows, whose place is a whole number from the top."""
    # From the first place to the last or back, to the right or to the left of what stands still.
    down, aside = {0: ("2 * swap", 0.3), 1: ("1", 0), 2: ("2 - 2 * swap", -0.3)}[place]
    left, top = f"{aside} * sin(PI * swap)", f"{down} + {_BLOCK} * datum.block"
    blocks = rows(2, "block")
    numbers = [
        {"block": block, "column": column, "value": value, "label": format(value, style)}
        for block, (row, style) in enumerate(((before, "d"), (after, ".2f")))
        for column, value in enumerate(row)
    ]
    cells, cell = rows(numbers), f"{left} + {_NUMBERS} + datum.column"
    shade = shades("value", WORD, 3, "66")
    bottom, middle = f"{top} + 0.9", f"{top} + 0.45"
    frame = {"fill": "white", "stroke": GRAY, "cornerRadius": 4}
    named = {"align": "left", "dx": 8, "fontWeight": "bold", "fontSize": 13}
    sides = left, f"{left} + {_NUMBERS + 4}", top, bottom
    return (
        _CARDS.rectangles(blocks, *sides, aria=False, **frame),
        _CARDS.rectangles(cells, cell, f"{cell} + 1", top, bottom, aria=False).encode(shade),
        _CARDS.texts(blocks, left, middle, f"'{word}'", **named),
        _CARDS.texts(cells, f"{cell} + 0.5", middle, "datum.label", fontSize=13),
    )


def drowned_words():
    """Draw two words as bars on top of their position, which a slider raises to 500."""
    numbers = [
        {"slot": column + 5 * i, "word": word, "value": value}
        for i, word in enumerate(("dog", "man"))
        for column, value in enumerate(WORDS[word])
    ]
    bars, total = rows(numbers), "(position + datum.value)"
    look = {"values": [2, 7], "labelExpr": "datum.value < 4 ? 'dog' : 'man'", "labelFontSize": 14}
    x = axis(alt.X, "x", None, [-0.2, 9.2], grid=False, ticks=False, **look)
    # Room for three digits from the start, or the title would move out of sight.
    look, top = {"grid": False, "tickCount": 4, "minExtent": 34}, alt.ExprRef("position + 3.5")
    view = View(x, axis(alt.Y, "y", "number", [0, top], **look))
    [color] = meanings("part", ("the word", "its position"), (WORD, POSITION), orient="top")
    sides = "datum.slot + 0.06", "datum.slot + 0.94"
    parts = [
        view.rectangles(bars.transform_calculate(part=f"'{part}'"), *sides, *ends, aria=False)
        for part, *ends in (("its position", 0, "position"), ("the word", "position", total))
    ]
    label, look = "round(position) + datum.value", {"baseline": "bottom", "dy": -4, "fontSize": 13}
    labels = view.texts(bars, "datum.slot + 0.5", total, label, **look)
    return finish(
        alt.layer(*(part.encode(color) for part in parts), labels),
        slider("position", "position t", 5, greatest=500, per_second=40),
        size=(_WIDTH, 220),
        title=title("'at position ' + round(position)"),
        description="""
        Two groups of four bars, one for dog and one for man. The lower part of each bar is the
        position and the upper part the word's own number: 3 1 0 0 for dog, 2 0 1 1 for man. At
        position 5 both parts are about as high, and the sums are 8 6 5 5 and 7 5 6 6. A slider
        raises the position to 500. The scale grows with it until the words are slivers on top of
        bars that all look alike: 503 501 500 500 and 502 500 501 501.
        """,
    )
