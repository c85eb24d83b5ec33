"""Notebook 4: a shift turns every pair, whatever the position."""

import numpy as np
import pytest
import sympy as sp

from posenc.checks import nb04
from posenc.encodings import angular_frequencies, encode
from posenc.shifts import rotation, shift_matrix

from . import claim

PAGE = "04_rotation"
# Angles reach 400 radians, so a double is off by 300 · 2⁻⁵³ or so; a slip, by far more than this.
NEAR = {"rtol": 0, "atol": 1e-12}


@claim(PAGE, "the minute hand has moved a third of the way around the dial")
def twenty_minutes_are_a_third_of_a_turn(page):
    assert 360 * 20 / 60 == 120


@claim(PAGE, "table[3, 8:10]  # pair 4; now forget the 3")
def the_secret_pair_is_pair_4_of_row_3(page):
    angle = 3 * 10_000 ** (-8 / 64)
    assert np.allclose(page["now"], [np.sin(angle), np.cos(angle)], **NEAR)


@claim(PAGE, "stopped where row 103 says it should")
def the_turned_pair_is_that_of_row_103(page):
    speed = 10_000 ** (-8 / 64)
    assert np.allclose(page["later"], [np.sin(103 * speed), np.cos(103 * speed)], **NEAR)


@claim(PAGE, "not one of them gets any longer")
def arcs_do_not_depend_on_the_position(page):
    x, y = np.moveaxis(encode(np.arange(100), angular_frequencies(64)).reshape(100, 32, 2), -1, 0)
    hands = y + 1j * x
    for offset in (1, 7, 30):
        arcs = hands[offset:] * hands[:-offset].conj()
        assert np.allclose(arcs, np.exp(1j * offset * angular_frequencies(64)), **NEAR)


@claim(PAGE, "the first hand goes around nine and a half times, while the last doesn't make it")
def the_dials_turn_so_often_from_one_end_of_the_slider_to_the_other():
    turns = 60 * angular_frequencies(64)[[0, 12]] / (2 * np.pi)
    assert turns[0].round(1) == 9.5
    assert 0.3 < turns[1] < 1 / 3


@claim(PAGE, "The hand went around five times and a bit")
def the_hand_makes_five_turns_in_a_hundred_positions(page):
    assert 5 < page["frequencies"][4] * 100 / (2 * np.pi) < 5.25


@claim(PAGE, "you can write it down for any real number $φ$")
def one_matrix_shifts_every_position(page):
    for start, offset in ((-40, 3), (0.25, -2.5), (1000, 100)):
        before = encode(start + np.arange(50), angular_frequencies(64))
        after = encode(start + offset + np.arange(50), angular_frequencies(64))
        matrix = shift_matrix(angular_frequencies(64), offset)
        assert np.allclose(before @ matrix.T, after, **NEAR)


@claim(PAGE, "plus $\\cos a$ along the one that used to point up")
def turning_keeps_the_two_parts_of_a_tip():
    for a, b in ((0.5, 0.9), (2, -1), (4, 3)):
        up, right = np.exp([-1j * b, -1j * (b + np.pi / 2)]) * 1j  # clockwise from the top
        assert np.allclose(
            [right, up], [complex(np.cos(b), -np.sin(b)), complex(np.sin(b), np.cos(b))]
        )
        assert np.isclose(np.sin(a) * right + np.cos(a) * up, 1j * np.exp(-1j * (a + b)))


@claim(PAGE, "There's a $b$ in every entry and no $a$ anywhere")
def the_proof_holds_for_letters(page):
    a, b = sp.symbols("a b", real=True)
    sine = sp.cos(b) * sp.sin(a) + sp.sin(b) * sp.cos(a)
    cosine = -sp.sin(b) * sp.sin(a) + sp.cos(b) * sp.cos(a)
    assert sp.expand_trig(sp.sin(a + b)) == sine
    assert sp.expand_trig(sp.cos(a + b)) == cosine


@claim(PAGE, "turn later one has become 0.87 and the other −0.87")
def a_sine_of_one_half_has_two_futures(page):
    rising, falling = np.arcsin(0.5), np.pi - np.arcsin(0.5)
    futures = np.sin([rising + np.pi / 2, falling + np.pi / 2])
    assert futures.round(2).tolist() == [0.87, -0.87]


