"""Rules for longer texts, beside the formulas in mpmath and loops that know no arrays.

`test_peers.py` compares with what other programs compute.
"""

import math

import mpmath
import numpy as np
import pytest

from posenc import long_context as rules
from posenc.encodings import angular_frequencies
from posenc.shifts import shift_matrix

SIZES = [(8, 10_000, 50), (32, 10_000, 32), (128, 10_000, 4096), (128, 500_000, 8192)]
each_size = pytest.mark.parametrize(("width", "base", "length"), SIZES)


@each_size
def test_turns_are_counted_as_a_clock_makes_them(width, base, length):
    for k, found in enumerate(rules.turns(angular_frequencies(width, base=base), length)):
        wavelength = 2 * mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(2 * k) / width)
        assert math.isclose(found, length / wavelength, rel_tol=1e-13)


def test_a_hand_that_turns_exactly_once_has_finished():
    found = rules.unfinished([0.1, 2 * np.pi / 10, 2 * np.pi / 11], 10)
    assert found.tolist() == [True, False, True]
    assert found.dtype == bool


@pytest.mark.parametrize("offset", [1, 24, -100.5])
def test_interpolation_is_the_old_turn_of_a_shorter_offset(offset):
    frequencies = angular_frequencies(16)
    expected = shift_matrix(frequencies, offset / 8)
    found = shift_matrix(rules.interpolate(frequencies, 8), offset)
    assert np.allclose(found, expected, atol=1e-14)


@pytest.mark.parametrize("stretch", [1, 1.5, 8, 100])
@pytest.mark.parametrize(("width", "base"), [(4, 10_000), (32, 10_000), (128, 500_000)])
def test_a_larger_base_slows_the_last_hand_so_often_and_the_first_never(width, base, stretch):
    before = angular_frequencies(width, base=base)
    after = angular_frequencies(width, base=rules.ntk_base(base, width, stretch))
    assert after[0] == before[0] == 1
    for k, slowed in enumerate(before / after):
        expected = mpmath.mpf(stretch) ** (mpmath.mpf(2 * k) / (width - 2))
        assert math.isclose(slowed, expected, rel_tol=1e-13)


@each_size
@pytest.mark.parametrize(("low", "high"), [(1, 4), (1, 32), (0, 1), (0.5, 0.6)])
def test_each_hand_by_its_part(width, base, length, low, high):
    frequencies = angular_frequencies(width, base=base)
    for before, after in zip(frequencies, rules.by_parts(frequencies, length, 8, low, high)):
        made = length * before / (2 * math.pi)
        kept = 0 if made <= low else 1 if made >= high else (made - low) / (high - low)
        assert math.isclose(after, kept * before + (1 - kept) * before / 8, rel_tol=1e-14)
