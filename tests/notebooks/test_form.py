"""Every notebook agrees with its text, was executed, and keeps the course's form."""

import base64
import re

import jupytext
import yaml
from traces import traces

from posenc.figures import DPI, WIDTH

from .conftest import NOTEBOOKS, PAIRS, ROOT, TEXTS, place, prose

MOST_LINES = 15
WIDEST = 84
# What is shown stands in the measure of the text, and in a box or an answer in less.
WIDEST_IN_PROSE = 80
CHART = "application/vnd.vegalite.v5+json"
# What measures time: the course's own function and those that it could call.
TIMES = re.compile(r"\b(?:shortest_times|timeit|perf_counter)\b")
# Altair's default output names its element so, anew each time.
RANDOM = re.compile(r"altair-viz-[0-9a-f]{8}")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def output_text(output):
    """Return all that an output says in words; a picture's bytes are no words."""
    if output.output_type == "stream":
        return output.text
    return "\n".join(
        str(content) for kind, content in output.get("data", {}).items() if "image/" not in kind
    )


def figures(notebook):
    """Return the cells that show a picture or a chart, with the types of what they show."""
    found = []
    for cell in code_cells(notebook):
        kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
        if kinds & {"image/png", CHART}:
            found.append((cell, kinds))
    return found


def test_every_notebook_has_its_text_and_stands_in_the_book():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == [path.stem for path in TEXTS]
    contents = (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8")
    chapters = [
        chapter for part in yaml.safe_load(contents)["parts"] for chapter in part["chapters"]
    ]
    shown = {chapter["file"] for chapter in chapters}
    assert {path.relative_to(ROOT).with_suffix("").as_posix() for path in PAIRS} <= shown


def test_long_numbers_do_not_break_at_the_end_of_a_line(pair_path):
    """The spaces between their groups are narrow and hold (U+202F)."""
    notebook = jupytext.read(pair_path)
    text = "\n".join([prose(notebook), *(str(it.metadata.get("mystnb")) for it in notebook.cells)])
    # A heading is the name of its place, and keeps plain ones; so does a drawing.
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("#", "<"))]
    assert re.findall(r"(?<![\d.])\d{1,3}(?: \d{3})+(?!\d)", "\n".join(lines)) == []


def test_the_text_and_the_notebook_agree(pair_path, executed):
    def content(cell):
        metadata = {key: x for key, x in cell.metadata.items() if key != "jupyter"}
        return cell.cell_type, cell.source, metadata

    text = jupytext.read(pair_path)
    for now, before in zip(text.cells, executed.cells):
        words = f"{place(pair_path, now.source)}: changed since the notebook was executed"
        assert content(now) == content(before), f"{words}; `make execute` refreshes it"
    assert len(text.cells) == len(executed.cells)
    assert text.metadata.kernelspec == executed.metadata.kernelspec


def test_jupyterlab_folds_the_cells_that_the_book_leaves_out(pair_path, executed):
    for cell in code_cells(executed):
        folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        assert folded == ("remove-cell" in cell.metadata.get("tags", []))
    # Jupytext opens the text, and takes what this names from the notebook.
    assert jupytext.read(pair_path).metadata.jupytext.cell_metadata_filter == "all,-jupyter"


def test_the_notebook_was_executed_from_top_to_bottom(executed):
    counts = [cell.execution_count for cell in code_cells(executed)]
    assert counts == list(range(1, len(counts) + 1))


def test_no_output_is_an_error_or_a_warning(pair_path, executed):
    for cell in code_cells(executed):
        for output in cell.outputs:
            assert output.output_type != "error", place(pair_path, cell.source)
            assert output.get("name") != "stderr", place(pair_path, cell.source)


def test_no_output_depends_on_the_machine(pair_path, executed):
    for cell in code_cells(executed):
        if "nbval-ignore-output" not in tags(cell):
            for output in cell.outputs:
                assert traces(output_text(output)) == [], place(pair_path, cell.source)


