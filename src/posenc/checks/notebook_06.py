"""The exercises of notebook 6, *Distances*."""

import numpy as np

from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal

from ._exercise import Case, Exercise
from ._tables import rows_at

_PRODUCT = 89.23

steps_apart = Exercise(
    "steps_apart",
    task=f"how many positions apart two rows of width 256 are whose product is {_PRODUCT}",
    reference=9,
    mistakes={
        "How far apart they are has no sign.": -9,
        "That is the distance of the two rows. How many positions apart are they?": np.sqrt(
            256 - 2 * _PRODUCT
        ),
        "That is the squared distance of the two rows. How many positions apart are they?": (
            256 - 2 * _PRODUCT
        ),
        "That is how far the product is from its largest value, 128. How many positions does it "
        "take to fall that far?": 128 - _PRODUCT,
        "That is where the distance comes nearest to 89.23. The product is asked about.": (
            int(np.argmin(np.abs(distance_at(np.arange(200), angular_frequencies(256)) - _PRODUCT)))
        ),
        "The product at 14 positions is 83.75. Did you take 89.23 for a squared distance, or let "
        "the product fall in proportion?": 14,
        "The product at 3 positions is 120.57. Your frequencies fall off half as fast as they "
        "should: is the 2 missing in the exponent, or is your base 100?": 3,
        "It is off by one: the product at 10 positions is 86.46. Do you count both ends, or look "
        "for the first product below 89.23, which is rounded?": 10,
        "It is off by one: the product at 8 positions is 92.16. Does your list begin with offset "
        "1, or did you cut off 8.8, the distance of the rows?": 8,
    },
    explain=lambda apart: (
        "That is the product. How many positions apart are rows that have it?"
        if abs(apart - _PRODUCT) < 0.01
        else f"The product of rows that are {apart:g} positions apart is "
        f"{dot_product_at(apart, angular_frequencies(256)):.2f}. You need {_PRODUCT}: "
        + (
            "is your width 256?"
            if apart > 19
            else "do you compare it with products, not distances?"
        )
    ),
    correct="No other offset has this product: near 0 the profile is a ruler, if a short one.",
)


def _lookup(profile, index):
    """Return the matrix that holds `profile` at ``index(s, t)``."""
    rows, columns = np.indices((len(profile), len(profile)))
    return np.asarray(profile)[index(rows, columns)]


