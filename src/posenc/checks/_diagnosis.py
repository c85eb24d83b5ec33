"""What is wrong with an answer, said in a fixed order."""

import copy
import pickle

import numpy as np

from ._answers import Unreadable, guarded, in_time, is_blank, read
from ._code import about_code, about_error, about_no_return, about_parameters
from ._slips import slips

_DOTS = "Replace the `...` and run the cell again."
_NONE = "It is `None`, as what `print` returns, or a function without `return`."


class Diagnosis:
    """One answer to one exercise, a function or a value, tried in every case."""

    def __init__(self, exercise, answer):
        self.exercise, self.answer, self.cases = exercise, answer, exercise.all_cases
        self.returns = "it returns" if exercise.cases else "your answer is"
        self.results = []  # for each case that was tried, an array or None
        self.differences = []  # and what is wrong with it, or ""
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
        tried = len(self.results)
        if not error and all(result is None for result in self.results):
            yield about_no_return(answer) or _DOTS
        self.differences = [self._difference(i) for i in range(tried)]
        first = next((i for i in range(tried) if self.differences[i]), None)
        if isinstance(error, Unreadable):
            yield self._in_case(tried, f"{self.returns} {error}")
        if first is not None:
            yield about_code(answer, exercise)
            yield self._in_case(first, self._slip())
        elif error:
            yield self._in_case(tried, about_error(error, answer), hint=True) or _DOTS
        for name in self.changed:
            yield f"It changes its input `{name}`. Leave that as it is, and make a new array."
        if first is not None:
            yield self._in_case(first, self.differences[first], hint=True)

    def _try_cases(self):
        exercise = self.exercise
        for case, solution in zip(self.cases, exercise.solutions):
            arguments = copy.deepcopy(case.arguments)
            result = exercise.result(self.answer, arguments)
            if result is not None and not isinstance(result, str) and is_blank(result):
                raise NotImplementedError  # the function is not finished
            self.results.append(read(result, solution))
            for name, old, new in zip(exercise.parameters, case.arguments, arguments):
                if isinstance(old, (np.ndarray, list)) and pickle.dumps(old) != pickle.dumps(new):
                    self.changed.append(name)

    def _in_case(self, i, words, hint=False):
        """Say where the answer is right, where not, and what is wrong there."""
        case = self.cases[i]
        goes_on = words.startswith("it ")  # or else it is a whole sentence
        if words and case.label and "" in self.differences:
            right = self.cases[self.differences.index("")].label
            words = f"right for {right}, but not for {case.label}{': ' if goes_on else '. '}{words}"
        elif case.label and goes_on:
            words = f"for {case.label}, {words}"
        return f"{words} {case.hint}".strip() if words and hint else words

    def _slip(self):
        """Return the words for the slip that explains every case, or "".

        What is no known mistake of this exercise may explain a few cases, or NaN, by chance.
        """
        first, *others = self.results
        truth = first is not None and first.dtype == bool  # a weak test may call all right
        no_number = any(x is not None and np.isnan(x).any() for x in self.results)
        by_chance = no_number or len(self.results) < len(self.cases)
        constant = others and not truth and not by_chance
        constant = constant and all(self.exercise.agree(first, x) for x in others)
        for words, results in slips(self.exercise):
            known = words in self.exercise.mistakes and not (truth and by_chance)
            if (constant or by_chance) and not known:
                break
            if guarded(all, map(self.exercise.agree, self.results, results))[0]:
                return words
        return f"It returns {_described(first)} in every case." if constant else ""

    def _difference(self, i):
        """Return what is wrong with a result, first with its form, then with its numbers, or ""."""
        exercise, found, right = self.exercise, self.results[i], self.exercise.solutions[i]
        if np.shape(found) != np.shape(right) or (found is None) != (right is None):
            wanted = _described(right, in_full=exercise.cases)
            words = f"{self.returns} {_described(found)}, where {wanted} should be."
            forgot = found is None and not any(x is None for x in exercise.solutions)
            return f"{words} A function that comes to no `return` gives that." if forgot else words
        if found is not None and np.isnan(found).any():
            place = f" at {np.argwhere(np.isnan(found))[0].tolist()}" if found.ndim else ""
            return f"{self.returns} NaN (not a number){place}. {exercise.hint}".strip()
        if exercise.judge:
            return self._said_by(exercise.judge, i)
        if exercise.agree(found, right):
            return ""
        hint = self._said_by(exercise.explain, i, right) if exercise.explain else exercise.hint
        if guarded(self._cuts_decimals, i)[0]:
            hint = (
                "Decimals are cut off where whole numbers are given: write into an array of floats."
            )
        if not exercise.cases:
            than = "." if found.ndim else _compared(found, right, ask=not exercise.explain)
            return f"{self.returns} {_described(found)}{than} {hint}".strip()
        place = more = ""
        if found.size > 6 or found.ndim > 1:
            wrong = ~np.isclose(found, right, rtol=exercise.tolerance, atol=exercise.tolerance)
            place = f" at {np.argwhere(wrong)[0].tolist()}"
            more = f"; {wrong.sum()} of {wrong.size} numbers differ"
            factor = guarded(lambda: np.sum(found * right) / np.sum(right**2))[0]
            if factor and np.sum(right != 0) > 2 and np.allclose(found, factor * right):
                more = f", {factor:.6g} times as much, like every number"
            found, right = found[wrong][0], right[wrong][0]
        found, right = _described(found), _described(right)
        return f"{self.returns} {found}{place}, where {right} should be{more}. {hint}".strip()

    def _cuts_decimals(self, i):
        """Tell whether numbers are cut where whole ones are given, and right where not."""
        cut = np.array_equal(self.results[i], np.trunc(self.exercise.solutions[i]))
        for case, *pair in zip(self.cases, self.results, self.exercise.solutions):
            whole = any(np.issubdtype(getattr(x, "dtype", float), int) for x in case.arguments)
            cut &= whole if case is self.cases[i] else whole or self.exercise.agree(*pair)
        return cut

    def _said_by(self, function, i, *right):
        """Return what a function of the exercise, that judges or explains, says of a result."""
        words, error = guarded(function, self.results[i], *right, *self.cases[i].arguments)
        if error:
            return "" if right else f"{self.returns} what cannot be judged."
        return words


def _compared(found, right, ask):
    """Say how a number differs from the right one; ask about the count if it is off by one."""
    than = f": too {'large' if found > right else 'small'}"
    if right % 1 == 0 and not float(found).is_integer():
        return f"{than}, and a whole number is wanted."
    if abs(found - right) == 1 and right % 1 == 0:
        return f"{than} by one.{' From where is it counted, and up to where?' * ask}"
    return f"{than}."


def _described(array, in_full=True):
    """Return a short array as text, and the shape of a long one."""
    if array is None:
        return "`None`"
    if not in_full or array.ndim > 1 or not 1 <= array.size <= 6:
        return f"an array of shape {array.shape}" if array.ndim else "a single number"
    numbers = [f"`{x}`" if array.dtype == bool else f"{x:.6g}" for x in array.flat]
    return f"({', '.join(numbers)}{',' * (len(numbers) == 1)})" if array.ndim else numbers[0]
