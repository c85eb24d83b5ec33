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

    If the width has no such pair as the slider says, its last one is shown, and the title says so.
    """
    frequency = angular_frequency("shown_pair", width="columns", base="base")
    return finish(
        alt.vconcat(_wave_view(), _wavelengths_view()).resolve_scale(color="independent"),
        slider("pair", "pair k", 6, greatest=WIDEST // 2 - 1),
        # Vega keeps the names "width" and "height" for itself.
        slider("columns", "width d", 64, least=2, greatest=WIDEST, step=2),
        slider("exponent", "base: power of 10", 4, least=1, greatest=6, step=0.25),
        alt.param("base", expr="pow(10, exponent)"),
        alt.param("shown_pair", expr="min(pair, columns / 2 - 1)"),
        alt.param("frequency", expr=frequency),
        alt.param("wavelength", expr="2 * PI / frequency"),
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
    waves = {"sine": "sin(frequency * datum.t)", "cosine": "cos(frequency * datum.t)"}
    points = alt.Chart(alt.sequence(10 * LAST_POSITION + 1, as_="point"))
    points = points.transform_calculate(t="datum.point / 10", **waves)
    color = alt.Color("wave:N", title=None).scale(domain=list(waves), range=[_SINE, _COSINE])
    points = points.transform_fold(list(waves), as_=["wave", "value"]).encode(
        alt.X("t:Q", title="position t").scale(domain=[0, LAST_POSITION]),
        alt.Y("value:Q").scale(domain=[-1.1, 1.4]).axis(values=[-1, 0, 1], format="~g"),
        color.legend(orient="bottom", symbolType="stroke", symbolStrokeWidth=3),
    )
    dots = points.transform_filter("datum.point % 10 == 0").mark_circle(size=22, opacity=1)
    dots = dots.encode(tooltip=tooltips("t:Q", "wave:N", value=".4f"))
    title = (
        "['Pair ' + shown_pair"
        " + (pair > shown_pair ? ' (the last at this width)' : ' of 0 … ' + (columns / 2 - 1))"
        " + ', base ' + format(base, ',.0f'),"
        " 'Wavelength: ' + format(wavelength, wavelength < 1000 ? '.4r' : ',.0f') + ' positions']"
    )
    layers = alt.layer(points.mark_line(), dots, *_wavelength_bar())
    return layers.properties(width=560, height=220, title=alt.Title(alt.expr(title), lineHeight=18))


def _wavelength_bar():
    """Return a bar from position 0, one wavelength long, or an arrow if that is beyond the view."""
    end = alt.datum(alt.expr(f"min(wavelength, {LAST_POSITION})"), type="quantitative")
    bar = alt.Chart().encode(y=alt.datum(1.25))
    line = bar.mark_rule(color=_WAVELENGTH, strokeWidth=4).encode(x=alt.datum(0), x2=end)
    drop = bar.transform_filter(f"wavelength <= {LAST_POSITION}").encode(x=end, y2=alt.datum(1))
    arrow = bar.transform_filter(f"wavelength > {LAST_POSITION}").encode(x=end)
    drop = drop.mark_rule(color=_WAVELENGTH, strokeWidth=1.5, **_DASHED)
    shape = {"shape": "triangle-right", "filled": True, "size": 120, "opacity": 1}
    return line, drop, arrow.mark_point(color=_WAVELENGTH, **shape)


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
    edge = alt.Chart().mark_rule(color=GRAY, **_DASHED).encode(y=alt.datum(LAST_POSITION))
    title = f"Wavelengths of all pairs; dashed: {LAST_POSITION} positions"
    return alt.layer(every, edge, chosen).properties(width=560, height=170, title=title)
