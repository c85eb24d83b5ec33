"""Checks of arguments, so that bad input is named where it enters: kind, finiteness, shape, range.

Each check returns the argument in the form that the functions compute with, or raises a
``TypeError`` (wrong kind of thing) or ``ValueError`` (right kind, wrong value) that names the
argument, what is allowed and what was given.
"""

import math
import reprlib
from numbers import Integral, Real

import numpy as np

PAIRS = "(pairs > 0,)"
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


def flag(name, value):
    """Return a truth value; the text "no" is none, though Python takes it for true."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {_shown(value)}")
    return bool(value)


def array(name, values, shape=None, *, dtype=float, finite=True):
    """Return real numbers as a float64 array, or booleans as a boolean one, in C order.

    It may be the same array that comes in. `shape` is what shape is allowed, as the message tells
    it, such as ``"(n, 8) for 4 frequencies"``: a number stands for itself, a word for any number,
    one with ``> 0`` for any but 0, and ``...`` in front for any further axes; ``or`` stands between
    two shapes. Unless `finite` is False, infinities and NaN are refused.
    """
    kinds, allowed = _KINDS[dtype]
    try:
        found = np.asarray(values)
    except ValueError:
        allowed = f"a regular array of {allowed}"
        raise ValueError(f"{name} must be {allowed}, got {_shown(values)}") from None
    if found.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {allowed}, got {_shown(values)}")
    if shape and not any(_fits(found.shape, one) for one in shape.split(" or ")):
        raise ValueError(f"{name} must have shape {shape}, got shape {found.shape}")
    found = np.asarray(found, dtype=dtype, order="C")
    if finite and not np.isfinite(found).all():
        raise ValueError(f"{name} must be finite, got {found[~np.isfinite(found)][0]}")
    return found


def _fits(found, allowed):
    """Tell whether a shape is one that `array` is told in words."""
    axes = [axis.strip() for axis in allowed[1 : allowed.index(")")].split(",") if axis]
    if "..." in axes:
        axes.remove("...")
        found = found[max(len(found) - len(axes), 0) :]
    return len(found) == len(axes) and all(
        size == int(axis) if axis.isdigit() else size > 0 or not axis.endswith("> 0")
        for axis, size in zip(axes, found)
    )


def first_position(start, length):
    """Return the first of `length` positions, all of which float64 tells from their neighbors."""
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
