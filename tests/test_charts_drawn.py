"""Each chart draws what `posenc` computes, wherever its sliders stand."""

import math

import chart_parts as given
import numpy as np
import pytest
from chart_parts import Drawing, specification
from numpy.testing import assert_allclose, assert_array_equal
from oracles import exact_frequencies, table_by_loop

from posenc import long_context
from posenc.attention import softmax
from posenc.blocks import offset_part
from posenc.charts import shifting
from posenc.charts.learning import COUNTS
from posenc.charts.long_context import RULES
from posenc.encodings import angular_frequencies, binary, clock
from posenc.palette import GRAY, POSITION, WORD
from posenc.rotary import apply_rotary
from posenc.shifts import shift_matrix

pytestmark = pytest.mark.xdist_group("charts")


def states(name, parameters, *rows):
    """Run a test for each row of values of a chart's parameters, with the chart as `chart`.

    Values that are named after a colon belong to the row and not to the chart.
    """
    names = parameters.replace(":", "").split()
    given_to_chart = parameters.split(":")[0].split()
    rows = [((name, dict(zip(given_to_chart, row))), *row) for row in rows]
    return pytest.mark.parametrize(
        ("chart", *names), rows, ids=range(len(rows)), indirect=["chart"]
    )


@pytest.fixture
def chart(request):
    """Return the chart in a state; it's made here, since every worker collects all tests."""
    name, values = request.param
    return Drawing(name, **values)


def close(actual, expected, atol=1e-9):
    assert_allclose(actual, expected, rtol=1e-7, atol=atol)


def hands_at(position, width, base=10_000.0):
    """Return each pair of an encoding as a complex number, the sine rightwards, cosine upwards."""
    row = table_by_loop(1, width, base, start=position)[0]
    return row[0::2] + 1j * row[1::2]


def seen_from(middle, marks, end=""):
    """Return where marks stand from a middle in pixels, as complex numbers, upwards."""
    return marks[f"x{end}"] - np.real(middle) - 1j * (marks[f"y{end}"] - np.imag(middle))


def frequencies(width):
    return np.array(exact_frequencies(width), float)


@states("table", "position pair", (63, 15))
def test_table_draws_the_encodings(chart, position, pair):
    cells, table = chart.units[0], table_by_loop(64, 32)
    order = np.lexsort((cells["x"], cells["y"]))
    close(cells["datum.value"][order], table.ravel())
    for column in (2 * pair, 2 * pair + 1):
        assert f"PE[{position}, {column}] = " in chart.texts
        assert f" = {table[position, column]:.3f}" in chart.texts


SENTENCE = np.array([[3, 1, 0, 0], [0, 1, 2, 1], [2, 0, 1, 1]])


@states("swapped_words", "swap", (0.35,), (1,))
def test_words_trade_places_and_their_new_rows_keep_their_numbers(chart, swap):
    _, *cards = chart.units
    scores = SENTENCE @ SENTENCE.T
    new = scores / scores.sum(axis=1, keepdims=True) @ SENTENCE
    side = 280 / 7.3
    for i, word in zip((2, 1, 0), ("man", "bites", "dog")):
        frames, cells, names, numbers = cards[: 4 * (3 - i)][-4:]
        assert {*names["text"]} == {word}
        shown = numbers["text"].reshape(2, 4)
        assert_array_equal(shown[0], SENTENCE[i].astype(str))
        assert_array_equal(shown[1], [f"{number:.2f}" for number in new[i]])
        down = i + (1 - i) * 2 * swap
        close(frames["y"] / side - 0.1, [down, down + 4.2], 1e-6)
        close(cells["y"].reshape(2, 4) / side - 0.1, np.repeat([[down], [down + 4.2]], 4, 1), 1e-6)
    assert ("man bites dog" if swap > 0.5 else "dog bites man") in chart.texts


@states("drowned_words", "position", (0,), (500,))
def test_words_are_what_their_position_leaves_of_the_bars(chart, position):
    places, words, labels = chart.units
    expected = SENTENCE[[0, 2]].ravel()
    unit = 220 / (position + 3.5)
    close(places["y2"] - places["y"], np.full(8, position * unit))
    close(words["y2"] - words["y"], expected * unit)
    close(words["y2"], places["y"])
    assert_array_equal(labels["text"].astype(int), position + expected)
    assert ({*places["fill"]}, {*words["fill"]}) == ({POSITION}, {WORD})


@states("find_position", "position hands", (101, 3))
def test_hands_fit_where_they_turned_as_far_up_to_whole_turns(chart, position, hands):
    *_, theirs, mine, _, names = chart.units
    speeds = 10.0 ** -np.arange(hands)
    close(mine["datum.mine"], position * speeds)
    close(theirs["datum.theirs"], 57 * speeds)
    apart = np.abs(np.degrees(np.angle(np.exp(1j * (position - 57) * speeds))))
    expected = ["✓ fits" if angle < 3.5 else f"{round(angle)}° off" for angle in apart]
    assert [*names["text"]] == [f"hand {k}: {words}" for k, words in enumerate(expected)]


