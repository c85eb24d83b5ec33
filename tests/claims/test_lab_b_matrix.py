"""Lab B: its claims about 24 trained heads.

Scores and the offset part are computed here from the recorded weights, by other formulas.
"""

from functools import cache

import numpy as np
import pytest

from posenc.checks import lab_b
from posenc.learning import initial_parameters, three_back, tokens_back
from posenc.shifts import shift_matrix
from posenc.trained import load_heads
from posenc.ways import Sinusoidal

from . import claim
from .heads import BACK, SPEEDS, matrix_of, measured, record, rows, turned

PAGE = "lab_b_matrix"
SEES = {"letters": lambda E: E, "mean": lambda E: 0 * E + E.mean(axis=0), "zeros": np.zeros_like}


@cache
def heads(task, way="sinusoidal"):
    """Return 24 heads as pairs of parameters and W."""
    parameters = load_heads(task, way)
    assert list(parameters) == [*range(24)]
    return [(head, matrix_of(head)) for head in parameters.values()]


@cache
def untrained():
    parameters = [initial_parameters(Sinusoidal(), seed=seed) for seed in range(24)]
    return [(head, matrix_of(head)) for head in parameters]


def offset_only(W):
    """Return the part of W, or of each W, that no shift changes: its mean over many angles."""
    result = np.zeros_like(W)
    for k in range(0, 32, 2):
        block = W[..., k : k + 2, k : k + 2]
        for angle in np.arange(4) * np.pi / 2:
            turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            result[..., k : k + 2, k : k + 2] += turned @ block @ turned.T / 4
    return result


def rest(W):
    return W - offset_only(W)


def scores(parameters, W, texts, start=0, sees="letters", keys_see=None):
    """Return scores of queries that see something of their letters, and keys the same or other."""
    places = rows(start + np.arange(texts.shape[1]))
    queries, keys = (
        SEES[what](parameters["embedding"])[texts] + places for what in (sees, keys_see or sees)
    )
    result = queries @ W @ np.swapaxes(keys, 1, 2) / np.sqrt(32)
    return np.where(np.tri(len(places), dtype=bool), result, -np.inf)


