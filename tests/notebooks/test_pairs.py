"""Every notebook agrees with its text, was executed, and describes its figures."""

import re

import yaml
from conftest import EMBEDDED

from .conftest import NOTEBOOKS, PAIRS, ROOT, TEXTS, place, read_text

CHART = "application/vnd.vegalite.v5+json"
# What measures time: the course's own function and those that it could call.
TIMES = re.compile(r"\b(?:shortest_times|timeit|perf_counter)\b")
# Paths, addresses in memory, and rounding noise; Altair's own output names its element anew.
OF_A_MACHINE = re.compile(
    r"(?<![\w.:/<])/(?:home|Users|tmp|usr|root)/|[A-Z]:\\|site-packages|\b0x[0-9a-f]{6,}\b"
    r"|\d[eE]-1[4-9]\b|altair-viz-[0-9a-f]{8}"
)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def output_text(output):
    """Return the text of an output, without the bytes of pictures."""
    if output.output_type == "stream":
        return output.text
    contents = (str(x) for kind, x in output.get("data", {}).items() if "image/" not in kind)
    return re.sub(EMBEDDED, "", "\n".join(contents))


def figures(notebook):
    """Yield the cells that show a picture or a chart, with the types of their outputs."""
    for cell in code_cells(notebook):
        kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
        if kinds & {"image/png", CHART}:
            yield cell, kinds


def test_every_notebook_has_a_text_and_is_in_the_book():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == [path.stem for path in TEXTS]
    contents = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
    chapters = [
        chapter for part in yaml.safe_load(contents)["parts"] for chapter in part["chapters"]
    ]
    shown = {chapter["file"] for chapter in chapters}
    assert {path.relative_to(ROOT).with_suffix("").as_posix() for path in PAIRS} <= shown


def test_the_text_and_the_notebook_agree(pair_path, executed):
    def content(cell):
        metadata = {key: x for key, x in cell.metadata.items() if key != "jupyter"}
        return cell.cell_type, cell.source, metadata

    text = read_text(pair_path)
    for now, before in zip(text.cells, executed.cells):
        words = f"{place(pair_path, now.source)}: changed since the notebook was executed"
        assert content(now) == content(before), f"{words}; `make execute` refreshes it"
    assert len(text.cells) == len(executed.cells)
    assert text.metadata.kernelspec == executed.metadata.kernelspec


def test_the_notebook_ran_from_top_to_bottom_without_error(pair_path, executed):
    counts = [cell.execution_count for cell in code_cells(executed)]
    assert counts == list(range(1, len(counts) + 1))
    for cell in code_cells(executed):
        for output in cell.outputs:
            assert output.output_type != "error", place(pair_path, cell.source)
            assert output.get("name") != "stderr", place(pair_path, cell.source)


def test_no_output_depends_on_the_machine(pair_path, executed):
    for cell in code_cells(executed):
        if "nbval-ignore-output" not in tags(cell):
            for output in cell.outputs:
                trace = OF_A_MACHINE.search(output_text(output))
                assert trace is None, f"{place(pair_path, cell.source)}: {trace.group()}"


def test_only_outputs_that_show_a_time_are_not_compared(pair_path, executed):
    for cell in code_cells(executed):
        assert "nbval-skip" not in tags(cell), place(pair_path, cell.source)
        if "nbval-ignore-output" in tags(cell):
            assert TIMES.search(cell.source), place(pair_path, cell.source)


def test_every_figure_has_a_caption_a_name_and_words(pair_path, executed):
    names = []
    for cell, kinds in figures(executed):
        where = place(pair_path, cell.source)
        shown = cell.metadata.get("mystnb", {})
        figure = shown.get("figure", {})
        assert figure.get("caption"), f"{where}: no caption; CONTRIBUTING.md shows one"
        assert figure.get("name"), f"{where}: no name"
        assert figure["name"] not in names, f"{where}: a figure above has the same name"
        names.append(figure["name"])
        if CHART not in kinds:
            assert shown.get("image", {}).get("alt"), f"{where}: no alternative text (image: alt)"
