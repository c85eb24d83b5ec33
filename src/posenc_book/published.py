"""Derive from the address of the repository what the pages of a published book link to."""

import re

from sphinx.errors import ConfigError

ADDRESS = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
BUTTONS = ("use_repository_button", "use_source_button", "use_edit_page_button")
LAUNCH = {
    "notebook_interface": "jupyterlab",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}


def use_address(app, config):
    """Switch on the theme's links to the repository if `book/_config.yml` names one."""
    options = config.html_theme_options
    address = options.get("repository_url")
    if not address:
        return
    match = ADDRESS.fullmatch(address)
    if match is None:
        raise ConfigError(
            "repository: url: in book/_config.yml must be empty or an address such as "
            f"https://github.com/owner/name, got {address!r}"
        )
    owner, name = match.groups()
    options |= {"repository_url": f"https://github.com/{owner}/{name}", "launch_buttons": LAUNCH}
    options |= dict.fromkeys(BUTTONS, True)
    config.html_baseurl = config.html_baseurl or _address_of_pages(owner.lower(), name)


def _address_of_pages(owner, name):
    """Return where GitHub Pages publishes a repository."""
    host = f"{owner}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def mend_links(app, pagename, templatename, context, doctree):
    """Lead from a notebook to the text that people edit, and say what Colab lacks."""
    options = app.config.html_theme_options
    buttons = {button["label"]: button for button in context.get("header_buttons", [])}
    source = buttons.get("source-buttons", {}).get("buttons", [])
    launch = buttons.get("launch-buttons", {}).get("buttons", [])
    for link in source:
        if link["label"] != "source-repository-button":
            link["url"] = link["url"].replace(".ipynb", ".md")
    # Neither the font of brands nor the pictures of other sites' logos are in the book.
    for button in (*buttons.values(), *source):
        if button["icon"].startswith("fab"):
            button["icon"] = "fas fa-code-branch"
    for link in launch:
        del link["icon"]
    if not pagename.startswith("notebooks/"):
        # Such a page may read files of the repository, which Colab does not fetch.
        launch[:] = [link for link in launch if link["text"] != "Colab"]
    elif launch:
        line = f"%pip install git+{options['repository_url']}@{options['repository_branch']}"
        launch.append(
            {
                "type": "javascript",
                "javascript": f"prompt('In Colab, run this in a cell above all others:', '{line}')",
                "text": "What Colab must install first",
                "tooltip": line,
                "label": "launch-colab-line",
            }
        )
