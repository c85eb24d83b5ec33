"""Number figures and exercises by notebook, and let titles keep the number that they carry.

A notebook's title holds its number ("4. A shift is a rotation"), so that JupyterLab shows it, too.
Sphinx knows it from the table of contents (`numbered`). So it calls a notebook's third figure
"Fig. 4.3", and would write the number before every title once more.
"""


def keep_one_number(app, builder):
    """Take Sphinx's own numbers from titles and links, once figures have theirs.

    What is saved for the next build keeps them.
    """
    app.env.toc_secnumbers = {}
    for contents in app.env.tocs.values():
        for node in contents.findall():
            getattr(node, "attributes", {}).pop("secnumber", None)
    for title in app.env.titles.values():
        title.attributes.pop("secnumber", None)
