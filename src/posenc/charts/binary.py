"""The charts of notebook 03: a binary counter, two sums of its rows, and predicted rows."""

import math
from functools import partial

import altair as alt

from posenc.charts import components as parts
from posenc.charts.components import TURN, finish, rows, slider, title, tooltips, where, write
from posenc.charts.dials import NAME, Dials
from posenc.palette import BITS, GRAY, INK, PLAIN, POSITION, SINUSOIDS

WHEELS = 6
_LAST = 2**WHEELS - 1
_APART = 2.35
# Heights below the middle of the dials: of the counter's middle, and of the floor of the steps.
_COUNTER, _FLOOR = -2.15, -7.2
_CELL = 0.66  # half of its side
_HIGHEST = 2 * math.sqrt(WHEELS)  # the distance of two rows that differ in every bit
_HANDS_STEP = 2 * math.sqrt(sum(math.sin(math.pi / 2 ** (i + 1)) ** 2 for i in range(WHEELS)))
_PALE = "40"
_BITS, _HANDS = "bits, written as −1 and +1", "hands"
_BETWEEN = "position != floor(position)"


def odometer():
    r"""Return a chart of dials, the counter read from them, and how far each step takes both.

    Dial j has its hand at the angle :math:`2\pi t / 2^{j+1}`, clockwise from the top. Bit j is 1
    exactly while the hand is in the left half. A step that flips h bits, written as -1 and 1, is
    :math:`2\sqrt{h}` long.
    """
    dials = Dials(WHEELS, apart=_APART, below=7.3)
    words = (
        f"{_BETWEEN} ? 'On the way from ' + floor(position) + ' to ' + ceil(position) : "
        "position < 1 ? 'No step yet' : 'Distance from ' + (position - 1) + ' to ' + "
        f"position + ': bits ' + format({_length('(position - 1)')}, '.2f') + "
        f"', hands {_HANDS_STEP:.2f}'"
    )
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
    halves = dials.place(halves, "PI + PI * (datum.corner % 61) / 60", 1).mark_line(
        interpolate="linear-closed", fill=f"{BITS}{_PALE}", strokeWidth=0, aria=False
    )
    told = tooltips(dial=("dial", None), degrees=("angle in degrees", ".1f"))
    return (
        halves.encode(order="corner:Q", detail="dial:N"),
        *dials.rims(),
        dials.hands(hands, "datum.angle", stroke=POSITION, strokeWidth=4, aria=False),
        dials.tips(hands, "datum.angle", size=70, color=POSITION).encode(tooltip=told),
        dials.names(hands, "'bit ' + datum.dial"),
    )


def _counter(dials):
    """Return the cells of the bits, those that flipped last outlined, and the bits in them."""
    bits = rows(WHEELS, "dial").transform_calculate(
        digit="(floor(position) >> datum.dial) & 1",
        flipped=f"{_BETWEEN} || position < 1 ? 0 : ((position ^ (position - 1)) >> datum.dial) & 1",
        middle=f"{_APART} * datum.dial",
    )
    sides = f"datum.middle - {_CELL}", f"datum.middle + {_CELL}"
    cells = dials.rectangles(bits, *sides, str(_COUNTER - _CELL), str(_COUNTER + _CELL))
    cells = cells.encode(
        color=where("datum.digit", BITS + _PALE, "transparent"),
        stroke=where("datum.flipped", BITS, GRAY),
        strokeWidth=where("datum.flipped", 4, 1),
        tooltip=tooltips(dial=("bit", None), digit=("value", None)),
    )
    digits = dials.texts(bits, "datum.middle", str(_COUNTER), "datum.digit")
    return cells, digits.mark_text(fontSize=16, baseline="middle", color=INK, aria=False)


def _steps(dials):
    """Return how far each step takes the bits and the hands, and where the position is."""
    left, right = -0.4, 1 + _APART * (WHEELS - 1)
    scale, floor = f"{(right - left) / _LAST:.9g}", str(_FLOOR)
    up, here = f"{_FLOOR} + {3.5 / _HIGHEST} * datum.length", f"{left} + {scale} * position"

    def box(chart, *sides, **look):
        box = dials.rectangles(chart, *sides)
        return box.encode(**{name: alt.value(value) for name, value in look.items()})

    steps = rows(_LAST, "t").transform_filter("datum.t + 1 <= position")
    steps = steps.transform_calculate(length=_length("datum.t"), what=f"'{_BITS}'")
    color = alt.Color("what:N", title="Distance to the next row")
    color = color.scale(domain=[_BITS, _HANDS], range=[BITS, POSITION])
    color = color.legend(orient="bottom", titleLimit=400)
    start, end = (f"{left} + {scale} * (datum.t + {share})" for share in (0.08, 0.92))
    bars = box(steps, start, end, floor, up).encode(
        color,
        opacity=where("datum.t + 1 == position", 1, 0.5),
        tooltip=tooltips(t=("from position", None), length=("the bits' step", ".3f")),
    )
    level = rows([{"what": _HANDS, "length": _HANDS_STEP}])
    marks = alt.Chart(alt.sequence(0, 5, 2, as_="length"))
    ends = alt.Chart(alt.sequence(0, _LAST + 1, 16, as_="t"))
    edge = str(left), str(right)
    return (
        box(marks, *edge, f"{up} - 0.02", f"{up} + 0.02", color=GRAY, opacity=0.5),
        dials.texts(marks, str(left - 0.35), up, "'' + datum.length"),
        box(rows(1), *edge, f"{_FLOOR} - 0.04", floor, color=GRAY),
        bars,
        box(level, str(left), here, f"{up} - 0.05", f"{up} + 0.05").encode(color),
        box(rows(1), f"{here} - 0.07", f"{here} + 0.07", str(_FLOOR - 0.5), floor, color=POSITION),
        dials.texts(ends, f"{left} + {scale} * datum.t", str(_FLOOR - 0.9), "'' + datum.t"),
    )


