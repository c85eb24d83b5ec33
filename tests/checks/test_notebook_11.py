"""The exercises of notebook 11."""

import math

import numpy as np

from posenc import checks
from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features, sinusoidal_2d

from .exercise_laws import feedback_of, hold, is_right, is_wrong


def test_first_farther():
    table = sinusoidal_2d(5, 70, 256).reshape(5, 70, 256)
    there = table[0, 0] @ table[4, 4]
    along = table[0] @ table[0, 0]
    lead = along - there
    assert np.abs(lead).min() > 0.05  # far more than rounding
    hold(
        checks.first_farther,
        right=[40, 40.0, np.argmax(lead < 0), np.array(40), np.flatnonzero(along < there)[0]],
        wrong=[
            (5, "Add it"),
            (0, "with offset 0"),
            (6, "the straight line"),
            (5.656854, "straight line itself"),
            (9, "the number of steps"),
            (8, "the number of steps"),
            (28, "what the law says"),
            (28.49, "frequencies of width 128"),
            (29, "what the law says"),
            (41, "frequencies of width 256"),
            (39, "comes next"),
            (58, "The first one is asked for"),
            (-40, "has no sign"),
            (53, "Go along the row"),
            (along, "shape (70,)"),
            ("forty", "the text 'forty'"),
        ],
    )


def test_the_wrong_numbers_are_those_of_the_mistakes():
    half, full = angular_frequencies(128), angular_frequencies(256)
    columns = np.arange(200)
    f, g = dot_product_at(columns, half), dot_product_at(columns, full)
    assert np.argmax(f < 2 * f[4] - 64) == 40
    assert np.flatnonzero(f >= 2 * f[4] - 64)[-1] == 58
    assert np.argmax(g < 2 * g[4] - 128) == 41
    assert np.argmax(f < f[4]) == 5
    assert np.argmax(f < 2 * f[4]) == 0
    assert f[42] > 2 * f[4] - 64
    assert 28 < np.exp(np.euler_gamma) * 16 < 29


