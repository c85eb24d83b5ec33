"""What holds for every exercise, without a line of its own."""

import pytest

from .answers import PARTS, as_given

each = pytest.mark.parametrize("exercise", PARTS.values(), ids=PARTS)


@each
def test_the_reference_passes(exercise):
    feedback = exercise.check(as_given(exercise, exercise.reference))
    assert feedback, feedback


@each
def test_each_slip_is_told_as_itself(exercise):
    for sentence, slip in exercise.slips.items():
        feedback = exercise.check(as_given(exercise, slip))
        assert feedback.status == "wrong", sentence
        assert feedback.message.endswith(sentence), feedback


@each
def test_who_has_not_begun_is_told_what_is_wanted(exercise):
    def starter(*arguments): ...

    for answer in (..., None, starter):
        feedback = exercise.check(answer)
        assert (feedback.status, feedback.message) == ("blank", f"Wanted: {exercise.task}.")


@each
def test_what_ignores_its_input_is_wrong(exercise):
    for result in exercise.solutions[:3]:
        if exercise.cases and result is not None:
            assert exercise.check(lambda *arguments, result=result: result).status == "wrong"
