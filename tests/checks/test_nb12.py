"""The exercises of notebook 12, *Whose encoding is this?*."""

import numpy as np

from posenc.checks import nb12
from posenc.shifts import shift_matrix

from .answers import told


def by_hand(table):
    """Return the convention by sums of squares, arctangents and least squares."""
    rows, m = np.flatnonzero(table.any(axis=1)), table.shape[1] // 2
    columns = table[rows].astype(float).T
    apart = 1 + np.std(columns[0] ** 2 + columns[1:] ** 2, axis=1).argmin()
    pairs = np.arange(0, 2 * m, 2) if apart == 1 else np.arange(m)
    angles = np.unwrap(np.arctan2(columns[pairs], columns[pairs + apart])).T
    speeds, first = np.linalg.lstsq(np.stack([rows, rows**0], axis=1), angles, rcond=None)[0]
    cosine = speeds[0] < 0
    if cosine:
        speeds, first = -speeds, np.pi / 2 - first
    k = np.arange(m) - (m - 1) / 2
    start = ((first[-1] + 0.1) % (2 * np.pi) - 0.1) / speeds[-1]
    return [apart, cosine, speeds[0], np.exp(-k @ np.log(speeds) / (k @ k)), start]


def by_search(before, after):
    rows = len(before)
    for width in (n for n in range(4, rows + 1) if rows % n == 0):
        for turned in range(4, width + 1, 2):
            heads = np.arange(rows).reshape(-1, width)
            order = [heads[:, :turned:2], heads[:, 1:turned:2], heads[:, turned:]]
            if np.array_equal(before[np.hstack(order).ravel()], after):
                return rows // width, turned


def by_matrices(cache, query, key, frequencies):
    M = shift_matrix(frequencies, len(cache))
    return np.concatenate([cache, [M @ key]]) @ (M @ query)


ANSWERS = {
    nb12.convention_of: {
        "right": [by_hand],
        "wrong": {
            "What's off: the partner.": lambda table: [1, *by_hand(table)[1:]],
            "not for a late start": lambda table: np.minimum(by_hand(table), 60),
        },
    },
    nb12.how_reordered: {
        "right": [by_search],
        "wrong": {"not for 72 heads": lambda *given: np.minimum(by_search(*given), [32, 999])},
    },
    nb12.repaired_scores: {
        "right": [by_matrices],
        "wrong": {"how far is each one turned?": lambda *given: by_matrices(*given)[::-1]},
    },
}

test_answers = told(ANSWERS)
