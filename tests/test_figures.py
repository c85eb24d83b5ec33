"""The matplotlib style and the figures that are drawn more than once."""

import base64
import io

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


def test_a_heat_map_numbers_its_rows_and_columns_as_told():
    axes = figures.heat_map(
        np.eye(3), x_label="x", y_label="y", first_row=10, first_column=20, limits=(0, 2)
    )
    assert axes.get_xlim() == (19.5, 22.5)
    assert axes.get_ylim() == (12.5, 9.5)
    assert axes.images[0].get_clim() == (0, 2)


def test_a_heat_map_wants_a_matrix():
    with pytest.raises(ValueError, match=r"matrix must have two dimensions, got shape \(3,\)"):
        figures.heat_map(np.ones(3), x_label="x", y_label="y")


def test_the_whole_and_its_corner_share_one_color_scale():
    matrix = np.arange(100.0).reshape(10, 10) - 20
    whole, corner = figures.heat_map_with_zoom(
        matrix, x_label="x", y_label="y", color_label="value", zoom=4
    )
    assert whole.images[0].get_clim() == corner.images[0].get_clim() == (-79, 79)
    assert np.array_equal(corner.images[0].get_array(), matrix[:4, :4])
    (frame,) = whole.patches
    assert (frame.get_width(), frame.get_height()) == (4, 4)
