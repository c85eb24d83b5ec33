"""Try answers as students write them, right and wrong, by a table of each module."""

from types import ModuleType

import pytest

from posenc import checks
from posenc.checks import Exercise

MODULES = [module for module in vars(checks).values() if isinstance(module, ModuleType)]
EXERCISES = {
    f"{module.__name__.split('.')[-1]}.{exercise.name}": exercise
    for module in MODULES
    for exercise in vars(module).values()
    if isinstance(exercise, Exercise)
}
PARTS = EXERCISES | {
    f"{name}, {exercise.evidence.name}": exercise.evidence
    for name, exercise in EXERCISES.items()
    if exercise.evidence
}


def as_given(exercise, answer):
    """Return an answer of ours as a student gives it: a value is given, not computed."""
    return answer() if callable(answer) and not exercise.cases else answer


def told(table):
    """Return a test of a table from exercises to answers.

    Those that are "right" pass. Those that are "wrong" are no known slips, and each stands behind
    words that it's told.
    """

    @pytest.mark.parametrize("exercise", table, ids=lambda exercise: exercise.name)
    def test(exercise):
        for answer in table[exercise]["right"]:
            feedback = exercise.check(answer)
            assert feedback, feedback
        for words, answer in table[exercise]["wrong"].items():
            feedback = exercise.check(answer)
            assert feedback.status == "wrong", f"{words}: {feedback}"
            assert words in feedback.message, feedback.message
            assert not feedback.message.endswith(tuple(exercise.slips)), "a known slip"

    return test
