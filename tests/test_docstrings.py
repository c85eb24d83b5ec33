"""What the docstrings show is what the code does."""

import doctest
import importlib
import pkgutil

import pytest

import posenc

MODULES = [
    module.name
    for module in pkgutil.walk_packages(posenc.__path__, "posenc.")
    if not module.name.rpartition(".")[2].startswith("_")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("name", posenc.__all__)
def test_every_public_function_has_an_example(name):
    assert ">>> " in getattr(posenc, name).__doc__