def weights(*args, **options):
    raised = scores(*args, **options)
    raised = np.exp(raised - raised.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def says(parameters, W, texts, start=0, sees="letters"):
    x = parameters["embedding"][texts] + rows(start + np.arange(texts.shape[1]))
    mixed = weights(parameters, W, texts, start, sees) @ x
    return (mixed @ parameters["mixed"] + x @ parameters["own"]).argmax(axis=-1)


def right(parameters, W, back, start=0, sees="letters"):
    """Return how often a head is right in the second half of thirty new texts."""
    task = three_back if back == 3 else tokens_back(back)
    texts, answers = task(np.random.default_rng(77), 30, 32)
    return np.mean((says(parameters, W, texts, start, sees) == answers)[:, 16:])


def full(parameters, W, start=0, sees="letters", back=3, **options):
    """Return the share of the last 16 letters of ten texts that look so far back."""
    texts, _ = three_back(np.random.default_rng(78), 10, 32)
    looks = np.arange(32) - scores(parameters, W, texts, start, sees, **options).argmax(axis=-1)
    return np.mean(looks[:, 16:] == back)


# --- the wall, and the two parts ---


def dots(page, trained, part, letters, start=0):
    """Return how many of the 16 letters look three back in each of the wall's 24 heads."""
    looks = page["wall"][trained, part, letters][[*page["starts"]].index(start)]
    assert looks.shape == (24, 16)
    return (looks == 3).sum(axis=1)


@claim(PAGE, "With all of $W$, this wall of heads is nothing but dots")
def the_whole_matrix_fills_the_wall(page):
    for trained in ("begin at 0", "begin anywhere"):
        assert (dots(page, trained, "all of W", "all eight letters") == 16).all()
    assert all(full(*head) == 1 for head in heads("three back"))


@claim(PAGE, "choose *no letters*, and every dot is back, wherever the text begins")
def without_letters_the_offset_part_fills_the_wall(page):
    for start in page["starts"]:
        assert (dots(page, "begin at 0", "offset part", "no letters", start) == 16).all()


@claim(PAGE, "ought to be enough, but the wall falls apart")
def the_offset_part_is_lost_among_letters(page):
    counted = dots(page, "begin at 0", "offset part", "all eight letters")
    assert counted.max() < 10
    assert counted.mean() < 5
    shares = [full(parameters, offset_only(W)) for parameters, W in heads("three back")]
    assert max(shares) < 0.5


@claim(PAGE, "depend only on how far back a letter is")
def the_offset_part_does_not_notice_a_shift():
    for _, W in heads("three back"):
        for start in (1, 100.5):
            by_start = [rows(at + np.arange(9)) for at in (0, start)]
            first, second = (places @ offset_only(W) @ places.T for places in by_start)
            assert np.allclose(first, second, rtol=0, atol=1e-9)
            first, second = (places @ W @ places.T for places in by_start)
            assert abs(first - second).max() > 1


@claim(PAGE, "the offset part holds about two thirds of the total")
def most_of_w_turns(page):
    shares = [np.sum(offset_only(W) ** 2) / np.sum(W**2) for _, W in heads("three back")]
    assert abs(np.median(shares) - 2 / 3) < 0.05
    recorded = measured("three back", "sinusoidal", "share of the offset part")
    assert recorded == pytest.approx(np.array(shares), abs=0.0006)
    before = [np.sum(offset_only(W) ** 2) / np.sum(W**2) for _, W in untrained()]
    assert page["before"] == pytest.approx(100 * np.array(before))


@claim(PAGE, "began with the 3% that you'd expect in a random matrix")
def a_random_matrix_has_a_thirty_second():
    # What a projection keeps on average is its trace, the number of its dimensions, of 1024.
    units = np.eye(1024).reshape(-1, 32, 32)
    assert np.sum(offset_only(units) * units) == pytest.approx(32)
    before = [np.sum(offset_only(W) ** 2) / np.sum(W**2) for _, W in untrained()]
    assert abs(np.median(before) - 0.03) < 0.005


@claim(PAGE, "the rest's total has grown more than tenfold")
def the_rest_grows():
    before = np.array([np.sum(rest(W) ** 2) for _, W in untrained()])
    after = np.array([np.sum(rest(W) ** 2) for _, W in heads("three back")])
    assert np.median(after / before) > 10
    assert (after > 5 * before).all()


@claim(PAGE, "to within a sixth of a position, in every head")
def hand_0_turns_as_asked(page):
    for back, word in BACK.items():
        offsets = turned(f"{word} back", "sinusoidal", 0, back)
        assert abs(offsets - back).max() < 1 / 6
        assert page["turn"](f"{word} back", "sinusoidal", 0, back) == pytest.approx(offsets)


@claim(PAGE, "Hand 1 roughly agrees")
def hand_1_roughly_agrees():
    for back, word in BACK.items():
        off = turned(f"{word} back", "sinusoidal", 1, back) - back
        assert abs(np.median(off)) < 0.4
        assert abs(off).max() < 0.7


@claim(PAGE, "In the heads that look one back, hand 0 turns by less than half of what we asked for")
def one_back_hardly_turns():
    assert abs(turned("one back", "sinusoidal", 0, 0)).max() < 0.4


# --- letters ---


@claim(PAGE, "Choose *their mean*, and most of the dots come back")
def the_mean_letter_brings_most_back(page):
    counted = dots(page, "begin at 0", "offset part", "their mean")
    assert 0.8 < counted.mean() / 16 < 0.97
    assert 12 <= (counted == 16).sum() < 24
    trained = heads("three back")
    shares = [full(parameters, offset_only(W), sees="mean") for parameters, W in trained]
    assert 0.8 < np.mean(shares) < 0.97
    assert sum(share == 1 for share in shares) >= 12
    assert min(shares) < 0.6


@claim(PAGE, "the mean letter itself gets in the way, and the rest makes up for that")
def where_the_mean_letter_is_in_the_way():
    for parameters, W in heads("three back"):
        if full(parameters, offset_only(W), sees="mean") < 1:
            assert full(parameters, offset_only(W), sees="zeros") == 1
            assert full(parameters, W, sees="mean") == 1


def moves(scores):
    """Return by how much scores move along their last axis."""
    return np.sqrt(np.mean(scores.var(axis=-1)))


def moved_by_letters(parameters, W):
    x = parameters["embedding"][:, None] + rows(np.arange(16, 32))
    return moves(x @ W @ parameters["embedding"].T / np.sqrt(32))


def moved_by_places(parameters, W):
    letter = parameters["embedding"].mean(axis=0)
    products = [
        (letter + rows(s)) @ W @ (letter + rows(np.arange(s - 15, s + 1))).T for s in range(16, 32)
    ]
    return moves(np.array(products) / np.sqrt(32))


@claim(PAGE, "the offset part lets a score move by about 4 with the letter, and by only 3 with the")
def letters_are_louder_than_places_in_the_offset_part():
    trained = heads("three back")
    by_letters, by_places = (
        np.median([moved(parameters, offset_only(W)) for parameters, W in trained])
        for moved in (moved_by_letters, moved_by_places)
    )
    assert (round(by_letters), round(by_places)) == (4, 3)


@claim(PAGE, "Before training, the letter moved it by 1, and with all of $W$ it's only 0.1")
def letters_are_quieter_than_before_training():
    before, after = (
        np.median([moved_by_letters(*each) for each in group])
        for group in (untrained(), heads("three back"))
    )
    assert (round(before), after.round(1)) == (1, 0.1)


@claim(PAGE, "by 2.6 with the offset part, and by 0.2 with all of $W$")
def letters_of_queries_are_silenced_as_well():
    def moved_by_asking_letters(parameters, W):
        letters = parameters["embedding"] - parameters["embedding"].mean(axis=0)
        keys = parameters["embedding"].mean(axis=0) + rows(np.arange(32))
        return moves(letters @ W @ keys.T / np.sqrt(32))

    ranges = [
        [moved_by_asking_letters(parameters, part(W)) for parameters, W in heads("three back")]
        for part in (offset_only, np.asarray)
    ]
    assert np.median(ranges, axis=1).round(1).tolist() == [2.6, 0.2]
    assert max(ranges[1]) < 0.4 < 1.5 < min(ranges[0])


@claim(PAGE, "In every one of the 24 heads, it cancels the letters almost perfectly")
def the_rest_silences_the_letters(page):
    for i, (parameters, W) in enumerate(heads("three back")):
        whole, part = moved_by_letters(parameters, W), moved_by_letters(parameters, offset_only(W))
        assert whole < 0.2 < 2 < part
        assert [page["loud"][name][i] for name in ("all of W", "offset part")] == pytest.approx(
            [whole, part]
        )
    assert min(moved_by_letters(*parameters) for parameters in untrained()) > 0.5


@claim(PAGE, "another head's rest mostly makes the letters louder still")
def another_rest_is_no_help(page):
    swapped = dots(page, "begin at 0", "offset part, another's rest", "all eight letters")
    plain = dots(page, "begin at 0", "offset part", "all eight letters")
    assert abs(swapped.mean() - plain.mean()) < 2
    all_heads, louder = heads("three back"), []
    for i, (parameters, W) in enumerate(all_heads):
        for step in (1, 5):
            other = offset_only(W) + rest(all_heads[(i + step) % 24][1])
            assert full(parameters, other) < 0.5
            before = moved_by_letters(parameters, offset_only(W))
            louder.append(moved_by_letters(parameters, other) / before)
    assert min(louder) > 0.9
    assert np.mean(np.array(louder) > 1) > 0.9


@claim(PAGE, "With all of $W$, the mean letter does no harm. Put it in, and the wall stays full.")
def the_mean_does_no_harm(page):
    assert (dots(page, "begin at 0", "all of W", "their mean") == 16).all()
    assert all(full(parameters, W, sees="mean") == 1 for parameters, W in heads("three back"))


@claim(PAGE, "even with all of $W$ gaps open in several rows")
def zeros_do_harm(page):
    counted = dots(page, "begin at 0", "all of W", "no letters")
    assert (counted == 16).sum() >= 12
    assert (counted <= 12).sum() >= 4
    shares = np.array([full(parameters, W, sees="zeros") for parameters, W in heads("three back")])
    assert 3 <= sum(shares < 0.8) <= 12


@claim(PAGE, "Give the mean letter back to the queries alone, and the wall is full again")
def the_mean_letter_counts_in_queries():
    trained = heads("three back")
    assert all(full(*each, sees="mean", keys_see="zeros") == 1 for each in trained)
    assert sum(full(*each, sees="zeros") < 1 for each in trained) >= 3


@claim(PAGE, "the mean letter adds the same number to all scores of a query, and softmax doesn't")
def the_mean_letter_counts_for_nothing_in_keys():
    texts, _ = three_back(np.random.default_rng(78), 2, 32)
    for parameters, W in heads("three back"):
        for part in (W, offset_only(W)):
            for sees in ("mean", "zeros"):
                heard, unheard = (
                    weights(parameters, part, texts, sees=sees, keys_see=keys_see)
                    for keys_see in ("mean", "zeros")
                )
                assert heard == pytest.approx(unheard, abs=1e-9)


@claim(PAGE, "The offset part never had to work by itself, and is only disturbed by it")
def the_offset_part_is_better_off_without_the_mean_letter():
    parts = [(parameters, offset_only(W)) for parameters, W in heads("three back")]
    assert all(full(*each, sees="zeros") == 1 for each in parts)
    assert sum(full(*each, sees="mean", keys_see="zeros") < 1 for each in parts) >= 6


@claim(PAGE, "Some heads for three back fail with zeros and never miss with the mean")
def zeros_fail_where_the_mean_does_not():
    shares = [
        (right(parameters, W, 3, sees="zeros"), right(parameters, W, 3, sees="mean"))
        for parameters, W in heads("three back")
    ]
    assert sum(zeros < 0.8 for zeros, _ in shares) >= 3
    assert min(mean for _, mean in shares) == 1


# --- how straight the scores are ---


def straight(parameters, W, start, sees):
    """Return the squared correlation of scores with their means by offset, along the rows."""
    every = scores(parameters, W, np.zeros((1, 32), dtype=int), start, sees)[0]
    near = np.array([[every[s, s - back] for back in range(16)] for s in range(16, 32)])
    near -= near.mean(axis=1, keepdims=True)
    by_offset = np.tile(near.mean(axis=0), (16, 1))
    return np.corrcoef(near.ravel(), by_offset.ravel())[0, 1] ** 2


def straightness(trained, sees):
    values = [[straight(*head, start, sees) for start in (0, 100, 1000)] for head in trained]
    return np.array(values)


@claim(PAGE, "And that goes for every one of the 24")
def scores_are_straightest_at_0(page):
    shares = straightness(heads("three back"), "mean")
    assert page["explained"]["trained\nfrom 0"] == pytest.approx(shares, abs=1e-9)
    assert (shares[:, 0] > shares[:, 1:].max(axis=1)).all()


@claim(
    PAGE, "the offset explains about 97% in a typical head, and before training it explained 12%"
)
def training_keeps_them_straight():
    assert np.median(straightness(heads("three back"), "mean")[:, 0]).round(2) == 0.97
    assert np.median(straightness(untrained(), "mean")[:, 0]).round(2) == 0.12


@claim(PAGE, "the scores are about equally bent everywhere, as in the third panel")
def with_zeros_it_looks_bent_everywhere(page):
    shares = straightness(heads("three back"), "zeros")
    assert page["explained"]["the same,\nzeros"] == pytest.approx(shares, abs=1e-9)
    assert np.ptp(np.median(shares, axis=0)) < 0.05
    assert 6 < sum(shares[:, 0] > shares[:, 1:].max(axis=1)) < 18


@claim(PAGE, "there's hardly a full row left")
def at_100_the_wall_is_in_pieces(page):
    assert (dots(page, "begin at 0", "all of W", "their mean", 100) == 16).sum() <= 2
    shares = [full(parameters, W, 100, "mean") for parameters, W in heads("three back")]
    assert sum(share == 1 for share in shares) <= 2


@claim(PAGE, "With the offset part, the count hardly changes, wherever the text begins")
def the_offset_part_keeps_its_dots_everywhere(page):
    whole = dots(page, "begin at 0", "all of W", "their mean", 100)
    assert 0.34 < 1 - whole.sum() / (24 * 16) < 0.4
    at_0 = dots(page, "begin at 0", "offset part", "their mean").sum()
    for start in page["starts"]:
        assert abs(dots(page, "begin at 0", "offset part", "their mean", start).sum() - at_0) < 12
    for parameters, W in heads("three back"):
        for start in (0, 100, 1000):
            assert full(parameters, offset_only(W), start, "zeros") == 1


@claim(
    PAGE, "theirs is even larger, and at 100 and at 1000 it bends the scores as well, though less"
)
def deaf_heads_have_a_rest(page):
    deaf, hearing = (
        np.array([np.sum(rest(W) ** 2) for _, W in heads("three back", way)])
        for way in ("deaf", "sinusoidal")
    )
    assert deaf.min() > hearing.max()
    shares = straightness(heads("three back", "deaf"), "zeros")
    assert page["explained"]["letters\nnever seen"] == pytest.approx(shares, abs=1e-9)
    assert (shares[:, 0] > shares[:, 1:].max(axis=1)).all()
    others = np.median(straightness(heads("three back"), "mean"), axis=0)
    assert (others < np.median(shares, axis=0))[1:].all()
    assert np.median(shares[:, 1]) < 0.92


# --- other starts ---


@claim(PAGE, "nearly all of the wrong numbers lie near 9, 16, 22, or 28")
def wrong_places_are_whole_turns_of_hand_0(page):
    turned = 3 + 2 * np.pi * np.arange(1, 5)
    assert turned.round().tolist() == [9, 16, 22, 28]
    looks = page["wall"]["begin at 0", "all of W", "their mean"][[*page["starts"]].index(20)]
    wrong = looks[looks != 3]
    assert len(wrong) > 200
    near, by_chance = (
        np.mean(np.abs(back[:, None] - turned).min(axis=1) < 1) for back in (wrong, np.arange(32))
    )
    assert near > 0.95
    assert by_chance < 0.3


def by_start(way, task="three back"):
    table = record().get_group((task, way, "accuracy by start"))
    return table.pivot(index="seed", columns="start", values="value").to_numpy()


@claim(
    PAGE, "By start 20, a typical head misses most of its letters, and from there it goes up and"
)
def a_start_of_100_is_one_among_many(page):
    typical = np.median(by_start("sinusoidal"), axis=0)
    assert typical[20] < 0.45
    assert typical[20:].max() - typical[20:].min() > 0.5
    assert np.sum(np.diff(np.sign(np.diff(typical[20:]))) != 0) > 10
    assert np.median([right(*each, 3, 20) for each in heads("three back")]) < 0.45
    assert 100 * typical == pytest.approx(
        np.median(page["by_start"]("three back", "sinusoidal"), axis=0)
    )


@claim(PAGE, "Choose them on the wall and drag the slider: the dots stay")
def trained_anywhere_holds_anywhere(page):
    for start in page["starts"]:
        assert dots(page, "begin anywhere", "all of W", "all eight letters", start).min() >= 15
    assert by_start("windows").min() > 0.98
    assert all(full(*each, 100) > 0.98 for each in heads("three back", "windows"))


@claim(PAGE, "a typical one is still nearly always right, but the worst one isn't")
def trained_anywhere_at_1000():
    shares = measured("three back", "windows", "accuracy", length=32, start=1000)
    assert np.median(shares) > 0.97
    assert shares.min() < 0.9
    again = [right(*each, 3, 1000) for each in heads("three back", "windows")]
    assert np.median(again) > 0.97
    assert min(again) < 0.9


# --- one back ---


@claim(PAGE, "So three kinds turn their hand, by about one position")
def only_a_match_of_two_letters_replaces_the_turn():
    for way in ("deaf", "letters in keys only", "letters in queries only"):
        turns = turned("one back", way, 0, 1)
        assert turns.min() > 0.9
        assert turns.max() < 1.25
    assert turned("one back", "sinusoidal", 0, 0).max() < 0.45


@claim(PAGE, "Even ten times as much training doesn't make those turn")
def more_steps_do_not_make_them_turn():
    turns = turned("one back", "sinusoidal, 3000 steps", 0, 0)
    assert turns.max() < 0.4
    accuracy = measured("one back", "sinusoidal, 3000 steps", "accuracy", length=32, start=0)
    assert accuracy.min() > 0.85


@claim(
    PAGE, "do turn, though only part of the way, and they shun their own letter about half as much"
)
def from_anywhere_they_turn_part_of_the_way():
    turns = turned("one back", "windows", 0, 1)
    assert turns.min() > 0.5
    assert turns.max() < 0.9
    assert measured("one back", "windows", "accuracy", length=32, start=0).min() > 0.99
    effects = {
        way: np.median(measured("one back", way, "score of the own letter"))
        for way in ("windows", "sinusoidal")
    }
    assert effects["windows"] < 0
    assert 0.4 < effects["windows"] / effects["sinusoidal"] < 0.6


@claim(PAGE, "That's how 24 out of 24 turn out if all their texts begin at 0")
def all_24_shun_and_hardly_turn():
    assert abs(turned("one back", "sinusoidal", 0, 0)).max() < 0.45
    for parameters, W in heads("one back"):
        letters = parameters["embedding"]
        # What a key's letter adds to its own letter's score, less what it adds to others'.
        match = letters @ W @ letters.T / np.sqrt(32)
        difference = np.diag(match).mean() - match[~np.eye(8, dtype=bool)].mean()
        assert difference < -1


# --- mixed terms ---


@claim(
    PAGE, "The mean rises a little with the mixed terms, but just over half of the neighbors lose"
)
def mixed_terms_help_a_mean_and_harm_a_majority(page):
    assert 0.5 < np.mean(page["gains"]["both"] < page["gains"]["neither"]) < 0.55
    means = {name: values.mean() for name, values in page["gains"].items()}
    assert 0.4 < means["neither"] < 0.6
    assert 0.7 < means["both"] < 0.9
    assert abs(means["word to place"] - means["neither"]) < 0.05


@claim(PAGE, "about a third of the neighbors now lose more than 0.005")
def mixed_terms_scatter(page):
    losers = {name: np.mean(values < -0.5) for name, values in page["gains"].items()}
    assert 0.3 < losers["both"] < 0.4
    assert losers["neither"] < 0.01
    assert losers["place to word"] > 0.9 * losers["both"]
    assert losers["word to place"] < 0.1
    assert page["gains"]["both"].shape == (2000 * 14,)


@claim(
    PAGE, "its scores are nearly the same all along the row, and softmax ignores what they share"
)
def places_alike_ask_for_little(page):
    along, across = page["word_to_place"].std(axis=2), page["word_to_place"].std(axis=1)
    assert np.median(along) < np.median(across) / 2


# --- the first letter ---


@claim(
    PAGE, "Begin anywhere else, and they fail, except at a few narrow peaks. The highest is at 100"
)
def the_first_letter_is_found_at_a_few_starts(page):
    typical = np.median(by_start("sinusoidal", "first"), axis=0)
    assert typical[0] == 1
    assert typical[32:].argmax() + 32 == 100
    assert np.mean(typical[5:] < 0.4) > 0.9
    assert typical[98] < 0.4
    assert typical[102] < 0.4
    assert page["found"] == pytest.approx(100 * by_start("sinusoidal", "first"))


@claim(PAGE, "the three fastest hands have made 15.92, 8.95, and 5.03 turns")
def hands_at_100():
    assert (100 * SPEEDS[:3] / (2 * np.pi)).round(2).tolist() == [15.92, 8.95, 5.03]


@claim(PAGE, "nearest to where they began at 258, 157, and 201, and these are about equally near")
def three_starts_are_about_as_near_as_100():
    away = np.linalg.norm(rows(np.arange(301))[:, :6] - rows([0])[:, :6], axis=1)
    order = (32 + away[32:].argsort()).tolist()
    apart = [start for start in order if away[start] <= away[[start - 1, (start + 1) % 301]].min()]
    assert apart[:4] == [100, 258, 157, 201]
    assert away[201] < 1.1 * away[258]


@claim(PAGE, "At 201, the heads get more than half of the letters. But right at 258 and 157, they")
def the_story_fails_at_two_of_the_three():
    typical = np.median(by_start("sinusoidal", "first"), axis=0)
    assert typical[201] > 0.5
    assert typical[[157, 258]].max() < 0.2


def likes(parameters, W):
    query = parameters["embedding"].mean(axis=0)
    return query @ W @ rows(np.arange(332)).T


@claim(PAGE, "every one of them prefers 175 or 176, and from 258 all but a few prefer 276")
def what_24_heads_like_better():
    favorites = {
        start: [start + likes(*each)[start : start + 32].argmax() for each in heads("first")]
        for start in (157, 258)
    }
    assert {*favorites[157]} <= {175, 176}
    assert favorites[258].count(276) >= 20


@claim(PAGE, "It mostly does, in nearly every head")
def a_head_s_own_liking_predicts_its_starts(page):
    shares, mostly, missed = by_start("sinusoidal", "first"), [], []
    for seed, (parameters, W) in enumerate(heads("first")):
        preferences = likes(parameters, W)
        best = [start for start in range(32, 301) if preferences[start : start + 32].argmax() == 0]
        assert page["predicted"][seed].tolist() == best
        assert len(best) >= 5
        others = np.setdiff1d(range(32, 301), best)
        assert np.median(shares[seed, best]) > 0.5
        assert np.median(shares[seed, best]) > np.percentile(shares[seed, others], 95)
        assert shares[seed, best].min() > np.median(shares[seed, others])
        mostly.append(np.mean(shares[seed, best] > 0.5) > 0.5)
        missed.append(np.sum(shares[seed, others] > 0.5))
    assert sum(mostly) >= 22
    assert sum(missed) > 24


# --- exercise and Going deeper ---


@claim(PAGE, "Hands 0, 1, and 2 are the strongest, and two of them turn by three positions")
def the_damaged_hand():
    W = lab_b.damaged_matrix()
    along = W[::2, ::2].diagonal() + W[1::2, 1::2].diagonal()
    across = W[::2, 1::2].diagonal() - W[1::2, ::2].diagonal()
    assert sorted(np.hypot(along, across).argsort()[-3:]) == [0, 1, 2]
    turns = (np.arctan2(across, along) / SPEEDS)[:3]
    assert (abs(turns - 3) < 0.25).tolist() == [True, False, True]
    assert turns[1].round(1) == -3.3


@claim(PAGE, "A few heads for one back get only nine letters in ten right")
def three_heads_slip(page):
    shares = measured("one back", "sinusoidal", "accuracy", length=32, start=0)
    assert page["right"] == pytest.approx(shares)
    assert abs(np.sort(shares)[:3] - 0.9).max() < 0.02
    assert np.sort(shares)[3] > 0.99
    later = measured("one back", "sinusoidal, 3000 steps", "accuracy", length=32, start=0)
    assert later.min() == 1
    slow = shares.argsort()[:3]
    effects = measured("one back", "sinusoidal", "score of the own letter")
    assert effects[slow].mean() > np.delete(effects, slow).max()


@claim(PAGE, "shuns one single letter in every key, whichever letter asks")
def slips_come_from_one_letter(page):
    slow = page["order"][:3]
    for seed, (parameters, W) in enumerate(heads("one back")):
        letters = parameters["embedding"]
        match = (letters + rows(np.arange(16, 32)).mean(axis=0)) @ W @ letters.T / np.sqrt(32)
        below = np.median(match, axis=1) - match.min(axis=1)
        least = np.sort(match - np.median(match, axis=1, keepdims=True), axis=1)
        if seed in slow:
            assert len({*match.argmin(axis=1)}) == 1
            assert below.min() > 4
            assert abs(page["by_letter"][seed].min()) > 10
        else:
            assert (match.argmin(axis=1) == np.arange(8)).all()
            assert abs(page["by_letter"][seed]).max() < 1
        assert (least[:, 1:] > -8).all()


@claim(PAGE, "it also looks at itself where its own letter comes twice")
def two_cases_look_alike(page):
    texts, answers = tokens_back(1)(np.random.default_rng(79), 150, 32)
    late = np.arange(32) >= 16
    for seed in page["order"][:3]:
        parameters, W = heads("one back")[seed]
        shunned = page["by_letter"][seed].argmin()
        at_itself = scores(parameters, W, texts).argmax(axis=-1) == np.arange(32)
        guessed = says(parameters, W, texts) == answers
        missing = late & (answers == shunned) & (texts != shunned)
        twice = late & (answers == texts) & (texts != shunned)
        others = late & (answers != shunned) & (answers != texts)
        for case in (missing, twice):
            assert at_itself[case].mean() > 0.98
            assert 0.4 < guessed[case].mean() < 0.7
        assert at_itself[others].mean() < 0.02
        assert guessed[others].mean() > 0.99


@claim(PAGE, "the head looks at itself. But it also looks at itself")
def other_heads_read_double_letters():
    """The control: heads without a shunned letter read letters that come twice."""
    texts, answers = tokens_back(1)(np.random.default_rng(80), 60, 32)
    twice = (answers == texts) & (np.arange(32) >= 16)
    slow = measured("one back", "sinusoidal", "accuracy", length=32, start=0).argsort()[:3]
    for seed, (parameters, W) in enumerate(heads("one back")):
        if seed not in slow:
            assert (says(parameters, W, texts) == answers)[twice].mean() > 0.97


def test_a_shift_leaves_the_offset_part_alone():
    """This file's offset part is the projection that the page names: M(φ)ᵀ W M(φ) = W."""
    rng = np.random.default_rng(1)
    W = rng.normal(size=(32, 32))
    part = offset_only(W)
    for offset in (1, 7.5):
        M = shift_matrix(SPEEDS, offset)
        assert np.allclose(M.T @ part @ M, part, rtol=0, atol=1e-9)
        assert np.allclose(offset_only(rest(W)), 0, rtol=0, atol=1e-12)
