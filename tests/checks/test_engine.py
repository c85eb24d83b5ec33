"""What the checkers share: feedback, the order of what is told, safety, new exercises."""

import contextlib
import html
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from colors import DAY, NIGHT, contrast

from posenc import checks
from posenc.checks import Case, Exercise, Feedback, _answers, _slips

from .asking import feedback_of, is_blank, is_right, is_wrong, told

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
        "One row only.": lambda x, factor: np.asarray(x)[:1] * factor,
        "Zero divided by zero.": lambda x, factor: np.asarray(x) * [0 * factor / (factor - 3)],
    },
    explain=lambda result, right, x, factor: (
        "Where `x` is 0, the result must be 0." if result[np.equal(x, 0)].any() else ""
    ),
    hint="Look for a division.",
    correct="Lengths grow alike.",
)

even = Exercise(
    "even",
    task="whether `n` is even",
    reference=lambda n: n % 2 == 0,
    cases=[(0,), (1,), (2,), (7,)],
    label="the number {n}",
    correct="Every second number is.",
)

number = Exercise("number", task="one number", reference=79)

root = Exercise(
    "root",
    task="a root of `n`",
    reference=lambda n: np.sqrt(n),
    cases=[(4.0,), (9.0,)],
    label="{n}",
    judge=lambda r, n: "" if np.isclose(r * r, n) else f"Its square is {r * r:.3g}.",
    correct="There are two.",
    evidence=Exercise("how_many", task="how many there are", reference=2),
)


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
    assert bool(feedback) is feedback.passed is (status == "passed")
    assert feedback.attempted is (status != "blank")
    page = feedback._repr_html_()
    assert html.unescape(re.sub("<[^>]*>", "", page)) == repr(feedback).replace("`", "")
    assert repr(feedback).startswith(f"{start}: name. ")
    assert page.count("<code") == page.count("</code>") == 2
    assert {*re.findall(r"</?(\w+)", page)} == {"div", "strong", "span", "code"}
    # The symbol is not read aloud, since the words say it; and the words are not by color alone.
    assert '<span aria-hidden="true">' in page
    # Both themes: only the border has a color, one that is told from white and from black, and
    # nothing needs a script or a style sheet.
    styles = " ".join(re.findall(r'style="(.*?)"', page))
    (color,) = re.findall(r"border:\w+ (#\w{6});", styles)
    assert min(contrast(list(bytes.fromhex(color[1:])), [DAY, NIGHT])) > 3
    assert not re.search(r"rgb|url|background:(?!none)|(?<!-)color:(?!inherit)", styles)
    assert styles.count("#") == 1
    assert 'role="status"' in page  # a screen reader says it when it appears


class Hostile:
    """An object that raises whenever it is looked at."""

    def __getattribute__(self, name):
        raise ValueError("do not look at me")


class UnprintableError(Exception):
    def __str__(self):
        raise ValueError("no text")


def raises(error):
    def function(x, factor):
        raise error

    return function


def times(x, factor):
    return np.asarray(x) * factor


def lengthens(x, factor):
    result = times(x, factor)
    if isinstance(x, list):
        x.append(1)
    return result


def disturbs(x, factor):
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    np.seterr(all="raise")
    return np.full(3, 1e308) * 10


def prints(x, factor):
    print(times(x, factor))


def squares(x, factor):
    return [[int(number) ^ 2 for number in row] for row in x]


def returns_in_a_loop(x, factor):
    for row in x:
        return row


def goes_on(x, factor):
    for row in x:
        if sum(row) < 100:
            continue
        return row
    return 1


ROW, COLUMN = np.argwhere(DATA * 3 > 2)[0]


def never_returns(x, factor):
    for row in x:
        if np.sum(row) > 1e9:
            return row


