"""Train the small heads of notebooks 8 to 10 and of Labs B and C: `make train`.

A *cell* is one way to train 24 heads from 24 seeds. Each measurement is a function below that
yields rows for the table of `posenc.trained.load_results`. Finished cells are saved in the folder
`.heads`, so stopping the program loses only the current one.

Parameters are rounded to hundredths before a head is measured, so that the saved weights are those
of the measured heads.
"""

import bz2
import pickle
import shutil
import zipfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from posenc import learning
from posenc.attention import softmax
from posenc.blocks import offset_part, rotations
from posenc.encodings import angular_frequencies
from posenc.long_context import by_parts, interpolate, ntk_base, unfinished
from posenc.ways import HEARD, LONGEST, WAYS, WIDTH, Alibi, Rotary, Sinusoidal, Way

ROOT = Path(__file__).parents[1]
DATA, FINISHED, SEEDS = ROOT / "src" / "posenc" / "data", ROOT / ".heads", range(24)
FIRST_STEPS = 20  # losses that are recorded, to compare when seed 0 is trained again
WINDOWS = 400  # the last start of random windows
PLACES = ((32, 0), (64, 0), (128, 0), (32, 32), (32, 100), (32, 1000), (32, 3000))
LONG, CURVE = 128, (0, 25, 50, 100, 200, 400, 700, 1000)  # for heads with further training
NUMBERS = {1: "one", 2: "two", 4: "four", 5: "five", 6: "six", 8: "eight", 12: "twelve"}
TASKS = learning.TASKS | {f"{name} back": learning.tokens_back(n) for n, name in NUMBERS.items()}
FREQUENCIES = angular_frequencies(32)
UNFINISHED = unfinished(FREQUENCIES, learning.LENGTH)
BASES = {f"larger base, c = {c}": ntk_base(10_000, 32, c) for c in (4, 8, 16, 64, 1024)}
RULES = {"as trained": FREQUENCIES, "every hand": interpolate(FREQUENCIES, 4)}
RULES |= {name: angular_frequencies(32, base=base) for name, base in BASES.items()}
RULES["by parts"] = by_parts(FREQUENCIES, 32, 4, low=1, high=4)
RULES["by parts, 0.9 to 3"] = by_parts(FREQUENCIES, 32, 4, low=0.9, high=3)
RULES["unfinished hands"] = np.where(UNFINISHED, FREQUENCIES / 4, FREQUENCIES)
SHARPER = (0.1 * np.log(4) + 1) ** 2  # YaRN multiplies all scores by this
CONTINUED = ("as trained", "every hand", "by parts", "larger base, c = 1024")
CONTINUED += ("larger base, c = 4", "unfinished hands")
# A row of the table in which nothing applies yet; the table is sorted by its columns.
EMPTY = dict.fromkeys(("task", "way", "rule", "measure", "part", "heard"), "")
EMPTY |= {"length": 0, "start": 0, "item": 0, "seed": 0, "value": 0.0}


@dataclass(frozen=True)
class Cell:
    """How heads are trained and named, what is measured, and whose weights are kept."""

    task: str
    name: str  # of the way
    way: Way
    measures: tuple = ()  # besides the accuracy
    kept: int = 1  # how many heads' weights, from seed 0 on
    rule: str = ""  # for the further training of rotary heads
    options: dict = field(default_factory=dict)  # of `posenc.learning.train`


# --- measurements: each function gets a head and its cell, and yields rows ---


def rows_of(measure, values, **where):
    """Yield a row for each of several values, numbered."""
    for item, value in enumerate(values):
        yield {"measure": measure, "item": item, "value": value, **where}


def accuracy_at(parameters, cell, length, start=0, *, way=None, texts=100, digits=3):
    """Return the accuracy at a length and start, in the cell's way or another, as part of a row."""
    way, task = cell.way if way is None else way, TASKS[cell.task]
    share = learning.accuracy(parameters, task, way, length=length, start=start, texts=texts)
    return {"length": length, "start": start, "value": round(share, digits)}


def accuracy(parameters, cell):
    """Yield the accuracy at `PLACES`, and in longer texts with the keys beyond 31 hidden."""
    for length, start in PLACES:
        if "table" not in parameters or start + length <= LONGEST:
            yield {"measure": "accuracy"} | accuracy_at(parameters, cell, length, start)
    near = replace(cell.way, farthest=learning.LENGTH - 1)
    for length in (64, 128):
        share = accuracy_at(parameters, cell, length, way=near)
        yield {"measure": "accuracy, far keys hidden"} | share


def starts(parameters, cell):
    """Yield the accuracy in texts of 32 that begin at 0 to 300."""
    for start in range(301):
        share = accuracy_at(parameters, cell, 32, start, texts=40, digits=2)
        yield {"measure": "accuracy by start"} | share


def matrix(parameters):
    """Return the matrix W between query and key."""
    return parameters["query"] @ parameters["key"].T