@states("name_row", "which position", ("B", 152), ("C", 187))
def test_a_row_is_the_encoding_of_its_position(chart, which, position):
    *_, names, row, mine = chart.units
    fits = sum(words.endswith("fits") for words in names["text"])
    assert (fits == 4) == (which != "C")
    hidden = {"B": 152, "C": 188}[which]
    for shown, who, start in ((row, "row", hidden), (mine, "you", position)):
        pairs = table_by_loop(1, 8, start=start).reshape(4, 2)
        words = [f"{who}: {sine:.2f}, {cosine:.2f}" for sine, cosine in pairs]
        assert [*shown["text"]] == words


@states(
    "clock_face",
    "run knock: alone together",
    (9870, 2.9, "02:50:18, 5 min 48 s off", "02:44:30, exactly"),
    (9870, 3, "02:50:30, 6 min off", "02:43:31, 59 s off"),
    (43_199, 2.9, "00:05:47, 5 min 48 s off", "11:59:59, exactly"),
)
def test_clock_face_shows_the_encoding_and_reads_it(chart, run, knock, alone, together):
    *_, hands, _, bars = chart.units
    turned = np.radians(knock) * np.array([1, -1, 1])
    pairs = (clock(run)[0::2] + 1j * clock(run)[1::2]) * np.exp(-1j * turned)
    close(bars["datum.value"], np.stack([pairs.real, pairs.imag], axis=1).ravel())
    tips = seen_from(135 + 135j, hands)
    close(tips / abs(tips), pairs[::-1])
    assert f"hour hand by itself: {alone}" in chart.texts
    assert f"all three together: {together}" in chart.texts


def test_clock_face_starts_by_itself_unless_it_can_be_knocked():
    plain, knocked = map(specification, ("clock_face by_itself", "clock_face"))
    assert plain["usermeta"] == knocked["usermeta"] | {"starting": ["run"]}
    assert [control["name"] for control in plain["params"] if "bind" in control] == ["run"]
    assert "hour hand" not in str(plain["title"])


@states("regular_clock", "position gear", (50, 3), (200, 10))
def test_regular_clock_stands_beside_a_row_of_width_8(chart, position, gear):
    _, _, hands, _, _, bars, outlines, _ = chart.units
    # Its own base would be the gear ratio to the power of four.
    mine, row = (hands_at(position, 8, base) for base in (float(gear) ** 4, 10_000.0))
    tips = seen_from(480 / 9.74 * (1.12 + 2.5 * np.arange(4) + 1.12j), hands)
    close(tips / abs(tips), mine)
    over = position / gear ** np.arange(4) >= np.pi
    assert [*hands["stroke"]] == [*np.where(over, GRAY, POSITION)]
    for marks, values in ((bars, mine), (outlines, row)):
        heights = np.stack([values.real, values.imag], axis=1).ravel()
        close(marks["y2"] - marks["y"], np.abs(heights) * 480 / 9.74)
    gap = np.abs([(mine - row).real, (mine - row).imag]).max()
    assert ("No gap anywhere" if gap < 0.005 else f"Largest gap: {gap:.2f}") in chart.texts


@states("hands_in_a_text", "long power", (5.1, 6))
def test_hands_in_a_text_turn_as_those_of_width_256(chart, long, power):
    _, dots = chart.units
    base = 10.0**power
    angles = 10.0**long * base ** (-np.arange(128) / 128)
    close(dots["datum.turns"], angles / math.tau)
    over, idle = angles >= np.pi, angles < 0.1 * (1 - 1e-12)
    counts = over.sum(), (~over & ~idle).sum(), idle.sum()
    assert "half a turn or more {}, less {}, idle {}".format(*counts) in chart.texts


@states("odometer", "position", (31.75,), (63,))
def test_odometer_shows_the_bits_their_dials_and_how_far_both_went(chart, position):
    *_, hands, tips, _, cells, digits, _, _, _, bars, line, mark, _ = chart.units
    bits, before = binary(64)[[int(position), int(position) - 1]]
    assert_array_equal(digits["text"], bits)
    flipped = (bits != before) & (position == int(position))
    assert_array_equal(cells["strokeWidth"] == 4, flipped)
    # Base 2^6 at π times the position: pair i of width 12 has the wavelength 2^(i+1).
    expected = hands_at(np.pi * position, 12, 64.0)
    radius = seen_from(hands["x2"] + 1j * hands["y2"], hands)
    close(radius / np.abs(radius), expected, 1e-6)
    close(tips["datum.degrees"] % 360, np.degrees(np.angle(expected * -1j) * -1) % 360, 1e-6)
    steps = np.linalg.norm(np.diff(2.0 * binary(64) - 1, axis=0), axis=1)[: int(position)]
    moved = np.linalg.norm(hands_at(np.pi, 12, 64.0) - hands_at(0, 12, 64.0))
    close(bars["datum.length"], steps)
    close(bars["height"] / bars["height"][0], steps / 2)
    height = bars["y"][0] + bars["height"][0] - line["y"][0] - line["height"][0] / 2
    close(height / bars["height"][0], moved / 2, 1e-6)
    close(line["x"] + line["width"], mark["x"] + mark["width"] / 2, 1e-6)
    words = f"bits {steps[-1]:.2f}, hands {moved:.2f}"
    assert ("On the way from 31 to 32" if position == 31.75 else words) in chart.texts