@claim(PAGE, "at position 1 not one of them is 0")
def all_sines_are_zero_at_position_0_and_none_at_1(page):
    assert (page["table"][0, 0::2] == 0).all()
    assert (page["table"][1, 0::2] > 0).all()


@claim(PAGE, "so every 999 meets a 0")
def row_0_never_meets_the_first_column_of_a_block(page):
    assert page["table"][0].tolist() == [0, 1] * 32
    spoiled, row = page["spoiled"], page["table"][0]
    assert (spoiled[:, 0::2] == 999).all()
    assert np.allclose(spoiled @ row, page["table"][100], **NEAR)


@claim(PAGE, "Row 1 misses by more than 3000, so check all the rows")
def row_1_finds_the_spoiled_matrix(page):
    table = page["table"]
    assert np.abs(page["spoiled"] @ table[1] - table[101]).max() > 3000
    assert np.allclose(page["M"] @ table[1], table[101], **NEAR)


@claim(PAGE, "climbs counterclockwise; ours starts at the top and comes down clockwise")
@pytest.mark.parametrize(("panel", "first", "sense"), [(0, 1, 1), (1, 1j, -1)])
def the_dots_run_as_the_caption_says(page, panel, first, sense):
    (dots,) = page["panels"][panel].collections
    points = np.asarray(dots.get_offsets()) @ [1, 1j]
    assert points[0] == first
    assert (sense * np.angle(points[1:] / points[:-1]) > 0).all()
    assert (np.diff(dots.get_sizes()) > 0).all()


@claim(PAGE, "turns counterclockwise, with its minus sign in the upper row")
def the_transposed_matrix_moves_cosine_and_sine():
    angles = np.array([0.7, 0.7 + 0.4 * 3])
    now, then = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert np.allclose(rotation(0.4, 3).T @ now, then, **NEAR)


@claim(PAGE, "if you copy it into $M(φ)$, every row moves back instead of forward")
def the_textbook_matrix_shifts_backward(page):
    textbook = shift_matrix(page["frequencies"], 100).T
    before = encode(-100 + np.arange(200), angular_frequencies(64))
    assert np.allclose(page["table"] @ textbook.T, before, **NEAR)


@claim(PAGE, "$M(20)\\, M(80)$ is $M(100)$")
def shifts_add(page):
    frequencies = page["frequencies"]
    one = shift_matrix(frequencies, 1)
    assert np.allclose(np.linalg.matrix_power(one, 100), page["M"], **NEAR)
    both = shift_matrix(frequencies, 2.5) @ shift_matrix(frequencies, -7)
    assert np.allclose(both, shift_matrix(frequencies, -4.5), **NEAR)


@claim(PAGE, "you turn every block the other way, and that's the transpose")
def the_transposed_matrix_shifts_back(page):
    M = page["M"]
    assert np.allclose(shift_matrix(page["frequencies"], -100), M.T, **NEAR)
    assert np.allclose(M.T @ M, np.eye(64), **NEAR)


@claim(PAGE, "like any rotation, it leaves all distances as they were")
def equal_offsets_are_equally_far_apart(page):
    table = page["table"]
    for offset in (1, 7, 50):
        steps = np.linalg.norm(table[offset:] - table[:-offset], axis=1)
        assert np.allclose(steps, steps[0], **NEAR)


@claim(PAGE, "hand $k$ contributes $\\cos \\omega_k(s - t - φ)$")
def the_score_is_a_sum_of_cosines(page):
    table, frequencies = page["table"], page["frequencies"]
    offsets = np.subtract.outer(np.arange(200), np.arange(200))
    for offset in (0, 3, -20):
        scores = table @ shift_matrix(frequencies, offset) @ table.T
        sums = np.cos((offsets - offset)[..., None] * frequencies).sum(axis=-1)
        assert np.allclose(scores, sums, rtol=0, atol=64 * NEAR["atol"])


@claim(PAGE, "every query that has a key $φ$ places back picks it out")
def every_query_finds_the_key_three_back(page):
    best = page["scores"].argmax(axis=1)
    assert best[[7, 70, 170]].tolist() == [4, 67, 167]
    assert best[3:].tolist() == list(range(197))


@claim(PAGE, "have nothing that far back and settle for key 0")
def the_first_queries_score_highest_with_key_0(page):
    assert page["scores"][:3].argmax(axis=1).tolist() == [0, 0, 0]


