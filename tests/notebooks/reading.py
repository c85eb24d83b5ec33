"""How long a notebook is to its reader: words, code, figures, and the minutes they take."""

import re
from dataclasses import dataclass

from .conftest import prose

HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}
CLOSING = ("Check yourself", "Exercises", "What to remember", "Sources")
WORDS_A_MINUTE = 160
# Seconds that each of these takes.
LINE, FIGURE, FORMULA, PREDICT, QUESTION, CHART = 4, 15, 15, 20, 30, 45
_FORMULA = re.compile(r"\$\$.*?\$\$", flags=re.DOTALL)
ASKED = re.compile(r"^\*\*\d\.\*\* ", flags=re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][\w’'-]*")


@dataclass
class Reading:
    """What a part of a notebook asks of its reader."""

    words: int = 0
    lines: int = 0
    asserts: int = 0
    formulas: int = 0
    predictions: int = 0
    questions: int = 0
    figures: int = 0
    charts: int = 0

    @property
    def minutes(self):
        """Return the minutes that it takes."""
        seconds = (
            self.lines * LINE
            + self.formulas * FORMULA
            + self.predictions * PREDICT
            + self.questions * QUESTION
            + self.figures * FIGURE
            + self.charts * CHART
        )
        return self.words / WORDS_A_MINUTE + seconds / 60


def part_of(heading):
    """Return the part that a section belongs to: "road", "deeper" or "closing"."""
    if heading.startswith(CLOSING):
        return "closing"
    return "deeper" if "going deeper" in heading.lower() else "road"


def shown_sources(cell):
    """Return the lines of code that a cell shows from the package."""
    texts = (output.get("data", {}).get("text/markdown", "") for output in cell.outputs)
    code = "\n".join(text for text in texts if text.startswith("```python"))
    return [line for line in code.splitlines() if line.strip() and not line.startswith("```")]


def read_parts(notebook):
    """Return the `Reading` of each part of an executed notebook."""
    parts = {"road": Reading(), "deeper": Reading(), "closing": Reading()}
    part = "road"
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for section in re.split(r"^(?=## )", cell.source, flags=re.MULTILINE):
                heading = re.match(r"## (.+)", section)
                part = part_of(heading[1]) if heading else part
                _add_prose(parts[part], section)
                # The questions end the road.
                parts["road"].questions += len(ASKED.findall(section))
        else:
            _add_code(parts[part], cell)
    return parts


def _add_prose(reading, text):
    reading.formulas += len(_FORMULA.findall(text))
    reading.predictions += text.count(":class: predict")
    reading.words += len(_WORD.findall(_FORMULA.sub(" ", text)))


def _add_code(reading, cell):
    if not HIDDEN & set(cell.metadata.get("tags", [])):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        reading.lines += len(lines) + len(shown_sources(cell))
        reading.asserts += sum(line.lstrip().startswith("assert") for line in lines)
    if "figure" in cell.metadata.get("mystnb", {}):
        if "charts." in cell.source:
            reading.charts += 1
        else:
            reading.figures += 1


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
