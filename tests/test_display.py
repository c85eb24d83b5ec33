"""A file and pictures as a notebook shows them."""

import re

from matplotlib import pyplot as plt

from posenc.display import show_file, side_by_side


def test_a_file_is_shown_as_it_stands():
    shown = show_file("torch_positions").data
    assert shown.startswith('```python\n"""The encoding as a module of PyTorch')
    assert shown.endswith("rows.to(x.dtype))\n```")


def test_pictures_share_a_row_and_say_what_they_show():
    figures = [plt.subplots(figsize=(2, 2), dpi=100)[0] for _ in range(2)]
    row = side_by_side(figures, ["a < b", "a > b"])
    assert not any(plt.fignum_exists(figure.number) for figure in figures)
    page = row._repr_html_()
    assert re.findall('alt="(.*?)"', page) == ["a &lt; b", "a &gt; b"]
    assert len({*re.findall('src="(.*?)"', page)}) == 1, "equal figures are equal pictures"
    assert repr(row) == "a < b\na > b"
