"""The exercises of notebook 3, *Counting in binary*."""

import numpy as np

from posenc.encodings import angular_frequencies, binary

from ._exercise import Case, Exercise
from ._tables import rows_at

_COUNT = binary(1024)
_FLIPS = np.abs(np.diff(_COUNT, axis=0)).sum(axis=1)

big_jumps = Exercise(
    "big_jumps",
    task="how many of the 1023 steps of a ten-bit counter from 0 to 1023 flip five bits or more",
    reference=np.sum(_FLIPS >= 5),
    mistakes={
        "It is one too many. The first of the 1023 steps leads from 0 to 1, the last from 1022 to "
        "1023: position 0 is no step, and none leads back to it.": 64,
        "Those are the steps that flip more than five bits. Five count too, and bit 4 is the "
        "fifth.": np.sum(_FLIPS > 5),
        "Those are the steps that flip seven bits or more. Do the bit that rises and those that "
        "fall cancel in your sum?": np.sum(_FLIPS >= 7),
        "That is the share of such steps. How many are they?": np.mean(_FLIPS >= 5),
        "You compare the bits within each row. Compare each row with the next.": np.sum(
            np.abs(np.diff(_COUNT, axis=1)).sum(axis=1) >= 5
        ),
        "Those are the steps that flip five bits exactly. More than five count too.": np.sum(
            _FLIPS == 5
        ),
        "Those are the steps that flip four bits or more.": np.sum(_FLIPS >= 4),
        "Those are the steps that flip fewer than five bits.": np.sum(_FLIPS < 5),
        "Those are the positions with five ones or more. How many bits change from one position to "
        "the next?": np.sum(_COUNT.sum(axis=1) >= 5),
        "Those are the positions with exactly five ones. How many bits change from one position to "
        "the next?": np.sum(_COUNT.sum(axis=1) == 5),
        "Those are the flips of all those steps together. How many steps are they?": np.sum(
            _FLIPS[_FLIPS >= 5]
        ),
    },
    explain=lambda count: (
        f"{'More' if count < 63 else 'Fewer'} steps are such jumps. From 15 to 16 five bits flip, "
        "and from 31 to 32 six: when does bit 4 flip?"
    ),
    correct="Every 16th step is such a jump: bit 4 flips only when the four bits below it do.",
)


def _above(table):
    """Return for each bit the one above it, with the unwritten 0 at the end."""
    return np.hstack([table[:, 1:], np.zeros_like(table[:, :1])])


def _gray(table):
    return table ^ _above(table)


def _with_lower_neighbor(table):
    return table ^ np.hstack([np.zeros_like(table[:, :1]), table[:, :-1]])


def _explain_gray(found, table):
    right = _gray(table)
    row = np.flatnonzero((found != right).any(axis=1))[0]
    given, made, wanted = (" ".join(f"{x:g}" for x in y[row]) for y in (table, found, right))
    return (
        f"The bits {given} become {made}, where {wanted} should be: a 1 wherever a bit differs "
        "from the next one in the row, and after the last one stands an unwritten 0."
    )


gray = Exercise(
    "gray",
    task="the table of the Gray code for a binary table, of the same shape",
    reference=_gray,
    cases=[
        Case(binary(8), label="a table of 8 rows and 3 bits"),
        Case(binary(21), label="a table of 21 rows and 5 bits"),
        Case(binary(2), label="a table of 2 rows and 1 bit"),
        Case(binary(100, bits=9), label="a table of 100 rows and 9 bits"),
        Case(binary(40)[7:20], label="the rows of positions 7 to 19"),
        Case(binary(21)[[5, 3, 17]], label="the rows of positions 5, 3 and 17"),
    ],
    mistakes={
        "You compare each bit with the one before it in the row. The least significant bit stands "
        "first: on which side is bit i + 1?": _with_lower_neighbor,
        "You compare the highest bit with bit 0. Nothing wraps around: what stands above the "
        "highest bit?": lambda table: table ^ np.roll(table, -1, axis=1),
        "Each bit is compared with its neighbor on the wrong side, and bit 0 with the highest "
        "bit.": lambda table: table ^ np.roll(table, 1, axis=1),
        "The highest bit is missing: it has a neighbor too, the unwritten 0.": (
            lambda table: table[:, :-1] ^ table[:, 1:]
        ),
        "The highest bit is always 0 in your table. It has a neighbor too, the unwritten 0.": (
            lambda table: _above(_with_lower_neighbor(table))
        ),
        "Above the highest bit you put a 1. An unwritten 0 stands there.": lambda table: (
            table ^ np.hstack([table[:, 1:], np.ones_like(table[:, :1])])
        ),
        "Where both bits are 1 you answer 1. Do they differ there?": lambda table: (
            table | _above(table)
        ),
        "You answer 1 where both bits are 1. It should be 1 where they differ.": lambda table: (
            table & _above(table)
        ),
        "Where both bits are 1 there is a 2 in your table. A bit is 0 or 1.": lambda table: (
            table + _above(table)
        ),
        "A difference of two bits may be −1. A bit is 0 or 1.": lambda table: table - _above(table),
        "You answer 1 where two bits are equal. It should be 1 where they differ.": (
            lambda table: 1 - _gray(table)
        ),
        "You compare each row with the one above it. Compare the bits within a row.": (
            lambda table: np.vstack([table[:1], table[1:] ^ table[:-1]])
        ),
        "You compare each row with the one below it. Compare the bits within a row.": (
            lambda table: table ^ np.vstack([table[1:], np.zeros_like(table[:1])])
        ),
        "You compare with bits that you have replaced already. Read from `table`, and write into a "
        "new one.": lambda table: np.bitwise_xor.accumulate(table[:, ::-1], axis=1)[:, ::-1],
        "You count the rows from 0. They may be of any positions, in any order: compute them from "
        "`table`.": lambda table: (
            _gray(binary(max(len(table), 1), bits=None))
            if table.shape[1] < 5
            else _gray(binary(len(table), bits=table.shape[1]))
        ),
        "This is the binary table as it was.": lambda table: table,
        "The order of the bits is reversed: the least significant bit stands first.": (
            lambda table: _gray(table)[:, ::-1]
        ),
    },
    explain=_explain_gray,
    correct="One bit flips in each step. Yet the code still jumps: a single bit may be worth many "
    "positions.",
)


