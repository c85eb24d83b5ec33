"""The clock inside a language model: seven screens, and what each of them says."""

import numpy as np
import pytest

from posenc import charts
from posenc.attention import softmax
from posenc.charts.words import WORDS, _attend
from posenc.encodings import angular_frequencies, clock, sinusoidal
from posenc.long_context import interpolate, turns
from posenc.rotary import apply_rotary

from . import claim, text_of

PAGE = "ten_minutes"
LLAMA_2 = angular_frequencies(128)


def title(chart):
    return str(chart.to_dict()["title"])


@claim(PAGE, "so the dog that bites and the dog that's bitten are the same dog")
def attention_swaps_its_results_and_changes_none():
    before, after = (_attend(rows) for rows in ([*WORDS.values()], [*WORDS.values()][::-1]))
    np.testing.assert_allclose(after, before[::-1], rtol=0, atol=1e-12)
    assert np.size(before) == 12
    assert len(np.unique(before, axis=0)) == 3, "or it would be no news"


@claim(PAGE, "since each word sees only earlier ones")
def a_word_that_sees_only_earlier_ones_depends_on_their_order():
    dog, bites, man = WORDS.values()
    biting, bitten = (np.array(_attend(seen)[-1]) for seen in ([dog], [man, bites, dog]))
    assert np.abs(biting - bitten).max() > 0.1


@claim(PAGE, "next to that, the small difference between a dog and a man hardly counts")
def a_position_of_500_drowns_the_words():
    dog, man = (np.array(WORDS[word]) + 500 for word in ("dog", "man"))
    assert (np.abs([dog, man] - np.array(500)) <= 3).all()
    assert np.linalg.norm(dog - man) / np.linalg.norm(dog) < 0.002


@claim(PAGE, "none above 1, and they tell you the time to the second")
def six_numbers_tell_each_second_of_half_a_day():
    numbers = clock(np.arange(43_200))
    assert numbers.shape[1] == 6
    assert np.abs(numbers).max() <= 1
    assert len(np.unique(numbers.round(5), axis=0)) == 43_200


@claim(PAGE, "The leftmost goes around every six words, the rightmost every 58,000")
def the_carpet_is_a_clock_of_128_hands():
    wavelengths = 2 * np.pi / angular_frequencies(256)
    assert len(wavelengths) == 128
    assert round(wavelengths[0]) == 6
    assert round(wavelengths[-1], -3) == 58_000
    assert (np.diff(wavelengths) > 0).all()
    hands = sinusoidal(200, 256).reshape(200, 128, 2)
    np.testing.assert_allclose(np.hypot(*np.moveaxis(hands, -1, 0)), 1)


@claim(PAGE, "you know it will be a third of the way around from where it was")
def twenty_minutes_turn_a_minute_hand_by_a_third(page):
    assert page["turn"] == pytest.approx(2 * np.pi * 20 / 60)
    assert "[(2, 10), (5, 35), (8, 50)]" in text_of(PAGE)


@claim(PAGE, "*three words back* always turns each of the 128 hands by the same angle")
def three_words_turn_each_hand_by_its_own_angle_wherever_they_are():
    hands = sinusoidal(1000, 256).reshape(1000, 128, 2) @ [1j, 1]
    turned = hands[3:] / hands[:-3]
    np.testing.assert_allclose(turned, np.broadcast_to(turned[0], turned.shape), atol=1e-9)
    assert len(np.unique(np.angle(turned[0]).round(9))) > 100


@claim(PAGE, "All that counts is the two words, how far apart they are, and which comes first")
def a_turned_pair_keeps_its_score_wherever_it_is():
    query, key = np.random.default_rng(0).normal(size=(2, 1, 128))

    def score(s, t):
        turned = apply_rotary(query, LLAMA_2, start=s), apply_rotary(key, LLAMA_2, start=t)
        return np.vdot(*turned)

    assert [score(at, at + 1) for at in (7, 60, 1000)] == pytest.approx([score(0, 1)] * 3)
    assert abs(score(0, 1) - score(1, 0)) > 1, "it does tell which comes first"
    assert "70° apart" in title(charts.turned_pair())


@claim(PAGE, "But 18 slow ones never got around once")
def eighteen_of_64_hands_are_unfinished():
    went = turns(LLAMA_2, 4096)
    assert len(went) == 64
    assert np.flatnonzero(went < 1).tolist() == [*range(46, 64)]
    assert (went[:12] > 100).all()
    assert went[0] > 600, "The fastest went around hundreds of times"


@claim(PAGE, "*three words back* is no longer the turn that the model learned")
def slower_hands_take_longer_for_the_same_turn():
    np.testing.assert_allclose(24 * interpolate(LLAMA_2, 8), 3 * LLAMA_2)


@claim(PAGE, "is turned one step less, so 70 degrees are left")
def the_biting_dog_takes_in_more_of_bites_than_the_bitten_dog(page):
    apart = {}
    for sentence, (dog, bites) in page["sentences"].items():
        assert sentence.split().index("dog") == dog
        assert sentence.split().index("bites") == bites
        apart[sentence] = 100 + 30 * (dog - bites)
    assert [*apart.values()] == [70, 130]
    # Beside a third word that scores 0, whose weights are what's left.
    weights = [softmax(np.array([np.cos(np.radians(it)), 0, 0]))[0] for it in apart.values()]
    assert weights[0] > 1.5 * weights[1]
