"""Show in a notebook what is run: the source of a function, or a file."""

import ast
import inspect
import textwrap
from importlib.resources import files


def show_source(*functions):
    """Show the source of functions, without their docstrings.

    What a reader sees is what is run and tested: the text is read from the package itself.

    Parameters
    ----------
    *functions : function
        Functions of the package, shown in the order given. A TypeError names what is none.

    Returns
    -------
    IPython.display.Markdown
        One block of highlighted Python.
    """
    from IPython.display import Markdown

    for function in functions:
        if not inspect.isfunction(function):
            raise TypeError(f"functions must be Python functions, got {function!r}")
    sources = "\n\n".join(map(_source_without_docstring, functions))
    return Markdown(f"```python\n{sources}\n```")


def show_file(name):
    """Show a Python file of the package's data, as it stands.

    Parameters
    ----------
    name : str
        The file's name in ``posenc/data``, without ``.py``.

    Returns
    -------
    IPython.display.Markdown
        One block of highlighted Python.
    """
    from IPython.display import Markdown

    source = (files("posenc") / "data" / f"{name}.py").read_text(encoding="utf-8").rstrip()
    return Markdown(f"```python\n{source}\n```")


def _source_without_docstring(function):
    source = textwrap.dedent(inspect.getsource(function)).rstrip()
    body = ast.parse(source).body[0].body
    if ast.get_docstring(ast.parse(source).body[0]) is None:
        return source
    lines = source.splitlines()
    del lines[body[0].lineno - 1 : body[0].end_lineno]
    return "\n".join(lines)
