"""Laws that hold for every exercise, without a line of their own."""

import copy

import numpy as np
import pytest
import sympy

from posenc.checks import nb04, nb05, nb06
from posenc.encodings import angular_frequencies

from .asking import EXERCISES, is_blank, is_right, is_wrong, name_of

PARTS = EXERCISES + [exercise.evidence for exercise in EXERCISES if exercise.evidence]
FUNCTIONS = [exercise for exercise in EXERCISES if exercise.cases]

each = pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
each_part = pytest.mark.parametrize("exercise", PARTS, ids=name_of)
each_function = pytest.mark.parametrize("exercise", FUNCTIONS, ids=name_of)


def as_answer(exercise, answer):
    """Return an answer of ours as a student gives it: a function, or a value."""
    return answer() if callable(answer) and not exercise.cases else answer


@each_part
def test_the_reference_passes(exercise):
    is_right(exercise, as_answer(exercise, exercise.reference))


@each_part
def test_a_known_mistake_is_told_as_itself(exercise):
    for words, mistake in exercise.mistakes.items():
        told = is_wrong(exercise, as_answer(exercise, mistake), name=words)
        assert told.endswith(words), f"{words!r} is told as {told!r}"


@each_part
def test_whoever_is_wrong_is_helped(exercise):
    assert any((exercise.mistakes, exercise.judge, exercise.explain, exercise.run, exercise.hint))


def styles(result):
    """Return the same answer in other types."""
    array = np.asarray(result)
    found = {"list": array.tolist()}
    if array.dtype.kind == "b":
        return found | {"integer": array.astype(int)}
    if array.size < 10:
        found["SymPy"] = np.vectorize(sympy.sympify, otypes=[object])(array)
    return found | {"objects": array.astype(object), "longdouble": array.astype(np.longdouble)}


@each_part
def test_the_same_in_another_style_passes(exercise):
    for name in ("list", "integer", "SymPy", "objects", "longdouble"):

        def styled(*args, name=name):
            result = (
                exercise.reference(*args) if callable(exercise.reference) else exercise.reference
            )
            return result if result is None else styles(result).get(name, result)

        if not exercise.run or exercise.cases:  # or else the answer is no array
            is_right(exercise, styled if exercise.cases else styled(), name=name)


@each
def test_who_has_not_begun_is_told_nothing_else(exercise):
    for value in (None, ..., [..., ...], " "):
        is_blank(exercise, value, name=repr(value))
    call = f"checks.{exercise.namespace}.{exercise.name}({exercise.name}"
    assert call in exercise().message
    assert call in exercise(1, 2, 3).message
    assert exercise.__doc__.startswith(f"Check the exercise `{exercise.name}`: ")
    assert exercise.task[-1] not in ".?!"
    assert exercise.correct.endswith(".")


@each_function
def test_an_empty_function_is_not_begun(exercise):
    for body in ("...", "return ...", "'''Words.'''", "return None", "return 2 * ..."):
        names = {}
        exec(f"def f({', '.join(exercise.parameters)}):\n    {body}", names)
        is_blank(exercise, names["f"], name=body)


# Never right, and what an explanation or a judge may stumble over.
HOSTILE = {
    "nothing in a list": [],
    "no rows": np.empty((0, 3)),
    "many axes": np.zeros((1, 2, 1, 2, 1)),
    "infinity": float("inf"),
    "NaN": np.full((3, 4), np.nan),
    "a masked array": np.ma.masked_all((3, 4)),
    "complex numbers": np.array([1j, 2j]),
    "a huge integer": 10**400,
    "markup": "<script>alert(1)</script> & `code` " * 20,
    "a function": np.sum,
}


@each_part
def test_no_value_makes_a_checker_raise(exercise):
    for name, value in HOSTILE.items():
        answer = (lambda *args, value=value: value) if exercise.cases else value
        is_wrong(exercise, answer, name=name)


