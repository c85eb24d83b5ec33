"""Notebook 3: bits jump where hands move evenly, and no matrix adds one in binary."""

import numpy as np
import pytest
import sympy as sp

from posenc.checks import nb03
from posenc.encodings import binary, encode, sinusoidal

from . import claim

PAGE = "03_binary"
NEAR = {"rtol": 0, "atol": 1e-12}


def written(length, bits=10):
    """Return the rows of a counter as Python writes numbers, the last digit first."""
    return np.array([[int(bit) for bit in f"{t:0{bits}b}"[::-1]] for t in range(length)])


COUNTER = written(1024)
SIGNS = 2 * COUNTER - 1
FLIPS = (COUNTER[:, None] != COUNTER).sum(axis=2)  # of each row and each other
# Hands of a clock with gear ratio 2: dial i turns once in 2^(i+1) positions.
SPEEDS = 2 * np.pi / 2.0 ** np.arange(1, 11)


@claim(PAGE, "Ten bits are enough to tell 1024 positions apart")
def ten_bits_make_1024_rows(page):
    assert len(np.unique(COUNTER, axis=0)) == 1024 == 2**10
    assert np.array_equal(binary(1024), COUNTER)


@claim(PAGE, "when four of them flipped at once")
def four_bits_flip_from_7_to_8():
    assert FLIPS[7, 8] == 4


@claim(PAGE, "counts for the half it's about to enter")
def a_bit_is_the_half_that_its_hand_enters():
    later = np.arange(1024)[:, None] + 1e-3
    assert np.array_equal(np.sin(SPEEDS * later) < 0, COUNTER == 1)


@claim(PAGE, "1 for the brown half on the left, 0 for the other")
def a_bit_is_1_while_its_hand_is_on_the_left():
    middles = np.arange(1024)[:, None] + 0.5
    assert np.array_equal(-np.sign(np.sin(SPEEDS * middles)), SIGNS)


@claim(PAGE, "a first hand that makes half a turn per position")
def the_first_hand_makes_half_a_turn_and_each_next_half_as_much():
    assert SPEEDS[0] == np.pi
    assert np.allclose(SPEEDS[:-1] / SPEEDS[1:], 2, **NEAR)


@claim(PAGE, "moves exactly as far as a hand that swings from one side of its dial to the other")
def a_flip_is_as_long_as_a_diameter():
    hands = np.exp(1j * np.linspace(0, 2 * np.pi, 361))
    assert np.isclose(np.abs(hands[:, None] - hands).max(), 2, **NEAR)
    assert np.ptp([-1, 1]) == 2


@claim(PAGE, "Most steps flip only a bit or two")
@pytest.mark.parametrize("steps", [8, 63, 1023])
def three_steps_in_four_flip_at_most_two_bits(steps):
    flips = np.diagonal(FLIPS, 1)[:steps]
    assert (flips <= 2).mean() >= 0.75


@claim(PAGE, "and you'll see all six of its bits do the same")
def the_longest_step_of_six_bits_is_in_the_middle():
    flips = np.diagonal(FLIPS, 1)[:63]
    assert np.flatnonzero(flips == flips.max()).tolist() == [31]
    assert flips.max() == 6


@claim(PAGE, "The line for the hands stays level")
def six_hands_move_equally_far_at_each_step():
    steps = np.linalg.norm(np.diff(encode(np.arange(64), SPEEDS[:6]), axis=0), axis=1)
    assert np.allclose(steps, steps[0], **NEAR)
    assert steps[0].round(2) == 2.61


@claim(PAGE, "position 2, our third row, would be written 0010")
def the_third_row_is_position_2_backward(page):
    assert "".join(map(str, binary(8, bits=4)[2])) == f"{2:04b}"[::-1] == "0100"


@claim(PAGE, "its period is $2^{j+1}$")
@pytest.mark.parametrize("i", range(9))
def a_bit_is_back_after_twice_the_steps_to_its_flip(i):
    bit, half = COUNTER[:, i], 2**i
    assert (bit[half:] != bit[:-half]).all()
    assert (bit[2 * half :] == bit[: -2 * half]).all()


@claim(PAGE, "Bit $j$ flips every $2^j$ positions")
def each_bit_flips_after_its_power_of_two():
    changes = np.diff(COUNTER, axis=0) != 0
    for i in range(10):
        assert np.array_equal(np.flatnonzero(changes[:, i]) + 1, np.arange(2**i, 1024, 2**i))
    assert (written(1000).max(axis=0) == 1).all()  # 1000 positions need all ten


@claim(PAGE, "Above, bits 0 and 1 flip too fast to be seen and blur into an even tint")
def the_picture_is_the_counter_and_two_even_tints(page):
    whole, start = (axes.images[0].get_array() for axes in page["panels_of_bits"])
    assert np.array_equal(start, COUNTER[:64].T)
    assert (whole[:2] == 0.5).all()
    assert not start[6:].any()
    assert start[:6].any(axis=1).all()
    assert np.array_equal(np.repeat(whole[2:], 4, axis=1), COUNTER[:1000, 2:].T)


