"""The rule of given speeds: make speeds by a rule, and name it and its parameters."""

import math

import numpy as np
import pytest

from posenc.encodings import angular_frequencies
from posenc.layouts import bfloat16
from posenc.long_context import by_parts, interpolate, ntk_base, proportional, turns, yarn
from posenc.rules import which_rule

each_type = pytest.mark.parametrize("rounded", [np.float64, np.float32, bfloat16])
PRECISE = {np.float64: 1e-9, np.float32: 2e-3}


def draws(seed, cases=15):
    """Yield a generator, speeds of a head, its base, the length of a text, and a factor."""
    rng = np.random.default_rng(seed)
    for _ in range(cases):
        count, base = rng.choice([16, 32, 64]), 10 ** rng.uniform(3, 6)
        own, length = (
            angular_frequencies(2 * int(count), base=base),
            int(rng.integers(1024, 200_000)),
        )
        yield rng, own, base, length, rng.choice([2, 4, 8, 40, rng.uniform(1.5, 64)])


def told(speeds, base, length, name, rtol=1e-9, **truth):
    """Check name, parameters and speeds of a rule, and return it."""
    rule = which_rule(speeds, base, length).rule
    assert rule.name == name
    np.testing.assert_allclose(rule.speeds(2 * len(speeds)), speeds, rtol=2.0**-6)
    for key in truth.keys() - set(rule.undetermined):
        assert math.isclose(rule.parameters[key], truth[key], rel_tol=rtol), (key, str(rule))
    return rule


def test_speeds_slowed_alike_are_linear():
    for _, own, base, length, factor in draws(0):
        rule = told(
            np.float32(interpolate(own, factor)), base, length, "linear", 1e-4, factor=factor
        )
        assert not rule.undetermined


def test_a_larger_base_is_named_by_its_size():
    for _, own, base, length, factor in draws(1):
        larger = ntk_base(base, 2 * len(own), factor)
        speeds = np.float32(angular_frequencies(2 * len(own), base=larger))
        told(speeds, base, length, "default", 1e-4, rope_theta=larger)


@pytest.mark.parametrize("rounded", PRECISE)
@pytest.mark.parametrize("rule", ["llama3", "yarn"])
@pytest.mark.parametrize("truncate", [True, False])
def test_both_borders_are_found(rounded, rule, truncate):
    for rng, own, base, length, factor in draws(2):
        low = rng.uniform(0.2, 4)
        high = low * rng.uniform(3, 60)
        seen = turns(own, length)
        if ((seen > low) & (seen < high)).sum() < 5:
            continue
        if rule == "llama3":
            speeds = by_parts(own, length, factor, low, high)
            truth = {"low_freq_factor": low, "high_freq_factor": high}
        else:
            truth = {"beta_fast": high, "beta_slow": low, "truncate": truncate}
            speeds = yarn(own, length, factor, **truth)
        found = told(rounded(speeds), base, length, rule, PRECISE[rounded], factor=factor, **truth)
        assert ("factor" in found.undetermined) <= (seen[-2] >= 0.9 * low)


@pytest.mark.parametrize("part", [True, False])
def test_hands_that_stand_are_the_rest_of_a_head(part):
    for rng, own, base, length, _ in draws(3):
        turned = int(rng.integers(2, 16))
        speeds = proportional(own, (turned + 0.5) / len(own))
        if part:  # of which the hands that turn are a whole head
            speeds[:turned] = angular_frequencies(2 * turned, base=base)
        rule = told(speeds, base, length, "default" if part else "proportional", rope_theta=base)
        assert rule.undetermined == ("partial_rotary_factor",)


@each_type
def test_the_usual_settings_are_found_in_each_precision(rounded):
    llama, gpt = angular_frequencies(128, base=500_000), angular_frequencies(64, base=150_000)
    told(rounded(llama), 500_000, 8192, "default")
    told(rounded(llama / 4), 500_000, 8192, "linear", factor=4)
    if rounded is bfloat16:
        assert which_rule(bfloat16(yarn(gpt, 4096, 32)), 150_000, 4096).rule is None
        return
    speeds = rounded(by_parts(llama, 8192, 8, 1, 4))
    told(speeds, 500_000, 8192, "llama3", factor=8, low_freq_factor=1, high_freq_factor=4)
    told(rounded(yarn(gpt, 4096, 32)), 150_000, 4096, "yarn", factor=32)


def test_a_list_of_factors_is_given_back():
    for rng, own, base, length, _ in draws(4):
        factors = rng.uniform(1, 30, len(own))
        found = which_rule(own / factors, base, length)
        assert found.rule is None
        np.testing.assert_allclose(found.factors, factors, rtol=1e-12)
        assert str(found).startswith("no closed rule was found; hands are slowed ")


@pytest.mark.parametrize(("high", "low"), [(4, 1), (300, 30), (1000, 0.1)])
def test_parameters_that_may_be_others_are_named(high, low):
    own = angular_frequencies(8)  # which turn 1304, 130, 13 and 1.3 times
    rule = told(by_parts(own, 8192, 8, low, high), 10_000, 8192, "llama3", factor=8)
    open_ones = {"high_freq_factor", "low_freq_factor"} if high < 1000 else set()
    if low < 10:  # no second hand is slowed by the whole factor
        open_ones |= {"factor", "low_freq_factor"}
    assert set(rule.undetermined) == open_ones


def test_a_rule_is_printed_in_a_line():
    line = str(which_rule(yarn(angular_frequencies(128), 4096, 8), 10_000, 4096))
    assert line.startswith("yarn: rope_theta 10000.0, original_max_position_embeddings 4096, ")
    assert line.endswith(
        "factor 8.0, beta_fast 32.0, beta_slow 1.0; not determined: beta_fast, beta_slow"
    )
