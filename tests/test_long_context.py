"""Rules for longer texts, compared with the formulas in mpmath and plain loops.

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
    for k, turns in enumerate(rules.turns(angular_frequencies(width, base=base), length)):
        wavelength = 2 * mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(2 * k) / width)
        assert math.isclose(turns, length / wavelength, rel_tol=1e-13)


def test_a_hand_that_turns_exactly_once_has_finished():
    unfinished = rules.unfinished([0.1, 2 * np.pi / 10, 2 * np.pi / 11], 10)
    assert unfinished.tolist() == [True, False, True]
    assert unfinished.dtype == bool


@pytest.mark.parametrize("offset", [1, 24, -100.5])
def test_interpolation_is_the_old_turn_of_a_shorter_offset(offset):
    frequencies = angular_frequencies(16)
    expected = shift_matrix(frequencies, offset / 8)
    matrix = shift_matrix(rules.interpolate(frequencies, 8), offset)
    assert np.allclose(matrix, expected, atol=1e-14)


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
        turns = length * before / (2 * math.pi)
        share = 0 if turns <= low else 1 if turns >= high else (turns - low) / (high - low)
        assert math.isclose(after, share * before + (1 - share) * before / 8, rel_tol=1e-14)


def by_yarn(width, base, length, stretch, fast, slow, truncate):
    """Return YaRN's frequencies, one hand at a time, in mpmath."""
    frequencies = []
    first, last = (
        width * mpmath.log(length / (beta * 2 * mpmath.pi)) / (2 * mpmath.log(base))
        for beta in (fast, slow)
    )
    if truncate:
        first, last = mpmath.floor(first), mpmath.ceil(last)
    first, last = max(first, 0), min(last, width - 1)
    for k in range(width // 2):
        frequency = mpmath.mpf(base) ** (-mpmath.mpf(2 * k) / width)
        share = 0 if k <= first else 1 if k >= last else (k - first) / (last - first)
        frequencies.append(float(frequency * (1 - share) + frequency / stretch * share))
    return frequencies


@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize(("fast", "slow"), [(32, 1), (4, 1), (100, 0.1)])
@pytest.mark.parametrize(
    ("width", "base", "length"), [*SIZES, (64, 150_000, 4096), (8, 100, 60_000)]
)
def test_yarn_mixes_evenly_from_hand_to_hand(width, base, length, fast, slow, truncate):
    frequencies = angular_frequencies(width, base=base)
    mixed = rules.yarn(frequencies, length, 32, beta_fast=fast, beta_slow=slow, truncate=truncate)
    expected = by_yarn(width, base, length, 32, fast, slow, truncate)
    np.testing.assert_allclose(mixed, expected, rtol=1e-11)


def test_yarn_sharpens_by_the_ratio_of_two_scales():
    assert math.isclose(rules.yarn_attention(8), 0.1 * math.log(8) + 1)
    assert rules.yarn_attention(1) == rules.yarn_attention(40, mscale=1, mscale_all_dim=1) == 1
    for name in ("mscale", "mscale_all_dim"):
        assert rules.yarn_attention(8, **{name: 0.5}) == rules.yarn_attention(8)
    factor = rules.yarn_attention(40, mscale=1, mscale_all_dim=0.707)
    assert math.isclose(factor, (0.1 * math.log(40) + 1) / (0.0707 * math.log(40) + 1))


def test_longrope_slows_each_hand_by_its_own_factor():
    assert np.allclose(rules.longrope([1, 0.1], [4, 5]), [0.25, 0.02], rtol=1e-15)


@pytest.mark.parametrize(("share", "moving"), [(0, 0), (0.1, 0), (0.25, 1), (0.99, 3), (1, 4)])
def test_proportional_stops_all_hands_but_the_first(share, moving):
    speeds = rules.proportional([1, 0.1, 0.01, 0.001], share, stretch=2)
    assert speeds.tolist() == [0.5, 0.05, 0.005, 0.0005][:moving] + [0] * (4 - moving)
