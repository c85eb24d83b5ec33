"""Link a published book to its repository, and describe its pages to other sites."""

import re
from textwrap import shorten

from docutils import nodes
from sphinx.errors import ConfigError

ADDRESS = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
LINKS = ("launch_buttons", "use_repository_button", "use_source_button", "use_edit_page_button")


def use_address(app, config):
    """Derive the book's address from the repository's; without one, remove the links to it."""
    options = config.html_theme_options
    address = options["repository_url"]
    if not address:
        for link in LINKS:
            options.pop(link)
    elif match := ADDRESS.fullmatch(address):
        owner, name = match.groups()
        options["repository_url"] = f"https://github.com/{owner}/{name}"
        # On GitHub Pages.
        host = f"{owner}.github.io".lower()
        path = "" if name.lower() == host else f"{name}/"
        config.html_baseurl = config.html_baseurl or f"https://{host}/{path}"
    else:
        raise ConfigError(
            "repository: url: in book/_config.yml must be empty or an address such as "
            f"https://github.com/owner/name, got {address!r}"
        )
    if config.html_baseurl:
        config.html_baseurl = config.html_baseurl.rstrip("/") + "/"
        config.html_extra_path.append("book/_static/social-card.png")


def mend_links(app, pagename, templatename, context, doctree):
    """Link a notebook to the text that people edit, and say what Colab has to install."""
    buttons = {button["label"]: button for button in context.get("header_buttons", [])}
    source = buttons.get("source-buttons", {}).get("buttons", [])
    launch = buttons.get("launch-buttons", {}).get("buttons", [])
    for link in source:
        if link["label"] != "source-repository-button":
            link["url"] = link["url"].replace(".ipynb", ".md")
    # The font of brands would load 118 kB for one icon.
    for button in (*buttons.values(), *source):
        button["icon"] = button["icon"].replace("fab fa-github", "fas fa-code-branch")
    if not pagename.startswith("notebooks/"):
        # Such a page may read files of the repository, which Colab doesn't have.
        launch[:] = [link for link in launch if link["text"] != "Colab"]
    elif launch:
        options = app.config.html_theme_options
        line = f"%pip install git+{options['repository_url']}@{options['repository_branch']}"
        install = {
            "type": "javascript",
            "javascript": f"prompt('In Colab, run this in a cell above all others:', '{line}')",
            "text": "What Colab must install first",
            "tooltip": line,
            "label": "launch-colab-line",
        }
        launch.append(install)


def describe(app, pagename, templatename, context, doctree):
    """Give the template the beginning of a page, which other sites show with a link to it."""
    if doctree:
        paragraphs = doctree.findall(nodes.paragraph)
        # Not from boxes, lists and tables.
        parents = nodes.section, nodes.container
        text = " ".join(node.astext() for node in paragraphs if isinstance(node.parent, parents))
        context["description"] = shorten(text, 200, placeholder=" …")
