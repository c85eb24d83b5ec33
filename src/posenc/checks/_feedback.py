"""What a checker answers: a status, a message, and how they are shown."""

import html
import re
from dataclasses import dataclass

_STATUSES = {
    "passed": ("✓", "Correct"),
    "wrong": ("✗", "Not right yet"),
    "half": ("◐", "Half done"),
    "blank": ("○", "Not attempted yet"),
}
# Borders take the color of the text, so that the box is legible on light and on dark pages.
_BOX = "border:1px solid;border-left-width:.4em;border-radius:.25em;padding:.4em .8em"
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
        return f"{' '.join(_STATUSES[self.status])}: {self.name}. {self.message}"

    def _repr_html_(self):
        symbol, words = _STATUSES[self.status]
        return (
            f'<div style="{_BOX}"><strong><span aria-hidden="true">{symbol}</span> {words}: '
            f"{html.escape(self.name)}.</strong> "
            f"{re.sub('`([^`]+)`', _CODE, html.escape(self.message))}</div>"
        )