@states("two_sums", "moved", (4.25,), (7,))
def test_two_sums_add_the_rows_of_a_counter(chart, moved):
    rows, *_, names, sums, going, _, outlines, sign, _, _, _ = chart.units
    start = [0, 3, 1, 2]
    table = binary(16, bits=4)[int(moved) + np.array(start)]
    assert_array_equal(rows["datum.before"].reshape(4, 4), table)
    assert [*names["text"]] == [f"row {int(moved) + number}" for number in start]
    left, right = table[:2].sum(axis=0), table[2:].sum(axis=0)
    assert_array_equal(going["text"].astype(int).reshape(2, 4), [left, right])
    assert_array_equal(sums["datum.before"].reshape(2, 4), [left, right])
    whole = moved == int(moved)
    differing = np.flatnonzero(left != right).tolist() if whole else []
    assert outlines.get("datum.bit", np.array([])).tolist() == differing * 2
    assert sign["text"] == [("≠" if differing else "=") if whole else ""]
    words = ("Different sums" if differing else "Equal sums") if whole else "On the way"
    assert words in chart.texts


@states("next_row", "position", (767,))
def test_next_row_multiplies_rows_by_both_matrices(chart, position):
    bars, rings, *_ = chart.units
    tables = table_by_loop(1024, 10), 2.0 * binary(1024) - 1
    for code, (table, matrix) in enumerate(zip(tables, given.ARGUMENTS["next_row"].values())):
        order = np.flatnonzero(rings["datum.code"] == code)
        order = order[np.argsort(rings["datum.j"][order])]
        predicted = table[position] @ matrix
        close(rings["datum.predicted"][order], predicted, 1e-8)
        close(bars["datum.real"][order], table[position + 1], 1e-8)
        miss = np.abs(predicted - table[position + 1]).max()
        assert f"the farthest ring misses by {miss:.2f}" in chart.texts


@states("unit_circles", "position offset", (20.5, -9.5))
def test_unit_circles_turn_by_frequency_times_offset(chart, position, offset):
    *_, tips, captions = chart.units
    pairs = [hands_at(row, 64)[:16:4] for row in (position, position + offset)]
    close(tips["datum.sine"] + 1j * tips["datum.cosine"], np.stack(pairs, axis=1).ravel())
    turns = zip((0, 4, 8, 12), np.degrees(frequencies(64)[:16:4] * offset))
    assert [*captions["text"]] == [f"pair {k} turns {turn:.1f}°" for k, turn in turns]


@states("shift_blocks", "position offset", (20.5, -9.5))
def test_shift_blocks_multiply_as_the_shift_matrix(chart, position, offset):
    _, cells, _, now, _, then, *_ = chart.units
    now, then = sorted((now, then), key=lambda marks: marks["x"][0])
    matrix = np.zeros((8, 8))
    matrix[cells["datum.i"].astype(int), cells["datum.j"].astype(int)] = cells["datum.value"]
    close(matrix, shift_matrix(frequencies(64)[:16:4], offset))
    close(matrix @ now["datum.value"], then["datum.value"])
    row = hands_at(position, 64)[:16:4]
    close(now["datum.value"], np.stack([row.real, row.imag], axis=1).ravel())


@states("turned_dial", "start turn", (215, 120))
def test_turned_dial_takes_two_steps_along_turned_arrows(chart, start, turn):
    tips, (a, b) = chart.units[-1], np.radians([start, turn])
    expected = [complex(np.sin(angle), np.cos(angle)) for angle in (a, a + b)]
    close(seen_from(160 + 160j, tips), 128 * np.array(expected))


@states("score_map", "offset factor", (3, 8), (-2.25, 1))
def test_score_map_draws_the_weights_with_a_shift_between(chart, offset, factor):
    cells, table = chart.units[0], table_by_loop(24, 64)
    scores = factor * table @ shift_matrix(frequencies(64), offset) @ table.T
    weights = np.exp((scores - scores.max()) / 8)
    weights /= weights.sum(axis=1, keepdims=True)
    s, t = cells["datum.s"].astype(int), cells["datum.t"].astype(int)
    close(cells["datum.score"], scores[s, t], 1e-5)
    close(cells["datum.weight"], weights[s, t], 1e-5)


