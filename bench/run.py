"""Measure the package and its peers: seconds, and errors against forty digits.

Usage: python bench/run.py [full|quick]

Writes bench/results/peers.json, which the book's page shows. `quick` tries everything on small
sizes and in little time, and writes to bench/quick/ instead.
"""

import json
import math
import os
import platform
import re
import sys
from pathlib import Path

import accuracy
import contenders
import timing

SIZES = [(200, 256), (1000, 500), (4096, 1024)]
SUBJECTS = {  # what takes part, its errors, and the lengths and widths
    "tables": (contenders.TABLES, accuracy.of_table, [*SIZES, (131_072, 1024)]),
    "shifts": (contenders.SHIFTS, accuracy.of_shift, SIZES),
    "distances": (
        contenders.DISTANCES,
        accuracy.of_distances,
        [(200, 512), (1000, 512), (4096, 512)],
    ),
    "steps": (contenders.STEPS, None, SIZES[::2]),
}
MISSING = {}  # why, by the contender's name


def working(makers, length, width):
    """Return the functions to be timed, by name; who cannot be had goes to `MISSING`."""
    functions = {}
    for name, make in makers.items():
        if length * width <= contenders.LARGEST.get(name, math.inf):
            try:
                functions[name] = make(length, width)
            except ImportError as reason:
                MISSING[name] = f"{type(reason).__name__}: {reason}".splitlines()[0][:160]
    return functions


def measure(subject, size, seconds):
    """Yield a row of results for each contender of one size."""
    makers, error, _ = SUBJECTS[subject]
    functions = working(makers, *size)
    for row in timing.summarize(timing.interleave(functions, seconds=seconds)):
        if error and not row["name"].endswith("alone"):
            found = error(row["name"], functions[row["name"]](), size[1])
            row |= {what: float(f"{x:.3g}") for what, x in found.items()}
        yield {"subject": subject, "size": size} | row


def machine():
    """Return what the machine is, and nothing that tells whose it is."""
    cpu = Path("/proc/cpuinfo")
    names = re.findall("model name.*: (.*)", cpu.read_text("utf-8")) if cpu.exists() else []
    found = {"CPU": [*names, platform.machine()][0], "cores": os.cpu_count()}
    return found | {"system": platform.system(), "Python": platform.python_version()}


def main(extent="full"):
    """Measure everything and write the results."""
    quick, rows = extent == "quick", []
    for subject, (_, _, sizes) in SUBJECTS.items():
        for size in [size for size in sizes if not quick or math.prod(size) < 10**6]:
            print(f"{subject}, {size}", file=sys.stderr)
            rows += measure(subject, size, 1 if quick else max(20, math.prod(size) / 2e6))
    facts = {"machine": machine(), "load": [round(load, 1) for load in os.getloadavg()]}
    facts |= {"versions": contenders.VERSIONS, "missing": MISSING, "rows": rows}
    path = Path(__file__).parent / ("quick" if quick else "results") / "peers.json"
    path.parent.mkdir(exist_ok=True)
    text = re.sub(' ?{"subject"', '\n{"subject"', json.dumps(facts))  # a line for each row
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
