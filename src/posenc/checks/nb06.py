"""The exercises of notebook 6, *Distances*."""

import numpy as np

from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, encode

from ._compare import show
from ._exercise import Exercise

_WIDTH, _OFFSETS, _BASE = 512, [10, 100, 1000], 1e6


def _hint_base(base, right):
    if base <= 1:
        return "Then no hand would be slower than the first."
    products = dot_product_at(_OFFSETS, angular_frequencies(_WIDTH, base=float(base)))
    said = ", ".join(f"{product:.1f}" for product in products)
    return f"At this base the products would be {said}. Do they fall too fast, or too slowly?"


base = Exercise(
    "base",
    task="the base of a table of width 512 whose rows have the product 200.9 at 10 positions "
    "apart, 160.5 at 100 and 118.7 at 1000",
    reference=_BASE,
    slips={
        "That's how many factors of ten it takes to use up the product. What are they together?": (
            np.log10(_BASE)
        ),
    },
    hint=_hint_base,
    correct="Each factor of ten costs about a sixth of 256, so six of them use it up.",
)


def _judge_witness(witness):
    s, t, u = witness
    near, far = dot_product_at(witness[1:] - s, angular_frequencies(256))
    if abs(t - s) < abs(u - s) and near > far + 1e-9:
        return ""
    said = f"Here t is {abs(t - s):g} from s, and u is {abs(u - s):g}."
    said += f" At width 256 the product of s with t is {near:.6g}, and with u {far:.6g}."
    return f"{said} Which is nearer, and which would be nearer if the products were distances?"


def distances(encoding):
    """Return the distances between all rows."""
    return np.linalg.norm(encoding[:, None] - encoding, axis=-1)


def _not_clipped(encoding):
    squares = np.diag(products := encoding @ encoding.T)
    with np.errstate(invalid="ignore"):  # it takes roots of numbers below 0
        return np.sqrt(np.add.outer(squares, squares) - 2 * products)


_AGAIN = np.add.outer(37.7 * np.arange(20), [0, 0, 1e-9]).ravel()


def _rows(positions, width, base=10_000, shuffled=False):
    """Return the arguments of a case: a table of these positions."""
    rows = encode(positions, angular_frequencies(width, base=base))
    return (np.random.default_rng([6, len(rows)]).permutation(rows) if shuffled else rows,)


repaired_distances = Exercise(
    "repaired_distances",
    task="the n × n matrix of Euclidean distances between the rows of `encoding`",
    reference=distances,
    cases={
        "5 positions (width 2)": _rows(range(5), 2),
        "positions in no order (base 50)": _rows([9, -2.5, 70_000, 4, 4.0001], 16, 50),
        "positions that occur several times": _rows(_AGAIN, 32),
    },
    slips={
        "It's still the product, which is largest on the diagonal. What should stand there?": (
            lambda x: x @ x.T
        ),
        "These are the squares of the distances. What's left to do?": lambda x: distances(x) ** 2,
        "Your distances are too small by the factor √2. How often does the product of a and b "
        "occur in (a − b) · (a − b)?": lambda x: distances(x) / np.sqrt(2),
        "NaN is the root of a number below 0, which rounding makes of a squared distance near 0. "
        "What's the least that it may be?": _not_clipped,
    },
    hint="How long is the difference of the two rows that belong to this place?",
    correct="With distances, less is nearer: zero on the diagonal, where the product has its "
    "greatest value, d/2.",
    evidence=Exercise(
        "witness",
        task="three positions (s, t, u), t nearer to s than u is, which the matrix of products, "
        "read as distances, puts the other way round",
        reference=(0, 1, 2),
        judge=_judge_witness,
    ),
)


def _gaps(rows):
    return distances(rows) + np.diag(np.full(len(rows), np.inf))


def _in_order(rows):
    """Begin at an end, a row with a single neighbor, and go on to the nearest that's left."""
    gaps = _gaps(rows)
    order = [np.isclose(gaps, gaps.min()).sum(axis=1).argmin()]
    while len(order) < len(rows):
        gaps[:, order[-1]] = np.inf
        order.append(gaps[order[-1]].argmin())
    return np.array(order)


def _judge_order(order, rows):
    if not np.array_equal(np.sort(order), np.arange(len(rows))):
        said = f"Each index from 0 to {len(rows) - 1} should occur once."
        return f"{said} Yours begin with {show(order[:5])}."
    order, neighbors = order.astype(int), _gaps(rows).min()
    steps, others = (
        np.linalg.norm(np.diff(rows[x], axis=0), axis=1) for x in (order, np.argsort(order))
    )
    far = neighbors * (1 + 1e-6)
    if steps.max() > far >= others.max():
        return "Your numbers tell the place of each row. Which row stands at each place?"
    for i in np.flatnonzero(steps > far):
        said = f"After {i + 1} of {len(rows)} rows your order goes from row {order[i]} to row"
        said += f" {order[i + 1]}. They are {steps[i]:.4g} apart, and neighbors {neighbors:.4g}."
        return f"{said} Where do you begin, and where do you go on?"
    return ""


put_in_order = Exercise(
    "put_in_order",
    task="the indices of `rows` in an order in which they are consecutive positions",
    reference=_in_order,
    cases={
        f"{n} rows from position {start} on (width {width}, base {base})": _rows(
            start + np.arange(n), width, base, shuffled=True
        )
        for n, start, width, base in [
            (8, 0, 16, 10_000),
            (90, -7.5, 16, 20),
            (6, 0, 2, 10_000),
            (3, 70, 4, 10_000),
            (2, 5, 8, 10_000),
        ]
    },
    judge=_judge_order,
    correct="Distances tell who is whose neighbor, but not before from after.",
)
