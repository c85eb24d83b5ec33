"""What the checkers share: feedback, the order of what is told, safety, new exercises."""

import re
import shutil
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import sympy

from posenc import checks
from posenc.checks import Case, Exercise, Feedback, _answers

from .exercise_laws import Deceptive, Hostile, feedback_of, is_blank, is_right, is_wrong

DATA = np.random.default_rng(1).normal(size=(3, 4))

scaled = Exercise(
    "scaled",
    task="the rows of `x` times `factor`",
    reference=lambda x, factor: np.asarray(x) * factor,
    cases=[
        Case(np.eye(2), 1.0, label="the identity"),
        Case(DATA, 3.0, label="a random array"),
        Case([[1.0, 2.0]], -2.0, label="a list", hint="It is a list."),
    ],
    mistakes={
        "You divided.": lambda x, factor: np.asarray(x) / factor,
        "You added.": lambda x, factor: np.asarray(x) + factor,
        "You forgot the factor.": lambda x, factor: x,
        "One row only.": lambda x, factor: np.asarray(x)[:1] * factor,
        "Zero divided by zero.": lambda x, factor: np.asarray(x) * [0 * factor / (factor - 3)],
    },
    explain=lambda r, x, factor: (
        "Where `x` is 0, the result must be 0." if r[np.equal(x, 0)].any() else ""
    ),
    nan_hint="Look for a division.",
    correct="Lengths grow alike.",
)

even = Exercise(
    "even",
    task="whether `n` is even",
    reference=lambda n: n % 2 == 0,
    cases=[(0,), (1,), (2,), (7,)],
    case="the number {n}",
    mistakes={"That is odd.": lambda n: n % 2 == 1},
    correct="Every second number is.",
)

number = Exercise(
    "number", task="one number", reference=79, mistakes={"Too eager.": 80}, correct="Yes."
)

root = Exercise(
    "root",
    task="a root of `n`",
    reference=lambda n: np.sqrt(n),
    cases=[(4.0,), (9.0,)],
    case="{n}",
    judge=lambda r, n: "" if np.isclose(r * r, n) else f"Its square is {r * r:.3g}.",
    mistakes={},
    correct="There are two.",
    evidence=Exercise("how_many", task="how many roots there are", reference=2, mistakes={}),
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
    ("status", "start"),
    [
        ("passed", "✓ Correct"),
        ("wrong", "✗ Not right yet"),
        ("half", "◐ Half done"),
        ("blank", "○ Not attempted yet"),
    ],
)
def test_feedback_is_told_by_words_and_symbol(status, start):
    feedback = Feedback("name", status, "Look at `a < b` & `c`.")
    outline = Outline()
    outline.feed(feedback._repr_html_())
    assert outline.open == []
    assert outline.text == repr(feedback).replace("`", "")
    assert repr(feedback).startswith(f"{start}: name. ")
    assert [tag for tag, _ in outline.tags].count("code") == 2
    # The symbol is not read aloud, since the words say it; and the words are not by color alone.
    assert ("span", {"aria-hidden": "true"}) in outline.tags
    # Both themes: no color of its own, and nothing that needs a script or a style sheet.
    styles = " ".join(attrs.get("style", "") for _, attrs in outline.tags)
    assert not re.search(r"#|rgb|url|background:(?!none)|(?<!-)color:(?!inherit)", styles)
    assert {tag for tag, _ in outline.tags} <= {"div", "strong", "span", "code"}


def test_feedback_is_true_only_when_passed():
    states = {s: Feedback("n", s, "m.") for s in ("passed", "wrong", "half", "blank")}
    assert [bool(f) for f in states.values()] == [True, False, False, False]
    assert [f.attempted for f in states.values()] == [True, True, True, False]
    assert states["wrong"] == Feedback("n", "wrong", "m.")


