"""How far tables, shifts and distances are from the formula, by an oracle of forty digits."""

import functools

import mpmath
import numpy as np
import peers

SHIFT = 100  # positions by which a table is shifted


@functools.cache
def oracle(positions, columns, pairs):
    """Return sines and cosines in 40 digits, rounded once to float64, one row a position.

    Column k has the frequency 10000 ** (-k / pairs).
    """
    with mpmath.workdps(40):
        rates = [mpmath.mpf(10_000) ** (-mpmath.mpf(k) / pairs) for k in range(columns)]
        exact = [[mpmath.cos_sin(rate * t) for rate in rates] for t in positions]
    return np.moveaxis(np.array(exact).astype(float), 2, 0)[::-1]


def some_of(length):
    """Return some of the positions of a table, the last one among them."""
    drawn = np.random.default_rng(0).integers(0, length, 24).tolist()
    return tuple(sorted({*drawn, length // 2, length - 1}))


def of_table(name, function, length, width):
    """Return the largest error of a number, and of a row as a part of a step to the next row.

    Each peer is held to its own frequencies.
    """
    peer = peers.TABLES.get(name) or peers.Table("", None, peers.pairs, lambda d: d // 2)
    rows, pairs = some_of(length), peer.pairs(width)
    parts = np.array(peer.columns(np.asarray(function())[list(rows)].astype(float)))
    found = parts / peer.scale(width) - oracle(rows, parts.shape[2], pairs)
    step = 2 * np.linalg.norm(oracle((0.5,), parts.shape[2], pairs)[0])
    worst_row = np.linalg.norm(found, axis=(0, 2)).max()
    return {"error": abs(found).max(), "of a step": worst_row / step}


def of_shift(name, function, length, width):
    """Return the largest error of a table that is shifted by `SHIFT`."""
    rows, pairs = some_of(length), width // 2
    shifted = np.asarray(function()).reshape(length, width)[list(rows)]
    exact = oracle(tuple(t + SHIFT for t in rows), pairs, pairs)
    return {"error": abs(np.array(peers.pairs(shifted)) - exact).max()}


def of_distances(name, function, length, width):
    """Return the largest error of a matrix of distances, the diagonal included."""
    matrix, error = function(), 0.0
    for offset in {0, *np.geomspace(1, length - 1, 16).round().astype(int).tolist()}:
        exact = 2 * np.linalg.norm(oracle((offset / 2,), width // 2, width // 2)[0])
        for side in (offset, -offset):
            error = max(error, abs(np.diag(matrix, side) - exact).max())
    return {"error": error}
