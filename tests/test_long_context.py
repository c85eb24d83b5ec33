"""Rules for longer texts, beside the formulas in mpmath and loops that know no arrays."""

import math

import mpmath
import numpy as np
import pytest
from test_peers import recorded

from posenc.encodings import angular_frequencies, sinusoidal_by_definition
from posenc.long_context import (
    alibi_bias,
    alibi_slopes,
    by_parts,
    interpolate,
    ntk_base,
    turns,
    unfinished,
    yarn_sharpness,
)
from posenc.shifts import shift_matrix

LLAMA_2 = (angular_frequencies(128), 4096)
LLAMA_3 = (angular_frequencies(128, base=500_000), 8192)
SIZES = [(8, 10_000, 50), (32, 10_000, 32), (128, 10_000, 4096), (128, 500_000, 8192)]
each_size = pytest.mark.parametrize(("width", "base", "length"), SIZES)


# --- turns ---


@each_size
def test_turns_are_counted_as_a_clock_makes_them(width, base, length):
    for k, found in enumerate(turns(angular_frequencies(width, base=base), length)):
        wavelength = 2 * mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(2 * k) / width)
        assert math.isclose(found, length / wavelength, rel_tol=1e-13)


@pytest.mark.parametrize(
    ("frequencies", "length", "count"),
    [
        (*LLAMA_2, 18),
        (*LLAMA_3, 29),
        (LLAMA_3[0], 131_072, 15),
        ([2 * np.pi / 10], 10, 0),
        ([2 * np.pi / 10], 9, 1),
    ],
)
def test_hands_without_a_turn(frequencies, length, count):
    found = unfinished(frequencies, length)
    assert found.dtype == bool
    assert found.sum() == count
    assert found[len(found) - count :].all()


# --- rules for the hands ---


def test_interpolation_is_the_old_turn_of_a_shorter_offset():
    frequencies = angular_frequencies(16)
    slower = interpolate(frequencies, 8)
    for offset in (1, 24, -100.5):
        expected = shift_matrix(frequencies, offset / 8)
        assert np.allclose(shift_matrix(slower, offset), expected, atol=1e-14)
    table = sinusoidal_by_definition(33, 16)
    row = np.stack([np.sin(24 * slower), np.cos(24 * slower)], axis=1).ravel()
    assert np.allclose(row, table[3])  # place 24 is called 3


@pytest.mark.parametrize("stretch", [1, 1.5, 8, 100])
@pytest.mark.parametrize(("width", "base"), [(4, 10_000), (32, 10_000), (128, 500_000)])
def test_a_larger_base_slows_the_last_hand_so_often_and_the_first_never(width, base, stretch):
    before = angular_frequencies(width, base=base)
    after = angular_frequencies(width, base=ntk_base(base, width, stretch))
    assert after[0] == before[0] == 1
    for k, slowed in enumerate(before / after):
        expected = mpmath.mpf(stretch) ** (mpmath.mpf(2 * k) / (width - 2))
        assert math.isclose(slowed, expected, rel_tol=1e-13)
    assert math.isclose(before[-1] / after[-1], stretch, rel_tol=1e-13)


def test_the_base_of_the_exercise_in_notebook_2_grows_by_the_same_rule():
    def smallest_base(length, width):
        return (length / np.pi) ** (width / (width - 2))

    longer = ntk_base(smallest_base(500, 64), 64, 8)
    assert math.isclose(longer, smallest_base(4000, 64), rel_tol=1e-13)
    assert round(ntk_base(10_000, 128, 8), 2) == 82_684.62


def parts_one_by_one(frequencies, length, stretch, low, high):
    found = []
    for frequency in frequencies:
        wavelength = 2 * math.pi / frequency
        if length / wavelength >= high:
            found.append(frequency)
        elif length / wavelength <= low:
            found.append(frequency / stretch)
        else:
            kept = (length / wavelength - low) / (high - low)
            found.append(kept * frequency + (1 - kept) * frequency / stretch)
    return found


