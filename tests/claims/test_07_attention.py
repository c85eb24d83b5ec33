"""Notebook 7: what positions do to the weights of one sentence, and which terms do it."""

import numpy as np
import pytest

from posenc.attention import self_attention
from posenc.embeddings import load_glove
from posenc.encodings import encode, sinusoidal

from . import claim

PAGE, LAB = "07_attention", "lab_b_matrix"
NEAR = {"rtol": 0, "atol": 1e-12}
SENTENCE = ["the", "dog", "is", "is", "playing", "with", "the", "cat"]
THE, DOG, IS, TWIN, PLAYING, WITH, _, CAT = range(8)
APART = abs(np.subtract.outer(range(8), range(8)))


def weights(scores):
    """Return the softmax of scores, row by row."""
    parts = np.exp(scores)
    return parts / parts.sum(axis=-1, keepdims=True)


def terms(start=0):
    """Return the terms of all scores: words, places, word to place and place to word."""
    glove = load_glove()
    words = np.array([glove.vectors[glove.words.index(word)] for word in SENTENCE], float)
    angles = np.outer(start + np.arange(8), 10_000.0 ** (-np.arange(50) / 50))
    places = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(8, 100)
    pairs = (words, words), (places, places), (words, places), (places, words)
    return np.array([queries @ keys.T for queries, keys in pairs]) / 10


WITHOUT, WITH_PLACES = weights(terms()[0]), weights(terms().sum(axis=0))
CHANGE = WITH_PLACES - WITHOUT


@claim(PAGE, "it gives us twins: one *is* at position 2 and the other right behind it")
def the_sentence_says_is_twice(page):
    assert page["tokens"] == SENTENCE
    assert [SENTENCE[place] for place in (IS, TWIN)] == ["is", "is"]


@claim(PAGE, "however many {term}`layers <layer>` you stack, the twins come out as twins")
def twins_stay_twins_in_every_layer(page):
    rows = page["words"]
    for _ in range(12):
        rows, shared = self_attention(rows)
        for one, other in ((IS, TWIN), (0, 6)):
            assert np.allclose(rows[one], rows[other], **NEAR)
            assert np.allclose(shared[one], shared[other], **NEAR)


@claim(PAGE, "Here each word has 100 of them from GloVe")
def a_word_has_a_hundred_numbers(page):
    assert page["words"].shape == (8, 100)
    assert np.allclose(page["weights"], WITHOUT, **NEAR)


@claim(PAGE, "a score that's larger by 1 gets about 2.7 times the weight")
def only_differences_count():
    for scores in ([1, 2], [101, 102]):
        low, high = weights(np.array(scores, float))
        assert round(high / low, 1) == 2.7


@claim(PAGE, "*dog* gives *cat* 0.21 while *cat* gives *dog* 0.29, though both come from the same")
def dog_and_cat_share_a_score_and_not_a_weight():
    assert WITHOUT[[DOG, CAT], [CAT, DOG]].round(2).tolist() == [0.21, 0.29]
    assert np.isclose(terms()[0, DOG, CAT], terms()[0, CAT, DOG], **NEAR)
    assert np.allclose(WITHOUT.sum(axis=1), 1, **NEAR)


@claim(
    PAGE, "the twins do come out different, because the first *is* can't look ahead to the second"
)
def a_mask_parts_the_twins(page):
    _, masked = self_attention(page["words"], mask=page["causal"])
    assert masked[IS, TWIN] == 0 < masked[TWIN, IS]
    assert np.abs(masked[IS] - masked[TWIN]).max() > 0.2


@claim(PAGE, "this layer computes exactly the same row for *cat*")
def cat_notices_no_trade_in_one_layer(page):
    assert page["traded"][:2].tolist() == page["words"][[1, 0]].tolist()
    assert page["changes"][0] < 1e-12


@claim(PAGE, "but after a second layer it does")
def cat_notices_the_trade_in_a_second_layer(page):
    assert page["changes"][1] > 0.05


