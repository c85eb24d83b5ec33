"""How far tables, shifts and distances are from the formula, by an oracle of forty digits."""

import functools

import mpmath
import numpy as np

SHIFT = 100  # positions by which a table is shifted


def pairs(table):
    """Return the sines and cosines of a table whose columns 2k and 2k+1 are a pair."""
    return table[:, 0::2], table[:, 1::2]


def halves(table):
    """Return the sines and cosines of a table that has all sines before all cosines."""
    return np.split(table, 2, axis=1)


# Where sines and cosines are in tables without pairs, and 1 if already the last column has the
# frequency 1/10000, which the formula would reach with the next one.
COLUMNS = {
    "transformers, Whisper": (halves, 1),
    "timm": (lambda table: np.split(table, 4, axis=1)[::2], 0),  # without the second axis
    "x-transformers": (lambda table: halves(table * table.shape[1] ** 0.5), 0),
}


@functools.cache
def oracle(positions, columns, steps):
    """Return sines and cosines in 40 digits, rounded once to float64, one row a position.

    Column k has the frequency 10000 ** (-k / steps).
    """
    with mpmath.workdps(40):
        rates = [mpmath.mpf(10_000) ** (-mpmath.mpf(k) / steps) for k in range(columns)]
        exact = [[mpmath.cos_sin(rate * t) for rate in rates] for t in positions]
    return np.moveaxis(np.array(exact).astype(float), 2, 0)[::-1]


def of_table(name, table, width, first=0):
    """Return the largest error of a number, and of a row in units of a step to the next row.

    Both come from 26 rows, from the first, at the position `first`, to the last. Each package is
    compared with its own columns and frequencies.
    """
    columns, less = COLUMNS.get(name, (pairs, 0))
    table = np.asarray(table).reshape(-1, width)
    rows = np.linspace(0, len(table) - 1, 26).astype(int).tolist()
    parts = np.array(columns(table[rows].astype(float)))
    frequencies = parts.shape[2], parts.shape[2] - less
    differences = parts - oracle(tuple(first + t for t in rows), *frequencies)
    step = 2 * np.linalg.norm(oracle((0.5,), *frequencies)[0])
    farthest = np.linalg.norm(differences, axis=(0, 2)).max()
    return {"error": abs(differences).max(), "of a step": farthest / step}


def of_shift(name, table, width):
    """Return the largest error of a table that is shifted by `SHIFT`; all of them have pairs."""
    return {"error": of_table("", table, width, first=SHIFT)["error"]}


def of_distances(name, matrix, width):
    """Return the largest error of a matrix of distances, the diagonal included."""
    error, offsets = 0.0, np.geomspace(1, len(matrix) - 1, 16).round().astype(int).tolist()
    for offset in {0, *offsets}:
        exact = 2 * np.linalg.norm(oracle((offset / 2,), width // 2, width // 2)[0])
        for side in (offset, -offset):
            error = max(error, abs(np.diag(matrix, side) - exact).max())
    return {"error": error}
