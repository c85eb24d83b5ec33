"""The matplotlib style and the figures that are drawn more than once."""

import base64

import matplotlib.pyplot as plt
import numpy as np
import pytest
from colors import DAY, ENOUGH, NIGHT, by_night, contrast
from IPython.core.interactiveshell import InteractiveShell
from PIL.ImageColor import getrgb

from posenc import figures, palette
from posenc.encodings import sinusoidal
from posenc.palette import KEY

LABELS = {"x_label": "column", "y_label": "position", "color_label": "value"}


@pytest.fixture(autouse=True)
def _close_figures():
    figures.use_course_style()
    yield
    plt.close("all")
    plt.rcdefaults()


def test_in_a_notebook_the_same_figure_is_the_same_file_and_names_no_software():
    shell = InteractiveShell.instance()
    try:
        figures.use_course_style()
        assert plt.rcParams["figure.facecolor"] == "white"
        files = set()
        for _ in range(2):
            figure, axes = plt.subplots()
            axes.plot([1, 3, 2])
            shown = shell.display_formatter.formatters["image/png"](figure)
            shown, metadata = shown
            files.add(base64.b64decode(shown) if isinstance(shown, str) else shown)
            # In JupyterLab an inch is as wide as one of the text's.
            assert metadata["width"] == int(figures.WIDTH * 96)
    finally:
        InteractiveShell.clear_instance()
    (content,) = files
    assert content.startswith(b"\x89PNG")
    assert b"atplotlib" not in content
    assert b"tIME" not in content


def test_a_heat_map_shows_the_matrix_with_its_rows_downwards():
    matrix = sinusoidal(5, 4)
    axes = figures.heat_map(matrix, **LABELS)
    (image,) = axes.images
    assert np.array_equal(image.get_array(), matrix)
    low, high = image.get_clim()
    assert low == -high
    assert axes.get_xlim() == (-0.5, 3.5)
    assert axes.get_ylim() == (4.5, -0.5)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("column", "position")
    assert axes.figure.axes[1].get_ylabel() == "value"


def test_a_heat_map_numbers_its_rows_and_limits_its_colors_as_told_and_leaves_nan_blank():
    matrix, drawn_on = [[1, np.nan], [0, 3]], plt.subplots()[1]
    axes = figures.heat_map(
        matrix, axes=drawn_on, x_label="x", y_label="y", first_row=10, limits=(0, 2), centered=False
    )
    assert axes is drawn_on
    assert axes.get_ylim() == (11.5, 9.5)
    (image,) = axes.images
    assert image.get_clim() == (0, 2)
    assert image.get_array().mask.tolist() == [[False, True], [False, False]]
    assert image.get_cmap() == figures.color_map(centered=False)


@pytest.mark.parametrize(
    ("shape", "zoom", "rows"), [((10, 10), 4, 4), ((2, 3), 1, 1), ((10, 7), 64, 7)]
)
def test_the_whole_and_its_corner_share_one_color_scale(shape, zoom, rows):
    matrix = np.arange(float(np.prod(shape))).reshape(shape) - 20
    whole, corner = figures.heat_map_with_zoom(matrix, zoom=zoom, **LABELS)
    greatest = np.abs(matrix).max()
    assert whole.images[0].get_clim() == corner.images[0].get_clim() == (-greatest, greatest)
    assert np.array_equal(whole.images[0].get_array(), matrix)
    assert np.array_equal(corner.images[0].get_array(), matrix[:rows, :rows])
    assert corner.get_title("left") == f"the framed {rows} × {rows} corner"
    assert corner.spines["top"].get_visible()
    (frame,) = whole.patches
    assert frame.get_bbox().bounds == (-0.5, -0.5, rows, rows)


def test_every_color_of_the_palette_stands_out_on_both_pages():
    colors = {name: color for name, color in vars(palette).items() if str(color).startswith("#")}
    del colors["FAINT"]
    for name, color in colors.items():
        by_day = getrgb(color)
        assert min(contrast(by_day, DAY), contrast(by_night(by_day), NIGHT)) >= 3, name


@pytest.mark.parametrize("centered", [True, False])
def test_a_map_has_no_color_at_zero_and_keeps_its_hues_in_the_dark(centered):
    colors = figures.color_map(centered=centered)
    zero = (colors.N - 1) // 2 if centered else 0
    assert colors(zero) == (1, 1, 1, 1)
    for end, strongest in ((0, 2), (colors.N - 1, 0)):
        if end != zero:
            by_day = 255 * np.array(colors(end)[:3])
            assert by_day.argmax() == by_night(by_day).argmax() == strongest
            assert min(contrast(by_day, DAY), contrast(by_night(by_day), NIGHT)) > ENOUGH


def test_hands_turn_clockwise_from_the_mark_at_twelve():
    figure, dials = figures.dials(1, 2, height=2)
    assert figure.get_size_inches().tolist() == [figures.WIDTH, 2]
    assert dials.shape == (1, 2)
    figures.hand(dials[0, 1], np.pi / 2, length=0.5, kind="key", label="key")
    mark, hand = dials[0, 1].lines
    middle, tip = hand.get_transform().transform(hand.get_xydata())
    assert tip[1] == pytest.approx(middle[1])
    assert tip[0] > middle[0]
    top = mark.get_transform().transform(mark.get_xydata())
    assert top[:, 0] == pytest.approx(middle[0])
    assert (top[:, 1] > middle[1]).all()
    assert (hand.get_label(), hand.get_color()) == ("key", KEY)


def test_a_diagram_is_measured_in_cells_from_its_upper_left_corner():
    diagram = figures.Diagram(10, 4)
    assert diagram.figure.get_size_inches().tolist() == [figures.WIDTH, 0.4 * figures.WIDTH]
    diagram.cells(1, 2, [[3, 0.5]])
    assert [text.get_text() for text in diagram.axes.texts] == ["3", "0.5"]
    assert [text.get_position() for text in diagram.axes.texts] == [(1.5, 2.5), (2.5, 2.5)]
    upper_left, lower_right = diagram.axes.transData.transform([(0, 0), (10, 4)])
    assert upper_left[0] < lower_right[0]
    assert upper_left[1] > lower_right[1]