@each_size
@pytest.mark.parametrize(("low", "high"), [(1, 4), (1, 32), (0, 1), (0.5, 0.6)])
def test_each_hand_by_its_part(width, base, length, low, high):
    frequencies = angular_frequencies(width, base=base)
    found = by_parts(frequencies, length, 8, low, high)
    expected = parts_one_by_one(frequencies, length, 8, low, high)
    assert np.allclose(found, expected, rtol=1e-14, atol=0)
    assert (np.diff(found) < 0).all()


def test_llama_3_leaves_29_hands_mixes_6_and_slows_29():
    slowed = LLAMA_3[0] / by_parts(*LLAMA_3, 8, 1, 4)
    assert (np.isclose(slowed, 1).sum(), np.isclose(slowed, 8).sum()) == (29, 29)


def test_a_stretch_of_one_changes_nothing():
    frequencies, length = LLAMA_2
    assert np.array_equal(interpolate(frequencies, 1), frequencies)
    assert ntk_base(10_000, 128, 1) == 10_000
    assert np.allclose(by_parts(frequencies, length, 1, 1, 32), frequencies, rtol=1e-15)
    assert yarn_sharpness(1) == 1


@pytest.mark.parametrize("stretch", [1, 2, 8, 32])
def test_the_scores_are_sharpened(stretch):
    root = mpmath.log(stretch) / 10 + 1
    assert math.isclose(yarn_sharpness(stretch), root * root, rel_tol=1e-14)
    assert type(yarn_sharpness(stretch)) is float


# --- ALiBi ---


@pytest.mark.parametrize("power", range(8))
def test_slopes_fall_by_one_ratio_to_a_256th(power):
    heads = 2**power
    slopes = alibi_slopes(heads)
    expected = [mpmath.mpf(256) ** (-mpmath.mpf(i) / heads) for i in range(1, heads + 1)]
    assert np.allclose(slopes, np.array(expected, float), rtol=1e-15, atol=0)
    assert slopes[-1] == 1 / 256


def test_other_numbers_of_heads_borrow_from_the_next_power_of_two():
    assert np.array_equal(alibi_slopes(3), [2**-4, 2**-8, 2**-2])
    assert np.array_equal(alibi_slopes(6)[:4], alibi_slopes(4))
    assert np.array_equal(alibi_slopes(6)[4:], alibi_slopes(8)[[0, 2]])
    assert all(len(alibi_slopes(heads)) == heads for heads in range(1, 40))


def test_each_position_of_distance_costs_the_slope():
    bias = alibi_bias(5, 0.25)
    for s in range(5):
        for t in range(5):
            assert bias[s, t] == -0.25 * abs(s - t)
    assert alibi_bias(0, 1).shape == (0, 0)


# --- what programs compute ---

EXACT = {"rtol": 1e-12, "atol": 0}
# A few operations in float32, each of which rounds by 2**-24 of its result.
ROUNDED = {"rtol": 8 * 2.0**-24, "atol": 0}


def evenly_by_parts(frequencies, length, stretch, low, high, truncated):
    """Mix evenly in k, as YaRN's program does, where the paper mixes evenly in turns."""
    base = frequencies[0] / frequencies[1]  # the gear ratio
    ends = [math.log(length * frequencies[0] / (2 * math.pi * at), base) for at in (high, low)]
    first, last = (math.floor(ends[0]), math.ceil(ends[1])) if truncated else ends
    kept = 1 - np.clip((np.arange(len(frequencies)) - first) / (last - first), 0, 1)
    return (1 - kept) * frequencies / stretch + kept * frequencies


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("default", LLAMA_2[0]),
        ("llama3_default", LLAMA_3[0]),
        ("linear", interpolate(LLAMA_2[0], 8)),
        # Told the factor 1, and to read 8 times the trained length, it stretches 8 times ...
        ("dynamic_factor_1", angular_frequencies(128, base=ntk_base(10_000, 128, 8))),
        # ... and told the factor 8, 8 · 8 - 7 times.
        ("dynamic_factor_8", angular_frequencies(128, base=ntk_base(10_000, 128, 57))),
        ("llama3", by_parts(*LLAMA_3, 8, 1, 4)),
    ],
)
def test_the_hands_are_those_of_transformers(kind, expected):
    found = recorded("transformers")
    assert np.allclose(found[f"frequencies_{kind}_double"], expected, **EXACT)
    assert np.allclose(found[f"frequencies_{kind}"], expected, **ROUNDED)
    assert found[f"factor_{kind}"] == 1


