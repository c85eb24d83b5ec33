"""The download button gives the notebook that the page was made from, and the whole course."""

from posenc_book.course_file import FILE

from .conftest import BOOK, PAGES, ROOT
from .test_links import soup

PAGE_NAMES = [name for name in PAGES if name != "search.html"]


def test_a_page_offers_the_course_and_a_notebook_itself(page_name):
    links = soup(page_name).select(".dropdown-download-buttons a")
    folder = (BOOK / page_name).parent
    offered = {(folder / link["href"]).resolve(): link.get_text() for link in links}
    course = (BOOK / FILE).resolve()
    assert course.is_file()
    assert "with posenc" in offered[course]
    if page_name.startswith("notebooks/"):
        (notebook,) = (file for file in offered if file.suffix == ".ipynb")
        # nbval runs this very file: the committed notebook, byte for byte.
        committed = ROOT / page_name.replace(".html", ".ipynb")
        assert notebook.read_bytes() == committed.read_bytes()
        assert "needs posenc" in offered[notebook]


def test_the_first_page_says_what_a_notebook_needs_and_gives_it():
    (link,) = soup("book/index.html").select(f"article a[href$='{FILE}']")
    assert (BOOK / "book" / link["href"]).is_file()
    assert "Python 3.11" in link.find_parent(class_="sd-card").get_text()
