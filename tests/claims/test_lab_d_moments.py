"""Lab D: what fits find between samples, with other draws than the page's."""

import json
from functools import cache

import numpy as np
import pytest

from . import ROOT, claim

PAGE = "lab_d_moments"
CLOCK = 10_000.0 ** (-np.arange(128) / 128)  # radians
SIGMAS = 2.0 ** np.arange(1, 7.5, 0.5)
FRESH = range(100, 112)  # the page has draws 0 to 19
WAVES = 1, 5, 13


def at_moments(cycles, t):
    """Return the sines and then the cosines of hands at moments."""
    angles = 2 * np.pi * np.outer(t, cycles)
    return np.hstack([np.sin(angles), np.cos(angles)])


def fitted(cycles, known, t, samples, cut=1e-3):
    """Return what hands find at moments, by the products of their rows."""
    rows = at_moments(cycles, known)
    squares, vectors = np.linalg.eigh(rows @ rows.T)
    kept = squares >= cut**2 * squares[-1]
    weights = vectors[:, kept] / squares[kept] @ (vectors[:, kept].T @ samples)
    return at_moments(cycles, t) @ (rows.T @ weights)


def curve(draw, t, waves=WAVES):
    """Return the heights of a fresh curve."""
    phases = np.random.default_rng([draw, 4]).uniform(0, 2 * np.pi, 3)
    return np.sin(2 * np.pi * np.outer(t, waves) + phases) @ [1, 1 / 2, 1 / 3]


def off(cycles, draw, waves=WAVES, count=64):
    """Return how far a fit is off between the samples."""
    known = np.arange(count) / count
    between = np.random.default_rng([draw, 5]).uniform(0, (count - 1) / count, 64)
    samples = curve(draw, known, waves)
    errors = fitted(cycles, known, between, samples) - curve(draw, between, waves)
    return np.sqrt(np.mean(errors**2))


def normal(draw):
    return np.random.default_rng([draw, 6]).normal(size=128)


def twins(cycles, count=64):
    """Return hands of at most half a turn from sample to sample with the same rows there."""
    return (cycles + count / 2) % count - count / 2


@cache
def errors(slowed=False, **changes):
    """Return the errors of fresh draws, by σ and draw."""
    ways = twins if slowed else np.array
    return np.array([[off(ways(s * normal(it)), it, **changes) for it in FRESH] for s in SIGMAS])


def valley(each):
    below = SIGMAS[np.median(each, axis=1) < 0.1]
    return [round(below[0], 1), round(below[-1], 1)]


@claim(PAGE, "by $σ = 5.7$ the fit has landed right on the curve")
def slow_hands_miss_the_fine_wave(page):
    missed = dict(zip(SIGMAS.round(1), page["missed"]["drawn"]))
    assert min(missed[2], missed[4]) > 0.2
    assert max(missed[5.7], missed[8], missed[11.3]) < 0.01
    fit = dict(zip(SIGMAS.round(1), page["fits"]["drawn"]))
    at_samples = abs(fit[2][::16] - page["samples"][:17])
    assert np.median(at_samples) > 0.1


@claim(PAGE, "At σ = 128, more than half of the hands make over a whole turn")
def fast_hands_pass_through_all_samples(page):
    assert np.mean(abs(128 * page["drawn"](0)) > 64) > 0.5
    for draw in FRESH:
        cycles, known = 128 * normal(draw), np.arange(64) / 64
        samples = curve(draw, known)
        assert fitted(cycles, known, known, samples) == pytest.approx(samples, abs=1e-6)
        assert off(cycles, draw) > 0.4


def moving(last):
    return int(np.sum(last * CLOCK > np.radians(6)))


@claim(PAGE, "The other 96 would hardly move, and three quarters of each row")
def a_quarter_of_the_hands_move():
    assert (moving(1), moving(1000)) == (32, 128)
    assert np.degrees(CLOCK[0]) == pytest.approx(57, abs=0.5)


@claim(PAGE, "because only their product counts")
def only_the_product_counts():
    speeds, t = normal(1), np.linspace(0, 1, 50)
    assert at_moments(1000 * speeds, t) == pytest.approx(at_moments(speeds, 1000 * t))


