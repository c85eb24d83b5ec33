"""Measure the package and its peers: seconds, and errors against forty digits.

Usage: python bench/run.py [full|quick]

Writes bench/results/peers.json, which the book's page shows, and tells which targets are missed.
`quick` tries everything on small sizes and few rounds, and writes to bench/quick/ instead.
"""

import json
import math
import os
import platform
import sys
import time
from functools import partial
from pathlib import Path

import accuracy
import numpy as np
import peers
import timing

import posenc

LARGE = 10**7  # numbers in a table; beyond, what loops in Python is left out
# What the package is to reach, in multiples of the first contender's time, from which size on.
# (A small table lies in the processor's cache, and most of its time is what a call costs anyway.)
AT_MOST = {
    "posenc, sinusoidal": (3, 4096 * 1024),
    "posenc, shift_by_phase": (1.7, 0),
    "posenc, shift_by_packing": (8, 0),
    "posenc, shift_by_swapping": (8, 0),
    "posenc, distance_matrix": (2.5, 1000 * 512),
}


def tables(length, width):
    """Return what makes a table of positions."""
    ours = {
        "NumPy, writing alone": partial(np.full, (length, width), 1.0),
        "posenc, sinusoidal": partial(posenc.sinusoidal, length, width),
        "posenc, sinusoidal, rounded": lambda: posenc.sinusoidal(length, width).astype(np.float32),
        "NumPy, the formula": partial(posenc.sinusoidal_by_definition, length, width),
    }
    small = length * width <= LARGE
    chosen = {name: peer for name, peer in peers.TABLES.items() if small or name not in peers.LOOPS}
    return ours | peers.working(chosen, length, width)


def shifts(length, width):
    """Return what shifts a table."""
    table, frequencies = posenc.sinusoidal(length, width), posenc.angular_frequencies(width)
    arguments = table, frequencies, accuracy.SHIFT
    found = {"NumPy, copying alone": table.copy}
    for way in ("phase", "swapping", "packing", "matrix", "loop"):
        name = f"shift_by_{way}"
        found[f"posenc, {name}"] = partial(getattr(posenc, name), *arguments)
    return found | peers.working(peers.ROTATIONS, *arguments)


def by_gram(table):
    """Return the distances from the products, cut off at zero."""
    squares = np.einsum("ij,ij->i", table, table)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * (table @ table.T), 0))


def distances(length, width):
    """Return what makes the matrix of all distances."""
    table, frequencies = posenc.sinusoidal(length, width), posenc.angular_frequencies(width)
    ours = partial(posenc.distance_matrix, length, frequencies)
    found = {
        "NumPy, writing alone": partial(np.full, (length, length), 1.0),
        "posenc, distance_matrix": ours,
        "posenc, distance_matrix, a view": partial(ours, view=True),
        "NumPy, Gram product": partial(by_gram, table),
    }
    if length <= 1000:  # it holds a number for each pair of positions and each column
        found["NumPy, broadcasting"] = lambda: np.linalg.norm(table[:, None] - table, axis=-1)
    return found | peers.working(peers.DISTANCES, table)


def steps(length, width):
    """Return what makes a table, and a training step of one layer on as many tokens."""
    ours = {"a table": partial(posenc.sinusoidal, length, width)}
    return ours | peers.working(peers.STEPS, length, width)


SIZES = [(200, 256), (1000, 500), (4096, 1024)]
SUBJECTS = [
    (tables, accuracy.of_table, [*SIZES, (131_072, 1024)]),
    (shifts, accuracy.of_shift, SIZES),
    (distances, accuracy.of_distances, [(200, 512), (1000, 512), (4096, 512)]),
    (steps, None, SIZES[::2]),
]


def measure(contenders, error, size, seconds):
    """Yield a row of results for each contender of one size."""
    functions = contenders(*size)
    times = timing.interleave(functions, seconds=seconds * (3 if math.prod(size) > LARGE else 1))
    for row in timing.summarize(times):
        name, alone = row["name"], row["name"].endswith("alone")
        row = {"subject": contenders.__name__, "size": size} | row
        found = error(name, functions[name], *size) if error and not alone else {}
        row |= {what: float(f"{x:.3g}") for what, x in found.items()}
        at_most, least = AT_MOST.get(name, (None, math.inf))
        yield row | ({"at most": at_most} if math.prod(size) >= least else {})


def machine():
    """Return what the machine is, and nothing that tells whose it is."""
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    found = {"CPU": (names or [platform.machine()])[0], "cores": os.cpu_count()}
    return found | {"system": platform.system(), "Python": platform.python_version()}


def main(size="full"):
    """Measure everything, write the results and tell which targets are missed."""
    quick, begun, loads, rows = size == "quick", time.time(), [], []
    for contenders, error, sizes in SUBJECTS:
        for size in [size for size in sizes if not quick or math.prod(size) < 10**6]:
            print(f"{contenders.__name__}, {size}", file=sys.stderr)
            loads.append(round(os.getloadavg()[0], 1))
            rows += measure(contenders, error, size, 1 if quick else 20)
    facts = {
        "machine": machine(),
        "versions": peers.VERSIONS,
        "missing": peers.MISSING,
        "load": [min(loads), max(loads)],
        "minutes": round((time.time() - begun) / 60, 1),
    }
    lines = [f'"{what}": {json.dumps(found)}' for what, found in facts.items()]
    lines += ['"rows": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"]
    path = Path(__file__).parent / ("quick" if quick else "results") / "peers.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for row in rows:
        if (reached := row["ratio"][1]) > (limit := row.get("at most", math.inf)):
            print(f"{row['name']}, {row['size']}: {reached} times the first, not {limit}")


if __name__ == "__main__":
    timing.settle()
    main(*sys.argv[1:])
