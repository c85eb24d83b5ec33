"""Pack the course into one file that a student takes away, and offer it on every page."""

import hashlib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.wheel import WheelBuilder

NAME = "positional-encoding-course"
FILE = f"{NAME}.zip"
LOCK = "requirements.txt"


def write(app):
    """Write the course's file into the built book."""
    root = Path(app.srcdir)
    names = {"LICENSE", "LICENSE-text"}
    for page in app.env.found_docs - {app.config.root_doc}:
        # Notebooks link to the other pages, which are given as text.
        names.add(page + (".ipynb" if page.startswith("notebooks/") else ".md"))
    files = {name: (root / name).read_bytes() for name in names}
    # How to begin, and the versions of what the notebooks need.
    files |= {path.name: path.read_bytes() for path in root.glob("book/take_away/*")}
    with TemporaryDirectory() as folder:
        builder = WheelBuilder(str(root))
        wheel = Path(next(builder.build(directory=folder, versions=["standard"])))
        files[wheel.name] = wheel.read_bytes()
    # One command installs all: pip checks the wheel, too, once the others have their hashes.
    digest = hashlib.sha256(files[wheel.name]).hexdigest()
    files[LOCK] = f"./{wheel.name} --hash=sha256:{digest}\n".encode() + files[LOCK]
    with zipfile.ZipFile(Path(app.outdir, FILE), "w") as course:
        for name in sorted(files):
            # Entries without a date: building twice gives the same bytes.
            entry = zipfile.ZipInfo(f"{NAME}/{name}")
            entry.external_attr = 0o644 << 16
            course.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def offer(app, pagename, templatename, context, doctree):
    """Add the course's file to the page's downloads, and say what a notebook alone lacks."""
    for group in context.get("header_buttons", []):
        if group["label"] == "download-buttons":
            source = group["buttons"][0]
            if source["text"] == ".ipynb":
                source["text"] = "Notebook (.ipynb), needs posenc"
            course = {
                "type": "link",
                "url": context["pathto"](FILE, 1),
                "text": "Course with posenc (.zip)",
                "tooltip": "All notebooks, the package posenc, and how to install it",
                "icon": "fas fa-file-zipper",
                "label": "download-course-button",
            }
            group["buttons"].insert(1, course)
