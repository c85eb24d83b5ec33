"""The charts of notebook 03: a binary counter, two sums of its rows, and predicted rows."""

import math

import altair as alt

from posenc.charts import components as parts
from posenc.charts.canvas import NAME, Canvas
from posenc.charts.components import TURN, finish, rows, said, slider, title, tooltips, where
from posenc.charts.dials import Dials
from posenc.palette import BITS, GRAY, INK, PLAIN, POSITION, SINUSOIDS

WHEELS = 6
_LAST = 2**WHEELS - 1
_APART = 2.35
# Heights below the middle of the dials: of the counter's middle, and of the floor of the steps.
_COUNTER, _FLOOR = -2.15, -7.2
_CELL = 0.66  # half of its side
_HIGHEST = 2 * math.sqrt(WHEELS)  # the distance of two rows that differ in every bit
_HANDS_STEP = 2 * math.sqrt(sum(math.sin(math.pi / 2 ** (i + 1)) ** 2 for i in range(WHEELS)))
_PALE, _LINE = "40", {"color": GRAY, "opacity": 0.5}
_BITS, _HANDS = "bits, written as −1 and +1", "hands"
_BETWEEN = "position != floor(position)"


def odometer():
    r"""Return a chart of dials, the counter read from them, and how far each step takes both.

    Dial j has its hand at the angle :math:`2\pi t / 2^{j+1}`, clockwise from the top. Bit j is 1
    exactly while the hand is in the left half. A step that flips h bits, written as -1 and 1, is
    :math:`2\sqrt{h}` long.
    """
    dials = Dials(WHEELS, apart=_APART, below=7.3)
    between = said("On the way from {} to {}", "floor(position)", "ceil(position)")
    words = f"Distance from {{}} to {{}}: bits {{}}, hands {_HANDS_STEP:.2f}"
    length = f"format({_length('(position - 1)')}, '.2f')"
    words = said(words, "position - 1", "position", length)
    words = f"{_BETWEEN} ? {between} : position < 1 ? 'No step yet' : {words}"
    return finish(
        alt.layer(*_dials(dials), *_counter(dials), *_steps(dials)),
        slider("position", "position t", 7, greatest=_LAST, step=0.25, per_second=2),
        title=title("'Position ' + format(position, '.2f')", words, lineHeight=18, offset=16),
        **dials.shape(480),
        description="""
        Six dials in a row, below each a square cell with the bit that is read from it, bits 0 to
        5, and below them all a strip for positions 0 to 63. The dials turn once in 2, 4, 8, 16, 32
        and 64 positions. A bit is 1, on brown, while its hand is in the brown left half or about to
        enter it. At position 7 the first three bits are 1. The strip has a scale from 0 to 4, the
        straight-line distance to the next row: each step that has been made leaves a brown bar, as
        high as the bits jumped, and a piece of a level green line at 2.61, which is how far the
        hands moved. A slider moves the position: all hands turn a little at each quarter step,
        while bits stay and then flip, those that have just done so with a thick outline; four of
        them on arriving at 8, where the bar is 4.00 high. At 63 the bars look like a comb whose
        longest tooth, 4.90, is in the middle, from 31 to 32.
        """,
    )


def _length(position):
    """Return the expression of how long the counter's step from a whole position is."""
    # A step flips the lowest bits: in binary, what differs is a row of ones.
    return f"(2 * sqrt(round(log(({position} ^ ({position} + 1)) + 1) / LN2)))"


def _dials(dials):
    """Return the dials with the half of a one, their hands, and the names of their bits."""
    hands = rows(WHEELS, "dial").transform_calculate(
        period="pow(2, datum.dial + 1)",
        angle=f"{TURN} * position / datum.period",
        degrees="360 * (position % datum.period) / datum.period",
    )
    # From six around by nine to twelve, and closed along the middle.
    halves = rows(WHEELS * 61, "corner", dial="floor(datum.corner / 61)")
    halves = dials.around(halves, "PI + PI * (datum.corner % 61) / 60", 1).mark_line(
        interpolate="linear-closed", fill=f"{BITS}{_PALE}", strokeWidth=0
    )
    tooltip = tooltips(dial=("dial", None), degrees=("angle in degrees", ".1f"))
    return (
        halves.encode(order="corner:Q", detail="dial:N"),
        *dials.rims(),
        dials.hands(hands, "datum.angle", stroke=POSITION, strokeWidth=4),
        dials.tips(hands, "datum.angle", size=70, color=POSITION).encode(tooltip=tooltip),
        dials.names(hands, "'bit ' + datum.dial"),
    )


