"""The two kinds of checker: of a function that the student writes, and of a value."""

import numpy as np

from . import _answers
from ._answers import Unreadable, describe_error, guarded, is_a, is_blank
from ._comparison import Case, Comparison, Mistake, Property

__all__ = ["Case", "FunctionCheck", "Mistake", "Property", "ValueCheck"]


class FunctionCheck(Comparison):
    """Check a function that the student writes.

    The function is called with every case and compared with the reference. The first of these
    that applies is told: not attempted; takes other parameters, or the same in another order;
    raises; changes its input; returns something unreadable; a known mistake; the same for every
    input; a wrong shape; NaN; a general pattern (sign, factor, order); a property that does not
    hold, unless all numbers are nearly right; the first difference.

    Parameters
    ----------
    name : str
        Name of the function that the student writes.
    task : str
        What it returns, as a phrase: "the wavelength of pair `k` at width `width`".
    reference : callable
        The right function. The names of its parameters are used in messages; parameters that no
        case gives keep their defaults and are not asked for.
    cases : sequence of Case or tuple
        At least three with equally many arguments, edge cases first. Random arrays come from a
        generator with a fixed seed.
    correct : str
        What to tell those who are right: one or two sentences with something new.
    mistakes : sequence of Mistake
        The usual mistakes. One fits when it explains every case that is wrong.
    properties : sequence of Property, optional
        What to look at when no known mistake fits.
    case : str, optional
        Format of a case's words, with the parameters' names: "offset {offset}".
    tolerance : float
        Largest relative or absolute error; 0 for a count, which is never nearly right. The
        default, 1e-5, lets float32 pass for positions up to about 100.
    axes : sequence of str, optional
        What to call the axes of the result: ("position", "column").
    nan_hint : str, optional
        Where to look when the result holds NaN or an infinite number.
    """

    _subject = "your function returns"

    def __init__(
        self,
        name,
        *,
        task,
        reference,
        cases,
        correct,
        mistakes,
        properties=(),
        case=None,
        tolerance=1e-5,
        axes=None,
        nan_hint=Comparison.nan_hint,
    ):
        self.cases = [given if is_a(given, Case) else Case(*given) for given in cases]
        (count,) = {len(given.arguments) for given in self.cases}
        self.parameters = _answers.parameter_names(reference)[:count]
        super().__init__(
            name,
            task=task,
            correct=correct,
            parameters=self.parameters,
            mistakes=mistakes,
            properties=properties,
            tolerance=tolerance,
            axes=axes,
        )
        self.reference = reference
        self.case = case
        self.nan_hint = nan_hint

    def _words(self, case):
        if case.label is not None:
            return case.label
        arguments = dict(zip(self.parameters, case.arguments))
        if self.case is not None:
            return self.case.format(**arguments)
        return " and ".join(f"{name} {_brief(value)}" for name, value in arguments.items())

    def _sentence(self, case, words):
        return f"For {self._words(case)}, {words}"

    def _check(self, function):
        if not callable(function):
            return self._wrong(
                f"Give the function itself, `{self.name}`, without calling it: this is a value "
                f"of type `{type(function).__name__}`."
            )
        count = len(self.parameters)
        if not _answers.accepts(function, count):
            for name in _answers.named_only(function):
                return self._wrong(
                    f"Your parameter `{name}` can be given by name only. The function should take "
                    f"{_count(self.parameters)}, by position: is there a `*` among yours?"
                )
            given = _answers.parameter_names(function)
            return self._wrong(
                f"The function should take {_count(self.parameters)}, in this order; yours "
                f"takes {_count(given)}."
            )
        feedback = self._compare(function)
        given = guarded(_answers.parameter_names, function)[0] or []
        exchanged = given != self.parameters and sorted(given) == sorted(self.parameters)
        if feedback.status == "wrong" and exchanged:
            return self._wrong(
                f"Your parameters stand in another order. The function should take "
                f"{_count(self.parameters)}, in this order; yours takes {_count(given)}."
            )
        return feedback

    def _compare(self, function):
        results = []
        changed_input = None
        for case in self.cases:
            result, error, changed = _answers.call_on_copy(function, case.arguments)
            if error is not None:
                return self._raised(error, function, case)
            if changed:
                changed_input = changed_input or self.parameters[changed[0]]
            results.append(result)
        if changed_input:
            return self._wrong(
                f"Your function changes its input `{changed_input}`, which the caller may still "
                "need. Make a new array and leave the old one as it is."
            )
        if all(result is None for result in results):
            return self._blank("Your function returns nothing yet: end it with `return`.")
        if all(map(is_blank, results)):
            return self._blank()
        found = []
        expected = [np.asarray(self.reference(*case.arguments)) for case in self.cases]
        for case, result, target in zip(self.cases, results, expected):
            if is_blank(result):
                words = "your function returns nothing. Does every way through it `return`?"
                return self._wrong(self._sentence(case, words))
            try:
                found.append(_answers.read(result, _answers.kind_of(target)))
            except Unreadable as words:
                return self._wrong(self._sentence(case, f"{self._subject} {words}."))
        expected = [_answers.read(target, _answers.kind_of(target)) for target in expected]
        return self._judge(found, expected, self.cases)

    def _raised(self, error, function, case):
        unfinished = is_a(error, TypeError) and "ellipsis" in str(guarded(str, error)[0])
        if unfinished or is_a(error, NotImplementedError):
            return self._blank()
        words = f"your function raises {describe_error(error, function)}"
        return self._wrong(self._sentence(case, words))


class ValueCheck(Comparison):
    """Check a number, an array or a truth value that the student gives.

    Parameters
    ----------
    name, task, correct, tolerance, axes
        As for `FunctionCheck`.
    expected : value or callable
        The right answer, or a function without parameters that computes it when it is needed.
    mistakes : sequence of Mistake
        The usual wrong answers, each as a value or a function without parameters.
    properties : sequence of Property, optional
        What to look at when no known mistake fits.
    """

    _subject = "your answer is"

    def __init__(
        self, name, *, task, expected, correct, mistakes, properties=(), tolerance=1e-5, axes=None
    ):
        super().__init__(
            name,
            task=task,
            correct=correct,
            mistakes=mistakes,
            properties=properties,
            tolerance=tolerance,
            axes=axes,
        )
        self.expected = expected

    def _sentence(self, case, words):
        return words[:1].upper() + words[1:]

    def _distance(self, value, target):
        # How far off it is would give the answer away.
        return ""

    def _check(self, answer):
        expected = self.expected() if callable(self.expected) else self.expected
        kind = _answers.kind_of(expected)
        try:
            found = _answers.read(answer, kind)
        except Unreadable as words:
            return self._wrong(f"{self._subject} {words}.")
        return self._judge([found], [_answers.read(expected, kind)], [Case()])


def _brief(value):
    shape = np.shape(value)
    return f"of shape {shape}" if shape else f"{value}"


def _count(names):
    listed = ", ".join(f"`{name}`" for name in names)
    if not names:
        return "none"
    return f"{len(names)} parameter{'s' * (len(names) > 1)}, {listed}"
