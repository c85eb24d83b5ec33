"""What charts are made of: sliders and lists, rows of data, expressions, colors and marks."""

import math
from dataclasses import dataclass

import altair as alt

from posenc.charts import rendering
from posenc.palette import ABOVE_ZERO, BELOW_ZERO, PLAIN

TURN = repr(2 * math.pi)


@dataclass(frozen=True)
class Slider:
    """A parameter that a slider sets, how far it runs in a second, and whether it starts itself."""

    parameter: alt.Parameter
    per_second: float | None
    by_itself: bool


def slider(name, label, value, *, least=0, greatest, step=1, per_second=None, by_itself=False):
    """Return a slider for the parameter `name`, labeled in words, that begins at `value`.

    A slider that stands for time, a position or an offset says in `per_second` how far it runs in
    a second. In the book it gets a button for that, or starts `by_itself` as soon as it's seen.
    """
    # The space keeps the label away from the slider.
    bind = alt.binding_range(min=least, max=greatest, step=step, name=f"{label} ")
    return Slider(alt.param(name, value=value, bind=bind), per_second, by_itself)


def choice(name, label, options, value=None):
    """Return the parameter `name` with a list, labeled in words, that begins at `value`.

    Without `value` it begins at the first option. The book reserves room for a list by its labels.
    """
    options = list(options)
    bind = alt.binding_select(options=options, labels=options, name=f"{label} ")
    return alt.param(name, value=options[0] if value is None else value, bind=bind)


def finish(chart, *controls, description, size=None, **properties):
    """Return the chart with its controls, its description in one line, and its properties.

    Controls are sliders, lists and other parameters. Which of them run stands in the chart's
    `usermeta`, which the book reads and every other reader ignores.
    """
    rendering.enable()
    sliders = [control for control in controls if isinstance(control, Slider)]
    motion = {it.parameter.name: it.per_second for it in sliders if it.per_second is not None}
    if size is not None:
        properties["width"], properties["height"] = size
    if motion:
        starting = [it.parameter.name for it in sliders if it.by_itself]
        properties["usermeta"] = {"motion": motion} | ({"starting": starting} if starting else {})
    description = " ".join(description.split())
    parameters = [it.parameter if isinstance(it, Slider) else it for it in controls]
    return chart.add_params(*parameters).properties(description=description, **properties)


def angular_frequency(pair, *, width=None, pairs=None, exponent=None):
    """Return the Vega expression of ω_k = b^(-2k/d), for a width d or for d/2 pairs.

    The base is 10,000 or ten to the power of an `exponent`, an expression.
    """
    base, pair = (10, f"{exponent} * {pair}") if exponent else (10_000, pair)
    share = f"{pair} / {pairs}" if width is None else f"2 * {pair} / {width}"
    return f"pow({base}, -{share})"


def sine_or_cosine(angle, is_cosine):
    """Return the Vega expression of the sine of an angle or, where `is_cosine` is 1, its cosine."""
    return f"sin({angle} + {is_cosine} * PI / 2)"


def encoding(position, column, width):
    """Return the Vega expression of the number in a column of a position's encoding."""
    frequency = angular_frequency(f"floor({column} / 2)", width=width)
    return sine_or_cosine(f"{position} * {frequency}", f"({column} % 2)")


def rounded(number, digits, sign=""):
    """Return the Vega expression of a text with so many digits after the point, never -0."""
    scale = 10**digits
    return f"format(round({scale} * {number}) / {scale} + 0, '{sign}.{digits}f')"


def written(number):
    """Return the Vega expression of a number as text, with commas from 10,000 on."""
    return f"({number} < 1e4 ? format({number}, '~f') : format({number}, ','))"


def rows(data, number=alt.Undefined, /, **fields):
    """Return a chart of rows of data, with fields that expressions compute.

    The data are a list of rows, or how many there are, with their `number`, from 0, in a field.
    """
    data = alt.Data(values=data) if isinstance(data, list) else alt.sequence(data, as_=number)
    return alt.Chart(data).transform_calculate(**fields)


def title(*lines, **look):
    """Return a title of one or more lines, which are expressions."""
    text = lines[0] if len(lines) == 1 else f"[{', '.join(lines)}]"
    return alt.Title(alt.expr(text), **look)


def where(test, value, other):
    """Return one value of a channel where a test holds, and another elsewhere."""
    return alt.condition(test, alt.value(value), alt.value(other))


def tooltips(*fields, **numbers):
    """Return tooltips: first of fields as they are, then of numbers by format, or title and format.

    A format that is None leaves a number as it is.
    """
    told = list(fields)
    for name, format in numbers.items():
        title, format = format if isinstance(format, tuple) else (alt.Undefined, format)
        told.append(alt.Tooltip(f"{name}:Q", title=title, format=format or alt.Undefined))
    return told


def map_color(field, *, centered=False, opacity="ff", title=alt.Undefined):
    """Return the color of a map's cells: none for 0, and the more red, the closer to 1.

    Where they are `centered`, numbers below 0 are blue. Without a color the page is seen. Letters
    are legible on cells of an opacity of "73".
    """
    domain, colors = [0, 1], [ABOVE_ZERO + "00", ABOVE_ZERO + opacity]
    if centered:
        domain, colors = [-1, 0, *domain], [BELOW_ZERO + opacity, BELOW_ZERO + "00", *colors]
    return alt.Color(f"{field}:Q", title=title).scale(domain=domain, range=colors)


def value_color(field, **legend):
    """Return the color of the encoding's numbers: blue for -1, no color for 0 and red for 1."""
    return map_color(field, centered=True, title="value").legend(**legend)


def place(x, y, x2=None, y2=None, *, edges):
    """Return the encoding of a place or, with two more fields, of what lies between two.

    The view has no axes. Its `edges` are the numbers at the left and right, then at the bottom and
    top.
    """
    ends = {
        name: channel(f"{field}:Q", axis=None).scale(domain=domain, nice=False)
        for name, field, channel, domain in zip("xy", (x, y), (alt.X, alt.Y), edges)
    }
    return ends | ({"x2": f"{x2}:Q", "y2": f"{y2}:Q"} if x2 else {})


def write(chart, place, text="words:N", **style):
    """Write a field of a chart's rows at their place, an encoding."""
    style = {"fontSize": 12, "baseline": "middle"} | style
    return chart.mark_text(**style).encode(**place, text=text)


def highest(chart, field, count=1):
    """Return a chart of the rows where a field is highest, with their `rank`."""
    chart = chart.transform_window(rank="row_number()", sort=[alt.SortField(field, "descending")])
    return chart.transform_filter(f"datum.rank <= {count}")


def mark_best(best, *, x, y, shapes=("circle",), **style):
    """Return a chart of what is best with a mark around it.

    Its field ``words`` says what to write below the chart: as an entry of a legend, it moves with
    the data.
    """
    words = alt.Shape("words:N", title=None).scale(range=list(shapes))
    words = words.legend(orient="bottom", columns=1, labelLimit=400, symbolSize=100)
    ring = {"filled": False, "strokeWidth": 3, "color": PLAIN, "opacity": 1, "size": 170}
    return best.mark_point(**(ring | style)).encode(x=x, y=y, shape=words)
