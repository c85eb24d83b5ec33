"""The course's matplotlib style, and what is drawn with matplotlib more than once."""

import sys

import numpy as np

from posenc._validation import as_flag, as_matrix, as_positive_integer
from posenc.charts import enable_renderer
from posenc.palette import COLORS, FONT

DIVERGING = "RdBu_r"
SEQUENTIAL = "viridis"

_STYLE = {
    # The width of the book's column, in inches: as narrow as a phone still shows readably.
    "figure.figsize": (5.4, 3.2),
    # An opaque white card with dark ink is legible on a light page and on a dark one.
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.prop_cycle": f"cycler('color', {list(COLORS)})",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
    "savefig.dpi": 192,
    "figure.constrained_layout.use": True,
    "font.family": FONT,
    "font.size": 10,
    "image.cmap": DIVERGING,
    "image.interpolation": "nearest",
    "image.aspect": "auto",
    "legend.frameon": False,
}


def use_course_style():
    """Set up matplotlib and Altair for a notebook of the course, in one line.

    Matplotlib's figures become PNG files whose bytes depend on nothing but the figure; Altair's
    charts are shown by `posenc.charts.enable_renderer`.
    """
    import matplotlib

    matplotlib.rcdefaults()
    matplotlib.rcParams.update(_STYLE)
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        # Without the software's name and version, the same figure is the same file.
        set_matplotlib_formats("png", metadata={"Software": None}, bbox_inches="tight", dpi=192)
        # The inline backend, which the import has loaded, resets part of the style.
        matplotlib.rcParams.update(_STYLE)
    enable_renderer()


def color_limits(matrix, *, centered=True):
    """Return the least and greatest value of a color scale that suits a matrix.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
        The values to draw.
    centered : bool, default: True
        Make the limits symmetric, so that the middle of a diverging scale means zero.

    Returns
    -------
    tuple of float
        ``(-m, m)`` with the greatest magnitude `m`, or ``(minimum, maximum)``.

    Raises
    ------
    TypeError, ValueError
        If the matrix is not one of finite real numbers or has no cell.
    """
    matrix = as_matrix("matrix", matrix, finite=True)
    if as_flag("centered", centered):
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
        The values to draw. With `limits`, cells of NaN stay blank.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    x_label, y_label : str
        What columns and rows mean.
    color_label : str, optional
        What the color means; without it there is no color bar.
    centered : bool, default: True
        Use a diverging color map with zero in its middle; otherwise a sequential one.
    limits : tuple of float, optional
        The color scale's limits, for pictures that are to be compared.
    first_row : int, default: 0
        The number of the first row on its axis.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the image.

    Raises
    ------
    TypeError, ValueError
        If the matrix is not one of real numbers or has no cell, or if `limits` are not given and
        a number is not finite.
    """
    matrix, centered = as_matrix("matrix", matrix), as_flag("centered", centered)
    low, high = color_limits(matrix, centered=centered) if limits is None else limits
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


def heat_map_with_zoom(
    matrix, *, x_label, y_label, color_label, zoom=64, centered=True, figsize=(5.4, 3)
):
    """Draw a matrix beside its upper left corner enlarged, both on one color scale.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
        The values to draw.
    x_label, y_label, color_label : str
        What columns, rows and colors mean.
    zoom : int, default: 64
        How many rows and columns the corner has; in a smaller matrix, as many as fit.
    centered : bool, default: True
        Use a diverging color map with zero in its middle; otherwise a sequential one.
    figsize : tuple of float, default: (5.4, 3)
        Width and height in inches.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The axes of the whole and of the corner.

    Raises
    ------
    TypeError, ValueError
        If the matrix is not one of finite real numbers or has no cell, or if `zoom` is not a
        positive integer.
    """
    import matplotlib.pyplot as plt

    matrix = as_matrix("matrix", matrix, finite=True)
    limits = color_limits(matrix, centered=centered)
    zoom = min(as_positive_integer("zoom", zoom), *matrix.shape)
    whole, corner = plt.subplots(1, 2, figsize=figsize)[1]
    common = {"x_label": x_label, "y_label": y_label, "centered": centered, "limits": limits}
    heat_map(matrix, axes=whole, **common)
    heat_map(matrix[:zoom, :zoom], axes=corner, color_label=color_label, **common)
    frame = plt.Rectangle((-0.5, -0.5), zoom, zoom, fill=False, edgecolor="black", linewidth=1.5)
    whole.add_patch(frame)
    corner.spines[:].set(visible=True, linewidth=1.5)
    whole.set_title(f"all {matrix.shape[0]} × {matrix.shape[1]}", fontsize=10, loc="left")
    corner.set_title(f"the framed {zoom} × {zoom} corner", fontsize=10, loc="left")
    return whole, corner
