"""Diagrams show the numbers that they are given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc import diagrams
from posenc.palette import NOW, OTHER

WORDS = ["one", "two", "three"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts(drawing):
    return [text.get_text() for text in drawing.axes.texts]


def test_lines_are_as_wide_as_the_shares_and_lead_from_the_first_word_to_each():
    fits = np.array([4, 1, 3])
    drawing = diagrams.query_asks_keys(WORDS, fits)
    widths = [line.get_linewidth() for line in drawing.axes.lines]
    assert np.allclose(np.divide(widths, widths[0]), fits / fits[0])
    ends = np.array([line.get_xydata() for line in drawing.axes.lines])
    assert (ends[:, 0] == ends[0, 0]).all()
    assert ends[0, 0, 0] == ends[0, 1, 0]
    assert (np.diff(ends[:, 1, 0]) > 0).all()
    assert {
        "fit 4\n50 %",
        "fit 1\n12 %",
        "fit 3\n38 %",
        "new row: 0.50 one + 0.12 two + 0.38 three",
    } < set(texts(drawing))
    assert texts(drawing).count("one") == 2


def test_the_input_is_the_sum_of_words_and_positions():
    words, positions = np.arange(12).reshape(3, 4), np.full((3, 4), 0.5)
    drawing = diagrams.position_is_added(WORDS, words, positions)
    shown = [text for text in texts(drawing) if text[0].isdigit()]
    parts = (words, positions, words + positions)
    assert shown == [f"{number:g}" for part in parts for number in part.flat]
    assert {*WORDS, "+", "=", "input"} < set(texts(drawing))


def test_a_key_claims_the_place_of_the_query_that_finds_it():
    drawing = diagrams.key_claims(15, 3)
    told = {"query at 15", "stands at 15", "key at 12", "stands at 12", "claims 15, by M(3)"}
    assert told < set(texts(drawing))
    middles = {it.get_text(): it.get_position()[0] for it in drawing.axes.texts}
    assert middles["query at 15"] == middles["15"] == middles["12"] + 3
    assert middles["key at 12"] == middles["12"]
    assert "0" in texts(diagrams.key_claims(2, 2))
    with pytest.raises(ValueError, match="offset must be a positive integer, got 0"):
        diagrams.key_claims(15, 0)
    with pytest.raises(ValueError, match="query must be an integer of at least 3, got 2"):
        diagrams.key_claims(2, 3)


def test_what_does_not_fit_the_words_is_named():
    with pytest.raises(ValueError, match=r"fits .* shape \(3,\)"):
        diagrams.query_asks_keys(WORDS, [0.5, 0.5])
    with pytest.raises(ValueError, match=r"positions .* shape \(3, 4\)"):
        diagrams.position_is_added(WORDS, np.ones((3, 4)), np.ones((3, 5)))


def test_the_layer_turns_queries_and_keys_in_place_of_the_row_that_is_added():
    drawing = diagrams.layer_added_and_turned()
    said, middle = texts(drawing), drawing.axes.get_xlim()[1] / 2
    places = {text.get_text(): text.get_position() for text in drawing.axes.texts}
    assert places["+ position's row"][0] < middle < places["turn by s"][0] < places["turn by t"][0]
    for shared in ("word's row", "queries", "keys", "values", "weighted mean of the values"):
        assert said.count(shared) == 2
    # On the right the values go past the turns; the last drawn are that side's.
    above = {"turn by s": "queries", "turn by t": "keys"}
    for turn, name in above.items():
        assert places[turn][0] == places[name][0]
        assert places[name][1] < places[turn][1] < places["scores, weights"][1]


def _dots(drawing):
    return [line for line in drawing.axes.lines if line.get_marker() in ("o", "s")]


def test_a_slowed_hand_ends_where_the_training_ended_with_new_dots_between_old_ones():
    angles = 0.3 * np.arange(5)
    drawing = diagrams.new_dots_between_old(0.3, 4, 3)
    dots = [
        line.get_xydata() - (x, 2.9)
        for line, x in zip(_dots(drawing), np.repeat((2.5, 7.5, 12.5), 2))
    ]
    found = [np.arctan2(x, -y) % (2 * np.pi) for x, y in (it.T for it in dots)]
    assert all(np.allclose(np.linalg.norm(it, axis=1), 1.7) for it in dots)
    beyond, between = 0.3 * np.arange(5, 13), 0.1 * np.arange(13)
    between = between[np.arange(13) % 3 > 0]
    expected = (angles, [], angles, beyond, angles, between)
    for some, wanted in zip(found, expected, strict=True):
        assert np.allclose(some, wanted)
    assert [dots.get_color() for dots in _dots(drawing)] == 3 * [NOW] + [OTHER] + 2 * [NOW]
    for sector, x in zip(drawing.axes.patches, (2.5, 7.5, 12.5), strict=True):
        x, y = (sector.get_xy()[1:-1] - (x, 2.9)).T
        assert np.allclose([np.arctan2(x, -y).min(), np.arctan2(x, -y).max()], [0, 1.2])
    assert texts(drawing) == ["0", "4", "trained", "0", "12", "read on", "0", "12", "slowed"]


def test_half_of_the_hands_of_a_patch_turn_by_its_row_and_half_by_its_column():
    speeds = np.array([1, 0.3, 0.1])
    drawing = diagrams.picture_turns(5, (1, 4), (3, 0), speeds)
    hands = [line.get_xydata() for line in drawing.axes.lines]
    x, y = np.array([end - start for start, end in hands]).T
    turned = np.outer([1, 4, 3, 0], speeds).ravel()  # row and column of the query, then the key's
    assert np.allclose(np.arctan2(x, -y) % (2 * np.pi), turned % (2 * np.pi))
    assert np.allclose(np.hypot(x, y), 0.9)
    colors = [line.get_color() for line in drawing.axes.lines]
    assert colors == 6 * [NOW] + 6 * [OTHER]
    above = {it.get_text(): it.get_position()[0] for it in drawing.axes.texts}
    middles = np.mean([start for start, _ in hands[:3]], axis=0), hands[4][0]
    assert np.allclose([above["turned by row"], above["turned by column"]], np.array(middles)[:, 0])
    assert above["q"] - above["k"] == 4
    with pytest.raises(ValueError, match="size must be a positive integer, got 0"):
        diagrams.picture_turns(0, (0, 0), (0, 0), speeds)
