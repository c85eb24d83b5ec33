"""Tables made by the formula are described as they were made, and others are refused."""

import io
import json
import re
import runpy
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.layouts import bfloat16, describe

FORMATS = {"bfloat16": bfloat16, **{name: np.dtype(name).type for name in ("float16", "float32")}}
# Half of the last place of a number just above a power of two.
LAST = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}


def arranged(sines, cosines, layout, first):
    """Return a table in a layout, column by column."""
    one, other = (sines, cosines) if first == "sine" else (cosines, sines)
    if layout == "halves":
        return np.hstack([one, other])
    return np.stack([one, other], axis=2).reshape(len(one), -1)


def made(
    rows, pairs, *, layout="pairs", first="sine", fastest=1.0, base=1e4, divisor=None, start=0
):
    """Return a table by its definition."""
    speeds = fastest * base ** (-np.arange(pairs) / (divisor or pairs))
    angles = np.outer(start + np.arange(rows), speeds)
    return arranged(np.sin(angles), np.cos(angles), layout, first)


TABLE = made(64, 16)
SPEEDS = 1.2 ** -np.arange(16.0)
SIGNS = np.repeat([1, -1], 8)


# --- tables ------------------------------------------------------------------


@st.composite
def tables(draw):
    """Draw how a table is made, in what format, and the table."""
    pairs = draw(st.one_of(st.integers(2, 8), st.integers(9, 256)))
    one_less = draw(st.booleans()) and pairs > 2
    how = {
        "rows": draw(st.one_of(st.integers(8, 64), st.integers(65, 4096))),
        "pairs": pairs,
        "layout": draw(st.sampled_from(["pairs", "halves"])),
        "first": draw(st.sampled_from(["sine", "cosine"])),
        "fastest": draw(st.one_of(st.just(1.0), st.floats(1 / 64, 3))),
        "base": draw(st.one_of(st.just(1e4), st.floats(1, 8).map(lambda power: 10**power))),
        "divisor": pairs - one_less,
        "start": draw(st.one_of(st.integers(0, 2), st.integers(0, 10_000), st.floats(0, 100))),
    }
    amplitude = draw(st.sampled_from([1.0, pairs**-0.5, 3.7]))
    name = draw(st.sampled_from(list(LAST)))
    table = FORMATS.get(name, np.float64)(amplitude * made(**how))
    shape = draw(st.sampled_from([table.shape, (1, *table.shape), (len(table), 1, 2 * pairs)]))
    return how | {"amplitude": amplitude}, name, table.reshape(shape)


def is_right(how, name, table):
    found, table = describe(table), table.reshape(how["rows"], -1)
    assert (found.layout, found.first, found.pairs) == (how["layout"], how["first"], how["pairs"])
    assert not found.blank
    true = how | {"ratio": how["base"] ** (1 / how["divisor"])}
    for field in ("amplitude", "fastest", "ratio", "start"):
        value = getattr(found, field)
        if value is not None:
            assert abs(value - true[field]) <= found.errors[field], field
    if found.ratio is None:  # the second hand stands still, as far as its format tells
        assert how["fastest"] / true["ratio"] * how["rows"] < 64 * LAST[name]
        return
    if found.start is None:
        assert any(abs(start - how["start"]) <= found.errors["start"] for start in found.starts)
    if how["divisor"] in found.bases():
        base, off = found.bases()[how["divisor"]]
        assert abs(base - how["base"]) <= off * (1 + 1e-9)
    off = np.abs(found.table(np.arange(how["rows"])) - table.astype(float)).max()
    assert off == found.worst
    # Twice the rounding, and what float32 does to angles.
    angle = how["fastest"] * (how["rows"] + how["start"]) + 1
    drift = 2.0**-44 if name == "float64" else 2.0**-19
    assert found.worst <= how["amplitude"] * (2 * max(LAST[name], 2.0**-40) + 3 * drift * angle)


@settings(max_examples=50)
@given(tables())
def test_a_table_is_described_as_it_was_made(drawn):
    is_right(*drawn)


