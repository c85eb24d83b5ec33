"""Decide which pages are out of date, and remove what an earlier build left."""

import hashlib
import shutil
from pathlib import Path

import posenc

BOOK = Path(__file__).parents[2]


def fingerprint():
    """Return a digest of what all pages depend on; if it changes, Sphinx reads all pages again."""
    paths = [BOOK / "_config.yml"]
    paths += [BOOK.with_name(name) for name in ("pyproject.toml", "requirements.txt")]
    folders = [BOOK / name for name in ("_ext", "_templates", "take_away")]
    for folder in (*folders, Path(posenc.__file__).parent):
        paths += [path for path in sorted(folder.rglob("*.*")) if path.suffix != ".pyc"]
    files = (path.read_bytes() for path in paths if path.is_file())
    return hashlib.sha256(b"".join(files)).hexdigest()


def start_afresh(app, env, docnames):
    """Write all pages if one has changed, since they show each other's titles.

    The search index is written last, so it's missing if the last build was stopped.
    """
    if docnames or not Path(app.outdir, "searchindex.js").exists():
        shutil.rmtree(app.outdir, ignore_errors=True)
        app.connect("env-updated", lambda app, env: sorted(env.found_docs))
