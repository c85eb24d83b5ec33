"""The exercises of notebook 3, *Counting in binary*."""

import numpy as np

from posenc.encodings import angular_frequencies, binary
from posenc.grids import fourier_features

from ._exercise import Case, Exercise

_COUNT = binary(1024)
_FLIPS = np.abs(np.diff(_COUNT, axis=0)).sum(axis=1)

big_jumps = Exercise(
    "big_jumps",
    task="how many of the 1023 steps of a ten-bit counter from 0 to 1023 flip five bits or more",
    reference=np.sum(_FLIPS >= 5),
    mistakes={
        "It is one too many: no step leads to position 0, and none begins at 1023.": 64,
        "Those flip more than five bits. Five count too, the one that rises among them.": np.sum(
            _FLIPS > 5
        ),
        "So many flip seven bits or more. Do rising and falling bits cancel, or are two "
        "bits missing?": np.sum(_FLIPS >= 7),
        "That is the share of such steps. How many are they?": np.mean(_FLIPS >= 5),
        "That is half of the positions, as for ones in place of flips, or bits compared within a "
        "row. Compare each row with the next.": 512,
        "Those flip five bits exactly, or are every 32nd step. More than five count too, and bit 4 "
        "flips at every 16th.": np.sum(_FLIPS == 5),
        "Those are the steps that flip four bits or more.": np.sum(_FLIPS >= 4),
        "Those are the steps that flip fewer than five bits.": np.sum(_FLIPS < 5),
        "Those are the positions with five ones or more. Which bits change in a step?": 638,
        "Those are the positions with exactly five ones. Which bits change in a step?": 252,
    },
    hint="From 15 to 16 five bits flip, and from 31 to 32 six: when does bit 4 flip?",
    correct="Every 16th step is such a jump: bit 4 flips only when the four bits below it do.",
)


def _above(table):
    """Return for each bit the one above it, with the unwritten 0 at the end."""
    return np.pad(table, [(0, 0), (0, 1)])[:, 1:]


def _below(table):
    return np.pad(table, [(0, 0), (1, 0)])[:, :-1]


def _gray(table):
    return table ^ _above(table)


gray = Exercise(
    "gray",
    task="the table of the Gray code for a binary table, of the same shape",
    reference=_gray,
    cases=[
        Case(binary(8), label="a table of 8 rows and 3 bits"),
        Case(binary(100, bits=9), label="a table of 100 rows and 9 bits"),
        Case(binary(40)[[5, 3, 17, 30]], label="the rows of positions 5, 3, 17 and 30"),
        Case(binary(2048)[-300:], label="300 rows of 11 bits"),
        Case(np.random.default_rng(3).integers(0, 2, (9, 60)), label="9 rows of 60 bits"),
    ],
    mistakes={
        "You compare each bit with the one before it in the row. Bit 0 stands first: on which "
        "side is bit i + 1?": lambda table: table ^ _below(table),
        "You compare the highest bit with bit 0. Nothing wraps around: what stands above the "
        "highest bit?": lambda table: table ^ np.roll(table, -1, axis=1),
        "The highest bit is missing. It has a neighbor, too: the unwritten 0.": (
            lambda table: table[:, :-1] ^ table[:, 1:]
        ),
        "The highest bit is always 0 in your table. It has a neighbor, too, and may differ from "
        "it: the unwritten 0.": lambda table: _above(table ^ _below(table)),
        "Where both bits are 1 there is a 2. A bit is 0 or 1.": lambda table: table + _above(table),
        "You compare each row with the one below it. Compare the bits within a row, each with the "
        "one after it.": lambda table: table ^ _above(table.T).T,
        "In each of your bits all higher ones take part, as when they are replaced one by one. "
        "Compare with the next bit alone, as it is in `table`.": lambda table: (
            np.bitwise_xor.accumulate(table[:, ::-1], axis=1)[:, ::-1]
        ),
        "You count the rows from 0. They may be of any positions, in any order: compute the new "
        "bits from `table` alone.": lambda table: _gray(binary(len(table), bits=table.shape[1])),
    },
    hint="A 1 belongs where a bit differs from the next one; after the last stands an unwritten 0.",
    correct="One bit flips in each step. Yet a single bit may still be worth many positions.",
)


