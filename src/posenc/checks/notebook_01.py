"""The exercises of notebook 1, *The formula*."""

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal, sinusoidal_by_definition

from ._exercise import Case, Exercise
from ._tables import rows_at

_WAVELENGTHS = 2 * np.pi / angular_frequencies(256)

slow_pairs = Exercise(
    "slow_pairs",
    task="the number of pairs whose wavelength is longer than 200 positions, of 256 columns",
    reference=np.sum(_WAVELENGTHS > 200),
    mistakes={
        "Those are the pairs that do finish a turn, or the number of the first one that does not. "
        "How many pairs do not?": np.sum(_WAVELENGTHS <= 200),
        "You counted columns. Each pair has two.": 2 * np.sum(_WAVELENGTHS > 200),
        "You counted the columns of the pairs that do finish a turn.": 2
        * np.sum(_WAVELENGTHS <= 200),
        "Those are the pairs that stay under half a turn. The question is about a whole one.": (
            np.sum(_WAVELENGTHS / 2 > 200)
        ),
        "You compared 1/ω with 200. That is how many steps one radian takes, not one turn.": (
            np.sum(_WAVELENGTHS / (2 * np.pi) > 200)
        ),
        "You compared with 256, which is the number of columns. How many positions are there?": (
            np.sum(_WAVELENGTHS > 256)
        ),
        "That is the number of the first pair that does not finish a turn, if pairs are counted "
        "from 1. How many such pairs are there?": np.sum(_WAVELENGTHS <= 200) + 1,
        "That is all of them. The first pair turns once in about 6 positions.": 128,
        "The exponent is 2k/256 for pair k. Is your 2 missing, or is `k` a column?": np.sum(
            2 * np.pi * 10_000 ** (np.arange(128) / 256) > 200
        ),
        "It is off by one. The last pair is number 127, and the first slow one counts too.": 78,
        "It is off by one: pair 48 has the wavelength 198.7. Do you round down?": 80,
    },
    explain=lambda count: (
        f"{'More' if count < 79 else 'Fewer'} pairs are that slow. Pair k has the wavelength "
        "2π · 10000^(2k/256): for which k from 0 to 127 is it longer than 200?"
    ),
    correct="Most of the table is slow: that is why its right half looks like smooth stripes.",
)


def _misread(width, *, factor=2, first=0, plus=0):
    """Return 10000^(−(factor·k + plus)/d) for the pairs k from `first` on."""
    pairs = np.arange(first, first + width // 2)
    return 10_000.0 ** (-(factor * pairs + plus) / width)


def _table(positions, width, sine=None, cosine=None):
    """Return an interleaved table with frequencies of its own for the sines and the cosines."""
    sine = angular_frequencies(width) if sine is None else sine
    cosine = sine if cosine is None else cosine
    positions = np.asarray(positions, dtype=float)[:, None]
    pairs = np.stack([np.sin(positions * sine), np.cos(positions * cosine)], axis=-1)
    return pairs.reshape(len(positions), width)


def _explain_table(table, positions, width):
    if not np.allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1, atol=1e-4):
        return "In each pair, sin² + cos² must be 1 at every position, and it is not."
    if positions[0] == 0 and not np.allclose(table[0], _table([0], width)[0]):
        return "The row of position 0 should be 0, 1, 0, 1 and so on: sines of 0 and cosines of 0."
    row = np.flatnonzero(~np.isclose(table, _table(positions, width)).all(axis=1))[0]
    others = np.arange(-200, 200)
    is_other = np.isclose(_table(others, width), table[row]).all(axis=1)
    return "".join(
        f"Row {row} is the encoding of {other}, and should be that of {positions[row]:g}."
        for other in others[is_other][:1]
    )


