"""An exercise is one declaration, and its own checker."""

import copy
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ._compare import agree, difference, misfit, numbers
from ._feedback import Feedback


@dataclass(eq=False, repr=False)
class Exercise:
    """What's asked, what's right, what to try it with, and the slips that students make."""

    name: str  # of the function or value that a student gives
    task: str  # what it is: "the offset of a shift `matrix`"
    reference: object  # a right function; or a right value, or a function that computes it
    cases: dict = field(default_factory=dict)  # {label: arguments}; none if it asks for a value
    slips: dict = field(default_factory=dict)  # {sentence: the function or value it's said of}
    hint: object = ""  # a question, or (result, right, *arguments) -> a fact about this result
    judge: object = None  # where many answers are right: (result, *arguments) -> words, or ""
    read: object = None  # (answer, *arguments) -> an array, or the end of "It returns ..."
    tolerance: float = 1e-5  # the largest relative or absolute error
    correct: str = ""  # what to say when it's right
    evidence: "Exercise | None" = None  # a value that's asked for besides

    def __call__(self, answer, evidence=...):
        """Check an answer and any evidence: what's wrong is told before what's missing."""
        __tracebackhide__ = True  # in an error, IPython shows the student's code alone
        checks = [self.check(answer), *([self.evidence.check(evidence)] if self.evidence else [])]
        return min(checks, key=lambda check: ["wrong", "blank", "passed"].index(check.status))

    def check(self, answer):
        """Check an answer by itself."""
        __tracebackhide__ = True
        if _is_blank(answer):
            return Feedback(self.name, "blank", f"Wanted: {self.task}.")
        if self.cases and not callable(answer):
            return Feedback(self.name, "wrong", f"`{self.name}` should be a function.")
        results, problem, before = [], "", "Not right for"
        for (label, arguments), right in zip(self.cases.items() or [("", ())], self.solutions):
            given = copy.deepcopy(arguments)
            try:
                results.append(self._result(answer, given, np.shape(right)))
            except Exception as error:
                if not problem:
                    error.add_note(f"\nIt happened in {self.name} for {label}.")
                    raise
                results.append("an error")  # what's wrong in an earlier case is told first
            if not problem:
                problem = self._problem(results[-1], right, arguments, given)
                where, before = label and f"{before} {label}. ", f"Right for {label}, but not for"
        if not problem:
            return Feedback(self.name, "passed", self.correct)
        for sentence, slip in self.slips.items():
            if all(agree(*pair, self.tolerance) for pair in zip(results, self._results(slip))):
                return Feedback(self.name, "wrong", where + sentence)
        return Feedback(self.name, "wrong", where + problem)

    @cached_property
    def solutions(self):
        """What the reference returns in each case."""
        return list(self._results(self.reference))

    def _results(self, answer):
        """Yield what the reference or a slip returns in each case."""
        answer = answer() if callable(answer) and not self.cases else answer
        for arguments in self.cases.values() or [()]:  # a value is looked at once
            yield self._result(answer, copy.deepcopy(arguments))

    def _result(self, answer, arguments, shape=None):
        """Return what an answer returns in a case, or a value as it is, as an array."""
        __tracebackhide__ = True
        if self.read:
            return self.read(answer, *arguments)
        return numbers(answer(*arguments) if self.cases else answer, shape)

    def _problem(self, result, right, arguments, given):
        """Return what's wrong in a case, in whole sentences, or ""."""
        verb = "It returns" if self.cases else "Your answer is"
        if words := result if isinstance(result, str) else misfit(result, right):
            hint = "" if result is None or callable(self.hint) else self.hint
            return f"{verb} {words}. {hint}".strip()
        if not all(map(np.array_equal, arguments, given)):
            return "It changes what it's given. Work on a copy."
        if self.judge:
            return self.judge(result, *arguments)
        if agree(result, right, self.tolerance):
            return ""
        hint = self.hint(result, right, *arguments) if callable(self.hint) else self.hint
        return f"{verb} {difference(result, right, self.tolerance, self.cases)}. {hint}".strip()


def _is_blank(answer):
    """Tell whether an answer is a starter's: `...`, None, or a function without any code."""
    code, empty = getattr(answer, "__code__", None), (lambda: None).__code__
    is_empty = code and (code.co_code, code.co_consts) == (empty.co_code, empty.co_consts)
    parts = answer if isinstance(answer, (list, tuple)) else [answer]
    return is_empty or any(part is None or part is ... for part in parts)