@pytest.mark.slow
@settings(max_examples=500)
@given(tables())
def test_many_tables_are_described_as_they_were_made(drawn):
    is_right(*drawn)


@pytest.mark.parametrize("width", [384, 768, 1280])
@pytest.mark.parametrize("name", ["float16", "float32"])
def test_a_long_table_in_half_precision_tells_its_last_hand(width, name):
    pairs = width // 2
    table = made(1500, pairs, layout="halves", divisor=pairs - 1).astype(name)
    found = describe(table)
    assert abs(np.log(10_000) / np.log(found.ratio) - (pairs - 1)) < 1e-3
    assert abs(found.fastest - 1) <= found.errors["fastest"] < 1e-5
    assert found.errors["start"] < 0.01


@pytest.mark.parametrize("first", ["sine", "cosine"])
def test_positions_may_fall_from_row_to_row(first):
    found = describe(made(61, 16, first=first, start=-60, fastest=0.5)[::-1])
    assert found.first == first
    assert np.isclose(found.fastest, -0.5)
    assert np.isclose(found.start, 0)
    assert "by which positions are multiplied, and positions fall" in str(found)
    relative = describe(made(119, 32, first=first, start=-59)[::-1])
    assert (round(relative.fastest), round(relative.start)) == (-1, -59)
    assert "position of row 0: 59.0" in str(relative)


def test_rows_of_zeros_are_left_out_and_named():
    table = TABLE.copy()
    table[[1, 40]] = 0
    found = describe(np.vstack([np.zeros((1, 32)), table]))
    assert found.blank == (0, 2, 41)
    assert np.isclose(found.start, -1)
    assert "rows of zeros: 0, 2, 41" in str(found)


def test_a_column_that_fills_an_odd_width_is_left_out():
    found = describe(np.hstack([TABLE, np.zeros((64, 1))]))
    assert found.columns.tolist() == list(range(32))
    assert "a last column of zeros, left out" in str(found)
    assert "a last column" not in str(describe(TABLE))


def test_several_starts_are_all_named_and_none_is_chosen():
    found = describe(made(100, 4, start=5).astype(np.float16))  # again after 1000 turns
    assert found.start is None
    assert np.allclose(found.starts, [5, 5 + 2000 * np.pi], atol=0.01)
    assert "position of row 0: not determined; 5.00003 or 6288.19" in str(found)


def test_one_speed_alone_says_nothing_of_the_ratio():
    found = describe(made(20, 2, base=1e8, start=9000, fastest=0.5, divisor=1).astype(np.float16))
    assert (found.ratio, found.start, found.worst) == (None, None, None)
    assert abs(found.fastest - 0.5) <= found.errors["fastest"]
    assert "speed over that of the next pair: not determined" in str(found)


def in_float32(rows, pairs, start, fastest=0.7):
    """Return a table whose frequencies, angles and numbers are float32, so that angles are off."""
    speeds = (fastest * 1e4 ** (-np.arange(pairs) / pairs)).astype(np.float32)
    angles = np.arange(start, start + rows, dtype=np.float32)[:, None] * speeds
    return arranged(np.sin(angles), np.cos(angles), "pairs", "sine")


@pytest.mark.parametrize("rows", [8, 16, 64, 512])
@pytest.mark.parametrize("pairs", [4, 16, 64])
@pytest.mark.parametrize("start", [0, 1000, 9999])
def test_angles_of_float32_are_off_from_row_to_row(rows, pairs, start):
    found = describe(in_float32(rows, pairs, start))
    assert abs(found.fastest - 0.7) <= found.errors["fastest"]
    assert abs(found.ratio - 1e4 ** (1 / pairs)) <= found.errors["ratio"]
    assert min(abs(it - start) for it in found.starts) <= min(found.errors["start"], 1)


@pytest.mark.parametrize(
    ("table", "start"),
    [
        (in_float32(2000, 16, 100, 3.0), 100),  # the rounding of the last pair, now the fastest
        (made(16, 16, start=5000, base=1e6).astype(np.float16), 5000),  # the first hardly moves
    ],
)
def test_pairs_may_turn_faster_and_faster(table, start):
    found = describe(table[:, ::-1])
    assert (found.arrangement(), found.ratio < 1) == ("pairs, cosine first", True)
    assert abs(found.start - start) <= found.errors["start"] < 5


