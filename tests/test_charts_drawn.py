"""Each chart draws what `posenc` computes, where it belongs, wherever its sliders stand."""

import math
import re

import chart_parts as given
import numpy as np
import pytest
from chart_parts import drawn, specification, texts, units
from numpy.testing import assert_allclose, assert_array_equal

from posenc import charts, encodings, long_context
from posenc.charts import distances, learning
from posenc.charts.dials import HAND
from posenc.charts.grids import AXES, ROUND
from posenc.charts.long_context import RULES
from posenc.distances import dot_product_at
from posenc.encodings import angular_frequencies, binary, clock, sinusoidal, sinusoidal_2d
from posenc.learning import rotations
from posenc.palette import COLORS
from posenc.rotary import apply_rotary

BLUE, ORANGE, GREEN, *_ = COLORS


@pytest.fixture
def spec(request):
    name, values = request.param
    return specification(name, **values)


def states(name, parameters, *rows):
    """Run a test for each row of values of a chart's parameters, with the chart as `spec`."""
    names = parameters.split()
    rows = [((name, dict(zip(names, row))), *row) for row in rows]
    return pytest.mark.parametrize(("spec", *names), rows, indirect=["spec"])


def close(actual, expected, atol=1e-9):
    assert_allclose(actual, expected, rtol=1e-7, atol=atol)


def assert_map(cells, field, matrix, sides, *, mask=True, atol=1e-9, left=0, most=None):
    """Compare a heat map with a matrix: its rows run downwards, its columns to the right.

    Numbers from 0 to `most` are blue, the more so the larger. Of both signs, they are red above 0.
    """
    rows, columns = np.nonzero(np.full(matrix.shape, mask))
    order, values = np.lexsort((cells["x"], cells["y"])), cells[f"datum.{field}"]
    places = [left + sides[0] * columns, sides[1] * rows]
    close([cells["x"][order], cells["y"][order]], places, 1e-6)
    close(values[order], matrix[rows, columns], atol)
    # As rgb(r, g, b) or rgba(r, g, b, opacity).
    red, _, blue, *opacity = zip(*([*re.findall(r"[\d.e-]+", it), "1"] for it in cells["fill"]))
    shares = values / (most or np.abs(values).max())
    opacity = np.array(opacity[0], float)
    close(opacity / (1 if most else opacity.max()), np.abs(shares), 0.01)
    clear = np.abs(shares) > 0.01
    is_red = np.array(red, int) > np.array(blue, int)
    assert_array_equal(is_red[clear], (shares > 0)[clear] & (most is None))


def hands_at(position, width, base=10_000.0):
    """Return each pair of an encoding as a complex number, the sine rightwards, cosine upwards."""
    row = sinusoidal(1, width, base=base, start=position)[0]
    return row[0::2] + 1j * row[1::2]


def seen_from(middle, marks, end=""):
    """Return where marks stand from a middle in pixels, as complex numbers, upwards."""
    return marks[f"x{end}"] - np.real(middle) - 1j * (marks[f"y{end}"] - np.imag(middle))


def waves(marks):
    return marks["datum.sine"] + 1j * marks["datum.cosine"]