def test_what_to_give_is_said():
    assert repr(scaled()) == (
        "○ Not attempted yet: scaled. Give it your answer: `checks.scaled(scaled)`."
    )
    assert "`checks.root(root, how_many)`" in root().message
    assert "`checks.root(root, how_many)`" in root(1, 2, 3).message
    assert repr(number(...)) == (
        "○ Not attempted yet: number. Replace the `...` and run the cell again."
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (3, "Give `scaled` itself, without calling it: this is a value of type `int`."),
        (lambda x: x, "It should take `x`, `factor`, by position and in this order. Yours takes"),
        (lambda: 1, "Yours takes none."),
        (lambda a, b, c: a, "Yours takes `a`, `b`, `c`."),
        (lambda factor, x: x, "Yours takes `factor`, `x`."),
        (lambda x, *, factor: x, "by position"),
        (lambda x, factor: 1 / 0, "it raises `ZeroDivisionError: division by zero`, at the line `"),
        (lambda x, factor: {"a": 1}, "it returns a value of type `dict`, where numbers should be"),
        (lambda x, factor: "no", "the text 'no', where numbers should be"),
        (lambda x, factor: ["no"], "`list` holding values of type `str`"),
        (lambda x, factor: 1j, "a value of type `complex`"),
        (lambda x, factor: [1j], "`list` holding values of type `complex128`"),
        (lambda x, factor: np.array([None]), "`ndarray` holding values of type `object`"),
        (lambda x, factor: [[1, 2], [3]], "rows have different lengths"),
        (lambda x, factor: (i for i in x), "a value of type `generator`"),
        (lambda x, factor: Hostile(), "a value of type `Hostile`"),
        (lambda x, factor: Deceptive(), "it tries to end Python"),
        (lambda x, factor: x[0], "an array of shape (2,), where an array of shape (2, 2)"),
        (lambda x, factor: factor, "a single number, where"),
        (lambda x, factor: np.transpose(x) * factor, "Rows and columns are exchanged."),
        (lambda x, factor: np.full(np.shape(x), np.nan), "NaN (not a number) at row 0, column 0. "
         "Look for a division."),
        (lambda x, factor: np.ma.masked_all(np.shape(x)), "NaN (not a number)"),
        (lambda x, factor: np.round(np.asarray(x) * factor, 2), "rounded to 2 decimals"),
        (lambda x, factor: np.trunc(np.asarray(x) * factor), "The decimals are cut off"),
        (lambda x, factor: np.asarray(x) * factor + 1, "the result must be 0"),
        (lambda x, factor: np.asarray(x) * factor**3, "for a random array: it returns "),
        (lambda x, factor: np.asarray(x)[:1] * factor, "One row only."),
        (lambda x, factor: np.asarray(x) * (0 * factor / (factor - 3)), "Zero divided by zero."),
    ],
)  # fmt: skip
def test_an_unforeseen_answer_is_told_what_is_odd_in_it(answer, words):
    assert words in is_wrong(scaled, answer)


def test_the_first_difference_is_told_with_its_place():
    def off(x, factor):
        right = np.asarray(x) * factor
        return right + (right > 2) * 0.5

    told = is_wrong(scaled, off)
    row, column = np.argwhere(DATA * 3 > 2)[0]
    assert told.startswith("Right for the identity, but not for a random array: it returns ")
    assert f" at row {row}, column {column}, where {DATA[row, column] * 3:.6g} should be; " in told
    assert f"{(DATA * 3 > 2).sum()} of 12 numbers differ." in told


def test_a_hint_is_told_where_its_case_is_wrong():
    def for_arrays(x, factor):
        return x * factor if isinstance(x, np.ndarray) else np.asarray(x) * factor - 1

    assert is_wrong(scaled, for_arrays).endswith("It is a list.")


def test_a_single_number_is_not_given_away():
    assert is_wrong(number, -79) == "Your answer is -79: too small."
    assert is_wrong(number, 79.5) == "Your answer is 79.5: too large."
    assert is_wrong(number, [1, 2]) == (
        "Your answer is an array of shape (2,), where a single number should be."
    )
    assert is_wrong(number, 80) == "Too eager."
    assert is_wrong(number, lambda: 79) == (
        "Your answer is a value of type `function`, where numbers should be."
    )


