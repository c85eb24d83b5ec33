"""The chart of lab D: a curve, what's known of it, and what hands of a chosen speed make of it."""

import altair as alt
import numpy as np

from posenc.charts.components import axis, choice, finish, rounded, rows, said, slider, spread
from posenc.palette import GRAY, INK, PLAIN

_SIZE = (430, 210)


def fitted_curve(at, curve, fits, errors):
    """Draw a curve, its samples, and what is fitted to them at a speed that a slider sets.

    Parameters
    ----------
    at, curve : array_like, shape (n,)
        Where the curve is drawn, in samples, which are whole numbers, and the true curve there.
    fits, errors : dict of str to array_like, shape (speeds, n) and (speeds,)
        Of each kind of hands, the fitted curve for each speed on the slider, and how far it's off
        between all samples. Speed i is 2 to the power of 1 + i/2 cycles. The kind that's named
        first is shown first.
    """
    speeds, count = np.shape(next(iter(fits.values())))
    at, curve = np.array([at, curve], dtype=float).tolist()
    truth = rows([{"at": a, "value": round(b, 2)} for a, b in zip(at, curve)])
    values = [
        {"kind": kind, "step": step, "off": round(errors[kind][step], 2), "fit": fit}
        for kind in fits
        for step, fit in enumerate(np.round(fits[kind], 2).tolist())
    ]
    x = axis(alt.X, "at", "sample", [at[0], at[-1]])
    y = axis(alt.Y, "value", None, [-2, 2])
    chosen = rows(values).transform_filter(
        "datum.kind == hands && datum.step == round(2 * speed - 2)"
    )
    line = spread(chosen, "fit", i=f"sequence({count})").transform_calculate(
        at=f"{at[0]} + {at[1] - at[0]} * datum.i", value="datum.fit"
    )
    numbers = rounded("pow(2, speed)", 1), rounded("datum.off", 2)
    words = said("σ = {} cycles: off by {} between samples", *numbers)
    words = chosen.transform_calculate(words=words).mark_text(y=-10, fontSize=13)
    samples = truth.transform_filter("datum.at % 1 == 0")
    layers = (
        truth.mark_line(color=GRAY, strokeWidth=6, opacity=0.45, aria=True).encode(x, y),
        line.mark_line(color=PLAIN, strokeWidth=1.5, clip=True, aria=True).encode(x, y),
        samples.mark_point(filled=True, color=INK).encode(x, y),
        words.encode(text="words:N"),
    )
    most = (speeds + 1) / 2
    return finish(
        alt.layer(*layers),
        slider("speed", "σ, as a power of 2", 1, least=1, greatest=most, step=0.5),
        choice("hands", "hands", list(fits)),
        size=_SIZE,
        description=f"""
        A broad gray curve with dots on it, one for each sample, and a thin curve that's fitted to
        the dots. A slider sets how fast the hands are that the thin curve is made of, from 2 to
        {2**most:g} cycles. At first they are slow, and it misses most of the dots. A list chooses
        between {" and ".join(fits)}. A line above says how far the thin curve is off between the
        samples.
        """,
    )
