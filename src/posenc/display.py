"""Show a file of the package in a notebook, or pictures side by side."""

import base64
import html
import io
from dataclasses import dataclass
from importlib.resources import files

from IPython.display import Markdown
from matplotlib import pyplot as plt
from PIL import Image


def show_file(name):
    """Show a Python file of the package's data, as it stands.

    Parameters
    ----------
    name : str
        The file's name in ``posenc/data``, without ``.py``.

    Returns
    -------
    IPython.display.Markdown
        One block of highlighted Python.
    """
    source = (files("posenc") / "data" / f"{name}.py").read_text(encoding="utf-8").rstrip()
    return Markdown(f"```python\n{source}\n```")


def side_by_side(figures, alts):
    """Show figures beside each other where there's room, and below each other on a narrow page.

    Parameters
    ----------
    figures : iterable of matplotlib.figure.Figure
        They are closed, so that they aren't shown twice.
    alts : iterable of str
        What each shows, in words.

    Returns
    -------
    Pictures
        To be left at the end of a cell.
    """
    pairs = tuple(zip(figures, alts, strict=True))
    for figure, _ in pairs:
        plt.close(figure)
    return Pictures(pairs)


@dataclass(frozen=True, repr=False)
class Pictures:
    """Pictures in a row that breaks as a line of text does, drawn when they are shown."""

    pairs: tuple  # of a figure and what it shows, in words

    def __repr__(self):
        """Return what the pictures show."""
        return "\n".join(alt for _, alt in self.pairs)

    def _repr_html_(self):
        return "<p>{}</p>".format("\n".join(_image(*pair) for pair in self.pairs))


def _image(figure, alt):
    png, file = io.BytesIO(), io.BytesIO()
    figure.savefig(png)
    # 128 colors are enough for lines, letters and maps, and take a fifth of the bytes.
    colors = {"colors": 128, "method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
    with Image.open(png) as picture:
        picture.convert("RGB").quantize(**colors).save(file, "PNG", optimize=True)
        width = picture.width // 2  # two pixels make one of the page
    source = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    return f'<img class="beside" src="{source}" width="{width}" alt="{html.escape(alt)}">'