def _counter(dials):
    """Return the cells of the bits, those that flipped last outlined, and the bits in them."""
    bits = rows(WHEELS, "dial").transform_calculate(
        digit="(floor(position) >> datum.dial) & 1",
        flipped=f"{_BETWEEN} || position < 1 ? 0 : ((position ^ (position - 1)) >> datum.dial) & 1",
    )
    middle = f"{_APART} * datum.dial"
    sides = f"{middle} - {_CELL}", f"{middle} + {_CELL}", _COUNTER - _CELL, _COUNTER + _CELL
    cells = dials.rectangles(bits, *sides).encode(
        color=where("datum.digit", BITS + _PALE, "transparent"),
        stroke=where("datum.flipped", BITS, GRAY),
        strokeWidth=where("datum.flipped", 4, 1),
        tooltip=tooltips(dial=("bit", None), digit=("value", None)),
    )
    return cells, dials.texts(bits, middle, _COUNTER, "datum.digit", fontSize=16, aria=False)


def _steps(dials):
    """Return how far each step takes the bits and the hands, and where the position is."""
    left, right = -0.4, 1 + _APART * (WHEELS - 1)
    scale = f"{(right - left) / _LAST:.9g}"
    up, here = f"{_FLOOR} + {3.5 / _HIGHEST} * datum.length", f"{left} + {scale} * position"
    start, end = (f"{left} + {scale} * (datum.t + {share})" for share in (0.08, 0.92))
    steps = rows(_LAST, "t").transform_filter("datum.t + 1 <= position")
    steps = steps.transform_calculate(length=_length("datum.t"), what=f"'{_BITS}'")
    legend = {"title": "Distance to the next row", "titleLimit": 400}
    [color] = parts.meanings("what", (_BITS, _HANDS), (BITS, POSITION), **legend)
    bars = dials.rectangles(steps, start, end, _FLOOR, up).encode(
        color,
        opacity=where("datum.t + 1 == position", 1, 0.5),
        tooltip=tooltips(t=("from position", None), length=("the bits' step", ".3f")),
    )
    level = rows([{"what": _HANDS, "length": _HANDS_STEP}])
    level = dials.rectangles(level, left, here, f"{up} - 0.05", f"{up} + 0.05").encode(color)
    scales = alt.Chart(alt.sequence(0, 5, 2, as_="length"))
    ends = alt.Chart(alt.sequence(0, _LAST + 1, 16, as_="t"))
    marker = f"{here} - 0.07", f"{here} + 0.07", _FLOOR - 0.5, _FLOOR
    return (
        dials.rectangles(scales, left, right, f"{up} - 0.02", f"{up} + 0.02", **_LINE),
        dials.texts(scales, left - 0.35, up, "'' + datum.length"),
        dials.rectangles(rows(1), left, right, _FLOOR - 0.04, _FLOOR, color=GRAY),
        bars,
        level,
        dials.rectangles(rows(1), *marker, color=POSITION),
        dials.texts(ends, f"{left} + {scale} * datum.t", _FLOOR - 0.9, "'' + datum.t"),
    )


_SHOWN = 4  # bits of each row
_NAMES, _GAP = 2.3, 1.6  # the room for a row's name, and for the sign between the two sums
_BLOCK = _NAMES + _SHOWN + _GAP
_ACROSS, _DOWN = 2 * _NAMES + 2 * _SHOWN + _GAP + 0.2, 4.5
_SUMS = Canvas(0, _ACROSS, _DOWN, 0)  # in cells
_HEAD, _SUM = 0.1, 3.3  # the heights of the bits' names and of the sums, counted downwards
_ADDED = (0, 3), (1, 2)
_ROWS = [
    {"block": block, "first": first, "down": down}
    for block, pair in enumerate(_ADDED)
    for down, first in zip((1, 2), pair)
]
# How far the wheels have rolled, and by how much the rows count as moved.
_ROLLED, _MOVED = "(moved % 1)", "floor(moved)"


