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


def drawn(seed, *, axes=None, width=None):
    """Draw how a program turns: columns, partners, sense, speeds, factor, axes and type."""
    rng = np.random.default_rng(seed)
    axes = axes or int(rng.choice([1, 1, 1, 2, 3]))
    width = width or int(rng.choice([4, 6, 8, 16, 24, 64, 96, 128, 192, 256, 512]))
    width = max(width, 2 * axes)
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
    base, fastest = 10 ** rng.uniform(2, 9), rng.choice([1, 1, rng.uniform(0.1, 6.2)])
    speeds = np.empty(m)
    for k in range(axes):
        speeds[axis == k] = fastest * speeds_of((axis == k).sum(), base)
    factor = float(rng.choice([1, 1, rng.uniform(1.1, 1.9)]))
    return SimpleNamespace(
        width=width,
        pairs=pairs,
        axis=axis,
        axes=axes,
        speeds=speeds,
        sense=int(rng.choice([1, -1])),
        factor=factor,
        others=float(rng.choice([1, factor])),
        type=str(rng.choice(list(ROUNDED))),
        # Whole positions tell the sense if hands are slow, or the fast ones go on evenly to slow.
        cached=bool(rng.random() < 0.5)
        and (speeds.max() < 3 or (speeds.min() < 3 and np.bincount(axis).min() > 2)),
        exchanged=how == "pairs" and bool(rng.random() < 0.2),
    )


def turned(x, how, angles, sines=None):
    """Return the rows of x, turned by angles of pairs, in the type of the program."""
    rounded = ROUNDED[how.type]
    x, (i, j) = rounded(x), how.pairs.T
    cos, sin = rounded(how.factor * np.cos(angles)), rounded(how.factor * np.sin(angles))
    if sines is not None:
        sin = rounded(how.factor * np.sin(sines))
    others = rounded(how.others)
    result = np.array(rounded(others * x))
    result[:, i] = rounded(rounded(x[:, i] * cos) - rounded(how.sense * x[:, j] * sin))
    result[:, j] = rounded(rounded(x[:, j] * cos) + rounded(how.sense * x[:, i] * sin))
    if how.exchanged:
        part = result[:, how.pairs.ravel()]
        result[:, how.pairs.ravel()] = (
            part.reshape(len(x), -1, 2).swapaxes(1, 2).reshape(part.shape)
        )
    return result


def angles_of(how, positions):
    positions = np.asarray(positions)
    if how.cached and positions.dtype.kind != "i":
        raise IndexError("a cache is read at integers")
    kind = float if how.type == "float64" else np.float32
    return positions.reshape(len(positions), -1)[:, how.axis].astype(kind) * how.speeds.astype(kind)


def is_right(how):
    found = probe_rotary(lambda x, at: turned(x, how, angles_of(how, at)), how.width, axes=how.axes)
    order = np.argsort(how.pairs[:, 0])
    assert found.pairs.tolist() == how.pairs[order].tolist()
    assert found.sense == how.sense
    assert found.axes.tolist() == how.axis[order].tolist()
    unit = {"bfloat16": 2.0**-8, "float16": 2.0**-11}.get(how.type, 2.0**-22)
    off = np.remainder(found.speeds - how.speeds[order] + np.pi, 2 * np.pi) - np.pi
    assert (np.abs(off) <= how.speeds[order] * 2.0**-22 + 4 * unit / 4095).all()
    assert abs(found.factor - how.factor) <= 2 * unit * how.factor
    assert found.precision == how.type
    x = np.random.default_rng(0).normal(size=(5, how.width))
    at = np.random.default_rng(1).integers(0, 4000, size=(5, how.axes))
    exact = SimpleNamespace(**vars(how) | {"type": "float64", "cached": False})
    near = turned(x, exact, angles_of(exact, at))
    assert np.abs(found.turn(x, at) - near).max() < 0.01 + 20 * unit
    distance = set(how.pairs[:, 1] - how.pairs[:, 0])
    if len(distance) == 1:
        apart = distance.pop()
        words = "neighbors" if apart == 1 else f"partner {apart} further"
        assert words in str(found)
    moved = (found.order != np.arange(how.width)).any()
    assert ("reads pairs, writes halves" in str(found)) == moved


