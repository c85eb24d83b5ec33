"""A file as a notebook shows it."""

from posenc.display import show_file


def test_a_file_is_shown_as_it_stands():
    shown = show_file("torch_positions").data
    assert shown.startswith('```python\n"""The encoding as a module of PyTorch')
    assert shown.endswith("rows.to(x.dtype))\n```")