@pytest.mark.parametrize("answer", [0, 2])
def test_programs_reach_as_far_as_timed_and_as_counted(answer):
    guessed = dict(zip(shifting.PROGRAMS, ("?", "1×", "2×", "20×", "1000×")))
    _, timed, _, counted, guesses, words = Drawing("order_of_work", answer=answer, **guessed).units
    decade = 460 / np.log10(40_000 / 0.8)

    def x_of(times):
        return decade * np.log10(np.asarray(times) / 0.8)

    close(guesses["x"], x_of([1, 2, 20, 1000]))
    assert_array_equal(guesses["datum.row"], [1, 2, 3, 4])
    if answer == 0:
        assert timed == counted == words == {}
        return
    recorded = shifting.recorded_times()["seconds"]
    seconds = np.array([recorded[name] for name in (*shifting.PROGRAMS, "formula")])
    # The matrix multiplies 256 numbers for each that comes out, the others two.
    products = np.array([2, 256, 2, 2, 2]) * 200 * 256
    close(timed["x"], x_of(seconds / seconds.min()), atol=0.3)
    close(counted["x"], x_of(products / products.min()), atol=0.3)
    times, counts = [words["text"][words["datum.step"] == step] for step in (0, 1)]
    close([float(milliseconds.split()[0]) for milliseconds in times], 1000 * seconds, atol=0.5)
    assert [int(number.replace(",", "")) for number in counts] == products.tolist()


@states("shifted_table", "offset", (37,))
def test_a_shift_moves_rows_up_and_new_ones_in(chart, offset):
    cells, frame = chart.units
    position, column = cells["datum.position"].astype(int), cells["datum.column"].astype(int)
    close(cells["datum.value"], table_by_loop(300, 256)[position, column])
    close(cells["y"], 2 * (position - offset))
    close(frame["y"], [2 * (200 - offset)])


@states("sorted_products", "order", (0,), (1,), (2,), (0.6,))
def test_products_lie_in_the_frame_that_they_belong_to(chart, order):
    _, names, lines, _, cards, words, _, pluses = chart.units
    below = cards["y"] > 80
    # Each plus is halfway between two products with one x, one y and the same index.
    ends = np.sort_complex(np.append(lines["x"] + 1j * lines["y"], lines["x2"] + 1j * lines["y2"]))
    close(ends, np.sort_complex(words["x"] + 1j * words["y"]), 1e-6)
    close(pluses["x"], (lines["x"] + lines["x2"]) / 2)
    close(pluses["y"], (lines["y"] + lines["y2"]) / 2)
    if order % 1:
        assert len({*cards["x"]}) > 4, "on their way"
        return
    assert below.sum() == 4
    second = {
        0: lambda product: product.endswith("₁"),
        1: lambda product: product.endswith(("c₀y₀", "s₀x₀", "c₁y₁", "s₁x₁")),
        2: lambda product: "s" in product,
    }[order]
    assert [*below] == [second(product) for product in words["text"]]
    assert [*names["text"]] == list(shifting.SORTED[order][1:])


@states("doubling", "doublings", (3,), (4.75,))
def test_doubling_copies_rows_and_turns_them(chart, doublings):
    cells, count = chart.units[0], 2 ** (int(np.ceil(doublings)) - 1)
    turned = count * max(0, 2 * (doublings - np.log2(count)) - 1)
    blocks = [table_by_loop(count, 32, start=start)[:, :16] for start in (0, turned)]
    close(cells["datum.value"], np.ravel(blocks))


SPEED_20 = 10_000.0 ** (-20 / 128)


@states("chord", "position offset", (20.5, -9.5), (0, 13))
def test_chord_and_shadow_are_a_hands_parts_of_distance_and_product(chart, position, offset):
    _, _, shadow, drop, _, chord, tips = chart.units
    start, turn = SPEED_20 * position, SPEED_20 * offset
    here, there = np.exp(-1j * start), np.exp(-1j * (start + turn))  # clockwise from the top
    corner, unit, middle = np.cos(turn) * here, 300 / 2.32, 150 + 150j
    for marks, begin, end in ((shadow, corner, 0), (drop, there, corner), (chord, here, there)):
        close(seen_from(middle, marks), unit * 1j * begin, 1e-6)
        close(seen_from(middle, marks, "2"), unit * 1j * end, 1e-6)
    close(seen_from(middle, tips), unit * 1j * np.array([here, there]), 1e-6)
    rows = table_by_loop(1, 256, start=position), table_by_loop(1, 256, start=position + offset)
    first, second = (row[0, 40:42] for row in rows)
    assert f"shadow {first @ second:.3f}, chord {np.linalg.norm(first - second):.3f}" in chart.texts
    assert f"chord² {np.sum((first - second) ** 2):.3f}" in chart.texts


