"""The exercises of notebook 01."""

import math

import numpy as np
import pytest

from posenc import checks
from posenc.encodings import angular_frequencies, sinusoidal

from .harness import hold, is_wrong


def test_wavelength():
    def by_hand(k, width):
        growth = math.exp(2 * math.log(10_000) / width)
        result = 2 * math.pi
        for _ in range(k):
            result *= growth
        return result

    hold(
        checks.wavelength,
        solution=lambda k, d: math.tau / 10_000 ** (-2 * k / d),
        examples=[(0, 8)],
        wrong=[
            (lambda k, d: 1 / 10_000 ** (2 * k / d), "the angular frequency, the angle"),
            (lambda k, d: 10_000 ** (2 * k / d), "the divisor"),
            (lambda k, d: 10_000 ** (-2 * k / d) / math.tau, "how many turns"),
            (lambda k, d: math.tau * 10_000 ** (k / d), "half as fast"),
            (lambda k, d: math.tau * 10_000 ** (2 * (2 * k) / d), "twice as fast"),
            (lambda k, d: math.tau / 10_000 ** (-2 * (k + 1) / d), "the next pair"),
            (lambda k, d: np.geomspace(1, 10_000, d // 2)[k] * math.tau, "exactly"),
            (lambda k, d: math.tau / 10_000 ** (2 * k / d), "shorter"),
            (lambda k, d: 2 * 3.14 * 10_000 ** (2 * k / d), "rounded constant"),
            (lambda k, d: math.tau * 10_000 ** (2 * np.arange(d // 2) / d), "a single number"),
            (lambda d, k: 1 / (d - d), "ZeroDivisionError"),
            (lambda k, d: math.tau, "the same whatever"),
        ],
        also_right=[
            by_hand,
            lambda k, d: np.float32(math.tau * 10_000 ** (2 * k / d)),
            lambda k, d: (math.tau / angular_frequencies(d))[k],
        ],
    )
    assert is_wrong(checks.wavelength, lambda k, d: math.tau * 10_000 ** (4 * k / d)).startswith(
        "Right for pair 0 of 8 columns, but not for pair 1 of 8 columns. "
    )
    # Somebody who gives the first pair a special case still makes the same mistake.
    special = lambda k, d: math.tau if k == 0 else 10_000 ** (-2 * k / d)  # noqa: E731
    assert "angular frequency" in is_wrong(checks.wavelength, special)


def test_slow_pairs():
    count = sum(math.tau * 10_000 ** (2 * k / 256) > 200 for k in range(128))
    assert count == 79
    hold(
        checks.slow_pairs,
        solution=np.sum(math.tau / angular_frequencies(256) > 200),
        wrong=[
            (49, "do finish"),
            (158, "columns"),
            (70, "half a turn"),
            (54, "one radian"),
            (50, "counted from 1"),
            (128, "all of them"),
            (79.5, "whole number"),
            (-3, "never negative"),
            (3, "too small"),
            (120, "too large"),
            ([79], "shape (1,)"),
            ("79", "the text"),
        ],
        also_right=[count, 79.0, np.int8(79), np.array(79)],
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (80, "too large"),
        (79.0008, "whole number"),
        (78.9999, "whole number"),
        (-79, "never negative"),
        (-78, "never negative"),
    ],
)
def test_a_count_is_exact_and_not_given_away(answer, words):
    told = is_wrong(checks.slow_pairs, answer)
    assert words in told
    assert "close" not in told
    assert "opposite" not in told


def loops(length, width):
    """The formula, number by number."""
    rows = []
    for t in range(length):
        row = []
        for k in range(width // 2):
            phase = t * 10_000 ** (-2 * k / width)
            row += [math.sin(phase), math.cos(phase)]
        rows.append(row)
    return rows


def single_precision(length, width):
    frequencies = np.float32(10_000) ** (-np.arange(0, width, 2, dtype=np.float32) / width)
    phases = np.arange(length, dtype=np.float32)[:, None] * frequencies
    return np.dstack([np.sin(phases), np.cos(phases)]).reshape(length, width)


def by_complex_powers(length, width):
    steps = np.exp(1j * 10_000.0 ** (-np.arange(width // 2) * 2 / width))
    powers = steps ** np.arange(length)[:, None]
    return np.stack([powers.imag, powers.real], axis=-1).reshape(length, -1)


def filled(length, width, sine, cosine):
    """The table of a student who computes the two phases as told."""
    table = np.zeros((length, width))
    for t in range(length):
        for i in range(0, width, 2):
            table[t, i] = math.sin(sine(t, i))
            table[t, i + 1] = math.cos(cosine(t, i))
    return table


def student(sine, cosine=None):
    def function(length, width):
        return filled(
            length,
            width,
            lambda t, i: sine(t, i, width),
            lambda t, i: (cosine or sine)(t, i, width),
        )

    return function


def by_columns(length, width):
    phases = np.arange(length)[:, None] / 10_000 ** (np.arange(0, width, 2) / width)
    table = np.empty((length, width))
    table[:, 0::2] = np.sin(phases)
    table[:, 1::2] = np.cos(phases)
    return table


RIGHT = [loops, single_precision, by_complex_powers, sinusoidal]
SHARED = [
    (student(lambda t, i, d: (t + 1) / 10_000 ** (i / d)), "start at 1"),
    (student(lambda t, i, d: t / 10_000 ** (i / 2 / d)), "too large for every pair"),
    (student(lambda t, i, d: t / 10_000 ** (2 * i / d)), "twice as fast"),
    (
        lambda n, d: np.array(loops(n, d)).reshape(n, d // 2, 2)[:, :, [1, 0]].reshape(n, d),
        "each other's place",
    ),
]
LATE = student(lambda t, i, d: t / 10_000 ** (i / d), lambda t, i, d: t / 10_000 ** ((i + 1) / d))


def test_encoding():
    hold(
        checks.encoding,
        solution=by_columns,
        examples=[(6, 8)],
        wrong=[
            *SHARED,
            (LATE, "exponent of the cosine"),
            (
                lambda n, d: np.hstack([np.array(loops(n, d))[:, j::2] for j in (0, 1)]),
                "All sines come first",
            ),
            (lambda n, d: np.transpose(loops(n, d)), "each position should be a row"),
            (student(lambda t, i, d: t / 10_000 ** ((i + 2) / d)), "`k` start at 0"),
            (student(lambda t, i, d: math.radians(t / 10_000 ** (i / d))), "degrees"),
            (student(lambda t, i, d: t * 10_000 ** (i / d)), "grow from pair to pair"),
            (student(lambda t, i, d: t / 10_000 ** (i / max(d - 2, 1))), "d/2 − 1"),
            (
                student(lambda t, i, d: t / 10_000 ** (i / d), lambda t, i, d: t * 2.0),
                "sin² + cos² must be 1",
            ),
            (student(lambda t, i, d: t / 1_000 ** (i / d)), "at position 1, column 2"),
            (student(lambda t, i, d: t * 0.0), "0 at position 1, column 0: too small"),
            (lambda n, d: np.array(loops(n + 1, d)), "an array of shape (2, 2)"),
            (lambda n, d: np.array(loops(n, d))[:, 0], "an array of shape (1,)"),
            (lambda n, d: loops(8, 6), "the same whatever"),
            (lambda n, d: loops(n, d)[::-1], "reversed"),
            (lambda n, d: np.array(loops(n, d))[n], "IndexError"),
        ],
        also_right=RIGHT,
    )


def test_repaired_encoding():
    hold(
        checks.repaired_encoding,
        solution=by_columns,
        wrong=[
            *SHARED,
            (LATE, "The bug is still there"),
            (student(lambda t, i, d: t / 10_000 ** ((i + 1) / d)), "It was the other line"),
            (
                student(
                    lambda t, i, d: t / 10_000 ** (i / d),
                    lambda t, i, d: t / 10_000 ** ((i - 1) / d),
                ),
                "the other side",
            ),
            (
                student(
                    lambda t, i, d: t / 10_000 ** ((i + 1) / d),
                    lambda t, i, d: t / 10_000 ** (i / d),
                ),
                "exchanged the exponents",
            ),
            (
                lambda n, d: [[x for c in row[1::2] for x in (c, 0)] for row in loops(n, d)],
                "the sine's column",
            ),
        ],
        also_right=RIGHT,
    )


@pytest.mark.parametrize("places", [2, 3, 4])
def test_rounded_tables_are_told_from_wrong_ones(places):
    rounded = is_wrong(checks.encoding, lambda n, d: np.round(loops(n, d), places))
    assert "It is close: look for a rounded constant" in rounded
