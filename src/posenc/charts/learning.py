"""The charts of notebook 08: what a head looks at while it learns, and what its matrix hears."""

import altair as alt
import numpy as np

from posenc._validation import array, number
from posenc.charts._best import mark_best
from posenc.charts._slider import add_sliders, choice, slider
from posenc.encodings import sinusoidal
from posenc.palette import COLORS

MOST_TOKENS = 32
OFFSETS = 64  # how many places back the curve reaches
FIRST, LAST = 31, 1031  # of the positions of the query

_MAP_SIDE = 300
_CURVE = 430, 260


def head_in_training(losses, snapshots, *, guess=None):
    """Draw what a head looks at during its training, beside its loss.

    Parameters
    ----------
    losses : sequence of float
        The loss before each step.
    snapshots : dict
        From steps, evenly spaced from 0, to matrices of weights, all of one shape (n, n) with n
        up to 32; rows are queries, and no query attends to a later key.
    guess : float, optional
        The loss of whoever guesses: a dashed line.

    Returns
    -------
    altair.VConcatChart
        Its parameter is ``step``. The weights are rounded to two decimals, losses to three.

    Raises
    ------
    TypeError, ValueError
        If the losses or the weights are not as described.

    Examples
    --------
    >>> chart = head_in_training([2.0, 1.0], {0: [[1, 0], [0.5, 0.5]], 1: [[1, 0], [0.9, 0.1]]})
    >>> [parameter.name for parameter in chart.params]
    ['step']
    """
    losses = array("losses", losses)
    if losses.ndim != 1 or not len(losses):
        raise ValueError(f"losses must be one number for each step, got shape {losses.shape}")
    guess = None if guess is None else number("guess", guess)
    maps = {step: array(f"snapshots[{step}]", it) for step, it in snapshots.items()}
    steps = sorted(maps)
    spacing = steps[1] - steps[0] if len(steps) > 1 else 0
    if spacing < 1 or steps != list(range(0, steps[-1] + 1, spacing)):
        raise ValueError(f"snapshots must be taken at evenly spaced steps from 0, got {steps}")
    size = len(maps[0])
    for step, weights in maps.items():
        if weights.shape != (size, size) or not 1 <= size <= MOST_TOKENS:
            raise ValueError(
                f"snapshots must hold square matrices of one size, at most {MOST_TOKENS}, "
                f"got shape {weights.shape} at step {step}"
            )
        if np.triu(weights, 1).any():
            raise ValueError(f"snapshots must hide later keys, got a weight above 0 at step {step}")
    # Rows one after another, as far as the mask lets them see.
    seen = np.tril_indices(size)
    values = [{"at": step, "weight": maps[step][seen].round(2).tolist()} for step in steps]
    places = ", ".join(f"{name}: {numbers.tolist()}" for name, numbers in zip(("s", "t"), seen))
    step = slider("step", "training step", 0, greatest=steps[-1], step=spacing, per_second=30)

    cells = (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.at == step")
        .transform_calculate(s=f"({{{places}}}).s", t=f"({{{places}}}).t")
        .transform_flatten(["weight", "s", "t"])
        .mark_rect()
        .encode(
            x=alt.X(
                "t:O", title="position t of the key", axis=alt.Axis(labelAngle=0, labelFontSize=10)
            ),
            y=alt.Y("s:O", title="position s of the query"),
            color=alt.Color(
                "weight:Q",
                title="weight",
                scale=alt.Scale(domain=[0, 1], scheme="viridis"),
                legend=alt.Legend(gradientLength=180),
            ),
            tooltip=["s:O", "t:O", alt.Tooltip("weight:Q", format=".2f")],
        )
        .properties(width=_MAP_SIDE, height=_MAP_SIDE)
    )
    points = [{"step": i, "loss": round(float(it), 3)} for i, it in enumerate(losses)]
    x = alt.X("step:Q", title="training step", scale=alt.Scale(domain=[0, steps[-1]], nice=False))
    curve = (
        alt.Chart(alt.Data(values=points))
        .mark_line(color=COLORS[0])
        .encode(x=x, y=alt.Y("loss:Q", title="loss", scale=alt.Scale(domainMin=0)))
    )
    here = (
        alt.Chart(alt.Data(values=[{}]))
        .transform_calculate(step="step")
        .mark_rule(color=COLORS[1], strokeWidth=2)
        .encode(x=x)
    )
    title = alt.TitleParams(
        text=alt.ExprRef("'after ' + step + ' steps of training'"), anchor="start"
    )
    layers, dashed = [curve, here], ""
    if guess is not None:
        layers.insert(1, _guessing(guess, steps[-1]))
        dashed = f", and a dashed line for guessing, at {guess:.2f}"
    chart = alt.vconcat(
        alt.layer(*layers).properties(width=_MAP_SIDE, height=90, title=title), cells
    ).properties(
        description=(
            "Above, a curve of the loss against the training step, with a line at the step that "
            f"the slider chooses, from 0 to {steps[-1]}{dashed}. Below, a heat map of the "
            f"weights of {size} queries, downwards, for {size} keys, to the right; the causal "
            "mask leaves the lower left triangle. Moving the slider shows the weights after so "
            "many steps: before training they follow no pattern, and at the end the bright cells "
            "are where the trained head looks."
        )
    )
    return add_sliders(chart, step)