ANSWERS = {
    scaled: {
        "right": [
            lambda x, factor: [[number * factor for number in row] for row in x],
            type("Scaler", (), {"__call__": lambda self, x, factor: times(x, factor)})(),
        ],
        "wrong": {
            "Give `scaled` itself, a function: this is of type `int`.": 3,
            "It should take `x`, `factor`, by position and in this order. Yours": lambda x: x,
            "Yours takes `factor`, `x`.": lambda factor, x: x,
            "by position": lambda x, *, factor: x,
            "it returns a value of type `dict`, where numbers": lambda x, f: {"a": 1},
            "the text 'no', where numbers should be": lambda x, f: "no",
            "with items that are no real numbers, or uneven rows": lambda x, f: [
                [1, 2],
                [3],
            ],
            "a value of type `generator`": lambda x, f: (i for i in x),
            "ValueError: do not look at me": lambda x, f: Hostile(),
            "it returns (1, 0), where an array of shape (2, 2)": lambda x, f: x[0],
            "NaN (not a number) at [0, 0]. Look for": lambda x, f: times(x, np.nan),
            "an array with masked items": lambda x, f: np.ma.masked_all(np.shape(x)),
            "Right for a random array, but not for the id": lambda x, f: times(x, f) + (f == 1),
            "It is a list.": lambda x, f: times(x, f) - isinstance(x, list),
            "it comes to no `return`, or": never_returns,
            "4 times as much, like every number": lambda x, f: (
                4 * times(x, f) * (f == 3) + (times(x, f) * (f != 3))
            ),
            "to one of a `None`, as `x.sort()` is": lambda x, f: times(x, f).sort(),
            "give the result with `return`": prints,
            "A function that comes to no `return` gives that": lambda x, f: (
                None if f < 0 else times(x, f)
            ),
            "changes its input `x`": lengthens,
            "A `return` stands inside a loop": returns_in_a_loop,
            "`^` compares whole numbers": squares,
            f"[{ROW}, {COLUMN}], where {3 * DATA[ROW, COLUMN]:.6g} should be; "
            f"{(DATA * 3 > 2).sum()} of 12 numbers": lambda x, f: np.minimum(2, times(x, f)),
            "It returns `x` as it was given.": lambda x, f: x,
            "It returns 0 in every case.": lambda x, f: 0,
            "it raises `SystemExit`, at": raises(SystemExit()),
            "it raises `UnprintableError`, at the line `raise error`.": raises(UnprintableError()),
            "it raises `FloatingPointError": disturbs,
        },
    },
    number: {
        "right": [[79], Fraction(158, 2), Decimal(79)],
        "wrong": {
            "Your answer is -79: too small.": -79,
            "Your answer is 1e+308: too large.": 1e308,
            "Your answer is (1, 2), where a single number should be.": [1, 2],
            "a value of type `function`, where numbers should be.": lambda: 79,
        },
    },
    even: {
        "right": [lambda n: 1 - n % 2, lambda n: np.bool_(not n & 1)],
        "wrong": {
            "where `True` or `False` should be": lambda n: n,
            "not for the number 1: it returns `True`": lambda n: True,
        },
    },
    root: {
        "right": [],
        "wrong": {
            "Its square is 64.": lambda n: 2 * n,
            "It returns 7 in every case": lambda n: 7,
        },
    },
}

test_answers = told(ANSWERS)


def test_a_known_mistake_is_told_whatever_it_returns():
    for words, mistake in scaled.mistakes.items():
        assert is_wrong(scaled, mistake).endswith(words)


wave = Exercise(
    "wave",
    task="a wave at `places`, of some `frequencies`",
    reference=lambda places, frequencies: (
        np.cos(places + 0.1) * np.arange(1, 5) + np.sum(frequencies**2)
    ),
    cases=[
        (np.array([0.0, 1.61236, -0.7, 2.2]), np.array([0.3, 0.2])),
        (np.array([1.31234, 0.0, 0.4, -2.5]), np.array([0.4, 0.1])),
    ],
    label="{places}",
)
OF_NO_ROW = ["True and False", "rows and columns", "columns in reverse", "in its shape alone"]


