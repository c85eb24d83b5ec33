"""Docstrings show what the code does, and options are given by name."""

import doctest
import inspect
import pkgutil
from importlib import import_module

import pytest

import posenc

NAMES = [module.name for module in pkgutil.walk_packages(posenc.__path__, "posenc.")]
MODULES = [import_module(name) for name in NAMES if not name.rpartition(".")[2].startswith("_")]
CORE = "attention distances embeddings encodings layouts long_context rotary rules shifts"
FUNCTIONS = [
    member
    for name in CORE.split()
    for member in vars(import_module(f"posenc.{name}")).values()
    if inspect.isfunction(member) and member.__module__.startswith(f"posenc.{name}")
    if not member.__name__.startswith("_")
]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_print_what_they_say(module):
    failed, _ = doctest.testmod(module)
    assert failed == 0


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_functions_have_examples_and_name_optional_arguments(function):
    assert ">>> " in function.__doc__
    for parameter in inspect.signature(function).parameters.values():
        optional = parameter.default is not parameter.empty
        assert optional == (parameter.kind is parameter.KEYWORD_ONLY)
        assert optional or parameter.kind is parameter.POSITIONAL_OR_KEYWORD


def test_the_package_says_where_everything_is():
    top = {name.split(".")[1] for name in NAMES if not name.split(".")[1].startswith("_")}
    assert all(f"`{name}`" in posenc.__doc__ for name in top)
