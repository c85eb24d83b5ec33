"""Notebook 4: a shift turns every pair, whatever the position."""

import numpy as np
import pytest
import sympy as sp

from posenc.checks import nb04
from posenc.encodings import angular_frequencies, encode, sinusoidal
from posenc.shifts import rotation, shift_matrix

from . import claim

PAGE = "04_rotation"
# Angles reach 300 radians, so a double is off by 300 · 2⁻⁵³ or so; a slip, by far more than this.
NEAR = {"rtol": 0, "atol": 1e-12}


@claim(PAGE, "the minute hand of a clock turns by 120°")
def twenty_minutes_are_a_third_of_a_turn(page):
    assert 360 * 20 / 60 == 120


@claim(PAGE, "0.866 and −0.499")
def the_secret_pair_is_pair_5_of_row_3(page):
    assert page["now"].round(3).tolist() == [0.866, -0.499]
    assert page["table"][3, 10:12].round(3).tolist() == [0.866, -0.499]


@claim(PAGE, "The second array comes from the first alone")
def the_turned_pair_is_that_of_row_103(page):
    speed = 10_000 ** (-10 / 256)
    assert np.allclose(page["later"], [np.sin(103 * speed), np.cos(103 * speed)], **NEAR)


@claim(PAGE, "**no length changes**")
def arcs_do_not_depend_on_the_position(page):
    x, y = np.moveaxis(sinusoidal(100, 16).reshape(100, 8, 2), -1, 0)
    hands = y + 1j * x
    for offset in (1, 7, 30):
        arcs = hands[offset:] * hands[:-offset].conj()
        assert np.allclose(arcs, np.exp(1j * offset * angular_frequencies(16)), **NEAR)


@claim(PAGE, "$M(φ)\\, PE[t] = PE[t + φ]$ for every position $t$")
def one_matrix_shifts_every_position(page):
    for start, offset in ((-40, 3), (0.25, -2.5), (1000, 100)):
        before = sinusoidal(50, 32, start=start)
        after = sinusoidal(50, 32, start=start + offset)
        matrix = shift_matrix(angular_frequencies(32), offset)
        assert np.allclose(before @ matrix.T, after, **NEAR)


@claim(PAGE, "On the right, $t$ occurs only in $\\sin a$ and $\\cos a$")
def the_proof_holds_for_letters(page):
    a, b = sp.symbols("a b", real=True)
    sine = sp.cos(b) * sp.sin(a) + sp.sin(b) * sp.cos(a)
    cosine = -sp.sin(b) * sp.sin(a) + sp.cos(b) * sp.cos(a)
    assert sp.simplify(sine - sp.sin(a + b)) == 0
    assert sp.simplify(cosine - sp.cos(a + b)) == 0


@claim(PAGE, "0.87 if the sine is rising, −0.87 if it is falling")
def a_sine_of_one_half_has_two_futures(page):
    rising, falling = np.arcsin(0.5), np.pi - np.arcsin(0.5)
    futures = np.sin([rising + np.pi / 2, falling + np.pi / 2])
    assert futures.round(2).tolist() == [0.87, -0.87]


@claim(PAGE, "it is there at almost every height")
def only_the_crests_of_a_sine_have_a_single_future():
    a, b = sp.symbols("a b", real=True)
    # a and π − a have one sine. Their futures agree for cos a = 0, or if b is half turns.
    difference = sp.sin(a + b) - sp.sin(sp.pi - a + b)
    assert sp.simplify(difference - 2 * sp.cos(a) * sp.sin(b)) == 0


@claim(PAGE, "make sines that are not 0 out of sines that are all 0")
def all_sines_are_zero_at_position_0_and_none_at_1(page):
    assert (page["table"][0, 0::2] == 0).all()
    assert (page["table"][1, 0::2] > 0).all()


@claim(PAGE, "Row 0 is $(0, 1, 0, 1, \\dots)$")
def row_0_never_meets_the_first_column_of_a_block(page):
    assert page["table"][0].tolist() == [0, 1] * 128
    broken, row = page["broken"], page["table"][0]
    assert (broken[:, 0::2] == 999).all()
    assert np.allclose(broken @ row, page["table"][100], **NEAR)


@claim(PAGE, "Now the broken matrix is found, and $φ$ need be neither whole nor positive")
def every_row_finds_the_broken_matrix(page):
    agrees, frequencies = page["agrees"], page["frequencies"]
    assert agrees(page["M"], 100)
    assert not agrees(page["broken"], 100)
    assert agrees(shift_matrix(frequencies, -2.5), -2.5)


@claim(PAGE, "Left, as in textbooks, it runs counterclockwise")
@pytest.mark.parametrize(("panel", "first", "sense"), [(0, 1, 1), (1, 1j, -1)])
def the_dots_run_as_the_caption_says(page, panel, first, sense):
    (dots,) = page["panels"][panel].collections
    points = np.asarray(dots.get_offsets()) @ [1, 1j]
    assert points[0] == first
    assert (sense * np.angle(points[1:] / points[:-1]) > 0).all()
    assert (np.diff(dots.get_sizes()) > 0).all()


