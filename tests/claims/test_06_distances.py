"""Notebook 6: products and distances know the offset only, and fall as its logarithm grows."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp
from oracles import encodings

from posenc.checks import nb06
from posenc.encodings import angular_frequencies
from posenc.shifts import shift_matrix

from . import claim

PAGE = "06_distances"
# Sums of 128 numbers, each off by 1000 · 2⁻⁵³ or so; a slip, by far more than this.
NEAR = {"rtol": 0, "atol": 1e-9}


def rows(positions, width=256, base=10_000):
    """Return encodings as wide as the page's."""
    return encodings(positions, width, base)


def products(offsets, width=256, base=10_000):
    """Return products of row 0 with others, from the rows themselves."""
    return rows(offsets, width, base) @ rows([0], width, base)[0]


def distances(offsets, width=256, base=10_000):
    """Return distances of row 0 from others, from the rows themselves."""
    return np.linalg.norm(rows(offsets, width, base) - rows([0], width, base), axis=1)


@claim(PAGE, "They're all 2.67 long, because some shift takes your first step to any ")
def all_steps_are_equally_long():
    steps = np.linalg.norm(np.diff(rows(np.arange(1000)), axis=0), axis=1)
    assert np.allclose(steps, steps[0], **NEAR)
    assert steps[[0, 998]].round(2).tolist() == [2.67, 2.67]


@claim(PAGE, "other one, and a rotation keeps lengths")
def the_matrix_carries_the_first_step_to_the_others():
    frequencies = angular_frequencies(256)
    for t in (10, 998):
        assert np.allclose(rows([0, 1]) @ shift_matrix(frequencies, t).T, rows([t, t + 1]), **NEAR)


@claim(PAGE, "Steps would grow if each were 1.01 times M(1) times the one before")
def a_linear_map_may_stretch():
    stretched = 1.01 * shift_matrix(angular_frequencies(256), 1)
    walk = [rows([0])[0]]
    for _ in range(20):
        walk.append(stretched @ walk[-1])
    steps = np.linalg.norm(np.diff(walk, axis=0), axis=1)
    assert (np.diff(steps) > 0).all()


@claim(PAGE, "So are the rows of a table of random signs, and its steps aren't all the same")
def rows_of_one_length_may_have_different_steps():
    signs = np.random.default_rng(0).choice([-1, 1], (50, 256))
    assert len({*np.linalg.norm(signs, axis=1)}) == 1
    assert len({*np.linalg.norm(np.diff(signs, axis=0), axis=1)}) > 10


@claim(PAGE, "only the {term}`offset` changes the chord and the shadow")
def chord_and_shadow_do_not_depend_on_the_position():
    for offset in (-9.5, 4, 13):
        here, there = rows([0, 3.5, 60])[:, 40:42], rows(np.array([0, 3.5, 60]) + offset)[:, 40:42]
        chords, shadows = np.linalg.norm(here - there, axis=1), (here * there).sum(axis=1)
        turn = offset * 10_000 ** (-40 / 256)
        assert np.allclose(chords, abs(2 * np.sin(turn / 2)), **NEAR)
        assert np.allclose(shadows, np.cos(turn), **NEAR)
        assert np.allclose(chords**2, 2 - 2 * shadows, **NEAR)


@claim(PAGE, "and the shadow is almost −1, while at 26, after nearly a full turn")
def hand_20_turns_by_half_in_thirteen_positions():
    turns = np.degrees(np.array([13, 26]) * 10_000 ** (-40 / 256))
    assert 170 < turns[0] < 180
    assert 350 < turns[1] < 360
    assert -1 < np.cos(np.radians(turns[0])) < -0.99


@claim(PAGE, "$$PE[s] \\cdot PE[t] = \\sum_k \\cos \\omega_k (s - t).$$")
@pytest.mark.parametrize(("s", "t"), [(7, 4), (4, 7), (999, 0), (500.5, 3), (8, 8)])
def the_product_is_the_sum_of_cosines(page, s, t):
    product = (rows([s]) @ rows([t]).T).item()
    assert np.isclose(product, np.cos(page["frequencies"] * (s - t)).sum(), **NEAR)
    assert np.isclose(product, (rows([t + 9]) @ rows([s + 9]).T).item(), **NEAR)


