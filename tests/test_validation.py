"""An error names the bad argument, what's allowed, and the value that was given."""

import re
from importlib import import_module

import numpy as np
import pytest

from posenc.encodings import sinusoidal

ROWS = np.ones((3, 4))
PAIRS = {"frequencies": np.array([1.0, 0.5])}
TABLE = {"length": 3, "width": 4, "base": 10.0, "start": 2.5}
MIXED = {"queries": ROWS, "keys": ROWS, "values": ROWS}
FACTORS = ("shift_matrix", "packed_factors")
SHIFTS = ("loop", "matrix", "packing", "swapping", "phase")

NAMES = "attention distances encodings layouts long_context rotary rules shifts"
MODULES = [import_module(f"posenc.{name}") for name in NAMES.split()]
# Right arguments of each function, whose types are those of counts, real numbers and arrays.
RIGHT = {
    "angular_frequencies": {"width": 4, "base": 10.0},
    "sinusoidal": TABLE,
    "clock": {"seconds": np.ones(2)},
    "binary": {"length": 4, "bits": 2},
    "rotation": {"frequency": 1.0, "offset": 2.5},
    **dict.fromkeys(FACTORS, PAIRS | {"offset": 2.5}),
    **{f"shift_by_{way}": PAIRS | {"encoding": ROWS, "offset": 2.5} for way in SHIFTS},
    "grow": PAIRS | {"first_row": ROWS[0], "length": 3},
    **dict.fromkeys(("dot_product_at", "distance_at"), PAIRS | {"offsets": np.ones(2)}),
    **dict.fromkeys(("dot_product_matrix", "distance_matrix"), PAIRS | {"length": 3}),
    "softmax": {"scores": ROWS},
    "dot_product_attention": MIXED,
    "self_attention": {"x": ROWS},
    "apply_rotary": PAIRS | {"x": ROWS, "start": 0.0, "positions": np.ones(3)},
    "sinusoidal_2d": {"rows": 2, "columns": 2, "width": 4, "base": 10.0},
    "encode": PAIRS | {"positions": np.ones(2)},
    "describe": {"table": sinusoidal(9, 4)},
    "bfloat16": {"numbers": np.ones(2)},
    "turns": PAIRS | {"length": 9},
    "unfinished": PAIRS | {"context_length": 9},
    "interpolate": PAIRS | {"stretch": 2.5},
    "ntk_base": {"base": 10.0, "width": 4, "stretch": 2.5},
    "yarn": PAIRS | {"context_length": 9, "stretch": 2.5, "beta_fast": 4.0, "beta_slow": 1.0},
    "yarn_attention": {"stretch": 2.5, "mscale": 1.0, "mscale_all_dim": 0.5},
    "longrope": PAIRS | {"factors": np.ones(2)},
    "proportional": PAIRS | {"share": 0.5, "stretch": 2.5},
    "which_rule": {"speeds": np.array([1.0, 0.5]), "base": 10.0, "context_length": 9},
    "by_parts": PAIRS | {"context_length": 9, "stretch": 2.5, "low": 1.0, "high": 4.0},
}
# For each type: values of other types, values out of range, and what the error says of both.
BAD = {
    int: ([2.0, True, "4"], [-4], r"must be an? [\w -]*(integer|multiple of 4)[\w ]*"),
    float: (["2.5", True, None, [1, 2], 1j], [np.nan, -np.inf], "must be (a real number|finite)"),
    np.ndarray: (["a", None, 1j], [np.nan, np.inf], "must (be|have a) (real numbers|finite).*"),
}


def call(name, **arguments):
    (function,) = {vars(module)[name] for module in MODULES if name in vars(module)}
    return function(**arguments)


ARGUMENTS = [(name, key) for name in RIGHT for key in RIGHT[name] if type(RIGHT[name][key]) in BAD]


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_each_argument_is_of_its_kind_and_finite(name, argument):
    right = RIGHT[name][argument]
    other_types, out_of_range, message = BAD[type(right)]
    for value in other_types + out_of_range:
        bad = value
        if isinstance(right, np.ndarray):  # a bad number among right ones
            bad = right.astype(object)
            bad[(-1,) * bad.ndim] = value
            bad = bad.tolist()
        error = ValueError if value in out_of_range else TypeError
        with pytest.raises(error, match=f"^{argument} {message}, got "):
            call(name, **RIGHT[name] | {argument: bad})


@pytest.mark.parametrize("name", RIGHT)
def test_lists_and_numbers_of_numpy_are_taken(name):
    convert = {int: np.int64, float: np.float32, np.ndarray: np.ndarray.tolist}
    converted = {key: convert.get(type(x), type(x))(x) for key, x in RIGHT[name].items()}
    result, expected = call(name, **converted), call(name, **RIGHT[name])
    if isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(result, expected)


FAR = "must keep all positions between -2**52 and 2**52, where float64 tells neighbors apart, got"
ONE_SEES_NONE = [[True] * 3, [False] * 3, [True] * 3]


