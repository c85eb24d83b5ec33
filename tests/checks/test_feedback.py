"""The framework of the checkers: feedback, order of messages, general messages."""

import importlib
import pkgutil
import re
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest
import sympy

from posenc import checks
from posenc.checks import Case, Feedback, FunctionCheck, Mistake, Property, ValueCheck
from posenc.checks._answers import shorten

from .harness import Hostile, feedback_of, hold, is_blank, is_right, is_wrong

DATA = np.random.default_rng(1).normal(size=(3, 4))

scaled = FunctionCheck(
    "scaled",
    task="the rows of `x` times `factor`",
    reference=lambda x, factor: np.asarray(x) * factor,
    cases=[
        Case(np.eye(2), 1.0, label="the identity"),
        Case(DATA, 3.0, label="a random array"),
        Case([[1.0, 2.0]], -2.0, label="a list"),
    ],
    mistakes=[
        Mistake("You divided.", lambda x, factor: np.asarray(x) / factor),
        Mistake("You added.", lambda x, factor: np.asarray(x) + factor),
        Mistake("You forgot the factor.", lambda x, factor: x),
    ],
    properties=[
        Property(
            "Where `x` is 0, the result must be 0.",
            lambda r, x, factor: not r[np.equal(x, 0)].any(),
        )
    ],
    correct="Lengths grow alike.",
)

even = FunctionCheck(
    "even",
    task="whether `n` is even",
    reference=lambda n: n % 2 == 0,
    cases=[(0,), (1,), (2,), (7,)],
    mistakes=[Mistake("That is odd.", lambda n: n % 2 == 1)],
    correct="Every second number is.",
)

vector = ValueCheck(
    "vector",
    task="four numbers",
    expected=[1.0, -2.0, 3.0, 5.0],
    mistakes=[
        Mistake("You squared.", [1.0, 4.0, 9.0, 25.0]),
        Mistake("You halved.", lambda: np.array([0.5, -1.0, 1.5, 2.5])),
        Mistake("One is missing.", [1.0, -2.0, 3.0]),
    ],
    correct="Yes.",
)


class Outline(HTMLParser):
    def __init__(self):
        super().__init__()
        self.text, self.open, self.tags = "", [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ("status", "symbol", "words"),
    [("passed", "✓", "Correct"), ("wrong", "✗", "Not right yet"), ("blank", "○", "Not attempted")],
)
def test_feedback_is_told_by_words_and_symbol(status, symbol, words):
    feedback = Feedback("name", status, "Look at `a < b` & `c`.")
    outline = Outline()
    outline.feed(feedback._repr_html_())
    assert outline.open == []
    assert outline.text.replace("✓", symbol) == repr(feedback).replace("`", "")
    assert repr(feedback).startswith(f"{symbol} {words}")
    assert [tag for tag, _ in outline.tags].count("code") == 2
    # Both themes: no color of its own, and nothing that needs a script or a style sheet.
    styles = " ".join(attrs.get("style", "") for _, attrs in outline.tags)
    assert not re.search(r"#|rgb|url|background:(?!none)|(?<!-)color:(?!inherit)", styles)
    assert {tag for tag, _ in outline.tags} <= {"div", "strong", "span", "code"}


def test_feedback_is_true_only_when_passed():
    states = {s: Feedback("n", s, "m.") for s in ("passed", "wrong", "blank")}
    assert [bool(f) for f in states.values()] == [True, False, False]
    assert [f.attempted for f in states.values()] == [True, True, False]
    assert states["wrong"] == Feedback("n", "wrong", "m.")


def test_feedback_is_deterministic():
    def answer(x, factor):
        return np.asarray(x) ** 2

    first, second = scaled(answer), scaled(answer)
    assert repr(first) == repr(second)
    assert first._repr_html_() == second._repr_html_()


