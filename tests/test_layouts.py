"""Pairs and halves, column by column; bfloat16, by fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest

from posenc.layouts import bfloat16, half_order, pair_order

LARGEST = (2 - 2**-7) * 2.0**127


@pytest.mark.parametrize("width", [2, 4, 6, 10, 64])
def test_orders_say_where_each_column_comes_from(width):
    half = width // 2
    firsts, seconds = [2 * k for k in range(half)], [2 * k + 1 for k in range(half)]
    assert half_order(width).tolist() == firsts + seconds
    assert pair_order(width)[half_order(width)].tolist() == list(range(width))


def nearest(number):
    """Return the nearest number of eight binary digits, by fractions, ties to even."""
    if not number:
        return 0.0
    step = Fraction(2) ** (max(math.frexp(number)[1], -125) - 8)
    return float(round(Fraction(number) / step) * step)


def test_bfloat16_is_the_nearest_number_of_eight_digits():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=500) * 10.0 ** rng.uniform(-30, 30, size=500)
    whole = [*range(-1100, 1100), 5000, 4997, 65_535, 2**24 + 2, LARGEST]
    for values in (numbers.astype(np.float32), np.float32(whole)):
        found = bfloat16(values)
        assert found.dtype == np.float32
        assert found.tolist() == [nearest(float(value)) for value in values]


def test_bfloat16_takes_empty_lists_and_single_numbers():
    assert bfloat16([]).shape == (0,)
    assert bfloat16(-257) == -256
