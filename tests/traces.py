"""Traces that a machine, a place or a moment leaves in a text."""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = {str(path) for path in (Path.home(), ROOT, sys.prefix, sys.base_prefix)}
HERE.add(tempfile.gettempdir())

# Whatever its folders are called: from the root, a drive, a home or a network share.
PATH = r"""(?x)
      (?<![\w.:/<\\)\]}|])/[A-Za-z_.][\w.-]*(?:/[\w.~-]+|\.[a-z]{1,5}\b)
    | (?<![A-Za-z])[A-Za-z]:(?:\\|/(?!/))[\w.~-]
    | (?<![\w~])~[\w-]*/[\w.]
    | (?<!\\)\\\\[A-Za-z][\w.-]*\\[\w$]
    | \bfile:/
    | site-packages
"""
TRACES = {
    "an absolute path": re.compile(PATH),
    "a path of this machine": re.compile(
        "|".join(rf"{re.escape(path)}(?![\w-])" for path in sorted(HERE, key=len) if len(path) > 1)
    ),
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}\b"),
    "a duration": re.compile(r"\b\d+(?:\.\d+)?\s?(?:ms|µs|μs|us|ns)\b|Wall time|CPU times"),
    "a date": re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b"),
    "rounding noise": re.compile(r"\d[eE]-1[4-9]\b"),
}


def traces(text):
    """Return what a text tells of the machine or the moment, in words."""
    found = {what: pattern.search(text) for what, pattern in TRACES.items()}
    return [f"{what}, {trace.group()!r}" for what, trace in found.items() if trace]