@claim(PAGE, "All ten bits flip, so the farthest row there is comes right after 511")
def the_farthest_row_from_511_is_512():
    assert np.flatnonzero(FLIPS[511] == FLIPS.max()).tolist() == [512]
    assert FLIPS[511, 512] == FLIPS.max() == 10


@claim(PAGE, "Nine bits differ there, all but the last")
def row_0_differs_from_511_in_nine_bits():
    assert np.flatnonzero(COUNTER[0] == COUNTER[511]).tolist() == [9]


@claim(PAGE, "Only bit 9 differs, so after 512 positions you're back at a row that's")
def row_1023_differs_from_511_in_bit_9():
    assert np.flatnonzero(COUNTER[1023] != COUNTER[511]).tolist() == [9]
    assert FLIPS[FLIPS > 0].min() == 1
    assert 1023 - 511 == 512


@claim(PAGE, "Transformer, width 64: rows 510 and 512 are the nearest")
def the_reply_shows_the_distances_from_row_511(page):
    bits, waves = (axes.lines[0].get_xydata().T for axes in page["panels"])
    assert np.allclose(bits[1], 2 * np.sqrt(FLIPS[511, 471:552]), **NEAR)
    all_rows = encode(np.arange(1024), 10_000.0 ** (-np.arange(32) / 32))
    apart = np.linalg.norm(all_rows - all_rows[511], axis=1)
    assert np.allclose(waves[1], apart[471:552], rtol=0, atol=1e-9)
    assert sorted(np.argsort(apart)[1:3]) == [510, 512]


@claim(PAGE, "is a smooth valley, 1.5 at 510 and at 512, that climbs to about 4 on both")
def the_reply_is_told_as_it_looks(page):
    bits, waves = (axes.lines[0].get_ydata() for axes in page["panels"])
    assert bits[[39, 41]].round(1).tolist() == [2.0, 6.3]
    assert waves[[39, 41]].round(1).tolist() == [1.5, 1.5]
    assert (np.diff(waves[40:46]) > 0).all()
    assert waves[44:49].round().tolist() == [4] * 5


@claim(PAGE, "The sums started out equal, and a single step drove them apart")
def two_equal_sums_part_in_one_step():
    assert np.array_equal(COUNTER[0] + COUNTER[3], COUNTER[1] + COUNTER[2])
    assert not np.array_equal(COUNTER[1] + COUNTER[4], COUNTER[2] + COUNTER[3])


@claim(PAGE, "After two steps the sums agree again")
def the_sums_agree_after_each_even_number_of_steps():
    for steps in range(9):
        left, right = (COUNTER[np.array(pair) + steps].sum(axis=0) for pair in ([0, 3], [1, 2]))
        assert np.array_equal(left, right) == (steps % 2 == 0)


@claim(PAGE, "rows 2 and 3 each have a 1, while rows 1 and 4 each have a 0")
def bit_1_tells_the_sums_apart():
    assert COUNTER[[2, 3, 1, 4], 1].tolist() == [1, 1, 0, 0]


@claim(PAGE, "**No matrix can add one in binary.**")
@pytest.mark.parametrize("rows", [COUNTER, SIGNS], ids=["0 and 1", "-1 and 1"])
@pytest.mark.parametrize("fixed", [False, True], ids=["matrix", "and a fixed row"])
def no_matrix_solves_the_equations_for_bits(rows, fixed):
    before, after = rows[:-1], rows[1:]
    if fixed:
        before = np.column_stack([before, np.ones(len(before), int)])
    # A solution exists only if the next rows add nothing to what the rows span.
    together = sp.Matrix(np.column_stack([before, after])[:5].tolist())
    assert together.rank() > sp.Matrix(before[:5].tolist()).rank()


@claim(PAGE, "each sum would get that row twice")
def no_matrix_parts_equal_sums(page):
    random = np.random.default_rng(0)
    matrix, row = random.normal(size=(10, 10)), random.normal(size=10)
    moved = COUNTER @ matrix + row
    assert np.allclose(moved[0] + moved[3], moved[1] + moved[2], **NEAR)


@claim(PAGE, "until each step flips exactly one of them, and from three bits on")
def no_matrix_solves_the_equations_for_a_gray_code():
    rows = gray(1024)
    assert (np.abs(np.diff(rows, axis=0)).sum(axis=1) == 1).all()
    for bits in range(2, 11):
        signs = 2 * rows[: min(2**bits, 40), :bits] - 1
        together = sp.Matrix(np.column_stack([signs[:-1], signs[1:]]).tolist())
        solved = together.rank() == sp.Matrix(signs[:-1].tolist()).rank()
        assert solved == (bits == 2)


