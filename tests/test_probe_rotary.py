"""Programs that turn are described as they were made, and others are refused with what is so."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from posenc.layouts import bfloat16, probe_rotary

ROUNDED = {
    "bfloat16": bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}


def speeds_of(pairs, base=1e4):
    return float(base) ** (-np.arange(pairs) / pairs)


def apart(first, distance):
    return [(i, i + distance) for i in first]


def program(pairs, speeds, **options):
    """Return how a program turns pairs of columns; it takes fractions of positions."""
    how = {"sense": 1, "axis": np.zeros(len(pairs), int), "axes": 1, "type": "float64"}
    how |= {"factor": 1.0, "others": 1.0, "cached": False, "exchanged": False}
    return SimpleNamespace(**how | {"pairs": np.array(pairs), "speeds": np.array(speeds)} | options)


def drawn(seed):
    """Draw how a program turns: columns, partners, sense, speeds, factor, axes and type."""
    rng = np.random.default_rng(seed)
    axes = int(rng.choice([1, 1, 1, 2, 3]))
    width = max(int(rng.choice([4, 6, 8, 16, 24, 64, 96, 128, 192, 256, 512])), 2 * axes)
    m = width // 2 if rng.random() < 0.4 else int(rng.integers(axes, width // 2 + 1))
    columns = np.arange(width)
    how = rng.choice(["pairs", "halves", "halves of the head", "spread"])
    if how == "halves of the head":
        pairs = np.stack([columns[:m], columns[:m] + width // 2], axis=1)
    else:
        part = columns[: 2 * m] if rng.random() < 0.5 else columns[width - 2 * m :]
        if how == "spread":
            part = np.sort(rng.choice(width, 2 * m, replace=False))
        pairs = part.reshape(m, 2) if how == "pairs" else part.reshape(2, m).T
    axis = np.sort(np.arange(m) % axes) if rng.random() < 0.5 else np.arange(m) % axes
    base, fastest = 10 ** rng.uniform(2, 9), rng.choice([1, 1, rng.uniform(0.1, 20)])
    speeds = np.empty(m)
    for k in range(axes):
        speeds[axis == k] = fastest * speeds_of((axis == k).sum(), base)
    factor = float(rng.choice([1, 1, rng.uniform(1.1, 1.9)]))
    # Whole positions tell slow hands, and what three that they tell well lead to.
    tells = speeds.max() < 3 or all(
        ((speeds > 1e-3) & (speeds < 3))[axis == k].sum() > 2 for k in range(axes)
    )
    return program(
        pairs,
        speeds,
        width=width,
        axis=axis,
        axes=axes,
        sense=int(rng.choice([1, -1])),
        factor=factor,
        others=float(rng.choice([1, factor])),
        type=str(rng.choice(list(ROUNDED))),
        cached=bool(rng.random() < 0.5) and tells,
        exchanged=how == "pairs" and bool(rng.random() < 0.2),
    )


def turned(x, how, angles, sines=None):
    """Return the rows of x, turned by angles of pairs, in the type of the program."""
    rounded = ROUNDED[how.type]
    x, (i, j) = rounded(x), how.pairs.T
    cos = rounded(how.factor * np.cos(angles))
    sin = rounded(how.factor * how.sense * np.sin(angles if sines is None else sines))
    result = np.array(rounded(rounded(how.others) * x))
    result[:, i] = rounded(rounded(x[:, i] * cos) - rounded(x[:, j] * sin))
    result[:, j] = rounded(rounded(x[:, j] * cos) + rounded(x[:, i] * sin))
    if how.exchanged:
        result[:, how.pairs.ravel()] = result[:, how.pairs.T.ravel()]
    return result


def turning(how):
    """Return the function that a program is."""

    def turn(x, positions):
        positions = np.asarray(positions)
        if how.cached and positions.dtype.kind != "i":
            raise IndexError("a cache is read at integers")
        kind = float if how.type == "float64" else np.float32
        t = positions.reshape(len(positions), -1)[:, how.axis].astype(kind)
        return turned(x, how, t * how.speeds.astype(kind))

    return turn


def is_right(how):
    result, order = probe_rotary(turning(how), how.width, axes=how.axes), how.pairs[:, 0].argsort()
    assert result.pairs.tolist() == how.pairs[order].tolist()
    assert (result.sense, result.precision) == (how.sense, how.type)
    assert result.axes.tolist() == how.axis[order].tolist()
    unit = {"bfloat16": 2.0**-8, "float16": 2.0**-11}.get(how.type, 2.0**-22)
    errors = np.abs(result.speeds - how.speeds[order])
    assert (errors <= how.speeds[order] * 2.0**-22 + 4 * unit / 4095).all()
    assert abs(result.factor - how.factor) <= 2 * unit * how.factor
    rng = np.random.default_rng(0)
    x, t = rng.normal(size=(5, how.width)), rng.integers(0, 4000, size=(5, how.axes))
    exact = turning(SimpleNamespace(**vars(how) | {"type": "float64", "cached": False}))
    assert np.abs(result.turn(x, t) - exact(x, t)).max() < 0.01 + 20 * unit
    distances = set(np.ptp(how.pairs, axis=1))
    if len(distances) == 1:
        distance = distances.pop()
        assert ("neighbors" if distance == 1 else f"partner {distance} further") in str(result)
    moved = (result.order != np.arange(how.width)).any()
    assert ("reads pairs, writes halves" in str(result)) == moved


@pytest.mark.parametrize("seed", range(16))
def test_a_program_is_described_as_it_was_made(seed):
    is_right(drawn(seed))


# --- wrong programs ---


def plain(x, t, how):
    return turned(x, how, np.outer(t, how.speeds))


def by_columns(x, t, how, speeds, minus=-1):
    """Return x with columns mixed with their partners, each by an angle of its own."""
    partner, sign, angles = np.arange(how.width), np.zeros(how.width), np.zeros((len(x), how.width))
    partner[how.pairs], sign[how.pairs] = how.pairs[:, ::-1], [minus * how.sense, how.sense]
    angles[:, np.sort(how.pairs, axis=None)] = np.outer(t, speeds)
    return x * np.cos(angles) + sign * x[:, partner] * np.sin(angles)


def overwritten(x, t, how):
    (i, j), angles = how.pairs.T, how.sense * np.outer(t, how.speeds)
    x[:, i] = x[:, i] * np.cos(angles) - x[:, j] * np.sin(angles)
    x[:, j] = x[:, j] * np.cos(angles) + x[:, i] * np.sin(angles)
    return x


def one_half(x, t, how):
    result = plain(x, t, how)
    result[:, how.pairs[:, 1]] = x[:, how.pairs[:, 1]]
    return result


def scaled(x, t, how):
    scale = np.ones_like(x)
    growth = ((np.arange(len(how.pairs)) / len(how.pairs) + 0.4) / 1.4) ** (t[:, None] / 512)
    scale[:, how.pairs] = growth[:, :, None]
    return scale * plain(x, t, how)


def at_others(taken):
    """Return a program that takes positions for others."""
    return lambda x, t, how: plain(x, taken(t), how)


# What they make, words that name them, and layouts that have them, if not both.
FAULTS = {
    "tiled": (
        lambda x, t, how: by_columns(x, t, how, np.tile(how.speeds, 2)),
        "angles are tiled, f0 f1 ... f0 f1 ...",
        "pairs",
    ),
    "repeated": (
        lambda x, t, how: by_columns(x, t, how, np.repeat(how.speeds, 2)),
        "angles are repeated, f0 f0 f1 f1 ...",
        "halves",
    ),
    "no sign": (
        lambda x, t, how: by_columns(x, t, how, np.repeat(how.speeds, 2), minus=1),
        " radians: a minus is forgotten",
        "pairs",
    ),
    "in place": (overwritten, "the first of two columns is overwritten"),
    "sine for cosine": (
        lambda x, t, how: turned(x, how, np.pi / 2 - np.outer(t, how.speeds)),
        ", as if sine and cosine were exchanged",
    ),
    "one half": (one_half, ": one is not turned"),
    "xPos": (scaled, "at 4095, as in xPos"),
    "two senses": (
        lambda x, t, how: turned(
            x, how, np.outer(t, how.speeds * np.resize([1, -1, -1], len(how.speeds)))
        ),
        "; the sense of speeds beyond ",
    ),
    "own counter": (at_others(lambda t: np.arange(len(t))), "ignores positions: unit vectors"),
    "nothing": (lambda x, t, how: x, "turns nothing: unit vectors come out alike"),
    "from 1": (at_others(lambda t: t + 1), "positions are taken for the next"),
    "from -1": (at_others(lambda t: t - 1), "positions are taken for the one before"),
    "bfloat16": (at_others(bfloat16), "positions are rounded to bfloat16"),
    "float16": (at_others(np.float16), "positions are rounded to float16"),
    "a cache counted anew": (at_others(lambda t: t % 1024), "counted anew from 1024 on"),
    "the last of a cache": (at_others(lambda t: np.minimum(t, 2047)), "never beyond 2047"),
}


@pytest.mark.parametrize("rounded", [np.float32, np.float16])
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_named(kind, rounded):
    make, words, *only = FAULTS[kind]
    for layout, pairs in {"pairs": (2, 1), "halves": (1, 6)}.items():
        how = program(apart(range(2, 2 + 6 * pairs[0], pairs[0]), pairs[1]), speeds_of(6), width=16)
        if layout in (only or (layout,)):
            with pytest.raises(ValueError, match=f"^turn .*{re.escape(words)}"):
                probe_rotary(lambda x, t, how=how: rounded(make(x, np.array(t), how)), how.width)


# --- words, and what public reports are about ---


TWO_AXES = {"axis": np.repeat([0, 1], 32), "axes": 2}
TURNS = {
    "the last columns": (
        program(apart(range(128, 192, 2), 1), speeds_of(32), width=192),
        "columns 128 to 191 of 192, neighbors\nspeeds 1 to 0.000133352 radians a position\n"
        "base 10000.00 ± 0.02 over 32 pairs\n"
        "the first of two turns toward the second",
    ),
    "a part": (
        program(apart(range(12), 12), speeds_of(12), sense=-1, width=96),
        "columns 0 to 23 of 96, partner 12 further\nspeeds 1 to 0.000215443 radians a position\n"
        "base 10000.00 ± 0.02 over 12 pairs\n"
        "the first of two turns away from the second",
    ),
    "halves of the head": (
        program(apart(range(64), 256), speeds_of(64), width=512),
        "columns 0 to 63 and 256 to 319 of 512, partner 256 further\n",
    ),
    "two axes": (
        program(
            apart([*range(32), *range(64, 96)], 32),
            np.tile(speeds_of(32), 2),
            width=128,
            **TWO_AXES,
        ),
        "two axes, each in halves: partner 32 further\naxis 0: columns 0 to 63 of 128\n",
    ),
    "beyond half a turn": (
        program(apart(range(32), 32), 2 * np.pi * speeds_of(32, 100), width=64),
        "columns 0 to 63 of 64, partner 32 further\nspeeds 6.28319 to 0.0725571 radians a",
    ),
    "beyond half a turn, at whole positions": (
        program(apart(range(32), 32), 12 * speeds_of(32, 100), sense=-1, cached=True, width=64),
        "columns 0 to 63 of 64, partner 32 further\nspeeds 12 to 0.138574 radians a position, or "
        "whole turns more or less; whole positions can't tell, but the ratio of slower pairs leads "
        "to these\nbase 100.0000 ± 0.0002 over 32 pairs\nthe first of two turns away from",
    ),
    "beyond half a turn, with slow pairs slowed": (
        program(
            apart(range(32), 32),
            5 * speeds_of(32) / np.repeat([1, 8], [20, 12]),
            cached=True,
            type="bfloat16",
            width=64,
        ),
        "columns 0 to 63 of 64, partner 32 further\nspeeds 5 to ",
    ),
    "half a turn, at whole positions": (
        program(apart(range(4), 4), np.pi * speeds_of(4), cached=True, type="float16", width=8),
        "columns 0 to 7 of 8, partner 4 further\nspeeds 3.14159 to 0.00314159 radians a position, "
        "or whole turns more or less\nbase 10000.0 ± 0.3 over 4 pairs\nthe first of two ",
    ),
    "a factor": (
        program(apart(range(4), 4), speeds_of(4), factor=1.25, width=12),
        "columns 0 to 7 of 12, partner 4 further\nspeeds 1 to 0.001 radians a position\n"
        "base 10000.00 ± 0.02 over 4 pairs\nthe first of two turns toward the second\n"
        "turned columns are multiplied by 1.25",
    ),
}


@pytest.mark.parametrize("kind", TURNS)
def test_words_say_which_columns_turn_with_which(kind):
    how, words = TURNS[kind]
    assert str(probe_rotary(turning(how), how.width, axes=how.axes)).startswith(words)


HALVES = turning(program(apart(range(4), 4), speeds_of(4)))


def test_an_order_that_changes_on_the_way_is_told():
    result = probe_rotary(lambda x, t: HALVES(x, t)[:, [0, 4, 1, 5, 2, 6, 3, 7]], 8)
    assert (result.layout, result.pairs[0].tolist()) == ("halves", [0, 4])
    assert result.order.tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    words = "reads halves, writes pairs: scores are right if queries and keys both do, and wrong if"
    assert words in str(result)


def test_a_program_may_answer_in_one_buffer():
    buffers = {}

    def turn(x, positions):
        buffer = buffers.setdefault(x.shape, np.empty_like(x))
        buffer[:] = HALVES(x, positions)
        return buffer

    assert probe_rotary(turn, 8).layout == "halves"


def test_slow_hands_of_a_cache_in_half_precision_turn():
    angles = np.outer(np.arange(4096), speeds_of(64, 1e8))
    cos, sin = np.cos(angles).astype(np.float16), np.sin(angles).astype(np.float16)

    def turn(x, positions):
        first, second = np.split(x.astype(np.float16), 2, axis=1)
        c, s = cos[positions], sin[positions]
        return np.hstack([first * c - second * s, second * c + first * s])

    result = probe_rotary(turn, 128)
    assert np.allclose(result.speeds, speeds_of(64, 1e8), rtol=0.01)
    assert "or whole turns more or less" in str(result)
    assert "precision: float16" in str(result)


def test_constant_factors_of_pairs_are_told_as_they_are():
    how = program(apart(range(0, 8, 2), 1), speeds_of(4), width=8)
    with pytest.raises(
        ValueError, match="multiplied by 1 to 8 at position 0, and by 1 to 8 at 4095"
    ):
        probe_rotary(lambda x, t: plain(x, t, how) * np.repeat([1, 2, 4, 8], 2), 8)


def test_a_base_that_sticks_after_a_long_text_is_noticed():
    longest = [0]

    def turn(x, t):
        longest[0] = max(longest[0], t.max())
        base = 1e4 * max(1, longest[0] / 2048)
        return plain(x, t, program(apart(range(0, 8, 2), 1), base ** -(np.arange(4) / 4), width=8))

    with pytest.raises(ValueError, match="gives other results when the same rows are asked again"):
        probe_rotary(turn, 8)


def test_a_short_cache_is_asked_within_its_length():
    cache = np.exp(1j * np.outer(np.arange(50), speeds_of(4)))

    def turn(x, positions):
        return (x.view(complex) * cache[positions]).view(float)

    assert probe_rotary(turn, 8, length=50).layout == "pairs"
    with pytest.raises(IndexError):
        probe_rotary(turn, 8)


def by_two_axes(x, t):
    angles = t[:, :1] * speeds_of(4) + t[:, 1:] * speeds_of(4)[::-1]
    return (x.view(complex) * np.exp(1j * angles)).view(float)


def almost_alike(x, t):
    angles = (t[:, None, None] * np.outer(speeds_of(4), [1, 1.001])).reshape(len(x), -1)
    return x * np.cos(angles) + np.dstack([-x[:, 1::2], x[:, 0::2]]).reshape(x.shape) * np.sin(
        angles
    )


RNG = np.random.default_rng(0)


def started_late(x, t):
    late = t[:, None] * [2, 0.1, 0.01, 0.001] + [1, 0, 0, 0]
    return (x.view(complex) * np.exp(1j * late)).view(float)


def seldom_wrong(x, t):
    return np.where(RNG.random((len(x), 1)) < 0.01, x, HALVES(x, t))


def wrong_at_once(x, t):
    return HALVES(x, np.where(np.asarray(t) == 2500, 0, t))


def by_the_longest(x, t):
    return HALVES(x, t / (1 + (np.max(t) > 2000)))


REFUSED = {
    "started late": (started_late, 1, "at position 0 column 0 should be (.*), and is (?!\\1)"),
    "two tables": (
        lambda x, t: HALVES(x, np.where(t > 4000, t / 2, t)),
        1,
        "at position 4001 column 0 should be .*; off by .*, and rounding explains 0",
    ),
    "by chance": (seldom_wrong, 1, "gives other results when the same rows are asked again"),
    "wrong at one position": (wrong_at_once, 1, "show: at position 2500 column "),
    "by the longest": (by_the_longest, 1, "depend on other rows: at position 1 column 0 is "),
    "mixed rows": (
        lambda x, t: HALVES(x, t) + 0.01 * np.roll(x, 1, axis=0),
        1,
        "depend on other rows: at position 0 column 0 is .*, and alone ",
    ),
    "alone": (
        lambda x, t: HALVES(x, t if len(t) > 1 else 0 * t),
        1,
        "depend on other rows: at position 4095 column 0 is .*, and alone ",
    ),
    "squared": (
        lambda x, t: HALVES(x * np.abs(x), t),
        1,
        "isn't linear among rows at one position: at ",
    ),
    "too few columns": (lambda x, t: x[:, :3], 1, r"must have shape \(8, 8\), got shape"),
    "no number": (lambda x, t: x * np.nan, 1, "must be finite, got nan"),
    "rolled": (
        lambda x, t: np.where(t[:, None], np.roll(x, 1, axis=1), x),
        1,
        "by the pairs and speeds that unit vectors show: at position 1 column 0 should be ",
    ),
    "scaled by the position": (lambda x, t: HALVES(x, t) * t[:, None], 1, "turn isn't a rot"),
    "longer and longer": (lambda x, t: x * (1 + t[:, None]), 1, "turn isn't a rotation by the p"),
    "normed": (lambda x, t: HALVES(x / np.linalg.norm(x, axis=1)[:, None], t), 1, "isn't linear"),
    "leaking": (
        lambda x, t: HALVES(x, t) + 1e-3 * t[:, None] * np.roll(x, 3, axis=1),
        1,
        "by the pairs and speeds that unit vectors show: at position 1 column ",
    ),
    "without some numbers": (
        lambda x, t: HALVES(x, t) * (RNG.random(x.shape) < 0.9),
        1,
        "asked again",
    ),
    "exchanged": (
        lambda x, t: HALVES(x, t)[:, [0, 6, 2, 3, 4, 5, 1, 7]],
        1,
        "exchanges columns, and not pairs for halves: what belongs in column 6 comes out in column",
    ),
    "a fast pair of two": (
        turning(program([(0, 4), (1, 5)], [5, 0.001], cached=True, width=8)),
        1,
        "turns column 1 toward 5 by 0.001 radians a position, and 0 away from 4 by 1.283; the "
        "sense of speeds beyond 3.142 can't be told",
    ),
    "almost alike": (almost_alike, 1, "columns 0 and 1 turn by 1 and 1.001 radians$"),
    "idle axis": (lambda x, t: HALVES(x, t[:, 0]), 2, "ignores axis 1: none of the 4 pairs"),
    "two axes": (by_two_axes, 2, "turns columns 0 and 1 by several axes"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_turn_is_refused_with_what_is_so(kind):
    turn, axes, words = REFUSED[kind]
    with pytest.raises(ValueError, match=words):
        probe_rotary(turn, 8, axes=axes)
