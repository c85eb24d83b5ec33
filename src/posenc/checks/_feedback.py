"""What a checker answers: a status, a message, and how they are shown."""

import html
import re
from dataclasses import dataclass

# Borders differ in style, and in colors that are told apart on light and on dark pages.
_STATUSES = {
    "passed": ("✓", "Correct", "solid #009E73"),
    "wrong": ("✗", "Not right yet", "dashed #D55E00"),
    "half": ("◐", "Half done", "dashed #0072B2"),
    "blank": ("○", "Not attempted yet", "dotted #808080"),
}
_BOX = "border-width:2px 2px 2px .5em;border-radius:.25em;padding:.4em .8em"
_BOX += ";margin:.25em 0;max-width:46em;overflow-wrap:anywhere;color:inherit"
_CODE = r'<code style="color:inherit;background:none;border:0;padding:0;font-size:.95em">\1</code>'


@dataclass(frozen=True, repr=False)
class Feedback:
    """The answer of a checker; true exactly when the exercise is solved."""

    name: str
    status: str
    message: str

    @property
    def passed(self):
        """Whether the answer is right."""
        return self.status == "passed"

    @property
    def attempted(self):
        """Whether there was an answer at all."""
        return self.status != "blank"

    def __bool__(self):
        return self.passed

    def __repr__(self):
        symbol, words, _ = _STATUSES[self.status]
        return f"{symbol} {words}: {self.name}. {self.message}"

    def _repr_html_(self):
        symbol, words, border = _STATUSES[self.status]
        return (
            f'<div role="status" style="border:{border};{_BOX}">'
            f'<strong><span aria-hidden="true">{symbol}</span> {words}: '
            f"{html.escape(self.name)}.</strong> "
            f"{re.sub('`([^`]+)`', _CODE, html.escape(self.message))}</div>"
        )