@pytest.mark.parametrize("seed", range(60))
def test_a_program_is_described_as_it_was_made(seed):
    is_right(drawn(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_many_programs_are_described_as_they_were_made(seed):
    is_right(drawn(seed))


# --- wrong programs ---


def partner_of(how):
    partner = np.arange(how.width)
    partner[how.pairs] = how.pairs[:, ::-1]
    return partner


def by_columns(x, how, cosines, sines):
    """Return x with columns mixed with their partners, each by an angle of its own."""
    sign = np.zeros(how.width)
    sign[how.pairs] = [-how.sense, how.sense]
    return x * np.cos(cosines) + sign * x[:, partner_of(how)] * np.sin(sines)


def dealt(how, order):
    """Return speeds of all columns, dealt in another order than pairs ask for."""
    speeds = np.zeros(how.width)
    speeds[np.sort(how.pairs, axis=None)] = order(how.speeds)
    return speeds


def angles_by_columns(order):
    def make(x, at, how):
        angles = np.outer(at, dealt(how, order))
        return by_columns(x, how, angles, angles)

    return make


def unsigned(x, at, how):
    angles = np.outer(at, dealt(how, lambda speeds: np.zeros(how.pairs.size)))
    angles[:, how.pairs] = np.outer(at, how.speeds)[:, :, None]
    return x * np.cos(angles) + x[:, partner_of(how)] * np.sin(angles)


def overwritten(x, at, how):
    (i, j), angles = how.pairs.T, how.sense * np.outer(at, how.speeds)
    x[:, i] = x[:, i] * np.cos(angles) - x[:, j] * np.sin(angles)
    x[:, j] = x[:, j] * np.cos(angles) + x[:, i] * np.sin(angles)
    return x


def wrong_sines(x, at, how):
    return turned(x, how, np.outer(at, how.speeds), np.outer(at, np.roll(how.speeds, 1)))


def one_half(x, at, how):
    result = turned(x, how, np.outer(at, how.speeds))
    result[:, how.pairs[:, 1]] = x[:, how.pairs[:, 1]]
    return result


def scaled(x, at, how):
    i, j = how.pairs.T
    k = np.arange(len(i)) / len(i)
    scale = np.ones_like(x)
    scale[:, i] = scale[:, j] = ((k + 0.4) / 1.4) ** (at[:, None] / 512)
    return scale * turned(x, how, np.outer(at, how.speeds))


def two_senses(x, at, how):
    return turned(x, how, np.outer(at, how.speeds * np.resize([1, -1, -1], len(how.speeds))))


FAULTS = {
    "tiled": (angles_by_columns(lambda speeds: np.tile(speeds, 2)), "f0 f1 ... f0 f1 ...", "pairs"),
    "repeated": (
        angles_by_columns(lambda speeds: np.repeat(speeds, 2)),
        "f0 f0 f1 f1 ...",
        "halves",
    ),
    "no sign": (unsigned, "radians a position: a minus is forgotten", "any"),
    "in place": (overwritten, "the first of two columns is overwritten", "any"),
    "wrong sine": (wrong_sines, ", and sines of ", "any"),
    "one half": (one_half, ": one is not turned", "any"),
    "xPos": (scaled, "at 4095, as in xPos", "any"),
    "two senses": (two_senses, "turn doesn't turn all pairs one way by less than ", "any"),
    "own counter": (
        lambda x, at, how: turned(x, how, np.outer(np.arange(len(x)), how.speeds)),
        "ignores positions: unit vectors come out alike",
        "any",
    ),
    "nothing": (
        lambda x, at, how: x,
        "what comes out at positions 0 to 4095 is what went in",
        "any",
    ),
    "from 1": (
        lambda x, at, how: turned(x, how, np.outer(at + 1, how.speeds)),
        "taken for others: 0 for 1, 1 for 2, 2 for 3",
        "any",
    ),
    "bfloat16 positions": (
        lambda x, at, how: turned(x, how, np.outer(bfloat16(at), how.speeds)),
        "3001 for 3008, 4095 for 4096, as bfloat16 rounds them",
        "any",
    ),
}
# What no list of faults knows.
UNKNOWN = {
    "clipped": lambda x, at, how: turned(x, how, np.outer(at.clip(0, 1023), how.speeds)),
    "around": lambda x, at, how: turned(x, how, np.outer(at % 512, how.speeds)),
    "first row's position": lambda x, at, how: turned(
        x, how, np.outer(np.full(len(x), at[0]), how.speeds)
    ),
    "longest": lambda x, at, how: turned(
        x, how, np.outer(at, how.speeds / (1 + np.max(at) / 4096))
    ),
    "squared": lambda x, at, how: turned(x, how, np.outer(at**1.01, how.speeds)),
    "clamped": lambda x, at, how: turned(np.clip(x, -1, 1), how, np.outer(at, how.speeds)),
    "normed": lambda x, at, how: turned(
        x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-3),
        how,
        np.outer(at, how.speeds),
    ),
    "noise": lambda x, at, how: (
        turned(x, how, np.outer(at, how.speeds))
        + 1e-4 * np.random.default_rng(0).normal(size=x.shape)
    ),
    "leaking": lambda x, at, how: (
        turned(x, how, np.outer(at, how.speeds)) + 1e-3 * at[:, None] * np.roll(x, 3, axis=1)
    ),
    "factor on cosines": lambda x, at, how: (
        turned(x, how, np.outer(at, how.speeds))
        + 0.1 * x * np.cos(np.outer(at, np.ones(how.width)))
    ),
    "sines and cosines exchanged": lambda x, at, how: by_columns(
        x, how, *[np.pi / 2 - np.outer(at, np.resize(how.speeds, how.width))] * 2
    ),
    "gains": lambda x, at, how: (
        turned(x, how, np.outer(at, how.speeds)) * np.linspace(1, 2, how.width)
    ),
    "whole angles": lambda x, at, how: turned(x, how, np.outer(at, how.speeds).round(1)),
    "later rows": lambda x, at, how: (
        turned(x, how, np.outer(at, how.speeds)) + 0.01 * np.roll(x, 1, axis=0)
    ),
}


def wrong(seed, kind):
    """Draw a program and break it; return it, its width and words that must be said."""
    make, words, layout = FAULTS[kind] if kind in FAULTS else (UNKNOWN[kind], "turn ", "any")
    fits = {
        "any": lambda apart: True,
        "pairs": lambda apart: apart == 1,
        "halves": lambda apart: apart > 1,
    }
    while True:
        how = drawn(seed, axes=1)
        if len(how.pairs) > 2 and not how.exchanged and fits[layout](np.ptp(how.pairs[0])):
            break
        seed += 10_000
    rounded, how.type, how.factor, how.others = ROUNDED[how.type], "float64", 1.0, 1.0

    def turn(x, at):
        if how.cached and np.asarray(at).dtype.kind != "i":
            raise IndexError("a cache is read at integers")
        return np.array(rounded(make(x, np.asarray(at), how)))

    return turn, how.width, words


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", FAULTS)
def test_a_known_fault_is_named(kind, seed):
    turn, width, words = wrong(seed, kind)
    with pytest.raises(ValueError, match=re.escape(words)):
        probe_rotary(turn, width)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", UNKNOWN)
def test_other_wrong_programs_are_refused(kind, seed):
    turn, width, words = wrong(seed, kind)
    with pytest.raises(ValueError, match=f"^{words}"):
        probe_rotary(turn, width)


# --- words, and what public reports are about ---


def turning(pairs, speeds, sense=1, axes=None):
    """Return a program that turns the pairs of columns, and takes fractions of positions."""
    how = SimpleNamespace(
        pairs=np.array(pairs),
        axis=np.array(axes or np.zeros(len(pairs), int)),
        speeds=np.array(speeds),
        sense=sense,
        type="float64",
        factor=1.0,
        others=1.0,
        cached=False,
        exchanged=False,
    )
    return lambda x, at: turned(x, how, angles_of(how, at))


def apart(first, distance):
    return [(i, i + distance) for i in first]


TURNS = {
    "the last columns": (
        turning(apart(range(128, 192, 2), 1), speeds_of(32)),
        192,
        "columns 128 to 191 of 192, neighbors\nspeeds 1 to 0.000133352 radians a position\n"
        "the first of two turns toward the second",
    ),
    "a part": (
        turning(apart(range(12), 12), speeds_of(12), sense=-1),
        96,
        "columns 0 to 23 of 96, partner 12 further\nspeeds 1 to 0.000215443 radians a position\n"
        "the first of two turns away from the second",
    ),
    "halves of the head": (
        turning(apart(range(64), 256), speeds_of(64)),
        512,
        "columns 0 to 63 and 256 to 319 of 512, partner 256 further\n",
    ),
    "two axes": (
        turning(
            [*apart(range(32), 32), *apart(range(64, 96), 32)],
            np.tile(speeds_of(32), 2),
            axes=[0] * 32 + [1] * 32,
        ),
        128,
        "two axes, each in halves: partner 32 further\naxis 0: columns 0 to 63 of 128\n",
    ),
    "no layout": (
        turning([(0, 1), (2, 5), (3, 4)], [1, 0.1, 0.01]),
        8,
        "columns 0 to 5 of 8, partners 0 and 1, 2 and 5, 3 and 4\n",
    ),
    "beyond half a turn": (
        turning(apart(range(32), 32), 2 * np.pi * speeds_of(32, 100)),
        64,
        "columns 0 to 63 of 64, partner 32 further\nspeeds 6.28319 to 0.0725571 radians a",
    ),
}


@pytest.mark.parametrize("kind", TURNS)
def test_words_say_which_columns_turn_with_which(kind):
    turn, width, words = TURNS[kind]
    found = probe_rotary(turn, width, axes=2 if kind == "two axes" else 1)
    assert str(found).startswith(words)


def test_an_order_that_changes_on_the_way_is_told():
    def turn(x, positions):
        first, second, angles = x[:, 0::2], x[:, 1::2], np.outer(positions, speeds_of(32))
        cos, sin = np.cos(angles), np.sin(angles)
        return np.hstack([first * cos - second * sin, first * sin + second * cos])

    found = probe_rotary(turn, 64)
    assert found.layout == "pairs"
    assert found.order.tolist() == [*range(0, 64, 2), *range(1, 64, 2)]
    assert "reads pairs, writes halves" in str(found)


def test_columns_that_change_places_otherwise_are_named():
    plain = turning(apart(range(0, 8, 2), 1), speeds_of(4))

    def turn(x, positions):
        return plain(x, positions)[:, [0, 6, 2, 3, 4, 5, 1, 7]]

    words = "exchanges columns, and not pairs for halves: what belongs in column 6 comes out in"
    with pytest.raises(ValueError, match=f"{words} column 1"):
        probe_rotary(turn, 8)


def test_halves_may_be_read_and_pairs_written():
    plain = turning(apart(range(4), 4), speeds_of(4))
    found = probe_rotary(lambda x, at: plain(x, at)[:, [0, 4, 1, 5, 2, 6, 3, 7]], 8)
    assert (found.layout, found.pairs[0].tolist()) == ("halves", [0, 4])
    assert "reads halves, writes pairs" in str(found)


def test_a_program_may_answer_in_one_buffer():
    plain, buffers = turning(apart(range(4), 4), speeds_of(4)), {}

    def turn(x, positions):
        buffer = buffers.setdefault(x.shape, np.empty_like(x))
        buffer[:] = plain(x, positions)
        return buffer

    assert probe_rotary(turn, 8).layout == "halves"


def test_angles_in_float32_are_told():
    def turn(x, positions):
        angles = np.float32(positions)[:, None] * np.float32(speeds_of(4))
        return (x.view(complex) * np.exp(1j * angles.astype(float))).view(float)

    found = probe_rotary(turn, 8)
    assert str(found).endswith("precision: float64, angles in float32")


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (lambda at: at + (at >= 1024), "3001 for 3002, 4095 for 4096"),
        (lambda at: at % 1024, "3001 for 953, 4095 for 1023"),
        (lambda at: np.minimum(at, 2047), "3001 for 2047, 4095 for 2047"),
        (lambda at: np.float16(at).astype(float), "4095 for 4096, as float16 rounds them"),
    ],
)
def test_positions_that_are_taken_for_others_are_named(taken, words):
    plain = turning(apart(range(0, 64, 2), 1), speeds_of(32))
    with pytest.raises(ValueError, match=f"positions are taken for others: .*{words}$"):
        probe_rotary(lambda x, at: plain(x, taken(at)), 64)


