"""Checkers of notebook 03: flips, the order of bits, the Gray code, the nearest row."""

import numpy as np

from posenc.encodings import binary, sinusoidal

from ._checkers import Case, FunctionCheck, Mistake

flip_count = FunctionCheck(
    "flip_count",
    task="how many times bit `bit` flips from position 0 to position `length - 1`",
    reference=lambda bit, length: (length - 1) // 2**bit,
    cases=[(0, 64), (5, 64), (0, 1), (1, 2), (3, 1000), (2, 7), (6, 512)],
    case="bit {bit} and length {length}",
    tolerance=0,
    mistakes=[
        Mistake(
            "The first row is no flip: how many steps are there between that many positions?",
            lambda bit, length: length // 2**bit,
        ),
        Mistake(
            "You count whole periods. How often does a bit flip in one period?",
            lambda bit, length: (length - 1) // 2 ** (bit + 1),
        ),
        Mistake(
            "You count the positions at which the bit is 1, not the changes.",
            lambda bit, length: sum(t >> bit & 1 for t in range(length)),
        ),
        Mistake(
            "You let the highest bit flip at every step. Which bit does?",
            lambda bit, length: (length - 1) // 2 ** max((length - 1).bit_length() - 1 - bit, 0),
        ),
        Mistake(
            "You count only the flips from 0 to 1. A bit also flips back.",
            lambda bit, length: (length - 1 + 2**bit) // 2 ** (bit + 1),
        ),
        Mistake(
            "A number of flips is whole: a run that has not ended yet is no flip.",
            lambda bit, length: (length - 1) / 2**bit,
        ),
        Mistake(
            "That is how long the bit keeps its value. How often does that fit into the count?",
            lambda bit, length: 2**bit,
        ),
    ],
    correct="Added over all bits this is less than two flips a step, however high one counts.",
)


def _row(*bits):
    text = " ".join(map(str, bits))
    return Case(np.array(bits), label=f"the row {text}" if len(bits) < 8 else "a row of ten bits")


position_of = FunctionCheck(
    "position_of",
    task="the position that `row` stands for, the least significant bit first",
    reference=lambda row: int(row @ 2 ** np.arange(len(row))),
    cases=[
        _row(0),
        _row(1, 0, 0, 0),
        _row(1, 1, 1, 0),
        _row(0, 1, 1, 0, 0, 1),
        _row(0, 0, 1, 0, 1, 1, 0, 0, 1, 1),
    ],
    tolerance=0,
    mistakes=[
        Mistake(
            "You read the row as it is written on paper, with the highest bit in front. Which "
            "bit stands first here?",
            lambda row: row @ 2 ** np.arange(len(row))[::-1],
        ),
        Mistake(
            "Every bit is worth twice what it should be: what is bit 0 worth?",
            lambda row: row @ 2 ** (np.arange(len(row)) + 1),
        ),
        Mistake(
            "You count the ones. What is a one worth, depending on its place?",
            lambda row: row.sum(),
        ),
        Mistake(
            "You let every place be worth the next even number. The first place is worth 1, and "
            "each further one so many times what stands before it: how many?",
            lambda row: row @ (2 * np.arange(len(row))),
        ),
        Mistake(
            "The worth of a bit grows by a factor from place to place, not by a fixed amount.",
            lambda row: row @ (np.arange(len(row)) + 1),
        ),
        Mistake(
            "That is the worth of a power of each place. Which number is raised to which?",
            lambda row: row @ np.arange(len(row)) ** 2,
        ),
        Mistake(
            "You read the digits as a decimal number. There are two digits only, so what is the "
            "factor from place to place?",
            lambda row: row @ 10 ** np.arange(len(row)),
        ),
    ],
    correct="Read from left to right, the bits are worth 1, 2, 4 and so on.",
)


def _gray(table):
    shifted = np.zeros_like(table)
    shifted[:, :-1] = table[:, 1:]
    return table ^ shifted


def _with_lower_neighbor(table):
    shifted = np.zeros_like(table)
    shifted[:, 1:] = table[:, :-1]
    return table ^ shifted


def _or(table):
    result = table.copy()
    result[:, :-1] |= table[:, 1:]
    return result


def _sum(table):
    result = table.copy()
    result[:, :-1] += table[:, 1:]
    return result


def _equal(table):
    return 1 - _gray(table)


def _from_previous_row(table):
    return np.vstack([table[:1], table[1:] ^ table[:-1]])


