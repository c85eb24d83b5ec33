"""Add to each page what search engines and other sites show when they link to it."""

import html
import textwrap
from pathlib import Path

from docutils import nodes

CARD = "book/_static/social-card.png"
CARD_TEXT = "The encoding of 200 positions as an image, and four of its waves"
DESCRIPTION = "A course in executed notebooks on the Transformer's sinusoidal positional encoding."
LONGEST = 200


def use_card(app):
    """Put the card into the book if the book has an address: Open Graph takes no relative ones."""
    if app.config.html_baseurl:
        app.config.html_static_path.append(str(Path(app.srcdir, CARD)))


def describe_page(app, pagename, templatename, context, doctree):
    """Add the page's first paragraph to its head; in a book with an address, title and card too."""
    description = _first_paragraph(doctree)
    tags = {"description": description}
    if app.config.html_baseurl:
        tags |= {
            "og:type": "article",
            "og:site_name": app.config.html_title,
            "og:title": _title(app, pagename),
            "og:description": description,
            "og:image": f"{app.config.html_baseurl.rstrip('/')}/_static/{Path(CARD).name}",
            "og:image:alt": CARD_TEXT,
            "twitter:card": "summary_large_image",
        }
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta {"property" if name.startswith("og:") else "name"}="{name}" '
        f'content="{html.escape(content)}" />\n'
        for name, content in tags.items()
    )


def _title(app, pagename):
    """Return the title in words alone; pages that Sphinx makes, such as the search, have none."""
    title = app.env.titles.get(pagename)
    return app.config.html_title if title is None else title.astext()


def _first_paragraph(doctree):
    paragraph = None if doctree is None else next(iter(doctree.findall(nodes.paragraph)), None)
    text = DESCRIPTION if paragraph is None else paragraph.astext()
    return textwrap.shorten(text, LONGEST, placeholder=" …")
