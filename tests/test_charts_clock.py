"""The charts of notebook 02 draw what `posenc` computes."""

import math
import re

import numpy as np
import pytest
from chart_parts import compiled, fields, labels, moved, svg_root, texts

from posenc.charts import clock_face, regular_clock
from posenc.encodings import angular_frequencies, clock, sinusoidal

CHARTS = [clock_face, regular_clock]


def drawn(chart, **values):
    """Draw a chart with its sliders set, and return the SVG's root."""
    return svg_root(moved(chart().to_dict(), **values))


TIMES = [
    ((0, 0, 0, 0), "00:00:00"),
    ((2, 44, 30, 0), "02:44:30"),
    ((3, 1, 0, 0), "03:01:00"),
    ((2, 44, 30, 990), "03:01:00"),
    ((11, 59, 59, 2), "00:00:01"),
    ((10, 8, 35, 43_200), "10:08:35"),
]


@pytest.mark.parametrize("chart", CHARTS)
def test_the_chart_compiles_and_says_in_words_what_it_shows(chart):
    spec = chart().to_dict()
    assert spec == chart().to_dict()
    assert len(spec["description"]) > 200
    assert "slider" in spec["description"].lower()
    assert compiled(spec)["signals"]


def test_the_sliders_of_the_clock_reach_the_last_second():
    sliders = {param["name"]: param.get("bind") for param in clock_face().to_dict()["params"]}
    assert list(sliders) == ["hours", "minutes", "seconds", "run", "moment"]
    assert [sliders[name]["max"] for name in ("hours", "minutes", "seconds")] == [11, 59, 59]


def test_the_regular_clock_has_two_sliders_and_a_check_box():
    params = regular_clock().to_dict()["params"]
    inputs = {param["name"]: param["bind"]["input"] for param in params if "bind" in param}
    assert inputs == {"position": "range", "power": "range", "divided": "checkbox"}


@pytest.fixture(scope="module", params=TIMES, ids=lambda given: "-".join(map(str, given[0])))
def face(request):
    """Return a drawn clock, the time that it should show, and the six numbers of that time."""
    sliders, time = request.param
    hours, minutes, seconds = map(int, time.split(":"))
    root = drawn(clock_face, **dict(zip(("hours", "minutes", "seconds", "run"), sliders)))
    return root, time, clock(3600 * hours + 60 * minutes + seconds)


def test_the_six_bars_are_the_encoding_and_their_labels_say_so(face):
    root, time, numbers = face
    assert time in texts(root)
    words = [word for word in texts(root) if "sine" in word]
    assert [word.split("\u2002")[0] for word in words] == [
        f"{hand}, {part}" for hand in ("second", "minute", "hour") for part in ("sine", "cosine")
    ]
    shown = [float(word.split("\u2002")[1].replace("−", "-")) for word in words]
    np.testing.assert_allclose(shown, numbers, atol=5.01e-4)
    assert not any("−0.000" in word for word in words)


def test_the_bars_are_as_long_as_the_numbers(face):
    root, _, numbers = face
    bars = [fields(label) for label in labels(root, "bar")]
    values = {int(bar["i"]): float(bar["value"]) for bar in bars}
    np.testing.assert_allclose([values[i] for i in range(6)], numbers, atol=1e-9)


def test_the_hands_point_where_the_numbers_say(face):
    root, _, numbers = face
    rules = [fields(label) for label in labels(root, "rule mark")]
    hands = {rule["hand"]: rule for rule in rules if "hand" in rule}
    lengths = []
    for name, (sine, cosine) in zip(("second", "minute", "hour"), numbers.reshape(3, 2)):
        tip = complex(float(hands[name]["x"]), float(hands[name]["y"]))
        lengths.append(abs(tip))
        assert tip / abs(tip) == pytest.approx(complex(sine, cosine), abs=1e-9)
        angle = math.degrees(math.atan2(sine, cosine)) % 360
        assert float(hands[name]["degrees"]) == pytest.approx(angle, abs=0.0051)
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] < 1


def test_the_face_is_round_and_has_ticks_and_numerals_where_they_belong():
    spec = clock_face().to_dict()
    dial = spec["hconcat"][0]
    assert dial["width"] == dial["height"]
    root = drawn(clock_face)
    assert [word for word in texts(root) if re.fullmatch(r"\d+", word or "")] == [
        str(hour) for hour in range(1, 13)
    ]
    numerals = {}
    for label in labels(root, "text mark"):
        numeral = fields(label)
        numerals[int(numeral["hour"])] = float(numeral["x"]), float(numeral["y"])
    for hour, place in numerals.items():
        sine, cosine = clock(3600 * hour)[4:]
        assert place == pytest.approx((0.72 * sine, 0.72 * cosine), abs=1e-9)
    ticks = [label for label in labels(root, "rule mark") if "hand" not in label]
    assert len(ticks) == 60


def hands_of(**values):
    rules = labels(drawn(regular_clock, **values), "rule mark")
    hands = [fields(label) for label in rules if "turns" in label]
    return sorted(hands, key=lambda hand: int(hand["pair k"]))


@pytest.mark.parametrize(("position", "power"), [(0, 4), (1, 4), (50, 4), (200, 1), (137, 6)])
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
    root = drawn(regular_clock)
    numbers = [fields(label) for label in labels(root, "text mark")]
    assert [(int(number["column"]), int(number["row"])) for number in numbers] == [
        (k % 4, k // 4) for k in range(16)
    ]
    assert [word for word in texts(root) if re.fullmatch(r"\d+", word or "")] == [
        str(k) for k in range(16)
    ]
    # A number of two digits, 15 pixels high, reaches less far than the beginning of a hand.
    unit = regular_clock().width / 4
    assert math.hypot(15, 11) / 2 < 0.16 * unit


def test_without_the_division_all_hands_but_the_first_stand_still():
    hands = hands_of(position=200, divided=False)
    assert [hand["sine"] for hand in hands[2:]] == ["0.0000"] * 14
    assert [hand["cosine"] for hand in hands[1:]] == ["1.0000"] * 15
    assert float(hands[0]["sine"]) == pytest.approx(math.sin(200), abs=5.1e-5)
    assert "gear ratio 100\u202f000\u202f000" in texts(drawn(regular_clock, divided=False))


def test_the_description_names_the_right_number_of_orange_hands():
    over = [hand for hand in hands_of() if hand["state"] == "half a turn or more"]
    assert len(over) == 5
    assert "the first five hands are orange" in regular_clock().to_dict()["description"]
    assert "gear ratio 1.778" in texts(drawn(regular_clock))