@pytest.mark.parametrize("fall", [False, True])
def test_thousands_of_rows_in_float64_are_summed_without_loss(fall):
    table = 3.7 * made(4000, 61, base=7e6, fastest=0.12, start=2)
    found = describe(table[:: -1 if fall else 1])
    assert abs(abs(found.fastest) - 0.12) <= found.errors["fastest"] < 1e-9


@pytest.mark.parametrize("both", [True, False])
def test_a_picture_may_have_an_axis_of_one_speed(both):
    still = made(8, 2, base=1e8, start=9000, fastest=0.5, divisor=1)
    other = still if both else made(8, 2)
    table = np.hstack([np.tile(still, (8, 1)), np.repeat(other, 8, axis=0)]).astype(np.float16)
    found = describe(table, grid=(8, 8))
    assert (found.ratio, found.start, found.worst) == (None, None, None)
    assert found.axes["x"].ratio is None
    assert "speed over that of the next pair: not determined" in str(found)


@pytest.mark.parametrize("turned_round", [False, True])
@pytest.mark.parametrize("quarters", [False, True])
@pytest.mark.parametrize("name", ["float16", "float32"])
def test_pictures_are_described_axis_by_axis(turned_round, quarters, name):
    x, y = (made(n, 16, layout="halves", base=100.0, fastest=f) for n, f in ((9, 1.0), (6, 0.7)))
    parts = {"x": np.tile(x, (6, 1)), "y": np.repeat(y, 9, axis=0)}
    names = ["y", "x"] if turned_round else ["x", "y"]
    table = np.hstack([parts[it] for it in names])
    if quarters:
        table = table.reshape(54, 2, 2, -1).swapaxes(1, 2).reshape(54, -1)
    table = np.vstack([np.zeros(64), table]).astype(name)
    found = describe(table, grid=(6, 9))
    assert list(found.axes) == names
    for i, axis in enumerate(names):
        columns = np.arange(64).reshape(2, 2, 16)
        assert np.array_equal(
            found.axes[axis].columns, (columns[:, i] if quarters else columns[i]).ravel()
        )
    assert found.fastest is None
    assert abs(found.axes["y"].fastest - 0.7) <= found.axes["y"].errors["fastest"]
    assert (found.layout, found.first, found.pairs, found.blank) == ("halves", "sine", 16, (0,))
    assert abs(found.ratio - 100 ** (1 / 16)) <= found.errors["ratio"]
    assert f"{names[0]} in columns 0 to {15 if quarters else 31}" in str(found)


def swapped(table, rows):
    table = table.copy()
    table[rows] = table[rows[::-1]]
    return table


def drawn_speeds(rng):
    return np.sort(rng.uniform(0.001, 1, size=16))[::-1]


def with_speeds(speeds, *, cosines=None, angles=0.0):
    """Return 64 rows of pairs with speeds, or their cosines with others, from some angles on."""
    t = np.arange(64)[:, None]
    cosines = speeds if cosines is None else cosines
    return arranged(np.sin(t * speeds + angles), np.cos(t * cosines + angles), "pairs", "sine")


