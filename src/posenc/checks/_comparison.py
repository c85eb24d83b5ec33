"""Compare an answer with the right one, and find the words for what is wrong in it."""

import copy
from dataclasses import dataclass

import numpy as np

from . import _answers
from ._answers import is_blank
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


class Comparison(Check):
    """A check that compares arrays with the reference's and with those of known mistakes."""

    nan_hint = (
        "Look for a division by zero, a root or logarithm of something negative, or a power that "
        "grows too large."
    )

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
        if expected.dtype.kind == "b":
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
        numeric = expected[first].dtype.kind != "b"
        for where in (every, wrong) if numeric else (every,):
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
        # Of a single number, a pattern would give the answer away.
        if numeric and (len(cases) > 1 or expected[first].ndim):
            for words, fits in _PATTERNS:
                if all(fits(found[i], expected[i], self.agree) for i in wrong):
                    return self._wrong(but + words)
        # Rounded numbers break every property; it is the rounding that should be told.
        close = all(self._is_close(found[i], expected[i]) for i in wrong)
        for broken in () if close else self.properties:
            for i in wrong:
                if not broken.holds(found[i], *cases[i].arguments):
                    return self._wrong(but + broken.message)
        words = self._general(found[first], expected[first], cases[first], close)
        return self._wrong(also + words)

    def _fits(self, mistake, found, expected, cases, where):
        return all(
            self.agree(found[i], self._known(mistake.answer, cases[i], expected[i])) for i in where
        )

    def _is_constant(self, arrays):
        # Answers that are all NaN say nothing of the parameters.
        if len(arrays) < 2 or np.isnan(arrays[0]).any():
            return False
        return all(self.agree(array, arrays[0]) for array in arrays[1:])

    def _is_close(self, found, expected):
        # Without a tolerance the answer is a count, and no count is nearly right.
        if not self.tolerance or expected.dtype.kind == "b":
            return False
        largest = np.max(np.abs(expected), initial=0, where=np.isfinite(expected))
        return bool(np.allclose(found, expected, rtol=0, atol=0.01 * largest))

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
        if expected.dtype.kind == "b":
            return ""
        spots = np.argwhere(~np.isfinite(found) & np.isfinite(expected))
        if not len(spots):
            return ""
        value = "NaN (not a number)" if np.isnan(found[tuple(spots[0])]) else "an infinite number"
        where = self._position(spots[0])
        return self._sentence(case, f"{self._subject} {value}{where}. {self.nan_hint}")

    def _general(self, found, expected, case, close):
        numeric = expected.dtype.kind != "b"
        different = found != expected
        if numeric:
            different = ~np.isclose(found, expected, rtol=self.tolerance, atol=self.tolerance)
        index = tuple(np.argwhere(different)[0])
        value, target = found[index], expected[index]
        shown = f"{value:.4g}" if numeric else f"`{value}`"
        if numeric and np.isfinite(target):
            verdict = f": too {'large' if value > target else 'small'}"
            verdict += self._distance(value, target)
        else:
            verdict = ", and that is not right"
        words = f"{self._subject} {shown}{self._position(index)}{verdict}."
        if expected.ndim:
            words += f" {different.sum()} of {different.size} entries differ; this is the first."
        if close or self._is_close(value, target):
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