def two_sums():
    """Return a chart of rows 0 and 3 of a counter beside rows 1 and 2, with the sum of each two."""
    added = [f"{_MOVED} + {row}" for pair in _ADDED for row in pair]
    equal = f"{_MOVED} % 2 ? 'Different' : 'Equal'"
    words = said("{} sums: rows {} + {}, and rows {} + {}", equal, *added)
    return finish(
        alt.layer(*_additions()),
        slider("moved", "steps that all four take", 0, greatest=8, step=0.25, per_second=0.5),
        name=NAME,
        size=(480, round(480 * _DOWN / _ACROSS)),
        title=title(f"{_ROLLED} ? 'On the way' : {words}"),
        description="""
        Two additions side by side. On the left rows 0 and 3 of a binary counter, in bits 0 to 3,
        the least significant bit first, are 0 0 0 0 and 1 1 0 0, and their sum, bit by bit, is 1 1
        0 0. On the right rows 1 and 2 are 1 0 0 0 and 0 1 0 0, and their sum is 1 1 0 0 as well,
        with an equals sign between the two sums. A slider makes all four rows take steps, and
        their digits roll over as on an odometer. After one step rows 1 and 4 have the sum 1 0 1 0
        and rows 2 and 3 have 1 2 0 0. The cells where the sums differ are outlined. After two
        steps the sums are equal again, and so after each even number. Between two steps there is
        no sign between them.
        """,
    )


def _cells(chart, before, after):
    """Return cells at datum.down whose number rolls from an expression to another one."""
    chart = chart.transform_calculate(
        before=before,
        after=after,
        # A wheel rolls only if its number changes.
        rolled=f"datum.before == datum.after ? 0 : {_ROLLED}",
        left=f"{_NAMES} + {_BLOCK} * datum.block + datum.bit",
        shade="datum.before + (datum.after - datum.before) * datum.rolled",
        left_over="1 - datum.rolled",
    )
    cells = _framed(chart, stroke=GRAY, strokeWidth=1).encode(parts.shades("shade", BITS, 2, "80"))

    def digits(number, seen, down):
        up = f"datum.down + {down} - 0.5 * datum.rolled"
        digits = _SUMS.texts(chart, "datum.left + 0.5", up, number, fontSize=15, aria=False)
        return digits.encode(opacity=alt.Opacity(f"{seen}:Q").scale(None).legend(None))

    # The number that goes rolls upwards, and the next one comes from below.
    going, coming = digits("datum.before", "left_over", 0.5), digits("datum.after", "rolled", 1)
    return chart, (cells, going, coming)


def _framed(chart, **style):
    """Return the cells of a chart as squares."""
    sides = "datum.left", "datum.left + 1", "datum.down", "datum.down + 1"
    return _SUMS.rectangles(chart, *sides, **style)


def _named(chart, down, words):
    """Return the names of rows, at the left of their blocks."""
    left = f"{_NAMES} - 0.3 + {_BLOCK} * datum.block"
    return _SUMS.texts(chart, left, f"{down} + 0.5", words, align="right")


def _bit(row):
    """Return the expression of a bit of a row."""
    return f"(({row}) >> datum.bit & 1)"


def _additions():
    """Return the rows and the sums with their names, what differs, and the names of the bits."""

    def total(pair, row):
        return " + ".join(_bit(f"{row} + {first}") for first in pair)

    def of_block(row):
        return f"(datum.block ? {total(_ADDED[1], row)} : {total(_ADDED[0], row)})"

    blocks, bits = rows(2, "block"), {"bit": f"sequence({_SHOWN})"}
    row = f"{_MOVED} + datum.first"
    _, wheels = _cells(parts.spread(rows(_ROWS), **bits), _bit(row), _bit(f"{row} + 1"))
    sums = parts.spread(rows(2, "block", down=str(_SUM)), **bits)
    sums, layers = _cells(sums, of_block(_MOVED), of_block(f"{_MOVED} + 1"))
    totals = " != ".join(f"({total(pair, _MOVED)})" for pair in _ADDED)
    differing = sums.transform_filter(f"!{_ROLLED} && {totals}")
    middle = _NAMES + _SHOWN + (_GAP + _NAMES) / 2 - 0.85
    sign = f"{_ROLLED} ? '' : {_MOVED} % 2 ? '≠' : '='"
    over = f"{_NAMES} + 0.5 + {_BLOCK} * datum.block + datum.bit"
    return (
        *wheels,
        _named(rows(_ROWS), "datum.down", said("row {}", row)),
        *layers,
        _framed(differing, fill="transparent", stroke=INK, strokeWidth=3, aria=False),
        _SUMS.texts(rows(1), middle, _SUM + 0.5, sign, fontSize=24, fontWeight="bold"),
        _named(blocks, _SUM, "'sum'"),
        _SUMS.texts(parts.spread(blocks, **bits), over, _HEAD + 0.5, "datum.bit"),
        _named(blocks, _HEAD, "'bit'"),
    )


_COLUMNS, _LOWER = 10, -3.9  # numbers of each row, and the middle of the bits below the waves
_ZERO = f"{_LOWER} * datum.code"
_ROW = Canvas(-1.3, _COLUMNS, _LOWER - 1.75, 1.9)


