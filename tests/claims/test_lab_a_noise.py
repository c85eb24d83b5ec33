"""Lab A: what holds of noise and codes, with other draws than the page's."""

import math
from functools import cache
from math import erf
from statistics import NormalDist

import numpy as np
import pytest
from oracles import table_by_loop

from posenc.encodings import CLOCK_PERIODS, binary, clock

from . import claim

PAGE = "lab_a_noise"
POSITIONS, NOISES = np.arange(1000), (1, 1.5, 2)
FRESH = range(100, 130)  # the page draws 0 to 39
BASES = (2, 3, 10, 30, 100, 300, 1000, 10_000, 100_000)


@cache
def code_of(name, draw=0):
    """Return a code, made in another way than on the page: waves by their base, or by name."""
    if name == "dice":
        return np.random.default_rng([9, draw]).integers(0, 2, (1000, 60)) * 2.0 - 1
    if name == "bits":
        return np.array([[2.0 * (t >> i & 1) - 1 for i in range(10)] * 6 for t in POSITIONS])
    if name == "centered":
        waves = code_of(10_000)
        waves = waves - waves.mean(axis=0)
        return waves / np.sqrt(np.mean(waves**2))
    return np.sqrt(2) * table_by_loop(1000, 60, name)


@cache
def off(name, noise=1.5, draws=FRESH):
    """Return how far each answer is off, in fresh draws of the noise and of the dice."""
    misses = []
    for draw in draws:
        code = code_of(name, draw if name == "dice" else 0)
        received = np.random.default_rng([7, draw]).normal(code, noise)
        squares = (received**2).sum(axis=1)[:, None] + (code**2).sum(axis=1)
        misses.append(abs((squares - 2 * received @ code.T).argmin(axis=1) - POSITIONS))
    return np.array(misses)


def share(wrong):
    """Return the percentage in each draw."""
    return 100 * wrong.mean(axis=1)


def right(name, noise=1.5):
    return share(off(name, noise) == 0)


def far(name, noise=1.5):
    return share(off(name, noise) > 5)


def near_if_wrong(name, noise=1.5):
    misses = off(name, noise)
    return 100 * (np.sum(misses <= 5) - np.sum(misses == 0)) / np.sum(misses > 0)


def distances(name, position=500):
    apart = np.linalg.norm(code_of(name) - code_of(name)[position], axis=1)
    apart[position] = np.inf
    return apart


# Which are compared with each other on the page: dice, the counter, and the waves of its figure.
WAVES = (10, 100, 10_000, "centered")


@claim(PAGE, "while the paper's waves are wrong more often but mostly just blur the diagonal")
def many_wrong_bits_are_stripes_in_the_draw_that_is_shown(page):
    misses = {}
    for name in ("ten bits, six times", "waves, base 10\u202f000"):
        misses[name] = page["errors"](page["codes"][name], 0)[5::10]
    stripes, blur = misses.values()
    assert np.isin(stripes[stripes > 5], [64, 256, 512]).mean() > 0.4
    assert (blur > 0).sum() > (stripes > 0).sum()
    assert np.median(blur[blur > 0]) <= 5 < np.median(stripes[stripes > 0])


@claim(PAGE, "Sixty random bits, rolled for each position")
def the_marks_of_the_first_picture_are_read_in_draw_0(page):
    codes = page["first"]
    for noise in NOISES:
        random = np.random.default_rng(0).standard_normal((1000, 60))
        for code in codes.values():
            apart = np.linalg.norm(code[5] + noise * random[5] - code, axis=1)
            assert apart.argmin() == page["nearest"](code[[5]] + noise * random[[5]], code)[0]


@claim(PAGE, "Every code has a thousand rows of sixty numbers, with a mean square of 1")
def all_codes_are_equally_loud(page):
    for code in page["first"].values():
        assert code.shape == (1000, 60)
        assert np.mean(code**2) == pytest.approx(1)
    assert np.allclose(page["codes"]["waves, base 10\u202f000"], code_of(10_000), atol=1e-9)
    assert np.allclose(page["codes"]["base 10\u202f000, centered"], code_of("centered"), atol=1e-9)
    assert (page["codes"]["ten bits, six times"] == code_of("bits")).all()


@claim(PAGE, "In a typical draw the dice get 94 % of the positions right")
def dice_get_94_percent_right(page):
    assert 93 < np.median(right("dice")) < 95
    assert round(np.median(100 * (page["answers"]["sixty random bits"] == 0).mean(axis=1))) == 94


@claim(PAGE, "even their worst draw beats the best of every other code here")
def the_worst_draw_of_dice_beats_all_others(page):
    worst = right("dice").min()
    assert all(worst > right(name).max() for name in ("bits", *WAVES))


