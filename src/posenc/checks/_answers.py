"""What a student gives: call it, whatever it does, and read what it returns."""

import ctypes
import random
import reprlib
import threading
import warnings
from contextlib import suppress

import numpy as np

SECONDS = 60  # that an answer may take in all cases together


class Endless(BaseException):
    """An answer took too long; no ``except Exception`` of its own catches it."""


class Unreadable(Exception):
    """A result that cannot be compared; the text says what "it returns" instead."""


def guarded(function, *arguments):
    """Call a function; return its result and None, or None and what it raised.

    Warnings are not shown, and random states and NumPy's handling of errors stay as they were.
    Only the student's own interruption of the kernel passes through.
    """
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
            return function(*arguments), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, error
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])


def in_time(function):
    """Call a function, and raise `Endless` in it when its time is over.

    Another thread does that: unlike a signal it works on every system, and unlike a tracer it
    costs nothing. A loop within compiled code, as in ``sum(itertools.count())``, cannot be ended
    from Python, neither so nor by a notebook's stop button: there the kernel must be restarted.
    """
    thread, over = ctypes.c_ulong(threading.get_ident()), threading.Event()

    def watch():
        over.wait(SECONDS)
        while not over.wait(0.02):  # again and again, since the answer may have caught it
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(Endless))

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        with suppress(RuntimeError):  # where no thread can start, as in a browser, nobody watches
            watcher.start()
        return function()
    finally:
        while True:
            try:
                over.set()
                if watcher.ident:
                    watcher.join()
                break
            except Endless:  # what is raised at the last moment comes here and no further
                continue


def is_blank(answer):
    """Tell whether an answer is a starter's: None, ``...``, empty text, or a list with ``...``."""
    if type(answer) in (list, tuple):
        return any(item is ... for item in answer)
    return answer is None or answer is ... or (type(answer) is str and not answer.strip())


def read(answer, like):
    """Return an answer as an array of numbers, or of truth values as `like` is; None stays.

    A single number may have any shape, where one is wanted. All else raises `Unreadable`.
    """
    if answer is None:
        return None
    truth = np.asarray(like).dtype == bool
    masked = np.ma.is_masked(answer)
    words = f"a value of type `{type(answer).__name__}`"
    if isinstance(answer, str):
        words = f"the text {reprlib.repr(' '.join(answer.split()))}"
    elif masked:
        words = "an array with masked items"
    elif isinstance(answer, (list, tuple, np.ndarray)):
        words = f"`{type(answer).__name__}` with items that are no real numbers, or uneven rows"
    with suppress(Exception):
        array = np.asarray(answer)
        known = array.dtype.kind in ("biu" if truth else "biufO")  # O holds fractions, for one,
        known &= array.dtype.kind != "O" or None not in array.ravel().tolist()  # or None
        if known and not masked and (not truth or np.isin(array, [0, 1]).all()):
            array = array.astype(bool if truth else float)
            return array.reshape(()) if array.size == 1 and np.ndim(like) == 0 else array
    wanted = "`True` or `False`" if truth else "`None`" if like is None else "numbers"
    raise Unreadable(f"{words}, where {wanted} should be.")