@claim(PAGE, "even though the matrix was found without using any of these steps")
def the_matrix_of_half_the_waves_moves_all_of_them(page):
    waves, best = page["waves"], page["for_waves"]
    speeds = 10_000.0 ** (-np.arange(5) / 5)
    assert np.allclose(waves, encode(np.arange(1024), speeds), **NEAR)
    assert np.allclose(waves[512:-1] @ best, waves[513:], rtol=0, atol=1e-9)
    assert np.allclose(np.linalg.lstsq(waves[:512], waves[1:513])[0], best, rtol=0, atol=1e-9)
    assert best.shape == (10, 10)


@claim(
    PAGE, "still misses each time, because for bit 1 it always says 0, halfway between −1 and +1"
)
def the_best_matrix_for_bits_misses_every_step(page):
    predicted = SIGNS @ page["for_bits"]
    assert np.allclose(predicted[:, 1], 0, **NEAR)
    assert (np.abs(predicted - np.roll(SIGNS, -1, axis=0)).max(axis=1) >= 1 - 1e-9).all()


@claim(PAGE, "wait for the step from 767 to 768")
def nine_bits_flip_from_767_to_768():
    assert FLIPS[767, 768] == 9


@claim(PAGE, "and they can even be [easier to read through noise](lab_a_noise.ipynb)")
def repeated_bits_are_read_exactly_more_often_than_waves():
    right = []
    for code in (np.tile(SIGNS, 6)[:1000].astype(float), sinusoidal(1000, 60)):
        noise = 1.5 * np.random.default_rng(3).standard_normal(code.shape)
        closeness = (code + noise) @ code.T - (code**2).sum(axis=1) / 2
        right.append((closeness.argmax(axis=1) == np.arange(1000)).mean())
    assert right[0] > 2 * right[1]


@claim(PAGE, "It's 0 for eight positions and 1 for the next eight")
def bit_3_has_a_period_of_16():
    assert COUNTER[:32, 3].tolist() == ([0] * 8 + [1] * 8) * 2


@claim(PAGE, "Weigh them by 1, 2, 4, and so on, and add them up")
def weighed_bits_add_up_to_the_position():
    assert np.array_equal(COUNTER @ 2 ** np.arange(10), np.arange(1024))


@claim(PAGE, "four times the rows from the page will do")
def a_step_of_four_parts_equal_sums():
    a, b, c, d = np.array(nb03.larger_step.reference)
    assert sorted([a, b, c, d]) == [0, 4, 8, 12]
    assert np.array_equal(COUNTER[a] + COUNTER[b], COUNTER[c] + COUNTER[d])
    assert (COUNTER[a + 4] + COUNTER[b + 4] != COUNTER[c + 4] + COUNTER[d + 4]).any()


def gray(length, bits=10):
    """Return a Gray code by mirroring, as it was invented."""
    rows = np.zeros((1, bits), int)
    for i in range(bits):
        mirrored = rows[::-1].copy()
        mirrored[:, i] = 1
        rows = np.vstack([rows, mirrored])
    return rows[:length]


@claim(PAGE, "which flips only one bit at each step")
def a_gray_code_flips_one_bit_at_each_step():
    assert np.array_equal(nb03.gray.reference(COUNTER), gray(1024))
    assert (np.abs(np.diff(gray(1024), axis=0)).sum(axis=1) == 1).all()


@claim(PAGE, "rows 0 and 2 have the same sum as rows 1 and 3")
def two_equal_sums_of_a_gray_code_part():
    rows = gray(8, 3)
    assert np.array_equal(rows[0] + rows[2], rows[1] + rows[3])
    assert not np.array_equal(rows[1] + rows[3], rows[2] + rows[4])
    # With two bits there is such a map: a quarter turn of a square.
    square = 2 * gray(4, 2) - 1
    assert np.array_equal(square @ [[0, 1], [-1, 0]], np.roll(square, -1, axis=0))


@claim(PAGE, "a diagonal matrix, whose number for bit $j$ is $1 - 2/2^j$")
def the_best_matrix_for_bits_is_diagonal(page):
    # What least squares solves: the rows' products, which are whole numbers.
    ahead = np.roll(SIGNS, -1, axis=0)
    assert np.array_equal(SIGNS.T @ SIGNS, 1024 * np.eye(10))
    assert np.array_equal(SIGNS.T @ ahead, np.diag(1024 - 2 * 1024 // 2 ** np.arange(10)))
    assert np.allclose(page["for_bits"], SIGNS.T @ ahead / 1024, **NEAR)


@claim(PAGE, "the best matrix never flips any of them")
def the_best_answer_keeps_the_signs_of_higher_bits():
    factors = 1 - 2 / 2.0 ** np.arange(10)
    assert factors[:5].tolist() == [-1, 0, 0.5, 0.75, 0.875]
    assert (factors[2:] > 0).all()
