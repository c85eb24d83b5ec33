"""A function's source as a notebook shows it: what is run, without the docstring."""

import pytest

from posenc.display import show_file, show_source
from posenc.encodings import angular_frequencies
from posenc.figures import heat_map


def without_docstring(x):
    # A comment stays.
    return x + 1


def test_the_docstring_is_left_out_and_the_rest_is_verbatim():
    shown = show_source(angular_frequencies).data
    assert shown.startswith("```python\ndef angular_frequencies(width, *, base=10_000.0):\n")
    assert shown.endswith("return base ** (-np.arange(0, width, 2) / width)\n```")
    assert '"""' not in shown


def test_a_long_signature_is_shown_whole():
    shown = show_source(heat_map).data
    assert shown.startswith("```python\ndef heat_map(\n    matrix,\n    *,\n    axes=None,\n")
    assert "    first_row=0,\n):\n    matrix, centered = array(" in shown


def test_several_functions_stand_one_after_the_other_and_a_comment_stays():
    shown = show_source(angular_frequencies, without_docstring).data
    source = "def without_docstring(x):\n    # A comment stays.\n    return x + 1"
    assert shown.endswith(f"/ width)\n\n{source}\n```")


def test_only_functions_have_a_source():
    with pytest.raises(TypeError, match=r"^functions must be Python functions, got 3$"):
        show_source(3)


def test_a_file_is_shown_as_it_stands():
    shown = show_file("torch_positions").data
    assert shown.startswith('```python\n"""The encoding as a module of PyTorch')
    assert shown.endswith("rows.to(x.dtype))\n```")
