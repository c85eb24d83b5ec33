"""The exercises of notebook 12, *Into practice*."""

from unittest import mock

import numpy as np

from posenc import layouts
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features
from posenc.layouts import load_tables, to_halves, to_pairs
from posenc.shifts import shift_by_phase

from ._exercise import Case, Exercise


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
    slope, start = np.polyfit(np.arange(len(speeds)), np.log(np.abs(speeds) + 1e-30), 1)
    angle = (first[-1] + 0.1) % (2 * np.pi) - 0.1  # from 0 on, up to rounding
    numbers = np.exp(start), np.exp(-slope), angle / speeds[-1]
    return np.array([apart, cosine, *numbers]).round(6) + 0


def _by_hand(convention_of, table):
    error = ValueError("by hand, please, and not by `describe`")
    with mock.patch.object(layouts, "described", side_effect=error):
        return convention_of(table)


def _table_case(label, ratio, m, turn, *, length=40, start=0, scale=1):
    table = fourier_features(start + np.arange(length), scale * ratio ** -np.arange(m * 1.0))
    return Case(turn(to_halves(table.T, 1).T), label=label)


def _drawn_table(seed):
    """Return a case: a table of some layout, base, length, start and precision."""
    rng = np.random.default_rng([12, seed])
    m, length, start = int(rng.integers(3, 17)), int(rng.integers(30, 90)), rng.uniform(0, 60)
    ratio = (2 * length + 60) ** (1 / (m - 1)) * rng.uniform(1, 1.2)
    scale, turned = rng.choice([1, 0.7, 0.4]), rng.choice(["pairs", "halves"])
    size, lost = rng.choice([1, 3, 0.1]), rng.choice(3, size=rng.integers(3), replace=False)

    def change(table):
        table = np.roll(table, m * rng.integers(2), axis=1) * size
        table = to_pairs(table.T, 1).T if turned == "pairs" else table
        table[lost] = 0
        return np.float16(table) if seed % 4 == 0 else table

    start = start if seed % 2 else round(start)
    return _table_case(
        f"{turned}, number {seed}", ratio, m, change, length=length, start=start, scale=scale
    )


_NUMBERS = np.array(["partner", "order of sine and cosine", "speed", "ratio", "position"])


def _explain_convention(found, right, table):
    wrong = ~np.isclose(found, right, rtol=convention_of.tolerance, atol=convention_of.tolerance)
    words = f"Off: {', '.join(_NUMBERS[wrong])}."
    if wrong[3] and np.isclose(found[3] * right[3], 1, atol=0.01):
        return f"{words} The ratio is upside down."
    if convention_of.agree(found, _convention(table[table.any(axis=1)])):
        return f"{words} Rows of zeros have no angle, but they have numbers, and are counted."
    return words


