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


def as_positive_integer(name, value):
    """Return an integer that is at least 1."""
    allowed = "a positive integer"
    number = _as_integer(name, value, allowed)
    if number < 1:
        raise ValueError(f"{name} must be {allowed}, got {number}")
    return number


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


def _as_array(name, values, of):
    """Return an array of any kind, unless its rows differ in length."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must be a regular array of {of}, got rows of different lengths: "
            f"{_shown(values)}"
        ) from None


def _as_real_array(name, values, allowed="real numbers"):
    """Return an array of real numbers in the type that they come in."""
    array = _as_array(name, values, "real numbers")
    if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
        array = _from_python(name, array)  # integers beyond 64 bits, fractions
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be {allowed}, got {_shown(values)}")
    return array


def as_numbers(name, values, allowed="real numbers"):
    """Return an array of real numbers, of any shape, as float64; infinities and NaN may pass."""
    return _as_real_array(name, values, allowed).astype(float, copy=False)


def _from_python(name, array):
    try:
        return array.astype(float)
    except OverflowError:
        largest = max(array.flat, key=abs)
        raise ValueError(f"{name} must be finite as float64, got {_shown(largest)}") from None


def _refuse_infinite(name, array):
    finite = np.isfinite(array)
    if not finite.all():
        raise ValueError(f"{name} must be finite, got {array[~finite].flat[0]}")


def as_finite(name, values, allowed="real numbers"):
    """Return an array of finite real numbers, of any shape, as float64."""
    array = as_numbers(name, values, allowed)
    _refuse_infinite(name, array)
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


def _refuse_no_rows(name, array):
    if array.ndim != 2 or not array.shape[1]:
        raise ValueError(
            f"{name} must have shape (n, width) with at least one column, got shape {array.shape}"
        )


def as_vectors(name, vectors):
    """Return a finite float64 matrix whose rows are vectors of at least one number."""
    array = as_finite(name, vectors)
    _refuse_no_rows(name, array)
    return array


def as_tokens(name, tokens):
    """Return words as a list of strings."""
    if isinstance(tokens, str):
        raise TypeError(f"{name} must be a list of words, got the string {tokens!r}: split it")
    if not np.iterable(tokens):
        raise TypeError(f"{name} must be a list of words, got {_shown(tokens)}")
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"{name} must hold strings only, got {_shown(token)}")
    return tokens


def as_word_vectors(vectors, count):
    """Return a copy of `vectors`, a finite row for each of `count` words, in float32 or float64."""
    array = _as_real_array("vectors", vectors)
    _refuse_no_rows("vectors", array)
    if len(array) != count:
        raise ValueError(
            f"vectors must have one row for each word, {count}, got shape {array.shape}"
        )
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    array = np.array(array, dtype=dtype, order="C")
    _refuse_infinite("vectors", array)
    return array


def as_attention_inputs(queries, keys, values):
    """Return the three as matrices; queries and keys share a width, keys and values a count."""
    queries, keys = as_vectors("queries", queries), as_vectors("keys", keys)
    values = as_vectors("values", values)
    if keys.shape[1] != queries.shape[1]:
        raise ValueError(
            f"keys must be as wide as the queries, {queries.shape[1]}, got shape {keys.shape}"
        )
    if len(queries) and not len(keys):
        raise ValueError(
            f"keys must have at least one row for the queries to attend to, got shape {keys.shape}"
        )
    if len(values) != len(keys):
        raise ValueError(
            f"values must have one row for each key, {len(keys)}, got shape {values.shape}"
        )
    return queries, keys, values


def as_products(products):
    """Return the products of queries, in rows, and keys, in columns, if none has overflowed."""
    beyond = np.argwhere(~np.isfinite(products))
    if len(beyond):
        query, key = beyond[0].tolist()
        raise ValueError(
            "queries and keys must have products that float64 can hold, "
            f"got {products[query, key]} for query {query} and key {key}"
        )
    return products


def as_scores(scores):
    """Return an array of scores as float64, with a finite maximum along its last axis."""
    array = as_numbers("scores", scores)
    if not array.ndim:
        raise ValueError(f"scores must be an array with an axis, got {array}")
    largest = array.max(axis=-1, initial=-np.inf)
    rows = np.argwhere(~np.isfinite(largest)).tolist()
    if rows:
        row = tuple(rows[0])
        where = f" in row {', '.join(map(str, row))}" if row else ""
        if largest[row] == -np.inf:
            raise ValueError(f"scores must have a finite number in each row, got none{where}")
        raise ValueError(f"scores must not hold NaN or plus infinity, got {largest[row]}{where}")
    return array


def as_mask(mask, shape):
    """Return `mask` as a boolean array, True where a query may attend, no row without True."""
    array = _as_array("mask", mask, "booleans")
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
