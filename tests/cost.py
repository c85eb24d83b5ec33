"""What a call costs, counted and not timed: bytes, sines and cosines, lines of code."""

import sys
import tracemalloc
from pathlib import Path

import numpy as np

import posenc

PACKAGE = str(Path(posenc.__file__).parent)


def peak_memory(function, *arguments, **options):
    """Return the result of a call and the most bytes that it held at once."""
    tracemalloc.start()
    try:
        result = function(*arguments, **options)
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def transcendental_values(monkeypatch, function, *arguments, **options):
    """Return how many exponentials, sines and cosines a call computes."""
    sizes = []

    def counting(original):
        def counted(x, *rest, **more):
            sizes.append(np.size(x))
            return original(x, *rest, **more)

        return counted

    with monkeypatch.context() as patch:
        for name in ("exp", "sin", "cos"):
            patch.setattr(np, name, counting(getattr(np, name)))
        function(*arguments, **options)
    return sum(sizes)


def lines_executed(function, *arguments, **options):
    """Return how many lines of the package a call executes: its steps in Python."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments, **options)
    finally:
        sys.settrace(before)
    return lines