@claim(PAGE, "^2 = d - 2\\, PE[s] \\cdot PE[t].$$")
@pytest.mark.parametrize(("s", "t"), [(7, 4), (4, 7), (999, 0), (500.5, 3)])
def the_squared_distance_has_both_forms(page, s, t):
    here, there = rows([s, t])
    square = ((here - there) ** 2).sum()
    assert np.isclose(square, (4 * np.sin(page["frequencies"] * (s - t) / 2) ** 2).sum(), **NEAR)
    assert np.isclose(square, 256 - 2 * here @ there, **NEAR)


@claim(
    PAGE, "A squared chord is 2 minus twice the shadow, and over $d/2$ dials the twos add up to $d$"
)
def a_squared_chord_is_2_minus_twice_the_shadow():
    a, b = sp.symbols("a b", real=True)
    shadow = sp.sin(a) * sp.sin(b) + sp.cos(a) * sp.cos(b)
    square = (sp.sin(a) - sp.sin(b)) ** 2 + (sp.cos(a) - sp.cos(b)) ** 2
    assert sp.simplify(square - (2 - 2 * shadow)) == 0
    assert sp.simplify(shadow - sp.cos(a - b)) == 0


@claim(PAGE, "neither can tell before from after")
def before_and_after_look_the_same():
    offsets = np.array([3, 24, 700.5])
    assert np.allclose(products(offsets), products(-offsets), **NEAR)
    assert np.allclose(distances(offsets), distances(-offsets), **NEAR)


@claim(PAGE, "what's on that diagonal is 128, the largest number on the map")
def the_diagonal_of_the_products_holds_their_greatest_number(page):
    table = rows(np.arange(1000))
    every = table @ table.T
    assert np.allclose(every.diagonal(), 128, **NEAR)
    assert (every - 200 * np.eye(1000)).max() < 127
    assert np.allclose(page["products"], every, **NEAR)
    assert np.allclose(page["distances"][:50, :50], apart(table[:50]), rtol=0, atol=1e-6)
    assert (page["distances"].diagonal() == 0).all()


def apart(table):
    """Return the distances between all rows."""
    return np.linalg.norm(table[:, None] - table, axis=2)


@claim(PAGE, "and a million cells hold only a thousand different numbers")
@pytest.mark.parametrize("name", ["products", "distances"])
def a_million_cells_hold_a_thousand_numbers(page, name):
    matrix = page[name]
    assert (matrix[1:, 1:] == matrix[:-1, :-1]).all()
    assert {*matrix.ravel()} == {*matrix[0]}
    assert (matrix.size, len({*matrix[0]})) == (1_000_000, 1000)


@claim(
    PAGE,
    "points within 0.0035° of the mark, but most of the others are nowhere near it",
)
def hand_0_is_almost_home_after_710_positions():
    with mpmath.workdps(30):
        turns = 710 / (2 * mpmath.pi)
        assert 113 < turns < 113 + mpmath.mpf("0.0035") / 360
    turned = 710 * 10_000 ** (-np.arange(128) / 128) % (2 * np.pi)
    assert (np.cos(turned) < np.cos(np.pi / 12)).sum() > 64
    assert distances([710]).round(1) == 13.7


@claim(PAGE, "because π is irrational, no whole number of radians is a whole number of turns")
def no_whole_number_of_turns_is_a_whole_number_of_radians():
    assert sp.pi.is_irrational
    # Were a row of width 2 the same as row 0, it would be in this long list of near ones.
    assert (distances(np.arange(1, 100_001), 2) > 6e-5).all()


@claim(PAGE, "after 2π times 10,000 positions, which is 62,832")
def the_popular_number_is_two_pi_times_the_base():
    assert round(2 * np.pi * 10_000) == 62_832


@claim(
    PAGE, "A few steps take you a long way from row 0, and after that you get away more and more"
)
def four_steps_take_you_farther_than_the_next_hundred():
    away = distances([4, 104, 1000, 62_832])
    assert away[0] > 7.5
    assert away[0] > away[1] - away[0]
    assert distances(np.arange(60, 100_000)).min() > 11


@claim(PAGE, "The slowest hand has already finished its turn by row 58,470")
def no_hand_has_the_popular_period():
    periods = 2 * np.pi / 10_000 ** (-np.arange(128) / 128)
    assert math.ceil(periods.max()) == 58_470


@claim(PAGE, "at 62,832 you're farther from row 0 than you were at 1000")
def the_table_does_not_repeat_at_the_popular_number():
    assert distances([1000, 62_832]).round(1).tolist() == [14.4, 16.2]