def _guessing(guess, last):
    """Return a dashed line for the loss of whoever guesses, with its name at the right."""
    here = alt.Chart(alt.Data(values=[{"guess": guess, "step": last}])).encode(y="guess:Q")
    name = here.mark_text(align="right", baseline="bottom", dx=-4, dy=-2, text="guessing")
    return here.mark_rule(color="gray", strokeDash=[5, 4]) + name.encode(x="step:Q")


def score_by_offset(matrices):
    r"""Draw what a head's matrix W makes of positions alone: the score against the offset.

    .. math:: PE[s]^\top W\, PE[s - \varphi] / \sqrt d

    The browser computes it from W, for the query at s that a slider sets.

    Parameters
    ----------
    matrices : dict
        From names to matrices W, all of one shape (d, d) with d even; listed in this order, and
        the first is shown first.

    Returns
    -------
    altair.LayerChart
        Its parameters are ``matrix`` and ``query``. The numbers of W are rounded to two decimals.

    Raises
    ------
    TypeError, ValueError
        If there is no matrix, or they are not square, of even width and of one size.

    Examples
    --------
    >>> chart = score_by_offset({"nothing learned": [[1, 0], [0, 1]]})
    >>> [parameter.name for parameter in chart.params]
    ['matrix', 'query']
    """
    matrices = {name: array(f"matrices[{name!r}]", it) for name, it in matrices.items()}
    if not matrices:
        raise ValueError("matrices must hold at least one matrix, got none")
    width = len(next(iter(matrices.values())))
    for name, W in matrices.items():
        if W.shape != (width, width) or width % 2:
            raise ValueError(
                "matrices must be square, of even width and of one size, "
                f"got shape {W.shape} for {name!r}"
            )
    names = list(matrices)
    values = [{"name": name, "w": W.round(2).ravel().tolist()} for name, W in matrices.items()]
    pe = sinusoidal(LAST + 1, width)  # refuses a width of 0
    shown = np.tri(LAST + 1, dtype=bool) & ~np.tri(LAST + 1, k=-OFFSETS, dtype=bool)
    largest = max(float(np.abs(pe @ W @ pe.T)[shown].max()) for W in matrices.values())
    largest = float(np.ceil(largest / np.sqrt(width))) or 1.0

    matrix = choice("matrix", "head", names)
    query = slider(
        "query",
        "position s of the query",
        FIRST,
        least=FIRST,
        greatest=LAST,
        step=10,
        per_second=50,
    )
    speed = f"pow(10000, -2 * floor({{0}} / 2) / {width})"

    def encoded(position, column):
        return f"sin({position} * {speed.format(column)} + ({column} % 2) * PI / 2)"

    curve = (
        alt.Chart(alt.Data(values=values))
        .transform_filter("datum.name == matrix")
        .transform_calculate(cell=f"sequence(0, {width * width})")
        .transform_flatten(["w", "cell"])
        .transform_calculate(i=f"floor(datum.cell / {width})", j=f"datum.cell % {width}")
        .transform_calculate(part=f"datum.w * {encoded('query', 'datum.i')}")
        .transform_aggregate(part="sum(part)", groupby=["j"])
        .transform_calculate(back=f"sequence(0, min(query + 1, {OFFSETS}))")
        .transform_flatten(["back"])
        .transform_calculate(
            product=f"datum.part * {encoded('(query - datum.back)', 'datum.j')} / sqrt({width})"
        )
        .transform_aggregate(score="sum(product)", groupby=["back"])
    )
    x = alt.X(
        "back:Q",
        title="how far back the key stands, s − t",
        scale=alt.Scale(domain=[0, OFFSETS - 1], nice=False),
    )
    y = alt.Y("score:Q", title="score", scale=alt.Scale(domain=[-largest, largest]))
    line = curve.mark_line(point=True, color=COLORS[0]).encode(
        x=x, y=y, tooltip=["back:Q", alt.Tooltip("score:Q", format=".2f")]
    )
    best = (
        curve.transform_window(
            rank="row_number()", sort=[alt.SortField("score", order="descending")]
        )
        .transform_filter("datum.rank == 1")
        .transform_calculate(
            words="'largest ' + datum.back + ' back, score ' + format(datum.score, '.1f')"
        )
    )
    best = mark_best(best, x=x, y=y, shape="circle", size=170)
    chart = alt.layer(line, best).properties(
        width=_CURVE[0],
        height=_CURVE[1],
        description=(
            "A curve of the score that a query gives, by positions alone, to the keys 0 to "
            f"{OFFSETS - 1} places back, as far as there are any. A list chooses the head: "
            f"{'; '.join(names)}. The slider moves the query from position {FIRST} to {LAST}. "
            "Where the matrix hears the offset alone the curve stays as it is; otherwise it "
            "changes with the position. A circle marks the largest score, and a line below names "
            "its place."
        ),
    )
    return add_sliders(chart, matrix, query)
