"""The exercises of notebook 06, *Distances*."""

import numpy as np

from posenc.distances import distance_at, dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal

from ._checkers import Case, FunctionCheck, Mistake, Property
from ._tables import misread_frequencies, rows_at

distance_from_product = FunctionCheck(
    "distance_from_product",
    task="the distance of two encodings of width `width` whose product is `product`",
    reference=lambda product, width: np.sqrt(width - 2 * product),
    cases=[(128.0, 256), (92.0, 256), (0.0, 2), (-3.5, 8), (31.5, 64)],
    case="product {product} and width {width}",
    mistakes=[
        Mistake(
            "That is the squared distance. One step is missing.",
            lambda product, width: width - 2 * product,
        ),
        Mistake(
            "You took d for the squared length of one encoding, and there are two of them. What "
            "do sin² + cos² of one pair add up to, and how many pairs are there?",
            lambda product, width: np.sqrt(2 * width - 2 * product),
        ),
        Mistake(
            "You took d/2 for the squared lengths of both encodings together. Each has d/2.",
            lambda product, width: np.sqrt(width / 2 - 2 * product),
        ),
        Mistake(
            "The product enters once. Expand (a − b)·(a − b): how often does a·b appear?",
            lambda product, width: np.sqrt(width - product),
        ),
        Mistake(
            "You took the encodings for vectors of length 1. What is their length?",
            lambda product, width: np.sqrt(2 - 2 * product),
        ),
        Mistake(
            "The product has the wrong sign: the larger it is, the nearer the two are.",
            lambda product, width: np.sqrt(width + 2 * product),
        ),
        Mistake(
            "That falls to zero with the product, but it is no distance: it is the difference of "
            "the product from its largest value.",
            lambda product, width: width / 2 - product,
        ),
    ],
    correct="So either of the two tells the other, and both depend on the offset alone.",
)


step_length = FunctionCheck(
    "step_length",
    task="the distance of two neighboring positions in a table of `width` columns",
    reference=lambda width: distance_at(1, angular_frequencies(width)),
    cases=[(2,), (8,), (64,), (512,)],
    case="width {width}",
    mistakes=[
        Mistake(
            "That is the squared length of the step.",
            lambda width: distance_at(1, angular_frequencies(width)) ** 2,
        ),
        Mistake(
            "The frequencies fall off half as fast as they should, in the exponent, and so the "
            "step is too long. How many columns does one pair take?",
            lambda width: distance_at(1, misread_frequencies(width, factor=1)),
        ),
        Mistake(
            "Two mistakes: the pairs are counted from 1, and the exponent lacks the 2. "
            "The first frequency should be 1.",
            lambda width: distance_at(1, misread_frequencies(width, factor=1, first=1)),
        ),
        Mistake(
            "The pairs are counted from 1 here. The first frequency should be 1.",
            lambda width: distance_at(1, misread_frequencies(width, first=1)),
        ),
        Mistake(
            "It is half as long as it should be. The half of a chord is the sine of half the "
            "angle: what is the whole chord?",
            lambda width: distance_at(1, angular_frequencies(width)) / 2,
        ),
        Mistake(
            "The angle should be halved first: a chord is twice the sine of half the angle.",
            lambda width: 2 * np.sqrt(np.sum(np.sin(angular_frequencies(width)) ** 2)),
        ),
        Mistake(
            "You added up the chords. Lengths in different pairs stand at right angles to each "
            "other, so it is their squares that add up.",
            lambda width: 2 * np.sum(np.sin(angular_frequencies(width) / 2)),
        ),
        Mistake(
            "You added up the arcs. The distance is a straight line through the circle: a chord.",
            lambda width: np.sqrt(np.sum(angular_frequencies(width) ** 2)),
        ),
        Mistake(
            "That is the product of two neighbors, not their distance.",
            lambda width: dot_product_at(1, angular_frequencies(width)),
        ),
    ],
    correct="The slow pairs hardly count: the fast ones make nearly all of the step.",
)


def _lookup(profile, index):
    """Return the matrix that holds `profile` at ``index(s, t)``."""
    rows, columns = np.indices((len(profile), len(profile)))
    return np.asarray(profile)[index(rows, columns)]


