"""Every notebook agrees with its text, was executed, and keeps the course's form."""

import re

import jupytext

from .conftest import NOTEBOOKS, TEXTS

MOST_LINES = 15
CHART = "application/vnd.vegalite.v5+json"
# What measures time: the course's own function and those that it could call.
TIMES = re.compile(r"\b(?:shortest_times|timeit|perf_counter)\b")
# Altair's default output names its element so, anew each time.
RANDOM = re.compile(r"altair-viz-[0-9a-f]{8}")
UNWANTED = {
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}\b"),
    "an absolute path": re.compile(
        r"(?<![\w.:/])/(?:home|root|tmp|usr|Users|work|opt|var|mnt)/|\b[A-Z]:\\|site-packages"
    ),
    "a duration": re.compile(r"\b\d+(?:\.\d+)?\s?(?:ms|µs|μs|us|ns)\b|Wall time|CPU times"),
    "a date": re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b"),
    "rounding noise": re.compile(r"\d[eE]-1[4-9]\b"),
}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


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


def test_every_notebook_of_the_course_is_here():
    names = [path.stem for path in TEXTS]
    assert [name[:2] for name in names] == [f"{number:02}" for number in range(1, 8)]
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == names


def test_the_text_and_the_notebook_agree(pair_path, executed):
    def content(cell):
        return cell.cell_type, cell.source, dict(cell.metadata)

    text = jupytext.read(pair_path)
    assert [content(cell) for cell in text.cells] == [content(cell) for cell in executed.cells]
    assert text.metadata.kernelspec == executed.metadata.kernelspec


def test_the_notebook_was_executed_from_top_to_bottom(executed):
    counts = [cell.execution_count for cell in code_cells(executed)]
    assert counts == list(range(1, len(counts) + 1))


def test_no_output_is_an_error_or_a_warning(executed):
    for cell in code_cells(executed):
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source


def test_no_output_depends_on_the_machine(executed):
    for cell in code_cells(executed):
        if "nbval-ignore-output" in tags(cell):
            continue
        for output in cell.outputs:
            for what, pattern in UNWANTED.items():
                found = pattern.search(output_text(output))
                assert found is None, f"{what}, {found.group()!r}, in the output of:\n{cell.source}"


def test_only_cells_that_time_something_are_left_out_of_the_comparison(executed):
    for cell in code_cells(executed):
        assert "nbval-skip" not in tags(cell)
        if "nbval-ignore-output" in tags(cell):
            assert TIMES.search(cell.source), cell.source


def test_outputs_carry_no_random_identifier(executed):
    for cell in code_cells(executed):
        for output in cell.outputs:
            assert "transient" not in output
            assert not RANDOM.search(str(output)), cell.source


def test_the_notebook_has_the_skeleton(notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# \w", first.source)
    for promise in ("**You will be able to**", "**Time:**", "**Read first:**"):
        assert promise in first.source
    headings = re.findall(r"^## (.+)$", prose(notebook), flags=re.MULTILINE)
    assert headings[-3:] == ["Exercises", "What to remember", "Sources"]
    assert len(re.findall(r"^# ", prose(notebook), flags=re.MULTILINE)) == 1


def test_the_first_code_cell_imports_and_sets_up_and_no_other_does(notebook):
    first, *others = code_cells(notebook)
    assert first.source.rstrip().endswith("figures.use_course_style()")
    for cell in others:
        assert not re.search(r"^\s*(import|from) ", cell.source, flags=re.MULTILINE), cell.source
        assert "use_course_style" not in cell.source


def test_cells_are_short(notebook):
    lengths = sorted(len(cell.source.splitlines()) for cell in code_cells(notebook)[1:])
    assert lengths[-1] <= MOST_LINES
    assert lengths[len(lengths) // 2] <= 7
    widest = max(len(line) for cell in code_cells(notebook) for line in cell.source.splitlines())
    assert widest <= 84


def test_code_that_is_shown_is_not_wider_than_the_page(executed):
    shown = "\n".join(output_text(out) for cell in code_cells(executed) for out in cell.outputs)
    for text, widest in ((shown, 84), (prose(executed), 80)):
        for code in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
            assert all(len(line) <= widest for line in code.splitlines()), code


def test_the_argument_is_in_the_prose(notebook):
    words = len(prose(notebook).split())
    assert words >= 900
    assert ":class: predict" in prose(notebook)
    assert any("assert " in cell.source for cell in code_cells(notebook))


def test_every_figure_has_a_caption_a_name_and_words_instead_of_the_picture(notebook):
    names = []
    for cell, kinds in figures(notebook):
        shown = cell.metadata.get("mystnb", {})
        assert len(shown.get("figure", {}).get("caption", "")) > 20, cell.source
        names.append(shown["figure"]["name"])
        if CHART not in kinds:
            assert len(shown.get("image", {}).get("alt", "")) > 40, cell.source
    assert names
    assert len(names) == len(set(names))
    assert all(name.startswith("fig-") for name in names)


def test_charts_stand_in_all_notebooks_but_the_fifth(text_path, notebook):
    charts = [cell for cell, kinds in figures(notebook) if CHART in kinds]
    assert bool(charts) == (not text_path.stem.startswith("05"))
