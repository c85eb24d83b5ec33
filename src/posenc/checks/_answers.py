"""Call a student's function and read what it returns, whatever it does."""

import copy
import inspect
import linecache
import random
import re
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


class Unreadable(Exception):
    """What was returned is not of the wanted kind; the text says what it is instead."""


@contextmanager
def undisturbed():
    """Keep warnings quiet and random states as they were, whatever is run inside."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


def is_blank(answer):
    """Tell whether an answer is a starter's: None, ``...``, empty text, or a list with ``...``."""
    if type(answer) in (list, tuple):
        return any(item is ... for item in answer)
    if type(answer) is str:
        return not answer.strip()
    return answer is None or answer is ... or answer is NotImplemented


def is_a(answer, *classes):
    """Tell whether an answer is of one of some classes, by its type and not by what it claims."""
    return issubclass(type(answer), classes)


def guarded(function, *arguments):
    """Call a function; return its result and None, or None and what it raised.

    Only the student's own interruption of the kernel passes through.
    """
    try:
        return function(*arguments), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, error


def call_on_copy(function, arguments):
    """Call a function on copies of arguments.

    Returns
    -------
    result, error, changed
        What it returned, what it raised or None, and the indices of the arguments it changed.
    """
    copies = copy.deepcopy(arguments)
    result, error = guarded(function, *copies)
    changed = [i for i, pair in enumerate(zip(arguments, copies)) if not _same(*pair)]
    return result, error, changed


def _same(before, after):
    if type(before) is not type(after):
        return False
    if isinstance(before, np.ndarray):
        return (before.shape, before.dtype, before.tobytes()) == (
            (after.shape, after.dtype, after.tobytes())
        )
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_same, before, after))
    return repr(before) == repr(after)


def parameter_names(function):
    """Names of the parameters that a function takes by position."""
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind in by_position]


def named_only(function):
    """Names of the parameters that must be given and can only be given by name."""
    return [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
    ]


def accepts(function, count):
    """Tell whether a function can be called with this many positional arguments."""
    signature, error = guarded(inspect.signature, function)
    return bool(error) or guarded(signature.bind, *range(count))[1] is None


def describe_error(error, function):
    """Put an exception into words, with the line of the student's code but without paths."""
    if isinstance(error, RecursionError):
        quote = "`RecursionError`: it calls itself without end"
    elif isinstance(error, SystemExit):
        quote = "`SystemExit`: it tries to end Python. Use `return` to leave a function"
    else:
        text = guarded(str, error)[0] or ""
        text = re.sub(r"(?:[A-Za-z]:)?[\\/](?:[^\s'\"\\/]+[\\/])+", "", text)
        text = re.sub(r"0x[0-9a-fA-F]+", "0x…", text).replace("`", "'")
        first_line = shorten(text.strip().partition("\n")[0])
        quote = f"`{type(error).__name__}{': ' * bool(first_line)}{first_line}`"
    line = _line_raised(error, function)
    return f"{quote}, at the line `{line}`." if line else f"{quote}."


def _line_raised(error, function):
    code, _ = guarded(getattr, function, "__code__", None)
    line = ""
    frame = error.__traceback__
    while frame is not None and is_a(code, types.CodeType):
        if frame.tb_frame.f_code.co_filename == code.co_filename:
            line = linecache.getline(code.co_filename, frame.tb_lineno).strip()
        frame = frame.tb_next
    return shorten(line.replace("`", "'"))


def shorten(text, limit=120):
    """Cut a text that is too long to be read in a message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def kind_of(expected):
    """Kind of answer that a reference calls for: numbers or truth values."""
    return "truth" if np.asarray(expected).dtype.kind == "b" else "numbers"


def read(result, kind):
    """Return an answer as an array of the wanted kind, or raise `Unreadable` with words for it."""
    if is_a(result, types.CoroutineType):
        result.close()
        raise Unreadable("a coroutine. Define the function with `def`, without `async`")
    if is_a(result, Iterator):
        raise Unreadable("a generator or other iterator. Collect its values in a list or an array")
    if is_a(result, types.FunctionType, types.MethodType, types.BuiltinFunctionType):
        raise Unreadable("a function. Call it, and give what it returns")
    array, error = guarded(np.array, result)
    if isinstance(error, ValueError) and is_a(result, list, tuple):
        raise Unreadable("a list whose rows have different lengths")
    wanted = "`True` or `False`" if kind == "truth" else "numbers"
    if error is None:
        converted, error = guarded(_convert, array, kind)
    if error is not None:
        raise Unreadable(f"{_words_for(result, array)}, where {wanted} should be")
    return converted


def _convert(array, kind):
    found = array.dtype.kind
    if kind == "truth" and found == "b":
        return array
    # Exact fractions, decimals and SymPy's numbers come as objects and are numbers all the same;
    # NumPy would read None as NaN.
    if kind == "numbers" and found in "biufO":
        if found == "O" and any(item is None for item in array.flat):
            raise TypeError
        return array.astype(float)
    raise TypeError


def _words_for(result, array):
    if is_a(result, str):
        words = " ".join(str.__str__(result).split())
        return f"the text {shorten(repr(words), 40)}"
    name = type(result).__name__
    if array is None or not is_a(result, list, tuple, np.ndarray, np.generic, bool, complex):
        return f"a value of type `{name}`"
    content = {
        "c": "complex numbers",
        "U": "text",
        "b": "`True` and `False`",
        "O": "things that are not numbers (`None`, for example)",
    }.get(array.dtype.kind, f"values of type `{array.dtype.name}`")
    return f"`{name}` holding {content}" if array.ndim else content
