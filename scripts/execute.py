"""Execute notebooks from their text pairs and refresh the outputs.

Usage: python scripts/execute.py [notebooks/NN_name.md ...]      (every pair by default)

The same text gives the same file, byte for byte: cells are named after their content, and
nothing that depends on the time, the machine or the version of Python is kept.
"""

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain
from pathlib import Path

import quick_jsonschema  # noqa: F401

# isort: split
import jupytext
import nbformat
from kernels import AsyncFileKernelManager
from nbclient import NotebookClient
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
SECONDS_PER_CELL = 120
WORKERS = 2
# The tag of a cell whose output differs each time.
TIMED = "nbval-ignore-output"
# How the text of a pair begins.
PAIR = "---\njupytext:\n"


def is_paired_text(path):
    """Return whether a file is the text of a pair."""
    return path.suffix == ".md" and path.read_text(encoding="utf-8").startswith(PAIR)


def pairs():
    """Return the text of every pair: the notebooks, and the book's pages that hold code."""
    texts = [*sorted(ROOT.glob("notebooks/*.md")), *sorted(ROOT.glob("book/*.md"))]
    return [path for path in texts if is_paired_text(path)]


def name_cells(notebook):
    """Give each cell an identifier made from its content, and a number if it stands there twice."""
    seen = {}
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] = seen.get(digest, 0) + 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def read_text(path):
    """Read a notebook from its text pair, without outputs."""
    if not is_paired_text(path):
        raise ValueError("not the text of a pair: name its .md file, which Jupytext has written")
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
        kernel_manager_class=AsyncFileKernelManager,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.validate(notebook)
    text = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    path.with_suffix(".ipynb").write_text(text + "\n", encoding="utf-8", newline="\n")


def measures_time(path):
    """Return whether a notebook has a cell that times something."""
    return path.is_file() and TIMED in path.read_text(encoding="utf-8")


def execute_each(paths, workers):
    """Execute notebooks, some at a time, and yield each path with its error or None."""
    with ThreadPoolExecutor(workers) as pool:
        jobs = {pool.submit(execute, path): path for path in paths}
        for job in as_completed(jobs):
            yield jobs[job], job.exception()


def main(arguments):
    """Execute the notebooks named, or all; return the number of those that failed."""
    paths = [Path(name).resolve() for name in arguments] or pairs()
    # What is timed runs alone: another notebook beside it would be measured with it.
    timed = [path for path in paths if measures_time(path)]
    others = [path for path in paths if path not in timed]
    done = chain(execute_each(others, WORKERS), execute_each(timed, 1))
    failed = 0
    for path, error in tqdm(done, total=len(paths), desc="executing", unit="notebook"):
        if error is not None:
            # A cell fails or hangs, a kernel dies, a file is missing: the others go on.
            failed += 1
            tqdm.write(f"\n{path} stopped: {type(error).__name__}\n{error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