def test_each_kind_of_checker_holds_what_it_must():
    hold(
        scaled,
        solution=lambda x, factor: np.asarray(x) * factor,
        examples=[(np.eye(2), 1.0)],
        wrong=[
            (lambda x, f: np.asarray(x) / f, "divided"),
            (lambda x, f: np.asarray(x) + f, "added"),
            (lambda x, f: x, "forgot"),
            (lambda x, f: np.asarray(x) * f + np.arange(np.shape(x)[1]), "must be 0"),
            (lambda x, f: np.asarray(x) * abs(f) * f, "the same factor"),
        ],
        also_right=[lambda x, f: [[f * number for number in row] for row in x]],
    )
    hold(
        vector,
        solution=[1, -2, 3, 5],
        wrong=[
            ([1, 4, 9, 25], "squared"),
            ((0.5, -1, 1.5, 2.5), "halved"),
            ([1, -2, 3], "missing"),
            ([1, -2, 3, 6], "6 at entry 3: too large. 1 of 4"),
            ([[1, -2], [3, 5]], "arranged otherwise"),
        ],
        also_right=[(1.0, -2.0, 3.0, 5.0), np.array([1, -2, 3, 5], dtype=np.int8)],
    )


def test_truth_values_are_no_numbers():
    is_right(even, lambda n: n % 2 == 0)
    is_right(even, lambda n: np.bool_(not n & 1))
    assert "That is odd." in is_wrong(even, lambda n: bool(n % 2))
    assert "where `True` or `False` should be" in is_wrong(even, lambda n: n % 2)
    assert "the same whatever" in is_wrong(even, lambda n: True)
    told = is_wrong(even, lambda n: n < 5)
    assert told == "Right for n 0. For n 1, your function returns `True`, and that is not right."
    truth = ValueCheck("truth", task="true or false", expected=True, mistakes=[], correct="Yes.")
    is_right(truth, True)
    assert is_wrong(truth, False) == "Your answer is `False`, and that is not right."
    assert "an array of shape (2,)" in is_wrong(truth, [True, False])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (3, "Give the function itself, `scaled`"),
        (lambda x: x, "yours takes 1 parameter, `x`."),
        (lambda: 1, "yours takes none"),
        (lambda a, b, c: a, "takes 3 parameters, `a`, `b`, `c`"),
        (lambda x, factor: 1 / 0, "raises `ZeroDivisionError: division by zero`, at the line `"),
        (np.linalg.cholesky, "yours takes 1 parameter, `a`."),
        (lambda x, *, factor: x, "Your parameter `factor` can be given by name only."),
        (lambda *, x, factor: x, "Your parameter `x` can be given by name only. The function "
         "should take 2 parameters, `x`, `factor`, by position: is there a `*` among yours?"),
        (lambda x, factor, *, key: x, "Your parameter `key` can be given by name only."),
        (lambda x, *, factor=2: x, "yours takes 1 parameter, `x`."),
        (lambda x, factor: np.linalg.cholesky(-x), "raises `LinAlgError"),
        (lambda x, factor: {"a": 1}, "a value of type `dict`, where numbers should be"),
        (lambda x, factor: "no", "the text 'no', where numbers should be"),
        (lambda x, factor: ["no"], "`list` holding text"),
        (lambda x, factor: 1j, "returns complex numbers"),
        (lambda x, factor: [1j], "`list` holding complex numbers"),
        (lambda x, factor: np.array([None]), "things that are not numbers"),
        (lambda x, factor: [[1, 2], [3]], "rows have different lengths"),
        (lambda x, factor: (i for i in x), "a generator"),
        (lambda x, factor: np.sum, "a value of type"),
        (lambda x, factor: len, "a function. Call it"),
        (lambda x, factor: Hostile(), "a value of type `Hostile`"),
        (lambda x, factor: x[0], "an array of shape (2,), where an array of shape (2, 2)"),
        (lambda x, factor: factor, "a single number, where"),
        (lambda x, factor: np.ravel(x), "arranged otherwise"),
        (lambda x, factor: np.transpose(x) * factor, "Rows and columns are exchanged."),
        (lambda x, factor: x * np.inf, "NaN (not a number) at row 0, column 1."),
        (lambda x, factor: np.asarray(x) * factor + np.inf, "an infinite number at row 0"),
        (lambda x, factor: np.asarray(x) * np.nan, "NaN (not a number) at row 0, column 0."),
        (lambda factor, x: np.asarray(x) * factor + factor, "in another order. The function "
         "should take 2 parameters, `x`, `factor`, in this order; yours takes 2 parameters, "
         "`factor`, `x`."),
        (lambda x, factor: np.zeros_like(x), "There are only zeros"),
        (lambda x, factor: -np.asarray(x) * factor, "Every sign is the opposite"),
        (lambda x, factor: np.asarray(x) * factor * 7, "one and the same factor"),
        (lambda x, factor: np.asarray(x) * factor - 2, "one and the same amount"),
        (lambda x, factor: np.fliplr(x) * factor, "another order"),
        (lambda x, factor: np.asarray(x) * factor**3, "not for a random array"),
        (lambda x, factor: np.asarray(x) * factor * [[1.0] * (np.shape(x)[1] - 1) + [1.004]],
         "It is close"),
    ],
)  # fmt: skip
def test_an_unforeseen_answer_is_told_what_is_odd_in_it(answer, words):
    assert words in is_wrong(scaled, answer)