def by_loop(frames, rows, columns, width):
    table = []
    for frame in range(frames):
        for y in range(rows):
            for x in range(columns):
                row = []
                for coordinate in (x, y, frame):
                    for k in range(width // 6):
                        angle = coordinate / 10_000 ** (6 * k / width)
                        row += [math.sin(angle), math.cos(angle)]
                table.append(row)
    return table


def by_stacking(frames, rows, columns, width):
    third = width // 3
    x = np.tile(sinusoidal(columns, third), (frames * rows, 1))
    y = np.tile(np.repeat(sinusoidal(rows, third), columns, axis=0), (frames, 1))
    z = np.repeat(sinusoidal(frames, third), rows * columns, axis=0)
    return np.hstack([x, y, z])


def by_broadcasting(frames, rows, columns, width):
    third = width // 3
    table = np.empty((frames, rows, columns, width))
    table[..., :third] = sinusoidal(columns, third)
    table[..., third : 2 * third] = sinusoidal(rows, third)[:, None]
    table[..., 2 * third :] = sinusoidal(frames, third)[:, None, None]
    return table.reshape(-1, width)


def by_indices(frames, rows, columns, width):
    t, y, x = np.indices((frames, rows, columns)).reshape(3, -1)
    pe = sinusoidal(max(frames, rows, columns), width // 3)
    return np.concatenate([pe[x], pe[y], pe[t]], axis=1)


def by_features(frames, rows, columns, width):
    t, y, x = np.indices((frames, rows, columns)).reshape(3, -1)
    frequencies = np.kron(np.eye(3), angular_frequencies(width // 3)[:, None])
    return fourier_features(np.stack([x, y, t], axis=1), frequencies)


def by_pictures(frames, rows, columns, width):
    """A picture of two thirds, again for each frame."""
    picture = sinusoidal_2d(rows, columns, 2 * width // 3)
    z = np.repeat(sinusoidal(frames, width // 3), len(picture), axis=0)
    return np.hstack([np.tile(picture, (frames, 1)), z])


def stacked(*order):
    def answer(frames, rows, columns, width):
        table = by_stacking(frames, rows, columns, width)
        thirds = dict(zip("xyt", np.split(table, 3, axis=1)))
        return np.hstack([thirds[name] for name in order])

    return answer


def in_lines(*axes):
    def answer(frames, rows, columns, width):
        table = by_stacking(frames, rows, columns, width)
        table = table.reshape(frames, rows, columns, width)
        return table.transpose(*axes, 3).reshape(-1, width)

    return answer


def full_width_each(frames, rows, columns, width):
    return by_stacking(frames, rows, columns, 3 * width)


def added(frames, rows, columns, width):
    parts = np.split(full_width_each(frames, rows, columns, width), 3, axis=1)
    return sum(parts)


def as_a_block(frames, rows, columns, width):
    return by_stacking(frames, rows, columns, width).reshape(frames, rows, columns, width)


def frequencies_of_the_width(frames, rows, columns, width):
    t, y, x = np.indices((frames, rows, columns)).reshape(3, -1)
    pe = sinusoidal(max(frames, rows, columns), width)[:, : width // 3]
    return np.hstack([pe[x], pe[y], pe[t]])


def from_one(frames, rows, columns, width):
    t, y, x = np.indices((frames, rows, columns)).reshape(3, -1)
    pe = sinusoidal(20, width // 3, start=1)
    return np.hstack([pe[x], pe[y], pe[t]])


def halves(frames, rows, columns, width):
    thirds = np.split(by_stacking(frames, rows, columns, width), 3, axis=1)
    return np.hstack([np.hstack([part[:, ::2], part[:, 1::2]]) for part in thirds])


def below_each_other(frames, rows, columns, width):
    return np.vstack(np.split(by_stacking(frames, rows, columns, width), 3, axis=1))


def test_positions_3d():
    hold(
        checks.positions_3d,
        right=[by_loop, by_stacking, by_broadcasting, by_indices, by_features, by_pictures],
        wrong=[
            (stacked("t", "x", "y"), "should stand last"),
            (stacked("t", "y", "x"), "frame, y, x"),
            (stacked("y", "x", "t"), "x comes first"),
            (stacked("x", "t", "y"), "in the middle"),
            (stacked("y", "t", "x"), "in another order"),
            (in_lines(0, 2, 1), "column by column"),
            (in_lines(1, 2, 0), "of one place follow"),
            (in_lines(2, 1, 0), "the frame changes first"),
            (full_width_each, "should be"),
            (added, "a third for itself"),
            (as_a_block, "should be"),
            (frequencies_of_the_width, "of the full width"),
            (halves, "side by side"),
            (from_one, "numbers differ"),
            (lambda *sizes: by_stacking(*sizes)[::-1], "column holds the right numbers"),
            (below_each_other, "should be"),
            (lambda f, r, c, w: by_stacking(f, r, c, w) / 0, "NaN"),
            (lambda f, r, c, w: np.zeros((f * r * c, w)), "numbers differ"),
        ],
    )


def by_slices(embedding):
    half = embedding.shape[1] // 2
    table = np.empty_like(embedding)
    table[:, 0::2] = embedding[:, half:]
    table[:, 1::2] = embedding[:, :half]
    return table


def by_index(embedding):
    half = embedding.shape[1] // 2
    return embedding[:, [column for k in range(half) for column in (half + k, k)]]


def by_permutation_matrix(embedding):
    width = embedding.shape[1]
    P = np.zeros((width, width))
    for k in range(width // 2):
        P[width // 2 + k, 2 * k] = P[k, 2 * k + 1] = 1
    return embedding @ P


def by_transposing(embedding):
    return (
        embedding.reshape(len(embedding), 2, -1)[:, ::-1]
        .transpose(0, 2, 1)
        .reshape(embedding.shape)
    )


def by_lists(embedding):
    half = embedding.shape[1] // 2
    return [[row[k + half * (1 - i)] for k in range(half) for i in (0, 1)] for row in embedding]


def by_complex(embedding):
    cosine, sine = np.split(embedding, 2, axis=1)
    return np.ascontiguousarray(sine + 1j * cosine).view(float)


def test_to_course():
    def interleave(a, b):
        return np.stack([a, b], axis=-1).reshape(len(a), -1)

    def split(e):
        return np.split(e, 2, axis=1)

    def in_place(embedding):
        embedding[...] = by_slices(embedding)
        return embedding

    hold(
        checks.to_course,
        right=[by_slices, by_index, by_permutation_matrix, by_transposing, by_lists, by_complex],
        wrong=[
            (lambda e: interleave(*split(e)), "cosines stand before the sines"),
            (lambda e: np.hstack(split(e)[::-1]), "exchanged the halves"),
            (lambda e: np.roll(e, e.shape[1] // 2, axis=1), "exchanged the halves"),
            (lambda e: e[:, ::-1], "reversed"),
            (lambda e: np.hstack([e[:, ::2], e[:, 1::2]]), "Every second column"),
            (lambda e: np.hstack([e[:, 1::2], e[:, ::2]]), "the halves are exchanged"),
            (lambda e: interleave(-split(e)[1], split(e)[0]), "other sign"),
            (lambda e: interleave(split(e)[1], -split(e)[0]), "numbers differ"),
            (lambda e: e, "as it was given"),
            (lambda e: sinusoidal(len(e), e.shape[1]), "built anew"),
            (lambda e: by_slices(e).T, "Rows and columns are exchanged"),
            (lambda e: np.stack(split(e)[::-1], axis=-1), "should be"),
            (lambda e: split(e)[1], "should be"),
            (in_place, "changes its input `embedding`"),
        ],
    )


def test_a_converted_table_is_turned_by_the_courses_matrices():
    from posenc.shifts import shift_by_matrix

    steps = np.array([3.0, 10.5, 200.0])
    table = fourier_features(steps, angular_frequencies(16))
    theirs = np.hstack([table[:, 1::2], table[:, 0::2]])
    later = fourier_features(steps + 7, angular_frequencies(16))
    moved = shift_by_matrix(by_slices(theirs), angular_frequencies(16), 7)
    np.testing.assert_allclose(moved, later, rtol=0, atol=1e-12)


SIGMA = math.sqrt(2 * math.log(2))


def normal(half, pairs, rng):
    return rng.normal(size=(pairs, 2)) * SIGMA / half


def by_polar(half, pairs, rng):
    speed = SIGMA / half * np.sqrt(-2 * np.log(rng.random(pairs)))
    angle = 2 * np.pi * rng.random(pairs)
    return np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1)


def without_chance(half, pairs, rng):
    k = np.arange(pairs)
    speed = SIGMA / half * np.sqrt(-2 * np.log((k + 0.5) / pairs))
    angle = k * np.pi * (3 - math.sqrt(5))
    return np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1)


def in_a_disk(half, pairs, rng):
    """A uniform disk: 2 J₁(x)/x is ½ at 2.215."""
    speed = 2.215 / half * np.sqrt(rng.random(pairs))
    angle = 2 * np.pi * rng.random(pairs)
    return np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1)


def as_lists(half, pairs, rng):
    return [[rng.normal(0, SIGMA / half) for _ in "xy"] for _ in range(pairs)]


def own_seed(half, pairs, rng):
    return np.random.default_rng(0).normal(0, SIGMA / half, (pairs, 2))


def one_speed(half, pairs, rng):
    """A ring: J₀ is ½ at 1.521, and −0.40 later."""
    angle = 2 * np.pi * rng.random(pairs)
    return 1.521 / half * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def clock(half, pairs, rng):
    """The clock's speeds in all directions."""
    speed = angular_frequencies(2 * pairs)
    angle = 2 * np.pi * rng.random(pairs)
    return np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1)


def on_axes(half, pairs, rng):
    frequencies = normal(half, pairs, rng)
    frequencies[: pairs // 2, 0] = frequencies[pairs // 2 :, 1] = 0
    return frequencies


def test_round_frequencies():
    hold(
        checks.round_frequencies,
        right=[normal, by_polar, without_chance, in_a_disk, as_lists, own_seed],
        wrong=[
            (lambda h, n, rng: rng.normal(0, h, (n, 2)), "`half` itself as σ"),
            (lambda h, n, rng: rng.normal(0, 1 / h, (n, 2)), "0.61"),
            (lambda h, n, rng: rng.normal(0, 2 * np.pi / h, (n, 2)), "2π times too fast"),
            (lambda h, n, rng: rng.normal(0, 1 / h**2, (n, 2)), "the units do not fit"),
            (lambda h, n, rng: rng.normal(0, math.sqrt(2) / h, (n, 2)), "0.37"),
            (lambda h, n, rng: rng.normal(0, SIGMA * h, (n, 2)), "where ½ is wanted"),
            (lambda h, n, rng: rng.normal(0, SIGMA, (n, 2)), "where ½ is wanted"),
            (one_speed, "far places should not be alike"),
            (clock, "½"),
            (on_axes, "It is not round"),
            (lambda h, n, rng: normal(h, n, rng) * [1, 0], "It is not round"),
            (lambda h, n, rng: rng.normal(0, SIGMA / h, n), "should be"),
            (lambda h, n, rng: normal(h, n, rng).T, "Rows and columns are exchanged"),
            (lambda h, n, rng: rng.normal(0, SIGMA / h, (n, 1)), "should be"),
            (lambda h, n, rng: abs(rng.normal(0, SIGMA / h, (n, 2))), "not round"),
            (lambda h, n, rng: np.zeros((n, 2)), "½ is wanted"),
        ],
    )


def test_a_round_one_that_is_half_too_soon_and_then_level_is_refused():
    def two_speeds(half, pairs, rng):
        """Half of the pairs stand still, the others are so fast that they give nothing."""
        frequencies = rng.normal(0, 40 / half, (pairs, 2))
        frequencies[::2] = 0
        return frequencies

    assert "near places should be alike" in is_wrong(checks.round_frequencies, two_speeds)


def test_the_answers_depend_on_no_luck():
    for seed in range(5):

        def seeded(half, pairs, rng, seed=seed):
            return np.random.default_rng(seed).normal(0, SIGMA / half, (pairs, 2))

        is_right(checks.round_frequencies, seeded)
    assert feedback_of(checks.round_frequencies, normal).passed
