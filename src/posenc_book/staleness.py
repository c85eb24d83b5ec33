"""Tell Sphinx which pages are old, and let nothing of an earlier build stay."""

import hashlib
import shutil
from pathlib import Path

from posenc import charts, palette

SOURCES = (Path(__file__).parent, Path(charts.__file__).parent, Path(palette.__file__))


def fingerprint():
    """Return a digest of what makes every page; with another one Sphinx reads all pages anew."""
    digest = hashlib.sha256()
    for source in SOURCES:
        for path in sorted(source.rglob("*")) or [source]:
            if path.is_file() and path.suffix != ".pyc":
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