def _judge_step(positions):
    if (positions % 1).any() or positions.min() < 0 or positions.max() > 999:
        return "Positions below 1000 are whole numbers from 0 to 999."
    if sorted(positions[:2]) == sorted(positions[2:]):
        return "The sums are of the same two positions, so that they stay equal after any step."
    before, after = (_COUNT[positions.astype(int) + step] for step in (0, 4))
    ones, others = (rows.sum(axis=0) for rows in np.split(before, 2))
    if (ones != others).any():
        bit = np.flatnonzero(ones != others)[0]
        return (
            f"Before the step the sums of the rows should be equal, bit by bit. Bit {bit} is 1 in "
            f"{ones[bit]} of a and b, and in {others[bit]} of c and d."
        )
    if ([1, 1, -1, -1] @ after).any():
        return ""
    equal = "After the step, the two sums are still equal, as a matrix would have them. "
    if not before[:, 2].any():
        return f"{equal}Adding 4 carries where bit 2 is 1, and here it is 0 in all four."
    return f"{equal}Adding 4 carries where bit 2 is 1: where does the carry end, in each?"


larger_step = Exercise(
    "larger_step",
    task="four positions (a, b, c, d) that refute every matrix that moves bits on by four",
    reference=(0, 12, 4, 8),
    judge=_judge_step,
    correct="From bit 2 on, a step of four counts by one, and carries as a step of one does.",
)


def _noisy(position, width, base):
    """Return a case: the row of a position, with errors of standard deviation 0.05."""
    frequencies = angular_frequencies(width, base=base)
    errors = np.random.default_rng([position, width]).normal(0, 0.05, width)
    row = fourier_features(position, frequencies) + errors
    return Case(row, frequencies, label=f"position {position} (width {width}, base {base})")


def _drawn_row(seed):
    """Return a case: a narrow row near an end, whose slowest hand may stand near half a turn."""
    rng = np.random.default_rng([3, seed])
    position = [0, 9999][seed % 2] + (-1) ** seed * int(400 * rng.uniform() ** 2)
    return _noisy(position, 10, round(10 ** rng.uniform(4.5, 5)))


def best_position(row, frequencies, positions):
    """Return the position among some whose encoding is most like a row."""
    return positions[np.argmax(fourier_features(positions, frequencies) @ row)]


def by_itself(row, frequencies):
    """Return the position that each hand says by itself, within half a turn of 0."""
    return np.arctan2(row[0::2], row[1::2]) / frequencies


def explain_hands(found, right, row, frequencies):
    """Explain a number of positions that should come from the hands of a row."""
    said = by_itself(row, frequencies)
    if abs(found - right) <= 2:
        return (
            "Here it is nearly right: rounding, a count from 1, an early end or noise may do that."
        )
    if abs(found) * frequencies[-1] > np.pi:
        return (
            "So far the slowest hand would have made more than half a turn. Is its angle, or the "
            "difference of two, between −π and π, and does it come first?"
        )
    if found and round(float(found)) in np.round([said[0], said[0] % (2 * np.pi / frequencies[0])]):
        return "Among others the fastest hand says that, which is back after 2π positions."
    usual = angular_frequencies(len(row))
    if not np.allclose(frequencies, usual):
        ranges = np.arange(10_000), np.arange(-2000, 2001)
        if min(abs(found - best_position(row, usual, positions)) for positions in ranges) <= 1:
            return "About that comes out for base 10 000. Use the frequencies that are given."
    if abs(found - said[-1]) < 1:
        return "That is about what the slowest hand says, through the noise: go on to the next."
    return (
        "From the slowest hand to the fastest, each tells how many whole turns the next has made, "
        "to the nearest, and the fastest has the last word."
    )


def _nearest(row, frequencies):
    return int(best_position(row, frequencies, np.arange(10_000)))


position_from = Exercise(
    "position_from",
    task="the position, a whole number from 0 to 9999, of one noisy `row`",
    reference=_nearest,
    cases=[
        _noisy(4321, 32, 10_000),  # first, since a wrong answer is near it by no chance
        _noisy(3, 32, 10_000),
        _noisy(0, 32, 10_000),
        _noisy(9999, 20, 10_000),
        *map(_drawn_row, range(24)),
    ],
    mistakes={
        "That is what the fastest hand says alone, which is back after 2π positions: which hands "
        "know how often it has turned?": lambda row, w: np.round(
            by_itself(row, w)[0] % (2 * np.pi / w[0])
        )
    },
    explain=explain_hands,
    correct="No table was needed: each hand only has to say which turn the faster one is in.",
)
