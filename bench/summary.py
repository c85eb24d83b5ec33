"""Make bench/results/summary.json from what was measured: ratios, growth, targets met or missed."""

import json
import sys
from pathlib import Path

import numpy as np

SMALL = ("200×256", "1000×500", "n=1000")  # what the processor's cache holds
UNITS = {
    "tables": "write limit",
    "shifts": "copy",
    "matrices": "write limit",
    "bits": "write limit",
    "glove": "pandas",
    "import": "import numpy",
}

# What explains a miss.
UNKNOWN = "this run does not tell why: measure again on a quiet machine"
CACHE = (
    "this table lies in the processor's cache, where a copy costs little and so the arithmetic, "
    "and the few microseconds that any call takes, weigh more"
)
PROFILE = (
    "the n different numbers that the matrix holds take about as long to compute as so small a "
    "matrix takes to be written, which a larger matrix hides"
)
ROUNDING = (
    "all is computed in float64, and rounding to float32 is one more pass over the numbers, which "
    "only a table much larger than the cache wins back, where writing half as many bytes counts"
)


def read_ratios(folder):
    """Return the quartiles of each contender's ratio to the unit of the same round.

    The result is nested: subject, size, contender; a contender has its median `seconds`, the
    `rounds` and the `low`, `median` and `high` quartile of the ratios.
    """
    found = {}
    for subject, unit in UNITS.items():
        content = json.loads((folder / f"{subject}.json").read_text(encoding="utf-8"))
        values = {}  # by size and name: seconds, by round
        for bench in content["benchmarks"]:
            (run,) = bench["runs"]
            facts = (
                content.get("metadata", {}) | bench.get("metadata", {}) | run.get("metadata", {})
            )
            _, size, name = facts["name"].split(": ", 2)
            values[size, name] = {i * facts["every"]: x for i, x in enumerate(run["values"])}
        for (size, name), seconds in values.items():
            units = values[size, unit]
            ratios = [x / units[turn] for turn, x in seconds.items() if turn in units]
            low, median, high = np.quantile(ratios, [0.25, 0.5, 0.75]).tolist()
            found.setdefault(subject, {}).setdefault(size, {})[name] = {
                "seconds": float(np.median(list(seconds.values()))),
                "rounds": len(ratios),
                "low": round(low, 4),
                "median": round(median, 4),
                "high": round(high, 4),
            }
    return found


def exponents(growth):
    """Return the slopes of seconds over size, both logarithmic, along n and along d."""
    found = {}
    for point in growth:
        key = point["subject"], point["name"], point["along"]
        found.setdefault(key, []).append((point[point["along"]], point["seconds"]))
    rows = []
    for (subject, name, along), points in found.items():
        slope = round(float(np.polyfit(*np.log(points).T, 1)[0]), 2)
        rows.append({"subject": subject, "name": name, "along": along, "exponent": slope})
    return rows


def targets(ratios, facts):
    """Return each row of the target table with its measured value and whether it is met."""
    rows = []

    def row(function, what, measured, limit, because=UNKNOWN):
        if measured is not None:  # memory is unknown on some systems
            measured = float(f"{measured:.3g}")
            found = {"function": function, "what": what, "limit": limit, "measured": measured}
            met = measured <= limit
            rows.append(found | {"met": met, "because": "" if met else because})

    def median(subject, size, name):
        return ratios[subject][size][name]["median"]

    memory, errors = facts["memory"], facts["errors"]
    last = list(ratios["tables"])[-1]
    for size in ratios["tables"]:
        if size not in SMALL:
            row("sinusoidal", f"{size}, in fills", median("tables", size, "sinusoidal"), 3)
    row(
        "sinusoidal",
        f"{last}, peak memory in outputs",
        memory["tables"]["sinusoidal, largest"],
        1.1,
    )
    row("sinusoidal", f"{last}, largest error", errors[last]["sinusoidal"], 2e-11)
    row("sinusoidal", "start up to 1e6, largest error", facts["error far away"], 2e-10)
    single = "sinusoidal, float32"
    row(single, f"{last}, largest error", errors[last][single], 6e-8)
    for size in ratios["tables"]:
        table = ratios["tables"][size]
        of_float64 = table[single]["seconds"] / table["sinusoidal"]["seconds"]
        row(single, f"{size}, time in those of float64", of_float64, 1, ROUNDING)
    row(single, f"{last}, peak memory in outputs", memory["tables"][f"{single}, largest"], 1.6)
    for name, limit in (
        ("shift_by_phase", 1.7),
        ("shift_by_phase, in place", 1.3),
        ("shift_by_packing", 8),
        ("shift_by_swapping", 8),
    ):
        for size in ratios["shifts"]:
            because = CACHE if size in SMALL else UNKNOWN
            row(name, f"{size}, in copies", median("shifts", size, name), limit, because)
    for name in ("distance_matrix", "dot_product_matrix"):
        for size in ratios["matrices"]:
            if size != "n=200":
                because = PROFILE if size in SMALL else UNKNOWN
                row(name, f"{size}, in fills", median("matrices", size, name), 2.5, because)
    for size in ratios["bits"]:
        because = CACHE if size in SMALL else UNKNOWN
        row("binary", f"{size}, in fills", median("bits", size, "binary"), 10, because)
    (words,) = ratios["glove"]
    row(
        "load_glove",
        f"{words}, time in those of pandas",
        median("glove", words, "load_glove"),
        1,
        "it also checks each number and each word, indexes the words, shows its progress and lays "
        "each vector in one piece, which pandas alone does not",
    )
    row("load_glove", f"{words}, peak memory in vectors", memory["glove"]["load_glove"], 2.5)
    (start,) = ratios["import"].values()
    more = 1000 * (start["import posenc"]["seconds"] - start["import numpy"]["seconds"])
    row("import posenc", "milliseconds beyond import numpy", more, 20)
    return rows


def summarize(folder):
    """Return all that the page shows."""
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    ratios = read_ratios(folder)
    return facts | {
        "units": UNITS,
        "ratios": ratios,
        "targets": targets(ratios, facts),
        "exponents": exponents(facts["growth"]),
    }


def write(folder):
    """Write summary.json beside the measurements that it is made from."""
    text = json.dumps(summarize(folder), indent=1, ensure_ascii=False) + "\n"
    (folder / "summary.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent / "results")
