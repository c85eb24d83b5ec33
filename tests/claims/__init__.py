"""What the pages say, held to what they compute.

A claim is a short phrase of a page and the computation that bears it out::

    @claim("04_rotation", "None of them does")
    def arcs_do_not_depend_on_the_position(page):
        ...

It fails if the computation does, or if the page no longer contains the phrase. ``page`` holds
the names that the page's visible cells define.
"""

import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass
class Claim:
    """A phrase of a page, and the function that computes it."""

    page: str
    phrase: str
    function: object

    def check_phrase(self):
        """Fail, and say what to change, if the page doesn't contain the phrase."""
        if " ".join(self.phrase.split()) not in " ".join(text_of(self.page).split()):
            line = inspect.getsourcelines(self.function)[1]
            name = path_of(self.page).relative_to(ROOT).as_posix()
            here = Path(inspect.getfile(self.function)).relative_to(ROOT).as_posix()
            pytest.fail(
                f"{name} no longer says {self.phrase!r}. If the claim was only reworded, change "
                f"the phrase at {here}:{line}; if it is gone, delete its test there.",
                pytrace=False,
            )


def claim(page, phrase):
    """Make a function the test of what a page says in a phrase."""

    def attach(function):
        function.claim = Claim(page, phrase, function)
        function.__test__ = True  # for pytest to collect it, whatever its name
        return function

    return attach


def path_of(page):
    """Return the text of a page, such as "04_rotation" or "corrections"."""
    (path,) = [*ROOT.glob(f"notebooks/{page}.md"), *ROOT.glob(f"book/{page}.md")]
    return path


@cache
def text_of(page):
    """Return what a page says, its code included."""
    return path_of(page).read_text(encoding="utf-8")
