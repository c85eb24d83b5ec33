"""Notebook 2: what hands can be trusted with, and the clock that is the formula."""

import numpy as np
import pytest

from posenc.encodings import CLOCK_PERIODS, angular_frequencies, clock, sinusoidal

from . import claim

PAGE = "02_clock"
SECONDS = np.arange(43_200)
NEAR = {"rtol": 0, "atol": 1e-12}


def read(bends):
    """Return what the three hands, bent by degrees, are read as at each second of half a day."""
    marks = [60, 60, 12]
    second, minute, hour = (
        SECONDS % period / period * count + bend * count / 360
        for period, count, bend in zip(CLOCK_PERIODS, marks, bends)
    )
    seconds = np.round(second) % 60
    minutes = np.round(minute - seconds / 60) % 60
    hours = np.round(hour - minutes / 60 - seconds / 3600) % 12
    return 3600 * hours + 60 * minutes + seconds


def distance(a, b, numbers=slice(None)):
    return np.linalg.norm((clock(a) - clock(b))[..., numbers], axis=-1)


@claim(PAGE, "never points the same way twice")
def the_hour_hand_is_somewhere_else_each_second(page):
    assert distance(SECONDS[1:], 0, slice(4, 6)).min() > 1e-4


@claim(PAGE, "The hour hand is nearly six minutes off")
def the_bent_hour_hand_says_nearly_six_minutes_more(page):
    assert 5.5 < 2.9 / 360 * 720 < 3 / 360 * 720 == 6


@claim(PAGE, "a bend too slight to see will make it pick the wrong one")
def half_a_second_of_the_hour_hand_is_a_240th_of_a_degree(page):
    degrees_a_second = 360 / 43_200
    assert degrees_a_second / 2 == pytest.approx(1 / 240)


@claim(PAGE, "as long as it's closer to the right mark than to the next one")
@pytest.mark.parametrize("bends", [(2.9, -2.9, 2.9), (2.9, 2.9, 2.9), (-2.9, 2.9, -2.9)])
def three_bent_hands_are_right_to_the_second(page, bends):
    assert (read(bends) == SECONDS).all()


@claim(PAGE, "closer to the right mark than to the next one.")
def more_than_three_degrees_throw_the_second_hand_off(page):
    assert (read((3.1, 0, 0)) != SECONDS).all()


@claim(PAGE, "At three o'clock only the hour hand isn't pointing straight up")
def two_hands_point_up_at_three(page):
    assert clock(3 * 3600).round(4).tolist() == [0, 1, 0, 1, 1, 0]


@claim(PAGE, "Only the hour hand gets it right")
def two_hands_say_that_the_later_moment_is_the_earlier(page):
    before, after = (
        np.array([moment % period for period in CLOCK_PERIODS]) / CLOCK_PERIODS
        for moment in (2 * 3600 + 44 * 60 + 30, 3 * 3600 + 60)
    )
    assert (after > before).tolist() == [False, False, True]
    assert (60 * before[:2]).tolist() == pytest.approx([30, 44.5])
    assert (60 * after[:2]).tolist() == pytest.approx([0, 1])


@claim(PAGE, "It's two seconds away, the short way around")
def almost_twelve_hours_later_is_nearer_than_five_minutes(page):
    assert distance(43_199, 1) == pytest.approx(distance(2, 0))
    assert distance(43_199, 1) < distance(301, 1)


@claim(PAGE, "because from there on its tip is on the way back")
def a_tip_moves_away_for_half_a_turn(page):
    away = distance(SECONDS, 0, slice(4, 6))
    assert (np.diff(away[:21_601]) > 0).all()
    assert (np.diff(away[21_600:]) < 0).all()


@claim(PAGE, "a hand can't tell you what came *before or after* any more")
def an_angle_grows_for_one_turn(page):
    x, y = clock(SECONDS)[:, 4:].T
    assert (np.diff(np.arctan2(x, y) % (2 * np.pi)) > 0).all()


@claim(PAGE, "At 3, even the last hand has been all the way around")
def the_last_hand_of_gears_of_three_makes_a_turn(page):
    turned = 200 / 3**3
    assert turned > 2 * np.pi


@claim(PAGE, "At 4 it's still green, if only just")
def the_last_hand_of_gears_of_four_stays_under_half_a_turn(page):
    assert 0.9 * np.pi < 200 / 4**3 < np.pi


@claim(PAGE, "it moves by 1.4 degrees in the whole text")
def the_last_hand_of_gears_of_twenty_hardly_moves(page):
    assert round(np.degrees(200 / 20**3), 1) == 1.4


@claim(PAGE, "**The Transformer's encoding is a regular clock.**")
def gears_of_ten_make_the_encoding_of_width_8(page):
    angles = np.arange(201)[:, None] / 10.0 ** np.arange(4)
    row = sinusoidal(201, 8)
    assert np.allclose(row[:, 0::2], np.sin(angles), **NEAR)
    assert np.allclose(row[:, 1::2], np.cos(angles), **NEAR)