def test_truth_values():
    for right in (lambda n: n % 2 == 0, lambda n: np.bool_(not n & 1), lambda n: 1 - n % 2):
        is_right(even, right)
    assert "That is odd." in is_wrong(even, lambda n: bool(n % 2))
    assert "where `True` or `False` should be" in is_wrong(even, lambda n: n)
    assert is_wrong(even, lambda n: True).startswith("It returns `True` whatever")
    assert is_wrong(even, lambda n: n < 5) == (
        "Right for the number 0, but not for the number 1: it returns `True`, where `False` "
        "should be."
    )


def test_the_order_of_what_is_told():
    """In one case: raised, nothing, type, known mistake, changed input, shape, NaN, the rest."""

    def answer(*sins):
        def function(x, factor):
            x = np.array(x) if "changed" not in sins else x
            right = np.asarray(x) * factor
            if "changed" in sins:
                x[0] = x[0] * 2
            if factor == 3:
                if "raises" in sins:
                    raise KeyError("pair")
                if "nothing" in sins:
                    return None
                if "type" in sins:
                    return "text"
                if "shape" in sins:
                    return right[0]
                if "NaN" in sins:
                    return right * np.nan
            return right + 0.25 * ("rest" in sins and "raises" not in sins)

        return function

    order = {
        "raises": "KeyError: 'pair'",
        "nothing": "it returns nothing. Does every way through it `return`?",
        "type": "the text 'text'",
        "changed": "changes its input `x`",
        "shape": "an array of shape (4,)",
        "NaN": "NaN (not a number)",
        "rest": "the result must be 0",
    }
    sins = list(order)
    for i, sin in enumerate(sins):
        assert order[sin] in is_wrong(scaled, answer(*sins[i:])), sin
    is_right(scaled, answer())


def test_what_is_wrong_before_an_error_is_told_first():
    def raises_later(x, factor):
        return np.asarray(x) * factor + 1 if factor != 3 else x[99]

    told = is_wrong(scaled, raises_later)
    assert "IndexError" not in told
    assert "whatever" not in told
    assert "IndexError" in is_wrong(scaled, lambda x, factor: x[99])


def test_none_is_told_from_dots():
    assert "`print` shows a value" in number(print()).message
    assert "Replace the `...`" in number(...).message


def test_nan_is_never_called_constant():
    assert "NaN" in is_wrong(root, lambda n: np.nan)
    assert "It returns 7 whatever" in is_wrong(root, lambda n: 7)


def test_dots_and_nothing_are_not_attempted():
    for answer in (None, ..., "", [1, ...], (..., ...)):
        is_blank(number, answer)
        is_blank(scaled, answer)

    def todo(x, factor):
        """Only words."""

    for answer in (lambda x, factor: ..., lambda x, factor: ... * factor, todo):
        is_blank(scaled, answer)

    def forgets(x, factor):
        result = np.asarray(x) * factor  # noqa: F841

    def prints(x, factor):
        print(np.asarray(x) * factor)

    assert is_wrong(scaled, forgets) == "It returns nothing: end it with `return`."
    assert "in place of `print`" in is_wrong(scaled, prints)


def test_evidence_is_asked_for_besides():
    assert feedback_of(root, np.sqrt, 2).passed
    assert feedback_of(root, lambda n: -np.sqrt(n), 2.0).passed
    for answers in ((np.sqrt,), (np.sqrt, ...)):
        half = feedback_of(root, *answers)
        assert half.status == "half"
        assert half.message == (
            "`root` is right. Still wanted: `how_many`, how many roots there are."
        )
    half = feedback_of(root, ..., 2)
    assert (half.status, half.message) == (
        "half",
        "`how_many` is right. Still wanted: `root`, a root of `n`.",
    )
    assert is_wrong(root, np.sqrt, 1) == "`root` is right. Your answer is 1: too small."
    assert is_wrong(root, lambda n: n, 2) == "Its square is 16."
    assert is_wrong(root, ..., 1) == "Your answer is 1: too small."
    is_blank(root, ..., ...)