def test_only_cells_that_time_something_are_left_out_of_the_comparison(pair_path, executed):
    for cell in code_cells(executed):
        assert "nbval-skip" not in tags(cell), place(pair_path, cell.source)
        if "nbval-ignore-output" in tags(cell):
            assert TIMES.search(cell.source), place(pair_path, cell.source)


def test_outputs_carry_no_random_identifier(pair_path, executed):
    for cell in code_cells(executed):
        for output in cell.outputs:
            assert "transient" not in output, place(pair_path, cell.source)
            assert not RANDOM.search(str(output)), place(pair_path, cell.source)


def test_figures_are_as_wide_as_they_are_shown_and_their_letters_of_one_size(pair_path, executed):
    for cell, kinds in figures(executed):
        for output in cell.outputs if CHART not in kinds else ():
            png = base64.b64decode(output.get("data", {}).get("image/png", ""))
            width = int.from_bytes(png[16:20], "big")
            assert width in (0, int(WIDTH * DPI)), place(pair_path, cell.source)
    for cell in code_cells(executed):
        assert "fontsize" not in cell.source, place(pair_path, cell.source)


def test_the_notebook_has_the_skeleton(text_path, notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# \w", first.source)
    for promise in ("**You will be able to**", "**Time:**", "**Read first:**"):
        assert promise in first.source
    headings = re.findall(r"^## (.+)$", prose(notebook), flags=re.MULTILINE)
    closing = ["Exercises", "Where you stand", "What to remember", "Sources"]
    assert headings[-len(closing) :] == closing
    assert len(re.findall(r"^# ", prose(notebook), flags=re.MULTILINE)) == 1


def test_a_box_has_more_colons_than_the_fold_in_it(notebook):
    """Else JupyterLab closes the box with the fold, and shows an empty bar below it."""
    assert not re.search(
        r"^:::\{admonition\}(?:(?!^:::$).)*^:::\{dropdown\}",
        prose(notebook),
        re.MULTILINE | re.DOTALL,
    )


def test_the_first_code_cell_imports_and_sets_up_and_no_other_does(text_path, notebook):
    first, *others = code_cells(notebook)
    assert first.source.rstrip().endswith("figures.use_course_style()")
    for cell in others:
        importing = re.search(r"^\s*(import|from) ", cell.source, flags=re.MULTILINE)
        assert not importing, place(text_path, cell.source)
        assert "use_course_style" not in cell.source, place(text_path, cell.source)


def test_cells_are_short_and_not_wider_than_the_page(text_path, notebook):
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        if cell is not code_cells(notebook)[0]:
            where = place(text_path, cell.source)
            assert len(lines) <= MOST_LINES, f"{where}: {len(lines)} lines, more than {MOST_LINES}"
        for number, line in enumerate(lines):
            where = place(text_path, cell.source, number)
            assert len(line) <= WIDEST, f"{where}: {len(line)} characters, more than {WIDEST}"


def test_code_that_is_shown_is_not_wider_than_the_page(pair_path, executed):
    shown = [(c.source, output_text(o)) for c in code_cells(executed) for o in c.outputs]
    written = [(c.source, c.source) for c in executed.cells if c.cell_type == "markdown"]
    for cells, widest in ((shown, WIDEST), (written, WIDEST_IN_PROSE)):
        for source, text in cells:
            for code in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
                for line in code.splitlines():
                    assert len(line) <= widest, f"{place(pair_path, source)}: {line}"


def test_every_figure_has_a_caption_a_name_and_words_instead_of_the_picture(text_path, notebook):
    names = []
    for cell, kinds in figures(notebook):
        where = place(text_path, cell.source)
        shown = cell.metadata.get("mystnb", {})
        figure = shown.get("figure", {})
        assert len(figure.get("caption", "")) > 20, f"{where}: a caption, see CONTRIBUTING.md"
        assert figure.get("name", "").startswith("fig-"), f"{where}: a name that begins with fig-"
        assert figure["name"] not in names, f"{where}: the name stands above, too"
        names.append(figure["name"])
        if CHART not in kinds:
            words = shown.get("image", {}).get("alt", "")
            assert len(words) > 40, f"{where}: words instead of the picture (image: alt)"