@states("walk", "start walked", ("710", 0), ("62,832", 4.5))
def test_walk_draws_hands_and_distances_from_row_0(chart, start, walked):
    _, _, hands, tips, _, way, now = chart.units
    first = int(start.replace(",", ""))
    shown = [0, 18, 36, 54, 73, 91, 109, 127]
    assert [*tips["datum.k"]] == shown
    unit = 430 / (2 * 1.3 + 3 * 3.2)
    turned = hands_at(first + walked, 256)[shown]
    close(seen_from(0, tips) - seen_from(0, hands, "2"), unit * turned, 1e-6)
    start_row, *rows = (hands_at(row, 256) for row in [0, *range(first, first + 41)])
    close(way["datum.distance"], [np.linalg.norm(row - start_row) for row in rows])
    distance = np.linalg.norm(hands_at(first + walked, 256) - start_row)
    close(now["datum.distance"], [distance])
    assert f"{distance:.2f} away from row 0" in chart.texts
    first_off, last_off = abs(np.degrees(np.angle(turned[[0, -1]] / 1j)))
    degrees = f"{first_off:.4f}" if first_off < 1 else f"{first_off:.0f}"
    assert f"hand 0 {degrees}°, hand 127 {last_off:.0f}°" in chart.texts


@states("falling", "power moved base", (3.34, 32, "10,000"), (2, 16, "100,000,000"))
def test_falling_draws_every_hand_and_their_mean(chart, power, moved, base):
    gray, _, dots, curve, band, now = chart.units
    speeds = float(base.replace(",", "")) ** (-np.arange(128) / 128)

    def means(offsets):
        return np.cos(np.outer(offsets, speeds)).mean(axis=1)

    close(dots["datum.cosine"], np.cos(10**power * speeds))
    close(dots["datum.at"], np.arange(128))
    close(curve["datum.mean"], means(curve["datum.offset"]), 1e-8)
    assert np.diff(curve["datum.offset"]).max() <= 1.5, "no ripple is skipped"
    close(now["datum.mean"], means([10**power]))
    close(gray["datum.cosine"], np.cos(10 ** (power - 1) * speeds[: 128 - moved]))
    if power > 3:
        bins = np.arange(2.4, 3.33, 0.04)
        order = np.argsort(band["datum.bin"])
        ends = [band[f"datum.{end}"][order] for end in ("low", "high")]
        ends = [np.interp(bins, band["datum.bin"][order], end) for end in ends]
        for power, least, most in zip(bins, *ends):
            near = means(np.arange(np.ceil(10 ** (power - 0.02)), 10 ** (power + 0.02)))
            close([least, most], [near.min(), near.max()], 1e-8)
    else:
        assert not len(band.get("datum.low", ()))


@states("asking_words", "asks", (1,))
def test_a_word_that_asks_has_scores_and_weights(chart, asks):
    scores, weights, *_ = chart.units
    words = given.GLOVE["words"]
    expected = words @ words[asks] / 10
    close(scores["datum.score"], expected, 2e-3)
    close(weights["datum.weight"], softmax(expected), 1e-3)


def four_terms(asks, start=0):
    """Return each key's terms with a query: words, places, word to place and place to word."""
    words, places = given.GLOVE["words"], table_by_loop(8, 100, start=start)
    pairs = (words, words), (places, places), (words, places), (places, words)
    return np.array([keys @ queries[asks] for queries, keys in pairs]) / 10


@states(
    "score_terms",
    "asks told terms show",
    (4, 1, 2.5, "the sum"),
    (2, 7, 4, "the sum"),
    (6, 0, 4, "place to word"),
)
def test_a_score_is_its_terms_added_or_one_of_them(chart, asks, told, terms, show):
    answer, *bars, _, sums, weights, outlines, _, _ = chart.units
    parts = four_terms(asks)
    order = ["word to word", "place to place", "word to place", "place to word"]
    added = np.equal(order, show) if show in order else np.clip(terms - np.arange(4), 0, 1)
    scores = added @ parts
    close(sums["datum.score"], scores, 2e-3)
    # Whatever is drawn to the right of 0, less what is drawn to its left, is the sum.
    per_one = np.ptp(sums["x"]) / np.ptp(scores)
    for columns, share, part in zip(bars, added, parts):
        close(columns["width"], per_one * share * abs(part), 0.1)
    close(weights["datum.weight"], softmax(scores), 1e-3)
    close(outlines["datum.before"], softmax(parts[0]), 1e-3)
    assert [*answer["datum.t"]] == [told]
    assert all(f"{abs(part):.2f}" in chart.texts for part in parts[added == 1, told])


@states("moving_sentence", "asks start", (7, 1000))
def test_weights_and_mixed_terms_change_where_a_sentence_moves(chart, asks, start):
    weights, outlines, _, zero, *bars, _ = chart.units
    terms = four_terms(asks, start)
    close(weights["datum.weight"], softmax(terms.sum(axis=0)), 1e-3)
    close(outlines["datum.before"], softmax(four_terms(asks).sum(axis=0)), 1e-3)
    for columns, field, term in zip(bars, ("word_to_place", "place_to_word"), terms[2:]):
        close(columns[f"datum.{field}"], term, 2e-3)
        assert_array_equal(columns["x"] < zero["x"][0] - 1, term < -0.02)