def test_a_judge_that_stumbles_does_not_raise():
    stumbling = Exercise(
        "s", task="t", reference=1, mistakes={}, judge=lambda r: "" if r == 1 else 1 / 0
    )
    assert "cannot be judged" in is_wrong(stumbling, 2)


ENDLESS = """
def plain(x, factor):
    while True:
        pass

def catching(x, factor):
    while True:
        try:
            sum(range(10))
        except:
            pass

def waiting(x, factor):
    import time
    while True:
        time.sleep(0.01)

def growing(x, factor):
    rows = []
    while len(rows) != -1:
        rows = rows[-9:] + [x]
"""


@pytest.mark.parametrize("name", ["plain", "catching", "waiting", "growing"])
def test_an_endless_loop_is_ended_with_a_word(name, monkeypatch):
    monkeypatch.setattr(_answers, "SECONDS", 0.05)
    names = {}
    exec(ENDLESS, names)
    told = is_wrong(scaled, names[name])
    assert told == (
        "For the identity, it does not come to an end. Does each loop stop, whatever the input is?"
    )
    monkeypatch.undo()
    # Nothing of it is left: the watch is over, and no late exception comes.
    assert sum(i % 2 for i in range(300_000)) == 150_000
    is_right(scaled, lambda x, factor: np.asarray(x) * factor)


def test_a_call_that_ends_at_the_last_moment_leaves_nothing_behind(monkeypatch):
    monkeypatch.setattr(_answers, "SECONDS", 0.0)

    def brief():
        return sum(range(20_000))

    for _ in range(200):
        result, error = _answers.guarded(brief)
        assert result == sum(range(20_000)) or isinstance(error, _answers.Endless)


def test_every_change_of_an_input_is_told():
    def replaces(x, factor):
        result = np.asarray(x) * factor
        if isinstance(x, list):
            x[0] = Hostile()
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
    same = Exercise(
        "same",
        task="`x` read backwards",
        reference=lambda x: x[::-1].copy(),
        cases=[(np.arange(3),), (np.arange(4.0),), (np.ones(1),)],
        case="{x}",
        mistakes={},
        correct="Yes.",
    )
    is_right(same, lambda x: x[::-1])


def helper(number):
    return int("x" * number)


def test_errors_are_quoted_with_their_line_but_without_paths():
    def opens(x, factor):
        if factor != 1:
            np.loadtxt("/no/such/place/file.txt")
        return np.asarray(x) * factor

    def calls(x, factor):
        return helper(3)

    told = is_wrong(scaled, opens)
    assert told.startswith(
        "Right for the identity, but not for a random array: it raises `FileNotFoundError"
    )
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
    assert told == "For the identity, it raises `ZeroDivisionError: division by zero`."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("np.sin(x)", "Run the first cell, or write `import numpy as np`."),
        ("maths.sin(x)", "Is `maths` misspelled, or an `import` missing?"),
        ("x @ np_ ^ 2.0", "misspelled"),
        ("factor ^ 2.0", "In Python `^` is not a power. Write `**`."),
        ("numpy.ones((3, 4)) / numpy.ones((3, 4)).sum(axis=1)", "`keepdims=True` keeps it"),
        ("1 if numpy.ones(3) == 1 else 2", "`np.all` or `np.any`"),
        ("[1.0, 2.0] * factor", "`np.asarray` makes an array of a list"),
        ("list(x)[:, None]", "`np.asarray` makes an array of a list"),
        ("math.sin(numpy.ones(3))", "`math` takes one number at a time"),
        ("f(x, factor)", "it calls itself without end"),
        ("sys.exit()", "it tries to end Python"),
    ],
)
def test_errors_are_told_what_to_look_for(body, words):
    import math

    import numpy

    names = {"numpy": numpy, "math": math, "sys": sys}
    exec(f"def f(x, factor):\n    return {body}", names)
    assert words in is_wrong(scaled, names["f"])


