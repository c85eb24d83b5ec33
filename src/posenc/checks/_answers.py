"""Call a student's function and read what it returns, whatever it does."""

import ctypes
import pickle
import random
import reprlib
import threading
import time
import warnings

import numpy as np

SECONDS = 10
"""How long one call of a student's function may compute; it may wait six times as long."""


class Endless(BaseException):
    """A call took too long; no ``except Exception`` of the answer catches it."""


class Unreadable(Exception):
    """What was returned is not of the wanted kind; the text says what it is instead."""


def guarded(function, *arguments):
    """Call a function; return its result and None, or None and what it raised.

    Another thread raises `Endless` in this one when the time is over. Unlike a signal that
    works on every system and in every thread, and unlike a tracer it costs nothing while the
    function runs. Only the student's own interruption of the kernel passes through.
    """
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    call = _Call()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                _watch(call)
                return function(*arguments), None
            finally:
                _end(call)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, error
    finally:
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])


class _Call:
    """A call that runs: in which thread, and since when."""

    def __init__(self):
        self.thread = ctypes.c_ulong(threading.get_ident())
        self.computed, self.begun = time.process_time(), time.monotonic()

    def is_late(self):
        """Tell whether the call has taken too long."""
        computed, begun = time.process_time() - self.computed, time.monotonic() - self.begun
        return computed > SECONDS or begun > 6 * SECONDS


class _Watcher(threading.Thread):
    """One thread for all calls, since to start one takes longer than most answers do."""

    def __init__(self):
        super().__init__(daemon=True)
        self.rounds, self.asked = 0, threading.Event()

    def run(self):
        """Look at the running calls ten times a second, and oftener once one is late."""
        while True:
            late = [call for call in list(_running) if call.is_late()]
            for call in _running.intersection(late):  # not one that has ended meanwhile
                raised = ctypes.py_object(Endless)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(call.thread, raised)
            self.rounds += 1
            self.asked.wait(0.01 if late else 0.1)  # again, if the answer has caught it
            self.asked.clear()


_running = set()
_watcher = None


def _watch(call):
    """Have a call watched."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = _Watcher()
        _watcher.start()
    _running.add(call)


def _end(call):
    """Stop watching, and let what was raised at the last moment come here and no further.

    It can have been raised only if the call is late now. To take it back instead (with NULL)
    leaves Python 3.11 looking for it from then on.
    """
    while True:
        try:
            _running.discard(call)
            if call.is_late():
                rounds = _watcher.rounds
                while _watcher.rounds < rounds + 2:
                    _watcher.asked.set()
                    time.sleep(0.001)
            return
        except Endless:
            continue


def changed(before, after):
    """Return the places of the arrays and lists that are not what they were."""
    pairs = [
        (i, *pair) for i, pair in enumerate(zip(before, after)) if is_a(pair[0], np.ndarray, list)
    ]
    return [i for i, old, new in pairs if guarded(pickle.dumps, new)[0] != pickle.dumps(old)]


def is_a(answer, *classes):
    """Tell whether an answer is of one of some classes, by its type and not by what it claims."""
    return issubclass(type(answer), classes)


def is_blank(answer):
    """Tell whether an answer is a starter's: None, ``...``, empty text, or a list with ``...``."""
    if type(answer) in (list, tuple):
        return any(item is ... for item in answer)
    return answer is None or answer is ... or (type(answer) is str and not answer.strip())


def read(result, truth=False):
    """Return an answer as an array of numbers, or of truth values, or raise `Unreadable`."""
    kind, array = type(result).__name__, None
    if is_a(result, np.ma.MaskedArray):
        result = result.astype(float).filled(np.nan)  # NumPy would show what the mask hides
    try:
        array = np.array(result)
        return _converted(array, truth)
    except Exception as error:
        if array is None and is_a(error, ValueError) and is_a(result, list, tuple):
            raise Unreadable("a list whose rows have different lengths") from None
    words = f"a value of type `{kind}`"
    if is_a(result, str):
        words = f"the text {reprlib.repr(' '.join(str.__str__(result).split()))}"
    elif array is not None and is_a(result, list, tuple, np.ndarray) and array.ndim:
        words = f"`{kind}` holding values of type `{array.dtype.type.__name__.strip('_')}`"
    raise Unreadable(f"{words}, where {'`True` or `False`' if truth else 'numbers'} should be")


def _converted(array, truth):
    kind = array.dtype.kind
    if truth and kind in "biu" and np.isin(array, [0, 1]).all():
        return array.astype(bool)
    # Exact fractions, decimals and SymPy's numbers come as objects and are numbers all the same;
    # NumPy would read None as NaN.
    is_number = kind in "biuf" or (kind == "O" and not any(item is None for item in array.flat))
    if is_number and not truth:
        return array.astype(float)
    raise TypeError
