"""Mend what the accessibility rules refuse in other packages' HTML."""

# What is written, and what it ought to be.
MENDED = {
    # docutils' role for an entry of a bibliography is deprecated: w3c/dpub-aria, pull request 22.
    'role="doc-biblioentry"': 'role="listitem"',
    # pandas makes the empty corner of a table a header: pydata/pydata-sphinx-theme, issue 1480.
    "<th></th>": "<td></td>",
}


def mend_page(app, pagename, templatename, context, doctree):
    """Mend the HTML of a page's body."""
    for written, right in MENDED.items():
        context["body"] = context.get("body", "").replace(written, right)
