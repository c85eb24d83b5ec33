"""Print how long each page takes and what could be better in its form. Nothing is an error.

Usage: python scripts/advice.py [NN]       (every page by default)
       python scripts/advice.py --check    (fails if a stated time is more than a fifth off)
"""

import re
import sys

import nbformat
from execute import ROOT, pairs
from reading import CODE, QUESTION, count_parts, estimate, prose, shown_source

TIME = re.compile(r"(\d+) minutes; \*Going deeper\* (\d+); exercises (\d+)\.")
# A notebook's row in the tables of the landing page and the teachers' page.
ROW = re.compile(r"^\|.*notebooks/(\w+)\.ipynb\).*\| (\d+) \+ (?:(\d+) \+ )?(\d+) \|$", re.M)
PATH = re.compile(r"^- \*\*.+\*\*, (\d+) minutes:(.+(?:\n  .+)*)", re.M)
# Counted in the text of a page.
COUNTED = {
    "questions": QUESTION,
    "right replies": re.compile(r"^:::\{dropdown\} [A-C]\. .+\nRight\b", re.M),
    "exercises": re.compile(r"^`{3,}\{exercise\}", re.M),
    "hints": re.compile(r"^:::\{dropdown\} Hint$", re.M),
}
# Not in headings, which are anchors, and in drawings.
BREAKING = re.compile(r"^(?!\s*[#<]).*?(?<![\d.])(\d{1,3}(?: \d{3})+)(?!\d)", re.M)


def stated_times(estimates):
    """Yield (place, stated, estimated) for each time that the course states, sums included."""
    for path in (*ROOT.glob("notebooks/*.md"), *ROOT.glob("book/*.md")):
        text = path.read_text(encoding="utf-8")
        for name, *times in [(path.stem, *t) for t in TIME.findall(text)] + ROW.findall(text):
            for (part, estimated), stated in zip(estimates.get(name, {}).items(), times):
                if stated:
                    yield f"{path.name}: {name}, {part}", int(stated), estimated
    index = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    for stated, names in PATH.findall(index):
        estimated = sum(estimates[name]["road"] for name in re.findall(r"(\w+)\.ipynb", names))
        yield f"index.md: the path of {stated} minutes", int(stated), estimated
    pages = [times for name, times in estimates.items() if name[0].isdigit()]
    labs = [times for name, times in estimates.items() if name.startswith("lab_")]
    for pattern, estimated in {
        r"(\d+) minutes for the whole idea": estimates["ten_minutes"]["road"],
        r"(\d+) hours for the twelve pages": sum(times["road"] for times in pages) / 60,
        r"(\d+) hours more for their exercises": sum(times["exercises"] for times in pages) / 60,
        r"labs take (\d+) minutes": sum(times["road"] for times in labs),
    }.items():
        for match in re.finditer(pattern, index):
            yield f"index.md: {match[0]}", int(match[1]), estimated


def advise(path, notebook):
    """Yield what could be better in the form of a page's cells."""
    source = path.read_text(encoding="utf-8")
    setup = next(cell for cell in notebook.cells if cell.cell_type == "code")
    for cell in notebook.cells:
        line = source.partition(cell.source)[0].count("\n") + 1
        lines = advise_on_prose(cell) if cell.cell_type == "markdown" else advise_on_code(cell)
        if cell is not setup:
            yield from (f"{path.name}:{line}: {words}" for words in lines)


def advise_on_prose(cell):
    """Yield what could be better in a text."""
    yield from name_wide_lines("\n".join(CODE.findall(cell.source)), 80)
    yield from name_breaking_numbers(cell.source)


def advise_on_code(cell):
    """Yield what could be better in a code cell, its output and its caption."""
    shown = not {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", []))
    if shown and (lines := cell.source.count("\n") + 1) > 15:
        yield f"{lines} lines, more than 15"
    if shown and re.search(r"^\s*(?:import|from) ", cell.source, re.M):
        yield "an import after the first code cell"
    if "fontsize" in cell.source:
        yield "sets a font size"
    yield from name_wide_lines((cell.source if shown else "") + "\n" + shown_source(cell), 84)
    yield from name_breaking_numbers(str(cell.metadata.get("mystnb", "")))


def name_wide_lines(code, widest):
    """Yield a sentence for each line of code that is wider than the page."""
    for line in re.findall(rf"^.{{{widest + 1},}}$", code, re.M):
        yield f"wider than {widest} characters: {line.strip()}"


def name_breaking_numbers(text):
    """Yield a sentence for each long number that has plain spaces."""
    for number in BREAKING.findall(text):
        yield f"{number} may break at the end of a line; U+202F doesn't"


def measure(notebook, minutes):
    """Return two lines: the minutes of a page, estimated and stated, and counts of its parts."""
    road, text = count_parts(notebook)[0], prose(notebook)
    counts = {"words": road["words"], "asserts": road["asserts"]}
    counts |= {item: len(pattern.findall(text)) for item, pattern in COUNTED.items()}
    times = ", ".join(f"{part} {round(estimated, 1):g}" for part, estimated in minutes.items())
    stated = "".join(f" (stated: {', '.join(parts)})" for parts in TIME.findall(text))
    return f"{times} minutes{stated}\n  " + ", ".join(f"{n} {item}" for item, n in counts.items())


def main(argument=""):
    """Print advice on the pages whose names start with the argument, or check the times."""
    notebooks = {path: nbformat.read(path.with_suffix(".ipynb"), 4) for path in pairs()}
    estimates = {path.stem: estimate(notebook) for path, notebook in notebooks.items()}
    times = list(stated_times(estimates))
    off = [
        f"\n  {place}: stated {stated}, estimated {estimated:.1f}"
        for place, stated, estimated in times
        # Half a minute is rounding.
        if abs(stated - estimated) > max(estimated / 5, 0.5)
    ]
    paths = [] if argument == "--check" else [p for p in notebooks if p.stem.startswith(argument)]
    if not paths and argument != "--check":
        sys.exit(f"no page's name starts with {argument}")
    for path in paths:
        print(f"{path.stem}: {measure(notebooks[path], estimates[path.stem])}")
        for line in advise(path, notebooks[path]):
            print(f"  {line}")
    print(f"{len(off)} of {len(times)} stated times are more than a fifth off.{''.join(off)}")
    return 1 if off and argument == "--check" else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
