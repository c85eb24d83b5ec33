"""The exercise of lab A, *Codes and noise*."""

import numpy as np

from ._answers import Unreadable, read
from ._exercise import Exercise


def _run_fooled(example):
    """Return 0, or raise `Unreadable` with what keeps the product from being fooled."""
    pair = isinstance(example, (tuple, list)) and len(example) == 2
    if not pair or any(part is None for part in example):
        raise Unreadable("something else than a pair, `received` and `table`.")
    received, table = (read(part, np.zeros(2)) for part in example)
    if received.ndim == 2 and table.ndim == 1:
        raise Unreadable("exchanged: `received` comes first, then `table`.")
    if received.ndim != 1 or table.ndim != 2 or table.shape[1:] != received.shape or len(table) < 2:
        shapes = f"of the shapes {received.shape} and {table.shape}, where `received` should be"
        words = "one row, and `table` should have at least two rows, each as wide as `received`."
        raise Unreadable(f"{shapes} {words}")
    if not (np.isfinite(received).all() and np.isfinite(table).all()):
        raise Unreadable("not finite in all its numbers, or NaN (not a number).")
    products, distances = table @ received, np.linalg.norm(table - received, axis=1)
    said, nearest = products.argmax(), distances.argmin()
    lengths = np.linalg.norm(table, axis=1)
    if said == nearest:
        second = np.argsort(distances)[1]
        words = (
            f"no such pair: row {said} has the largest product and is the nearest, too. Its "
            f"distance is {distances[said]:.4g}, that of row {second} {distances[second]:.4g}."
        )
        if np.allclose(lengths, lengths[0]):
            words += " All rows have one length here, and then the two always agree."
        raise Unreadable(words)
    if distances[said] - distances[nearest] <= 1e-6 * max(*lengths, np.linalg.norm(received)):
        raise Unreadable(f"undecided: rows {said} and {nearest} are equally near to `received`.")
    if 0 < products[said] - products[nearest] < 1e-9 * np.abs(products).max():
        raise Unreadable("undecided: the two largest products differ by rounding only.")
    return 0


fooled = Exercise(
    "fooled",
    task="a pair (received, table) whose largest product is not with the nearest row",
    reference=([1, 0], [[1, 0], [3, 3]]),
    run=_run_fooled,
    correct="A long row wins the product without being near. Among rows of one length, none can.",
)
