"""Read what a student gives: nothing yet, numbers, truth values, or something else."""

import reprlib

import numpy as np


class Unreadable(Exception):
    """A result that cannot be compared; the text says what "it returns" instead."""


def is_blank(answer):
    """Tell whether an answer is a starter's: None, ``...``, empty text, or a list with ``...``."""
    if type(answer) in (list, tuple):
        return any(item is ... for item in answer)
    return answer is None or answer is ... or (type(answer) is str and not answer.strip())


def read(answer, like):
    """Return an answer as an array of numbers, or of truth values as `like` is; None stays.

    A single number may have any shape. What is of another kind raises `Unreadable`.
    """
    if answer is None:
        return None
    truth, array = np.asarray(like).dtype == bool, None
    words = f"a value of type `{type(answer).__name__}`"
    try:
        array = np.ma.filled(answer, np.nan)  # NumPy itself would show what a mask hides
        if truth and not np.isin(array, [0, 1]).all():
            raise TypeError
        if array.dtype.kind in ("biu" if truth else "biufO"):  # O holds fractions, for one
            array = array.astype(bool if truth else float)
            return array.reshape(np.shape(like)) if array.size == np.size(like) == 1 else array
    except Exception:
        if array is None and isinstance(answer, (list, tuple)):
            words = "a list whose rows have different lengths"
    if isinstance(answer, str):
        words = f"the text {reprlib.repr(' '.join(answer.split()))}"
    elif array is not None and array.ndim:
        kind = array.dtype.type.__name__.strip("_")
        words = f"`{type(answer).__name__}` holding values of type `{kind}`"
    raise Unreadable(f"{words}, where {'`True` or `False`' if truth else 'numbers'} should be.")