matrix_from_profile = Exercise(
    "matrix_from_profile",
    task="the n × n matrix of distances whose first row is `profile`",
    reference=lambda profile: _lookup(profile, lambda s, t: abs(t - s)),
    cases=[
        Case(np.array([0.0, 2.0]), label="2 positions"),
        Case(np.array([0.0, 1.5, 2.5, 3.0]), label="4 positions"),
        Case(distance_at(np.arange(7), angular_frequencies(8)), label="7 positions"),
        Case(distance_at(np.arange(12), angular_frequencies(6, base=4)), label="12 positions"),
        Case(np.array([0.0]), label="a single position"),
    ],
    mistakes={
        "Above the diagonal all is right. Below it the end of the profile comes round to the "
        "front, as it does with `np.roll` and with a negative index `t - s`. What is the distance "
        "of an offset of −1?": lambda profile: _lookup(profile, lambda s, t: t - s),
        "Below the diagonal all is right. Above it `s - t` is negative, and NumPy takes a negative "
        "index from the other end of the array, without a word. What is the distance of an offset "
        "of +1?": lambda profile: _lookup(profile, lambda s, t: s - t),
        "Every row is the first one. Row `s` should hold distances from position `s`, so that 0 "
        "stands in column `s`.": lambda profile: _lookup(profile, lambda s, t: t),
        "Every column is the first row, read downwards. Column `t` should hold distances from "
        "position `t`, so that 0 stands in row `t`.": lambda profile: _lookup(
            profile, lambda s, t: s
        ),
        "Below the diagonal there are only zeros. Position 5 is as far from position 3 as position "
        "3 from position 5.": lambda profile: np.triu(_lookup(profile, lambda s, t: abs(t - s))),
        "Above the diagonal there are only zeros. Position 3 is as far from position 5 as position "
        "5 from position 3.": lambda profile: np.tril(_lookup(profile, lambda s, t: abs(t - s))),
        "Below the diagonal the numbers are negative. A distance has no sign.": lambda profile: (
            np.triu(_lookup(profile, lambda s, t: abs(t - s)))
            - np.tril(_lookup(profile, lambda s, t: abs(t - s)))
        ),
        "These are differences of the profile's numbers. Look up one number of the profile for "
        "each entry: the one at the offset of its row and column.": lambda profile: np.abs(
            np.subtract.outer(profile, profile)
        ),
        "The rows turn back in the middle, as on a circle. Positions lie on a line.": (
            lambda profile: _lookup(
                profile, lambda s, t: np.minimum(abs(t - s), len(profile) - abs(t - s))
            )
        ),
        "Right of the diagonal the profile begins anew, with 0. The first offset there is 1.": (
            lambda profile: _lookup(profile, lambda s, t: abs(t - s) - (t > s))
        ),
        "Your distances grow in proportion to the offset. Look each one up in the profile.": (
            lambda profile: _lookup(
                np.sum(profile[1:2]) * np.arange(len(profile)), lambda s, t: abs(t - s)
            )
        ),
        "These are the offsets themselves. Use them to look up the distances.": lambda profile: (
            _lookup(np.arange(len(profile)), lambda s, t: abs(t - s))
        ),
        "It looks up the sum of row and column. The distance depends on their difference.": (
            lambda profile: _lookup(profile, lambda s, t: (s + t) % len(profile))
        ),
    },
    explain=lambda matrix, profile: (
        "Its first row should be the profile itself."
        if not np.allclose(matrix[0], profile)
        else "On the diagonal there should be 0, since a position is at no distance from itself."
        if np.diag(matrix).any()
        else "It should be symmetric: before and after are equally far."
        if not np.allclose(matrix, matrix.T)
        else ""
    ),
    correct="A symmetric Toeplitz matrix: n numbers say it all, because before and after are "
    "equally far.",
)


def _norms(encoding):
    return np.linalg.norm(encoding, axis=1)


def _differences(encoding):
    return encoding[:, None] - encoding


def _at_the_rows_numbers(encoding):
    numbers = np.arange(len(encoding))
    offsets = np.subtract.outer(numbers, numbers)
    return distance_at(offsets, angular_frequencies(encoding.shape[1]))


_AGAIN = np.sort(np.tile(np.arange(20) * 37.7, 3)) + np.tile([0, 0, 1e-9], 20)


def _judge_witness(witness):
    s, t, u = witness
    if not np.equal(np.mod(witness, 1), 0).all() or (witness < 0).any():
        return "Positions are whole numbers from 0 on."
    if abs(t - s) > abs(u - s):
        return (
            "Here t is farther from s than u is: the order is s, then the nearer, then the farther."
        )
    if abs(t - s) == abs(u - s):
        return "Here t and u are equally far from s. Choose t nearer than u."
    frequencies = angular_frequencies(64)
    if dot_product_at(t - s, frequencies) > dot_product_at(u - s, frequencies) + 1e-9:
        return ""
    return (
        "Far away the profile has ripples, and u has the larger product here. Choose them nearer."
    )


def _explain_distances(matrix, encoding):
    if not np.allclose(np.diag(matrix), 0, atol=1e-5):
        return (
            "Every entry on the diagonal should be zero: twice the squared length of a row is its "
            f"width, here {encoding.shape[1]}."
        )
    right = np.linalg.norm(_differences(encoding), axis=-1)
    s, t = np.argwhere(~np.isclose(matrix, right, atol=1e-5))[0]
    return (
        f"In row {s}, column {t} it has {matrix[s, t]:.6g}, and the length of `encoding[{s}] - "
        f"encoding[{t}]` is {right[s, t]:.6g}."
    )


