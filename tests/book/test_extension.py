"""The book's own Sphinx extension: the chart directive, what makes pages old, and their heads."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from posenc.charts import clock
from posenc_book import rebuild, social

from .conftest import BOOK


@pytest.fixture
def read(tmp_path):
    """Return a function that reads one page and returns its dependencies and the warnings."""

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
        return app.env.dependencies["index"], warnings.getvalue()

    return read


def test_a_page_is_old_when_its_chart_has_changed(read):
    dependencies, warnings = read("Title\n=====\n\n.. course-chart:: clock_face\n")
    assert warnings == ""
    assert clock.__file__ in dependencies


@pytest.mark.parametrize("name", ["no_chart", "enable_renderer", "to_png", "attention_maps"])
def test_a_name_that_is_no_chart_is_refused_with_those_that_are(read, name):
    _, warnings = read(f"Title\n=====\n\n.. course-chart:: {name}\n")
    assert "index.rst:4: ERROR: course-chart must name one of" in warnings
    assert "clock_face" in warnings
    assert f"got '{name}'" in warnings


@pytest.mark.parametrize("name", ["_renderer.py", "_palette.py"])
def test_every_page_is_old_when_what_draws_all_charts_has_changed(monkeypatch, name):
    before = rebuild.fingerprint()
    assert rebuild.fingerprint() == before
    read_bytes = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: b"changed" if path.name == name else read_bytes(path)
    )
    assert rebuild.fingerprint() != before


def properties(markup):
    """Return {name: content} of the tags in a page's head."""
    tags = BeautifulSoup(markup, "html.parser").find_all("meta", content=True)
    return {tag.get("property") or tag.get("name"): tag["content"] for tag in tags}


def described(base, words):
    """Return the tags of a page that begins with these words."""
    doctree = nodes.section("", nodes.title("", "A title"), nodes.paragraph("", words))
    config = SimpleNamespace(html_title="The book", html_baseurl=base)
    titles = {"page": nodes.title("", "", nodes.Text("The "), nodes.literal("", "code"))}
    app = SimpleNamespace(config=config, env=SimpleNamespace(titles=titles))
    context = {}
    social.describe_page(app, "page", "page.html", context, doctree)
    return properties(context["metatags"])


def test_titles_and_descriptions_are_plain_whole_words():
    tags = described("", 'Eight "and"\n' + "letters " * 40)
    assert tags["og:title"] == "The code"
    assert tags["description"] == tags["og:description"]
    assert tags["description"].startswith('Eight "and" letters letters')
    assert tags["description"].endswith("letters …")
    assert len(tags["description"]) <= 200


@pytest.mark.parametrize("base", ["https://example.org/course", "https://example.org/course/"])
def test_the_card_has_an_absolute_address_or_none(base):
    assert "og:image" not in described("", "Words.")
    card = described(base, "Words.")["og:image"]
    assert card == "https://example.org/course/_static/social-card.png"


def test_every_page_of_the_book_is_described(page_name):
    tags = properties((BOOK / page_name).read_text(encoding="utf-8"))
    assert "<" not in tags["og:title"]
    assert 0 < len(tags["description"]) <= 200
    assert tags.get("og:image", "https://").startswith("https://")