@claim(PAGE, "At an offset of 10, their mean, the likeness, is 0.68")
def two_thirds_are_left_at_ten_positions():
    assert (products([10]) / 128).round(2) == 0.68


@claim(PAGE, "but at 100 you still have 0.46")
def two_thirds_of_that_are_left_at_a_hundred():
    near, far = products([10, 100]) / 128
    assert far.round(2) == 0.46
    assert abs(far / near - 2 / 3) < 0.02


@claim(PAGE, "At an offset of 1, most of the hands have hardly turned")
def most_hands_hardly_turn_in_a_position():
    degrees = np.degrees(10_000 ** (-np.arange(128) / 128))
    assert (degrees < 10).sum() > 96


@claim(PAGE, "more and more of them start to swing up and down, beginning at the left")
def hands_leave_one_by_one_from_the_fastest_on():
    counts = []
    for offset in (1, 10, 100, 1000, 10_000):
        over = offset * angular_frequencies(256) > np.pi / 2
        assert (np.diff(over.astype(int)) <= 0).all()
        counts.append(over.sum())
    assert counts == sorted({*counts})


@claim(PAGE, "**Go ten times as far and you get the same curve, shifted by 32 hands.**")
@pytest.mark.parametrize("offset", [1, 10, 10**2.34, 1000])
def ten_times_the_offset_moves_the_curve_by_32_hands(offset):
    near, far = (rows([0, at]).reshape(2, 128, 2) for at in (offset, 10 * offset))
    before, after = near.prod(axis=0).sum(axis=1), far.prod(axis=0).sum(axis=1)
    assert np.allclose(after[32:], before[:-32], **NEAR)
    others = [m for m in range(1, 65) if np.abs(after[m:] - before[:-m]).max() < 0.01]
    assert others == [32]


@claim(PAGE, "which is 1.0746 here, and $1.0746^{32} = 10$")
def thirty_two_gears_make_ten():
    gears = angular_frequencies(256)[:-1] / angular_frequencies(256)[1:]
    assert np.allclose(gears, 10 ** (1 / 32), rtol=1e-12)
    assert round(10 ** (1 / 32), 4) == 1.0746
    assert abs(1.0746**32 - 10) < 0.003


@claim(PAGE, "which swing so wildly that they nearly cancel")
@pytest.mark.parametrize("offset", [10, 100, 1000])
def hands_that_leave_agreed_and_those_that_come_in_nearly_cancel(offset):
    speeds = angular_frequencies(256)
    assert np.cos(offset / 10 * speeds[-32:]).sum() > 31.9
    assert abs(np.cos(offset * speeds[:32]).sum()) < 6


@claim(PAGE, "each factor of ten costs about a quarter: 0.30 from 1 to 10, then 0.22, then 0.26")
def each_factor_of_ten_costs_about_a_quarter():
    means = products([1, 10, 100, 1000, 10_000]) / 128
    assert (abs(np.diff(means) + 0.25) < 0.05).all()
    assert (-np.diff(means)[:3]).round(2).tolist() == [0.30, 0.22, 0.26]
    # For a wide table, hands cancel better.
    means = products([10, 20, 100, 200, 1000, 2000], 8192) / 4096
    assert (abs(means[2:] - means[:-2] + 0.25) < 0.012).all()


@claim(PAGE, "is roughly a straight line, one square down for each square to the right")
def the_means_follow_a_straight_line():
    powers = np.arange(0.2, 3.8, 0.02)
    means = products(10**powers) / 128
    slope, start = np.polyfit(powers, means, 1)
    assert abs(slope + 0.25) < 0.015
    assert np.abs(means - start - slope * powers).max() < 0.08


@claim(PAGE, "It's 16 hands, so a factor of ten costs only about an eighth. At base 100 it's 64")
@pytest.mark.parametrize(("base", "moved"), [(100, 64), (10**8, 16)])
def another_base_moves_the_curve_by_other_hands(base, moved):
    speeds = angular_frequencies(256, base=base)
    assert np.allclose(10 * speeds[moved:], speeds[:-moved], rtol=1e-12)
    if base == 10**8:
        means = products([10, 100, 1000, 10_000], base=base) / 128
        assert abs((means[0] - means[-1]) / 3 - 1 / 8) < 0.02