repaired_distances = Exercise(
    "repaired_distances",
    task="the n × n matrix of Euclidean distances between the rows of `encoding`",
    reference=lambda encoding: np.linalg.norm(_differences(encoding), axis=-1),
    cases=[
        Case(sinusoidal(5, 6), label="5 positions of width 6"),
        Case(sinusoidal(40, 64), label="40 positions of width 64"),
        Case(sinusoidal(12, 16, start=100.5, base=50), label="12 positions from 100.5 on, base 50"),
        Case(rows_at([9, 2.5, 70, 4], angular_frequencies(8)), label="4 positions in no order"),
        Case(
            rows_at(_AGAIN, angular_frequencies(32)), label="positions that are there several times"
        ),
        Case(sinusoidal(1, 4), label="one position"),
    ],
    mistakes={
        "The bug is still there: this is the product, which is largest on the diagonal. How far is "
        "a position from itself?": lambda encoding: encoding @ encoding.T,
        "These are the squared distances. One step is missing.": lambda encoding: np.sum(
            _differences(encoding) ** 2, axis=-1
        ),
        "You turned the product around, so that the diagonal is zero now. But it is no distance "
        "yet: compare it with the length of `encoding[0] - encoding[1]`.": lambda encoding: (
            encoding.shape[1] / 2 - encoding @ encoding.T
        ),
        "That is one minus the cosine of the angle between two rows. It is zero on the diagonal, "
        "but it is not the distance.": lambda encoding: (
            1 - encoding @ encoding.T / np.outer(_norms(encoding), _norms(encoding))
        ),
        "A sign does not make a distance of a product: compare it with the length of "
        "`encoding[0] - encoding[1]`.": lambda encoding: -encoding @ encoding.T,
        "You took d for the squared length of one row. Two positions are on the diagonal, and they "
        "should cancel the product: what is the product of a row with itself?": lambda encoding: (
            np.sqrt(2 * encoding.shape[1] - 2 * encoding @ encoding.T)
        ),
        "The product enters twice. Expand (a − b)·(a − b): how often does a·b appear?": (
            lambda encoding: np.sqrt(encoding.shape[1] - encoding @ encoding.T)
        ),
        "It is half as far as it should be, in the square: each of the two rows has the squared "
        "length d/2.": lambda encoding: np.sqrt(
            np.clip(encoding.shape[1] / 2 - encoding @ encoding.T, 0, None)
        ),
        "You added up the magnitudes of the differences. For a straight line it is squares that "
        "add up.": lambda encoding: np.abs(_differences(encoding)).sum(axis=-1),
        "There are only zeros. Did you subtract the rows' lengths, which are all equal, or clip "
        "too much? Take the difference of two rows first, then its length.": lambda encoding: (
            np.abs(np.subtract.outer(_norms(encoding), _norms(encoding)))
        ),
        "You take the numbers of the rows for positions. The rows may be of any positions, in any "
        "order: compute the distances from `encoding`.": _at_the_rows_numbers,
        "You take the mean of the squares. The distance has their sum.": lambda encoding: np.sqrt(
            np.mean(_differences(encoding) ** 2, axis=-1)
        ),
    },
    explain=_explain_distances,
    nan_hint="A squared distance of 0 may come out a little below 0 by rounding, and has no root "
    "then. Clip it first.",
    correct="With distances, less is nearer: zero on the diagonal, where the product has its "
    "greatest value, d/2.",
    evidence=Exercise(
        "witness",
        task="three positions (s, t, u), t nearer to s than u is, which the matrix of products, "
        "read as distances, puts the other way round",
        reference=(0, 1, 2),
        judge=_judge_witness,
        mistakes={},
        correct="",
    ),
)


def _gaps(rows):
    apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
    np.fill_diagonal(apart, np.inf)
    return apart


def _greedy(rows, first):
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
    return _greedy(rows, int(neighbors.argmin()))


