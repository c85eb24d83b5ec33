"""Notebook 11: what hands that turn by column and row make near, and hands that slant."""

from functools import cache

import numpy as np
import pytest
from oracles import exact_frequencies

from posenc.checks import nb11
from posenc.encodings import encode
from posenc.layouts import load_field_guide
from posenc.rotary import apply_rotary

from . import claim

PAGE = "11_grids"
SPEEDS = 100.0 ** (-np.arange(16) / 16)
FAR, NEAR = (13, 0), (3, 3)
PLACES = np.arange(-27, 28)


def both(speeds, slant=0):
    """Return points that hands turn by: those of columns, then those of rows."""
    angles = slant * (np.arange(len(speeds)) % 2)
    across = speeds[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([across, np.stack([-across[:, 1], across[:, 0]], axis=1)])


def score(place, hands):
    """Return the score of blank walls so many columns and rows apart: each hand adds its cosine."""
    return np.cos(np.asarray(place) @ hands.T).sum(axis=-1)


AXES, SLANTED = both(SPEEDS), both(SPEEDS, np.pi / 4)


@cache
def reach(*, slanted):
    """Return where the score first falls below that of the near patch, degree by degree.

    Half a turn is enough, since cosines are the same backward.
    """
    hands, turned = SLANTED if slanted else AXES, np.radians(np.arange(180))
    ways = np.stack([np.cos(turned), np.sin(turned)], axis=1)
    steps = np.arange(0, 28, 0.02)
    inside = score(steps[:, None, None] * ways, hands) > score(NEAR, hands)
    ends = np.where(inside.all(axis=0), np.inf, steps[np.argmin(inside, axis=0)])
    return ends


@claim(PAGE, "from 57° per patch down to less than 1°")
def the_speeds_are_those_of_the_page(page):
    assert page["speeds"] == pytest.approx(SPEEDS)
    degrees = np.degrees(SPEEDS)
    assert round(degrees[0]) == 57
    assert 0.5 < degrees[-1] < 1


@claim(PAGE, "Meta's DINOv3 uses it, and so does the vision encoder of Qwen2-VL")
def two_real_models_turn_by_row_and_column():
    families = {family["name"]: family for family in load_field_guide()["rows"]}
    for name in ("dinov3_vit", "qwen2_vl_vision"):
        (turned,) = families[name]["turned"]
        assert sorted(turned["axes"]) == ["x"] * turned["P"] + ["y"] * turned["P"]


@claim(PAGE, "the score is 19.2, and at column 27, row 14, it's 21.0")
def the_far_patch_in_the_row_scores_higher():
    assert score(NEAR, AXES) == pytest.approx(19.2, abs=0.05)
    assert score(FAR, AXES) == pytest.approx(21.0, abs=0.05)
    assert score((0, 0), AXES) == 32
    assert np.hypot(*FAR) / np.hypot(*NEAR) > 3


@claim(PAGE, "farther than anything in your own row")
def rows_in_one_line_are_far_apart():
    row = np.arange(28)
    assert abs(np.subtract.outer(row, row)).max() < 28


@claim(PAGE, "If query and key move together, $\\Delta x$ and $\\Delta y$ stay what they were")
def scores_depend_on_offsets_and_have_two_parts():
    query, key = np.random.default_rng(5).normal(size=(2, 64))
    x, y = np.meshgrid(range(6), range(6))

    def turn(vector, column, row):
        by_column, by_row = vector[None, :32], vector[None, 32:]
        turned = [
            apply_rotary(by_column, SPEEDS, start=column),
            apply_rotary(by_row, SPEEDS, start=row),
        ]
        return np.hstack(turned)[0]

    def scores(column, row):
        asked = turn(query, column, row)
        places = zip(x.ravel() + column, y.ravel() + row)
        return np.reshape([asked @ turn(key, *place) for place in places], x.shape)

    here = scores(0, 0)
    assert scores(300, 70) == pytest.approx(here, abs=1e-9)
    crossed = np.diff(np.diff(here, axis=0), axis=1)
    assert abs(crossed).max() < 1e-9 < 0.01 < np.ptp(here)


def expected(here, at):
    """Return the score of a key so many columns right and rows down, from complex hands."""
    return (here * np.exp(1j * np.asarray(at) @ AXES.T)).sum(axis=-1).real


@claim(PAGE, "a {term}`head` can learn to look three right and three down")
def some_words_look_three_right_and_three_down():
    looks = np.exp(-1j * np.array(NEAR) @ AXES.T)  # of the words' own angles
    places = np.stack(np.meshgrid(PLACES, PLACES), axis=-1).reshape(-1, 2)
    assert tuple(places[expected(looks, places).argmax()]) == NEAR


CORNERS = [(3, 3), (-3, -3), (3, -3), (-3, 3)]


@claim(PAGE, "The other two give you the same four terms, whatever it has learned")
@pytest.mark.parametrize("seed", range(20))
def no_pair_of_corners_beats_the_other(seed):
    here = np.random.default_rng([seed, 11]).normal(size=(2, 32)).T @ [1, 1j]
    one, other, *rest = (expected(here, at) for at in CORNERS)
    assert one + other == pytest.approx(sum(rest), abs=1e-9)
    assert abs(one - other) > 1e-3


@claim(PAGE, "a head could even look along that diagonal")
def slanted_hands_tell_the_diagonals_apart():
    # Let those count whose direction is that of the edge, or at right angles to it.
    x, y = SLANTED.T
    weights = np.select([abs(x - y) < 1e-9, abs(x + y) < 1e-9], [-1.0, 1.0])
    weights *= np.hypot(x, y) < 0.5
    one, other, *rest = (weights @ np.cos(SLANTED @ at) for at in CORNERS)
    assert min(one, other) > max(rest) + 1


@claim(PAGE, "Along the diagonals it stops after two patches")
def near_is_a_star():
    here = score(NEAR, AXES) + 1e-9
    diagonal = [r for r in range(1, 28) if score((r, r), AXES) > here]
    assert diagonal == [1, 2]
    assert min(reach(slanted=False)) == pytest.approx(np.hypot(*NEAR), abs=0.03)
    row = [r for r in range(28) if score((r, 0), AXES) > here]
    assert row[:20] == [*range(20)]  # from the middle it's 14 to the edge
    colored = score(np.stack(np.meshgrid(PLACES, PLACES), axis=-1), AXES) > here
    assert colored[27].sum() > 3 * colored.diagonal().sum()


@claim(PAGE, "and that's 16 points before we've even asked about the column")
def a_row_agrees_with_itself():
    for column in range(28):
        by_row = score((column, 0), AXES) - score((column, 0), AXES[:16])
        assert by_row == pytest.approx(16)


@claim(PAGE, "three patches cost 6.4 points, while thirteen cost only 11.0")
def three_patches_cost_more_than_half_of_thirteen(page):
    costs = 16 - score(np.stack([np.arange(28), 0 * np.arange(28)], axis=1), AXES[:16])
    assert costs[[3, 13]] == pytest.approx([6.4, 11.0], abs=0.05)
    assert 2 * costs[3] > costs[13]
    assert [page["three"], page["thirteen"]] == pytest.approx(costs[[3, 13]])


@claim(PAGE, "After three or four of them the fast hands have drifted apart")
def most_is_lost_at_the_start():
    costs = 16 - score(np.stack([np.arange(28), 0 * np.arange(28)], axis=1), AXES[:16])
    assert costs[4] > costs[27] / 2
    # It dips only where some hand is past half a turn.
    assert (np.diff(1 - np.cos(np.outer(np.arange(4), SPEEDS)), axis=0) > 0).all()
    assert (np.diff(1 - np.cos(np.outer(np.arange(28), SPEEDS[8:])), axis=0)[:15] > 0).all()
    # The four fastest have lost more than they do on average, which is 4, and the slow ones little.
    apart = 1 - np.cos(4 * SPEEDS)
    assert apart[:4].sum() > 4
    assert apart[8:].sum() < 0.5


@claim(PAGE, "Beyond three patches, near means in your own row or column.")
@pytest.mark.parametrize("edge", range(1, 7))
def near_has_arms_from_three_patches_on(edge):
    nearer = [score((r, 0), AXES) > score((edge, edge), AXES) + 1e-9 for r in range(28)]
    reached = nearer.index(False) if False in nearer else 28
    assert reached == 2 * edge if edge < 3 else reached > 4 * edge


@claim(PAGE, "some twenty patches away, the arms would start to break up")
def arms_end_at_twenty_patches():
    nearer = [score((r, 0), AXES) > score((3, 3), AXES) for r in range(28)]
    assert nearer.index(False) == 20


@claim(PAGE, "a diamond with rounded corners, which ends between four and six patches out")
def slanted_near_is_a_rounded_diamond():
    ends = reach(slanted=True)
    assert 4 < min(ends) < max(ends) < 6
    # Its corners are on the axes, but a diamond's sides would be closer.
    assert ends.argmax() % 90 == 0
    assert max(ends) / np.sqrt(2) < min(ends) < 0.8 * max(ends)
    assert max(reach(slanted=False)) > 4 * min(reach(slanted=False))
    # And it's the only spot: nothing far off is colored.
    places = np.stack(np.meshgrid(PLACES, PLACES), axis=-1)
    colored = score(places, SLANTED) > score(NEAR, SLANTED) + 1e-9
    assert np.hypot(*places[colored].T).max() < 6


@claim(PAGE, "only eight still do, so a far patch in the row starts with 8 points instead of 16")
def a_move_along_the_row_leaves_eight_hands():
    assert (abs(AXES[:, 0]) < 1e-9).sum() == 16
    assert (abs(SLANTED[:, 0]) < 1e-9).sum() == 8
    assert np.sort(np.hypot(*AXES.T)) == pytest.approx(np.sort(np.hypot(*SLANTED.T)))


@claim(PAGE, "The patch three right and three down finally beats the one thirteen to the right")
def the_order_flips():
    assert score(NEAR, SLANTED) > score(FAR, SLANTED) + 2


# Axial and mixed, at 224 and at 384: the tables of github.com/naver-ai/rope-vit.
ACCURACIES = np.array(
    [
        [(80.9, 80.0), (80.9, 81.8)],
        [(83.6, 83.9), (83.8, 84.4)],
        [(84.7, 85.1), (84.8, 85.6)],
        [(81.3, 79.2), (81.4, 79.5)],
        [(83.1, 80.9), (83.0, 81.4)],
        [(83.6, 81.8), (83.7, 82.1)],
    ]
)


@claim(PAGE, "in all six pairs, by 0.3 to 0.5 percentage points of accuracy and once by 1.8")
def slanted_hands_are_ahead_on_larger_pictures():
    small, large = (ACCURACIES[:, 1] - ACCURACIES[:, 0]).T
    assert abs(small).max() < 0.21
    assert np.sort(large) == pytest.approx([0.3, 0.3, 0.5, 0.5, 0.5, 1.8])


@claim(PAGE, "Which of these keys has the highest score?")
def question_1_has_its_answer():
    tens, close, same = (score(it, AXES) for it in ((10, 10), (13, 1), (13, 0)))
    assert tens < 0.4 * 32
    assert same - 2 < close < same


@claim(PAGE, "the fastest 16 turn by time, the next 24 by row, and the slowest 24 by column")
def qwen_deals_its_hands_in_order(page):
    families = {family["name"]: family for family in load_field_guide()["rows"]}
    (turned,) = families["qwen2_vl_text"]["turned"]
    assert turned["axes"] == "t" * 16 + "y" * 24 + "x" * 24
    assert turned["base"] == 1e6
    speeds = 1e6 ** (-np.arange(64) / 64)
    assert page["hands"] == pytest.approx(speeds)
    assert np.degrees(100 * speeds[40]) == pytest.approx(1, abs=0.02)
    (later,) = families["qwen3_vl_text"]["turned"]
    assert later["axes"].startswith("tyx" * 20)


@claim(PAGE, "the fastest hand makes two turns from edge to edge")
@pytest.mark.parametrize("patches", [14, 28, 1000])
def dinov3_squeezes(patches):
    families = {family["name"]: family for family in load_field_guide()["rows"]}
    (turned,) = families["dinov3_vit"]["turned"]
    assert turned["base"] == 100
    # The field guide asked for 14 patches.
    assert 14 * turned["speeds"][0] == pytest.approx(2 * 2 * np.pi, abs=1e-4)
    middles = 2 * (np.arange(patches) + 0.5) / patches - 1
    assert middles[1] - middles[0] == pytest.approx(2 / patches)


@claim(PAGE, "the mean of many cosines at the distance $r$ is close to $e^{-σ^2 r^2/2}$")
def normal_speeds_make_a_bell():
    hands = np.random.default_rng(1).normal(0, 0.2, size=(20_000, 2))
    for way in ([1, 0], [0.6, 0.8], [0, -1]):
        for r in (2, 5, 15, 60):
            mean = np.cos(hands @ (r * np.array(way))).mean()
            assert mean == pytest.approx(np.exp(-((0.2 * r) ** 2) / 2), abs=0.03)


@claim(PAGE, "It's 40 columns away.")
def the_end_of_an_arm_is_where_the_checker_says():
    speeds = np.array(exact_frequencies(128), float)
    rows = encode(np.arange(60), speeds)
    f = rows @ rows[0]
    first = next(r for r in range(60) if f[r] + 64 < 2 * f[4])
    assert first == 40
    assert nb11.first_farther.check(first)
