"""What every checker must hold: `hold(checker, solution=..., wrong=[...], also_right=[...])`.

A test of a checker is one call::

    def test_wavelength():
        hold(
            checks.wavelength,
            solution=lambda k, width: 2 * np.pi * 10_000 ** (2 * k / width),
            examples=[(0, 8)],  # the cases that the statement gives away, if any
            wrong=[(lambda k, width: 10_000 ** (-2 * k / width), "angular frequency"), ...],
            also_right=[...],
        )

`wrong` holds at least four answers, written as a student would, each with words that its message
must contain and that no other message may contain. For a `ValueCheck`, answers are values instead
of functions.
"""

import copy
import random
import re
from fractions import Fraction

import numpy as np

from posenc import checks
from posenc.checks._answers import kind_of


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


class UnprintableError(Exception):
    def __str__(self):
        raise ValueError("no text")


def _raiser(error):
    def function(*args):
        raise error

    return function


def _endless(*args):
    return _endless(*args)


async def _coroutine(*args):
    return 1


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
    "class": Hostile,
    "list of hostile objects": [Hostile(), Hostile()],
    "object array": np.array([None, "x", object()], dtype=object),
    "ragged list": [[1, 2], [3]],
    "empty list": [],
    "empty array": np.empty((0, 3)),
    "deep array": np.zeros((1, 2, 1, 2, 1)),
    "NaN": float("nan"),
    "NaN array": np.full((3, 4), np.nan),
    "infinity": float("inf"),
    "complex": 1 + 2j,
    "complex array": np.array([1j, 2j]),
    "huge integer": 10**400,
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "records": np.zeros(2, dtype=[("a", int)]),
    "NaN among objects": np.array([Fraction(1, 3), float("nan")], dtype=object),
    "function": np.sum,
    "lambda": lambda: None,
}

BLANK_VALUES = {"None": None, "Ellipsis": ..., "blank list": [..., ...], "empty text": " "}

BAD_FUNCTIONS = {
    "raises": _raiser(ValueError("bad `things` in /home/somebody/secret/file.py at 0x7f00aa")),
    "raises without words": _raiser(ValueError()),
    "raises unprintably": _raiser(UnprintableError()),
    "raises a base exception": _raiser(BaseException("base")),
    "assertion": _raiser(AssertionError("1\n2")),
    "ends Python": _raiser(SystemExit(1)),
    "recursion": _endless,
    "memory": _raiser(MemoryError()),
    "coroutine": _coroutine,
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
    "disturbs": _disturb_everything,
}


def feedback_of(checker, answer):
    """Call a checker, and hold what is true of every feedback."""
    before = (np.random.get_state()[1].tobytes(), np.random.get_state()[2])  # noqa: NPY002
    python_before, errors_before = random.getstate(), np.geterr()
    feedback = checker(answer)
    after = (np.random.get_state()[1].tobytes(), np.random.get_state()[2])  # noqa: NPY002
    assert before == after, "NumPy's random state changed"
    assert python_before == random.getstate(), "Python's random state changed"
    assert errors_before == np.geterr()

    assert isinstance(feedback, checks.Feedback)
    assert bool(feedback) is feedback.passed
    assert feedback.attempted or not feedback.passed
    text, page = repr(feedback), feedback._repr_html_()
    assert feedback.message in text
    assert re.search(r"[.?!]$", feedback.message), feedback.message
    assert "  " not in feedback.message
    assert not re.search(r"0x[0-9a-f]|/home|/tmp|[A-Za-z]:\\", text), "an address or a path"
    assert "<script" not in page
    assert len(text) < 800, "too long to be read"
    return feedback


def is_wrong(checker, answer, name=""):
    """Assert that an answer is told to be wrong; return the message."""
    feedback = feedback_of(checker, answer)
    assert not feedback.passed, f"passed, though wrong: {name}"
    assert feedback.attempted, f"taken for not attempted: {name}"
    return feedback.message


def is_right(checker, answer, name=""):
    """Assert that an answer passes."""
    feedback = feedback_of(checker, answer)
    assert feedback.passed, f"{name} should pass: {feedback.message}"


def is_blank(checker, answer, name=""):
    """Assert that an answer counts as not attempted."""
    feedback = feedback_of(checker, answer)
    assert not feedback.attempted, f"{name}: {feedback.message}"


def hold(checker, *, solution, wrong, also_right=(), examples=()):
    """Assert everything that a checker must hold; see the module's docstring."""
    is_right(checker, solution, "the solution")
    for i, answer in enumerate(also_right):
        is_right(checker, answer, f"also_right[{i}]")
    _hold_messages(checker, wrong)
    for name, answer in BLANK_VALUES.items():
        is_blank(checker, answer, name)
    if isinstance(checker, checks.FunctionCheck):
        _hold_function(checker, solution, examples)
    else:
        for name, answer in BAD_VALUES.items():
            is_wrong(checker, answer, name)
        _hold_value(checker, solution)


