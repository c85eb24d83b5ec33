"""What is wrong with an answer, said in a fixed order."""

import copy
from functools import partial

import numpy as np

from ._answers import Unreadable, changed, guarded, is_a, is_blank
from ._source import about_code, about_error, about_no_return, about_parameters

_BLANK = "blank", "Replace the `...` and run the cell again."
_NONE = "blank", "It is `None`: `print` shows a value but returns nothing. Give the value itself."


class Diagnosis:
    """One answer to one exercise, a function or a value, tried in every case."""

    def __init__(self, exercise, answer):
        self.exercise, self.answer, self.cases = exercise, answer, exercise.tried
        self.is_ = "it returns" if exercise.cases else "your answer is"
        self.found = []  # for each case a tuple of arrays
        self.right = []  # and whether it is right

    def verdict(self):
        """Return the status of the answer and the words for it."""
        said = next(filter(None, self._verdicts()))
        return said if type(said) is tuple else ("wrong", said[0].upper() + said[1:])

    def _verdicts(self):
        """Yield what may be said, in order; the first that is not empty is told."""
        exercise, answer = self.exercise, self.answer
        if is_blank(answer):
            yield _NONE if answer is None else _BLANK
        if exercise.cases:
            yield about_parameters(answer, exercise.name, exercise.parameters)
        spoiled, raised = [], None
        for i, case in enumerate(self.cases):
            arguments = copy.deepcopy(case.arguments)
            result, error = guarded(self._attempt, arguments, exercise.targets[i])
            if error and not is_a(error, Unreadable):
                raised = about_error(error, answer)
                break  # and tell first what is wrong in the cases before
            self.found.append(error or result)
            spoiled += changed(case.arguments, arguments)
        yield from self._about_nothing(raised is None)
        for i, result in enumerate(self.found):
            if is_a(result, Unreadable):
                yield self._at(i, f"{self.is_} {result}.")
        defects = [self._defect(i) for i in range(len(self.found))]
        self.right = [defect is None for defect in defects]
        wrong = [i for i, defect in enumerate(defects) if defect]
        if wrong:
            yield about_code(answer, exercise)
            yield self._known_mistake(wrong[0])
        elif raised is not None:
            i = len(self.found)
            yield self._at(i, raised, self.cases[i].hint) if raised else _BLANK
        for i in spoiled:
            yield (
                f"It changes its input `{exercise.parameters[i]}`, which the caller may still "
                "need. Make a new array and leave the old one as it is."
            )
        if not wrong:
            yield "passed", exercise.correct
        first = min(wrong, key=lambda i: defects[i][0])
        rank, words = defects[first]
        if rank == 2:
            yield self._slip(wrong)
        yield self._at(first, words or self._difference(first), self.cases[first].hint)

    def _attempt(self, arguments, target):
        result = self.answer
        if self.exercise.cases:
            result = self.exercise.call(result, *arguments)
            if type(result) is tuple and all(part is None for part in result):
                return None  # of several calls in one, each has returned nothing
        return result if is_blank(result) else self.exercise.read(result, target)

    def _at(self, i, words, hint=""):
        """Say where the answer is right, where not, and what is wrong there."""
        goes_on = words.startswith("it ")  # or else it is a whole sentence
        label = self.exercise.words(self.cases[i])
        if label and True in self.right:
            right = self.exercise.words(self.cases[self.right.index(True)])
            words = f"right for {right}, but not for {label}{': ' if goes_on else '. '}{words}"
        elif label and goes_on:
            words = f"for {label}, {words}"
        return f"{words} {hint}".strip()

    def _about_nothing(self, complete):
        """Sort out who returns nothing yet, nothing by mistake, and nothing rightly."""
        nothing = [i for i, result in enumerate(self.found) if is_blank(result)]
        if complete and len(nothing) == len(self.found):
            only_none = all(result is None for result in self.found)
            yield about_no_return(self.answer) if only_none else ""
            yield _BLANK
        for i in nothing:
            if self.found[i] is not None or not any(x is None for x in self.exercise.targets):
                words = "it returns nothing. Does every way through it `return`?"
                yield self._at(i, words, self.cases[i].hint)
            self.found[i] = self.exercise.read(None, None)

    def _defect(self, i):
        """Return how soon and what is told of a case, or None if it is right.

        First a wrong shape (0), then NaN (1), then the rest (2), for which `_difference` may find
        the words.
        """
        exercise, found, expected = self.exercise, self.found[i], self.exercise.expected[i]
        if exercise.judge is None and exercise.agree(found, expected):
            return None
        shapes = found[0].shape, expected[0].shape
        if len(found) == 1 and shapes[0] != shapes[1] and (0, 0) not in shapes:
            more = " Rows and columns are exchanged." * (shapes[0] == shapes[1][::-1])
            if len(shapes[1]) == 2 and shapes[0] == (2 * shapes[1][0], shapes[1][1] / 2):
                more = " Two halves stand below each other: `np.hstack` sets them side by side."
            return 0, self._instead(i) + more
        for part in found:
            if np.isnan(part).any():
                place = _place(np.argwhere(np.isnan(part))[0])
                return 1, f"{self.is_} NaN (not a number){place}. {exercise.nan_hint}".strip()
        words = self._asked(exercise.judge, i) if exercise.judge else ""
        return None if exercise.judge and not words else (2, words)

    def _asked(self, judge, i):
        found = self.found[i] if len(self.found[i]) > 1 else self.found[i][0]
        words, error = guarded(judge, found, *copy.deepcopy(self.cases[i].arguments))
        return f"{self.is_} what cannot be judged." if error else words

    def _instead(self, i):
        """Say what should be in place of what is found, by the numbers if they are few."""
        both = [self.found[i][0], self.exercise.expected[i][0]]
        few = self.exercise.cases and all(map(_shown, both))
        found, expected = map(_shown if few else _size, both)
        return f"{self.is_} {found}, where {expected} should be."

    def _difference(self, i):
        """Return the words for numbers that differ."""
        exercise, found, expected = self.exercise, self.found[i][0], self.exercise.expected[i][0]
        words = self._asked(exercise.explain, i) if exercise.explain else ""
        if words:
            return words
        if not exercise.cases:
            return f"{self.is_} {_shown(found)}: too {'large' if found > expected else 'small'}."
        if found.shape != expected.shape or _shown(found):
            return self._instead(i)
        close = np.isclose(found, expected, rtol=exercise.tolerance, atol=exercise.tolerance)
        place = tuple(np.argwhere(~close)[0])
        return (
            f"{self.is_} {_shown(found[place])}{_place(place)}, where {_shown(expected[place])} "
            f"should be; {(~close).sum()} of {close.size} numbers differ."
        )

    def _known_mistake(self, first):
        """Return the words of a known mistake that explains every case."""
        exercise = self.exercise

        def explains(mistake):
            tried = zip(self.cases, exercise.targets, self.found)
            return all(
                exercise.agree(
                    found,
                    exercise.read(exercise.result(mistake, copy.deepcopy(case.arguments)), target),
                )
                for case, target, found in tried
            )

        fitting = (words for words, x in exercise.mistakes.items() if guarded(explains, x)[0])
        return next((self._at(first, words) for words in fitting), "")

    def _slip(self, wrong):
        """Say that all results are the same, or the right ones cut off or rounded."""
        exercise, first = self.exercise, self.found[0]
        same = all(exercise.agree(found, first) for found in self.found)
        if same and 1 < len(self.found) == len(self.cases):
            what = _shown(first[0]) or "the same numbers"
            return (
                f"It returns {what} whatever it is called with. Does it use its parameters, or do "
                "they cancel?"
            )
        slips = {"The decimals are cut off: is the array that it fills one of integers?": np.trunc}
        for n in range(5):
            words = f"It is rounded to {n} decimals. Keep all digits."
            slips[words] = partial(np.round, decimals=n)
        expected = [exercise.expected[i][0].astype(float) for i in wrong]
        for words, slip in slips.items() if exercise.cases and not exercise.judge else ():
            if all(exercise.agree(self.found[i], (slip(x),)) for i, x in zip(wrong, expected)):
                return self._at(wrong[0], words)
        return ""


def _shown(array):
    """Return a short array as text; of a long one, nothing."""
    if not array.size or array.ndim > 1 or array.size > 6:
        return "`None`" if array.shape == (0, 0) else ""
    numbers = [f"`{x}`" if array.dtype == bool else f"{x:.6g}" for x in array.flat]
    return f"({', '.join(numbers)})" if array.ndim else numbers[0]


def _size(array):
    if array.shape == (0, 0):
        return "`None`"
    return f"an array of shape {array.shape}" if array.ndim else "a single number"


def _place(index):
    names = ["row", "column"] if len(index) == 2 else ["entry"] * len(index)
    return " at " + ", ".join(f"{name} {i}" for name, i in zip(names, index)) if len(index) else ""
