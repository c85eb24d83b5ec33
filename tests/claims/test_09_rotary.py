"""Notebook 9: a score under RoPE depends on two words and their offset, and nothing else."""

import numpy as np
import pytest
from oracles import exact_frequencies

from posenc.attention import softmax
from posenc.checks import nb09
from posenc.layouts import load_field_guide

from . import claim

PAGE = "09_rotary"
# Angles reach 1000 radians, so a double is off by 1000 · 2⁻⁵³ or so; a slip, by far more than this.
NEAR = {"rtol": 0, "atol": 1e-10}
SPEEDS = np.array(exact_frequencies(100), float)


def hands(rows):
    """Return each pair of rows as a complex number, which points up by its second number."""
    rows = np.asarray(rows)
    return rows[..., 1::2] + 1j * rows[..., 0::2]


def placed(starts, speeds=SPEEDS):
    """Return how far the hands of positions have turned clockwise, one row for each position."""
    return np.exp(1j * np.multiply.outer(starts, speeds))


def score(query, key):
    """Return the products of queries and keys whose pairs are complex numbers."""
    return np.real(query @ np.swapaxes(key, -1, -2).conj())


def curve(query, key, farthest=200):
    """Return the score of two vectors at offsets from 0 on, without dividing them."""
    turned = hands(query) * placed(np.arange(farthest + 1))
    return score(turned, hands(key)[None])[:, 0]


def turn_matrix(position, speeds):
    """Return M(t), filled in number by number."""
    matrix = np.zeros((2 * len(speeds),) * 2)
    for k, angle in enumerate(position * speeds):
        matrix[2 * k, 2 * k] = matrix[2 * k + 1, 2 * k + 1] = np.cos(angle)
        matrix[2 * k, 2 * k + 1] = np.sin(angle)
        matrix[2 * k + 1, 2 * k] = -np.sin(angle)
    return matrix


def terms(words, start):
    """Return the four terms of each score: words, places, words by places, places by words."""
    places = placed(start + np.arange(len(words)))
    pairs = (hands(words), hands(words)), (places, places), (hands(words), places)
    pairs += ((places, hands(words)),)
    return np.array([score(*pair) / 10 for pair in pairs])


@claim(PAGE, 'stay where they are": "Not one bar leaves its outline."')
def added_weights_move_and_rotated_ones_stay(page):
    added = [softmax(terms(page["words"], start).sum(axis=0)) for start in (0, 418, 1000)]
    assert np.abs(added[1] - added[0])[4].max() > 0.2
    own = [hands(page["words"]) * placed(start + np.arange(8)) for start in (0, 418, 1000)]
    turned = [softmax(score(these, these) / 10) for these in own]
    assert np.allclose(turned[1:], turned[0], **NEAR)


@claim(PAGE, "It's the terms that multiply a word by a place")
def only_the_two_mixed_terms_hear_where_a_sentence_begins(page):
    first, later = terms(page["words"], 0), terms(page["words"], 418)
    assert np.allclose(first[:2], later[:2], **NEAR)
    assert (np.abs(first - later)[2:].max(axis=(1, 2)) > 0.5).all()


@claim(PAGE, "so their product splits into four terms")
def the_four_terms_are_the_product_of_the_sums(page):
    sums = hands(page["words"]) + placed(100 + np.arange(8))
    assert np.allclose(terms(page["words"], 100).sum(axis=0), score(sums, sums) / 10, **NEAR)


@claim(PAGE, "with *playing* as the query and *dog*, three words earlier, as the key")
def playing_is_three_words_after_dog(page):
    assert page["tokens"].index("playing") - page["tokens"].index("dog") == 3


@claim(PAGE, "On the left, the angle wanders from 1° to 81°")
def the_added_hands_wander(page):
    (query, key), starts = hands([page["playing"], page["dog"]])[:, 9], np.arange(-3, 60.5, 0.5)
    sums = [query + placed(starts + 3)[:, 9], key + placed(starts)[:, 9]]
    angles = np.abs(np.degrees(np.angle(sums[0] / sums[1])))
    assert [angles.min().round(), angles.max().round()] == [1, 81]
    assert all(np.ptp(np.abs(hand)) > 1 for hand in sums)


