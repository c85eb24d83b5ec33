"""Pairs and halves, by slices and by loops; bfloat16, by fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest

from posenc.encodings import sinusoidal
from posenc.layouts import bfloat16, deinterleave, half_order, interleave, load_tables, pair_order

WIDTHS = (2, 4, 6, 10, 64)


@pytest.mark.parametrize("width", WIDTHS)
def test_orders_say_where_each_column_comes_from(width):
    half = width // 2
    for k in range(half):
        assert half_order(width)[k] == 2 * k
        assert half_order(width)[half + k] == 2 * k + 1
        assert pair_order(width)[2 * k] == k
        assert pair_order(width)[2 * k + 1] == half + k


@pytest.mark.parametrize("width", WIDTHS)
def test_one_order_undoes_the_other(width):
    assert (half_order(width)[pair_order(width)] == np.arange(width)).all()
    assert (pair_order(width)[half_order(width)] == np.arange(width)).all()
    # Of width 2 and 4 each undoes itself, so a test needs a wider head to tell them apart.
    assert (half_order(width) == pair_order(width)).all() == (width <= 4)


@pytest.mark.parametrize("shape", [(6,), (5, 6), (2, 3, 5, 8), (0, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_layouts_by_slices(shape, dtype):
    pairs = np.random.default_rng(0).normal(size=shape, scale=9).astype(dtype)
    before = pairs.copy()
    halves = np.concatenate([pairs[..., 0::2], pairs[..., 1::2]], axis=-1)
    for found, expected in ((deinterleave(pairs), halves), (interleave(halves), pairs)):
        assert np.array_equal(found, expected)
        assert found.dtype == dtype
        assert not np.shares_memory(found, pairs)
    assert np.array_equal(pairs, before)


def test_rows_of_a_weight_matrix():
    rng = np.random.default_rng(0)
    weight, x = rng.normal(size=(8, 5)), rng.normal(size=(3, 5))
    assert np.allclose(x @ weight[half_order(8)].T, deinterleave(x @ weight.T))


@pytest.mark.parametrize("function", [half_order, pair_order])
@pytest.mark.parametrize(("width", "error"), [(0, ValueError), (7, ValueError), (4.0, TypeError)])
def test_orders_refuse_what_is_no_width(function, width, error):
    with pytest.raises(error, match=r"^width must be a positive even integer, got"):
        function(width)


@pytest.mark.parametrize(("function", "name"), [(interleave, "halves"), (deinterleave, "pairs")])
def test_layouts_refuse_what_has_no_pairs(function, name):
    for shape in ((), (0,), (3, 5)):
        message = rf"^{name} must have shape \(\.\.\., d\) with d positive and even, got shape"
        with pytest.raises(ValueError, match=message):
            function(np.ones(shape))
    with pytest.raises(TypeError, match=f"^{name} must be real numbers"):
        function(["a", "b"])


def nearest(number):
    """Return the nearest number of eight binary digits, by fractions, ties to even."""
    if not number:
        return 0.0
    step = Fraction(2) ** (max(math.frexp(number)[1], -125) - 8)
    return float(round(Fraction(number) / step) * step)


def test_bfloat16_is_the_nearest_number_of_eight_digits():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=500) * 10.0 ** rng.uniform(-30, 30, size=500)
    whole = np.concatenate([np.arange(-10, 1100), [5000, 4997, 65_535, 2**24 + 2]])
    for values in (numbers.astype(np.float32), whole.astype(np.float32)):
        assert bfloat16(values).tolist() == [nearest(float(value)) for value in values]


def test_bfloat16_holds_whole_numbers_to_256():
    whole = np.arange(-256, 257)
    assert (bfloat16(whole) == whole).all()
    assert bfloat16(257) == 256
    assert bfloat16(whole).dtype == np.float32


def test_bfloat16_refuses_what_it_cannot_hold():
    assert bfloat16([]).shape == (0,)
    largest = (2 - 2**-7) * 2.0**127
    assert bfloat16(largest) == largest
    with pytest.raises(ValueError, match=r"^numbers must be at most 3.39e\+38 in size, got 3.4e"):
        bfloat16(-3.4e38)
    with pytest.raises(ValueError, match=r"^numbers must be finite, got nan"):
        bfloat16([1, np.nan])


def test_the_tables_are_small_and_as_their_programs_made_them():
    tables = load_tables()
    assert {table.dtype for table in tables.values()} == {np.dtype(np.float32)}
    assert {table.shape for table in tables.values()} == {(40, 32), (24, 32)}
    assert np.allclose(tables["C"], sinusoidal(40, 32), rtol=0, atol=2.0**-24)
