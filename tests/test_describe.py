"""Tables made by the formula are described as they were made, and others are refused."""

import io
import json
import re
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.layouts import bfloat16, describe
from posenc.layouts.__main__ import main

FORMATS = {"bfloat16": bfloat16, **{name: np.dtype(name).type for name in ("float16", "float32")}}
# Half of the last place of a number just above a power of two.
LAST = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}


def arranged(angles, layout="pairs", first="sine"):
    """Return sines and cosines in a layout, column by column."""
    parts = [np.sin(angles), np.cos(angles)][:: 1 if first == "sine" else -1]
    return np.hstack(parts) if layout == "halves" else np.dstack(parts).reshape(len(angles), -1)


def sinusoids(
    rows, pairs, *, layout="pairs", first="sine", fastest=1.0, base=1e4, divisor=None, start=0
):
    """Return a table by its definition."""
    speeds = fastest * base ** (-np.arange(pairs) / (divisor or pairs))
    return arranged(np.outer(start + np.arange(rows), speeds), layout, first)


def film(parts, grid):
    """Return a table of a place's numbers, from those of each axis."""
    places = np.meshgrid(*map(np.arange, grid), indexing="ij")
    return np.hstack([part[place.ravel()] for part, place in zip(parts, places)])


@st.composite
def tables(draw):
    """Draw how a table is made, in what format, and the table."""
    pairs = draw(st.one_of(st.integers(2, 8), st.integers(9, 256)))
    one_less = draw(st.booleans()) and pairs > 2
    how = {
        "rows": draw(st.one_of(st.integers(8, 64), st.integers(65, 1024))),
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
    table = FORMATS.get(name, np.float64)(amplitude * sinusoids(**how))
    shape = draw(st.sampled_from([table.shape, (1, *table.shape), (len(table), 1, 2 * pairs)]))
    return how | {"amplitude": amplitude}, name, table.reshape(shape)


def is_right(how, name, table):
    result, table = describe(table), table.reshape(how["rows"], -1)
    for field in ("layout", "first", "pairs"):
        assert getattr(result, field) == how[field], field
    true = how | {"ratio": how["base"] ** (1 / how["divisor"])}
    for field in ("amplitude", "fastest", "ratio", "start"):
        value = getattr(result, field)
        assert value is None or abs(value - true[field]) <= result.errors[field], field
    if result.ratio is None:  # the second hand stands still, as far as its format tells
        assert how["fastest"] / true["ratio"] * how["rows"] < 64 * LAST[name]
        return
    assert any(abs(start - how["start"]) <= result.errors["start"] for start in result.starts)
    if how["divisor"] in result.bases():
        base, error = result.bases()[how["divisor"]]
        assert abs(base - how["base"]) <= error * (1 + 1e-9)
    assert result.worst == np.abs(result.table(np.arange(how["rows"])) - table.astype(float)).max()
    # Twice the rounding, and what float32 does to angles.
    angle = how["fastest"] * (how["rows"] + how["start"]) + 1
    drift = 2.0**-44 if name == "float64" else 2.0**-19
    assert result.worst <= how["amplitude"] * (2 * max(LAST[name], 2.0**-40) + 3 * drift * angle)


@settings(max_examples=16)
@given(tables())
def test_a_table_is_described_as_it_was_made(drawn):
    is_right(*drawn)


# --- what people hold --------------------------------------------------------


@pytest.mark.parametrize("first", ["sine", "cosine"])
def test_positions_may_fall_from_row_to_row(first):
    result = describe(sinusoids(119, 32, first=first, start=-59)[::-1])
    assert (result.first, round(result.fastest), round(result.start)) == (first, -1, -59)
    assert "positions fall" in str(result)
    assert "position of row 0: 59.0" in str(result)


def test_rows_and_a_last_column_of_zeros_are_left_out():
    table = np.hstack([sinusoids(64, 16, start=-1), np.zeros((64, 1))])
    table[[0, 2, 41]] = 0
    result = describe(table)
    assert result.blank == (0, 2, 41)
    assert np.isclose(result.start, -1)
    assert result.columns.tolist() == list(range(32))
    assert "rows of zeros: 0, 2, 41" in str(result)
    assert "a last column of zeros, left out" in str(result)


@pytest.mark.parametrize(("rows", "pairs", "start"), [(8, 4, 9999), (64, 16, 1000), (512, 64, 0)])
def test_angles_of_float32_are_off_from_row_to_row(rows, pairs, start):
    speeds = np.float32(0.7 * 1e4 ** (-np.arange(pairs) / pairs))
    result = describe(arranged(np.arange(start, start + rows, dtype=np.float32)[:, None] * speeds))
    assert abs(result.fastest - 0.7) <= result.errors["fastest"]
    assert abs(result.ratio - 1e4 ** (1 / pairs)) <= result.errors["ratio"]
    distance = min(abs(position - start) for position in result.starts)
    assert distance <= min(result.errors["start"], 1)


def test_every_row_of_a_long_table_is_compared():
    rows = 40_000
    table = 3.7 * sinusoids(rows, 8, base=7e6, fastest=0.12, start=2)
    result = describe(table)
    assert abs(result.fastest - 0.12) <= result.errors["fastest"] < 1e-9
    assert result.worst == np.abs(result.table(np.arange(rows)) - table).max()
    table[rows - 7, 15] -= 0.5
    refusal(table)


@pytest.mark.parametrize(
    ("name", "ratio", "start"),
    [("bfloat16", np.e**2, 1), ("float16", 40.0, 9999), ("float32", 1e8, 0)],
)
def test_hands_too_slow_to_move_do_not_hide_the_start(name, ratio, start):
    table = sinusoids(200, 24, base=ratio, divisor=1, start=start)
    result = describe(FORMATS.get(name, np.float64)(table))
    assert abs(result.ratio - ratio) <= result.errors["ratio"] < ratio / 4
    assert min(abs(position - start) for position in result.starts) <= result.errors["start"]
    assert not result.programs()


@pytest.mark.parametrize("layout", ["pairs", "halves"])
def test_an_odd_width_may_lack_its_last_partner(layout):
    table = sinusoids(100, 8, divisor=7.5, layout=layout)[:, :15]
    result = describe(table.astype(np.float32))
    assert (result.pairs, len(result.columns), result.layout) == (8, 15, layout)
    base, error = result.bases()[7.5]
    assert abs(base - 1e4) <= error < 20
    assert "cut off after 15 columns" in str(result)


@pytest.mark.parametrize("names", ["xy", "yx"])
@pytest.mark.parametrize("quarters", [False, True])
def test_pictures_are_described_axis_by_axis(names, quarters):
    shared = {"layout": "halves", "base": 100.0}
    parts = sinusoids(6, 16, fastest=0.7, **shared), sinusoids(9, 16, **shared)
    y, x = np.split(film(parts, (6, 9)), 2, axis=1)
    table = np.hstack([{"x": x, "y": y}[name] for name in names])
    columns = np.arange(64).reshape(2, 2, 16)
    if quarters:
        table, columns = table[:, columns.swapaxes(0, 1).ravel()], columns.swapaxes(0, 1)
    result = describe(np.vstack([np.zeros(64), table]).astype(np.float16), grid=(6, 9))
    assert list(result.axes) == list(names)
    for name, numbers in zip(names, columns):
        assert result.axes[name].columns.tolist() == numbers.ravel().tolist()
    assert (result.layout, result.first, result.pairs, result.blank) == ("halves", "sine", 16, (0,))
    assert result.fastest is None
    assert abs(result.axes["y"].fastest - 0.7) <= result.axes["y"].errors["fastest"]
    assert f"{names[0]} in columns 0 to {15 if quarters else 31}" in str(result)


@pytest.mark.parametrize(("layout", "kept"), [("pairs", 32), ("halves", 30)])
def test_a_film_has_three_axes_and_may_be_cut(layout, kept):
    grid, widths = (9, 5, 6), (4, 6, 6)
    parts = [sinusoids(side, pairs, layout=layout) for side, pairs in zip(grid, widths)]
    result = describe(film(parts, grid)[:, :kept].astype(np.float32).reshape(*grid, -1))
    assert {name: axis.pairs for name, axis in result.axes.items()} == dict(zip("tyx", widths))
    for axis, pairs in zip(result.axes.values(), widths):
        base, error = axis.bases()[pairs]
        assert abs(base - 1e4) <= error
        assert min(map(abs, axis.starts)) <= axis.errors["start"]


def test_axes_may_stand_pair_by_pair():
    y, x = np.split(film([sinusoids(side, 16, start=1) for side in (9, 7)], (9, 7)), 2, axis=1)
    table = np.stack([x.reshape(63, 16, 2), y.reshape(63, 16, 2)], axis=2).reshape(63, -1)
    result = describe(table.astype(np.float32), grid=(9, 7))
    assert result.arrangement() == "pairs x, pairs y in turn"
    assert result.axes["y"].columns[:4].tolist() == [2, 3, 6, 7]


CACHES = {
    "cos, sin": lambda cos, sin: np.hstack([cos, sin]),
    "matrices": lambda cos, sin: np.moveaxis([[cos, -sin], [sin, cos]], (0, 1), (2, 3)),
    "complex": lambda cos, sin: (cos + 1j * sin).astype(np.complex64),
    "pairs, cosine first": lambda cos, sin: np.dstack([cos, sin]),
    "cos, cos, sin, sin": lambda cos, sin: np.stack([np.tile(cos, 2), np.tile(sin, 2)]),
    "sin, cos, each twice": lambda cos, sin: np.hstack([sin, cos]).repeat(2, axis=1),
}


@pytest.mark.parametrize("order", CACHES)
def test_caches_of_turns_are_named_as_caches(order):
    table = 1.1386 * sinusoids(100, 32, layout="halves", base=5e5).astype("f4")
    sin, cos = np.split(table, 2, axis=1)
    result = describe(CACHES[order](cos, sin))
    assert (result.arrangement(), result.pairs) == (order, 32)
    assert abs(result.amplitude - 1.1386) <= result.errors["amplitude"]
    assert abs(result.bases()[32][0] - 5e5) <= result.bases()[32][1]
    assert "a cache of turns" in str(result)


# --- what is refused ---------------------------------------------------------


def refusal(table, grid=None):
    with pytest.raises((ValueError, TypeError), match=r"^(table|grid) must ") as caught:
        describe(table, grid=grid)
    return str(caught.value)


RNG = np.random.default_rng(0)
TABLE, LONG, T = sinusoids(64, 16), sinusoids(240, 48), np.arange(64)[:, None]
PICTURE = film([sinusoids(14, 24, layout="halves")] * 2, (14, 14)).astype(np.float32)
SPEEDS, RANDOM = 1.2 ** -np.arange(16.0), np.sort(RNG.uniform(0.001, 1, size=16))[::-1]
OFF = TABLE.astype(np.float32)
OFF[31:33, :2] = arranged(np.array([[31.01], [31.99]]))
TRAINED = "as if it began as these and was trained on"
EVENLY, ONE_RATIO = "turn each pair evenly from row to row", "speeds below π .* fall by one ratio"
NEAREST = r"the nearest that were found \((pairs|halves), sine first, speed of pair 0 1"
REFUSED = {
    "noise": (RNG.normal(size=(64, 32)), EVENLY),
    "no partners": (np.cos(T * RANDOM), EVENLY),
    "rows shuffled": (TABLE[RNG.permutation(64)], EVENLY),
    "a row left out": (np.delete(TABLE, 30, axis=0), "differ by up to .* and rounding explains"),
    "a row off": (OFF, NEAREST + ", .* differ by up to 9.2e-03, and rounding explains 1.2e-04"),
    "two ratios": (
        arranged(T * 2.0 ** -np.r_[0:6, 8:14]),
        r"pair \d+ turns by \S+ radians a row, .* fitted to 12 pairs, gives \S+, and rounding",
    ),
    "two senses": (arranged(T * SPEEDS * np.repeat([1, -1], 8)), "turn all pairs one way"),
    "random starts": (arranged(T * SPEEDS + RNG.uniform(0, 6, 16)), "start at one position"),
    "fast steps": (arranged(20 * (0.05 + T) * 1e4 ** (-np.arange(160) / 160)), ONE_RATIO),
    "doubling": (arranged((T / 32 - 1) * 2.0 ** np.arange(10)), "faster ones can't be told from"),
    "late": (sinusoids(500, 64, start=20_000), "4200 rows before and 10,000 after position zero"),
    "rounded positions": (
        arranged(bfloat16(np.arange(3000.0))[:, None] * 1e4 ** -(np.arange(32) / 32)),
        "; positions rounded to bfloat16 explain all its numbers, with speeds from 1 and ",
    ),
    "rounded angles": (
        arranged(bfloat16(np.arange(1000)[:, None] * 1e4 ** -(np.arange(32) / 32)), "halves"),
        EVENLY,
    ),
    "rounded speeds": (
        arranged(T * np.float16(1e4 ** -(np.arange(16) / 16)).astype(float)),
        "0.5625",
    ),
    "a pair that stands still": (
        arranged(T * np.r_[0, 0.5, 0.4, 0.1]),
        "pair 2 turns by 0.4 radians a row, .* fitted to 3 pairs, gives 0.27",
    ),
    "exponents of sine and cosine": (
        np.hstack([np.sin(T * SPEEDS), np.cos(T * SPEEDS / 1.1)]),
        EVENLY,
    ),
    "channels first, with rows of zeros": (
        np.moveaxis(film([sinusoids(n, 8) for n in (20, 30)], (20, 30)).reshape(20, 30, -1), -1, 0),
        r"its channels come first: np.moveaxis\(table, 0, -1\) can be described",
    ),
    "transposed": (sinusoids(196, 24).T, "its channels come first"),
    "two rows": (sinusoids(2, 8), "at least 8 rows that are not zero"),
    "a speed for each column": (
        np.sin(np.outer(np.arange(200), 10.0 ** (-np.arange(24) / 6)) + np.arange(24) % 2),
        "columns 0 to 3 turn by 1, 0.6813, 0.4642, 0.3162 radians a row",
    ),
    "no grid": (PICTURE, r"with grid=\(14, 14\) it can be described"),
    "channels first": (PICTURE.T.reshape(96, 14, 14), "its channels come first"),
    "trained": (LONG + RNG.normal(0, 1e-3, LONG.shape), TRAINED),
    "coarse angles": (arranged((T * SPEEDS).astype(np.float16).astype(float)), NEAREST),
    "even bands": (
        arranged(np.outer(np.linspace(-1, 1, 224), np.linspace(1, 5, 6) * np.pi), "halves"),
        "pair 0 turns by 0.0281757 radians a row",
    ),
    "a batch": (np.stack([TABLE] * 2), r"column 0 changes by 0.0e\+00, 2.0e\+00 along \(2, 64\)"),
    "few rows": (TABLE[:7], "at least 8 rows that are not zero, .*; it has 7 and 32"),
    "few columns": (TABLE[:, [0, 0, 1, 1]], "at least 4 columns .*; it has 64 and 2"),
    "one row": (TABLE[0], r"table must have shape .*; got shape \(32,\)"),
    "a word": (np.array("a"), "table must be real numbers"),
    "no number": (np.full((9, 8), np.nan, np.float32), "table must be finite, got nan"),
    "ones": (np.ones((9, 8)), r"pair 0 turns by 0.0e\+00 ± .* radians a row"),
}
GRIDS = {
    (5, 9): r"each place of a grid of two or three sides; it has 64 such rows, .* is \(5, 9\)",
    (64,): r"it has 64 such rows, and its grid is \(64,\)",
    (32, 2): "grid must be an integer of at least 3, got 2",
    (8, 8): r"which change along it alone, .* column \d+ changes by \S+, \S+ along \(8, 8\)",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_such_table_is_refused_with_a_reason(kind):
    table, words = REFUSED[kind]
    message = refusal(table)
    assert re.search(words, message), message
    assert (TRAINED in message) == (kind == "trained")


@pytest.mark.parametrize("grid", GRIDS)
def test_a_grid_that_does_not_fit_is_refused(grid):
    assert re.search(GRIDS[grid], refusal(TABLE, grid))


@pytest.mark.parametrize("noise", [1e-4, 0.03])
def test_a_trained_picture_is_told_with_its_distance(noise):
    table = film([sinusoids(n, 24, layout="halves") for n in (12, 20)], (12, 20))
    message = refusal((table + RNG.normal(0, noise, table.shape)).astype(np.float32), (12, 20))
    assert TRAINED in message
    distance = float(re.search(r"by (\S+) in the root mean square", message)[1])
    assert 0.8 * noise < distance < 1.5 * noise


SPOILED = {
    "trained": lambda table, rng: table + rng.normal(0, 0.02, table.shape),
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
    moves = how["fastest"] >= 0.2 and how["base"] >= 1.5
    if moves and how["pairs"] >= 4 and 16 <= how["rows"] <= 600:
        spoiled = SPOILED[kind](table, np.random.default_rng(seed))
        refusal(FORMATS.get(name, np.float64)(spoiled))


# --- from the shell ----------------------------------------------------------


@pytest.fixture
def shell(monkeypatch, capsys, tmp_path):
    """Return a function that writes a file and describes it: exit code and what is said."""

    def describes(name, *arguments, content):
        (tmp_path / name).write_bytes(content)
        monkeypatch.chdir(tmp_path)
        try:
            code = main([name, *arguments]) or 0
        except SystemExit as end:
            code = end.code
        return code, "".join(capsys.readouterr())

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
    assert shell("table.pt", content=content) == (0, f"{describe(TABLE)}\n")  # known by its content
    content = bytes_of(np.save, PICTURE)
    message = shell("table.npy", "--grid", "14", "14", content=content)
    assert message == (0, f"{describe(PICTURE, grid=(14, 14))}\n")


def test_a_file_of_several_tables_wants_a_name(shell):
    half = TABLE.astype(np.float16)
    low = (bfloat16(TABLE).view(np.uint32) >> 16).astype(np.uint16)
    files = {
        "all.npz": bytes_of(np.savez, one=half, other=bfloat16(TABLE)),
        "all.safetensors": tensors(one=("F16", half), other=("BF16", low)),
    }
    for name, content in files.items():
        message = f"{name}: say which table; it has one, other\n"
        assert shell(name, content=content) == (1, message)
        assert shell(name, "--tensor", "one", content=content) == (0, f"{describe(half)}\n")
        assert shell(name, "--tensor", "other", content=content) == (
            0,
            f"{describe(bfloat16(TABLE))}\n",
        )


with zipfile.ZipFile(TORCH := io.BytesIO(), "w") as file:
    file.writestr("table/data.pkl", b"")
BROKEN = {
    "empty.npy": (b"", "cannot mmap an empty file"),
    "text.npy": (b"0.1 0.2\n" * 9, "this is no .npy, .npz, .pt or .safetensors file"),
    "cut.safetensors": (tensors(one=("F64", TABLE))[:-9], ""),
    "other.safetensors": (tensors(one=("F8_E5M2", TABLE.view(np.uint8))), ".*got F8_E5M2"),
    "ones.npy": (bytes_of(np.save, np.ones((9, 8))), "table must turn each pair evenly"),
    "none.npz": (bytes_of(np.savez), "say which table; it has none"),
    "table.pt": (TORCH.getvalue(), "a .pt file takes PyTorch to read, which is not installed"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_file_is_said_in_a_line(shell, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "torch", None)
    content, words = BROKEN[name]
    code, message = shell(name, content=content)
    assert (code, message.count("\n")) == (1, 1)
    assert re.match(f"{name}: {words}", message)
    assert len(message) > len(f"{name}: \n")
