"""The exercises of notebook 12."""

import numpy as np

from posenc import checks
from posenc.encodings import sinusoidal
from posenc.layouts import half_order, load_tables
from posenc.shifts import shift_by_phase, shift_matrix

from .exercise_laws import hold, is_right

RIGHT = [[16, 0, 16, 0], [16, 1, 15, 1], [16, 0, 8, 0]]


def by_fitting():
    """Name the conventions by trying all of them."""
    found = []
    for name in "DEF":
        table = load_tables()[name].astype(float)
        length = np.linalg.norm(table[0])
        axes = 2 if name == "F" else 1
        pairs = 16 // axes
        positions = np.arange(len(table)) % (6 if name == "F" else len(table))
        best = {}
        for cosine in (0, 1):
            for P in (pairs - 1, pairs):
                for start in (-1, 0, 1, 2):
                    angles = np.outer(positions + start, 10_000.0 ** (-np.arange(pairs) / P))
                    waves = [np.sin(angles), np.cos(angles)]
                    halves = np.split(table / length * 4, 2, axis=1)
                    apart = sum(
                        np.abs(half[:, -pairs:] - wave).max()
                        for half, wave in zip(halves, waves[::-1] if cosine else waves)
                    )
                    best[apart] = [16, cosine, P, start]
        found.append(best[min(best)])
    return found


def test_conventions():
    assert by_fitting() == RIGHT
    hold(
        checks.conventions,
        right=[
            RIGHT,
            np.array(RIGHT),
            np.array(RIGHT, float),
            [(16, False, 16.0, 0.0), (16, True, 15.0, 1.0), (16, False, 8.0, -0.0)],
            by_fitting(),
        ],
        wrong=[
            ([RIGHT[0], RIGHT[1], [16, 0, 16, 0]], "each axis has eight"),
            ([RIGHT[0], RIGHT[1], [8, 0, 8, 0]], "behind the sines of both axes"),
            ([RIGHT[0], RIGHT[1], [16, 0, 8, 1]], "The first patch is row 0"),
            ([RIGHT[0], [16, 1, 15, 0], RIGHT[2]], "one step later"),
            ([RIGHT[0], [16, 0, 15, 1], RIGHT[2]], "cosines first"),
            ([RIGHT[0], [16, 1, 16, 1], RIGHT[2]], "slow down faster"),
            ([[16, 0, 15, 0], RIGHT[1], RIGHT[2]], "no ratio of speeds"),
            ([[16, 1, 16, 0], [16, 0, 15, 1], [16, 1, 8, 0]], "exchanged 0 and 1"),
            ([[1, 0, 16, 0], [1, 1, 15, 1], [1, 0, 8, 0]], "how far the partner"),
            ([[16, 0, 15, 0], [16, 1, 16, 0], [1, 0, 16, 0]], "Load D, E and F"),
            ([[16, 1, 16, 0], RIGHT[1], RIGHT[2]], "Look again at D"),
            ([[16, 0, 15, 1], [16, 0, 15, 1], RIGHT[2]], "Look again at D: P"),
            ([RIGHT[0], RIGHT[1], [16, 0, 7, 0]], "Look again at F: P"),
            (np.transpose(RIGHT), "turned on their side"),
            (RIGHT[0], "shape (4,)"),
            ("halves", "the text"),
        ],
    )


def by_row_numbers(weight, heads):
    width = len(weight) // heads
    rows = [head * width + column for head in range(heads) for column in half_order(width)]
    return weight[rows]


