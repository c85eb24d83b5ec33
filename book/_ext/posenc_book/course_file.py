"""Pack the course into one file, and offer it on every page."""

import hashlib
import json
import re
import tomllib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NAME = "positional-encoding-course"
FILE = f"{NAME}.zip"
LOCK = "requirements.txt"


def needed_to_run(root):
    """Return the names of the packages that the notebooks and the course's own package require."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + project["optional-dependencies"]["notebooks"]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def part_of_lock(lock, names):
    """Return the entries of a lock for the named packages and everything that they require.

    The comments of a lock say which packages require an entry, on any platform and version of
    Python, and so the part holds for all of them, too.
    """
    entries = []
    for block in re.split(r"^(?=\w)", lock, flags=re.MULTILINE)[1:]:
        entry, _, comment = block.partition("    # via")
        required_by = re.findall(r"^(?:    #  )? ([\w.-]+)", comment, flags=re.MULTILINE)
        entries.append((re.match(r"[\w.-]+", entry).group(), set(required_by), entry))
    names = set(names)
    size = 0
    while size < len(names):
        size = len(names)
        names |= {name for name, required_by, _ in entries if required_by & names}
    return "".join(entry for name, _, entry in entries if name in names)


def for_jupyter(text):
    """Return a notebook for JupyterLab, which shows no captions, terms and citations by itself.

    Captions follow their figures, and links to the glossary and the bibliography are plain.
    """
    notebook = json.loads(text)
    cells = notebook["cells"]
    notebook["cells"] = []
    for cell in cells:
        notebook["cells"].append(cell)
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            source = re.sub(r"\{term\}`([^`<]+?)(?: <[^`]*)?`", r"\1", source)
            source = re.sub(r"\{cite:[pt]\}`([^`]+)`", r"[\1](../book/references.bib)", source)
            cell["source"] = source.splitlines(keepends=True)
        if caption := cell["metadata"].get("mystnb", {}).get("figure", {}).get("caption"):
            below = {"cell_type": "markdown", "id": f"{cell['id']}-caption", "metadata": {}}
            notebook["cells"].append(below | {"source": [f"*Figure.* {caption}"]})
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode() + b"\n"


def write(app):
    """Write the course's file into the built book."""
    root = Path(app.srcdir)
    names = {"LICENSE", "LICENSE-text", *app.config.bibtex_bibfiles}
    for page in app.env.found_docs - {app.config.root_doc}:
        # Notebooks link to the other pages, which are packed as text.
        names.add(page + (".ipynb" if page.startswith("notebooks/") else ".md"))
    files = {name: (root / name).read_bytes() for name in names}
    files |= {name: for_jupyter(text) for name, text in files.items() if name.endswith(".ipynb")}
    files |= {path.name: path.read_bytes() for path in root.glob("book/take_away/*")}
    with TemporaryDirectory() as folder:
        builder = WheelBuilder(str(root))
        wheel = Path(next(builder.build(directory=folder, versions=["standard"])))
        files[wheel.name] = wheel.read_bytes()
    # One command installs everything: since the others have hashes, pip wants the wheel's, too.
    digest = hashlib.sha256(files[wheel.name]).hexdigest()
    lock = part_of_lock((root / LOCK).read_text(encoding="utf-8"), needed_to_run(root))
    files[LOCK] = f"./{wheel.name} --hash=sha256:{digest}\n{lock}".encode()
    with zipfile.ZipFile(Path(app.outdir, FILE), "w") as course:
        for name in sorted(files):
            # Without a date, building twice gives the same bytes.
            entry = zipfile.ZipInfo(f"{NAME}/{name}")
            entry.external_attr = 0o644 << 16
            course.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def offer(app, pagename, templatename, context, doctree):
    """Add the course's file to a page's downloads, and say that a notebook needs posenc."""
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