SQUARES, EVENLY, RATIO = "squares sum to one number", "evenly from row to row", "one ratio"
REFUSED = {
    "noise": (SQUARES, lambda rng: rng.normal(size=(64, 32))),
    "learned": (SQUARES, lambda rng: rng.normal(0, 0.02, size=(64, 32)).astype(np.float16)),
    "sinusoids and noise": (SQUARES, lambda rng: TABLE + rng.normal(0, 1e-4, TABLE.shape)),
    "columns shuffled": (SQUARES, lambda rng: TABLE[:, rng.permutation(32)]),
    "cosines of their own": (SQUARES, lambda rng: with_speeds(SPEEDS, cosines=drawn_speeds(rng))),
    "no partners": (SQUARES, lambda rng: np.cos(np.outer(np.arange(64), drawn_speeds(rng)))),
    "rows shuffled": (EVENLY, lambda rng: TABLE[rng.permutation(64)]),
    "two rows exchanged": (EVENLY, lambda rng: swapped(TABLE, rng.choice(64, 2, replace=False))),
    "a row left out": (EVENLY, lambda rng: np.delete(TABLE, rng.integers(8, 56), axis=0)),
    "random speeds": (RATIO, lambda rng: with_speeds(drawn_speeds(rng))),
    "two ratios": (RATIO, lambda rng: with_speeds(2.0 ** -np.r_[0:8, 16:32:2] * rng.uniform(1, 2))),
    "two senses": (
        "turn all pairs one way",
        lambda rng: with_speeds(SPEEDS * rng.permutation(SIGNS)),
    ),
    "random starts": (
        "start at one position",
        lambda rng: with_speeds(SPEEDS, angles=rng.uniform(0, 6, size=16)),
    ),
}


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_such_table_is_refused_with_the_reason(kind, seed):
    words, draw = REFUSED[kind]
    with pytest.raises(ValueError, match=f"^table must .*{words}"):
        describe(draw(np.random.default_rng(seed)))


@pytest.mark.parametrize(
    ("table", "grid", "words"),
    [
        (np.zeros((9, 8)), None, "at least 8 rows that are not zero, .*; it has 0 and 4"),
        (TABLE[:7], None, "at least 8 rows that are not zero, .*; it has 7 and 32"),
        (TABLE[:, :3], None, "at least 4 columns that do not come twice; it has 64 and 3"),
        (TABLE[:, [0, 0, 1, 1]], None, "at least 4 columns .*; it has 64 and 2"),
        (TABLE[None, :, None, :1], None, r"table must have shape .*; got shape \(1, 64, 1, 1\)"),
        (TABLE[0], None, r"table must have shape .*; got shape \(32,\)"),
        (np.array("a"), None, "table must be real numbers"),
        (np.full((9, 8), np.nan, np.float32), None, "table must be finite, got nan"),
        (np.ones((9, 8)), None, "turn its first pair by more than its rounding; it turns by "),
        (TABLE, (5, 9), r"two or three sides and 64 places, .*; got \(5, 9\)"),
        (TABLE, (64,), r"two or three sides and 64 places, .*; got \(64,\)"),
        (TABLE, (32, 2), "grid must be an integer of at least 3, got 2"),
        (
            TABLE,
            (8, 8),
            r"change along one axis of the grid \(8, 8\) alone.* column \d+ changes by",
        ),
    ],
)
def test_bad_tables_and_grids_are_named(table, grid, words):
    with pytest.raises((TypeError, ValueError), match=words):
        describe(table, grid=grid)


def test_a_row_that_is_off_by_more_than_rounding_is_refused():
    table = made(64, 16).astype(np.float32)
    table[31:33, 0] = np.sin([31.01, 31.99])
    table[31:33, 1] = np.cos([31.01, 31.99])
    words = "pair 0 is in row 31 1.0e-02 radians off its line, and at a speed below π "
    words += "radians a row rounding explains 4.8e-03; "
    with pytest.raises(ValueError, match=words):
        describe(table)


# --- what else people hold ---------------------------------------------------


def angles(rows, pairs, *, base=1e4, start=0.0):
    return np.outer(start + np.arange(rows), base ** (-np.arange(pairs) / pairs))


def refusal(*arguments, **keywords):
    with pytest.raises(ValueError, match=r"^(table|grid) must ") as caught:
        describe(*arguments, **keywords)
    return str(caught.value)


@pytest.mark.parametrize(
    ("ratio", "start"), [(np.e**2, 1), (1e4, 5000), (1e8, 0), (2718.0, 3.5), (40.0, 9999)]
)
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float32", "float64"])
@pytest.mark.parametrize("rows", [12, 200])
def test_hands_too_slow_to_move_do_not_hide_the_start(ratio, start, name, rows):
    exact = arranged(*waves(rows, 24, ratio=ratio, start=start), "pairs", "sine")
    found = describe(FORMATS.get(name, np.float64)(exact))
    assert not found.programs()
    if found.ratio is None:  # the second hand moves by less than its rounding
        assert ratio > 1000
        assert name in ("bfloat16", "float16")
        return
    assert abs(found.ratio - ratio) <= found.errors["ratio"] < ratio / 4
    assert min(abs(one - start) for one in found.starts) <= found.errors["start"]


