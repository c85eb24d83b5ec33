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
import summary

import posenc
from posenc import distances, encodings, shifts

try:
    import scipy.spatial.distance
except ImportError as reason:
    peers.PEERS_MISSING["scipy cdist"] = f"{type(reason).__name__}: {reason}"

ROOT = Path(__file__).resolve().parent
ALONE = "--alone"  # in a process of its own: how memory is measured
QUICK = "quick" in sys.argv[1:]
RESULTS = ROOT / ("quick" if QUICK else "results")
TABLE_SIZES = [(200, 256), (1000, 500)] + [(4096, 1024), (131_072, 1024)] * (not QUICK)
SHIFT = 100
MATRIX_WIDTH, MATRIX_LENGTHS = 512, [200, 1000] + [4096] * (not QUICK)
BINARY_LENGTHS = [1000] + [4096, 131_072] * (not QUICK)
# Four times as much each time: enough to see a slope, few enough to be done in minutes.
LENGTHS, WIDTHS = [512, 2048, 8192, 32_768], [16, 64, 256, 1024, 4096]
MATRIX_GROWTH = [512, 1024, 2048, 4096, 8192]
BINARY_GROWTH = [1024, 16_384, 262_144, 4_194_304]
GLOVE_WORDS = 20_000 if QUICK else 400_000
SECONDS = 1 if QUICK else 20
MEMORY_SIZE = (1000, 500) if QUICK else (4096, 1024)
LARGEST = TABLE_SIZES[-1]
PYTHON_LOOPS = ("Python loop", "transformers, DistilBERT", "shift_by_loop")
ALL_PAIRS = ("scipy cdist", "broadcasting")  # a number for each pair of positions and each column


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
        "sinusoidal, then rounded": lambda: posenc.sinusoidal(length, width).astype(np.float32),
        "sinusoidal_by_definition": both(posenc.sinusoidal_by_definition, length, width),
    }
    if not large:
        ours["Python loop"] = both(by_python_loop, length, width)
    return ours | peers.tables(length, width, without=PYTHON_LOOPS if large else ())


def shifting(length, width):
    """Return the contenders that shift a table; the first is a copy of it."""
    table, frequencies = posenc.sinusoidal(length, width), posenc.angular_frequencies(width)
    changed = table.copy()
    ours = {"copy": table.copy}
    # A matrix for one shift of 4096 columns costs as much as all else together.
    small = length * width < 10**7 and width < 4096
    for shift in ["packing", "swapping", "phase"] + ["matrix", "loop"] * small:
        function = getattr(shifts, f"shift_by_{shift}")
        ours[function.__name__] = functools.partial(function, table, frequencies, SHIFT)
    ours["shift_by_phase, in place"] = functools.partial(
        shifts.shift_by_phase, changed, frequencies, SHIFT, out=changed
    )
    pairs, phases = table.view(complex), shifts.phase_factors(frequencies, SHIFT)

    def product():
        with shifts.whole_rows(pairs):
            return pairs * phases

    ours["one product of complex numbers"] = product
    return ours | peers.rotations(table, frequencies, SHIFT)


def by_gram(table):
    """Return the distances from the products, cut off at zero."""
    squares = np.einsum("ij,ij->i", table, table)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * (table @ table.T), 0))


def by_broadcasting(table):
    """Return the distances from the differences of all rows."""
    return np.linalg.norm(table[:, None] - table[None], axis=-1)


def matrices(length, width=MATRIX_WIDTH):
    """Return the contenders that make a matrix for all pairs of positions."""
    frequencies = posenc.angular_frequencies(width)
    table = posenc.sinusoidal(length, width)
    contenders = {"write limit": harness.write_limit((length, length))}
    for function in (distances.distance_matrix, distances.dot_product_matrix):
        for view in (False, True):
            name = function.__name__ + ", view" * view
            contenders[name] = functools.partial(function, length, frequencies, view=view)
    contenders["Gram product"] = functools.partial(by_gram, table)
    if "scipy cdist" not in peers.PEERS_MISSING:
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


def by_pandas(path, *, threads=1):
    """Return the same words and vectors from pandas' C reader, unchecked."""
    types = {0: object} | dict.fromkeys(range(1, 101), np.float32)
    options = {"sep": " ", "header": None, "quoting": 3, "na_filter": False, "engine": "c"}
    with pd.option_context("mode.max_threads", threads):
        table = pd.read_csv(path, dtype=types, **options)
    return table.pop(0).tolist(), table.to_numpy()


def by_pandas_checked(path):
    """Return what `load_glove` returns, from a whole file that pandas has read."""
    return posenc.Embeddings(*by_pandas(path))


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
    for subject, contenders, size in (
        ("tables", tables, MEMORY_SIZE),
        ("shifts", shifting, MEMORY_SIZE),
        ("matrices", matrices, (1000,)),
        ("bits", bit_tables, (BINARY_LENGTHS[-1],)),
    ):
        for name, function in contenders(*size).items():
            if name in (*PYTHON_LOOPS, "write limit", "write limit, float32", "copy"):
                continue
            result = function()
            output = result.nbytes
            del result
            found.setdefault(subject, {})[name] = peak_memory(function, output)
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


def largest_error(parts, exact):
    """Return how far sines and cosines are from the exact ones, at most."""
    return max(float(abs(part - truth).max()) for part, truth in zip(parts, exact))


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
        found[name] = largest_error([part[:, sampled] / scale for part in (sines, cosines)], exact)
    return found


