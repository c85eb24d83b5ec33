"""What the charts are made of: checked arrays, expressions, tooltips, colors and marks."""

import math
import reprlib

import altair as alt

from posenc._validation import array
from posenc.charts import rendering
from posenc.palette import COLORS

rendering.enable_if_waiting()

GRAY = "#808080"
INK = "#222222"
TURN = repr(2 * math.pi)


def named_arrays(name, arrays, allowed, fits, *, keys=str, fewest=1):
    """Return a dictionary of finite arrays, if all have one shape and ``fits(*shape)`` holds."""
    if not isinstance(arrays, dict) or not all(isinstance(key, keys) for key in arrays):
        kind = keys.__name__
        raise TypeError(f"{name} must be a dict from {kind} to arrays, got {reprlib.repr(arrays)}")
    if len(arrays) < fewest:
        raise ValueError(f"{name} must hold at least {fewest} arrays, got {len(arrays)}")
    arrays = {key: array(f"{name}[{key!r}]", it) for key, it in arrays.items()}
    shape = next(iter(arrays.values())).shape
    for key, it in arrays.items():
        if it.shape != shape or not fits(*shape):
            raise ValueError(f"{name} must be {allowed}, got shape {it.shape} for {key!r}")
    return arrays


def angular_frequency(pair, *, width=None, pairs=None, base=10_000, exponent=None):
    """Return the Vega expression of ω_k = b^(-2k/d), for a width d or for d/2 pairs.

    The base is a number, a parameter, or ten to the power of an `exponent`.
    """
    if exponent is not None:
        base, pair = 10, f"{exponent} * {pair}"
    share = f"{pair} / {pairs}" if width is None else f"2 * {pair} / {width}"
    return f"pow({base}, -{share})"


def encoded(position, frequency, is_cosine):
    """Return the Vega expression of a number of the encoding, of a sine or, at 1, of a cosine."""
    return f"sin({position} * {frequency} + {is_cosine} * PI / 2)"


def thousands(number, format=","):
    """Return the Vega expression of a text with narrow spaces between thousands."""
    return f"replace(format({number}, '{format}'), /,/g, '\u202f')"


def tooltips(*fields, **numbers):
    """Return tooltips: first of fields as they are, then of numbers by format, or title and format.

    A format that is None leaves a number as it is.
    """
    told = list(fields)
    for name, format in numbers.items():
        title, format = format if isinstance(format, tuple) else (alt.Undefined, format)
        told.append(alt.Tooltip(f"{name}:Q", title=title, format=format or alt.Undefined))
    return told


def weight_color(title="weight", **legend):
    """Return the color of weights from 0 to 1."""
    color = alt.Color("weight:Q", title=title).scale(domain=[0, 1], scheme="viridis")
    return color.legend(gradientLength=180, **legend)


def value_color(field, **legend):
    """Return the color of the encoding's numbers: blue for -1, white for 0 and red for 1."""
    color = alt.Color(f"{field}:Q").scale(domain=[-1, 1], scheme="redblue", reverse=True)
    return color.legend(**legend)


def mark_best(best, *, x, y, shape, size):
    """Return a chart of what is best with a mark around it.

    Its field ``words`` says what to write below the chart: as the only entry of a legend, it moves
    with the data, and it takes the colors of the page, as no text mark would.
    """
    words = alt.Shape("words:N", title=None).scale(range=[shape])
    words = words.legend(orient="bottom", labelLimit=400, symbolSize=100)
    mark = {"filled": False, "strokeWidth": 3, "color": COLORS[1], "opacity": 1}
    return best.mark_point(size=size, **mark).encode(x=x, y=y, shape=words)
