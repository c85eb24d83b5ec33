"""What every checker must hold, whoever answers.

`hold(exercise, right=[...], wrong=[(answer, words), ...])` tries answers that are written as a
student would write them; each wrong one must be told `words`. `LAWS` are tried on every exercise
of the course without further notice: see `test_laws.py`.
"""

import pickle
import random
import re
from fractions import Fraction

import numpy as np
import sympy

from posenc import checks

EXERCISES = [value for value in vars(checks).values() if isinstance(value, checks.Exercise)]
PARTS = EXERCISES + [exercise.evidence for exercise in EXERCISES if exercise.evidence]
FUNCTIONS = [exercise for exercise in EXERCISES if exercise.cases]


def states():
    """Return what a checker must leave as it is, in a form that compares quickly."""
    return random.getstate(), pickle.dumps(np.random.get_state()), np.geterr()  # noqa: NPY002


def feedback_of(exercise, *answers):
    """Check an answer, and hold what is true of every feedback."""
    before = states()
    feedback = exercise(*answers)
    assert before == states(), "a random state or NumPy's handling of errors changed"

    assert isinstance(feedback, checks.Feedback)
    assert bool(feedback) is feedback.passed
    assert feedback.attempted or not feedback.passed
    text, page = repr(feedback), feedback._repr_html_()
    assert feedback.message in text
    assert re.search(r"[.?!]$", feedback.message) or not feedback.message, feedback.message
    assert not re.match("[a-z]", feedback.message)
    assert "  " not in feedback.message
    assert not re.search(r"0x[0-9a-f]|/home|/tmp|[A-Za-z]:\\", text), "an address or a path"
    assert "<script" not in page
    assert len(text) < 800, "too long to be read"
    return feedback


def is_wrong(exercise, *answers, name=""):
    """Assert that an answer is told to be wrong; return the message."""
    feedback = feedback_of(exercise, *answers)
    assert not feedback.passed, f"passed, though wrong: {name}"
    assert feedback.attempted, f"taken for not attempted: {name}"
    return feedback.message


def is_right(exercise, *answers, name=""):
    """Assert that an answer passes; of an exercise that asks for evidence, its first half."""
    feedback = feedback_of(exercise, *answers)
    wanted = "half" if exercise.evidence and len(answers) == 1 else "passed"
    assert feedback.status == wanted, f"{name} should pass: {feedback.message}"


def is_blank(exercise, *answers, name=""):
    """Assert that an answer counts as not attempted."""
    feedback = feedback_of(exercise, *answers)
    assert not feedback.attempted, f"{name}: {feedback.message}"


def hold(exercise, *, right, wrong):
    """Assert that right answers pass, and that each wrong one is told what it confuses."""
    refused = [feedback_of(exercise, answer) for answer in right]
    told = [(words, feedback_of(exercise, answer)) for answer, words in wrong]
    allowed = ("half", "passed") if exercise.evidence else ("passed",)
    problems = [f"right[{i}]: {f}" for i, f in enumerate(refused) if f.status not in allowed]
    problems += [
        f"wrong[{i}] should be told {words!r}: {f}"
        for i, (words, f) in enumerate(told)
        if f.status != "wrong" or words not in f.message
    ]
    assert not problems, "\n".join(problems)


def solution(exercise):
    """Return a right answer: the reference."""
    if exercise.cases or not callable(exercise.reference):
        return exercise.reference
    return exercise.reference()


def mistakes(exercise):
    """Yield each known mistake: what is told, and what the student answers."""
    for message, answer in exercise.mistakes.items():
        yield message, answer() if callable(answer) and not exercise.cases else answer


class Hostile:
    """An object that raises whenever it is looked at."""

    def __getattribute__(self, name):
        raise ValueError("do not look at me")

    def __array__(self, *args, **kwargs):
        raise ValueError("no array either")

    def __eq__(self, other):
        raise ValueError("nor a comparison")

    __hash__ = None

    def __repr__(self):
        raise ValueError("not even a repr")


