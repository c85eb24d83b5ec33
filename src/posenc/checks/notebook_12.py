"""The exercises of notebook 12, *Into practice*."""

import functools

import numpy as np

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.grids import fourier_features
from posenc.layouts import bfloat16
from posenc.shifts import shift_by_phase

from ._exercise import Case, Exercise

_RIGHT = np.array([[16, 0, 16, 0], [16, 1, 15, 1], [16, 0, 8, 0]])


def _with(row, column, value):
    wrong = _RIGHT.copy()
    wrong[row, column] = value
    return wrong


_ASKED = (
    "the place of column 0's partner",
    "whether the sine or the cosine is first",
    "P",
    "the position of row 0",
)


def _explain_conventions(conventions):
    row, column = np.argwhere(~np.isclose(conventions, _RIGHT))[0]
    return f"Look again at {'DEF'[row]}: {_ASKED[column]} is not right."


conventions = Exercise(
    "conventions",
    task="an array of three rows for D, E and F: place of the partner, 0 for sine or 1 for cosine "
    "first, P, and position of row 0",
    reference=_RIGHT,
    mistakes={
        "F is a picture's table: 16 pairs, of which each axis has eight. The eight that turn from "
        "row to row tell its P.": _with(2, 2, 16),
        "In F the partner of column 0 stands behind the sines of both axes.": _with(2, 0, 8),
        "In F you counted the second axis from the wrong patch. The first patch is row 0.": (
            _with(2, 3, 1)
        ),
        "E begins one step later: read the angle of its slowest hand in row 0.": _with(1, 3, 0),
        "E has its cosines first: in row 0 the slow columns of the left half are near 1.": (
            _with(1, 1, 0)
        ),
        "E's hands slow down faster than those of the paper's rule. What is the ratio of its last "
        "two speeds?": _with(1, 2, 16),
        "D's rows have length 0.71, which changes no ratio of speeds. What are its last two?": (
            _with(0, 2, 15)
        ),
        "You have exchanged 0 and 1 in the second column: 0 stands for the sine.": np.column_stack(
            [_RIGHT[:, 0], 1 - _RIGHT[:, 1], _RIGHT[:, 2:]]
        ),
        "The first column is to say how far the partner of column 0 is: 16 columns on, if the "
        "table has halves of 16.": np.column_stack([np.ones(3), _RIGHT[:, 1:]]),
        "These are the rows of the tables turned on their side: one row for each table is wanted, "
        "and four columns.": _RIGHT.T,
        "That is A, B and C. Load D, E and F.": np.array(
            [[16, 0, 15, 0], [16, 1, 16, 0], [1, 0, 16, 0]]
        ),
    },
    explain=_explain_conventions,
    correct="They come from x-transformers, diffusers and timm, and no label was needed.",
)


def _to_halves(weight, heads):
    parts = weight.reshape(heads, -1, 2, weight.shape[1])
    return parts.swapaxes(1, 2).reshape(weight.shape)


def _to_pairs(weight, heads):
    parts = weight.reshape(heads, 2, -1, weight.shape[1])
    return parts.swapaxes(1, 2).reshape(weight.shape)


def _weights():
    rng = np.random.default_rng(12)
    for heads, head_width, inputs in ((1, 6, 4), (2, 6, 3), (4, 16, 64), (3, 8, 24)):
        weight = rng.normal(size=(heads * head_width, inputs))
        yield Case(weight, heads, label=f"{heads} heads of {head_width} rows and {inputs} columns")


def _columns(weight, heads):
    """Reorder the columns in place of the rows, as far as there are columns."""
    order = np.r_[0 : weight.shape[1] : 2, 1 : weight.shape[1] : 2]
    return weight[:, order]


def _swapped(weight, heads):
    parts = weight.reshape(heads, -1, 2, weight.shape[1])[:, :, ::-1]
    return parts.swapaxes(1, 2).reshape(weight.shape)


def _heads_inside(weight, heads):
    """Take the rows as if the heads took turns, one row each."""
    parts = weight.reshape(-1, heads, weight.shape[1]).swapaxes(0, 1)
    return _to_halves(parts.reshape(weight.shape), heads)


to_halves = Exercise(
    "to_halves",
    task="the matrix with the rows of each head taken from pairs to halves",
    reference=_to_halves,
    cases=lambda: list(_weights()),
    mistakes={
        "That is the way back, from halves to pairs.": _to_pairs,
        "You take all rows as one head, and so carry numbers from one head into another.": (
            lambda weight, heads: _to_halves(weight, 1)
        ),
        "You reorder the columns. In PyTorch a row makes a number of the query; the columns belong "
        "to what comes in.": _columns,
        "In each half the second of a pair has come before the first.": _swapped,
        "You give the matrix back as it was.": lambda weight, heads: weight.copy(),
        "The heads stand one after another, not row by row in turns.": _heads_inside,
        "You return the transposed matrix.": lambda weight, heads: _to_halves(weight, heads).T,
        "Two numbers beside each other are a pair; you take two that are half a head apart and "
        "exchange the halves.": lambda weight, heads: weight.reshape(heads, 2, -1, weight.shape[1])[
            :, ::-1
        ].reshape(weight.shape),
        "You keep the first of each pair and lose the second.": lambda weight, heads: np.repeat(
            weight[0::2], 2, axis=0
        ),
    },
    correct="This is the line by which Llama's weights were converted, for queries and keys alone.",
)


