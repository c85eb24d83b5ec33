"""The exercises of notebook 12, *Into practice*."""

from unittest import mock

import numpy as np

from posenc import layouts
from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features
from posenc.layouts import bfloat16, load_tables, to_halves, to_pairs
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
    return np.array([apart, cosine, np.exp(start), np.exp(-slope), angle / speeds[-1]])


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
    wrong = ~np.isclose(found, right, rtol=0.02, atol=0.02)
    words = f"Off: {', '.join(_NUMBERS[wrong])}."
    if wrong[3] and np.isclose(found[3] * right[3], 1, atol=0.01):
        return f"{words} The ratio is upside down."
    if wrong[4] and not wrong[:4].any() and not table[0].any():
        return f"{words} Row 0 has zeros, and a position all the same."
    return words


convention_of = Exercise(
    "convention_of",
    task="five numbers: how far the partner of column 0 stands behind it, 1 if the cosine is first "
    "and else 0, the speed of pair 0, its ratio to the next speed, and the position of row 0",
    reference=_convention,
    cases=[
        Case(sinusoidal(40, 32), label="the course's own"),
        _table_case("pairs of length ⅓", 3.1, 4, lambda x: to_pairs(x.T, 1).T / 3, start=3),
        _table_case("shorter rows", 500 ** (1 / 8), 8, lambda x: np.roll(x / 4, 8, axis=1)),
        _table_case("half positions", 2.1, 6, np.asarray, scale=0.5, start=2.25),
        _table_case(
            "zeros in rows 0 and 3", 1.8, 16, lambda x: x * (np.arange(40) % 37 % 3 > 0)[:, None]
        ),
        _table_case("a late start", 2, 6, np.asarray, start=144, length=20),
        _table_case("pairs in half precision", 1.4, 16, lambda x: np.float16(to_pairs(x.T, 1).T)),
        _table_case("half precision", 10_000 ** (1 / 95), 96, np.float16, length=150, start=2000),
        *map(_drawn_table, range(40)),
        Case(load_tables()["E"], label="a table of diffusers"),
    ],
    run=_by_hand,
    mistakes={
        "The fourth number is the ratio of neighboring speeds, and not the base.": (
            lambda table: _convention(table) ** [1, 1, 1, table.shape[1] // 2, 1]
        ),
        "You have exchanged 0 and 1 in the second number: 0 is sine.": (
            lambda table: np.abs(_convention(table) - [0, 1, 0, 0, 0])
        ),
    },
    explain=_explain_convention,
    tolerance=0.02,
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
        return f"A head of {len(before) // heads} rows does not turn so many of them."
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
        _weights_case("eight heads", 8, 8, 24),
        _weights_case("three heads that turn in part", 3, 10, 30, turned=6),
        _weights_case("eight heads of four rows", 8, 4, 2),
        _weights_case("two heads of five rows", 2, 5, 3, turned=4),
        _weights_case("three heads of a hundred rows", 3, 100, 2, turned=4),
        _reordered_case(
            "weights below a millionth, in rows that begin alike", 1e-9 * _alike(32), 2, 8
        ),
        _reordered_case("rows of a few whole numbers", _alike(48), 3),
        _reordered_case("a bias of a few whole numbers", _alike(40)[:, 1], 2, 12),
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
    return Case(cache, query, key, frequencies, label=f"a cache of {length} keys")


def _explain_scores(scores, right, cache, query, key, frequencies):
    same = np.isclose(scores, right)
    if same[-1] and not same.all():
        return "The last one is right, as in the function that was given. The others are off."
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
        "Query and key are turned one position too far: the length was taken after the key had "
        "joined. Before that, how many tokens are there?": _step(1, 1),
        "The query stands one position too far.": _step(1, 0),
        "The key stands one position too far.": _step(0, 1),
        "You count one too few: after n tokens the next is number n.": _step(-1, -1),
        "The new token is always at position 0, where its own array begins and not the text; or "
        "the cached keys are turned a second time.": _step(position=lambda cache: 0),
        "A token looks at itself: the last score is missing.": (
            lambda *given: _step()(*given)[:-1]
        ),
        "Query and key are turned backwards.": _step(position=lambda cache: -len(cache)),
    },
    explain=_explain_scores,
    correct="Taken before the key joins, the length is the position. Whoever takes it afterwards "
    "is off by one, and only at the seam.",
)


_LONG = sinusoidal(100, 16)


def _pe(x):
    """Return the encodings of a text's positions, for a batch of texts."""
    return _LONG[: x.shape[1]].copy()


def _adds_in_place(x):
    x += _pe(x)
    return x


def _with_other_cosines(x):
    odd = 10_000.0 ** (-np.arange(1, 17, 2) / 16)
    cosines = np.cos(np.outer(np.arange(x.shape[1]), odd))
    return x + np.where(np.arange(16) % 2, np.repeat(cosines, 2, axis=1), _pe(x))


def _with_rounded_angles(x):
    angles = bfloat16(np.outer(np.arange(x.shape[1]), angular_frequencies(16)))
    return x + fourier_features(angles, [1]).reshape(-1, 16)