def test_the_order_of_entries_is_told():
    assert "The order is reversed." in is_wrong(vector, [5, 3, -2, 1])
    assert "another order" in is_wrong(vector, [5, 1, 3, -2])


def test_a_transposed_square_matrix_is_told():
    square = ValueCheck(
        "square", task="a matrix", expected=[[1, 2], [3, 4]], mistakes=[], correct="Yes."
    )
    assert "Rows and columns are exchanged." in is_wrong(square, [[1, 3], [2, 4]])


def test_the_first_difference_is_told_with_its_place():
    zero = ValueCheck("zero", task="zeros", expected=[0.0, 0.0], mistakes=[], correct="Yes.")
    assert "too large" in is_wrong(zero, [0.0, 1.0])
    deep = ValueCheck(
        "deep", task="a cube", expected=np.arange(8.0).reshape(2, 2, 2), mistakes=[], correct="Yes."
    )
    assert "9 at index (0, 0, 1)" in is_wrong(deep, [[[0, 9], [2, 3]], [[4, 5], [6, 7]]])


def test_infinite_numbers_can_be_right():
    mask = ValueCheck("mask", task="a mask", expected=[0, -np.inf], mistakes=[], correct="Yes.")
    is_right(mask, [0, -np.inf])
    assert "-9 at entry 1, and that is not right" in is_wrong(mask, [0, -9])
    assert "an infinite number at entry 0" in is_wrong(mask, [np.inf, -np.inf])


def test_axes_have_the_words_of_the_exercise():
    named = ValueCheck(
        "named",
        task="a table",
        expected=np.eye(3),
        mistakes=[],
        correct="Yes.",
        axes=("position", "column"),
    )
    assert "at position 2, column 1" in is_wrong(named, [[1, 0, 0], [0, 1, 0], [0, 3, 1]])


def test_what_must_be_repaired_first_is_told_first():
    def spoils_and_is_wrong(x, factor):
        x[0] = x[0] * 0
        return np.full(7, np.nan)

    assert "changes its input `x`" in is_wrong(scaled, spoils_and_is_wrong)

    def raises_and_spoils(x, factor):
        x[0] = x[0] * 0
        raise KeyError("pair")

    assert "KeyError: 'pair'" in is_wrong(scaled, raises_and_spoils)

    def sometimes_nothing(x, factor):
        if factor > 0:
            return np.asarray(x) * factor

    assert "For a list, your function returns nothing" in is_wrong(scaled, sometimes_nothing)

    def nan_and_shape(x, factor):
        return np.full(np.shape(x) if factor == 1 else 3, np.nan)

    assert "a random array, your function returns an array of shape (3,)" in is_wrong(
        scaled, nan_and_shape
    )


def test_rounding_is_told_before_a_broken_property():
    def rounded(x, factor):
        return np.round(np.asarray(x) * factor + 1e-3, 3)

    assert "look for a rounded constant" in is_wrong(scaled, rounded)

    def far(x, factor):
        return np.asarray(x) * factor + 0.1 * np.arange(np.shape(x)[1])

    assert "the result must be 0" in is_wrong(scaled, far)


