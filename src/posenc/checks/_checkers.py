"""The three kinds of checker: of a function, of a value, of a choice."""

import copy
import re
from dataclasses import dataclass

import numpy as np

from . import _answers
from ._answers import Unreadable, describe_error, guarded, is_a, is_blank
from ._feedback import Feedback


@dataclass(frozen=True)
class Mistake:
    """A known mistake: what to tell the student, and what somebody who makes it would answer.

    Parameters
    ----------
    message : str
        Whole sentences that say what is wrong and where to look, not what is right.
    answer : callable or value
        For a `FunctionCheck`, a function with the parameters of the reference. For a
        `ValueCheck`, the wrong value, or a function without parameters that computes it.
    """

    message: str
    answer: object


@dataclass(frozen=True)
class Property:
    """Something that every right answer has, told when no known mistake fits.

    Parameters
    ----------
    message : str
        A whole sentence that names the property.
    holds : callable
        Takes the answer, as an array of the right shape without NaN, and then the arguments of
        the case; returns whether the property holds.
    """

    message: str
    holds: object


class Case:
    """Arguments with which a student's function is called, and words for them.

    Parameters
    ----------
    *arguments
        Positional arguments. Each call gets its own copy.
    label : str, optional
        How a message calls this case: "offset 3" in "Right for offset 0, but not for offset 3."
    """

    def __init__(self, *arguments, label=None):
        self.arguments = arguments
        self.label = label


class Check:
    """What all checkers share: a name, a docstring, a sentence for those who are right."""

    def __init__(self, name, *, task, correct, parameters=None):
        self.name = self.__name__ = name
        self.task = task
        self.correct = correct
        call = f"{name}({', '.join(parameters)})" if parameters is not None else name
        self.__doc__ = (
            f"Check the exercise `{call}`: {task}.\n\n"
            "Parameters\n----------\nanswer\n    What the student gives, whatever it is.\n\n"
            "Returns\n-------\nFeedback\n    True exactly when the answer is right; it is shown "
            "with words that help."
        )

    def __repr__(self):
        return f"<checker of the exercise {self.name}>"

    def __call__(self, answer):
        with _answers.undisturbed():
            if is_blank(answer):
                return self._blank()
            return self._check(answer)

    def _blank(self, words="Replace the `...` by your own work and run the cell again."):
        return Feedback(self.name, "blank", f"{words} Wanted: {self.task}.")

    def _wrong(self, message):
        return Feedback(self.name, "wrong", message[:1].upper() + message[1:])

    def _passed(self):
        return Feedback(self.name, "passed", self.correct)


