"""Tell Sphinx which pages are old, and let nothing of an earlier build stay."""

import hashlib
import shutil
from pathlib import Path

from posenc import _palette, charts

PACKAGE = Path(__file__).parent


def fingerprint():
    """Return a digest of what makes every page; with another one Sphinx reads all pages anew.

    A public module of `posenc.charts` draws one chart: the directive names it to Sphinx.
    """
    own = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    shared = (*Path(charts.__file__).parent.glob("_*.py"), Path(_palette.__file__))
    digest = hashlib.sha256()
    for path in (*sorted(own), *sorted(shared)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def write_all_or_nothing(app, env, docnames):
    """Write every page if one has changed, since the search index knows only what it sees."""
    if docnames:
        app.connect("env-updated", lambda app, env: sorted(env.found_docs))


def forget_earlier_files(app, builder):
    """Let nothing of an earlier build stay, nor be taken for this one's."""
    if builder.format == "html":
        shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)
        Path(app.outdir, "searchindex.js").unlink(missing_ok=True)
