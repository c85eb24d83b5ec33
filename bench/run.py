"""Measure the package and its peers.

Usage: python bench/run.py [full|quick]

Writes bench/results/: one file of pyperf for each subject, facts.json (accuracy, memory, machine)
and summary.json, which the book's page shows. `quick` tries everything on small sizes and few
rounds, and writes to bench/quick/ instead.
"""

import ctypes
import functools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness
import mpmath
import numpy as np
import pandas as pd
import peers
import scipy.spatial.distance
import summary

import posenc
from posenc import distances, encodings, shifts

ROOT = Path(__file__).resolve().parent
ALONE = "--alone"  # in a process of its own: how memory is measured
QUICK = "quick" in sys.argv[1:]
RESULTS = ROOT / ("quick" if QUICK else "results")
TABLE_SIZES = [(200, 256), (1000, 500)] + [(4096, 1024), (131_072, 1024)] * (not QUICK)
SHIFT_SIZES = [(200, 256)] + [(4096, 1024)] * (not QUICK)
SHIFT = 100
MATRIX_WIDTH, MATRIX_LENGTHS = 512, [200, 1000] + [4096] * (not QUICK)
BINARY_LENGTHS = [1000] + [4096, 131_072] * (not QUICK)
GROWTH_LENGTHS, GROWTH_WIDTHS = [512, 2048, 8192, 32_768], [64, 256, 1024, 4096]
MATRIX_GROWTH = [512, 1024, 2048, 4096, 8192]
GLOVE_WORDS = 20_000 if QUICK else 400_000
SECONDS = 1 if QUICK else 20
MEMORY_SIZE = (1000, 500) if QUICK else (4096, 1024)
LARGEST = TABLE_SIZES[-1]
PYTHON_LOOPS = ("Python loop", "transformers, DistilBERT", "shift_by_loop")


# --- what is compared ---


def by_python_loop(length, width):
    """Return the table as two nested loops fill it."""
    table, frequencies = np.zeros((length, width)), posenc.angular_frequencies(width)
    for t in range(length):
        for k, frequency in enumerate(frequencies):
            table[t, 2 * k] = np.sin(frequency * t)
            table[t, 2 * k + 1] = np.cos(frequency * t)
    return table


def tables(length, width):
    """Return the contenders that make a table of positions; the first is the write limit."""
    both = functools.partial
    large = length * width > 10**7
    ours = {
        "write limit": harness.write_limit((length, width)),
        "write limit, float32": harness.write_limit((length, width), np.float32),
        "sinusoidal": both(posenc.sinusoidal, length, width),
        "sinusoidal, float32": both(posenc.sinusoidal, length, width, dtype=np.float32),
        "sinusoidal_by_definition": both(posenc.sinusoidal_by_definition, length, width),
    }
    if not large:
        ours["Python loop"] = both(by_python_loop, length, width)
    return ours | peers.tables(length, width, without=PYTHON_LOOPS if large else ())


def shifting(length, width, *, loops=True):
    """Return the contenders that shift a table; the first is a copy of it."""
    table, frequencies = posenc.sinusoidal(length, width), posenc.angular_frequencies(width)
    changed = table.copy()
    ours = {"copy": table.copy}
    for shift in ("packing", "swapping", "phase", "matrix") + ("loop",) * loops:
        function = getattr(shifts, f"shift_by_{shift}")
        ours[function.__name__] = functools.partial(function, table, frequencies, SHIFT)
    ours["shift_by_phase, in place"] = functools.partial(
        shifts.shift_by_phase, changed, frequencies, SHIFT, out=changed
    )
    return ours | peers.rotations(table, frequencies, SHIFT)


def by_gram(table):
    """Return the distances from the products, cut off at zero."""
    squares = np.einsum("ij,ij->i", table, table)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * (table @ table.T), 0))


def by_broadcasting(table):
    """Return the distances from the differences of all rows."""
    return np.linalg.norm(table[:, None] - table[None], axis=-1)