@pytest.mark.parametrize(
    ("words", "exercise", "slip"),
    [
        (f"It returns the right result {words}.", even if "True" in words else scaled, change)
        for words, change in _slips._CHANGES.items()
    ]
    + [
        (f"be right for `places` {words}.", wave, lambda x, w, f=f: wave.reference(f(x), w))
        for words, f in _slips._CHANGES.items()
        if not any(part in words for part in OF_NO_ROW)
    ]
    + [
        (f"right {words.format('places')}.", wave, lambda x, w, f=f: wave.reference(f(x), w))
        for words, f in _slips._ARGUMENTS.items()
    ]
    + [
        (f"right {words.format('frequencies')}.", wave, lambda x, w, f=f: wave.reference(x, f(w)))
        for words, f in _slips._FREQUENCIES.items()
    ],
)
def test_a_slip_is_told(words, exercise, slip):
    def slips(*given):
        return slip(*given) if exercise is wave else slip(np.asarray(exercise.reference(*given)))

    assert is_wrong(exercise, slips).endswith(words)


def test_the_order_of_what_is_told():
    order = {
        "raises": "KeyError: 'pair'",
        "type": "the text 'text'",
        "changed": "changes its input `x`",
        "nothing": "A function that comes to no `return` gives that.",
        "shape": "where an array of shape (3, 4)",
        "NaN": "NaN (not a number)",
        "rest": "12 of 12 numbers differ",
    }
    sins = list(order)

    def answer(x, factor):
        right = times(x, factor)
        if factor != 3:
            return right
        if "changed" in sins:
            x[0] = x[0] * 2
        if "raises" in sins:
            raise KeyError("pair")
        results = {"type": "text", "nothing": None, "shape": right[0]}
        results |= {"NaN": right * np.nan, "rest": right + 0.25}
        return next((results[sin] for sin in sins if sin in results), right)

    while sins:
        assert order[sins[0]] in is_wrong(scaled, answer)
        del sins[0]
    is_right(scaled, answer)
    later = is_wrong(scaled, lambda x, factor: times(x, factor) + 1 if factor == 1 else x[99])
    assert "IndexError" not in later


def test_not_attempted():
    is_blank(scaled, raises(NotImplementedError()))
    assert "as what `print` returns" in number(print()).message
    assert "Replace the `...`" in number(...).message


@pytest.mark.parametrize(
    ("status", "message", "answers"),
    [
        ("passed", "There are two.", (lambda n: -np.sqrt(n), 2.0)),
        ("half", "`root` is right. Still wanted: `how_many`, how many there are.", (np.sqrt,)),
        ("half", "`how_many` is right. Still wanted: `root`, a root of `n`.", (..., 2)),
        ("wrong", "`root` is right. Your answer is 0: too small.", (np.sqrt, 0)),
        ("wrong", "`how_many` is right. Its square is 64.", (lambda n: 2 * n, 2)),
        ("wrong", "Its square is 64.", (lambda n: 2 * n, 3)),
        ("wrong", "Your answer is 0: too small.", (..., 0)),
        ("blank", "Replace the `...` and run the cell again.", (..., ...)),
    ],
)
def test_evidence_is_asked_for_besides(status, message, answers):
    feedback = feedback_of(root, *answers)
    assert (feedback.status, feedback.message) == (status, message)


def test_a_judge_that_stumbles_does_not_raise():
    stumbling = Exercise("s", task="t", reference=1, judge=lambda r: "" if r == 1 else 1 / 0)
    assert "cannot be judged" in is_wrong(stumbling, 2)


def catching(x, factor):
    while True:
        with contextlib.suppress(BaseException):
            sum(range(10))


@pytest.mark.parametrize(
    "endless",
    [
        lambda x, factor: [0 for _ in iter(int, 1)],
        lambda x, factor: [time.sleep(0.01) for _ in iter(int, 1)],
        catching,
    ],
)
def test_an_endless_loop_is_ended_with_a_word(endless, monkeypatch):
    monkeypatch.setattr(_answers, "SECONDS", 0.05)
    assert is_wrong(scaled, endless) == (
        "For the identity, it does not come to an end in a minute, all cases together. Does each "
        "loop stop?"
    )
    monkeypatch.undo()
    # Nothing of it is left: the watch is over, and no late exception comes.
    assert threading.active_count() == 1
    assert sum(i % 2 for i in range(300_000)) == 150_000
    is_right(scaled, times)


def test_what_is_raised_at_the_last_moment_goes_no_further(monkeypatch):
    join, late = threading.Thread.join, [_answers.Endless]

    def interrupted(thread):
        if late:
            raise late.pop()
        join(thread)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    is_right(scaled, times)
    assert not late
    assert threading.active_count() == 1


