"""The charts of notebook 02 draw what `posenc` computes."""

import math
import re

import numpy as np
import pytest
from chart_parts import fields, labels, marks, moved, places, specification, svg_root, texts

from posenc.encodings import angular_frequencies, clock, sinusoidal


def drawn(chart, **values):
    """Draw a chart with its sliders set, and return the SVG's root."""
    return svg_root(moved(specification(chart), **values))


def seen_from(middle, items, *names):
    """Return where marks stand from a middle, in pixels to the right and upwards, as numbers."""
    right, down = (places(items, *names) - middle).T
    return right - 1j * down


TIMES = [
    ((0, 0, 0, 0), "00:00:00"),
    ((2, 44, 30, 0), "02:44:30"),
    ((3, 1, 0, 0), "03:01:00"),
    ((2, 44, 30, 990), "03:01:00"),
    ((11, 59, 59, 2), "00:00:01"),
    ((10, 8, 35, 43_200), "10:08:35"),
]


def test_the_sliders_of_the_clock_reach_the_last_second():
    sliders = {param["name"]: param.get("bind") for param in specification("clock_face")["params"]}
    assert list(sliders) == ["hours", "minutes", "seconds", "run", "moment"]
    assert [sliders[name]["max"] for name in ("hours", "minutes", "seconds")] == [11, 59, 59]


def test_the_description_tells_the_time_that_the_clock_shows_at_first():
    spec = specification("clock_face")
    (time,) = [word for word in texts(svg_root(spec)) if re.fullmatch(r"\d\d:\d\d:\d\d", word)]
    assert time in spec["description"]


def test_the_regular_clock_has_two_sliders_and_a_check_box():
    params = specification("regular_clock")["params"]
    inputs = {param["name"]: param["bind"]["input"] for param in params if "bind" in param}
    assert inputs == {"position": "range", "power": "range", "divided": "checkbox"}


@pytest.fixture(scope="module", params=TIMES, ids=lambda given: "-".join(map(str, given[0])))
def face(request):
    """Return a clock's specification, the time that it should show, and its six numbers."""
    values, time = request.param
    hours, minutes, seconds = map(int, time.split(":"))
    spec = moved(
        specification("clock_face"), **dict(zip(("hours", "minutes", "seconds", "run"), values))
    )
    return spec, time, clock(3600 * hours + 60 * minutes + seconds)


def axle(spec):
    """Return where the axle of a clock is drawn."""
    ((axle,),) = marks(spec, "symbol")
    return axle["x"], axle["y"]


def test_the_six_bars_are_the_encoding_and_their_labels_say_so(face):
    spec, time, numbers = face
    written = texts(svg_root(spec))
    assert time in written
    words = [word for word in written if "sine" in word]
    assert [word.split("\u2002")[0] for word in words] == [
        f"{hand}, {part}" for hand in ("second", "minute", "hour") for part in ("sine", "cosine")
    ]
    shown = [float(word.split("\u2002")[1].replace("−", "-")) for word in words]
    np.testing.assert_allclose(shown, numbers, atol=5.01e-4)
    assert not any("−0.000" in word for word in words)


def test_the_bars_are_as_long_as_the_numbers(face):
    spec, _, numbers = face
    (bars,) = marks(spec, "rect")
    half = spec["hconcat"][1]["width"] / 2
    start, end = places(bars, "x", "x2").T
    rightwards = np.where(numbers >= 0, end - half, start - half)
    np.testing.assert_allclose(rightwards, numbers * half, atol=1e-9)
    np.testing.assert_allclose(end - start, np.abs(numbers) * half, atol=1e-9)
    names = [fields(bar["description"])["number"] for bar in bars]
    assert names == [
        f"{hand}, {part}" for hand in ("second", "minute", "hour") for part in ("sine", "cosine")
    ]


def test_the_hands_point_where_the_numbers_say_straight_through_the_axle(face):
    spec, _, numbers = face
    hands = {}
    for (rule,) in [group for group in marks(spec, "rule") if len(group) == 1]:
        words = fields(rule["description"])
        ends = [seen_from(axle(spec), [rule], *at)[0] for at in (("x", "y"), ("x2", "y2"))]
        hands[words["hand"]] = (*ends, float(words["degrees"]))
    assert set(hands) == {"second", "minute", "hour"}
    for name, (sine, cosine) in zip(("second", "minute", "hour"), numbers.reshape(3, 2)):
        tip, tail, degrees = hands[name]
        assert tip / abs(tip) == pytest.approx(complex(sine, cosine), abs=1e-9)
        # The tail, if there is one, lies behind the axle and is shorter.
        assert tail == pytest.approx(-abs(tail) / abs(tip) * tip, abs=1e-9)
        assert abs(tail) < abs(tip) / 2
        assert degrees == pytest.approx(math.degrees(math.atan2(sine, cosine)) % 360, abs=0.0051)
    lengths = [abs(hands[name][0]) for name in ("second", "minute", "hour")]
    assert lengths == sorted(lengths, reverse=True)