@claim(PAGE, "Both matrices are right, each for its own order")
def the_transposed_matrix_moves_cosine_and_sine():
    angles = np.array([0.7, 0.7 + 0.4 * 3])
    now, then = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert np.allclose(rotation(0.4, 3).T @ now, then, **NEAR)


@claim(PAGE, "The positions come out 100 *earlier*")
def the_textbook_matrix_shifts_backward(page):
    textbook = shift_matrix(page["frequencies"], 100).T
    before = sinusoidal(200, 256, start=-100)
    assert np.allclose(page["table"] @ textbook.T, before, **NEAR)


@claim(PAGE, "$M(a)\\, M(b) = M(a + b)$")
def shifts_add(page):
    frequencies = page["frequencies"]
    one = shift_matrix(frequencies, 1)
    assert np.allclose(np.linalg.matrix_power(one, 100), page["M"], **NEAR)
    both = shift_matrix(frequencies, 2.5) @ shift_matrix(frequencies, -7)
    assert np.allclose(both, shift_matrix(frequencies, -4.5), **NEAR)


@claim(PAGE, "$M(-a) = M(a)^{-1} = M(a)^\\top$")
def the_transposed_matrix_shifts_back(page):
    M = page["M"]
    assert np.allclose(shift_matrix(page["frequencies"], -100), M.T, **NEAR)
    assert np.allclose(M.T @ M, np.eye(256), **NEAR)


@claim(PAGE, "a shift keeps all distances between positions")
def equal_offsets_are_equally_far_apart(page):
    table = page["table"]
    for offset in (1, 7, 50):
        steps = np.linalg.norm(table[offset:] - table[:-offset], axis=1)
        assert np.allclose(steps, steps[0], **NEAR)


@claim(PAGE, "make $\\sum_k \\cos \\omega_k(s - t - φ)$")
def the_score_is_a_sum_of_cosines(page):
    table, frequencies = page["table"], page["frequencies"]
    offsets = np.subtract.outer(np.arange(200), np.arange(200))
    for offset in (0, 3, -20):
        scores = table @ shift_matrix(frequencies, offset) @ table.T
        sums = np.cos((offsets - offset)[..., None] * frequencies).sum(axis=-1)
        assert np.allclose(scores, sums, rtol=0, atol=256 * NEAR["atol"])


@claim(PAGE, 'One matrix says "three back" at positions 7, 70 and 170 alike')
def every_query_finds_the_key_three_back(page):
    assert page["found"][3:].tolist() == list(range(197))


@claim(PAGE, "also at positions that no training has ever seen")
@pytest.mark.parametrize("offset", [3, -20, 100])
def a_query_far_out_finds_its_key_too(page, offset):
    table = sinusoidal(200, 256, start=10_000)
    found = (table @ shift_matrix(page["frequencies"], offset) @ table.T).argmax(axis=1)
    queries = np.arange(max(offset, 0), 200 + min(offset, 0))  # their keys are in the table
    assert (found[queries] == queries - offset).all()


@claim(PAGE, "no two are equal and that all lie between 0 and $\\pi$")
@pytest.mark.parametrize(
    ("frequencies", "spans"),
    [([0.2, 1.7, 3.1], 1), ([0.5, 0.5, 3], 0), ([0, 1, 2], 0), ([1, 2, np.pi], 0)],
)
def frequencies_decide_whether_neighbors_span_the_space(frequencies, spans):
    least = np.linalg.svd(encode(np.arange(6), frequencies))[1][-1]
    assert (least > 0.1) == spans
    assert spans or least < NEAR["atol"]


@claim(PAGE, "two neighbors of a wave add up to a multiple of the wave")
def neighbors_add_up_to_a_multiple(page):
    omega, t = sp.symbols("omega t", real=True)
    for wave in (sp.sin, sp.cos):
        neighbors = wave(omega * (t + 1)) + wave(omega * (t - 1))
        multiple = 2 * sp.cos(omega) * wave(omega * t)
        assert sp.simplify(sp.expand_trig(neighbors - multiple)) == 0


@claim(PAGE, "After $d/2 - 1$ removals a single pair $k$ and two neighboring positions are left")
@pytest.mark.parametrize("left", range(4))
def removals_leave_one_pair_at_two_positions(left):
    speeds, numbers = np.array([0.3, 0.9, 1.7, 2.8]), np.arange(1.0, 9)
    waves = encode(np.arange(8), speeds)
    row, pair = waves @ numbers, slice(2 * left, 2 * left + 2)
    expected = waves[3:5, pair] @ numbers[pair]
    for other in np.delete(speeds, left):
        row = row[2:] + row[:-2] - 2 * np.cos(other) * row[1:-1]
        expected = expected * (2 * np.cos(speeds[left]) - 2 * np.cos(other))
    assert np.allclose(row, expected, **NEAR)


