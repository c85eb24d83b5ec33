"""The charts of notebook 08: what a head looks at while it learns, and what its matrix hears."""

from numbers import Integral

import altair as alt
import numpy as np

from posenc._validation import array, number
from posenc.charts.components import GRAY, encoding, mark_best, named_arrays, tooltips, weight_color
from posenc.charts.controls import choice, finish, slider
from posenc.encodings import sinusoidal
from posenc.palette import COLORS

MOST_TOKENS = 32
OFFSETS = 64  # how many places back the curve reaches
FIRST, LAST = 31, 1031  # of the positions of the query

_MAP_SIDE = 300


def head_in_training(losses, snapshots, *, guess):
    """Draw what a head looks at at a step of its training, which a slider sets, and its loss.

    Parameters
    ----------
    losses : sequence of float
        The loss before each step, which is rounded to three decimals.
    snapshots : dict
        From steps, evenly spaced from 0, to matrices of weights, all of one shape (n, n) with n
        up to 32; rows are queries, and no query attends to a later key. They are rounded to two
        decimals.
    guess : float
        The loss of whoever guesses: a dashed line.
    """
    losses, guess = array("losses", losses, "(steps > 0,)"), number("guess", guess)
    maps = _snapshots(snapshots)
    steps, size = sorted(maps), len(maps[0])
    return finish(
        alt.vconcat(_losses(losses, guess, steps[-1]), _weights(maps)),
        slider("step", "training step", 0, greatest=steps[-1], step=steps[1], per_second=30),
        description=f"""
        Above, a curve of the loss against the training step, with a line at the step that the
        slider chooses, from 0 to {steps[-1]}, and a dashed line for guessing, at {guess:.2f}.
        Below, a heat map of the weights of {size} queries, downwards, for {size} keys, to the
        right; the causal mask leaves the lower left triangle. Moving the slider shows the weights
        after so many steps: before training they follow no pattern, and at the end the blue cells
        are where the trained head looks.
        """,
    )


def _snapshots(snapshots):
    """Return the weights at each step, if they are those of a head with a causal mask."""
    maps = named_arrays(
        "snapshots",
        snapshots,
        f"(n, n) with n from 1 to {MOST_TOKENS}",
        lambda queries, keys: 1 <= queries == keys <= MOST_TOKENS,
        keys=Integral,
        fewest=2,
    )
    maps = {int(step): weights for step, weights in maps.items()}
    steps = sorted(maps)
    if steps != list(range(0, steps[-1] + 1, steps[1] or 1)):
        raise ValueError(f"snapshots must be taken at evenly spaced steps from 0, got {steps}")
    for step, weights in maps.items():
        if np.triu(weights, 1).any():
            raise ValueError(f"snapshots must hide later keys, got a weight above 0 at step {step}")
    return maps


def _weights(maps):
    """Return the heat map of the weights at the step that the slider chooses."""
    # Rows one after another, as far as the mask lets them see.
    s, t = np.tril_indices_from(maps[0])
    values = [
        {"at": step, "weight": weights[s, t].round(2).tolist()} for step, weights in maps.items()
    ]
    x = alt.X("t:O", title="position t of the key").axis(labelAngle=0, labelFontSize=10)
    y = alt.Y("s:O", title="position s of the query")
    return (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.at == step")
        .transform_calculate(s=f"{s.tolist()}", t=f"{t.tolist()}")
        .transform_flatten(["weight", "s", "t"])
        .mark_rect()
        .encode(x, y, weight_color(), tooltip=tooltips("s:O", "t:O", weight=".2f"))
        .properties(width=_MAP_SIDE, height=_MAP_SIDE)
    )


