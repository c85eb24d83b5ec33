"""The exercises of notebook 12, *Into practice*."""

import numpy as np

from posenc.checks import nb12
from posenc.encodings import sinusoidal
from posenc.shifts import shift_by_phase, shift_matrix

from .asking import told

RIGHT = [[16, 0, 16, 0], [16, 1, 15, 1], [16, 0, 8, 0]]


def by_row_numbers(weight, heads):
    width = len(weight) // heads
    halves = [*range(0, width, 2), *range(1, width, 2)]
    rows = [head * width + column for head in range(heads) for column in halves]
    return weight[rows]


def head_by_head(weight, heads):
    return [row for part in np.split(weight, heads) for row in [*part[0::2], *part[1::2]]]


def by_matrices(cache, query, key, frequencies):
    M = shift_matrix(frequencies, len(cache))
    cache = np.concatenate([cache, [M @ key]])
    return cache @ (M @ query)


def by_appending(cache, query, key, frequencies):
    t = cache.shape[0]
    rows = [*cache, shift_by_phase(key[None], frequencies, t)[0]]
    q = shift_by_phase(query[None], frequencies, t)[0]
    return [row @ q for row in rows]


def test_the_last_score_of_the_broken_program_is_right_all_the_same():
    broken = next(iter(nb12.repaired_scores.mistakes.values()))
    for case in nb12.repaired_scores.all_cases:
        assert np.isclose(broken(*case.arguments)[-1], by_matrices(*case.arguments)[-1])


def well_tested(encode, width, shapes=((1, 1), (2, 60), (9, 9), (50, 4), (4, 33)), atol=1e-5):
    rng = np.random.default_rng(7)
    for shape in shapes:
        x = rng.normal(size=(*shape, width))
        expected = np.array([text + sinusoidal(shape[1], width) for text in x])
        try:
            found = np.asarray(encode(x.copy()))
            if found.shape != x.shape or not np.allclose(found, expected, rtol=0, atol=atol):
                return False
        except Exception:
            return False
    return True


def with_ones(encode, width):
    """Put in zeros and ones, and take them away again, without a look at the shape."""
    try:
        for batch, tokens in ((1, 1), (3, 60), (60, 60), (60, 3), (8, 8)):
            for words in (np.zeros((batch, tokens, width)), np.ones((batch, tokens, width))):
                added = np.asarray(encode(words.copy())) - words
                if added.shape != words.shape:
                    return False
                if np.abs(added - sinusoidal(tokens, width)).max() > 1e-5:
                    return False
    except Exception:
        return False
    return True


def with_shapes(encode, width):
    """Look at the shape first."""
    try:
        shape = np.shape(encode(np.zeros((3, 5, width))))
    except Exception:
        return False
    return shape == (3, 5, width) and with_ones(encode, width)


def test_every_slip_is_one():
    for case in nb12.encodes.all_cases:
        encode, width = case.arguments
        assert well_tested(encode, width) == case.label.startswith("a right one"), case.label


ANSWERS = {
    nb12.repaired_scores: {
        "right": [by_matrices, by_appending],
        "wrong": {"where (": lambda c, q, k, w: by_matrices(c, q, k, w) / np.sqrt(len(q))},
    },
    nb12.conventions: {
        "right": [RIGHT, [(16, False, 16.0, 0), (16, True, 15, 1.0), (16, False, 8, -0.0)]],
        "wrong": {
            "Look again at D: sine or cosine first": [[16, 1, 16, 0], RIGHT[1], RIGHT[2]],
            "Look again at D: P": [[16, 0, 15, 1], [16, 0, 15, 1], RIGHT[2]],
            "Look again at F: P": [RIGHT[0], RIGHT[1], [16, 0, 7, 0]],
        },
    },
    nb12.to_halves: {
        "right": [by_row_numbers, head_by_head],
        "wrong": {"numbers differ": lambda w, h: by_row_numbers(w, h)[:, ::-1] ** 2},
    },
    nb12.encodes: {
        "right": [well_tested, with_shapes],
        "wrong": {
            "broadcast back": with_ones,
            "for a single token": lambda encode, d: well_tested(encode, d, [(7, 7)]),
            "rounds to float32": lambda encode, d: well_tested(encode, d, atol=1e-12),
            "Zeros do not show that": lambda encode, d: bool(
                np.shape(y := encode(np.zeros((3, 41, d)))) == (3, 41, d)
                and np.allclose(y, sinusoidal(41, d), atol=1e-4)
            ),
            "one whose table ends at 50": lambda encode, d: well_tested(
                encode, d, ((1, 1), (2, 30), (30, 2), (4, 4))
            ),
        },
    },
}

test_answers = told(ANSWERS)