def next_row(waves, bits):
    r"""Return a chart of the rows that two matrices predict, over the rows that really come.

    The matrices are for a sinusoidal encoding of width 10, and for ten bits written as -1 and 1.
    Each is given row t and predicts row t + 1, as in ``row @ matrix``. A slider moves t from 512
    to 1022.

    Parameters
    ----------
    waves, bits : array_like, shape (10, 10)
        The two matrices.
    """
    entries = [
        # So rounded, they're the same on every machine.
        {"code": code, "i": i, "j": j, "weight": round(float(weight), 10)}
        for code, matrix in enumerate((waves, bits))
        for i, row in enumerate(matrix)
        for j, weight in enumerate(row)
    ]
    numbers = rows(entries, term=f"datum.weight * {_number('position', 'datum.i')}")
    numbers = numbers.transform_aggregate(predicted="sum(term)", groupby=["code", "j"])
    numbers = numbers.transform_calculate(
        real=_number("(position + 1)", "datum.j"),
        miss="abs(datum.predicted - datum.real)",
    )
    lines = (
        said("Row {} times the matrix, and row {}", "position", "position + 1"),
        "'Bars: the row that really comes next'",
        "'Rings: what the matrix predicts'",
    )
    return finish(
        alt.layer(*_predictions(numbers), *_frame()),
        slider("position", "row t", 760, least=512, greatest=1022, per_second=2),
        size=(480, 330),
        title=title(*lines, lineHeight=18, offset=10),
        description="""
        Two rows of ten bars, from -1 to 1, with a ring on each place where a matrix predicts the
        end of the bar. Above, the sines and cosines of five hands: all ten rings lie on the ends
        of their bars, and the largest miss is 0.00. Below, ten bits: the ring of bit 0 lies on the
        end of its bar, the ring of bit 1 always lies at 0, which misses by 1, and the others lie
        short of where the bit was before. A slider moves the row. From 767 to 768, where nine bits
        flip, the ring of bit 8 misses by 1.99 while the waves' rings still lie on their bars.
        """,
    )


def _number(position, column):
    """Return the expression of a number of a row, of the waves or of the bits."""
    return (
        f"(datum.code ? 2 * (({position} >> {column}) & 1) - 1 : "
        f"{parts.encoding(position, column, _COLUMNS)})"
    )


def _predictions(numbers):
    """Return the bars of the real rows, the rings of the predicted ones, and the largest misses."""
    color = alt.Color("code:N", legend=None).scale(domain=[0, 1], range=[SINUSOIDS, BITS])
    ends = _ZERO, f"{_ZERO} + datum.real"
    bars = _ROW.rectangles(numbers, "datum.j + 0.12", "datum.j + 0.88", *ends, opacity=0.45).encode(
        color, tooltip=tooltips(real=("the next row", ".3f"), predicted=("predicted", ".3f"))
    )
    rings = _ROW.place(numbers, "datum.j + 0.5", f"{_ZERO} + datum.predicted")
    largest = numbers.transform_aggregate(miss="max(miss)", groupby=["code"])
    code, look = "datum.code ? 'Bits' : 'Waves'", {"fontSize": 13, "fontWeight": "bold"}
    words = said("{}: the farthest ring misses by {}", code, parts.rounded("datum.miss", 2))
    return (
        bars,
        rings.mark_point(size=90, strokeWidth=2.5, color=PLAIN, aria=False),
        _ROW.texts(largest, 0, f"{_ZERO} + 1.55", words, align="left", **look),
    )


def _frame():
    """Return the lines at 0, the scales, and the names of hands and bits."""
    codes, scales, names = rows(2, "code"), rows(6, "mark"), rows(15, "name")
    value, up = "datum.mark % 3 - 1", f"{_LOWER} * floor(datum.mark / 3)"
    is_hand = "datum.name < 5"
    across = f"{is_hand} ? 2 * datum.name + 1 : datum.name - 4.5"
    below = f"({is_hand} ? 0 : {_LOWER}) - 1.5"
    name = f"'' + ({is_hand} ? datum.name : datum.name - 5)"
    return (
        _ROW.place(codes, 0, _ZERO, _COLUMNS, _ZERO).mark_rule(color=GRAY),
        _ROW.texts(scales, -0.2, f"{value} + {up}", f"replace({value}, '-', '−')", align="right"),
        _ROW.texts(codes, -0.2, f"{_ZERO} - 1.5", "datum.code ? 'bit' : 'hand'", align="right"),
        _ROW.texts(names, across, below, name),
    )
