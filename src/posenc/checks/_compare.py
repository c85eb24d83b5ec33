"""Read what an answer gives, and put into words how it differs from what's right."""

from contextlib import suppress

import numpy as np


def numbers(value, shape=None):
    """Return an array of floats or truth values, None for None, or words for anything else."""
    with suppress(TypeError, ValueError, OverflowError):  # rows of different lengths, for one
        array = np.array(value)
        if array.dtype.kind in "biufO" and value is not None:
            array = array if array.dtype == bool else array.astype(float)
            return array.reshape(()) if shape == () and array.size == 1 else array  # [5] is 5
    words = f"something of type `{type(value).__name__}` that can't be read as real numbers"
    return None if value is None else words


def agree(a, b, tolerance):
    """Tell whether two results are equal up to a relative or absolute tolerance."""
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return a is None and b is None
    return a.shape == b.shape and np.allclose(a, b, tolerance, tolerance, equal_nan=True)


def misfit(result, right):
    """Describe a result of another shape than the right one, or that isn't finite; or return ""."""
    if np.shape(result) != np.shape(right) or (result is None) != (right is None):
        wanted = f"an array of shape {right.shape}" if np.ndim(right) else "a single value"
        if np.ndim(result) < 2 and np.ndim(right) == 1 < right.size:
            wanted = f"{right.size} numbers"
        return f"{show(result)}, where {'`None`' if right is None else wanted} should be"
    odd = [] if right is None else np.argwhere(~np.isfinite(result) & np.isfinite(right)).tolist()
    place = f" at {odd[0]}" if any(odd) else ""
    return f"{result[*odd[0]]}{place}, which isn't finite" if odd else ""


def difference(result, right, tolerance, tell=True, place=""):
    """Describe a result of the right shape, and where it's wrong; `tell` what's right there."""
    if result.ndim < 2 and result.size <= 6:
        return f"{show(result)}{place}{f', where {show(right)} should be' if tell else ''}"
    place = np.argwhere(~np.isclose(result, right, tolerance, tolerance))[0].tolist()
    return difference(result[*place], right[*place], 0, tell, f" at {place}")


def show(array):
    """Write a short array out, and give the shape of a long one."""
    if array is None or array.ndim > 1 or not 1 <= array.size <= 6:
        return "`None`" if array is None else f"something of shape {array.shape}"
    written = [str(x) if array.dtype == bool else f"{x:.6g}" for x in array.flat]
    return f"({', '.join(written)})" if array.ndim else written[0]