def matrices(length):
    """Return the contenders that make a matrix for all pairs of positions."""
    frequencies = posenc.angular_frequencies(MATRIX_WIDTH)
    table = posenc.sinusoidal(length, MATRIX_WIDTH)
    contenders = {"write limit": harness.write_limit((length, length))}
    for function in (distances.distance_matrix, distances.dot_product_matrix):
        for view in (False, True):
            name = function.__name__ + ", view" * view
            contenders[name] = functools.partial(function, length, frequencies, view=view)
    contenders["Gram product"] = functools.partial(by_gram, table)
    contenders["scipy cdist"] = functools.partial(scipy.spatial.distance.cdist, table, table)
    if length <= 1000:
        contenders["broadcasting"] = functools.partial(by_broadcasting, table)
    return contenders


def bits_by_loop(length):
    """Return the binary table, one number at a time."""
    bits = (length - 1).bit_length()
    table = np.zeros((length, bits), np.int8)
    for t in range(length):
        for i in range(bits):
            table[t, i] = t >> i & 1
    return table


def bits_by_unpacking(length):
    """Return the binary table from the numbers' own bits."""
    octets = np.arange(length, dtype="<u8").view(np.uint8).reshape(length, 8)
    bits = (length - 1).bit_length()
    return np.unpackbits(octets, axis=1, count=bits, bitorder="little").view(np.int8)


def bit_tables(length):
    """Return the contenders that make a binary table."""
    shape = encodings.binary(length).shape
    return {
        "write limit": harness.write_limit(shape, np.int8),
        "binary": functools.partial(encodings.binary, length),
        "unpackbits": functools.partial(bits_by_unpacking, length),
        "Python loop": functools.partial(bits_by_loop, length),
    }


def write_glove(path):
    """Write a file in GloVe's format: the package's vectors, again and again, under new words."""
    glove = posenc.load_glove()
    lines = [" ".join(f"{x:.6g}" for x in vector.tolist()) for vector in glove.vectors]
    with open(path, "w", encoding="utf-8") as file:
        for number in range(GLOVE_WORDS):
            again, row = divmod(number, len(lines))
            file.write(f"{glove.words[row]}{f'~{again}' if again else ''} {lines[row]}\n")


def by_pandas(path):
    """Return the same words and vectors from pandas' C reader, unchecked."""
    types = {0: object} | dict.fromkeys(range(1, 101), np.float32)
    options = {"sep": " ", "header": None, "quoting": 3, "na_filter": False, "engine": "c"}
    with pd.option_context("mode.max_threads", 1):  # as all contenders, load_glove among them
        table = pd.read_csv(path, dtype=types, **options)
    return table.pop(0).tolist(), table.to_numpy()


# --- memory and accuracy ---


