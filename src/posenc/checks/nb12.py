"""The exercises of notebook 12, *Whose encoding is this?*."""

from itertools import compress

import numpy as np

from posenc.encodings import angular_frequencies, encode, sinusoidal
from posenc.layouts import load_tables, to_halves, to_pairs
from posenc.shifts import shift_by_phase

from ._exercise import Exercise


def _convention(table):
    """Return the five numbers."""
    rows = np.flatnonzero(table.any(axis=1))
    table = table[rows].astype(float)
    apart = 1 + np.argmin(np.ptp(table[:, :1] ** 2 + table[:, 1:] ** 2, axis=0))
    parts = table.reshape(len(table), -1, 2, apart)
    angles = np.angle(parts[:, :, 0] + 1j * parts[:, :, 1]).reshape(len(table), -1)
    lines = np.polyfit(rows, np.unwrap(angles, axis=0), 1)
    cosine = lines[0, 0] > 0
    speeds, first = lines if cosine else (-lines[0], np.pi / 2 - lines[1])
    slope, start = np.polyfit(np.arange(len(speeds)), np.log(speeds), 1)
    angle = (first[-1] + 0.1) % (2 * np.pi) - 0.1  # from 0 on, up to rounding
    numbers = apart, cosine, np.exp(start), np.exp(-slope), angle / speeds[-1]
    return np.array(numbers).round(6) + 0


def _table(ratio, pairs, *, length=40, start=0, scale=1):
    """Return a table in halves, sines first."""
    speeds = scale * ratio ** -np.arange(pairs * 1.0)
    return to_halves(encode(start + np.arange(length), speeds).T, 1).T


def _drawn_table(seed):
    """Return a table of some layout, speeds, start, size and precision."""
    rng = np.random.default_rng([12, seed])
    pairs, length, scale = rng.integers(3, 17), rng.integers(40, 90), rng.choice([1, 0.7, 0.2])
    start = rng.uniform(0, 60) if seed % 2 else rng.integers(500)
    turn = rng.uniform(0.3, 6)  # of the slowest pair, at the end
    ratio = (scale * (start + length) / turn) ** (1 / (pairs - 1))
    table = _table(ratio, pairs, length=length, start=start, scale=scale)
    table = np.roll(table, pairs * rng.integers(2), axis=1) * rng.choice([1, 3, 0.1])
    table = to_pairs(table.T, 1).T if seed % 3 else table
    table[rng.choice(3, size=rng.integers(3), replace=False)] = 0
    return np.float16(table) if seed % 4 == 0 else table


_NUMBERS = "the partner", "the order of sine and cosine", "the speed", "the ratio", "the position"


convention_of = Exercise(
    "convention_of",
    task="five numbers: how far behind column 0 its partner stands, 1 for cosines first and 0 for "
    "sines, the speed of pair 0, its ratio to the next speed, and the position of row 0",
    reference=_convention,
    cases={
        "the course's own": (sinusoidal(40, 32),),
        "cosines first": (np.roll(_table(500 ** (1 / 8), 8) / 4, 8, axis=1),),
        "rows of zeros": (_table(1.8, 16) * (np.arange(40) % 3 > 0)[:, None],),
        "a late start": (_table(2.1, 6, start=200.5, length=20),),
    }
    | {f"table number {seed}": (_drawn_table(seed),) for seed in range(24)}
    | {"a table of diffusers": (load_tables()["E"],)},
    tolerance=0.005,
    slips={
        "The ratio is upside down: how many times is a pair as fast as the next?": (
            lambda table: _convention(table) ** [1, 1, 1, -1, 1]
        ),
        "The fourth number is the ratio of neighboring speeds, and not the base.": (
            lambda table: _convention(table) ** [1, 1, 1, table.shape[1] // 2, 1]
        ),
        "Where there are rows of zeros, the others come out as if they were counted without them. "
        "Which numbers do they have?": lambda table: _convention(table[table.any(axis=1)]),
    },
    hint=lambda result, right, table: (
        f"What's off: {', '.join(compress(_NUMBERS, ~np.isclose(result, right, 0.005, 0.005)))}."
    ),
    correct="The last one was table E of `load_tables()`, for steps of a diffusion. D is another.",
)


def _reordered(before, after):
    rows = len(before)
    for heads in (n for n in range(1, rows // 4 + 1) if rows % n == 0):
        for turned in range(4, rows // heads + 1, 2):
            if np.array_equal(to_halves(before, heads, turned=turned), after):
                return np.array([heads, turned])


def _turned_in_all(before, after):
    heads, turned = _reordered(before, after)
    return np.array([heads, heads * turned])


def _weights(heads, width, *columns, turned=None):
    weights = np.random.default_rng(12).normal(0, 10.0**-heads, (heads * width, *columns))
    return weights, to_halves(weights, heads, turned=turned)


def _ones_and_zeros(*shape):
    weights = np.random.default_rng(12).integers(0, 2, shape).astype(float)
    if len(shape) > 1:
        weights[:, 0] = 0
    return weights, to_halves(weights, 2, turned=6)


how_reordered = Exercise(
    "how_reordered",
    task="the number of heads that `to_halves` was told, and how many rows of each it turned",
    reference=_reordered,
    cases={
        "one head": _weights(1, 8, 5),
        "a bias of four heads": _weights(4, 16),
        "two heads that turn in part": _weights(2, 256, 3, turned=130),
        "three heads that turn in part": _weights(3, 10, 30, turned=6),
        "a bias of ones and zeros": _ones_and_zeros(16),
        "a matrix whose first column is 0": _ones_and_zeros(16, 4),
        "72 heads with tiny weights": _weights(72, 5, 2, turned=4),
    },
    slips={
        "The second number counts rows. How many rows does a pair have?": (
            lambda before, after: _reordered(before, after) // [1, 2]
        ),
        "The second number is that of all heads together. How many rows of each are turned?": (
            _turned_in_all
        ),
    },
    hint="With which two numbers does `to_halves` make every row of `after`, and no other?",
    correct="Keys may have another number of heads: that made TinyLlama write gibberish.",
)


def _step(query_at=0, key_at=0):
    """Return a step whose query and key stand so many positions from where they should."""

    def step(cache, query, key, w):
        query = shift_by_phase(query[None], w, len(cache) + query_at)[0]
        return np.vstack([cache, shift_by_phase(key[None], w, len(cache) + key_at)]) @ query

    return step


def _step_case(length, width, base):
    rng, frequencies = np.random.default_rng(length), angular_frequencies(width, base=base)
    rows = [shift_by_phase(rng.normal(size=(1, width)), frequencies, t) for t in range(length)]
    return np.reshape(rows, (length, width)), *rng.normal(size=(2, width)), frequencies


repaired_scores = Exercise(
    "repaired_scores",
    task="the scores of the next token's query with all keys up to its own",
    reference=_step(),
    cases={
        f"a cache of length {case[0]}": _step_case(*case)
        for case in ((5, 8, 10_000), (0, 6, 10_000), (1, 2, 500), (600, 16, 1_000_000))
    },
    slips={
        "Query and key are turned one position too far, as by the length after the key has joined. "
        "With n tokens before it, counted from 0, which number is it?": _step(1, 1),
        "Seen from the keys, the query stands one position too far.": _step(1, 0),
        "Query and key stand one position too early. After n tokens, which is the next one's "
        "number?": _step(-1, -1),
    },
    hint="Which keys does the query meet, in which order, and how far is each one turned?",
    correct="Taken before the key joins, the length is the position. Taken later, it's one more.",
)
