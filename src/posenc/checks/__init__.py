"""Checkers of the exercises: each says what is wrong in an answer, and never raises at one.

A student gives an answer, and evidence where it is asked for, and sees a `Feedback`::

    checks.nb04.repaired_shift(repaired_shift, really)

**A new exercise** is one declaration in the module of its notebook, such as ``nb02.py``.
CONTRIBUTING.md shows one, and ``_exercise.py`` explains the fields.

Most wrong answers need no words: exceptions, missing results, wrong shapes and types, NaN,
constants, changed inputs, endless loops, and slips that can happen in any exercise (``_slips.py``).
What else people confuse is written down as ``mistakes``, in whole sentences: where the answer is
right, and where not, is said before them. Then come a ``hint``, or what ``explain`` finds.
"""

from importlib import import_module
from pkgutil import iter_modules

from ._exercise import Case, Exercise
from ._feedback import Feedback

__all__ = ["Case", "Exercise", "Feedback"]


def _import_exercises(name):
    """Import the module of a notebook, and let a student see its exercises alone."""
    module = import_module(f".{name}", __name__)
    exercises = {key: x for key, x in vars(module).items() if isinstance(x, Exercise)}
    for exercise in exercises.values():
        exercise.namespace = name
    module.__dir__ = exercises.keys
    __all__.append(name)


for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        _import_exercises(_module.name)
