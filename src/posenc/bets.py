"""A question to bet on: choices, a reply to each, and a picture that only a reply shows."""

import base64
import html
import io
from dataclasses import dataclass

from markdown_it import MarkdownIt
from matplotlib import pyplot as plt
from PIL import Image

# For JupyterLab, which has no style for folds; the book has its own.
_BOX = "border-style:solid;border-width:1px;border-radius:.25em;margin:.5em 0;padding:.3em .8em"


@dataclass(frozen=True, repr=False)
class Bet:
    """A question with choices that unfold, one by one, without any script."""

    question: str
    replies: dict
    right: str
    picture: bytes = b""
    alt: str = ""

    def __repr__(self):
        """Return the question and its choices."""
        return "\n".join([self.question, *(f"- {choice}" for choice in self.replies)])

    def _repr_html_(self):
        folds = "\n".join(self._fold(choice) for choice in self.replies)
        return (
            f'<div class="bet">\n<p><strong>{_inline(self.question)}</strong></p>\n{folds}\n</div>'
        )

    def _fold(self, choice):
        status, symbol, word = ("right", "✓", "Right.")
        if choice != self.right:
            status, symbol, word = ("wrong", "✗", "No.")
        # JupyterLab keeps these tags and attributes even in a notebook that it doesn't trust.
        return (
            f'<details class="fold" style="{_BOX}">'
            f'<summary style="cursor:pointer">{_inline(choice)}</summary>\n<div class="answer">'
            f'<p><span class="{status}" aria-hidden="true">{symbol}</span> '
            f"{word} {_inline(self.replies[choice])}</p>{self._image()}</div>\n</details>"
        )

    def _image(self):
        if not self.picture:
            return ""
        # The width is at the eighteenth byte of a PNG file; two pixels make one of the page.
        width = int.from_bytes(self.picture[16:20], "big") // 2
        source = f"data:image/png;base64,{base64.b64encode(self.picture).decode()}"
        return f'<p><img src="{source}" width="{width}" alt="{html.escape(self.alt)}"></p>'


def bet(question, replies, *, right, figure=None, alt=""):
    """Ask a question whose answer stays folded away until the reader picks a choice.

    Parameters
    ----------
    question : str
        Markdown, in one line.
    replies : dict of str
        {choice: what to say to whoever picks it}, both in Markdown. A reply begins with "Right."
        or "No." by itself.
    right : str
        The right choice.
    figure : matplotlib.figure.Figure, optional
        What every reply shows below its words. The figure is closed, so that it isn't seen before.
    alt : str, optional
        What the figure shows, in words; wanted with a figure, and only then.

    Returns
    -------
    Bet
        To be left at the end of a cell. A ValueError says if `right` is no choice, or `alt` is
        missing.

    Examples
    --------
    >>> bet("Which hand is slower?", {"minutes": "Look again.", "hours": "By far."}, right="hours")
    Which hand is slower?
    - minutes
    - hours
    """
    if right not in replies:
        raise ValueError(f"right must be one of {', '.join(replies)}, got {right}")
    if (figure is None) != (not alt):
        raise ValueError("alt must say what figure shows, and be empty without one")
    return Bet(question, dict(replies), right, b"" if figure is None else _png(figure), alt)


def _inline(text):
    return MarkdownIt().renderInline(text)


def _png(figure):
    plt.close(figure)
    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn)
    # Each reply has a copy. Few colors do for lines and letters, and take a fifth of the bytes.
    with Image.open(drawn) as picture:
        colors = {"colors": 32, "method": Image.Quantize.MAXCOVERAGE, "dither": Image.Dither.NONE}
        few = picture.convert("RGB").quantize(**colors)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()