def waves(rows, pairs, *, ratio, start=0.0):
    turned = np.outer(start + np.arange(rows), ratio ** -np.arange(float(pairs)))
    return np.sin(turned), np.cos(turned)


@pytest.mark.parametrize("layout", ["pairs", "halves"])
@pytest.mark.parametrize("name", ["float16", "float32"])
def test_an_odd_width_may_lack_its_last_partner(layout, name):
    turned = np.outer(np.arange(100), 1e4 ** (-np.arange(0, 15, 2) / 15))
    table = arranged(np.sin(turned), np.cos(turned), layout, "sine")[:, :15].astype(name)
    found = describe(table)
    assert (found.pairs, len(found.columns), found.layout) == (8, 15, layout)
    base, off = found.bases()[7.5]
    assert abs(base - 1e4) <= off < 20
    assert "8 pairs of length" in str(found)
    assert "cut off after 15 columns" in str(found)


def test_columns_cut_from_the_last_block_of_a_film():
    """Thirds of 22 columns, of which 64 are kept, as some video models do."""
    grid = (8, 5, 6)
    parts = [made(side, 11, layout="halves") for side in grid]
    found = describe(film(parts, grid)[:, :64].astype(np.float32), grid=grid)
    assert {axis: len(one.columns) for axis, one in found.axes.items()} == {
        "t": 22,
        "y": 22,
        "x": 20,
    }
    assert [one.pairs for one in found.axes.values()] == [11, 11, 11]


def film(parts, grid):
    """Return a table of a place's numbers, from those of each axis."""
    places = np.meshgrid(*map(np.arange, grid), indexing="ij")
    return np.hstack([part[place.ravel()] for part, place in zip(parts, places)])


@pytest.mark.parametrize("widths", [(8, 8, 8), (4, 6, 6)])
@pytest.mark.parametrize("layout", ["pairs", "halves"])
@pytest.mark.parametrize("shaped", [False, True])
def test_films_have_three_axes_of_any_widths(widths, layout, shaped):
    grid = (9, 5, 6)
    parts = [made(side, pairs, layout=layout) for side, pairs in zip(grid, widths)]
    table = film(parts, grid).astype(np.float32)
    found = describe(table.reshape(*grid, -1)) if shaped else describe(table, grid=grid)
    assert list(found.axes) == ["t", "y", "x"]
    assert tuple(one.pairs for one in found.axes.values()) == widths
    for one, pairs in zip(found.axes.values(), widths):
        assert abs(one.bases()[pairs][0] - 1e4) <= one.bases()[pairs][1]
        assert min(map(abs, one.starts)) <= one.errors["start"]


def test_axes_may_stand_pair_by_pair():
    parts = [made(side, 16, start=1) for side in (9, 7)]
    y, x = np.split(film(parts, (9, 7)), 2, axis=1)
    table = np.stack([x.reshape(63, 16, 2), y.reshape(63, 16, 2)], axis=2).reshape(63, -1)
    found = describe(table.astype(np.float32), grid=(9, 7))
    assert found.arrangement() == "pairs x, pairs y in turn"
    assert found.axes["y"].columns[:4].tolist() == [2, 3, 6, 7]
    assert not found.programs()


def test_axes_may_differ_in_all_but_the_rule():
    parts = [made(9, 16, layout="halves"), made(7, 16, first="cosine", fastest=0.5)]
    found = describe(film(parts, (9, 7)).astype(np.float32), grid=(9, 7))
    assert (found.layout, found.first, found.fastest, found.pairs) == (None, None, None, 16)
    assert found.arrangement() == "y: sin, cos, x: pairs, cosine first"
    assert not found.programs()