gray = FunctionCheck(
    "gray",
    task="the table of the Gray code for a binary table, of the same shape",
    reference=_gray,
    cases=[
        Case(binary(2), label="a table of 2 rows and 1 bit"),
        Case(binary(8), label="a table of 8 rows and 3 bits"),
        Case(binary(21), label="a table of 21 rows and 5 bits"),
        Case(binary(100, bits=9), label="a table of 100 rows and 9 bits"),
        Case(binary(21)[[5, 3, 17]], label="the rows of positions 5, 3 and 17"),
    ],
    axes=("position", "bit"),
    mistakes=[
        Mistake(
            "You compare each bit with the one before it in the row. The least significant bit "
            "stands first: on which side is bit i + 1?",
            _with_lower_neighbor,
        ),
        Mistake(
            "You compare the highest bit with bit 0. Nothing wraps around: what stands above the "
            "highest bit?",
            lambda table: table ^ np.roll(table, -1, axis=1),
        ),
        Mistake(
            "Each bit is compared with its neighbor on the wrong side, and bit 0 with the "
            "highest bit.",
            lambda table: table ^ np.roll(table, 1, axis=1),
        ),
        Mistake(
            "The highest bit is missing: it has a neighbor too, the unwritten 0.",
            lambda table: table[:, :-1] ^ table[:, 1:],
        ),
        Mistake(
            "Where both bits are 1 you answer 1. Do they differ there?",
            _or,
        ),
        Mistake(
            "Where both bits are 1 there is a 2 in your table. A bit is 0 or 1.",
            _sum,
        ),
        Mistake(
            "You answer 1 where two bits are equal. It should be 1 where they differ.",
            _equal,
        ),
        Mistake(
            "You compare each row with the one above it. Compare the bits within a row.",
            _from_previous_row,
        ),
        Mistake(
            "You count the rows from 0. They may be of any positions, in any order: compute them "
            "from `table`.",
            lambda table: _gray(binary(len(table), bits=table.shape[1])),
        ),
        Mistake(
            "This is the binary table as it was.",
            lambda table: table,
        ),
    ],
    correct="One bit flips in each step. Yet the code still jumps: a single bit may be worth "
    "many positions.",
)

_rng = np.random.default_rng(3)
_BITS = binary(16).astype(float)
_SIGNS = 2 * _BITS - 1
_WAVES = np.delete(sinusoidal(40, 8), [1, 4], axis=1)


def _noisy(table, index, noise):
    return table[index] + noise * _rng.standard_normal(table.shape[1])


nearest_row = FunctionCheck(
    "nearest_row",
    task="the index of the row of `table` that is nearest to `received`",
    reference=lambda received, table: int(np.argmin(((table - received) ** 2).sum(axis=1))),
    cases=[
        Case(_noisy(_SIGNS, 6, 0.2), _SIGNS, label="a noisy row of the ±1 table"),
        Case(_noisy(_BITS, 4, 0.1), _BITS, label="a noisy row of zeros and ones"),
        Case(_noisy(_BITS, 11, 0.1), _BITS, label="another noisy row of zeros and ones"),
        Case(_noisy(_BITS, 0, 0.1), _BITS, label="position 0 as noisy zeros and ones"),
        Case(_noisy(_WAVES, 23, 0.02), _WAVES, label="sinusoids with two columns lost"),
        Case(
            np.zeros(2),
            np.array([[2.0, 0.0], [1.5, 0.9], [1.1, 1.2], [0.1, 1.8]]),
            label="a small table of real numbers",
        ),
        Case(
            np.zeros(2),
            np.array([[1.0, 1.0], [1.3, 0.0], [1.1, 0.8]]),
            label="a table of three rows",
        ),
    ],
    mistakes=[
        Mistake(
            "The largest product finds the nearest row only if all rows have one length. Is "
            "that so for zeros and ones?",
            lambda received, table: np.argmax(table @ received),
        ),
        Mistake(
            "Dividing by the lengths compares directions. Rows in one direction can be far apart.",
            lambda received, table: np.argmax(
                table @ received / np.maximum(np.linalg.norm(table, axis=1), 1e-12)
            ),
        ),
        Mistake(
            "Dividing by the lengths compares directions, and a row of zeros has none: that is a "
            "division by zero.",
            lambda received, table: np.argmax(table @ received / np.linalg.norm(table, axis=1)),
        ),
        Mistake(
            "This is the row that is farthest away.",
            lambda received, table: np.argmax(((table - received) ** 2).sum(axis=1)),
        ),
        Mistake(
            "This is the smallest distance. Which row has it?",
            lambda received, table: np.linalg.norm(table - received, axis=1).min(),
        ),
        Mistake(
            "This is the smallest squared distance. Which row has it?",
            lambda received, table: ((table - received) ** 2).sum(axis=1).min(),
        ),
        Mistake(
            "You give the row itself. Its index is wanted.",
            lambda received, table: table[np.argmin(((table - received) ** 2).sum(axis=1))],
        ),
        Mistake(
            "You sum absolute differences. The distance in this course is Euclidean: the "
            "differences are squared before they are added.",
            lambda received, table: np.argmin(np.abs(table - received).sum(axis=1)),
        ),
        Mistake(
            "You take the largest difference of each row alone. For the Euclidean distance the "
            "others count too.",
            lambda received, table: np.argmin(np.abs(table - received).max(axis=1)),
        ),
        Mistake(
            "You raise the differences to a higher power than the square, so that the largest "
            "count too much.",
            lambda received, table: np.argmin((np.abs(table - received) ** 3).sum(axis=1)),
        ),
        Mistake(
            "You sum the differences with their signs, so that they cancel each other.",
            lambda received, table: np.argmin(np.abs((table - received).sum(axis=1))),
        ),
        Mistake(
            "You look for the most negative sum of differences. A distance is never negative.",
            lambda received, table: np.argmin((table - received).sum(axis=1)),
        ),
    ],
    correct="It works for rows of any lengths, with columns lost as well.",
)
