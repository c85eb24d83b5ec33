"""The exercises of notebook 6, *Distances*."""

import numpy as np

from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features

from ._exercise import Case, Exercise

_PRODUCT = 89.23

steps_apart = Exercise(
    "steps_apart",
    task=f"how many positions apart two rows of width 256 are whose product is {_PRODUCT}",
    reference=9,
    mistakes={
        "That is the distance of the two rows. Which is the offset?": np.sqrt(256 - 2 * _PRODUCT),
        "Nine it is, but how far apart two rows are has no sign.": -9,
        "That is how far the product is below the largest, 128. Which offset?": 128 - _PRODUCT,
    },
    explain=lambda apart, right: (
        f"The product of rows that are {apart:g} positions apart is "
        f"{dot_product_at(apart, angular_frequencies(256)):.6g}, and {_PRODUCT} is wanted. Compute "
        "the products at 0, 1, 2 and so on, with the frequencies of width 256, and see which is it."
    ),
    correct="No other offset has this product: near 0 the profile is a ruler, if a short one.",
)


def _at(index):
    """Return the function that looks up in `profile` the entry at ``index(s, t)``, n long."""

    def matrix(profile):
        rows, columns = np.indices((len(profile), len(profile)))
        return np.asarray(profile)[index(rows, columns)]

    return matrix


_right = _at(lambda s, t: abs(t - s))


def _explain_matrix(matrix, right, profile):
    if not np.allclose(matrix[0], profile):
        return "Its first row should be the profile itself."
    if np.diag(matrix).any():
        return "On the diagonal there should be 0: a position is at no distance from itself."
    if not np.allclose(matrix, matrix.T):
        return "It should be symmetric: before and after are equally far."
    return "Along each diagonal it should be the same: only the offset counts."


matrix_from_profile = Exercise(
    "matrix_from_profile",
    task="the n × n matrix of distances whose first row is `profile`",
    reference=_right,
    cases=[
        Case(np.array([0.0, 2.0]), label="2 positions"),
        Case(np.array([0, 1.5, 2.5, 1.5]), label="4 positions"),
        Case(distance_at(np.arange(150), angular_frequencies(6, base=4)), label="150 positions"),
        Case(np.array([0.0]), label="a single position"),
    ],
    mistakes={
        "Above the diagonal all is right. Below it the end of the profile comes round to the "
        "front, as with `np.roll` and with a negative index `t - s`.": _at(lambda s, t: t - s),
        "Every row is the first one. Row `s` should hold distances from position `s`, so that 0 "
        "stands in column `s`.": _at(lambda s, t: t),
        "Below the diagonal there are only zeros. Position 5 is as far from position 3 as position "
        "3 from position 5.": lambda profile: np.triu(_right(profile)),
        "These are differences of the profile's numbers. Look up one of them for each entry: that "
        "at the offset.": lambda profile: np.abs(profile - profile[:, None]),
    },
    explain=_explain_matrix,
    correct="A symmetric Toeplitz matrix: n numbers say it all, because before and after are "
    "equally far.",
)


def _differences(encoding):
    return encoding[:, None] - encoding


def _judge_witness(witness):
    s, t, u = witness
    if abs(t - s) > abs(u - s):
        return "Here t is farther from s than u is: s comes first, then the nearer, then the other."
    if abs(t - s) == abs(u - s):
        return "Here t and u are equally far from s. Choose t nearer than u."
    near, far = (dot_product_at(x - s, angular_frequencies(256)) for x in (t, u))
    if near > far + 1e-9:
        return ""
    return "At width 256, u has the larger product: the profile has ripples. Choose them nearer."


def _explain_distances(matrix, right, encoding):
    if np.allclose(np.diag(matrix), 0, atol=1e-5):
        return "Entry [s, t] is the length of `encoding[s] - encoding[t]`."
    return (
        "Every entry on the diagonal should be zero: twice the squared length of a row is its "
        f"width, here {encoding.shape[1]}."
    )


_AGAIN = np.sort(np.tile(np.arange(20) * 37.7, 3)) + np.tile([0, 0, 1e-9], 20)