@claim(PAGE, "so their likeness falls a little at every scale, from one unit up to a few thousand")
def the_clock_has_no_distance_of_its_own():
    near = np.cos(np.outer([1, 10, 100, 1000], CLOCK)).mean(axis=1)
    assert near == pytest.approx([0.972, 0.675, 0.456, 0.193], abs=0.001)
    far = np.cos(np.outer(np.linspace(5000, 10_000, 500), CLOCK)).mean(axis=1)
    assert abs(far).max() < 0.26
    assert abs(far.mean()) < 0.06


@claim(PAGE, "With the bell it drops to nothing within a few times $1/σ$, and then only the luck")
def the_bell_has_a_distance():
    assert 0.6 < np.exp(-1 / 2) < 0.61
    assert np.exp(-(3**2) / 2) < 0.02
    distances = np.array([0.25, 0.5, 1, 3, 5, 8])
    means = [np.cos(np.outer(distances, normal(draw))).mean(axis=1) for draw in range(300)]
    assert np.mean(means, axis=0) == pytest.approx(np.exp(-(distances**2) / 2), abs=0.02)
    assert np.std(means, axis=0)[3:] == pytest.approx(np.sqrt(1 / 256), rel=0.15)


@claim(PAGE, "A flat line would be off by 0.82")
def a_flat_line_is_off_by_so_much():
    heights = curve(3, np.arange(100_000) / 100_000)
    assert np.sqrt(np.mean(heights**2)) == pytest.approx(0.82, abs=0.006)


@claim(PAGE, "it's exactly where a hand of 1 cycle would be")
def twins_have_the_same_rows(page):
    cycles = np.append(normal(7) * 100, 65)
    for count in (32, 64, 100):
        slow = page["slow_twins"](cycles, count)
        known = np.arange(count) / count
        assert at_moments(slow, known) == pytest.approx(at_moments(cycles, known), abs=1e-9)
        assert abs(slow).max() <= count / 2
    assert page["slow_twins"](65) == 1


@claim(PAGE, "It drops to 0.01. The weights do stay the same, but their waves don't")
def twins_mend_the_fit_of_the_chart(page):
    fast, cured = (page["missed"][kind][-1] for kind in ("drawn", "slow twins"))
    assert [round(fast, 2), round(cured, 2)] == [0.85, 0.01]
    missed = abs(page["fits"]["slow twins"][-1] - page["curve"][64:])
    assert missed.max() < 0.1


@claim(PAGE, "the twins have less than half the error in every draw")
def twins_mend_the_fit(page):
    wide = SIGMAS > 30
    assert (page["cured"][wide] < page["usual"][wide] / 2).all()
    fast, cured = errors()[wide], errors(slowed=True)[wide]
    assert (cured < fast / 2).all()
    assert np.median(cured) < 0.05 < 0.3 < np.median(fast)


@claim(PAGE, "No test at evenly spaced samples can tell a fast hand from its slow twin.")
def both_fits_agree_at_the_samples():
    known, between = np.arange(64) / 64, (np.arange(63) + 0.5) / 64
    for draw in FRESH:
        samples, fast = curve(draw, known), 128 * normal(draw)
        one, other = (fitted(it, known, known, samples) for it in (fast, twins(fast)))
        assert one == pytest.approx(other, abs=1e-6)
        one, other = (fitted(it, known, between, samples) for it in (fast, twins(fast)))
        assert abs(one - other).max() > 0.5


@claim(
    PAGE, "one of 65, it would have left the same samples. The twins would have missed it, and so"
)
def twins_and_fast_hands_miss_a_fast_wave():
    known, waves = np.arange(64) / 64, (65, 5, 13)
    missed = []
    for draw in FRESH:
        assert curve(draw, known, waves) == pytest.approx(curve(draw, known), abs=1e-9)
        fast = 128 * normal(draw)
        missed.append([off(fast, draw, waves), off(twins(fast), draw, waves)])
    assert np.min(missed, axis=0) == pytest.approx([0.7, 0.98], abs=0.03)
    assert np.median(missed, axis=0) == pytest.approx([0.86, 1.02], abs=0.04)


