"""The download button gives the notebook that the page was made from."""

import pytest

from .conftest import BOOK, ROOT
from .test_links import soup

NOTEBOOKS = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_button_gives_the_notebook(path):
    name = f"notebooks/{path.stem}.html"
    link = soup(name).select_one("a.btn-download-source-button, a[title*='Download source']")
    # nbval runs this very file: the committed notebook, byte for byte.
    assert (BOOK / name).parent.joinpath(link["href"]).read_bytes() == path.read_bytes()
