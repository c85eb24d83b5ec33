"""Checks of arguments, so that bad input is named where it enters.

Each check returns the argument in the form that the functions compute with, or raises a
``TypeError`` (wrong kind of thing) or ``ValueError`` (right kind, wrong value) that names the
argument, what is allowed and what was given.
"""

import reprlib
from numbers import Integral, Real

import numpy as np


def _shown(value):
    """Return a short text for a value in an error message."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape} and type {value.dtype}"
    return reprlib.repr(value.item() if isinstance(value, np.generic) else value)


def _as_integer(name, value, allowed):
    """Return an integer as `int`; `True` and `3.0` are not counts."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}, got {_shown(value)}")
    return int(value)


def as_length(length):
    """Return `length` as an integer that is at least 0."""
    allowed = "a non-negative integer"
    number = _as_integer("length", length, allowed)
    if number < 0:
        raise ValueError(f"length must be {allowed}, got {number}")
    return number


def as_width(width):
    """Return `width` as a positive even integer."""
    allowed = "a positive even integer"
    number = _as_integer("width", width, allowed)
    if number < 1 or number % 2:
        raise ValueError(f"width must be {allowed}, got {number}")
    return number


def as_bits(bits, length):
    """Return the number of bits, enough to count `length` positions; None takes the fewest."""
    fewest = max(1, (length - 1).bit_length())
    if bits is None:
        return fewest
    allowed = f"an integer of at least {fewest} to count {length} positions"
    number = _as_integer("bits", bits, allowed)
    if number < fewest:
        raise ValueError(f"bits must be {allowed}, got {number}")
    return number


def as_numbers(name, values, allowed="real numbers"):
    """Return an array of real numbers, of any shape, as float64; infinities and NaN may pass."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must be a regular array of real numbers, got rows of different lengths: "
            f"{_shown(values)}"
        ) from None
    if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
        array = _from_python(name, array)  # integers beyond 64 bits, fractions
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be {allowed}, got {_shown(values)}")
    return array.astype(float, copy=False)


def _from_python(name, array):
    try:
        return array.astype(float)
    except OverflowError:
        raise ValueError(f"{name} must be finite as float64, got {_shown(max(array.flat))}") from None


def as_finite(name, values, allowed="real numbers"):
    """Return an array of finite real numbers, of any shape, as float64."""
    array = as_numbers(name, values, allowed)
    finite = np.isfinite(array)
    if not finite.all():
        raise ValueError(f"{name} must be finite, got {array[~finite].flat[0]}")
    return array


def as_real(name, value):
    """Return one finite real number as `float`."""
    allowed = "a real number"
    array = as_finite(name, value, allowed)
    if array.ndim:
        raise TypeError(f"{name} must be {allowed}, got {_shown(value)}")
    return float(array)


def as_base(base):
    """Return `base` as a finite number above 1."""
    number = as_real("base", base)
    if number <= 1:
        raise ValueError(f"base must be a number above 1, got {number}")
    return number


def as_frequencies(frequencies):
    """Return the angular frequencies, one a pair, as a one-dimensional float64 array."""
    array = as_finite("frequencies", frequencies)
    if array.ndim != 1 or not array.size:
        raise ValueError(
            f"frequencies must have shape (d/2,) with at least one pair, got shape {array.shape}"
        )
    return array


def as_encoding(encoding, frequencies):
    """Return `encoding` as a float64 table of rows, two columns for each frequency."""
    array = as_numbers("encoding", encoding)
    pairs = len(frequencies)
    if array.ndim != 2 or array.shape[1] != 2 * pairs:
        raise ValueError(
            f"encoding must have shape (n, {2 * pairs}) to match {pairs} frequencies, "
            f"got shape {array.shape}"
        )
    return array


def as_output(out, shape):
    """Return `out` if it is a float64 array of this shape that pairs can be written to."""
    allowed = f"a writable, contiguous float64 array of shape {shape}"
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be {allowed}, got {_shown(out)}")
    if out.dtype != float or out.shape != shape or not out.flags.carray:
        raise ValueError(f"out must be {allowed}, got {_shown(out)}")
    return out


def as_table_dtype(dtype):
    """Return the type of a table's numbers, float64 or float32."""
    try:
        table_dtype = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype must be float64 or float32, got {_shown(dtype)}") from None
    if table_dtype not in (np.float64, np.float32):
        raise ValueError(f"dtype must be float64 or float32, got {table_dtype}")
    return table_dtype


def as_vectors(name, vectors):
    """Return a finite float64 matrix whose rows are vectors of at least one number."""
    array = as_finite(name, vectors)
    if array.ndim != 2 or not array.shape[1]:
        raise ValueError(f"{name} must have shape (n, width), got shape {array.shape}")
    return array


def as_attention_inputs(queries, keys, values):
    """Return the three as matrices; queries and keys share a width, keys and values a count."""
    queries, keys = as_vectors("queries", queries), as_vectors("keys", keys)
    values = as_vectors("values", values)
    if keys.shape[1] != queries.shape[1]:
        raise ValueError(
            f"keys must be as wide as the queries, {queries.shape[1]}, got shape {keys.shape}"
        )
    if len(values) != len(keys):
        raise ValueError(
            f"values must have one row for each key, {len(keys)}, got shape {values.shape}"
        )
    return queries, keys, values


def as_mask(mask, shape):
    """Return `mask` as a boolean array, True where a query may attend, no row without True."""
    array = np.asarray(mask)
    if array.dtype != bool:
        raise TypeError(f"mask must be boolean, True = may attend, got {_shown(mask)}")
    if array.shape != shape:
        raise ValueError(f"mask must have shape (queries, keys) = {shape}, got {array.shape}")
    if not array.any(axis=1).all():
        raise ValueError(
            "mask must let each query attend to a key, "
            f"got only False in row {array.any(axis=1).argmin()}"
        )
    return array