@claim(PAGE, "and the fall is over by an offset of 100")
def at_base_100_nothing_is_left_to_fall_beyond_100():
    assert (products([100, 1000], base=100) / 128 < 0).all()
    early, late = (products(np.arange(*ends), base=100) / 128 for ends in ((1, 10), (100, 10_000)))
    assert early.min() > 0.3
    assert abs(late).max() < 0.2


@claim(PAGE, "a hand is only half as fast, and it has to be ten times ")
def ten_hands_halve_the_speed_and_64_divide_it_by_100():
    speeds = angular_frequencies(256)
    assert abs(speeds[10] / speeds[0] - 0.5) < 0.02
    assert np.isclose(speeds[64] / speeds[0], 1 / 100)


@claim(PAGE, "All rows are different, but neighbors are very nearly alike")
def neighbors_point_within_fourteen_degrees():
    nearest = products([1]) / 128
    assert np.degrees(np.arccos(nearest)) < 14.5
    # Neighbors in a table of random signs are nothing of the kind.
    signs = np.random.default_rng(0).choice([-1, 1], size=(1000, 256))
    assert (signs[1:] * signs[:-1]).mean(axis=1).max() < nearest / 2


@claim(PAGE, "one position apart, the likeness is 0.97")
def neighbors_have_a_likeness_of_0_97():
    assert (products([1]) / 128).round(2) == 0.97


@claim(PAGE, "first drops to a half at 53 positions and to a quarter at 329. At 2653 it first")
def likeness_is_gone_at_these_offsets():
    left = products(np.arange(3000)) / 128
    gone = [int(np.flatnonzero(left < share)[0]) for share in (0.5, 0.25, 0)]
    assert gone == [53, 329, 2653]
    assert left[2653:2800].max().round(2) == 0.16


@claim(PAGE, "row 25 is a touch more like row 0 than row 24 is")
def the_product_first_rises_after_offset_24():
    rises = np.diff(products(np.arange(26))) > 0
    assert np.flatnonzero(rises).tolist() == [24]


@claim(PAGE, "Right, the square root of 512 − 400")
def a_product_of_200_is_a_distance_of_10_6():
    assert round(math.sqrt(512 - 2 * 200), 1) == 10.6
    offset = np.abs(products(np.arange(40), 512) - 200).argmin()
    assert abs(distances([offset], 512) ** 2 + 2 * products([offset], 512) - 512) < 1e-9


@claim(PAGE, "It goes from 75.2 to 43.2")
def from_25_to_250_the_product_falls_by_32():
    assert products([25, 250]).round(1).tolist() == [75.2, 43.2]


@claim(PAGE, "each factor of ten costs about 41 of it. That's close to a sixth")
def the_unknown_table_has_base_a_million():
    given = products([10, 100, 1000], 512, nb06.base.reference)
    assert given.round(1).tolist() == [200.9, 160.5, 118.7]
    assert round((given[0] - given[2]) / 2) == 41
    assert abs(41 / 256 - 1 / 6) < 0.007


@claim(PAGE, "any three positions that close together will do, for example 0, 1, and 2")
def nearer_rows_have_larger_products():
    assert (np.diff(products(np.arange(25))) < 0).all()
    assert nb06.repaired_distances.evidence.check((0, 1, 2)).status == "passed"


@claim(PAGE, "For equal rows, rounding may leave it a little below 0")
def unclipped_squares_may_be_negative():
    table = rows(37.7 * np.arange(50), 32)
    squares = (table**2).sum(axis=1)
    least = (np.add.outer(squares, squares) - 2 * table @ table.T).min()
    assert -1e-12 < least <= 0


@claim(PAGE, "a row's neighbors are nearer to it than any other row")
def neighbors_are_nearest_in_the_tables_that_are_tried():
    for (table,) in nb06.put_in_order.cases.values():
        order = nb06.put_in_order.reference(table)
        gaps = apart(table[order])
        places = np.arange(len(order))
        near = abs(places - places[:, None]) == 1
        far = abs(places - places[:, None]) > 1
        assert not far.any() or gaps[far].min() > 1.0001 * gaps[near].max()