class Deceptive:
    """An object that says yes to every comparison and is an array of nothing."""

    def __eq__(self, other):
        return True

    __hash__ = None

    def __array__(self, dtype=None, copy=None):
        raise SystemExit("array")


class UnprintableError(Exception):
    def __str__(self):
        raise ValueError("no text")


def raiser(error):
    def function(*args):
        raise error

    return function


def _endless_recursion(*args):
    return _endless_recursion(*args)


def _strict_numpy(*args):
    np.seterr(all="raise")
    return np.full(3, 1e308) * 10


def _disturb_everything(*args):
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    np.log(np.zeros(3))
    return np.ones(3)[:2] / np.zeros(2)


# Never right for any exercise.
BAD_VALUES = {
    "dict": {"a": 1},
    "set of objects": {object()},
    "bytes": b"abc",
    "long text": "no such answer " * 50,
    "markup": "<script>alert(1)</script> & `code`",
    "object": object(),
    "hostile object": Hostile(),
    "deceptive object": Deceptive(),
    "class": Hostile,
    "list of hostile objects": [Hostile(), Hostile()],
    "object array": np.array([None, "x", object()], dtype=object),
    "ragged list": [[1, 2], [3]],
    "empty list": [],
    "empty array": np.empty((0, 3)),
    "deep array": np.zeros((1, 2, 1, 2, 1)),
    "NaN": float("nan"),
    "NaN array": np.full((3, 4), np.nan),
    "masked array": np.ma.masked_all((3, 4)),
    "infinity": float("inf"),
    "complex": 1 + 2j,
    "complex array": np.array([1j, 2j]),
    "huge integer": 10**400,
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "records": np.zeros(2, dtype=[("a", int)]),
    "NaN among objects": np.array([Fraction(1, 3), float("nan")], dtype=object),
    "function": np.sum,
    "lambda": lambda: None,
    "two things": (np.zeros(2), np.zeros((2, 2, 2))),
}

BLANK_VALUES = {"None": None, "Ellipsis": ..., "blank list": [..., ...], "empty text": " "}

BAD_FUNCTIONS = {
    "raises": raiser(ValueError("bad `things` in /home/somebody/secret/file.py at 0x7f00aa")),
    "raises without words": raiser(ValueError()),
    "raises unprintably": raiser(UnprintableError()),
    "raises a base exception": raiser(BaseException("base")),
    "assertion": raiser(AssertionError("1\n2")),
    "ends Python": raiser(SystemExit(1)),
    "recursion": _endless_recursion,
    "memory": raiser(MemoryError()),
    "generator": lambda *args: (x for x in args),
    "iterator": lambda *args: map(float, args),
    "no parameters": lambda: 1,
    "too many parameters": lambda a, b, c, d, e, f, g, h: 1,
    "keyword only": lambda *, a: 1,
    "NumPy function": np.arctan2,
    "builtin": len,
    "class": Hostile,
    "its arguments": lambda *args: args,
    "first argument": lambda *args: args[0],
    "strict NumPy": _strict_numpy,
    "disturbs": _disturb_everything,
}


def styles(result):
    """Yield the same answer in other types."""
    array = np.asarray(result)
    yield "list", array.tolist()
    if array.ndim == 1:
        yield "tuple", tuple(array.tolist())
    if array.dtype.kind == "b":
        yield "integer", array.astype(int)
        return
    yield "objects", array.astype(object)
    yield "longdouble", array.astype(np.longdouble)
    yield "array", array
    if array.dtype.kind == "f":
        yield "float32", array.astype(np.float32)
    else:
        yield "float", array.astype(float)
        yield "int32", array.astype(np.int32)
    if array.size < 10:
        yield "SymPy", np.vectorize(sympy.sympify, otypes=[object])(array)