@pytest.mark.parametrize("part", [1.0001, 1.001, 1.1])
def test_a_minus_is_missed_only_where_it_is_missing(part):
    angles_of_two = np.outer(speeds_of(4), [1, part])

    def turn(x, positions):
        angles = (positions[:, None, None] * angles_of_two).reshape(len(x), -1)
        others = np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(x.shape)
        return x * np.cos(angles) + others * np.sin(angles)

    words = f"have cosines of 1 and {part}, and sines of -1 and {part} radians"
    with pytest.raises(ValueError, match=words) as error:
        probe_rotary(turn, 8)
    assert "minus" not in str(error.value)


@pytest.mark.parametrize("others", [1, 1.25])
def test_a_factor_is_told(others):
    plain = turning(apart(range(0, 8, 2), 1), speeds_of(4))

    def turn(x, positions):
        return np.hstack([1.25 * plain(x, positions)[:, :8], others * x[:, 8:]])

    found = probe_rotary(turn, 12)
    assert (found.factor, found.gains[8]) == (1.25, others)
    words = "all" if others > 1 else "turned"
    assert f"{words} columns are multiplied by 1.25" in str(found)


def test_slow_hands_in_half_precision_turn():
    angles = np.outer(np.arange(4096), speeds_of(64, 1e8))
    cos, sin = np.cos(angles).astype(np.float16), np.sin(angles).astype(np.float16)

    def turn(x, positions):
        first, second = np.split(x.astype(np.float16), 2, axis=1)
        c, s = cos[positions], sin[positions]
        return np.hstack([first * c - second * s, second * c + first * s])

    found = probe_rotary(turn, 128)
    assert found.pairs.size == 128
    assert np.allclose(found.speeds, speeds_of(64, 1e8), rtol=0.01)
    assert "or whole turns more or less" in str(found)
    assert "precision: float16" in str(found)


