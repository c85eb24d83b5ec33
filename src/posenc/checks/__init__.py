"""Checkers of the exercises: each says what is wrong in an answer, and never raises at one.

A student gives an answer to the checker of the exercise, as the last line of a cell, with
evidence where the exercise asks for it::

    checks.slow_pairs(slow_pairs)
    checks.repaired_shift(repaired_shift, really)

and sees a `Feedback`: not attempted yet, not right yet (and why), or correct.

**A new exercise** is one declaration in the module of its notebook, here `notebook_02.py`; nothing
else has to know of it::

    hour_angle = Exercise(
        "hour_angle",
        task="the angle of the hour hand, in radians, `seconds` after twelve",
        reference=lambda seconds: 2 * np.pi * seconds / 43_200,
        cases=[(0,), (3_600,), (54_321,)],
        case="{seconds} seconds",
        mistakes={
            "It turns once in 24 hours: how many hours are on the dial?": (
                lambda seconds: 2 * np.pi * seconds / 86_400
            ),
            "The angle is in degrees. Radians are wanted.": lambda seconds: seconds / 120,
            "Without the 12 this is the minute hand.": lambda seconds: 2 * np.pi * seconds / 3_600,
        },
        correct="At 3 o'clock it is π/2, and after twelve hours the hand is back.",
    )

A student who wrote ``seconds / 86_400`` reads: "Right for 0 seconds, but not for 3600 seconds. It
turns once in 24 hours: how many hours are on the dial?" The first half is made by the checker, so
a mistake's words are whole sentences about the mistake alone. Exceptions, missing results, wrong
shapes, NaN, constants, cut or rounded decimals, changed inputs and endless loops need no words.

Without ``cases`` the answer is a value. ``Case(scores, label="a score of 1000", hint="...")`` gives
a case a name, and a hint for those who are wrong there: in an exercise that asks for a test, the
cases are what the test is given. Where many answers are right, ``judge`` takes a result and the
arguments of the case, and returns what is wrong with it, or "". The reference is then one right
answer. ``evidence`` is an exercise without cases. `Exercise` lists the rest.

Numbers agree up to a relative or absolute error of 1e-5; lists, tuples, every type of integer and
float, fractions and SymPy's numbers count as numbers.
"""

from importlib import import_module
from pkgutil import iter_modules

from ._exercise import Case, Exercise
from ._feedback import Feedback

__all__ = ["Case", "Exercise", "Feedback"]

for _name in sorted(module.name for module in iter_modules(__path__)):
    if _name.startswith("notebook_"):
        for _value in vars(import_module(f".{_name}", __name__)).copy().values():
            if isinstance(_value, Exercise):
                globals()[_value.name] = _value
                __all__.append(_value.name)
del _name, _value