@claim(
    PAGE, "about two out of three wrong answers from the paper's waves are within five positions"
)
def two_of_three_misses_of_the_waves_are_near(page):
    assert 64 < near_if_wrong(10_000) < 72
    assert near_if_wrong("dice") < 3


@claim(PAGE, "Dice are right most often, and when the answer is wrong, waves come closest")
@pytest.mark.parametrize("noise", [1, 1.5, 2])
def dice_are_right_most_often_and_waves_miss_by_least(page, noise):
    others = [np.median(right(name, noise)) for name in ("bits", *WAVES)]
    assert np.median(right("dice", noise)) > max(others)
    misses = {name: off(name, noise) for name in ("dice", "bits", *WAVES)}
    typical = {name: np.median(miss[miss > 0]) for name, miss in misses.items()}
    assert max(typical[name] for name in WAVES) < typical["bits"] < typical["dice"]
    rivals = max(near_if_wrong(name, noise) for name in ("dice", "bits"))
    assert min(near_if_wrong(name, noise) for name in WAVES) > rivals + 10


@claim(PAGE, "they miss by more than five three times as often as the dice")
def the_waves_miss_by_more_than_five_three_times_as_often(page):
    assert 2.7 < np.mean(far(10_000)) / np.mean(far("dice")) < 3.3


@claim(PAGE, "the nearest is 8.4 away with dice, on average, it's only 2.0 away with base 10 000")
def dice_have_room(page):
    dice = [distances("dice", position).min() for position in range(0, 1000, 5)]
    assert np.mean(dice) == pytest.approx(8.4, abs=0.1)
    assert distances(10_000).min() == pytest.approx(2.03, abs=0.005)


@claim(PAGE, "the rows that crowd a row are its neighbors")
def the_nearest_rows_of_waves_are_next_door(page):
    for name in WAVES:
        for position in (1, 400, 777):
            apart = distances(name, position)
            assert sorted(apart.argsort()[:2] - position) == [-1, 1]
            assert apart[abs(POSITIONS - position) > 5].min() > 2 * apart.min()


@claim(PAGE, "Ten bits: ten rows come equally close, some of them from far away. Dice: none")
def ten_rows_are_equally_near_in_a_counter(page):
    apart = distances("bits", 400)
    assert np.flatnonzero(apart == apart.min()).tolist() == sorted(400 ^ 1 << i for i in range(10))
    assert distances("dice", 400).min() > 7


@claim(PAGE, "base 10 has less of it than the bits and still does better")
def base_10_has_less_room_and_does_better(page):
    assert distances(10).min() < distances("bits").min()
    assert right(10).min() > right("bits").max()


@claim(PAGE, "With all 1024 rows of a ten-bit counter, the 0.59 would be exact")
def ten_bits_are_read_one_by_one(page):
    signs = np.tile(2.0 * binary(1024) - 1, 6)
    received = np.random.default_rng(8).normal(signs, 1.5)
    by_bit = (received.reshape(1024, 6, 10).sum(axis=1) > 0) @ 2 ** np.arange(10)
    nearest = (received @ signs.T).argmax(axis=1)
    assert (by_bit == nearest).all()
    exact = NormalDist().cdf(np.sqrt(6) / 1.5) ** 10  # six copies add up
    assert page["safe"](2 * np.sqrt(6)) ** 10 == pytest.approx(exact)
    assert round(exact, 2) == 0.59


@claim(PAGE, "The draws said 0.60 and 0.75")
def draws_agree_with_the_products(page):
    for name, mine, product in (("bits", 60, 59), (10, 75, 77)):
        assert abs(np.mean(right(name)) - product) < 3
        key = {"bits": "ten bits, six times", 10: "waves, base 10"}[name]
        assert round(np.median(100 * (page["answers"][key] == 0).mean(axis=1))) == mine


@claim(PAGE, "For the exact position, 2 is the best we tried")
@pytest.mark.parametrize("noise", [1, 1.5, 2])
def a_smaller_base_is_more_often_exact(noise):
    typical = [np.median(right(base, noise)) for base in BASES]
    assert (np.diff(typical) < 0).all()


@claim(PAGE, "to be within five, anything from 10 to 100 will do")
def bases_10_to_100_miss_least_by_more_than_five(page):
    misses = {base: np.mean(far(base)) for base in BASES}
    flat = [misses.pop(base) for base in (10, 30, 100)]
    assert max(flat) < min(misses.values())
    assert np.ptp(flat) < 0.8


@claim(PAGE, "a base up to 100 does no better than a coin")
def small_bases_guess_which_of_two_positions_is_nearer(page):
    for base in BASES:
        fresh = [page["misjudged"](code_of(base), draw) for draw in range(50, 60)]
        if base <= 100:
            assert np.mean(fresh) > 48
        else:
            assert np.mean(fresh) < 33 if base == 300 else np.mean(fresh) < 24