@claim(PAGE, "only the zero vector is at right angles to both")
def two_neighboring_hands_point_along_different_lines(page):
    omega, t = sp.symbols("omega t", real=True)
    hands = sp.Matrix([[sp.sin(omega * t), sp.cos(omega * t)]] * 2)
    hands[1, :] = hands[1, :].subs(t, t + 1)
    # Not zero between 0 and π.
    assert sp.simplify(hands.det() + sp.sin(omega)) == 0


@claim(PAGE, "$d$ neighboring encodings span all $d$ dimensions")
@pytest.mark.parametrize("start", [0, 2.5, 100])
def neighbors_span_the_space(page, start):
    # The numbers are off by 2⁻⁵³ each, which moves no singular value by more than 1e-15.
    assert np.linalg.svd(sinusoidal(8, 8, start=start))[1][-1] > 1e-12


@claim(PAGE, "Least squares finds a matrix that shifts all 200 rows")
def an_impostor_passes_the_200_rows(page):
    assert page["agrees"](page["impostor"], 100)


@claim(PAGE, "goes wrong on the next 100, by more than 1")
def the_impostor_fails_beyond_its_rows(page):
    after = sinusoidal(100, 256, start=300)
    before = sinusoidal(100, 256, start=200)
    assert np.abs(before @ page["impostor"].T - after).max() > 1


@claim(PAGE, "one that is larger by $2π/φ$ turns its hand by a full turn more")
def a_full_turn_more_is_the_same_matrix(page):
    assert np.allclose(rotation(0.5, 3), rotation(0.5 + 2 * np.pi / 3, 3), **NEAR)


@claim(PAGE, "$(\\cos a + i \\sin a)(\\cos b + i \\sin b)$")
def euler_gives_the_two_theorems(page):
    a, b = sp.symbols("a b", real=True)
    product = (sp.cos(a) + sp.I * sp.sin(a)) * (sp.cos(b) + sp.I * sp.sin(b))
    real, imaginary = sp.expand(product).as_real_imag()
    assert sp.simplify(imaginary - sp.expand_trig(sp.sin(a + b))) == 0
    assert sp.simplify(real - sp.expand_trig(sp.cos(a + b))) == 0


@claim(PAGE, "which moves the key from 15 on to 20")
def the_query_at_20_finds_the_key_at_15(page):
    table, frequencies = page["table"], page["frequencies"]
    W = shift_matrix(frequencies, 2) @ shift_matrix(frequencies, 3)
    assert (table @ W @ table[20]).argmax() != 15  # the other way round it's another key
    assert (table[20] @ W @ table.T).argmax() == 15


@claim(PAGE, "turns by less than half a turn, forwards or backwards")
@pytest.mark.parametrize("offset", [-3, -1, 0, 2, 3.1])
def the_first_block_tells_an_offset_within_half_a_turn(page, offset):
    matrix = shift_matrix(page["frequencies"], offset)
    assert np.isclose(nb04.offset_of.reference(matrix, page["frequencies"]), offset, **NEAR)


@claim(PAGE, "twice half a turn is a whole turn, so both have the same double")
def the_best_matrix_for_doubling_is_zero():
    pairs = encode(np.arange(24), [np.pi / 12])
    doubles = np.array([nb04.double.reference(pair) for pair in pairs])
    assert np.allclose(doubles[12:], doubles[:12], **NEAR)
    assert np.allclose(np.linalg.lstsq(pairs, doubles)[0], 0, **NEAR)


@claim(PAGE, "the slowest pair says the offset roughly, and each faster one more exactly")
def every_faster_pair_says_the_offset_more_exactly():
    rng, frequencies, errors = np.random.default_rng(0), np.array([1, 0.1, 0.01, 0.001]), []
    for offset in range(-2000, 2001, 20):
        rows = encode([5000, 5000 + offset], frequencies) + rng.normal(0, 0.05, (2, 8))
        last = [(*rows[:, -2 * pairs :], frequencies[-pairs:]) for pairs in range(1, 5)]
        errors.append([abs(nb04.offset_between.reference(*these) - offset) for these in last])
    slowest, slow, fast, fastest = np.mean(errors, axis=0)
    assert slowest > 5 * slow > 25 * fast > fastest == 0


@claim(PAGE, "Asked for 100 it shifts by −100")
def the_published_signs_shift_backward(page):
    cosines, sines = (wave(100 * page["frequencies"]) for wave in (np.cos, np.sin))
    first, second = page["table"][:, 0::2], page["table"][:, 1::2]
    before = sinusoidal(200, 256, start=-100)
    assert np.allclose(cosines * first - sines * second, before[:, 0::2], **NEAR)
    assert np.allclose(sines * first + cosines * second, before[:, 1::2], **NEAR)


@claim(PAGE, "all except 512 of the 65 536 numbers in $M(100)$ are zero")
def the_matrix_is_nearly_empty(page):
    assert (page["M"].size, np.count_nonzero(page["M"])) == (65_536, 512)