@claim(PAGE, "it's 57° wherever the text begins")
def the_turned_hands_stay(page):
    (query, key), starts = hands([page["playing"], page["dog"]])[:, 9], np.arange(-3, 60.5, 0.5)
    turned = [query * placed(starts + 3)[:, 9], key * placed(starts)[:, 9]]
    angles = np.degrees(np.angle(turned[0] / turned[1]))
    assert (angles.round() == 57).all()
    assert np.allclose(np.abs(turned).T, np.abs([query, key]), **NEAR)
    assert np.abs(turned[0][20] - turned[0][0]) > 1


@claim(PAGE, "The words account for 24° of it")
def the_angle_has_a_part_of_the_words_and_one_of_the_offset(page):
    query, key = hands([page["playing"], page["dog"]])[:, 9]
    own, turn = np.degrees(np.angle(query / key)), np.degrees(SPEEDS[9])
    assert [own.round(), turn.round(), (3 * turn).round()] == [24, 11, 33]


@claim(PAGE, "the query is at 0, where it doesn't turn, and the key has been turned back by three")
def at_the_left_end_only_the_key_turns(page):
    query, key = page["playing"], page["dog"]
    assert np.allclose(turn_matrix(0, SPEEDS), np.eye(100), **NEAR)
    alone = query @ (turn_matrix(-3, SPEEDS) @ key)
    for start in (-3, 0, 57):
        rotated = turn_matrix(start + 3, SPEEDS) @ query, turn_matrix(start, SPEEDS) @ key
        assert np.isclose(rotated[0] @ rotated[1], alone, **NEAR)
    assert abs(query @ (turn_matrix(3, SPEEDS) @ key) - alone) > 0.1


@claim(PAGE, "we had to move the key's row forward to match the query's")
def the_matrix_of_page_4_shifts_a_row_forward():
    row = np.ravel(np.transpose([np.sin(37 * SPEEDS), np.cos(37 * SPEEDS)]))
    later = np.ravel(np.transpose([np.sin(40 * SPEEDS), np.cos(40 * SPEEDS)]))
    assert np.allclose(turn_matrix(3, SPEEDS) @ row, later, **NEAR)


@claim(PAGE, "Shifts add up, so $M(t - s) = M(-s)\\, M(t)$")
@pytest.mark.parametrize(("s", "t"), [(40, 37), (2.5, 100), (0, 7)])
def shifts_add_up_and_are_transposed_to_go_back(s, t):
    forward, back = turn_matrix(t, SPEEDS), turn_matrix(-s, SPEEDS)
    assert np.allclose(back @ forward, turn_matrix(t - s, SPEEDS), **NEAR)
    assert np.allclose(back, turn_matrix(s, SPEEDS).T, **NEAR)


@claim(
    PAGE, "$$q^\\top M(s)^\\top M(t)\\, x = \\bigl(M(s)\\, q\\bigr)^\\top \\bigl(M(t)\\, x\\bigr)$$"
)
@pytest.mark.parametrize(("s", "t"), [(40, 37), (2.5, 100), (0, 7)])
def each_half_of_the_matrix_goes_to_its_own_side(page, s, t):
    at_s, at_t, between = (turn_matrix(place, SPEEDS) for place in (s, t, t - s))
    assert np.allclose(at_s.T @ at_t, between, **NEAR)
    query, key = page["playing"], page["dog"]
    assert np.isclose((at_s @ query) @ (at_t @ key), query @ between @ key, **NEAR)


@claim(PAGE, "a matrix in between would keep the two rotations from combining")
def turned_first_a_score_hears_where_both_are(page):
    W = np.random.default_rng(0).normal(size=(100, 100)) / 10
    query, key = page["playing"], page["dog"]
    scores = [
        (turn_matrix(start + 3, SPEEDS) @ query) @ W @ (turn_matrix(start, SPEEDS) @ key)
        for start in (0, 100)
    ]
    assert abs(scores[0] - scores[1]) > 0.1


def means(page, start, values):
    """Return the weighted means of values where the sentence begins at a position."""
    own = hands(page["words"]) * placed(start + np.arange(8))
    return softmax(score(own, own) / 10) @ values


