"""What a student's code says about a wrong answer: its parameters, its errors, its loops."""

import ast
import inspect
import re
import textwrap
import traceback

from ._answers import Endless, guarded

_CARET = "`^` compares whole numbers bit by bit, and takes no floats. A power is `**`."
# What NumPy and Python say, and what a student should look for.
_HINTS = {
    r"name 'np' is not": "Run the first cell, or write `import numpy as np`.",
    r"name '(\w+)' is not": r"Nothing is called `\1` here: is it misspelled, or not imported?",
    r"bitwise_xor|for \^": _CARET,
    r"shapes \((\d+),\d+\) \(\1,\)": "To stand beside rows, `[:, None]` makes a column of it, as "
    "`keepdims=True` does in a sum.",
    r"truth value of an array": "`np.all` makes one of many; `np.where` chooses for each.",
    r"'list' and|and 'list'|indices .* not tuple|by non-int|'list' .* '(shape|T|sum)'": (
        "`np.asarray` makes an array of a list."
    ),
    r"index 0 is out of bounds .* size 0": "An array is empty there.",
    r"to Python scalars": "`math`, `int` and `float` take one number, NumPy's functions arrays.",
    r"recursion depth": "It calls itself too often, or without end.",
}


def about_parameters(function, name, wanted):
    """Return what is wrong with an answer that cannot be called as the statement says, or ""."""
    if not callable(function):
        return f"Give `{name}` itself, a function: this is of type `{type(function).__name__}`."
    signature = guarded(inspect.signature, function)[0] or inspect.signature(lambda *given: given)
    found = list(signature.parameters)
    exchanged = found != wanted and sorted(found) == sorted(wanted)
    if guarded(signature.bind, *wanted)[1] is None and not exchanged:
        return ""
    listed = [", ".join(f"`{name}`" for name in names) or "none" for names in (wanted, found)]
    return f"It should take {listed[0]}, by position and in this order. Yours takes {listed[1]}."


def about_no_return(function):
    """Return words for a function that returns None, or "" if it does nothing else."""
    code = guarded(lambda: function.__code__.co_code)[0]
    if code is not None and len(code) <= len((lambda: None).__code__.co_code):
        return ""  # `...`, `pass`, or a docstring alone
    if any(isinstance(node, ast.Name) and node.id == "print" for node in _nodes(function)):
        return "It prints, but returns nothing: give the result with `return`."
    return "It returns `None`: it comes to no `return`, or to one of a `None`, as `x.sort()` is."


def about_code(function, exercise):
    """Return what stands in the code of a wrong answer and cannot be meant, or ""."""
    nodes = _nodes(function)
    for loop in (node for node in nodes if isinstance(node, ast.For)):
        goes_on = any(isinstance(node, (ast.Continue, ast.Break)) for node in ast.walk(loop))
        # Of what is there to be gone through: not of places that were searched and found.
        given = getattr(loop.iter, "id", "") in exercise.parameters
        given |= getattr(getattr(loop.iter, "func", None), "id", "") in ("range", "enumerate")
        if isinstance(loop.body[-1], ast.Return) and given and not goes_on:
            return "A `return` stands inside a loop and ends it at once. Move it below the loop."
    allowed = exercise.judge or ast.BitXor in map(type, _nodes(exercise.reference))
    powers = [x for x in nodes if isinstance(x, ast.BinOp) and isinstance(x.op, ast.BitXor)]
    numbers = [y.value for x in powers for y in (x.left, x.right) if isinstance(y, ast.Constant)]
    # With 1 columns 2k and 2k + 1 are exchanged, and with True a mask is turned around.
    return _CARET if not allowed and any(number != 1 for number in numbers) else ""


def about_error(error, function):
    """Put an exception into words, with the student's line but no paths; "" for one by ``...``."""
    text = guarded(str, error)[0] or ""
    if isinstance(error, NotImplementedError) or "'ellipsis'" in text:
        return ""
    if isinstance(error, Endless):
        return "it does not come to an end in a minute, all cases together. Does each loop stop?"
    found = ((re.search(key, text), words) for key, words in _HINTS.items())
    hint = next((match.expand(words) for match, words in found if match), "")
    text = re.sub(r"(?:[A-Za-z]:)?[\\/](?:[^\s'\"\\/]+[\\/])+|0x[0-9a-fA-F]+", "", text)
    file = guarded(lambda: function.__code__.co_filename)[0]
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.line for frame in reversed(frames) if frame.filename == file), "")
    text, line = (textwrap.shorten(x.replace("`", "'"), 120, placeholder="…") for x in (text, line))
    words = f"it raises `{type(error).__name__}{': ' * bool(text)}{text}`"
    return f"{words}{f', at the line `{line}`' * bool(line)}. {hint}".strip()


def _nodes(function):
    """Return what a function is written of, if its source is to be found."""
    source = textwrap.dedent(guarded(inspect.getsource, function)[0] or "")
    return list(ast.walk(guarded(ast.parse, source)[0] or ast.Module([], [])))
