"""The charts of notebook 01 about words: two trade places, and two drown in their position."""

from functools import partial

import altair as alt

from posenc.charts.components import finish, place, rows, slider, title, write
from posenc.palette import GRAY, INK, POSITION, WORD

WORDS = {"dog": [3, 1, 0, 0], "bites": [0, 1, 2, 1], "man": [2, 0, 1, 1]}

# In cells: where numbers begin, how far from one block of rows to the other, and a place.
_NUMBERS, _BLOCK = 1.7, 4.2
_place = partial(place, edges=([-0.35, 6.1], [7.2, -0.1]))
_WIDTH = 420


def _attend(rows):
    """Return the new rows, each a mean of all by its products with them."""
    scores = [[sum(a * b for a, b in zip(asks, key)) for key in rows] for asks in rows]
    return [
        [sum(s * n for s, n in zip(row, column)) / sum(row) for column in zip(*rows)]
        for row in scores
    ]


def swapped_words():
    """Draw three words as rows of numbers, and what attention makes of them.

    A slider swaps the first and the last. Their new rows trade places and keep their numbers.
    """
    new = dict(zip(WORDS, _attend(list(WORDS.values()))))
    said = [{"x": 0.2, "y": 3.57, "words": "↓ attention: every word asks all words"}]
    between = write(rows(said), _place("x", "y"), align="left", fontSize=13)
    # A card hides what it passes over. The first word passes over all others.
    order = [*enumerate(WORDS)][::-1]
    cards = [layer for i, word in order for layer in _card(word, i, WORDS[word], new[word])]
    return finish(
        alt.layer(between, *cards),
        slider("swap", "swap dog and man", 0, greatest=1, step=0.05, per_second=0.4),
        name="dials",  # it keeps its proportions on a narrow page
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
    x, y = f"{aside} * sin(PI * swap)", f"{down} + {_BLOCK} * datum.block"
    blocks = rows([{"block": 0}, {"block": 1}], x=x, y=y, x2=f"{x} + {_NUMBERS + 4}")
    blocks = blocks.transform_calculate(
        y2="datum.y + 0.9", middle="datum.y + 0.45", word=f"'{word}'"
    )
    numbers = [
        {"block": block, "column": column, "value": value, "label": format(value, style)}
        for block, (row, style) in enumerate(((before, "d"), (after, ".2f")))
        for column, value in enumerate(row)
    ]
    cells = rows(numbers, x=f"{x} + {_NUMBERS} + datum.column", y=y)
    cells = cells.transform_calculate(
        x2="datum.x + 1", y2="datum.y + 0.9", center="datum.x + 0.5", middle="datum.y + 0.45"
    )
    shade = alt.Color("value:Q", legend=None)
    shade = shade.scale(domain=[0, 3], range=[f"{WORD}00", f"{WORD}66"])
    letters, frames = {"fontSize": 13, "color": INK}, _place("x", "y", "x2", "y2")
    named = {"align": "left", "dx": 8, "fontWeight": "bold"} | letters
    return (
        blocks.mark_rect(fill="white", stroke=GRAY, cornerRadius=4, aria=False).encode(**frames),
        cells.mark_rect(aria=False).encode(shade, **frames),
        write(blocks, _place("x", "middle"), "word:N", **named),
        write(cells, _place("center", "middle"), "label:N", **letters),
    )


def drowned_words():
    """Draw two words as bars on top of their position, which a slider raises to 500."""
    numbers = [
        {"slot": column + 5 * i, "word": word, "value": value}
        for i, word in enumerate(("dog", "man"))
        for column, value in enumerate(WORDS[word])
    ]
    bars = rows(numbers).transform_calculate(
        position="position",
        total="position + datum.value",
        label="round(position) + datum.value",
        left="datum.slot + 0.06",
        right="datum.slot + 0.94",
        middle="datum.slot + 0.5",
    )
    x = alt.X("left:Q", title=None).scale(domain=[-0.2, 9.2], nice=False)
    plain = {"grid": False, "ticks": False, "labelFontSize": 14}
    x = x.axis(values=[2, 7], labelExpr="datum.value < 4 ? 'dog' : 'man'", **plain)
    y = alt.Y("top:Q", title="number")
    y = y.scale(domainMin=0, domainMax=alt.ExprRef("position + 3.5"), nice=False)
    # Room for three digits from the start, or the title would move out of sight.
    y = y.axis(grid=False, tickCount=4, minExtent=34)
    color = alt.Color("part:N", title=None, sort=None).legend(orient="top")
    color = color.scale(domain=["the word", "its position"], range=[WORD, POSITION])
    ends = ("its position", "position", "0"), ("the word", "datum.total", "position")
    parts = [
        bars.transform_calculate(part=f"'{part}'", top=top, bottom=bottom)
        .mark_rect(aria=False)
        .encode(x, y, color, x2="right:Q", y2="bottom:Q")
        for part, top, bottom in ends
    ]
    labels = bars.mark_text(baseline="bottom", dy=-4, fontSize=13)
    labels = labels.encode(x="middle:Q", y="total:Q", text=alt.Text("label:Q").format("d"))
    return finish(
        alt.layer(*parts, labels),
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
