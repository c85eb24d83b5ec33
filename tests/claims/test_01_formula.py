"""Notebook 1: attention ignores order, and hands say where a word is."""

import math

import numpy as np
import pytest

from posenc.charts import formula, positions, words
from posenc.encodings import sinusoidal

from . import claim

PAGE = "01_formula"
RANDOM = np.random.default_rng(1)
T = np.arange(positions.LAST + 1)


def softmax_attention(rows, query, key, value, *, masked=False):
    scores = rows @ query @ (rows @ key).T / math.sqrt(len(key))
    if masked:
        scores[np.triu_indices(len(rows), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ (rows @ value)


def off(position, hands, secret):
    """Return by how many degrees each hand at positions is off those at a secret one."""
    angles = np.outer(np.atleast_1d(position) - secret, positions.SPEEDS[:hands])
    return np.abs(np.degrees(np.angle(np.exp(1j * angles))))


def fitting(hands, secret):
    """Return the positions at which so many hands look right."""
    return T[(off(T, hands, secret) < positions.CLOSE).all(axis=1)].tolist()


@claim(PAGE, "Not one number changed. They only traded places")
def swapped_words_get_their_old_rows(page):
    attention, sentence = page["attention"], page["sentence"]
    assert np.array_equal(attention(sentence[::-1]), attention(sentence)[::-1])
    assert len({*attention(sentence).ravel().round(2)}) > 6
    assert page["sentence"].tolist() == [*words.WORDS.values()]


@claim(PAGE, "three words answer 10, 1, and 6")
def the_scores_of_dog(page):
    assert (page["sentence"] @ page["dog"]).tolist() == [10, 1, 6]


@claim(PAGE, "mostly dog, with quite a bit of man and hardly any bites")
def the_weights_of_dog(page):
    scores = page["sentence"] @ page["dog"]
    dog, bites, man = scores / scores.sum()
    assert dog > 0.5 > man > 0.3
    assert bites < 0.1
    assert np.allclose(page["attention"](page["sentence"])[0], scores @ page["sentence"] / 17)


@claim(PAGE, "when you shuffle the words, you get the old rows back in the new order")
def attention_is_permutation_equivariant(page):
    rows, matrices = RANDOM.random((7, 4)), RANDOM.normal(size=(3, 4, 4))
    order = RANDOM.permutation(7)
    assert np.allclose(page["attention"](rows[order]), page["attention"](rows)[order])
    real = softmax_attention(rows, *matrices)
    assert np.allclose(softmax_attention(rows[order], *matrices), real[order])


@claim(PAGE, "A model that generates text does let some order in")
def hiding_later_words_lets_order_in():
    rows, matrices = RANDOM.random((7, 4)), RANDOM.normal(size=(3, 4, 4))
    hidden = softmax_attention(rows, *matrices, masked=True)
    turned = softmax_attention(rows[::-1], *matrices, masked=True)[::-1]
    assert np.abs(hidden - turned).max(axis=1).min() > 0.01


@claim(PAGE, "everything in the row is five hundred and change")
def five_hundred_drowns_the_word(page):
    dog, man = (np.array(page[word]) + 500 for word in ("dog", "man"))
    assert {*dog, *man} <= {500, 501, 502, 503}
    before = np.dot(page["dog"], page["man"]) / math.sqrt(10 * 6)
    assert before < 0.8
    assert dog @ man / np.linalg.norm(dog) / np.linalg.norm(man) > 0.99999


@claim(PAGE, "Plain counting grants every wish but *bounded*")
def a_count_is_unique_and_steps_equally():
    count = np.repeat(np.arange(2000.0), 4).reshape(-1, 4)
    assert (np.diff(count, axis=0) == 1).all()
    assert np.array_equal(count[:50], np.repeat(np.arange(50.0), 4).reshape(-1, 4))
    assert count.max() > 1000


@claim(PAGE, "neighbors are only 0.005 apart")
def a_share_of_a_long_text_hardly_moves():
    assert np.allclose(np.diff(np.linspace(0, 1, 201)), 0.005)


@claim(PAGE, "A step is 0.25 with five words and 0.05 with twenty-one")
def the_step_of_a_share_depends_on_the_text():
    assert np.allclose(np.diff(np.linspace(0, 1, 5)), 0.25)
    assert np.allclose(np.diff(np.linspace(0, 1, 21)), 0.05)


@claim(PAGE, "Is 0.25 position 1 of five words, or position 5 of twenty-one?")
def one_share_is_two_positions():
    assert np.linspace(0, 1, 5)[1] == np.linspace(0, 1, 21)[5] == 0.25


@claim(PAGE, "whatever goes up comes back down")
def a_sine_has_one_height_twice_a_turn():
    angles = np.linspace(0, 2 * np.pi, 100_001)
    for height in (-0.99, -0.3, 0.1, 0.5, 0.99):
        above = np.sin(angles) > height
        assert np.sum(above[1:] != above[:-1]) == 2


@claim(PAGE, "climbs past 0.50 at position 1, and at position 5 it's at 0.50 again")
def positions_1_and_5_share_their_sine():
    angles = np.pi * np.array([1, 5]) / 6
    assert np.sin(angles) == pytest.approx([0.5, 0.5])
    assert np.cos(angles[0]) > 0.8
    assert np.cos(angles[1]) < -0.8


@claim(PAGE, "In 44 positions the hand makes 7.003 turns")
def forty_four_radians_are_almost_seven_turns():
    assert round(44 / math.tau, 3) == 7.003


@claim(PAGE, "They're 44 apart")
def five_positions_fit_one_hand():
    places = fitting(1, positions.SECRET)
    assert len(places) == 5
    assert {*np.diff(places)} == {44}
    # No other comes within sight of the gray hand.
    others = np.delete(T, places)
    assert off(others, 1, positions.SECRET).min() > 1.5 * positions.CLOSE


@claim(PAGE, "It goes around that often")
def a_hand_goes_around_about_thirty_times():
    assert 28 < positions.LAST / math.tau < 32


@claim(PAGE, "How many of them fit both hands? Only one does.")
def one_position_fits_two_hands_or_more():
    for hands in (2, 3, 4):
        assert fitting(hands, positions.SECRET) == [positions.SECRET]
    rivals = [at for at in fitting(1, positions.SECRET) if at != positions.SECRET]
    assert off(rivals, 2, positions.SECRET)[:, 1].min() > 30


@claim(PAGE, "it starts a second lap after about 63 positions")
def the_second_hand_comes_home():
    assert round(math.tau / positions.SPEEDS[1]) == 63


@claim(PAGE, "each later one is slower by the same factor, which is 10 when $d = 8$")
def hands_of_width_8_are_ten_times_slower_one_by_one(page):
    angles = np.arctan2(*page["table_of"](2, 8)[1].reshape(4, 2).T)
    assert angles == pytest.approx([1, 0.1, 0.01, 0.001])
    assert pytest.approx(angles) == positions.SPEEDS


@claim(PAGE, "\\omega_k = 10000^{-2k/d}")
def the_table_is_the_formula(page):
    table = page["table_of"](40, 12)
    for t in (0, 1, 7, 39):
        for k in range(6):
            angle = t / 10_000 ** (2 * k / 12)
            expected = [math.sin(angle), math.cos(angle)]
            assert table[t, 2 * k : 2 * k + 2] == pytest.approx(expected, abs=1e-12)
    assert np.allclose(page["table_of"](64, 32), sinusoidal(64, 32), rtol=0, atol=1e-12)


@claim(PAGE, "The numbers never grow past 1")
def sines_and_cosines_are_bounded(page):
    assert np.abs(page["table_of"](1000, 8)).max() <= 1


@claim(PAGE, "because a whole number of radians is never a whole number of turns")
def the_first_hand_alone_tells_any_two_rows_apart():
    # Rows s and t agree in their first pair only if s - t is a multiple of 2 pi, which is
    # irrational. Up to a million the nearest miss, 710 among them, is far above rounding.
    turns = np.arange(1, 1_000_000) / math.tau
    assert np.abs(turns - turns.round()).min() * math.tau > 1e-6


@claim(PAGE, "Those are two different dogs.")
def the_dog_that_bites_gets_other_numbers_than_the_bitten_one(page):
    assert np.abs(page["biting"] - page["bitten"]).max() > 0.2


@claim(PAGE, "6.28, 62.8, 628, and 6283")
def the_wavelengths_of_width_8():
    shown = [
        f"{2 * np.pi / speed:.{digits}f}" for speed, digits in zip(positions.SPEEDS, (2, 1, 0, 0))
    ]
    assert shown == ["6.28", "62.8", "628", "6283"]


@claim(PAGE, "On the left the colors change with every row")
def the_left_changes_with_every_row(page):
    table = page["table_of"](formula.LENGTH, formula.WIDTH)
    assert np.abs(np.diff(table[:, :2], axis=0)).max(axis=1).min() > 0.5


@claim(PAGE, "from pair 5 on, no hand has time to finish a turn")
def pairs_up_to_4_finish_a_turn(page):
    pairs = page["table_of"](formula.LENGTH, formula.WIDTH).reshape(-1, formula.WIDTH // 2, 2)
    angles = np.unwrap(np.arctan2(pairs[..., 0], pairs[..., 1]), axis=0)[-1]
    assert (angles[:5] > 2 * np.pi).all()
    assert (angles[5:] < 2 * np.pi).all()


@claim(PAGE, "Hand 2 takes about 157 positions to make a quarter turn")
def row_b_can_be_read_by_eye():
    secret = positions.SECRETS["B"]
    assert round(np.pi / 2 / positions.SPEEDS[2]) == 157
    assert 80 < np.degrees(secret * positions.SPEEDS[2]) < 90
    near = T[(off(T, 3, secret)[:, 2] < 10)]
    few = near[off(near, 2, secret)[:, 1] < 15]
    assert 2 <= len(few) <= 6
    assert few[off(few, 1, secret)[:, 0] < 30].tolist() == [secret]


@claim(PAGE, "from nothing but eight numbers")
def rounded_numbers_say_the_position(page):
    table = page["table_of"](len(T), 8)
    apart = np.linalg.norm(table.round(2)[:, None] - table, axis=2)
    assert np.array_equal(apart.argmin(axis=1), T)
    for secret in positions.SECRETS.values():
        assert fitting(4, secret) == [secret]


@claim(PAGE, "a sine from one pair and a cosine from another")
def columns_of_two_pairs_leave_the_circle():
    table = sinusoidal(60, 16)
    radii = np.hypot(table[:, 8], table[:, 7])
    assert radii.min() < 0.5
    assert np.allclose(np.hypot(table[:, 8], table[:, 9]), 1)


@claim(PAGE, "19,869 positions to 60,611")
def the_longest_wavelengths():
    lengths = [2 * np.pi * 10_000 ** ((width - 2) / width) for width in (16, 512)]
    assert np.round([*lengths, 2e4 * np.pi]).tolist() == [19_869, 60_611, 62_832]


@claim(PAGE, "no matrix makes all of them")
def no_matrix_makes_the_steps_of_a_gray_code():
    code = 2 * ((np.arange(16) ^ np.arange(16) >> 1)[:, None] >> np.arange(4) & 1) - 1
    steps = np.linalg.norm(np.diff(code, axis=0), axis=1)
    assert (steps == 2).all()
    fitted = np.linalg.lstsq(code[:-1].astype(float), code[1:].astype(float), rcond=None)[0]
    assert np.abs(code[:-1] @ fitted - code[1:]).max() > 0.5


@claim(PAGE, "the further down you look, the less happens")
def lower_rows_of_the_squares_change_less(page):
    change = np.abs(np.diff(page["tiles"], axis=0)).mean(axis=(0, 2))
    assert (np.diff(change) < 0).all()


@claim(PAGE, "A band appears where a pair's sine and cosine are about equal")
def in_a_band_neighboring_columns_agree():
    table = sinusoidal(200, 256)
    # Slow pairs are like their neighbors, so four columns have one color there.
    pairs = table.reshape(200, 128, 2)[:, 64:]
    within = np.abs(pairs[:, :-1, 0] - pairs[:, :-1, 1]) < 0.1
    colors = np.concatenate([pairs[:, :-1], pairs[:, 1:]], axis=2)
    assert within.any(axis=1).sum() > 100
    assert np.ptp(colors[within], axis=1).max() < 0.4
    assert np.ptp(colors[~within], axis=1).mean() > 0.6