class _Comparison(Check):
    """A check that compares arrays with the reference's and with those of known mistakes."""

    def __init__(self, name, *, mistakes, properties, tolerance, axes, **rest):
        super().__init__(name, **rest)
        self.mistakes = tuple(mistakes)
        self.properties = tuple(properties)
        self.tolerance = tolerance
        self.axes = axes

    def agree(self, found, expected):
        """Tell whether two arrays have one shape and equal entries, up to the tolerance."""
        if found.shape != expected.shape:
            return False
        if expected.dtype.kind in "bU":
            return bool(np.all(found == expected))
        return bool(
            np.allclose(found, expected, rtol=self.tolerance, atol=self.tolerance, equal_nan=True)
        )

    def _judge(self, found, expected, cases):
        right = [self.agree(*pair) for pair in zip(found, expected)]
        if all(right):
            return self._passed()
        wrong = [i for i, is_right in enumerate(right) if not is_right]
        first = wrong[0]
        but = also = ""
        if any(right):
            also = f"Right for {self._words(cases[right.index(True)])}"
            but = f"{also}, but not for {self._words(cases[first])}. "
            also += ". "
        # A mistake that explains every case comes before one that explains the wrong ones alone.
        # Of two truth values, every wrong one is the other: it explains nothing.
        every = range(len(cases))
        for where in (every, wrong) if expected[first].dtype.kind != "b" else (every,):
            for mistake in self.mistakes:
                if self._fits(mistake, found, expected, cases, where):
                    return self._wrong(but + mistake.message)
        if self._is_constant(found) and not self._is_constant(expected):
            return self._wrong(
                f"{but}It returns the same whatever it is called with: does it use its "
                "parameters, or numbers that were computed before?"
            )
        for describe in (self._about_shape, self._about_nan):
            for i in wrong:
                words = describe(found[i], expected[i], cases[i])
                if words:
                    return self._wrong(also + words)
        if expected[first].dtype.kind not in "bU":
            for words, fits in _PATTERNS:
                if all(fits(found[i], expected[i], self.agree) for i in wrong):
                    return self._wrong(but + words)
        for broken in self.properties:
            for i in wrong:
                if not broken.holds(found[i], *cases[i].arguments):
                    return self._wrong(but + broken.message)
        return self._wrong(also + self._general(found[first], expected[first], cases[first]))

    def _fits(self, mistake, found, expected, cases, where):
        return all(
            self.agree(found[i], self._known(mistake.answer, cases[i], expected[i])) for i in where
        )

    def _is_constant(self, arrays):
        return len(arrays) > 1 and all(self.agree(array, arrays[0]) for array in arrays[1:])

    def _known(self, answer, case, expected):
        answer = answer(*copy.deepcopy(case.arguments)) if callable(answer) else answer
        return _answers.read(answer, _answers.kind_of(expected))

    def _about_shape(self, found, expected, case):
        if found.shape == expected.shape:
            return ""
        hint = ""
        if expected.ndim == 2 and found.shape == expected.shape[::-1]:
            hint = " Rows and columns are exchanged."
        elif found.size == expected.size:
            hint = " There are as many numbers as there should be, but arranged otherwise."
        return self._sentence(
            case,
            f"{self._subject} {_shape_words(found.shape)}, where "
            f"{_shape_words(expected.shape)} should be.{hint}",
        )

    def _about_nan(self, found, expected, case):
        if expected.dtype.kind in "bU":
            return ""
        spots = np.argwhere(~np.isfinite(found) & np.isfinite(expected))
        if not len(spots):
            return ""
        value = "NaN (not a number)" if np.isnan(found[tuple(spots[0])]) else "an infinite number"
        where = self._position(spots[0])
        return self._sentence(
            case,
            f"{self._subject} {value}{where}. Look for a division by zero, a root or logarithm "
            "of something negative, or a power that grows too large.",
        )

    def _general(self, found, expected, case):
        numeric = expected.dtype.kind not in "bU"
        different = found != expected
        if numeric:
            different = ~np.isclose(found, expected, rtol=self.tolerance, atol=self.tolerance)
        index = tuple(np.argwhere(different)[0])
        value, target = found[index], expected[index]
        shown = f"{value:.4g}" if numeric else f"`{value}`"
        if expected.dtype.kind == "f" and np.isfinite(target):
            verdict = f": too {'large' if value > target else 'small'}"
            verdict += self._distance(value, target)
        else:
            verdict = ", and that is not right"
        words = f"{self._subject} {shown}{self._position(index)}{verdict}."
        if expected.ndim:
            words += f" {different.sum()} of {different.size} entries differ; this is the first."
        if numeric and abs(value - target) <= 0.01 * abs(target):
            words += " It is close: look for a rounded constant or an approximation."
        return self._sentence(case, words)

    def _distance(self, value, target):
        if target > 0 and not 0.67 < value / target < 1.5 and value > 0:
            return f", {value / target:.3g} times what it should be"
        return f" by {abs(value - target):.3g}"

    def _position(self, index):
        if not len(index):
            return ""
        names = self.axes or {1: ("entry",), 2: ("row", "column")}.get(len(index))
        if names is None or len(names) != len(index):
            return f" at index {tuple(map(int, index))}"
        return " at " + ", ".join(f"{name} {i}" for name, i in zip(names, index))