def _turned(rows, frequencies, positions):
    return np.array(
        [shift_by_phase(row[None], frequencies, t)[0] for row, t in zip(rows, positions)]
    ).reshape(len(rows), 2 * len(frequencies))


def _step(query_at=0, key_at=0, *, position=None, again=False, turn_key=True):
    """Return a step whose query and key stand so many positions from where they should."""

    def step(cache, query, key, frequencies):
        t = len(cache) if position is None else position
        query = shift_by_phase(query[None], frequencies, t + query_at)
        key = shift_by_phase(key[None], frequencies, t + key_at) if turn_key else key[None]
        if again:
            cache = _turned(cache, frequencies, np.arange(len(cache)))
        cache = np.concatenate([cache, key])
        return cache @ query[0]

    return step


def _upside_down(cache, query, key, frequencies):
    return _step()(cache, query, key, frequencies)[::-1].copy()


def _blind_to_itself(cache, query, key, frequencies):
    return _step()(cache, query, key, frequencies)[:-1]


def _scaled(cache, query, key, frequencies):
    return _step()(cache, query, key, frequencies) / np.sqrt(len(query))


def _backwards(cache, query, key, frequencies):
    query, key = shift_by_phase(np.array([query, key]), frequencies, -len(cache))
    return np.vstack([cache, key]) @ query


def _steps():
    rng = np.random.default_rng(3)
    for length, width, base in ((5, 8, 10_000), (0, 6, 10_000), (1, 4, 500), (40, 16, 1_000_000)):
        frequencies = angular_frequencies(width, base=base)
        keys = rng.normal(size=(length, width))
        cache = _turned(keys, frequencies, np.arange(length))
        query, key = rng.normal(size=(2, width))
        yield Case(cache, query, key, frequencies, label=f"a cache of {length} keys")


repaired_scores = Exercise(
    "repaired_scores",
    task="the scores of the next token's query with all keys up to its own",
    reference=_step(),
    cases=lambda: list(_steps()),
    mistakes={
        "Query and key are turned one position too far: the length was taken after the key had "
        "joined. Before that, how many tokens are there?": _step(1, 1),
        "The query stands one position too far.": _step(1, 0),
        "The key stands one position too far.": _step(0, 1),
        "You count one too few: after n tokens, counted from 0, the next one is number n.": (
            _step(-1, -1)
        ),
        "The new token is always at position 0, where its own array begins and not the text; or "
        "the cached keys are turned a second time.": _step(position=0),
        "You turn the cache again. Its keys are turned already.": _step(again=True),
        "The key joins the cache without being turned.": _step(turn_key=False),
        "The scores stand in the wrong order, from the last key to the first.": _upside_down,
        "A token may look at itself: the last score is missing.": _blind_to_itself,
        "These scores are divided by √d, which comes later, in the attention.": _scaled,
        "Query and key are turned backwards.": _backwards,
    },
    correct="Taken before the key joins, the length is the position. Whoever takes it afterwards "
    "is off by one, and only at the seam.",
)


def _made(slip):
    """Return an encoder with the slip, and words for it."""
    return Case(slip[1], 16, label=slip[0], hint=slip[2])


@functools.cache
def _longest():
    return sinusoidal(100, 16)


def _pe(count):
    return _longest()[:count].copy()


def _by_loop(x):
    y, table = np.array(x, dtype=float), _pe(x.shape[1])
    for t in range(x.shape[1]):
        y[:, t] += table[t]
    return y


def _only_if_square(x):
    return x + (_pe(x.shape[1]) if len(x) != x.shape[1] else _pe(len(x))[:, None])


def _fails_on_one(x):
    if x.shape[1] == 1:
        raise ValueError("too short")
    return x + _pe(x.shape[1])


def _frequency_of_odd(count):
    table = _pe(count)
    odd = 10_000.0 ** (-np.arange(1, 17, 2) / 16)
    table[:, 1::2] = np.cos(np.outer(np.arange(count), odd))
    return table


def _of_slower_hands(count):
    return fourier_features(np.arange(count), 10_000.0 ** (-np.arange(8) / 7))


def _with_rounded_angles(count):
    angles = bfloat16(np.outer(np.arange(count), angular_frequencies(16)))
    return fourier_features(angles, [1]).reshape(count, 16)