@states("moving_sentence either_way", "way start", ("adding", 418), ("rotating", 1000))
def test_weights_stay_where_queries_and_keys_are_rotated(chart, way, start):
    weights, outlines, _ = chart.units
    rotated = apply_rotary(given.GLOVE["words"], angular_frequencies(100))
    scores, first = (rotated @ rotated[4] / 10,) * 2
    if way == "adding":
        scores, first = (four_terms(4, begin).sum(axis=0) for begin in (start, 0))
    close(weights["datum.weight"], softmax(scores), 1e-3)
    close(outlines["datum.before"], softmax(first), 1e-3)


@states("tune_head", "angle0 angle1 angle2 count", (172, 20, -50, 1), (-30, 97, 54, 3))
def test_tuned_scores_are_means_of_the_cosines_that_count(chart, angle0, angle1, angle2, count):
    *_, dots, _ = chart.units
    angles = np.radians([angle0, angle1, angle2])
    turned = np.outer(np.arange(51), frequencies(32)[:3]) - angles
    scores = np.cos(turned)[:, :count].mean(axis=1)
    close(dots["datum.score"][dots["datum.back"].argsort()], scores)
    first, second = scores.argsort()[::-1][:2]
    assert f"highest: {first} back, {scores[first]:.3f}" in chart.texts
    assert f"runner-up: {second} back, {scores[second]:.3f}" in chart.texts