@each_function
def test_what_does_not_depend_on_the_input_is_wrong(exercise):
    constants = [*exercise.solutions[:4], *(case.arguments[0] for case in exercise.all_cases[:1])]
    for result in constants:
        if result is not None:
            is_wrong(exercise, lambda *args, result=result: result)


@each_function
def test_a_damaged_answer_is_wrong(exercise):
    def damaged(change):
        return lambda *args: change(exercise.reference(*args))

    is_wrong(exercise, damaged(str))
    is_wrong(exercise, damaged(lambda result: [result, None]))
    if any(map(np.ndim, exercise.solutions)):
        is_wrong(exercise, damaged(lambda result: np.asarray(result, dtype=object)[None, None]))
    if exercise.solutions[0] is not None and exercise.solutions[0].dtype != bool:
        told = is_wrong(exercise, damaged(lambda result: np.asarray(result) * np.nan))
        assert "NaN (not a number)" in told


@each_function
def test_a_changed_input_is_told(exercise):
    for i, name in enumerate(exercise.parameters):
        arrays = [case.arguments[i] for case in exercise.all_cases]
        if any(isinstance(array, np.ndarray) and array.size > 0 for array in arrays):

            def spoils(*args, i=i):
                result = copy.deepcopy(exercise.reference(*args))
                if isinstance(args[i], np.ndarray):
                    args[i][...] = args[i] + 1
                return result

            assert f"changes its input `{name}`" in is_wrong(exercise, spoils)


# Rules of the cases: what is tried besides the usual.


def arguments(exercise, name):
    i = exercise.parameters.index(name)
    return [case.arguments[i] for case in exercise.all_cases]


def has(*names):
    found = [e for e in FUNCTIONS if set(names) & set(e.parameters)]
    return pytest.mark.parametrize("exercise", found, ids=name_of)


@has("frequencies")
def test_another_base_is_tried(exercise):
    usual = [
        len(w) == 1 or np.allclose(w, angular_frequencies(2 * len(w)))
        for w in arguments(exercise, "frequencies")
    ]
    assert True in usual
    assert False in usual


@has("encoding", "rows", "table")
def test_an_odd_start_and_another_width_are_tried(exercise):
    (name,) = {"encoding", "rows", "table"} & set(exercise.parameters)
    tables = arguments(exercise, name)
    if any(map(np.ndim, tables)):  # and not a number of rows
        assert len({table.shape[1] for table in tables}) > 1
        assert any(np.ptp(table[0][0::2]) for table in tables)


def test_repeated_rows_are_tried():
    for exercise in (nb06.repaired_distances, nb04.repaired_shift, nb05.shift_concatenated):
        tables = arguments(exercise, "encoding")
        assert any(len(np.unique(table, axis=0)) < len(table) for table in tables)


@has("scores")
def test_scores_beyond_every_stand_in_are_tried(exercise):
    scores = arguments(exercise, "scores")
    masks = [np.tri(len(row), dtype=bool) for row in scores]  # where none is given, a causal one
    if "mask" in exercise.parameters:
        masks = arguments(exercise, "mask")
    # With scores lower still, a right answer by logarithms loses the digits that are compared.
    assert any(row.min() < (-1e11 if "mask" in exercise.parameters else -9e9) for row in scores)
    assert any(row[~mask].max(initial=0) >= 1e12 for row, mask in zip(scores, masks))


@has("positions")
def test_odd_positions_are_tried(exercise):
    positions = arguments(exercise, "positions")
    assert any(type(p) is list for p in positions)
    assert any(np.any(np.diff(p) < 0) for p in positions)
    assert any(np.any(np.mod(p, 1)) for p in positions)


@each_function
def test_each_case_has_a_label_and_all_arguments(exercise):
    labels = [case.label for case in exercise.all_cases]
    assert all(labels)
    assert len(set(labels)) == len(labels)
    assert {len(case.arguments) for case in exercise.all_cases} == {len(exercise.parameters)}
