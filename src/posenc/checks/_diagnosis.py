"""What is wrong with an answer, said in a fixed order."""

import copy
import pickle

import numpy as np

from ._calling import guarded, in_time
from ._code import about_code, about_error, about_no_return, about_parameters
from ._reading import Unreadable, is_blank, read
from ._slips import slips

_DOTS = "Replace the `...` and run the cell again."
_NONE = "It is `None`: `print` shows a value but returns nothing. Give the value itself."


class Diagnosis:
    """One answer to one exercise, a function or a value, tried in every case."""

    def __init__(self, exercise, answer):
        self.exercise, self.answer, self.cases = exercise, answer, exercise.all_cases
        self.returns = "it returns" if exercise.cases else "your answer is"
        self.results = []  # for each case that was tried, an array or None
        self.right = []  # and whether it is right
        self.changed = []  # names of the arguments that the answer has changed

    def verdict(self):
        """Return the status of the answer and the words for it."""
        words = next(filter(None, self._objections()), "")
        if not words:
            return "passed", self.exercise.correct
        return "blank" if words in (_DOTS, _NONE) else "wrong", words[0].upper() + words[1:]

    def _objections(self):
        """Yield what may be said against the answer; the first that is not empty is told."""
        exercise, answer = self.exercise, self.answer
        if is_blank(answer):
            yield _NONE if answer is None else _DOTS
        if exercise.cases:
            yield about_parameters(answer, exercise.name, exercise.parameters)
        error = guarded(in_time, self._try_cases)[1]
        if not error and all(result is None for result in self.results):
            yield about_no_return(answer) or _DOTS
        tried = range(len(self.results))
        self.right = [not (self._misfit(i) or self._difference(i)) for i in tried]
        first = self.right.index(False) if False in self.right else None
        if isinstance(error, Unreadable):
            yield self._in_case(len(self.results), f"{self.returns} {error}")
        if first is not None:
            yield about_code(answer, exercise)
            yield self._in_case(first, self._slip())
        elif error:
            yield self._in_case(len(self.results), about_error(error, answer), hint=True) or _DOTS
        for name in self.changed:
            yield (
                f"It changes its input `{name}`, which the caller may still need. Make a new array "
                "and leave the old one as it is."
            )
        if first is not None:
            yield self._in_case(first, self._misfit(first), hint=True)
            yield self._constant()
            yield self._in_case(first, self._difference(first), hint=True)

    def _try_cases(self):
        exercise = self.exercise
        for case, solution in zip(self.cases, exercise.solutions):
            arguments = copy.deepcopy(case.arguments)
            result = exercise.result(self.answer, arguments)
            if result is not None and is_blank(result):
                raise NotImplementedError  # the function is not finished
            self.results.append(read(result, solution))
            for name, old, new in zip(exercise.parameters, case.arguments, arguments):
                if isinstance(old, (np.ndarray, list)) and pickle.dumps(old) != pickle.dumps(new):
                    self.changed.append(name)

    def _in_case(self, i, words, hint=False):
        """Say where the answer is right, where not, and what is wrong there."""
        case = self.cases[i]
        goes_on = words.startswith("it ")  # or else it is a whole sentence
        if words and case.label and True in self.right:
            right = self.cases[self.right.index(True)].label
            words = f"right for {right}, but not for {case.label}{': ' if goes_on else '. '}{words}"
        elif case.label and goes_on:
            words = f"for {case.label}, {words}"
        return f"{words} {case.hint}".strip() if words and hint else words

    def _slip(self):
        """Return the words for the slip that explains every case."""

        def explains(results):
            return all(map(self.exercise.agree, self.results, results))

        found = slips(self.exercise)
        return next((words for words, results in found if guarded(explains, results)[0]), "")

    def _constant(self):
        """Say so if an answer is the same in every case."""
        first, *others = self.results
        if not others or not all(self.exercise.agree(first, other) for other in others):
            return ""
        what = f"It returns {_described(first)} whatever it is called with."
        return f"{what} Does it use its parameters, or do they cancel?"

    def _misfit(self, i):
        """Return what is wrong with the form of a result: nothing, another shape, or NaN."""
        found, right = self.results[i], self.exercise.solutions[i]
        if found is None and not any(solution is None for solution in self.exercise.solutions):
            return "it returns nothing. Does every way through it `return`?"
        if np.shape(found) != np.shape(right) or (found is None) != (right is None):
            right = _described(right, in_full=self.exercise.cases)
            return f"{self.returns} {_described(found)}, where {right} should be."
        if found is None or not np.isnan(found).any():
            return ""
        place = _named(np.argwhere(np.isnan(found))[0])
        return f"{self.returns} NaN (not a number){place}. {self.exercise.nan_hint}".strip()

    def _difference(self, i):
        """Return what is wrong with the numbers of a result, or ""."""
        exercise, found, right = self.exercise, self.results[i], self.exercise.solutions[i]
        if exercise.judge:
            return self._said_by(exercise.judge, i)
        if exercise.agree(found, right):
            return ""
        hint = self._said_by(exercise.explain, i, right) if exercise.explain else exercise.hint
        if not exercise.cases:
            than = "" if found.ndim else f": too {'large' if found > right else 'small'}"
            return f"{self.returns} {_described(found)}{than}. {hint}".strip()
        place, more = (), ""
        if found.size > 6 or found.ndim > 1:
            wrong = ~np.isclose(found, right, rtol=exercise.tolerance, atol=exercise.tolerance)
            place = tuple(np.argwhere(wrong)[0])
            more = f"; {wrong.sum()} of {wrong.size} numbers differ"
        found, right = _described(found[place]), _described(right[place])
        words = f"{self.returns} {found}{_named(place)}, where {right} should be{more}."
        return f"{words} {hint}".strip()

    def _said_by(self, function, i, *right):
        """Return what a function of the exercise, that judges or explains, says of a result."""
        given = copy.deepcopy(self.cases[i].arguments)
        words, error = guarded(function, self.results[i], *right, *given)
        return f"{self.returns} what cannot be judged." if error else words


def _described(array, in_full=True):
    """Return a short array as text, and the shape of a long one."""
    if array is None:
        return "`None`"
    if not in_full or array.ndim > 1 or not 1 <= array.size <= 6:
        return f"an array of shape {array.shape}" if array.ndim else "a single number"
    numbers = [f"`{x}`" if array.dtype == bool else f"{x:.6g}" for x in array.flat]
    return f"({', '.join(numbers)})" if array.ndim else numbers[0]


def _named(index):
    """Say where a number stands."""
    names = ["row", "column"] if len(index) == 2 else ["entry"] * len(index)
    return " at " + ", ".join(f"{name} {i}" for name, i in zip(names, index)) if len(index) else ""
