"""Corrections: what it calls wrong is wrong, and what it says instead holds."""

import math

import mpmath
import numpy as np
import pytest

from posenc.embeddings import load_glove
from posenc.encodings import sinusoidal
from posenc.layouts import load_field_guide
from posenc.shifts import shift_matrix

from . import claim

PAGE = "corrections"
ROWS = {row["name"]: row for row in load_field_guide()["rows"]}


def speeds(width):
    """Return the formula's speeds."""
    return 10_000.0 ** (-2 * np.arange(width // 2) / width)


def apart(offset, speeds):
    """Return how far positions are apart, by the chords of their hands."""
    return np.linalg.norm(2 * np.sin(np.asarray(speeds) * offset / 2))


@claim(PAGE, "At width 512, row 62,832 is 23.4 away from row 0, and row 1 is 3.7 away")
def the_table_is_not_back_after_62832_rows():
    assert round(apart(62_832, speeds(512)), 1) == 23.4
    assert round(apart(1, speeds(512)), 1) == 3.7


@claim(
    PAGE, "`llama` or `gpt_neox` pairs the halves of a head, and GPT-NeoX rotates only a quarter"
)
def the_layouts_of_three_families():
    turns = {name: ROWS[name]["turned"][0] for name in ("llama", "gpt_neox", "roformer")}
    assert [turn["layout"] for turn in turns.values()] == ["halves", "halves", "pairs"]
    shares = [turn["turned"] / turn["head"] for turn in turns.values()]
    assert shares == [1, 1 / 4, 1]


@claim(PAGE, "In fact BERT learns its positions, so they stop where its table does, at 512")
def bert_has_a_learned_table():
    assert ROWS["bert"]["kind"] == "added learned"
    assert ROWS["bert"]["added learned"][0]["size"][0] == 512


@claim(PAGE, "If you use one for each, scores depend on the sum of the positions")
def turning_queries_and_keys_in_opposite_ways_adds_positions():
    def turned(pair, angle):
        c, s = math.cos(angle), math.sin(angle)
        return np.array([[c, s], [-s, c]]) @ pair  # its matrix

    def element_wise(pair, angle):
        return pair * math.cos(angle) + np.array([-pair[1], pair[0]]) * math.sin(angle)

    query, key = np.array([0.6, -1.1]), np.array([0.3, 0.8])
    for one, other, same in (
        (turned, turned, lambda s, t: s - t),
        (element_wise, element_wise, lambda s, t: s - t),
        (turned, element_wise, lambda s, t: s + t),
    ):
        scores = {}
        for s in range(5):
            for t in range(5):
                score = one(query, 0.3 * s) @ other(key, 0.3 * t)
                scores.setdefault(same(s, t), []).append(score)
        assert all(np.ptp(equal) < 1e-12 for equal in scores.values())
        assert np.ptp([equal[0] for equal in scores.values()]) > 0.5


@claim(PAGE, "The squared distance is $d$ minus twice the product")
def products_are_largest_where_distances_are_zero():
    for width in (64, 256):
        table = sinusoidal(50, width)
        products = table @ table.T
        squares = ((table[:, None] - table) ** 2).sum(axis=2)
        assert np.allclose(squares, width - 2 * products, rtol=0, atol=1e-10)
        assert (products.argmax(axis=1) == squares.argmin(axis=1)).all()


@claim(PAGE, "Fill those columns with 999, and row 0 comes out just as well")
def row_0_does_not_notice_half_of_the_matrix():
    matrix = shift_matrix(speeds(256), 100)
    matrix[:, 0::2] = 999
    off = np.abs(sinusoidal(200, 256) @ matrix.T - sinusoidal(200, 256, start=100)).max(axis=1)
    assert off[0] < 1e-12
    assert (off[1:] > 1).all()


@claim(PAGE, "No rotation shifts two columns of different speeds")
def squares_of_a_false_pair_do_not_add_up():
    squares = sinusoidal(1000, 500) ** 2
    for column in (7, 15):
        assert np.ptp(squares[:, column] + squares[:, column + 1]) > 1.9
        assert np.ptp(squares[:, column + 1] + squares[:, column + 2]) < 1e-12
    t, i = np.arange(1000), 8  # the quoted line, and the sine above it
    total = np.sin(t / 10_000 ** (2 * i / 500)) ** 2
    total += np.cos(t / 10_000 ** ((2 * (i + 1)) / 500)) ** 2
    assert np.ptp(total) > 1.9


@claim(PAGE, "Each changes all the speeds, or all but one")
def four_printed_exponents_are_four_others():
    for width in (64, 256):
        k = np.arange(width // 2)
        right = 2 * k
        a, b, d, e = 4 * (k + 1), k, k + 1, 2 * (k + 1)
        assert b[1] / right[1] == 1 / 2
        assert b[-1] / width == (width - 2) / (2 * width)
        for printed in (a, b, d, e):
            assert (printed == right).sum() <= 1
        assert b[0] == right[0]
        assert 0 not in (a[0], d[0], e[0])


@claim(PAGE, "Those shift by −100")
def the_packed_factors_as_printed_shift_backwards():
    for width, offset in ((64, 7), (256, 100)):
        angles = speeds(width) * offset
        sines, cosines = np.sin(angles), np.cos(angles)
        for sign in (1, -1):  # of the sines, as they should be and as printed
            sine, cosine = np.moveaxis(sinusoidal(30, width).reshape(30, -1, 2), 2, 0)
            first = cosines * sine + sign * sines * cosine
            second = -sign * sines * sine + cosines * cosine
            moved = np.stack([first, second], axis=2).reshape(30, width)
            expected = sinusoidal(30, width, start=sign * offset)
            assert np.allclose(moved, expected, rtol=0, atol=1e-12)


@claim(PAGE, "the columns of C's own sentence sum to between 0.77 and 1.29")
def columns_of_weights_do_not_sum_to_1(page):
    tokens = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
    x = load_glove().lookup(tokens) + sinusoidal(8, 100)
    weights = np.exp(x @ x.T / 10)
    weights /= weights.sum(axis=1, keepdims=True)
    assert np.allclose(weights, page["both"], rtol=0, atol=1e-12)
    sums = weights.sum(axis=0)
    assert [round(sums.min(), 2), round(sums.max(), 2)] == [0.77, 1.29]


@claim(PAGE, "of rank 64, every query here has its highest score, by 3.5 at least, at the key 100")
def a_narrow_head_finds_the_key_100_back():
    for wrong in (0, 1):  # a matrix for another offset finds another key
        matrix = shift_matrix(speeds(256), 100 + wrong)
        matrix[:, 64:] = 0
        assert np.linalg.matrix_rank(matrix) == 64
        scores = sinusoidal(200, 256, start=100) @ matrix @ sinusoidal(200, 256).T
        right = np.diag(scores).copy()
        np.fill_diagonal(scores, -np.inf)
        margin = (right - scores.max(axis=1)).min()
        assert margin < 0 if wrong else 3.5 < margin < 3.6


@claim(PAGE, "row $t$ is off by less than $4 \\cdot 10^{-16}\\, t$")
@pytest.mark.parametrize("width", [50, 256, 500])
def a_far_row_is_exact_in_proportion(width):
    for position in (1000, 123_457, 10**6, 10**9 + 7, 10**15):
        with mpmath.workdps(50):
            exact = [
                float(wave(mpmath.mpf(10_000) ** (mpmath.mpf(-2 * k) / width) * position))
                for k in range(width // 2)
                for wave in (mpmath.sin, mpmath.cos)
            ]
        row = sinusoidal(1, width, start=position)[0]
        assert np.abs(row - exact).max() < 4e-16 * position


@claim(PAGE, "Bit 0 flips at every step, and bit $j$ at every $2^j$-th")
def when_bits_flip():
    for j in range(10):
        bits = np.array([f"{t % 1024:010b}"[-1 - j] for t in range(4096)])
        flips = np.flatnonzero(bits[1:] != bits[:-1]) + 1
        assert np.array_equal(flips, np.arange(2**j, 4096, 2**j))


@claim(PAGE, "each shift is still one matrix, but the steps run from 3.58 to 5.09")
def a_linear_shift_may_have_unequal_steps():
    doubled = sinusoidal(300, 256)
    doubled[:, 0::2] *= 2
    matrix = np.linalg.lstsq(doubled[:-7], doubled[7:], rcond=None)[0]
    assert np.allclose(doubled[:-7] @ matrix, doubled[7:], rtol=0, atol=1e-9)
    steps = np.linalg.norm(np.diff(doubled[:200], axis=0), axis=1)
    assert (steps.min().round(2), steps.max().round(2)) == (3.58, 5.09)


@claim(PAGE, "which would go around in 300 seconds")
def the_hour_hand_as_a_program_reads_it():
    turns = np.arange(0, 43_200, 300) / 3600 * 12
    assert np.allclose(turns, np.arange(144), rtol=0, atol=1e-9)


@claim(PAGE, "On a dial of twelve hours, that's true of 11:59:59")
def which_moments_are_near_noon():
    def distance(hours, minutes, seconds):
        moment = 3600 * hours + 60 * minutes + seconds
        return apart(moment - 1, [2 * math.pi / period for period in (60, 3600, 43_200)])

    assert distance(11, 59, 59) < distance(0, 5, 1) < distance(12, 59, 59)


@claim(PAGE, "in 200 positions, 70 of 128 stay under half a turn")
def slow_pairs_use_half_of_a_circle():
    assert (speeds(256) * 199 < np.pi).sum() == 70


@claim(
    PAGE, "gives −1 at any width above 4, so hand $k$ has the speed $e^{-2k}$, and 58 of 64 hands"
)
def a_floor_division_stops_the_clock():
    assert {-math.log(10000.0) / width // 2 for width in range(5, 5000)} == {-1.0}
    assert -math.log(10000.0) / 4 // 2 == -2
    degrees = [math.degrees(256 * math.exp(-2 * k)) for k in range(64)]
    assert sum(angle < 0.1 for angle in degrees) == 58


@claim(PAGE, "It's $10000^{2/d}$, which is 1.2 at width 100, but 1.04 at 512")
def the_gear_ratio_depends_on_the_width():
    for width, rounded in ((100, 1.2), (512, 1.04)):
        ratios = speeds(width)[:-1] / speeds(width)[1:]
        assert np.allclose(ratios, 10_000 ** (2 / width), rtol=1e-12, atol=0)
        assert round(ratios[0], 2) == rounded


@claim(PAGE, "For the trick, we can prove only $13.2 \\cdot 2^{-52}$ and $8.5 \\cdot 2^{-52}$")
@pytest.mark.parametrize("width", [8, 50, 96, 100, 256, 500, 512, 768])
def the_power_is_stable(width):
    unit = mpmath.mpf(2) ** -52
    with mpmath.workdps(50):
        logarithm = float(mpmath.log(10_000))
        for column in range(0, width, 2):
            exact = mpmath.mpf(10_000) ** (mpmath.mpf(-column) / width)
            power = float(mpmath.mpf(10_000) ** (-column / width))
            bound = 1 if width & (width - 1) == 0 else 3
            assert abs(power / exact - 1) < bound * unit
            trick = float(mpmath.exp(column * (-logarithm / width)))
            bound = 8.5 if width & (width - 1) == 0 else 13.2
            assert abs(trick / exact - 1) < bound * unit


@claim(PAGE, "without bit 3, only 512 different rows are left")
def ten_bits_have_none_to_spare():
    for lost in range(10):
        assert len({t & ~(1 << lost) for t in range(1024)}) == 512


@claim(PAGE, "or 60,611 at width 512; their")
def the_last_wavelength_of_the_formula():
    assert int(2 * np.pi / speeds(512)[-1]) == 60_611


@claim(PAGE, "ten; 54 rows of the picture are empty")
def a_thousand_positions_take_ten_bits():
    assert 64 - (999).bit_length() == 54