@claim(PAGE, "the row for *dog* now depends on whether *the* came before it")
def dog_depends_on_what_came_before_it(page):
    before, after = (
        self_attention(rows, mask=page["causal"])[0] for rows in (page["words"], page["traded"])
    )
    assert np.abs(before[DOG] - after[0]).max() > 0.05


@claim(PAGE, "largest where the positions agree and falls off the same way in both directions")
def products_of_places_fall_off_alike():
    products = terms()[1]
    assert np.allclose(products, products.T, **NEAR)
    assert all((np.diff(products[place, place:]) < 1e-3).all() for place in range(8))
    assert np.allclose(products[3, :3][::-1], products[3, 4:7], **NEAR)


@claim(PAGE, "mostly gain at the expense of the rest, and the twins no longer have the same row")
def neighbors_gain_and_twins_part(page):
    assert np.allclose(page["both"], WITH_PLACES, **NEAR)
    assert np.allclose(page["positions_only"], weights(terms()[1]), **NEAR)
    assert (CHANGE.diagonal() > 0.05).all()
    assert (CHANGE[APART == 1] > 0).mean() > 0.6
    assert CHANGE[APART == 1].mean() > 0 > CHANGE[APART > 1].mean()
    assert np.abs(WITH_PLACES[IS] - WITH_PLACES[TWIN]).max() > 0.03


@claim(PAGE, "It goes from 0.040 to 0.046, although they're three words apart")
def playing_gives_dog_more():
    assert WITHOUT[PLAYING, DOG].round(3) == 0.040
    assert WITH_PLACES[PLAYING, DOG].round(3) == 0.046
    assert APART[PLAYING, DOG] == 3


@claim(PAGE, 'only 7 gain, and *dog* and *cat* are the two in "\n        "this row')
def few_cells_far_from_the_diagonal_gain():
    far = APART > 1
    assert (far.sum(), (CHANGE[far] > 0).sum()) == (42, 7)
    assert [*np.flatnonzero(far[PLAYING] & (CHANGE[PLAYING] > 0))] == [DOG, CAT]


@claim(PAGE, "The diagonal gains between 7 and 36 hundredths")
def the_map_of_changes_is_as_described():
    own = 100 * CHANGE.diagonal()
    assert (own.min().round(), own.max().round()) == (7, 36)
    assert {*np.argsort(own)[-2:]} == {DOG, CAT}
    for place in (DOG, CAT):
        assert (np.delete(CHANGE[place], place) < 0).all()
    row = (100 * CHANGE[PLAYING]).round()
    assert (row[DOG], row[CAT], row[PLAYING]) == (1, 1, 12)
    assert (np.delete(row, [DOG, CAT, PLAYING]) <= 0).all()


@claim(PAGE, "All of the diagonal gains and so do nine of the fourteen")
def the_map_of_signs_is_as_described():
    assert ((CHANGE[APART == 1] > 0).sum(), (APART == 1).sum()) == (9, 14)


@claim(PAGE, "and you get four terms")
def a_score_is_the_sum_of_its_terms(page):
    rows = page["words"] + page["pe"]
    assert np.allclose(rows @ rows.T / 10, terms().sum(axis=0), **NEAR)


GROWN = weights(np.cumsum(terms(), axis=0))[:, PLAYING]


@claim(PAGE, "it cuts the weight of *dog* roughly in half")
def nearness_halves_dog():
    assert 0.4 < GROWN[1, DOG] / GROWN[0, DOG] < 0.55


@claim(PAGE, "*Word to place* hardly matters")
def word_to_place_hardly_matters():
    assert np.abs(GROWN[2] - GROWN[1]).max() < 0.02
    assert np.abs(GROWN[2] - GROWN[1])[DOG] < 0.005


@claim(PAGE, "brings *dog* and *cat* all the way back and a little further")
def place_to_word_brings_dog_and_cat_back():
    first, last = GROWN[0, [DOG, CAT]], GROWN[3, [DOG, CAT]]
    assert (GROWN[2, [DOG, CAT]] < 0.7 * first).all()
    assert (first < last).all()
    assert (last < 1.25 * first).all()