@pytest.mark.parametrize(
    ("name", "argument", "value", "words"),
    [
        ("clock", "seconds", [True, False], "must be real numbers, got [True, False]"),
        ("clock", "seconds", [[1], [2, 3]], "must be a regular array of real numbers, got "),
        ("clock", "seconds", np.ones(2, complex), "must be real numbers, got an array of"),
        ("rotation", "offset", np.ones(1), "must be a real number, got an array of shape (1,)"),
        # ranges
        ("sinusoidal", "width", 7, "must be a positive even integer, got 7"),
        ("sinusoidal", "base", 1, "must be a number above 1, got 1.0"),
        ("sinusoidal", "start", 1e17, f"{FAR} 1e+17 for 3 positions"),
        ("sinusoidal", "start", -1e17, f"{FAR} -1e+17 for 3 positions"),
        ("binary", "bits", 1, "must be an integer of at least 2, got 1"),
        ("sinusoidal_2d", "width", 6, "must be a positive multiple of 4, got 6"),
        ("bfloat16", "numbers", -3.4e38, "must be at most 3.39e+38 in size, got 3.4e+38"),
        ("turns", "length", 0, "must be a positive integer, got 0"),
        ("ntk_base", "base", 1, "must be a number above 1, got 1.0"),
        ("ntk_base", "width", 2, "must be an even integer of at least 4, got 2"),
        *(
            (name, "stretch", 0.9, "must be a number of at least 1, got 0.9")
            for name in ("ntk_base", "interpolate", "by_parts", "yarn", "yarn_attention")
        ),
        ("by_parts", "low", -1, "must be a number of at least 0, got -1.0"),
        ("by_parts", "high", 1, "must be a number above 1.0, got 1.0"),
        ("yarn", "beta_slow", 0, "must be a number above 0, got 0.0"),
        ("yarn", "beta_fast", 1, "must be a number above 1.0, got 1.0"),
        *(
            ("yarn", "frequencies", bad, "must be two or more that fall by one ratio from hand to ")
            for bad in ([1.0], [1.0, 0.0], [1, 0.5, 0.1])
        ),
        ("longrope", "factors", [1, 0], "must be above 0, got 0.0"),
        ("longrope", "factors", [1, 2, 3], "must have shape (2,) for the frequencies"),
        ("proportional", "share", 1.5, "must be a number of at most 1, got 1.5"),
        ("which_rule", "speeds", [1, -0.5], "must be at least 0 and not all 0, got -0.5"),
        ("which_rule", "speeds", [0, 0], "must be at least 0 and not all 0, got 0.0"),
        ("which_rule", "base", 1, "must be a number above 1, got 1.0"),
        ("which_rule", "context_length", 0, "must be a positive integer, got 0"),
        # shapes
        *(
            (f"shift_by_{way}", "encoding", np.ones(shape), "must have shape (any, 4) for 2 ")
            for way, shape in zip(SHIFTS, [(3, 6), 4, (4, 3), (1, 3, 4), (3, 2)])
        ),
        *(
            (name, "frequencies", value, "must have shape (1 or more,), got shape")
            for name in ("packed_factors", "distance_at", "apply_rotary")
            for value in ([], 1.0, [[1.0]])
        ),
        ("grow", "first_row", ROWS, "must have shape (4,), got shape (3, 4)"),
        ("apply_rotary", "x", ROWS[0], "must have shape (..., any, 4) for 2 frequencies"),
        ("apply_rotary", "positions", [1], "must have shape (3,) to fit the rows"),
        ("apply_rotary", "start", 5, "must stay 0 where positions are given, got 5"),
        ("encode", "frequencies", 2.0, "must have shape (1 or more,) or (1 or"),
        ("encode", "frequencies", np.ones((3, 0)), "must have shape (1 or more,) or "),
        # attention
        ("softmax", "scores", 3.0, "must have shape (..., any), got shape ()"),
        ("softmax", "scores", [[0], [-np.inf]], "must have a finite maximum in each row"),
        ("self_attention", "x", [1.0, 2.0], "must have shape (any, 1 or more), got"),
        ("dot_product_attention", "queries", [1.0], "must have shape (any, 1 or more), got"),
        ("dot_product_attention", "keys", ROWS[:, 1:], "must have shape (1 or more, 4) to fit"),
        ("dot_product_attention", "keys", ROWS[:0], "must have shape (1 or more, 4) to fit"),
        ("dot_product_attention", "values", ROWS[:2], "must have shape (3, 1 or more) to fit"),
        ("dot_product_attention", "mask", np.ones((3, 3)), "must be booleans, got an array of"),
        ("dot_product_attention", "mask", np.ones((3, 2), bool), "must have shape (3, 3) for"),
        ("dot_product_attention", "mask", ONE_SEES_NONE, "must let each query attend to a key"),
    ],
)
def test_what_is_wrong_is_told_in_words(name, argument, value, words):
    with pytest.raises((TypeError, ValueError), match=f"^{argument} {re.escape(words)}") as raised:
        call(name, **RIGHT[name] | {argument: value})
    wrong_type = re.match("must be (real|a real|booleans)", words)
    assert raised.type is (TypeError if wrong_type else ValueError)


def test_frequencies_of_points_want_points():
    with pytest.raises(ValueError, match=r"^positions must have shape \(\.\.\., 2\), got"):
        call("encode", positions=[1.0], frequencies=np.ones((3, 2)))