def _losses(losses, guess, last):
    """Return the curve of the losses, a dashed line at `guess`, and a line at the step."""
    x = alt.X("step:Q", title="training step").scale(domain=[0, last], nice=False)
    values = [{"step": step, "loss": loss} for step, loss in enumerate(losses.round(3).tolist())]
    curve = alt.Chart(alt.Data(values=values)).mark_line(color=COLORS[0])
    curve = curve.encode(x, alt.Y("loss:Q", title="loss").scale(domainMin=0))
    guessing = alt.Chart().encode(y=alt.datum(guess))
    name = guessing.mark_text(align="right", baseline="bottom", dx=-4, dy=-2, text="guessing")
    here = alt.Chart().mark_rule(color=COLORS[1], strokeWidth=2)
    layers = alt.layer(
        curve,
        guessing.mark_rule(color=GRAY, strokeDash=[5, 4]),
        name.encode(x=alt.datum(last)),
        here.encode(x=alt.datum(alt.expr("step"), type="quantitative")),
    )
    title = alt.Title(alt.expr("'after ' + step + ' steps of training'"))
    return layers.properties(width=_MAP_SIDE, height=90, title=title)


def score_by_offset(matrices):
    r"""Draw what a head's matrix W makes of positions alone: the score against the offset.

    .. math:: PE[s]^\top W\, PE[s - \varphi] / \sqrt d

    Parameters
    ----------
    matrices : dict
        From names to matrices W, all of one shape (d, d) with d even; listed in this order, and
        the first is shown first. They are rounded to two decimals.
    """
    matrices = named_arrays(
        "matrices",
        matrices,
        "(d, d) with d even and at least 2",
        lambda rows, columns: rows == columns >= 2 and not rows % 2,
    )
    width = len(next(iter(matrices.values())))
    largest = _largest(matrices, width)
    x = alt.X("back:Q", title="how far back the key stands, s − t")
    x = x.scale(domain=[0, OFFSETS - 1], nice=False)
    y = alt.Y("score:Q", title="score").scale(domain=[-largest, largest])
    scores = _scores(matrices, width)
    line = scores.mark_line(point=True, color=COLORS[0])
    line = line.encode(x, y, tooltip=tooltips("back:Q", score=".2f"))
    words = "'largest ' + datum.back + ' back, score ' + format(datum.score, '.1f')"
    best = scores.transform_aggregate(best="argmax(score)").transform_calculate(
        back="datum.best.back", score="datum.best.score", words=words
    )
    reach = {"least": FIRST, "greatest": LAST}
    return finish(
        alt.layer(line, mark_best(best, x=x, y=y)),
        choice("matrix", "head", matrices),
        slider("query", "position s of the query", FIRST, **reach, step=10, per_second=50),
        size=(430, 260),
        description=f"""
        A curve of the score that a query gives, by positions alone, to the keys 0 to {OFFSETS - 1}
        places back, as far as there are any. A list chooses the head: {"; ".join(matrices)}. The
        slider moves the query from position {FIRST} to {LAST}. Where the matrix hears the offset
        alone the curve stays as it is; otherwise it changes with the position. A circle marks the
        largest score, and a line below names its place.
        """,
    )


def _largest(matrices, width):
    """Return a whole number that no score of these matrices exceeds."""
    pe = sinusoidal(LAST + 1, width)
    shown = [np.triu(np.tril(pe @ W @ pe.T), 1 - OFFSETS) for W in matrices.values()]
    return float(np.ceil(np.abs(shown).max() / np.sqrt(width))) or 1.0


def _scores(matrices, width):
    """Return a chart of the scores by how far back the key stands, without a mark yet."""
    query = encoding("query", "datum.i", width)
    key = encoding("(query - datum.back)", "datum.j", width)
    values = [{"name": name, "w": W.round(2).ravel().tolist()} for name, W in matrices.items()]
    return (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.name == matrix")
        .transform_calculate(cell=f"sequence(0, {width * width})")
        .transform_flatten(["w", "cell"])
        .transform_calculate(i=f"floor(datum.cell / {width})", j=f"datum.cell % {width}")
        .transform_calculate(part=f"datum.w * {query}")
        .transform_aggregate(part="sum(part)", groupby=["j"])
        .transform_calculate(back=f"sequence(0, min(query + 1, {OFFSETS}))")
        .transform_flatten(["back"])
        .transform_calculate(product=f"datum.part * {key} / sqrt({width})")
        .transform_aggregate(score="sum(product)", groupby=["back"])
    )
