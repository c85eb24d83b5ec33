"""Laws that hold for every exercise, without a line of their own."""

import copy
import inspect

import numpy as np
import pytest

from posenc import checks
from posenc.encodings import angular_frequencies

from .exercise_laws import (
    BAD_FUNCTIONS,
    BAD_VALUES,
    BLANK_VALUES,
    EXERCISES,
    FUNCTIONS,
    PARTS,
    Hostile,
    is_blank,
    is_right,
    is_wrong,
    mistakes,
    raiser,
    solution,
    styles,
)

each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
each_part = pytest.mark.parametrize("exercise", PARTS, ids=lambda e: e.name)
each_function = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda e: e.name)


@each_part
def test_the_reference_passes(exercise):
    is_right(exercise, solution(exercise))


@each_part
def test_a_known_mistake_is_told_as_itself(exercise):
    for message, answer in mistakes(exercise):
        told = is_wrong(exercise, answer, name=message)
        assert told.endswith(message), f"{message!r} is told as {told!r}"


@each_part
def test_there_are_known_mistakes_or_a_judge(exercise):
    assert len(exercise.mistakes) >= 3 or exercise.judge


@each_part
def test_the_same_in_another_style_passes(exercise):
    results = exercise.targets
    if any(result is None or type(result) is tuple for result in results):
        return
    for name in {name for result in results for name, _ in styles(result)}:
        if name == "float32" and exercise.judge:
            continue  # a property may ask for more digits than float32 has

        def styled(*args, name=name):
            result = solution(exercise)
            result = result(*args) if exercise.cases else result
            return dict(styles(result)).get(name, result)

        is_right(exercise, styled if exercise.cases else styled(), name=name)


@each
def test_who_has_not_begun_is_told_nothing_else(exercise):
    for name, value in BLANK_VALUES.items():
        is_blank(exercise, value, name=name)
    assert f"checks.{exercise.name}({exercise.name}" in exercise().message
    assert f"checks.{exercise.name}({exercise.name}" in exercise(1, 2, 3).message


@each_function
def test_an_empty_function_is_not_begun(exercise):
    for body in ("...", "return ...", "pass", "'''Words.'''", "return None", "return 2 * ..."):
        names = {}
        exec(f"def f({', '.join(exercise.parameters)}):\n    {body}", names)
        is_blank(exercise, names["f"], name=body)
    is_blank(exercise, raiser(NotImplementedError()))


@each_part
def test_no_value_makes_a_checker_raise(exercise):
    for name, value in BAD_VALUES.items():
        told = is_wrong(exercise, value, name=name)
        assert "itself" in told or not exercise.cases or callable(value)


@each_function
def test_no_function_makes_a_checker_raise(exercise):
    for name, value in BAD_VALUES.items():
        is_wrong(exercise, lambda *args, value=value: value, name=f"returns {name}")
    for name, function in BAD_FUNCTIONS.items():
        is_wrong(exercise, function, name=name)
    for value in (3, np.arange(3), Hostile()):
        assert "without calling it" in is_wrong(exercise, value)


@each_function
def test_what_does_not_depend_on_the_input_is_wrong(exercise):
    for result in exercise.targets[:9]:
        if result is not None:
            is_wrong(exercise, lambda *args, result=result: result)


@each_function
def test_a_damaged_answer_is_wrong(exercise):
    def damaged(change):
        return lambda *args: change(exercise.reference(*args))

    if exercise.name != "my_encoding" and any(map(np.ndim, exercise.targets)):
        is_wrong(exercise, damaged(lambda result: np.asarray(result, dtype=object)[None, None]))
    is_wrong(exercise, damaged(lambda result: {"result": result}))
    is_wrong(exercise, damaged(lambda result: [result, None]))
    is_wrong(exercise, damaged(str))
    if all(result is not None for result in exercise.targets):
        is_wrong(exercise, damaged(lambda result: np.asarray(result) + 1j))
        if exercise.expected[0][0].dtype != bool:
            nan = is_wrong(exercise, damaged(lambda result: np.asarray(result) * np.nan))
            assert "NaN (not a number)" in nan


@each_function
def test_a_changed_input_is_told(exercise):
    for i in range(len(exercise.parameters)):
        spoiled = [
            isinstance(case.arguments[i], np.ndarray) and case.arguments[i].size > 0
            for case in exercise.tried
        ]
        if any(spoiled):

            def spoils(*args, i=i):
                result = copy.deepcopy(exercise.reference(*args))
                if isinstance(args[i], np.ndarray):
                    args[i][...] = args[i] + 1
                return result

            told = is_wrong(exercise, spoils)
            assert f"changes its input `{exercise.parameters[i]}`" in told


@each_function
def test_exchanged_parameters_are_told(exercise):
    names = exercise.parameters
    if len(names) > 1:
        exchanged = [names[-1], *names[1:-1], names[0]]
        namespace = {"reference": exercise.reference}
        exec(f"def f({', '.join(exchanged)}):\n    return reference({', '.join(names)})", namespace)
        assert "by position and in this order" in is_wrong(exercise, namespace["f"])


# Rules of the cases: what is tried besides the usual.


def arguments(exercise, name):
    i = exercise.parameters.index(name)
    return [case.arguments[i] for case in exercise.tried]


def has(*names):
    found = [e for e in FUNCTIONS if set(names) & set(e.parameters)]
    return pytest.mark.parametrize("exercise", found, ids=lambda e: e.name)


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
    if not any(np.ndim(table) for table in tables):
        return  # how many rows there are
    assert len({table.shape[1] for table in tables}) > 1
    firsts = [table[0] for table in tables]
    assert any(np.ptp(first[0::2]) for first in firsts)


def test_repeated_rows_are_tried():
    for exercise in (checks.repaired_distances, checks.repaired_shift, checks.shift_concatenated):
        tables = arguments(exercise, "encoding")
        assert any(len(np.unique(table, axis=0)) < len(table) for table in tables)


@has("scores")
def test_scores_beyond_every_stand_in_are_tried(exercise):
    scores = arguments(exercise, "scores")
    masks = [np.tri(len(row), dtype=bool) for row in scores]  # where none is given, a causal one
    if "mask" in exercise.parameters:
        masks = arguments(exercise, "mask")
    assert any(row.min() < -1e11 for row in scores)
    assert any(row[~mask].max(initial=0) >= 1e12 for row, mask in zip(scores, masks))


@has("positions")
def test_odd_positions_are_tried(exercise):
    positions = arguments(exercise, "positions")
    assert any(type(p) is list for p in positions)
    assert any(np.any(np.diff(p) < 0) for p in positions)
    assert any(np.any(np.mod(p, 1)) for p in positions)


@each_function
def test_cases_are_the_same_each_time(exercise):
    declared = exercise.cases
    if callable(declared):
        again = declared()
        for case, other in zip(exercise.tried, again, strict=True):
            for a, b in zip(case.arguments, other.arguments):
                assert callable(a) or np.array_equal(a, b)
    assert len({exercise.words(case) for case in exercise.tried}) == len(exercise.tried)


@each_part
def test_an_exercise_describes_itself(exercise):
    assert repr(exercise) == f"<checker of the exercise {exercise.name}>"
    assert exercise.__doc__.startswith(f"Check the exercise `{exercise.name}`: ")
    assert exercise.task[-1] not in ".?!"
    assert inspect.isclass(type(exercise))
    assert exercise.correct.endswith(".") or exercise not in EXERCISES
