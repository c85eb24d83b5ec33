"""The chart of notebook 03 draws what `posenc` computes."""

import re

import numpy as np
import pytest
from chart_parts import colors_at, fields, marks, moved, places, specification, svg_root

from posenc.charts.binary import GREATEST, WHEELS
from posenc.encodings import binary, sinusoidal_by_definition
from posenc.palette import COLORS

POSITIONS = [0, 0.25, 0.75, 1, 6.5, 7, 7.75, 8, 31, 32, 45.5, 62.25, 63]


def drawn(position, width=520):
    """Draw the chart with the slider at a position, and return the marks of its five layers."""
    spec = moved(specification("odometer"), position=position)
    spec["width"] = width
    root = svg_root(spec)
    layers = {}
    for group in root.iter():
        layer = re.search(r"layer_(\d)_marks", group.get("class", ""))
        if layer:
            layers[int(layer[1])] = list(group)
    assert [len(layers[i]) for i in range(5)] == [WHEELS] * 5
    return root, layers


def said(mark, name):
    """Return a number that a mark says to a screen reader."""
    return float(fields(mark.get("aria-label"))[name])


def place(mark):
    return float(re.match(r"translate\(([\d.]+),", mark.get("transform"))[1])


def radius(mark):
    """Half the width of a square or a disc, in pixels: its path begins on its rim."""
    return abs(float(re.match(r"M(-?[\d.]+)", mark.get("d"))[1]))


def test_the_slider_reaches_every_position_in_steps_of_a_quarter():
    (param,) = specification("odometer")["params"]
    assert param["name"] == "position"
    bind = {"input": "range", "name": "position t ", "min": 0, "max": 63, "step": 0.25}
    assert param["bind"] == bind
    assert len(binary(GREATEST + 1)[0]) == WHEELS


@pytest.mark.parametrize("position", POSITIONS)
def test_wheels_show_the_bits_and_what_flipped(position):
    root, layers = drawn(position)
    whole = int(position)
    rows = binary(64)
    cells = layers[0]
    np.testing.assert_array_equal([said(cell, "value") for cell in cells], rows[whole])
    np.testing.assert_array_equal([int(digit.text) for digit in layers[1]], rows[whole])
    np.testing.assert_array_equal([cell.get("fill") == COLORS[5] for cell in cells], rows[whole])
    flipped = rows[whole] != rows[max(whole - 1, 0)]
    np.testing.assert_array_equal([cell.get("stroke") == COLORS[1] for cell in cells], flipped)
    assert [place(cell) for cell in cells] == sorted(place(cell) for cell in cells)
    title = " ".join(element.text or "" for element in root.iter())
    assert f"position {position:.2f}, bits {' '.join(map(str, rows[whole]))}" in title
    assert f"bits flipped on arriving at {whole}: {flipped.sum()}" in title


@pytest.mark.parametrize("position", POSITIONS)
def test_dials_turn_once_in_the_period_of_their_bit(position):
    _, layers = drawn(position)
    # Base 2^6 at π times the position: pair i of width 12 has the wavelength 2^(i+1).
    table = sinusoidal_by_definition(1, 2 * WHEELS, base=2**WHEELS, start=np.pi * position)
    for i, (hand, half) in enumerate(zip(layers[4], layers[3])):
        # Rounded to three digits on the screen.
        assert said(hand, "sine") == pytest.approx(table[0, 2 * i], abs=6e-4)
        assert said(hand, "cosine") == pytest.approx(table[0, 2 * i + 1], abs=6e-4)
        turned = re.search(r"rotate\(([\d.]+)\)", hand.get("transform"))
        angle = np.radians(float(turned[1]) if turned else 0)
        assert np.allclose([np.sin(angle), np.cos(angle)], table[0, 2 * i : 2 * i + 2])
        # The hand is in the left half, which has the color of a 1, exactly while the bit is 1.
        assert half.get("fill") == COLORS[5]
        assert (np.degrees(angle) >= 180) == binary(64)[int(position), i]


def test_what_repeats_another_mark_is_silent():
    _, layers = drawn(7)
    spoken = [all(mark.get("aria-label") for mark in layers[i]) for i in range(5)]
    assert spoken == [True, False, False, False, True]


@pytest.mark.parametrize("width", [520, 230])
def test_discs_are_round_and_do_not_touch(width):
    _, layers = drawn(7, width)
    for layer in (layers[0], layers[2]):
        gap = place(layer[1]) - place(layer[0])
        assert gap == pytest.approx(width / WHEELS)
        assert 0.35 * gap < radius(layer[0]) < 0.45 * gap


def test_the_left_half_of_a_dial_has_the_color_of_a_1_and_the_hand_begins_upright():
    spec = moved(specification("odometer"), position=0)
    counter, discs, halves, hands = (places(group) for group in marks(spec, "symbol"))
    for group in (discs, halves, hands):
        np.testing.assert_array_equal(group, discs)
        np.testing.assert_array_equal(group[:, 0], counter[:, 0])
    zero = colors_at(spec, counter, -20, -20)
    assert len({*zero}) == 1
    assert colors_at(spec, discs, -20, 0) == [COLORS[5].lower()] * WHEELS
    assert colors_at(spec, discs, 20, 0) == zero
    ink = {*colors_at(spec, discs, 0, -15)}
    assert len(ink) == 1
    assert ink.isdisjoint([*zero, COLORS[5].lower()])
    assert ink.isdisjoint(colors_at(spec, discs, 0, 15))