def _judge_order(order, rows):
    if not np.array_equal(np.sort(order), np.arange(len(rows))):
        return (
            f"The order should hold each index from 0 to {len(rows) - 1} once, and it does not: it "
            f"begins with {', '.join(f'{i:.6g}' for i in order[:5])}."
        )
    ordered = rows[order.astype(int)]
    steps = np.linalg.norm(np.diff(ordered, axis=0), axis=1)
    jumps = np.flatnonzero(steps > _gaps(rows).min() * (1 + 1e-6)) if len(rows) > 1 else []
    if not len(jumps):
        return ""
    words = f"After {jumps[0] + 1} of {len(rows)} rows it jumps to one that is no neighbor"
    if len(jumps) == 1:
        return (
            f"{words}, and to no other afterwards. Did you begin in the middle, and come to an end "
            "before all rows were there? Begin at one of the ends: how many neighbors has it?"
        )
    inverse = np.argsort(order)
    steps = np.linalg.norm(np.diff(rows[inverse], axis=0), axis=1)
    if (steps <= _gaps(rows).min() * (1 + 1e-6)).all():
        return (
            "These are ranks: for each row the place to which it belongs. Wanted is, for each "
            "place, the row that belongs there."
        )
    return (
        f"{words}; there are {len(jumps)} such jumps. If you sort by one number for each row, a "
        "product or a component: it should rise steadily, and does not. Each row's nearest rows "
        "are its neighbors."
    )


def _shuffled(start, length, width, base):
    rows = sinusoidal(length, width, start=start, base=base)
    rows = np.random.default_rng([length, width]).permutation(rows)
    words = f"{length} row{'s' * (length > 1)} of width {width}, base {base}, from {start} on"
    return Case(
        rows, label=words, hint="Neither base nor first position is known." * (base != 10_000)
    )


put_in_order = Exercise(
    "put_in_order",
    task="the indices of `rows` in the order, forwards or backwards, in which they are consecutive "
    "positions",
    reference=_in_order,
    cases=[
        _shuffled(0, 8, 16, 10_000),
        _shuffled(17, 40, 32, 10_000),
        _shuffled(1234, 100, 64, 10_000),
        _shuffled(30, 60, 8, 100),
        _shuffled(7.5, 120, 16, 20),
        _shuffled(0, 2, 8, 10_000),
        _shuffled(5, 1, 8, 10_000),
    ],
    judge=_judge_order,
    mistakes={
        "You sort by the first column, the fastest sine. It goes up and down every 2π positions.": (
            lambda rows: np.argsort(rows[:, 0])
        ),
        "You sort by the slowest sine. It rises for a quarter of its wavelength only, and the rows "
        "may lie beyond: its cosine knows the quadrant.": lambda rows: np.argsort(rows[:, -2]),
        "You sort by the slowest cosine. It falls for half of its wavelength only, and the rows "
        "may lie beyond.": lambda rows: np.argsort(rows[:, -1]),
        "You sort by the angle of the slowest pair. It jumps from π to −π, and the pair may turn "
        "more than once.": lambda rows: np.argsort(np.arctan2(rows[:, -2], rows[:, -1])),
        "You go from row to row and begin with row 0, wherever that is. When you come to an end, "
        "the rows on the other side are left. How is a row at an end to be known?": (
            lambda rows: _greedy(rows, 0)
        ),
        "You sort by the distance from row 0, wherever that is: rows before it and behind it get "
        "mixed.": lambda rows: np.argsort(np.linalg.norm(rows - rows[0], axis=1)),
        "You sort by the product with row 0, wherever that is: rows before it and behind it get "
        "mixed.": lambda rows: np.argsort(-rows @ rows[0]),
        "You begin at an end, as you should, and sort by the distance from it. Further away the "
        "distance goes up and down: go from neighbor to neighbor.": lambda rows: np.argsort(
            np.linalg.norm(rows - rows[_in_order(rows)[0]], axis=1)
        ),
        "These are ranks: for each row the place to which it belongs. Wanted is, for each place, "
        "the row that belongs there.": lambda rows: np.argsort(_in_order(rows)),
        "You return the sorted rows. Their indices are wanted.": lambda rows: rows[_in_order(rows)],
        "These are each row's nearest neighbors. Go on from neighbor to neighbor: an order has "
        "each index once.": lambda rows: _gaps(rows).argmin(axis=1),
        "You count the indices from 1.": lambda rows: _in_order(rows) + 1,
        "It leaves the rows in the order in which they come.": lambda rows: np.arange(len(rows)),
    },
    correct="Distances tell who is whose neighbor, but not before from after: they are the same "
    "in both directions.",
)
