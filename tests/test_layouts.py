"""Tables made by the formula are described as they were made, and others are refused."""

import math
import runpy
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.layouts import bfloat16, describe, probe_rotary, to_halves, to_pairs

LARGEST = (2 - 2**-7) * 2.0**127
FORMATS = {"bfloat16": bfloat16, **{name: np.dtype(name).type for name in ("float16", "float32")}}
# Half of the last place of a number just above a power of two.
LAST = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}
RNG = np.random.default_rng(0)


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
MIXED = np.linalg.qr(RNG.normal(size=(4, 4)))[0]

# --- weights -----------------------------------------------------------------


def test_orders_say_where_each_row_comes_from():
    assert to_halves(np.arange(8), 1).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert to_pairs(np.arange(8), 1).tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert to_halves(np.arange(12), 2).tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert to_pairs(np.arange(12), 2, turned=4).tolist() == [0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11]


@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("turned", [None, 2, 6])
def test_orders_undo_each_other_for_matrices_biases_and_any_type(heads, turned):
    for weights in (RNG.normal(size=(heads * 8, 5)).astype(np.float32), np.arange(heads * 8)):
        there = to_halves(weights, heads, turned=turned)
        assert there.dtype == weights.dtype
        assert np.array_equal(to_pairs(there, heads, turned=turned), weights)
        assert np.array_equal(there, weights) == (turned == 2)


def test_reordered_weights_give_the_scores_of_the_other_program():
    x, start = RNG.normal(size=(5, 12)), np.arange(5)
    queries, keys = RNG.normal(size=(2, 8, 12))
    speeds = np.array([1.0, 0.1, 0.01, 0.001])

    def turned(rows, apart):
        found = np.empty_like(rows)
        for k, speed in enumerate(speeds):
            i, j = (2 * k, 2 * k + 1) if apart == 1 else (k, k + apart)
            cosine, sine = np.cos(start * speed), np.sin(start * speed)
            found[:, i] = cosine * rows[:, i] - sine * rows[:, j]
            found[:, j] = sine * rows[:, i] + cosine * rows[:, j]
        return found

    ours = turned(x @ queries.T, 1) @ turned(x @ keys.T, 1).T
    queries, keys = to_halves(queries, 1), to_halves(keys, 1)
    assert np.allclose(turned(x @ queries.T, 4) @ turned(x @ keys.T, 4).T, ours)
    assert not np.allclose(turned(x @ queries.T, 1) @ turned(x @ keys.T, 1).T, ours)


@pytest.mark.parametrize(
    ("heads", "turned", "words"),
    [
        (5, None, "heads must divide the 12 rows of weights, got 5"),
        (0, None, "heads must be a positive integer, got 0"),
        (2, 8, "turned must be at most 6, the width of a head, got 8"),
        (2, 3, "turned must be a positive even integer, got 3"),
        (4, None, "turned must be a positive even integer, got 3"),
    ],
)
def test_orders_name_what_does_not_fit(heads, turned, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        to_pairs(np.arange(12), heads, turned=turned)


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
        assert how["pairs"] == 2
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
    "two senses": ("in one sense", lambda rng: with_speeds(SPEEDS * rng.permutation(SIGNS))),
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
        (np.zeros((9, 8)), None, "at least 8 rows that are not zero.*; it has 0 and 8"),
        (TABLE[:7], None, "at least 8 rows that are not zero.*; it has 7 and 32"),
        (TABLE[:, :3], None, "an even number of columns, at least 4; it has 64 and 3"),
        (TABLE[:, :2], None, r"an even number of columns, at least 4; it has 64 and 2"),
        (TABLE[None, None], None, "table must have shape"),
        (TABLE[0], None, "table must have shape"),
        (np.ones((9, 8)), None, "turn its first pair by more than its rounding"),
        (TABLE, (5, 9), r"grid must have 64 places, .*; got \(5, 9\) and 32"),
        (TABLE, (4, 4, 4), r"grid must have 64 places, .*; got \(4, 4, 4\) and 32"),
        (TABLE, (32, 2), "grid must be an integer of at least 3, got 2"),
        (made(64, 15), (8, 8), "a multiple of 4 columns; got .* and 30"),
        (TABLE, (8, 8), "for each axis of the grid, or every other quarter; with 8 rows and 8"),
    ],
)
def test_bad_tables_and_grids_are_named(table, grid, words):
    with pytest.raises(ValueError, match=words):
        describe(table, grid=grid)


def test_a_row_that_is_off_by_more_than_rounding_is_refused():
    table = made(64, 16).astype(np.float32)
    table[31:33, 0] = np.sin([31.01, 31.99])
    table[31:33, 1] = np.cos([31.01, 31.99])
    words = (
        "table must be of sinusoids; the nearest differ by 9.2e-03, and rounding explains 1.2e-04"
    )
    with pytest.raises(ValueError, match=words):
        describe(table)


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


def test_a_file_is_described_from_the_shell(monkeypatch, capsys, tmp_path):
    np.save(tmp_path / "table.npy", TABLE)
    said = from_the_shell(monkeypatch, capsys, tmp_path / "table.npy")
    assert said == (0, f"{describe(TABLE)}\n")
    picture = np.hstack([np.tile(made(8, 8), (8, 1)), np.repeat(made(8, 8), 8, axis=0)])
    np.save(tmp_path / "table.npy", picture)
    said = from_the_shell(monkeypatch, capsys, tmp_path / "table.npy", "--grid", 8, 8)
    assert said == (0, f"{describe(picture, grid=(8, 8))}\n")