def test_a_return_in_a_loop_is_told_if_it_must_be_wrong():
    def first_row(x, factor):
        for row in x:
            return [number * factor for number in row]

    def either_way(x, factor):
        for row in x:
            if factor > 0:
                return row
            else:
                return 1

    def only_if_found(x, factor):
        for row in x:
            if sum(row) > 100:
                return row
        return 1

    def goes_on(x, factor):
        for row in x:
            if sum(row) < 100:
                continue
            return row
        return 1

    assert "A `return` stands inside a loop" in is_wrong(scaled, first_row)
    assert "A `return` stands inside a loop" in is_wrong(scaled, either_way)
    assert "stands inside a loop" not in is_wrong(scaled, only_if_found)
    assert "stands inside a loop" not in is_wrong(scaled, goes_on)


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


def test_warnings_and_strict_numpy_of_a_student_do_not_matter():
    def warns(x, factor):
        np.log(np.zeros(2))
        np.seterr(all="raise")
        return np.asarray(x) * factor

    with np.errstate(all="raise"):
        is_right(scaled, warns)
        assert "too large" in is_wrong(number, 1e308)
        assert "NaN" in is_wrong(scaled, lambda x, factor: np.asarray(x) * factor + np.inf - np.inf)


def test_fractions_decimals_and_symbols_are_numbers():
    numbers = Exercise(
        "numbers", task="two", reference=np.array([0.5, 2]), mistakes={}, judge=lambda r: (
            "" if np.allclose(r, [0.5, 2]) else "No."
        )
    )  # fmt: skip
    for answer in (
        [Fraction(1, 2), Decimal(2)],
        [sympy.Rational(1, 2), sympy.Integer(2)],
        np.array([0.5, 2], dtype=np.float16),
        (0.5, 2),
    ):
        assert numbers(answer).passed
    assert number([79]).passed
    assert number(range(79, 80)[0]).passed


def test_methods_and_classes_are_functions_too():
    class Scaler:
        def __call__(self, x, factor):
            return np.asarray(x) * factor

        def fails(self, x, factor):
            return self.missing

    is_right(scaled, Scaler())
    assert "AttributeError" in is_wrong(scaled, Scaler().fails)


def test_checkers_describe_themselves():
    assert repr(scaled) == "<checker of the exercise scaled>"
    assert scaled.__doc__ == "Check the exercise `scaled`: the rows of `x` times `factor`."


def example():
    (code,) = re.findall(r"nothing\nelse has to know of it::\n\n((?:    .*\n|\n)+)", checks.__doc__)
    return re.sub(r"^    ", "", code, flags=re.MULTILINE)


def test_the_example_for_authors_does_what_it_says():
    names = {"np": np, "Exercise": Exercise}
    exec(example(), names)
    told = is_wrong(names["hour_angle"], lambda seconds: 2 * np.pi * seconds / 86_400)
    assert told in " ".join(checks.__doc__.split())
    is_right(names["hour_angle"], lambda seconds: seconds * np.pi / 21_600)


def test_a_new_exercise_needs_no_other_edit(tmp_path):
    package = tmp_path / "course_checks"
    shutil.copytree(Path(checks.__path__[0]), package, ignore=shutil.ignore_patterns("__pyc*"))
    notebook = package / "notebook_02.py"
    notebook.write_text(notebook.read_text(encoding="utf-8") + "\n\n" + example(), encoding="utf-8")
    code = (
        "import math, course_checks as checks\n"
        "assert 'hour_angle' in checks.__all__\n"
        "print(checks.hour_angle(lambda seconds: math.tau * seconds / 43_200).passed)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("True", "")


def test_an_interruption_at_the_very_last_moment_goes_no_further(monkeypatch):
    class Running(set):
        late = iter([True])

        def discard(self, call):
            if next(self.late, False):
                raise _answers.Endless
            super().discard(call)

    call = _answers._Call()
    running = Running([call])
    monkeypatch.setattr(_answers, "_running", running)
    _answers._end(call)
    assert not running
