"""The course's matplotlib style, and what is drawn with matplotlib more than once.

**What the functions share.** `matrix` is an array of finite real numbers of shape (n, m), to be
drawn. If it is `centered`, zero is in the middle of a diverging color scale; if not, the scale goes
from the least value to the greatest. A ``TypeError`` or a ``ValueError`` names an argument that is
not as described, before a figure is begun.
"""

import sys

import numpy as np

from posenc._validation import array, flag, integer
from posenc.palette import COLORS, FONT

DIVERGING = "RdBu_r"
SEQUENTIAL = "viridis"
WIDTH = 5.6
DPI = 192  # two of the book's pixels to each of a page
_CELLS = "(n > 0, m > 0)"

_STYLE = {
    # Every figure is as wide, in inches, so that letters have one size on all: on a desk that of
    # the text, and two thirds of it on a phone.
    "figure.figsize": (WIDTH, 3.2),
    # Paper is white. In the book the page's own color takes its place, by day and by night.
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.prop_cycle": f"cycler('color', {list(COLORS)})",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
    "savefig.dpi": DPI,
    "figure.constrained_layout.use": True,
    "font.family": FONT,
    "font.size": 11,
    "axes.titlesize": "medium",
    "figure.titlesize": "medium",
    "figure.labelsize": "medium",
    "image.cmap": DIVERGING,
    "image.interpolation": "nearest",
    "image.aspect": "auto",
    "legend.frameon": False,
}


def use_course_style():
    """Set up matplotlib for a notebook of the course, in one line.

    Its figures become PNG files whose bytes depend on nothing but the figure.
    """
    import matplotlib

    matplotlib.rcdefaults()
    matplotlib.rcParams.update(_STYLE)
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        # Without the software's name and version, the same figure is the same file.
        set_matplotlib_formats("png", metadata={"Software": None}, bbox_inches=None, dpi=DPI)
        # The inline backend, which the import has loaded, resets part of the style.
        matplotlib.rcParams.update(_STYLE)


def color_limits(matrix, *, centered=True):
    """Return the least and greatest value of a color scale that suits a matrix.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
    centered : bool, default: True

    Returns
    -------
    tuple of float
        ``(-m, m)`` with the greatest magnitude `m`, or ``(minimum, maximum)``.
    """
    matrix = array("matrix", matrix, _CELLS)
    if flag("centered", centered):
        magnitude = float(np.abs(matrix).max())
        return -magnitude, magnitude
    return float(matrix.min()), float(matrix.max())


def heat_map(
    matrix,
    *,
    axes=None,
    x_label,
    y_label,
    color_label=None,
    centered=True,
    limits=None,
    first_row=0,
):
    """Draw a matrix as an image whose rows run downwards from the top, like the matrix itself.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
        With `limits`, cells of NaN stay blank.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    x_label, y_label : str
        What columns and rows mean.
    color_label : str, optional
        What the color means; without it there is no color bar.
    centered : bool, default: True
    limits : tuple of float, optional
        The color scale's least and greatest value, for pictures that are to be compared.
    first_row : int, default: 0
        The number of the first row on its axis.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the image.
    """
    matrix, centered = array("matrix", matrix, _CELLS, finite=False), flag("centered", centered)
    if limits is None:
        limits = color_limits(matrix, centered=centered)
    low, high = array("limits", limits, "(2,)")
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.subplots()[1]
    rows, columns = matrix.shape
    image = axes.imshow(
        matrix,
        cmap=DIVERGING if centered else SEQUENTIAL,
        vmin=low,
        vmax=high,
        extent=(-0.5, columns - 0.5, first_row + rows - 0.5, first_row - 0.5),
    )
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.spines[:].set_visible(False)
    if color_label is not None:
        axes.figure.colorbar(image, ax=axes, label=color_label)
    return axes


def heat_map_with_zoom(matrix, *, x_label, y_label, color_label, zoom=64, centered=True):
    """Draw a matrix beside its upper left corner enlarged, both on one color scale.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
    x_label, y_label, color_label : str
        What columns, rows and colors mean.
    zoom : int, default: 64
        How many rows and columns the corner has; in a smaller matrix, as many as fit.
    centered : bool, default: True

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The axes of the whole and of the corner.
    """
    import matplotlib.pyplot as plt

    matrix = array("matrix", matrix, _CELLS)
    limits = color_limits(matrix, centered=centered)
    zoom = min(integer("zoom", zoom, least=1), *matrix.shape)
    whole, corner = plt.subplots(1, 2, figsize=(WIDTH, 3))[1]
    common = {"x_label": x_label, "y_label": y_label, "centered": centered, "limits": limits}
    heat_map(matrix, axes=whole, **common)
    heat_map(matrix[:zoom, :zoom], axes=corner, color_label=color_label, **common)
    frame = plt.Rectangle((-0.5, -0.5), zoom, zoom, fill=False, edgecolor="black", linewidth=1.5)
    whole.add_patch(frame)
    corner.spines[:].set(visible=True, linewidth=1.5)
    whole.set_title(f"all {matrix.shape[0]} × {matrix.shape[1]}", loc="left")
    corner.set_title(f"the framed {zoom} × {zoom} corner", loc="left")
    return whole, corner