@states("head_in_training", "step", (40,), (120,))
def test_head_in_training_draws_what_turns_in_the_matrix(chart, step):
    before, after = (60 * (step // 60), 60 * -(-step // 60)) if step % 60 else (step, step)
    turning = [offset_part(given.LEARNING[time]) for time in (before, after)]
    part = turning[0] + (step - before) / 60 * (turning[1] - turning[0])
    table = table_by_loop(51, 12)
    scores = (table[-1] @ part @ table.T)[::-1] / np.sqrt(12)
    *_, dots, _ = chart.units
    close(dots["datum.score"][dots["datum.back"].argsort()], scores, atol=0.02)
    assert f"after {step} steps: loss {given.LOSSES[step]:.2f}" in chart.texts


@states("moved_scores", "start", (117,))
def test_moved_scores_are_those_of_the_last_query(chart, start):
    *_, dots, _ = chart.units
    table = table_by_loop(32, 8, start=start)
    scores = table[-1] @ given.BENT @ table.T / np.sqrt(8)
    close(dots["datum.score"][dots["datum.back"].argsort()], scores[::-1], 1e-6)
    straight = table[-1] @ offset_part(given.BENT) @ table.T / np.sqrt(8)
    for curve, drawn in (("offset part", straight), ("all of W", scores)):
        highest = f"{drawn[::-1].argmax()} back, {drawn.max():.1f}"
        assert f"{curve}: highest: {highest}" in chart.texts


@states("shy_head", "query counts", (1, COUNTS[0]), (3, COUNTS[1]), (5, COUNTS[2]))
def test_shy_heads_have_the_weights_of_what_counts(chart, query, counts):
    bars = chart.units[0]
    parts = [part for part in COUNTS[:2] if counts in (part, COUNTS[2])]
    score = sum(given.LOST[f"by_{part.split()[0]}"] for part in parts)[query, : query + 1]
    weights = np.exp(score) / np.exp(score).sum()
    close(bars["datum.weight"][bars["datum.t"].argsort()], weights)


@states("two_ways", "start", (-3,), (37.5,))
def test_two_ways_add_positions_and_rotate_by_them(chart, start):
    *_, tips, names, products = chart.units
    words = np.array([0.6 + 0.3j, 0.2 - 0.4j])  # upwards the cosine, which is second
    places = np.exp(0.2j * np.array([start + 3, start]))
    results = np.array([words + places, words * places])
    shown = tips["datum.length"] * np.exp(1j * tips["datum.angle"])
    close(shown.reshape(2, 2), results)
    assert [*tips["datum.what"]] == ["query", "key"] * 2
    close(tips["x"].reshape(2, 2)[1], 430 / 5.15 * (3.85 + results[1].imag / 1.9), 1e-6)
    close(tips["y"].reshape(2, 2), 430 / 5.15 * (1.3 - results.real / 1.9), 1e-6)
    added, rotated = np.degrees(np.angle(results[:, 0] / results[:, 1]))
    between, turn = np.degrees([np.angle(words[0] / words[1]), 0.6])
    assert [*names["text"]] == [
        f"adding: {abs(added):.0f}° apart",
        f"rotating: {between:.0f}° + {turn:.0f}° = {rotated:.0f}° apart",
    ]
    scores = (results[:, 0] * results[:, 1].conj()).real
    assert [*products["text"]] == [f"product {score:.2f}" for score in scores]


@states("turned_pair", "position", (7,))
def test_turned_pair_keeps_its_arc_wherever_it_is(chart, position):
    *_, arc, _, _, tips = chart.units
    angles = np.radians([30 * position + 100, 30 * (position + 1)])
    close(tips["datum.angle"], angles)
    close([arc["datum.angle"].max(), arc["datum.angle"].min()], angles)
    close(seen_from(140 + 140j, tips), 125 * np.exp(1j * (np.pi / 2 - angles)), 1e-6)
    assert f"dog at {position}, bites at {position + 1}: 70° apart" in chart.texts


@states("turned_hands", "who position offset", ("one", 7, 87.5), ("the other's", 0, 200))
def test_turned_hands_draw_their_score_as_far_as_dragged(chart, who, position, offset):
    *_, tips, _, curve, here = chart.units
    query, key = vectors = [row[0::2] + 1j * row[1::2] for row in given.VECTORS[who].round(2)]
    # A turn looks back: clockwise by the frequency times the offset.
    offsets = np.r_[0 : math.floor(offset) + 1, offset]
    turned = key.conj() * query * np.exp(-1j * np.outer(offsets, frequencies(16)))
    scores = turned.real.sum(axis=1)
    close(curve["datum.score"], scores[:-1], 2e-7)
    close(here["datum.score"], scores[-1:], 2e-7)
    assert f"offset {offset:g}: score {scores[-1].round(1) + 0:.1f}" in chart.texts
    for i, row in enumerate((position + offset, position)):
        pointing = vectors[i][[0, 2, 5]] * np.exp(-1j * row * frequencies(16)[[0, 2, 5]])
        shown = 1j * np.exp(-1j * tips["datum.angle"][i::2])
        close(shown, pointing / abs(pointing))


@states("longer_text", "rule length c", *((rule, 20_000, 5) for rule in RULES[1:]))
def test_longer_text_turns_hands_by_the_rule_and_finds_the_best_offsets(chart, rule, length, c):
    plain = frequencies(128)
    larger = (10_000 * c ** (128 / 126)) ** (-np.arange(64) / 64)
    ruled = plain / c, larger, long_context.by_parts(plain, 4096, c, 1, 4)
    slowed = dict(zip(RULES[1:], ruled))[rule]
    went, trained = length * slowed / math.tau, 4096 * plain / math.tau
    seen, here, new, *_, rings, numbers = chart.units
    close(seen["datum.known"], np.minimum(trained, 1), 1e-6)
    close(here["datum.here"], np.minimum(went, np.minimum(trained, 1)), 1e-6)
    close(new["datum.beyond"], np.clip(went, np.minimum(trained, 1), 1), 1e-6)
    beyond = (trained < 1) & (went > trained * (1 + 1e-9))
    assert f"20,000 tokens: {beyond.sum()} of 64 hands at new angles" in chart.texts
    offsets = np.arange(1, length)
    for back, best in zip((3, 300), np.argsort(rings["datum.offset"])):
        scores = np.cos(np.outer(offsets, slowed) - plain * back).mean(axis=1)
        close(rings["datum.score"][best], scores[round(rings["datum.offset"][best]) - 1], 1e-6)
        if scores.max() > 0.9:
            assert rings["datum.offset"][best] == offsets[scores.argmax()]
    assert sorted(numbers["text"]) == sorted(f"{offset:.0f}" for offset in rings["datum.offset"])


def test_longer_text_can_leave_the_heads_out():
    alone, whole = map(specification, ("longer_text hands_alone", "longer_text"))
    assert alone["layer"] == whole["vconcat"][0]["layer"]
    assert [control["name"] for control in alone["params"] if "bind" in control] == ["length"]
    assert "trained on" not in str(alone["title"])


@states("patches", "column row slant edge", (3, 20, 30, 2), (27, 14, 45, 0))
def test_patches_are_colored_where_their_hands_agree(chart, column, row, slant, edge):
    (tips, cells), speeds = [chart.units[i] for i in (6, -4)], 100.0 ** (-np.arange(16) / 16)
    ways = np.exp(1j * np.radians(slant) * (np.arange(16) % 2))  # where a column's hand goes

    def score(right, down):
        moved = np.subtract.outer(right, 0) + 1j * np.subtract.outer(down, 0)
        along = moved[..., None] * ways.conj()
        return (np.cos(speeds * along.real) + np.cos(speeds * along.imag)).sum(axis=-1)

    scores = score(cells["datum.x"] - 14, cells["datum.y"] - 14)
    close(cells["datum.score"], scores, 1e-6)
    assert_array_equal(cells["datum.near"] > 0, scores > score(edge, edge) + 1e-6)
    assert f" = {score(column - 14, row - 14):.1f} of 32" in chart.texts
    places = np.array([[column + 1j * row], [14 + 14j]])
    along = places * ways[[0, 3, 6, 9]].conj()
    angles = np.hstack([along.real, along.imag]) * np.tile(speeds[[0, 3, 6, 9]], 2)
    close(np.exp(1j * tips["datum.angle"]), np.exp(1j * angles.T.ravel()), 1e-6)


@states("fitted_curve", "speed hands", (1, "slow"), (1.5, "fast"))
def test_fitted_curve_draws_the_fit_of_its_speed(chart, speed, hands):
    _, line, samples, words = chart.units
    given_ = given.ARGUMENTS["fitted_curve"]
    step = round(2 * speed - 2)
    close(line["y"], 105 - 105 / 2 * np.round(given_["fits"][hands][step], 2), 1e-6)
    close(samples["datum.at"], [0, 1, 2])
    assert f"off by {given_['errors'][hands][step]:.2f} " in words["text"][0]


@states(
    "match_table",
    "table partner wave start divisor: equal",
    ("A", "half a table away", "the sine", 0, "d/2 − 1", True),
    ("C", "its neighbor", "the sine", 3, "d/2", False),
    ("E", "half a table away", "the cosine", 1, "d/2 − 1", True),
)
def test_match_table_tells_how_far_off_it_is(chart, table, partner, wave, start, divisor, equal):
    left, right, words = chart.units
    difference = np.abs(left["datum.v"] - right["datum.made"]).max()
    assert (difference < 0.002) == equal
    shown = given.TABLES[table][left["datum.t"].astype(int), left["datum.j"].astype(int)]
    close(left["datum.v"], shown, 0.0006)
    assert f"{difference:.3f}{': found' * equal}" in words["text"][0]


@states("head_rings", "task text followed", ("near", "short", 2), ("far", "long", 5))
def test_rings_lie_where_heads_are_right(chart, task, text, followed):
    chance, rings, bars, medians, _, diamonds = chart.units
    wanted = given.ARGUMENTS["head_rings"]
    percents, learned = given.RINGS[task, text], wanted["learned"][task]
    for which, (name, color) in enumerate(wanted["colors"].items()):
        mine = rings["datum.row"] == which
        assert mine.any() == (name in percents)
        if name in percents:
            values = percents[name].round(1)
            close(rings["datum.right"][mine], values)
            assert [*rings["stroke"][mine]] == [color if each else GRAY for each in learned]
            assert f"{np.median(values):.0f}" in [*medians["text"]]
            close(diamonds["datum.right"][diamonds["datum.row"] == which], values[followed])
    # The median lies in the middle of its row, as far to the right as a ring of that percentage.
    scale = np.polyfit(rings["datum.right"], rings["x"], 1)
    close(bars["x"], np.polyval(scale, bars["datum.middle"]), 1e-6)
    close(chance["x"], np.polyval(scale, wanted["guessing"][task]), 1e-6)


@states(
    "misread_rows",
    "noise throw_number upper_code lower_code",
    (1.45, 1, "waves", "random bits"),
    (1, 3, "random bits", "bits"),
)
def test_dots_are_as_high_as_rows_are_off(chart, noise, throw_number, upper_code, lower_code):
    *_, dots, counts = chart.units
    for panel, name in enumerate((upper_code, lower_code)):
        code, position = given.CODES[name], np.arange(5, 64, 10)
        code = code(throw_number - 1) if callable(code) else code
        random = np.random.default_rng(throw_number - 1)
        spoiled = code + noise * random.normal(size=(64, 6))
        read = np.linalg.norm(spoiled[:, None] - code, axis=2).argmin(axis=1)[5::10]
        mine = dots["datum.panel"] == panel
        assert_array_equal(dots["datum.position"][mine], position)
        errors = read - position
        assert_array_equal(dots["datum.off"][mine], errors)
        # From the line to the top it's a thousand positions, on a logarithmic scale.
        heights = np.sign(errors) * np.log1p(abs(errors)) / np.log(1001)
        assert_allclose(dots["datum.y"][mine] + 2.75 * panel, heights, atol=1e-9)
        near = (errors != 0) & (abs(errors) < 6)
        words = f"{(errors == 0).sum()} right, {near.sum()} near, {(abs(errors) > 5).sum()} far"
        assert [*counts["text"][counts["datum.panel"] == panel]] == [f"{name}: {words}"]
        color = given.ARGUMENTS["misread_rows"]["colors"][name]
        assert {*dots["stroke"][mine]} == {color}
        assert_array_equal(dots["fill"][mine] == "transparent", abs(errors) > 5)


@states(
    "wall_of_heads",
    "trained part letters start",
    ("begin at 0", "all", "none", 0),
    ("begin anywhere", "part", "all", 20),
)
def test_wall_of_heads_has_a_dot_for_each_look_as_asked(chart, trained, part, letters, start):
    looks = given.ARGUMENTS["wall_of_heads"]["looks"][trained, part, letters][start // 10]
    dots, numbers = chart.units[:2]
    places = {*zip(dots["datum.head"], dots["datum.column"])}
    assert places == {*map(tuple, np.argwhere(looks == 3))}
    others = numbers["datum.head"].astype(int), numbers["datum.column"].astype(int)
    assert_array_equal(numbers["datum.away"], looks[others])
    assert len(places) + len(others[0]) == looks.size
    assert f"{len(places)} of 20 letters look 3 back" in chart.texts