def peak_memory(function, output):
    """Return the most memory that a call holds, in multiples of its output; None if unknown."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    ctypes.CDLL(None).malloc_trim(0)

    def kilobytes(field):
        line = next(x for x in status.read_text().splitlines() if x.startswith(field))
        return int(line.split()[1])

    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak
    before = kilobytes("VmRSS")
    result = function()
    peak = kilobytes("VmHWM") - before
    del result
    return peak * 1024 / output


def measure_memory():
    """Print the peaks of memory, as JSON: for a process of its own, without the settings."""
    if ALONE in sys.argv and sys.argv[-1] != ALONE:
        path = sys.argv[-1]
        size = GLOVE_WORDS * 100 * 4
        pandas = peak_memory(lambda: by_pandas(path), size)
        found = {"pandas": pandas, "load_glove": peak_memory(lambda: posenc.load_glove(path), size)}
        print(json.dumps(found))
        return
    found = {}
    length, width = MEMORY_SIZE
    for subject, contenders, n in (
        ("tables", tables, MEMORY_SIZE),
        ("shifts", functools.partial(shifting, loops=False), MEMORY_SIZE),
        ("matrices", matrices, (1000,)),
    ):
        for name, function in contenders(*n).items():
            if name in PYTHON_LOOPS:
                continue
            result = function()
            size = result.nbytes if result is not None else 8 * length * width
            del result
            found.setdefault(subject, {})[name] = peak_memory(function, size)
    for name in ("sinusoidal", "sinusoidal, float32"):
        function = tables(*LARGEST)[name]
        size = LARGEST[0] * LARGEST[1] * (4 if "32" in name else 8)
        found["tables"][f"{name}, largest"] = peak_memory(function, size)
    print(json.dumps(found))


def oracle(positions, pairs, count):
    """Return sines and cosines of the formula in 40 digits, rounded once to float64."""
    with mpmath.workdps(40):
        rates = [mpmath.mpf(10_000) ** (-mpmath.mpf(int(k)) / count) for k in pairs]
        both = [[mpmath.cos_sin(w * mpmath.mpf(float(t))) for w in rates] for t in positions]
        return (
            np.array([[float(sine) for _, sine in row] for row in both]),
            np.array([[float(cosine) for cosine, _ in row] for row in both]),
        )


def errors(length, width):
    """Return the largest error of each table at sampled positions and pairs."""
    rng = np.random.default_rng(0)
    rows = np.unique(np.append(rng.integers(0, length, 24), [length - 1, length // 2]))
    found = {}
    for name, function in tables(length, width).items():
        if name.startswith("write limit"):
            continue
        table = np.asarray(function())[rows].astype(float)
        peer = peers.TABLES.get(name)
        sines, cosines = (peer.columns if peer else peers.pairs)(table)
        count = peer.pairs(width) if peer else width // 2
        scale = peer.scale(width) if peer else 1.0
        sampled = np.unique(np.append(np.arange(0, sines.shape[1], 7), np.arange(16)))
        exact = oracle(rows, sampled[sampled < sines.shape[1]], count)
        sampled = sampled[sampled < sines.shape[1]]
        found[name] = max(
            float(abs(part[:, sampled] / scale - truth).max())
            for part, truth in zip((sines, cosines), exact)
        )
    return found


def errors_far_away():
    """Return the largest error of a table that begins near position one million."""
    worst = 0.0
    for start in (1e6, -1e6, 999_999.75, 524_288.5):
        table = posenc.sinusoidal(200, 512, start=start)
        rows = np.array([0, 1, 127, 128, 199])
        sines, cosines = oracle(start + rows, range(256), 256)
        for part, truth in zip(peers.pairs(table[rows]), (sines, cosines)):
            worst = max(worst, float(abs(part - truth).max()))
    return worst


# --- the run ---


def machine():
    """Return what the machine is, and nothing that tells whose it is."""
    described = {"Python": platform.python_version(), "system": platform.system()}
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    described["CPU"] = names[0] if names else platform.machine()
    described["cores"] = os.cpu_count()
    if hasattr(os, "sysconf"):
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        described["memory in GiB"] = round(total / 2**30)
    return described


def alone(*arguments):
    """Run this program in a process without the settings and return what it prints."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")}
    command = [sys.executable, __file__, *sys.argv[1:], ALONE, *arguments]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def imports():
    """Return how long a new process takes that imports NumPy, or the package."""

    def start(module):
        return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    return {"import numpy": start("numpy"), "import posenc": start("posenc")}


