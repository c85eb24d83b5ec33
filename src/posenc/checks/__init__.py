"""Checkers of the exercises, a module for each notebook: ``checks.nb04.double(double)``."""

from importlib import import_module
from pkgutil import iter_modules

from ._exercise import Exercise
from ._feedback import Feedback

__all__ = ["Exercise", "Feedback"]

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")