def test_the_face_is_round_and_its_ticks_and_numerals_stand_where_hands_point():
    spec = specification("clock_face")
    (outline,) = marks(spec, "line")
    rim = seen_from(axle(spec), outline)
    assert np.ptp(np.abs(rim)) < 1e-9
    assert np.allclose(rim[1:] / rim[:-1], np.exp(-2j * np.pi / len(rim))), "all the way around"

    seconds = clock(np.arange(60))[:, :2] @ [1, 1j]
    (ticks,) = [group for group in marks(spec, "rule") if len(group) == 60]
    outer, inner = (seen_from(axle(spec), ticks, *at) for at in (("x", "y"), ("x2", "y2")))
    assert np.allclose(outer, np.abs(outer) * seconds)
    assert np.allclose(inner, np.abs(inner) * seconds)
    assert (np.abs(outer) < np.abs(rim[0])).all()
    long = (np.abs(outer) - np.abs(inner)).round(6)
    thick = [tick["strokeWidth"] for tick in ticks]
    for size in (long, thick):
        hours, others = set(size[::5]), {s for i, s in enumerate(size) if i % 5}
        assert len(hours) == len(others) == 1
        assert min(hours) > max(others) > 0

    ((*numerals,),) = marks(spec, "text")
    assert [numeral["text"] for numeral in numerals] == [str(hour) for hour in range(1, 13)]
    found = seen_from(axle(spec), numerals)
    expected = clock(3600 * np.arange(1, 13))[:, 4:] @ [1, 1j]
    assert np.allclose(found, np.abs(found) * expected)
    assert np.ptp(np.abs(found)) < 1e-9
    assert np.abs(found).max() < np.abs(inner).min()


def hands_of(**values):
    rules = labels(drawn("regular_clock", **values), "rule mark")
    hands = [fields(label) for label in rules if "turns" in label]
    return sorted(hands, key=lambda hand: int(hand["pair k"]))


@pytest.mark.parametrize(
    ("position", "power"), [(0, 4), (1, 4), (6, 4), (50, 4), (200, 1), (137, 6)]
)
def test_the_regular_clock_is_the_encoding(position, power):
    hands = hands_of(position=position, power=power)
    numbers = sinusoidal(1, 32, base=10.0**power, start=position)[0]
    frequencies = angular_frequencies(32, base=10.0**power)
    turns = position * frequencies / (2 * np.pi)
    assert [int(hand["pair k"]) for hand in hands] == list(range(16))
    np.testing.assert_allclose([float(hand["sine"]) for hand in hands], numbers[0::2], atol=5.1e-5)
    np.testing.assert_allclose(
        [float(hand["cosine"]) for hand in hands], numbers[1::2], atol=5.1e-5
    )
    np.testing.assert_allclose([float(hand["turns"]) for hand in hands], turns, atol=5.1e-5)
    np.testing.assert_allclose(
        [float(hand["wavelength"].replace(",", "")) for hand in hands],
        2 * np.pi / frequencies,
        rtol=5e-4,
    )
    assert [hand["state"] == "half a turn or more" for hand in hands] == list(turns >= 0.5)
    for i, hand in enumerate(hands):
        column, row = i % 4, i // 4
        place = float(hand["x"]), float(hand["y"])
        tip = column + 0.38 * numbers[2 * i], row - 0.38 * numbers[2 * i + 1]
        assert place == pytest.approx(tip, abs=1e-9)


def test_each_number_stands_in_the_middle_of_its_dial_and_no_hand_covers_it():
    spec = specification("regular_clock")
    (numbers,) = marks(spec, "text")
    assert [number["text"] for number in numbers] == [str(k) for k in range(16)]
    twelve, hands = marks(spec, "rule")
    dials = marks(spec, "line")
    assert len(dials) == len(hands) == len(twelve) == 16
    apart = spec["width"] / 4
    for k, dial in enumerate(dials):
        middle = np.array([k % 4 + 0.5, k // 4 + 0.5]) * apart
        assert places(numbers)[k] == pytest.approx(middle)
        rim = seen_from(middle, dial)
        radius = np.abs(rim[0])
        assert np.allclose(rim, radius * np.exp(1j * (np.pi / 2 - np.arange(48) * np.pi / 24)))
        assert radius < apart / 2
        # A hand reaches from beyond the number, of two digits 15 pixels high, to within the rim.
        tip, tail = (seen_from(middle, [hands[k]], *at)[0] for at in (("x", "y"), ("x2", "y2")))
        assert math.hypot(15, 11) / 2 < abs(tail) < abs(tip) < radius
        assert tail == pytest.approx(abs(tail) / abs(tip) * tip)
        # The mark at twelve stands upright, from the rim inwards.
        mark = twelve[k]
        assert (mark["x"], mark["y"]) == pytest.approx((middle[0], middle[1] - radius))
        assert mark["y"] < mark["y2"] < middle[1] - abs(tip)


def test_without_the_division_all_hands_but_the_first_stand_still():
    hands = hands_of(position=200, divided=False)
    assert [hand["sine"] for hand in hands[2:]] == ["0.0000"] * 14
    assert [hand["cosine"] for hand in hands[1:]] == ["1.0000"] * 15
    assert float(hands[0]["sine"]) == pytest.approx(math.sin(200), abs=5.1e-5)
    assert "gear ratio 100\u202f000\u202f000" in texts(drawn("regular_clock", divided=False))


def test_the_description_names_the_right_number_of_orange_hands():
    over = [hand for hand in hands_of() if hand["state"] == "half a turn or more"]
    assert len(over) == 5
    assert "the first five hands are orange" in specification("regular_clock")["description"]
    assert "gear ratio 1.778" in texts(drawn("regular_clock"))