@claim(PAGE, "Is there a ratio at which the bars fill all of them?")
def no_other_ratio_fills_the_outlines(page):
    row = sinusoidal(201, 8)
    for ratio in {*range(2, 21)} - {10}:
        angles = np.arange(201)[:, None] / float(ratio) ** np.arange(4)
        assert np.abs(np.sin(angles) - row[:, 0::2]).max() > 0.1


@claim(PAGE, "$$\\omega_k = g^{-k} = b^{-2k/d}.$$")
@pytest.mark.parametrize(("width", "base"), [(256, 10_000), (32, 100), (6, 1e6)])
def equal_gears_give_the_speeds_of_the_formula(page, width, base):
    gears = base ** (2 / width)
    speeds = gears ** -np.arange(width / 2)
    assert np.allclose(speeds, angular_frequencies(width, base=base), **NEAR)
    assert 1 / (speeds[-1] / gears) == pytest.approx(base)


@claim(PAGE, "np.allclose(speeds, angular_frequencies(256)), round(ratio, 4)")
def the_gears_of_width_256_are_finer(page):
    assert np.allclose(page["speeds"], angular_frequencies(256), **NEAR)
    assert round(page["ratio"], 4) == 1.0746


@claim(PAGE, "At width 256, that's 58,470")
def the_longest_wavelength_is_not_the_base(page):
    longest = 2 * np.pi / angular_frequencies(256)[-1]
    assert round(longest) == 58_470


@claim(PAGE, "It takes about 1333 positions to go around")
def three_turns_in_4000_positions(page):
    assert round(4000 / 3) == 1333
    assert 2 * 300 < 1333


@claim(PAGE, "a larger base slows every hand but the first")
def a_larger_base_slows_all_hands_but_the_first(page):
    small, large = (angular_frequencies(256, base=base) for base in (1e4, 1e5))
    assert small[0] == large[0] == 1
    assert (large[1:] < small[1:]).all()
    assert (np.diff(large / small) < 0).all(), "the last one most"


@claim(PAGE, "two of the new gears do the work of one old one")
def twice_the_width_takes_the_root_of_the_gears(page):
    wide, narrow = angular_frequencies(512), angular_frequencies(256)
    assert np.allclose(wide[::2], narrow, **NEAR)


@claim(PAGE, "are 0.105 apart, by their six numbers")
def the_most_similar_seconds_are_a_tenth_apart(page):
    # A shift keeps all distances, so those to 0 are all there are.
    assert round(distance(SECONDS[1:], 0).min(), 3) == 0.105


@claim(PAGE, "which is 0.157 for $P = 40$")
def a_hand_of_forty_seconds_has_larger_steps(page):
    assert round(2 * np.sin(np.pi / 40), 3) == 0.157


def hands_at(length, base):
    """Return how many hands of width 256 make half a turn, less, and next to nothing."""
    angles = length * angular_frequencies(256, base=base)
    over, idle = angles >= np.pi, angles < 0.1
    return [int(kind.sum()) for kind in (over, ~over & ~idle, idle)]


@claim(PAGE, "The slowest of them makes half a turn in 29,235 positions")
def no_hand_is_green_after_a_hundred_thousand_positions(page):
    assert np.pi / angular_frequencies(256)[-1] == pytest.approx(29_235, abs=0.5)
    assert hands_at(100_000, 1e4) == [128, 0, 0]


@claim(PAGE, "At a million, 31 are green again")
def a_base_of_a_million_has_hands_for_long_texts(page):
    assert hands_at(100_000, 1e6) == [97, 31, 0]


@claim(PAGE, "now 57 of the 128 hands are idle")
def a_base_of_a_million_leaves_hands_idle_in_short_texts(page):
    assert hands_at(200, 1e6)[2] == hands_at(10**2.3, 1e6)[2] == 57
    assert hands_at(200, 100)[2] == 0


@claim(PAGE, "as an hour hand does in ten minutes")
def an_hour_hand_moves_less_than_a_tenth_of_a_radian_in_ten_minutes(page):
    assert 0.08 < 2 * np.pi * 10 / 720 < 0.1


@claim(PAGE, "spoiled rows are easier to recognize at 100 than at 10,000")
@pytest.mark.parametrize("seed", range(3))
def noisy_rows_are_found_more_often_at_the_smaller_base(page, seed):
    found = []
    for base in (100, 10_000):
        table = sinusoidal(1000, 60, base=base)
        noisy = np.random.default_rng(seed).normal(table, 1)
        found.append(np.mean((noisy @ table.T).argmax(axis=1) == np.arange(1000)))
    assert found[0] > found[1] + 0.1
