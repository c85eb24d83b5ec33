"""The course's matplotlib style, and what is drawn with matplotlib more than once.

**What the functions share.** `matrix` is an array of finite real numbers of shape (n, m), to be
drawn. If it is `centered`, zero has no color in the middle of a scale from blue to red; if not, the
scale goes from no color for the least value to blue for the greatest. A ``TypeError`` or a
``ValueError`` names an argument that is not as described, before a figure is begun.
"""

import sys

import numpy as np

from posenc._validation import SOME, array, flag, integer
from posenc.palette import COLORS, FONT, NOW, OTHER, RED

WIDTH = 5.6
DPI = 192  # two of the book's pixels to each of a page
_CELLS = (SOME, SOME)
_STILL = "0.5"
# As on the dials of `posenc.charts.dials`.
_HANDS = {
    "now": {"color": NOW, "linewidth": 4, "marker": "o", "zorder": 3},
    "other": {"color": OTHER, "linewidth": 4, "marker": "s", "zorder": 3},
    "still": {"color": "0.75", "linewidth": 6, "zorder": 1},
}

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
    "figure.dpi": DPI / 2,
    "savefig.dpi": DPI,
    "figure.constrained_layout.use": True,
    "font.family": FONT,
    "font.size": 11,
    "axes.titlesize": "medium",
    "figure.titlesize": "medium",
    "figure.labelsize": "medium",
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

        # Without the software's name and version, the same figure is the same file. It comes
        # with its width, half its pixels, so that JupyterLab shows letters as large as text.
        set_matplotlib_formats("retina", metadata={"Software": None}, bbox_inches=None)
        # The inline backend, which the import has loaded, resets part of the style.
        matplotlib.rcParams.update(_STYLE)


def color_map(*, centered=True):
    """Return the colors of a map: none where a value is zero, by day and by night.

    Parameters
    ----------
    centered : bool, default: True

    Returns
    -------
    matplotlib.colors.Colormap
        From blue by white, which becomes the page's color, to red, or from white to blue.
    """
    from matplotlib.colors import LinearSegmentedColormap

    colors = [COLORS[0], "white", RED] if flag("centered", centered) else ["white", COLORS[0]]
    # An odd number has one in the middle.
    return LinearSegmentedColormap.from_list("course", colors, N=255)


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
    low, high = array("limits", limits, (2,))
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.subplots()[1]
    rows, columns = matrix.shape
    image = axes.imshow(
        matrix,
        cmap=color_map(centered=centered),
        vmin=low,
        vmax=high,
        extent=(-0.5, columns - 0.5, first_row + rows - 0.5, first_row - 0.5),
    )
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.spines[:].set_visible(False)
    if color_label is not None:
        axes.figure.colorbar(image, ax=axes, label=color_label)
    return axes


def heat_map_with_zoom(matrix, *, x_label, y_label, color_label, zoom=64):
    """Draw a matrix beside its upper left corner enlarged, both on one centered color scale.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
    x_label, y_label, color_label : str
        What columns, rows and colors mean.
    zoom : int, default: 64
        How many rows and columns the corner has; in a smaller matrix, as many as fit.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The axes of the whole and of the corner.
    """
    import matplotlib.pyplot as plt

    matrix = array("matrix", matrix, _CELLS)
    zoom = min(integer("zoom", zoom, least=1), *matrix.shape)
    whole, corner = plt.subplots(1, 2, figsize=(WIDTH, 3))[1]
    common = {"x_label": x_label, "y_label": y_label, "limits": color_limits(matrix)}
    heat_map(matrix, axes=whole, **common)
    heat_map(matrix[:zoom, :zoom], axes=corner, color_label=color_label, **common)
    frame = plt.Rectangle((-0.5, -0.5), zoom, zoom, fill=False, edgecolor="black", linewidth=1.5)
    whole.add_patch(frame)
    corner.spines[:].set(visible=True, linewidth=1.5)
    whole.set_title(f"all {matrix.shape[0]} × {matrix.shape[1]}", loc="left")
    corner.set_title(f"the framed {zoom} × {zoom} corner", loc="left")
    return whole, corner


def dials(rows=1, columns=1, *, height):
    """Draw dials without hands, as wide as the book's figures.

    Angles run clockwise from the mark at twelve, in radians. The rim has radius 1.

    Parameters
    ----------
    rows, columns : int, default: 1
    height : float
        Of the figure, in inches.

    Returns
    -------
    tuple of matplotlib.figure.Figure and numpy.ndarray of matplotlib.axes.Axes
        The figure and the polar axes, of shape (rows, columns).
    """
    import matplotlib.pyplot as plt

    polar = {"projection": "polar", "theta_offset": np.pi / 2, "theta_direction": -1}
    size = {"figsize": (WIDTH, height), "squeeze": False}
    figure, axes = plt.subplots(rows, columns, subplot_kw=polar, **size)
    for dial in axes.flat:
        dial.plot([0, 0], [0.88, 1], color=_STILL, linewidth=1.5)
        dial.set(xticks=[], yticks=[], ylim=(0, 1))
        dial.spines[:].set(color=_STILL, linewidth=1.5)
    return figure, axes


def hand(dial, angle, length=1, kind="now", **style):
    """Draw a hand on one of the `dials`.

    Parameters
    ----------
    dial : matplotlib.axes.Axes
    angle : float
        In radians, clockwise from twelve.
    length : float, default: 1
        As a share of the dial's radius.
    kind : {"now", "other", "still"}, default: "now"
        Where a hand stands, another hand, or where one was or ought to be.
    **style
        Of matplotlib's lines, such as a label.
    """
    tip = {"markevery": [1], "solid_capstyle": "round", "clip_on": False}
    dial.plot([angle, angle], [0, length], **(_HANDS[kind] | tip | style))
