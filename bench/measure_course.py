"""Time the course's own commands, in a fresh clone of the last commit.

Usage: python3 bench/measure_course.py [step ...]      (all of them by default, in this order)

Writes the seconds into bench/results/course.json; what is not measured stays there as it was.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "bench" / "results" / "course.json"
CHANGED = "notebooks/04_rotation.md"
STEPS = {  # what is timed, and the command
    "from a fresh clone to the book": "make book",
    "nothing changed": "make book",
    "all notebooks": "make execute",
    "one notebook changed": "make check",
    "everything": "make test",
}


def main(steps):
    """Time the steps and write their seconds."""
    result = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "the course")  # the name holds a space: every command has to bear it
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        for step in steps or STEPS:
            if step == "one notebook changed":
                with Path(clone, CHANGED).open("a", encoding="utf-8") as file:
                    file.write("\nRead them.\n")
                execute = [".venv/bin/python", "scripts/execute.py", CHANGED]
                subprocess.run(execute, cwd=clone, check=True)
            begun = time.perf_counter()
            subprocess.run(STEPS[step].split(), cwd=clone, check=True)
            result[step] = {"command": STEPS[step], "seconds": round(time.perf_counter() - begun)}
            result[step]["load"] = round(os.getloadavg()[0], 1)
    lines = [f"{json.dumps(s)}: {json.dumps(result[s])}" for s in STEPS if s in result]
    RESULT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