def _kinds(texts, tokens):
    square, fewer = texts == tokens > 1, 1 < texts < tokens
    return texts == 1, tokens == 1, square, fewer, texts > tokens, tokens == 60, True


def _errs_elsewhere(test, width):
    """Return an encoder that errs for the first kind of shape that a test does not try."""
    seen = [(0, 0)]
    test(lambda x: seen.append(x.shape[:2]) or x + _pe(x), width)
    *tried, _ = np.any([_kinds(*shape) for shape in seen], axis=0)
    return lambda x: x + _pe(x) + _kinds(*x.shape[:2])[np.argmin([*tried, False])]


def _test_with(test, encode, width):
    return test(encode(test, width) if encode is _errs_elsewhere else encode, width)


_IS_RIGHT = "This one is right, up to an error of about a millionth."
_ENCODERS = {
    "a right one of 60 rows": (
        lambda x: x + sinusoidal(60, 16)[np.arange(x.shape[1])],
        "This one is right: no text has more than 60 tokens.",
    ),
    "a right one that rounds to float32": (lambda x: np.float32(x + _pe(x)), _IS_RIGHT),
    "one that gives each text a row": (
        lambda x: x + _LONG[: len(x), None],
        "It adds row 0 to all of the first text, row 1 to the second. Try several texts.",
    ),
    "one that forgot a colon": (lambda x: x + _LONG[x.shape[1]], "All tokens get the same row."),
    "a right one that adds in place": (
        _adds_in_place,
        "This one is right, and writes into what it is given. Give it a copy.",
    ),
    "one that gives all texts the words of the first": (
        lambda x: np.broadcast_to(x[:1], x.shape) + _pe(x),
        "It gives the words of the first text to all: compare every text.",
    ),
    "one that exchanges the texts": (
        lambda x: x[::-1] + _pe(x),
        "Compare every text with its own.",
    ),
    "one that adds its rows backwards": (lambda x: x + _pe(x)[::-1], "A sum does not show that."),
    "one that returns NaN": (lambda x: x * np.nan, "NaN is neither near nor far from a number."),
    "one whose table has 59 rows": (
        lambda x: x + _LONG[:59][np.arange(x.shape[1])],
        "For 60 tokens it raises an IndexError.",
    ),
    "one that slices by texts": (lambda x: x + _LONG[: len(x)], "It raises. Catch the error."),
    "one that does not assign its sum": (lambda x: x + 0.0, "It returns what came in."),
    "one that returns the table alone": (
        lambda x: np.broadcast_to(_pe(x), x.shape).copy(),
        "It forgets the words. Zeros do not show that.",
    ),
    "one that counts from 1": (lambda x: x + _LONG[1 : x.shape[1] + 1], "Its first row is 1."),
    "one with halves": (lambda x: x + _pe(x)[:, np.r_[0:16:2, 1:16:2]], "Its waves stand apart."),
    "one of slower hands": (
        lambda x: x + fourier_features(np.arange(x.shape[1]), 10_000.0 ** (-np.arange(8) / 7)),
        "It divides by d/2 − 1. The first pair is right.",
    ),
    "one whose angles are rounded": (_with_rounded_angles, "Its numbers are off by up to 0.04."),
    "one that is right for the first text alone": (
        lambda x: x + _pe(x) * (np.arange(len(x)) == 0)[:, None, None],
        "Only the first text gets its positions.",
    ),
    "one that squares the words": (lambda x: x * x + _pe(x), "Zeros and ones do not show that."),
    "one off by 0.001": (lambda x: x + _pe(x) + np.eye(1, 16) / 1000, "Rounding is smaller."),
    "one that adds an axis": (lambda x: (x + _pe(x))[None], "Look at the shape first."),
    "one that drops an axis": (lambda x: (x + _pe(x))[0], "A difference is broadcast back."),
    "one with its cosines at other speeds": (_with_other_cosines, "Compare with the table itself."),
    "one made to err where you do not look": (
        _errs_elsewhere,
        "It errs for one text, one token, as many texts as tokens, more, fewer, or 60 tokens.",
    ),
}


def _tests(*shapes):
    """Return a test of an encoder by batches of these shapes."""

    def encodes(encode, width):
        for shape in shapes:
            x = np.random.default_rng(0).normal(size=(*shape, width))
            expected = x + sinusoidal(shape[1], width)
            try:
                y = np.asarray(encode(x.copy()))
            except Exception:
                return False
            if y.shape != x.shape or not np.allclose(y, expected, rtol=0, atol=1e-4):
                return False
        return True

    return encodes


encodes = Exercise(
    "encodes",
    task="True if `encode` adds the course's encoding to each text from position 0 on, else False",
    reference=_tests((1, 1), (1, 60), (2, 3), (7, 7), (40, 5), (3, 41)),
    run=_test_with,
    cases=[Case(encode, 16, label=label, hint=hint) for label, (encode, hint) in _ENCODERS.items()],
    mistakes={
        "You try a single text only.": _tests((1, 60)),
        "You ask for the shape alone.": (
            lambda encode, width: np.shape(encode(np.zeros((3, 5, width)))) == (3, 5, width)
        ),
    },
    correct="Each of these slips has been in somebody's program, and some for years.",
)
