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


@claim(PAGE, "so their mean falls a little at every scale, from one unit up to a few thousand")
def the_clock_has_no_distance_of_its_own():
    near = np.cos(np.outer([1, 10, 100, 1000], CLOCK)).mean(axis=1)
    assert near == pytest.approx([0.972, 0.675, 0.456, 0.193], abs=0.001)
    far = np.cos(np.outer(np.linspace(5000, 10_000, 500), CLOCK)).mean(axis=1)
    assert abs(far).max() < 0.26
    assert abs(far.mean()) < 0.06


@claim(PAGE, "at a distance of about $1/σ$, and by three times that, nothing is left but the luck")
def the_bell_has_a_distance():
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


@claim(PAGE, "A wave of 65 cycles would have left the same samples as our wave of 1")
def twins_miss_a_fast_wave():
    known = np.arange(64) / 64
    for draw in FRESH:
        assert curve(draw, known, (65, 5, 13)) == pytest.approx(curve(draw, known), abs=1e-9)
        assert off(twins(100 * normal(draw)), draw, waves=(65, 5, 13)) > 0.7


@claim(PAGE, "drawn hands find the curve for every $σ$ from 5.7 to 23 cycles")
def the_valley_is_there(page):
    assert valley(page["usual"]) == [5.7, 22.6]
    # In fresh draws its right edge may be a step off.
    assert valley(errors()) in ([5.7, 16], [5.7, 22.6])


@claim(PAGE, "With more hands the valley is wider")
def more_hands_find_the_curve_at_a_smaller_spread():
    for hands, found in ((128, False), (512, True)):
        drawn = [np.random.default_rng([draw, 6]).normal(size=hands) for draw in FRESH]
        missed = [off(4 * cycles, draw) for draw, cycles in zip(FRESH, drawn)]
        assert (np.median(missed) < 0.1) == found


@claim(PAGE, "$1/σ$ is less than half the way from one sample to the next")
def near_ends_before_the_next_sample():
    assert 64 / (2 * np.pi * 22.6) < 0.5


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


@claim(PAGE, "so the right edge moves in too, and of all the values of $σ$ we tried, only 16")
def a_wave_near_the_limit_leaves_hardly_any(page):
    assert valley(page["finer"]) == [16, 16]
    assert np.sum(np.median(errors(waves=(1, 5, 26)), axis=1) < 0.1) <= 2


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


@claim(PAGE, "Swapping changes nothing")
def twins_are_not_what_fails_on_the_board(page):
    hands, slow, bell = np.transpose(page["exchanged"])
    assert np.array_equal(hands, slow)
    assert min(bell) > 91 > max(hands) + 20
    assert hidden_right(2, 200, folded=True) == hidden_right(2, 200)
    # At σ = 1, where the bell is broader, more hands keep more of it.
    assert hidden_right(1, 200, hands=700) > hidden_right(1, 200) + 4


@claim(PAGE, "At $σ = 2$ the bell is down to 0.14 just one place away")
def near_has_shrunk():
    assert np.exp(-(2**2) / 2) == pytest.approx(0.14, abs=0.005)
    speeds = 2 * np.random.default_rng(3).normal(size=100_000)
    assert np.cos(speeds).mean() == pytest.approx(0.14, abs=0.01)


@claim(PAGE, "It's 46% for σ = 0.3, and less than half for every other")
def columns_and_rows_do_worse_than_a_coin(page):
    right = dict(zip(page["spreads"], page["aligned"]))
    assert np.median(right[0.3]) == pytest.approx(46, abs=0.5)
    assert max(np.median(page["aligned"], axis=1)) < 49
    for spread in (0.1, 0.3, 1):
        assert max(hidden_right(spread, draw, slanted=False) for draw in BOARDS) < 50


@claim(PAGE, "Half of each row is red, so a row says nothing")
def rows_are_half_red():
    _, colors = squares()
    assert not colors.reshape(64, 64).sum(axis=0).any()
    assert not colors.reshape(64, 64).sum(axis=1).any()


@claim(PAGE, "if more red than blue was shown in a row, the fit says red there")
def rows_that_showed_more_red_are_called_red():
    # By the best fit of the kind g(x) + h(y).
    for draw in BOARDS:
        places, colors = squares()
        shown = np.random.default_rng(draw).random(len(places)) < 0.5
        known = np.hstack([np.eye(64)[places[:, 0]], np.eye(64)[places[:, 1]]])
        guesses = known @ np.linalg.lstsq(known[shown], colors[shown], rcond=None)[0]
        by_row = guesses.reshape(64, 64).mean(axis=1)
        excess = (shown * colors).reshape(64, 64).sum(axis=1)
        assert np.corrcoef(by_row, excess)[0, 1] > 0.95
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