def test_a_count_is_never_nearly_right():
    count = FunctionCheck(
        "count",
        task="how many",
        reference=lambda n: n,
        cases=[(1000,), (1,), (2,)],
        mistakes=[],
        tolerance=0,
        correct="Yes.",
    )
    is_right(count, float)
    assert "close" not in is_wrong(count, lambda n: n - (n == 1000))
    assert "close" not in is_wrong(count, lambda n: n + 1e-9 * (n == 2))


def test_nan_for_every_input_is_told_as_nan():
    root = FunctionCheck(
        "root",
        task="the root of `n`",
        reference=np.sqrt,
        cases=[Case(1.0), Case(4.0), Case(9.0)],
        mistakes=[],
        correct="Yes.",
    )
    told = is_wrong(root, lambda n: np.sqrt(-n))
    assert "NaN (not a number)" in told
    assert "the same whatever" not in told
    assert "the same whatever" in is_wrong(root, lambda n: 2.0)


def test_parameters_in_another_order_are_told_unless_the_answer_is_right():
    def raises(factor, x):
        return x.shape + factor.shape

    assert is_wrong(scaled, raises).startswith("Your parameters stand in another order.")
    sum_of_two = FunctionCheck(
        "sum_of_two",
        task="the sum",
        reference=lambda a, b: a + b,
        cases=[(1, 2), (3, 5), (2, 2)],
        mistakes=[],
        correct="Yes.",
    )
    is_right(sum_of_two, lambda b, a: a + b)


def test_a_single_number_is_not_given_away_by_its_pattern():
    single = ValueCheck("s", task="one number", expected=79, mistakes=[], correct="Yes.")
    assert is_wrong(single, -79) == "Your answer is -79: too small."
    assert is_wrong(single, 0) == "Your answer is 0: too small."


def test_every_change_of_an_input_is_told():
    def replaces(x, factor):
        result = np.asarray(x) * factor
        if isinstance(x, list):
            x[0] = np.array(x[0])
        return result

    def lengthens(x, factor):
        result = np.asarray(x) * factor
        if isinstance(x, list):
            x.append(1)
        return result

    def reshapes(x, factor):
        result = np.array(x) * factor
        if isinstance(x, np.ndarray):
            x.resize(x.size, refcheck=False)
        return result

    for answer in (replaces, lengthens, reshapes):
        assert "changes its input `x`" in is_wrong(scaled, answer)


def test_views_and_reused_arrays_are_right():
    buffers = {}

    def reuses(x, factor):
        buffer = buffers.setdefault(np.shape(x), np.empty(np.shape(x)))
        buffer[:] = np.asarray(x) * factor
        return buffer

    is_right(scaled, reuses)
    same = FunctionCheck(
        "same",
        task="`x` read backwards",
        reference=lambda x: x[::-1].copy(),
        cases=[(np.arange(3),), (np.arange(4.0),), (np.ones(1),)],
        mistakes=[],
        correct="Yes.",
    )
    is_right(same, lambda x: x[::-1])
    assert "x of shape (3,)" in is_wrong(same, lambda x: x * 0.5 + x[-1] * 2)


def test_dots_and_nothing_are_not_attempted():
    for answer in (None, ..., NotImplemented, "", [1, ...], (..., ...)):
        is_blank(vector, answer)
        is_blank(scaled, answer)
    is_blank(scaled, lambda x, factor: ...)
    is_blank(scaled, lambda x, factor: ... * factor)
    assert "end it with `return`" in feedback_of(scaled, lambda x, factor: None).message
    assert "Wanted: four numbers." in feedback_of(vector, ...).message


def test_errors_are_quoted_with_their_line_but_without_paths():
    def helper(number):
        return int("x" * number)

    def opens(x, factor):
        if factor != 1:
            np.loadtxt("/no/such/place/file.txt")
        return np.asarray(x) * factor

    def calls(x, factor):
        return helper(3)

    told = is_wrong(scaled, opens)
    assert told.startswith("For a random array, your function raises `FileNotFoundError")
    assert "at the line `np.loadtxt(" in told
    assert "file.txt not found" in told
    assert "place/file.txt not" not in told
    assert "at the line `return int('x' * number)`." in is_wrong(scaled, calls).replace('"', "'")

    def long(x, factor):
        raise ValueError("`many` words " * 100 + "\nand lines")

    told = is_wrong(scaled, long)
    assert "'many' words" in told
    assert len(told) < 400

    namespace = {}
    exec("def unseen(x, factor):\n    return 1 / 0", namespace)
    told = is_wrong(scaled, namespace["unseen"])
    assert told == "For the identity, your function raises `ZeroDivisionError: division by zero`."


