"""The book's own Sphinx extension: the chart directive, what makes pages old, and their heads."""

import io
from pathlib import Path
from types import SimpleNamespace

import docutils.core
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from posenc_book import accessibility, social, staleness

from .test_links import soup


@pytest.fixture
def read(tmp_path):
    """Return a function that reads one page and returns the warnings."""

    def read(text):
        (tmp_path / "index.rst").write_text(text, encoding="utf-8")
        warnings = io.StringIO()
        with docutils_namespace():
            app = Sphinx(
                tmp_path,
                None,
                tmp_path / "_build" / "html",
                tmp_path / "_build" / "doctrees",
                "dummy",
                confoverrides={"extensions": ["posenc_book"]},
                status=None,
                warning=warnings,
            )
            app.build()
        return warnings.getvalue()

    return read


def test_the_directive_takes_a_chart_by_its_name(read):
    assert read("Title\n=====\n\n.. course-chart:: clock_face\n") == ""


@pytest.mark.parametrize("name", ["no_chart", "to_png", "attention_maps"])
def test_a_name_that_is_no_chart_is_refused_with_those_that_are(read, name):
    warnings = read(f"Title\n=====\n\n.. course-chart:: {name}\n")
    assert "index.rst:4: ERROR: course-chart must name one of" in warnings
    assert "clock_face" in warnings
    assert f"got '{name}'" in warnings


@pytest.mark.parametrize(
    "name", ["clock.py", "rendering.py", "palette.py", "chart.py", "charts.js", "formulas.js"]
)
def test_every_page_is_old_when_what_makes_pages_has_changed(monkeypatch, name):
    before = staleness.fingerprint()
    assert staleness.fingerprint() == before
    read_bytes = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: b"changed" if path.name == name else read_bytes(path)
    )
    assert staleness.fingerprint() != before


def properties(page):
    """Return {name: content} of the tags in a page's head."""
    tags = page.find_all("meta", content=True)
    return {tag.get("property") or tag.get("name"): tag["content"] for tag in tags}


def described(base, words):
    """Return the tags of a page that begins with these words."""
    doctree = nodes.section("", nodes.title("", "A title"), nodes.paragraph("", words))
    config = SimpleNamespace(html_title="The book", html_baseurl=base)
    titles = {"page": nodes.title("", "", nodes.Text("The "), nodes.literal("", "code"))}
    app = SimpleNamespace(config=config, env=SimpleNamespace(titles=titles))
    context = {}
    social.describe_page(app, "page", "page.html", context, doctree)
    return properties(BeautifulSoup(context["metatags"], "html.parser"))


ADDRESS = "https://example.org/course"


def test_titles_and_descriptions_are_plain_whole_words():
    tags = described(ADDRESS, 'Eight "and"\n' + "letters " * 40)
    assert tags["og:title"] == "The code"
    assert tags["description"] == tags["og:description"]
    assert tags["description"].startswith('Eight "and" letters letters')
    assert tags["description"].endswith("letters …")
    assert len(tags["description"]) <= 200


@pytest.mark.parametrize("base", [ADDRESS, ADDRESS + "/"])
def test_the_card_has_an_absolute_address(base):
    assert described(base, "Words.")["og:image"] == f"{ADDRESS}/_static/social-card.png"


def test_a_book_without_an_address_is_described_and_nothing_more():
    assert described("", "Words.") == {"description": "Words."}


def test_every_page_of_the_book_is_described(page_name):
    tags = properties(soup(page_name))
    assert 0 < len(tags["description"]) <= 200
    assert tags.get("og:image", "https://").startswith("https://")


def test_other_packages_still_write_what_is_mended():
    """Who no longer needs mending is to be left alone."""
    citation = docutils.core.publish_string(
        "Text [Doe]_.\n\n.. [Doe] A book.\n", writer_name="html5"
    ).decode()
    table = pd.DataFrame({"a": [1]}).to_html()
    written = citation + table
    assert all(it in written for it in accessibility.MENDED)
    context = {"body": written}
    accessibility.mend_page(None, "page", "page.html", context, None)
    assert not any(it in context["body"] for it in accessibility.MENDED)
    assert all(it in context["body"] for it in accessibility.MENDED.values())
