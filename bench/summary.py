"""Make bench/results/summary.json from what was measured: ratios, growth, targets met or missed."""

import json
import sys
from pathlib import Path

import numpy as np

MEMORY_SIZE = "4096×1024"  # of the tables whose memory is measured, besides the largest
UNITS = {
    "tables": "write limit",
    "shifts": "copy",
    "matrices": "write limit",
    "bits": "write limit",
    "glove": "pandas",
    "import": "import numpy",
}

# What explains a miss; the numbers come from contenders that do a part of the work alone.
UNKNOWN = "this run does not tell why: measure again on a quiet machine"
ROUNDING = (
    "all is computed in float64, and rounding to float32 is one more pass over the numbers, which "
    "pays where writing half as many bytes saves more. Making the float64 table first and rounding "
    "it then takes {} times as long as the float64 table, from the smallest size to the largest"
)
PRODUCT = (
    "the product of complex numbers takes {} copies by itself, from the smallest size to the "
    "largest: small tables lie in the processor's cache, where a copy is quick and working in "
    "place saves nothing. The rest is what a call costs at any size: checking what it is given, "
    "and the exponentials"
)
PASSES = (
    "each product and each sum writes an array of its own and reads it again, where a copy reads "
    "and writes one; this run does not tell why that weighs most at this size"
)
PROFILE = "the n different numbers of the matrix alone, which a view holds, take {:.3g} fills"
CHECKS = (
    "pandas takes {:.3g} of its own time when it also does the rest that `load_glove` does (to "
    "check each number, lay the vectors in one piece and index the words); reading in blocks, for "
    "the progress bar and for little memory, takes what is left"
)


def read_rounds(folder, subject):
    """Return each contender's seconds by the number of the round; its size and name are the key."""
    content = json.loads((folder / f"{subject}.json").read_text(encoding="utf-8"))
    values = {}
    for bench in content["benchmarks"]:
        (run,) = bench["runs"]
        facts = content.get("metadata", {}) | bench.get("metadata", {}) | run.get("metadata", {})
        _, size, name = facts["name"].split(": ", 2)
        values[size, name] = {i * facts["every"]: x for i, x in enumerate(run["values"])}
    return values


def read_ratios(folder):
    """Return the quartiles of each contender's ratio to the unit of the same round.

    The result is nested: subject, size, contender; a contender has its median `seconds`, the
    `rounds` and the `low`, `median` and `high` quartile of the ratios.
    """
    found = {}
    for subject, unit in UNITS.items():
        values = read_rounds(folder, subject)
        for (size, name), seconds in values.items():
            units = values[size, unit]
            ratios = [x / units[turn] for turn, x in seconds.items() if turn in units]
            found.setdefault(subject, {}).setdefault(size, {})[name] = {
                "seconds": float(np.median(list(seconds.values()))),
                "rounds": len(ratios),
            } | quartiles(ratios)
    return found


def listed(values):
    """Return numbers as a list in words."""
    *others, last = (f"{value:.2f}" for value in values)
    return f"{', '.join(others)} and {last}"


def in_common_rounds(values, size, *names):
    """Return the seconds of contenders in the rounds that all of them took part in."""
    chosen = [values[size, name] for name in names]
    rounds = sorted(set.intersection(*map(set, chosen)))
    return [np.array([seconds[turn] for turn in rounds]) for seconds in chosen]


def quartiles(values):
    """Return the quartiles of measured values."""
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return {"low": round(low, 4), "median": round(median, 4), "high": round(high, 4)}


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


