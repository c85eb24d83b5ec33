"""Every exercise has a starter that runs and a solution that its own check accepts."""

import re
from types import ModuleType

import numpy as np
import pytest

from posenc import checks
from posenc.checks import Exercise

from .conftest import TEXTS, read_text

DIRECTIVE = re.compile(
    r"^(`{3,})\{(exercise|solution)\}[ ]*(.*?)\n(.*?)^\1[ ]*$", flags=re.MULTILINE | re.DOTALL
)


def blocks(notebook):
    """Yield (index of the cell, kind, argument, body) of exercise and solution directives."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for _, kind, argument, body in DIRECTIVE.findall(cell.source):
                yield index, kind, argument, body


def label(body):
    return re.search(r"^:label: (\S+)$", body, flags=re.MULTILINE).group(1)


def exercises(notebook):
    """Return {label: (title, starter's source, solution's Python)}, in the order of the page."""
    solutions = {
        argument: "\n".join(re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL))
        for _, kind, argument, body in blocks(notebook)
        if kind == "solution"
    }
    found = {}
    for index, kind, argument, body in blocks(notebook):
        if kind == "exercise":
            starter = notebook.cells[index + 1]
            assert "exercise" in starter.metadata.get("tags", []), argument
            found[label(body)] = (argument, starter.source, solutions.pop(label(body)))
    assert not solutions, "a solution without its exercise"
    return found


def checker_of(starter):
    """Return the checker that the last line of a starter asks, and the module that declares it."""
    namespace, name = re.match(r"checks\.(\w+)\.(\w+)\(", last_statement(starter)).groups()
    return vars(vars(checks)[namespace])[name], namespace


def printed_bugs(notebook):
    """Yield (checker, function) for each function that an exercise prints to be repaired."""
    for index, kind, _, body in blocks(notebook):
        if kind == "exercise":
            checker, _ = checker_of(notebook.cells[index + 1].source)
            if checker.name.startswith("repaired_"):
                (source,) = re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
                names = {"np": np}
                exec(source, names)
                yield checker, names[re.search(r"def (\w+)", source)[1]]


def last_statement(source):
    return source.rstrip().splitlines()[-1]


def test_every_checker_is_asked_once_in_its_notebook():
    asked = []
    for path in TEXTS:
        for _, starter, _ in exercises(read_text(path)).values():
            checker, namespace = checker_of(starter)
            assert path.name.startswith((namespace.removeprefix("nb"), f"{namespace}_"))
            asked.append(checker)
    modules = [module for module in vars(checks).values() if isinstance(module, ModuleType)]
    declared = [x for module in modules for x in vars(module).values() if isinstance(x, Exercise)]
    assert sorted(asked, key=id) == sorted(declared, key=id)


def test_every_solution_is_folded(text):
    for _, kind, title, body in blocks(text):
        assert kind != "solution" or ":class: dropdown" in body, title


@pytest.fixture
def namespace(text):
    """Return the names that the notebook's import cell defines."""
    names = {}
    first = next(cell for cell in text.cells if cell.cell_type == "code")
    exec(compile(first.source, "import cell", "exec"), names)
    return names


def evaluate(source, names):
    *statements, last = source.rstrip().splitlines()
    exec(compile("\n".join(statements), "cell", "exec"), names)
    return eval(last, names)


def test_the_starter_is_blank_and_the_solution_passes(text, namespace):
    for title, starter, solution in exercises(text).values():
        assert title
        assert evaluate(starter, dict(namespace)).status == "blank", title
        assert solution, f"{title}: the solution holds no Python"
        feedback = evaluate(solution + "\n" + last_statement(starter), dict(namespace))
        assert feedback, f"{title}: {feedback.message}"


def test_a_printed_bug_is_told_as_a_known_mistake(text):
    for checker, function in printed_bugs(text):
        told = checker(function).message
        assert any(told.endswith(message) for message in checker.slips), told
