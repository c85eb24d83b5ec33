"""An exercise is one declaration, and its own checker."""

from dataclasses import dataclass
from functools import cached_property
from inspect import signature

import numpy as np

from ._answers import Unreadable, is_a, read
from ._diagnosis import Diagnosis
from ._feedback import Feedback

_NOTHING = np.empty((0, 0))  # stands for None where that is a right answer


class Case:
    """Arguments with which a student's function is called, and words for them.

    Messages call a case by its `label`: "Right for offset 0, but not for offset 3". The `hint`
    says in whole sentences what somebody who is wrong here may have confused.
    """

    def __init__(self, *arguments, label=None, hint=""):
        self.arguments, self.label, self.hint = arguments, label, hint


@dataclass(eq=False, repr=False)
class Exercise:
    """One exercise: what is asked, what is right, what to try it with, what people confuse.

    A function is called with each case; without cases the answer is a value.
    """

    name: str  # of the function or value that the student gives
    task: str  # what it is, as a phrase: "the wavelength of pair `k` at width `width`"
    reference: object  # a right answer: a function, or a value or what computes it when needed
    mistakes: dict  # from what is confused, in whole sentences, to what one would answer then
    correct: str = ""  # what to tell those who are right, with something new
    cases: object = None  # of type Case, or tuples of arguments, or a function that makes them
    judge: object = None  # where many are right: (result, *arguments) -> what is wrong, or ""
    explain: object = None  # the same where one is right, asked when no known mistake fits
    call: object = lambda function, *arguments: function(*arguments)
    case: str = ""  # words for a case without a label: "offset {offset}"
    tolerance: float = 1e-5  # largest relative or absolute error
    nan_hint: str = ""  # where NaN comes from in this exercise
    evidence: "Exercise" = None  # a value that is asked for besides

    def __post_init__(self):
        self.__doc__ = f"Check the exercise `{self.name}`: {self.task}."

    def __repr__(self):
        return f"<checker of the exercise {self.name}>"

    def __call__(self, *answers):
        """Check an answer, and the evidence where it is asked for, whatever they are."""
        names = [part.name for part in (self, self.evidence) if part]
        if not 1 <= len(answers) <= len(names):
            call = f"checks.{self.name}({', '.join(names)})"
            return Feedback(self.name, "blank", f"Give it your answer: `{call}`.")
        status, message = Diagnosis(self, answers[0]).verdict()
        if self.evidence and status != "wrong":
            status, message = self._with_evidence(status, message, *answers[1:])
        return Feedback(self.name, status, message)

    def _with_evidence(self, status, message, evidence=...):
        known, words = Diagnosis(self.evidence, evidence).verdict()
        if status == known:
            return status, message
        if known == "wrong":
            return known, f"`{self.name}` is right. {words}" if status == "passed" else words
        right, missing = (self, self.evidence) if status == "passed" else (self.evidence, self)
        return "half", f"`{right.name}` is right. Still wanted: `{missing.name}`, {missing.task}."

    @cached_property
    def tried(self):
        """The cases; a value has a single one, without arguments."""
        given = self.cases() if callable(self.cases) else self.cases or [()]
        return [case if is_a(case, Case) else Case(*case) for case in given]

    @cached_property
    def parameters(self):
        """Names of the parameters that the student's function takes."""
        return list(signature(self.reference).parameters)[: len(self.tried[0].arguments)]

    @cached_property
    def targets(self):
        """What the reference returns in each case."""
        return [self.result(self.reference, case.arguments) for case in self.tried]

    @cached_property
    def expected(self):
        """What the reference returns in each case, as `read` returns it."""
        return [self.read(target, target) for target in self.targets]

    def result(self, answer, arguments):
        """Return what an answer of ours says of a case: a function, or a value as it is."""
        return self.call(answer, *arguments) if callable(answer) else answer

    def read(self, result, target):
        """Return a result as a tuple of arrays, one for each thing that the target holds."""
        if type(target) is tuple and any(map(np.ndim, target)):
            if not is_a(result, tuple, list) or len(result) != len(target):
                raise Unreadable(f"something else than {len(target)} things in a tuple")
            return tuple(self.read(*pair)[0] for pair in zip(result, target))
        if result is None:
            return (_NOTHING,)
        array = read(result, truth=np.asarray(target).dtype.kind == "b")
        single = target is not None and np.ndim(target) == 0 and array.size == 1
        return (array.reshape(()) if single else array,)

    def agree(self, found, expected):
        """Tell whether two results, as `read` returns them, are equal up to the tolerance."""
        close = {"rtol": self.tolerance, "atol": self.tolerance, "equal_nan": True}
        return all(
            a.shape == b.shape and np.allclose(a, b, **close) for a, b in zip(found, expected)
        )

    def words(self, case):
        """Return what to call a case in a message."""
        if case.label or not self.cases:
            return case.label
        return self.case.format(**dict(zip(self.parameters, case.arguments)))
