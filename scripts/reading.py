"""Estimate how long readers take for a page, from its words, code, formulas and pictures."""

import re
from collections import Counter

from bs4 import BeautifulSoup

# Seconds that people took for each when they first read the pages.
SECONDS = {"words": 60 / 150, "lines": 5, "outputs": 10, "formulas": 45, "figures": 40}
SECONDS |= {"charts": 90, "predictions": 20, "questions": 20}
# People were quicker on pages without exercises, which are read and not worked through.
READ_ONLY = 0.6
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
# Exercises state their own minutes, and the last sections are looked up rather than read.
CLOSING = ("Exercises", "What to remember", "Sources")
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
# A diagram or a picture in the text.
PICTURE = re.compile(r"^(?:<svg|!\[|[:`]{3,}\{(?:figure|image)\})", re.MULTILINE)
QUESTION = re.compile(r"^\*\*\d\.\*\* ", re.MULTILINE)
LEVEL = re.compile(r"^★{1,3} · (\d+) minutes\. ", re.MULTILINE)
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
WORD = re.compile(r"[A-Za-z][\w’'-]*")


def prose(notebook):
    """Return the text of a notebook."""
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def estimate(notebook):
    """Return the minutes for the road, *Going deeper* and the exercises of a notebook."""
    road, deeper = (
        sum(seconds * counts[item] for item, seconds in SECONDS.items()) / 60
        for counts in count_parts(notebook)
    )
    exercises = sum(map(int, LEVEL.findall(prose(notebook))))
    road = road if exercises else READ_ONLY * road
    return {"road": road, "deeper": deeper, "exercises": exercises}


def count_parts(notebook):
    """Return the counts of an executed notebook's road, and of its *Going deeper*.

    Captions and folded replies count, too. *Check yourself* belongs to the road.
    """
    part = road = Counter()
    deeper, closing = Counter(), Counter()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            part.update(count_code(cell))
            continue
        for section in re.split(r"^(?=## )", cell.source, flags=re.MULTILINE):
            if heading := re.match(r"## (.+)", section):
                part = deeper if "going deeper" in heading[1].lower() else road
                part = closing if heading[1].startswith(CLOSING) else part
            part.update(count_prose(section))
    return road, deeper


def count_prose(text):
    """Return the counts of a text; each further line of a formula counts as half a formula."""
    formulas = FORMULA.findall(text)
    lines = sum(formula.count(r"\\") for formula in formulas if r"\begin{aligned}" in formula)
    return {
        "formulas": len(formulas) + lines / 2,
        "predictions": text.count(":class: predict"),
        "questions": len(QUESTION.findall(text)),
        "figures": len(PICTURE.findall(text)),
        "words": len(WORD.findall(FORMULA.sub(" ", text))),
    }


def count_code(cell):
    """Return the counts of a code cell: its visible lines, a figure, a question, an output."""
    tags, figure = set(cell.metadata.get("tags", [])), cell.metadata.get("mystnb", {}).get("figure")
    counts, source = Counter(), shown_source(cell)
    if not HIDDEN & tags:
        counts["lines"] = len(re.findall(r"\S.*", cell.source + "\n" + source))
        counts["asserts"] = len(re.findall(r"^\s*assert\b", cell.source, re.MULTILINE))
    if {"remove-cell", "remove-output"} & tags or not cell.outputs:
        return counts
    html = "\n".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
    if "<details" in html:  # a question with replies
        counts["predictions"] = 1
        counts["figures"] = int("<img" in html)
        counts["words"] = len(WORD.findall(BeautifulSoup(html, "html.parser").get_text(" ")))
    if figure:
        counts["charts" if "charts." in cell.source else "figures"] = 1
        counts["words"] += len(WORD.findall(figure.get("caption", "")))
    elif not source and not counts["predictions"]:
        counts["outputs"] = 1
    return counts


def shown_source(cell):
    """Return the code of the package that a cell shows."""
    texts = (output.get("data", {}).get("text/markdown", "") for output in cell.outputs)
    return "\n".join(CODE.findall("\n".join(texts)))