@claim(PAGE, "an average of rotated values would change whenever the text moves")
def turned_values_have_other_means_elsewhere(page):
    first, later = (
        means(page, start, hands(page["words"]) * placed(start + np.arange(8))) for start in (0, 10)
    )
    assert np.abs(first - later).max() > 0.1


@claim(PAGE, "The values stay as they are")
def values_left_alone_have_the_same_means_everywhere(page):
    first, later = (means(page, start, page["words"]) for start in (0, 1000))
    assert np.allclose(first, later, **NEAR)


@claim(PAGE, "each pair becomes one complex number, and it takes one multiplication to rotate it")
def the_program_turns_by_the_matrix(page):
    rows, places = page["words"], np.array([0, 1, 2.5, 40, -3, 7, 1000, 5])
    expected = [turn_matrix(place, SPEEDS) @ row for place, row in zip(places, rows)]
    assert np.allclose(page["rotate"](rows, places, page["frequencies"]), expected, **NEAR)


@claim(PAGE, "Each pair contributes the product of its two lengths, $A_k$")
@pytest.mark.parametrize(("s", "t"), [(0, 0), (5, 2), (100, 250)])
def a_score_is_a_sum_of_cosines(page, s, t):
    query, key = hands(page["playing"]), hands(page["dog"])
    lengths, apart = np.abs(query) * np.abs(key), np.angle(query) - np.angle(key)
    expected = lengths @ np.cos(SPEEDS * (s - t) + apart)
    turned = turn_matrix(s, SPEEDS) @ page["playing"], turn_matrix(t, SPEEDS) @ page["dog"]
    assert np.isclose(turned[0] @ turned[1], expected, **NEAR)


@claim(PAGE, "It's 16 at 56, where ")
def dog_and_sun_score_highest_far_apart(page):
    scores = curve(page["dog"], page["sun"])
    assert scores.argmax() == 56
    assert scores[[3, 10, 56]].round().tolist() == [9, 9, 16]


@claim(PAGE, "you see the 4 that add most to the highest score of *dog* and *sun*")
def the_four_dials_add_most_at_the_top(page):
    products = (hands(page["dog"]) * placed([56])[0]) * hands(page["sun"]).conj()
    assert {*np.argsort(products.real)[-4:]} == {7, 12, 26, 27}
    assert (np.abs(np.degrees(np.angle(products[[7, 12, 26, 27]]))) < 40).all()


@claim(PAGE, "the score drops from 32 to 13 within thirty positions")
def equal_vectors_fade_at_first(page):
    scores = curve(page["dog"], page["dog"])
    assert scores.argmax() == 0
    assert scores[[0, 30]].round().tolist() == [32, 13]
    assert scores[30:].max() < 18
    assert scores[200].round() == 7
    assert (np.diff(scores[30:]) > 0).mean() > 0.4


@claim(PAGE, "the keys next door score 48.5 to its 50")
def a_constant_query_and_key_look_twelve_back(page):
    query, key = page["asked"]["PE[0] asks PE[12]"]
    assert np.allclose(hands(query) * placed([12])[0], hands(key), **NEAR)
    assert curve(query, key).argmax() == 12
    # The most that 50 pairs of hands of length 1 can score.
    assert np.isclose(curve(query, key)[12], 50, **NEAR)
    assert curve(query, key)[[11, 13]].round(1).tolist() == [48.5, 48.5]


@claim(PAGE, "How often is the best one below ")
@pytest.mark.parametrize("seed", range(3))
def one_pair_of_words_in_five_scores_highest_below_ten(page, seed):
    z = hands(page["glove"].vectors).astype(complex)
    one, other = np.random.default_rng(seed).integers(len(z), size=(2, 5000))
    best = score(placed(np.arange(201)), (z[one] * z[other].conj()).conj()).argmax(axis=0)
    assert 0.17 < np.mean(best < 10) < 0.21


@claim(PAGE, "300 most frequent ones, it's two pairs in three")
def frequent_words_favor_near_positions(page):
    z = hands(page["glove"].vectors[:300]).astype(complex)
    one, other = np.random.default_rng(0).integers(300, size=(2, 5000))
    best = score(placed(np.arange(201)), (z[one] * z[other].conj()).conj()).argmax(axis=0)
    assert 0.63 < np.mean(best < 10) < 0.71