def test_an_axis_that_turns_nothing_is_refused():
    turn = turning(apart(range(4), 4), speeds_of(4))
    with pytest.raises(ValueError, match="ignores axis 1: none of the 4 pairs"):
        probe_rotary(turn, 8, axes=2)


def test_a_pair_that_turns_by_two_axes_is_refused():
    def turn(x, positions):
        angles = positions[:, :1] * speeds_of(4) + positions[:, 1:] * speeds_of(4)[::-1]
        return (x.view(complex) * np.exp(1j * angles)).view(float)

    with pytest.raises(ValueError, match="turns columns 0 and 1 by several axes"):
        probe_rotary(turn, 8, axes=2)


def test_a_row_alone_must_turn_as_among_others():
    turn = turning(apart(range(4), 4), speeds_of(4))
    with pytest.raises(ValueError, match="alone than among others: at position 4095 column 0"):
        probe_rotary(lambda x, at: turn(x, at if len(at) > 1 else 0 * at), 8)


@pytest.mark.parametrize("speeds", [np.pi * np.linspace(1, 128, 16), 1 / speeds_of(16)])
def test_fast_speeds_are_told_by_fractions(speeds):
    found = probe_rotary(turning(apart(range(16), 16), speeds), 32)
    assert np.allclose(found.speeds, speeds)


