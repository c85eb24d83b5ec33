"""What the tests compare with: the formulas, computed in other ways than the package does."""

import math

import mpmath
import numpy as np


def assert_close(found, expected, atol):
    """Compare shapes, and numbers by an absolute error."""
    np.testing.assert_allclose(found, np.asarray(expected, float), rtol=0, atol=atol, strict=True)


def table_by_loop(length, width, base=10_000.0, start=0):
    """Return the encodings, one number at a time, from the standard library."""
    numbers = []
    for row in range(length):
        for k in range(width // 2):
            angle = (start + row) / base ** (2 * k / width)
            numbers += [math.sin(angle), math.cos(angle)]
    return np.reshape(numbers, (length, width))


def encodings(positions, width, base=10_000):
    """Return the encodings of positions, with waves as parts of complex numbers."""
    speeds = float(base) ** (-2 * np.arange(width // 2) / width)
    turned = np.exp(1j * np.outer(positions, speeds))
    return np.stack([turned.imag, turned.real], axis=-1).reshape(len(turned), width)


def exact_frequencies(width, base=10_000):
    """Return the angular frequencies in the digits that mpmath works with."""
    return [mpmath.mpf(base) ** (-mpmath.mpf(2 * k) / width) for k in range(width // 2)]


def largest_error(table, rows, pairs, *, start=0):
    """Return how far chosen entries of a table are from the formula in 40 digits."""
    worst = 0
    with mpmath.workdps(40):
        frequencies = exact_frequencies(table.shape[1])
        for k in pairs:
            for row in rows:
                cosine, sine = mpmath.cos_sin(frequencies[k] * (mpmath.mpf(start) + int(row)))
                for exact, found in zip((sine, cosine), table[row, 2 * k : 2 * k + 2]):
                    worst = max(worst, abs(exact - mpmath.mpf(float(found))))
    return float(worst)


def exact_product(offset, frequencies):
    """Return the product of two encodings in the digits that mpmath works with."""
    return mpmath.fsum(mpmath.cos(mpmath.mpf(w) * mpmath.mpf(offset)) for w in frequencies)


def exact_distance(offset, frequencies):
    """Return the distance of two encodings in the digits that mpmath works with."""
    return mpmath.sqrt(2 * (len(frequencies) - exact_product(offset, frequencies)))


def turned_in_polar_form(rows, frequencies, positions):
    """Return rows whose pairs are turned one by one, as a radius and an angle."""
    turned = np.empty(np.shape(rows))
    for t, (row, position) in enumerate(zip(rows, positions)):
        for k, frequency in enumerate(frequencies):
            sine, cosine = row[2 * k], row[2 * k + 1]
            radius, angle = math.hypot(sine, cosine), math.atan2(sine, cosine)
            angle += frequency * position
            turned[t, 2 * k : 2 * k + 2] = radius * math.sin(angle), radius * math.cos(angle)
    return turned


def attention_by_loop(queries, keys, values, mask=None):
    """Return output and weights, one query and one key at a time."""
    output, weights = [], []
    for i, query in enumerate(queries):
        scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(key)) for key in keys]
        allowed = [mask is None or bool(mask[i][j]) for j in range(len(keys))]
        exponentials = [math.exp(x) if ok else 0.0 for x, ok in zip(scores, allowed)]
        row = [e / sum(exponentials) for e in exponentials]
        weights.append(row)
        output.append([sum(w * v for w, v in zip(row, column)) for column in zip(*values)])
    return np.array(output), np.array(weights)
