"""Checks of arguments: type, finiteness, shape and range.

Each check returns the argument in the form that the functions compute with, or raises a
``TypeError`` or ``ValueError`` that names the argument, what is allowed, and the value that was
given.
"""

import math
import reprlib
from numbers import Integral, Real

import numpy as np

SOME = "1 or more"
"""In a shape: any size but 0."""
PAIRS = (SOME,)
"""The shape of frequencies: one for each pair."""

_KINDS = {float: ("iuf", "real numbers"), bool: ("b", "booleans")}
_FARTHEST = 2**52  # up to here, neighboring positions are different floats, whatever the start


def _shown(value):
    """Return a short text for a value in an error message."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape} and type {value.dtype}"
    return reprlib.repr(value.item() if isinstance(value, np.generic) else value)


def integer(name, value, *, least=0, step=1):
    """Return a multiple of `step`, at least `least`, as `int`; `True` and `3.0` are not counts."""
    kind = {1: "integer", 2: "even integer"}.get(step, f"multiple of {step}")
    allowed = {0: f"a non-negative {kind}", step: f"a positive {kind}"}
    allowed = allowed.get(least, f"an {kind} of at least {least}")
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}, got {_shown(value)}")
    if value < least or value % step:
        raise ValueError(f"{name} must be {allowed}, got {value}")
    return int(value)


def number(name, value, *, least=-math.inf, above=None):
    """Return one finite real number as `float`, if it is at least `least` and above `above`."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a real number, got {_shown(value)}")
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value}")
    if value < least:
        raise ValueError(f"{name} must be a number of at least {least}, got {value}")
    if above is not None and value <= above:
        raise ValueError(f"{name} must be a number above {above}, got {value}")
    return value


def array(name, values, *shapes, why="", dtype=float, finite=True):
    """Return real numbers as a float64 array, or booleans as a boolean one, in C order.

    It may be the same array that comes in. `shapes` are the allowed shapes, such as
    ``(..., None, 8)``: None stands for any size, `SOME` for any but 0, and a leading ellipsis for
    any further axes. `why` gives the reason in the message, such as "for 4 frequencies". Unless
    `finite` is False, infinities and NaN are refused.
    """
    kinds, allowed = _KINDS[dtype]
    try:
        result = np.asarray(values)
    except ValueError:
        allowed = f"a regular array of {allowed}"
        raise ValueError(f"{name} must be {allowed}, got {_shown(values)}") from None
    if result.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {allowed}, got {_shown(values)}")
    if shapes and not any(_fits(result.shape, shape) for shape in shapes):
        allowed = f"{' or '.join(map(_written, shapes))} {why}".rstrip()
        raise ValueError(f"{name} must have shape {allowed}, got shape {result.shape}")
    result = np.asarray(result, dtype=dtype, order="C")
    if finite and not np.isfinite(result).all():
        raise ValueError(f"{name} must be finite, got {result[~np.isfinite(result)][0]}")
    return result


def _fits(actual, shape):
    """Return whether a shape is one that `array` allows."""
    if shape[0] is ...:
        shape = shape[1:]
        actual = actual[-len(shape) :]
    return len(actual) == len(shape) and all(
        size > 0 if axis is SOME else axis is None or size == axis
        for size, axis in zip(actual, shape)
    )


def _written(shape):
    """Return a shape as text for a message."""
    axes = ["..." if axis is ... else "any" if axis is None else str(axis) for axis in shape]
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"


def first_position(start, length):
    """Return the first of `length` positions, if float64 tells all of them from their neighbors."""
    start = number("start", start)
    if start < -_FARTHEST or length > _FARTHEST - start:
        raise ValueError(
            "start must keep all positions between -2**52 and 2**52, where float64 tells "
            f"neighbors apart, got {start} for {length} positions"
        )
    return start


def strings(name, values):
    """Return words as a list of strings."""
    if isinstance(values, str | set | frozenset) or not np.iterable(values):
        raise TypeError(f"{name} must be a list of words, got {_shown(values)}")
    values = list(values)
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{name} must hold strings only, got {_shown(value)}")
    return values
