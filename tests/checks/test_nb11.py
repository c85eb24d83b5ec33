"""The exercises of notebook 11, *Two dimensions*."""

import numpy as np

from posenc.checks import nb11
from posenc.encodings import sinusoidal, sinusoidal_2d

from .answers import told


def by_pictures(frames, rows, columns, width):
    """Encode a picture in two thirds of the width, again for each frame."""
    picture = sinusoidal_2d(rows, columns, 2 * width // 3)
    frame = np.repeat(sinusoidal(frames, width // 3), len(picture), axis=0)
    return np.hstack([np.tile(picture, (frames, 1)), frame]).tolist()


def in_a_disk(half, pairs, rng):
    """Take a uniform disk: 2 J₁(x)/x is ½ at 2.215."""
    speed, angle = 2.215 / half * np.sqrt(rng.random(pairs)), 2 * np.pi * rng.random(pairs)
    return np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=1)


def lattice(half, pairs, rng):
    """Give each axis multiples of one frequency: all is back after 8 times `half`."""
    step = 2 * np.pi / (8 * half)
    return step * np.round(rng.normal(0, 1.18 / half, (pairs, 2)) / step)


ANSWERS = {
    nb11.first_farther: {"right": [40], "wrong": {"0.7618 of the largest": 39}},
    nb11.positions_3d: {
        "right": [by_pictures],
        "wrong": {
            "the third of x and that of y. At": lambda f, r, c, w: by_pictures(f, c, r, w),
            "the third of the frame. At": lambda f, *rest: by_pictures(1, *rest) * f,
        },
    },
    nb11.round_frequencies: {
        "right": [in_a_disk],
        "wrong": {
            "But 40 away it's 1.00 in some direction": lattice,
            "be lower?": lambda h, n, rng: rng.normal(0, 1.18 * h, (n, 2)),
            "directions differ?": lambda h, n, rng: in_a_disk(h, n, rng) * [1.35, 0.7],
        },
    },
}

test_answers = told(ANSWERS)