_SHOWN = 4  # bits of each row
_NAMES, _GAP = 2.3, 1.6  # the room for a row's name, and for the sign between the two sums
_BLOCK = _NAMES + _SHOWN + _GAP
_ACROSS, _DOWN = 2 * _NAMES + 2 * _SHOWN + _GAP + 0.2, 4.5
_place = partial(parts.place, edges=([0, _ACROSS], [_DOWN, 0]))  # in cells
_SUM = 3.3  # the height of the sums, counted downwards
_ROWS = [
    {"block": block, "first": first, "down": down}
    for block, pair in enumerate([(0, 3), (1, 2)])
    for down, first in zip((1, 2), pair)
]
# How far the wheels have rolled, and by how much the rows count as moved.
_ROLLED, _MOVED = "(moved % 1)", "floor(moved)"


def two_sums():
    """Return a chart of rows 0 and 3 of a counter beside rows 1 and 2, with the sum of each two.

    A slider takes all four rows further. The sums are equal after an even number of steps, and
    between two steps they aren't compared.
    """
    sums = [f"({_MOVED} + {i}) + ' + ' + ({_MOVED} + {j})" for i, j in ((0, 3), (1, 2))]
    words = f"({_MOVED} % 2 ? 'Different sums' : 'Equal sums')"
    words = f"{words} + ': rows ' + {sums[0]} + ', and rows ' + {sums[1]}"
    return finish(
        alt.layer(*_rolling_rows(), *_sums(), *_names_of_bits()),
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
    """Return the layers of cells whose number rolls from an expression to another one."""
    chart = chart.transform_calculate(
        before=before,
        after=after,
        # A wheel rolls only if its number changes.
        rolled=f"datum.before == datum.after ? 0 : {_ROLLED}",
        left=f"{_NAMES} + {_BLOCK} * datum.block + datum.bit",
        right="datum.left + 1",
        bottom="datum.down + 1",
        middle="datum.left + 0.5",
        # The number that goes rolls upwards, and the next one comes from below.
        going="datum.down + 0.5 - 0.5 * datum.rolled",
        coming="datum.down + 1 - 0.5 * datum.rolled",
        shade="datum.before + (datum.after - datum.before) * datum.rolled",
        left_over="1 - datum.rolled",
    )
    shade = alt.Color("shade:Q", legend=None)
    shade = shade.scale(domain=[0, 2], range=[f"{BITS}00", f"{BITS}80"])
    cells, look = chart.mark_rect(stroke=GRAY, strokeWidth=1), {"fontSize": 15, "color": INK}
    numbers = ("going", "before", "left_over"), ("coming", "after", "rolled")
    digits = [
        write(chart, _place("middle", height), f"{number}:Q", aria=False, **look).encode(
            opacity=alt.Opacity(f"{seen}:Q").scale(None).legend(None)
        )
        for height, number, seen in numbers
    ]
    return chart, (cells.encode(shade, **_place("left", "down", "right", "bottom")), *digits)


def _bit(row, bit="datum.bit"):
    """Return the expression of a bit of a row."""
    return f"(({row}) >> {bit} & 1)"


def _rolling_rows():
    """Return the four rows and their names."""
    wheels = rows(_ROWS, bit=f"sequence({_SHOWN})").transform_flatten(["bit"])
    row = "floor(moved) + datum.first"
    _, layers = _cells(wheels, _bit(row), _bit(f"{row} + 1"))
    names = rows(_ROWS).transform_calculate(
        name=f"'row ' + ({_MOVED} + datum.first)",
        x=f"{_NAMES} - 0.3 + {_BLOCK} * datum.block",
        y="datum.down + 0.5",
    )
    return *layers, write(names, _place("x", "y"), "name:N", align="right")


def _sums():
    """Return the two sums, with outlines where they differ, and the sign between them."""

    def total(first, second, row):
        return f"({_bit(f'{row} + {first}')} + {_bit(f'{row} + {second}')})"

    def of_block(row):
        return f"(datum.block ? {total(1, 2, row)} : {total(0, 3, row)})"

    block, bit = f"floor(datum.cell / {_SHOWN})", f"datum.cell % {_SHOWN}"
    cells = rows(2 * _SHOWN, "cell", block=block, bit=bit, down=str(_SUM))
    chart, layers = _cells(cells, of_block("floor(moved)"), of_block("floor(moved) + 1"))
    differing = chart.transform_filter(
        f"!{_ROLLED} && {total(0, 3, _MOVED)} != {total(1, 2, _MOVED)}"
    )
    outlines = differing.mark_rect(fill="transparent", stroke=INK, strokeWidth=3, aria=False)
    sign = rows(1).transform_calculate(
        x=f"{_NAMES + _SHOWN} + {_GAP + _NAMES} / 2 - 0.85",
        y=f"{_SUM} + 0.5",
        words=f"{_ROLLED} ? '' : {_MOVED} % 2 ? '≠' : '='",
    )
    x, y = f"{_NAMES} - 0.3 + {_BLOCK} * datum.block", f"{_SUM} + 0.5"
    names = rows(2, "block", x=x, y=y, name="'sum'")
    return (
        *layers,
        outlines.encode(**_place("left", "down", "right", "bottom")),
        write(sign, _place("x", "y"), fontSize=24, fontWeight="bold"),
        write(names, _place("x", "y"), "name:N", align="right"),
    )


def _names_of_bits():
    """Return the numbers of the bits above the rows."""
    x = f"{_NAMES} + 0.5 + {_BLOCK} * floor(datum.cell / {_SHOWN}) + datum.cell % {_SHOWN}"
    bits = rows(2 * _SHOWN, "cell", x=x, y="0.6", bit=f"datum.cell % {_SHOWN}")
    x = f"{_NAMES} - 0.3 + {_BLOCK} * datum.block"
    word = rows(2, "block", x=x, y="0.6", name="'bit'")
    yield write(bits, _place("x", "y"), "bit:Q")
    yield write(word, _place("x", "y"), "name:N", align="right")


_COLUMNS, _LOWER = 10, -3.9  # numbers of each row, and the middle of the bits below the waves
_CODES = "Waves", "Bits"
_within = partial(parts.place, edges=([-1.3, _COLUMNS], [_LOWER - 1.75, 1.9]))


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
        middle=f"{_LOWER} * datum.code",
        x="datum.j + 0.5",
        left="datum.j + 0.12",
        right="datum.j + 0.88",
        top="datum.middle + datum.real",
        ring="datum.middle + datum.predicted",
    )
    lines = "'Bars: the row that really comes next'", "'Rings: what the matrix predicts'"
    words = "'Row ' + position + ' times the matrix, and row ' + (position + 1)"
    return finish(
        alt.layer(*_predictions(numbers), *_frame()),
        slider("position", "row t", 760, least=512, greatest=1022, per_second=2),
        size=(480, 330),
        title=title(words, *lines, lineHeight=18, offset=10),
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
    bars = numbers.mark_rect(opacity=0.45).encode(
        color,
        **_within("left", "middle", "right", "top"),
        tooltip=tooltips(real=("the next row", ".3f"), predicted=("predicted", ".3f")),
    )
    rings = numbers.mark_point(size=90, strokeWidth=2.5, color=PLAIN, opacity=1, aria=False)
    largest = numbers.transform_aggregate(miss="max(miss)", groupby=["code"])
    largest = largest.transform_calculate(
        x="0",
        y=f"{_LOWER} * datum.code + 1.55",
        words=f"(datum.code ? '{_CODES[1]}' : '{_CODES[0]}') + ': the farthest ring misses by ' + "
        f"{parts.rounded('datum.miss', 2)}",
    )
    return (
        bars,
        rings.encode(**_within("x", "ring")),
        write(largest, _within("x", "y"), align="left", fontSize=13, fontWeight="bold"),
    )


def _frame():
    """Return the lines at 0, the scales, and the names of hands and bits."""
    zeros = rows(2, "code", left="0", right=str(_COLUMNS), y=f"{_LOWER} * datum.code")
    zeros = zeros.mark_rule(color=GRAY, aria=False)
    scales = rows(6, "mark").transform_calculate(
        value="datum.mark % 3 - 1",
        x="-0.2",
        y=f"datum.value + {_LOWER} * floor(datum.mark / 3)",
        words="replace(datum.value, '-', '−')",
    )
    names = rows(15, "name").transform_calculate(
        x="datum.name < 5 ? 2 * datum.name + 1 : datum.name - 4.5",
        y=f"datum.name < 5 ? -1.5 : {_LOWER} - 1.5",
        words="'' + (datum.name < 5 ? datum.name : datum.name - 5)",
    )
    y, words = f"{_LOWER} * datum.code - 1.5", "datum.code ? 'bit' : 'hand'"
    what = rows(2, "code", x="-0.2", y=y, words=words)
    return (
        zeros.encode(**_within("left", "y"), x2=alt.X2("right:Q")),
        write(scales, _within("x", "y"), align="right"),
        write(what, _within("x", "y"), align="right"),
        write(names, _within("x", "y"), align="center"),
    )
