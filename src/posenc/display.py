"""Show in a notebook what is run: the source of a function, or a file."""

import ast
import inspect
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
    sources = []
    for function in functions:
        if not inspect.isfunction(function):
            raise TypeError(f"functions must be Python functions, got {function!r}")
        lines = inspect.getsource(function).rstrip().splitlines()
        tree = ast.parse("\n".join(lines)).body[0]
        if ast.get_docstring(tree) is not None:
            del lines[tree.body[0].lineno - 1 : tree.body[0].end_lineno]
        sources.append("\n".join(lines))
    return _python("\n\n".join(sources))


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
    return _python((files("posenc") / "data" / f"{name}.py").read_text(encoding="utf-8").rstrip())


def _python(source):
    from IPython.display import Markdown

    return Markdown(f"```python\n{source}\n```")
