"""The exercises of notebook 3, *Counting in binary*."""

import numpy as np

from posenc.encodings import binary

from ._exercise import Exercise
from ._hands import FASTEST, MEAN, best_position, by_itself, hands_hint, noisy_case

_COUNT = binary(1024)


def _beside(table, columns):
    """Return for each bit the one so many columns further, and 0 where there's none."""
    return np.pad(table, [(0, 0), (1, 1)])[:, 1 + columns :][:, : table.shape[1]]


gray = Exercise(
    "gray",
    task="the table of the Gray code for a binary table, of the same shape",
    reference=lambda table: table ^ _beside(table, 1),
    cases={
        "8 rows of 3 bits": (binary(8),),
        "the rows of positions 5, 3, 17 and 30": (binary(40)[[5, 3, 17, 30]],),
        "9 rows of 20 bits": (np.random.default_rng(3).integers(0, 2, (9, 20), np.int8),),
        "the row of position 1 in one bit": (binary(2)[1:],),
    },
    slips={
        "You compare each bit with the one before it. Bit 0 stands first: on which side is bit "
        "i + 1?": lambda table: table ^ _beside(table, -1),
        "You compare the highest bit with bit 0. Nothing wraps around: what stands above the "
        "highest bit?": lambda table: table ^ np.roll(table, -1, axis=1),
        "The highest bit is missing. What's its neighbor?": lambda table: (
            table[:, :-1] ^ table[:, 1:]
        ),
        "You compare each row with the one below it. Which two bits does bit j of the Gray code "
        "compare?": lambda table: table ^ _beside(table.T, 1).T,
    },
    hint="Does that bit differ from the next one in its row, with a 0 after the last?",
    correct="One bit flips in each step. Yet a single bit may still be worth many positions.",
)


def _judge_step(positions):
    for position in set(positions) - set(range(1000)):
        return f"{position:.9g} isn't a whole number from 0 to 999."
    before, after = (_COUNT[positions.astype(int) + step] for step in (0, 4))
    ones, others = before[:2].sum(axis=0), before[2:].sum(axis=0)
    for i in np.flatnonzero(ones != others):
        bit = f"Bit {i} is 1 in {ones[i]} of a and b, and in {others[i]} of c and d"
        return f"{bit}. Before the step the sums of the rows should be equal, bit by bit."
    if ([1, 1, -1, -1] @ after).any():
        return ""
    return (
        "After the step the two sums are still equal, as a matrix would have it. Adding 4 carries "
        f"where bit 2 is 1: that's {before[:, 2].sum()} of your four. How far does each carry go?"
    )


larger_step = Exercise(
    "larger_step",
    task="four positions (a, b, c, d) that refute every matrix that adds four to bits",
    reference=(0, 12, 4, 8),
    judge=_judge_step,
    correct="From bit 2 on, a step of four counts by one, and carries as a step of one does.",
)

position_from = Exercise(
    "position_from",
    task="the position, a whole number from 0 to 9999, of one noisy `row`",
    reference=lambda row, w: int(best_position(row, w, np.arange(10_000))),
    cases={
        f"position {position} (width {width}, base {base})": noisy_case([position], width, base)
        for position, width, base in [
            (4321, 32, 10_000),
            (3, 32, 10_000),
            (0, 32, 10_000),
            (9999, 20, 10_000),
            (0, 10, 100_000),
            (9999, 10, 40_000),
            (2004, 10, 100_000),  # neither sines alone nor cosines alone would do
            (9974, 10, 100_000),
            (7, 128, 10_000),
        ]
    },
    slips={
        FASTEST: lambda row, w: np.round(by_itself(row, w)[0] % (2 * np.pi / w[0])),
        MEAN: lambda row, w: np.round(np.mean(by_itself(row, w))),
        "That's what the slowest pair says alone, through the noise. How exactly does the next "
        "one say it?": lambda row, w: np.round(by_itself(row, w)[-1]),
    },
    hint=hands_hint,
    tolerance=1e-9,
    correct="No table is needed: each hand only has to say which turn the faster one is in.",
)
