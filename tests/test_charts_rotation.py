"""The chart of notebook 04 draws hands and arcs where `posenc` computes them."""

import math
import re

import numpy as np
import pytest
from chart_parts import SVG, moved, specification, svg_root, texts

from posenc.charts import unit_circles
from posenc.encodings import angular_frequencies, sinusoidal_by_definition

SETTINGS = [(3, 4), (0, 0), (0, 6), (20.5, -9.5), (60, 10), (41, -0.5)]


def drawn(position, offset, **arguments):
    """Draw the chart with its sliders set, and return the SVG's root."""
    spec = specification("unit_circles", **arguments)
    return svg_root(moved(spec, position=position, offset=offset))


def paths(root, layer):
    """Return the points, in pixels, of each line of a layer, and their colors."""
    found = []
    for group in root.iter(f"{SVG}g"):
        if f"mark-line role-mark layer_{layer}_marks" in group.get("class", ""):
            for path in group.iter(f"{SVG}path"):
                numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", path.get("d"))
                found.append((np.array(numbers, float).reshape(-1, 2), path.get("stroke")))
    return found


def centers(root):
    """Return the middle and the radius of each circle, in pixels, from its outline."""
    outlines = [points for points, _ in paths(root, 0)]
    assert len(outlines) == 4
    middles = [(points.min(0) + points.max(0)) / 2 for points in outlines]
    radii = [np.ptp(points, axis=0) / 2 for points in outlines]
    assert np.allclose(radii, radii[0][0], rtol=2e-3), "circles of one size"
    return np.array(middles), radii[0][0]


def swept(points, middle):
    """Return the angle of each point from the top, clockwise, without jumps."""
    right, down = (points - middle).T
    return np.unwrap(np.arctan2(right, -down))


def test_the_chart_says_in_words_what_it_shows():
    spec = specification("unit_circles")
    description = spec["description"]
    for words in ("unit circles", "slider", "position t + φ", "arc", "clockwise"):
        assert words in description
    assert spec["width"] == spec["height"] <= 620


def test_the_sliders_take_fractions_and_shift_both_ways():
    sliders = {param["name"]: param for param in specification("unit_circles")["params"]}
    assert list(sliders) == ["position", "offset"]
    for slider in sliders.values():
        assert slider["bind"]["step"] < 1, "fractions too"
    assert sliders["offset"]["bind"]["min"] < 0
    assert sliders["position"]["bind"]["name"].startswith("position")


@pytest.mark.parametrize(("position", "offset"), SETTINGS)
def test_the_hands_point_at_the_encoding(position, offset):
    root = drawn(position, offset)
    said = [element.get("aria-label") or "" for element in root.iter()]
    for at, where in ((position, "at position t"), (position + offset, "at position t + φ")):
        row = sinusoidal_by_definition(1, 16, start=at)[0].round(4) + 0
        for k in range(4):
            words = f"pair {k} {where}: sine {row[2 * k]:.4f}, cosine {row[2 * k + 1]:.4f}"
            assert words.replace(" -", " −") in [
                label.replace("−0.0000", "0.0000") for label in said
            ]


@pytest.mark.parametrize(("position", "offset"), SETTINGS)
def test_the_hands_are_drawn_where_they_point(position, offset):
    root = drawn(position, offset)
    middles, radius = centers(root)
    hands = paths(root, 2) + paths(root, 3)
    assert len(hands) == 8
    now, then = (
        sinusoidal_by_definition(1, 16, start=s)[0, :8] for s in (position, position + offset)
    )
    for points, color in hands:
        k = np.argmin(np.linalg.norm(middles - points[0], axis=1))
        right, down = (points[1] - points[0]) / radius
        row = now if color == "#0072B2" else then
        assert np.allclose([right, -down], row[2 * k : 2 * k + 2], atol=5e-3)  # pixels are rounded