@claim(PAGE, "\\frac{\\operatorname{Ci}(φ) - \\operatorname{Ci}(φ/b)}{\\ln b}")
@pytest.mark.parametrize("offset", [1, 10, 1000])
def the_integral_of_the_cosines_is_this(page, offset):
    x, b = sp.symbols("x b", positive=True)
    slope = -sp.diff(sp.Ci(offset * b**-x), x) / sp.log(b)
    assert sp.simplify(slope - sp.cos(offset * b**-x)) == 0
    # The mean of very many hands comes near.
    mean = np.cos(offset * 10_000 ** (-(np.arange(10**6) + 0.5) / 10**6)).mean()
    exact = (mpmath.ci(offset) - mpmath.ci(offset / 10_000)) / mpmath.log(10_000)
    assert abs(mean - exact) < 1e-6


@claim(PAGE, "for offsets well above 1 and well below the base")
def the_straight_line_is_near_in_between_only():
    def miss(offset):
        integral = (mpmath.ci(offset) - mpmath.ci(offset / 10_000)) / mpmath.log(10_000)
        return abs(1 - (mpmath.euler + mpmath.log(offset)) / mpmath.log(10_000) - integral)

    assert max(miss(offset) for offset in (10, 30, 100, 1000)) < 0.011
    assert min(miss(offset) for offset in (0.3, 10_000, 30_000)) > 0.02


@claim(PAGE, "which is never larger than $1/φ$, so from 10 positions on")
def the_cosine_integral_is_small_beyond_ten():
    offsets = np.geomspace(0.05, 1000, 4000)
    assert all(abs(mpmath.ci(offset)) * offset < 1 for offset in offsets)
    assert 0.1 / math.log(10_000) < 0.011


@claim(PAGE, 'names = ["integral", "line", "mean"]')
def the_table_shows_three_ways_to_the_mean(page):
    assert np.allclose(page["mean"], products(page["far"]) / 128, **NEAR)
    assert np.allclose(np.array(page["integral"], float), page["line"], rtol=0, atol=0.011)
    assert np.allclose(page["mean"], page["line"], rtol=0, atol=0.02)


@claim(PAGE, "after offset 5 at width 64, and after 11, 24, and 43 each time you double the width")
@pytest.mark.parametrize(("width", "last"), [(64, 5), (128, 11), (256, 24), (512, 43)])
def the_product_first_rises_later_in_wider_tables(width, last):
    assert np.flatnonzero(np.diff(products(np.arange(60), width)) > 0)[0] == last


@claim(PAGE, "two of them must have every hand in the same sector")
@pytest.mark.parametrize(("width", "sectors"), [(2, 50), (4, 12), (6, 8)])
def two_positions_share_their_sectors(width, sectors):
    count = sectors ** (width // 2) + 1
    angles = np.outer(np.arange(count), angular_frequencies(width)) % (2 * np.pi)
    drawers = (angles / (2 * np.pi) * sectors).astype(int)
    _, first, which = np.unique(drawers, axis=0, return_index=True, return_inverse=True)
    earlier = first[which.ravel()]
    later = np.flatnonzero(earlier < np.arange(count))[0]
    offset = later - earlier[later]
    turned = np.angle(np.exp(1j * offset * angular_frequencies(width)))
    assert (abs(turned) < 2 * np.pi / sectors).all()


@claim(PAGE, "you first come nearer to row 0 than row 1 is at row 596,274")
def at_width_16_it_takes_almost_600_000_positions():
    positions, speeds = np.arange(2, 600_001), 10.0 ** (-np.arange(8) / 2)
    squares = sum(4 * np.sin(positions * speed / 2) ** 2 for speed in speeds)
    step = (4 * np.sin(speeds / 2) ** 2).sum()
    assert positions[squares < step].tolist() == [596_274]


@claim(PAGE, "an estimate gives a number of more than 200 digits")
@pytest.mark.parametrize("apart", [64, 256], ids=["slow hands only", "all hands by chance"])
def the_wait_at_width_512_has_more_than_200_digits(apart):
    """Bound the chance by Chernoff; hands that are `apart` by 64 are ten times as fast."""
    speeds = angular_frequencies(512)
    assert np.allclose(speeds[:-64] / speeds[64:], 10)
    step = (4 * np.sin(speeds / 2) ** 2).sum()
    angles = 2 * np.pi * (np.arange(100_000) + 0.5) / 100_000
    hands = np.outer(10 ** np.arange(256 // apart), angles)
    squares = 4 * (np.sin(hands / 2) ** 2).sum(axis=0)
    chances = [
        weight * step + apart * math.log(np.exp(-weight * squares).mean())
        for weight in np.geomspace(0.1, 100, 200)
    ]
    assert 200 < -min(chances) / math.log(10) < 210
