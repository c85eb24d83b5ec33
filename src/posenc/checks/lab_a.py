"""The exercise of lab A, *Codes and noise*."""

import numpy as np

from ._compare import numbers
from ._exercise import Exercise


def _largest_product_and_nearest(pair):
    row, table = map(numbers, pair)
    if np.ndim(row) != 1 or np.shape(table)[1:] != np.shape(row) or len(table) < 2:
        return "not one row, and then a table of two rows or more, each as wide"
    if not (np.isfinite(row).all() and np.isfinite(table).all()):
        return "not all made of finite numbers"
    products, apart = table @ row, np.linalg.norm(table - row, axis=1)
    rows = [products.argmax(), apart.argmin()]
    return np.array([*rows, *apart[rows], *products[rows], np.ptp(np.linalg.norm(table, axis=1))])


def _judge(result):
    said, nearest, far, near, product, other, spread = result
    if said == nearest:
        ask = "What else makes a product large?" if spread > 1e-9 else "All rows have one length."
        return f"Row {said:g} has the largest product, and at {far:.4g} no row is nearer. {ask}"
    tie = far - near <= 1e-9 * far or 0 < product - other < 1e-9 * abs(product)
    return f"Rows {said:g} and {nearest:g} are equally good, but for rounding." if tie else ""


fooled = Exercise(
    "fooled",
    task="a pair (received, table) whose largest product is not with the nearest row",
    reference=([1, 0], [[1, 0], [3, 3]]),
    read=_largest_product_and_nearest,
    judge=_judge,
    correct="A long row wins the product without being near. Among rows of one length, none can.",
)
