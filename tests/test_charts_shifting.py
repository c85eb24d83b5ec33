"""The chart of notebook 05 shows a table as far as it has grown, and the turns that made a row."""

import numpy as np
import pytest
from chart_parts import fields, marks, moved, specification, svg_root

from posenc.charts.shifting import ROWS, WIDTH
from posenc.encodings import sinusoidal_by_definition

EVERY = range(ROWS)


@pytest.fixture
def spec():
    return specification("doubling")


def powers_of(row):
    """Return the powers of two that a number is the sum of, by halving it."""
    powers, power = [], 1
    while row:
        row, digit = divmod(row, 2)
        powers += [power] * digit
        power *= 2
    return powers


def labels(spec, row):
    """Return what the turns that lead to a row are labeled with."""
    return [item["text"] for group in marks(moved(spec, row=row), "text") for item in group]


def test_the_chart_says_in_words_what_it_shows(spec):
    for words in ("slider", "row 0", "1, 2, 4, 8, 16 or 32 rows", "turns of 1, 4 and 8"):
        assert words in spec["description"]


@pytest.mark.parametrize("row", EVERY)
def test_a_row_takes_a_turn_for_each_one_among_its_bits(spec, row):
    assert labels(spec, row) == [f"+{power}" for power in powers_of(row)]


@pytest.mark.parametrize("row", [1, 13, 22, 31])
def test_the_turns_lead_from_row_0_to_the_row(spec, row):
    (lines,) = (group for group in marks(moved(spec, row=row), "rule") if group)
    scale = 400 / ROWS
    ends = [(line["y"] / scale - 0.5, line["y2"] / scale - 0.5) for line in lines]
    stops = np.cumsum([0, *powers_of(row)])
    assert np.allclose(np.sort(ends, axis=1), np.column_stack([stops[:-1], stops[1:]]))
    (heads,) = (group for group in marks(moved(spec, row=row), "symbol") if group)
    assert np.allclose([head["y"] / scale - 0.5 for head in heads], stops[1:])


@pytest.mark.parametrize(
    ("row", "grown"), [(0, 1), (1, 2), (2, 4), (3, 4), (4, 8), (15, 16), (16, 32)]
)
def test_the_table_is_drawn_as_far_as_it_has_grown(spec, row, grown):
    cells = max(marks(moved(spec, row=row), "rect"), key=len)
    assert len(cells) == grown * WIDTH
    found = np.array([float(fields(cell["description"])["value"]) for cell in cells])
    expected = sinusoidal_by_definition(grown, WIDTH).ravel()
    assert np.abs(found - expected).max() < 0.001


def test_the_title_counts_the_turns_and_the_rows(spec):
    for row, words in (
        (0, ["row 0: from the formula", "turns since row 0: 0, rows so far: 1"]),
        (13, ["row 13 = 8 + 4 + 1", "turns since row 0: 3, rows so far: 16"]),
        (31, ["row 31 = 16 + 8 + 4 + 2 + 1", "turns since row 0: 5, rows so far: 32"]),
    ):
        assert set(words) <= set(svg_root(moved(spec, row=row)).itertext())


def test_the_chosen_row_is_framed(spec):
    (frame,) = min(marks(moved(spec, row=13), "rect"), key=len)
    assert np.isclose(frame["y"] / (400 / ROWS), 13)
    assert np.isclose(frame["height"], 400 / ROWS)
