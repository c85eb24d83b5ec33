"""The download button gives the notebook that the page was made from."""

import pytest

from .conftest import ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_button_gives_the_notebook(open_page, site, path):
    page = open_page(f"{site}notebooks/{path.stem}.html")
    link = page.locator("a.btn-download-source-button, a[title*='Download source']").first
    response = page.request.get(link.evaluate("link => link.href"))
    assert response.ok
    # nbval runs this very file: the committed notebook, byte for byte.
    assert response.body() == path.read_bytes()