def turns(parameters, cell):
    """Yield the strengths and angles of W's blocks, and the offset part's share of W."""
    W = matrix(parameters)
    yield from rows_of("strength", np.abs(rotations(W)).round(3))
    yield from rows_of("angle", np.angle(rotations(W)).round(4))
    share = np.sum(offset_part(W) ** 2) / np.sum(W**2)
    yield {"measure": "share of the offset part", "value": round(float(share), 3)}


def parts_of(parameters):
    """Return the parameters, and those that leave only the offset part of W."""
    changed = {"query": offset_part(matrix(parameters)), "key": np.eye(WIDTH)}
    return {"whole W": parameters, "offset part": parameters | changed}


def hearing(way, part):
    """Return the way, but hearing this part of the letters wherever it heard letters."""
    names = [name for name in ("queries_hear", "keys_hear") if getattr(way, name) == "letters"]
    return replace(way, **dict.fromkeys(names, part))


def silenced(parameters, cell):
    """Yield the accuracy by part of W and by the part of letters that queries and keys hear."""
    for part, changed in parts_of(parameters).items():
        for heard in HEARD:
            for length, start in (*PLACES[:3], (32, 100), (32, 1000)):
                share = accuracy_at(changed, cell, length, start, way=hearing(cell.way, heard))
                yield {"measure": "accuracy by part", "part": part, "heard": heard} | share


def own_letter(parameters, cell):
    """Yield how much the query's own letter adds to a score, and how much each offset does.

    The letters' part is the mean over equal letters minus that over different ones; the positions'
    is the mean at the offsets 0 to 5.
    """
    E, W = parameters["embedding"], matrix(parameters) / np.sqrt(32)
    places = cell.way.added(parameters, np.arange(32))
    letters, positions, same = E @ W @ E.T, places @ W @ places.T, np.eye(len(E), dtype=bool)
    change = letters[same].mean() - letters[~same].mean()
    yield {"measure": "score of the own letter", "value": round(change, 2)}
    near = [np.diagonal(positions, -offset)[16 - offset :].mean() for offset in range(6)]
    yield from rows_of("score by offset", np.round(near, 2))


def stretched(parameters, cell):
    """Yield the accuracy under each rule without training, also with keys beyond 31 hidden."""
    sharper = parameters | {"query": SHARPER * parameters["query"]}
    heads = {rule: (parameters, frequencies) for rule, frequencies in RULES.items()}
    heads["by parts, sharper"] = sharper, RULES["by parts"]
    for rule, (changed, frequencies) in heads.items():
        for hidden, farthest in (("", None), (", far keys hidden", learning.LENGTH - 1)):
            way = Rotary(frequencies, farthest=farthest)
            for length in (64, 128) if hidden else (32, 64, 128):
                share = accuracy_at(changed, cell, length, way=way)
                yield {"measure": f"accuracy by rule{hidden}", "rule": rule} | share