@states("table", "position pair", (13, 3), (0, 0), (63, 15), (40, 7))
def test_table_draws_what_posenc_computes(spec, position, pair):
    cells, row, columns, _, link, bar, end, _, waves, *rest = drawn(spec)
    bars, frame, *hand = *rest[2:4], *rest[7:]
    table, side, middle = encodings.sinusoidal(64, 32), 560 / 54.5, 5 * position + 2.5
    assert_map(cells, "value", table, (side, 5))
    assert not re.search("position|pair", str(units(spec)[0]["transform"])), "drawn only once"
    numbers, title = table[position], " ".join(texts(spec)).replace("−", "-")
    close([bars["x"], bars["datum.value"]], [side * np.arange(32), numbers])
    ends = np.array([np.maximum(numbers, 0), np.minimum(numbers, 0)])
    close([bars["y"], bars["y2"]], 50 - ends / 0.0224)
    close([row["y"], row["y2"], link["y"]], [[middle - 3.75], [middle + 3.75], [middle]])
    close([columns["x"], frame["x"], columns["x2"] - 2 * side], 2 * pair * side)
    k, frequency = "".join("₀₁₂₃₄₅₆₇₈₉"[int(it)] for it in str(pair)), angular_frequencies(32)[pair]
    for column, wave, color, *dots in zip(
        (2 * pair, 2 * pair + 1), ("sin", "cos"), COLORS, rest, rest[4:]
    ):
        mine, places = waves["stroke"] == color, (42.25 + 6.25 * table[:, column]) * side
        close(waves["y"][mine], 2.5 + 0.5 * np.arange(631))
        close(waves["x"][mine][::10], places)
        here = [places[position], (column + 0.5) * side, middle, 50 - numbers[column] / 0.0224]
        close([dot[axis][0] for axis in "xy" for dot in dots], here)
        assert [dot["fill"][0] for dot in dots] == [color, color]
        number = f"{wave}({position} · ω{k}) = {numbers[column]:.3f}"
        assert f"PE[{position}, {column}] = {number} " in title
    sine, cosine = numbers[2 * pair : 2 * pair + 2]
    paths = re.findall(r"-?[\d.]+", " ".join(part["shape"][0] for part in hand))
    close([*map(float, paths)], [0, 0, sine, -cosine, 0, 0, sine, sine, 0, -cosine])
    length = math.tau / frequency
    close(bar["y2"], 2.5 + 5 * min(length, 63))
    assert (end["shape"] == "triangle-down") == (length > 63)
    assert f"ω{k} = {frequency:.4g}, λ{k} = {length:_.1f} positions".replace("_", "\u202f") in title
    if spec == specification("table"):
        assert f"pair {pair} meet in {sine:.3f} and {cosine:.3f}" in spec["description"]


@states("clock_face", "hours minutes seconds run", (2, 44, 30, 0), (11, 59, 59, 962))
def test_clock_face_points_and_draws_bars_as_the_clock_encoding(spec, hours, minutes, seconds, run):
    *_, hands, _, bars = drawn(spec)
    moment = (3600 * hours + 60 * minutes + seconds + run) % 43_200
    numbers, time = clock(moment), f"{moment // 3600:02}:{moment // 60 % 60:02}:{moment % 60:02}"
    close(bars["datum.value"], numbers)
    ends = [np.minimum(numbers, 0), np.maximum(numbers, 0)]
    close([bars["x"] / 85 - 1, bars["x2"] / 85 - 1], ends)
    words = texts(spec)
    assert time in words
    if spec == specification("clock_face"):
        assert f"It shows {time} at first" in spec["description"]
    for name, number in zip(bars["datum.number"], numbers):
        (label,) = [word for word in words if word.startswith(f"{name}\u2002")]
        assert label.endswith(f"{number.round(3) + 0:+.3f}".replace("-", "−"))
    # The slowest hand, which is the shortest, lies lowest.
    assert [*hands["datum.hand"]] == ["hour", "minute", "second"]
    expected = (numbers[0::2] + 1j * numbers[1::2])[::-1]
    tips, tails = (seen_from(135 + 135j, hands, end) for end in ("", "2"))
    close([tips, tails], [abs(tips) * expected, -abs(tails) * expected])
    assert (2 * abs(tails) < abs(tips)).all()
    assert 0 < abs(tips[0]) < abs(tips[1]) < abs(tips[2]) < 120
    close(hands["datum.degrees"], np.degrees(np.angle(1j / expected)) % 360)


