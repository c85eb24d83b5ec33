"""Make all that unfolds one kind of fold, and judge each choice of a question."""

import re

# A dropdown of sphinx-design, and hidden code of myst-nb.
DROPDOWN = re.compile(
    r'<details class="sd-[^>]*>\s*<summary[^>]*>\s*<span class="sd-summary-text">(.*?)</span>'
    r'<span class="sd-summary-state-marker.*?</summary><div class="sd-summary-content[^>]*>',
    re.DOTALL,
)
CODE = re.compile(r'<details class="admonition hide .*?</summary>', re.DOTALL)
CHOICE = re.compile(r'(<div class="answer">\s*)(<p[^>]*>Right\b)?')
RIGHT = '<span class="right" aria-hidden="true">✓</span>'
WRONG = '<span class="wrong">✗<span class="visually-hidden"> Wrong.</span></span>'


def fold(page):
    """Return a page with folds alike; the reason of a right choice begins with "Right"."""
    page = DROPDOWN.sub(
        r'<details class="fold">\n<summary><span>\1</span></summary>\n<div class="answer">', page
    )
    page = CODE.sub('<details class="fold code">\n<summary>Code</summary>', page)
    before, start, rest = page.partition('<section id="check-yourself">')
    choices, end, rest = rest.partition("</section>")
    choices = CHOICE.sub(lambda it: it[1] + (RIGHT + it[2] if it[2] else WRONG), choices)
    return before + start + choices + end + rest


def open_solution(translator, node):
    """Begin a solution, which opens by its title, instead of the box of sphinx-exercise."""
    title = node.pop(0).astext()
    tag = translator.starttag(node, "details", CLASS="fold")
    translator.body.append(f"{tag}<summary>{title}</summary>\n")


def close_solution(translator, node):
    """End a solution."""
    translator.body.append("</details>\n")