matrix_from_profile = FunctionCheck(
    "matrix_from_profile",
    task="the n × n matrix of distances whose first row is `profile`",
    reference=lambda profile: _lookup(profile, lambda s, t: abs(t - s)),
    cases=[
        Case(np.array([0.0]), label="a single position"),
        Case(np.array([0.0, 2.0]), label="2 positions"),
        Case(np.array([0.0, 1.5, 2.5, 3.0]), label="4 positions"),
        Case(distance_at(np.arange(7), angular_frequencies(8)), label="7 positions"),
    ],
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "Above the diagonal all is right. Below it `t - s` is negative, and NumPy takes a "
            "negative index from the other end of the array, without a word. What is the distance "
            "of an offset of −1?",
            lambda profile: _lookup(profile, lambda s, t: t - s),
        ),
        Mistake(
            "Below the diagonal all is right. Above it `s - t` is negative, and NumPy takes a "
            "negative index from the other end of the array, without a word. What is the distance "
            "of an offset of +1?",
            lambda profile: _lookup(profile, lambda s, t: s - t),
        ),
        Mistake(
            "Every row is the first one. Row `s` should hold distances from position `s`, so that "
            "0 stands in column `s`.",
            lambda profile: _lookup(profile, lambda s, t: t),
        ),
        Mistake(
            "Every column is the first row, read downwards. Column `t` should hold distances from "
            "position `t`, so that 0 stands in row `t`.",
            lambda profile: _lookup(profile, lambda s, t: s),
        ),
        Mistake(
            "Below the diagonal there are only zeros. Position 5 is as far from position 3 as "
            "position 3 from position 5.",
            lambda profile: np.triu(_lookup(profile, lambda s, t: abs(t - s))),
        ),
        Mistake(
            "Above the diagonal there are only zeros. Position 3 is as far from position 5 as "
            "position 5 from position 3.",
            lambda profile: np.tril(_lookup(profile, lambda s, t: abs(t - s))),
        ),
        Mistake(
            "These are differences of the profile's numbers. Look up one number of the profile "
            "for each entry: the one at the offset of its row and column.",
            lambda profile: np.abs(np.subtract.outer(profile, profile)),
        ),
        Mistake(
            "These are the offsets themselves. Use them to look up the distances.",
            lambda profile: _lookup(np.arange(len(profile)), lambda s, t: abs(t - s)),
        ),
    ],
    properties=[
        Property(
            "Its first row should be the profile itself.",
            lambda matrix, profile: np.allclose(matrix[0], profile),
        ),
        Property(
            "It should be symmetric: before and after are equally far.",
            lambda matrix, profile: np.allclose(matrix, matrix.T),
        ),
    ],
    correct="A symmetric Toeplitz matrix: n numbers say it all, because before and after are "
    "equally far.",
)


def _differences(encoding):
    return encoding[:, None] - encoding


def _norms(encoding):
    return np.linalg.norm(encoding, axis=1)


def _at_the_rows_numbers(encoding):
    numbers = np.arange(len(encoding))
    offsets = np.subtract.outer(numbers, numbers)
    return distance_at(offsets, angular_frequencies(encoding.shape[1]))


repaired_distances = FunctionCheck(
    "repaired_distances",
    task="the n × n matrix of Euclidean distances between the rows of `encoding`",
    reference=lambda encoding: np.linalg.norm(_differences(encoding), axis=-1),
    cases=[
        Case(sinusoidal(1, 4), label="one position"),
        Case(sinusoidal(5, 6), label="5 positions of width 6"),
        Case(sinusoidal(40, 64), label="40 positions of width 64"),
        Case(sinusoidal(12, 16, start=100.5), label="12 positions from 100.5 on"),
        Case(rows_at([9, 2.5, 70, 4], 8), label="4 positions in no order"),
    ],
    axes=("row", "column"),
    mistakes=[
        Mistake(
            "The bug is still there: this is the product, which is largest on the diagonal. How "
            "far is a position from itself?",
            lambda encoding: encoding @ encoding.T,
        ),
        Mistake(
            "These are the squared distances. One step is missing.",
            lambda encoding: np.sum(_differences(encoding) ** 2, axis=-1),
        ),
        Mistake(
            "You turned the product around, so that the diagonal is zero now. But it is no "
            "distance yet: compare it with the length of `encoding[0] - encoding[1]`.",
            lambda encoding: encoding.shape[1] / 2 - encoding @ encoding.T,
        ),
        Mistake(
            "That is one minus the cosine of the angle between two rows. It is zero on the "
            "diagonal, but it is not the distance.",
            lambda encoding: (
                1 - encoding @ encoding.T / np.outer(_norms(encoding), _norms(encoding))
            ),
        ),
        Mistake(
            "You took d for the squared length of one row. Two positions are on the diagonal, "
            "and they should cancel the product: what is the product of a row with itself?",
            lambda encoding: np.sqrt(2 * encoding.shape[1] - 2 * encoding @ encoding.T),
        ),
        Mistake(
            "You added up the magnitudes of the differences. For a straight line it is squares "
            "that add up.",
            lambda encoding: np.abs(_differences(encoding)).sum(axis=-1),
        ),
        Mistake(
            "These are the differences of the rows' lengths, and all rows are equally long. Take "
            "the difference first, then its length.",
            lambda encoding: np.abs(np.subtract.outer(_norms(encoding), _norms(encoding))),
        ),
        Mistake(
            "You take the numbers of the rows for positions. The rows may be of any positions, in "
            "any order: compute the distances from `encoding`.",
            _at_the_rows_numbers,
        ),
    ],
    nan_hint="A squared distance of 0 may come out a little below 0 by rounding, and has no root "
    "then. Clip it first.",
    properties=[
        Property(
            "Every entry on the diagonal should be zero.",
            lambda matrix, encoding: np.allclose(np.diag(matrix), 0, atol=1e-5),
        )
    ],
    correct="With distances, less is nearer: zero on the diagonal, where the product has its "
    "greatest value, d/2.",
)
