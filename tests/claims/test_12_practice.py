"""Notebook 12: what a table, a cache or a rotary program does, and which weights fit it."""

import numpy as np
import pytest
from oracles import exact_frequencies

from posenc.encodings import angular_frequencies, sinusoidal
from posenc.layouts import (
    bfloat16,
    describe,
    load_field_guide,
    load_tables,
    probe_rotary,
    to_halves,
)
from posenc.rotary import apply_rotary

from . import claim

PAGE = "12_practice"
HALF_PRECISION = 2.0**-11


def waves(positions, base, divisor, *, layout="halves", first="sine"):
    """Return a table number by number, with so many pairs as the table A has."""
    table = np.empty((len(positions), 384))
    for k in range(192):
        left, right = (k, k + 192) if layout == "halves" else (2 * k, 2 * k + 1)
        sine, cosine = (left, right) if first == "sine" else (right, left)
        angles = positions * float(base) ** (-k / divisor)
        table[:, sine], table[:, cosine] = np.sin(angles), np.cos(angles)
    return table


def rotated(x, positions, pairs, sense=1):
    """Return rows whose pairs of columns are turned, one pair after the other."""
    result = np.array(x, float)
    for (i, j), speed in zip(pairs, np.array(exact_frequencies(2 * len(pairs)), float)):
        cosine, sine = np.cos(speed * positions), sense * np.sin(speed * positions)
        result[:, i] = cosine * x[:, i] - sine * x[:, j]
        result[:, j] = sine * x[:, i] + cosine * x[:, j]
    return result


def neighbors(width):
    return [(k, k + 1) for k in range(0, width, 2)]