@claim(PAGE, "its slowest hand is home before the table ends. For that you need 1000 or more")
def slow_hands_stay_under_half_a_turn_from_1000_on(page):
    turns = {base: 1000 * base ** (-58 / 60) / (2 * np.pi) for base in BASES}
    assert all(turns[base] > 1 for base in BASES if base <= 100)
    assert turns[300] > 0.5 > turns[1000]


@claim(PAGE, "A third of the loudness of base 10 000 is the same in every row")
def a_third_of_the_mean_square_is_constant(page):
    assert np.mean(code_of(10_000).mean(axis=0) ** 2) == pytest.approx(1 / 3, abs=0.005)


@claim(PAGE, "it climbs from 42 % right to 56 %")
def centering_helps(page):
    assert np.mean(right(10_000)) == pytest.approx(42, abs=1)
    assert np.mean(right("centered")) == pytest.approx(56, abs=1)


@claim(PAGE, "Base 100 beats base 10 000 every time, by about 15 points")
@pytest.mark.parametrize(("noise", "least"), [(1, 0), (1.5, 10), (2, 15)])
def base_100_beats_10_000(noise, least):
    lead = far(10_000, noise) - far(100, noise)
    assert lead.min() > least
    assert noise != 1.5 or 13.5 < lead.mean() < 16.5


@claim(PAGE, "Base 10 keeps a little ahead of the dice, but at noise 1 even that's gone")
def base_10_is_ahead_of_dice_where_noise_does_harm(page):
    lead = far("dice") - far(10)
    assert lead.min() > -0.5
    assert 1.5 < lead.mean() < 3.5
    assert far("dice", 1).max() < 0.5
    assert far(10, 1).max() < 0.5
    assert ((page["close"]["base 10"] - page["close"]["random bits"]) > 0).all()


@claim(PAGE, "bases 10, 30, and 100 keep trading places")
def three_bases_trade_places():
    for one, other in ((30, 10), (100, 30)):
        lead = far(other) - far(one)
        assert min((lead > 0).sum(), (lead < 0).sum()) > 3


@claim(PAGE, "base 30 did turn out to lead base 10 by a little less than half a percentage point")
def base_30_leads_by_little():
    draws = range(1000, 1200)
    lead = share(off(10, 1.5, draws) > 5) - share(off(30, 1.5, draws) > 5)
    error = lead.std() / np.sqrt(len(draws))
    assert 3 * error < lead.mean()
    assert abs(lead.mean() - 0.44) < 3 * error


@claim(PAGE, "A fair coin comes down heads at least 13 times out of 20 about once in eight tries")
def thirteen_heads_are_no_surprise():
    chance = sum(math.comb(20, heads) for heads in range(13, 21)) / 2**20
    assert 7 < 1 / chance < 8.5


@claim(PAGE, "With waves, one matrix moves every row on, and with dice there's no such matrix")
def no_matrix_moves_dice_on():
    for name, least, most in ((10_000, 0, 1e-9), ("dice", 10, np.inf)):
        code = code_of(name)
        matrix = np.linalg.lstsq(code[:-1], code[1:])[0]
        missed = np.abs(code[:-1] @ matrix - code[1:]).sum(axis=1).max()
        assert least <= missed <= most


@claim(PAGE, "With ±1, and with waves that aren't centered, it finds the nearest row")
def rows_of_one_length_need_no_second_step():
    for name in ("dice", "bits", 10, 10_000):
        lengths = np.linalg.norm(code_of(name), axis=1)
        assert np.ptp(lengths) < 1e-9
    assert np.ptp(np.linalg.norm(code_of("centered"), axis=1)) > 0.1


@claim(PAGE, "row 511 becomes the twin of row 447")
def a_lost_bit_leaves_twins(page):
    for bit in range(10):
        left = np.delete(binary(1024), bit, axis=1)
        twins = np.flatnonzero((left == left[511]).all(axis=1))
        assert set(twins) == {511, 511 ^ 1 << bit}


@claim(PAGE, "have no twins, though some rows come within 0.16 of each other")
def ten_sinusoids_without_a_number_have_no_twins():
    table, least = table_by_loop(1000, 10), np.inf
    for lost in range(10):
        left = np.delete(table, lost, axis=1)
        squares = (left**2).sum(axis=1)
        apart = squares[:, None] + squares - 2 * left @ left.T
        np.fill_diagonal(apart, np.inf)
        least = min(least, np.sqrt(apart.min()))
    assert least == pytest.approx(0.16, abs=0.005)


