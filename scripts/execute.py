"""Execute notebooks from their text pairs and refresh the outputs.

Usage: python scripts/execute.py [notebooks/NN_name.md ...]      (every pair by default)

The same text gives the same file, byte for byte: cells are named after their content, and
nothing that depends on the time, the machine or the version of Python is kept.
"""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import jupytext
import nbformat
from kernels import FileKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_CELL = 120
WORKERS = 2
# How the text of a pair begins.
PAIR = "---\njupytext:\n"


def pairs():
    """Return the text of every pair: the notebooks, and the book's pages that hold code."""
    texts = [*sorted(ROOT.glob("notebooks/*.md")), *sorted(ROOT.glob("book/*.md"))]
    return [path for path in texts if path.read_text(encoding="utf-8").startswith(PAIR)]


def name_cells(notebook):
    """Give each cell an identifier made from its content, and a number if it stands there twice."""
    seen = {}
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] = seen.get(digest, 0) + 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def read_text(path):
    """Read a notebook from its text pair, without outputs."""
    notebook = jupytext.read(path)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata["jupytext"] = {"formats": notebook.metadata["jupytext"]["formats"]}
    name_cells(notebook)
    return notebook


def execute(path):
    """Execute one notebook from top to bottom and write it beside its text."""
    notebook = read_text(path)
    NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_manager_class=FileKernelManager,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.validate(notebook)
    text = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    path.with_suffix(".ipynb").write_text(text + "\n", encoding="utf-8", newline="\n")


def main(arguments):
    """Execute the notebooks named, or all; return the number of those that failed."""
    paths = [Path(name).resolve() for name in arguments]
    paths = paths or pairs()
    failed = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(execute, path): path for path in paths}
        for job in tqdm(as_completed(jobs), total=len(jobs), desc="executing", unit="notebook"):
            try:
                job.result()
            except CellExecutionError as error:
                failed += 1
                tqdm.write(f"\n{jobs[job].name} stopped at a cell:\n{error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
