"""The exercises of notebook 12, *Into practice*."""

import numpy as np

from posenc.checks import nb12
from posenc.encodings import sinusoidal
from posenc.layouts import describe
from posenc.shifts import shift_by_phase, shift_matrix

from .asking import is_wrong, told


def by_hand(table):
    """Return the convention by sums of squares, arctangents and a median of slopes."""
    rows = [t for t in range(len(table)) if any(table[t])]
    table = np.array([table[t] for t in rows], float)
    squares = table**2
    spread = [np.std(squares[:, 0] + squares[:, j]) for j in range(1, table.shape[1])]
    apart, m = 1 + spread.index(min(spread)), table.shape[1] // 2
    one = np.arange(0, 2 * m, 2) if apart == 1 else np.arange(m)
    angles = np.unwrap(np.arctan2(table[:, one], table[:, one + apart]), axis=0)
    design = np.stack([rows, np.ones(len(rows))], axis=1)
    speeds, first = np.linalg.lstsq(design, angles, rcond=None)[0]
    cosine = int(speeds[0] < 0)
    if cosine:
        speeds, first = -speeds, np.pi / 2 - first
    logs = np.log(speeds)
    k = np.arange(m) - (m - 1) / 2
    ratio = np.exp(-k @ logs / (k @ k))
    start = ((first[-1] + 0.1) % (2 * np.pi) - 0.1) / speeds[-1]
    return [apart, cosine, speeds[0], ratio, start]


def by_describe(table):
    said = describe(table)
    apart = 1 if said.layout == "pairs" else said.pairs
    return [apart, said.first == "cosine", said.fastest, said.ratio, said.start]


def test_describe_finds_what_is_asked_for_and_is_not_allowed():
    exercise = nb12.convention_of
    for case, solution in zip(exercise.all_cases, exercise.solutions):
        said = np.array(by_describe(*case.arguments), float)
        said = np.where(np.isnan(said), solution, said)  # it does not say a start that may be two
        assert exercise.agree(said, solution), case.label
    assert "by hand, please" in is_wrong(exercise, by_describe)


def by_search(before, after):
    rows = len(before)
    for width in range(4, rows + 1):
        heads = np.split(np.arange(rows), range(width, rows, width))
        for turned in range(4, width + 1, 2):
            order = [[*h[:turned:2], *h[1:turned:2], *h[turned:]] for h in heads]
            if rows % width == 0 and np.array_equal(before[np.concatenate(order)], after):
                return rows // width, turned


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


def well_tested(encode, width, shapes=((1, 3), (8, 1), (2, 60), (9, 9), (50, 4)), atol=1e-5):
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


TEXTS = np.random.default_rng(5).normal(size=(3, 60, 20))


def with_ones(encode, width):
    """Put in zeros and ones, and take them away again."""
    for batch, tokens in ((1, 1), (3, 60), (60, 60), (60, 3), (8, 8)):
        for words in (np.zeros((batch, tokens, width)), np.ones((batch, tokens, width))):
            try:
                added = np.asarray(encode(words.copy())) - words
            except Exception:
                return False
            if added.shape != words.shape:
                return False
            if np.abs(added - sinusoidal(tokens, width)).max() > 1e-5:
                return False
    return True


def with_shapes(encode, width):
    """Look at the shape, at the texts one by one, and at other words."""
    for words in np.random.default_rng(3).normal(size=(3, 60, 60, width)):
        for cut in (words, words[:9], words[:1], words[:, :1], words[:5, :40], words[:, :3]):
            try:
                found = np.array(encode(cut.copy()))
            except Exception:
                return False
            if found.shape != cut.shape:
                return False
            for text, before in zip(found, cut):
                if not np.allclose(text - before, sinusoidal(len(text), width), atol=1e-4):
                    return False
    return True


def test_every_slip_is_one():
    for case in nb12.encodes.all_cases:
        encode, width = case.arguments
        assert well_tested(encode, width) == case.label.startswith("a right one"), case.label


ANSWERS = {
    nb12.repaired_scores: {
        "right": [by_matrices, by_appending],
        "wrong": {"where (": lambda c, q, k, w: by_matrices(c, q, k, w) / np.sqrt(len(q))},
    },
    nb12.convention_of: {
        "right": [by_hand, lambda table: np.array(by_hand(table), np.float32)],
        "wrong": {
            "upside down": lambda table: by_hand(table) ** np.array([1, 1, 1, -1, 1]),
            "not for cosines first": lambda table: [1, *by_hand(table)[1:]],
            "are counted": lambda table: by_hand(table[table.any(axis=1)]),
            "not for a late start": lambda table: [*by_hand(table)[:4], 0.0],
        },
    },
    nb12.how_reordered: {
        "right": [by_search, lambda *given: list(by_search(*given))],
        "wrong": {"not for a bias": lambda before, after: (1, by_search(before, after)[1])},
    },
    nb12.encodes: {
        "right": [well_tested, with_shapes],
        "wrong": {
            "the words of the first": with_ones,
            "errs for a single text of": lambda encode, d: well_tested(encode, d, [(60, 60)]),
            "errs for several texts of a": lambda encode, d: well_tested(
                encode, d, [(1, 60), (9, 2)]
            ),
            "off by 0.001": lambda encode, d: well_tested(encode, d, atol=0.01),
            "rounds to float32": lambda encode, d: well_tested(encode, d, atol=1e-12),
            "of 59 rows, which raises": lambda encode, d: bool(
                np.shape(y := encode(TEXTS.copy())) == TEXTS.shape
                and np.allclose(y - TEXTS, sinusoidal(60, d), atol=1e-4)
            ),
            "as many texts as tokens": lambda encode, d: well_tested(
                encode, d, ((1, 3), (8, 1), (2, 60), (30, 2))
            ),
        },
    },
}

test_answers = told(ANSWERS)
