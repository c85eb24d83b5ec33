"""The exercises of notebook 1, *The formula*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal, sinusoidal_by_definition
from posenc.grids import fourier_features
from posenc.layouts import to_halves

from ._answers import Unreadable, is_blank, read
from ._exercise import Case, Exercise

_WAVELENGTHS = 2 * np.pi / angular_frequencies(256)
_SLOW = np.sum(_WAVELENGTHS > 200)

slow_pairs = Exercise(
    "slow_pairs",
    task="the number of pairs whose wavelength is longer than 200 positions, of 256 columns",
    reference=_SLOW,
    mistakes={
        "Those do finish a turn, or it is the first that does not. How many do not?": 128 - _SLOW,
        "You counted columns. Each pair has two.": 2 * _SLOW,
        "Those stay under half a turn. A whole one is asked about.": np.sum(_WAVELENGTHS > 400),
        "You compared 1/ω with 200. That is how many steps it takes to turn by one radian, and not "
        "by one whole turn.": np.sum(_WAVELENGTHS / (2 * np.pi) > 200),
        "That is all of them. The first pair turns once in about 6 positions.": 128,
        "It is off by one. The last pair is number 127, and the first slow one counts too.": 78,
        "It is off by one: pair 48 has the wavelength 198.7, and the last pair is number 127.": 80,
    },
    hint="Pair k has the wavelength 2π · 10000^(2k/256): for which k is it longer than 200?",
    correct="Most of the table is slow: that is why its right half looks like smooth stripes.",
)


def _table(positions, width):
    return fourier_features(positions, angular_frequencies(width))


def _with_exponents(sine, cosine=None):
    """Return the mistake that divides by 10000 to the power of other exponents than 2k/d."""

    def table(positions, width):
        k = np.arange(width // 2)
        parts = [
            function(np.outer(positions, 10_000.0 ** -exponent(k, width)))
            for function, exponent in ((np.sin, sine), (np.cos, cosine or sine))
        ]
        return np.stack(parts, axis=-1).reshape(len(positions), width)

    return table


_other_cosines = _with_exponents(lambda k, d: 2 * k / d, lambda k, d: (2 * k + 1) / d)


def _explain_table(table, right, positions, width):
    if not np.allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1, atol=1e-4):
        return (
            "Columns 2k and 2k + 1, a sine and its cosine, have squares that sum to 1 in each row."
        )
    if positions[0] == 0 and not np.allclose(table[0], right[0]):
        return "The row of position 0 should be 0, 1, 0, 1 and so on: sines of 0 and cosines of 0."
    row = np.flatnonzero(~np.isclose(table, right).all(axis=1))[0]
    of_others = np.isclose(_table(np.arange(-200, 200), width), table[row]).all(axis=1)
    return "".join(
        f"Row {row} is the encoding of {other - 200}, and should be that of {positions[row]:g}."
        for other in np.flatnonzero(of_others)[:1]
    )


encoding = Exercise(
    "encoding",
    task="the table with a row for each of the `positions` and `width` columns",
    reference=_table,
    cases=[
        Case(np.array([0]), 2),
        Case(np.arange(6), 8),
        (np.arange(101, 105), 6),
        Case(np.array([7, 2.5, -3.25, 50_000.3]), 10, label="positions 7, 2.5, −3.25, 50000.3"),
        Case(np.array([6, 2, 9, 2, 2]), 6, hint="A position that stands there twice has two rows."),
        Case([-3, 5], 4, label="the list [−3, 5]"),
    ],
    label="positions {positions} and width {width}",
    mistakes={
        "Cosine and sine of a pair have two frequencies, so that sin² + cos² is not 1. Look at the "
        "exponent of the cosine.": _other_cosines,
        "Both frequencies of a pair are equal, as they should be, but too large for every pair "
        "after the first: 10000 has the exponent 2k/d, not k/d.": _with_exponents(
            lambda k, d: k / d
        ),
        "All sines come first, then all cosines. The numbers are right, but here the two of a pair "
        "stand side by side.": lambda t, width: _table(t, width)[:, to_halves(np.arange(width), 1)],
    },
    explain=_explain_table,
    correct="Each position is d/2 points on circles, so every row has the same length, √(d/2).",
)


def _marred(length, width, changes):
    """Return a table of positions from 0 on, with something added at some (row, column)."""
    table = sinusoidal(length, width)
    for place, error in changes.items():
        table[place] += error
    return table


def _where_wrong(place=lambda row, column: (row, column // 2)):
    """Return a search for errors larger than 1e-6 along the rows, that gives a place so."""

    def search(table):
        errors = np.asarray(table) - sinusoidal_by_definition(*np.shape(table))
        places = np.argwhere(np.abs(errors) > 1e-6)
        return tuple(place(*places[0].tolist())) if len(places) else None

    return search


first_wrong = Exercise(
    "first_wrong",
    task="position and pair of the first place where `table` leaves the formula, or None",
    reference=_where_wrong(),
    cases=[
        Case(_marred(20, 8, {(9, 2): 1e-15}), label="a table that is right up to rounding"),
        Case(_marred(12, 8, {(3, 4): 0.2}), label="one wrong sine in row 3, column 4"),
        Case(_marred(12, 8, {(5, 3): 0.2}), label="one wrong cosine in row 5, column 3"),
        Case(_marred(12, 8, {(0, 0): 0.1}), label="a wrong first number"),
        Case(
            _marred(12, 8, {(4, 3): -0.001, (4, 6): 0.3, (9, 0): 0.5}),
            label="a small negative error in row 4, column 3, and larger ones behind it",
        ),
        Case(sinusoidal(1000, 6).astype(np.float32), label="a right table in float32"),
        Case(
            _marred(12, 6, {(1, 0): 6e-7, (1, 1): 6e-7, (8, 5): 3e-6}),
            label="errors of 0.0000006 in row 1 and one of 0.000003 in row 8, column 5",
        ),
        Case(sinusoidal(6, 4, start=1), label="a table that begins with position 1"),
        Case(fourier_features(np.arange(9), [1 + 5e-7]), label="a table that drifts by a little"),
    ],
    mistakes={
        "You give the column. Its pair is wanted, which is half of it, rounded down: columns 2k "
        "and 2k + 1 are pair k.": _where_wrong(lambda row, column: (row, column))
    },
    correct="Where a table first goes wrong often tells why: in row 0, or at position 1 in every "
    "pair, or late and slowly.",
)


def _own_columns(table, width):
    """Tell whether the columns are those of the page, in any order, with any sign or scale."""
    table = table / np.abs(table).max(initial=1e-9)
    for start in (0, 1):
        page = sinusoidal(len(table), width, start=start).T[:, :, None]
        apart = np.minimum(np.abs(page - table).max(axis=1), np.abs(page + table).max(axis=1))
        if (apart.min(axis=0) < 1e-3).all() and (apart.min(axis=1) < 1e-3).all():
            return True
    return False


def _build(function, length, width):
    """Return a student's table, if shorter ones, one of them built twice, have the same rows."""
    table = function(length, width)
    if is_blank(table):
        return table
    table = read(table, 0.0)
    if np.shape(table) != (length, width):
        return table
    for rows in sorted({min(length, 3), length // 3 + 1}):
        shorter, again = (read(function(rows, width), 0.0) for _ in "ab")
        if np.shape(shorter) != np.shape(table[:rows]):
            raise Unreadable(f"an array of shape {np.shape(shorter)} for length {rows}.")
        if not np.allclose(again, shorter, rtol=0, atol=1e-9, equal_nan=True):
            raise Unreadable("two tables when it is called twice. Is there chance in it?")
        others = np.flatnonzero(np.abs(table[:rows] - shorter).max(axis=1) > 1e-9)
        if len(others):
            raise Unreadable(
                f"another row {others[0]} for length {length} than for length {rows}. A position "
                "should have one encoding, however long the table is. Is every number written?"
            )
    return table


def _judge_encoding(table, length, width):
    if length > 20 and _own_columns(table[:60], width):
        return "That is the page's own encoding, or nearly, in some order or size. Invent another."
    outside = np.argwhere(np.abs(table) > 1 + 1e-6)
    if len(outside):
        row, column = outside[0]
        return (
            f"It is not bounded: {table[row, column]:.6g} stands in row {row}, column {column}. "
            "Every number should lie between −1 and 1."
        )
    steps = np.linalg.norm(np.diff(table, axis=0), axis=1)
    squares = np.sum(table**2, axis=1)
    apart = np.sqrt(np.clip(squares[:, None] + squares - 2 * table @ table.T, 0, None))
    apart[np.tril_indices(length)] = np.inf
    if length > 1 and apart.min() < 0.1 - 1e-6:
        first, second = np.argwhere(apart < apart.min() + 1e-9)[0]
        others = ", as all neighbors are" if steps.max() < apart.min() + 1e-9 else ""
        return (
            f"It is not unique: rows {first} and {second} are only {apart.min():.4g} apart{others},"
            " and no two should be nearer than 0.1."
        )
    if length > 2 and np.ptp(steps) > 1e-5:
        low, high = steps.argmin(), steps.argmax()
        return (
            f"The steps are not equal: from row {low} to row {low + 1} it is {steps[low]:.6g} "
            f"far, from row {high} to row {high + 1} {steps[high]:.6g}. In a pair a cosine moves "
            "more where its sine moves less. What makes up for what here?"
        )
    return ""


my_encoding = Exercise(
    "my_encoding",
    task="an encoding of your own that is bounded and unique, with equal steps, for any length",
    reference=lambda length, width: sinusoidal(length, width, base=100),
    cases=[(3, 16), (40, 16), (1, 16), (2, 16), (700, 32), (300, 64), (2000, 16)],
    label="length {length} and width {width}",
    run=_build,
    judge=_judge_encoding,
    correct="So these four properties do not lead to sinusoids alone. What those have besides, one "
    "move for all steps, is the subject of notebook 4.",
)