def errors_of_shifts(length, width):
    """Return the largest error of each shifted table at sampled positions, in all pairs."""
    rows = np.unique(np.append(np.random.default_rng(1).integers(0, length, 8), length - 1))
    exact = oracle(rows + SHIFT, range(width // 2), width // 2)
    found = {}
    for name, function in shifting(length, width).items():
        if name != "copy":
            shifted = np.asarray(function()).view(float).reshape(length, width)[rows]
            found[name] = largest_error(peers.pairs(shifted), exact)
    return found


def errors_of_matrices(length):
    """Return the largest error of each matrix at sampled offsets, and on the diagonal."""
    width, found = MATRIX_WIDTH, {}
    offsets = np.unique([1, 2, 3, 10, 100, *np.geomspace(20, length - 1, 9).astype(int)])
    _, cosines = oracle(offsets, range(width // 2), width // 2)
    products = cosines.sum(axis=1)  # the sum rounds by 1e-14, beside angles rounded by 1e-13
    for name, function in matrices(length).items():
        if name == "write limit":
            continue
        matrix, product = function(), name.startswith("dot")
        exact = products if product else np.sqrt(width - 2 * products)
        found[name] = {
            "off the diagonal": max(
                float(abs(np.diag(matrix, sign * int(offset)) - truth).max())
                for offset, truth in zip(offsets, exact)
                for sign in (1, -1)
            ),
            "diagonal": float(abs(np.diag(matrix) - (width / 2 if product else 0)).max()),
        }
    return found


def errors_far_away():
    """Return the largest error of tables of several widths that begin up to a million away."""
    rng, worst = np.random.default_rng(2), 0.0
    starts = [1e6, -1e6, 999_999.75, 524_288.5, *rng.uniform(-1e6, 1e6, 8)]
    rows = np.array([0, 1, 127, 128, 199])
    for width in (64, 500, 512, 1024):
        for start in starts:
            table = posenc.sinusoidal(200, width, start=start)[rows]
            exact = oracle(start + rows, range(width // 2), width // 2)
            worst = max(worst, largest_error(peers.pairs(table), exact))
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
    for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            cache.joinpath(x).read_text().strip() for x in ("level", "type", "size")
        )
        if kind != "Instruction":
            described[f"cache, level {level}"] = size.replace("K", " KiB")
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
    for length, width in TABLE_SIZES:
        yield "shifts", f"{length}×{width}", functools.partial(shifting, length, width), SECONDS
    for length in MATRIX_LENGTHS:
        yield "matrices", f"n={length}", functools.partial(matrices, length), SECONDS
    for length in BINARY_LENGTHS:
        yield "bits", f"n={length}", functools.partial(bit_tables, length), SECONDS / 2
    path = folder / "vectors.txt"
    write_glove(path)

    def glove():
        return {
            "pandas": functools.partial(by_pandas, path),
            "pandas, as it comes": functools.partial(by_pandas, path, threads=None),
            "pandas, and the checks": functools.partial(by_pandas_checked, path),
            "load_glove": functools.partial(posenc.load_glove, path),
        }

    yield "glove", f"{GLOVE_WORDS} words", glove, 4.5 * SECONDS
    yield "import", "a new process", imports, SECONDS / 2


def growing():
    """Yield a subject, what grows, the size and the contenders, for all growing sizes."""
    sizes = [("n", n, MATRIX_WIDTH) for n in LENGTHS] + [("d", 2048, d) for d in WIDTHS]
    for along, n, d in sizes:
        yield "tables", along, n, d, tables(n, d)
        yield "shifts", along, n, d, shifting(n, d)
    sizes = [("n", n, MATRIX_WIDTH) for n in MATRIX_GROWTH] + [("d", 1024, d) for d in WIDTHS]
    for along, n, d in sizes:
        slow = ALL_PAIRS if n > 2048 else ("broadcasting",)
        yield "matrices", along, n, d, {k: f for k, f in matrices(n, d).items() if k not in slow}
    for n in BINARY_GROWTH:
        yield "bits", "n", n, None, bit_tables(n)


def growth():
    """Return the quartiles of the seconds of all but Python loops, at growing sizes."""
    found = []
    for subject, along, n, d, contenders in growing():
        if QUICK and (n > 2048 or d == WIDTHS[-1]):
            continue
        chosen = {name: f for name, f in contenders.items() if name not in PYTHON_LOOPS}
        print(f"growth of {subject} along {along}, {n} x {d}", file=sys.stderr)
        for name, timed in harness.interleave(chosen, seconds=SECONDS / 10, most=11).items():
            low, median, high = np.quantile(timed.get_values(), [0.25, 0.5, 0.75]).tolist()
            point = {"subject": subject, "name": name, "along": along, "n": n, "d": d}
            found.append(point | {"low": low, "seconds": median, "high": high})
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
            harness.save(RESULTS / f"{subject}.json", measured[subject])  # kept, whatever follows
            del contenders
        facts["memory"]["glove"] = alone(str(folder / "vectors.txt"))
    print("accuracy", file=sys.stderr)
    facts["errors"] = {f"{n}×{d}": errors(n, d) for n, d in TABLE_SIZES}
    facts["errors of shifts"] = {f"{n}×{d}": errors_of_shifts(n, d) for n, d in TABLE_SIZES}
    facts["errors of matrices"] = {f"n={n}": errors_of_matrices(n) for n in MATRIX_LENGTHS}
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
    (RESULTS / "facts.json").write_text(
        json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    summary.write(RESULTS)


if __name__ == "__main__":
    measure_memory() if ALONE in sys.argv else main()
