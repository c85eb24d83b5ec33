"""How long a notebook is to its reader: words, code, figures, and the minutes they take."""

import re
from collections import Counter

from .conftest import prose

HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
CLOSING = ("Check yourself", "Exercises", "What to remember", "Sources")
# The seconds that each takes.
SECONDS = {
    "words": 60 / 160,
    "lines": 4,
    "figures": 15,
    "formulas": 15,
    "predictions": 20,
    "questions": 30,
    "charts": 45,
}
FORMULA = re.compile(r"\$\$.*?\$\$", flags=re.DOTALL)
ASKED = re.compile(r"^\*\*\d\.\*\* ", flags=re.MULTILINE)
WORD = re.compile(r"[A-Za-z][\w’'-]*")


def minutes(part):
    """Return the minutes that a part takes, from what `count_parts` has counted in it."""
    return sum(seconds * part[what] for what, seconds in SECONDS.items()) / 60


def count_parts(notebook):
    """Return what the road, the depths and the closing of an executed notebook ask of a reader."""
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
            # The questions end the road.
            parts["road"]["questions"] += len(ASKED.findall(section))
    return parts


def part_of(heading):
    """Return the part that a section belongs to."""
    if heading.startswith(CLOSING):
        return "closing"
    return "deeper" if "going deeper" in heading.lower() else "road"


def counted_in_prose(text):
    return Counter(
        formulas=len(FORMULA.findall(text)),
        predictions=text.count(":class: predict"),
        words=len(WORD.findall(FORMULA.sub(" ", text))),
    )


def counted_in_code(cell):
    counted = Counter()
    if not HIDDEN & set(cell.metadata.get("tags", [])):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        counted["lines"] = len(lines) + len(shown_sources(cell))
        counted["asserts"] = sum(line.lstrip().startswith("assert") for line in lines)
    if "figure" in cell.metadata.get("mystnb", {}):
        counted["charts" if "charts." in cell.source else "figures"] = 1
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
