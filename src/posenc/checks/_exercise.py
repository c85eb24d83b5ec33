"""An exercise is one declaration, and its own checker."""

import copy
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature

import numpy as np

from ._answers import read
from ._diagnosis import Diagnosis
from ._feedback import Feedback


class Case:
    """Arguments of a student's function, a name for them, and what may be confused there."""

    def __init__(self, *arguments, label="", hint=""):
        self.arguments, self.label, self.hint = arguments, label, hint


@dataclass(eq=False, repr=False)
class Exercise:
    """One exercise: what is asked, what is right, what to try it with, what people confuse."""

    name: str  # of the function or value that the student gives
    task: str  # what it is, as a phrase: "the wavelength of pair `k` at width `width`"
    reference: object  # a right answer: a function, or a value or what computes it when needed
    correct: str = ""  # what to tell those who are right, with something new
    mistakes: dict = field(default_factory=dict)  # from whole sentences to what one answers then
    cases: object = None  # Cases, or tuples of arguments, or what makes them; none for a value
    label: str = ""  # words for the cases that have none: "offset {offset}"
    hint: str = ""  # what to tell those whose result is NaN, or not known and not explained
    judge: object = None  # where many are right: (result, *arguments) -> what is wrong, or ""
    explain: object = None  # or what finds a hint: (result, right result, *arguments) -> words
    run: object = None  # (answer, *arguments) -> result, where that is more than a call
    tolerance: float = 1e-5  # largest relative or absolute error
    evidence: "Exercise" = None  # a value that is asked for besides
    namespace: str = ""  # the module that declares it, such as "nb04"

    def __post_init__(self):
        self.__doc__ = f"Check the exercise `{self.name}`: {self.task}."

    def __repr__(self):
        return f"<checker of the exercise {self.name}>"

    def __call__(self, *answers):
        """Check an answer, and the evidence where it is asked for, whatever they are."""
        parts = [part for part in (self, self.evidence) if part]
        names = [part.name for part in parts]
        if not 1 <= len(answers) <= len(parts):
            call = f"checks.{self.namespace}.{self.name}({', '.join(names)})"
            return Feedback(self.name, "blank", f"Give it your answer: `{call}`.")
        verdicts = [Diagnosis(*pair).verdict() for pair in zip(parts, [*answers, ...])]
        right = "".join(f"`{x}` is right. " for x, v in zip(names, verdicts) if v[0] == "passed")
        # What is wrong is told first, and then what is missing.
        status, message = min(verdicts, key=lambda x: ["wrong", "blank", "passed"].index(x[0]))
        if status == "blank" and right:
            part = parts[verdicts.index((status, message))]
            status, message = "half", f"Still wanted: `{part.name}`, {part.task}."
        return Feedback(self.name, status, message if status == "passed" else right + message)

    @cached_property
    def parameters(self):
        """Names of the parameters that the student's function takes."""
        return list(signature(self.reference).parameters) if self.cases else []

    @cached_property
    def all_cases(self):
        """The cases, each with a label; a value has a single one, without arguments."""
        given = self.cases() if callable(self.cases) else self.cases or [()]
        cases = [case if isinstance(case, Case) else Case(*case) for case in given]
        for case in cases:
            names = dict(zip(self.parameters, case.arguments))
            case.label = case.label or self.label.format(**names)
        return cases

    @cached_property
    def solutions(self):
        """What the reference returns in each case, as arrays."""
        return [read(result, result) for result in self.results_of(self.reference)]

    def results_of(self, answer):
        """Yield what an answer of ours returns in each case."""
        if callable(answer) and not self.cases:
            answer = answer()
        for case in self.all_cases:
            yield self.result(answer, copy.deepcopy(case.arguments))

    def result(self, answer, arguments):
        """Return what an answer says of a case: what a function returns, or a value as it is."""
        if self.run:
            return self.run(answer, *arguments)
        return answer(*arguments) if self.cases else answer

    def agree(self, found, solution):
        """Tell whether two results are equal up to the tolerance."""
        if found is None or solution is None:
            return found is solution
        close = {"rtol": self.tolerance, "atol": self.tolerance, "equal_nan": True}
        return np.shape(found) == np.shape(solution) and np.allclose(found, solution, **close)
