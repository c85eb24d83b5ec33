"""The matplotlib style and the figures that are drawn more than once."""

import base64
import io
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from posenc import figures
from posenc.encodings import sinusoidal


@pytest.fixture(autouse=True)
def _close_figures():
    figures.use_course_style()
    yield
    plt.close("all")
    plt.rcdefaults()


def png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def test_the_same_figure_is_the_same_file_and_names_no_software():
    files = set()
    for _ in range(2):
        figure, axes = plt.subplots()
        axes.plot([1, 3, 2])
        files.add(png(figure))
    (content,) = files
    assert b"atplotlib" not in content
    assert b"tIME" not in content


def test_in_a_notebook_the_inline_backend_writes_such_files_too():
    shell = InteractiveShell.instance()
    try:
        figures.use_course_style()
        formatter = shell.display_formatter.formatters["image/png"]
        figure, axes = plt.subplots()
        axes.plot([1, 2])
        shown = formatter(figure)
        content = base64.b64decode(shown) if isinstance(shown, str) else shown
        assert content.startswith(b"\x89PNG")
        assert b"atplotlib" not in content
        assert plt.rcParams["figure.facecolor"] == "white"
    finally:
        InteractiveShell.clear_instance()


def test_centered_limits_put_zero_in_the_middle():
    assert figures.color_limits([[-1, 3]]) == (-3, 3)
    assert figures.color_limits([[-1, 3]], centered=False) == (-1, 3)


def test_a_heat_map_shows_the_matrix_with_its_rows_downwards():
    matrix = sinusoidal(5, 4)
    axes = figures.heat_map(matrix, x_label="column", y_label="position", color_label="value")
    (image,) = axes.images
    assert np.array_equal(image.get_array(), matrix)
    low, high = image.get_clim()
    assert low == -high
    assert axes.get_ylim() == (4.5, -0.5)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("column", "position")
    assert axes.figure.axes[1].get_ylabel() == "value"


def test_a_heat_map_numbers_its_rows_and_limits_its_colors_as_told():
    axes = figures.heat_map(np.eye(3), x_label="x", y_label="y", first_row=10, limits=(0, 2))
    assert axes.get_xlim() == (-0.5, 2.5)
    assert axes.get_ylim() == (12.5, 9.5)
    assert axes.images[0].get_clim() == (0, 2)


def test_a_heat_map_with_limits_leaves_cells_of_nan_blank():
    axes = figures.heat_map([[1, np.nan]], x_label="x", y_label="y", limits=(0, 1))
    assert axes.images[0].get_array().mask.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        ([["a"]], TypeError, "matrix must be real numbers, got [['a']]"),
        ([[1], [1, 2]], ValueError, "matrix must be a regular array of real numbers, got rows"),
        ([[1, np.nan]], ValueError, "matrix must be finite, got nan"),
        ([[-np.inf]], ValueError, "matrix must be finite, got -inf"),
        (
            [1, 2, 3],
            ValueError,
            "matrix must have shape (n, m) with at least one cell, got shape (3,)",
        ),
        (
            np.empty((0, 3)),
            ValueError,
            "matrix must have shape (n, m) with at least one cell, got shape (0, 3)",
        ),
    ],
)
@pytest.mark.parametrize("draw", [figures.heat_map, figures.heat_map_with_zoom])
def test_what_is_no_matrix_is_named_before_a_figure_is_begun(draw, matrix, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        draw(matrix, x_label="x", y_label="y", color_label="value")
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        (
            [],
            ValueError,
            "matrix must have shape (n, m) with at least one cell, got shape (0,)",
        ),
        ([[1, np.nan]], ValueError, "matrix must be finite, got nan"),
        ("ab", TypeError, "matrix must be real numbers, got 'ab'"),
    ],
)
@pytest.mark.parametrize("centered", [True, False])
def test_color_limits_name_what_has_none(matrix, error, message, centered):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        figures.color_limits(matrix, centered=centered)


def test_the_whole_and_its_corner_share_one_color_scale():
    matrix = np.arange(100.0).reshape(10, 10) - 20
    whole, corner = figures.heat_map_with_zoom(
        matrix, x_label="x", y_label="y", color_label="value", zoom=4
    )
    assert whole.images[0].get_clim() == corner.images[0].get_clim() == (-79, 79)
    assert np.array_equal(corner.images[0].get_array(), matrix[:4, :4])
    (frame,) = whole.patches
    assert (frame.get_width(), frame.get_height()) == (4, 4)


def test_a_corner_may_be_a_single_cell():
    whole, corner = figures.heat_map_with_zoom(
        np.arange(6.0).reshape(2, 3), x_label="x", y_label="y", color_label="value", zoom=1
    )
    assert corner.images[0].get_array().tolist() == [[0]]
    assert corner.get_title("left") == "the framed 1 × 1 corner"
    (frame,) = whole.patches
    assert frame.get_bbox().bounds == (-0.5, -0.5, 1, 1)


@pytest.mark.parametrize(
    "draw", [figures.color_limits, figures.heat_map, figures.heat_map_with_zoom]
)
def test_centered_is_true_or_false(draw):
    labels = {"x_label": "x", "y_label": "y", "color_label": "value"}
    with pytest.raises(TypeError, match=r"^centered must be True or False, got 'no'$"):
        draw(np.eye(3), centered="no", **({} if draw is figures.color_limits else labels))
    assert not plt.get_fignums()


def test_a_corner_is_no_larger_than_the_matrix_and_its_title_says_so():
    whole, corner = figures.heat_map_with_zoom(
        np.zeros((10, 7)), x_label="x", y_label="y", color_label="value"
    )
    assert corner.images[0].get_array().shape == (7, 7)
    assert corner.get_title("left") == "the framed 7 × 7 corner"
    (frame,) = whole.patches
    assert (frame.get_width(), frame.get_height()) == (7, 7)


@pytest.mark.parametrize(("zoom", "error"), [(0, ValueError), (-1, ValueError), (2.0, TypeError)])
def test_a_corner_has_a_positive_number_of_rows(zoom, error):
    with pytest.raises(error, match=f"^zoom must be a positive integer, got {zoom}$"):
        figures.heat_map_with_zoom(
            np.eye(3), x_label="x", y_label="y", color_label="value", zoom=zoom
        )
