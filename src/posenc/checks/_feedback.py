"""What a checker says: a status, a message, and how they look."""

import html
import re
from dataclasses import dataclass

_STATUSES = {  # borders differ in style as well as color, on light and on dark pages
    "passed": ("✓", "Correct", "solid #009E73"),
    "wrong": ("✗", "Not right yet", "dashed #D55E00"),
    "blank": ("○", "Not attempted yet", "dotted #808080"),
}
_BOX = "border-width:2px 2px 2px .5em;padding:.4em .8em;max-width:46em;overflow-wrap:anywhere"
_CODE = r'<code style="color:inherit;background:none;border:0;padding:0">\1</code>'


@dataclass(frozen=True, repr=False)
class Feedback:
    """The result of a check; true exactly when the exercise is solved."""

    name: str
    status: str  # "passed", "wrong" or "blank"
    message: str

    def __bool__(self):
        return self.status == "passed"

    def __repr__(self):
        symbol, words, _ = _STATUSES[self.status]
        return f"{symbol} {words}: {self.name}. {self.message}"

    def _repr_html_(self):
        symbol, words, border = _STATUSES[self.status]
        title = f'<strong><span aria-hidden="true">{symbol}</span> {words}: {self.name}.</strong>'
        message = re.sub("`([^`]+)`", _CODE, html.escape(self.message))
        return f'<div role="status" style="border:{border};{_BOX}">{title} {message}</div>'