def _judge_fooled(example):
    received, table = example
    if received.ndim == 2 and table.ndim == 1:
        return "The two are exchanged: `received` comes first, then `table`."
    if received.ndim != 1 or table.ndim != 2:
        return (
            "`received` should be one row of numbers and `table` should have rows and columns; the "
            f"shapes are {received.shape} and {table.shape}."
        )
    if len(received) != table.shape[1] or len(table) < 2:
        return (
            "The table should have at least two rows, each as wide as `received`; the shapes are "
            f"{received.shape} and {table.shape}."
        )
    if not (np.isfinite(received).all() and np.isfinite(table).all()):
        return "All numbers should be finite."
    products, distances = table @ received, np.linalg.norm(table - received, axis=1)
    said, nearest = products.argmax(), distances.argmin()
    lengths = np.linalg.norm(table, axis=1)
    if said == nearest:
        equal, others = np.flatnonzero(products == products.max()), distances.copy()
        others[said] = np.inf
        words = (
            f"It is not fooled: row {said} has the largest product and is the nearest, too: its "
            f"Euclidean distance is {distances[said]:.4g}, that of row {others.argmin()} "
            f"{others.min():.4g}."
        )
        if len(equal) > 1:
            words += f" Rows {', '.join(map(str, equal))} have the same product: make one larger."
        if products.max() < 0:
            words += " A negative product can be the largest, too."
        if np.allclose(lengths, lengths[0]):
            words += " All rows have one length here, and then the two always agree."
        return words
    margin = 1e-6 * max(lengths.max(), np.linalg.norm(received))
    if distances[said] - distances[nearest] <= margin:
        return (
            f"Rows {said} and {nearest} are equally near to `received`. Let one be clearly nearer."
        )
    if 0 < products[said] - products[nearest] < 1e-9 * np.abs(products).max():
        return "The two largest products differ by rounding only. Let one be clearly larger."
    return ""


fooled = Exercise(
    "fooled",
    task="a pair (received, table) for which `np.argmax(table @ received)` is not the row nearest "
    "to `received`",
    reference=(np.array([1.0, 0.0]), np.array([[1.0, 0.0], [3.0, 3.0]])),
    judge=_judge_fooled,
    mistakes={},
    correct="A long row wins the product without being near. Where all rows have one length, as "
    "sinusoids have, the largest product is the nearest row.",
)


def _noisy(position, width, base):
    """Return a case: the row of a position, with errors of standard deviation 0.05."""
    frequencies = angular_frequencies(width, base=base)
    errors = np.random.default_rng([position, width]).normal(0, 0.05, width)
    return Case(
        rows_at([position], frequencies)[0] + errors,
        frequencies,
        label=f"position {position} (width {width}, base {base})",
    )


def _nearest(row, frequencies, positions=range(10_000)):
    return int(np.argmin(np.linalg.norm(rows_at(positions, frequencies) - row, axis=1)))


def _angles(row):
    return np.arctan2(row[0::2], row[1::2])


def _hand_by_hand(row, frequencies):
    """Begin with the slowest hand, and let each faster one say it more exactly."""
    position = 0
    for angle, frequency in zip(_angles(row)[::-1], frequencies[::-1]):
        turns = np.round((position * frequency - angle) / (2 * np.pi))
        position = (angle + 2 * np.pi * turns) / frequency
    return position