@claim(PAGE, "drawn hands find the curve for every $σ$ from 5.7 to 23 cycles")
def the_valley_is_there(page):
    assert valley(page["usual"]) == [5.7, 22.6]
    # In fresh draws its right edge may be a step off.
    assert valley(errors()) in ([5.7, 16], [5.7, 22.6])


def likeness_halfway(cycles, count=64):
    """Return the bell half a sample away."""
    return np.exp(-((2 * np.pi * cycles / count / 2) ** 2) / 2)


@claim(
    PAGE, "is 2.2 radians per sample, and there a moment halfway between two samples still has a"
)
def near_ends_before_the_next_sample(page):
    edge = page["valley"][-1]
    assert round(edge) == 23
    assert 2 * np.pi * edge / 64 == pytest.approx(2.2, abs=0.05)
    assert likeness_halfway(edge) == pytest.approx(0.54, abs=0.005)
    halfway = np.cos(np.outer(edge * np.pi / 64, np.random.default_rng(3).normal(size=100_000)))
    assert halfway.mean() == pytest.approx(0.54, abs=0.01)


@claim(PAGE, "Double $σ$, and less than 0.1 is left")
def little_is_left_at_twice_the_edge(page):
    assert likeness_halfway(2 * page["valley"][-1]) < 0.1


@claim(PAGE, "in between it's no better than a flat line")
def the_fastest_fit_is_as_bad_as_a_flat_line(page):
    assert page["missed"]["drawn"][-1] > 0.82
    assert np.median(page["usual"][-1]) > 0.75


@claim(PAGE, "which moved only the right edge, and for a finest wave of 7 cycles")
def each_edge_has_its_owner(page):
    assert valley(page["slower"]) == [2.8, 22.6]
    assert valley(page["few"]) == [5.7, 8]
    assert valley(page["many"]) == [5.7, 45.3]
    # In fresh draws an edge may be a step off.
    assert valley(errors(waves=(1, 5, 7))) in ([2.8, 22.6], [4, 22.6])
    assert valley(errors(count=32))[0] == valley(errors(count=128))[0] == 5.7
    assert valley(errors(count=32))[1] < 12
    assert valley(errors(count=128))[1] > 30


@claim(PAGE, "It failed for 26: of all the values of $σ$ we tried, only 16 still works")
def a_wave_near_the_limit_leaves_hardly_any(page):
    assert valley(page["finer"]) == [16, 16]
    assert np.sum(np.median(errors(waves=(1, 5, 26)), axis=1) < 0.1) <= 2


@claim(PAGE, "The samples can't tell 26 cycles from 38 backward")
def other_speeds_leave_the_same_samples():
    known = np.arange(64) / 64
    for slow, fast in ((26, 38), (13, 51)):
        assert at_moments([slow], known) == pytest.approx(at_moments([-fast], known))


@claim(PAGE, "At $σ = 23$, there's one near 38 for every two near 26.")
def how_many_hands_have_the_other_speed():
    cycles = 23 * abs(np.random.default_rng(4).normal(size=1_000_000))
    near = {wave: np.sum(abs(cycles - wave) < 1) for wave in (13, 51, 26, 38)}
    assert near[38] / near[26] == pytest.approx(0.5, abs=0.05)
    assert near[51] / near[13] == pytest.approx(0.1, abs=0.01)


@claim(PAGE, "ours were at 8, 23, and 45 cycles, and half a turn per sample is 16, 32, and 64")
def right_edges_are_near_half_a_turn_per_sample(page):
    edges = [valley(page[name])[1] for name in ("few", "usual", "many")]
    assert np.round(edges).tolist() == [8, 23, 45]
    for edge, count in zip(edges, (32, 64, 128)):
        assert 0.5 <= edge / (count / 2) < 0.75
    assert valley(page["slower"])[1] == edges[1]


@claim(PAGE, "With hands that are too slow, our fit misses even the samples")
def our_fit_misses_samples_with_slow_hands_only():
    known, missed = np.arange(64) / 64, []
    for draw in FRESH:
        samples = curve(draw, known)
        fits = [fitted(s * normal(draw), known, known, samples) for s in (2, 2.8, 32, 128)]
        missed.append([abs(each - samples).max() for each in fits])
    assert np.min(missed, axis=0)[:2].min() > 0.2
    assert np.max(missed, axis=0)[2:].max() < 0.01