@claim(PAGE, "By chance it would be one in twenty")
def ten_offsets_of_201_are_one_in_twenty():
    assert round(len(range(10)) / len(range(201)), 2) == 0.05


@claim(PAGE, "209 of the 451 model families in our")
def so_many_families_turn():
    kinds = [row["kind"] for row in load_field_guide()["rows"]]
    assert (kinds.count("turned"), len(kinds)) == (209, 451)


@claim(PAGE, "come out as eight identical rows, because any average of dogs is a dog")
def equal_words_stay_equal(page):
    dogs = hands(np.tile(page["dog"], (8, 1))) * placed(np.arange(8))
    weights = softmax(score(dogs, dogs) / 10)
    assert np.ptp(weights[7]) > 0.05
    assert np.allclose(weights @ np.tile(page["dog"], (8, 1)), page["dog"], **NEAR)


@claim(PAGE, "They have the same offsets as in training, so the scores are the same, too")
def a_moved_text_has_the_offsets_of_training():
    near, far, longer = (np.arange(n) + start for n, start in ((32, 0), (32, 5000), (128, 0)))
    offsets = [{*np.subtract.outer(t, t).ravel().tolist()} for t in (near, far, longer)]
    assert offsets[0] == offsets[1]
    assert {offset for offset in offsets[2] - offsets[0] if offset > 0} == {*range(32, 128)}


@claim(PAGE, "and the key comes before the query")
def the_matrix_between_query_40_and_key_37_is_that_of_three_back():
    product = turn_matrix(40, SPEEDS).T @ turn_matrix(37, SPEEDS)
    assert np.allclose(product, turn_matrix(-3, SPEEDS), **NEAR)
    assert np.abs(product - turn_matrix(3, SPEEDS)).max() > 1


@claim(PAGE, "Here it ends at $(1, -1)$, which has a length of $\\sqrt 2$")
def the_printed_program_stretches_a_quarter_turn():
    first, second = 0.0, 1.0
    first = first * 0 + 1 * second
    second = second * 0 - 1 * first
    assert (first, second) == (1, -1)


@claim(PAGE, "the sum for 0 and 20 back is highest at 1 and 19")
def narrow_rows_need_a_smaller_base():
    for base, highest in ((10_000, [1, 19]), (500, [0, 20])):
        speeds = float(base) ** (-np.arange(32) / 32)
        waves = placed([0, 0, 20], speeds)
        query, key = waves[0], waves[1] + waves[2]
        scores = score(query * placed(np.arange(201), speeds), key[None])[:, 0]
        assert sorted(scores.argsort()[-2:].tolist()) == highest


@claim(PAGE, "What each adds at the other's peak is the same")
@pytest.mark.parametrize(("near", "far"), [(0, 20), (12, 120), (3, 200)])
def two_keys_have_two_equal_peaks(near, far):
    speeds = np.array(exact_frequencies(320), float)
    rows = nb09.two_places.reference(speeds, near, far)
    query, key = hands(rows)
    scores = score(query * placed(np.arange(201), speeds), key[None])[:, 0]
    assert sorted(scores.argsort()[-2:].tolist()) == [near, far]
    assert np.isclose(scores[near], scores[far], **NEAR)


@pytest.fixture(scope="module")
def draws():
    """Return 2000 products of random queries and keys of width 128, and the sums of hands."""
    one, other = hands(np.random.default_rng(0).normal(size=(2, 2000, 128)))
    speeds = np.array(exact_frequencies(128), float)
    turned = np.exp(-1j * np.outer(np.arange(10_001), speeds))
    return one * other.conj(), turned, np.abs(np.cumsum(turned, axis=1)).sum(axis=1)


@claim(PAGE, "Summation by parts then gives")
def no_score_exceeds_the_bound(draws):
    products, turned, sums = draws
    steps = np.abs(np.diff(products, append=0)).max(axis=1)
    scores = np.abs((products @ turned[:300].T).real)
    assert (scores <= steps[:, None] * sums[:300] + 1e-9).all()


@claim(PAGE, "the bound was at least three times that at every offset up to 10,000")
def the_bound_says_nothing_of_random_vectors(draws):
    products, _, sums = draws
    steps = np.abs(np.diff(products, append=0)).max(axis=1)
    assert sums.min() * (steps / np.abs(products).sum(axis=1)).min() > 3