repaired_distances = Exercise(
    "repaired_distances",
    task="the n × n matrix of Euclidean distances between the rows of `encoding`",
    reference=lambda encoding: np.linalg.norm(_differences(encoding), axis=-1),
    cases=[
        Case(sinusoidal(5, 2), label="5 positions of width 2"),
        Case(sinusoidal(40, 64), label="40 positions of width 64"),
        Case(sinusoidal(12, 16, start=100.5, base=50), label="12 positions from 100.5 on, base 50"),
        Case(
            fourier_features([9, 2.5, 70, 4, 4.0001], angular_frequencies(8)),
            label="positions in no order, two of them near",
        ),
        Case(
            fourier_features(_AGAIN, angular_frequencies(32)),
            label="positions that are there several times",
        ),
        Case(sinusoidal(1, 4), label="one position"),
    ],
    mistakes={
        "It is still the product, which is largest on the diagonal.": lambda x: x @ x.T,
        "You turned the product around: now its diagonal is zero. But it is no distance yet, as "
        "two rows show.": lambda x: x.shape[1] / 2 - x @ x.T,
    },
    explain=_explain_distances,
    hint="Of which number is it made? A squared distance below 0 by rounding may be clipped. If it "
    "is so by more, a sign or a factor is wrong.",
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
    apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
    np.fill_diagonal(apart, np.inf)
    return apart


def _from_row_to_row(rows, first):
    """Go from row to row, always to the nearest that was not visited yet."""
    apart, order = _gaps(rows), [first]
    while len(order) < len(rows):
        here = apart[order[-1]].copy()
        here[order] = np.inf
        order.append(int(here.argmin()))
    return np.array(order, dtype=int)


def _in_order(rows):
    """Begin at an end: a row with a single neighbor at the smallest distance."""
    apart = _gaps(rows)
    neighbors = np.isclose(apart, apart.min(), rtol=1e-6).sum(axis=1)
    return _from_row_to_row(rows, int(neighbors.argmin()))


def _judge_order(order, rows):
    if not np.array_equal(np.sort(order), np.arange(len(rows))):
        return (
            f"The order should hold each index from 0 to {len(rows) - 1} once, and it does not: it "
            f"begins with {', '.join(f'{i:.6g}' for i in order[:5])}."
        )
    nearest = _gaps(rows).min() * (1 + 1e-6) if len(rows) > 1 else 0

    def jumps(order):
        return np.flatnonzero(np.linalg.norm(np.diff(rows[order], axis=0), axis=1) > nearest)

    order = order.astype(int)
    found = jumps(order)
    if not len(found):
        return ""
    words = f"After {found[0] + 1} of {len(rows)} rows it jumps to one that is no neighbor"
    if np.array_equal(order, np.arange(len(rows))):
        return f"{words}: it is the order in which they were given."
    if len(found) == 1:
        return (
            f"{words}. Both parts run from neighbor to neighbor, and are joined at the wrong ends: "
            "begin at an end of all rows, which has one neighbor, or turn a part round."
        )
    if not len(jumps(np.argsort(order))):
        return "These are ranks, a place for each row. Wanted is for each place the row."
    return (
        f"{words}, and so {len(found)} times. Each row's nearest rows are its neighbors. To sort "
        "by one number, product or distance would be right for some tables only."
    )


def _shuffled(start, length, width, base):
    rows = sinusoidal(length, width, start=start, base=base)
    label = f"{length} row{'s' * (length > 1)} of width {width}, base {base}, from {start} on"
    return Case(np.random.default_rng([length, width]).permutation(rows), label=label)


_HAND = np.random.default_rng(6).permutation(fourier_features(range(6), [1]))

put_in_order = Exercise(
    "put_in_order",
    task="the indices of `rows` in an order in which they are consecutive positions",
    reference=_in_order,
    cases=[
        _shuffled(0, 8, 16, 10_000),
        _shuffled(1234, 40, 64, 10_000),
        _shuffled(30, 60, 8, 100),
        _shuffled(7.5, 120, 16, 20),
        _shuffled(5, 1, 8, 10_000),
        Case(_HAND, label="6 rows of the frequency 1"),
    ],
    judge=_judge_order,
    mistakes={
        "The slowest sine rises for a quarter of its wavelength only; the rows may lie beyond.": (
            lambda rows: np.argsort(rows[:, -2])
        )
    },
    correct="Distances tell who is whose neighbor, but not before from after: they are the same "
    "in both directions.",
)