@claim(PAGE, "the right key scores 32, and the keys next door get 30.9")
def neighbors_of_the_right_key_score_nearly_as_much(page):
    assert page["scores"][7, 3:6].round(1).tolist() == [30.9, 32, 30.9]
    assert (page["scores"].round(9) <= 32).all()


@claim(PAGE, "query 12 gives the right one only a tenth of its weight. At 32 it gives 97%")
def a_larger_factor_concentrates_the_weights(page):
    right = [weights(factor * page["scores"][:24, :24])[12, 9] for factor in (1, 32)]
    assert np.round(right, 2).tolist() == [0.10, 0.97]


@claim(PAGE, "$8\\, M(φ)$, where the 8 makes up for the division")
def eight_is_the_root_of_the_width(page):
    assert np.sqrt(page["width"]) == 8


@claim(PAGE, "each query favors its own position")
def an_unshifted_query_favors_itself(page):
    own = weights(8 * page["table"] @ page["table"].T)
    assert own.argmax(axis=1).tolist() == list(range(200))
    assert own.diagonal().min() > 0.5


@claim(PAGE, "When φ is halfway between whole numbers, two keys tie")
def two_keys_tie_halfway(page):
    table, frequencies = page["table"], page["frequencies"]
    scores = table[100] @ shift_matrix(frequencies, 2.5) @ table.T
    assert np.isclose(scores[97], scores[98], **NEAR)
    assert (np.delete(scores, [97, 98]) < scores[97] - 0.1).all()


@claim(PAGE, "The differences between its scores are ten times as large")
def ten_times_the_matrix_finds_the_same_key_with_more_weight(page):
    narrow, wide = weights(10 * page["scores"]), weights(page["scores"])
    assert (narrow.argmax(axis=1) == wide.argmax(axis=1)).all()
    assert (narrow.max(axis=1) > wide.max(axis=1)).all()


def weights(scores):
    """Return the softmax of scores of width 64, row by row."""
    parts = np.exp((scores - scores.max(axis=1, keepdims=True)) / 8)
    return parts / parts.sum(axis=1, keepdims=True)


@claim(PAGE, "Drag φ, and the first block changes fast, the last hardly at all")
def blocks_change_at_their_own_rates():
    still = np.eye(2)
    moved = [np.abs(rotation(w, 1) - still).max() for w in angular_frequencies(64)[0:16:4]]
    assert moved[0] > 0.8 > 0.05 > moved[3]


@claim(PAGE, "it would still work ten thousand positions from here, since only the offset counts")
@pytest.mark.parametrize("offset", [3, -20, 100])
def a_query_far_out_finds_its_key_too(page, offset):
    table = encode(10_000 + np.arange(200), angular_frequencies(64))
    best = (table @ shift_matrix(page["frequencies"], offset) @ table.T).argmax(axis=1)
    queries = np.arange(max(offset, 0), 200 + min(offset, 0))  # their keys are in the table
    assert (best[queries] == queries - offset).all()


@claim(PAGE, "all different and lie between 0 and $\\pi$")
@pytest.mark.parametrize(
    ("frequencies", "spans"),
    [([0.2, 1.7, 3.1], 1), ([0.5, 0.5, 3], 0), ([0, 1, 2], 0), ([1, 2, np.pi], 0)],
)
def frequencies_decide_whether_neighbors_span_the_space(frequencies, spans):
    least = np.linalg.svd(encode(np.arange(6), frequencies))[1][-1]
    assert (least > 0.1) == spans
    assert spans or least < NEAR["atol"]


@claim(PAGE, "the two neighbors of a wave add up to $2 \\cos \\omega_j$ times the wave")
def neighbors_add_up_to_a_multiple(page):
    omega, t = sp.symbols("omega t", real=True)
    for wave in (sp.sin, sp.cos):
        neighbors = wave(omega * (t + 1)) + wave(omega * (t - 1))
        multiple = 2 * sp.cos(omega) * wave(omega * t)
        assert sp.simplify(sp.expand_trig(neighbors - multiple)) == 0


@claim(PAGE, "after $d/2 - 1$ rounds a single pair and two neighboring positions are left")
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


