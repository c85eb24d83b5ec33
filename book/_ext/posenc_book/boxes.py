"""Make everything that unfolds look the same, and mark each choice of a question."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

RIGHT = '<span class="right" aria-hidden="true">✓</span>'
WRONG = '<span class="wrong">✗<span class="visually-hidden"> Wrong.</span></span>'


def raw(text):
    """Return a node of HTML."""
    return nodes.raw("", text, format="html")


class Dropdown(SphinxDirective):
    """The directive `dropdown` of sphinx-design and JupyterLab, as a fold.

    The choices of a question are lettered, and the reason of a right one begins with "Right".
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the nodes of the fold."""
        self.assert_has_content()
        title, messages = self.parse_inline(self.arguments[0])
        mark = ""
        if re.match(r"[A-C]\. ", self.arguments[0]):
            mark = RIGHT if self.content[0].startswith("Right") else WRONG
        return [
            raw('<details class="fold">\n<summary>'),
            nodes.inline("", "", *title),
            raw(f'</summary>\n<div class="answer">\n{mark}'),
            *self.parse_content_to_nodes(),
            raw("</div></details>"),
            *messages,
        ]


class HiddenCode(SphinxPostTransform):
    """Fold hidden cells like everything else, before myst-nb does it in its own way."""

    default_priority = 100
    formats = ("html",)

    def run(self, **_):
        """Fold the code of each hidden cell, or code and output as a check."""
        for cell in self.document.findall(nodes.container):
            mode = cell.get("hide_mode")
            if mode in ("input", "all"):
                del cell["hide_mode"]
                title, end = ("Code", 1) if mode == "input" else ("Check", len(cell))
                cell.insert(end, raw("</details>"))
                cell.insert(0, raw(f'<details class="fold code">\n<summary>{title}</summary>'))


def open_solution(translator, node):
    """Begin a solution as a fold, instead of the box of sphinx-exercise."""
    title = node.pop(0).astext()
    tag = translator.starttag(node, "details", CLASS="fold")
    translator.body.append(f"{tag}<summary>{title}</summary>\n")


def close_solution(translator, node):
    """End a solution."""
    translator.body.append("</details>\n")
