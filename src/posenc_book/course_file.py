"""Pack the course into one file that a student takes away, and offer it on every page."""

import datetime
import hashlib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hatchling.builders.wheel import WheelBuilder

NAME = "positional-encoding-course"
FILE = f"{NAME}.zip"
# The texts that only this file holds: how to begin, and the lock of what the notebooks need.
BESIDES = Path("book", "take_away")
READ_ME, LOCK = "READ-ME.txt", "requirements.txt"


def _wheel(root):
    """Return the name and the bytes of the package's wheel; its building downloads nothing."""
    with TemporaryDirectory() as folder:
        builder = WheelBuilder(str(root))
        path = Path(next(builder.build(directory=folder, versions=["standard"])))
        return path.name, path.read_bytes()


def contents(root, pages):
    """Return {name: bytes} of what the course's file holds.

    Parameters
    ----------
    root : path-like
        The folder of the repository.
    pages : iterable of str
        The book's pages without their endings. Notebooks link to the others, which are given as
        text.

    Returns
    -------
    dict
        Each file's content by its name in the course's folder.
    """
    root = Path(root)
    names = [f"{page}.ipynb" if page.startswith("notebooks/") else f"{page}.md" for page in pages]
    files = {name: (root / name).read_bytes() for name in ["LICENSE", "LICENSE-text", *names]}
    files |= {name: (root / BESIDES / name).read_bytes() for name in (READ_ME, LOCK)}
    wheel, content = _wheel(root)
    files[wheel] = content
    # One command installs all: pip checks the wheel, too, once the others have their hashes.
    line = f"./{wheel} --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"
    files[LOCK] = line.encode() + files[LOCK]
    return files


def write(app):
    """Write the course's file into the built book."""
    pages = app.env.found_docs - {app.config.root_doc}
    files = contents(app.srcdir, pages)
    # Files dated by the release and not by the build: building twice gives the same bytes.
    citation = yaml.safe_load(Path(app.srcdir, "CITATION.cff").read_text(encoding="utf-8"))
    released = datetime.date.fromisoformat(citation["date-released"])
    with zipfile.ZipFile(Path(app.outdir, FILE), "w") as course:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", released.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            course.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def offer(app, pagename, templatename, context, doctree):
    """Add the course's file to the page's downloads, and say what a notebook alone lacks."""
    for group in context.get("header_buttons", []):
        if group["label"] == "download-buttons":
            source = group["buttons"][0]
            if source["text"] == ".ipynb":
                source["text"] = "Notebook (.ipynb), needs posenc"
            group["buttons"].insert(
                1,
                {
                    "type": "link",
                    "url": context["pathto"](FILE, 1),
                    "text": "Course with posenc (.zip)",
                    "tooltip": "All notebooks, the package posenc, and how to install it",
                    "icon": "fas fa-file-zipper",
                    "label": "download-course-button",
                },
            )
