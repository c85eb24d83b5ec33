"""How long a notebook is to its reader: words, code, figures, and the minutes they take."""

import re
from collections import Counter

from .conftest import prose

HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
CLOSING = ("Check yourself", "Exercises", "What to remember", "Sources")
# The seconds that each takes, as people took them who read the pages for the first time.
SECONDS = {
    "words": 60 / 150,
    "lines": 5,
    "outputs": 10,
    "formulas": 45,
    "figures": 40,
    "charts": 90,
    "predictions": 20,
    "questions": 20,
}
FORMULA = re.compile(r"\$\$.*?\$\$", flags=re.DOTALL)
# A diagram or a picture in the text.
PICTURE = re.compile(r"^(?:<svg|!\[|[:`]{3,}\{(?:figure|image)\})", flags=re.MULTILINE)
ASKED = re.compile(r"^\*\*\d\.\*\* ", flags=re.MULTILINE)
CHOICE = re.compile(r"^:::\{dropdown\} ([A-C]\. .+)$", flags=re.MULTILINE)
WORD = re.compile(r"[A-Za-z][\w’'-]*")


def minutes(part):
    """Return the minutes that a part takes, from what `count_parts` has counted in it."""
    return sum(seconds * part[what] for what, seconds in SECONDS.items()) / 60


def count_parts(notebook):
    """Return what the road, the depths and the closing of an executed notebook ask of a reader.

    To the road belong the questions and their choices, without the reasons that open, and the words
    that lead on to the next page.
    """
    parts = {"road": Counter(), "deeper": Counter(), "closing": Counter()}
    part = "road"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts[part] += counted_in_code(cell)
            continue
        for section in re.split(r"^(?=## )", cell.source, flags=re.MULTILINE):
            heading = re.match(r"## (.+)", section)
            part = part_of(heading[1]) if heading else part
            parts[part] += counted_in_prose(section)
            choices = " ".join(CHOICE.findall(section))
            parts["road"]["questions"] += len(ASKED.findall(section))
            parts["road"]["words"] += len(WORD.findall(choices))
    return parts


def part_of(heading):
    """Return the part that a section belongs to."""
    if heading.startswith(CLOSING):
        return "closing"
    return "deeper" if "going deeper" in heading.lower() else "road"


def counted_in_prose(text):
    """Return what a text asks of its reader; a formula's further lines are half a formula each."""
    formulas = FORMULA.findall(text)
    lines = sum(formula.count("\\\\") for formula in formulas if r"\begin{aligned}" in formula)
    return Counter(
        formulas=len(formulas) + lines / 2,
        predictions=text.count(":class: predict"),
        figures=len(PICTURE.findall(text)),
        words=len(WORD.findall(FORMULA.sub(" ", text))),
    )


def counted_in_code(cell):
    counted = Counter()
    figure = cell.metadata.get("mystnb", {}).get("figure", {})
    tags = set(cell.metadata.get("tags", []))
    if not HIDDEN & tags:
        lines = [line for line in cell.source.splitlines() if line.strip()]
        counted["lines"] = len(lines) + len(shown_sources(cell))
        counted["asserts"] = sum(line.lstrip().startswith("assert") for line in lines)
    if figure:
        counted["charts" if "charts." in cell.source else "figures"] = 1
        counted["words"] = len(WORD.findall(figure["caption"]))
    elif cell.outputs and not {"remove-cell", "remove-output"} & tags and not shown_sources(cell):
        counted["outputs"] = 1
    return counted


def shown_sources(cell):
    """Return the lines of code that a cell shows from the package."""
    texts = (output.get("data", {}).get("text/markdown", "") for output in cell.outputs)
    code = "\n".join(text for text in texts if text.startswith("```python"))
    return [line for line in code.splitlines() if line.strip() and not line.startswith("```")]


TIME = re.compile(r"\*\*Time:\*\* (\d+) minutes; \*Going deeper\* (\d+); exercises (\d+)\.")


def stated_minutes(notebook):
    """Return the minutes that a notebook promises for its road, its depths and its exercises."""
    found = TIME.search(notebook.cells[0].source)
    assert found, "the time must read: **Time:** 15 minutes; *Going deeper* 6; exercises 50."
    return dict(zip(("road", "deeper", "exercises"), map(int, found.groups())))


def exercise_minutes(notebook):
    """Return the minutes that the exercises say, in order."""
    stated = re.findall(r"^★+ · (\d+) minutes\.", prose(notebook), re.MULTILINE)
    return [int(minutes) for minutes in stated]