convention_of = Exercise(
    "convention_of",
    task="five numbers: how far the partner of column 0 stands behind it, 1 if the cosine is first "
    "and else 0, the speed of pair 0, its ratio to the next speed, and the position of row 0",
    reference=_convention,
    cases=[
        Case(sinusoidal(40, 32), label="the course's own"),
        _table_case("cosines first", 500 ** (1 / 8), 8, lambda x: np.roll(x / 4, 8, axis=1)),
        _table_case("rows of zeros", 1.8, 16, lambda x: x * (np.arange(40) % 3 > 0)[:, None]),
        _table_case("a late start", 2, 6, np.asarray, start=144, length=20),
        _table_case("half precision", 10_000 ** (1 / 95), 96, np.float16, length=150, start=2000),
        *map(_drawn_table, range(40)),
        Case(load_tables()["E"], label="a table of diffusers"),
    ],
    run=_by_hand,
    mistakes={
        "The fourth number is the ratio of neighboring speeds, and not the base.": (
            lambda table: _convention(table) ** [1, 1, 1, table.shape[1] // 2, 1]
        )
    },
    explain=_explain_convention,
    tolerance=0.005,
    correct="The last one was table E of `load_tables()`, for steps of a diffusion. D is another.",
)


def _reordered(before, after):
    every = [
        (heads, turned)
        for heads in range(1, len(before) // 4 + 1)
        if len(before) % heads == 0
        for turned in range(4, len(before) // heads + 1, 2)
    ]
    found = (it for it in every if np.array_equal(to_halves(before, it[0], turned=it[1]), after))
    return np.array(next(found))


def _weights_case(label, heads, width, *columns, turned=None):
    weights = np.random.default_rng([12, heads]).normal(size=(heads * width, *columns))
    return _reordered_case(label, weights, heads, turned)


def _reordered_case(label, weights, heads, turned=None):
    return Case(weights, to_halves(weights, heads, turned=turned), label=label)


def _alike(rows):
    """Return rows of a few whole numbers, alike in their first number and in their sum."""
    ones = np.random.default_rng(rows).integers(-1, 2, size=(rows, 1))
    return np.hstack([ones**0, ones, -ones])


def _explain_reordered(found, right, before, after):
    heads, turned = map(int, found)
    if heads < 1 or len(before) % heads:
        return f"{len(before)} rows are not so many heads of equally many rows."
    if not 4 <= turned <= len(before) // heads or turned % 2:
        return f"Of {len(before) // heads} rows of a head an even number is turned, and at least 4."
    made = to_halves(before, heads, turned=turned)
    wrong = np.flatnonzero((made != after).reshape(len(after), -1).any(axis=1))[0]
    return f"Told that, `to_halves` does not make `after` of `before`: row {wrong} is another one."


how_reordered = Exercise(
    "how_reordered",
    task="the number of heads that `to_halves` was told, and how many rows of each it turned",
    reference=_reordered,
    cases=[
        _weights_case("one head", 1, 8, 5),
        _weights_case("a bias of four heads", 4, 16),
        _weights_case("two heads that turn in part", 2, 12, 3, turned=4),
        _weights_case("three heads that turn in part", 3, 10, 30, turned=6),
        _weights_case("twenty heads of four rows", 20, 4, 2),
        _weights_case("two heads of five rows", 2, 5, 3, turned=4),
        _reordered_case("small weights in rows that begin alike", 1e-9 * _alike(32), 2, 8),
    ],
    mistakes={
        "The second number counts rows. Each pair has two.": (
            lambda before, after: _reordered(before, after) // [1, 2]
        ),
        "The two numbers are exchanged.": lambda before, after: _reordered(before, after)[::-1],
    },
    explain=_explain_reordered,
    correct="If a model's configuration names another number of heads for its keys, you have found "
    "what made TinyLlama write gibberish.",
)


def _step(query_at=0, key_at=0, position=len):
    """Return a step whose query and key stand so many positions from where they should."""

    def step(cache, query, key, frequencies):
        t = position(cache)
        query = shift_by_phase(query[None], frequencies, t + query_at)[0]
        return np.vstack([cache, shift_by_phase(key[None], frequencies, t + key_at)]) @ query

    return step


def _step_case(length, width, base):
    rng, frequencies = np.random.default_rng(length), angular_frequencies(width, base=base)
    rows = [shift_by_phase(rng.normal(size=(1, width)), frequencies, t) for t in range(length)]
    cache = np.reshape(rows, (length, width))
    cache[2:3] = 0  # an earlier key may be 0
    query, key = rng.normal(size=(2, width))
    if length == 1:
        query, key = np.rint(3 * query).astype(int), np.rint(3 * key).astype(int)
    label = "one key, and whole numbers" if length == 1 else f"{length} keys"
    return Case(cache, query, key, frequencies, label=f"a cache of {label}")


def _explain_scores(scores, right, cache, query, key, frequencies):
    same = np.isclose(scores, right)
    if same[-1] and not same.all():
        return f"The last one is right, as in the function that was given; {(~same).sum()} are off."
    return "Only the score with the token's own key is off." if same[:-1].all() else ""


repaired_scores = Exercise(
    "repaired_scores",
    task="the scores of the next token's query with all keys up to its own",
    reference=_step(),
    cases=[
        _step_case(5, 8, 10_000),
        _step_case(0, 6, 10_000),
        _step_case(1, 4, 500),
        _step_case(600, 16, 1_000_000),
    ],
    mistakes={
        "Query and key are turned one position too far, as by the length after the key has joined. "
        "With n tokens before it, counted from 0, which number is it?": _step(1, 1),
        "Seen from the keys, the query stands one position too far.": _step(1, 0),
        "The key stands one position too far.": _step(0, 1),
        "You count one too few: after n tokens the next is number n.": _step(-1, -1),
        "The new token is always at position 0, where its own array begins and not the text; or "
        "the cached keys are turned a second time.": _step(position=lambda cache: 0),
        "A token looks at itself: the last score is missing.": (
            lambda *given: _step()(*given)[:-1]
        ),
        "Query and key are turned backwards, or the cached keys forwards.": _step(
            position=lambda cache: -len(cache)
        ),
    },
    explain=_explain_scores,
    correct="Taken before the key joins, the length is the position. Whoever takes it afterwards "
    "is off by one, and only at the seam.",
)


_LONG = sinusoidal(100, 20)


def _pe(x):
    """Return the encodings of a text's positions, for a batch of texts."""
    return _LONG[: x.shape[1]].copy()


def _adds_in_place(x):
    x += _pe(x)
    return x


def _errs_if(is_kind):
    """Return an encoder that errs for some numbers n of texts and m of tokens alone."""
    return lambda x: x + _pe(x) + is_kind(*x.shape[:2])


_ENCODERS = {
    "a right one of 60 rows": lambda x: x + sinusoidal(60, 20)[np.arange(x.shape[1])],
    "a right one that rounds to float32": lambda x: np.float32(x + _pe(x)),
    "a right one that adds in place, `x += table`": _adds_in_place,
    "one that adds row 0 to all of text 0, row 1 to text 1": lambda x: x + _LONG[: len(x), None],
    "one that gives all texts the words of the first": lambda x: x[:1] + 0 * x + _pe(x),
    "one that exchanges the texts": lambda x: x[::-1] + _pe(x),
    "one that adds in place, and returns nothing": lambda x: np.copyto(x, x + _pe(x)),
    "one that returns NaN": lambda x: x * np.nan,
    "one of 59 rows, which raises for 60 tokens": lambda x: x + _LONG[:59][np.arange(x.shape[1])],
    "one that returns the table without the words": lambda x: 0 * x + _pe(x),
    "one that returns the words without the table": lambda x: x + 0.0,
    "one that squares the words": lambda x: x * x + _pe(x),
    "one off by 0.001 in a single number": lambda x: x + _pe(x) - np.eye(1, 20) / 1000,
    "one that adds an axis": lambda x: (x + _pe(x))[None],
    "one of other speeds": lambda x: x + sinusoidal(x.shape[1], 20, base=500),
    "one that errs for a single text of several tokens": _errs_if(lambda n, m: n == 1 < m),
    "one that errs for several texts of a single token": _errs_if(lambda n, m: m == 1 < n),
    "one that errs for as many texts as tokens, of several": _errs_if(lambda n, m: n == m > 1),
    "one that errs for more texts than tokens, of several": _errs_if(lambda n, m: n > m > 1),
    "one that errs for several texts, fewer than tokens": _errs_if(lambda n, m: 1 < n < m),
    "one that errs for 60 tokens alone": _errs_if(lambda n, m: m == 60),
}


def _encodes(encode, width):
    for shape in ((1, 60), (9, 1), (2, 3), (7, 7), (40, 5)):
        x = np.random.default_rng(0).normal(size=(*shape, width))
        expected = x + sinusoidal(shape[1], width)
        try:
            y = np.asarray(encode(x.copy()))
        except Exception:
            return False
        if y.shape != x.shape or not np.allclose(y, expected, rtol=0, atol=1e-4):
            return False
    return True


encodes = Exercise(
    "encodes",
    task="True if `encode` adds the course's encoding to each text from position 0 on, else False",
    reference=_encodes,
    cases=[Case(encode, 20, label=label) for label, encode in _ENCODERS.items()],
    hint="Which texts, tokens and numbers tell such an encoder from others? Does your test give "
    "those, and allow what the statement allows?",
    correct="Each of these slips has been in somebody's program, and some for years.",
)