def close_by_half(name, draw):
    """Return how much is right or near, of all numbers at noise √2 and of half of them at 1."""
    code, random = code_of(name, draw if name == "dice" else 0), np.random.default_rng([5, draw])
    kept = random.choice(60, 30, replace=False)
    shares = []
    for noise, numbers in ((np.sqrt(2), np.arange(60)), (1, kept)):
        received, sent = random.normal(code, noise)[:, numbers], code[:, numbers]
        guesses = (received @ sent.T - (sent**2).sum(axis=1) / 2).argmax(axis=1)
        shares.append(100 * np.mean(abs(guesses - POSITIONS) <= 5))
    return shares


@claim(PAGE, "The ten bits and base 10 000 scatter over tens of points")
@pytest.mark.parametrize("name", ["bits", 10_000, "dice", 10])
def losses_are_a_matter_of_luck_in_some_codes(name):
    whole, half = np.transpose([close_by_half(name, draw) for draw in FRESH])
    assert np.mean(half) < np.mean(whole)
    assert np.ptp(half) > 15 if name in ("bits", 10_000) else np.ptp(half) < 5


@claim(PAGE, "on 6 for the bits, on 8 for base 10 000, but on about 20 for dice and base 10")
@pytest.mark.parametrize(
    ("name", "least", "most"), [("bits", 6, 6), (10_000, 7.5, 8.5), ("dice", 17, 22), (10, 17, 22)]
)
def differences_rest_on_so_many_numbers(name, least, most):
    counts = []
    for position in range(0, 1000, 3):
        apart = np.where(abs(POSITIONS - position) > 5, distances(name, position), np.inf)
        squares = (code_of(name)[position] - code_of(name)[apart.argmin()]) ** 2
        counts.append(squares.sum() ** 2 / (squares**2).sum())
    assert least <= np.mean(counts).round(9) <= most


@claim(PAGE, "In the worst draw the bits had, one of them had lost all six copies")
def the_worst_draw_lost_a_bit(page):
    near = page["halves"](page["codes"]["ten bits, six times"]) <= 5
    worst = near.mean(axis=1).argmin()
    random = np.random.default_rng(worst)
    random.standard_normal((1000, 60))
    kept = random.permutation(60)[30:]
    assert np.bincount(kept % 10, minlength=10).min() == 0


@claim(PAGE, "the wall clock bears about 270 times as much as even three hour hands")
def three_hands_bear_270_times_as_much():
    half = {1: 0.4769362762, 2: 0.7437}  # where erf is 1/2, and where its square is
    assert erf(half[1]) == pytest.approx(0.5)
    assert erf(half[2]) ** 2 == pytest.approx(0.5, abs=1e-3)
    moves = np.linalg.norm((clock(1) - clock(0)).reshape(3, 2), axis=1)
    hour, wall = moves[2] / half[1] / np.sqrt(8), moves[0] / half[2] / np.sqrt(8)
    assert 265 < wall / (np.sqrt(3) * hour) < 275
    assert np.degrees(hour) == pytest.approx(0.006, abs=0.0005)
    # The minute hand moves as far in a minute as the second hand does in a second.
    steps = [1, 60, 3600]
    chords = [2 * np.sin(np.pi * s / period) for s, period in zip(steps, CLOCK_PERIODS)]
    assert chords[0] == pytest.approx(chords[1])
    assert chords[2] > 4 * chords[0]


@claim(PAGE, "Curves: what the step of a tip predicts")
@pytest.mark.parametrize("which", range(4))
def the_clocks_are_read_as_predicted(page, which):
    (table, (move, hands)) = [*zip(page["clocks"].values(), page["risks"])][which]
    for noise in (0.3 * move, 0.6 * move):
        read = np.mean([page["share_read"](table, noise, draw) for draw in range(70, 76)])
        assert abs(read - 100 * erf(move / noise / np.sqrt(8)) ** hands) < 8


@claim(PAGE, "A [regular clock](02_clock.ipynb#give-it-equal-gears) with gears of 35")
def equal_gears_bear_more(page):
    assert round(page["gear"]) == 35
    read = [
        np.mean([page["share_read"](page["clocks"][name], 0.05, draw) for draw in range(70, 76)])
        for name in ("wall clock", "equal gears")
    ]
    assert read[1] > read[0] + 15


@claim(PAGE, "takes the one nearest to whatever arrives")
def the_reader_takes_the_nearest_row(page):
    random = np.random.default_rng(3)
    table, received = random.normal(size=(40, 6)), random.normal(size=(50, 6))
    apart = np.linalg.norm(received[:, None] - table, axis=2)
    assert (page["nearest"](received, table) == apart.argmin(axis=1)).all()
