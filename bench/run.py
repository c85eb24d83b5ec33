"""Measure the package and its peers: seconds, and errors against forty digits.

Usage: python bench/run.py [full|quick]

Writes bench/results/peers.json, which the book's page shows, and tells which targets are missed.
`quick` tries everything on small sizes and few rounds, and writes to bench/quick/ instead.
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
# What the package is to reach, in multiples of the first contender's time, from which size on.
# (A small table lies in the processor's cache, and most of its time is what a call costs anyway.)
AT_MOST = {
    "posenc, sinusoidal": (3, 4096 * 1024),
    "posenc, shift_by_phase": (1.7, 0),
    "posenc, shift_by_packing": (8, 0),
    "posenc, shift_by_swapping": (8, 0),
    "posenc, distance_matrix": (2.5, 1000 * 512),
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
    """Yield a row of results for each contender of one size, and tell which target is missed."""
    makers, error, _ = SUBJECTS[subject]
    functions = working(makers, *size)
    for row in timing.summarize(timing.interleave(functions, seconds=seconds)):
        name, ratio = row["name"], row["ratio"][1]
        if error and not name.endswith("alone"):
            found = error(name, functions[name](), size[1])
            row |= {what: float(f"{x:.3g}") for what, x in found.items()}
        yield {"subject": subject, "size": size} | row
        at_most, least = AT_MOST.get(name, (math.inf, 0))
        if math.prod(size) >= least and ratio > at_most:
            print(f"{name}, {size}: {ratio} times the first, not {at_most}")


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
    timing.settle()
    main(*sys.argv[1:])
