"""Checks of arguments, so that bad input is named where it enters.

Each check returns the argument in the form that the functions compute with, or raises a
``TypeError`` (wrong kind of thing) or ``ValueError`` (right kind, wrong value) that names the
argument, what is allowed and what was given.
"""

import reprlib
from numbers import Integral, Real

import numpy as np

_LARGEST = float(np.finfo(float).max)
_FARTHEST = 2**52  # up to here, neighboring positions are different floats, whatever the start
_LARGEST_BFLOAT16 = (2 - 2**-7) * 2.0**127
_DEEPEST = 64  # NumPy's arrays have no more axes


def _shown(value):
    """Return a short text for a value in an error message."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape} and type {value.dtype}"
    return reprlib.repr(value.item() if isinstance(value, np.generic) else value)


# --- counts and flags ---


def _as_integer(name, value, allowed, least, step=1):
    """Return an integer as `int`; `True` and `3.0` are not counts."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}, got {_shown(value)}")
    if value < least or value % step:
        raise ValueError(f"{name} must be {allowed}, got {value}")
    return int(value)


def as_positive_integer(name, value):
    """Return an integer that is at least 1."""
    return _as_integer(name, value, "a positive integer", 1)


def as_count(name, value):
    """Return an integer that is at least 0."""
    return _as_integer(name, value, "a non-negative integer", 0)


def as_length(length):
    """Return `length` as an integer that is at least 0."""
    return as_count("length", length)


def as_width(width):
    """Return `width` as a positive even integer."""
    return _as_integer("width", width, "a positive even integer", 2, step=2)


def as_picture(rows, columns, width):
    """Return how many rows and columns there are, and the width that each axis gets."""
    width = _as_integer("width", width, "a positive multiple of 4", 4, step=4)
    return as_count("rows", rows), as_count("columns", columns), width // 2


def as_width_of_pairs(width):
    """Return `width` as an even integer of at least 4: two hands, a first and a last."""
    return _as_integer("width", width, "an even integer of at least 4", 4, step=2)


def as_bits(bits, length):
    """Return the number of bits, enough to count `length` positions; None takes the fewest."""
    fewest = max(1, (length - 1).bit_length())
    allowed = f"an integer of at least {fewest} to count {length} positions"
    return _as_integer("bits", fewest if bits is None else bits, allowed, fewest)