class FunctionCheck(_Comparison):
    """Check a function that the student writes.

    The function is called with every case and compared with the reference. The first of these
    that applies is told: not attempted; takes other parameters; raises; changes its input;
    returns something unreadable; a known mistake; the same for every input; a wrong shape;
    NaN; a general pattern (sign, factor, order); a property that does not hold; the first
    difference.

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
        Largest relative or absolute error. The default, 1e-5, lets float32 pass for positions
        up to about 100.
    axes : sequence of str, optional
        What to call the axes of the result: ("position", "column").
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
            given = _answers.parameter_names(function)
            return self._wrong(
                f"The function should take {_count(self.parameters)}, in this order; yours "
                f"takes {_count(given)}."
            )
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


class ValueCheck(_Comparison):
    """Check a number, an array, a truth value or a text that the student gives.

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


class ChoiceCheck(Check):
    """Check a choice among lettered statements, one or several.

    Parameters
    ----------
    name, task, correct
        As for `FunctionCheck`.
    options : dict from letter to str
        For a wrong statement, what to tell those who choose it; for a right one, what to tell
        those who leave it out (with one right statement this is never told).
    right : str
        The letter or letters that are right: "b" or "ac".
    """

    def __init__(self, name, *, task, options, right, correct):
        super().__init__(name, task=task, correct=correct)
        self.options = options
        self.right = set(right)

    def _check(self, answer):
        letters = ", ".join(f'`"{letter}"`' for letter in self.options)
        several = len(self.right) > 1
        how = "one or more" if several else "one"
        chosen = self._letters(answer)
        if not chosen or not chosen <= set(self.options):
            return self._wrong(f"Answer with {how} of the letters {letters}, as text.")
        if not several and len(chosen) > 1:
            return self._wrong(f"Only one statement is right: choose one of {letters}.")
        for letter in sorted(chosen - self.right):
            return self._wrong(self.options[letter])
        for letter in sorted(self.right - chosen):
            return self._wrong(self.options[letter])
        return self._passed()

    def _letters(self, answer):
        if is_a(answer, list, tuple, set, frozenset):
            parts, _ = guarded(list, answer)
            answer = " ".join(part for part in parts or () if is_a(part, str))
        if not is_a(answer, str):
            return set()
        return set(re.findall(r"\w", answer.lower()))


def _is_zero(found, expected, agree):
    return expected.any() and not found.any()


def _is_negated(found, expected, agree):
    return agree(found, -expected)


def _is_transposed(found, expected, agree):
    return expected.ndim == 2 and agree(found, expected.T)


def _is_reversed(found, expected, agree):
    return expected.ndim > 0 and agree(found, expected[::-1])


def _is_multiple(found, expected, agree):
    # Two numbers at least: a single one is a multiple of every other.
    scale = np.vdot(expected, expected)
    return expected.size > 1 and agree(found, np.vdot(expected, found) / scale * expected)


def _is_offset(found, expected, agree):
    difference = found - expected
    return expected.size > 1 and agree(difference, np.full_like(difference, difference.flat[0]))


def _is_reordered(found, expected, agree):
    return agree(np.sort(found, axis=None), np.sort(expected, axis=None))


# What an unforeseen wrong answer of the right shape may still have in common with the right one.
_PATTERNS = [
    ("There are only zeros: is the result ever filled in?", _is_zero),
    ("Every sign is the opposite of what it should be.", _is_negated),
    ("Rows and columns are exchanged.", _is_transposed),
    ("The order is reversed.", _is_reversed),
    ("All numbers are too large, or too small, by one and the same factor.", _is_multiple),
    ("All numbers are off by one and the same amount.", _is_offset),
    ("The numbers are right, but they stand in another order.", _is_reordered),
]


def _shape_words(shape):
    return f"an array of shape {tuple(shape)}" if shape else "a single number"


def _brief(value):
    shape = np.shape(value)
    return f"of shape {shape}" if shape else f"{value}"


def _count(names):
    listed = ", ".join(f"`{name}`" for name in names)
    if not names:
        return "none"
    return f"{len(names)} parameter{'s' * (len(names) > 1)}, {listed}"