def targets(ratios, facts, folder):
    """Return each row of the target table with its measured value and whether it is met.

    A row that is timed has the quartiles, too. Where they lie on both sides of the limit it is
    `close`: the next run may say otherwise.
    """
    rows = []

    def row(function, what, measured, limit, because=UNKNOWN):
        if measured is None:  # memory is unknown on some systems
            return
        timed = measured if isinstance(measured, dict) else {}
        measured = timed.get("median", measured)
        found = {"function": function, "what": what, "limit": limit, "measured": measured}
        if timed:
            spread = {"low": timed["low"], "high": timed["high"]}
            found |= spread | {"close": timed["low"] <= limit < timed["high"]}
        met = measured <= limit
        rows.append(found | {"met": met, "because": "" if met else because})

    memory, errors = facts["memory"], facts["errors"]
    last, single = list(ratios["tables"])[-1], "sinusoidal, float32"
    for size in ratios["tables"]:
        if size not in ("200×256", "1000×500"):
            row("sinusoidal", f"{size}, in fills", ratios["tables"][size]["sinusoidal"], 3)
    for name, limit in (("sinusoidal", 1.1), (single, 1.6)):
        row(name, f"{MEMORY_SIZE}, peak memory in outputs", memory["tables"][name], limit)
        peak = memory["tables"][f"{name}, largest"]
        row(name, f"{last}, peak memory in outputs", peak, limit)
    row("sinusoidal", f"{last}, largest error", errors[last]["sinusoidal"], 2e-11)
    row("sinusoidal", "start up to 1e6, largest error", facts["error far away"], 2e-10)
    row(single, f"{last}, largest error", errors[last][single], 6e-8)

    tables = read_rounds(folder, "tables")

    def of_float64(name, size):
        ours, float64 = in_common_rounds(tables, size, name, "sinusoidal")
        return quartiles(ours / float64)

    after = [of_float64("sinusoidal, then rounded", size)["median"] for size in ratios["tables"]]
    for size in ratios["tables"]:
        what, because = f"{size}, time in those of float64", ROUNDING.format(listed(after))
        row(single, what, of_float64(single, size), 1, because)
    product = "one product of complex numbers"
    alone = listed([found[product]["median"] for found in ratios["shifts"].values()])
    for name, limit in (
        ("shift_by_phase", 1.7),
        ("shift_by_phase, in place", 1.3),
        ("shift_by_packing", 8),
        ("shift_by_swapping", 8),
    ):
        for size, found in ratios["shifts"].items():
            because = PRODUCT.format(alone) if "phase" in name else PASSES
            row(name, f"{size}, in copies", found[name], limit, because)
    for name in ("distance_matrix", "dot_product_matrix"):
        for size, found in ratios["matrices"].items():
            if size != "n=200":
                because = PROFILE.format(found[f"{name}, view"]["median"])
                row(name, f"{size}, in fills", found[name], 2.5, because)
        row(
            f"{name}, view",
            "n=1000, peak memory in matrices",
            memory["matrices"][f"{name}, view"],
            0.1,
        )
    for size, found in facts["errors of matrices"].items():
        if size != "n=200":
            row(
                "distance_matrix",
                f"{size}, on the diagonal",
                found["distance_matrix"]["diagonal"],
                0,
            )
    for size, found in ratios["bits"].items():
        row("binary", f"{size}, in fills", found["binary"], 10)
    ((words, read),) = ratios["glove"].items()
    because = CHECKS.format(read["pandas, and the checks"]["median"])
    what = f"{words}, with its progress bar, time in those of pandas"
    row("load_glove", what, read["load_glove"], 1, because)
    row("load_glove", f"{words}, peak memory in vectors", memory["glove"]["load_glove"], 2.5)
    ((start, _),) = ratios["import"].items()
    imports = read_rounds(folder, "import")
    numpy, ours = in_common_rounds(imports, start, "import numpy", "import posenc")
    row("import posenc", "milliseconds beyond import numpy", quartiles(1000 * (ours - numpy)), 20)
    return rows


def summarize(folder):
    """Return all that the page shows."""
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    ratios = read_ratios(folder)
    return facts | {
        "units": UNITS,
        "ratios": ratios,
        "targets": targets(ratios, facts, folder),
        "exponents": exponents(facts["growth"]),
    }


def write(folder):
    """Write summary.json beside the measurements that it is made from."""
    text = json.dumps(summarize(folder), indent=1, ensure_ascii=False) + "\n"
    (folder / "summary.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent / "results")