def subjects(folder):
    """Yield the name of each comparison, its contenders and how many seconds it may take."""
    for length, width in TABLE_SIZES:
        seconds = SECONDS * (3 if length * width > 10**7 else 1)
        yield "tables", f"{length}×{width}", functools.partial(tables, length, width), seconds
    for length, width in SHIFT_SIZES:
        yield "shifts", f"{length}×{width}", functools.partial(shifting, length, width), SECONDS
    for length in MATRIX_LENGTHS:
        yield "matrices", f"n={length}", functools.partial(matrices, length), SECONDS
    for length in BINARY_LENGTHS:
        yield "bits", f"n={length}", functools.partial(bit_tables, length), SECONDS / 2
    path = folder / "vectors.txt"
    write_glove(path)

    def glove():
        pandas = functools.partial(by_pandas, path)
        return {"pandas": pandas, "load_glove": functools.partial(posenc.load_glove, path)}

    yield "glove", f"{GLOVE_WORDS} words", glove, 4.5 * SECONDS
    yield "import", "a new process", imports, SECONDS / 2


def growth():
    """Return the seconds of chosen contenders at growing lengths and at growing widths."""
    chosen = ("sinusoidal", "sinusoidal, float32", "sinusoidal_by_definition", "write limit")
    chosen += ("transformers, M2M-100", "positional-encodings")
    moved = ("copy", "shift_by_phase", "shift_by_packing", "shift_by_swapping", "shift_by_matrix")
    squares = ("write limit", "distance_matrix", "dot_product_matrix, view", "Gram product")
    runs = []
    for along, sizes in (
        ("n", [(n, 512) for n in GROWTH_LENGTHS]),
        ("d", [(2048, d) for d in GROWTH_WIDTHS]),
    ):
        for n, d in sizes[: 2 if QUICK else None]:
            runs += [(along, n, d, {k: f for k, f in tables(n, d).items() if k in chosen})]
            made = shifting(n, d, loops=False)
            # A matrix for one shift of 4096 columns costs as much as all else together.
            runs += [(along, n, d, {k: made[k] for k in moved if d < 4096 or "matrix" not in k})]
    for n in MATRIX_GROWTH[: 2 if QUICK else None]:
        made = matrices(n)
        runs += [("n", n, MATRIX_WIDTH, {name: made[name] for name in squares})]
    found = []
    for along, n, d, contenders in runs:
        for name, timed in harness.interleave(contenders, seconds=SECONDS / 10, most=11).items():
            kind = "matrices" if set(contenders) & {"Gram product"} else None
            kind = kind or ("shifts" if "copy" in contenders else "tables")
            seconds = float(np.median(timed.get_values()))
            found.append({"subject": kind, "along": along, "n": n, "d": d, "name": name})
            found[-1]["seconds"] = seconds
    return found


def main():
    """Measure everything and write the results."""
    harness.settle()
    RESULTS.mkdir(exist_ok=True)
    begun, loads, measured = time.time(), [], {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        facts = {"memory": alone()}
        for subject, size, prepare, seconds in subjects(folder):
            print(f"{subject}, {size}", file=sys.stderr)
            contenders = prepare()
            loads.append(os.getloadavg()[0])
            for name, timed in harness.interleave(contenders, seconds=seconds).items():
                timed.update_metadata({"name": f"{subject}: {size}: {name}"})
                measured.setdefault(subject, []).append(timed)
            del contenders
        facts["memory"]["glove"] = alone(str(folder / "vectors.txt"))
    print("accuracy", file=sys.stderr)
    facts["errors"] = {f"{n}×{d}": errors(n, d) for n, d in TABLE_SIZES}
    facts["error far away"] = errors_far_away()
    print("growth", file=sys.stderr)
    facts["growth"] = growth()
    loads.append(os.getloadavg()[0])
    facts |= {
        "machine": machine(),
        "versions": peers.versions(),
        "peers missing": peers.PEERS_MISSING,
        "load": {"least": round(min(loads), 1), "most": round(max(loads), 1)},
        "minutes": round((time.time() - begun) / 60, 1),
    }
    for subject, timed in measured.items():
        harness.save(RESULTS / f"{subject}.json", timed)
    (RESULTS / "facts.json").write_text(
        json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    summary.write(RESULTS)


if __name__ == "__main__":
    measure_memory() if ALONE in sys.argv else main()
