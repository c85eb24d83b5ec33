"""The course's matplotlib style, and figures that more than one page draws with matplotlib.

A centered map goes from blue to red, with no color at zero; any other map from no color for the
least value to red for the greatest.
"""

import sys

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from posenc.palette import (
    ABOVE_ZERO,
    BELOW_ZERO,
    FONT,
    GRAY,
    INK,
    KEY,
    PLAIN,
    POSITION,
    QUERY,
    SHIFTED,
)

WIDTH = 5.6
DPI = 192  # two pixels to each of the page's
_STILL = "0.5"
# As on the dials of `posenc.charts.dials`.
_HANDS = {
    kind: {"color": color, "linewidth": 4, "marker": marker, "zorder": 3}
    for kind, color, marker in (
        ("position", POSITION, "o"),
        ("shifted", SHIFTED, "s"),
        ("query", QUERY, "o"),
        ("key", KEY, "s"),
    )
}
_HANDS |= {
    "still": {"color": "0.75", "linewidth": 6, "zorder": 1},
}

_STYLE = {
    # All figures have one width, in inches, so that letters have one size: that of the text on a
    # desktop, and two thirds of it on a phone.
    "figure.figsize": (WIDTH, 3.2),
    # White on paper; in the book, the page's color replaces it, in light and in dark mode.
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.prop_cycle": f"cycler('color', {[PLAIN, GRAY]})",
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
        Whether zero is in the middle.

    Returns
    -------
    matplotlib.colors.Colormap
        From blue by white, which becomes the page's color, to red, or from white to red.
    """
    colors = [BELOW_ZERO, "white", ABOVE_ZERO] if centered else ["white", ABOVE_ZERO]
    # An odd number has one in the middle.
    return LinearSegmentedColormap.from_list("course", colors, N=255)


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
        Whether zero has no color.
    limits : tuple of float, optional
        The color scale's least and greatest value, for pictures that are to be compared.
    first_row : int, default: 0
        The number of the first row on its axis.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the image.
    """
    if limits is None:
        greatest = np.abs(matrix).max()
        limits = (-greatest, greatest) if centered else (np.min(matrix), np.max(matrix))
    if axes is None:
        axes = plt.subplots()[1]
    rows, columns = np.shape(matrix)
    image = axes.imshow(
        matrix,
        cmap=color_map(centered=centered),
        vmin=limits[0],
        vmax=limits[1],
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
        Whose rows run downwards.
    x_label, y_label, color_label : str
        What columns, rows and colors mean.
    zoom : int, default: 64
        How many rows and columns the corner has; in a smaller matrix, as many as fit.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The axes of the whole and of the corner.
    """
    matrix = np.asarray(matrix)
    zoom, greatest = min(zoom, *matrix.shape), np.abs(matrix).max()
    whole, corner = plt.subplots(1, 2, figsize=(WIDTH, 3))[1]
    common = {"x_label": x_label, "y_label": y_label, "limits": (-greatest, greatest)}
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
        How many dials, one below the other and side by side.
    height : float
        Of the figure, in inches.

    Returns
    -------
    tuple of matplotlib.figure.Figure and numpy.ndarray of matplotlib.axes.Axes
        The figure and the polar axes, of shape (rows, columns).
    """
    polar = {"projection": "polar", "theta_offset": np.pi / 2, "theta_direction": -1}
    size = {"figsize": (WIDTH, height), "squeeze": False}
    figure, axes = plt.subplots(rows, columns, subplot_kw=polar, **size)
    for dial in axes.flat:
        dial.plot([0, 0], [0.88, 1], color=_STILL, linewidth=1.5)
        dial.set(xticks=[], yticks=[], ylim=(0, 1))
        dial.spines[:].set(color=_STILL, linewidth=1.5)
    return figure, axes


def hand(dial, angle, *, length=1, kind="position", **style):
    """Draw a hand on one of the `dials`.

    Parameters
    ----------
    dial : matplotlib.axes.Axes
        Where to draw.
    angle : float
        In radians, clockwise from twelve.
    length : float, default: 1
        As a share of the dial's radius.
    kind : {"position", "shifted", "query", "key", "still"}, default: "position"
        Where a hand stands, where it stands after a shift, the hand of a query or of a key, or
        where one was or ought to be.
    **style
        Of matplotlib's lines, such as a label.
    """
    tip = {"markevery": [1], "solid_capstyle": "round", "clip_on": False}
    dial.plot([angle, angle], [0, length], **(_HANDS[kind] | tip | style))


class Diagram:
    """A figure of boxes, arrows and matrices, as wide as the book's.

    Parameters
    ----------
    columns, rows : float
        Its size in cells. Places are measured in cells, too, to the right and downwards from the
        upper left corner.
    """

    def __init__(self, columns, rows):
        self.figure = plt.figure(figsize=(WIDTH, WIDTH * rows / columns), layout="none")
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, columns), ylim=(rows, 0))
        self.axes.set_axis_off()

    def text(self, x, y, words, **style):
        """Write words around a place, and return them."""
        style = {"ha": "center", "va": "center", "color": INK} | style
        return self.axes.text(x, y, words, **style)

    def cells(self, x, y, numbers, color=INK):
        """Draw a matrix from a place on, with a number in each cell."""
        for (row, column), entry in np.ndenumerate(numbers):
            cell = Rectangle((x + column, y + row), 1, 1, fill=False, edgecolor=color)
            self.axes.add_patch(cell)
            self.text(x + column + 0.5, y + row + 0.5, f"{entry:g}")

    def box(self, x, y, width, height, words, color=INK):
        """Draw a rounded box with words in it."""
        shape = "round,pad=0,rounding_size=0.25"
        outline = {"edgecolor": color, "facecolor": "white", "linewidth": 1.5}
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, shape, **outline))
        self.text(x + width / 2, y + height / 2, words)

    def line(self, start, end, width, color=PLAIN):
        """Draw a line from place to place, `width` points wide, behind what else is there."""
        ends = zip(start, end)
        self.axes.plot(*ends, linewidth=width, color=color, solid_capstyle="butt", zorder=0)

    def arrow(self, start, end):
        """Draw an arrow from place to place."""
        style = {"arrowstyle": "-|>", "mutation_scale": 16, "linewidth": 1.5, "color": INK}
        self.axes.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **style))