def squares(size=64, square=8):
    columns, rows = np.meshgrid(np.arange(size), np.arange(size))
    red = (columns // square + rows // square) % 2
    return np.stack([columns.ravel(), rows.ravel()], axis=1), 2.0 * red.ravel() - 1


@cache
def hidden_right(spread, draw, slanted=True, hands=256, folded=False):
    """Return the percentage of hidden colors that a ridge regression gets right."""
    places, colors = squares()
    random = np.random.default_rng([draw, 8])
    shown = random.random(len(places)) < 0.5
    speeds = spread * random.normal(size=(hands, 2))
    if folded:
        speeds = twins(speeds, 2 * np.pi)
    if not slanted:
        speeds[:128, 1] = speeds[128:, 0] = 0
    angles = places @ speeds.T
    rows = np.hstack([np.sin(angles), np.cos(angles)])
    known = rows[shown]
    products = known.T @ known + 0.1 * hands / 256 * np.eye(2 * hands)
    weights = np.linalg.solve(products, known.T @ colors[shown])
    return 100 * np.mean((rows @ weights * colors > 0)[~shown])


BOARDS = range(200, 204)


@claim(PAGE, "the fit gets about 94% of the hidden colors right")
def slanted_hands_read_the_board(page):
    by_spread = dict(zip(page["spreads"], page["slanted"]))
    assert np.median(by_spread[0.3]) == pytest.approx(94, abs=0.7)
    assert min(by_spread[0.3]) > 92
    assert max(by_spread[0.3]) < 96
    assert np.median(by_spread[0.05]) == pytest.approx(50, abs=1.5)
    assert 91 < np.mean([hidden_right(0.3, draw) for draw in BOARDS]) < 96
    assert 46 < np.mean([hidden_right(0.05, draw) for draw in BOARDS]) < 53
    # Its waves have 8 places each way, so half a turn in 8 places.
    places, colors = squares()
    assert np.sign(np.prod(np.sin((places + 0.5) * np.pi / 8), axis=1)) * -1 == pytest.approx(
        colors
    )


@claim(PAGE, "it gets anything from 40% to 71%")
def fast_slanted_hands_are_a_lottery(page):
    right = page["slanted"][page["spreads"].index(2)]
    assert [round(min(right)), round(max(right))] == [40, 71]
    assert min(hidden_right(2, draw) for draw in BOARDS) > 38
    assert max(hidden_right(2, draw) for draw in BOARDS) < 75


@claim(PAGE, "where a hand and its twin always agree, so swapping them changes nothing")
def twins_are_not_what_fails_on_the_board():
    assert hidden_right(2, 200, folded=True) == hidden_right(2, 200)


def right_by_likeness(spread, draw, hands):
    """Return what so many hands get right, by their likeness at each offset on the board."""
    places, colors = squares()
    random = np.random.default_rng([draw, 8])
    shown = random.random(len(places)) < 0.5
    offsets, likeness = np.arange(-63, 64, dtype=np.float32), 0
    for _ in range(hands // 16_384):
        speeds = spread * random.normal(size=(16_384, 2)).astype(np.float32)
        right, down = np.exp(1j * speeds.T[:, None] * offsets[:, None])
        likeness = likeness + (right @ down.T).real / hands
    right, down = np.moveaxis(places[:, None] - places[shown], -1, 0) + 63
    products = 256 * likeness[right, down]
    known = products[shown] + 0.1 * np.eye(shown.sum())
    guesses = products @ np.linalg.solve(known, colors[shown])
    return 100 * np.mean((guesses * colors > 0)[~shown])


@claim(PAGE, "to get 90% right at $σ = 2$, you'd need about a thousand times as many")
@pytest.mark.parametrize(
    ("times", "least", "most"),
    [
        (64, 50, 89),
        pytest.param(256, 80, 89.5, marks=pytest.mark.slow),
        pytest.param(1024, 88.5, 93, marks=pytest.mark.slow),
    ],
)
def many_hands_get_most_of_the_board_right(times, least, most):
    for draw in range(200, 204 if times > 64 else 201):
        assert least < right_by_likeness(2, draw, hands=256 * times) < most


@claim(PAGE, "At $σ = 2$ the bell is down to 0.14 just one place away")
def near_has_shrunk():
    assert np.exp(-(2**2) / 2) == pytest.approx(0.14, abs=0.005)
    speeds = 2 * np.random.default_rng(3).normal(size=100_000)
    assert np.cos(speeds).mean() == pytest.approx(0.14, abs=0.01)


@claim(PAGE, "get fewer than half of the hidden colors right, whatever $σ$ we try")
def columns_and_rows_do_worse_than_guessing(page):
    for spread in page["spreads"]:
        right = [hidden_right(spread, draw, slanted=False) for draw in BOARDS]
        assert np.mean(right) < 49


@claim(PAGE, "Such a fit is always some $g(x) + h(y)$")
def no_sum_of_columns_and_rows_reads_the_board():
    # By the best fit of this kind.
    for draw in BOARDS:
        places, colors = squares()
        shown = np.random.default_rng(draw).random(len(places)) < 0.5
        known = np.hstack([np.eye(64)[places[:, 0]], np.eye(64)[places[:, 1]]])
        guesses = known @ np.linalg.lstsq(known[shown], colors[shown], rcond=None)[0]
        assert np.mean((guesses * colors > 0)[~shown]) < 0.5


@claim(PAGE, "For 128 hands, DDPM divides $k$ by 127, one less than their number")
def programs_divide_differently():
    record = (ROOT / "src/posenc/data/programs.json").read_text(encoding="utf-8")
    programs = {it["name"]: it for it in json.loads(record)["tables"]}
    ddpm, dit = programs["DDPM (diffusers)"], programs["DiT (diffusers)"]
    assert [it["last"] for it in (ddpm, dit)] == ["m - 1", "m - 1"]


@claim(PAGE, "and yet step 999 is taken for 986")
def a_slip_in_the_divisor_shows_late(page):
    other = 10_000.0 ** (-np.arange(128) / 127)
    ours, theirs = (at_moments(it / (2 * np.pi), np.arange(1000)) for it in (CLOCK, other))
    distances = ((theirs[999] - ours) ** 2).sum(axis=1)
    assert distances.argmin() == 986
    assert page["compared"]["taken for step"][999] == 986
    assert abs(ours - theirs)[:11].max() < 0.03
    assert other[0] == CLOCK[0]
    assert other[1] < CLOCK[1] - 5e-4


@claim(PAGE, "evenly spaced samples leave a median error of 0.01, random ones leave more than 0.2")
def fast_hands_fail_sooner_at_random_moments():
    # Of 40 draws, the medians are 0.01 to 0.02 and 0.25 to 0.27.
    def error(draw, known):
        between = np.random.default_rng([draw, 5]).uniform(known.min(), known.max(), 500)
        fit = fitted(16 * normal(draw), known, between, curve(draw, known))
        return np.sqrt(np.mean((fit - curve(draw, between)) ** 2))

    even = np.median([error(draw, np.arange(64) / 64) for draw in range(40)])
    random = np.median([error(draw, np.random.default_rng(draw).random(64)) for draw in range(40)])
    assert 0.005 < even < 0.025
    assert random > 0.2


@claim(PAGE, "Take them at random moments instead, and no hand has an exact twin")
def uneven_samples_have_no_exact_twins():
    shaken = np.arange(64) + np.random.default_rng(5).uniform(-0.5, 0.5, 64)
    # Two hands are twins if at each sample they are whole turns apart.
    turns = np.outer(np.arange(0.1, 200, 0.01), shaken / 64)
    assert abs(turns - np.round(turns)).max(axis=1).min() > 0.05


@claim(PAGE, "What's the slow twin of a hand that makes 98 cycles?")
def question_1_has_its_answer(page):
    assert page["slow_twins"](98, 100) == -2


@claim(PAGE, "the signs are the bits of [page 3](03_binary.ipynb), but their program leaves out π")
def signs_of_the_papers_sines_are_bits():
    p = (np.arange(1, 512) + 0.25) / 512
    for k in range(1, 9):
        bit = np.floor(p * 2**k).astype(int) % 2
        assert np.array_equal(np.sin(2**k * np.pi * p) < 0, bit == 1)
        assert np.mean((np.sin(2**k * p) < 0) == (bit == 1)) < 0.99
