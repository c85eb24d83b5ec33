"""Measure the package and its peers: seconds, and errors against forty digits.

Writes bench/results/peers.json, which the book's page shows. With the argument `quick` it tries
everything on small sizes and in little time, and writes to bench/quick/ instead.
"""

import datetime
import json
import math
import platform
import re
import sys
from pathlib import Path

import accuracy
import contenders
import timing

SIZES = [(200, 256), (1000, 500), (4096, 1024)]
SUBJECTS = {  # contenders, their errors, and the lengths and widths
    "tables": (contenders.TABLES, accuracy.of_table, [*SIZES, (131_072, 1024)]),
    "shifts": (contenders.SHIFTS, accuracy.of_shift, SIZES),
    "distances": (contenders.DISTANCES, accuracy.of_distances, [(n, 512) for n, _ in SIZES]),
}


def measure(subject, size, seconds):
    """Yield a row of results for each contender of one size."""
    makers, error, _ = SUBJECTS[subject]
    functions = {
        name: make(*size)
        for name, make in makers.items()
        if math.prod(size) <= contenders.LARGEST.get(name, math.inf)
    }
    for row in timing.summarize(timing.interleave(functions, seconds=seconds)):
        if not row["name"].endswith("alone"):
            errors = error(row["name"], functions[row["name"]](), size[1])
            row |= {name: float(f"{x:.3g}") for name, x in errors.items()}
        yield {"subject": subject, "size": size} | row


def machine():
    """Return the kind of machine, and the date, but nothing that shows whose it is."""
    info = Path("/proc/cpuinfo")
    names = re.findall("model name.*: (.*)", info.read_text("utf-8")) if info.exists() else []
    name = names[0] if names else platform.machine()
    facts = {"CPU": name, "system": platform.system(), "Python": platform.python_version()}
    return facts | {"date": f"{datetime.date.today():%B %d, %Y}".replace(" 0", " ")}


def main(extent="full"):
    """Measure everything and write the results."""
    quick, rows = extent == "quick", []
    for subject, (_, _, sizes) in SUBJECTS.items():
        for size in [size for size in sizes if not quick or math.prod(size) < 10**6]:
            print(f"{subject}, {size}", file=sys.stderr)
            rows += measure(subject, size, 1 if quick else max(20, math.prod(size) / 2e6))
    facts = {"machine": machine(), "versions": contenders.VERSIONS, "rows": rows}
    path = Path(__file__).parent / ("quick" if quick else "results") / "peers.json"
    path.parent.mkdir(exist_ok=True)
    text = re.sub(' ?{"subject"', '\n{"subject"', json.dumps(facts))  # a line for each row
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