@claim(PAGE, "ends up with less weight than the words alone would have given it")
def is_next_door_loses():
    assert GROWN[3, TWIN] < 0.85 * GROWN[0, TWIN]
    assert APART[PLAYING, TWIN] == 1


@claim(PAGE, "No matter who asks, *dog* and *cat* come out ahead")
def places_favor_dog_and_cat_whoever_asks():
    best = np.argsort(terms()[3], axis=1)[:, -2:]
    assert (np.sort(best) == [DOG, CAT]).all()


@claim(PAGE, "so the eight places have most of their numbers in common")
def what_the_places_share_favors_dog_and_cat(page):
    shared = page["pe"].mean(axis=0)
    assert 0.85 < 8 * shared @ shared / np.sum(page["pe"] ** 2) < 0.9
    assert {*np.argsort(page["words"] @ shared)[-2:]} == {DOG, CAT}
    # The fifteen slowest of fifty hands turn by less than a degree in eight steps.
    assert np.degrees(7 * 10_000.0 ** (-np.arange(35, 50) / 50)).max() < 1


@claim(PAGE, "stay as they were, but the weight of *dog* drops from 0.046 to 0.008")
def flipped_words_lose_dog():
    kept, flipped = terms(), [1, 1, -1, -1]  # of all numbers of all words
    scores = np.einsum("k,kst->st", flipped, kept)
    words = load_glove().lookup(SENTENCE)
    again = sinusoidal(8, 100) - words
    assert np.allclose(scores, again @ again.T / 10, rtol=0, atol=1e-6)
    assert weights(scores)[PLAYING, DOG].round(3) == 0.008


def gains(vocabulary, seed, start=0):
    """Return by how many hundredths neighbors gain, without the mixed terms and with them."""
    rng = np.random.default_rng(seed)
    rows = load_glove().vectors[rng.integers(vocabulary, size=(1000, 8))].astype(float)
    places = sinusoidal(8, 100, start=start)
    both = rows + places
    before = weights(np.einsum("nsd,ntd->nst", rows, rows) / 10)
    apart = (np.einsum("nsd,ntd->nst", rows, rows) + places @ places.T) / 10
    after = weights(apart), weights(np.einsum("nsd,ntd->nst", both, both) / 10)
    return [100 * (part - before)[:, APART == 1] for part in after]


@claim(PAGE, "and the two mixed terms mostly scatter")
@pytest.mark.parametrize("vocabulary", [1000, 10_000])
@pytest.mark.parametrize("seed", [101, 102])
def mixed_terms_scatter_rather_than_cost(vocabulary, seed):
    without, mixed = gains(vocabulary, seed)
    assert mixed.std() > 2 * without.std()


@claim(
    PAGE,
    "about a third of the neighbors lose more than 0.005, and without those terms that hardly ever",
)
@pytest.mark.parametrize("vocabulary", [1000, 10_000])
@pytest.mark.parametrize("start", [0, 1000])
def about_a_third_of_neighbors_lose_with_mixed_terms(vocabulary, start):
    without, mixed = gains(vocabulary, 103, start)
    assert (without < -0.5).mean() < 0.005
    assert 0.25 < (mixed < -0.5).mean() < 0.4
    assert (mixed > 0.5).mean() > (mixed < -0.5).mean()


@claim(LAB, "made some neighbors lose weight in one sentence")
def three_words_give_a_neighbor_less():
    losers = np.argwhere((APART == 1) & (CHANGE < -0.005))
    assert losers.tolist() == [[DOG, 0], [DOG, IS], [PLAYING, TWIN], [CAT, 6]]


def row_of(query, start):
    return weights(terms(start).sum(axis=0))[query]


@claim(PAGE, "0.59 at first, 0.76 when the sentence begins at 160, and 0.41 at 420")
def playing_gives_itself_more_or_less_as_the_sentence_moves():
    own = [row_of(PLAYING, start)[PLAYING] for start in (0, 160, 420)]
    assert np.round(own, 2).tolist() == [0.59, 0.76, 0.41]


