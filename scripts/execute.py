"""Execute notebooks from their text pairs and refresh the outputs.

Usage: python scripts/execute.py [notebooks/NN_name.md ...]      (every pair by default)

The same text gives the same file, byte for byte: cells are named after their content, and
nothing in it depends on the time, the machine or the version of Python.
"""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_CELL = 120


def is_paired_text(path):
    """Return whether a file is the text of a pair: its front matter names Jupytext."""
    text = path.read_text(encoding="utf-8")
    return path.suffix == ".md" and text.startswith("---\njupytext:\n")


def pairs():
    """Return the text of every pair: notebooks, and pages of the book with code."""
    texts = [*sorted(ROOT.glob("notebooks/*.md")), *sorted(ROOT.glob("book/*.md"))]
    return [path for path in texts if is_paired_text(path)]


def read_text(path):
    """Read a notebook from its text, without outputs, its cells named after their content."""
    if not is_paired_text(path):
        raise ValueError("not the text of a pair: name its .md file, which Jupytext has written")
    notebook = jupytext.read(path)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata["jupytext"] = {"formats": notebook.metadata["jupytext"]["formats"]}
    copies = {}
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        copies[digest] = copies.get(digest, 0) + 1
        cell["id"] = digest if copies[digest] == 1 else f"{digest}-{copies[digest]}"
        if {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
            # JupyterLab folds what the book leaves out.
            cell.metadata["jupyter"] = {"source_hidden": True}
    return notebook


def execute(path):
    """Execute one notebook from top to bottom and write it beside its text."""
    notebook = read_text(path)
    NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.validate(notebook)
    text = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    path.with_suffix(".ipynb").write_text(text + "\n", encoding="utf-8", newline="\n")


def main(arguments):
    """Execute the notebooks named, or all; return the number of those that failed."""
    paths = [Path(name).resolve() for name in arguments] or pairs()
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(execute, path) for path in paths]
        errors = [run.exception() for run in tqdm(runs, desc="executing", unit="notebook")]
    for path, error in zip(paths, errors):
        if error:
            print(f"\n{path} stopped: {type(error).__name__}\n{error}", file=sys.stderr)
    return sum(map(bool, errors))


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
