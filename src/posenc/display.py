"""Show in a notebook a file of the package."""

from importlib.resources import files

from IPython.display import Markdown


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
    source = (files("posenc") / "data" / f"{name}.py").read_text(encoding="utf-8").rstrip()
    return Markdown(f"```python\n{source}\n```")