@pytest.mark.parametrize("kind", ["yarn", "yarn_not_truncated"])
def test_yarn_in_transformers_is_the_same_but_for_the_mixed_hands(kind):
    # Its ramp is computed in float32, even where the rest is not.
    found = recorded("transformers")[f"frequencies_{kind}_double"]
    even = evenly_by_parts(*LLAMA_2, 8, 1, 32, truncated=kind == "yarn")
    assert np.allclose(found, even, **ROUNDED)
    ours, often, seldom = by_parts(*LLAMA_2, 8, 1, 32), turns(*LLAMA_2) > 33, unfinished(*LLAMA_2)
    assert np.allclose(found[often], ours[often], **ROUNDED)
    assert np.allclose(found[seldom], ours[seldom], **ROUNDED)
    assert np.abs(found / ours - 1).max() > 1
    # Cosines and sines are multiplied by the root: once in a query, once in a key.
    assert math.isclose(recorded("transformers")[f"factor_{kind}"] ** 2, yarn_sharpness(8))


@pytest.mark.parametrize("heads", [4, 8, 12])
def test_the_slopes_are_those_of_x_transformers(heads):
    found = recorded("x-transformers")[f"alibi_slopes_{heads}"]
    assert np.allclose(found.ravel(), alibi_slopes(heads), **ROUNDED)


def test_the_bias_is_that_of_x_transformers():
    expected = [alibi_bias(6, slope) for slope in alibi_slopes(12)]
    assert np.allclose(recorded("x-transformers")["alibi_bias_12"], expected, **ROUNDED)


# --- what is refused ---

W = [1.0, 0.1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: interpolate(W, 0.5), ValueError, "stretch must be a number of at least 1, got 0"),
        (lambda: ntk_base(10_000, 8, 0), ValueError, "stretch must be a number of at least 1"),
        (lambda: by_parts(W, 10, -8, 1, 4), ValueError, "stretch must be .* at least 1, got -8"),
        (lambda: yarn_sharpness(0.9), ValueError, "stretch must be a number of at least 1, got 0"),
        (lambda: yarn_sharpness("8"), TypeError, "stretch must be a real number, got '8'"),
        (lambda: by_parts(W, 10, 8, 4, 1), ValueError, "low must be below high, got low 4.0 and h"),
        (lambda: by_parts(W, 10, 8, 4, 4), ValueError, "low must be below high, got low 4.0 and h"),
        (lambda: by_parts(W, 10, 8, -1, 4), ValueError, "low must be a number of at least 0, got"),
        (lambda: by_parts(W, 0, 8, 1, 4), ValueError, "length must be a positive integer, got 0"),
        (lambda: by_parts([], 9, 8, 1, 4), ValueError, "frequencies must have shape .* one pair"),
        (lambda: unfinished(W, 2.5), TypeError, "length must be a positive integer, got 2.5"),
        (lambda: turns([[1.0]], 9), ValueError, "frequencies must have shape"),
        (lambda: ntk_base(1, 8, 2), ValueError, "base must be a number above 1, got 1.0"),
        (lambda: ntk_base(9, 7, 2), ValueError, "width must be an even integer of at least 4, got"),
        (lambda: ntk_base(9, 2, 2), ValueError, "width must be an even integer of at least 4, got"),
        (lambda: ntk_base(9, 8.0, 2), TypeError, "width must be an even integer of at least 4, go"),
        (lambda: alibi_slopes(0), ValueError, "heads must be a positive integer, got 0"),
        (lambda: alibi_bias(-1, 1), ValueError, "length must be a non-negative integer, got -1"),
        (lambda: alibi_bias(3, -0.5), ValueError, "slope must be a number of at least 0, got -0.5"),
    ],
)
def test_what_makes_no_sense_is_named(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
