"""Write the page at the book's own address, which sends its reader on to the course."""

from pathlib import Path

FIRST_PAGE = """\
<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="0; url={address}">
    <link rel="icon" href="_static/favicon.svg" type="image/svg+xml">
    <title>{title}</title>
  </head>
  <body>
    <main><h1>{title}</h1><p><a href="{address}">Open the course</a></p></main>
  </body>
</html>
"""


def write(app):
    """Write the first page into the built book."""
    address = app.builder.get_target_uri(app.config.root_doc)
    page = FIRST_PAGE.format(title=app.config.html_title, address=address)
    Path(app.outdir, "index.html").write_text(page, encoding="utf-8")