CACHES = {
    "cos, sin": lambda turned: np.hstack([np.cos(turned), np.sin(turned)]),
    "matrices": lambda turned: np.stack(
        [np.cos(turned), -np.sin(turned), np.sin(turned), np.cos(turned)], axis=-1
    ).reshape(*turned.shape, 2, 2),
    "complex": lambda turned: np.exp(1j * turned).astype(np.complex64),
    "pairs, cosine first": lambda turned: np.stack([np.cos(turned), np.sin(turned)], axis=-1),
    "cos, cos, sin, sin": lambda turned: np.stack(
        [np.tile(f(turned), 2) for f in (np.cos, np.sin)]
    ),
    "sin, cos, each twice": lambda turned: np.hstack(
        [np.repeat(f(turned), 2, axis=1) for f in (np.sin, np.cos)]
    ),
}


@pytest.mark.parametrize("scale", [1.0, 1.1386])
@pytest.mark.parametrize("order", CACHES)
def test_caches_of_turns_are_named_as_caches(order, scale):
    cache = scale * CACHES[order](angles(100, 32, base=5e5))
    found = describe(cache.astype(np.complex64 if order == "complex" else np.float32))
    assert (found.arrangement(), found.pairs) == (order, 32)
    assert abs(found.amplitude - scale) <= found.errors["amplitude"]
    assert abs(found.bases()[32][0] - 5e5) <= found.bases()[32][1]
    assert "a cache of turns" in str(found)


def test_a_table_that_a_cache_resembles_is_named_as_both():
    said = str(describe(CACHES["cos, sin"](angles(64, 32)).astype(np.float32)))
    assert "Stable Diffusion" in said
    assert said.splitlines()[-1] == "or a cache of turns: vLLM's cos_sin_cache"


@pytest.mark.parametrize("kind", ["steps", "doubling"])
def test_speeds_above_half_a_turn_are_told_as_that(kind):
    if kind == "steps":
        table = CACHES["cos, sin"](20 * angles(50, 160, start=0.05))
    else:
        turned = np.outer(np.linspace(-1, 1, 201), 2.0 ** np.arange(10))
        table = arranged(np.sin(turned), np.cos(turned), "pairs", "sine")
    said = refusal(table.astype(np.float32))
    assert "must have speeds below π radians a row" in said
    assert ("pair 0 turns by 20" if kind == "steps" else "pair 9 turns by 5.12") in said


@pytest.mark.parametrize("start", [20_000, -6000])
def test_a_start_beyond_reach_is_told_with_the_reach(start):
    said = refusal(made(500, 64, start=start).astype(np.float32))
    assert "at most 4200 rows before and 10 000 after position zero" in said
    assert "evenly" not in said


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_rounded_positions_are_told_with_their_precision(name):
    turned = FORMATS[name](np.arange(3000.0)).astype(float)[:, None] * 1e4 ** -(np.arange(32) / 32)
    said = refusal(arranged(np.sin(turned), np.cos(turned), "pairs", "sine").astype(np.float32))
    assert f"; positions rounded to {name} explain it, up to " in said
    assert "grid" not in said


def test_what_is_transposed_or_without_its_grid_is_told():
    table = made(196, 24, layout="halves").astype(np.float32)
    assert "its channels come first" in refusal(table.T)
    parts = [made(14, 24, layout="halves")] * 2
    picture = film(parts, (14, 14)).astype(np.float32)
    assert "with grid=(14, 14) it can be described" in refusal(picture)
    assert "its channels come first" in refusal(picture.T.reshape(96, 14, 14))


@pytest.mark.parametrize("noise", [1e-4, 1e-3, 0.03])
@pytest.mark.parametrize("grid", [None, (12, 20)])
def test_trained_sinusoids_are_told_with_their_distance(noise, grid):
    table = (
        made(240, 48) if grid is None else film([made(n, 24, layout="halves") for n in grid], grid)
    )
    table = table + np.random.default_rng(5).normal(0, noise, table.shape)
    said = refusal(table.astype(np.float32), grid=grid)
    assert "as if it began as these and was trained on" in said
    distance = float(re.search(r"by (\S+) in the root mean square", said)[1])
    assert 0.8 * noise < distance < 1.5 * noise


