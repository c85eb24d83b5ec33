"""The exercises of notebook 12, *Into practice*."""

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


def _explain_conventions(conventions, right):
    row, column = np.argwhere(~np.isclose(conventions, right))[0]
    asked = ("the partner of column 0", "sine or cosine first", "P", "the position of row 0")
    return f"Look again at {'DEF'[row]}: {asked[column]}."


conventions = Exercise(
    "conventions",
    task="an array of three rows for D, E and F, with four entries for each",
    reference=_RIGHT,
    mistakes={
        "F is a picture's table: 16 pairs, of which each axis has eight. The eight that turn from "
        "row to row tell its P.": _with(2, 2, 16),
        "In F the partner of column 0 stands behind the sines of both axes.": _with(2, 0, 8),
        "In F you counted the second axis from the wrong patch. The first is 0.": _with(2, 3, 1),
        "E begins one step later: read the angle of its slowest hand in row 0.": _with(1, 3, 0),
        "E has its cosines first: in row 0 the slow columns left are near 1.": _with(1, 1, 0),
        "E's hands slow down faster than those of the paper's rule. What is the ratio of its last "
        "two speeds?": _with(1, 2, 16),
        "D's rows have length 0.71, but ratios of speeds are as ever.": _with(0, 2, 15),
        "You have exchanged 0 and 1 in the second column: 0 is sine.": (
            np.abs(_RIGHT - [0, 1, 0, 0])
        ),
        "The first column is to say how far the partner of column 0 is: 16 columns on, if the "
        "table has halves of 16.": _with(slice(None), 0, 1),
        "These are the rows of the tables turned on their side: one row for each table is wanted, "
        "and four columns.": _RIGHT.T,
        "That is A, B and C. Load D, E and F.": [[16, 0, 15, 0], [16, 1, 16, 0], [1, 0, 16, 0]],
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


def _weight_case(heads, head_width, inputs):
    return Case(
        np.random.default_rng([12, heads]).normal(size=(heads * head_width, inputs)),
        heads,
        label=f"{heads} head{'s' * (heads > 1)} of {head_width} rows and {inputs} columns",
    )


to_halves = Exercise(
    "to_halves",
    task="the matrix with the rows of each head taken from pairs to halves",
    reference=_to_halves,
    cases=[
        _weight_case(1, 6, 4),
        _weight_case(2, 6, 3),
        _weight_case(4, 16, 64),
        _weight_case(3, 8, 24),
    ],
    mistakes={
        "That is the way back, from halves to pairs.": _to_pairs,
    },
    correct="This is the line by which Llama's weights were converted, for queries and keys alone.",
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
    query, key = rng.normal(size=(2, width))
    return Case(cache, query, key, frequencies, label=f"a cache of {length} keys")


repaired_scores = Exercise(
    "repaired_scores",
    task="the scores of the next token's query with all keys up to its own",
    reference=_step(),
    cases=[
        _step_case(5, 8, 10_000),
        _step_case(0, 6, 10_000),
        _step_case(1, 4, 500),
        _step_case(40, 16, 1_000_000),
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
    correct="Taken before the key joins, the length is the position. Whoever takes it afterwards "
    "is off by one, and only at the seam.",
)


_LONG = sinusoidal(100, 16)


def _pe(x):
    """Return the encodings of a text's positions, for a batch of texts."""
    return _LONG[: x.shape[1]].copy()


def _fails_on_one(x):
    if x.shape[1] == 1:
        raise ValueError("too short")
    return x + _pe(x)


def _with_other_cosines(x):
    odd = 10_000.0 ** (-np.arange(1, 17, 2) / 16)
    cosines = np.cos(np.outer(np.arange(x.shape[1]), odd))
    return x + np.where(np.arange(16) % 2, np.repeat(cosines, 2, axis=1), _pe(x))


def _with_rounded_angles(x):
    angles = bfloat16(np.outer(np.arange(x.shape[1]), angular_frequencies(16)))
    return x + fourier_features(angles, [1]).reshape(-1, 16)


_IS_RIGHT = "This one is right, up to an error of about a millionth."
_ENCODERS = {
    "a right one": (lambda x: x + _pe(x), _IS_RIGHT),
    "a right one that rounds to float32": (lambda x: np.float32(x + _pe(x)), _IS_RIGHT),
    "one that gives each text a row": (
        lambda x: x + _LONG[: len(x), None],
        "It adds row 0 to all of the first text, row 1 to the second. Try several texts.",
    ),
    "one that forgot a colon": (
        lambda x: x + _LONG[x.shape[1]],
        "It forgot a colon, and every token gets the row at the text's length.",
    ),
    "one that does not assign its sum": (lambda x: x + 0.0, "It returns what came in."),
    "one that returns the table alone": (
        lambda x: np.broadcast_to(_pe(x), x.shape).copy(),
        "It forgets the words. Zeros do not show that.",
    ),
    "one that counts from 1": (
        lambda x: x + sinusoidal(x.shape[1], 16, start=1),
        "It begins at position 1.",
    ),
    "one with halves": (lambda x: x + _pe(x)[:, np.r_[0:16:2, 1:16:2]], "Its waves stand apart."),
    "one of slower hands": (
        lambda x: x + fourier_features(np.arange(x.shape[1]), 10_000.0 ** (-np.arange(8) / 7)),
        "It divides by d/2 − 1. The first pair is right.",
    ),
    "one whose angles are rounded": (_with_rounded_angles, "Its numbers are off by up to 0.04."),
    "one that scales the words": (lambda x: 4 * x + _pe(x), "Zeros do not show that."),
    "one that fails for a single token": (_fails_on_one, "A cache asks for a single token."),
    "one that is wrong for as many texts as tokens": (
        lambda x: x + (_pe(x) if len(x) != x.shape[1] else _pe(x)[:, None]),
        "It takes the wrong axis when there are as many texts as tokens.",
    ),
    "one whose table ends at 50": (
        lambda x: x + np.pad(_LONG[:50], ((0, 10), (0, 0)))[: x.shape[1]],
        "Beyond token 50 it adds nothing. Try a text of 60.",
    ),
    "one that is right for the first text alone": (
        lambda x: x + _pe(x) * (np.arange(len(x)) == 0)[:, None, None],
        "Only the first text gets its positions.",
    ),
    "one that drops the batch": (
        lambda x: (x + _pe(x))[0],
        "Whoever subtracts before looking at the shape has it broadcast back.",
    ),
    "one with its cosines at other speeds": (_with_other_cosines, "Compare with the table itself."),
}


def _tests(*shapes):
    """Return a test of an encoder by batches of these shapes."""

    def encodes(encode, width):
        for shape in shapes:
            x = np.random.default_rng(0).normal(size=(*shape, width))
            try:
                y = np.asarray(encode(x.copy()))
            except Exception:
                return False
            expected = x + sinusoidal(shape[1], width)
            if y.shape != x.shape or not np.allclose(y, expected, rtol=0, atol=1e-4):
                return False
        return True

    return encodes


encodes = Exercise(
    "encodes",
    task="True if `encode` adds the course's encoding to each text from position 0 on, else False",
    reference=_tests((1, 1), (1, 60), (2, 3), (7, 7), (40, 5), (3, 41)),
    cases=[Case(encode, 16, label=label, hint=hint) for label, (encode, hint) in _ENCODERS.items()],
    mistakes={
        "You try a single text only.": _tests((1, 60)),
        "You try one shape only.": _tests((3, 41)),
        "You ask for the shape alone.": (
            lambda encode, width: np.shape(encode(np.zeros((3, 5, width)))) == (3, 5, width)
        ),
    },
    correct="Each of these slips has been in somebody's program, and some for years.",
)