def _explain_position(found, row, frequencies):
    position = _nearest(row, frequencies)
    off = f"It returns {found:.6g}, where {position} should be. "
    fastest = _angles(row)[0] % (2 * np.pi) / frequencies[0]
    if not float(found).is_integer():
        return f"{off}A position is a whole number: round it to the nearest."
    if found < 0:
        return (
            f"{off}No position is negative. `np.arctan2` returns angles from −π to π: which angle, "
            "clockwise from twelve, is a negative one?"
        )
    if abs(found - position) == 1:
        end = "end with 9998" if position == 9999 else "count from 1"
        return f"{off}That is one off. Does it round down, or {end}?"
    if found > 9999:
        return (
            f"{off}No position is beyond 9999. A hand just before twelve has nearly no angle, not "
            "a whole turn; and of the numbers of turns, take the nearest without cutting off."
        )
    if abs(found - fastest) < 1:
        return f"{off}The fastest hand alone cannot tell: it is back after 2π positions."
    if not np.allclose(frequencies, angular_frequencies(len(row))):
        return f"{off}Here the frequencies are others: do you use those that are given?"
    if abs(found - position) < 2.5 * 0.05 / frequencies[-1]:
        return (
            f"{off}That is near, as near as slow hands can tell through the noise. The faster "
            "hands know better."
        )
    return f"{off}Begin with the slowest hand; the next faster one then says it more exactly."


position_from = Exercise(
    "position_from",
    task="the position, a whole number from 0 to 9999, of one noisy `row`",
    reference=_nearest,
    cases=[
        _noisy(position, width, base)
        for position, width, base in [
            (3, 32, 10_000),
            (0, 32, 10_000),
            (57, 64, 10_000),
            (4321, 32, 10_000),
            (9999, 20, 10_000),
            (777, 16, 50_000),
            (6283, 16, 50_000),
            (2718, 12, 30_000),
            (1, 16, 1_000_000),
            (8190, 48, 1_000_000),
        ]
    ],
    mistakes={
        "You round down. A row just below a position means that position: round to the nearest.": (
            lambda row, frequencies: np.floor(_hand_by_hand(row, frequencies))
        ),
        "You read the slowest hand alone. An error of 0.05 moves it by many positions: let the "
        "faster hands say it more exactly.": lambda row, frequencies: np.round(
            _angles(row)[-1] / frequencies[-1]
        ),
        "You read the slowest hand alone, with its angle from 0 to 2π. An error of 0.05 moves it "
        "by many positions: let the faster hands say it more exactly.": (
            lambda row, frequencies: np.round(_angles(row)[-1] % (2 * np.pi) / frequencies[-1])
        ),
        "You read the fastest hand alone. It is back after 2π positions: which hands know how "
        "often it has turned?": lambda row, frequencies: np.round(
            _angles(row)[0] % (2 * np.pi) / frequencies[0]
        ),
        "You read the fastest hand alone, and its angle may be negative. It is back after 2π "
        "positions: which hands know how often it has turned?": lambda row, frequencies: np.round(
            _angles(row)[0] / frequencies[0]
        ),
        "You read and round each hand by itself, and take the mean. Each hand but the slowest has "
        "turned several times.": lambda row, frequencies: np.round(
            np.mean(np.round(_angles(row) % (2 * np.pi) / frequencies))
        ),
        "You take the mean of what the hands say, each by itself. Each hand but the slowest has "
        "turned several times.": lambda row, frequencies: np.round(
            np.mean(_angles(row) / frequencies)
        ),
        "You take the median of what the hands say, each by itself. Each hand but the slowest has "
        "turned several times.": lambda row, frequencies: np.round(
            np.median(_angles(row) % (2 * np.pi) / frequencies)
        ),
        "You compute frequencies of base 10 000. Use those that are given.": (
            lambda row, frequencies: _nearest(row, angular_frequencies(len(row)))
        ),
        "You compute frequencies of base 10 000, hand by hand. Use those that are given.": (
            lambda row, frequencies: np.round(_hand_by_hand(row, angular_frequencies(len(row))))
        ),
        "Sine and cosine are exchanged: which of them does `np.arctan2` take first?": (
            lambda row, frequencies: np.round(
                _hand_by_hand(row.reshape(-1, 2)[:, ::-1].ravel(), frequencies)
            )
        ),
        "You take the first half of a row for sines and the second for cosines. In this course "
        "they alternate.": lambda row, frequencies: _nearest(
            row.reshape(2, -1).T.ravel(), frequencies
        ),
        "You count the positions from 1.": lambda row, frequencies: _nearest(row, frequencies) + 1,
        "Your table ends at position 999. There are 10 000.": lambda row, frequencies: _nearest(
            row, frequencies, range(1000)
        ),
        "It is not rounded. A position is a whole number.": _hand_by_hand,
    },
    explain=_explain_position,
    correct="No table was needed: each hand only has to say which turn the faster one is in.",
)
