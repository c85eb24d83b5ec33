"""Questions to bet on, with a reply to each choice and a picture that only replies show."""

from dataclasses import dataclass

from markdown_it import MarkdownIt

from posenc.display import Pictures, side_by_side

# For JupyterLab, which has no style for folds; the book has its own.
_BOX = "border-style:solid;border-width:1px;border-radius:.25em;margin:.5em 0;padding:.3em .8em"


@dataclass(frozen=True, repr=False)
class Bet:
    """A question with choices that unfold, one by one, without any script."""

    question: str
    replies: dict
    right: str
    pictures: Pictures | None = None

    def __repr__(self):
        """Return the question and its choices."""
        return "\n".join([self.question, *(f"- {choice}" for choice in self.replies)])

    def _repr_html_(self):
        pictures = self.pictures._repr_html_() if self.pictures else ""
        folds = "\n".join(self._fold(choice, pictures) for choice in self.replies)
        return (
            f'<div class="bet">\n<p><strong>{_inline(self.question)}</strong></p>\n{folds}\n</div>'
        )

    def _fold(self, choice, pictures):
        status, symbol, word = ("right", "✓", "Right.")
        if choice != self.right:
            status, symbol, word = ("wrong", "✗", "No.")
        # JupyterLab keeps these tags and attributes even in a notebook that it doesn't trust.
        return (
            f'<details class="fold" style="{_BOX}">'
            f'<summary style="cursor:pointer">{_inline(choice)}</summary>\n<div class="answer">'
            f'<p><span class="{status}" aria-hidden="true">{symbol}</span> '
            f"{word} {_inline(self.replies[choice])}</p>{pictures}</div>\n</details>"
        )


def bet(question, replies, *, right, figure=None, alt=""):
    """Ask a question whose answer stays folded away until the reader picks a choice.

    Parameters
    ----------
    question : str
        Markdown, in one line.
    replies : dict of str
        {choice: the reply to readers who pick it}, both in Markdown. "Right." or "No." is put
        before each reply.
    right : str
        The right choice.
    figure : matplotlib.figure.Figure or list of Figures, optional
        Shown below every reply, several of them side by side where there's room. They are closed,
        so that they aren't shown before.
    alt : str or list of str, optional
        What each figure shows, in words; required with a figure, and only then.

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
    figures = figure if isinstance(figure, list) else [figure] * (figure is not None)
    alts = alt if isinstance(alt, list) else [alt] * bool(alt)
    if len(figures) != len(alts) or not all(alts):
        raise ValueError("alt must say what figure shows, and be empty without one")
    pictures = side_by_side(figures, alts) if figures else None
    return Bet(question, dict(replies), right, pictures)


def _inline(text):
    # With curly quotes, as on the rest of the page.
    return MarkdownIt("commonmark", {"typographer": True}).enable("smartquotes").renderInline(text)
