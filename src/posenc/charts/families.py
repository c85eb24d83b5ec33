"""The chart of the field guide: what programs choose for base and length."""

import itertools

import altair as alt
import numpy as np

from posenc.charts.components import GRAY, tooltips
from posenc.charts.controls import choice, finish
from posenc.encodings import angular_frequencies
from posenc.long_context import unfinished
from posenc.palette import COLORS

WIDTH, BASE, TRAINED = 128, 10_000, 4096  # of Llama 2, whose reach is drawn
SHAPES = {"halves": "circle", "pairs": "diamond"}
ALL = "all rules"
NO_RULE = "none"
_GAP = 0.035  # between points at one place, in powers of ten


def bases_and_lengths(families):
    """Draw the base of each family that turns over its longest text.

    Parameters
    ----------
    families : list of dict
        As `families.json` has them: what is drawn of each is its ``name``, its ``longest`` text
        and, of what is first in ``turned``, ``base``, ``rule``, ``layout``, ``head``, ``turned``
        and ``speeds``. Families without a length or a base are left out.
    """
    points = _points(families)
    rules = [ALL, *_rules(points)]
    return finish(
        alt.layer(*_lines(points), _dots(points)),
        choice("shown", "rule for longer texts", rules),
        size=(440, 320),
        description=f"""
        A cloud of {len(points)} points, one for each family that turns and whose configuration
        names a longest text. Both axes are logarithmic: the base runs to the right, the longest
        text upward. A circle turns halves, a diamond pairs, and the color is the rule for longer
        texts. A line rises from left to right: on it the slowest hand of a head of {WIDTH} columns
        finishes exactly one turn; most points lie below it. A dashed line, less steep, begins at
        base {BASE} and length {TRAINED} and says how far Llama 2 would come with a larger base
        before a hand meets a new angle. A list chooses one rule or all. Points that would lie on
        each other are spread around their place.
        """,
    )


def _points(families):
    found = []
    for row in families:
        turn = row.get("turned", [{}])[0]
        if row["longest"] and turn.get("base") and "t" in turn.get("axes", "t"):
            slowest = row["longest"] * min(turn["speeds"]) / (2 * np.pi)
            told = {it: row[it] for it in ("name", "longest")} | {"base": turn["base"]}
            told |= {"layout": turn["layout"], "turns": round(slowest, 4)}
            told["rule"] = NO_RULE if turn["rule"] in (None, "default") else turn["rule"]
            found.append(told | {"columns": f"{turn['turned']} of {turn['head']}"})
    found.sort(key=lambda it: (it["base"], it["longest"]))
    for _, group in itertools.groupby(found, key=lambda it: (it["base"], it["longest"])):
        for i, it in enumerate(group):  # as seeds in a sunflower
            away = _GAP * np.sqrt(i) * np.exp(1j * i * np.pi * (3 - np.sqrt(5)))
            it["x"] = float(f"{it['base'] * 10**away.real:.5g}")
            it["y"] = float(f"{it['longest'] * 10**away.imag:.5g}")
    return found


def _rules(points):
    return sorted({it["rule"] for it in points}, key=lambda it: (it != NO_RULE, it))


def _ends(points, name):
    """Return where the axis of a field begins and ends."""
    return [min(it[name] for it in points) / 2, max(it[name] for it in points) * 2]


def _axes(points):
    shown = {"format": "~s", "values": [10.0**n for n in range(13)]}
    x = alt.X("x:Q", title="base").scale(type="log", domain=_ends(points, "base"))
    y = alt.Y("y:Q", title="longest text").scale(type="log", domain=_ends(points, "longest"))
    return x.axis(**shown), y.axis(**shown)


def _dots(points):
    rules = _rules(points)
    told = {"base": ("base", ",~r"), "longest": ("longest text", ",")}
    told |= {"turns": ("turns of the slowest hand", ".3g")}
    x, y = _axes(points)
    dots = alt.Chart(alt.Data(values=points))
    dots = dots.transform_filter(f"shown == '{ALL}' || shown == datum.rule")
    dots = dots.mark_point(size=42, filled=True, opacity=0.75)
    color = alt.Color("rule:N", title="rule").scale(domain=rules, range=[GRAY, *COLORS[:3]])
    shape = alt.Shape("layout:N", title="layout").scale(
        domain=list(SHAPES), range=list(SHAPES.values())
    )
    color, shape = (it.legend(orient="bottom", columns=2) for it in (color, shape))
    return dots.encode(
        x, y, color, shape, tooltip=tooltips("name:N", "layout:N", "columns:N", "rule:N", **told)
    )


def _lines(points):
    """Return the line of the finished turn, and that of the reach, with their names."""
    pairs, first = WIDTH // 2, np.argmax(unfinished(angular_frequencies(WIDTH), TRAINED))
    (least, most), highest = _ends(points, "base"), _ends(points, "longest")[1]
    base = np.array([least, min(most, (highest / (2 * np.pi)) ** (pairs / (pairs - 1)))])
    larger = np.array([BASE, min(most, BASE * (highest / TRAINED) ** (pairs / first))])
    lines = {
        "one turn of the slowest hand": (base, 2 * np.pi * base ** (1 - 1 / pairs), [1, 0]),
        "reach of Llama 2": (larger, TRAINED * (larger / BASE) ** (first / pairs), [5, 4]),
    }
    drawn = []
    for name, (x, y, dash) in lines.items():
        values = [
            {"x": float(f"{a:.5g}"), "y": float(f"{b:.5g}"), "words": name} for a, b in zip(x, y)
        ]
        line = alt.Chart(alt.Data(values=values)).encode(*_axes(points))
        drawn.append(line.mark_line(color=GRAY, strokeDash=dash, clip=True))
        text = line.transform_filter(f"datum.x == {values[-1]['x']}")
        text = text.mark_text(align="right", baseline="bottom", dx=-4, dy=-6, fontSize=12)
        drawn.append(text.encode(text="words:N"))
    return drawn