encoding = Exercise(
    "encoding",
    task="the table with a row for each of the `positions` and `width` columns",
    reference=_table,
    cases=[
        Case(np.array([0]), 2, label="position 0 and width 2"),
        Case(np.arange(6), 8, label="positions 0 to 5 and width 8"),
        Case(
            np.arange(101, 105),
            6,
            label="positions 101 to 104 and width 6",
            hint="The first row is that of position 101.",
        ),
        Case(
            np.array([7.0, 2.5, -3.25]),
            10,
            label="positions 7, 2.5, −3.25 and width 10",
            hint="The positions may be any real numbers, in any order.",
        ),
        Case(
            np.array([6, 2, 9, 2, 2]),
            6,
            label="positions 6, 2, 9, 2, 2 and width 6",
            hint="A position that stands there three times has three rows.",
        ),
        Case(
            [5, 3, 8, 3],
            4,
            label="the list [5, 3, 8, 3] and width 4",
            hint="`np.asarray(positions)` makes an array of a list, and leaves an array as it is.",
        ),
    ],
    mistakes={
        "It takes the numbers of the rows for positions. The rows are those of `positions`: use "
        "them instead of 0, 1, 2 and so on.": lambda positions, width: _table(
            range(len(positions)), width
        ),
        "It sorts the positions. Row i belongs to the position that stands at place i.": (
            lambda positions, width: _table(sorted(positions), width)
        ),
        "It rounds the positions to whole numbers. They may be any real numbers.": (
            lambda positions, width: _table(np.asarray(positions, dtype=int), width)
        ),
        "Your cosines have another frequency than the sines beside them: sin² + cos² of a pair is "
        "not 1. Look at the exponent of the cosine.": lambda positions, width: _table(
            positions, width, cosine=_misread(width, plus=1)
        ),
        "Every column has a frequency of its own. The two columns of a pair should share one: is "
        "the column's number in your exponent?": lambda positions, width: _table(
            positions,
            width,
            sine=_misread(width, factor=4),
            cosine=_misread(width, factor=4, plus=2),
        ),
        "All sines come first and then all cosines. The numbers are right, and that layout is in "
        "use too, but here sine and cosine of a pair stand side by side.": (
            lambda positions, width: np.hstack(
                [_table(positions, width)[:, 0::2], _table(positions, width)[:, 1::2]]
            )
        ),
        "Rows and columns are exchanged: each position should be a row.": (
            lambda positions, width: _table(positions, width).T
        ),
        "The first frequency should be 1, so that column 0 holds the sines of the positions: does "
        "your `k` start at 0?": lambda positions, width: _table(
            positions, width, sine=_misread(width, first=1)
        ),
        "The phases are taken for degrees. They are radians, as `np.sin` expects them.": (
            lambda positions, width: _table(
                positions, width, sine=np.deg2rad(angular_frequencies(width))
            )
        ),
        "There is a factor of 2π too much: an angular frequency is in radians already, not in "
        "whole turns.": lambda positions, width: _table(
            positions, width, sine=2 * np.pi * angular_frequencies(width)
        ),
        "You multiply by the wavelength. The frequency of a pair is 2π divided by it.": (
            lambda positions, width: _table(
                positions, width, sine=2 * np.pi / angular_frequencies(width)
            )
        ),
        "The frequencies grow from pair to pair: look at the sign of the exponent.": (
            lambda positions, width: _table(positions, width, sine=1 / angular_frequencies(width))
        ),
        "The frequencies fall to 1/10000 exactly, because the exponent is divided by d/2 − 1. Some "
        "programs do that; the formula divides `2k` by the width.": (
            lambda positions, width: _table(
                positions, width, sine=10_000.0 ** -np.linspace(0, 1, width // 2)
            )
        ),
        "Both frequencies of a pair are equal, as they should be, but they are too large for every "
        "pair after the first: the exponent is 2k/d, not k/d.": lambda positions, width: _table(
            positions, width, sine=_misread(width, factor=1)
        ),
        "The frequencies fall off twice as fast as they should, in the exponent: is a column's "
        "number doubled once more?": lambda positions, width: _table(
            positions, width, sine=_misread(width, factor=4)
        ),
        "The base is another one. Here it is 10 000.": lambda positions, width: _table(
            positions, width, sine=angular_frequencies(width, base=1000)
        ),
        "All columns are sines: the second one of each pair should be a cosine.": (
            lambda positions, width: _table(positions, width)[:, np.arange(width) // 2 * 2]
        ),
        "Sine and cosine stand in each other's place: which of them is 0 at position 0?": (
            lambda positions, width: _table(positions, width)[
                :, np.arange(width).reshape(-1, 2)[:, ::-1].ravel()
            ]
        ),
    },
    explain=_explain_table,
    correct="Each position is d/2 points on circles, so every row has the same length, √(d/2).",
)


def _marred(length, width, changes, **options):
    """Return a table of positions from 0 on, with something added at some (row, column)."""
    table = sinusoidal(length, width, **options)
    for place, error in changes.items():
        table[place] += error
    return table


def _errors(table):
    return np.asarray(table) - sinusoidal_by_definition(*np.shape(table))


def _found(places):
    """Return the first of some places, rows from the top, as position and pair."""
    return (int(places[0][0]), int(places[0][1]) // 2) if len(places) else None


def _first_wrong(table):
    return _found(np.argwhere(np.abs(_errors(table)) > 1e-6))


def _or_none(change):
    """Return a mistake that makes something else of a place, and lets None be."""

    def mistaken(table):
        place = _first_wrong(table)
        return place and change(table, *place)

    return mistaken


def _other_for_none(value):
    return lambda table: _first_wrong(table) or value


first_wrong = Exercise(
    "first_wrong",
    task="position and pair of the first place where `table` leaves the formula, or None",
    reference=_first_wrong,
    cases=[
        Case(
            sinusoidal(20, 8),
            label="a right table",
            hint="It is right up to rounding, about 1e-16, so None is wanted.",
        ),
        Case(_marred(12, 8, {(3, 4): 0.2}), label="one wrong sine"),
        Case(_marred(12, 8, {(5, 3): 0.2}), label="one wrong cosine"),
        Case(_marred(12, 6, {(6, 0): -0.2}), label="one number that is too small"),
        Case(
            _marred(12, 8, {(4, 6): 0.001, (9, 0): 0.5}),
            label="a small error and a large one below it",
            hint="The first wrong row counts, and the first wrong pair in that row.",
        ),
        Case(_marred(9, 10, {(7, 9): 0.3, (7, 2): 0.1}), label="two errors in one row"),
        Case(
            sinusoidal(30, 6).astype(np.float32),
            label="a right table in float32",
            hint="Rounding to float32 changes a number by 6e-8 at most: allow 1e-6.",
        ),
        Case(
            _marred(12, 6, {(1, 0): 6e-7, (1, 1): 6e-7, (8, 5): 3e-6}),
            label="two errors of 0.0000006 and one of 0.000003",
            hint="Each number by itself may be off by 1e-6. `np.isclose` allows more, a part of "
            "the number, unless `rtol=0` is given.",
        ),
        Case(
            sinusoidal(6, 4, start=1),
            label="a table that begins with position 1",
            hint="Its pairs are points on circles, too: compare with the formula itself.",
        ),
        Case(sinusoidal(6, 4, base=100), label="a table of base 100"),
        Case(
            _table(range(6), 8, cosine=_misread(8, plus=1)),
            label="a table with a wrong exponent in the cosines",
        ),
        Case(
            rows_at(np.arange(9), (1 + 5e-7) * angular_frequencies(2)),
            label="a table that drifts from row to row",
            hint="Each row is nearly what the one before it makes of it, and the errors add up. "
            "Compare with the formula itself.",
        ),
        Case(sinusoidal(1, 2), label="a right table of one row"),
    ],
    mistakes={
        "You give the column. Its pair is wanted: columns 2k and 2k + 1 are pair k.": (
            lambda table: next(
                iter(map(tuple, np.argwhere(np.abs(_errors(table)) > 1e-6).tolist())), None
            )
        ),
        "A pair is a whole number: divide the column by 2 with `//`.": lambda table: next(
            ((row, column / 2) for row, column in np.argwhere(np.abs(_errors(table)) > 1e-6)), None
        ),
        "You count positions and pairs from 1. Both begin with 0.": _or_none(
            lambda table, position, pair: (position + 1, pair + 1)
        ),
        "You count the positions from 1. The first row is position 0.": _or_none(
            lambda table, position, pair: (position + 1, pair)
        ),
        "You count the pairs from 1. The first pair is number 0.": _or_none(
            lambda table, position, pair: (position, pair + 1)
        ),
        "Position and pair are exchanged: the position comes first.": _or_none(
            lambda table, position, pair: (pair, position)
        ),
        "Equal to the last digit is too much to ask: a right table computed in another way "
        "differs by rounding. Allow 1e-6.": lambda table: _found(np.argwhere(_errors(table) != 0)),
        "Your tolerance is smaller than 1e-6, so that rounding to float32 counts as an error.": (
            lambda table: _found(np.argwhere(np.abs(_errors(table)) > 1e-9))
        ),
        "`np.isclose` has two tolerances, and one of them grows with the number: set `rtol=0` and "
        "`atol=1e-6`.": lambda table: _found(
            np.argwhere(~np.isclose(table, table - _errors(table)))
        ),
        "That is the largest error. The first one is wanted, however small.": _or_none(
            lambda table, position, pair: _found(
                [np.unravel_index(np.argmax(np.abs(_errors(table))), table.shape)]
            )
        ),
        "That is the last wrong place. The first one is wanted.": _or_none(
            lambda table, position, pair: _found(np.argwhere(np.abs(_errors(table)) > 1e-6)[::-1])
        ),
        "You look down the columns. Look along the rows, from the top: positions come first.": (
            _or_none(
                lambda table, position, pair: _found(
                    np.argwhere(np.abs(_errors(table)).T > 1e-6)[:, ::-1]
                )
            )
        ),
        "You look at the sines only. A cosine can be wrong too.": lambda table: _found(
            np.argwhere(np.abs(_errors(table))[:, 0::2] > 1e-6) * [1, 2]
        ),
        "You look at the cosines only. A sine can be wrong too.": lambda table: _found(
            np.argwhere(np.abs(_errors(table))[:, 1::2] > 1e-6) * [1, 2]
        ),
        "An error can be negative: compare its magnitude with 1e-6.": lambda table: _found(
            np.argwhere(_errors(table) > 1e-6)
        ),
        "You test whether sin² + cos² is 1, which it is at every angle. Compare each number with "
        "the formula.": lambda table: _found(
            np.argwhere(np.abs(table[:, 0::2] ** 2 + table[:, 1::2] ** 2 - 1) > 1e-6) * [1, 2]
        ),
        "You give the position alone. The pair is wanted too.": _or_none(
            lambda table, position, pair: position
        ),
        "Where the table is right, None is wanted, and you return `False`.": _other_for_none(False),
        "Where the table is right, None is wanted, and you return (−1, −1).": _other_for_none(
            (-1, -1)
        ),
        "Where the table is right, None is wanted, and you return −1.": _other_for_none(-1),
        "Where the table is right, None is wanted. (0, 0) is a place.": _other_for_none((0, 0)),
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


def _judge_encoding(found, length, width):
    table, shorter, again = found
    for part, rows in ((table, length), (shorter, length // 3 + 1)):
        if part.shape != (rows, width):
            return (
                f"For length {rows} it should return an array of shape {(rows, width)}, and it "
                f"returns one of shape {part.shape}."
            )
    if length > 20 and _own_columns(table[:60], width):
        return "That is the page's own encoding, perhaps in another order. Invent one of yours."
    outside = np.argwhere(np.abs(table) > 1 + 1e-9)
    if len(outside):
        row, column = outside[0]
        return (
            f"It is not bounded: {table[row, column]:.6g} stands in row {row}, column {column}. "
            "Every number should lie between −1 and 1."
        )
    if not np.allclose(again, shorter, rtol=0, atol=1e-9):
        return "Called twice with the same numbers, it returns two tables. Is there chance in it?"
    other = np.flatnonzero(np.abs(table[: len(shorter)] - shorter).max(axis=1) > 1e-9)
    if len(other):
        return (
            f"Row {other[0]} is another one for length {length} than for length {len(shorter)}. A "
            "position should have one encoding, however long the table is."
        )
    steps = np.linalg.norm(np.diff(table, axis=0), axis=1)
    squares = np.sum(table**2, axis=1)
    apart = np.sqrt(np.clip(squares[:, None] + squares - 2 * table @ table.T, 0, None))
    apart[np.tril_indices(length)] = np.inf
    if length > 1 and apart.min() < 0.1 - 1e-6:
        first, second = np.argwhere(apart < apart.min() + 1e-9)[0]
        others = ", as all neighbors are" if steps.max() < apart.min() + 1e-9 else ""
        return (
            f"It is not unique: rows {first} and {second} are only {apart.min():.2g} apart{others},"
            " and no two should be nearer than 0.1."
        )
    if length > 2 and np.ptp(steps) > 1e-9:
        low, high = steps.argmin(), steps.argmax()
        return (
            f"The steps are not equal: from row {low} to row {low + 1} it is {steps[low]:.10g} "
            f"far, from row {high} to row {high + 1} {steps[high]:.10g}. A column moves less where "
            "it turns round: does another move more there, as a cosine does for its sine?"
        )
    return ""


my_encoding = Exercise(
    "my_encoding",
    task="an encoding of your own that is bounded and unique, with equal steps, for any length",
    reference=lambda length, width: sinusoidal(length, width, base=100),
    cases=[(40, 16), (1, 16), (2, 16), (700, 32), (300, 64), (2000, 16)],
    case="length {length} and width {width}",
    call=lambda function, length, width: (
        function(length, width),
        function(length // 3 + 1, width),
        function(length // 3 + 1, width),
    ),
    judge=_judge_encoding,
    mistakes={
        "It counts: the numbers grow with the position, beyond every bound.": (
            lambda length, width: np.repeat(np.arange(length)[:, None], width, axis=1)
        ),
        "It divides by the length: the same position has another encoding in a longer text.": (
            lambda length, width: np.repeat(np.arange(length)[:, None], width, axis=1) / length
        ),
        "Bits are bounded and unique, but their steps are not equal: from 7 to 8 four of them flip "
        "at once, from 6 to 7 one.": lambda length, width: (
            np.arange(length)[:, None] >> np.arange(width) & 1
        ),
    },
    correct="So these four properties do not lead to sinusoids alone. What those have besides, one "
    "move for all steps, is the subject of notebook 4.",
)