def other_offsets(parameters, cell):
    """Yield the accuracy in texts of 128 if hands hear other offsets than the true ones.

    Unfinished hands stop where they stood at 31; or, as a control, the others do; or all hands
    repeat 4 to 31 from 32 on, and so meet as many keys but no new offsets.
    """
    tokens, answers = TASKS[cell.task](np.random.default_rng([0, 2]), 100, LONG)
    x, late = parameters["embedding"][tokens], np.arange(LONG // 2, LONG)
    offsets = late[:, None] - np.arange(LONG)
    queries = (x[:, late] @ parameters["query"]).view(complex)
    keys = (x @ parameters["key"]).view(complex)
    stop = np.minimum(offsets, 31)
    repeat = np.where(offsets < 32, offsets, 4 + (offsets - 32) % 28)
    cases = {"unfinished stop": (stop, UNFINISHED), "others stop": (stop, ~UNFINISHED)}
    cases["all repeat"] = repeat, UNFINISHED | ~UNFINISHED
    scores = {name: np.where(offsets < 0, -np.inf, np.zeros((100, 1, 1))) for name in cases}
    for k, speed in enumerate(FREQUENCIES):
        pairs = queries[:, :, None, k] * keys[:, None, :, k].conj()
        for name, (heard, changed) in cases.items():
            turn = np.exp(-1j * speed * (heard if changed[k] else offsets))
            scores[name] += (pairs * turn).real / np.sqrt(32)
    scored = answers[:, late] != learning.UNASKED
    for name in cases:
        logits = softmax(scores[name]) @ x @ parameters["mixed"] + x[:, late] @ parameters["own"]
        share = np.mean((logits.argmax(axis=-1) == answers[:, late])[scored])
        row = {"rule": name, "length": LONG, "value": round(float(share), 3)}
        yield {"measure": "accuracy with other offsets"} | row


# --- cells ---

FAST_HANDS = Rotary(FREQUENCIES * (np.arange(16) < 3))
ADDED, DEAF = WAYS["sinusoidal"], WAYS["deaf"]
QUERIES_ONLY, KEYS_ONLY = Sinusoidal(keys_hear="nothing"), Sinusoidal(queries_hear="nothing")
MOVED, AT_LENGTH = {"last_start": WINDOWS}, {"length": LONG, "steps": CURVE[-1]}
ALL = len(SEEDS)


def cells():
    """Return all cells."""
    result = [
        Cell("three back", "sinusoidal", ADDED, (turns, silenced, starts), ALL),
        Cell("three back", "windows", ADDED, (turns, starts), ALL, options=MOVED),
        Cell("three back", "deaf", DEAF, (turns,), ALL),
        Cell("one back", "sinusoidal", ADDED, (turns, silenced, own_letter), ALL),
        Cell("one back", "windows", ADDED, (turns, own_letter), options=MOVED),
        Cell("one back", "sinusoidal, 3000 steps", ADDED, (turns,), options={"steps": 3000}),
        Cell("one back", "deaf", DEAF, (turns,)),
        Cell("one back", "letters in queries only", QUERIES_ONLY, (turns,)),
        Cell("one back", "letters in keys only", KEYS_ONLY, (turns,)),
        Cell("most recent", "sinusoidal", ADDED),
        Cell("most recent", "windows", ADDED, options=MOVED),
        Cell("first", "sinusoidal", ADDED, (starts,), ALL),
        Cell("first", "windows", ADDED, options=MOVED),
        Cell("first", "windows, 2000 steps", ADDED, options=MOVED | {"steps": 2000}),
    ]
    for name in list(NUMBERS.values())[1:]:
        result.append(Cell(f"{name} back", "sinusoidal", ADDED, (turns,)))
    for slope in (0.05, 0.2, 1.0):
        result.append(Cell("three back", f"alibi, slope {slope}", Alibi(slope)))
    for task in learning.TASKS:
        result += [Cell(task, name, WAYS[name], kept=0) for name in ("none", "learned", "alibi")]
        result.append(Cell(task, "rotary", WAYS["rotary"], (stretched, other_offsets), ALL))
        result.append(Cell(task, "rotary, hands 0 to 2", FAST_HANDS))
        scratch = "rotary, from scratch", WAYS["rotary"]
        result.append(Cell(task, *scratch, kept=0, options=AT_LENGTH))
    for rule, task in product(CONTINUED, learning.TASKS):
        after = "rotary, trained on", Rotary(RULES[rule])
        result.append(Cell(task, *after, kept=0, rule=rule, options=AT_LENGTH))
    return result


def trained(cell, seed, watch=None, **options):
    """Return a head and its losses; with a rule, after further training under it."""
    task, parameters = TASKS[cell.task], None
    if cell.rule:
        parameters, _ = learning.train(task, WAYS["rotary"], seed=seed)
    options = {"parameters": parameters, "watch": watch} | cell.options | options
    return learning.train(task, cell.way, seed=seed, **options)


def measured(seed, cell):
    """Return the rows of one head, and its parameters in hundredths if they're kept."""
    rows = []

    def watch(step, parameters):
        if cell.options.get("length") == LONG and step in CURVE:
            row = {"measure": "accuracy by step", "item": step}
            rows.append(row | accuracy_at(parameters, cell, LONG))

    parameters, losses = trained(cell, seed, watch)
    parameters = {name: values.round(2) for name, values in parameters.items()}
    for function in (accuracy, *cell.measures):
        rows += function(parameters, cell)
    if seed == 0:
        rows += rows_of("loss", np.round(losses[:FIRST_STEPS], 8))
    names = {"task": cell.task, "way": cell.name, "rule": cell.rule, "seed": seed}
    hundredths = {
        name: np.rint(100 * values).astype(np.int16)
        for name, values in parameters.items()
        if seed < cell.kept
    }
    return [EMPTY | names | row for row in rows], hundredths


def write(results, cells):
    """Write the table and the weights, the same bytes from the same results."""
    rows = [row for heads in results for head_rows, _ in heads for row in head_rows]
    table = pd.DataFrame(rows, columns=list(EMPTY)).sort_values(list(EMPTY)[:-1])
    text = table.to_csv(index=False, float_format="%.9g", lineterminator="\n")
    (DATA / "heads.csv.bz2").write_bytes(bz2.compress(text.encode()))
    with zipfile.ZipFile(DATA / "heads.npz", "w", zipfile.ZIP_BZIP2) as archive:
        for cell, heads in zip(cells, results):
            weights = [hundredths for _, hundredths in heads if hundredths]
            for name in weights[0] if weights else ():
                # Opened by name, it gets the same date each time.
                with archive.open(f"{cell.task}/{cell.name}/{name}.npy", "w") as file:
                    np.save(file, np.stack([hundredths[name] for hundredths in weights]))


def main():
    """Train two heads at a time, cell by cell, and write the measurements."""
    FINISHED.mkdir(exist_ok=True)
    results, all_cells = [], cells()
    with ProcessPoolExecutor(2) as workers:
        for cell in tqdm(all_cells, unit=" cells"):
            file = FINISHED / f"{cell.task}, {cell.name}, {cell.rule}.pickle"
            if not file.exists():
                heads = list(workers.map(partial(measured, cell=cell), SEEDS))
                file.write_bytes(pickle.dumps(heads))
            results.append(pickle.loads(file.read_bytes()))
    write(results, all_cells)
    shutil.rmtree(FINISHED)


if __name__ == "__main__":
    main()
