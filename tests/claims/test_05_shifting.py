"""Notebook 5: five programs for one shift, what they cost, and a table that grows."""

import json

import mpmath
import numpy as np
import pytest
from oracles import exact_frequencies, table_by_loop

from posenc.charts.shifting import PROGRAMS, multiplications, recorded_times
from posenc.encodings import angular_frequencies, encode, grow, sinusoidal
from posenc.shifts import shift_by_loop, shift_by_packing

from . import claim, path_of

PAGE = "05_shifting"
# Angles reach 300 radians, so a double is off by 300 · 2⁻⁵³ or so; a slip, by far more than this.
NEAR = {"rtol": 0, "atol": 1e-12}
EXPECTED = table_by_loop(200, 256, start=100)
SECONDS = recorded_times()["seconds"]


class Counted(float):
    """A number that counts how often any of its kind is multiplied."""

    count = 0

    def __mul__(self, other):
        Counted.count += 1
        return Counted(float(self) * float(other))

    def __add__(self, other):
        return Counted(float(self) + float(other))

    __radd__ = __add__


def counted(numbers):
    """Return an array of the numbers as `Counted`, and begin to count anew."""
    Counted.count = 0
    return np.vectorize(Counted, otypes=[object])(numbers)


@claim(PAGE, "They all give the same numbers")
@pytest.mark.parametrize("name", ["loop", "matrix", "packing", "swapping", "phase"])
def every_program_gives_the_shifted_table(page, name):
    assert np.allclose(page[f"by_{name}"], EXPECTED, **NEAR)