def _hold_messages(checker, wrong):
    assert len(wrong) >= 4, "at least four wrong answers"
    messages = [is_wrong(checker, answer, f"wrong[{i}]") for i, (answer, _) in enumerate(wrong)]
    for i, (_, words) in enumerate(wrong):
        holders = [j for j, message in enumerate(messages) if words in message]
        assert holders == [i], f"{words!r} of wrong[{i}] ({messages[i]}) is in {holders}"
    known = [mistake.message for mistake in checker.mistakes]
    assert len(known) >= 3, "at least three known mistakes"
    assert len(set(known)) == len(known), "two mistakes share a message"
    for mistake in checker.mistakes:
        told = is_wrong(checker, _as_student(mistake.answer, checker), mistake.message)
        assert told.endswith(mistake.message), f"{mistake.message!r} is told as {told!r}"


def _as_student(answer, checker):
    if isinstance(checker, checks.ValueCheck) and callable(answer):
        return answer()
    return answer


def _styles(result):
    """Yield the same numbers in other types."""
    array = np.asarray(result)
    yield "lists", array.tolist()
    yield "objects", array.astype(object)
    if array.dtype.kind in "fiu":
        yield "longdouble", array.astype(np.longdouble)
        if array.dtype.kind == "f":
            yield "float32", array.astype(np.float32)
        else:
            yield "float", array.astype(float)
            yield "int32", array.astype(np.int32)


def _hold_value(checker, solution):
    if kind_of(solution) == "numbers":
        for name, answer in _styles(solution):
            is_right(checker, answer, name)
        assert str(solution) not in checker([object()]).message


def _hold_function(checker, solution, examples):
    assert len(checker.cases) >= 3, "at least three cases"
    results = [solution(*copy.deepcopy(case.arguments)) for case in checker.cases]
    kind = kind_of(results[0])

    # Hard-coded answers: one result for all, or right for the statement's examples alone.
    for case, result in zip(checker.cases, results):
        is_wrong(checker, lambda *args, result=result: result, f"constant of {case.arguments}")
    for arguments in examples:
        given = solution(*copy.deepcopy(arguments))

        def knows_one(*args, arguments=arguments, given=given):
            same = all(np.array_equal(a, b) for a, b in zip(args, arguments))
            return given if same else np.zeros_like(np.asarray(solution(*args)))

        is_wrong(checker, knows_one, f"knows only {arguments}")

    # The same numbers in other types.
    if kind == "numbers":
        names = {name for result in results for name, _ in _styles(result)}
        for name in sorted(names):

            def styled(*args, name=name):
                result = solution(*args)
                return dict(_styles(result)).get(name, result)

            is_right(checker, styled, name)

    # What students return that is no answer at all.
    for name, value in BAD_VALUES.items():
        is_wrong(checker, lambda *args, value=value: value, f"returns {name}")
    for name, function in BAD_FUNCTIONS.items():
        is_wrong(checker, function, name)
    for name, value in {"number": 3, "array": np.arange(3), "hostile": Hostile()}.items():
        assert "itself" in is_wrong(checker, value, name)
    for name, value in BLANK_VALUES.items():
        is_blank(checker, lambda *args, value=value: value, f"returns {name}")
    is_blank(checker, lambda *args: 2 * ..., "unfinished")
    is_blank(checker, _raiser(NotImplementedError()), "NotImplementedError")

    # The right answer, damaged.
    is_wrong(checker, lambda *args: np.asarray(solution(*args))[None], "one axis more")
    is_wrong(checker, lambda *args: {"result": solution(*args)}, "wrapped in a dict")
    is_wrong(checker, lambda *args: [solution(*args), None], "beside None")
    if kind == "numbers":
        damaged = {
            "NaN": lambda *args: np.asarray(solution(*args)) * np.nan,
            "text": lambda *args: str(solution(*args)),
            "off by 1 %": lambda *args: np.asarray(solution(*args)) * 1.01 + 0.01,
            "complex": lambda *args: np.asarray(solution(*args)) + 1j,
            "None among numbers": lambda *args: np.append(
                np.asarray(solution(*args), dtype=object), None
            ),
        }
        for name, function in damaged.items():
            is_wrong(checker, function, name)
    for i in range(len(checker.parameters)):
        if any(isinstance(case.arguments[i], (np.ndarray, list)) for case in checker.cases):

            def spoils(*args, i=i):
                result = np.array(solution(*copy.deepcopy(args)))
                if isinstance(args[i], (np.ndarray, list)) and len(args[i]):
                    args[i][:] = args[i][::-1] * 2 if isinstance(args[i], list) else args[i] + 1
                return result

            assert "changes its input" in is_wrong(checker, spoils, f"changes argument {i}")