def test_one_spoiled_column_is_no_training():
    table = made(200, 32).astype(np.float32)
    table[:, 5] = table[::-1, 5]
    said = refusal(table)
    assert "the nearest sinusoids that were found (pairs, sine first" in said
    assert "trained" not in said


def test_bands_in_even_steps_are_no_training():
    even = np.outer(np.linspace(-1, 1, 224), np.linspace(1, 5, 6) * np.pi)
    said = refusal(arranged(np.sin(even), np.cos(even), "halves", "sine"))
    assert "0.5556 before pair 1, where that changes most, and 0.6923 from it on" in said
    assert "trained" not in said


def test_the_pair_where_the_ratio_changes_is_named():
    speeds = np.append(2.0 ** -np.arange(6), 2.0 ** -np.arange(8, 14))
    said = refusal(with_speeds(speeds))
    assert "8 before pair 6, where that changes most, and 2 from it on" in said


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("copies", [2, 16])
def test_a_table_repeated_over_a_batch_is_named(side, copies):
    said = refusal(np.stack([made(64, 16)] * copies, axis=side))
    assert f"along the {('first', 'second')[side]} all tables are the same" in said


def test_a_very_long_table_is_compared_in_every_row():
    table = made(40_000, 8).astype(np.float32)
    found = describe(table)
    assert np.isclose(found.fastest, 1)
    assert found.worst == np.abs(found.table(np.arange(40_000)) - table).max()
    table[33_333, 15] -= 0.5
    assert "the nearest that were found differ by" in refusal(table)


SPOILED = {
    "noise": lambda table, rng: rng.normal(size=table.shape),
    "trained": lambda table, rng: table + rng.normal(0, 0.02, table.shape),
    "columns shuffled": lambda table, rng: table[:, rng.permutation(table.shape[1])],
    "rows shuffled": lambda table, rng: table[rng.permutation(len(table))],
    "row missing": lambda table, rng: np.delete(table, rng.integers(3, len(table) - 3), axis=0),
    "number wrong": lambda table, rng: (
        table + 0.2 * (rng.permutation(table.size) == 0).reshape(table.shape)
    ),
    "sign flipped": lambda table, rng: table * np.where(np.arange(table.shape[1]) == 0, -1, 1),
    "shifted up": lambda table, rng: table + 0.1,
    "decaying": lambda table, rng: table * np.linspace(1, 0.8, len(table))[:, None],
    "begun twice": lambda table, rng: np.vstack([table, table]),
}


@pytest.mark.parametrize("kind", SPOILED)
@settings(max_examples=4)
@given(drawn=tables(), seed=st.integers(0, 99))
def test_no_spoiled_table_is_described(kind, drawn, seed):
    how, name, table = drawn
    table = table.astype(float).reshape(how["rows"], -1) / how["amplitude"]
    if (
        how["pairs"] < 4
        or not 16 <= how["rows"] <= 600
        or how["fastest"] < 0.2
        or how["base"] < 1.5
    ):
        return
    spoiled = SPOILED[kind](table, np.random.default_rng(seed))
    refusal(FORMATS.get(name, np.float64)(spoiled))


# --- from the shell ----------------------------------------------------------


def from_the_shell(monkeypatch, capsys, *arguments):
    """Run the module, and return its exit code and what it says."""
    monkeypatch.setattr(sys, "argv", ["layouts", *map(str, arguments)])
    monkeypatch.delitem(sys.modules, "posenc.layouts", raising=False)
    code = 0
    try:
        runpy.run_module("posenc.layouts", run_name="__main__")
    except SystemExit as end:
        code = end.code
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.fixture
def shell(monkeypatch, capsys, tmp_path):
    """Return a function that describes a file, written first if its content is given."""

    def describes(name, *arguments, content=None):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        code, said = from_the_shell(monkeypatch, capsys, tmp_path / name, *arguments)
        return code, said.replace(f"{tmp_path}/", "")

    return describes


def bytes_of(write, *arguments, **keywords):
    content = io.BytesIO()
    write(content, *arguments, **keywords)
    return content.getvalue()


