"""The exercises of notebook 1, *The formula*."""

import numpy as np

from posenc.encodings import angular_frequencies, encode, sinusoidal
from posenc.layouts import to_halves

from ._compare import agree, numbers
from ._exercise import Exercise


def _table(positions, width, base=10_000):
    return encode(positions, angular_frequencies(width, base=base))


def _hint_pair(table, right, positions, width):
    t, k = np.argwhere(~np.isclose(table, right, 1e-5, 1e-5))[0] // [1, 2]
    (sine, cosine), wanted = (x[t, 2 * k : 2 * k + 2] for x in (table, right))
    given = f"Position {positions[t]:.9g} turns pair {k} to the angle {np.arctan2(*wanted):.4g}"
    given += ", up to whole turns: sine {:.4g}, cosine {:.4g}.".format(*wanted)
    return f"{given} Your row has {sine:.4g} and {cosine:.4g}."


encoding = Exercise(
    "encoding",
    task="the table with a row for each of the `positions` and `width` columns",
    reference=_table,
    cases={
        f"width {width} and positions {positions}": (np.array(positions, dtype=float), width)
        for positions, width in [([0], 2), ([0, 1, 2], 8), ([7, 2.5, -3.25, 50_000.3, 7], 10)]
    }
    | {"an array of the integers 3, 1 and 4 (width 4)": (np.array([3, 1, 4]), 4)},
    slips={
        "Every pair after the first is too fast, as with the exponent k/d. Where does the formula "
        "have a 2?": lambda positions, width: _table(positions, width, base=100),
        "All sines come first, then all cosines. Here the two of a pair stand side by side.": (
            lambda positions, d: _table(positions, d)[:, to_halves(np.arange(d), 1)]
        ),
        "Your rows go on from the first position in steps of 1. Which positions are given?": (
            lambda positions, width: _table(positions[0] + np.arange(len(positions)), width)
        ),
    },
    hint=_hint_pair,
    correct="Each position is d/2 points on circles, so every row has the same length, √(d/2).",
)


def _marred(changes, length=12, width=8):
    """Return a table of positions from 0 on, with something added at some (row, column)."""
    table = sinusoidal(length, width)
    for place, error in changes.items():
        table[place] += error
    return (table,)


def _first(place=lambda row, column: (row, column // 2), nothing=None):
    """Return a search along the rows that gives such a place, or says that there's nothing."""

    def search(table):
        wrong = np.argwhere(np.abs(table - sinusoidal(*table.shape)) > 1e-6)
        return place(*wrong[0].tolist()) if len(wrong) else nothing

    return search


first_wrong = Exercise(
    "first_wrong",
    task="position and pair of the first place where `table` leaves the formula, or None",
    reference=_first(),
    cases={
        "a table that's right up to rounding": _marred({(9, 2): 1e-15}),
        "a wrong sine in row 3, column 4": _marred({(3, 4): 0.2}),
        "an error of −0.001, and larger ones": _marred({(4, 3): -0.001, (4, 6): 0.3, (9, 0): 0.5}),
        "an error of 0.0000006, and a larger one": _marred({(1, 0): 6e-7, (8, 5): -3e-6}),
        "a wrong last number in 1100 rows of 520 columns": _marred({(1099, 519): 2e-6}, 1100, 520),
        "a table that begins with position 1": (sinusoidal(6, 4, start=1),),
    },
    slips={
        "You give the column. Columns 2k and 2k + 1 are pair k: which pair has your column?": (
            _first(lambda row, column: (row, column))
        ),
        "The position comes first, then the pair.": _first(lambda row, column: (column // 2, row)),
        "For a right table it returns (0, 0), which says that its first pair is wrong. How can "
        "you tell the two apart?": _first(nothing=(0, 0)),
    },
    hint="By how much does the table leave the formula there, and at the places before it?",
    tolerance=1e-9,
    correct="Where a table first goes wrong often tells why: in row 0, or at position 1 in every "
    "pair, or late and slowly.",
)


def _build(function, length, width):
    """Return a student's table, unless a shorter one has other rows."""
    rows = length // 3 + 1
    table, again = numbers(function(length, width)), numbers(function(rows, width))
    if np.shape(table) == (length, width) and not agree(table[:rows], again, 1e-9):
        calls = f"my_encoding({rows}, {width}) than for my_encoding({length}, {width})"
        return f"other rows for {calls}, which should begin with the same ones"
    return table


def _is_the_page_s(table):
    """Tell whether x[t + 1] + x[t - 1] = 2 cos(ω) x[t] in all columns, with all ω of the page."""
    factors = 2 * np.cos(angular_frequencies(table.shape[1]))
    errors = (table[2:] + table[:-2])[..., None] - table[1:-1, :, None] * factors
    same = np.abs(errors).max(axis=0) < 1e-6
    return same.any(axis=0).all() and same.any(axis=1).all()


def _judge_encoding(table, length, width):
    if length > 20 and _is_the_page_s(table[:60]):
        return "These are the page's own waves, whatever their order, size or phase. Invent others."
    if np.abs(table).max() > 1 + 1e-6:
        return f"It isn't bounded by 1: it holds {table.flat[np.abs(table).argmax()]:.6g}."
    squares = np.sum(table**2, axis=1)
    apart = np.sqrt(np.clip(squares[:, None] + squares - 2 * table @ table.T, 0, None))
    apart[np.tril_indices(length)] = 0.1
    if apart.min() < 0.1 - 1e-6:
        s, t = np.argwhere(apart == apart.min())[0]
        how = f"are only {apart.min():.4g} apart" if apart.min() > 1e-6 else "coincide"
        return f"It isn't unique: rows {s} and {t} {how}."
    steps = np.linalg.norm(np.diff(table, axis=0), axis=1)
    for t in np.flatnonzero(np.abs(steps - steps[:1]) > 1e-5):
        lengths = f"the first is {steps[0]:.6g} long, and that from row {t} to row {t + 1} is"
        return f"The steps aren't equal: {lengths} {steps[t]:.6g}. What could make up for that?"
    return ""


my_encoding = Exercise(
    "my_encoding",
    task="an encoding of your own that's bounded and unique, with equal steps, for any length",
    reference=lambda length, width: sinusoidal(length, width, base=100),
    cases={
        f"length {length} and width {width}": (length, width)
        for length, width in [(3, 16), (1, 18), (40, 16), (700, 22), (2000, 16), (2000, 64)]
    },
    read=_build,
    judge=_judge_encoding,
    correct="So many encodings have these four properties. What the page's has besides, one move "
    "for all steps, is the subject of notebook 4.",
)