def test_an_answer_is_checked_where_no_thread_can_start(monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    is_right(scaled, times)
    assert "it raises `RuntimeError: mine`" in is_wrong(scaled, raises(RuntimeError("mine")))


def test_errors_are_quoted_with_their_line_but_without_paths():
    def opens(x, factor):
        return times(x, factor) if factor == 1 else np.loadtxt("/no/such/place/file.txt")

    def long(x, factor):
        raise ValueError(f"`many` words at {hex(2**30)} " * 100 + "\nand lines")

    told = is_wrong(scaled, opens)
    start = "Right for the identity, but not for a random array: it raises `FileNotFoundError"
    assert told.startswith(start)
    assert "at the line `return times(" in told
    assert "file.txt not found" in told
    assert "place/file.txt not" not in told
    told = is_wrong(scaled, long)
    assert "'many' words" in told
    assert len(told) < 400
    names = {}
    exec("def unseen(x, factor):\n    return 1 / 0", names)
    told = is_wrong(scaled, names["unseen"])
    assert told == "For the identity, it raises `ZeroDivisionError: division by zero`."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("np.sin(x)", "Run the first cell, or write `import numpy as np`."),
        ("maths.sin(x)", "Nothing is called `maths` here"),
        ("factor ^ 2.0", "takes no floats"),
        ("numpy.ones((3, 4)) / numpy.ones((3, 4)).sum(axis=1)", "`[:, None]` makes a column of it"),
        ("1 if numpy.ones(3) == 1 else 2", "`np.where` chooses for each"),
        ("[1.0, 2.0] * factor", "`np.asarray` makes an array of a list"),
        ("numpy.array([])[0]", "An array is empty there."),
        ("math.sin(numpy.ones(3))", "`math`, `int` and `float` take one number"),
        ("f(x, factor)", "It calls itself too often, or without end."),
    ],
)
def test_errors_are_told_what_to_look_for(body, words):
    names = {}
    exec(f"import math, numpy\ndef f(x, factor):\n    return {body}", names)
    assert words in is_wrong(scaled, names["f"])


def test_a_return_in_a_loop_is_told_only_if_it_must_be_wrong():
    assert "stands inside a loop" not in is_wrong(scaled, goes_on)


def test_an_interruption_passes_through():
    with pytest.raises(KeyboardInterrupt):
        scaled(raises(KeyboardInterrupt()))


def test_printed_output_warnings_and_strict_numpy_are_left_alone(capsys):
    def answer(x, factor):
        print("seen")
        np.log(np.zeros(2))
        return times(x, factor)

    with np.errstate(all="raise"):
        is_right(scaled, answer)
        assert "too large" in is_wrong(number, 1e308)
    assert capsys.readouterr().out == "seen\n" * 3


def test_a_notebook_shows_its_exercises_alone():
    assert {"nb01", "nb12"} < set(dir(checks))
    assert "double" in dir(checks.nb04)
    assert repr(checks.nb04.double) == "<checker of the exercise double>"
    assert not {"np", "Case", "Exercise"} & set(dir(checks.nb04))


def test_the_example_for_authors_needs_no_other_edit(tmp_path):
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(hour_angle = .*?)^```", guide, re.DOTALL | re.MULTILINE)
    package = tmp_path / "course_checks"
    shutil.copytree(Path(checks.__path__[0]), package, ignore=shutil.ignore_patterns("__pyc*"))
    notebook = package / "nb02.py"
    notebook.write_text(notebook.read_text(encoding="utf-8") + "\n\n" + example, encoding="utf-8")
    code = (
        "import math, course_checks as checks\n"
        "print(checks.nb02.hour_angle(lambda seconds: math.tau * seconds / 43_200).passed)\n"
        "print(checks.nb02.hour_angle(lambda seconds: math.tau * seconds / 86_400).message)\n"
        "print(checks.nb02.hour_angle().message)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    passed, told, call = run.stdout.splitlines()
    assert passed == "True"
    assert told in " ".join(guide.split())
    assert "`checks.nb02.hour_angle(hour_angle)`" in call