@pytest.mark.parametrize(("position", "offset"), SETTINGS)
def test_the_arcs_turn_by_frequency_times_offset(position, offset):
    root = drawn(position, offset)
    middles, radius = centers(root)
    arcs = [points for points, _ in paths(root, 1)]
    for k, frequency in enumerate(angular_frequencies(16)[:4]):
        angles = swept(arcs[k], middles[k])
        first = (angles[0] - frequency * position) % math.tau
        assert min(first, math.tau - first) < 0.02
        assert angles[-1] - angles[0] == pytest.approx(frequency * offset, abs=0.02)
        distances = np.linalg.norm(arcs[k] - middles[k], axis=1) / radius
        assert (distances < 0.75).all(), "inside the circle"


def test_moving_the_position_leaves_every_arc_as_long_as_it_was():
    lengths = []
    for position in (0, 17, 60):
        arcs = [points for points, _ in paths(drawn(position, 4), 1)]
        lengths.append([np.linalg.norm(np.diff(arc, axis=0), axis=1).sum() for arc in arcs])
    assert np.allclose(lengths, lengths[0], rtol=5e-3)


@pytest.mark.parametrize("offset", [4, -9.5, 0])
def test_the_angle_is_written_above_each_circle(offset):
    root = drawn(20, offset)
    middles, radius = centers(root)
    written = {}
    parents = {child: parent for parent in root.iter() for child in parent}
    for element in root.iter(f"{SVG}text"):
        place, node = np.zeros(2), element
        while node is not None and "root" not in node.get("class", ""):
            moved = re.search(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform", ""))
            place += np.array(moved.groups(), float) if moved else 0
            node = parents.get(node)
        written[element.text] = place
    below = {k: middles[k - 2][1] + radius for k in (2, 3)}
    for k, frequency in enumerate(angular_frequencies(16)[:4]):
        angle = f"{math.degrees(frequency * offset) + 0:.1f}".replace("-", "−")
        across, down = written[f"pair {k} turns {angle}°"]
        assert across == pytest.approx(middles[k][0], abs=1)
        assert below.get(k, -math.inf) < down < middles[k][1] - radius - 8


def test_the_legend_shows_the_shapes_that_are_drawn():
    root = drawn(0, 4)
    symbols = [
        path.get("d").count("A")
        for group in root.iter(f"{SVG}g")
        if "role-legend-symbol" in group.get("class", "")
        for path in group.iter(f"{SVG}path")
    ]
    assert len(symbols) == 3
    assert symbols[0] > 0 == symbols[1] == symbols[2], "a circle, a square and a triangle"


def test_at_offset_zero_the_hand_at_t_shows_behind_the_other():
    spec = specification("unit_circles")
    now, then = (spec["layer"][layer]["mark"]["strokeWidth"] for layer in (2, 3))
    assert now >= 2 * then


def test_an_arrowhead_points_along_each_arc_and_none_at_offset_zero():
    def headings(offset):
        found = []
        for group in drawn(0, offset).iter(f"{SVG}g"):
            if "mark-symbol role-mark layer_5_marks" in group.get("class", ""):
                for path in group.iter(f"{SVG}path"):
                    turned = re.search(r"rotate\((-?[\d.]+)", path.get("transform"))
                    found.append(float(turned.group(1)))
        return found

    degrees = np.degrees(4 * angular_frequencies(16)[:4])
    assert headings(0) == []
    assert np.allclose(headings(4), degrees + 90)
    assert np.allclose(headings(-4), -degrees - 90)


def test_width_and_base_are_used():
    base, width = 100.0, 8
    root = drawn(0, 6, base=base, width=width)
    frequency = base ** (-2 / width)
    assert f"pair 1 turns {math.degrees(6 * frequency):.1f}°" in texts(root)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"width": 6}, ValueError, "width must be at least 8 for four pairs, got 6"),
        ({"width": 9}, ValueError, "width must be a positive even integer, got 9"),
        ({"width": 16.0}, TypeError, "width must be a positive even integer, got 16.0"),
        ({"base": 1}, ValueError, "base must be a number above 1, got 1.0"),
    ],
)
def test_bad_arguments_are_named(arguments, error, words):
    with pytest.raises(error, match=re.escape(words)):
        unit_circles(**arguments)