def tensors(**entries):
    """Return a file of safetensors, from kinds and numbers by name."""
    head, content = {}, b""
    for name, (kind, numbers) in entries.items():
        ends = [len(content), len(content) + numbers.nbytes]
        head[name] = {"dtype": kind, "shape": numbers.shape, "data_offsets": ends}
        content += numbers.tobytes()
    head = json.dumps({"__metadata__": {"format": "np"}, **head}).encode()
    return len(head).to_bytes(8, "little") + head + content


def test_a_file_is_described_from_the_shell(shell):
    content = bytes_of(np.save, TABLE)
    assert shell("table.npy", content=content) == (0, f"{describe(TABLE)}\n")
    assert shell("table.pt", content=content) == (0, f"{describe(TABLE)}\n")  # told by its content
    picture = film([made(8, 8)] * 2, (8, 8))
    said = shell("table.npy", "--grid", 8, 8, content=bytes_of(np.save, picture))
    assert said == (0, f"{describe(picture, grid=(8, 8))}\n")
    long = film([made(8, 8)] * 3, (8, 8, 8))
    said = shell("table.npy", "--grid", 8, 8, 8, content=bytes_of(np.save, long))
    assert said == (0, f"{describe(long, grid=(8, 8, 8))}\n")


def test_a_file_of_several_tables_wants_a_name(shell):
    half = TABLE.astype(np.float16)
    low = (bfloat16(TABLE).view(np.uint32) >> 16).astype(np.uint16)
    files = {
        "all.npz": bytes_of(np.savez, one=half, other=np.ones(3)),
        "all.safetensors": tensors(one=("F16", half), other=("BF16", low)),
    }
    for name, content in files.items():
        assert shell(name, content=content) == (1, f"{name}: say which table; it has one, other\n")
        assert shell(name, "one") == (0, f"{describe(half)}\n")
        assert shell(name, "--tensor", "one") == (0, f"{describe(half)}\n")
        assert shell(name, "it") == (1, f"{name}: it isn't in the file; it has one, other\n")
    assert shell("all.safetensors", "other") == (0, f"{describe(bfloat16(TABLE))}\n")
    alone = tensors(one=("F8_E5M2", low.view(np.uint8)))
    assert "got F8_E5M2" in shell("one.safetensors", content=alone)[1]


BROKEN = {
    "empty.npy": (b"", "cannot mmap an empty file"),
    "text.npy": (b"0.1 0.2\n" * 9, "this is no .npy, .npz, .pt or .safetensors file"),
    "cut.npy": (bytes_of(np.save, TABLE)[:2000], ""),
    "cut.npz": (bytes_of(np.savez, TABLE)[:2000], "this is no .npy"),
    "objects.npy": (bytes_of(np.save, np.array([{}]), allow_pickle=True), "Object arrays"),
    "huge.safetensors": (b"\xff" * 8 + b"{}", "this is no .npy"),
    "cut.safetensors": (tensors(one=("F64", TABLE))[:-9], ""),
    "broken.safetensors": ((2).to_bytes(8, "little") + b"{" + b"]" * 9, ""),
    "ones.npy": (bytes_of(np.save, np.ones((9, 8))), "table must turn its first pair"),
    "none.npz": (bytes_of(np.savez), "say which table; it has none"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_file_is_said_in_a_line(shell, name):
    content, words = BROKEN[name]
    code, said = shell(name, content=content)
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith(f"{name}: {words}")
    assert len(said) > len(f"{name}: \n")


def test_files_that_are_not_there_and_folders_are_named(shell, tmp_path):
    assert shell("none.npy") == (1, "none.npy: No such file or directory\n")
    (tmp_path / "folder").mkdir()
    assert shell("folder") == (1, "folder: Is a directory\n")


def test_a_file_of_pytorch_says_what_it_takes(shell, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    words = "a .pt file takes PyTorch to read, which is not installed\n"
    with zipfile.ZipFile(content := io.BytesIO(), "w") as file:
        file.writestr("table/data.pkl", b"")
    assert shell("table.pt", content=content.getvalue()) == (1, f"table.pt: {words}")
    assert shell("old.pt", content=b"\x80\x02") == (1, f"old.pt: {words}")