@claim(PAGE, "only $(0, 0)$ is at right angles to both")
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
    assert np.linalg.svd(encode(start + np.arange(8), angular_frequencies(8)))[1][-1] > 1e-12


@claim(PAGE, "in double precision their {term}`rank` is only 26")
def sixty_four_rows_do_not_settle_the_matrix(page):
    assert np.linalg.matrix_rank(page["rows"][:64]) == 26


@claim(PAGE, "right on all of them, to within rounding, and off by more than 1 farther on")
def an_impostor_fails_beyond_its_rows(page):
    assert page["misses"][:64].max() < 1e-9
    assert page["misses"][64:].max() > 1


@claim(PAGE, "$\\omega_k + 2\\pi/φ$ in place of $\\omega_k$ gives the same matrix")
def a_full_turn_more_is_the_same_matrix(page):
    assert np.allclose(rotation(0.5, 3), rotation(0.5 + 2 * np.pi / 3, 3), **NEAR)


@claim(PAGE, "are the two lines that you found on the dial")
def a_shifted_pair_multiplied_out_gives_both_theorems():
    omega, t, phi = sp.symbols("omega t varphi", real=True)
    pair = sp.sin(omega * t) + sp.I * sp.cos(omega * t)
    turned = (sp.I * sp.exp(-sp.I * omega * t)).rewrite(sp.cos)
    assert sp.simplify(sp.expand(turned - pair)) == 0
    shifted = sp.expand(pair * (sp.cos(omega * phi) - sp.I * sp.sin(omega * phi)))
    sine, cosine = shifted.as_real_imag()
    assert sp.simplify(sine - sp.expand_trig(sp.sin(omega * t + omega * phi))) == 0
    assert sp.simplify(cosine - sp.expand_trig(sp.cos(omega * t + omega * phi))) == 0


@claim(PAGE, "five places back from 20 is 15")
def the_query_at_20_finds_the_key_at_15(page):
    table, frequencies = page["table"], page["frequencies"]
    W = shift_matrix(frequencies, 2) @ shift_matrix(frequencies, 3)
    assert (table @ W @ table[20]).argmax() != 15  # the other way round it's another key
    assert (table[20] @ W @ table.T).argmax() == 15


@claim(PAGE, "having turned by less than half a turn in either direction")
@pytest.mark.parametrize("offset", [-3, -1, 0, 2, 3.1])
def the_first_block_tells_an_offset_within_half_a_turn(page, offset):
    matrix = shift_matrix(page["frequencies"], offset)
    assert np.isclose(nb04.shift_of.reference(matrix, page["frequencies"]), offset, **NEAR)


@claim(PAGE, "twice half a turn is a whole turn, so both have the same double")
def the_best_matrix_for_doubling_is_zero():
    pairs = encode(np.arange(24), [np.pi / 12])
    doubles = np.array([nb04.double.reference(pair) for pair in pairs])
    assert np.allclose(doubles[12:], doubles[:12], **NEAR)
    assert np.allclose(np.linalg.lstsq(pairs, doubles)[0], 0, **NEAR)


@claim(PAGE, "the slowest pair says the offset roughly, and each faster one says it more exactly")
def every_faster_pair_says_the_offset_more_exactly():
    rng, frequencies, errors = np.random.default_rng(0), np.array([1, 0.1, 0.01, 0.001]), []
    for offset in range(-2000, 2001, 20):
        rows = encode([5000, 5000 + offset], frequencies) + rng.normal(0, 0.05, (2, 8))
        last = [(*rows[:, -2 * pairs :], frequencies[-pairs:]) for pairs in range(1, 5)]
        errors.append([abs(nb04.offset_between.reference(*these) - offset) for these in last])
    slowest, slow, fast, fastest = np.mean(errors, axis=0)
    assert slowest > 5 * slow > 25 * fast > fastest == 0


@claim(PAGE, "Ask it for 100 and it shifts by −100")
def the_published_signs_shift_backward(page):
    cosines, sines = (wave(100 * page["frequencies"]) for wave in (np.cos, np.sin))
    first, second = page["table"][:, 0::2], page["table"][:, 1::2]
    before = encode(-100 + np.arange(200), angular_frequencies(64))
    assert np.allclose(cosines * first - sines * second, before[:, 0::2], **NEAR)
    assert np.allclose(sines * first + cosines * second, before[:, 1::2], **NEAR)
