"""Ask a checker about answers, and hold what is true of every feedback."""

import pickle
import random
import re

import numpy as np
import pytest

from posenc import checks
from posenc.checks import Exercise

NAMESPACES = [vars(checks)[name] for name in checks.__all__ if name[0].islower()]
EXERCISES = [x for space in NAMESPACES for x in vars(space).values() if isinstance(x, Exercise)]


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
    assert feedback.status == "wrong", f"{name} is wrong, and is told {feedback}"
    return feedback.message


def is_right(exercise, *answers, name=""):
    """Assert that an answer passes; of an exercise that asks for evidence, its first half."""
    feedback = feedback_of(exercise, *answers)
    wanted = "half" if exercise.evidence and len(answers) == 1 else "passed"
    assert feedback.status == wanted, f"{name} should pass: {feedback.message}"


def is_blank(exercise, *answers, name=""):
    """Assert that an answer counts as not attempted."""
    feedback = feedback_of(exercise, *answers)
    assert feedback.status == "blank", f"{name}: {feedback.message}"


def name_of(exercise):
    """Return the name of an exercise's tests, such as "nb04.double"."""
    return f"{exercise.namespace}.{exercise.name}"


def told(table):
    """Return a test of what answers are told, by a table from exercises to answers.

    Those that are "right", in different styles, pass. Those that are "wrong", none of which is a
    known mistake, stand behind words that they are told.
    """

    @pytest.mark.parametrize("exercise", table, ids=name_of)
    def test(exercise):
        for answer in table[exercise]["right"]:
            is_right(exercise, answer, name=str(answer))
        for words, answer in table[exercise]["wrong"].items():
            message = is_wrong(exercise, answer, name=words)
            assert words in message, message
            known = [mistake for mistake in exercise.mistakes if message.endswith(mistake)]
            assert not known, "a known mistake, which test_laws tries"

    return test
