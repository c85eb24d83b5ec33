"""Call a student's function, whatever it does."""

import ctypes
import random
import threading
import time
import warnings
from contextlib import suppress

import numpy as np

SECONDS = 20
"""How long an answer may compute, in all cases together; it may wait three times as long."""


class Endless(BaseException):
    """An answer took too long; no ``except Exception`` of its own catches it."""


def guarded(function, *arguments):
    """Call a function; return its result and None, or None and what it raised.

    Warnings are not shown, and random states and NumPy's handling of errors stay as they were.
    Only the student's own interruption of the kernel passes through.
    """
    states = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
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
    computed, begun = time.process_time(), time.monotonic()

    def watch():
        while not over.wait(0.02):  # again and again, since the answer may have caught it
            if time.process_time() > computed + SECONDS or time.monotonic() > begun + 3 * SECONDS:
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