def test_a_tensor_is_described_from_the_shell(monkeypatch, capsys, tmp_path):
    from safetensors.numpy import save_file

    path = tmp_path / "model.safetensors"
    save_file({"other": np.ones(3), "table": TABLE[None].astype(np.float16)}, path)
    said = from_the_shell(monkeypatch, capsys, path, "--tensor", "table")
    assert said == (0, f"{describe(TABLE.astype(np.float16))}\n")
    said = from_the_shell(monkeypatch, capsys, path)
    assert said == (1, "--tensor must be one of other, table, got None\n")


def test_what_cannot_be_described_is_said_in_the_shell(monkeypatch, capsys, tmp_path):
    code, words = from_the_shell(monkeypatch, capsys, tmp_path / "none.npy")
    assert code == 1
    assert "No such file" in words
    np.save(tmp_path / "table.npy", np.ones((9, 8)))
    code, words = from_the_shell(monkeypatch, capsys, tmp_path / "table.npy")
    assert code == 1
    assert words.startswith("table must turn its first pair")


# --- rotary programs ---------------------------------------------------------


def turning(pairs, speeds, sense=1, scale=1.0):
    """Return a function that turns columns two by two, in plain sums."""

    def turn(x, positions):
        found = x.copy()
        for (i, j), speed in zip(pairs, speeds):
            cosine, sine = np.cos(positions * speed), sense * np.sin(positions * speed)
            found[:, i] = cosine * x[:, i] - sine * x[:, j]
            found[:, j] = sine * x[:, i] + cosine * x[:, j]
        return scale * found

    return turn


PROBED = np.array([1.0, 0.1, 1e-4])


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(
    ("width", "pairs", "layout"),
    [
        (6, [(0, 1), (2, 3), (4, 5)], "pairs"),
        (6, [(0, 3), (1, 4), (2, 5)], "halves"),
        (10, [(0, 3), (1, 4), (2, 5)], "halves"),
        (16, [(0, 8), (1, 9), (2, 10)], "halves"),
        (8, [(0, 1), (2, 5), (3, 4)], None),
    ],
)
def test_a_program_is_told_by_unit_vectors(width, pairs, layout, sense):
    found = probe_rotary(turning(pairs, PROBED, sense), width)
    assert (found.layout, found.sense, found.width) == (layout, sense, width)
    assert found.pairs.tolist() == [list(pair) for pair in pairs]
    assert np.allclose(found.speeds, PROBED, rtol=1e-9)
    words = (
        f"{layout or 'neither pairs nor halves'}, 6 of {width} columns turned, the first of two "
    )
    assert str(found).startswith(words + ("toward the second" if sense > 0 else "away from"))


def test_a_program_in_half_precision_is_told():
    turn = turning([(0, 2), (1, 3)], [1.0, 0.01])
    for rounded in (bfloat16, np.float16):
        found = probe_rotary(
            lambda x, at, rounded=rounded: rounded(turn(rounded(x).astype(float), at)), 4
        )
        assert found.layout == "halves"
        assert np.allclose(found.speeds, [1, 0.01], rtol=0.01)


ONE, TWO = [(0, 1), (2, 3)], [1.0, 0.1]


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (lambda x, at: np.abs(turning(ONE, TWO)(x, at)), "be linear in x, which it is not"),
        (lambda x, at: turning(ONE, TWO)(x, at) + 0.5, "be linear in x, which it is not"),
        (turning(ONE, TWO, scale=1.3), "keep lengths; it multiplies them by 1.3"),
        (lambda x, at: x * np.arange(4), "keep lengths"),
        (
            lambda x, at: turning(ONE, TWO)(x, at + 1),
            "leave position 0 as it is, which it does not",
        ),
        (lambda x, at: x, "turn columns two by two, which it does not"),
        (lambda x, at: np.where(at[:, None], np.roll(x, 1, axis=1), x), "two by two"),
        (
            lambda x, at: turning([(0, 1), (1, 2)], TWO)(x, at) if not at[0] else x @ MIXED,
            "two by two",
        ),
        (turning(ONE, [1.0, -0.1]), "turn all pairs in one sense, which it does not"),
        (lambda x, at: x[:, :3], r"turn\(x, positions\) must have shape \(4, 4\), got shape"),
        (lambda x, at: x * np.nan, r"turn\(x, positions\) must be finite, got nan"),
    ],
)
def test_what_is_no_turn_is_named(turn, words):
    with pytest.raises(ValueError, match=words):
        probe_rotary(turn, 4)


# --- bfloat16 ----------------------------------------------------------------


def nearest(number):
    """Return the nearest number of eight binary digits, by fractions, ties to even."""
    if not number:
        return 0.0
    step = Fraction(2) ** (max(math.frexp(number)[1], -125) - 8)
    return float(round(Fraction(number) / step) * step)


def test_bfloat16_is_the_nearest_number_of_eight_digits():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=500) * 10.0 ** rng.uniform(-30, 30, size=500)
    whole = [*range(-1100, 1100), 5000, 4997, 65_535, 2**24 + 2, LARGEST]
    for values in (numbers.astype(np.float32), np.float32(whole)):
        found = bfloat16(values)
        assert found.dtype == np.float32
        assert found.tolist() == [nearest(float(value)) for value in values]


def test_bfloat16_takes_empty_lists_and_single_numbers():
    assert bfloat16([]).shape == (0,)
    assert bfloat16(-257) == -256
