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
    speeds = {control.parameter.name: control.per_second for control in sliders}
    motion = {name: speed for name, speed in speeds.items() if speed is not None}
    if size is not None:
        properties["width"], properties["height"] = size
    if motion:
        starting = [control.parameter.name for control in sliders if control.by_itself]
        properties["usermeta"] = {"motion": motion} | ({"starting": starting} if starting else {})
    properties["description"] = " ".join(description.split())
    parameters = [
        control.parameter if isinstance(control, Slider) else control for control in controls
    ]
    properties["params"] = [parameter.param for parameter in parameters]
    # Altair's own ways of setting these would copy all of the chart each time.
    for name, value in properties.items():
        chart[name] = value
    return chart


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


def said(words, *expressions):
    """Return the expression of a text, with what expressions say in the places of its {}."""
    return "'{}'".format(words.format(*(f"' + ({expression}) + '" for expression in expressions)))


def rows(data, number=alt.Undefined, /, **fields):
    """Return a chart of rows of data, with fields that expressions compute.

    The data are a list of rows, or how many there are, with their `number`, from 0, in a field.
    """
    # A tuple isn't copied with each step that's added to the chart.
    data = (
        alt.Data(values=tuple(data)) if isinstance(data, list) else alt.sequence(data, as_=number)
    )
    return alt.Chart(data).transform_calculate(**fields)


def spread(chart, *fields, **lists):
    """Return a chart with a row for each entry of fields and of lists that expressions compute."""
    return chart.transform_calculate(**lists).transform_flatten([*fields, *lists])


def title(*lines, **look):
    """Return a title of one or more lines, which are expressions."""
    text = lines[0] if len(lines) == 1 else f"[{', '.join(lines)}]"
    return alt.Title(alt.expr(text), **look)


def single(kind, *ends, **style):
    """Return one mark at a place or from one to another: expressions of x, y, x2 and y2."""
    ends = (alt.datum(alt.expr(f"{end}"), type="quantitative") for end in ends)
    mark = {"type": kind, "opacity": 1, "aria": True} | style
    return alt.Chart(mark=mark).encode(**dict(zip(("x", "y", "x2", "y2"), ends)))


def where(test, value, other):
    """Return one value of a channel where a test holds, and another elsewhere."""
    return alt.condition(test, alt.value(value), alt.value(other))


def axis(channel, field, title, ends, /, *, scale="linear", down=False, **look):
    """Return the encoding of numbers along an axis, from one of its ends to the other."""
    along = channel(f"{field}:Q", title=title)
    along = along.scale(type=scale, domain=ends, nice=False, reverse=down or alt.Undefined)
    return along.axis(**look) if look else along


def tooltips(*fields, **numbers):
    """Return tooltips: first of fields as they are, then of numbers by format, or title and format.

    A format that is None leaves a number as it is.
    """
    channels = [alt.Tooltip(field) for field in fields]
    for name, format in numbers.items():
        title, format = format if isinstance(format, tuple) else (alt.Undefined, format)
        channels.append(alt.Tooltip(f"{name}:Q", title=title, format=format or alt.Undefined))
    return channels


def meanings(field, names, *looks, channels=(alt.Color, alt.Shape, alt.Fill), **legend):
    """Return channels that give names their looks, a list for each channel, and share a legend."""
    legend = {"orient": "bottom", "labelLimit": 300} | legend
    return [
        channel(f"{field}:N", title=None).scale(domain=[*names], range=[*look]).legend(**legend)
        for channel, look in zip(channels, looks)
    ]


def shades(field, color, most, opacity="ff"):
    """Return the color of cells: none for 0, and the stronger, the closer to the largest number."""
    scale = {"domain": [0, most], "range": [f"{color}00", f"{color}{opacity}"]}
    return alt.Color(f"{field}:Q", legend=None).scale(**scale)


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
    ring = {"filled": False, "strokeWidth": 3, "color": PLAIN, "size": 170}
    return best.mark_point(**(ring | style)).encode(x=x, y=y, shape=words)