def test_the_face_of_the_clock_agrees_with_its_hands():
    rim, _, ticks, numerals, *_ = drawn(specification("clock_face"))
    seconds = clock(np.arange(60))[:, :2] @ [1, 1j]
    rim, numbers, outer = (seen_from(135 + 135j, marks) for marks in (rim, numerals, ticks))
    inner = seen_from(135 + 135j, ticks, "2")
    close(rim[::2], abs(rim[0]) * seconds)
    long = np.arange(60) % 5 == 0
    for places in (outer, inner):
        close(places, np.where(long, abs(places[0]), abs(places[1])) * seconds)
    assert abs(inner[0]) < abs(inner[1]) < abs(outer[0]) < abs(rim[0])
    close(numbers, abs(numbers[0]) * np.roll(seconds[::5], -1))
    assert_array_equal(numerals["text"].astype(int), np.arange(1, 13))


@states("regular_clock", "position power", (50, 4), (200, 1))
def test_regular_clock_is_the_encoding_of_width_32(spec, position, power):
    rims, twelve, hands, tips, numbers = drawn(spec)
    base = 10.0**power
    frequencies, expected = angular_frequencies(32, base=base), hands_at(position, 32, base=base)
    close(waves(hands), expected)
    close(hands["datum.turns"], position * frequencies / math.tau)
    close(hands["datum.wavelength"], math.tau / frequencies)
    k, radius = np.arange(16), 380 / 9.74
    middles = radius * (1.12 + 2.5 * (k % 4) + 1j * (1.12 + 2.5 * (k // 4)))
    for marks, end, share in ((hands, "", radius), (hands, "2", 0), (tips, "", radius)):
        close(seen_from(middles, marks, end), share * expected)
    over = position * frequencies >= np.pi
    assert_array_equal(hands["stroke"], np.where(over, ORANGE, GREEN))
    assert (over.sum() == 5) == (spec == specification("regular_clock")), "as its description says"
    assert_array_equal(numbers["text"].astype(int), k)
    close(seen_from(middles, numbers), 0.7 * math.sqrt(2) * (1j - 1) * radius)
    close(np.abs(seen_from(middles.repeat(120), rims)), radius)
    close(seen_from(middles, twelve), 1j * radius)
    assert f"gear ratio {1 / frequencies[1]:.4g}" in texts(spec)


@states("odometer", "position", (0,), (0.25,), (1,), (7.75,), (32,), (45.5,), (63,))
def test_odometer_shows_the_bits_what_flipped_and_dials_of_their_periods(spec, position):
    spec["width"] = 520 if position % 1 else 230  # on paper and on a phone
    cells, digits, halves, discs, hands = drawn(spec)
    bits, before = binary(64)[[int(position), max(int(position) - 1, 0)]]
    assert_array_equal(cells["fill"], np.where(bits, f"{BLUE}50", "transparent"))
    assert_array_equal(digits["text"], bits)
    assert_array_equal(cells["stroke"] == ORANGE, bits != before)
    title = " ".join(texts(spec))
    assert f"position {position:.2f}, bits {' '.join(map(str, bits))} " in title
    assert f"flipped on arriving at {int(position)}: {(bits != before).sum()}" in title
    # Base 2^6 at π times the position: pair i of width 12 has the wavelength 2^(i+1).
    expected, degrees = hands_at(np.pi * position, 12, base=2.0**6), hands["datum.degrees"]
    close([waves(hands), 1j * np.exp(-1j * np.radians(degrees))], [expected, expected])
    close(hands.get("angle", 0), degrees)
    # The hand is in the left half, which has the color of a 1, exactly while the bit is 1.
    assert_array_equal(degrees >= 180, bits)
    assert {*halves["fill"]} == {f"{BLUE}50"}
    assert {*halves["shape"]} == {"M0,-1A1,1,0,0,0,0,1Z"}, "the arc from the top to the left"
    assert {*hands["shape"]} == {HAND}
    for marks in (discs, halves, hands):
        close([marks["x"], marks["y"]], [cells["x"], cells["y"] + 95])
    assert 0.8 < math.sqrt(discs["size"][0]) / min(spec["width"] / 6, 95) < 0.9, "none touch"
    assert [unit["mark"].get("aria") for unit in units(spec)] == [None, False, False, False, None]


@states("unit_circles", "position offset", (3, 4), (0, 0), (20.5, -9.5), (60, 10), (41, -0.5))
def test_unit_circles_turn_by_frequency_times_offset(spec, position, offset):
    rims, _, arcs, heads, hands, tips, captions = drawn(spec)
    frequencies, k, radius = angular_frequencies(16)[:4], np.arange(4), 460 / 4.99
    middles = radius * (1.12 + 2.75 * (k % 2) + 1j * (1.12 + 2.75 * (k // 2)))
    close(np.abs(seen_from(middles.repeat(120), rims)), radius)
    now, then = (hands_at(at, 16)[:4] for at in (position, position + offset))
    expected = np.stack([now, then], axis=1).ravel()
    for marks, end, share in ((hands, "", radius), (hands, "2", 0), (tips, "", radius)):
        close(seen_from(middles.repeat(2), marks, end), share * expected)
    assert [*hands["stroke"]] == [*tips["fill"]] == 4 * [GREEN, ORANGE]
    assert [*hands["strokeWidth"]] == 4 * [5, 2.5], "both show where they meet"
    assert [*tips["shape"]] == 4 * ["circle", "square"]
    close(waves(tips), expected)
    assert_array_equal(tips["datum.at"], 4 * [position, position + offset])
    arcs = seen_from(middles.repeat(61), arcs).reshape(4, 61)
    close(np.angle(arcs[:, 0] / now), 0)
    close(np.unwrap(np.angle(arcs))[:, -1] - np.angle(arcs[:, 0]), -frequencies * offset)
    close(np.abs(arcs[:, 0]), radius / 2)
    assert (np.abs(arcs) < 0.75 * radius).all(), "inside of the circle"
    assert len(heads["x"]) == (4 if offset else 0)
    if offset:
        close(seen_from(middles, heads), arcs[:, -1])
        ahead = frequencies * (position + offset) + np.pi / 2 * np.sign(offset)
        close(heads["angle"], np.degrees(ahead))
    degrees = [f"{it + 0:.1f}".replace("-", "−") for it in np.degrees(frequencies * offset)]
    assert [*captions["text"]] == [f"pair {k} turns {it}°" for k, it in enumerate(degrees)]
    close(seen_from(middles, captions), 1j * radius, 1e-6)


@states("doubling", "doublings", (0,), (0.3,), (2.25,), (3,), (3.8,), (4.5,), (5,))
def test_doubling_copies_all_rows_slides_them_below_themselves_and_turns_them(spec, doublings):
    cells, frame, discs, hands = drawn(spec)
    made = 2 ** min(int(doublings), 4)
    part = doublings - np.log2(made)
    slid, turned = made * min(1, 2 * part), made * max(0, 2 * part - 1)
    row, first = 440 / 36.5, 4.5  # of the table, in rows below the top
    table = sinusoidal(made, 32)[:, :16]
    copy = sinusoidal(made, 32, start=turned)[:, :16]
    above, below = slice(16 * made), slice(-16 * made, None)
    for block, values, top in (above, table, first), (below, copy, first + slid):
        found = {name: column[block] for name, column in cells.items()}
        found["y"] = found["y"] - row * top
        assert_map(found, "value", values, (520 / 16, row))
    assert len(cells["x"]) == 32 * made, "the copy lies on top"
    close([*frame["x"], *frame["y"], *frame["height"]], [0, row * (first + slid), row * made])
    middles = 32.5 + 65 * np.arange(8)
    for marks in (discs, hands):
        close([marks["x"], marks["y"]], [middles, np.full(8, 2.3 * row)])
        assert 0.8 < math.sqrt(marks["size"][0]) / min(65, 4 * row) < 0.9
    first_of_copy = hands_at(turned, 32)[:8]
    close(1j * np.exp(-1j * np.radians(hands.get("angle", np.zeros(8)))), first_of_copy)
    title = " ".join(texts(spec))
    assert f"rows so far: {32 if doublings == 5 else made} " in title
    what = f"turns by {turned:.1f} of" if turned else f"slides down by {slid:.1f} of"
    assert f"the copy {what} {made} {'position' if turned else 'row'}{'s' * (made > 1)}" in title


@states("profile", "columns exponent", (64, 4), (2, 4), (256, 6), (8, 1))
def test_profile_draws_the_product_and_the_law_on_a_logarithmic_axis(spec, columns, exponent):
    law, products, pointed, rise = drawn(spec)
    assert [*distances.OFFSETS[:60], distances.OFFSETS[-1]] == [*range(1, 61), 10_000]
    across = 135 * np.log10(distances.OFFSETS)
    every = dot_product_at(distances.OFFSETS, angular_frequencies(columns, base=10.0**exponent))
    straight = 1 - (np.euler_gamma + np.log(distances.OFFSETS)) / (exponent * np.log(10))
    shown = straight >= 0
    close([law["x"], 160 - law["y"]], [across[shown], 160 * straight[shown]], atol=1e-6)
    assert ({*law["datum.curve"]}, {*law["stroke"]}) == ({distances.LAW}, {"#808080"})
    close([products["x"], 160 - products["y"]], [across, 320 / columns * every], atol=1e-6)
    assert ({*products["datum.curve"]}, {*products["stroke"]}) == ({distances.PRODUCT}, {BLUE})
    close([pointed["x"], pointed["datum.product"] * columns / 2], [across, every], atol=1e-6)
    falling = dot_product_at(np.arange(100), angular_frequencies(columns, base=10.0**exponent))
    first = np.flatnonzero(np.diff(falling) > 0)[0]
    close(rise["x"], 135 * np.log10(first))
    assert f"the product first rises after offset {first}" in texts(spec)


MAPS = ("words only", "positions only", "words + positions")


@states("attention_maps", "shown", *[(it,) for it in MAPS])
def test_attention_maps_draw_the_weights_they_are_given(spec, shown):
    count = len(given.TOKENS)
    (cells,) = drawn(spec)
    matrix = [*given.MAPS.values()][MAPS.index(shown)]
    most = np.ceil(10 * max(it.max() for it in given.MAPS.values())) / 10
    assert shown in texts(spec)
    queries, keys = np.indices((count, count)).reshape(2, -1)
    names = np.array([f"{position} {token}" for position, token in enumerate(given.TOKENS)], object)
    assert_array_equal([cells["datum.query"], cells["datum.key"]], names[[queries, keys]])
    assert_map(cells, "weight", matrix, (380 / count, 380 / count), atol=0.51e-4, most=most)
    close(cells["datum.weight"], cells["datum.weight"].round(4), atol=0)
    told = ["query", "key", "words", "positions", "both"]
    for unit in units(spec):
        assert [it["field"] for it in unit["encoding"]["tooltip"]] == told
    # What the pointer does, done beforehand: only the row of one query is not faded.
    next(it for it in spec["params"] if it["name"] == "query")["value"] = [{"query": names[10]}]
    (faded,) = drawn(spec)
    assert_array_equal(faded["opacity"] == 1, faded["datum.query"] == names[10])
    assert f"the sentence “{' '.join(given.TOKENS)}”" in spec["description"]


@pytest.mark.parametrize("count", [10, 11])
def test_attention_maps_write_the_weights_of_at_most_ten_words(count):
    even = np.full((count, count), 1 / count)
    spec = charts.attention_maps(given.TOKENS[:count], even, np.eye(count), even).to_dict()
    _, *numbers = drawn(spec)
    assert len(numbers) == (count <= 10)
    for written in numbers:
        assert_array_equal(written["text"], np.full(count**2, "0.10"))


@states("head_in_training", "step", (0,), (90,), (120,))
def test_head_in_training_draws_rotations_and_weights_of_the_step_and_between(spec, step):
    *_, goals, hands, tips, _, cells = drawn(spec)

    def now(given_by_step):
        """Halfway between two steps, the mean."""
        return given_by_step.get(step, (given_by_step[60] + given_by_step[120]) / 2)

    assert_map(cells, "weight", now(given.SNAPSHOTS), (75, 60), mask=np.tri(4), atol=0.011, most=1)
    turns = {at: rotations(W)[: learning.PAIRS] for at, W in given.LEARNING.items()}
    found = now(turns) / np.abs(list(turns.values())).max()
    close(np.exp(1j * tips["datum.angle"]), found / abs(found), 0.01)
    close(tips["datum.length"] ** 2, abs(found), 0.001)
    close(goals["datum.goal"], 3 * angular_frequencies(12), 1e-4)
    # A tip lies where its hand ends, on its own dial, as far right as the sine.
    close([tips["x"], tips["y"]], [hands["x"], hands["y"]], 1e-6)
    right = tips["x"] - goals["x2"]
    reach = np.hypot(goals["x"] - goals["x2"], goals["y"] - goals["y2"])
    close(right / reach, tips["datum.length"] * np.sin(tips["datum.angle"]), 0.01)
    assert f"after {step} steps: loss {given.LOSSES[step].round(2):.2f}" in texts(spec)
    assert "M(3) turns the pair" in spec["description"]


@states("turned_hands", "position offset", (1, 6), (0, 0), (40.5, 6), (7, 87.5))
def test_turned_hands_draws_queries_and_keys_turned_and_their_score(spec, position, offset):
    rims, _, arcs, heads, hands, tips, captions, curve, here = drawn(spec)
    query, key, *_ = (vector.round(2) for vector in given.VECTORS.values())
    frequencies, k, radius = angular_frequencies(16), np.arange(8), 430 / 11.6
    at = [position + offset, position]
    turned = [apply_rotary([row], frequencies, start=it)[0] for row, it in zip((query, key), at)]
    asks, asked = (row[0::2] + 1j * row[1::2] for row in turned)
    expected = np.stack([asks / abs(asks).max(), asked / abs(asked).max()], axis=1).ravel()
    middles = radius * (1.3 + 3 * (k % 4) + 1j * (1.3 + 3 * (k // 4)))
    close(np.abs(seen_from(middles.repeat(120), rims)), radius)
    for marks, end, share in ((hands, "", radius), (hands, "2", 0), (tips, "", radius)):
        close(seen_from(middles.repeat(2), marks, end), share * expected)
    assert [*hands["stroke"]] == [*tips["fill"]] == 8 * [GREEN, ORANGE]
    assert [*tips["shape"]] == 8 * ["circle", "square"]
    arcs = seen_from(middles.repeat(61), arcs).reshape(8, 61)
    between = -np.angle(asks / asked)  # clockwise, from the key's hand to the query's
    close(np.angle(arcs[:, 0] / asked), 0)
    close(-np.unwrap(np.angle(arcs))[:, -1] + np.angle(arcs[:, 0]), between)
    # Outside of the rim no hand covers them; a short one has no head, which would.
    assert (np.abs(arcs) > 1.15 * radius).all()
    long = np.abs(between) > 0.25
    close(seen_from(middles[long], heads), arcs[long, -1])
    assert [*captions["text"]] == [f"pair {it}" for it in k]

    offsets = np.arange(101)
    rows = apply_rotary(np.tile(query, (101, 1)), frequencies, positions=offsets)
    scores = rows @ key / 4
    close([curve["datum.at"], curve["x"] / 4.3, curve["datum.score"]], [offsets, offsets, scores])
    slope, level = np.polyfit(scores, curve["y"], 1)
    assert slope < 0
    close(curve["y"], level + slope * scores, atol=1e-6)
    (score,) = apply_rotary([query], frequencies, start=offset) @ key / 4
    close([here["datum.at"], here["datum.score"]], [[offset], [score]])
    words = f"offset {offset:g}: score {score:.2f}".replace("-", "−")
    assert words in texts(spec)


def test_the_scale_of_turned_hands_has_room_for_the_score_of_any_two_vectors():
    for query in given.VECTORS:
        for key in given.VECTORS:
            curve = drawn(specification("turned_hands", query=query, key=key))[-2]
            assert (curve["y"] >= -1e-6).all()
            assert (curve["y"] <= 150 + 1e-6).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("offset", [2048, 4096, 20_000, 32_768])
def test_growing_text_shows_which_hands_come_to_new_angles(rule, offset):
    spec = specification("growing_text", rule=rule, offset=offset, stretch=5)
    spec["width"] = 440 if offset % 64 else 330
    plain = angular_frequencies(128)
    slowed = (
        plain,
        long_context.interpolate(plain, 5),
        angular_frequencies(128, base=long_context.ntk_base(10_000, 128, 5)),
        long_context.by_parts(plain, 4096, 5, 1, 4),
    )
    slowed, turn = dict(zip(RULES, slowed))[rule], math.tau * (1 + 1e-9)
    known, went = np.minimum(4096 * plain, math.tau), offset * slowed
    met = long_context.unfinished(plain, 4096) & (went > known * (1 + 1e-9))
    assert f"of 64 hands, {met.sum()} have been at new angles" in texts(spec)
    title = f"offset {offset:_} (c × 4096 = 20_480)"
    assert title.replace("_", "\u202f") in texts(spec)
    assert not met[:32].any(), "of the hands that are not drawn"
    trained, passed, rims, hands, numbers, _ = drawn(spec)
    k = numbers["text"].astype(int)
    assert_array_equal(k, np.arange(32, 64))
    close([trained["startAngle"], trained["endAngle"]], [0 * known[k], known[k]])
    ends = np.where(met, np.minimum(went, math.tau), known)[k]
    close([passed["startAngle"], passed["endAngle"]], [known[k], ends])
    close(hands["angle"], np.degrees(went[k]) % 360)
    new = np.radians(hands["angle"]) > known[k] * turn / math.tau
    assert_array_equal(hands["fill"], np.where(new, ORANGE, GREEN))
    assert set(new * (1 - met[k])) == {0}, "no hand is orange that has been all around"
    assert {*hands["shape"]} == {HAND}
    assert {*passed["fill"]} == {ORANGE}
    side, places = spec["width"] / 8, np.divmod(np.arange(32), 8)
    for marks in (trained, passed, rims, hands):
        close([marks["y"] / 60 - 0.5, marks["x"] / side - 0.5], places)
    close(np.sqrt(rims["size"]), 2 * trained["outerRadius"])


@states("nearness", "kind sharpness muted", (AXES, 3, 5), (AXES, 16, 32), (ROUND, 0.5, 16))
def test_nearness_draws_the_weights_of_grids(spec, kind, sharpness, muted):
    cells, marks = drawn(spec)
    table, heard = sinusoidal_2d(41, 41, 256).reshape(41, 41, -1), 64 - muted
    table = np.delete(table, [*range(2 * muted), *range(128, 128 + 2 * muted)], axis=2)
    products = table @ table[20, 20] / (2 * heard)
    if kind == ROUND:
        y, x = np.indices((41, 41)) - 20
        products = products[20, 21] ** (x**2 + y**2)
    weights = np.exp(sharpness * 2 * heard * (products - 1) / np.sqrt(256))
    close(cells["datum.product"], products.ravel())
    assert_map(cells, "weight", weights, (9, 9), most=1)
    found = {shape: place for shape, *place in zip(marks["shape"], marks["x"], marks["y"])}
    assert found == {"circle": [9 * 33 + 4.5, 9 * 20 + 4.5], "square": [9 * 23 + 4.5] * 2}
    for name, place in (("13 columns", (20, 33)), ("3 columns and 3 rows", (23, 23))):
        (line,) = [word for word in texts(spec) if word.startswith(f"{name} away: ")]
        assert float(line.split()[-1]) == pytest.approx(weights[place], rel=0.06)


SOLUTIONS = {
    "A": ("halves, sine first", "d/2 − 1", 0, 0, 4),
    "B": ("halves, sine first", "d/2", -1, 0, 4),
    "C": ("pairs, sine first", "d/2", 0, 0, 4),
    "D": ("pairs, sine first", "d/2 − 1", 3, -1, 2),
}
OTHERS = [
    ("pairs, cosine first", "d/2", -2, -3, 6),
    ("halves, cosine first", "d/2 − 1", 4, 3, 1),
]


@pytest.mark.parametrize("settings", [*SOLUTIONS.values(), *OTHERS])
@pytest.mark.parametrize("table", SOLUTIONS)
def test_match_table_draws_both_tables_and_their_difference(table, settings):
    names = ("layout", "divisor", "first", "scale", "exponent")
    spec = specification("match_table", table=table, **dict(zip(names, settings)))
    left, right, words = drawn(spec)
    theirs = given.TABLES[table]
    half = theirs.shape[1] // 2
    # All columns, or 16 even ones with the next.
    columns = np.add.outer(np.arange(0, 2 * half, max(2, half // 8)), [0, 1]).ravel()
    layout, divisor, first, scale, exponent = settings
    speeds = 10.0 ** (-exponent * np.arange(half) / (half - divisor.endswith("1")))
    angles = 2.0**scale * (first + np.arange(len(theirs))[:20, None]) * speeds
    waves = [np.sin(angles), np.cos(angles)][:: -1 if "cosine" in layout else 1]
    made = np.stack(waves, axis=2 if "pairs" in layout else 1).reshape(len(angles), -1)
    theirs, made = theirs[:20, columns].astype(float), made[:, columns]
    sides = 208 / len(columns), 140 / len(made)
    assert_map(left, "v", theirs, sides, atol=0.00051)
    assert_map(right, "made", made, sides)
    apart = np.abs(made - theirs)[theirs.any(axis=1)].max()
    (difference,) = words["text"]
    if settings == SOLUTIONS[table]:
        assert difference.startswith("found")
        assert apart < 0.001
    else:
        assert difference.startswith("largest difference ")
        assert float(difference.split()[-1]) == pytest.approx(apart, abs=0.0011)
        assert apart > 0.02


# --- families ---


def test_families_stand_at_their_base_and_length_between_the_lines():
    spec = specification("field_guide")
    *lines, dots = drawn(spec)
    bases, lengths = dots["datum.base"], dots["datum.longest"]
    spread = np.hypot(np.log10(dots["datum.x"] / bases), np.log10(dots["datum.y"] / lengths))
    assert spread.max() < 0.3
    rows = {row["name"]: row for row in given.FAMILIES}
    for name, base, length in zip(dots["datum.name"], bases, lengths):
        assert (rows[name]["turned"][0]["base"], rows[name]["longest"]) == (base, length)
    x, y = lines[0]["datum.x"], lines[0]["datum.y"]
    assert_allclose(y, 2 * np.pi * x ** (63 / 64), 1e-4)
    x, y = lines[2]["datum.x"], lines[2]["datum.y"]
    trained, larger = (encodings.angular_frequencies(128, base=it) for it in (10_000, x[-1]))
    slowed = (trained / larger)[long_context.unfinished(trained, 4096)].min()
    assert_allclose(y, 4096 * np.array([1, slowed]), 1e-4)
    assert len(drawn(specification("field_guide", shown="yarn"))[-1]["x"]) < len(bases) / 4
