"""The engine of the checkers, on exercises made up for it."""

from fractions import Fraction

import numpy as np
import pytest

from posenc.checks import Exercise

doubled = Exercise(
    "doubled",
    task="twice `x`",
    reference=lambda x: 2 * x,
    cases={"one": (np.array([1.0]),), "a row": (np.arange(8.0),)},
    slips={"That's the square. What's twice?": lambda x: x**2},
    hint="How often does x occur in twice x?",
    correct="Indeed.",
    evidence=Exercise(
        "half",
        task="a half",
        reference=0.5,
        hint=lambda result, right: f"Twice that's {2 * result}.",
    ),
)


def test_a_right_answer_with_its_evidence_passes():
    assert repr(doubled(lambda x: x + x, 0.5)) == "✓ Correct: doubled. Indeed."


@pytest.mark.parametrize("value", [Fraction(1, 2), [0.5], np.float32(0.5), np.array([[0.5]])])
def test_a_number_may_come_in_any_type(value):
    assert doubled.evidence.check(value)


def test_the_first_wrong_number_of_a_case_is_told():
    told = doubled.check(lambda x: 2 * np.minimum(x, 5)).message
    assert told.startswith("Right for one, but not for a row. It returns 10 at [6], where 12")
    assert told.endswith(" be. How often does x occur in twice x?")


def test_a_slip_is_told_only_if_it_explains_every_case():
    assert doubled.check(lambda x: x**2).message.endswith("What's twice?")
    assert "square" not in doubled.check(lambda x: x**2 if len(x) > 1 else 3 * x).message


def test_what_is_wrong_is_told_before_what_is_missing():
    assert doubled(lambda x: x, ...).name == "doubled"
    assert doubled(lambda x: 2 * x, 1).message == "Your answer is 1. Twice that's 2.0."
    assert doubled(lambda x: 2 * x).message == "Wanted: a half."
    assert doubled(..., 1).name == "half"


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (None, "It returns `None`, where an array of shape (1,) should be."),
        ([[1, 2]], "something of shape (1, 2), where an array of shape (1,) should be."),
        ([np.nan], "It returns nan at [0], which isn't finite. How often does x occur in"),
        ([-np.inf], "It returns -inf at [0], which isn't finite."),
        ("two", "It returns something of type `str` that can't be read as real numbers."),
        ([1j], "It returns something of type `list` that can't be read as real numbers."),
        ([[1], [2, 3]], "It returns something of type `list` that can't be read as real numbers."),
    ],
)
def test_what_cannot_be_compared_is_described(result, told):
    assert told in doubled.check(lambda x: result).message


def test_a_changed_input_is_told():
    def in_place(x):
        x *= 2
        return x

    assert doubled.check(in_place).message.endswith("It changes what it's given. Work on a copy.")


def test_an_error_is_python_s_own_with_a_note_of_the_case():
    with pytest.raises(IndexError) as raised:
        doubled.check(lambda x: 2 * x if len(x) == 1 else x[8])
    assert raised.value.__notes__ == ["\nIt happened in doubled for a row."]


def test_what_is_wrong_before_an_error_is_told_first():
    assert "Not right for one." in doubled.check(lambda x: x if len(x) == 1 else x[8]).message


def test_what_is_no_function_is_told():
    assert doubled.check(2).message == "`doubled` should be a function."


def test_markup_in_a_message_is_shown_as_text():
    page = doubled.check(lambda x: None)._repr_html_()
    assert "<code" in page
    assert "<b>" not in Exercise("b", task="`<b>`", reference=1).check(...)._repr_html_()


def test_where_many_are_right_a_judge_decides_on_what_is_read():
    even = Exercise(
        "even",
        task="an even number above `x`, in a tuple",
        reference=lambda x: (2 * x,),
        cases={"one": (1,)},
        read=lambda answer, x: np.array(answer(x)[0]),
        judge=lambda result, x: "" if result % 2 == 0 else f"{result} is odd.",
    )
    assert even.check(lambda x: (44,))
    assert even.check(lambda x: (45,)).message == "Not right for one. 45 is odd."


def test_a_number_may_be_infinite_where_the_right_one_is():
    pair = Exercise("pair", task="an infinite number and 1", reference=[np.inf, 1], hint="Is it?")
    assert pair.check([np.inf, 1])
    assert pair.check(7).message == "Your answer is 7, where 2 numbers should be. Is it?"