def test_a_short_cache_is_asked_within_its_length():
    cache = np.exp(1j * np.outer(np.arange(50), speeds_of(4)))

    def turn(x, positions):
        return (x.view(complex) * cache[positions]).view(float)

    assert probe_rotary(turn, 8, length=50).layout == "pairs"
    with pytest.raises(IndexError):
        probe_rotary(turn, 8)


def test_three_tiled_axes_are_named():
    def turn(x, positions):
        result = x.copy()
        for axis in range(3):
            part = x[:, 20 * axis : 20 * axis + 20]
            angles = np.tile(np.outer(positions[:, axis], speeds_of(10)), 2)
            others = np.stack([-part[:, 1::2], part[:, 0::2]], axis=-1).reshape(part.shape)
            result[:, 20 * axis : 20 * axis + 20] = part * np.cos(angles) + others * np.sin(angles)
        return result

    with pytest.raises(ValueError, match=r"columns 0 and 1 have cosines of 1 and 0\.398107"):
        probe_rotary(turn, 64, axes=3)


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (lambda x, at: x[:, :3], r"turn\(x, positions\) must have shape \(4, 4\), got shape"),
        (lambda x, at: x * np.nan, r"turn\(x, positions\) must be finite, got nan"),
        (
            lambda x, at: np.where(at[:, None], np.roll(x, 1, axis=1), x),
            "should be .*, by the pairs and speeds that unit vectors show, and is ",
        ),
        (
            turning([(0, 1), (2, 3)], [1, -0.1]),
            "less than 4096π .* 0 turns toward 1 by 1, and 2 away from 3 by 0.1",
        ),
    ],
)
def test_what_is_no_turn_is_refused(turn, words):
    with pytest.raises(ValueError, match=words):
        probe_rotary(turn, 4)