def apart(width):
    return [(k, k + width // 2) for k in range(width // 2)]


def products(queries, keys, pairs, sense=1):
    """Return the scores of a text's queries and keys, turned by their places."""
    at = np.arange(len(queries))
    return rotated(queries, at, pairs, sense) @ rotated(keys, at, pairs, sense).T


# --- tables ------------------------------------------------------------------


def shown():
    """Return the part of A that the chart shows, and the numbers of its columns."""
    columns = (2 * (np.arange(16) * 12)[:, None] + [0, 1]).ravel()
    return load_tables()["A"][:20, columns].astype(float), columns


@claim(PAGE, "some numbers differ by 1.996")
def the_settings_open_far_off():
    table, columns = shown()
    expected = waves(np.arange(20), 1e4, 192, layout="pairs")[:, columns]
    assert round(np.abs(table - expected).max(), 3) == 1.996
    # No other single setting helps.
    other = waves(np.arange(20), 1e4, 191, layout="pairs")[:, columns]
    assert np.abs(table - other).max() > 1.99


@claim(PAGE, "the difference drops to 0.035")
def halves_leave_little():
    table, columns = shown()
    expected = waves(np.arange(20), 1e4, 192)[:, columns]
    # The chart's numbers are rounded to three decimals first.
    assert f"{np.abs(table.round(3) - expected).max():.3f}" == "0.035"


@claim(
    PAGE, "explain no more than 0.001. And over all 200 rows of the table, the difference is 0.379"
)
def rounding_is_not_what_is_left():
    table = load_tables()["A"]
    assert table.dtype == np.float16
    numbers = np.random.default_rng(0).uniform(-1, 1, 10**6)
    assert np.abs(numbers.astype(np.float16).astype(float).round(3) - numbers).max() < 0.001
    difference = np.abs(waves(np.arange(200), 1e4, 192) - table)
    assert f"{difference.max():.3f}" == "0.379"


@claim(PAGE, "One base would do it, but it isn't on the slider")
def no_other_single_control_finds_table_a():
    table, columns = shown()

    def difference(at=0, speed=1, base=1e4, **order):
        expected = waves(speed * (np.arange(20) + at), base, 192, **order)[:, columns]
        return np.abs(table - expected).max()

    assert difference(base=10_494.03) < 0.001
    assert min(difference(base=10**power) for power in np.arange(1, 6.5, 0.5)) > 0.03
    assert min(difference(at=at) for at in range(-2, 5)) > 0.03
    assert min(difference(speed=speed) for speed in np.arange(0.25, 2.25, 0.25)) > 0.03
    assert difference(first="cosine") > 0.03 < difference(layout="pairs")


@claim(PAGE, "10,494.03 with the paper's divisor makes the same table")
def two_bases_make_table_a(page):
    assert f"{10_000 ** (192 / 191):.2f}" == "10494.03"
    at = np.arange(200)
    for base, divisor in ((10_000, 191), (10_494.03, 192)):
        assert np.abs(waves(at, base, divisor) - page["A"]).max() <= HALF_PRECISION
    for base, divisor in ((10_000, 192), (10_494.03, 191)):
        assert np.abs(waves(at, base, divisor) - page["A"]).max() > 0.1


@claim(PAGE, "add up to 1 in *every* row")
def only_the_partner_completes_the_square(page):
    assert page["partner"](page["A"]) == 192
    sums = page["A"][:, :1] ** 2 + page["A"][:, 1:] ** 2
    spread = np.sort(np.ptp(sums, axis=0))
    assert spread[0] < 4 * HALF_PRECISION
    assert spread[1] > 0.9


@claim(PAGE, "As long as positions count forward, that's what it does when the sine comes first")
@pytest.mark.parametrize("layout", ["pairs", "halves"])
@pytest.mark.parametrize(("first", "sense"), [("sine", -1), ("cosine", 1)])
def the_first_wave_sets_the_sense(page, layout, first, sense):
    speeds, _ = page["fitted"](waves(np.arange(40), 1e4, 192, layout=layout, first=first))
    assert np.allclose(speeds, sense * 1e4 ** (-np.arange(192) / 192), rtol=1e-6)


@claim(PAGE, "With the sine first, every hand is at twelve o'clock at position 0")
@pytest.mark.parametrize("start", [0, 2.5, 300])
def the_slowest_hand_tells_the_position_of_row_0(page, start):
    speeds, first = page["fitted"](waves(start + np.arange(40), 1e4, 192))
    assert np.isclose((np.pi / 2 - first[-1]) / -speeds[-1], start, atol=1e-6)


@claim(PAGE, "It turns by 1.000 radian per row")
def the_first_hand_tells_the_scale(page):
    speeds, _ = page["fitted"](page["A"])
    assert f"{speeds[0]:.3f}" == "-1.000"
    halved, _ = page["fitted"](waves(np.arange(40) / 2, 1e4, 192))
    assert np.isclose(halved[0], -0.5)
    assert round(page["row_0"], 1) == 0


@claim(PAGE, "One of the last two is a round number")
def the_ratio_gives_a_base_for_each_divisor(page):
    values = f"{page['r']:.6f}", round(page["r"] ** 192), round(page["r"] ** 191)
    assert values == ("1.049403", 10_494, 10_000)


@claim(PAGE, "Table A comes from Whisper's code")
@pytest.mark.parametrize(("name", "maker"), [("A", "Whisper"), ("C", "DistilBERT"), ("E", "DiT")])
def tables_have_the_conventions_of_their_makers(page, name, maker):
    assert maker in str(describe(page["tables"][name]))


@claim(PAGE, "The last one is ours, and we moved all three sliders")
def our_table_has_another_start_speed_and_base(page):
    description = describe(page["ours"])
    base, _ = description.bases()[16]
    assert np.allclose([description.start, description.fastest, base], [3, 0.5, 100])


@claim(PAGE, "Give them random numbers, and they'll name a partner")
def random_numbers_get_a_partner_and_no_description(page):
    table = np.random.default_rng(0).normal(size=(40, 32))
    assert 0 < page["partner"](table) < 32
    with pytest.raises(ValueError, match="turn each pair evenly"):
        describe(table)


@claim(PAGE, "MAE's, table B, holds a row of zeros and then 14 rows of 14 patches")
def table_b_has_two_axes(page):
    table = page["tables"]["B"]
    assert np.flatnonzero(~table.any(axis=1)).tolist() == [0]
    description = describe(table, grid=(14, 14))
    columns = {name: axis.columns.tolist() for name, axis in description.axes.items()}
    assert columns == {"x": [*range(384)], "y": [*range(384, 768)]}


@claim(PAGE, "You can hand these over as well, as in `describe(np.hstack([cos, sin]))`")
def caches_are_read_as_waves_or_complex():
    angles = np.outer(np.arange(4096), angular_frequencies(128, base=500_000))
    halves, turns = np.hstack([np.cos(angles), np.sin(angles)]), np.exp(1j * angles)
    for cache in (halves.astype(np.float32), turns.astype(np.complex64)):
        description = describe(cache)
        assert "cache of turns" in str(description)
        assert np.isclose(description.bases()[64][0], 500_000, rtol=1e-4)


# --- programs ----------------------------------------------------------------


@claim(PAGE, "The first pairs neighbors, and the second pairs columns half a head apart")
@pytest.mark.parametrize(("name", "pairs"), [("neighbors", neighbors), ("halves", apart)])
def the_two_programs_turn_their_pairs(page, name, pairs):
    x, at = np.random.default_rng(0).normal(size=(7, 12)), np.array([0, 1, 2, 5, 40, 1000, 4095])
    result = page[f"turn_{name}"](x, at)
    assert np.allclose(result, rotated(x, at, pairs(12)), rtol=0, atol=1e-10)


@claim(PAGE, "reordering the columns of queries and keys only renames rows of matrices")
def reordered_columns_are_reordered_rows():
    rng = np.random.default_rng(0)
    x, (Wq, Wk), order = rng.normal(size=(9, 5)), rng.normal(size=(2, 16, 5)), rng.permutation(16)
    plain = products(x @ Wq.T, x @ Wk.T, neighbors(16))
    moved = [tuple(np.argsort(order)[list(pair)]) for pair in neighbors(16)]
    assert np.allclose(products(x @ Wq[order].T, x @ Wk[order].T, moved), plain)
    assert np.abs(products(x @ Wq.T, x @ Wk.T, moved) - plain).max() > 1


@claim(PAGE, "The matrices that read the rows learn their columns in another order")
def a_shuffled_table_is_a_matrix_with_shuffled_columns():
    rng = np.random.default_rng(0)
    words, W, order = rng.normal(size=(9, 16)), rng.normal(size=(5, 16)), rng.permutation(16)
    table = sinusoidal(9, 16)
    plain = (words + table) @ W.T
    # Words are learned in the same columns, so they come along.
    moved = words[:, order] + table[:, order]
    assert np.allclose(moved @ W[:, order].T, plain)
    assert np.abs(moved @ W.T - plain).max() > 1


@claim(
    PAGE, "lists 209 model families with rotary embeddings, of which 166 pair halves and the rest"
)
def so_many_families_pair_halves():
    layouts = [
        row["turned"][0]["layout"] for row in load_field_guide()["rows"] if row["kind"] == "turned"
    ]
    assert len(layouts) == 209
    assert (layouts.count("halves"), layouts.count("pairs")) == (166, 43)


@claim(PAGE, "That one passes, whichever columns you turn ")
@pytest.mark.parametrize("pairs", [neighbors, apart])
def any_pairs_keep_lengths_and_moved_scores(page, pairs):
    x, y = np.random.default_rng(0).normal(size=(2, 50, 64))
    at = np.arange(50)
    turned = rotated(x, at, pairs(64))
    lengths = np.linalg.norm(x, axis=1)
    assert np.allclose(np.linalg.norm(turned, axis=1), lengths)
    here = turned @ rotated(y, at, pairs(64)).T
    moved = rotated(x, at + 1000, pairs(64)) @ rotated(y, at + 1000, pairs(64)).T
    assert np.allclose(here, moved, rtol=0, atol=1e-9)


@claim(PAGE, "column 1 in the first program, column 4 in the second")
def the_one_flows_to_its_partner(page):
    for name, partner in (("neighbors", 1), ("halves", 4)):
        (row,) = page[f"turn_{name}"](np.eye(8)[:1], [1])
        expected = np.zeros(8)
        expected[[0, partner]] = np.cos(1), np.sin(1)
        assert np.allclose(row, expected, rtol=0, atol=1e-12)


@claim(PAGE, "rebuilds the program from what comes out")
def the_probe_makes_the_program_anew(page):
    description = probe_rotary(page["turn_halves"], 64)
    x, at = np.random.default_rng(1).normal(size=(5, 64)), np.array([0, 7, 300, 2000, 4000])
    assert np.allclose(description.turn(x, at), rotated(x, at, apart(64)), rtol=0, atol=1e-9)


@claim(
    PAGE, "come in the order that the halves layout expects, so the two columns of a pair turn by"
)
@pytest.mark.parametrize("width", [64, 80, 128, 256])
def tiled_angles_are_named(page, width):
    with pytest.raises(ValueError, match="angles are tiled"):
        probe_rotary(page["tiled"], width)
    (row,) = page["tiled"](np.eye(width)[:1], [1])
    assert np.flatnonzero(row).tolist() == [0, 1]
    assert abs(row @ row - 1) > 0.05  # so the two columns have different angles


@claim(PAGE, "a typical vector of random numbers comes out about 2% longer or shorter")
def tiled_angles_change_lengths(page):
    # With the page's 128 columns; of 1000 vectors, the median is 1.8 to 2.0% by seed.
    x = np.random.default_rng(12).normal(size=(1000, 128))
    lengths = {
        name: np.linalg.norm(page[name](x, np.full(1000, 100)), axis=1) / np.linalg.norm(x, axis=1)
        for name in ("tiled", "turn_neighbors", "turn_halves")
    }
    changes = {name: np.abs(ratios - 1) for name, ratios in lengths.items()}
    assert round(100 * np.median(changes["tiled"])) == 2
    assert max(changes["turn_neighbors"].max(), changes["turn_halves"].max()) < 1e-12


@claim(PAGE, "0.95 at one token back, 0.50 at ten, and 0.07 at a thousand")
@pytest.mark.parametrize(("offset", "expected"), [(1, "0.95"), (10, "0.50"), (1000, "0.07")])
def wrong_pairs_show_farther_back(offset, expected):
    # For random q and k, the correlation of two scores qᵀRk is the mean product of R's entries.
    unit, at = np.eye(128), np.full(128, offset)
    near, far = (rotated(unit, at, pairs(128)) for pairs in (neighbors, apart))
    assert f"{np.sum(near * far) / 128:.2f}" == expected
    q, k = np.random.default_rng(0).normal(size=(2, 20_000, 128))
    scores = [np.sum(q @ turned * k, axis=1) for turned in (near, far)]
    # Of so many draws, it's off by 0.01 or so.
    assert np.corrcoef(*scores)[0, 1] == pytest.approx(float(expected), abs=0.02)


# --- weights -----------------------------------------------------------------


@claim(PAGE, "we get the first picture back, number for number")
def the_moved_rows_put_the_head_right(page):
    own, loaded, in_order = page["own"], page["loaded"], page["in_order"]
    assert [own.argmax(), loaded.argmax(), in_order.argmax()] == [3, 5, 3]
    assert np.allclose(in_order, own, rtol=0, atol=1e-12)
    # As the picture's alternative text says.
    assert [f"{own[3]:.2f}", f"{loaded[5]:.2f}"] == ["0.61", "0.67"]
    assert loaded[3] < 0.01
    # One matrix is not enough.
    Wq, Wk = page["Wq"], page["Wk"]
    half = page["weights"](page["turn_halves"], to_halves(Wq, 1), Wk)
    assert np.abs(half - own).max() > 0.1


HEADS, WIDTH, PLACES = 4, 16, 6


def projected(x, W, bias=0, gain=1):
    """Return queries or keys (heads, places, width), normalized before they're turned."""
    rows = (x @ W.T + bias).reshape(PLACES, -1, WIDTH).swapaxes(0, 1)
    return rows / np.sqrt(np.mean(rows**2, axis=2, keepdims=True)) * gain


def head_scores(queries, keys, pairs, sense=1):
    """Return the scores of all heads, several of which share keys."""
    shared = len(queries) // len(keys)
    return [products(q, keys[k // shared], pairs(WIDTH), sense) for k, q in enumerate(queries)]


@pytest.fixture
def layer():
    """Return inputs, weights and biases of four heads of queries and two of keys, and gains."""
    rng = np.random.default_rng(0)
    x, gains = rng.normal(size=(PLACES, 10)), rng.normal(size=(2, WIDTH))
    Wq, Wk = rng.normal(size=(HEADS * WIDTH, 10)), rng.normal(size=(2 * WIDTH, 10))
    return x, (Wq, rng.normal(size=len(Wq)), gains[0]), (Wk, rng.normal(size=len(Wk)), gains[1])


@claim(PAGE, "but factors that all heads share count as one head")
@pytest.mark.parametrize("forgotten", [None, "weights", "biases", "gains"])
def weights_biases_and_gains_move_together(layer, forgotten):
    x, *parts = layer
    before = head_scores(*(projected(x, *part) for part in parts), neighbors)
    moved = []
    for (W, bias, gain), heads in zip(parts, (HEADS, 2)):
        order = {"weights": (W, heads), "biases": (bias, heads), "gains": (gain, 1)}
        moved.append(
            [rows if name == forgotten else to_halves(rows, n) for name, (rows, n) in order.items()]
        )
    after = head_scores(*(projected(x, *part) for part in moved), apart)
    assert np.allclose(after, before) == (forgotten is None)


@claim(PAGE, "LoRA's $B$, whose rows are added to theirs | LoRA's $A$")
def of_lora_only_b_moves(layer):
    Wq = layer[1][0]
    rng = np.random.default_rng(1)
    A, B = rng.normal(size=(3, 10)), rng.normal(size=(len(Wq), 3))
    whole = to_halves(Wq + B @ A, HEADS)
    assert np.allclose(to_halves(Wq, HEADS) + to_halves(B, HEADS) @ A, whole)
    assert not np.allclose(to_halves(Wq, HEADS) + B @ A, whole)


@claim(
    PAGE, "scales and zero points of a quantized matrix, one for each row | one scale for all of it"
)
def scales_of_rows_move(layer):
    Wq = layer[1][0]
    zero, scale = Wq.min(axis=1), np.ptp(Wq, axis=1) / 255
    numbers = np.round((Wq - zero[:, None]) / scale[:, None])
    whole = to_halves(numbers * scale[:, None] + zero[:, None], HEADS)
    parts = [to_halves(part, HEADS) for part in (numbers, scale, zero)]
    assert np.allclose(parts[0] * parts[1][:, None] + parts[2][:, None], whole)
    assert not np.allclose(parts[0] * scale[:, None] + zero[:, None], whole)
    assert np.allclose(
        to_halves(np.round(Wq * 40), HEADS) / 40, to_halves(np.round(Wq * 40) / 40, HEADS)
    )


@claim(PAGE, "values, output, input columns | ")
def values_and_outputs_stay(layer):
    x, query, key = layer
    V = np.random.default_rng(2).normal(size=(PLACES, WIDTH))
    ordered = [
        (to_halves(W, heads), to_halves(bias, heads), to_halves(gain, 1))
        for (W, bias, gain), heads in ((query, HEADS), (key, 2))
    ]
    before = head_scores(*(projected(x, *part) for part in (query, key)), neighbors)
    after = head_scores(*(projected(x, *part) for part in ordered), apart)
    assert np.allclose(np.array(after) @ V, np.array(before) @ V)


@claim(PAGE, "Throw away keys that are already stored")
def cached_keys_fit_the_old_pairs_only(layer):
    x, query, key = layer
    W, bias, gain = (to_halves(part, n) for part, n in zip(query, (HEADS, HEADS, 1)))
    old_keys, at = projected(x, *key), np.arange(PLACES)
    new_queries = projected(x, W, bias, gain)
    right = head_scores(projected(x, *query), old_keys, neighbors)
    mixed = [
        rotated(q, at, apart(WIDTH)) @ rotated(old_keys[k // 2], at, neighbors(WIDTH)).T
        for k, q in enumerate(new_queries)
    ]
    assert np.abs(np.array(mixed) - right).max() > 1


@claim(
    PAGE,
    "toward* the second and the other *away from* it (in our field guide, only *nanochat* does)",
)
def one_family_and_shifts_turn_away(page):
    turned = [row for row in load_field_guide()["rows"] if row["kind"] == "turned"]
    away = {row["name"] for row in turned for part in row["turned"] if part["sense"] < 0}
    assert away == {"nanochat"}
    # The page's own programs turn toward it, and a table's shift away.
    assert [probe_rotary(page[f"turn_{name}"], 64).sense for name in ("neighbors", "halves")] == [
        1,
        1,
    ]
    speeds = angular_frequencies(64)
    shifted = probe_rotary(lambda x, at: apply_rotary(x, speeds, positions=at), 64)
    assert shifted.sense == -1


@claim(PAGE, "swap the two rows of each pair")
def programs_that_turn_the_other_way_want_pairs_exchanged(layer):
    x, query, key = layer
    exchanged = [
        (part.reshape(-1, 2, *part.shape[1:])[:, ::-1].reshape(part.shape) for part in weights)
        for weights in (query, key)
    ]
    before = head_scores(*(projected(x, *part) for part in (query, key)), neighbors)
    after = head_scores(*(projected(x, *part) for part in exchanged), neighbors, sense=-1)
    unmoved = head_scores(*(projected(x, *part) for part in (query, key)), neighbors, sense=-1)
    assert np.allclose(after, before)
    assert not np.allclose(unmoved, before)


@claim(PAGE, '{"q": 32, "k": 8, "v": 8}, width=128)')
def fused_parts_are_reordered_and_values_stay():
    q, k, v = np.split(np.arange(48 * 128), [32 * 128, 40 * 128])
    fused = to_halves(np.concatenate([q, k, v]), {"q": 32, "k": 8, "v": 8}, width=128)
    assert np.array_equal(fused, np.concatenate([to_halves(q, 32), to_halves(k, 8), v]))
    dealt = np.stack([q.reshape(32, 128), *2 * [q.reshape(32, 128) + 10**5]], axis=1).ravel()
    parts = to_halves(dealt, {"q": 1, "k": 1, "v": 1}, groups=32).reshape(32, 3, 128)
    assert np.array_equal(parts[:, 0].ravel(), to_halves(q, 32))
    assert np.array_equal(parts[:, 1].ravel(), to_halves(q, 32) + 10**5)
    assert np.array_equal(parts[:, 2].ravel(), q + 10**5)


@claim(PAGE, "turned=probe_rotary(turn, 128).pairs")
def pairs_of_either_program_say_what_turns(page):
    def turn(x, positions):
        middle = page["turn_halves"](x[:, 32:96], positions)
        return np.hstack([x[:, :32], middle, x[:, 96:]])

    description = probe_rotary(turn, 128)
    rows = to_halves(np.arange(32 * 128), 32, turned=description.pairs).reshape(32, 128)
    expected = [*range(32), *range(32, 96, 2), *range(33, 96, 2), *range(96, 128)]
    assert np.array_equal(rows, expected + 128 * np.arange(32)[:, None])


@claim(PAGE, "of whose 576 the last 64 turn | `to_halves(W, 1, turned=range(512, 576))`")
def latent_attention_turns_its_last_rows():
    rng = np.random.default_rng(0)
    compressed, queries = rng.normal(size=(576, 3)), rng.normal(size=(2 * 192, 3))
    x = rng.normal(size=(5, 3))

    def scores(queries, compressed, pairs):
        key = (x @ compressed.T)[:, 512:]
        heads = (x @ queries.T).reshape(5, 2, 192)[:, :, 128:]
        return [products(heads[:, head], key, pairs(64)) for head in range(2)]

    before = scores(queries, compressed, neighbors)
    moved = to_halves(queries, 2, turned=range(128, 192))
    latent = to_halves(compressed, 1, turned=range(512, 576))
    assert np.allclose(scores(moved, latent, apart), before)
    assert np.array_equal(latent[:512], compressed[:512])
    assert not np.allclose(scores(moved, compressed, apart), before)


@claim(PAGE, "If you pass `width`, `to_halves` raises an error when the rows don't fit")
def a_wrong_number_of_heads_is_refused_by_width():
    assert len(to_halves(np.arange(8 * 128), 8, width=128)) == 1024
    with pytest.raises(ValueError, match="weights must have 32 heads, 32 \\* 128 rows, got 1024"):
        to_halves(np.arange(8 * 128), 32, width=128)
    # Unsaid, the number is believed.
    assert not np.array_equal(to_halves(np.arange(1024), 32), to_halves(np.arange(1024), 8))


# --- questions, and the last digits ------------------------------------------


@claim(PAGE, "There are 32 pairs, each of length 1")
def rows_of_64_columns_have_the_length_of_32_pairs():
    assert np.allclose(np.linalg.norm(sinusoidal(50, 64), axis=1), np.sqrt(32))
    assert np.ptp(np.linalg.norm(sinusoidal(50, 64)[:, 0::2], axis=1)) > 0.1


@claim(PAGE, "A base of 757 makes the same table")
def sixteen_hands_allow_two_bases():
    assert round(500 ** (16 / 15)) == 757


@claim(PAGE, "for one, turns only some columns")
def gemma_4_turns_some_columns():
    (row,) = [row for row in load_field_guide()["rows"] if row["name"] == "gemma4_text"]
    assert any(part["turned"] < part["head"] for part in row["turned"])


@claim(PAGE, "There is no position 257")
def types_lose_whole_numbers():
    whole = np.arange(4096)
    for rounded, first in ((bfloat16, 257), (np.float16, 2049)):
        assert np.flatnonzero(rounded(whole) != whole)[0] == first


@claim(PAGE, "this is how many degrees the worst of them is off")
def rounded_frequencies_turn_hands_away(page):
    speeds = np.array(exact_frequencies(128), float)
    worst = np.degrees(np.abs(bfloat16(speeds) - speeds).max())
    assert [f"{worst * offset:.1f}" for offset in (10, 100, 1000)] == ["0.7", "7.0", "70.1"]


@claim(PAGE, "is off by at most $2^{-25}$, or $3 \\cdot 10^{-8}$, however far out")
@pytest.mark.parametrize("start", [1_000, 100_000, 1_000_000])
def sines_are_rounded_last(start):
    places, speeds = np.arange(start, start + 200), angular_frequencies(256)
    exact = sinusoidal(200, 256, start=start)
    assert np.abs(exact.astype(np.float32) - exact).max() <= 2.0**-25 * (1 + 1e-6)
    early = np.sin(places.astype(np.float32)[:, None] * speeds.astype(np.float32))
    gap = np.spacing(np.float32(places[-1]))
    # The sine itself is rounded, too.
    assert gap / 2 < np.abs(early - exact[:, 0::2]).max() <= gap + 2.0**-24
    assert start < 1_000_000 or f"{gap:.2f}" == "0.06"


@claim(PAGE, "but the plain power is the more exact of the two")
@pytest.mark.parametrize("width", [50, 64, 100, 128, 256, 500, 512])
def the_plain_power_loses_less_than_the_detour(width):
    k, exact = np.arange(0, width, 2, dtype=np.float32), angular_frequencies(width)
    share, logarithm = (
        (k / np.float32(width)).astype(float),
        (k * np.float32(-np.log(10_000) / width)).astype(float),
    )
    # In float64, so that what the rounded exponents cost shows alone.
    power, detour = (
        2**23 * np.abs(frequencies / exact - 1).max()
        for frequencies in (1e4**-share, np.exp(logarithm))
    )
    assert power < 2.31
    assert power < detour


@claim(PAGE, "so it was one too many. Query and key both got it")
def the_printed_function_is_right_about_itself_only():
    rng = np.random.default_rng(0)
    keys, query = rng.normal(size=(6, 8)), rng.normal(size=(1, 8))
    at, pairs = np.arange(6), [(k, k + 1) for k in range(0, 8, 2)]
    turned = rotated(keys, at, pairs, sense=-1)
    right = turned @ rotated(query, np.array([5]), pairs, sense=-1)[0]
    turned[-1] = rotated(keys[-1:], np.array([6]), pairs, sense=-1)[0]
    slip = turned @ rotated(query, np.array([6]), pairs, sense=-1)[0]
    assert np.isclose(slip[-1], right[-1])
    assert (np.abs(slip - right)[:-1] > 1e-3).all()


@claim(PAGE, "(Another head might fetch another one, or even the right one.)")
def other_heads_fetch_other_tokens(page):
    turns = [page[f"turn_{name}"] for name in ("neighbors", "halves")]
    fetched = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x = np.hstack([np.ones((8, 1)), rng.normal(size=(8, 63))])
        query, key = rng.normal(size=(2, 64, 64)) / 16
        query[:, 0] = 2 * rng.normal(size=64)
        key[:, 0] = turns[0](query[:, 0][None], [3])[0]
        looks = []
        for turn in turns:
            queries, keys = (turn(x @ W.T, np.arange(8)) for W in (query, key))
            looks.append(7 - int((keys @ queries[-1]).argmax()))
        if looks[0] == 3:
            fetched.add(looks[1])
    assert 3 in fetched
    assert len(fetched) > 4