def by_loop(weight, heads):
    done = np.empty_like(weight)
    width = len(weight) // heads
    for head in range(heads):
        for k in range(width // 2):
            done[head * width + k] = weight[head * width + 2 * k]
            done[head * width + width // 2 + k] = weight[head * width + 2 * k + 1]
    return done


def by_deinterleaving(weight, heads):
    return np.concatenate([part[half_order(len(part))] for part in np.split(weight, heads)])


def by_matrix(weight, heads):
    width = len(weight) // heads
    return np.kron(np.eye(heads), np.eye(width)[half_order(width)]) @ weight


def test_to_halves():
    def there(weight, heads):
        w = weight.reshape(heads, 2, -1, weight.shape[1])
        return w.swapaxes(1, 2).reshape(weight.shape)

    hold(
        checks.to_halves,
        right=[by_row_numbers, by_loop, by_deinterleaving, by_matrix],
        wrong=[
            (there, "the way back"),
            (lambda w, h: w[half_order(len(w))], "from one head into another"),
            (lambda w, h: w[:, half_order(w.shape[1] // 2 * 2)], ""),
            (lambda w, h: w, "as it was"),
            (lambda w, h: by_loop(w, h).T, ""),
            (lambda w, h: by_loop(w, h)[::-1], ""),
            (lambda w, h: w.reshape(h, -1, 2, w.shape[1]).swapaxes(1, 2), "shape"),
            (lambda w, h: -by_loop(w, h), ""),
            (lambda w, h: np.zeros_like(w), ""),
            (lambda w: w, "It should take `weight`, `heads`"),
        ],
    )


def by_matrices(cache, query, key, frequencies):
    M = shift_matrix(frequencies, len(cache))
    cache = np.concatenate([cache, [M @ key]])
    return cache @ (M @ query)


def by_appending(cache, query, key, frequencies):
    t = cache.shape[0]
    rows = [*cache, shift_by_phase(key[None], frequencies, t)[0]]
    q = shift_by_phase(query[None], frequencies, t)[0]
    return [row @ q for row in rows]


def scores(cache, query, key, frequencies):
    """Return what the exercise's program returns, as it stands on the page."""
    cache = np.vstack([cache, key])
    position = len(cache)
    query = shift_by_phase(query[None], frequencies, position)
    cache[-1] = shift_by_phase(cache[-1:], frequencies, position)[0]
    return cache @ query[0]


def test_repaired_scores():
    def moved(q, k):
        def slip(cache, query, key, w):
            t = len(cache)
            query = shift_by_phase(query[None], w, t + q)[0]
            cache = np.vstack([cache, shift_by_phase(key[None], w, t + k)])
            return cache @ query

        return slip

    def at_zero(cache, query, key, w):
        cache = np.vstack([cache, key])
        return cache @ query

    def from_zero(cache, query, key, w):
        return np.append(cache @ query, query @ key)

    hold(
        checks.repaired_scores,
        right=[by_matrices, by_appending],
        wrong=[
            (scores, "after the key had joined"),
            (moved(1, 0), "The query stands one position too far"),
            (moved(0, 1), "The key stands one position too far"),
            (moved(-1, -1), "one too few"),
            (at_zero, "always at position 0"),
            (from_zero, "always at position 0"),
            (lambda c, q, k, w: by_matrices(c, q, k, w)[:-1], ""),
            (lambda c, q, k, w: by_matrices(c, q, k, w)[::-1].copy(), "wrong order"),
            (lambda c, q, k, w: by_matrices(c, q, k, -w), "backwards"),
        ],
    )


def test_the_program_of_the_page_is_right_in_its_last_score():
    for case in checks.repaired_scores.tried:
        assert np.isclose(scores(*case.arguments)[-1], by_matrices(*case.arguments)[-1])


def well_tested(encode, width, shapes=((1, 1), (2, 60), (9, 9), (50, 4), (4, 33)), **close):
    close = {"rtol": 0, "atol": 1e-5} | close
    rng = np.random.default_rng(7)
    for shape in shapes:
        x = rng.normal(size=(*shape, width))
        expected = np.array([text + sinusoidal(shape[1], width) for text in x])
        try:
            found = np.asarray(encode(x.copy()))
            if found.shape != x.shape or not np.allclose(found, expected, **close):
                return False
        except Exception:
            return False
    return True


def by_every_shape(encode, width):
    return well_tested(encode, width, [(b, t) for b in (1, 2, 5, 60) for t in range(1, 61)])


def with_ones(encode, width):
    """Put in zeros and ones, and take them away again."""
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
        if np.shape(encode(np.zeros((3, 5, width)))) != (3, 5, width):
            return False
    except Exception:
        return False
    return with_ones(encode, width)


def test_encodes():
    def one_shape(batch, tokens):
        return lambda encode, width: well_tested(encode, width, [(batch, tokens)])

    def raises(encode, width):
        x = np.zeros((3, 41, width))
        return bool(np.allclose(encode(x), sinusoidal(41, width), rtol=0, atol=1e-4))

    hold(
        checks.encodes,
        right=[well_tested, by_every_shape, with_shapes],
        wrong=[
            (with_ones, "broadcast back"),
            (one_shape(1, 60), "a single text"),
            (one_shape(3, 41), ""),
            (one_shape(7, 7), ""),
            (lambda encode, width: True, ""),
            (lambda encode, width: False, ""),
            (lambda encode, width: not well_tested(encode, width), ""),
            (lambda encode, width: well_tested(encode, width, atol=1e-12), "float32"),
            (raises, ""),
            (lambda encode, width: encode(np.zeros((3, 5, width))).shape == (3, 5, width), ""),
            (lambda encode, width: well_tested(encode, width, ((2, 30), (30, 2))), ""),
        ],
    )


def test_every_slip_is_one():
    for case in checks.encodes.tried:
        encode, width = case.arguments
        assert well_tested(encode, width) == case.label.startswith("a right one"), case.label
    is_right(checks.encodes, well_tested)
