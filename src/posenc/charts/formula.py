"""The chart of notebook 01: one pair of the encoding, and its wavelength among all others."""

import altair as alt

from posenc.charts.components import GRAY, angular_frequency, tooltips
from posenc.charts.controls import finish, slider
from posenc.palette import COLORS

LAST_POSITION = 100
WIDEST = 128

_SINE, _COSINE, _WAVELENGTH = COLORS[:3]
_DASHED = {"strokeDash": [4, 3]}


def wave():
    """Draw one pair of the encoding over the positions, and mark its wavelength.

    Sliders choose the pair, the width and the base. The browser computes everything from them:
    the pair's angular frequency and wavelength, its sine and cosine, and the wavelengths of all
    pairs. If the width has no such pair, its last one is shown, and the title says so. The sliders
    are ``pair``, ``columns`` and ``exponent``.
    """
    # Vega keeps the names "width" and "height" for itself.
    frequency = angular_frequency("shown_pair", width="columns", base="base")
    parameters = [
        slider("pair", "pair k", 6, greatest=WIDEST // 2 - 1),
        slider("columns", "width d", 64, least=2, greatest=WIDEST, step=2),
        slider("exponent", "base: power of 10", 4, least=1, greatest=6, step=0.25),
        alt.param("base", expr="pow(10, exponent)"),
        alt.param("shown_pair", expr="min(pair, columns / 2 - 1)"),
        alt.param("frequency", expr=frequency),
        alt.param("wavelength", expr="2 * PI / frequency"),
    ]
    return finish(
        alt.vconcat(_wave_view(), _wavelengths_view()).resolve_scale(color="independent"),
        *parameters,
        description=f"""
        Two linked views with three sliders. Above, the sine and the cosine of one pair at positions
        0 to {LAST_POSITION}, with a bar from 0 that is one wavelength long. Below, the wavelengths
        of all pairs on a logarithmic axis: a straight rising row of dots, the chosen pair marked.
        The sliders choose the pair, the width of the table and the base. A later pair has a longer
        wave; a greater width makes the steps from pair to pair smaller; a greater base makes the
        row of dots steeper.
        """,
    )


def _wave_view():
    # Ten points to a position draw even the fastest pair as a smooth curve.
    curve = _waves(alt.sequence(0, LAST_POSITION + 0.05, 0.1, as_="t")).mark_line()
    dots = _waves(alt.sequence(0, LAST_POSITION + 1, as_="t")).mark_circle(size=22, opacity=1)
    dots = dots.encode(tooltip=tooltips("t:Q", "wave:N", value=".4f"))
    title = (
        "['Pair ' + shown_pair"
        " + (pair > shown_pair ? ' (the last at this width)' : ' of 0 … ' + (columns / 2 - 1))"
        " + ', base ' + format(base, ',.0f'),"
        " 'Wavelength: ' + format(wavelength, wavelength < 1000 ? '.4r' : ',.0f') + ' positions']"
    )
    layers = alt.layer(curve, dots, *_wavelength_bar())
    return layers.properties(width=560, height=220, title=alt.Title(alt.expr(title), lineHeight=18))


def _waves(positions):
    """Return a chart of the pair's sine and cosine at some positions, without a mark yet."""
    waves = {"sine": "sin(frequency * datum.t)", "cosine": "cos(frequency * datum.t)"}
    color = alt.Color("wave:N").scale(domain=list(waves), range=[_SINE, _COSINE])
    data = alt.Chart(positions).transform_calculate(**waves)
    return data.transform_fold(list(waves), as_=["wave", "value"]).encode(
        alt.X("t:Q", title="position t").scale(domain=[0, LAST_POSITION]),
        alt.Y("value:Q", title="value")
        .scale(domain=[-1.1, 1.4])
        .axis(values=[-1, 0, 1], format="~g"),
        color.legend(orient="bottom", title=None, symbolType="stroke", symbolStrokeWidth=3),
    )


def _wavelength_bar():
    """Return a bar from position 0, one wavelength long, or an arrow if that is beyond the view."""
    bar = alt.Chart(alt.Data(values=[{"start": 0, "height": 1.25}])).encode(y="height:Q")
    bar = bar.transform_calculate(end=f"min(wavelength, {LAST_POSITION})")
    line = bar.mark_rule(color=_WAVELENGTH, strokeWidth=4).encode(x="start:Q", x2="end:Q")
    drop = bar.transform_calculate(crest="1").transform_filter(f"wavelength <= {LAST_POSITION}")
    drop = drop.mark_rule(color=_WAVELENGTH, strokeWidth=1.5, **_DASHED)
    arrow = bar.transform_filter(f"wavelength > {LAST_POSITION}").mark_point(
        shape="triangle-right", color=_WAVELENGTH, filled=True, size=120, opacity=1
    )
    return line, drop.encode(x="end:Q", y2="crest:Q"), arrow.encode(x="end:Q")


def _wavelengths_view():
    frequency = angular_frequency("datum.k", width="columns", base="base")
    pairs = (
        alt.Chart(alt.sequence(0, WIDEST // 2, as_="k"))
        .transform_filter("datum.k < columns / 2")
        .transform_calculate(wavelength=f"2 * PI / {frequency}")
        .encode(
            alt.X("k:Q", title="pair k").scale(domain=[0, WIDEST // 2 - 1]),
            alt.Y("wavelength:Q", title="wavelength (positions)")
            .scale(type="log", domain=[1, 1e7])
            .axis(values=[10**power for power in range(8)], format="~s"),
            tooltip=tooltips("k:Q", wavelength=",.1f"),
        )
    )
    every = pairs.mark_circle(color=GRAY, size=30, opacity=1)
    chosen = pairs.transform_filter("datum.k == shown_pair")
    chosen = chosen.mark_circle(color=_WAVELENGTH, size=130, opacity=1)
    edge = alt.Chart(alt.Data(values=[{"wavelength": LAST_POSITION}])).encode(y="wavelength:Q")
    edge = edge.mark_rule(color=GRAY, **_DASHED)
    title = f"Wavelengths of all pairs; dashed: {LAST_POSITION} positions"
    return alt.layer(edge, every, chosen).properties(width=560, height=170, title=title)
