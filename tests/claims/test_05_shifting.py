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


@claim(PAGE, "They all give you the same numbers")
@pytest.mark.parametrize("name", ["loop", "matrix", "packing", "swapping", "phase"])
def every_program_gives_the_shifted_table(page, name):
    assert np.allclose(page[f"by_{name}"], EXPECTED, **NEAR)


@claim(PAGE, "let's check all five programs on every row")
def all_rows_of_all_programs_are_counted_as_right():
    cells = json.loads(path_of(PAGE).with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    (cell,) = (cell for cell in cells if "results = by_loop" in "".join(cell["source"]))
    assert cell["outputs"][0]["data"]["text/plain"] == ["[200, 200, 200, 200, 200]"]


@claim(PAGE, "it turns both of them, pair by pair, for every token")
def turning_query_and_key_is_shifting_both():
    q, k = np.random.default_rng(5).normal(size=(2, 8))
    w = angular_frequencies(8)
    turned = [shift_by_packing([row], w, t)[0] for row, t in ((q, 17), (k, 12))]
    pairs = [row[0::2] + 1j * row[1::2] for row in (q, k)]
    expected = (pairs[0] * pairs[1].conj() * np.exp(-1j * 5 * w)).sum().real
    assert np.isclose(turned[0] @ turned[1], expected)


@claim(PAGE, "The times are from one machine: AMD EPYC, one thread, NumPy 2.4")
def the_record_names_its_machine():
    assert recorded_times()["CPU"] == "AMD EPYC"
    assert recorded_times()["NumPy"].startswith("2.4.")


@claim(PAGE, "25,600 of them, with four multiplications each")
def a_turned_pair_takes_four_multiplications(page):
    R, pair = counted(page["R"]), counted(page["table"][7, :2])
    assert (R @ pair).shape == (2,)
    assert Counted.count == 4
    assert 200 * 128 == 25_600
    assert 4 * 200 * 128 == 102_400 == multiplications(200, 256)["loop"]


@claim(PAGE, "it does no more arithmetic than the three fastest programs")
def packing_swapping_and_complex_take_four_a_pair(page):
    x, y, c, s = (counted(page[name][..., :3]) for name in "xycs")
    _ = c * x + s * y, c * y + s * x
    assert Counted.count == 4 * 200 * 3
    a, b, table = (counted(page[name][..., :6]) for name in ("a", "b", "table"))
    _ = a * table + b * table
    assert Counted.count == 4 * 200 * 3
    fastest = sorted(PROGRAMS, key=SECONDS.get)[:3]
    assert {*fastest} == {"packing", "swapping", "complex"}
    assert {multiplications(200, 256)[name] for name in (*fastest, "loop")} == {102_400}


@claim(PAGE, "The loop took 25 milliseconds")
def the_loop_took_25_milliseconds():
    assert round(1000 * SECONDS["loop"]) == 25


@claim(PAGE, "which is why the thin bar is so long")
def the_matrix_multiplies_128_times_as_often(page):
    _ = counted(page["table"][:1]) @ counted(page["M"].T)
    assert 200 * Counted.count == 128 * 102_400 == multiplications(200, 256)["matrix"]


@claim(PAGE, "all thirteen million multiplications go into a single call")
def the_matrix_does_thirteen_million(page):
    assert round(multiplications(200, 256)["matrix"] / 1e6) == 13


@claim(PAGE, "It still beats the loop by a factor of nearly 50")
def the_matrix_took_a_small_part_of_the_loops_time():
    assert round(SECONDS["loop"] / SECONDS["matrix"]) == 49


@claim(PAGE, "More than 99% of `M` is zeros")
def m_is_almost_empty(page):
    assert np.mean(page["M"] == 0) > 0.99


@claim(PAGE, "Python charges you for every call, however little it does")
def the_loop_spends_its_time_on_calls():
    one_pair = SECONDS["loop"] / 25_600
    one_of_the_matrix = SECONDS["product with M"] / multiplications(200, 256)["matrix"]
    assert one_pair > 1000 * 4 * one_of_the_matrix


@claim(
    PAGE,
    "Multiplying by the matrix takes 0.52 milliseconds, nearly half of which goes into building "
    "`M`, while computing the new table from scratch takes 0.43, sines and all",
)
def the_matrix_gains_nothing_over_the_formula():
    took = (SECONDS[name] for name in ("matrix", "formula"))
    assert [f"{1000 * seconds:.2f}" for seconds in took] == ["0.52", "0.43"]
    assert 0.4 < SECONDS["making M"] / SECONDS["matrix"] < 0.5


@claim(PAGE, "This takes 0.03 milliseconds, a fourteenth of what it takes to start from scratch")
def the_complex_product_took_a_fourteenth_of_the_formula():
    assert round(1000 * SECONDS["complex"], 2) == 0.03
    assert round(SECONDS["formula"] / SECONDS["complex"]) == 14


@claim(PAGE, "The hundred rows that came in from below")
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


@claim(PAGE, "then the new sine is `c * x + s * y` and the new cosine is `c * y - s * x`")
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


@claim(PAGE, "you'll recognize that last line as `(q * cos) + (rotate_half(q) * sin)`")
def llamas_line_turns_a_row_in_halves_by_its_own_position():
    q, w = np.random.default_rng(5).normal(size=(9, 16)), angular_frequencies(16)
    angles = np.outer(np.arange(9), np.tile(w, 2))
    first, second = np.split(q, 2, axis=1)
    turned = q * np.cos(angles) + np.hstack([-second, first]) * np.sin(angles)
    as_complex = (first + 1j * second) * np.exp(1j * np.outer(np.arange(9), w))
    assert np.allclose(turned, np.hstack([as_complex.real, as_complex.imag]))


@claim(PAGE, "weights trained on neighboring pairs won't work there until you reorder them")
def scores_survive_the_other_pairing_only_in_another_order():
    rng, w = np.random.default_rng(5), angular_frequencies(16)
    q, k = rng.normal(size=(2, 16))

    def halves(row, t):
        z = (row[:8] + 1j * row[8:]) * np.exp(1j * t * w)
        return np.append(z.real, z.imag)

    def neighbors(row, t):
        return (row.view(complex) * np.exp(1j * t * w)).view(float)

    right = neighbors(q, 17) @ neighbors(k, 12)
    order = np.append(np.arange(0, 16, 2), np.arange(1, 16, 2))
    assert not np.isclose(halves(q, 17) @ halves(k, 12), right, atol=0.1)
    assert np.isclose(halves(q[order], 17) @ halves(k[order], 12), right)


@claim(PAGE, "a shift is multiplication by $e^{-i \\omega_k φ}$")
def a_shift_is_a_complex_product(page):
    w = np.array(exact_frequencies(256), float)
    pairs = EXPECTED[:, 0::2] + 1j * EXPECTED[:, 1::2]
    before = page["x"] + 1j * page["y"]
    assert np.allclose(before * np.exp(-1j * 100 * w), pairs, **NEAR)
    assert not np.allclose(before * np.exp(1j * 100 * w), pairs, rtol=0, atol=0.5)


@claim(
    PAGE,
    "The real part is `c * x + s * y`, our new sine, and the imaginary part is `c * y - s * x`, "
    "our new cosine",
)
def the_parts_of_the_product_are_the_two_lines():
    c, s, x, y = np.random.default_rng(5).normal(size=4)
    assert np.isclose((c - 1j * s) * (x + 1j * y), c * x + s * y + 1j * (c * y - s * x))


@claim(PAGE, "multiplying by $e^{iθ}$ turns counterclockwise, and our hands turn clockwise")
def the_product_with_a_positive_angle_turns_the_other_way():
    # To the right and up, as a hand on its dial and as a complex number: at twelve, then later.
    hand = np.sin(0.1) + 1j * np.cos(0.1)
    assert np.isclose(hand, 1j * np.exp(-0.1j))
    assert hand.real > 0 > (1j * np.exp(0.1j)).real


@claim(PAGE, "`view` just reads the same bytes in a different way")
def a_view_shares_the_tables_memory(page):
    assert np.shares_memory(page["table"].view(complex), page["table"])
    assert np.array_equal(page["table"].view(complex).imag, page["table"][:, 1::2])


@claim(PAGE, "takes more than eight million sines")
def the_formula_takes_eight_million():
    assert 8e6 < 131_072 * 64 < 9e6


@claim(PAGE, "In our program it's 1088, which is 17 times 64")
def growing_takes_a_thousand_sines_and_cosines(monkeypatch):
    made, exp = [], np.exp
    monkeypatch.setattr(np, "exp", lambda angles: made.append(2 * angles.size) or exp(angles))
    grow(np.tile([0.0, 1], 32), angular_frequencies(64), 131_072)
    assert (len(made), sum(made)) == (17, 1088)


@claim(PAGE, "(Even 64 would do, if you square the factors each time, but then you lose digits.)")
def squared_factors_lose_digits():
    w = angular_frequencies(64)
    rows, factors = np.full((1, 32), 1j), np.exp(-1j * w)
    while len(rows) < 131_072:
        rows, factors = np.vstack([rows, rows * factors]), factors**2
    with mpmath.workdps(40):
        exact = [complex(mpmath.expj(-mpmath.mpf(float(speed)) * 131_071)) * 1j for speed in w]
    grown = sinusoidal(131_072, 64)[-1].view(complex)
    lost, kept = (abs(row - exact).max() for row in (rows[-1], grown))
    assert np.allclose(rows[-1], exact, rtol=0, atol=1e-9)
    assert kept < 1e-14 < 100 * kept < lost


@claim(PAGE, "**Shift a table by its own length, and you get the rows that come next.**")
@pytest.mark.parametrize("length", [1, 7, 64])
def a_table_shifted_by_its_length_is_what_comes_next(length):
    table, w = table_by_loop(2 * length, 32), angular_frequencies(32)
    for shift in (shift_by_loop, shift_by_packing):
        assert np.allclose(shift(table[:length], w, length), table[length:], **NEAR)


@claim(PAGE, "Eight shifts make 256 rows, and seventeen make 131,072")
def eight_shifts_make_256_rows(page):
    assert len(page["grown"]) == 256 == 2**8
    assert 2**17 == 131_072
    assert np.allclose(page["grown"], table_by_loop(256, 256), **NEAR)


@claim(PAGE, "while ours [stay within $10^{-14}$]")
def grown_rows_are_nearer_to_the_truth():
    w, rows = angular_frequencies(64), [65_535, 70_001, 99_999, 131_071]
    grown = sinusoidal(131_072, 64)
    with mpmath.workdps(40):
        angles = [[mpmath.mpf(float(speed)) * t for speed in w] for t in rows]
        truth = [[float(f(a)) for a in row for f in (mpmath.sin, mpmath.cos)] for row in angles]
    assert np.abs(grown[rows] - truth).max() < 1e-15
    # Each of 17 turns adds the errors of a product, 3e-16 at most, and of its factor, 2e-16.
    assert 17 * 5e-16 < 1e-14
    # An angle near 131,072 is off by up to half of the gap between two doubles.
    formula = np.abs(encode(np.arange(131_072), w) - grown).max()
    assert 7e-12 < formula < np.spacing(131_071.0) / 2 + 1e-14 < 7.5e-12


@claim(PAGE, "every step down the table is as long as the first")
def neighbors_are_equally_far_apart(page):
    steps = np.linalg.norm(np.diff(page["table"], axis=0), axis=1)
    assert np.ptp(steps) < 1e-12


@claim(PAGE, "Python would make 128 calls rather than 25,600")
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


@claim(PAGE, "here's how they add up to our transposed $M$")
def swapping_is_the_transposed_matrix(page):
    assert np.array_equal(np.diag(page["a"]) + page["P"] @ np.diag(page["b"]), page["M"].T)
    assert np.array_equal(page["table"] @ page["P"], page["swapped"])


@claim(
    PAGE, "the best matrix of rank 64, which is all you get from a head with 64 columns, misses by"
)
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
    PAGE, "The sines are in the lower row of the first table, and with a minus in the upper row of"
)
def the_packed_factors_share_their_sines(page):
    to_sine, to_cosine = page["factors"]
    assert np.array_equal(to_sine[1], -to_cosine[0])
    assert np.array_equal(to_sine[0], to_cosine[1])