@claim(PAGE, "let's check all five on every row")
def all_rows_of_all_programs_are_counted_as_right():
    cells = json.loads(path_of(PAGE).with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    (cell,) = (cell for cell in cells if "results = by_loop" in "".join(cell["source"]))
    assert cell["outputs"][0]["data"]["text/plain"] == ["[200, 200, 200, 200, 200]"]


@claim(PAGE, "one takes hundreds of times as long as another")
def the_loop_took_hundreds_of_times_as_long():
    five = {name: SECONDS[name] for name in PROGRAMS}
    assert max(five, key=five.get) == "loop"
    assert 300 < five["loop"] / min(five.values()) < 1000


@claim(PAGE, "The answer comes in two parts, and they don't agree")
def who_multiplies_most_is_not_who_takes_longest():
    many = multiplications(200, 256)
    assert max(many, key=many.get) == "matrix"
    assert SECONDS["loop"] > SECONDS["matrix"]


@claim(PAGE, "The times are a record of one: AMD EPYC, one thread, NumPy 2.4")
def the_record_names_its_machine():
    assert recorded_times()["CPU"] == "AMD EPYC"
    assert recorded_times()["NumPy"].startswith("2.4.")


@claim(PAGE, "four multiplications for each pair of each row, 102,400 in all")
def a_turned_pair_takes_four_multiplications(page):
    R, pair = counted(page["R"]), counted(page["table"][7, :2])
    assert (R @ pair).shape == (2,)
    assert Counted.count == 4
    assert 4 * 200 * 128 == 102_400 == multiplications(200, 256)["loop"]


@claim(PAGE, "which is as few as packing, swapping, and the complex product get by with")
def packing_swapping_and_complex_take_four_a_pair(page):
    x, y, c, s = (counted(page[name][..., :3]) for name in "xycs")
    _ = c * x + s * y, c * y + s * x
    assert Counted.count == 4 * 200 * 3
    a, b, table = (counted(page[name][..., :6]) for name in ("a", "b", "table"))
    _ = a * table + b * table
    assert Counted.count == 4 * 200 * 3
    assert {multiplications(200, 256)[name] for name in PROGRAMS if name != "matrix"} == {102_400}


@claim(PAGE, "which comes to 128 times the multiplications of the loop")
def the_matrix_multiplies_128_times_as_often(page):
    _ = counted(page["table"][:1]) @ counted(page["M"].T)
    assert 200 * Counted.count == 128 * 102_400 == multiplications(200, 256)["matrix"]


@claim(PAGE, "hands all thirteen million of them")
def the_matrix_does_thirteen_million(page):
    assert round(multiplications(200, 256)["matrix"] / 1e6) == 13


@claim(PAGE, "It's done dozens of times sooner all the same")
def the_matrix_took_a_small_part_of_the_loops_time():
    assert 24 < SECONDS["loop"] / SECONDS["matrix"] < 100


@claim(PAGE, "More than 99 % of `M` is zeros")
def m_is_almost_empty(page):
    assert np.mean(page["M"] == 0) > 0.99


@claim(PAGE, "starting one takes far longer than the multiplications in it")
def the_loop_spends_its_time_on_starting():
    one_pair = SECONDS["loop"] / 25_600
    one_of_the_matrix = SECONDS["product with M"] / multiplications(200, 256)["matrix"]
    assert one_pair > 1000 * 4 * one_of_the_matrix


@claim(PAGE, "the product takes about as long as computing the new table from scratch")
def the_product_gains_nothing_over_the_formula():
    assert 0.8 < SECONDS["product with M"] / SECONDS["formula"] < 1.25


@claim(PAGE, "making `M` in Python comes on top of that")
def making_m_and_the_product_are_the_matrix_time():
    both = SECONDS["making M"] + SECONDS["product with M"]
    assert both == pytest.approx(SECONDS["matrix"], rel=0.2)
    assert SECONDS["matrix"] > 1.5 * SECONDS["formula"]


@claim(PAGE, "it's ten times as fast as starting from scratch")
def the_complex_product_took_a_tenth_of_the_formula():
    assert 9 < SECONDS["formula"] / SECONDS["complex"] < 12


@claim(PAGE, "the first {term}`table` never held")
def the_last_hundred_rows_are_new(page):
    table, shifted = page["table"], page["by_loop"]
    assert np.allclose(shifted[:100], table[100:], **NEAR)
    assert np.linalg.norm(shifted[100:, None] - table, axis=2).min() > 1


@claim(PAGE, "The transpose turns every pair the other way")
def without_the_transpose_the_table_goes_back(page):
    assert np.allclose(page["table"] @ page["M"], table_by_loop(200, 256, start=-100), **NEAR)


@claim(PAGE, "the two sines of a block")
def m_is_not_symmetric(page):
    assert np.abs(page["M"] - page["M"].T).max() > 1


@claim(PAGE, "the new sine is $c_k x_k + s_k y_k$ and the new cosine is $c_k y_k - s_k x_k$")
def the_two_lines_are_the_addition_theorems():
    t, angle, speed = 17, 2.3, 0.31
    x, y = np.sin(speed * t), np.cos(speed * t)
    c, s = np.cos(angle), np.sin(angle)
    assert np.isclose(c * x + s * y, np.sin(speed * t + angle))
    assert np.isclose(c * y - s * x, np.cos(speed * t + angle))


@claim(PAGE, "every sine has traded places with its cosine")
def swapped_pairs_are_cosine_then_sine(page):
    assert np.array_equal(page["swapped"][:, 0::2], page["table"][:, 1::2])
    assert np.array_equal(page["swapped"][:, 1::2], page["table"][:, 0::2])


@claim(PAGE, "it says `(q * cos) + (rotate_half(q) * sin)`")
def llamas_line_turns_a_row_in_halves_by_its_own_position():
    q, w = np.random.default_rng(5).normal(size=(9, 16)), angular_frequencies(16)
    angles = np.outer(np.arange(9), np.tile(w, 2))
    first, second = np.split(q, 2, axis=1)
    turned = q * np.cos(angles) + np.hstack([-second, first]) * np.sin(angles)
    as_complex = (first + 1j * second) * np.exp(1j * np.outer(np.arange(9), w))
    assert np.allclose(turned, np.hstack([as_complex.real, as_complex.imag]))


@claim(PAGE, "multiply by $e^{-i \\omega_k φ}$, with a minus because our hands turn clockwise")
def a_shift_is_a_complex_product(page):
    w = np.array(exact_frequencies(256), float)
    pairs = EXPECTED[:, 0::2] + 1j * EXPECTED[:, 1::2]
    before = page["x"] + 1j * page["y"]
    assert np.allclose(before * np.exp(-1j * 100 * w), pairs, **NEAR)
    assert not np.allclose(before * np.exp(1j * 100 * w), pairs, rtol=0, atol=0.5)


@claim(PAGE, "`view` just reads the same bytes as something else")
def a_view_shares_the_tables_memory(page):
    assert np.shares_memory(page["table"].view(complex), page["table"])
    assert np.array_equal(page["table"].view(complex).imag, page["table"][:, 1::2])


@claim(PAGE, "takes more than eight million sines")
def the_formula_takes_eight_million():
    assert 8e6 < 131_072 * 64 < 9e6


@claim(PAGE, "It takes 1088, which is 17 times 64")
def growing_takes_a_thousand_sines_and_cosines(monkeypatch):
    made, exp = [], np.exp
    monkeypatch.setattr(np, "exp", lambda angles: made.append(2 * angles.size) or exp(angles))
    grow(np.tile([0.0, 1], 32), angular_frequencies(64), 131_072)
    assert (len(made), sum(made)) == (17, 1088)


@claim(PAGE, "**A table shifted by its own length is its own continuation.**")
@pytest.mark.parametrize("length", [1, 7, 64])
def a_shifted_table_continues_itself(length):
    table, w = table_by_loop(2 * length, 32), angular_frequencies(32)
    for shift in (shift_by_loop, shift_by_packing):
        assert np.allclose(shift(table[:length], w, length), table[length:], **NEAR)


@claim(PAGE, "Eight shifts gave us our 200 rows and some to spare")
def eight_shifts_make_256_rows(page):
    assert len(page["grown"]) == 256
    assert np.allclose(page["grown"], table_by_loop(256, 256), **NEAR)


@claim(PAGE, "these rows come out [more exact than the formula's]")
def grown_rows_are_nearer_to_the_truth():
    w, rows = angular_frequencies(8), [70_000, 99_999, 131_071]
    with mpmath.workdps(40):
        angles = [[mpmath.mpf(float(speed)) * t for speed in w] for t in rows]
        truth = [[float(f(a)) for a in row for f in (mpmath.sin, mpmath.cos)] for row in angles]
    grown, formula = (
        np.abs(table - truth).max() for table in (sinusoidal(131_072, 8)[rows], encode(rows, w))
    )
    assert grown < formula / 10


@claim(PAGE, "two rows that turn together keep their distance, all neighbors must be equally far")
def neighbors_are_equally_far_apart(page):
    steps = np.linalg.norm(np.diff(page["table"], axis=0), axis=1)
    assert np.ptp(steps) < 1e-12


@claim(PAGE, "Python would start 128 products rather than 25,600")
def whole_columns_turn_as_the_loop_does(page):
    table, R = page["table"], page["R"]
    assert np.allclose(table[:, page["pair"]] @ R.T, EXPECTED[:, 254:], **NEAR)
    assert 200 * 128 == 25_600


@claim(PAGE, "so it's row 488 turned by 512, and so on down to row 0")
def row_1000_goes_through_six_turns():
    turns, row = 0, 1000
    while row:
        row, turns = row - 2 ** (row.bit_length() - 1), turns + 1
        assert turns > 1 or row == 488
    assert turns == 6


@claim(PAGE, "together they are exactly our transposed $M$")
def swapping_is_the_transposed_matrix(page):
    assert np.array_equal(np.diag(page["a"]) + page["P"] @ np.diag(page["b"]), page["M"].T)
    assert np.array_equal(page["table"] @ page["P"], page["swapped"])


@claim(PAGE, "the best matrix of rank 64, which is as narrow as a head, misses by")
def a_narrow_matrix_misses_most_of_m(page):
    u, values, v = np.linalg.svd(page["M"])
    assert np.allclose(values, 1)
    narrow = u[:, :64] * values[:64] @ v[:64]
    missed = np.linalg.norm(page["M"] - narrow) / np.linalg.norm(page["M"])
    assert missed == pytest.approx(np.sqrt(192 / 256))
    assert round(missed, 2) == 0.87


@claim(PAGE, "gets a score of 32, and no other key within 5000 positions gets more than 28.5")
def the_fastest_pairs_find_the_key_100_back():
    behind = np.arange(-5000, 5001)
    scores = np.cos(np.outer(behind - 100, angular_frequencies(256)[:32])).sum(axis=1)
    assert behind[scores.argmax()] == 100
    assert np.isclose(scores.max(), 32)
    assert np.sort(scores)[-2] < 28.5


@claim(PAGE, "each block holds one cosine twice and one sine with both signs")
def blocks_hold_a_cosine_twice_and_a_sine_with_both_signs(page):
    for k, w in enumerate(exact_frequencies(256)):
        c, s = np.cos(100 * float(w)), np.sin(100 * float(w))
        block = page["M"][2 * k : 2 * k + 2, 2 * k : 2 * k + 2]
        assert np.allclose(block, [[c, s], [-s, c]], **NEAR)


@claim(
    PAGE, "The lower row of the first table is the upper row of the second with its sign changed"
)
def the_packed_factors_share_their_sines(page):
    to_sine, to_cosine = page["factors"]
    assert np.array_equal(to_sine[1], -to_cosine[0])
    assert np.array_equal(to_sine[0], to_cosine[1])
