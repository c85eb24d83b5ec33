"""The exercises of notebook 11, *Two dimensions*."""

import math

import numpy as np

from posenc.checks import nb11
from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import sinusoidal_2d

from .asking import feedback_of, is_right, told

TABLE = sinusoidal_2d(5, 70, 256).reshape(5, 70, 256)
THERE, ALONG = TABLE[0, 0] @ TABLE[4, 4], TABLE[0] @ TABLE[0, 0]


def test_first_farther():
    assert np.abs(ALONG - THERE).min() > 0.05  # far more than rounding


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


def by_pictures(frames, rows, columns, width):
    """A picture of two thirds, again for each frame."""
    picture = sinusoidal_2d(rows, columns, 2 * width // 3)
    frame = np.repeat(sinusoidal(frames, width // 3), len(picture), axis=0)
    return np.hstack([np.tile(picture, (frames, 1)), frame]).tolist()


def by_stacking(frames, rows, columns, width):
    third = width // 3
    x = np.tile(sinusoidal(columns, third), (frames * rows, 1))
    y = np.tile(np.repeat(sinusoidal(rows, third), columns, axis=0), (frames, 1))
    z = np.repeat(sinusoidal(frames, third), rows * columns, axis=0)
    return np.hstack([x, y, z])


def column_by_column(frames, rows, columns, width):
    table = by_stacking(frames, rows, columns, width).reshape(frames, rows, columns, width)
    return table.swapaxes(1, 2).reshape(-1, width)


def ten_by_ten(frames, rows, columns, width):
    """Right for up to ten of each, as a table of ten positions would be."""
    short = [sinusoidal(10, width // 3)[np.arange(n) % 10] for n in (columns, rows, frames)]
    y, x = np.indices((rows, columns)).reshape(2, -1)
    picture = np.hstack([short[0][x], short[1][y]])
    return np.hstack([np.tile(picture, (frames, 1)), np.repeat(short[2], len(picture), axis=0)])


def ten_frames(frames, rows, columns, width):
    table = by_stacking(frames, rows, columns, width)
    return np.where(np.arange(len(table))[:, None] < 10 * rows * columns, table, 0)


def is_round(reach, muted):
    """As the exercise says it, in plain Python."""
    heard = [10 ** (-k / 16) for k in range(muted, 64)]
    for r in range(1, reach + 1):
        along, aslant = (
            sum(math.cos(w * x) + math.cos(w * y) for w in heard) / (2 * len(heard))
            for x, y in ((r, 0), (r / math.sqrt(2), r / math.sqrt(2)))
        )
        if abs(along - aslant) > 0.01:
            return False
    return True


def one_by_one(reach):
    return next(muted for muted in range(64) if is_round(reach, muted))


def by_halving(reach):
    """Round stays round when another pair is muted, so that halving finds the border."""
    least, most = 0, 63
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if is_round(reach, middle) else (middle + 1, most)
    return least


def test_ten_times_as_far_is_about_seventeen_pairs_more():
    assert [one_by_one(reach) for reach in (1, 5, 10, 14, 20, 100, 300)] == [
        *(0, 6, 11, 13, 16, 27, 36)
    ]
    more = [one_by_one(10 * reach) - one_by_one(reach) for reach in range(5, 40)]
    assert np.median(more) == 17
    assert set(more) <= {16, 17, 18}


SIGMA = math.sqrt(2 * math.log(2))


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


def one_speed(half, pairs, rng):
    """A ring: J₀ is ½ at 1.521, and −0.40 later."""
    angle = 2 * np.pi * rng.random(pairs)
    return 1.521 / half * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def two_speeds(half, pairs, rng):
    """Half of the pairs stand still, the others are so fast that they give nothing."""
    frequencies = rng.normal(0, 40 / half, (pairs, 2))
    frequencies[::2] = 0
    return frequencies


def lattice(half, pairs, rng):
    """Each axis has frequencies that are multiples of one: all is back after 8 times `half`."""
    step = 2 * np.pi / (8 * half)
    return step * np.round(rng.normal(0, SIGMA / half, (pairs, 2)) / step)


def slanted_lattice(half, pairs, rng):
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    return lattice(half, pairs, rng) @ turn


def test_round_frequencies():
    exercise = nb11.round_frequencies
    for seed in range(5):
        is_right(
            exercise,
            lambda h, n, _, seed=seed: np.random.default_rng(seed).normal(0, SIGMA / h, (n, 2)),
        )
    # The generator that a case holds is not used up: the same answer is told the same again.
    for answer in (one_speed, lattice, lambda h, n, rng: rng.normal(0, 1 / h, (n, 2))):
        told = [feedback_of(exercise, answer).message for _ in range(3)]
        assert told[0] == told[1] == told[2]


ANSWERS = {
    nb11.first_farther: {
        "right": [np.argmax(ALONG < THERE), np.flatnonzero(ALONG < THERE)[0]],
        "wrong": {"too large. Its product is": 53, "an array of shape (70,)": ALONG},
    },
    nb11.round_frequencies: {
        "right": [without_chance, in_a_disk],
        "wrong": {
            "/half, and e^(−σ²r²/2) should be": lambda h, n, rng: rng.normal(0, SIGMA * h, (n, 2)),
            "where ½ is wanted.": lambda h, n, rng: rng.uniform(-1, 1, (n, 2)) / h,
            "where it should be about 0": one_speed,
            "2.5 away it is only 0.4": two_speeds,
            "But 40 away it is 1.00 in some direction": lattice,
            "It is ½ where it should be. But 41 away": slanted_lattice,
            "It is not round: 5 away": lambda h, n, rng: without_chance(h, n, rng) * [1, 0],
            "It is not round": lambda h, n, rng: rng.normal(0, SIGMA / h, (n, 2)) * [1.35, 0.7],
        },
    },
    nb11.positions_3d: {
        "right": [by_pictures, by_stacking],
        "wrong": {
            "Each row holds the right numbers": lambda *sizes: np.roll(
                by_stacking(*sizes), sizes[3] // 3, axis=1
            ),
            "Each column holds the right numbers": column_by_column,
            "not for a single row": ten_by_ten,
            "Right for a single row, but not for 14 frames": ten_frames,
        },
    },
    nb11.pairs_to_mute: {
        "right": [one_by_one, by_halving],
        "wrong": {
            "It returns 0 in every case": lambda reach: 0,
            "not for a reach of 33": lambda reach: one_by_one(min(reach, 14)),
            "not for a reach of 300": lambda reach: one_by_one(min(reach, 33)),
        },
    },
}

test_answers = told(ANSWERS)
