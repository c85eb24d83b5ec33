"""The exercises of notebook 1, *The formula*."""

import math

import numpy as np

from posenc.checks import nb01
from posenc.encodings import sinusoidal

from .asking import told


def by_numbers(positions, width):
    table = []
    for t in positions:
        row = []
        for k in range(width // 2):
            angle = t / 10_000 ** (2 * k / width)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return table


def by_complex(positions, width):
    frequencies = np.exp(-np.log(10_000) * np.arange(width // 2) * 2 / width)
    z = 1j * np.exp(-1j * np.multiply.outer(np.array(positions, dtype=float), frequencies))
    return np.ascontiguousarray(z).view(float)


def by_loops(table):
    length, width = table.shape
    for t in range(length):
        for k in range(width // 2):
            angle = t / 10_000 ** (2 * k / width)
            wrong = abs(table[t, 2 * k] - math.sin(angle)) > 1e-6
            if wrong or abs(table[t, 2 * k + 1] - math.cos(angle)) > 1e-6:
                return t, k
    return None


def differs(x, y):
    return abs(x - y) > 1e-6


def by(test=differs, place=lambda t, column: (t, column // 2), nothing=None):
    """Return a search along the rows with a test, a place, and a word for nothing of its own."""

    def search(table):
        formula = np.array(by_numbers(range(len(table)), table.shape[1]))
        wrong = test(np.asarray(table), formula)
        return place(*np.argwhere(wrong)[0]) if wrong.any() else nothing

    return search


def down_the_columns(table):
    found = by(place=lambda column, t: (t, column // 2), test=lambda x, y: differs(x, y).T)
    return found(table)


def from_row_to_row(table):
    """Turn each row to compare it with the next, so that a slow drift is never seen."""
    z = np.asarray(table)[:, 1::2] + 1j * np.asarray(table)[:, 0::2]
    turned = z[:-1] * np.exp(1j * 10_000.0 ** (-2 * np.arange(z.shape[1]) / z.shape[1] / 2))
    errors = z - np.vstack([np.ones(z.shape[1]), turned])
    places = np.argwhere(np.maximum(abs(errors.real), abs(errors.imag)) > 1e-6)
    return tuple(places[0].tolist()) if len(places) else None


def waves(frequencies, longest=1):
    def function(length, width):
        angles = np.outer(np.arange(length) / longest, frequencies(width))
        return np.hstack([np.sin(angles), np.cos(angles)])

    return function


def gray_code(length, width):
    positions = np.arange(length)
    return 2.0 * ((positions ^ positions >> 1)[:, None] >> np.arange(width) & 1) - 1


def unseeded(length, width):
    frequencies = np.random.default_rng().uniform(0.1, 3, width // 2)
    return waves(lambda width: frequencies)(length, width)


def shorter_and_wider(length, width):
    return gray_code(length, width + (length < 20))


ANSWERS = {
    nb01.my_encoding: {
        "right": [waves(lambda d: 30.0 ** (-2 * np.arange(d // 2) / d)), gray_code],
        "wrong": {
            "page's own": lambda n, d: (
                -sinusoidal(n, d)[:, np.random.default_rng(2).permutation(d)]
            ),
            "It is not bounded: 2 stands in": lambda n, d: np.outer(np.arange(n), np.ones(d)),
            "another row 1 for length 3": lambda n, d: np.outer(np.arange(n) / n, np.ones(d)),
            "The steps are not equal": lambda n, d: (np.arange(n)[:, None] >> np.arange(d)) % 2,
            "rows 0 and 16 are only 0 apart": lambda n, d: np.eye(d)[np.arange(n) % d],
            "as all neighbors are": waves(lambda d: np.arange(1, d // 2 + 1) / 300),
            "Is there chance in it?": unseeded,
            "of shape (3, 17) for length 3": shorter_and_wider,
        },
    },
    nb01.slow_pairs: {
        "right": [len([k for k in range(128) if math.tau * 10_000 ** (k / 128) > 200]), [79.0]],
        "wrong": {"too large. Pair k has": 256, "too small. Pair k has": 0},
    },
    nb01.encoding: {
        "right": [by_numbers, by_complex],
        "wrong": {
            "Row 1 is the encoding of 8, and should be": lambda p, d: by_complex(
                p[0] + np.arange(len(p)), d
            ),
            "Row 1 is the encoding of 2, and should be": lambda p, d: by_complex(np.floor(p), d),
            "has two rows": lambda p, d: by_complex(list(dict.fromkeys(p)), d),
            "makes an array of it": lambda p, d: by_complex(p[:, None][:, 0], d),
            "a sine and its cosine": lambda p, d: np.sin(np.outer(p, np.ones(d))),
            "The row of position 0": lambda p, d: by_complex(np.add(p, 1), d),
        },
    },
    nb01.first_wrong: {
        "right": [by_loops, by()],
        "wrong": {
            "a table that is right up to rounding": by(lambda x, y: x != y),
            "a right table in float32": by(lambda x, y: abs(x - y) > 1e-12),
            "one of 0.000003 in row 8": by(lambda x, y: ~np.isclose(x, y)),
            "where (4, 1) should be": by(lambda x, y: x - y > 1e-6),
            "returns 0, where `None` should be": by(nothing=False),
            "shape (0, 0), where `None` should be": by(nothing=np.empty((0, 0))),
            "returns 3, where (3, 2) should be": by(place=lambda t, column: t),
            "drifts by a little": from_row_to_row,
            "larger ones behind it": down_the_columns,
        },
    },
}

test_answers = told(ANSWERS)
