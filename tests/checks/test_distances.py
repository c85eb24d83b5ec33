"""The exercises of notebook 06."""

import math

import numpy as np

from posenc import checks
from posenc.distances import distance_at
from posenc.encodings import angular_frequencies

from .harness import hold, is_wrong


def test_distance_from_product():
    hold(
        checks.distance_from_product,
        solution=lambda product, width: np.sqrt(width - 2 * product),
        examples=[(92.0, 256)],
        wrong=[
            (lambda p, d: d - 2 * p, "squared distance"),
            (lambda p, d: np.sqrt(2 * d - 2 * p), "took d for"),
            (lambda p, d: np.sqrt(d - p), "enters once"),
            (lambda p, d: np.sqrt(2 - 2 * p), "vectors of length 1"),
            (lambda p, d: np.sqrt(d + 2 * p), "wrong sign"),
            (lambda p, d: d / 2 - p, "largest value"),
            (lambda p, d: 8.49, "the same whatever"),
            (lambda p, d: math.sqrt(d / 2 - 2 * p), "ValueError"),
        ],
        also_right=[
            lambda p, d: math.sqrt(d - 2 * p),
            lambda p, d: (d / 2 + d / 2 - 2 * p) ** 0.5,
            lambda p, d: 2 * math.sqrt((d / 2 - p) / 2),
        ],
    )


def printed(width, exponent):
    """A step from frequencies 10000^exponent(k, d), with pairs k from 0."""
    return 2 * math.sqrt(
        sum(math.sin(10_000 ** exponent(k, width) / 2) ** 2 for k in range(width // 2))
    )


def by_rows(width):
    rows = [[], []]
    for k in range(width // 2):
        angle = 10_000 ** (-2 * k / width)
        rows[0] += [0, 1]
        rows[1] += [math.sin(angle), math.cos(angle)]
    return math.dist(*rows)


def test_step_length():
    def chords(width):
        return 2 * np.sin(angular_frequencies(width) / 2)

    hold(
        checks.step_length,
        solution=lambda width: np.sqrt(np.sum(chords(width) ** 2)),
        examples=[(500,)],
        wrong=[
            (lambda d: np.sum(chords(d) ** 2), "squared length"),
            (lambda d: printed(d, lambda k, d: -k / d), "half as fast"),
            (lambda d: printed(d, lambda k, d: -(k + 1) / d), "Two mistakes"),
            (lambda d: printed(d, lambda k, d: -2 * (k + 1) / d), "are counted from 1 here"),
            (lambda d: np.linalg.norm(chords(d)) / 2, "half as long"),
            (lambda d: 2 * np.linalg.norm(np.sin(angular_frequencies(d))), "halved first"),
            (lambda d: np.sum(chords(d)), "added up the chords"),
            (lambda d: np.linalg.norm(angular_frequencies(d)), "added up the arcs"),
            (lambda d: np.sum(np.cos(angular_frequencies(d))), "the product of two"),
            (chords, "a single number"),
        ],
        also_right=[
            by_rows,
            lambda d: math.sqrt(d - 2 * sum(math.cos(w) for w in angular_frequencies(d))),
            lambda d: np.float32(np.linalg.norm(chords(d))),
        ],
    )


def test_the_published_step_is_told_for_what_it_is():
    published = printed(500, lambda k, d: -(k + 1) / d)
    assert round(published, 3) == 5.057
    assert round(by_rows(500), 3) == 3.672


def filled(profile, index):
    """Fill the matrix entry by entry, as a student's loop would."""
    n = len(profile)
    return [[profile[index(s, t)] for t in range(n)] for s in range(n)]


def test_matrix_from_profile():
    def solution(profile):
        positions = np.arange(len(profile))
        return np.asarray(profile)[abs(positions - positions[:, None])]

    def mirrored(profile):
        upper = np.triu(solution(profile))
        return upper + upper.T

    hold(
        checks.matrix_from_profile,
        solution=solution,
        wrong=[
            (lambda p: filled(p, lambda s, t: t - s), "Above the diagonal all is right"),
            (lambda p: filled(p, lambda s, t: s - t), "Below the diagonal all is right"),
            (lambda p: np.tile(p, (len(p), 1)), "Every row is the first one"),
            (lambda p: np.tile(p, (len(p), 1)).T, "Every column is the first row"),
            (lambda p: np.triu(solution(p)), "Below the diagonal there are only zeros"),
            (lambda p: np.tril(solution(p)), "Above the diagonal there are only zeros"),
            (lambda p: abs(p[:, None] - p), "differences of the profile"),
            (lambda p: solution(np.arange(len(p))), "the offsets themselves"),
            (lambda p: p, "shape (1,)"),
            (lambda p: filled(p, lambda s, t: s + t), "IndexError"),
            (lambda p: solution(p) * (1 + np.arange(len(p))), "first row should be"),
            (lambda p: np.vstack([p, np.ones((len(p) - 1, len(p)))]), "should be symmetric"),
        ],
        also_right=[
            lambda p: filled(p, lambda s, t: abs(t - s)),
            lambda p: filled(p, lambda s, t: max(s, t) - min(s, t)),
            mirrored,
        ],
    )


def test_a_negative_index_is_named():
    message = is_wrong(checks.matrix_from_profile, lambda p: filled(p, lambda s, t: t - s))
    assert message.startswith("Right for a single position, but not for 4 positions. ")


def test_repaired_distances():
    def gram(encoding):
        products = encoding @ encoding.T
        squares = np.diag(products)
        return np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))

    def loop(encoding):
        return [[math.dist(row, other) for other in encoding] for row in encoding]

    def lengths(encoding):
        return np.linalg.norm(encoding, axis=1)

    def unit(encoding):
        return encoding / lengths(encoding)[:, None]

    def from_offsets(encoding):
        positions = np.arange(len(encoding))
        frequencies = angular_frequencies(encoding.shape[1])
        return distance_at(positions - positions[:, None], frequencies)

    hold(
        checks.repaired_distances,
        solution=gram,
        wrong=[
            (lambda x: x @ x.T, "still there"),
            (lambda x: gram(x) ** 2, "squared distances"),
            (lambda x: x.shape[1] / 2 - x @ x.T, "turned the product around"),
            (lambda x: 1 - unit(x) @ unit(x).T, "one minus the cosine"),
            (lambda x: np.sqrt(2 * x.shape[1] - 2 * x @ x.T), "took d for"),
            (lambda x: abs(x[:, None] - x).sum(axis=-1), "magnitudes"),
            (lambda x: abs(np.subtract.outer(lengths(x), lengths(x))), "the rows' lengths"),
            (lambda x: gram(x) + 3 * np.eye(len(x)), "diagonal should be zero"),
            (lambda x: gram(x.T), "shape (4, 4)"),
            (from_offsets, "the numbers of the rows for positions"),
            (lambda x: gram(x) * np.where(np.eye(len(x)), np.nan, 1), "Clip it first"),
        ],
        also_right=[
            lambda x: np.sqrt(abs(x.shape[1] - 2 * x @ x.T)),
            loop,
            lambda x: np.linalg.norm(x[:, None] - x, axis=-1),
        ],
    )