def test_recursion_and_exit_are_told():
    def endless(x, factor):
        return endless(x, factor)

    def leaves(x, factor):
        raise SystemExit

    assert "calls itself without end" in is_wrong(scaled, endless)
    assert "tries to end Python" in is_wrong(scaled, leaves)


def test_an_interruption_passes_through():
    def interrupted(x, factor):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scaled(interrupted)


def test_printed_output_is_left_alone(capsys):
    def prints(x, factor):
        print("seen")
        return np.asarray(x) * factor

    is_right(scaled, prints)
    assert capsys.readouterr().out == "seen\n" * 3


def test_fractions_decimals_and_symbols_are_numbers():
    numbers = ValueCheck("numbers", task="two", expected=[0.5, 2], mistakes=[], correct="Yes.")
    is_right(numbers, [Fraction(1, 2), Decimal(2)])
    is_right(numbers, [sympy.Rational(1, 2), sympy.Integer(2)])
    is_right(numbers, np.array([0.5, 2], dtype=np.float16))
    assert "is a coroutine" in is_wrong(numbers, _coroutine())
    single = ValueCheck("t", task="one", expected=1, mistakes=[], correct="Yes.")
    is_right(single, True)
    is_right(single, range(1, 2)[0])


async def _coroutine():
    return 1


def test_methods_and_classes_are_functions_too():
    class Scaler:
        def __init__(self):
            self.count = 0

        def __call__(self, x, factor):
            return np.asarray(x) * factor

        def fails(self, x, factor):
            return self.missing

        def gives(self, x, factor):
            return self.fails

    is_right(scaled, Scaler())
    assert "AttributeError" in is_wrong(scaled, Scaler().fails)
    assert "a function. Call it" in is_wrong(scaled, Scaler().gives)


def test_checkers_describe_themselves():
    assert repr(scaled) == "<checker of the exercise scaled>"
    assert scaled.__doc__.startswith("Check the exercise `scaled(x, factor)`: the rows of `x`")
    assert vector.__doc__.startswith("Check the exercise `vector`: four numbers.")
    assert shorten("a" * 200) == "a" * 119 + "…"


def test_cases_must_take_equally_many_arguments():
    with pytest.raises(ValueError, match="unpack"):
        FunctionCheck(
            "f", task="t", reference=max, cases=[(1,), (1, 2)], mistakes=[], correct="Yes."
        )


def public_checkers():
    return {
        name: value
        for name, value in vars(checks).items()
        if isinstance(value, (FunctionCheck, ValueCheck))
    }


def test_every_checker_is_public_under_its_own_name():
    modules = [m.name for m in pkgutil.iter_modules(checks.__path__)]
    public = public_checkers()
    for module in modules:
        room = importlib.import_module(f"{checks.__name__}.{module}")
        for value in vars(room).values():
            if isinstance(value, (FunctionCheck, ValueCheck)):
                assert public.get(value.name) is value, f"{value.name} of {module} is not exported"
    assert sorted(checks.__all__) == sorted(set(checks.__all__))
    assert set(public) <= set(checks.__all__)
    assert not set(public) & set(modules), "a checker hides the module of its name"


def test_the_example_for_authors_does_what_it_says():
    (code,) = re.findall(r"with a reference::\n\n((?:    .*\n|\n)+)", checks.__doc__)
    names = {"np": np, "__name__": "posenc.checks.example", "__package__": "posenc.checks"}
    exec(re.sub(r"^    ", "", code, flags=re.MULTILINE), names)
    told = is_wrong(names["hour_angle"], lambda seconds: 2 * np.pi * seconds / 86_400)
    assert told in " ".join(checks.__doc__.split())
    is_right(names["hour_angle"], lambda seconds: seconds * np.pi / 21_600)