@claim(PAGE, "to 500, where it gives more weight to its twin than to itself")
def is_prefers_its_twin_at_500():
    leads = [row_of(TWIN, start)[IS] - row_of(TWIN, start)[TWIN] for start in (0, 500)]
    assert leads[0] < -0.01 < 0.01 < leads[1]


@claim(PAGE, "Change one by one, some up and some down")
def bars_change_up_and_down():
    changes = row_of(PLAYING, 500) - row_of(PLAYING, 0)
    assert min((changes > 0.005).sum(), (changes < -0.005).sum()) >= 3


@claim(PAGE, "which with our $W$ depends only on how far apart two words are")
@pytest.mark.parametrize("start", [1, 50, 500])
def only_the_mixed_terms_change(start):
    moved = np.abs(terms(start) - terms()).max(axis=(1, 2))
    assert (moved[:2] < 1e-12).all()
    assert (moved[2:] > 0.1).all()


@claim(PAGE, "each of them adds 0.79 when the sentence begins at 160 and takes away 0.39 at 420")
def mixed_terms_lift_playing_here_and_not_there():
    lifts = [terms(start)[2:, PLAYING, PLAYING] for start in (160, 420)]
    assert np.round(lifts, 2).tolist() == [[0.79, 0.79], [-0.39, -0.39]]


@claim(PAGE, "adding 5 to all of them leaves every difference as it was")
def a_constant_changes_no_weight():
    assert np.allclose(weights(terms()[0] + 5), WITHOUT, **NEAR)


@claim(PAGE, "The scores are, but softmax divides each row by its own sum")
def scores_are_symmetric_and_weights_are_not():
    scores = terms().sum(axis=0)
    assert np.allclose(scores, scores.T, **NEAR)
    assert np.abs(WITH_PLACES - WITH_PLACES.T).max() > 0.05


@claim(PAGE, "you get exactly what you'd get from the sum")
def adding_is_concatenating_with_one_matrix_twice(page):
    matrix = np.random.default_rng(0).normal(size=(100, 7))
    joined = np.hstack([page["words"], page["pe"]]) @ np.vstack([matrix, matrix])
    assert np.allclose((page["words"] + page["pe"]) @ matrix, joined, **NEAR)


@claim(PAGE, "has 99% of its squared length in only 109 of the 512 directions")
def places_fill_few_directions(page):
    angles = np.outer(np.arange(512), 10_000.0 ** (-np.arange(256) / 256))
    table = np.hstack([np.sin(angles), np.cos(angles)])
    lengths = np.sort(np.linalg.eigvalsh(table.T @ table))[::-1].cumsum()
    assert np.isclose(lengths[-1], 512 * 256, rtol=1e-12)
    assert (lengths > 0.99 * lengths[-1]).argmax() + 1 == 109
    assert np.abs(page["shares"][[107, 108]] - 0.99).min() > 1e-6  # not a matter of rounding


@claim(PAGE, "A row of that table has length $\\sqrt{d/2} = 16$")
def a_row_is_sixteen_long():
    assert np.allclose(np.linalg.norm(sinusoidal(9, 512), axis=1), 16, **NEAR)


@claim(PAGE, "once it's multiplied by $\\sqrt{512}$, as the paper does without giving a reason")
def embeddings_are_as_long_as_told():
    root = np.sqrt(512)
    assert (round(root, 1), root * root) == (22.6, pytest.approx(512))
    drawn = np.random.default_rng(0).normal(size=(1000, 512))
    lengths = np.linalg.norm(drawn, axis=1)
    assert np.isclose(lengths.mean(), root, rtol=0.01)
    assert np.isclose((lengths / root).mean(), 1, rtol=0.01)


@claim(PAGE, "GloVe rows of length 5.0 to 6.0 and places of length 7.07")
def words_and_places_are_about_as_long(page):
    lengths = np.linalg.norm(page["words"], axis=1)
    assert (lengths.min().round(1), lengths.max().round(1)) == (5.0, 6.0)
    places = np.linalg.norm(encode(np.arange(8), 10_000.0 ** (-np.arange(50) / 50)), axis=1)
    assert np.allclose(places.round(2), 7.07, **NEAR)