_ENCODERS = (
    ("a right one", lambda x: x + _pe(x.shape[1]), "This one is right."),
    ("a right one in a loop", _by_loop, "This one is right."),
    (
        "a right one that slices a long table",
        lambda x: x + _pe(100)[None, : x.shape[1]],
        "This one is right.",
    ),
    (
        "a right one that rounds to float32 at the end",
        lambda x: (x + _pe(x.shape[1])).astype(np.float32),
        "Rounding to float32 is no slip: allow for an error of about a millionth.",
    ),
    (
        "one that gives each text a row",
        lambda x: x + _pe(len(x))[:, None],
        "It adds row 0 to all of the first text, row 1 to the second. Try several texts, and "
        "compare the rows themselves.",
    ),
    (
        "one that slices by the batch",
        lambda x: x + _pe(100)[:, None][: len(x)],
        "It slices the table by the number of texts. Try several texts.",
    ),
    (
        "one that adds one row to all tokens",
        lambda x: x + _pe(100)[x.shape[1]],
        "It forgot a colon, and every token gets the row at the text's length.",
    ),
    (
        "one that does not assign its sum",
        lambda x: x + 0.0,
        "It returns what came in.",
    ),
    (
        "one that returns the table alone",
        lambda x: np.broadcast_to(_pe(x.shape[1]), x.shape).copy(),
        "It forgets the words. Zeros do not show that.",
    ),
    (
        "one that counts from 1",
        lambda x: x + sinusoidal(x.shape[1], 16, start=1),
        "It begins at position 1.",
    ),
    (
        "one with halves",
        lambda x: x + _pe(x.shape[1])[:, np.r_[0:16:2, 1:16:2]],
        "It adds the same waves in halves.",
    ),
    (
        "one of slower hands",
        lambda x: x + _of_slower_hands(x.shape[1]),
        "It divides by d/2 − 1. The first pair is right.",
    ),
    (
        "one whose angles are rounded to bfloat16",
        lambda x: x + _with_rounded_angles(x.shape[1]),
        "Its angles are rounded to bfloat16: its numbers are off by up to 0.04.",
    ),
    (
        "one that scales the words",
        lambda x: 4 * x + _pe(x.shape[1]),
        "It multiplies the words by 4. Zeros do not show that.",
    ),
    (
        "one that fails for a single token",
        _fails_on_one,
        "It raises an error for a text of one token, which is what a cache asks for.",
    ),
    (
        "one that is wrong for as many texts as tokens",
        _only_if_square,
        "It takes the wrong axis when there are as many texts as tokens.",
    ),
    (
        "one whose table ends at 50",
        lambda x: x + np.pad(_pe(50), ((0, 10), (0, 0)))[: x.shape[1]],
        "Beyond token 50 it adds nothing. Try a text of 60.",
    ),
    (
        "one that is right for the first text alone",
        lambda x: x + _pe(x.shape[1]) * (np.arange(len(x)) == 0)[:, None, None],
        "Only the first text gets its positions.",
    ),
    (
        "one that drops the batch",
        lambda x: (x + _pe(x.shape[1]))[0],
        "It returns one text of the batch. Whoever subtracts before looking at the shape has it "
        "broadcast back.",
    ),
    (
        "one with its cosines at other speeds",
        lambda x: x + _frequency_of_odd(x.shape[1]),
        "Its cosines have frequencies of their own: compare with the table itself.",
    ),
)


def _encodes(encode, width):
    rng = np.random.default_rng(0)
    for batch, tokens in ((1, 1), (1, 60), (2, 3), (7, 7), (40, 5), (3, 41)):
        x = rng.normal(size=(batch, tokens, width))
        try:
            y = np.asarray(encode(x.copy()))
        except Exception:
            return False
        expected = x + sinusoidal(tokens, width)
        if y.shape != x.shape or not np.allclose(y, expected, rtol=0, atol=1e-4):
            return False
    return True


def _single(batch, tokens, *, zeros=False, atol=1e-4, test=None):
    """Return a test that tries one shape."""

    def encodes(encode, width):
        x = np.random.default_rng(0).normal(size=(batch, tokens, width)) * (not zeros)
        y = np.asarray(encode(x.copy()))
        if y.shape != x.shape:
            return False
        added = y - (0 if zeros else x)
        if test is not None:
            return bool(test(added))
        return bool(np.allclose(added, sinusoidal(tokens, width), rtol=0, atol=atol))

    return encodes


encodes = Exercise(
    "encodes",
    task="True if `encode` adds the course's encoding to each text from position 0 on, else False",
    reference=_encodes,
    cases=lambda: [_made(encoder) for encoder in _ENCODERS],
    mistakes={
        "You try a single text only.": _single(1, 60),
        "You try one shape only.": _single(3, 41),
        "You put zeros in and nothing else, so that you cannot see what becomes of the words.": (
            _single(5, 60, zeros=True)
        ),
        "You look whether tokens differ and texts do not. By what they differ, you do not look.": (
            _single(
                5,
                60,
                test=lambda added: (
                    np.ptp(added, axis=0).max() < 1e-4 < 0.1 < np.ptp(added, axis=1).max()
                ),
            )
        ),
        "You ask for the shape alone.": lambda encode, width: (
            np.shape(encode(np.zeros((3, 5, width)))) == (3, 5, width)
        ),
        "True and False are exchanged.": lambda encode, width: not _encodes(encode, width),
    },
    correct="Each of these slips has been in somebody's program, and some for years.",
)
