"""Checkers of the exercises: each says what is wrong in an answer, and never raises at one.

A student gives an answer to the checker of the exercise, as the last line of a cell::

    checks.wavelength(wavelength)

and sees a `Feedback`: not attempted yet, not right yet (and why), or correct.

**How to write a checker.**
There is one module per notebook. A checker is one value; two kinds cover the exercises.

`FunctionCheck` calls the student's function with every case and compares it with a reference::

    from ._checkers import Case, FunctionCheck, Mistake, Property

    hour_angle = FunctionCheck(
        "hour_angle",
        task="the angle of the hour hand, in radians, `seconds` after twelve",
        reference=lambda seconds: 2 * np.pi * seconds / 43_200,
        cases=[(0,), (3_600,), (54_321,)],  # an edge case first, at least three
        case="{seconds} seconds",  # words for a case, in messages
        mistakes=[
            Mistake(
                "It turns once in 24 hours: how many hours are on the dial?",
                lambda seconds: 2 * np.pi * seconds / 86_400,
            ),
            Mistake(
                "The angle is in degrees. Radians are wanted.",
                lambda seconds: 360 * seconds / 43_200,
            ),
        ],
        correct="At 3 o'clock it is π/2, and after twelve hours the hand is back.",
    )

A student who wrote ``seconds / 86_400`` reads: "Right for 0 seconds, but not for 3600 seconds.
It turns once in 24 hours: how many hours are on the dial?" The first half is made by the
checker, so a mistake's message is whole sentences about the mistake alone. A mistake fits when
it explains every case that is wrong. Shapes, NaN, exceptions, changed inputs, a wrong number of
parameters, constant or hard-coded answers, opposite signs, exchanged rows and columns and the
like need no mistake of their own; a mistake comes before them where it says it better.
`Property` states what must hold ("Each row must sum to 1.") where no mistake fits.
`Case` gives a case its own words: ``Case(scores, label="a score of 1000")``.

`ValueCheck` takes a number, an array or a truth value; its mistakes are wrong values, or
functions without parameters that compute them.

Numbers agree up to a relative or absolute error of 1e-5 unless the checker states another
``tolerance`` (0 for a count); lists, tuples, every type of integer and float, fractions and
SymPy's numbers count as numbers.

Then import the checker here and test it with ``hold`` of ``tests/checks/harness.py``, which also
feeds every known mistake back to the checker, and a gauntlet of hostile answers.
"""

from ._checkers import Case, FunctionCheck, Mistake, Property, ValueCheck
from ._feedback import Feedback
from .attention import masked_softmax, most_attended, row_softmax, scores_ahead
from .binary import flip_count, gray, nearest_row, position_of
from .clock import clock_encoding, read_clock, repaired_hour_hand, smallest_base
from .distances import (
    distance_from_product,
    matrix_from_profile,
    repaired_distances,
    step_length,
)
from .formula import encoding, repaired_encoding, slow_pairs, wavelength
from .rotation import double, repaired_shift, turn, unshift
from .shifting import continued, is_shift, repaired_swap, shift_concatenated

__all__ = [
    "Case",
    "Feedback",
    "FunctionCheck",
    "Mistake",
    "Property",
    "ValueCheck",
    "clock_encoding",
    "continued",
    "distance_from_product",
    "double",
    "encoding",
    "flip_count",
    "gray",
    "is_shift",
    "masked_softmax",
    "matrix_from_profile",
    "most_attended",
    "nearest_row",
    "position_of",
    "read_clock",
    "repaired_distances",
    "repaired_encoding",
    "repaired_hour_hand",
    "repaired_shift",
    "repaired_swap",
    "row_softmax",
    "scores_ahead",
    "shift_concatenated",
    "slow_pairs",
    "smallest_base",
    "step_length",
    "turn",
    "unshift",
    "wavelength",
]
