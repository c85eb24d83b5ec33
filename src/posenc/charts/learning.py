"""The chart of notebook 08: how the pairs of a head turn while it learns."""

from numbers import Integral

import altair as alt
import numpy as np

from posenc._validation import SOME, array, number
from posenc.blocks import rotations
from posenc.charts.components import finish, named_arrays, slider, tooltips, weight_color
from posenc.charts.dials import Dials
from posenc.encodings import angular_frequencies
from posenc.palette import GRAY, POSITION

PAIRS = 6  # that have a dial, from the fastest
MOST_TOKENS = 32

_MAP_SIDE = 300
_DIALS = Dials(3, 2)


def head_in_training(matrices, weights, losses, *, offset):
    """Draw how the pairs of a head turn while it learns, and what it looks at.

    Between the steps that are given, all is drawn in between.

    Parameters
    ----------
    matrices : dict
        From steps, evenly spaced from 0, to the matrices W between query and key, all of one shape
        (d, d) with d even and at least 12: of each, the rotations of pairs 0 to 5.
    weights : dict
        From the same steps to matrices of weights, all of one shape (n, n) with n up to 32; rows
        are queries, and no query attends to a later key. They are rounded to two decimals.
    losses : sequence of float
        The loss before each step, the last of those steps among them.
    offset : float
        The gray hands are those of M(offset).
    """
    matrices = _by_step("matrices", matrices, f"(d, d) with d even and at least {2 * PAIRS}", _even)
    weights = _by_step("weights", weights, f"(n, n) with n from 1 to {MOST_TOKENS}", _few)
    losses, offset = array("losses", losses, (SOME,)), number("offset", offset)
    steps, size = list(matrices), len(weights[0])
    if list(weights) != steps or len(losses) <= steps[-1]:
        raise ValueError(f"weights and losses must be given for the steps of matrices, {steps}")
    for step, seen in weights.items():
        if np.triu(seen, 1).any():
            raise ValueError(f"weights must hide later keys, got a weight above 0 at step {step}")
    told = f"{losses[: steps[-1] + 1].round(2).tolist()}[round(step)]"
    title = f"'after ' + round(step) + ' steps: loss ' + format({told}, '.2f')"
    dials = _turning(list(matrices.values()), offset, steps[1]).properties(
        **_DIALS.shape(_MAP_SIDE), title=alt.Title(alt.expr(title))
    )
    return finish(
        alt.vconcat(dials, _weights(list(weights.values()), steps[1])),
        slider("step", "training step", 0, greatest=steps[-1], per_second=steps[-1] / 12),
        description=f"""
        Above, six dials, for pairs 0 to {PAIRS - 1}. A gray hand shows by which angle M({offset:g})
        turns the pair, and a green hand the rotation in the head's matrix: the angle is the turn,
        and the longer the hand, the stronger. Below, a heat map of the weights of {size} queries,
        downwards, for {size} keys, to the right; the causal mask leaves the lower left triangle. A
        slider moves the training step from 0 to {steps[-1]}. Before training the green hands are
        stubs, and the weights follow no pattern; at the end the red cells are where the trained
        head looks. The loss after so many steps is written above.
        """,
    )


def _even(shape):
    return len(shape) == 2 and shape[0] == shape[1] >= 2 * PAIRS and not shape[0] % 2


def _few(shape):
    return len(shape) == 2 and 1 <= shape[0] == shape[1] <= MOST_TOKENS


def _by_step(name, arrays, allowed, fits):
    """Return the arrays in the order of their steps, if these are evenly spaced from 0."""
    found = named_arrays(name, arrays, allowed, fits, keys=Integral, fewest=2)
    steps = sorted(found)
    if steps != list(range(0, steps[-1] + 1, steps[1] or 1)):
        raise ValueError(f"{name} must be given at evenly spaced steps from 0, got {steps}")
    return {int(step): found[step] for step in steps}


def _between(name, every):
    """Return the expression of what a list `name`, with an entry `every` so many steps, is now."""
    now, at = f"step / {every}", f"min(floor(step / {every}), length(datum.{name}) - 2)"
    return f"datum.{name}[{at}] + ({now} - {at}) * (datum.{name}[{at} + 1] - datum.{name}[{at}])"


def _turning(matrices, offset, every):
    """Return the dials of the first pairs, each with a hand of what is learned and of M(offset)."""
    turns = np.array([rotations(W)[:PAIRS] for W in matrices])
    turns = (turns / np.abs(turns).max()).round(3)
    goals = offset * angular_frequencies(len(matrices[0]))
    values = [
        {"dial": k, "along": turns[:, k].real.tolist(), "across": turns[:, k].imag.tolist()}
        | {"goal": round(float(goals[k]), 4)}
        for k in range(PAIRS)
    ]
    pairs = alt.Chart(alt.Data(values=values)).transform_calculate(
        x0=_between("along", every),
        y0=_between("across", every),
        angle="atan2(datum.y0, datum.x0)",
        length="sqrt(sqrt(datum.x0 * datum.x0 + datum.y0 * datum.y0))",
    )
    here = "datum.angle", "datum.length"
    return alt.layer(
        *_DIALS.rims(),
        _DIALS.hands(pairs, "datum.goal", color=GRAY, strokeWidth=2.5, aria=False),
        _DIALS.hands(pairs, *here, color=POSITION, strokeWidth=5, aria=False),
        _DIALS.tips(pairs, *here, color=POSITION, size=90),
        _DIALS.names(pairs, "'pair ' + datum.dial"),
    )


def _weights(maps, every):
    """Return the heat map of the weights at the step that the slider chooses."""
    cells = zip(*np.tril_indices_from(maps[0]))
    values = [
        {"s": int(s), "t": int(t), "weights": [round(float(it[s, t]), 2) for it in maps]}
        for s, t in cells
    ]
    x = alt.X("t:O", title="position t of the key").axis(labelAngle=0, labelFontSize=10)
    y = alt.Y("s:O", title="position s of the query")
    return (
        alt.Chart(alt.Data(values=values))
        .transform_calculate(weight=_between("weights", every))
        .mark_rect()
        .encode(x, y, weight_color(orient="bottom"), tooltip=tooltips("s:O", "t:O", weight=".2f"))
        .properties(width=_MAP_SIDE, height=_MAP_SIDE * 0.8)
    )
