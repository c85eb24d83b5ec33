"""The chart of notebook 01: one pair of the encoding, and its wavelength among all others."""

import altair as alt

from posenc.charts._slider import slider
from posenc.palette import COLORS

LAST_POSITION = 100
WIDEST = 128
HIGHEST_EXPONENT = 6

_SINE, _COSINE, _WAVELENGTH = COLORS[:3]
_OUTLINE = "#808080"

_DESCRIPTION = (
    f"Two linked views with three sliders. Above, the sine and the cosine of one pair at positions "
    f"0 to {LAST_POSITION}, with a bar from 0 that is one wavelength long. Below, the wavelengths "
    "of all pairs on a logarithmic axis: a straight rising row of dots, the chosen pair marked. "
    "The sliders choose the pair, the width of the table and the base. A later pair has a longer "
    "wave; a greater width makes the steps from pair to pair smaller; a greater base makes the row "
    "of dots steeper."
)


def wave():
    """Draw one pair of the encoding over the positions, and mark its wavelength.

    Sliders choose the pair, the width and the base. The browser computes everything from them:
    the pair's angular frequency and wavelength, its sine and cosine, and the wavelengths of all
    pairs. If the width has no such pair, its last one is shown, and the title says so.

    Returns
    -------
    altair.VConcatChart
        The wave above the wavelengths.

    Examples
    --------
    >>> type(wave()).__name__
    'VConcatChart'
    """
    return (
        alt.vconcat(_wave_view(), _wavelengths_view())
        .add_params(*_params())
        .resolve_scale(color="independent")
        .properties(description=_DESCRIPTION)
    )


def _params():
    # Vega keeps the names "width" and "height" for itself.
    return (
        slider("pair", "pair k", 6, greatest=WIDEST // 2 - 1),
        slider("columns", "width d", 64, least=2, greatest=WIDEST, step=2),
        slider("exponent", "base: power of 10", 4, least=1, greatest=HIGHEST_EXPONENT, step=0.25),
        alt.param(name="base", expr="pow(10, exponent)"),
        alt.param(name="shown_pair", expr="min(pair, columns / 2 - 1)"),
        alt.param(name="frequency", expr="pow(base, -2 * shown_pair / columns)"),
        alt.param(name="wavelength", expr="2 * PI / frequency"),
    )


def _wave_view():
    waves = {"sine": "sin(frequency * datum.t)", "cosine": "cos(frequency * datum.t)"}
    position = alt.X("t:Q", title="position t", scale=alt.Scale(domain=[0, LAST_POSITION]))
    value = alt.Y(
        "value:Q",
        title="value",
        scale=alt.Scale(domain=[-1.1, 1.4]),
        axis=alt.Axis(values=[-1, 0, 1], format="~g"),
    )
    color = alt.Color(
        "wave:N",
        scale=alt.Scale(domain=list(waves), range=[_SINE, _COSINE]),
        legend=alt.Legend(orient="bottom", title=None, symbolType="stroke", symbolStrokeWidth=3),
    )

    def drawn_at(positions):
        return (
            alt.Chart(positions)
            .transform_calculate(**waves)
            .transform_fold(list(waves), as_=["wave", "value"])
            .encode(x=position, y=value, color=color)
        )

    # Ten points to a position draw even the fastest pair as a smooth curve.
    curve = drawn_at(alt.sequence(0, LAST_POSITION + 0.05, 0.1, as_="t")).mark_line()
    dots = (
        drawn_at(alt.sequence(0, LAST_POSITION + 1, as_="t"))
        .mark_circle(size=22, opacity=1)
        .encode(tooltip=["t:Q", "wave:N", alt.Tooltip("value:Q", format=".4f")])
    )
    title = alt.TitleParams(
        text=alt.ExprRef(
            "['Pair ' + shown_pair"
            " + (pair > shown_pair ? ' (the last at this width)' : ' of 0 … ' + (columns / 2 - 1))"
            " + ', base ' + format(base, ',.0f'),"
            " 'Wavelength: ' + format(wavelength, wavelength < 1000 ? '.4r' : ',.0f')"
            " + ' positions']"
        ),
        lineHeight=18,
    )
    return alt.layer(curve, dots, *_wavelength_bar()).properties(width=560, height=220, title=title)


def _wavelength_bar():
    """Return a bar from position 0, one wavelength long, or an arrow if that is beyond the view."""
    bar = (
        alt.Chart(alt.Data(values=[{"start": 0, "height": 1.25}]))
        .transform_calculate(end=f"min(wavelength, {LAST_POSITION})")
        .encode(y="height:Q")
    )
    line = bar.mark_rule(color=_WAVELENGTH, strokeWidth=4).encode(x="start:Q", x2="end:Q")
    drop = (
        bar.mark_rule(color=_WAVELENGTH, strokeWidth=1.5, strokeDash=[4, 3])
        .transform_calculate(crest="1")
        .transform_filter(f"wavelength <= {LAST_POSITION}")
        .encode(x="end:Q", y2="crest:Q")
    )
    arrow = (
        bar.mark_point(shape="triangle-right", color=_WAVELENGTH, filled=True, size=120, opacity=1)
        .transform_filter(f"wavelength > {LAST_POSITION}")
        .encode(x="end:Q")
    )
    return line, drop, arrow


def _wavelengths_view():
    pairs = (
        alt.Chart(alt.sequence(0, WIDEST // 2, as_="k"))
        .transform_filter("datum.k < columns / 2")
        .transform_calculate(wavelength="2 * PI * pow(base, 2 * datum.k / columns)")
        .encode(
            x=alt.X("k:Q", title="pair k", scale=alt.Scale(domain=[0, WIDEST // 2 - 1])),
            y=alt.Y(
                "wavelength:Q",
                title="wavelength (positions)",
                scale=alt.Scale(type="log", domain=[1, 1e7]),
                axis=alt.Axis(values=[10**power for power in range(8)], format="~s"),
            ),
            tooltip=["k:Q", alt.Tooltip("wavelength:Q", format=",.1f")],
        )
    )
    every = pairs.mark_circle(color=_OUTLINE, size=30, opacity=1)
    chosen = pairs.transform_filter("datum.k == shown_pair").mark_circle(
        color=_WAVELENGTH, size=130, opacity=1
    )
    edge = (
        alt.Chart(alt.Data(values=[{"wavelength": LAST_POSITION}]))
        .mark_rule(color=_OUTLINE, strokeDash=[4, 3])
        .encode(y="wavelength:Q")
    )
    title = f"Wavelengths of all pairs; dashed: {LAST_POSITION} positions"
    return alt.layer(edge, every, chosen).properties(width=560, height=170, title=title)