def as_flag(name, value):
    """Return a truth value; the text "no" is none, though Python takes it for true."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {_shown(value)}")
    return bool(value)


# --- real numbers ---


def _any_part(values, test, depth=_DEEPEST):
    """Tell whether a test holds for a value or, in nested lists, for any part of it."""
    if depth and isinstance(values, list | tuple):
        return any(_any_part(part, test, depth - 1) for part in values)
    return test(values)


def _is_masked(value):
    plain = type(value) is np.ndarray or not isinstance(value, np.ndarray)
    return not plain and np.ma.is_masked(value)


def _is_boolean(value):
    return isinstance(value, bool | np.bool_ | np.ndarray) and np.asarray(value).dtype == bool


def _as_array(name, values, of):
    """Return an array of any kind, if it is regular and nothing in it is masked."""
    if _any_part(values, _is_masked):
        raise ValueError(f"{name} must have no masked entries, got {_shown(values)}")
    try:
        return np.asarray(values)
    except ValueError as error:
        got = f"{_shown(values)}: {error}"  # too deep, for example
        if "inhomogeneous" in str(error):
            got = f"rows of different lengths: {_shown(values)}"
        raise ValueError(f"{name} must be a regular array of {of}, got {got}") from None


def _as_real_array(name, values, allowed="real numbers"):
    """Return an array of real numbers in the type that they come in."""
    array = _as_array(name, values, "real numbers")
    if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
        values = array.tolist()
        array = _from_python(name, array)  # integers beyond 64 bits, fractions
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be {allowed}, got {_shown(values)}")
    if _any_part(values, _is_boolean):
        raise TypeError(f"{name} must be {allowed}, got a boolean in {_shown(values)}")
    return array


def _from_python(name, array):
    try:
        return array.astype(float)
    except OverflowError:
        largest = max(array.flat, key=abs)
        raise ValueError(f"{name} must be finite as float64, got {_shown(largest)}") from None


def as_numbers(name, values, allowed="real numbers"):
    """Return an array of real numbers, of any shape, as float64; infinities and NaN may pass."""
    return _as_real_array(name, values, allowed).astype(float, copy=False)


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


def as_stretch(stretch):
    """Return `stretch` as a finite number of at least 1."""
    number = as_real("stretch", stretch)
    if number < 1:
        raise ValueError(f"stretch must be a number of at least 1, got {number}")
    return number


def as_nonnegative(name, value):
    """Return a finite number that is not negative."""
    number = as_real(name, value)
    if number < 0:
        raise ValueError(f"{name} must be a number of at least 0, got {number}")
    return number


def as_limits(low, high):
    """Return two numbers, at least 0, the first below the second."""
    low, high = as_nonnegative("low", low), as_nonnegative("high", high)
    if low >= high:
        raise ValueError(f"low must be below high, got low {low} and high {high}")
    return low, high


# --- positions, frequencies and their angles ---


def as_start(start, length):
    """Return the first of `length` positions, all of which float64 tells from their neighbors."""
    length, number = as_length(length), as_real("start", start)
    if number < -_FARTHEST or length > _FARTHEST - number:
        raise ValueError(
            "start must keep all positions between -2**52 and 2**52, where float64 tells "
            f"neighbors apart, got {number} for {length} positions"
        )
    return number


def _refuse_infinite_angles(fastest, farthest):
    if fastest > 1 and farthest > _LARGEST / fastest:
        raise ValueError(
            "frequency times offset must be an angle that float64 can hold, "
            f"got {fastest} times {farthest}"
        )


def as_frequencies(frequencies, farthest=0):
    """Return the angular frequencies, one a pair, whose angles are finite up to this offset."""
    array = as_finite("frequencies", frequencies)
    fits = array.ndim == 1 and array.size
    _refuse_shape("frequencies", array, "(d/2,) with at least one pair", fits)
    _refuse_infinite_angles(float(np.abs(array).max()), farthest)
    return array


def as_turn(frequency, offset):
    """Return the frequency of one pair and an offset, whose product is a finite angle."""
    frequency, offset = as_real("frequency", frequency), as_real("offset", offset)
    _refuse_infinite_angles(abs(frequency), abs(offset))
    return frequency, offset


def as_turns(frequencies, offset):
    """Return the frequencies of all pairs and an offset, whose products are finite angles."""
    offset = as_real("offset", offset)
    return as_frequencies(frequencies, abs(offset)), offset


def as_offsets(offsets, frequencies):
    """Return offsets of any shape and frequencies, whose products are finite angles."""
    offsets = as_finite("offsets", offsets)
    return offsets, as_frequencies(frequencies, float(np.abs(offsets).max(initial=0)))


def as_points(positions, frequencies):
    """Return points with a last axis of coordinates, and a row of frequencies for each pair.

    Frequencies of shape (pairs,) are for plain numbers, those of shape (pairs, axes) for points.
    """
    positions, frequencies = (
        as_finite("positions", positions),
        as_finite("frequencies", frequencies),
    )
    fits = frequencies.ndim in (1, 2) and frequencies.size
    _refuse_shape("frequencies", frequencies, "(pairs,) or (pairs, axes), neither of them 0", fits)
    if frequencies.ndim == 1:
        positions, frequencies = positions[..., None], frequencies[:, None]
    axes = frequencies.shape[1]
    fits = positions.ndim and positions.shape[-1] == axes
    _refuse_shape("positions", positions, f"(..., {axes}) to match the frequencies", fits)
    farthest = axes * float(np.abs(positions).max(initial=0))
    _refuse_infinite_angles(float(np.abs(frequencies).max()), farthest)
    return positions, frequencies


# --- tables ---


def _refuse_shape(name, array, allowed, fits):
    if not fits:
        raise ValueError(f"{name} must have shape {allowed}, got shape {array.shape}")


def as_matrix(name, matrix, *, finite=False):
    """Return a float64 matrix of at least one cell; infinities and NaN may pass unless `finite`."""
    array = as_finite(name, matrix) if finite else as_numbers(name, matrix)
    _refuse_shape(name, array, "(n, m) with at least one cell", array.ndim == 2 and array.size)
    return array


def _refuse_no_columns(name, array):
    fits = array.ndim == 2 and array.shape[1]
    _refuse_shape(name, array, "(n, width) with at least one column", fits)


def as_vectors(name, vectors):
    """Return a finite float64 matrix whose rows are vectors of at least one number."""
    array = as_finite(name, vectors)
    _refuse_no_columns(name, array)
    return array


def as_encoding(encoding, frequencies):
    """Return `encoding` as a contiguous float64 table of rows, two columns for each frequency."""
    array, pairs = as_finite("encoding", encoding), len(as_frequencies(frequencies))
    fits = array.ndim == 2 and array.shape[1] == 2 * pairs
    _refuse_shape("encoding", array, f"(n, {2 * pairs}) to match {pairs} frequencies", fits)
    return np.ascontiguousarray(array)


def as_rows(name, rows, frequencies):
    """Return rows as a contiguous float64 array of shape (..., n, d), two columns a frequency."""
    array, pairs = as_finite(name, rows), len(as_frequencies(frequencies))
    fits = array.ndim >= 2 and array.shape[-1] == 2 * pairs
    _refuse_shape(name, array, f"(..., n, {2 * pairs}) to match {pairs} frequencies", fits)
    return np.ascontiguousarray(array)


def as_positions(positions, start, length, frequencies):
    """Return the positions of `length` rows, and frequencies, whose products are finite angles."""
    if positions is None:
        positions = as_start(start, length) + np.arange(length)
    elif not np.array_equal(start, 0):
        raise ValueError(f"start must stay 0 where positions are given, got {_shown(start)}")
    positions = as_finite("positions", positions)
    fits = positions.shape == (length,)
    _refuse_shape("positions", positions, f"({length},), one for each row", fits)
    return positions, as_frequencies(frequencies, float(np.abs(positions).max(initial=0)))


def as_beginning(first_row, frequencies, length):
    """Return the first of `length` rows, the frequencies of its pairs, and that length."""
    length = as_length(length)
    frequencies = as_frequencies(frequencies, length)
    array, pairs = as_finite("first_row", first_row), len(frequencies)
    fits = array.shape == (2 * pairs,)
    _refuse_shape("first_row", array, f"({2 * pairs},) to match {pairs} frequencies", fits)
    return np.ascontiguousarray(array), frequencies, length


# --- layouts ---


def as_columns(name, vectors):
    """Return an array of real numbers, in their type, whose last axis holds pairs."""
    array = _as_real_array(name, vectors)
    fits = array.ndim and array.shape[-1] and array.shape[-1] % 2 == 0
    _refuse_shape(name, array, "(..., d) with d positive and even", fits)
    return array


def as_bfloat16_source(name, numbers):
    """Return finite numbers as float32, all of which bfloat16 can hold."""
    array = as_finite(name, numbers)
    largest = float(np.abs(array).max(initial=0))
    if largest > _LARGEST_BFLOAT16:
        raise ValueError(f"{name} must be at most {_LARGEST_BFLOAT16:.3g} in size, got {largest}")
    return array.astype(np.float32)


# --- words ---


def as_tokens(name, tokens):
    """Return words as a list of strings."""
    allowed = f"{name} must be a list of words, got"
    if isinstance(tokens, str):
        raise TypeError(f"{allowed} the string {tokens!r}: split it")
    if isinstance(tokens, set | frozenset):
        raise TypeError(f"{allowed} a set, which has no order: {_shown(tokens)}")
    if not np.iterable(tokens):
        raise TypeError(f"{allowed} {_shown(tokens)}")
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"{name} must hold strings only, got {_shown(token)}")
    return tokens


def as_word_vectors(vectors, count):
    """Return a copy of `vectors`, a finite row for each of `count` words, in float32 or float64."""
    array = _as_real_array("vectors", vectors)
    _refuse_no_columns("vectors", array)
    if len(array) != count:
        raise ValueError(
            f"vectors must have one row for each word, {count}, got shape {array.shape}"
        )
    _refuse_infinite("vectors", array)
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    return np.array(array, dtype=dtype, order="C")


# --- attention ---


def as_attention_inputs(queries, keys, values):
    """Return the three as matrices that fit each other, with finite products of queries and keys.

    Queries and keys share a width, keys and values a count.
    """
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
    _refuse_infinite_products(queries, keys)
    return queries, keys, values


def _refuse_infinite_products(queries, keys):
    largest = [float(np.abs(array).max(initial=0)) for array in (queries, keys)]
    if np.isfinite(queries.shape[1] * largest[0] * largest[1]):
        return  # no product, nor any sum on the way to it, is larger
    with np.errstate(over="ignore", invalid="ignore"):
        products = queries @ keys.T
    beyond = np.argwhere(~np.isfinite(products))
    if len(beyond):
        query, key = beyond[0].tolist()
        raise ValueError(
            "queries and keys must have products that float64 can hold, "
            f"got {products[query, key]} for query {query} and key {key}"
        )


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
